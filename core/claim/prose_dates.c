/* Dates and times of day in a text: "2026-05-01", "March 12th 2026", "week 34", "6:30 pm", "noon".
 *
 * Where they stand says what they are of; here is only where one ends. */
#include <string.h>

#include "core/claim/prose_impl.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* week 34, W34, CW 34, Q3 2027 */
static bool is_part_of_year(const prose *p, size_t i, size_t end, size_t *to) {
  hm_str s = p->t[i].low;
  size_t n = 1;
  bool week = prose_is(p, i, end, "week") || prose_is(p, i, end, "cw");
  if (week && i + 1 < end && p->t[i + 1].digit && p->t[i + 1].s.n <= 2 && !p->t[i].stop)
    return *to = i + 2, true;
  if (!p->t[i].capital || s.n < 2 || s.n > 3 || (s.p[0] != 'w' && s.p[0] != 'q')) return false;
  while (n < s.n && is_digit(s.p[n])) n++;
  if (n < s.n || (s.p[0] == 'q' && s.n != 2)) return false;
  *to = i + 1;
  if (*to < end && !p->t[i].stop && p->t[*to].digit && p->t[*to].s.n == 4) ++*to;
  return true;
}

/* 2026-05-01, 12 March, March 12th 2026, July 22nd, 14-16 September, week 34 */
bool prose_is_date(const prose *p, size_t i, size_t end, size_t *to) {
  if (i >= end) return false;
  hm_str s = p->t[i].s;
  bool iso = s.n >= 7 && s.n <= 20;
  for (size_t k = 0; iso && k < 7; k++) iso = k == 4 ? s.p[k] == '-' : is_digit(s.p[k]);
  if (iso) return *to = i + 1, s.n == 7 || s.p[7] == '-';
  bool month = prose_has(p, i, end, C_DAY) && (p->t[i].capital);
  if (month && i + 1 < end && p->t[i + 1].digit && p->t[i + 1].s.n <= 4 && !p->t[i].stop) {
    *to = i + 2;
    if (i + 2 < end && p->t[i + 2].digit && p->t[i + 2].s.n == 4) *to = i + 3;
    return true;
  }
  if (is_part_of_year(p, i, end, to)) return true;
  bool days = s.n == 5 && s.p[2] == '-'; /* "14-16 September" */
  if (p->t[i].digit && (s.n <= 4 || days) && prose_has(p, i + 1, end, C_DAY) &&
      p->t[i + 1].capital) {
    *to = i + 2;
    if (i + 2 < end && p->t[i + 2].digit && p->t[i + 2].s.n == 4) *to = i + 3;
    return true;
  }
  return false;
}

/* 02:30 UTC, 6:30 pm, 9am, 7 pm, noon */
bool prose_is_clock(const prose *p, size_t i, size_t end, size_t *to) {
  if (i >= end) return false;
  hm_str s = p->t[i].low;
  size_t n = 0;
  while (n < s.n && n < 2 && is_digit(s.p[n])) n++;
  if (!n) return (prose_is(p, i, end, "noon") || prose_is(p, i, end, "midnight")) && (*to = i + 1);
  bool colon = n + 2 < s.n && s.p[n] == ':' && is_digit(s.p[n + 1]) && is_digit(s.p[n + 2]);
  size_t at = colon ? n + 3 : n;
  if (colon && at + 2 < s.n && s.p[at] == ':') at += 3;
  hm_str rest = hm_str_sub(s, at, s.n);
  bool half = hm_str_is(rest, "am") || hm_str_is(rest, "pm");
  if (rest.n && !half) return false;
  *to = i + 1;
  if (!half &&
      (prose_is(p, *to, end, "am") || prose_is(p, *to, end, "pm") || prose_is(p, *to, end, "a.m") ||
       prose_is(p, *to, end, "p.m")))
    half = true, ++*to;
  if (!half && !colon) return false;
  if (*to < end && !p->t[*to - 1].stop && p->t[*to].s.n >= 3 && p->t[*to].s.n <= 4 &&
      p->t[*to].capital && p->t[*to].upper &&
      (p->t[*to].s.p[p->t[*to].s.n - 1] == 'T' || hm_str_is(p->t[*to].low, "utc")))
    ++*to;
  return true;
}
