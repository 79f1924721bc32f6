/* Decides whether two values can both hold, also in sets, lists and objects: value.h has the rules.
 * Also compares versions.
 *
 * Sets: one contains the other, element by compatible element. Lists: one is a subsequence of the
 * other. A single value counts as a set or list of one element. Objects: all values under common
 * names are compatible; an object and any other value have nothing in common.
 *
 * A new class of values needs a line in hm_values_are_compatible and a sentence in value_words.c.
 * Cost: linear in the bytes of both; a tolerance with a unit also looks that unit up. Sets: a merge
 * of sorted elements; for elements without an equal a search, nearest first, with a number of steps
 * linear in both. Beyond that they count as compatible, since a false alarm is worse. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/value/value_impl.h"

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

double hm_tolerance_in_base(const hm_tolerance *tol, hm_str base) {
  hm_units *u = hm_units_new();
  hm_arena *s = hm_arena_new();
  hm_str spelling = hm_unit_spelling(tol->unit, s);
  const hm_unit *unit = spelling.n ? hm_units_get(u, spelling) : NULL;
  double limit = unit && hm_str_eq(unit->base, base) ? tol->value * fabs(unit->scale) : -1;
  hm_arena_free(s);
  hm_units_free(u);
  return limit;
}

bool hm_values_within_tolerance(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  if (!isfinite(tol->value) || tol->value < 0)
    return false;
  if (hm_str_is(tol->unit, "%"))
    return within_base(a, b, tol->value / 100 * fmax(fabs(a->num), fabs(b->num)));
  hm_str unit = hm_value_unit(a);
  bool one_unit = hm_str_eq(unit, hm_value_unit(b));
  if (!tol->unit.n)
    return one_unit && within_stated(a, b, tol->value);
  if (a->kind != HM_V_QUANTITY || b->kind != HM_V_QUANTITY)
    return false;
  if (one_unit && hm_str_eq(unit, tol->unit))
    return within_stated(a, b, tol->value);
  double limit = hm_tolerance_in_base(tol, a->base);
  return limit >= 0 && within_base(a, b, limit);
}

/* A unit that may be another, or counts parts of it: a volt of direct current is a volt; C and F
 * are a charge, a capacity or degrees, until something says which; of money that has them cents. */
static bool may_be(const hm_value *a, const hm_value *b) {
  static const struct {
    const char *unit, *other;
    double scale, offset;
  } pairs[] = {
    { "C", "A.s", 1, 0 },
    { "C", "K", 1, 273.15 },
    { "F", "A2.kg-1.m-2.s4", 1, 0 },
    { "F", "K", 1 / 1.8, 459.67 / 1.8 },
    { "VDC", "A-1.kg.m2.s-3", 1, 0 },
    { "VAC", "A-1.kg.m2.s-3", 1, 0 },
    { "ADC", "A", 1, 0 },
    { "AAC", "A", 1, 0 },
    { "cent", "USD", 0.01, 0 },
    { "cent", "EUR", 0.01, 0 },
    { "cent", "CAD", 0.01, 0 },
    { "cent", "AUD", 0.01, 0 },
    { "cent", "NZD", 0.01, 0 },
    { "cent", "SGD", 0.01, 0 },
    { "cent", "HKD", 0.01, 0 },
  };
  hm_str unit = hm_value_base(a), other = hm_value_base(b);
  for (size_t i = 0; i < HM_COUNT(pairs); i++)
    if (hm_str_is(unit, pairs[i].unit) && hm_str_is(other, pairs[i].other) &&
        same_12_digits(a->num * pairs[i].scale + pairs[i].offset, b->num))
      return !hm_str_is(other, "K") || !(a->supports & HM_READ_CHARGE);
  return false;
}

/* "0.8", "80" and "80 %" where the slot is one of shares. */
static bool is_share(const hm_value *number, const hm_value *percent) {
  bool share = (number->supports | percent->supports) & HM_READ_SHARE;
  if (!share || number->kind != HM_V_NUMBER || !hm_str_is(hm_value_base(percent), "%"))
    return false;
  enum { ENDLESS = 12 };
  hm_str shown = hm_value_number_text(percent);
  const char *point = memchr(shown.p, '.', shown.n);
  size_t decimals = point ? (size_t)(shown.p + shown.n - point) - 1 : 0;
  double part = fabs(number->num) <= 1 ? number->num * 100 : number->num;
  bool endless = hm_value_number_text(number).n > ENDLESS; /* "1/3" and "33 %" */
  return same_12_digits(part, percent->num) ||
      (endless && fabs(part - percent->num) <= pow(10, -(double)decimals) / 2);
}

/* "3 per hour" and "every 20 minutes". */
static bool is_rate(const hm_value *rate, const hm_value *period) {
  return hm_str_is(hm_value_base(rate), "s-1") && hm_str_is(hm_value_base(period), "s") &&
      same_12_digits(rate->num * period->num, 1);
}

/* "4GB" and "4096MB" of a slot of memory: of two that do not say which, a step may be 1024. */
static bool is_step_of_1024(const hm_value *a, const hm_value *b) {
  hm_str x = hm_value_unit(a), y = hm_value_unit(b);
  bool said = memchr(x.p, 'i', x.n) || memchr(y.p, 'i', y.n);
  if (!(a->supports & HM_READ_BYTES) || said || !hm_str_is(a->base, "B"))
    return false;
  double ratio = fmax(a->num, b->num) / fmin(a->num, b->num), step = 1.024;
  for (int i = 0; i < 4 && !same_12_digits(ratio, step); i++)
    step *= 1.024;
  return same_12_digits(ratio, step) && !hm_str_eq(x, y);
}

static bool numbers_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  if (!hm_str_eq(hm_value_base(a), hm_value_base(b)))
    return may_be(a, b) || may_be(b, a) || is_share(a, b) || is_share(b, a) || is_rate(a, b) ||
        is_rate(b, a);
  bool one_unit = hm_str_eq(hm_value_unit(a), hm_value_unit(b));
  if (!one_unit && (same_12_digits(a->num, b->num) || is_step_of_1024(a, b)))
    return true;
  return tol && hm_values_within_tolerance(a, b, tol);
}

/* A span of time inside another is the more precise statement. Equal spans have equal keys. */
static bool holds_span(const hm_value *wide, const hm_value *narrow) {
  return wide->time <= narrow->time && narrow->last <= wide->last;
}

static bool is_year_of(const hm_value *number, const hm_value *date) {
  hm_str year = hm_value_number_text(number);
  hm_str s = hm_value_without_class(date->norm);
  return year.n == 4 && !memchr(year.p, '.', 4) && !memchr(year.p, 'e', 4) && s.n > 4 &&
      memcmp(year.p, s.p, 4) == 0;
}

bool hm_value_times_within_tolerance(const hm_value *a, const hm_value *b,
                                     const hm_tolerance *tol) {
  double limit = isfinite(tol->value) && tol->value >= 0 && tol->unit.n
      ? hm_tolerance_in_base(tol, HM_STR("s"))
      : -1;
  /* The distance of the beginnings; a time of day also around midnight. */
  const int64_t day = INT64_C(86400000000);
  int64_t d = a->time > b->time ? a->time - b->time : b->time - a->time;
  if (a->kind == HM_V_CLOCK && d > day / 2 && d < day)
    d = day - d;
  return limit >= 0 && (double)d <= limit * 1e6 + 0.5;
}

/* --- sets, lists and objects ------------------------------------------------------------------ */

enum { STEPS = 64, STEPS_EACH = 16 };

/* steps: pairs that may still be looked at. */
typedef struct {
  const hm_tolerance *tol;
  size_t steps;
} comparing;

static bool fits(comparing *c, const hm_value *a, const hm_value *b);

static bool is_array(const hm_value *v) { return v->kind == HM_V_SET || v->kind == HM_V_LIST; }

static bool in_prose(const hm_value *v) { return v->kind == HM_V_TEXT && v->n_items; }

const hm_value *hm_value_items(const hm_value *v, size_t *n) {
  *n = is_array(v) ? v->n_items : 1;
  return is_array(v) ? v->items : v;
}

/* near: the place where it would be among all. */
static bool has_fitting(comparing *c, const hm_value *all, size_t n, size_t near,
                        const hm_value *one) {
  if (!c->steps)
    return true;
  for (size_t k = 0; k < n; k++) {
    const hm_value *other = &all[(near + n - 1 + k) % n];
    bool texts = other->kind == HM_V_TEXT && one->kind == HM_V_TEXT;
    if (texts)
      c->steps -= c->steps > 0;
    bool same = hm_str_eq(other->key, one->key);
    if (same || (texts ? hm_value_same_wording(other, one) : fits(c, other, one)))
      return true;
  }
  return false;
}

/* What is sorted by key, as sets are, is found by the merge. */
static bool contains(comparing *c, const hm_value *all, size_t n, const hm_value *some, size_t m) {
  size_t i = 0;
  for (size_t j = 0; j < m; j++) {
    int d = -1;
    while (i < n && (d = hm_str_cmp(all[i].key, some[j].key)) < 0)
      i++;
    if ((i == n || d > 0) && !has_fitting(c, all, n, i, &some[j]))
      return false;
  }
  return true;
}

/* Takes the first one that fits, since a later one leaves fewer for the rest. */
static bool contains_in_order(comparing *c, const hm_value *all, size_t n, const hm_value *some,
                              size_t m) {
  size_t j = 0;
  for (size_t i = 0; i < n && j < m && n - i >= m - j; i++)
    j += fits(c, &all[i], &some[j]);
  return j == m;
}

static bool objects_fit(comparing *c, const hm_value *a, const hm_value *b) {
  const hm_str *x = hm_value_item_names(a), *y = hm_value_item_names(b);
  for (size_t i = 0, j = 0; i < a->n_items && j < b->n_items;) {
    int d = hm_str_cmp(x[i], y[j]);
    if (!d && !fits(c, &a->items[i], &b->items[j]))
      return false;
    i += d <= 0;
    j += d >= 0;
  }
  return true;
}

static bool elements_fit(comparing *c, const hm_value *x, size_t n, const hm_value *y, size_t m,
                         bool ordered) {
  if (ordered)
    return contains_in_order(c, x, n, y, m) || contains_in_order(c, y, m, x, n);
  return contains(c, x, n, y, m) || contains(c, y, m, x, n);
}

/* A list in prose is one element, or its items. */
static bool fits(comparing *c, const hm_value *a, const hm_value *b) {
  if (!c->steps || hm_str_eq(a->key, b->key))
    return true;
  size_t cost = 1 + (a->n_items + b->n_items) / 8;
  c->steps -= cost < c->steps ? cost : c->steps;
  if (!hm_value_has_parts(a) && !hm_value_has_parts(b))
    return hm_values_are_compatible(a, b, c->tol);
  if (a->kind == HM_V_OBJECT && b->kind == HM_V_OBJECT)
    return objects_fit(c, a, b);
  if (a->kind == HM_V_OBJECT ? !is_array(b) : b->kind == HM_V_OBJECT && !is_array(a))
    return true;
  size_t n, m;
  const hm_value *x = hm_value_items(a, &n), *y = hm_value_items(b, &m);
  bool ordered = a->kind != HM_V_SET && b->kind != HM_V_SET;
  return elements_fit(c, x, n, y, m, ordered) ||
      (in_prose(a) && elements_fit(c, a->items, a->n_items, y, m, ordered)) ||
      (in_prose(b) && elements_fit(c, x, n, b->items, b->n_items, ordered));
}

size_t hm_value_missing_items(const hm_value *x, const hm_value *y, const hm_tolerance *tol,
                              const hm_value **out, size_t max) {
  size_t n = x->n_items, m = y->n_items, found = 0, j = 0;
  const hm_value *xs = in_prose(x) ? x->items : hm_value_items(x, &n);
  const hm_value *ys = in_prose(y) ? y->items : hm_value_items(y, &m);
  comparing c = { tol, STEPS + STEPS_EACH * (n + m) };
  for (size_t i = 0; i < n; i++) {
    int d = -1;
    while (j < m && (d = hm_str_cmp(ys[j].key, xs[i].key)) < 0)
      j++;
    if (j < m && !d)
      continue;
    if (c.steps && has_fitting(&c, ys, m, j, &xs[i]))
      continue;
    if (found < max)
      out[found] = &xs[i];
    found++;
  }
  return found;
}

/* The order of the two must not change what is found before the steps are used up. */
static bool parts_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  comparing c = { tol, STEPS + STEPS_EACH * (a->n_items + b->n_items) };
  bool swap = hm_str_cmp(a->key, b->key) > 0;
  return swap ? fits(&c, b, a) : fits(&c, a, b);
}

/* Of letters in mixed case the case counts beside others of mixed case: "NaCl" may be written
 * "nacl"; in a code with a digit also beside small letters: "dQw4" is not "dqw4". */
static bool texts_compatible(const hm_value *a, const hm_value *b) {
  if (!a->cased && !b->cased)
    return hm_value_same_wording(a, b);
  if (a->cased && b->cased)
    return false;
  hm_str cased = a->cased ? a->norm : b->norm, other = a->cased ? b->norm : a->norm;
  if (a->supports & HM_READ_CODE && hm_text_has_digit(cased))
    return false;
  size_t i = 0;
  while (i < cased.n && i < other.n && hm_ascii_lower(cased.p[i]) == other.p[i])
    i++;
  return i == cased.n && i == other.n;
}

/* "Thu, Mon" and "Mondays and Thursdays": as many items, each in both. */
static bool lists_agree(const hm_value *a, const hm_value *b) {
  size_t n = a->n_items;
  comparing c = { NULL, STEPS + STEPS_EACH * 2 * n };
  return n > 1 && n == b->n_items && hm_str_starts(a->key, "list:set") &&
      hm_str_starts(b->key, "list:set") && contains(&c, a->items, n, b->items, n) &&
      contains(&c, b->items, n, a->items, n);
}

/* --- two values of two classes ------------------------------------------------------------- */

/* A number and a date; hours and a time of day: "14h30" beside 14:30. "3:45" that something lasts
 * may be 3 min 45 s. */
static bool in_other_words(const hm_value *a, const hm_value *b) {
  if (a->kind == HM_V_NUMBER && b->kind == HM_V_DATE)
    return is_year_of(a, b);
  if (a->kind != HM_V_QUANTITY || b->kind != HM_V_CLOCK || !hm_str_is(a->base, "s"))
    return false;
  double lasts = a->num * 1e6, clock = b->time;
  return (b->supports & HM_READ_DURATION && lasts * 60 == clock) ||
      (memchr(a->raw.p, 'h', a->raw.n) && fabs(lasts - clock) < 1e3);
}

/* --- two values of any class --------------------------------------------------------------- */

bool hm_values_are_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  if (a->kind == HM_V_NONE || b->kind == HM_V_NONE || hm_str_eq(a->key, b->key))
    return true;
  if (a->denied || b->denied)
    return a->denied == b->denied || !hm_str_eq(hm_value_undenied_key(a), hm_value_undenied_key(b));
  if (hm_value_has_parts(a) || hm_value_has_parts(b))
    return parts_compatible(a, b, tol);
  if (hm_value_is_demand(a) || hm_value_is_demand(b))
    return hm_values_meet_demand(a, b);
  if (hm_value_is_numeric(a) && hm_value_is_numeric(b))
    return numbers_compatible(a, b, tol);
  if (a->kind == b->kind && (a->kind == HM_V_DATE || a->kind == HM_V_CLOCK))
    return holds_span(a, b) || holds_span(b, a) ||
        (tol && hm_value_times_within_tolerance(a, b, tol));
  if (a->kind == HM_V_TEXT && b->kind == HM_V_TEXT)
    return texts_compatible(a, b) || lists_agree(a, b);
  return in_other_words(a, b) || in_other_words(b, a);
}

/* --- versions --------------------------------------------------------------------------------- */

static hm_str without_v(hm_str s) {
  return s.n > 1 && (s.p[0] | 0x20) == 'v' ? hm_str_sub(s, 1, s.n) : s;
}

bool hm_is_version(hm_str s) {
  s = without_v(s);
  if (!s.n)
    return false;
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_digit(s.p[i]) && !(s.p[i] == '.' && i && i + 1 < s.n && s.p[i - 1] != '.'))
      return false;
  return true;
}

int hm_version_order(hm_str x, hm_str y) { return hm_str_natural_cmp(without_v(x), without_v(y)); }

bool hm_version_above(hm_str x, hm_str y) {
  return hm_is_version(x) && hm_is_version(y) && hm_version_order(x, y) > 0 &&
      !hm_version_refines(x, y);
}

bool hm_version_refines(hm_str x, hm_str y) {
  x = without_v(x);
  y = without_v(y);
  size_t n = x.n < y.n ? x.n : y.n;
  return hm_is_version(x) && hm_is_version(y) && !memcmp(x.p, y.p, n) &&
      (hm_char_at(x, n, '.') || hm_char_at(y, n, '.'));
}
