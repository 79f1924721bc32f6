/* Two values that are one in a slot whose name says what its values are:
 *
 *   ratios      a split of "80/20" and of "4:1"
 *   countries   "DE" and "Germany" of a country
 *
 * and in any slot
 *
 *   commits     "9f3c1ab" and the forty digits that begin with it
 *   letters     "Mueller" and "Müller"
 *   groups      "12.500 €" and "EUR 12500", "1.450" and "1,450" of seats
 *
 * Cost: linear in the bytes of both, for texts of at most LONGEST. */
#include <stdio.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/latin.h"
#include "core/base/text.h"
#include "core/value/value_impl.h"

enum { LONGEST = 255 };

/* --- the slot, and the text of a value -------------------------------------------------------- */

bool hm_value_slot_ends_in(hm_str slot, const char *word) {
  size_t n = strlen(word);
  return hm_str_ends(slot, word) && (slot.n == n || slot.p[slot.n - n - 1] == '_');
}

/* What is written, in small letters, and a NUL; empty: it is too long. */
static hm_str written(const hm_value *v, char out[LONGEST + 1]) {
  hm_str s = hm_str_trim(v->raw);
  if (s.n > LONGEST)
    return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++)
    out[i] = hm_ascii_lower(s.p[i]);
  out[s.n] = 0;
  return (hm_str){ out, s.n };
}

/* --- ratios ----------------------------------------------------------------------------------- */

/* "80/20" as 80 and 20. */
static bool read_two(hm_str s, double out[2]) {
  int end = 0;
  return hm_digit_at(s, 0) && sscanf(s.p, "%8lf %*1[/:] %8lf%n", &out[0], &out[1], &end) == 2 &&
      (size_t)end == s.n && out[0] > 0 && out[1] > 0;
}

/* --- in any slot ------------------------------------------------------------------------------ */

static bool is_commit_of(hm_str whole, hm_str begin) {
  enum { LEAST = 7, SHA_1 = 40, SHA_256 = 64 };
  if ((whole.n != SHA_1 && whole.n != SHA_256) || begin.n < LEAST || begin.n >= whole.n)
    return false;
  for (size_t i = 0; i < whole.n; i++)
    if (!hm_is_hex(whole.p[i]))
      return false;
  return !memcmp(whole.p, begin.p, begin.n);
}

/* --- read once more --------------------------------------------------------------------------- */

static bool read_alike(hm_str x, hm_str y, hm_reading supports, hm_arena *a) {
  hm_units *u = hm_units_new();
  hm_value v, w;
  hm_value_parse_text(&v, x, supports, u, a);
  hm_value_parse_text(&w, y, supports, u, a);
  bool object = v.kind == HM_V_OBJECT || w.kind == HM_V_OBJECT;
  bool alike = v.kind != HM_V_NONE && w.kind != HM_V_NONE && (!object || v.kind == w.kind) &&
      hm_values_are_compatible(&v, &w, NULL);
  hm_units_free(u);
  return alike;
}

/* "2-8 C (refrigerated)" of 2 to 8 degrees: a number, and words about it. */
static bool has_remark(const hm_value *more, const hm_value *v) {
  hm_str x = hm_str_trim(more->raw);
  ptrdiff_t at = more->kind == HM_V_TEXT && hm_str_ends(x, ")") ? hm_str_find(x, " (") : -1;
  if (at < 1 || v->kind == HM_V_TEXT || hm_text_has_digit(hm_str_sub(x, (size_t)at, x.n)))
    return false;
  hm_arena *a = hm_arena_new();
  bool agree = read_alike(hm_str_sub(x, 0, (size_t)at), hm_str_trim(v->raw), v->supports, a);
  hm_arena_free(a);
  return agree;
}

/* "1.450" beside 1450, "1,450" beside 1.45, where the slot, the unit or the money says that points
 * may part groups. */
static bool is_grouped(const hm_value *v, const hm_value *other) {
  static const hm_reading ways[] = { HM_READ_WITHOUT_POINTS, HM_READ_DECIMAL_COMMA };
  hm_str s = hm_str_trim(v->raw);
  bool may = v->supports & HM_READ_POINTS || hm_money_code(v->base) ||
      hm_unit_has_points(hm_str_behind_last(s, ' '));
  size_t n = v->kind == HM_V_QUANTITY ? HM_COUNT(ways) : 1; /* no part of a seat */
  bool agree = false;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < n && may && !agree; i++) {
    hm_str one = hm_value_by_pattern(s, ways[i], a);
    agree = one.p != s.p && read_alike(one, hm_str_trim(other->raw), v->supports, a);
  }
  hm_arena_free(a);
  return agree;
}

/* "required" and yes of a slot "required". */
static bool is_flag_of(hm_str slot, const hm_value *text, const hm_value *flag) {
  char word[LONGEST + 1];
  return text->kind == HM_V_TEXT && text->supports & HM_READ_FLAG && written(text, word).n &&
      hm_str_is(flag->norm, "bool:true") && hm_value_slot_ends_in(slot, word);
}

/* --- two values ------------------------------------------------------------------------------- */

static bool texts_agree(const hm_value *a, const hm_value *b, bool coded) {
  bool text = a->kind == HM_V_TEXT, other = b->kind == HM_V_TEXT;
  if (text && other && !coded && hm_latin_same(a->norm, b->norm))
    return true;
  return has_remark(a, b) || has_remark(b, a);
}

bool hm_values_same_in_slot(hm_str slot, const hm_value *a, const hm_value *b) {
  char in_x[LONGEST + 1], in_y[LONGEST + 1];
  hm_reading supports = a->supports | b->supports;
  if (a->named.n || b->named.n)
    return false;
  bool coded = supports & (HM_READ_PATH | HM_READ_CASED | HM_READ_CODE);
  if (is_flag_of(slot, a, b) || is_flag_of(slot, b, a) || texts_agree(a, b, coded) ||
      is_grouped(a, b) || is_grouped(b, a))
    return true;
  double p[2], q[2];
  hm_str x = written(a, in_x), y = x.n ? written(b, in_y) : HM_EMPTY;
  if (!y.n)
    return false;
  if (supports & HM_READ_RATIO && read_two(x, p) && read_two(y, q) && p[0] * q[1] == p[1] * q[0])
    return true;
  return (supports & HM_READ_COUNTRY && hm_countries_are_one(x, y)) || is_commit_of(x, y) ||
      is_commit_of(y, x);
}
