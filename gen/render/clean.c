#include "gen/render/escape_impl.h"

#include <string.h>

#include "core/base/text.h"

/* What a run of becomes one space. */
static bool is_break(uint32_t cp) {
  return cp == ' ' || (cp >= 9 && cp <= 13) || cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

bool hm_wide_space(uint32_t cp) {
  return cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

/* True when the n bytes at p, which decoded to U+FFFD, are that character. */
static bool is_replacement(const char *p, size_t n) { return n == 3 && (unsigned char)p[0] == 0xEF; }

/* Steps over one non-ASCII character; false when it cannot stay as it is. */
static bool stays(hm_str s, size_t *i) {
  size_t from = *i;
  uint32_t cp = hm_text_next(s, i);
  if (cp == 0xFFFD) return is_replacement(s.p + from, *i - from);
  if (hm_wide_space(cp)) return from > 0 && *i < s.n;
  return !hm_text_hidden(cp);
}

/* Seven of eight bytes in a word have nothing to be looked at: visible ASCII, and no two spaces together. The eighth is
 * the first of the next seven. */
static bool plain_word(uint64_t w) {
  const uint64_t ones = 0x0101010101010101u, high = ones << 7;
  uint64_t low = (w - ones * 0x20) | (w + ones) | w;      /* high bit: below 0x20, 0x7F, or not ASCII */
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
