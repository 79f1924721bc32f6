/* Amounts: a number, a number with a unit, money, several quantities of one dimension.
 *
 *   number    the numerals of value_number.c, nothing behind
 *   quantity  number, optional blanks, one unit (unit_phrase.c)
 *   money     a sign or code before or behind: "$5", "5 USD", "USD 5", "$5 USD", "€5/h"
 *   compound  "1 h 30 min", "1h30m", "5'10\"", "2 lb and 4 oz": two parts or more, of one
 *             dimension, each unit smaller than the one before; stated in the last unit
 *   count of  a whole number and at most four words that are no unit: the text with the number in
 *   things    digits ("five apples")
 *
 * "5E1" and "71A" are names: the one without a unit, the other (a seat, a gate) where nothing in
 * the slot is a current (slot_evidence.c). Cost: linear in the bytes. */
#include <math.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"

static hm_str after_spaces(hm_str s) {
  size_t i = 0;
  while (i < s.n && s.p[i] == ' ')
    i++;
  return hm_str_sub(s, i, s.n);
}

/* --- numbers and quantities ------------------------------------------------------------ */

void hm_value_set_number(hm_value *out, const hm_number *n, hm_reader *r) {
  hm_str text = hm_number_text(r->scratch, n);
  hm_str norm = HM_CAT(r->a, HM_STR("number:"), text);
  hm_value_set_forms(out, HM_V_NUMBER, norm, norm);
  out->num = hm_number_double(n);
}

/* n of unit u in base units: exact when the unit is, else 12 digits of it. */
static hm_number to_base(const hm_number *n, const hm_unit *u, hm_arena *a) {
  hm_number base;
  if (u->exact) {
    hm_number_scale(&base, n, u->m, u->e, a);
    if (hm_number_add(&base, &base, &u->shift, a))
      return base;
  }
  double d = u->scale * hm_number_double(n) + u->offset;
  return isfinite(d) ? hm_number_of_double(d, 12, a) : *n;
}

/* A double must hold the value: two that are lost in it would look equal. */
static bool fits_double(const hm_number *n, double d) {
  return isfinite(d) && (fabs(d) > 1e-290 || !n->digits.n);
}

bool hm_value_set_quantity(hm_value *out, const hm_number *n, const hm_unit *u, hm_str spelling,
                           hm_reader *r) {
  hm_number base = to_base(n, u, r->scratch);
  double stated = hm_number_double(n), exact = hm_number_double(&base),
         num = u->scale * stated + u->offset;
  if (!isfinite(num) || !fits_double(n, stated) || !fits_double(&base, exact))
    return false;
  hm_str said = hm_number_text(r->scratch, n), converted = hm_number_text(r->scratch, &base);
  hm_str norm = HM_CAT(r->a, HM_STR("quantity:"), said, HM_STR(" "), spelling);
  bool is_base = hm_str_eq(said, converted) && hm_str_eq(spelling, u->base);
  hm_str key = is_base ? norm : HM_CAT(r->a, HM_STR("quantity:"), converted, HM_STR(" "), u->base);
  hm_value_set_forms(out, HM_V_QUANTITY, norm, key);
  out->num = u->exact ? exact : num;
  out->base = hm_str_sub(key, key.n - u->base.n, key.n);
  return true;
}

/* --- money ----------------------------------------------------------------------------- */

/* "-€50", "USD 1.5 million", "$5 CAD", "€3/h". */
static bool read_money(hm_value *out, hm_str s, hm_reader *r) {
  const char *code, *also, *behind, *unused;
  hm_numeral n;
  bool minus = s.n && s.p[0] == '-';
  if (minus)
    s = hm_str_sub(s, 1, s.n);
  if (!s.n || hm_is_digit(s.p[0]))
    return false;
  size_t sign = hm_money_at(s, &code, &also);
  if (!sign)
    return false;
  s = after_spaces(hm_str_sub(s, sign, s.n));
  size_t used = s.n && !hm_is_letter(s.p[0]) ? hm_numeral_scan(&n, s, true, r->scratch) : 0;
  if (!used || n.name || (minus && n.n.neg))
    return false;
  hm_str rest = after_spaces(hm_str_sub(s, used, s.n)), spelling;
  size_t more = hm_money_at(rest, &behind, &unused);
  if (more) {
    bool fits = !strcmp(behind, code) || strstr(also, behind) || hm_str_starts(rest, "$");
    if (!fits)
      return false;
    if (!hm_str_starts(rest, "$"))
      code = behind;
    rest = hm_str_sub(rest, more, rest.n);
  }
  rest = after_spaces(rest);
  bool per = hm_value_starts_folded(rest, "per ");
  if (rest.n && rest.p[0] != '/' && !per)
    return false;
  hm_str phrase = HM_CAT(r->scratch, hm_str_c(code), per ? HM_STR(" ") : HM_EMPTY, rest);
  const hm_unit *unit = hm_unit_parse_phrase(r, phrase, &spelling);
  if (minus)
    n.n.neg = n.n.digits.n > 0;
  return unit && hm_value_set_quantity(out, &n.n, unit, spelling, r);
}

/* --- compound quantities --------------------------------------------------------------- */

enum { PARTS_MAX = 6 };

typedef struct {
  hm_number n;
  hm_unit unit;
  hm_str said;
} part;

/* Letters, signs of feet and inches, degrees: the end of the token at i. */
static size_t token_end(hm_str s, size_t i) {
  size_t at = i;
  if (at < s.n && (s.p[at] == '\'' || s.p[at] == '"'))
    return at + 1;
  while (at < s.n && (hm_is_letter(s.p[at]) || (s.p[at] & 0x80)))
    at++;
  return at;
}

/* ", ", "and " between two parts. */
static hm_str skip_joint(hm_str s) {
  s = after_spaces(s);
  if (s.n && s.p[0] == ',')
    s = after_spaces(hm_str_sub(s, 1, s.n));
  if (hm_str_starts(s, "and "))
    s = after_spaces(hm_str_sub(s, 4, s.n));
  return s;
}

/* The number and unit texts of "1h30m"; 0: it is no such text. A unit may miss at the end. */
static size_t split_parts(part *parts, hm_str s, hm_reader *r) {
  size_t n = 0;
  while (s.n) {
    hm_numeral number;
    if (n == PARTS_MAX || (n && !hm_is_digit(s.p[0]) && !hm_is_letter(s.p[0])))
      return 0;
    size_t used = hm_numeral_scan(&number, s, false, r->scratch);
    if (!used || number.name)
      return 0;
    hm_str rest = after_spaces(hm_str_sub(s, used, s.n));
    size_t end = token_end(rest, 0);
    if (!end && (rest.n || !n))
      return 0;
    parts[n++] = (part){ .n = number.n, .said = hm_str_sub(rest, 0, end) };
    s = skip_joint(hm_str_sub(rest, end, rest.n));
  }
  return n > 1 ? n : 0;
}

/* A unit of time, but for "m"; its seconds in *scale. */
static bool is_time(hm_reader *r, hm_str unit, double *scale) {
  hm_str spelling;
  const hm_unit *u =
      unit.n && !hm_str_is(unit, "m") ? hm_unit_parse_phrase(r, unit, &spelling) : NULL;
  if (!u || !hm_str_is(u->base, "s"))
    return false;
  *scale = u->scale;
  return true;
}

/* 12°30'15": minutes and seconds of arc. "1h30m": m is the minute beside other times. "1h30",
 * "5'10": the next smaller unit. */
static void name_units(part *parts, size_t n, hm_reader *r) {
  bool time = false;
  bool angle = hm_str_is(parts[0].said, "\u00B0") || hm_str_is(parts[0].said, "deg");
  double scale = 0;
  for (size_t i = 0; i < n; i++)
    time = is_time(r, parts[i].said, &scale) || time;
  for (size_t i = 1; i < n && angle; i++) {
    if (hm_str_is(parts[i].said, "'"))
      parts[i].said = HM_STR("arcmin");
    if (hm_str_is(parts[i].said, "\""))
      parts[i].said = HM_STR("arcsec");
  }
  for (size_t i = 0; i < n; i++) {
    if (time && hm_str_is(parts[i].said, "m"))
      parts[i].said = HM_STR("min");
    if (parts[i].said.n)
      continue;
    hm_str before = parts[i - 1].said;
    if (is_time(r, before, &scale)) {
      if (scale == 3600)
        parts[i].said = HM_STR("min");
      if (scale == 60)
        parts[i].said = HM_STR("s");
    } else if (hm_str_is(before, "'") || hm_str_is(before, "ft"))
      parts[i].said = HM_STR("in");
  }
}

/* The sum in the last unit. */
static bool read_compound(hm_value *out, hm_str s, hm_reader *r) {
  part parts[PARTS_MAX];
  hm_str spelling = HM_EMPTY;
  hm_number sum = { false, HM_EMPTY, 0 };
  size_t n = split_parts(parts, s, r);
  if (!n)
    return false;
  name_units(parts, n, r);
  for (size_t i = 0; i < n; i++) {
    const hm_unit *u = hm_unit_parse_phrase(r, parts[i].said, &spelling);
    if (!u || u->offset != 0)
      return false;
    parts[i].unit = *u;
    bool smaller = !i ||
        (hm_str_eq(u->base, parts[0].unit.base) && u->scale < parts[i - 1].unit.scale * (1 - 1e-9));
    if (!smaller || (i && parts[i].n.neg))
      return false;
  }
  bool minus = parts[0].n.neg;
  for (size_t i = 0; i < n; i++) {
    hm_number one = parts[i].n,
              ratio = hm_number_of_double(parts[i].unit.scale / parts[n - 1].unit.scale, 12,
                                          r->scratch);
    uint64_t m = 0;
    for (size_t k = 0; k < ratio.digits.n; k++)
      m = m * 10 + (uint64_t)(ratio.digits.p[k] - '0');
    hm_number_scale(&one, &one, m, ratio.exp - (int64_t)ratio.digits.n, r->scratch);
    one.neg = minus && one.digits.n;
    if (!hm_number_add(&sum, &sum, &one, r->scratch))
      return false;
  }
  return hm_value_set_quantity(out, &sum, &parts[n - 1].unit, spelling, r);
}

/* --- counts of things ------------------------------------------------------------------ */

/* A word that no noun has: it belongs to a range, a bound, a time. */
static bool is_joint(hm_str word) {
  static const char *const joints[] = {
    "or",    "and", "to", "at",  "plus",    "through", "thru",
    "until", "am",  "pm", "max", "maximum", "min",     "minimum"
  };
  for (size_t i = 0; i < HM_COUNT(joints); i++)
    if (word.n == strlen(joints[i]) && hm_value_starts_folded(word, joints[i]))
      return true;
  return false;
}

/* Words of letters, at most four: "business days". */
static bool is_noun(hm_str s) {
  enum { WORDS_MAX = 4, LONGEST = 60 };
  size_t words = 0;
  if (!s.n || s.n > LONGEST || !hm_is_letter(s.p[0]))
    return false;
  while (s.n) {
    size_t n = 0;
    for (; n < s.n && s.p[n] != ' '; n++)
      if (!hm_is_letter(s.p[n]) && !(s.p[n] & 0x80) && s.p[n] != '-')
        return false;
    if (++words > WORDS_MAX || is_joint(hm_str_sub(s, 0, n)))
      return false;
    s = after_spaces(hm_str_sub(s, n, s.n));
  }
  return true;
}

/* "12.500" of things is a number in groups: things have no decimals. */
static bool is_group(hm_str number) {
  size_t point = hm_skip_digits(number, 0);
  return point && point < 4 && number.n == point + 4 && number.p[point] == '.' &&
      hm_skip_digits(number, point + 1) == number.n;
}

/* --- one amount ------------------------------------------------------------------------ */

/* A gate or a seat (71A, 12c), or a unit to the power 1 that nobody writes (71A1). */
static bool is_name(hm_str unit, const hm_numeral *n) {
  if (unit.n == 1)
    return n->bare && strchr("AaBbCcFHJK", unit.p[0]);
  size_t last = unit.n - 1;
  return n->bare && unit.n > 1 && unit.p[last] == '1' && hm_is_letter(unit.p[last - 1]);
}

/* "half an hour", "a dozen of them". */
static hm_str skip_article(hm_str s) {
  static const char *const articles[] = { "an ", "a ", "of a ", "of an " };
  for (size_t i = 0; i < HM_COUNT(articles); i++)
    if (hm_str_starts(s, articles[i]))
      return hm_str_sub(s, strlen(articles[i]), s.n);
  return s;
}

/* "512M" of a slot of memory: the letter is a unit there, and no million. */
static bool read_lettered(hm_value *out, hm_str s, hm_reader *r) {
  hm_numeral n;
  hm_str spelling, number = hm_str_sub(s, 0, s.n - 1), letter = hm_str_sub(s, s.n - 1, s.n);
  if (!hm_unit_letter_is_supported(letter, r->supports) ||
      hm_numeral_scan(&n, number, false, r->scratch) != number.n || n.name)
    return false;
  const hm_unit *unit = hm_unit_parse_phrase(r, letter, &spelling);
  return unit && hm_value_set_quantity(out, &n.n, unit, spelling, r);
}

bool hm_value_read_amount(hm_value *out, hm_str s, hm_reader *r) {
  hm_numeral n;
  hm_str spelling;
  if (read_money(out, s, r))
    return true;
  if (s.n > 1 && hm_is_digit(s.p[s.n - 2]) && read_lettered(out, s, r))
    return true;
  size_t used = hm_numeral_scan(&n, s, false, r->scratch);
  if (!used)
    return false;
  if (used == s.n) {
    if (n.name)
      return false;
    hm_value_set_number(out, &n.n, r);
    return true;
  }
  hm_str glued = hm_str_sub(s, used, s.n), rest = after_spaces(glued);
  bool words = hm_is_letter(s.p[0]), apart = rest.n < glued.n;
  if (words && !apart)
    return false;
  if (words)
    rest = skip_article(rest);
  /* "10 am-4 pm" is no power of attometres */
  bool half_of_day = hm_value_starts_folded(rest, "am-") || hm_value_starts_folded(rest, "pm-");
  bool name =
      rest.n == glued.n && is_name(rest, &n) && !hm_unit_letter_is_supported(rest, r->supports);
  if (rest.n && !name && !half_of_day) {
    const hm_unit *unit = hm_unit_parse_phrase(r, rest, &spelling);
    if (unit)
      return hm_value_set_quantity(out, &n.n, unit, spelling, r);
  }
  if (read_compound(out, s, r))
    return true;
  if (!apart || n.name || !is_noun(rest))
    return false;
  if (!n.whole && !is_group(hm_str_sub(s, 0, used)))
    return false;
  if (!n.whole)
    hm_number_scale(&n.n, &n.n, 1000, 0, r->scratch);
  hm_str text = HM_CAT(r->a, hm_number_text(r->scratch, &n.n), HM_STR(" "), rest);
  hm_value_set_text(out, text, r->a);
  return true;
}
