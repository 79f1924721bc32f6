/* Vectors of texts: vector.h says of what they are made.
 *
 * One pass over the texts numbers their words and counts, by stem, the texts that have them; a
 * second, on all cores, adds up the features. The weight of a stem is log((texts + PRIOR) / (texts
 * with it + 1)): in a store of few rows nobody knows yet which words are rare, so all weigh about
 * the same. */
#include "core/recall/vector.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/par.h"
#include "core/recall/matrix.h"

enum { PRIOR = 100, CHUNK = 256, GRAMS_MAX = 2 * HM_TERM_MAX + 4, SPREAD = 4 };
/* How much the parts of a word count beside itself, a pair beside its words, grammar. */
static const double PARTS = 0.6, PAIR = 0.5, GRAMMAR = 0.1;

/* In which numbers a word counts, and how much. */
typedef struct { uint16_t dim; float share; } feature;
typedef struct {
  uint32_t stem;
  bool function;
  uint64_t hash;               /* of the stem */
  feature *features; size_t n;
} word_entry;
typedef struct { uint32_t texts, last; } stem_entry;

struct hm_corpus {
  hm_arena *a;
  hm_map word_map, stem_map;
  word_entry *words; size_t n_words, cap_words;
  stem_entry *stems; size_t n_stems, cap_stems;
  size_t n_texts;
  uint64_t total;              /* words of all texts */
};

/* --- features of a word ----------------------------------------------------------- */

static feature feature_of(uint64_t hash, double share) {
  return (feature){ (uint16_t)(hash % HM_VECTOR_DIMS), (float)(hash >> 32 & 1 ? share : -share) };
}

/* The stem in SPREAD numbers; and the runs of characters of "^word$", bytes of a folded text. */
static size_t features_of(hm_str word, uint64_t stem, bool function, feature *out) {
  char framed[HM_TERM_MAX * 4 + 2];
  size_t n = 0, grams = 0, size = word.n < HM_TERM_MAX * 4 ? word.n : HM_TERM_MAX * 4;
  for (uint64_t i = 0; i < SPREAD; i++)
    out[n++] = feature_of(hm_hash_mix(stem, i + 1), 1 / sqrt(SPREAD));
  for (size_t i = 0; i < word.n; i++)
    if (word.p[i] >= '0' && word.p[i] <= '9') return n;
  if (function || word.n < 3) return n;
  framed[0] = '^';
  memcpy(framed + 1, word.p, size);
  framed[size + 1] = '$';
  for (size_t len = 3; len <= 4; len++) grams += size + 2 >= len ? size + 3 - len : 0;
  for (size_t len = 3; len <= 4; len++)
    for (size_t i = 0; i + len <= size + 2 && n < SPREAD + GRAMS_MAX; i++)
      out[n++] = feature_of(hm_hash_mix(hm_str_hash((hm_str){ framed + i, len }), len),
                            PARTS / sqrt((double)grams));
  return n;
}

static word_entry entry_of(hm_str word, uint32_t stem, uint64_t hash, hm_arena *a) {
  feature all[SPREAD + GRAMS_MAX];
  word_entry e = { .stem = stem, .hash = hash, .function = hm_term_is_function(word) };
  e.n = features_of(word, hash, e.function, all);
  e.features = hm_alloc_array(a, e.n, sizeof *e.features);
  memcpy(e.features, all, e.n * sizeof *all);
  return e;
}

static double weight_of(const hm_corpus *c, uint32_t stem, bool function) {
  double with = stem == UINT32_MAX ? 0 : c->stems[stem].texts;
  return log(((double)c->n_texts + PRIOR) / (with + 1)) * (function ? GRAMMAR : 1);
}

/* --- counting --------------------------------------------------------------------- */

static uint32_t stem_number(hm_corpus *c, hm_str stem) {
  uint32_t i = hm_map_get(&c->stem_map, stem);
  if (i != HM_MAP_NONE) return i;
  c->stems = hm_array_grow_in(c->a, c->stems, c->n_stems, &c->cap_stems, sizeof *c->stems);
  c->stems[c->n_stems] = (stem_entry){ 0, UINT32_MAX };
  return hm_map_add(&c->stem_map, hm_str_dup(c->a, stem), (uint32_t)c->n_stems++);
}

static uint32_t word_number(hm_corpus *c, hm_str word, hm_arena *scratch) {
  uint32_t i = hm_map_get(&c->word_map, word);
  if (i != HM_MAP_NONE) return i;
  hm_str stem = hm_term_stem(scratch, word);
  c->words = hm_array_grow_in(c->a, c->words, c->n_words, &c->cap_words, sizeof *c->words);
  c->words[c->n_words] = entry_of(word, stem_number(c, stem), hm_str_hash(stem), c->a);
  return hm_map_add(&c->word_map, hm_str_dup(c->a, word), (uint32_t)c->n_words++);
}

/* Words of all texts as numbers, of malloc; first[i]: where those of text i begin. */
static uint32_t *count_words(hm_corpus *c, const hm_str *texts, size_t n, size_t *first) {
  hm_arena *scratch = hm_arena_new();
  uint32_t *all = NULL;
  size_t n_all = 0, cap = 0;
  for (size_t i = 0; i < n; i++) {
    hm_terms w = hm_terms_of(texts[i], scratch);
    hm_str word;
    first[i] = n_all;
    while (hm_terms_next(&w, &word, NULL, NULL)) {
      uint32_t k = word_number(c, word, scratch);
      stem_entry *s = &c->stems[c->words[k].stem];
      s->texts += s->last != i;
      s->last = (uint32_t)i;
      all = hm_array_grow(all, n_all, &cap, sizeof *all);
      all[n_all++] = k;
    }
    hm_arena_reset(scratch);
  }
  first[n] = n_all;
  c->total = n_all;
  hm_arena_free(scratch);
  return all;
}

/* --- adding up -------------------------------------------------------------------- */

static void add_feature(double *sum, uint64_t hash, double amount) {
  feature f = feature_of(hash, 1);
  sum[f.dim] += f.share * amount;
}

/* A word that is said again counts less each time: 1 + log(times). */
static void add_words(const hm_corpus *c, const word_entry *const *words, size_t n, double *sum) {
  const word_entry *before = NULL;
  for (size_t i = 0; i < n; i++) {
    const word_entry *e = words[i];
    double weight = weight_of(c, e->stem, e->function), times = 1;
    for (size_t k = i < 200 ? 0 : i - 200; k < i; k++) times += words[k]->hash == e->hash;
    double share = times > 1 ? weight * log(times / (times - 1)) : weight;
    for (size_t k = 0; k < e->n; k++) sum[e->features[k].dim] += e->features[k].share * share;
    if (e->function) continue;
    if (before) {
      double w = weight_of(c, before->stem, false);
      uint64_t pair = hm_hash_mix(before->hash, e->hash);
      add_feature(sum, pair, PAIR * 0.7071 * (w < weight ? w : weight));
      add_feature(sum, hm_hash_mix(pair, 1), PAIR * 0.7071 * (w < weight ? w : weight));
    }
    before = e;
  }
}

static void embed(const hm_corpus *c, const word_entry *const *words, size_t n, hm_vector *out) {
  double sum[HM_VECTOR_DIMS] = { 0 };
  add_words(c, words, n, sum);
  hm_matrix_pack(sum, HM_VECTOR_DIMS, out->v);
}

typedef struct {
  const hm_corpus *c;
  const uint32_t *numbers;
  const size_t *first;
  hm_vector *out;
} embed_job;

static int embed_chunk(void *ctx, size_t chunk, int worker) {
  const embed_job *j = ctx;
  const word_entry **words = NULL;
  size_t cap = 0;
  (void)worker;
  for (size_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK && i < j->c->n_texts; i++) {
    size_t n = 0;
    for (size_t k = j->first[i]; k < j->first[i + 1]; k++) {
      words = hm_array_grow(words, n, &cap, sizeof *words);
      words[n++] = &j->c->words[j->numbers[k]];
    }
    embed(j->c, words, n, &j->out[i]);
  }
  free(words);
  return 0;
}

hm_corpus *hm_corpus_new(const hm_str *texts, size_t n, int threads, hm_arena *a,
                         hm_vector **vectors) {
  hm_corpus *c = hm_alloc(a, sizeof *c);
  size_t *first = hm_xmalloc((n + 1) * sizeof *first), failed;
  *c = (hm_corpus){ .a = a, .n_texts = n };
  hm_map_init(&c->word_map, a, 1024);
  hm_map_init(&c->stem_map, a, 1024);
  uint32_t *numbers = count_words(c, texts, n, first);
  *vectors = hm_alloc_array(a, n + 1, sizeof **vectors);
  embed_job job = { c, numbers, first, *vectors };
  hm_par_for((n + CHUNK - 1) / CHUNK, threads, embed_chunk, &job, &failed);
  free(numbers);
  free(first);
  return c;
}

size_t hm_corpus_texts(const hm_corpus *c) { return c->n_texts; }
uint64_t hm_corpus_words(const hm_corpus *c) { return c->total; }

uint32_t hm_corpus_texts_with(const hm_corpus *c, uint32_t stem) {
  return stem == UINT32_MAX ? 0 : c->stems[stem].texts;
}

hm_corpus_word hm_corpus_look(const hm_corpus *c, hm_str word, hm_arena *scratch) {
  uint32_t i = hm_map_get(&c->word_map, word);
  hm_corpus_word w = { .stem = UINT32_MAX };
  if (i != HM_MAP_NONE) {
    w = (hm_corpus_word){ c->words[i].stem, c->words[i].hash, 0, c->words[i].function };
  } else {
    hm_str stem = hm_term_stem(scratch, word);
    w.stem = hm_map_get(&c->stem_map, stem);   /* HM_MAP_NONE is UINT32_MAX */
    w.hash = hm_str_hash(stem);
    w.function = hm_term_is_function(word);
  }
  w.weight = weight_of(c, w.stem, w.function);
  return w;
}

void hm_vector_of(const hm_corpus *c, hm_str text, hm_arena *scratch, hm_vector *out) {
  const word_entry **words = NULL;
  size_t n = 0, cap = 0;
  hm_terms w = hm_terms_of(text, scratch);
  hm_str word;
  while (hm_terms_next(&w, &word, NULL, NULL)) {
    uint32_t i = hm_map_get(&c->word_map, word);
    const word_entry *known = i == HM_MAP_NONE ? NULL : &c->words[i];
    if (!known) {
      hm_corpus_word k = hm_corpus_look(c, word, scratch);
      word_entry *e = hm_alloc(scratch, sizeof *e);
      *e = entry_of(word, k.stem, k.hash, scratch);
      known = e;
    }
    words = hm_array_grow(words, n, &cap, sizeof *words);
    words[n++] = known;
  }
  embed(c, words, n, out);
  free(words);
}

/* --- comparing -------------------------------------------------------------------- */

static int32_t vector_product(const hm_vector *a, const hm_vector *b) {
  int32_t sum = 0;
  for (int i = 0; i < HM_VECTOR_DIMS; i++) sum += (int32_t)a->v[i] * b->v[i];
  return sum;
}

static double vector_length(const hm_vector *v) { return sqrt((double)vector_product(v, v)); }

double hm_vector_cosine(const hm_vector *a, const hm_vector *b) {
  double lengths = vector_length(a) * vector_length(b);
  return lengths > 0 ? vector_product(a, b) / lengths : 0;
}
