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

/* What is behind the first i bytes of s, and spaces there. */
static hm_str rest_of(hm_str s, size_t i) { return hm_str_sub(s, hm_skip_spaces(s, i), s.n); }

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

static bool set_quantity(hm_value *out, const hm_number *n, const hm_unit *u, hm_str spelling,
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
  hm_str spelling;
  bool minus = hm_char_at(s, 0, '-');
  size_t sign = hm_money_at(hm_str_sub(s, minus, s.n), &code, &also);
  if (!sign)
    return false;
  s = rest_of(s, minus + sign);
  size_t used = hm_letter_at(s, 0) ? 0 : hm_numeral_scan(&n, s, true, r->scratch);
  if (!used || n.name || (minus && n.n.neg))
    return false;
  s = rest_of(s, used);
  size_t more = hm_money_at(s, &behind, &unused);
  if (more && !hm_str_starts(s, "$")) {
    if (strcmp(behind, code) && !strstr(also, behind))
      return false;
    code = behind;
  }
  s = rest_of(s, more);
  bool per = hm_value_starts_folded(s, "per ");
  if (s.n && s.p[0] != '/' && !per)
    return false;
  hm_str phrase = HM_CAT(r->scratch, hm_str_c(code), per ? HM_STR(" ") : HM_EMPTY, s);
  const hm_unit *unit = hm_unit_parse_phrase(r, phrase, &spelling);
  if (minus)
    n.n.neg = n.n.digits.n > 0;
  return unit && set_quantity(out, &n.n, unit, spelling, r);
}

/* --- compound quantities --------------------------------------------------------------- */

enum { PARTS_MAX = 6 };

typedef struct {
  hm_number n;
  hm_unit unit;
  hm_str said;
} part;

/* Letters, signs of feet and inches, degrees: the end of the token that begins s. */
static size_t token_end(hm_str s) {
  size_t at = 0;
  if (hm_char_at(s, 0, '\'') || hm_char_at(s, 0, '"'))
    return 1;
  while (hm_any_letter_at(s, at))
    at++;
  return at;
}

/* What is behind the first i bytes, and ", " or "and " there. */
static hm_str skip_joint(hm_str s, size_t i) {
  s = rest_of(s, i);
  s = rest_of(s, hm_char_at(s, 0, ','));
  return rest_of(s, hm_str_starts(s, "and ") ? 4 : 0);
}

/* The number and unit texts of "1h30m"; 0: it is no such text. A unit may miss at the end. */
static size_t split_parts(part *parts, hm_str s, hm_reader *r) {
  size_t n = 0;
  while (s.n) {
    hm_numeral number;
    if (n == PARTS_MAX || (n && !hm_is_alnum(s.p[0])))
      return 0;
    size_t used = hm_numeral_scan(&number, s, false, r->scratch);
    if (!used || number.name)
      return 0;
    s = rest_of(s, used);
    size_t end = token_end(s);
    if (!end && (s.n || !n))
      return 0;
    parts[n++] = (part){ .n = number.n, .said = hm_str_sub(s, 0, end) };
    s = skip_joint(s, end);
  }
  return n > 1 ? n : 0;
}

/* The seconds in a unit of time, but for "m"; 0: it is no such unit. */
static double seconds_in(hm_reader *r, hm_str unit) {
  hm_str spelling;
  const hm_unit *u = hm_str_is(unit, "m") ? NULL : hm_unit_parse_phrase(r, unit, &spelling);
  return u && hm_str_is(u->base, "s") ? u->scale : 0;
}

/* 12°30'15": minutes and seconds of arc. "1h30m": m is the minute beside other times. "1h30",
 * "5'10": the next smaller unit. */
static void name_units(part *parts, size_t n, hm_reader *r) {
  bool time = seconds_in(r, parts[0].said) || seconds_in(r, parts[n - 1].said);
  bool angle = hm_str_is(parts[0].said, "\u00B0") || hm_str_is(parts[0].said, "deg");
  for (size_t i = 0; i < n; i++) {
    hm_str before = i ? parts[i - 1].said : HM_EMPTY, said = parts[i].said;
    double seconds = said.n ? 0 : seconds_in(r, before);
    bool feet = hm_str_is(before, "'") || hm_str_is(before, "ft");
    const char *unit = seconds == 3600   ? "min"
        : seconds == 60                  ? "s"
        : !said.n && feet                ? "in"
        : time && hm_str_is(said, "m")   ? "min"
        : angle && hm_str_is(said, "'")  ? "arcmin"
        : angle && hm_str_is(said, "\"") ? "arcsec"
                                         : NULL;
    if (unit)
      parts[i].said = hm_str_c(unit);
  }
}

/* The sum in the last unit. */
static bool read_compound(hm_value *out, hm_str s, hm_reader *r) {
  const double precise = 1e6, most = 1e9;
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
  for (size_t i = 0; i < n; i++) {
    hm_number one;
    double ratio = parts[i].unit.scale / parts[n - 1].unit.scale;
    hm_number_scale(&one, &parts[i].n, (uint64_t)llround(ratio * precise), -6, r->scratch);
    one.neg = parts[0].n.neg && one.digits.n;
    if (ratio > most || !hm_number_add(&sum, &sum, &one, r->scratch))
      return false;
  }
  return set_quantity(out, &sum, &parts[n - 1].unit, spelling, r);
}

/* --- counts of things ------------------------------------------------------------------ */

/* Words of letters, at most four: "business days"; none belongs to a range, a bound, a time. */
static bool is_noun(hm_str s) {
  static const char *const joints[] = {
    "or",    "and", "to", "at",  "plus",    "through", "thru",
    "until", "am",  "pm", "max", "maximum", "min",     "minimum"
  };
  enum { WORDS_MAX = 4, LONGEST = 60 };
  size_t words = 0;
  if (s.n > LONGEST || !hm_letter_at(s, 0))
    return false;
  while (s.n) {
    hm_str word = hm_str_next_word(&s);
    for (size_t i = 0; i < word.n; i++)
      if (!hm_is_letter(word.p[i]) && !(word.p[i] & 0x80) && word.p[i] != '-')
        return false;
    if (++words > WORDS_MAX || HM_IS_ANY(word, joints))
      return false;
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
  return unit && set_quantity(out, &n.n, unit, spelling, r);
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
    hm_value_set_number(out, &n.n, r);
    return !n.name;
  }
  hm_str rest = rest_of(s, used);
  bool words = hm_is_letter(s.p[0]), apart = rest.n < s.n - used;
  if (words && !apart)
    return false;
  if (words)
    rest = skip_article(rest);
  /* "10 am-4 pm" is no power of attometres */
  bool half_of_day = hm_value_starts_folded(rest, "am-") || hm_value_starts_folded(rest, "pm-");
  bool name = !apart && is_name(rest, &n) && !hm_unit_letter_is_supported(rest, r->supports);
  const hm_unit *unit = name || half_of_day ? NULL : hm_unit_parse_phrase(r, rest, &spelling);
  if (unit)
    return set_quantity(out, &n.n, unit, spelling, r);
  if (read_compound(out, s, r))
    return true;
  if (!apart || n.name || !is_noun(rest) || !(n.whole || is_group(hm_str_sub(s, 0, used))))
    return false;
  if (!n.whole)
    hm_number_scale(&n.n, &n.n, 1000, 0, r->scratch);
  hm_str text = HM_CAT(r->a, hm_number_text(r->scratch, &n.n), HM_STR(" "), rest);
  hm_value_set_text(out, text, r->a);
  return true;
}
