/* When two values can both hold: value.h has the rules.
 *
 * A next class of values gets its line in hm_value_compatible, and its sentence in value_words.c.
 * Cost: linear in the bytes of both; a tolerance in a unit of its own looks that unit up. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/value_impl.h"

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

bool hm_value_within(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
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

/* A volt of direct current is a volt: a unit that says more beside the one that says less. */
static bool says_more(hm_str more, hm_str less) {
  static const struct { const char *more, *less; } pairs[] = {
    { "VDC", "A-1.kg.m2.s-3" }, { "VAC", "A-1.kg.m2.s-3" }, { "ADC", "A" }, { "AAC", "A" },
  };
  for (size_t i = 0; i < HM_COUNT(pairs); i++)
    if (hm_str_is(more, pairs[i].more) && hm_str_is(less, pairs[i].less)) return true;
  return false;
}

/* "25 C" beside "25 °C": a coulomb is no temperature. */
static bool is_celsius(const hm_value *coulombs, const hm_value *kelvin) {
  return hm_str_is(hm_value_unit(coulombs), "C") && hm_str_is(hm_value_base(kelvin), "K") &&
      same_12_digits(coulombs->num + 273.15, kelvin->num);
}

static bool numbers_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  hm_str x = hm_value_base(a), y = hm_value_base(b);
  if (!hm_str_eq(x, y))
    return is_celsius(a, b) || is_celsius(b, a) ||
        ((says_more(x, y) || says_more(y, x)) && same_12_digits(a->num, b->num));
  bool one_unit = hm_str_eq(hm_value_unit(a), hm_value_unit(b));
  if (!one_unit && same_12_digits(a->num, b->num)) return true;
  return tol && hm_value_within(a, b, tol);
}

/* A span of time inside another is the more precise statement. Equal spans have equal keys. */
static bool holds_span(const hm_value *wide, const hm_value *narrow) {
  return wide->time <= narrow->time && narrow->last <= wide->last;
}

static bool is_year_of(const hm_value *number, const hm_value *date) {
  hm_str year = hm_value_number_text(number);
  hm_str s = hm_str_sub(date->norm, sizeof "date:" - 1, date->norm.n);
  return year.n == 4 && !memchr(year.p, '.', 4) && !memchr(year.p, 'e', 4) && s.n > 4 &&
      memcmp(year.p, s.p, 4) == 0;
}

/* The distance of the beginnings; a time of day also around midnight. */
static int64_t time_between(const hm_value *a, const hm_value *b) {
  const int64_t day = INT64_C(86400000000);
  int64_t d = a->time > b->time ? a->time - b->time : b->time - a->time;
  return a->kind == HM_V_CLOCK && d > day / 2 && d < day ? day - d : d;
}

bool hm_value_time_within(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  double limit = isfinite(tol->value) && tol->value >= 0 && tol->unit.n
      ? limit_in_base(tol, HM_STR("s")) : -1;
  return limit >= 0 && (double)time_between(a, b) <= limit * 1e6 + 0.5;
}

bool hm_value_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  if (a->kind == HM_V_NONE || b->kind == HM_V_NONE || hm_str_eq(a->key, b->key)) return true;
  if (a->denied || b->denied)
    return a->denied == b->denied || !hm_str_eq(hm_value_undenied_key(a), hm_value_undenied_key(b));
  if (hm_value_has_parts(a) || hm_value_has_parts(b)) return hm_value_parts_compatible(a, b, tol);
  if (hm_value_numeric(a) && hm_value_numeric(b)) return numbers_compatible(a, b, tol);
  if (a->kind == b->kind && (a->kind == HM_V_DATE || a->kind == HM_V_CLOCK))
    return holds_span(a, b) || holds_span(b, a) || (tol && hm_value_time_within(a, b, tol));
  if (a->kind == HM_V_NUMBER && b->kind == HM_V_DATE) return is_year_of(a, b);
  if (a->kind == HM_V_DATE && b->kind == HM_V_NUMBER) return is_year_of(b, a);
  return false;
}
