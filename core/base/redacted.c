#include "core/base/redacted.h"

static const char begin[] = "[redacted ";
enum { BEGIN = sizeof begin - 1, DAY = 10 };

hm_str hm_redacted_mark(hm_arena *a, hm_str at, hm_str reason) {
  return hm_str_fmt(a, "%s%.*s: %.*s]", begin, HM_FMT(hm_str_sub(at, 0, DAY)), HM_FMT(reason));
}

/* "dddd-dd-dd:" at the beginning of s. */
static bool is_day(hm_str s) {
  static const char day[] = "dddd-dd-dd:";
  if (s.n < DAY + 1) return false;
  for (size_t i = 0; i <= DAY; i++)
    if (day[i] == 'd' ? s.p[i] < '0' || s.p[i] > '9' : s.p[i] != day[i]) return false;
  return true;
}

bool hm_is_redacted(hm_str s) {
  s = hm_str_trim(s);
  if (!hm_str_starts(s, begin) || !hm_str_ends(s, "]") || s.n < BEGIN + DAY + 3) return false;
  return is_day(hm_str_sub(s, BEGIN, s.n));
}

bool hm_redacted_in(hm_str s) {
  for (ptrdiff_t at; (at = hm_str_find(s, begin)) >= 0;
       s = hm_str_sub(s, (size_t)at + BEGIN, s.n)) {
    hm_str rest = hm_str_sub(s, (size_t)at + BEGIN, s.n);
    if (is_day(rest)) return true;
  }
  return false;
}
