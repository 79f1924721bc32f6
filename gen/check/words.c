#include "gen/check/words.h"

#include <string.h>

#include "core/base/text.h"
#include "gen/check/link.h"

enum { IS_WORD = 1, IS_MARK = 2, IS_CODE = 4 };   /* a word's byte; markup; begins an escape */

#define WORDS                                                                                      \
  ['0' ... '9'] = IS_WORD, ['A' ... 'Z'] = IS_WORD, ['a' ... 'z'] = IS_WORD,                       \
           [0x80 ... 0xFF] = IS_WORD

/* What a byte is in each kind of text. */
static const unsigned char classes[HM_N_WORDS][256] = {
  [HM_WORDS_PLAIN] = { WORDS },
  [HM_WORDS_MARKDOWN] = { WORDS, ['|'] = IS_MARK, ['*'] = IS_MARK, ['['] = IS_MARK, [']'] = IS_MARK,
                          ['<'] = IS_MARK, ['>'] = IS_MARK, ['`'] = IS_CODE, ['\n'] = IS_MARK,
                          ['\\'] = IS_CODE, ['&'] = IS_CODE, ['%'] = IS_CODE },
  [HM_WORDS_HTML] = { WORDS, ['<'] = IS_MARK, ['>'] = IS_MARK, ['"'] = IS_MARK, ['\n'] = IS_MARK,
                      ['&'] = IS_CODE, ['%'] = IS_CODE },
  [HM_WORDS_JSON] = { WORDS, ['"'] = IS_MARK, ['\\'] = IS_CODE },
};

typedef struct {
  char *out;
  size_t n;
  char gap;
} writer; /* gap: what stands between the last word and the next, or 0 */

static void put_byte(writer *w, unsigned char c) {
  if (w->gap) w->out[w->n++] = w->gap;
  w->gap = 0;
  w->out[w->n++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static void put_gap(writer *w, bool mark) {
  if (mark) w->gap = '\n';
  else if (!w->gap) w->gap = ' ';
}

static bool is_word(unsigned char c) { return classes[HM_WORDS_PLAIN][c]; }

/* A character that was escaped: never markup. */
static void put_char(writer *w, uint32_t cp) {
  hm_buf utf8 = { 0 };
  if (cp < 0x80) {
    if (is_word((unsigned char)cp)) put_byte(w, (unsigned char)cp);
    else put_gap(w, false);
    return;
  }
  hm_text_put(&utf8, cp);
  for (size_t i = 0; i < utf8.n; i++) put_byte(w, (unsigned char)utf8.p[i]);
  hm_buf_free(&utf8);
}

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* n hex digits at s.p[i], or -1. */
static long hex_at(hm_str s, size_t i, size_t n) {
  long v = 0;
  if (i + n > s.n) return -1;
  for (size_t k = 0; k < n; k++) {
    int d = hex(s.p[i + k]);
    if (d < 0) return -1;
    v = v * 16 + d;
  }
  return v;
}

/* Bytes of "\\u00e9" or of a pair of them at i, or 0. */
static size_t json_unit(hm_str s, size_t i, uint32_t *cp) {
  long high = i + 1 < s.n && s.p[i + 1] == 'u' ? hex_at(s, i + 2, 4) : -1;
  if (high < 0) return 0;
  *cp = (uint32_t)high;
  if (high < 0xD800 || high >= 0xDC00 || i + 7 >= s.n || s.p[i + 6] != '\\' || s.p[i + 7] != 'u')
    return 6;
  long low = hex_at(s, i + 8, 4);
  if (low < 0xDC00 || low >= 0xE000) return 6;
  *cp = 0x10000 + (((uint32_t)high - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
  return 12;
}

/* What '\\', '&', '%' or '`' begins at i. Returns its bytes. */
static size_t put_code(writer *w, hm_str s, size_t i, hm_words_as as) {
  uint32_t cp = 0;
  size_t n = 0;
  if (s.p[i] == '`') {   /* the escaper writes the '@' of an e-mail address as "`@`" */
    bool at = hm_str_starts(hm_str_sub(s, i, s.n), "`@`");
    put_gap(w, !at);
    return at ? 3 : 1;
  }
  if (s.p[i] == '\\' && as == HM_WORDS_JSON) n = json_unit(s, i, &cp);
  else if (s.p[i] == '&') n = hm_entity_at(s, i, &cp);
  else if (s.p[i] == '%' && hex_at(s, i + 1, 2) >= 0) {
    unsigned char byte = (unsigned char)hex_at(s, i + 1, 2);
    if (is_word(byte)) put_byte(w, byte);
    else put_gap(w, false);
    return 3;
  }
  if (n) { put_char(w, cp); return n; }
  put_gap(w, false);
  bool escapes =
      s.p[i] == '\\' && i + 1 < s.n && (as == HM_WORDS_JSON || !is_word((unsigned char)s.p[i + 1]));
  return escapes ? 2 : 1;
}

size_t hm_words(char *out, size_t *n, hm_str s, hm_words_as as, size_t stop) {
  const unsigned char *class = classes[as];
  writer w = { .out = out, .gap = '\n' };
  size_t i = 0;
  while (i < s.n && w.n <= stop) {
    unsigned char byte = (unsigned char)s.p[i], what = class[byte];
    if (what == IS_WORD) put_byte(&w, byte), i++;
    else if (what == IS_CODE) i += put_code(&w, s, i, as);
    else put_gap(&w, what == IS_MARK), i++;
  }
  if (w.n == 0) out[w.n++] = '\n';
  out[w.n++] = '\n';
  *n = w.n;
  return i;
}

hm_str hm_words_of(hm_arena *a, hm_str s, hm_words_as as) {
  char *p = hm_alloc(a, s.n + 2);
  size_t n;
  hm_words(p, &n, s, as, SIZE_MAX);
  return n > 2 ? (hm_str){ p + 1, n - 2 } : HM_EMPTY;
}

hm_words_as hm_words_kind(hm_str path) {
  static const struct { const char *end; hm_words_as as;
  } kinds[] = { { ".md", HM_WORDS_MARKDOWN }, { ".html", HM_WORDS_HTML },
                { ".htm", HM_WORDS_HTML },    { ".svg", HM_WORDS_HTML },
                { ".xml", HM_WORDS_HTML },    { ".json", HM_WORDS_JSON },
                { ".jsonl", HM_WORDS_JSON } };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (hm_str_ends(path, kinds[i].end)) return kinds[i].as;
  return HM_WORDS_PLAIN;
}
