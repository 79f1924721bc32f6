#include "gen/check/secrets.h"

#include <string.h>

#include "core/base/text.h"
#include "gen/check/words.h"
#include "gen/render/escape.h"

enum {
  HEAD = 8,
  SLUG_MAX = 256,
  DIGEST = 9
}; /* "-1a2b3c4d", which a slug has where it loses something */

void hm_secrets_init(hm_secrets *s, hm_arena *a) {
  *s = (hm_secrets){ .a = a };
  hm_map_init(&s->at, a, 64);
}

/* --- adding -------------------------------------------------------------------- */

static void add_secret(hm_secrets *s, hm_str words, uint32_t source, bool cut) {
  if (hm_map_get(&s->at, words) != HM_MAP_NONE) return;
  if (s->n == s->cap) {
    size_t cap = s->cap ? 2 * s->cap : 64;
    hm_secret *v = hm_alloc_array(s->a, cap, sizeof *v);
    if (s->n) memcpy(v, s->v, s->n * sizeof *v);
    s->v = v;
    s->cap = cap;
  }
  words = hm_str_dup(s->a, words);
  hm_map_add(&s->at, words, (uint32_t)s->n);
  s->v[s->n++] = (hm_secret){ words, source, cut };
}

static size_t word_end(hm_str words, size_t i) {
  const char *gap = memchr(words.p + i, ' ', words.n - i);
  return gap ? (size_t)(gap - words.p) : words.n;
}

/* words: with single spaces between them. */
static bool add_blocks(hm_secrets *s, hm_str words, uint32_t source) {
  bool any = false;
  for (size_t from = 0, to; from < words.n; from = to + 1) {
    bool cut = false;
    size_t end = from;
    to = from;
    do {
      size_t word = to > from ? to + 1 : from;
      to = word_end(words, word);
      cut = to - word > HM_SECRET_WORD;
      end = cut ? word + HM_SECRET_WORD : to;
    } while (end - from < HM_SECRET_BLOCK && to < words.n);
    bool whole = from == 0 && end - from >= HM_SECRET_LEAST;
    if (!whole && end - from < HM_SECRET_BLOCK) break;
    add_secret(s, hm_str_sub(words, from, end), source, cut);
    any = true;
  }
  return any;
}

static bool has_any(hm_str s, const char *bytes) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] && strchr(bytes, s.p[i])) return true;
  return false;
}

static bool is_ascii(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] & 0x80) return false;
  return true;
}

static hm_str spaced(hm_arena *a, hm_str words) {
  hm_str copy = hm_str_dup(a, words);
  for (char *p = (char *)copy.p, *end = p + copy.n; p < end; p++)
    if (*p == '\n') *p = ' ';
  return copy;
}

bool hm_secrets_add(hm_secrets *s, hm_str text, uint32_t source) {
  hm_arena *tmp = hm_arena_new();
  hm_str clean = hm_clean(tmp, text);
  bool any = add_blocks(s, hm_words_of(tmp, text, HM_WORDS_PLAIN), source);
  if (!hm_str_eq(clean, text))
    any |= add_blocks(s, hm_words_of(tmp, clean, HM_WORDS_PLAIN), source);
  if (has_any(text, "&%"))
    any |= add_blocks(s, spaced(tmp, hm_words_of(tmp, text, HM_WORDS_HTML)), source);
  hm_str slug = text.n <= SLUG_MAX ? hm_text_slug(tmp, text) : HM_EMPTY;
  add_blocks(s, hm_words_of(tmp, slug, HM_WORDS_PLAIN),
             source); /* its digest says nothing of the text's length */
  if (!is_ascii(text)) {
    any |= add_blocks(s, hm_words_of(tmp, hm_text_name(tmp, text), HM_WORDS_PLAIN), source);
    if (slug.n > DIGEST)
      add_blocks(s, hm_words_of(tmp, hm_str_sub(slug, 0, slug.n - DIGEST), HM_WORDS_PLAIN), source);
  }
  hm_arena_free(tmp);
  return any;
}

/* --- searching ------------------------------------------------------------------ */

static uint64_t head_of(const char *p) {
  uint64_t head;
  memcpy(&head, p, HEAD);
  return head;
}

static uint64_t bit_of(const hm_secrets *s, const char *p) {
  return (head_of(p) * 0x9E3779B97F4A7C15u) >> s->shift;
}

static uint64_t *lengths_of(hm_secrets *s, hm_str head) {
  uint32_t group = hm_map_add(&s->group_at, head, (uint32_t)s->n_groups);
  if (group == s->n_groups) s->lengths[s->n_groups++] = 0;
  return &s->lengths[group];
}

void hm_secrets_seal(hm_secrets *s) {
  int bits = 12;
  while (((size_t)1 << bits) < 32 * s->n && bits < 30) bits++;
  s->shift = 64 - bits;
  s->maybe = hm_alloc_array(s->a, (size_t)1 << (bits - 6), sizeof *s->maybe);
  s->lengths = hm_alloc_array(s->a, s->n + 1, sizeof *s->lengths);
  hm_map_init(&s->group_at, s->a, s->n);
  for (size_t i = 0; i < s->n; i++) {
    hm_str words = s->v[i].words;
    uint64_t bit = bit_of(s, words.p);
    s->maybe[bit >> 6] |= (uint64_t)1 << (bit & 63);
    *lengths_of(s, hm_str_sub(words, 0, HEAD)) |= (uint64_t)1 << (words.n - HM_SECRET_LEAST);
  }
}

static bool is_gap(char c) { return c == ' ' || c == '\n'; }

static bool is_wide(char c) { return c & 0x80; }

/* A word may begin here. */
static bool begins(const char *p) {
  if (is_gap(*p)) return false;
  return is_gap(p[-1]) || ((unsigned char)*p >= 0xC0) || is_wide(p[-1]);
}

static bool ends(const hm_secret *s, const char *end) {
  return s->cut || is_gap(*end) || is_wide(*end) || is_wide(end[-1]);
}

static bool may_begin(const hm_secrets *s, const char *p) {
  uint64_t bit = bit_of(s, p);
  return s->maybe[bit >> 6] >> (bit & 63) & 1;
}

void hm_secrets_search(const hm_secrets *s, hm_str words, bool begun,
                       void (*each)(void *ctx, uint32_t secret, size_t at), void *ctx) {
  if (!s->n) return;
  for (size_t i = 1; i + HEAD < words.n; i++) {
    const char *p = words.p + i;
    if (!begins(p) || !may_begin(s, p)) continue;
    uint32_t group = hm_map_get(&s->group_at, (hm_str){ p, HEAD });
    if (group == HM_MAP_NONE) continue;
    for (uint64_t left = s->lengths[group]; left; left &= left - 1) {
      size_t n = HM_SECRET_LEAST + (size_t)__builtin_ctzll(left);
      if (i + n >= words.n) break;
      uint32_t k = hm_map_get(&s->at, (hm_str){ p, n });
      if (k != HM_MAP_NONE && (begun || ends(&s->v[k], p + n))) each(ctx, k, i);
    }
  }
}
