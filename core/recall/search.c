/* Questions, options, the pool and the scores of recall.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/par.h"
#include "core/recall/answer.h"
#include "core/recall/recall.h"
#include "core/store/lookup.h"

/* --- the question ----------------------------------------------------------------- */

typedef struct {
  hm_corpus_word word;
  hm_str text;
  uint32_t texts;
} asked;

/* Rarest first; the hash makes it total. */
static int by_rarity(const void *x, const void *y) {
  const asked *a = x, *b = y;
  if (a->texts != b->texts)
    return a->texts < b->texts ? -1 : 1;
  return (a->word.hash > b->word.hash) - (a->word.hash < b->word.hash);
}

void hm_recall_query_parse(const hm_recall_index *x, hm_str text, hm_arena *a,
                           hm_recall_query *out) {
  hm_terms w = hm_terms_begin(text, a);
  asked *all = NULL;
  size_t n = 0, cap = 0, content = 0;
  hm_str word;
  *out = (hm_recall_query){ 0 };
  hm_vector_from_question(x->corpus, text, a, &out->vector);
  int8_t *asked_by = hm_alloc(a, sizeof out->vector);
  memcpy(asked_by, &out->vector, sizeof out->vector);
  hm_recall_query_set_vectors(out, x->matrix, asked_by);
  while (hm_terms_next(&w, &word, NULL, NULL)) {
    hm_corpus_word k = hm_corpus_find_word(x->corpus, word, a);
    size_t i = 0;
    while (i < n && all[i].word.hash != k.hash)
      i++;
    if (i < n)
      continue;
    all = hm_array_grow(all, n, &cap, sizeof *all);
    all[n++] = (asked){ k, hm_str_dup(a, word), hm_corpus_texts_with_stem(x->corpus, k.stem) };
    content += !k.function;
  }
  if (n)
    qsort(all, n, sizeof *all, by_rarity);
  out->words = hm_alloc_array(a, n + 1, sizeof *out->words);
  out->texts = hm_alloc_array(a, n + 1, sizeof *out->texts);
  for (size_t i = 0; i < n; i++) {
    if (content && all[i].word.function)
      continue;
    out->words[out->n] = all[i].word;
    out->texts[out->n++] = all[i].text;
  }
  free(all);
}

size_t hm_recall_lookup_count(const hm_recall_index *x, const hm_recall_query *q) {
  enum { ENOUGH = 4000 };
  size_t i = 0, rows = 0;
  for (; i < q->n; i++) {
    rows += hm_corpus_texts_with_stem(x->corpus, q->words[i].stem);
    if (i && rows > ENOUGH)
      break;
  }
  return i;
}

bool hm_recall_row_has_word(const hm_recall_index *x, const hm_recall_query *q, uint32_t row,
                            hm_arena *scratch) {
  size_t lookups = hm_recall_lookup_count(x, q);
  hm_terms w = hm_terms_begin(x->texts[row], scratch);
  hm_str word;
  while (hm_terms_next(&w, &word, NULL, NULL)) {
    uint64_t hash = hm_corpus_find_word(x->corpus, word, scratch).hash;
    for (size_t i = 0; i < lookups; i++)
      if (q->words[i].hash == hash)
        return true;
  }
  return false;
}

/* --- the pool --------------------------------------------------------------------- */

/* The rows with the highest cosine so far, as a heap with the lowest on top; of equal ones those
 * that stand before the others stay. */
typedef struct {
  double cosine;
  uint32_t row, target;
} candidate;
typedef struct {
  const hm_recall_index *x;
  candidate *v;
  size_t n, most;
} heap;

static bool is_worse(const hm_recall_index *x, const candidate *a, const candidate *b) {
  return a->cosine != b->cosine ? a->cosine < b->cosine : hm_recall_is_before(x, b->row, a->row);
}

static void heap_add(heap *h, candidate c) {
  size_t i;
  if (h->n < h->most) {
    for (i = h->n++; i && is_worse(h->x, &c, &h->v[(i - 1) / 2]); i = (i - 1) / 2)
      h->v[i] = h->v[(i - 1) / 2];
  } else {
    for (i = 0;;) {
      size_t child = 2 * i + 1;
      if (child >= h->n)
        break;
      if (child + 1 < h->n && is_worse(h->x, &h->v[child + 1], &h->v[child]))
        child++;
      if (!is_worse(h->x, &h->v[child], &c))
        break;
      h->v[i] = h->v[child];
      i = child;
    }
  }
  h->v[i] = c;
}

static bool heap_wants(const heap *h, const candidate *c) {
  return h->n < h->most || is_worse(h->x, &h->v[0], c);
}

/* One part of the rows: those that represent themselves, and those that another row replaces. */
typedef struct {
  heap own, others;
} part;
typedef struct {
  const hm_recall_index *x;
  const hm_recall_query *q;
  const hm_recall_options *opt;
  size_t blocks, parts;
  double *cosines; /* of all rows */
  part *found;
} scan_job;

/* To look for what stands for a row may take as many steps as the store has rows. */
static void see_row(const scan_job *j, part *found, candidate c, hm_arena *scratch) {
  bool replaced = j->x->rows[c.row].replaced,
       itself = !replaced || j->opt->dated || j->opt->include_superseded;
  if (!(itself && heap_wants(&found->own, &c)) && !(replaced && heap_wants(&found->others, &c)))
    return;
  c.target = hm_recall_current_row(j->x, c.row, j->opt, scratch);
  heap *h = c.target == c.row ? &found->own : &found->others;
  if (c.target != HM_MAP_NONE && heap_wants(h, &c))
    heap_add(h, c);
}

static int scan_part(void *ctx, size_t p, int worker) {
  const scan_job *j = ctx;
  const hm_matrix *m = j->q->matrix;
  hm_arena *scratch = hm_arena_new();
  int32_t products[HM_MATRIX_BLOCK];
  size_t end = j->blocks * (p + 1) / j->parts;
  (void)worker;
  for (size_t b = j->blocks * p / j->parts; b < end; b++) {
    size_t first = b * HM_MATRIX_BLOCK;
    hm_matrix_products(m, b, j->q->asked, products);
    for (size_t i = first; i < m->n && i < first + HM_MATRIX_BLOCK; i++) {
      j->cosines[i] = hm_matrix_cosine(m, i, products[i - first], j->q->length);
      see_row(j, &j->found[p], (candidate){ j->cosines[i], (uint32_t)i, 0 }, scratch);
    }
  }
  hm_arena_free(scratch);
  return 0;
}

/* Adds the targets of the `most` best rows of all parts to the pool. */
static void take_best(const scan_job *j, bool others, size_t most, uint32_t *pool, size_t *n,
                      hm_arena *a) {
  heap all = { j->x, hm_alloc_array(a, most + 1, sizeof(candidate)), 0, most };
  for (size_t p = 0; p < j->parts; p++) {
    const heap *h = others ? &j->found[p].others : &j->found[p].own;
    for (size_t i = 0; i < h->n; i++)
      if (heap_wants(&all, &h->v[i]))
        heap_add(&all, h->v[i]);
  }
  for (size_t i = 0; i < all.n; i++)
    pool[(*n)++] = all.v[i].target;
}

/* Fills the pool, and cosines of all rows. */
static void nearest(const hm_recall_index *x, const hm_recall_query *q,
                    const hm_recall_options *opt, int threads, double *cosines, uint32_t *pool,
                    size_t *n, hm_arena *a) {
  size_t most = opt->k * opt->overfetch, failed;
  scan_job j = { x, q, opt, (x->n + HM_MATRIX_BLOCK - 1) / HM_MATRIX_BLOCK, 1, cosines, NULL };
  if (x->n > 20000 && threads > 1)
    j.parts = (size_t)threads;
  if (most > x->n)
    most = x->n;
  j.found = hm_alloc_array(a, j.parts, sizeof *j.found);
  for (size_t p = 0; p < j.parts; p++)
    j.found[p] = (part){ { x, hm_alloc_array(a, most + 1, sizeof(candidate)), 0, most },
                         { x, hm_alloc_array(a, most + 1, sizeof(candidate)), 0, most } };
  if (most)
    hm_par_for(j.parts, threads, scan_part, &j, &failed);
  take_best(&j, false, most, pool, n, a);
  take_best(&j, true, most, pool, n, a);
}

/* --- scores ----------------------------------------------------------------------- */

static const double K1 = 1.2, B = 0.75;

/* Okapi BM25 of a row; the counts are those of the corpus. */
static double bm25(const hm_recall_index *x, const hm_recall_query *q, uint32_t row,
                   unsigned *times, hm_arena *scratch) {
  double texts = (double)hm_corpus_text_count(x->corpus), score = 0, length = 0;
  double average = texts > 0 ? (double)hm_corpus_word_count(x->corpus) / texts : 1;
  hm_terms w = hm_terms_begin(x->texts[row], scratch);
  hm_str word;
  memset(times, 0, q->n * sizeof *times);
  while (hm_terms_next(&w, &word, NULL, NULL)) {
    uint64_t hash = hm_corpus_find_word(x->corpus, word, scratch).hash;
    for (size_t i = 0; i < q->n; i++)
      times[i] += q->words[i].hash == hash;
    length++;
  }
  for (size_t i = 0; i < q->n; i++) {
    double with = hm_corpus_texts_with_stem(x->corpus, q->words[i].stem), tf = times[i];
    double idf = log(1 + (texts - with + 0.5) / (with + 0.5));
    if (tf > 0)
      score += idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / average));
  }
  return score;
}

static double recency(const hm_recall_index *x, uint32_t row, const hm_recall_options *opt) {
  hm_time now = opt->clocked ? opt->clock : x->snap->now, used = x->rows[row].used;
  if (used == HM_TIME_MIN || now == HM_TIME_MAX)
    return 0;
  double days = ((double)now - (double)used) / 86400e6;
  return exp(-opt->decay * (days > 0 ? days : 0));
}

typedef struct {
  hm_recall_hit hit;
  hm_time created;
  const hm_row *row;
} ranked;

static int best_hit_first(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->hit.score != b->hit.score)
    return a->hit.score > b->hit.score ? -1 : 1;
  if (a->hit.importance != b->hit.importance)
    return a->hit.importance > b->hit.importance ? -1 : 1;
  if (a->created != b->created)
    return a->created > b->created ? -1 : 1;
  if (a->row->layer != b->row->layer)
    return a->row->layer < b->row->layer ? -1 : 1;
  return hm_str_cmp(a->row->id, b->row->id);
}

static int by_number(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

static void score_all(const hm_recall_index *x, const hm_recall_query *q,
                      const hm_recall_options *opt, const double *cosines, ranked *hits, size_t n,
                      hm_arena *a) {
  const hm_recall_weights *w = &opt->weights;
  double highest = 0;
  unsigned *times = hm_alloc_array(a, q->n + 1, sizeof *times);
  hm_arena *scratch = hm_arena_new();
  for (size_t i = 0; i < n; i++) {
    hm_recall_hit *h = &hits[i].hit;
    h->semantic = cosines[h->row];
    h->lexical = bm25(x, q, h->row, times, scratch);
    h->recency = recency(x, h->row, opt);
    h->importance = x->rows[h->row].importance;
    highest = h->lexical > highest ? h->lexical : highest;
    hm_arena_reset(scratch);
  }
  hm_arena_free(scratch);
  for (size_t i = 0; i < n; i++) {
    hm_recall_hit *h = &hits[i].hit;
    if (highest > 0)
      h->lexical /= highest;
    h->score = opt->semantic ? h->semantic
                             : w->semantic * h->semantic + w->lexical * h->lexical +
            w->recency * h->recency + w->importance * h->importance;
  }
}

size_t hm_recall_search(const hm_recall_index *x, const hm_recall_query *q,
                        const hm_recall_options *opt, const uint32_t *lexical, size_t n_lexical,
                        int threads, hm_arena *a, hm_recall_hit **out) {
  size_t room = 2 * opt->k * opt->overfetch + n_lexical, n = 0, kept = 0;
  uint32_t *pool = hm_alloc_array(a, room + 1, sizeof *pool);
  double *cosines = hm_xmalloc((x->n + 1) * sizeof *cosines);
  nearest(x, q, opt, threads, cosines, pool, &n, a);
  for (size_t i = 0; i < n_lexical && !opt->semantic; i++) {
    uint32_t target = hm_recall_current_row(x, lexical[i], opt, a);
    if (target != HM_MAP_NONE)
      pool[n++] = target;
  }
  qsort(pool, n, sizeof *pool, by_number);
  for (size_t i = 0; i < n; i++)
    if (!i || pool[i] != pool[i - 1])
      pool[kept++] = pool[i];
  ranked *hits = hm_alloc_array(a, kept + 1, sizeof *hits);
  for (size_t i = 0; i < kept; i++)
    hits[i] = (ranked){ { .row = pool[i] }, x->rows[pool[i]].created, &x->snap->rows[pool[i]] };
  score_all(x, q, opt, cosines, hits, kept, a);
  free(cosines);
  qsort(hits, kept, sizeof *hits, best_hit_first);
  if (kept > opt->k)
    kept = opt->k;
  *out = hm_alloc_array(a, kept + 1, sizeof **out);
  for (size_t i = 0; i < kept; i++)
    (*out)[i] = hits[i].hit;
  return kept;
}

/* --- options --------------------------------------------------------------------------- */

hm_recall_options hm_recall_default_options(void) {
  return (hm_recall_options){
    .k = HM_RECALL_K,
    .overfetch = HM_RECALL_OVERFETCH,
    .weights = { .lexical = 0.20, .semantic = 0.55, .recency = 0.15, .importance = 0.10 },
    .decay = 0.1,
    .project = HM_MAP_NONE
  };
}

static int refuse(const char *field, const char *why, const char *fix, hm_err *err) {
  hm_fail(err, HM_E_INPUT, field, why, fix);
  return hm_err_at_field(err, hm_str_c(field));
}

int hm_recall_options_check(const hm_recall_options *opt, hm_err *err) {
  const hm_recall_weights *w = &opt->weights;
  const double all[] = { w->lexical, w->semantic, w->recency, w->importance };
  double sum = 0;
  if (opt->k < 1 || opt->k > HM_RECALL_K_MAX)
    return refuse("k", "not 1 to 1000", NULL, err);
  if (opt->overfetch < 1 || opt->overfetch > HM_OVERFETCH_MAX)
    return refuse("overfetch", "not 1 to 100", NULL, err);
  for (size_t i = 0; i < HM_COUNT(all); i++) {
    if (!(all[i] >= 0 && all[i] <= 1000))
      return refuse("weights", "not 0 to 1000", NULL, err);
    sum += all[i];
  }
  if (!(sum > 0))
    return refuse("weights", "all of them are 0, so nothing would order the hits",
                  "give at least one of lexical, semantic, recency, importance", err);
  if (!(opt->min_importance >= 0 && opt->min_importance <= 1))
    return refuse("min_importance", "not 0 to 1", NULL, err);
  return 0;
}

int hm_recall_weights_parse(hm_str text, hm_recall_weights *w, hm_err *err) {
  const struct {
    const char *name;
    double *weight;
  } names[] = {
    { "lexical", &w->lexical },
    { "semantic", &w->semantic },
    { "recency", &w->recency },
    { "importance", &w->importance },
  };
  while (text.n) {
    char number[32], *end = number;
    size_t comma = 0, equals = 0, i = 0;
    while (comma < text.n && text.p[comma] != ',')
      comma++;
    hm_str item = hm_str_trim(hm_str_sub(text, 0, comma));
    text = hm_str_sub(text, comma + 1, text.n);
    while (equals < item.n && item.p[equals] != '=')
      equals++;
    hm_str name = hm_str_sub(item, 0, equals), value = hm_str_sub(item, equals + 1, item.n);
    while (i < HM_COUNT(names) && !hm_str_is(name, names[i].name))
      i++;
    if (value.n && value.n < sizeof number) {
      memcpy(number, value.p, value.n);
      number[value.n] = 0;
      if (i < HM_COUNT(names))
        *names[i].weight = strtod(number, &end);
    }
    if (end == number || *end)
      return refuse("weights", "not a list as lexical=0.2,semantic=0.55",
                    "the names are lexical, semantic, recency, importance", err);
  }
  return 0;
}

/* --- from texts ------------------------------------------------------------------- */

static int read_count(hm_str text, const char *field, long most, size_t *out, hm_err *err) {
  char z[16], *end;
  if (!text.n)
    return 0;
  if (text.n >= sizeof z)
    text.n = sizeof z - 1;
  memcpy(z, text.p, text.n);
  z[text.n] = 0;
  long n = strtol(z, &end, 10);
  char why[48];
  snprintf(why, sizeof why, "not a number from 1 to %ld", most);
  if (end == z || *end || n < 1 || n > most)
    return refuse(field, why, NULL, err);
  *out = (size_t)n;
  return 0;
}

static int read_time(hm_str text, const char *field, bool *given, hm_time *out, hm_err *err) {
  hm_precision p;
  *given = text.n > 0;
  if (!text.n || hm_time_parse(text, out, &p))
    return 0;
  return refuse(field, "not a time", "write it as 2026-04-02T09:00:00Z or 2026-04-02", err);
}

static int read_project(const hm_snapshot *snap, hm_str name, hm_arena *a, uint32_t *out,
                        hm_err *err) {
  hm_project_fit fit = { 0 };
  if (!name.n)
    return 0;
  *out = hm_snapshot_project(snap, name, a, &fit);
  if (*out != HM_MAP_NONE)
    return 0;
  hm_project_fail_unknown(name, &fit, err);
  return hm_err_at_field(err, HM_STR("project"));
}

int hm_recall_options_parse(const hm_recaller *r, const hm_recall_option_texts *t, hm_arena *a,
                            hm_recall_options *opt, hm_recall_expand *expand, hm_err *err) {
  const hm_snapshot *snap = hm_recall_snapshot(hm_recaller_rows(r));
  size_t depth = HM_EXPAND_DEPTH, cap = HM_EXPAND_CAP;
  *opt = hm_recall_default_options();
  opt->semantic = hm_str_is(t->mode, "semantic");
  if (t->mode.n && !opt->semantic && !hm_str_is(t->mode, "hybrid"))
    return refuse("mode", "neither semantic nor hybrid", NULL, err);
  if (t->min_importance.n && !hm_str_read_double(t->min_importance, &opt->min_importance))
    return refuse("min_importance", "not 0 to 1", NULL, err);
  if (read_count(t->k, "k", HM_RECALL_K_MAX, &opt->k, err) ||
      read_count(t->overfetch, "overfetch", HM_OVERFETCH_MAX, &opt->overfetch, err) ||
      read_count(t->depth, "depth", HM_EXPAND_DEPTH_MAX, &depth, err) ||
      read_count(t->cap, "cap", HM_EXPAND_CAP_MAX, &cap, err) ||
      read_time(t->clock, "clock", &opt->clocked, &opt->clock, err) ||
      read_time(t->as_of, "as_of", &opt->dated, &opt->as_of, err) ||
      hm_recall_weights_parse(t->weights, &opt->weights, err) ||
      read_project(snap, t->project, a, &opt->project, err))
    return -1;
  opt->type = t->type;
  opt->tag = t->tag;
  opt->include_superseded = t->include_superseded;
  *expand = (hm_recall_expand){ t->expand, (int)depth, (int)cap };
  return hm_recall_options_check(opt, err);
}
