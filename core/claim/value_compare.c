/* When two values can both hold, and the arithmetic between them in words: value.h has the rules.
 *
 * A next class of values gets its line in hm_value_compatible, and its sentence in
 * hm_value_difference. Cost: linear in the bytes of both; a tolerance in a unit of its own looks
 * that unit up. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/value_impl.h"

/* Both sorted by key. */
static bool contains(const hm_value *all, size_t n, const hm_value *some, size_t m) {
  size_t i = 0;
  for (size_t j = 0; j < m; j++) {
    int d = -1;
    while (i < n && (d = hm_str_cmp(all[i].key, some[j].key)) < 0) i++;
    if (i == n || d > 0) return false;
  }
  return true;
}

/* The elements of a set, by key; a scalar is a set of one. */
static const hm_value *items_of(const hm_value *v, size_t *n) {
  *n = v->kind == HM_V_SET ? v->n_items : 1;
  return v->kind == HM_V_SET ? v->items : v;
}

static bool sets_compatible(const hm_value *a, const hm_value *b) {
  size_t n, m;
  const hm_value *x = items_of(a, &n), *y = items_of(b, &m);
  return contains(x, n, y, m) || contains(y, m, x, n);
}

static bool same_12_digits(double x, double y) {
  char a[32], b[32];
  snprintf(a, sizeof a, "%.12g", x);
  snprintf(b, sizeof b, "%.12g", y);
  return strcmp(a, b) == 0;
}

/* As stated, in decimals: 1.1 is within 0.1 of 1.0. */
static bool within_stated(const hm_value *a, const hm_value *b, double limit) {
  hm_arena *s = hm_arena_new();
  hm_number x, y, d;
  bool in = hm_number_parse(&x, hm_value_number_text(a), s) &&
      hm_number_parse(&y, hm_value_number_text(b), s) && hm_number_sub(&d, &x, &y, s);
  if (in) {
    hm_number most = hm_number_of_double(limit, 15, s);
    d.neg = false;
    in = hm_number_cmp(&d, &most) <= 0;
  }
  hm_arena_free(s);
  return in;
}

/* In doubles; what their last bits make of the difference is forgiven. */
static bool within_base(const hm_value *a, const hm_value *b, double limit) {
  double greater = fmax(fabs(a->num), fabs(b->num));
  return isfinite(greater) && fabs(a->num - b->num) <= limit + 4 * 2.220446049250313e-16 * greater;
}

/* Greatest difference in base units when tol names a unit of that base, else -1. */
static double limit_in_base(const hm_tolerance *tol, hm_str base) {
  hm_units *u = hm_units_new();
  hm_arena *s = hm_arena_new();
  hm_str spelling = hm_unit_spelling(tol->unit, s);
  const hm_unit *unit = spelling.n ? hm_units_get(u, spelling) : NULL;
  double limit = unit && hm_str_eq(unit->base, base) ? tol->value * fabs(unit->scale) : -1;
  hm_arena_free(s);
  hm_units_free(u);
  return limit;
}

/* Both are numeric, of one base, and no further apart than tol allows. */
static bool is_within(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  if (!isfinite(tol->value) || tol->value < 0) return false;
  if (hm_str_is(tol->unit, "%"))
    return within_base(a, b, tol->value / 100 * fmax(fabs(a->num), fabs(b->num)));
  hm_str unit = hm_value_unit(a);
  bool one_unit = hm_str_eq(unit, hm_value_unit(b));
  if (!tol->unit.n) return one_unit && within_stated(a, b, tol->value);
  if (a->kind != HM_V_QUANTITY || b->kind != HM_V_QUANTITY) return false;
  if (one_unit && hm_str_eq(unit, tol->unit)) return within_stated(a, b, tol->value);
  double limit = limit_in_base(tol, a->base);
  return limit >= 0 && within_base(a, b, limit);
}

static bool numbers_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  if (!hm_str_eq(hm_value_base(a), hm_value_base(b))) return false;
  bool one_unit = hm_str_eq(hm_value_unit(a), hm_value_unit(b));
  if (!one_unit && same_12_digits(a->num, b->num)) return true;
  return tol && is_within(a, b, tol);
}

/* What a date states, without its kind and zone. */
static hm_str date_text(const hm_value *v) {
  hm_str s = hm_str_sub(v->norm, sizeof "date:" - 1, v->norm.n);
  return hm_str_ends(s, "Z") ? hm_str_sub(s, 0, s.n - 1) : s;
}

/* ISO 8601 is so made that a less precise statement is a prefix. */
static bool dates_compatible(const hm_value *a, const hm_value *b) {
  if (a->precision == b->precision) return false;   /* their keys differ */
  const hm_value *less = a->precision < b->precision ? a : b, *more = less == a ? b : a;
  hm_str p = date_text(less), s = date_text(more);
  return p.n <= s.n && memcmp(p.p, s.p, p.n) == 0;
}

static bool is_year_of(const hm_value *number, const hm_value *date) {
  hm_str year = hm_value_number_text(number), s = date_text(date);
  return year.n == 4 && !memchr(year.p, '.', 4) && !memchr(year.p, 'e', 4) && s.n > 4 &&
      memcmp(year.p, s.p, 4) == 0;
}

bool hm_value_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  if (a->kind == HM_V_NONE || b->kind == HM_V_NONE || hm_str_eq(a->key, b->key)) return true;
  if (a->denied || b->denied)
    return a->denied == b->denied || !hm_str_eq(hm_value_undenied_key(a), hm_value_undenied_key(b));
  if (a->kind == HM_V_SET || b->kind == HM_V_SET) return sets_compatible(a, b);
  if (hm_value_numeric(a) && hm_value_numeric(b)) return numbers_compatible(a, b, tol);
  if (a->kind == HM_V_DATE && b->kind == HM_V_DATE) return dates_compatible(a, b);
  if (a->kind == HM_V_NUMBER && b->kind == HM_V_DATE) return is_year_of(a, b);
  if (a->kind == HM_V_DATE && b->kind == HM_V_NUMBER) return is_year_of(b, a);
  return false;
}

/* --- in words ------------------------------------------------------------------------ */

enum { SHOWN_MAX = 80, ITEMS_MAX = 8 };

static const char *const kind_names[] = {
  "nothing", "a text", "a boolean", "a number", "a quantity", "a date", "a set",
};

/* A raw value for a sentence: one line's worth of it. */
static void write_raw(hm_buf *b, hm_str raw, const char *quote) {
  hm_str s = hm_text_cut(raw, SHOWN_MAX);
  hm_buf_c(b, quote);
  hm_buf_str(b, s);
  if (s.n < raw.n) hm_buf_c(b, "…");
  hm_buf_c(b, quote);
}

/* A set inside a set has no raw text of its own. */
static void write_value(hm_buf *b, const hm_value *v) {
  bool inner = v->kind == HM_V_SET && !v->raw.n;
  write_raw(b, inner ? v->norm : v->raw, v->kind == HM_V_TEXT ? "\"" : "");
}

static void write_both(hm_buf *b, const hm_value *x, const char *between, const hm_value *y,
                     const char *after) {
  write_value(b, x);
  hm_buf_c(b, between);
  write_value(b, y);
  hm_buf_c(b, after);
}

static void write_in_base(hm_buf *b, const hm_value *v) {
  write_value(b, v);
  hm_buf_c(b, " = ");
  write_raw(b, hm_value_base_text(v), "");
  if (v->kind != HM_V_QUANTITY) return;
  hm_buf_ch(b, ' ');
  hm_buf_str(b, v->base);
}

/* |x - y|: exact in the unit that both state, else in base units. */
static hm_str distance(hm_arena *a, const hm_value *x, const hm_value *y, bool one_unit) {
  hm_str tx = one_unit ? hm_value_number_text(x) : hm_value_base_text(x);
  hm_str ty = one_unit ? hm_value_number_text(y) : hm_value_base_text(y);
  hm_number nx, ny, d;
  if (hm_number_parse(&nx, tx, a) && hm_number_parse(&ny, ty, a) &&
      hm_number_sub(&d, &nx, &ny, a)) {
    d.neg = false;
    return hm_number_text(a, &d);
  }
  return hm_str_fmt(a, "%.12g", fabs(x->num - y->num));
}

static void write_tolerance(hm_buf *b, const hm_value *x, const hm_value *y,
                          const hm_tolerance *tol) {
  if (!tol) return;
  hm_buf_fmt(b, ", %s the tolerance of %.12g", is_within(x, y, tol) ? "within" : "not within",
             tol->value);
  if (!tol->unit.n) return;
  if (!hm_str_is(tol->unit, "%")) hm_buf_ch(b, ' ');
  hm_buf_str(b, tol->unit);
}

static void write_numbers(hm_buf *b, hm_arena *a, const hm_value *x, const hm_value *y,
                        const hm_tolerance *tol) {
  hm_str unit = hm_value_unit(x);
  bool one_unit = hm_str_eq(unit, hm_value_unit(y));
  write_in_base(b, x);
  hm_buf_c(b, ", ");
  write_in_base(b, y);
  if (x->kind != y->kind && !hm_str_eq(hm_value_base(x), hm_value_base(y))) {
    hm_buf_c(b, ": one has a unit, the other none");
    return;
  }
  if (!hm_str_eq(hm_value_base(x), hm_value_base(y))) {
    hm_buf_c(b, ": ");
    write_raw(b, unit, "");
    hm_buf_c(b, " and ");
    write_raw(b, hm_value_unit(y), "");
    hm_buf_c(b, " are of different dimensions, neither converts to the other");
    return;
  }
  hm_buf_c(b, ": differ by ");
  write_raw(b, distance(a, x, y, one_unit), "");
  hm_str shown = one_unit ? unit : x->kind == HM_V_QUANTITY ? x->base : HM_EMPTY;
  if (shown.n && !hm_str_is(shown, "1")) {
    hm_buf_ch(b, ' ');
    hm_buf_str(b, shown);
  }
  write_tolerance(b, x, y, tol);
}

static void write_dates(hm_buf *b, const hm_value *x, const hm_value *y) {
  const hm_time day = INT64_C(86400000000);
  if (x->precision == HM_P_DAY && y->precision == HM_P_DAY) {
    int64_t n = (x->time > y->time ? x->time - y->time : y->time - x->time) / day;
    write_both(b, x, " and ", y, "");
    hm_buf_fmt(b, ": differ by %" PRId64 " day%s", n, n == 1 ? "" : "s");
    return;
  }
  bool less = x->precision <= y->precision;
  const hm_value *wide = less ? x : y, *narrow = less ? y : x;
  write_both(b, narrow, wide->precision == narrow->precision ? " and " : " is not within ", wide,
             "");
  if (wide->precision == narrow->precision) hm_buf_c(b, " are different times");
}

/* Elements of x that y lacks; both sorted by key. */
static size_t write_missing(hm_buf *b, const hm_value *x, const hm_value *y) {
  size_t n, m, found = 0, j = 0;
  const hm_value *xs = items_of(x, &n), *ys = items_of(y, &m);
  for (size_t i = 0; i < n; i++) {
    while (j < m && hm_str_cmp(ys[j].key, xs[i].key) < 0) j++;
    if (j < m && hm_str_eq(ys[j].key, xs[i].key)) continue;
    if (found++ >= ITEMS_MAX) continue;
    if (found > 1) hm_buf_c(b, ", ");
    write_value(b, &xs[i]);
  }
  if (found > ITEMS_MAX) hm_buf_fmt(b, " and %zu more", found - ITEMS_MAX);
  return found;
}

static void write_sets(hm_buf *b, const hm_value *x, const hm_value *y) {
  hm_buf_c(b, "only in the first: ");
  if (!write_missing(b, x, y)) hm_buf_c(b, "nothing");
  hm_buf_c(b, "; only in the second: ");
  if (!write_missing(b, y, x)) hm_buf_c(b, "nothing");
}

static void write_other(hm_buf *b, const hm_value *x, const hm_value *y) {
  if (x->kind == y->kind && x->kind != HM_V_NONE) {
    write_both(b, x, " and ", y,
             x->kind == HM_V_BOOL ? " exclude each other" : " are different texts");
    return;
  }
  write_value(b, x);
  hm_buf_fmt(b, " is %s, ", kind_names[x->kind]);
  write_value(b, y);
  hm_buf_fmt(b, " is %s", kind_names[y->kind]);
}

hm_str hm_value_difference(hm_arena *a, const hm_value *x, const hm_value *y,
                           const hm_tolerance *tol) {
  hm_buf b = { 0 };
  bool sets = x->kind == HM_V_SET || y->kind == HM_V_SET;
  bool compatible = hm_value_compatible(x, y, NULL);
  if (x->kind == HM_V_NONE || y->kind == HM_V_NONE) {
    write_other(&b, x, y);
  } else if (hm_str_eq(x->key, y->key) && hm_str_eq(x->norm, y->norm)) {
    write_both(&b, x, " and ", y, " are the same: ");
    write_raw(&b, x->norm, "");
  } else if (x->denied || y->denied) {
    write_both(&b, x, " and ", y,
               compatible ? " can both hold" : ": one denies what the other says");
  } else if (sets) {
    write_sets(&b, x, y);
  } else if (hm_value_numeric(x) && hm_value_numeric(y)) {
    write_numbers(&b, a, x, y, tol);
  } else if (compatible) {
    write_both(&b, x, " and ", y, " can both hold: one is the more precise");
  } else if (x->kind == HM_V_DATE && y->kind == HM_V_DATE) {
    write_dates(&b, x, y);
  } else {
    write_other(&b, x, y);
  }
  return hm_buf_take(&b, a);
}
