#include "core/base/text.h"

#include <string.h>

#include "core/base/text_impl.h"

/* What may follow a lead byte (Unicode 15, table 3-7): the range of the second
 * byte differs for some leads, all further ones are 80..BF. */
typedef struct { unsigned char from, to, tail, low, high, bits; } lead_rule;
static const lead_rule leads[] = {
  { 0xC2, 0xDF, 1, 0x80, 0xBF, 0x1F }, { 0xE0, 0xE0, 2, 0xA0, 0xBF, 0x0F },
  { 0xE1, 0xEC, 2, 0x80, 0xBF, 0x0F }, { 0xED, 0xED, 2, 0x80, 0x9F, 0x0F },
  { 0xEE, 0xEF, 2, 0x80, 0xBF, 0x0F }, { 0xF0, 0xF0, 3, 0x90, 0xBF, 0x07 },
  { 0xF1, 0xF3, 3, 0x80, 0xBF, 0x07 }, { 0xF4, 0xF4, 3, 0x80, 0x8F, 0x07 },
};

static const lead_rule *rule_of(unsigned char c) {
  for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
    if (c >= leads[i].from && c <= leads[i].to) return &leads[i];
  return NULL;
}

size_t hm_utf8_step(hm_str s, size_t i, uint32_t *cp) {
  const unsigned char *p = (const unsigned char *)s.p + i;
  *cp = p[0];
  if (p[0] < 0x80) return 1;
  *cp = HM_BAD_BYTES;
  const lead_rule *r = rule_of(p[0]);
  if (!r) return 1;
  uint32_t v = p[0] & r->bits;
  unsigned char low = r->low, high = r->high;
  for (size_t k = 1; k <= r->tail; k++) {
    if (i + k >= s.n || p[k] < low || p[k] > high) return k;
    v = v << 6 | (p[k] & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  *cp = v;
  return (size_t)r->tail + 1;
}

size_t hm_ascii_prefix(hm_str s) {
  size_t i = 0;
  for (uint64_t w; i + sizeof w <= s.n; i += sizeof w) {
    memcpy(&w, s.p + i, sizeof w);
    if (w & 0x8080808080808080u) break;
  }
  while (i < s.n && !(s.p[i] & 0x80)) i++;
  return i;
}

size_t hm_text_valid_prefix(hm_str s) {
  size_t i = 0;
  while (i < s.n) {
    i += hm_ascii_prefix((hm_str){ s.p + i, s.n - i });
    if (i == s.n) break;
    uint32_t cp;
    size_t step = hm_utf8_step(s, i, &cp);
    if (cp == HM_BAD_BYTES) return i;
    i += step;
  }
  return i;
}

hm_str hm_text_repair(hm_arena *a, hm_str s) {
  size_t good = hm_text_valid_prefix(s);
  if (good == s.n) return s;
  hm_buf b = { 0 };
  while (s.n) {
    hm_buf_add(&b, s.p, good);
    s = hm_str_sub(s, good, s.n);
    if (!s.n) break;
    uint32_t cp;
    s = hm_str_sub(s, hm_utf8_step(s, 0, &cp), s.n);
    hm_text_put(&b, HM_REPLACEMENT);
    good = hm_text_valid_prefix(s);
  }
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

uint32_t hm_text_next(hm_str s, size_t *i) {
  uint32_t cp;
  if (*i >= s.n) return HM_REPLACEMENT;
  *i += hm_utf8_step(s, *i, &cp);
  return cp == HM_BAD_BYTES ? HM_REPLACEMENT : cp;
}

size_t hm_utf8_encode(char out[4], uint32_t cp) {
  if (cp < 0x80) {
    out[0] = (char)cp;
    return 1;
  }
  if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF)) cp = HM_REPLACEMENT;
  size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
  static const unsigned char mark[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
  for (size_t k = n - 1; k > 0; k--, cp >>= 6) out[k] = (char)(0x80 | (cp & 0x3F));
  out[0] = (char)(mark[n] | cp);
  return n;
}

void hm_text_put(hm_buf *b, uint32_t cp) {
  char bytes[4];
  hm_buf_add(b, bytes, hm_utf8_encode(bytes, cp));
}

hm_str hm_text_cut(hm_str s, size_t max) {
  if (s.n <= max) return s;
  for (size_t back = 1; back <= 3 && back <= max; back++) {
    if ((s.p[max - back] & 0xC0) == 0x80) continue;
    uint32_t cp;
    size_t step = hm_utf8_step(s, max - back, &cp);
    if (step > back && cp != HM_BAD_BYTES) return hm_str_sub(s, 0, max - back);
    break;
  }
  return hm_str_sub(s, 0, max);
}

typedef struct { uint32_t from, to; } range;
static const range hidden[] = {
  { 0x0000, 0x001F }, { 0x007F, 0x009F }, { 0x00AD, 0x00AD }, { 0x034F, 0x034F },
  { 0x061C, 0x061C },
  { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F }, { 0x200B, 0x200F },
  { 0x2028, 0x202E },
  { 0x2060, 0x206F }, { 0x3164, 0x3164 }, { 0xFDD0, 0xFDEF }, { 0xFEFF, 0xFEFF },
  { 0xFFA0, 0xFFA0 },
  { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE0FFF },
};

bool hm_text_hidden(uint32_t cp) {
  if (cp >= 0x20 && cp < 0x7F) return false;
  if ((cp & 0xFFFE) == 0xFFFE) return true;   /* the last two of each plane */
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden && hidden[i].from <= cp; i++)
    if (cp <= hidden[i].to) return true;
  return false;
}
