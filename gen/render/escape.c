/* What every place asks of a fact: clean text; then HTML, and links. Markdown is in md_escape.c. */
#include "gen/render/escape_impl.h"

#include <string.h>

#include "core/base/text.h"

/* --- clean text --------------------------------------------------------------- */

/* What a run of becomes one space. */
static bool is_break(uint32_t cp) {
  return cp == ' ' || (cp >= 9 && cp <= 13) || cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

bool hm_wide_space(uint32_t cp) {
  return cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F ||
         cp == 0x205F || cp == 0x3000;
}

/* True when the n bytes at p, which decoded to U+FFFD, are that character. */
static bool is_replacement(const char *p, size_t n) {
  return n == 3 && (unsigned char)p[0] == 0xEF;
}

/* Steps over one non-ASCII character; false when it cannot stay as it is. */
static bool stays(hm_str s, size_t *i) {
  size_t from = *i;
  uint32_t cp = hm_text_next(s, i);
  if (cp == 0xFFFD) return is_replacement(s.p + from, *i - from);
  if (hm_wide_space(cp)) return from > 0 && *i < s.n;
  return !hm_text_hidden(cp);
}

/* Seven of eight bytes in a word have nothing to be looked at: visible ASCII, and no two spaces
 * together. The eighth is the first of the next seven. */
static bool plain_word(uint64_t w) {
  const uint64_t ones = 0x0101010101010101u, high = ones << 7;
  uint64_t low = (w - ones * 0x20) | (w + ones) | w;   /* high bit: below 0x20, 0x7F, not ASCII */
  uint64_t x = w ^ ones * 0x20, space = ~(((x & ~high) + ~high) | x) & high;
  return !(low & high) && !(space & space >> 8);
}

static size_t plain_run(hm_str s) {
  size_t i = 0;
  for (uint64_t w; i + sizeof w <= s.n; i += sizeof w - 1) {
    memcpy(&w, s.p + i, sizeof w);
    if (!plain_word(w)) break;
  }
  return i;
}

bool hm_is_clean(hm_str s) {
  if (s.n && (s.p[0] == ' ' || s.p[s.n - 1] == ' ')) return false;
  for (size_t i = plain_run(s); i < s.n;) {
    unsigned char c = (unsigned char)s.p[i];
    if (c > 0x20 && c < 0x7F) {   /* nearly all bytes */
      i++;
    } else if (c >= 0x80) {
      if (!stays(s, &i)) return false;
    } else {
      if (c < 0x20 || c == 0x7F || (c == ' ' && (unsigned char)s.p[i + 1] <= ' ')) return false;
      i++;
    }
  }
  return true;
}

void hm_clean_into(hm_buf *b, hm_str s) {
  size_t start = b->n, end = b->n;   /* end: after the last character that is no space */
  bool space = false;
  for (size_t i = 0; i < s.n;) {
    uint32_t cp = hm_text_next(s, &i);
    if (is_break(cp)) {
      space = b->n > start;
      continue;
    }
    bool wide = hm_wide_space(cp);
    if (cp == 0xFEFF || (wide && b->n == start)) continue;
    if (space) hm_buf_ch(b, ' ');
    space = false;
    if (hm_text_hidden(cp)) hm_buf_fmt(b, "\u27E6U+%04X\u27E7", (unsigned)cp);
    else if (cp < 0x80) hm_buf_ch(b, (char)cp);
    else hm_text_put(b, cp);
    if (!wide) end = b->n;
  }
  b->n = end;
}

hm_str hm_clean(hm_arena *a, hm_str fact) {
  if (hm_is_clean(fact)) return fact;
  hm_buf b = { 0 };
  hm_clean_into(&b, fact);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* --- HTML ---------------------------------------------------------------------- */

static const char *const entities[256] = {
  ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
};

static void put_entities(hm_buf *b, hm_str s, bool apostrophes) {
  size_t from = 0;
  for (size_t i = 0; i < s.n; i++) {
    const char *entity = entities[(unsigned char)s.p[i]];
    if (!entity || (s.p[i] == '\'' && !apostrophes)) continue;
    hm_buf_add(b, s.p + from, i - from);
    hm_buf_c(b, entity);
    from = i + 1;
  }
  hm_buf_add(b, s.p + from, s.n - from);
}

void hm_html_put(hm_buf *b, hm_str s) { put_entities(b, s, false); }

void hm_html_escape(hm_buf *b, hm_str fact) {
  hm_buf clean = { 0 };
  if (!hm_is_clean(fact)) {
    hm_clean_into(&clean, fact);
    fact = hm_buf_view(&clean);
  }
  put_entities(b, fact, true);
  hm_buf_free(&clean);
}

/* --- links --------------------------------------------------------------------- */

/* May stand in a URL as it is; of those what our own paths are made of. */
enum { KEPT = 1, OWN = 2 };
static const unsigned char classes[256] = {
  ['0' ... '9'] = KEPT | OWN, ['a' ... 'z'] = KEPT | OWN, ['A' ... 'Z'] = KEPT | OWN,
  ['.'] = KEPT | OWN, ['/'] = KEPT | OWN, ['_'] = KEPT | OWN,
  ['#'] = KEPT | OWN, ['-'] = KEPT | OWN,
  ['~'] = KEPT, ['?'] = KEPT, ['='] = KEPT, ['%'] = KEPT, [':'] = KEPT, ['@'] = KEPT,
  ['+'] = KEPT, [','] = KEPT, [';'] = KEPT,
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

static bool is_own_path(hm_str url) {
  return url.n && url.p[0] != '/' && run_of(url, 0, OWN) == url.n;
}

/* No white space, no backslash, nothing that is not shown. */
static bool is_plain(hm_str url) {
  for (size_t i = 0; i < url.n;) {
    uint32_t cp = hm_text_next(url, &i);
    if (cp <= ' ' || cp == '\\' || cp == 0xFFFD) return false;
    if (hm_wide_space(cp) || hm_text_hidden(cp)) return false;
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
  char c = i < s.n ? s.p[i] : 0;
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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
