/* The words by which rows are alike, an index of them, and the vectors of all rows: alike.h.
 *
 * A word is known by its first bytes, without libstemmer, since a write reads the texts of the
 * whole store once. The index has buckets of such words, with 16 bits of each word in place of
 * it: two words that share both, which is rare, only make one candidate more. */
#include <math.h>
#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/recall/alike_impl.h"
#include "core/recall/recall.h"
#include "core/recall/text_similarity.h"

enum {
  STEM = 5, /* bytes of a word that count */
  CHUNK = 4096,
  BITS_LEAST = 10,
  BITS_MOST = 22
};

/* --- words ------------------------------------------------------------------------------------ */

static bool is_ascii(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if ((unsigned char)s.p[i] >= 0x80)
      return false;
  return true;
}

hm_alike_words hm_alike_words_of(hm_str text, hm_arena *scratch) {
  bool ascii = is_ascii(text);
  hm_alike_words w = { .text = text, .ascii = ascii };
  if (!ascii)
    w.terms = hm_terms_begin(text, scratch);
  return w;
}

static bool is_word(char c) { return hm_is_letter(c) || hm_is_digit(c); }

static void read_case(hm_alike_words *w, size_t from) {
  char c = from < w->text.n ? w->text.p[from] : 0;
  bool within = from > 1 && w->text.p[from - 1] == ' ' && !strchr(".!?", w->text.p[from - 2]);
  w->named = within && hm_is_upper(c);
  w->small = hm_is_letter(c) && !hm_is_upper(c);
}

/* The next word of an ASCII text, folded into room, at most size bytes of it. */
static size_t next_ascii(hm_alike_words *w, char *room, size_t size) {
  size_t i = w->at, n = 0;
  while (i < w->text.n && !is_word(w->text.p[i]))
    i++;
  read_case(w, i);
  for (; i < w->text.n; i++) {
    char c = w->text.p[i];
    bool joins = c == '\'' && hm_letter_at(w->text, i + 1);
    if (!is_word(c) && !joins)
      break;
    if (n < size)
      room[n++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
  }
  w->at = i;
  return n;
}

/* How many bytes of a word are its stem: of "rooms" those of "room", of "cutting" "cut". */
static size_t stem_length(hm_str w) {
  size_t n = w.n;
  if (n > 3 && w.p[n - 1] == 's' && w.p[n - 2] != 's')
    n--;
  size_t ending = hm_str_ends(hm_str_sub(w, 0, n), "ing") ? 3
      : hm_str_ends(hm_str_sub(w, 0, n), "ed")            ? 2
                                                          : 0;
  n -= n >= ending + 3 ? ending : 0;
  if (n > 3 && w.p[n - 1] == w.p[n - 2] && !strchr("lsz", w.p[n - 1]))
    n--;
  return n > 3 && w.p[n - 1] == 'e' ? n - 1 : n;
}

uint32_t hm_alike_stem_hash(hm_str word) {
  uint32_t h = 2166136261u;
  bool number = hm_text_has_digit(word);
  size_t n = number ? word.n : stem_length(word);
  n = n > STEM && !number ? STEM : n;
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)word.p[i]) * 16777619u;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  h ^= h >> 16;
  return h ? h : 1;
}

uint32_t hm_alike_next_hash(hm_alike_words *w) {
  for (;;) {
    size_t from;
    if (w->ascii)
      w->word = (hm_str){ w->room, next_ascii(w, w->room, sizeof w->room) };
    else if (hm_terms_next(&w->terms, &w->word, &from, NULL))
      read_case(w, from);
    else
      return 0;
    if (!w->word.n)
      return 0;
    if (!hm_term_is_function(w->word) && !hm_term_is_light(w->word) && !hm_term_number(w->word).n)
      return hm_alike_stem_hash(w->word);
  }
}

hm_str hm_alike_raw_text(const hm_row *r, hm_arena *a) {
  if (r->layer == HM_MEMORY)
    return r->text;
  if (r->layer == HM_STATE)
    return HM_CAT(a, r->name, HM_STR(" "), r->text);
  return HM_CAT(a, r->name, HM_STR(" "), r->text, HM_STR(" "), r->props);
}

bool hm_alike_is_compared(const hm_row *r) {
  return r->status == HM_ACTIVE && r->layer != HM_RELATION;
}

/* --- the index -------------------------------------------------------------------------------- */

uint16_t hm_alike_tag(uint32_t hash) { return (uint16_t)(hash >> 16); }

/* The hashes of the words of CHUNK rows, each of a row once. */
typedef struct {
  uint32_t (*v)[2]; /* hash, row */
  size_t n, cap;
} chunk;

typedef struct {
  const hm_snapshot *snap;
  size_t n;
  chunk *chunks;
} reading;

size_t hm_alike_hashes(hm_str text, uint32_t *out, size_t most, hm_arena *scratch) {
  hm_alike_words w = hm_alike_words_of(text, scratch);
  size_t n = 0, kept = 0;
  for (uint32_t h; n < most && (h = hm_alike_next_hash(&w)) != 0;)
    out[n++] = h;
  if (n)
    qsort(out, n, sizeof *out, hm_order_u32);
  for (size_t i = 0; i < n; i++)
    if (!i || out[i] != out[kept - 1])
      out[kept++] = out[i];
  return kept;
}

static int read_chunk(void *ctx, size_t at, int worker) {
  const reading *r = ctx;
  chunk *c = &r->chunks[at];
  hm_arena *scratch = hm_arena_new();
  uint32_t own[HM_ALIKE_WORDS];
  (void)worker;
  for (size_t i = at * CHUNK; i < (at + 1) * CHUNK && i < r->n; i++) {
    if (!hm_alike_is_compared(&r->snap->rows[i]))
      continue;
    hm_arena_reset(scratch);
    size_t n = hm_alike_hashes(hm_alike_raw_text(&r->snap->rows[i], scratch), own, HM_ALIKE_WORDS,
                               scratch);
    for (size_t k = 0; k < n; k++) {
      c->v = hm_array_grow(c->v, c->n, &c->cap, sizeof *c->v);
      c->v[c->n][0] = own[k];
      c->v[c->n++][1] = (uint32_t)i;
    }
  }
  hm_arena_free(scratch);
  return 0;
}

hm_alike_index *hm_alike_index_new(const hm_snapshot *snap, int threads, hm_arena *a) {
  hm_alike_index *x = hm_alloc(a, sizeof *x);
  hm_arena *tmp = hm_arena_new();
  reading r = { .snap = snap, .n = snap->first[HM_RELATION] };
  size_t chunks = (r.n + CHUNK - 1) / CHUNK, total = 0, failed;
  r.chunks = hm_alloc_array(tmp, chunks + 1, sizeof *r.chunks);
  if (chunks)
    hm_par_for(chunks, threads, read_chunk, &r, &failed);
  for (size_t i = 0; i < chunks; i++)
    total += r.chunks[i].n;
  x->bits = BITS_LEAST;
  while (x->bits < BITS_MOST && (size_t)1 << x->bits < total / 4)
    x->bits++;
  size_t buckets = (size_t)1 << x->bits, mask = buckets - 1;
  x->first = hm_alloc_array(a, buckets + 2, sizeof *x->first);
  x->rows = hm_alloc_array(a, total + 1, sizeof *x->rows);
  x->tags = hm_alloc_array(a, total + 1, sizeof *x->tags);
  for (size_t i = 0; i < chunks; i++)
    for (size_t k = 0; k < r.chunks[i].n; k++)
      x->first[(r.chunks[i].v[k][0] & mask) + 2]++;
  for (size_t i = 1; i < buckets + 2; i++)
    x->first[i] += x->first[i - 1];
  for (size_t i = 0; i < chunks; i++) {
    for (size_t k = 0; k < r.chunks[i].n; k++) {
      uint32_t hash = r.chunks[i].v[k][0], at = x->first[(hash & mask) + 1]++;
      x->rows[at] = r.chunks[i].v[k][1];
      x->tags[at] = hm_alike_tag(hash);
    }
    free(r.chunks[i].v);
  }
  hm_arena_free(tmp);
  return x;
}

float *hm_alike_shared(const hm_alike_index *x, size_t n_rows, hm_arena *a) {
  enum { TAGS = 256, FEW = 16 };
  float *shared = hm_alloc_array(a, n_rows + 1, sizeof *shared);
  float *all = hm_xmalloc((n_rows + 1) * sizeof *all);
  size_t buckets = (size_t)1 << x->bits;
  memset(all, 0, (n_rows + 1) * sizeof *all);
  for (size_t b = 0; b < buckets; b++) {
    uint32_t of_tag[TAGS] = { 0 };
    for (uint32_t p = x->first[b]; p < x->first[b + 1]; p++)
      of_tag[x->tags[p] % TAGS]++;
    for (uint32_t p = x->first[b]; p < x->first[b + 1]; p++) {
      uint32_t n = of_tag[x->tags[p] % TAGS];
      float worth = logf(((float)n_rows + 100) / ((float)n + 1));
      all[x->rows[p]] += worth;
      shared[x->rows[p]] += n > 1 && n <= FEW ? worth : 0;
    }
  }
  for (size_t i = 0; i < n_rows; i++)
    shared[i] = all[i] > 0 ? shared[i] / all[i] : 0;
  free(all);
  return shared;
}

/* --- the vectors ------------------------------------------------------------------------------ */

typedef struct {
  const hm_snapshot *snap;
  size_t n;
  hm_vector *v;
} embedding;

static int embed_chunk(void *ctx, size_t at, int worker) {
  const embedding *e = ctx;
  hm_arena *own = hm_arena_new(), *scratch = hm_arena_new();
  const hm_similar_vectors *vectors = hm_similar_vectors_new(own);
  (void)worker;
  for (size_t i = at * CHUNK; i < (at + 1) * CHUNK && i < e->n; i++) {
    if (!hm_alike_is_compared(&e->snap->rows[i]))
      continue;
    hm_arena_reset(scratch);
    hm_similar_make_vector(vectors, hm_recall_row_text(&e->snap->rows[i], scratch), scratch,
                           &e->v[i]);
  }
  hm_arena_free(scratch);
  hm_arena_free(own);
  return 0;
}

hm_vector *hm_alike_vectors_new(const hm_snapshot *snap, int threads, hm_arena *a) {
  embedding e = { .snap = snap, .n = snap->first[HM_RELATION] };
  size_t chunks = (e.n + CHUNK - 1) / CHUNK, failed;
  e.v = hm_alloc_array(a, e.n + 1, sizeof *e.v);
  if (chunks)
    hm_par_for(chunks, threads, embed_chunk, &e, &failed);
  return e.v;
}
