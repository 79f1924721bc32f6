#include "gen/render/escape_impl.h"

#include <string.h>

#include "core/base/text.h"

static bool is_alnum(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_one_of(unsigned char c, const char *set) { return c && strchr(set, c); }

void hm_url_put(hm_buf *b, hm_str url) {
  static const char hex[] = "0123456789ABCDEF";
  for (size_t i = 0; i < url.n; i++) {
    unsigned char c = (unsigned char)url.p[i];
    if (c == '&') hm_buf_c(b, "&amp;");
    else if (is_alnum(c) || is_one_of(c, "-._~/?#=%:@+,;!*'")) hm_buf_ch(b, (char)c);
    else hm_buf_add(b, (char[]){ '%', hex[c >> 4], hex[c & 15] }, 3);
  }
}

bool hm_url_web(hm_str url) {
  size_t scheme = hm_str_starts(url, "https://") ? 8 : hm_str_starts(url, "http://") ? 7 : 0;
  return scheme && scheme < url.n && !is_one_of((unsigned char)url.p[scheme], "/?#:@.");
}

static bool is_own_path(hm_str url) {
  if (url.n == 0 || url.p[0] == '/') return false;
  for (size_t i = 0; i < url.n; i++)
    if (!is_alnum((unsigned char)url.p[i]) && !is_one_of((unsigned char)url.p[i], "./_#-")) return false;
  return true;
}

/* No white space, no backslash, nothing that is not shown. */
static bool is_plain(hm_str url) {
  for (size_t i = 0; i < url.n;) {
    uint32_t cp = hm_text_next(url, &i);
    if (cp <= ' ' || cp == '\\' || cp == 0xFFFD || hm_wide_space(cp) || hm_text_hidden(cp)) return false;
  }
  return true;
}

bool hm_url_safe(hm_str url) { return is_own_path(url) || (hm_url_web(url) && is_plain(url)); }

void hm_md_url(hm_buf *b, hm_str url) {
  if (hm_url_safe(url)) hm_url_put(b, url);
  else hm_buf_ch(b, '#');
}
