/* Makes the vectors of vector.h.
 *
 * One pass over the texts numbers their words and counts, by stem, the texts that have them; a
 * second, on all cores, adds up the features. The weight of a stem is log((texts + PRIOR) / (texts
 * with it + 1)): in a store of few rows all words weigh about the same, since it is not known yet
 * which are rare. A question counts the square of the weight, as a product of two weighted vectors
 * would; rows are not weighted. */
#include "core/recall/vector.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/par.h"

enum { PRIOR = 100, CHUNK = 256, GRAMS_MAX = 2 * HM_TERM_MAX + 4, SPREAD = 4 };
/* How much the parts of a word count beside itself, and grammar beside content. */
static const double PARTS = 0.6, GRAMMAR = 0.1;
/* How much two content words that follow each other count beside these words; the same where they
 * are joined to an identifier, "TYPE_CHECKING". */
static const struct {
  double apart, joined;
} PAIRS[] = {
  [HM_VECTOR_RECALL] = { 0.1, 0.5 },
  [HM_VECTOR_SIMILARITY] = { 0.5, 0.5 },
};

/* In which numbers a word counts, and how much. */
typedef struct {
  uint16_t dim;
  float share;
} feature;
typedef struct {
  uint32_t stem;
  bool function;
  uint64_t hash; /* of the stem */
  feature *features;
  size_t n;
} word_entry;
typedef struct {
  uint32_t texts, last; /* last: the text that was counted last, plus one */
  hm_corpus_posting *of;
} stem_entry;

struct hm_corpus {
  hm_arena *a;
  hm_map word_map, stem_map;
  word_entry *words;
  size_t n_words, cap_words;
  stem_entry *stems;
  size_t n_stems, cap_stems;
  size_t n_texts;
  size_t *first; /* of text i the words from first[i] to first[i + 1], counted over all texts */
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
  if (function || word.n < 3 || hm_text_has_digit(word))
    return n;
  framed[0] = '^';
  memcpy(framed + 1, word.p, size);
  framed[size + 1] = '$';
  for (size_t len = 3; len <= 4; len++)
    grams += size + 2 >= len ? size + 3 - len : 0;
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

/* --- counting --------------------------------------------------------------------- */

static uint32_t stem_number(hm_corpus *c, hm_str stem) {
  uint32_t i = hm_map_get(&c->stem_map, stem);
  if (i != HM_MAP_NONE)
    return i;
  c->stems = hm_array_grow_in(c->a, c->stems, c->n_stems, &c->cap_stems, sizeof *c->stems);
  c->stems[c->n_stems] = (stem_entry){ 0 };
  return hm_map_add(&c->stem_map, hm_str_dup(c->a, stem), (uint32_t)c->n_stems++);
}

static uint32_t word_number(hm_corpus *c, hm_str word, hm_arena *scratch) {
  uint32_t i = hm_map_get(&c->word_map, word);
  if (i != HM_MAP_NONE)
    return i;
  hm_str stem = hm_term_stem(NULL, scratch, word);
  c->words = hm_array_grow_in(c->a, c->words, c->n_words, &c->cap_words, sizeof *c->words);
  c->words[c->n_words] = entry_of(word, stem_number(c, stem), hm_str_hash(stem), c->a);
  return hm_map_add(&c->word_map, hm_str_dup(c->a, word), (uint32_t)c->n_words++);
}

/* A word of a text. joined: nothing but a sign stands between it and the one before, as in
 * "TYPE_CHECKING", "math.integer", "3.12". */
typedef struct {
  uint32_t word;
  bool joined;
} text_word;
typedef struct {
  text_word *v;
  size_t n, cap;
} text_words;

static bool is_joined(hm_str text, size_t before, size_t from) {
  return before && from == before + 1 && text.p[before] != ' ' && text.p[before] != '\n' &&
      text.p[before] != '\t';
}

/* The words of all texts. Counts, of each stem, the texts that have it. */
static text_words count_texts(hm_corpus *c, const hm_str *texts, size_t n) {
  hm_arena *scratch = hm_arena_new();
  text_words all = { 0 };
  for (size_t i = 0; i < n; i++) {
    hm_terms w = hm_terms_begin(texts[i], scratch);
    hm_str word;
    c->first[i] = all.n;
    for (size_t before = 0, from, to; hm_terms_next(&w, &word, &from, &to); before = to) {
      uint32_t k = word_number(c, word, scratch);
      stem_entry *s = &c->stems[c->words[k].stem];
      s->texts += s->last != i + 1;
      s->last = (uint32_t)i + 1;
      all.v = hm_array_grow(all.v, all.n, &all.cap, sizeof *all.v);
      all.v[all.n++] = (text_word){ k, is_joined(texts[i], before, from) };
    }
    hm_arena_reset(scratch);
  }
  c->first[n] = all.n;
  hm_arena_free(scratch);
  return all;
}

/* Which texts have each stem, and how often. */
static void list_postings(hm_corpus *c, const text_words *words) {
  size_t all = 0;
  for (size_t i = 0; i < c->n_stems; i++)
    all += c->stems[i].texts;
  hm_corpus_posting *next = hm_alloc_array(c->a, all + 1, sizeof *next);
  for (size_t i = 0; i < c->n_stems; i++) {
    c->stems[i].of = next;
    next += c->stems[i].texts;
    c->stems[i].texts = 0;
    c->stems[i].last = 0;
  }
  for (uint32_t i = 0; i < c->n_texts; i++)
    for (size_t k = c->first[i]; k < c->first[i + 1]; k++) {
      stem_entry *s = &c->stems[c->words[words->v[k].word].stem];
      if (s->last != i + 1)
        s->of[s->texts++] = (hm_corpus_posting){ i, 0 };
      s->last = i + 1;
      s->of[s->texts - 1].times++;
    }
}

/* --- adding up -------------------------------------------------------------------- */

static void add_feature(double *sum, uint64_t hash, double amount) {
  feature f = feature_of(hash, 1);
  sum[f.dim] += f.share * amount;
}

typedef struct {
  const word_entry *e;
  bool joined;
} met_word;
/* asked: words count by the square of their weights there; NULL: all alike. */
typedef struct {
  const hm_corpus *asked;
  hm_vector_use use;
} counting;

static double count_of(const counting *by, const word_entry *e) {
  const hm_corpus *c = by->asked;
  double texts = c && e->stem != UINT32_MAX ? (double)c->stems[e->stem].texts : 0;
  double weight = c ? log(((double)c->n_texts + PRIOR) / (texts + 1)) : 1;
  return weight * weight * (e->function ? GRAMMAR : 1);
}

/* A word that is said again counts less each time: 1 + log(times). */
static void add_words(const counting *by, const met_word *words, size_t n, double *sum) {
  const word_entry *before = NULL;
  double count_before = 0;
  for (size_t i = 0; i < n; i++) {
    const word_entry *e = words[i].e;
    double count = count_of(by, e), times = 1;
    for (size_t k = i < 200 ? 0 : i - 200; k < i; k++)
      times += words[k].e->hash == e->hash;
    double share = times > 1 ? count * log(times / (times - 1)) : count;
    for (size_t k = 0; k < e->n; k++)
      sum[e->features[k].dim] += e->features[k].share * share;
    if (e->function)
      continue;
    if (before) {
      double least = count_before < count ? count_before : count;
      double pair_share = words[i].joined ? PAIRS[by->use].joined : PAIRS[by->use].apart;
      uint64_t pair = hm_hash_mix(before->hash, e->hash);
      add_feature(sum, pair, pair_share * 0.7071 * least);
      add_feature(sum, hm_hash_mix(pair, 1), pair_share * 0.7071 * least);
    }
    before = e;
    count_before = count;
  }
}

static void embed(const counting *by, const met_word *words, size_t n, hm_vector *out) {
  double sum[HM_VECTOR_DIMS] = { 0 };
  add_words(by, words, n, sum);
  hm_matrix_pack(sum, HM_VECTOR_DIMS, out->v);
}

typedef struct {
  const hm_corpus *c;
  const text_word *words;
  hm_vector *out;
} embed_job;

static int embed_chunk(void *ctx, size_t chunk, int worker) {
  const embed_job *j = ctx;
  const counting by = { NULL, HM_VECTOR_RECALL };
  met_word *words = NULL;
  size_t cap = 0;
  (void)worker;
  for (size_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK && i < j->c->n_texts; i++) {
    size_t n = 0;
    for (size_t k = j->c->first[i]; k < j->c->first[i + 1]; k++) {
      words = hm_array_grow(words, n, &cap, sizeof *words);
      words[n++] = (met_word){ &j->c->words[j->words[k].word], j->words[k].joined };
    }
    embed(&by, words, n, &j->out[i]);
  }
  free(words);
  return 0;
}

hm_corpus *hm_corpus_new(const hm_str *texts, size_t n, int threads, hm_arena *a,
                         hm_vector *vectors) {
  hm_corpus *c = hm_alloc(a, sizeof *c);
  size_t failed;
  *c = (hm_corpus){ .a = a, .n_texts = n, .first = hm_alloc_array(a, n + 1, sizeof *c->first) };
  hm_map_init(&c->word_map, a, 1024);
  hm_map_init(&c->stem_map, a, 1024);
  text_words words = count_texts(c, texts, n);
  list_postings(c, &words);
  embed_job job = { c, words.v, vectors };
  hm_par_for((n + CHUNK - 1) / CHUNK, threads, embed_chunk, &job, &failed);
  free(words.v);
  return c;
}

size_t hm_corpus_text_count(const hm_corpus *c) { return c->n_texts; }
uint64_t hm_corpus_word_count(const hm_corpus *c) { return c->first[c->n_texts]; }
size_t hm_corpus_text_length(const hm_corpus *c, size_t text) {
  return c->first[text + 1] - c->first[text];
}

size_t hm_corpus_texts_with_stem(const hm_corpus *c, uint32_t stem, const hm_corpus_posting **out) {
  *out = stem == UINT32_MAX ? NULL : c->stems[stem].of;
  return stem == UINT32_MAX ? 0 : c->stems[stem].texts;
}

static hm_corpus_word find_word(const hm_corpus *c, hm_stemmer *s, hm_str word, hm_arena *scratch) {
  uint32_t i = hm_map_get(&c->word_map, word);
  hm_corpus_word w = { .stem = UINT32_MAX };
  if (i != HM_MAP_NONE) {
    w = (hm_corpus_word){ c->words[i].stem, c->words[i].hash, c->words[i].function };
  } else {
    hm_str stem = hm_term_stem(s, scratch, word);
    w.stem = hm_map_get(&c->stem_map, stem); /* HM_MAP_NONE is UINT32_MAX */
    w.hash = hm_str_hash(stem);
    w.function = hm_term_is_function(word);
  }
  return w;
}

hm_corpus_word hm_corpus_find_word(const hm_corpus *c, hm_str word, hm_arena *scratch) {
  return find_word(c, NULL, word, scratch);
}

static void embed_text(const hm_corpus *c, hm_str text, const counting *by, hm_arena *scratch,
                       hm_vector *out) {
  met_word *words = NULL;
  size_t n = 0, cap = 0, before = 0, from, to;
  hm_stemmer *stemmer = hm_stemmer_new();
  hm_terms w = hm_terms_begin(text, scratch);
  hm_str word;
  for (; hm_terms_next(&w, &word, &from, &to); before = to) {
    uint32_t i = hm_map_get(&c->word_map, word);
    const word_entry *known = i == HM_MAP_NONE ? NULL : &c->words[i];
    if (!known) {
      hm_corpus_word k = find_word(c, stemmer, word, scratch);
      word_entry *e = hm_alloc(scratch, sizeof *e);
      *e = entry_of(word, k.stem, k.hash, scratch);
      known = e;
    }
    words = hm_array_grow(words, n, &cap, sizeof *words);
    words[n++] = (met_word){ known, is_joined(text, before, from) };
  }
  embed(by, words, n, out);
  hm_stemmer_free(stemmer);
  free(words);
}

void hm_vector_from_text(const hm_corpus *c, hm_str text, hm_vector_use use, hm_arena *scratch,
                         hm_vector *out) {
  embed_text(c, text, &(counting){ NULL, use }, scratch, out);
}

void hm_vector_from_question(const hm_corpus *c, hm_str text, hm_arena *scratch, hm_vector *out) {
  embed_text(c, text, &(counting){ c, HM_VECTOR_RECALL }, scratch, out);
}

/* --- comparing -------------------------------------------------------------------- */

static int32_t vector_product(const hm_vector *a, const hm_vector *b) {
  int32_t sum = 0;
  for (int i = 0; i < HM_VECTOR_DIMS; i++)
    sum += (int32_t)a->v[i] * b->v[i];
  return sum;
}

static double vector_length(const hm_vector *v) { return sqrt((double)vector_product(v, v)); }

double hm_vector_cosine(const hm_vector *a, const hm_vector *b) {
  double lengths = vector_length(a) * vector_length(b);
  return lengths > 0 ? vector_product(a, b) / lengths : 0;
}

/* --- one against all ------------------------------------------------------------------- */

hm_matrix *hm_matrix_new(size_t n, int dims, hm_arena *a) {
  hm_matrix *m = hm_alloc(a, sizeof *m);
  size_t blocks = (n + HM_MATRIX_BLOCK - 1) / HM_MATRIX_BLOCK;
  *m = (hm_matrix){ .n = n, .dims = dims };
  m->v = hm_alloc_array(a, blocks * HM_MATRIX_BLOCK + 1, (size_t)dims);
  m->lengths = hm_alloc_array(a, n + 1, sizeof *m->lengths);
  return m;
}

/* The first number of the first row of a block. */
static int8_t *block_of(const hm_matrix *m, size_t block) {
  return m->v + block * HM_MATRIX_BLOCK * (size_t)m->dims;
}

void hm_matrix_set(hm_matrix *m, size_t row, const int8_t *v) {
  int8_t *to = block_of(m, row / HM_MATRIX_BLOCK) + row % HM_MATRIX_BLOCK;
  for (int d = 0; d < m->dims; d++)
    to[(size_t)d * HM_MATRIX_BLOCK] = v[d] < -127 ? -127 : v[d];
  m->lengths[row] = hm_matrix_length(v, m->dims);
}

/* Adds four numbers of the question. Two products fit into 16 bits (2 * 127 * 127 < 2^15), so the
 * compiler multiplies eight at a time or more. */
static void add_four(const int8_t *const col[4], const int8_t q[4], int32_t *restrict out) {
  const int8_t *restrict c0 = col[0], *restrict c1 = col[1], *restrict c2 = col[2],
                         *restrict c3 = col[3];
  const int16_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
  for (int i = 0; i < HM_MATRIX_BLOCK; i++) {
    int16_t x = (int16_t)(q0 * c0[i] + q1 * c1[i]), y = (int16_t)(q2 * c2[i] + q3 * c3[i]);
    out[i] += x + y;
  }
}

void hm_matrix_products(const hm_matrix *m, size_t block, const int8_t *v, int32_t *out) {
  const int8_t *first = block_of(m, block), *col[4] = { first, first, first, first };
  int8_t q[4] = { 0 };
  int n = 0;
  memset(out, 0, HM_MATRIX_BLOCK * sizeof *out);
  for (int d = 0; d < m->dims; d++) {
    if (!v[d])
      continue;
    col[n] = first + (size_t)d * HM_MATRIX_BLOCK;
    q[n++] = v[d];
    if (n < 4)
      continue;
    add_four(col, q, out);
    n = 0;
  }
  for (int i = n; i < 4; i++)
    q[i] = 0;
  if (n)
    add_four(col, q, out);
}

double hm_matrix_length(const int8_t *v, int dims) {
  int64_t sum = 0;
  for (int d = 0; d < dims; d++)
    sum += v[d] * v[d];
  return sqrt((double)sum);
}

double hm_matrix_cosine(const hm_matrix *m, size_t row, int32_t product, double length) {
  double lengths = m->lengths[row] * length;
  return lengths > 0 ? product / lengths : 0;
}

void hm_matrix_pack(const double *numbers, int dims, int8_t *out) {
  double most = 0;
  for (int i = 0; i < dims; i++)
    most = fabs(numbers[i]) > most ? fabs(numbers[i]) : most;
  for (int i = 0; i < dims; i++)
    out[i] = (int8_t)(most > 0 ? lrint(numbers[i] / most * 127) : 0);
}
