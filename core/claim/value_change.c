/* What changes from one value to another: an amount with its share, days, elements of a set.
 *
 * An amount is exact where both values have one unit. Where they do not, it is converted into the
 * unit of the first, by the ratio of what that states to what it is in base units, to six digits;
 * temperatures have no such ratio, and are told in their base unit. A share is of the first value;
 * there is none of zero, of a percentage, of a temperature, whose zero is a convention, and from a
 * million percent on.
 * Cost: linear in the bytes of both. */
#include "core/claim/value_change.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/value_impl.h"

enum { ELEMENTS_SHOWN = 5, ELEMENT_BYTES = 60, DIGITS = 6 };

static bool is_temperature(const hm_value *v) { return hm_str_is(hm_value_base(v), "K"); }

/* "1234567.5" as "1,234,567.5". */
static void write_grouped(hm_buf *b, hm_str number) {
  size_t whole = 0;
  while (whole < number.n && number.p[whole] >= '0' && number.p[whole] <= '9') whole++;
  for (size_t i = 0; i < number.n; i++) {
    if (i && i < whole && (whole - i) % 3 == 0) hm_buf_ch(b, ',');
    hm_buf_ch(b, number.p[i]);
  }
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
    if (!hm_number_parse(&nx, hm_value_number_text(x), a)) return HM_EMPTY;
    stated = hm_number_double(&nx);
    if (x->num == 0 || stated == 0) return HM_EMPTY;
    by *= stated / x->num;
  }
  if (!isfinite(by) || by == 0) return HM_EMPTY;
  *less = by < 0;
  d = hm_number_of_double(fabs(by), DIGITS, a);
  return hm_number_text(a, &d);
}

/* " (0.4 %)". */
static void write_share(hm_buf *b, const hm_value *x, const hm_value *y) {
  double share = 100 * fabs((y->num - x->num) / x->num);
  if (x->num == 0 || is_temperature(x) || hm_str_is(hm_value_unit(x), "%") || !isfinite(share) ||
      share >= 1e6)
    return;
  char text[40];
  snprintf(text, sizeof text, share < 0.1 ? "%.1g" : share < 10 ? "%.1f" : "%.0f", share);
  size_t n = strlen(text);
  if (n > 2 && text[n - 2] == '.' && text[n - 1] == '0') text[n - 2] = 0;
  if (strchr(text, 'e')) return;
  hm_buf_c(b, " (");
  write_grouped(b, hm_str_c(text));
  hm_buf_c(b, " %)");
}

static void write_amount(hm_buf *b, hm_arena *a, const hm_value *x, const hm_value *y) {
  bool less = false;
  if (!hm_str_eq(hm_value_base(x), hm_value_base(y))) return;
  hm_str by = amount(a, x, y, &less);
  if (!by.n) return;
  bool one_unit = hm_str_eq(hm_value_unit(x), hm_value_unit(y));
  hm_str unit = !one_unit && is_temperature(x) ? HM_STR("K") : hm_value_unit(x);
  hm_buf_c(b, less ? "-" : "+");
  write_grouped(b, by);
  if (unit.n) hm_buf_ch(b, ' ');
  hm_buf_str(b, unit);
  write_share(b, x, y);
}

static void write_days(hm_buf *b, const hm_value *x, const hm_value *y) {
  if (x->precision != HM_P_DAY || y->precision != HM_P_DAY || x->time == y->time) return;
  int64_t n = (y->time - x->time) / INT64_C(86400000000);
  hm_buf_fmt(b, "%" PRId64 " day%s %s", n < 0 ? -n : n, n == 1 || n == -1 ? "" : "s",
             n < 0 ? "earlier" : "later");
}

/* "adds C, D" of the elements that are in x and not in y. */
static void write_elements(hm_buf *b, const char *verb, const hm_value *x, const hm_value *y) {
  const hm_value *only[ELEMENTS_SHOWN];
  size_t n = hm_value_missing(x, y, NULL, only, ELEMENTS_SHOWN);
  if (!n) return;
  if (b->n) hm_buf_c(b, "; ");
  hm_buf_c(b, verb);
  for (size_t i = 0; i < n && i < ELEMENTS_SHOWN; i++) {
    hm_buf_c(b, i ? ", " : " ");
    hm_buf_str(b, hm_text_cut(only[i]->raw, ELEMENT_BYTES));
    if (only[i]->raw.n > ELEMENT_BYTES) hm_buf_c(b, "…");
  }
  if (n > ELEMENTS_SHOWN) hm_buf_fmt(b, " and %zu more", n - ELEMENTS_SHOWN);
}

static bool is_plain_set(const hm_value *v) {
  for (size_t i = 0; i < v->n_items; i++)
    if (hm_value_has_parts(&v->items[i]) || !v->items[i].raw.n) return false;
  return v->kind == HM_V_SET;
}

hm_str hm_value_change(hm_arena *a, const hm_value *x, const hm_value *y) {
  hm_buf b = { 0 };
  if (x->denied || y->denied) return HM_EMPTY;
  if (hm_value_numeric(x) && hm_value_numeric(y)) write_amount(&b, a, x, y);
  else if (x->kind == HM_V_DATE && y->kind == HM_V_DATE) write_days(&b, x, y);
  else if (is_plain_set(x) && is_plain_set(y)) {
    write_elements(&b, "adds", y, x);
    write_elements(&b, "leaves out", x, y);
  }
  return hm_buf_take(&b, a);
}
