#include "core/base/redacted.h"

static const char begin[] = "[redacted ";
enum { BEGIN = sizeof begin - 1, DAY = 10 };

hm_str hm_redacted_mark(hm_arena *a, hm_str at, hm_str reason) {
  return hm_str_fmt(a, "%s%.*s: %.*s]", begin, HM_FMT(hm_str_sub(at, 0, DAY)), HM_FMT(reason));
}

bool hm_is_redacted(hm_str s) {
  static const char day[] = "dddd-dd-dd";
  s = hm_str_trim(s);
  if (!hm_str_starts(s, begin) || !hm_str_ends(s, "]") || s.n < BEGIN + DAY + 3) return false;
  for (size_t i = 0; i < DAY; i++) {
    char c = s.p[BEGIN + i];
    if (day[i] == 'd' ? c < '0' || c > '9' : c != day[i]) return false;
  }
  return s.p[BEGIN + DAY] == ':';
}
