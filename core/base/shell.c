#include "core/base/shell.h"
#include <string.h>
#include "core/base/text.h"

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
      (c && strchr("._:/@%+,-", c));
}

static bool all_plain(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!is_plain(s.p[i])) return false;
  return s.n > 0;
}

static bool all_shows(hm_str s) {
  for (size_t i = 0; i < s.n;) {
    uint32_t cp = hm_text_next(s, &i);
    if (hm_text_hidden(cp) || cp == 0xFFFD) return false;
  }
  return true;
}

/* A quote ends the quoted part, stands for itself behind a backslash, and begins the next. */
static void put_quoted(hm_buf *b, hm_str s) {
  hm_buf_ch(b, '\'');
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == '\'') hm_buf_c(b, "'\\''");
    else hm_buf_ch(b, s.p[i]);
  }
  hm_buf_ch(b, '\'');
}

static void put_octal(hm_buf *b, hm_str s) {
  hm_buf_c(b, "\"$(printf %b '");
  for (size_t i = 0; i < s.n; i++) {
    if (is_plain(s.p[i]) || s.p[i] == ' ') hm_buf_ch(b, s.p[i]);
    else hm_buf_fmt(b, "\\0%03o", (unsigned)(unsigned char)s.p[i]);
  }
  hm_buf_c(b, "')\"");
}

hm_str hm_shell_word(hm_arena *a, hm_str s, bool octal) {
  hm_buf b = { 0 };
  if (s.n && (memchr(s.p, 0, s.n) || s.p[s.n - 1] == '\n')) return HM_EMPTY;
  if (all_plain(s)) return s;
  if (!octal && all_shows(s)) put_quoted(&b, s);
  else put_octal(&b, s);
  hm_str word = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return word;
}
