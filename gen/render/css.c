/* What a style sheet says, in fewer bytes: every page loads it, and half of it was for its writers.
 *
 * Comments go. A run of space is one space, and none at the beginning of a line's rule, beside
 * { } ; , and after a colon; strings stay as they are. Space before a colon stays ("a :hover" is
 * not "a:hover"), and so does that around signs, which calc() needs. Cost: O(n). */
#include "gen/render/css.h"

#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/* Where the string or comment that begins at i ends. */
static size_t end_of_string(hm_str s, size_t i) {
  char quote = s.p[i++];
  while (i < s.n && s.p[i] != quote) i += s.p[i] == '\\' ? 2 : 1;
  return i < s.n ? i + 1 : s.n;
}

static size_t end_of_comment(hm_str s, size_t i) {
  ptrdiff_t at = hm_str_find(hm_str_sub(s, i + 2, s.n), "*/");
  return at < 0 ? s.n : i + 2 + (size_t)at + 2;
}

hm_str hm_css_compact(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  bool space = false;
  for (size_t i = 0; i < s.n;) {
    bool comment = s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '*';
    if (comment || is_space(s.p[i])) {
      space = true;
      i = comment ? end_of_comment(s, i) : i + 1;
      continue;
    }
    bool after = b.n == 0 || strchr("{};,:", b.p[b.n - 1]), before = strchr("{};,", s.p[i]);
    if (space && !after && !before) hm_buf_ch(&b, ' ');
    space = false;
    if (s.p[i] == '}' && b.n && b.p[b.n - 1] == ';') b.n--;
    size_t end = s.p[i] == '"' || s.p[i] == '\'' ? end_of_string(s, i) : i + 1;
    hm_buf_str(&b, hm_str_sub(s, i, end));
    i = end;
  }
  if (b.n) hm_buf_ch(&b, '\n');
  return hm_buf_take(&b, a);
}
