/* Reads ranges and bounds.
 *
 *   range     "5-10 kg", "5 kg to 10 kg", "between 5 and 10 kg", "5..10", "5...10": a unit that
 *             one side leaves out is that of the other; the lower side comes first
 *   bound     "<= 5", "at most 5", "max. 5", "5 or less", "up to 5"; ">=", "<", ">" likewise;
 *             "~5", "about 5" is a bound of its own
 *   deviation "5 +/- 0.1 mm" (also 5 mm ± 100 µm, 24 V ± 10 %, "plus or minus") and "5 +0.1/-0.2
 *             mm" are the range between; "±15 V" is -15 V to 15 V
 *
 *   size      "1920x1080", "10 x 20 cm", "3 m by 4 m": a text whose key has its sides
 *
 * Sides are numbers, quantities, dates, times of day, or counts of things. A range is not a number:
 * it is compatible only with an equal range. Cost: tries each place where a text can be split, at
 * most eight, in texts of at most 96 bytes. */
#include <math.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"

enum { LONGEST = 96, CUTS_MAX = 8 };

/* One value that a side can be. */
static bool read_side(hm_value *out, hm_str s, hm_reader *r) {
  hm_value_init(out, s);
  s = hm_str_trim(s);
  if (!s.n)
    return false;
  return hm_value_read_date(out, s, r) || hm_value_read_clock(out, s, r) ||
      hm_value_read_amount(out, s, r);
}

static void set_range(hm_value *out, const hm_value *lo, const char *sign, const hm_value *hi,
                      hm_reader *r) {
  hm_str norm = HM_STR("range:"), key = norm;
  if (lo)
    norm = HM_CAT(r->a, norm, hm_value_without_class(lo->norm));
  if (lo)
    key = HM_CAT(r->a, key, hm_value_without_class(lo->key));
  norm = HM_CAT(r->a, norm, hm_str_c(sign), hm_value_without_class(hi->norm));
  key = HM_CAT(r->a, key, hm_str_c(sign), hm_value_without_class(hi->key));
  hm_value_set_forms(out, HM_V_RANGE, norm, key);
  if (*sign == '~' || !hm_value_is_numeric(hi))
    return;
  double side = hi->num;
  if (!lo && !sign[1])
    side = nextafter(side, *sign == '<' ? -INFINITY : INFINITY);
  out->num = lo ? lo->num : *sign == '<' ? -INFINITY : side;
  out->most = lo || *sign == '<' ? side : INFINITY;
  out->base = hm_value_base(hi);
}

/* --- ranges ---------------------------------------------------------------------------- */

/* "number:5", a count: the number. */
static bool is_count(const hm_value *v) { return v->kind == HM_V_TEXT; }

/* What a side says behind its number. */
static hm_str text_behind_number(hm_str side) {
  size_t i = side.n;
  while (i && !hm_is_digit(side.p[i - 1]))
    i--;
  return hm_str_trim(hm_str_sub(side, i, side.n));
}

static bool in_order(const hm_value *lo, const hm_value *hi) {
  if (lo->kind != hi->kind)
    return false;
  if (hm_value_is_numeric(lo))
    return hm_str_eq(hm_value_base(lo), hm_value_base(hi)) && lo->num < hi->num;
  if (is_count(lo))
    return true;
  return lo->time < hi->time || lo->kind == HM_V_CLOCK;
}

/* "2 am" of "2 am - 4 am CET" is of that zone, too, unless it has one. */
static void take_zone(hm_value *lo, hm_str left, hm_str right, hm_reader *r) {
  hm_value of_zone;
  const char *blank = memrchr(right.p, ' ', right.n);
  hm_str zone = blank ? hm_str_sub(right, (size_t)(blank - right.p), right.n) : HM_EMPTY;
  if (zone.n < 2 || hm_value_starts_folded(zone, " am") || hm_value_starts_folded(zone, " pm"))
    return;
  bool read = read_side(&of_zone, HM_CAT(r->scratch, left, zone), r);
  if (read && of_zone.kind == HM_V_CLOCK)
    *lo = of_zone;
}

static bool read_sides(hm_value *out, hm_str left, hm_str right, hm_reader *r) {
  hm_value lo = { 0 }, hi;
  left = hm_str_trim(left);
  right = hm_str_trim(right);
  bool read = read_side(&hi, right, r) && read_side(&lo, left, r);
  for (hm_str rest = right; hi.kind == HM_V_DATE && rest.n && lo.kind != HM_V_DATE;) {
    hm_str_next_word(&rest); /* "1 Jan" before "30 Jun 2026", "12" before "20 Sept 2026" */
    read = read_side(&lo, HM_CAT(r->scratch, left, HM_STR(" "), rest), r);
  }
  if (!read)
    return false;
  if (lo.kind == HM_V_NUMBER && hi.kind != HM_V_NUMBER && hi.kind != HM_V_DATE) {
    hm_str unit = hi.kind == HM_V_QUANTITY ? hm_value_unit(&hi)
                                           : text_behind_number(is_count(&hi) ? hi.norm : right);
    if (!read_side(&lo, HM_CAT(r->scratch, left, HM_STR(" "), unit), r))
      return false;
  } else if (hi.kind == HM_V_NUMBER && lo.kind == HM_V_QUANTITY) {
    if (!read_side(&hi, HM_CAT(r->scratch, right, HM_STR(" "), hm_value_unit(&lo)), r))
      return false;
  }
  if (lo.kind == HM_V_CLOCK && hi.kind == HM_V_CLOCK)
    take_zone(&lo, left, right, r);
  if (!in_order(&lo, &hi))
    return false;
  set_range(out, &lo, "..", &hi, r);
  return true;
}

/* The bytes of a separator of two sides at i, or 0. */
static size_t joint_at(hm_str s, size_t i, bool between) {
  static const char *const joints[] = { "...", "..", " to ", " through ", " thru ", " until " };
  hm_str rest = hm_str_sub(s, i, s.n);
  if (between)
    return hm_str_starts(rest, " and ") ? 5 : 0;
  for (size_t k = 0; k < HM_COUNT(joints); k++)
    if (hm_str_starts(rest, joints[k]))
      return strlen(joints[k]);
  return s.p[i] == '-' || s.p[i] == '~';
}

static bool read_range(hm_value *out, hm_str s, hm_reader *r) {
  bool between = hm_value_skip_word(&s, "between");
  if (!between)
    hm_value_skip_word(&s, "from");
  size_t cuts = 0;
  for (size_t i = 1; i < s.n && cuts < CUTS_MAX; i++) {
    size_t joint = joint_at(s, i, between);
    if (!joint)
      continue;
    cuts++;
    if (read_sides(out, hm_str_sub(s, 0, i), hm_str_sub(s, i + joint, s.n), r))
      return true;
    i += joint - 1;
  }
  return false;
}

/* --- sizes ----------------------------------------------------------------------------- */

enum { SIDES_MAX = 3 };

/* The text up to the next " x ", "x" or " by "; moves *rest past that. */
static hm_str next_side(hm_str *rest) {
  for (size_t i = 1; i + 1 < rest->n; i++) {
    hm_str at = hm_str_sub(*rest, i, rest->n);
    bool cross = (at.p[0] | 0x20) == 'x' && (at.p[1] == ' ' || hm_is_digit(at.p[1]));
    size_t bytes = cross ? 1 : hm_value_starts_folded(at, " by ") ? 4 : 0;
    if (!bytes)
      continue;
    hm_str side = hm_str_trim(hm_str_sub(*rest, 0, i));
    *rest = hm_str_trim(hm_str_sub(*rest, i + bytes, rest->n));
    return side;
  }
  hm_str last = *rest;
  *rest = HM_EMPTY;
  return last;
}

/* "3 x 4 m" is a text, with the key of its sides in base units, in order. */
static bool read_size(hm_value *out, hm_str s, hm_reader *r) {
  hm_value sides[SIDES_MAX];
  hm_str texts[SIDES_MAX], rest = s, key = HM_STR("size:");
  size_t n = 0;
  while (rest.n && n < SIDES_MAX)
    texts[n++] = next_side(&rest);
  if (rest.n || n < 2 || !read_side(&sides[n - 1], texts[n - 1], r))
    return false;
  for (size_t i = 0; i < n; i++) {
    if (!read_side(&sides[i], texts[i], r) || !hm_value_is_numeric(&sides[i]))
      return false;
    bool shares = sides[i].kind == HM_V_NUMBER && sides[n - 1].kind == HM_V_QUANTITY;
    hm_str unit = shares ? hm_value_unit(&sides[n - 1]) : HM_EMPTY;
    if (shares && !read_side(&sides[i], HM_CAT(r->scratch, texts[i], HM_STR(" "), unit), r))
      return false;
    hm_str side = hm_str_is(hm_value_base(&sides[i]), "px") ? hm_value_base_text(&sides[i])
                                                            : hm_value_without_class(sides[i].key);
    key = HM_CAT(r->a, key, i ? HM_STR(" x ") : HM_EMPTY, side);
  }
  hm_value_set_text(out, s, r->a);
  out->key = key;
  return true;
}

/* --- bounds ---------------------------------------------------------------------------- */

typedef struct {
  const char *words, *sign;
} phrase;

/* Before the value; the longer ones first. Sources: ISO/IEC Directives 2; Merriam-Webster; of
 * German Duden. */
/* clang-format off */
static const phrase before[] = {
  { "less than or equal to", "<=" }, { "greater than or equal to", ">=" },
  { "more than or equal to", ">=" }, { "smaller than or equal to", "<=" },
  { "no more than", "<=" }, { "not more than", "<=" }, { "no greater than", "<=" },
  { "not greater than", "<=" }, { "no higher than", "<=" }, { "not to exceed", "<=" },
  { "not exceeding", "<=" }, { "not above", "<=" }, { "not over", "<=" }, { "at most", "<=" },
  { "up to", "<=" }, { "maximum of", "<=" }, { "max of", "<=" }, { "maximum", "<=" },
  { "max.", "<=" }, { "max", "<=" }, { "a maximum of", "<=" }, { "no longer than", "<=" },
  { "no less than", ">=" }, { "not less than", ">=" }, { "no fewer than", ">=" },
  { "not fewer than", ">=" }, { "no lower than", ">=" }, { "not below", ">=" },
  { "not under", ">=" }, { "at least", ">=" }, { "minimum of", ">=" }, { "min of", ">=" },
  { "minimum", ">=" }, { "min.", ">=" }, { "min", ">=" }, { "a minimum of", ">=" },
  { "more than", ">" }, { "greater than", ">" }, { "larger than", ">" }, { "higher than", ">" },
  { "longer than", ">" }, { "exceeding", ">" }, { "above", ">" }, { "over", ">" },
  { "less than", "<" }, { "fewer than", "<" }, { "smaller than", "<" }, { "lower than", "<" },
  { "shorter than", "<" }, { "below", "<" }, { "under", "<" },
  { "approximately", "~" }, { "approx.", "~" }, { "approx", "~" }, { "about", "~" },
  { "around", "~" }, { "circa", "~" }, { "ca.", "~" }, { "roughly", "~" },
  { "within", "<=" }, { "from", ">=" }, { "ab", ">=" }, { "mindestens", ">=" }, { "bis zu", "<=" },
  { "maximal", "<=" }, { "h\u00F6chstens", "<=" },
  { "<=", "<=" }, { "=<", "<=" }, { ">=", ">=" }, { "=>", ">=" }, { "<", "<" }, { ">", ">" },
  { "~", "~" },
};
/* clang-format on */

/* Behind it. Sources: ISO/IEC Directives 2; Merriam-Webster. */
/* clang-format off */
static const phrase behind[] = {
  { "or less", "<=" }, { "or fewer", "<=" }, { "or lower", "<=" }, { "or below", "<=" },
  { "and below", "<=" }, { "maximum", "<=" }, { "max.", "<=" }, { "max", "<=" },
  { "at most", "<=" }, { "or more", ">=" }, { "or greater", ">=" }, { "or higher", ">=" },
  { "or above", ">=" }, { "and above", ">=" }, { "and up", ">=" }, { "and more", ">=" },
  { "minimum", ">=" }, { "at least", ">=" }, { "+", ">=" },
};
/* clang-format on */

/* The rest of s without the phrase before it. */
static bool cut_before(hm_str s, const phrase *p, hm_str *rest) {
  if (!hm_value_starts_folded(s, p->words))
    return false;
  size_t n = strlen(p->words);
  *rest = hm_str_sub(s, n, s.n);
  return !hm_is_letter(p->words[n - 1]) || (rest->n && !hm_is_letter(rest->p[0]));
}

static bool cut_behind(hm_str s, const phrase *p, hm_str *rest) {
  size_t n = strlen(p->words);
  if (s.n <= n || !hm_value_starts_folded(hm_str_sub(s, s.n - n, s.n), p->words))
    return false;
  *rest = hm_str_sub(s, 0, s.n - n);
  char last = rest->p[rest->n - 1];
  return hm_is_letter(p->words[0]) ? last == ' ' : hm_is_digit(last);
}

static bool read_bound(hm_value *out, hm_str s, hm_reader *r) {
  hm_value side;
  hm_str rest;
  for (size_t i = 0; i < HM_COUNT(before) + HM_COUNT(behind); i++) {
    bool first = i < HM_COUNT(before);
    const phrase *p = first ? &before[i] : &behind[i - HM_COUNT(before)];
    if (first ? !cut_before(s, p, &rest) : !cut_behind(s, p, &rest))
      continue;
    if (!read_side(&side, rest, r))
      return false;
    set_range(out, NULL, p->sign, &side, r);
    return true;
  }
  return false;
}

/* --- deviations ------------------------------------------------------------------------ */

/* Where the deviation begins, and its bytes; 0: nowhere. */
static size_t deviation_at(hm_str s, size_t *bytes) {
  static const char *const signs[] = { "+/-", "+-", " plus or minus ", " plus/minus " };
  for (size_t i = 0; i < HM_COUNT(signs); i++) {
    ptrdiff_t at = hm_str_find(s, signs[i]);
    if (at < 0)
      continue;
    *bytes = strlen(signs[i]);
    return (size_t)at + 1;
  }
  return 0;
}

/* How far v deviates, in the unit of centre. */
static bool deviation_of(hm_number *out, const hm_value *v, const hm_number *centre, hm_str unit,
                         hm_reader *r) {
  hm_str own = hm_value_unit(v), spelling;
  if (!hm_value_is_numeric(v) || !hm_number_parse(out, hm_value_number_text(v), r->scratch))
    return false;
  if (!own.n || hm_str_eq(own, unit))
    return true;
  double by = hm_number_double(out);
  if (hm_str_is(own, "%")) {
    by = fabs(hm_number_double(centre) * by / 100);
  } else {
    const hm_unit *to = hm_unit_parse_phrase(r, unit, &spelling);
    double scale = to && hm_str_eq(to->base, v->base) ? to->scale : 0;
    const hm_unit *from = hm_unit_parse_phrase(r, own, &spelling);
    if (!from || scale == 0)
      return false;
    by *= from->scale / scale;
  }
  *out = hm_number_of_double(by, 12, r->scratch);
  return true;
}

/* From centre - down to centre + up. */
static bool set_deviation(hm_value *out, const hm_number *centre, const hm_number *down,
                          const hm_number *up, hm_str unit, hm_reader *r) {
  hm_number sides[2];
  hm_value v[2];
  if (!hm_number_sub(&sides[0], centre, down, r->scratch) ||
      !hm_number_add(&sides[1], centre, up, r->scratch))
    return false;
  for (size_t i = 0; i < 2; i++) {
    hm_str text = hm_number_text(r->scratch, &sides[i]);
    if (!read_side(&v[i], HM_CAT(r->scratch, text, HM_STR(" "), unit), r))
      return false;
  }
  set_range(out, &v[0], "..", &v[1], r);
  return true;
}

/* "(5 +/- 0.1) mm", "5 (+/- 0.1) mm" as "5 +/- 0.1 mm". */
static hm_str without_brackets(hm_str s, hm_arena *a) {
  ptrdiff_t open = hm_str_find(s, "("), close = hm_str_find(s, ")");
  if (open < 0 || close < open)
    return s;
  size_t from = (size_t)open, to = (size_t)close;
  return HM_CAT(a, hm_str_sub(s, 0, from), hm_str_sub(s, from + 1, to), hm_str_sub(s, to + 1, s.n));
}

/* One amount of a deviation, in the unit of the centre, or its own. */
static bool read_deviation(hm_number *out, hm_str s, const hm_number *centre, hm_str *unit,
                           hm_reader *r) {
  hm_value by;
  if (!read_side(&by, s, r) || !hm_value_is_numeric(&by))
    return false;
  if (!unit->n)
    *unit = hm_value_unit(&by);
  return deviation_of(out, &by, centre, *unit, r) && !out->neg;
}

/* "5 +/- 0.1 mm", "plus or minus 5", "5 mm +0.1/-0". */
static bool read_deviating(hm_value *out, hm_str s, hm_reader *r) {
  hm_value centre;
  hm_number c = { false, HM_EMPTY, 0 }, up, down;
  size_t bytes = 0;
  s = without_brackets(s, r->scratch);
  if (hm_value_skip_word(&s, "plus or minus"))
    s = HM_CAT(r->scratch, HM_STR("+/- "), s);
  size_t at = deviation_at(s, &bytes);
  const char *plus = at || s.n < 2 ? NULL : memchr(s.p + 1, '+', s.n - 1);
  ptrdiff_t slash = plus ? hm_str_find(s, "/-") : -1;
  size_t sign = plus ? (size_t)(plus - s.p) : 0;
  if (!at && (slash <= (ptrdiff_t)sign + 1 || !hm_is_digit(s.p[sign + 1])))
    return false;
  hm_str left = hm_str_trim(hm_str_sub(s, 0, at ? at - 1 : sign)), unit = HM_EMPTY;
  hm_str right = hm_str_sub(s, at ? at - 1 + bytes : (size_t)slash + 2, s.n);
  hm_str upper = at ? right : hm_str_sub(s, sign + 1, (size_t)slash);
  if (left.n) {
    if (!read_side(&centre, left, r) || !hm_value_is_numeric(&centre) ||
        !hm_number_parse(&c, hm_value_number_text(&centre), r->scratch))
      return false;
    unit = hm_value_unit(&centre);
  }
  return read_deviation(&down, right, &c, &unit, r) && read_deviation(&up, upper, &c, &unit, r) &&
      set_deviation(out, &c, &down, &up, unit, r);
}

bool hm_value_read_range(hm_value *out, hm_str s, hm_reader *r) {
  if (s.n < 2 || s.n > LONGEST)
    return false;
  return read_deviating(out, s, r) || read_bound(out, s, r) || read_range(out, s, r) ||
      read_size(out, s, r);
}
