/* Describes in words the arithmetic between two values, and the change from one to the other: an
 * amount with its share, days, elements of a set.
 *
 * A sentence is true and specific for both, whether or not they can both hold.
 *
 * A difference is exact if both values have the same unit. Else it is converted to the unit of the
 * first, by the ratio of its stated number to its number in base units, to six digits;
 * temperatures have no such ratio and are shown in their base unit. A share is relative to the
 * first value; there is none for zero, a temperature or a year, whose zeros are conventions, or
 * from a million percent on. Between two shares there are percentage points, between two ports or
 * other codes nothing. Cost: linear in the bytes of both. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/value/value.h"
#include "core/value/value_impl.h"

enum { SHOWN_MAX = 80, ITEMS_MAX = 8, DIGITS = 6 };

static const int64_t DAY = INT64_C(86400000000);

static const char *const kind_names[] = {
  "nothing", "a text",        "a boolean", "a number", "a quantity", "a date",
  "a set",   "a time of day", "a range",   "a list",   "an object",
};

/* A raw value for a sentence: one line's worth of it. */
static void write_raw(hm_buf *b, hm_str raw, const char *quote) {
  hm_str s = hm_text_cut(raw, SHOWN_MAX);
  hm_buf_c(b, quote);
  hm_buf_str(b, s);
  if (s.n < raw.n)
    hm_buf_c(b, "…");
  hm_buf_c(b, quote);
}

/* With parts: "[1 mm, 2 mm]", "{width: 4 mm, height: 5 mm}", as much as a sentence holds. */
static void write_parts(hm_buf *b, const hm_value *v, size_t until) {
  bool object = v->kind == HM_V_OBJECT;
  hm_buf_ch(b, object ? '{' : '[');
  for (size_t i = 0; i < v->n_items; i++) {
    const hm_value *item = &v->items[i];
    if (i)
      hm_buf_c(b, ", ");
    if (i == ITEMS_MAX || b->n > until) {
      hm_buf_c(b, "…");
      break;
    }
    if (object)
      write_raw(b, hm_value_item_names(v)[i], ""), hm_buf_c(b, ": ");
    if (hm_value_has_parts(item))
      write_parts(b, item, until);
    else
      write_raw(b, item->raw, "");
  }
  hm_buf_ch(b, object ? '}' : ']');
}

static void write_value(hm_buf *b, const hm_value *v) {
  if (hm_value_has_parts(v) && !v->denied)
    write_parts(b, v, b->n + SHOWN_MAX);
  else
    write_raw(b, v->raw, v->kind == HM_V_TEXT ? "\"" : "");
}

static void write_both(hm_buf *b, const hm_value *x, const char *between, const hm_value *y,
                       const char *after) {
  write_value(b, x);
  hm_buf_c(b, between);
  write_value(b, y);
  hm_buf_c(b, after);
}

/* A unit as people write it: "°C", "per d", "percentage points" of a difference. */
static void write_unit(hm_buf *b, hm_str unit, bool difference) {
  bool per = hm_str_ends(unit, "-1") && !memchr(unit.p, '.', unit.n);
  const char *shown = hm_str_is(unit, "degC") ? "\u00B0C"
      : hm_str_is(unit, "degF")               ? "\u00B0F"
      : difference && hm_str_is(unit, "%")    ? "percentage points"
      : per                                   ? "per "
                                              : NULL;
  if (shown)
    hm_buf_c(b, shown);
  if (!shown || per)
    write_raw(b, hm_str_sub(unit, 0, unit.n - (per ? 2 : 0)), "");
}

static void write_tolerance(hm_buf *b, const hm_value *x, const hm_value *y,
                            const hm_tolerance *tol) {
  if (!tol)
    return;
  bool in = hm_value_is_numeric(x) ? hm_values_within_tolerance(x, y, tol)
                                   : hm_value_times_within_tolerance(x, y, tol);
  hm_buf_fmt(b, ", %s the tolerance of %.12g", in ? "within" : "not within", tol->value);
  if (!tol->unit.n)
    return;
  if (!hm_str_is(tol->unit, "%"))
    hm_buf_ch(b, ' ');
  hm_buf_str(b, tol->unit);
}

/* A share beside a per cent, money beside its cents: one counts hundredths of the other. */
static bool write_hundredths(hm_buf *b, const hm_value *x, const hm_value *y) {
  const hm_value *whole = x->kind == HM_V_NUMBER || hm_str_is(hm_value_unit(y), "cent") ? x : y;
  hm_str part = hm_value_unit(whole == x ? y : x), money = whole->base;
  double by = fabs(whole->num * 100 - (whole == x ? y : x)->num);
  bool share = hm_str_is(part, "%") && (x->supports | y->supports) & HM_READ_SHARE;
  if (whole->kind == HM_V_NUMBER ? !share : !hm_str_is(part, "cent") || money.n != 3)
    return false;
  write_both(b, x, " and ", y, ": differ by ");
  if (share)
    hm_buf_fmt(b, "%.6g percentage points", by);
  else
    hm_buf_fmt(b, "%.6g %.*s", by / 100, HM_FMT(money));
  return true;
}

/* "1234567.5" as "1,234,567.5". */
static void write_grouped(hm_buf *b, hm_str number) {
  size_t from = number.n && number.p[0] == '-', to = from;
  while (to < number.n && hm_is_digit(number.p[to]))
    to++;
  for (size_t i = 0; i < number.n; i++) {
    if (i > from && i < to && (to - i) % 3 == 0)
      hm_buf_ch(b, ',');
    hm_buf_ch(b, number.p[i]);
  }
}

/* Also C and F, of which nothing says what they are. */
static bool is_temperature(const hm_value *v) {
  hm_str base = hm_value_base(v);
  return hm_str_is(base, "K") || hm_str_is(base, "C") || hm_str_is(base, "F");
}

/* A number of a slot of years, or one that nobody takes for anything else. */
static bool is_year(const hm_value *v) {
  bool named = v->supports & HM_READ_YEAR;
  double from = named ? 1000 : 1900, to = named ? 3000 : 2100;
  return v->kind == HM_V_NUMBER && v->num == floor(v->num) && v->num >= from && v->num < to;
}

/* |y - x| in the unit of x, or, of temperatures in two units, in base units; *less: y is below x;
 * empty: it is nothing. */
static hm_str amount(hm_arena *a, const hm_value *x, const hm_value *y, bool *less) {
  bool one_unit = hm_str_eq(hm_value_unit(x), hm_value_unit(y));
  hm_number nx, ny, d;
  double stated;
  if (one_unit && hm_number_parse(&nx, hm_value_number_text(x), a) &&
      hm_number_parse(&ny, hm_value_number_text(y), a) && hm_number_sub(&d, &ny, &nx, a)) {
    *less = d.neg;
    d.neg = false;
    return d.digits.n ? hm_number_text(a, &d) : HM_EMPTY;
  }
  double by = y->num - x->num;
  if (!is_temperature(x)) {
    if (!hm_number_parse(&nx, hm_value_number_text(x), a))
      return HM_EMPTY;
    stated = hm_number_double(&nx);
    if (x->num == 0 || stated == 0)
      return HM_EMPTY;
    by *= stated / x->num;
  }
  if (!isfinite(by) || by == 0)
    return HM_EMPTY;
  *less = by < 0;
  d = hm_number_of_double(fabs(by), DIGITS, a);
  return hm_number_text(a, &d);
}

/* Ports and other codes are digits that nobody subtracts. */
static bool is_code(const hm_value *v) {
  return v->supports &
      (HM_READ_PORT | HM_READ_CODE | HM_READ_GROUPED | HM_READ_PHONE | HM_READ_MODE |
       HM_READ_VERSION);
}

/* An amount between x and y with its unit. */
static void write_between(hm_buf *b, hm_str by, const hm_value *x, const hm_value *y) {
  bool kelvin = is_temperature(x) && !hm_str_eq(hm_value_unit(x), hm_value_unit(y));
  hm_str unit = kelvin ? HM_STR("K") : hm_value_unit(x);
  write_grouped(b, by);
  if (unit.n)
    hm_buf_ch(b, ' ');
  write_unit(b, unit, true);
}

static void write_numbers(hm_buf *b, hm_arena *a, const hm_value *x, const hm_value *y,
                          const hm_tolerance *tol) {
  bool less;
  if (write_hundredths(b, x, y))
    return;
  write_both(b, x, " and ", y, "");
  hm_str base = hm_value_base(x), other = hm_value_base(y);
  bool rates = hm_str_starts(base, "s") && hm_str_starts(other, "s") && base.n + other.n == 4;
  if (!hm_str_eq(base, other)) {
    hm_buf_c(b,
             rates                    ? " are different rates"
                 : x->kind != y->kind ? ": one has a unit, the other none"
                                      : ": ");
    if (rates || x->kind != y->kind)
      return;
    write_unit(b, hm_value_unit(x), false);
    hm_buf_c(b, " and ");
    write_unit(b, hm_value_unit(y), false);
    hm_buf_c(b, " are of different dimensions, neither converts to the other");
    return;
  }
  hm_str by = is_code(x) || is_code(y) ? HM_EMPTY : amount(a, x, y, &less);
  hm_buf_c(b, by.n ? ": differ by " : " are different numbers");
  if (by.n)
    write_between(b, by, x, y);
  if (by.n && x->kind == HM_V_NUMBER && x->supports & y->supports & HM_READ_YEAR)
    hm_buf_c(b, hm_str_is(by, "1") ? " year" : " years");
  write_tolerance(b, x, y, tol);
}

/* Dates, or times of day. */
static void write_dates(hm_buf *b, const hm_value *x, const hm_value *y, const hm_tolerance *tol) {
  const hm_value *wide = x->precision <= y->precision ? x : y, *narrow = wide == x ? y : x;
  int64_t days = llabs(x->time - y->time) / DAY;
  bool clock = x->kind == HM_V_CLOCK;
  if (wide->precision != narrow->precision) {
    write_both(b, narrow, " is not within ", wide, "");
  } else if (clock || x->precision != HM_P_DAY) {
    write_both(b, clock ? wide : narrow, " and ", clock ? narrow : wide,
               clock ? " are different times of day" : " are different times");
  } else {
    write_both(b, x, " and ", y, "");
    hm_buf_fmt(b, ": differ by %" PRId64 " day%s", days, days == 1 ? "" : "s");
  }
  write_tolerance(b, x, y, tol);
}

/* The elements of x that fit none of y, behind these words; `none` where there are none. In a
 * change, which has no such word, texts stand without quotes. */
static void write_missing(hm_buf *b, const char *words, const hm_value *x, const hm_value *y,
                          const hm_tolerance *tol, const char *none) {
  const hm_value *missing[ITEMS_MAX];
  size_t found = hm_value_missing_items(x, y, tol, missing, ITEMS_MAX);
  if (!found && !none)
    return;
  hm_buf_c(b, b->n ? "; " : "");
  hm_buf_c(b, words);
  for (size_t i = 0; i < found && i < ITEMS_MAX; i++) {
    hm_buf_c(b, i ? ", " : " ");
    if (none)
      write_value(b, missing[i]);
    else
      write_raw(b, missing[i]->raw, "");
  }
  if (found > ITEMS_MAX)
    hm_buf_fmt(b, " and %zu more", found - ITEMS_MAX);
  if (!found)
    hm_buf_c(b, none);
}

/* The first place at which two lists differ. */
static void write_lists(hm_buf *b, const hm_value *x, const hm_value *y, const hm_tolerance *tol) {
  size_t n, m, i = 0;
  const hm_value *xs = hm_value_items(x, &n), *ys = hm_value_items(y, &m);
  while (i < n && i < m && hm_values_are_compatible(&xs[i], &ys[i], tol))
    i++;
  hm_buf_fmt(b, "differ in order from place %zu on: ", i + 1);
  if (i < n)
    write_value(b, &xs[i]);
  else
    hm_buf_c(b, "nothing");
  hm_buf_c(b, ", ");
  if (i < m)
    write_value(b, &ys[i]);
  else
    hm_buf_c(b, "nothing");
}

/* The names under which two objects disagree, with both values. */
static void write_objects(hm_buf *b, const hm_value *x, const hm_value *y,
                          const hm_tolerance *tol) {
  const hm_str *xn = hm_value_item_names(x), *yn = hm_value_item_names(y);
  size_t found = 0;
  for (size_t i = 0, j = 0; i < x->n_items && j < y->n_items;) {
    int d = hm_str_cmp(xn[i], yn[j]);
    if (!d && !hm_values_are_compatible(&x->items[i], &y->items[j], tol) && found++ < ITEMS_MAX) {
      hm_buf_c(b, found > 1 ? "; " : "differ in: ");
      write_raw(b, xn[i], "");
      hm_buf_c(b, ": ");
      write_both(b, &x->items[i], ", ", &y->items[j], "");
    }
    i += d <= 0;
    j += d >= 0;
  }
  if (found > ITEMS_MAX)
    hm_buf_fmt(b, " and %zu more", found - ITEMS_MAX);
}

/* "on" beside "standby" is a word like another. */
static bool is_word(const hm_value *v) {
  return v->kind == HM_V_TEXT ||
      (v->kind == HM_V_BOOL && hm_str_trim(v->raw).n < 9 &&
       !hm_value_starts_folded(hm_str_trim(v->raw), "true") &&
       !hm_value_starts_folded(hm_str_trim(v->raw), "false"));
}

static void write_other(hm_buf *b, const hm_value *x, const hm_value *y) {
  static const char *const differ[] = {
    [HM_V_BOOL] = " exclude each other",
    [HM_V_RANGE] = " are different ranges",
  };
  bool one_kind = x->kind == y->kind && x->kind != HM_V_NONE;
  if (one_kind || (is_word(x) && is_word(y))) {
    bool said = one_kind && x->kind < (int)HM_COUNT(differ) && differ[x->kind];
    write_both(b, x, " and ", y, said ? differ[x->kind] : " are different texts");
    return;
  }
  write_value(b, x);
  hm_buf_fmt(b, " is %s, ", kind_names[x->kind]);
  write_value(b, y);
  hm_buf_fmt(b, " is %s", kind_names[y->kind]);
}

hm_str hm_value_describe_reading(const hm_value *v) {
  static const struct {
    const char *base, *words;
  } names[] = {
    { "s", "a time" },
    { "m", "a length" },
    { "K", "a temperature" },
    { "A.s", "a charge" },
    { "B", "an amount of memory" },
    { "%", "a share" },
  };
  for (size_t i = 0; v->kind == HM_V_QUANTITY && i < HM_COUNT(names); i++)
    if (hm_str_is(v->base, names[i].base))
      return hm_str_c(names[i].words);
  if (v->kind != HM_V_TEXT)
    return hm_str_c(kind_names[v->kind]);
  if (hm_is_version(hm_value_without_class(v->norm)))
    return HM_STR("a version or a code");
  return v->cased ? HM_STR("a text whose case counts") : HM_STR("a text");
}

hm_str hm_value_describe_difference(hm_arena *a, const hm_value *x, const hm_value *y,
                                    const hm_tolerance *tol) {
  hm_buf b = { 0 };
  bool numbers = hm_value_is_numeric(x) && hm_value_is_numeric(y);
  bool sets = x->kind == HM_V_SET || y->kind == HM_V_SET;
  bool lists = x->kind == HM_V_LIST || y->kind == HM_V_LIST;
  bool compatible = hm_values_are_compatible(x, y, NULL), one_norm = hm_str_eq(x->norm, y->norm);
  bool demand = hm_value_is_demand(x) || hm_value_is_demand(y);
  bool texts = x->kind == HM_V_TEXT && y->kind == HM_V_TEXT;
  if (x->kind == HM_V_NONE || y->kind == HM_V_NONE) {
    write_other(&b, x, y);
  } else if (hm_str_eq(x->key, y->key) && (one_norm || !numbers)) {
    write_both(&b, x, " and ", y, " are the same: ");
    write_raw(&b, one_norm ? x->norm : x->key, "");
  } else if (x->denied || y->denied) {
    write_both(&b, x, " and ", y,
               compatible ? " can both hold" : ": one denies what the other says");
  } else if (!compatible && x->kind == HM_V_OBJECT && y->kind == HM_V_OBJECT) {
    write_objects(&b, x, y, tol);
  } else if (!compatible && lists && !sets) {
    write_lists(&b, x, y, tol);
  } else if (sets || lists) {
    write_missing(&b, "only in the first:", x, y, tol, " nothing");
    write_missing(&b, "only in the second:", y, x, tol, " nothing");
  } else if (numbers && (!compatible || hm_str_eq(hm_value_base(x), hm_value_base(y)))) {
    write_numbers(&b, a, x, y, tol);
  } else if (compatible) {
    write_both(&b, x, " and ", y,
               numbers && hm_str_eq(hm_value_base(x), hm_value_base(y)) ? " are one amount"
                   : numbers ? " can both hold: one unit says more"
                   : demand  ? " can both hold: one allows the other"
                   : texts   ? " are two spellings of the same"
                             : " can both hold: one is the more precise");
  } else if (x->kind == y->kind && (x->kind == HM_V_DATE || x->kind == HM_V_CLOCK)) {
    write_dates(&b, x, y, tol);
  } else {
    write_other(&b, x, y);
  }
  return hm_buf_take(&b, a);
}

/* --- what was folded ------------------------------------------------------------------ */

/* In the unit that both state, else in base units. */
static void write_amount(hm_buf *b, const hm_value *x, const hm_value *y) {
  static const struct {
    const char *base, *words;
  } names[] = {
    { "s", "seconds" }, { "m", "metres" }, { "kg", "kilograms" },
    { "B", "bytes" },   { "K", "kelvin" }, { "1", "" },
  };
  bool one_unit = hm_str_eq(hm_value_unit(x), hm_value_unit(y));
  hm_str unit = one_unit ? hm_value_unit(x) : hm_value_base(x);
  for (size_t i = 0; !one_unit && i < HM_COUNT(names); i++)
    if (hm_str_is(unit, names[i].base))
      unit = hm_str_c(names[i].words);
  write_grouped(b, one_unit ? hm_value_number_text(x) : hm_value_base_text(x));
  if (unit.n)
    hm_buf_ch(b, ' ');
  write_unit(b, unit, false);
}

static struct tm calendar_of(const hm_value *date) {
  time_t second = (time_t)(date->time / 1000000);
  struct tm day;
  gmtime_r(&second, &day);
  return day;
}

/* "2 April 2026" of 2026-04-02, "April 2026" of 2026-04; other dates as their norms have them. */
static void write_date(hm_buf *b, const hm_value *v) {
  hm_str s = hm_value_without_class(v->norm);
  char text[32];
  struct tm day = calendar_of(v);
  if ((s.n != 7 && s.n != 10) || !hm_is_digit(s.p[5])) {
    write_raw(b, s, "");
    return;
  }
  strftime(text, sizeof text, s.n == 7 ? "%B" : "%-d %B", &day);
  hm_buf_fmt(b, "%s %.4s", text, s.p);
}

static void write_count(hm_buf *b, size_t n) {
  static const char *const words[] = { "no",    "one",   "two",  "three", "four",   "five",  "six",
                                       "seven", "eight", "nine", "ten",   "eleven", "twelve" };
  if (n < HM_COUNT(words))
    hm_buf_c(b, words[n]);
  else
    hm_buf_fmt(b, "%zu", n);
}

/* A list in prose beside an array of the same. */
static bool same_elements(const hm_value *x, const hm_value *y) {
  size_t i = 0;
  if (x->kind == HM_V_OBJECT || y->kind == HM_V_OBJECT || x->n_items != y->n_items)
    return false;
  while (i < x->n_items && hm_str_eq(x->items[i].key, y->items[i].key))
    i++;
  return i && i == x->n_items;
}

static void write_same(hm_buf *b, const hm_value *x, const hm_value *y) {
  bool many = x->n_items > 0 && x->kind != HM_V_OBJECT;
  if (x->kind == HM_V_BOOL) {
    write_both(b, x, " and ", y, " are ");
    hm_buf_str(b, hm_value_without_class(x->norm));
    hm_buf_c(b, " here");
    return;
  }
  if (many)
    hm_buf_c(b, "both list the same "), write_count(b, x->n_items);
  else
    hm_buf_c(b, x->kind == HM_V_OBJECT ? "both say the same under every name" : "both are ");
  if (many)
    hm_buf_c(b, x->n_items == 1 ? " thing" : " things");
  if (many && x->kind == HM_V_LIST)
    hm_buf_c(b, " in one order");
  if (many || x->kind == HM_V_OBJECT)
    return;
  if (hm_value_is_numeric(x) && hm_value_is_numeric(y))
    write_amount(b, x, y);
  else if (x->kind == HM_V_DATE)
    write_date(b, x);
  else
    write_raw(b, hm_value_without_class(x->norm), x->kind == HM_V_TEXT ? "\"" : "");
}

hm_str hm_value_describe_agreement(hm_arena *a, const hm_value *x, const hm_value *y,
                                   const hm_tolerance *tol) {
  hm_buf b = { 0 };
  if (hm_str_eq(x->raw, y->raw) || !hm_values_are_compatible(x, y, tol) || x->denied || y->denied)
    return HM_EMPTY;
  bool numbers = hm_value_is_numeric(x) && hm_value_is_numeric(y);
  bool objects = x->kind == HM_V_OBJECT && y->kind == HM_V_OBJECT;
  if (hm_str_eq(x->key, y->key) || (numbers && hm_values_are_compatible(x, y, NULL)) ||
      same_elements(x, y))
    write_same(&b, x, y);
  else if (numbers)
    write_numbers(&b, a, x, y, tol);
  else if (objects)
    hm_buf_c(&b, "both say the same under every name that both have");
  else if (hm_value_has_parts(x) || hm_value_has_parts(y))
    hm_buf_c(&b, "one has all that the other has");
  else if (x->kind == HM_V_TEXT && y->kind == HM_V_TEXT)
    write_both(&b, x, " and ", y, " are two spellings of the same");
  else if (hm_values_are_compatible(x, y, NULL))
    write_both(&b, x, " and ", y, ": one lies in the other");
  else
    write_dates(&b, x, y, tol);
  return hm_buf_take(&b, a);
}

/* --- what changes ----------------------------------------------------------------------------- */

/* " (0.4 %)". */
static void write_share(hm_buf *b, const hm_value *x, const hm_value *y) {
  double share = 100 * fabs((y->num - x->num) / x->num);
  bool of_share = hm_str_is(hm_value_unit(x), "%") || x->supports & HM_READ_SHARE;
  if (x->num == 0 || is_temperature(x) || of_share || (is_year(x) && is_year(y)) ||
      !isfinite(share) || share >= 1e6)
    return;
  char text[40];
  double rounded = share < 10 ? round(share * 10) / 10 : round(share);
  snprintf(text, sizeof text, share < 0.1 ? "%.1g" : "%.10g", share < 0.1 ? share : rounded);
  if (strchr(text, 'e'))
    return;
  hm_buf_c(b, " (");
  write_grouped(b, hm_str_c(text));
  hm_buf_c(b, " %)");
}

static void write_amount_change(hm_buf *b, hm_arena *a, const hm_value *x, const hm_value *y) {
  bool less = false;
  if (!hm_str_eq(hm_value_base(x), hm_value_base(y)))
    return;
  hm_str by = is_code(x) || is_code(y) ? HM_EMPTY : amount(a, x, y, &less);
  if (!by.n)
    return;
  hm_buf_c(b, less ? "-" : "+");
  write_between(b, by, x, y);
  write_share(b, x, y);
}

static void write_later(hm_buf *b, int64_t n, const char *unit) {
  if (n)
    hm_buf_fmt(b, "%" PRId64 " %s%s %s", n < 0 ? -n : n, unit, n == 1 || n == -1 ? "" : "s",
               n < 0 ? "earlier" : "later");
}

/* In days, or months, as precise as both are; not of weeks and quarters. */
static void write_time_change(hm_buf *b, const hm_value *x, const hm_value *y) {
  enum { MONTH = sizeof "date:2026-" - 1 };
  struct tm from = calendar_of(x), to = calendar_of(y);
  bool months = hm_digit_at(x->norm, MONTH) && hm_digit_at(y->norm, MONTH);
  if (x->precision != y->precision)
    return;
  if (x->precision == HM_P_DAY)
    write_later(b, (y->time - x->time) / DAY, "day");
  if (x->precision == HM_P_MONTH && months)
    write_later(b, (to.tm_year - from.tm_year) * 12 + to.tm_mon - from.tm_mon, "month");
}

static bool is_plain_set(const hm_value *v) {
  for (size_t i = 0; i < v->n_items; i++)
    if (hm_value_has_parts(&v->items[i]) || !v->items[i].raw.n)
      return false;
  return v->kind == HM_V_SET;
}

hm_str hm_value_describe_change(hm_arena *a, const hm_value *x, const hm_value *y) {
  hm_buf b = { 0 };
  if (x->denied || y->denied)
    return HM_EMPTY;
  if (x->supports & HM_READ_YEAR && is_year(x) && is_year(y))
    write_later(&b, (int64_t)(y->num - x->num), "year");
  else if (hm_value_is_numeric(x) && hm_value_is_numeric(y))
    write_amount_change(&b, a, x, y);
  else if (x->kind == HM_V_DATE && y->kind == HM_V_DATE)
    write_time_change(&b, x, y);
  else if (is_plain_set(x) && is_plain_set(y)) {
    write_missing(&b, "adds", y, x, NULL, NULL);
    write_missing(&b, "leaves out", x, y, NULL, NULL);
  }
  return hm_buf_take(&b, a);
}
