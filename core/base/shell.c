/* Words for a shell, in the plainest form that is safe: shell.h. */
#include "core/base/shell.h"
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/text.h"

static bool is_plain(char c) { return hm_is_alnum(c) || (c && strchr("._:/@%+,-", c)); }

hm_str hm_shell_quote_word(hm_arena *a, hm_str s, bool octal) {
  bool plain = s.n > 0, shows = true;
  if (s.n && (memchr(s.p, 0, s.n) || s.p[s.n - 1] == '\n'))
    return HM_EMPTY;
  for (size_t i = 0; i < s.n && plain; i++)
    plain = is_plain(s.p[i]);
  if (plain)
    return s;
  for (size_t i = 0; i < s.n && shows;) {
    uint32_t cp = hm_text_next(s, &i);
    shows = !hm_cp_is_hidden(cp) && cp != HM_REPLACEMENT;
  }
  /* A quote inside the quotes is written as '\'': end the quotes, an escaped quote, begin quotes
   * again. */
  bool quoted = shows && !octal;
  hm_buf b = { 0 };
  hm_buf_c(&b, quoted ? "'" : "\"$(printf %b '");
  for (size_t i = 0; i < s.n; i++) {
    if (quoted && s.p[i] == '\'')
      hm_buf_c(&b, "'\\''");
    else if (quoted || is_plain(s.p[i]) || s.p[i] == ' ')
      hm_buf_ch(&b, s.p[i]);
    else
      hm_buf_fmt(&b, "\\0%03o", (unsigned)(unsigned char)s.p[i]);
  }
  hm_buf_c(&b, quoted ? "'" : "')\"");
  return hm_buf_take(&b, a);
}
