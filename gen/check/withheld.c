/* Converts texts to words, and finds all places of a set of texts: withheld.h. */
#include "gen/check/withheld.h"

#include <string.h>

#include "core/base/slug.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "gen/check/check_impl.h"
#include "core/markdown/escape.h"

/* --- words --------------------------------------------------------------------------- */

enum { IS_WORD = 1, IS_MARK = 2, IS_CODE = 4 }; /* a word's byte; markup; begins an escape */

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
  char gap; /* what stands between the last word and the next, or 0 */
} writer;

static void append_byte(writer *w, unsigned char c) {
  if (w->gap)
    w->out[w->n++] = w->gap;
  w->gap = 0;
  w->out[w->n++] = hm_ascii_lower((char)c);
}

static void append_gap(writer *w, bool mark) {
  if (mark)
    w->gap = '\n';
  else if (!w->gap)
    w->gap = ' ';
}

static bool is_word(unsigned char c) { return classes[HM_WORDS_PLAIN][c]; }

/* A character that was escaped: never markup. */
static void append_char(writer *w, uint32_t cp) {
  hm_buf utf8 = { 0 };
  if (cp < 0x80) {
    if (is_word((unsigned char)cp))
      append_byte(w, (unsigned char)cp);
    else
      append_gap(w, false);
    return;
  }
  hm_text_append(&utf8, cp);
  for (size_t i = 0; i < utf8.n; i++)
    append_byte(w, (unsigned char)utf8.p[i]);
  hm_buf_free(&utf8);
}

/* n hex digits at s.p[i], or -1. */
static long hex_at(hm_str s, size_t i, size_t n) {
  long v = 0;
  if (i + n > s.n)
    return -1;
  for (size_t k = 0; k < n; k++) {
    int d = hm_hex_value(s.p[i + k]);
    if (d < 0)
      return -1;
    v = v * 16 + d;
  }
  return v;
}

/* Bytes of "\\u00e9" or of a pair of them at i, or 0. */
static size_t read_json_unit(hm_str s, size_t i, uint32_t *cp) {
  long high = i + 1 < s.n && s.p[i + 1] == 'u' ? hex_at(s, i + 2, 4) : -1;
  if (high < 0)
    return 0;
  *cp = (uint32_t)high;
  if (high < 0xD800 || high >= 0xDC00 || i + 7 >= s.n || s.p[i + 6] != '\\' || s.p[i + 7] != 'u')
    return 6;
  long low = hex_at(s, i + 8, 4);
  if (low < 0xDC00 || low >= 0xE000)
    return 6;
  *cp = 0x10000 + (((uint32_t)high - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
  return 12;
}

/* What '\\', '&', '%' or '`' begins at i. Returns its bytes. */
static size_t append_code(writer *w, hm_str s, size_t i, hm_words_format as) {
  uint32_t cp = 0;
  size_t n = 0;
  if (s.p[i] == '`') { /* the escaper writes the '@' of an e-mail address as "`@`" */
    bool at = hm_str_starts(hm_str_sub(s, i, s.n), "`@`");
    append_gap(w, !at);
    return at ? 3 : 1;
  }
  if (s.p[i] == '\\' && as == HM_WORDS_JSON)
    n = read_json_unit(s, i, &cp);
  else if (s.p[i] == '&')
    n = hm_decode_char_reference(s, i, &cp);
  long byte = s.p[i] == '%' ? hex_at(s, i + 1, 2) : -1;
  if (byte >= 0) {
    if (is_word((unsigned char)byte))
      append_byte(w, (unsigned char)byte);
    else
      append_gap(w, false);
    return 3;
  }
  if (n) {
    append_char(w, cp);
    return n;
  }
  append_gap(w, false);
  bool escapes =
      s.p[i] == '\\' && i + 1 < s.n && (as == HM_WORDS_JSON || !is_word((unsigned char)s.p[i + 1]));
  return escapes ? 2 : 1;
}

void hm_words_detect_encoding(hm_str s, bool *coded, bool *wide) {
  *coded = *wide = false;
  for (size_t i = 0; i < s.n; i++) {
    *coded |= s.p[i] == '&' || s.p[i] == '%';
    *wide |= (s.p[i] & 0x80) != 0;
  }
}

size_t hm_extract_words(char *out, size_t *n, hm_str s, hm_words_format as, size_t stop) {
  const unsigned char *class = classes[as];
  writer w = { .out = out, .gap = '\n' };
  size_t i = 0;
  while (i < s.n && w.n <= stop) {
    unsigned char byte = (unsigned char)s.p[i], what = class[byte];
    if (what == IS_WORD)
      append_byte(&w, byte), i++;
    else if (what == IS_CODE)
      i += append_code(&w, s, i, as);
    else
      append_gap(&w, what == IS_MARK), i++;
  }
  if (w.n == 0)
    out[w.n++] = '\n';
  out[w.n++] = '\n';
  *n = w.n;
  return i;
}

hm_str hm_copy_as_words(hm_arena *a, hm_str s, hm_words_format as) {
  char *p = hm_alloc(a, s.n + 2);
  size_t n;
  hm_extract_words(p, &n, s, as, SIZE_MAX);
  return n > 2 ? (hm_str){ p + 1, n - 2 } : HM_EMPTY;
}

hm_words_format hm_words_format_of_path(hm_str path) {
  static const struct {
    const char *end;
    hm_words_format as;
  } kinds[] = { { ".md", HM_WORDS_MARKDOWN }, { ".html", HM_WORDS_HTML },
                { ".htm", HM_WORDS_HTML },    { ".svg", HM_WORDS_HTML },
                { ".xml", HM_WORDS_HTML },    { ".json", HM_WORDS_JSON },
                { ".jsonl", HM_WORDS_JSON } };
  for (size_t i = 0; i < HM_COUNT(kinds); i++)
    if (hm_str_ends(path, kinds[i].end))
      return kinds[i].as;
  return HM_WORDS_PLAIN;
}

/* --- secrets ------------------------------------------------------------------------- */

/* DIGEST: "-1a2b3c4d", which a slug has where it loses something. */
enum { HEAD = 8, SLUG_MAX = 256, DIGEST = 9 };

void hm_withheld_init(hm_withheld *s, hm_arena *a) {
  *s = (hm_withheld){ .a = a };
  hm_map_init(&s->at, a, 64);
}

/* --- adding -------------------------------------------------------------------- */

static void add_secret(hm_withheld *s, hm_str words, uint32_t source, bool cut) {
  if (hm_map_get(&s->at, words) != HM_MAP_NONE)
    return;
  s->v = hm_array_grow_in(s->a, s->v, s->n, &s->cap, sizeof *s->v);
  words = hm_str_dup(s->a, words);
  hm_map_add(&s->at, words, (uint32_t)s->n);
  s->v[s->n++] = (hm_withheld_text){ words, source, cut };
}

/* words: with single spaces between them. */
static bool add_blocks(hm_withheld *s, hm_str words, uint32_t source) {
  bool any = false;
  for (size_t from = 0, to; from < words.n; from = to + 1) {
    bool cut = false;
    size_t end = from;
    to = from;
    do {
      size_t word = to > from ? to + 1 : from;
      const char *gap = memchr(words.p + word, ' ', words.n - word);
      to = gap ? (size_t)(gap - words.p) : words.n;
      cut = to - word > HM_WITHHELD_WORD;
      end = cut ? word + HM_WITHHELD_WORD : to;
    } while (end - from < HM_WITHHELD_BLOCK && to < words.n);
    bool whole = from == 0 && end - from >= HM_WITHHELD_LEAST;
    if (!whole && end - from < HM_WITHHELD_BLOCK)
      break;
    add_secret(s, hm_str_sub(words, from, end), source, cut);
    any = true;
  }
  return any;
}

bool hm_withheld_add(hm_withheld *s, hm_str text, uint32_t source) {
  hm_arena *tmp = hm_arena_new();
  hm_str clean = hm_clean_text(tmp, text);
  bool any = add_blocks(s, hm_copy_as_words(tmp, text, HM_WORDS_PLAIN), source);
  if (!hm_str_eq(clean, text))
    any |= add_blocks(s, hm_copy_as_words(tmp, clean, HM_WORDS_PLAIN), source);
  bool coded, wide;
  hm_words_detect_encoding(text, &coded, &wide);
  if (coded) {
    hm_str words = hm_str_dup(tmp, hm_copy_as_words(tmp, text, HM_WORDS_HTML));
    for (char *p = (char *)words.p, *end = p + words.n; p < end; p++)
      if (*p == '\n')
        *p = ' ';
    any |= add_blocks(s, words, source);
  }
  hm_str slug = text.n <= SLUG_MAX ? hm_text_slug(tmp, text, HM_SLUG_ASCII) : HM_EMPTY;
  /* Its digest says nothing of the text's length. */
  add_blocks(s, hm_copy_as_words(tmp, slug, HM_WORDS_PLAIN), source);
  if (wide) {
    any |=
        add_blocks(s, hm_copy_as_words(tmp, hm_text_fold_name(tmp, text), HM_WORDS_PLAIN), source);
    if (slug.n > DIGEST)
      add_blocks(s, hm_copy_as_words(tmp, hm_str_sub(slug, 0, slug.n - DIGEST), HM_WORDS_PLAIN),
                 source);
  }
  hm_arena_free(tmp);
  return any;
}

/* --- searching ------------------------------------------------------------------ */

static uint64_t bit_of(const hm_withheld *s, const char *p) {
  uint64_t head;
  memcpy(&head, p, HEAD);
  return (head * 0x9E3779B97F4A7C15u) >> s->shift;
}

void hm_withheld_seal(hm_withheld *s) {
  int bits = 12;
  while (((size_t)1 << bits) < 32 * s->n && bits < 30)
    bits++;
  s->shift = 64 - bits;
  s->maybe = hm_alloc_array(s->a, (size_t)1 << (bits - 6), sizeof *s->maybe);
  s->lengths = hm_alloc_array(s->a, s->n + 1, sizeof *s->lengths);
  hm_map_init(&s->group_at, s->a, s->n);
  for (size_t i = 0; i < s->n; i++) {
    hm_str words = s->v[i].words;
    uint64_t bit = bit_of(s, words.p);
    s->maybe[bit >> 6] |= (uint64_t)1 << (bit & 63);
    uint32_t group = hm_map_add(&s->group_at, hm_str_sub(words, 0, HEAD), (uint32_t)s->n_groups);
    if (group == s->n_groups)
      s->lengths[s->n_groups++] = 0;
    s->lengths[group] |= (uint64_t)1 << (words.n - HM_WITHHELD_LEAST);
  }
}

static bool is_gap(char c) { return c == ' ' || c == '\n'; }

static bool is_wide(char c) { return c & 0x80; }

static bool word_may_begin(const char *p) {
  if (is_gap(*p))
    return false;
  return is_gap(p[-1]) || ((unsigned char)*p >= 0xC0) || is_wide(p[-1]);
}

static bool word_may_end(const hm_withheld_text *s, const char *end) {
  return s->cut || is_gap(*end) || is_wide(*end) || is_wide(end[-1]);
}

static bool secret_may_begin(const hm_withheld *s, const char *p) {
  uint64_t bit = bit_of(s, p);
  return s->maybe[bit >> 6] >> (bit & 63) & 1;
}

void hm_withheld_search(const hm_withheld *s, hm_str words, bool begun,
                        void (*each)(void *ctx, uint32_t secret, size_t at), void *ctx) {
  if (!s->n)
    return;
  for (size_t i = 1; i + HEAD < words.n; i++) {
    const char *p = words.p + i;
    if (!word_may_begin(p) || !secret_may_begin(s, p))
      continue;
    uint32_t group = hm_map_get(&s->group_at, (hm_str){ p, HEAD });
    if (group == HM_MAP_NONE)
      continue;
    for (uint64_t left = s->lengths[group]; left; left &= left - 1) {
      size_t n = HM_WITHHELD_LEAST + (size_t)__builtin_ctzll(left);
      if (i + n >= words.n)
        break;
      uint32_t k = hm_map_get(&s->at, (hm_str){ p, n });
      if (k != HM_MAP_NONE && (begun || word_may_end(&s->v[k], p + n)))
        each(ctx, k, i);
    }
  }
}
