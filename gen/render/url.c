#include "gen/render/escape_impl.h"

#include <string.h>

#include "core/base/text.h"

/* May stand in a URL as it is; of those what our own paths are made of. */
enum { KEPT = 1, OWN = 2 };
static const unsigned char classes[256] = {
  ['0' ... '9'] = KEPT | OWN, ['a' ... 'z'] = KEPT | OWN, ['A' ... 'Z'] = KEPT | OWN,
  ['.'] = KEPT | OWN, ['/'] = KEPT | OWN, ['_'] = KEPT | OWN, ['#'] = KEPT | OWN, ['-'] = KEPT | OWN,
  ['~'] = KEPT, ['?'] = KEPT, ['='] = KEPT, ['%'] = KEPT, [':'] = KEPT, ['@'] = KEPT, ['+'] = KEPT, [','] = KEPT, [';'] = KEPT,
  ['!'] = KEPT, ['*'] = KEPT, ['\''] = KEPT,
};

/* How many bytes at the beginning are of the class. */
static size_t run_of(hm_str s, size_t from, int class) {
  size_t i = from;
  while (i < s.n && classes[(unsigned char)s.p[i]] & class) i++;
  return i - from;
}

void hm_url_put(hm_buf *b, hm_str url) {
  static const char hex[] = "0123456789ABCDEF";
  for (size_t i = 0; i < url.n; i++) {
    size_t kept = run_of(url, i, KEPT);
    hm_buf_add(b, url.p + i, kept);
    if ((i += kept) == url.n) break;
    unsigned char c = (unsigned char)url.p[i];
    if (c == '&') hm_buf_c(b, "&amp;");
    else hm_buf_add(b, (char[]){ '%', hex[c >> 4], hex[c & 15] }, 3);
  }
}

bool hm_url_web(hm_str url) {
  size_t scheme = hm_str_starts(url, "https://") ? 8 : hm_str_starts(url, "http://") ? 7 : 0;
  return scheme && scheme < url.n && !memchr("/?#:@.", url.p[scheme], 6);
}

static bool is_own_path(hm_str url) { return url.n && url.p[0] != '/' && run_of(url, 0, OWN) == url.n; }

/* No white space, no backslash, nothing that is not shown. */
static bool is_plain(hm_str url) {
  for (size_t i = 0; i < url.n;) {
    uint32_t cp = hm_text_next(url, &i);
    if (cp <= ' ' || cp == '\\' || cp == 0xFFFD || hm_wide_space(cp) || hm_text_hidden(cp)) return false;
  }
  return true;
}

bool hm_url_safe(hm_str url) { return is_own_path(url) || (hm_url_web(url) && is_plain(url)); }

void hm_html_url(hm_buf *b, hm_str url) {
  if (hm_url_safe(url)) hm_url_put(b, url);
  else hm_buf_ch(b, '#');
}

/* A letter or digit at i; an ASCII one, as every reader of Markdown knows them. */
static bool word_at(hm_str s, size_t i) {
  return i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= 'A' && s.p[i] <= 'Z'));
}

/* What could end an emphasis that began before the link, for readers who look for that first. */
static bool emphasizes(hm_str s, size_t i) {
  return s.p[i] == '*' || (s.p[i] == '_' && !(i && word_at(s, i - 1) && word_at(s, i + 1)));
}

void hm_md_url(hm_buf *b, hm_str url) {
  size_t from = 0;
  if (!hm_url_safe(url)) {
    hm_buf_ch(b, '#');
    return;
  }
  for (size_t i = 0; i < url.n; i++) {
    if (!emphasizes(url, i)) continue;
    hm_url_put(b, hm_str_sub(url, from, i));
    hm_buf_ch(b, '\\');
    from = i;
  }
  hm_url_put(b, hm_str_sub(url, from, url.n));
}
