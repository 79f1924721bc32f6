/* Options, the pool and the scores of recall.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/recall/answer.h"
#include "core/recall/recall.h"
#include "core/store/lookup.h"

/* --- the pool --------------------------------------------------------------------- */

/* The rows that are best by one measure so far, as a heap with the worst on top; of equal ones
 * those that stand before the others stay. */
typedef struct {
  double measure;
  uint32_t row, target;
} candidate;
typedef struct {
  candidate *v;
  size_t n, most;
} heap;

static bool is_worse(const candidate *a, const candidate *b) {
  return a->measure != b->measure ? a->measure < b->measure : a->row > b->row;
}

static void heap_add(heap *h, candidate c) {
  size_t i;
  if (h->n < h->most) {
    for (i = h->n++; i && is_worse(&c, &h->v[(i - 1) / 2]); i = (i - 1) / 2)
      h->v[i] = h->v[(i - 1) / 2];
  } else {
    for (i = 0;;) {
      size_t child = 2 * i + 1;
      if (child >= h->n)
        break;
      if (child + 1 < h->n && is_worse(&h->v[child + 1], &h->v[child]))
        child++;
      if (!is_worse(&h->v[child], &c))
        break;
      h->v[i] = h->v[child];
      i = child;
    }
  }
  h->v[i] = c;
}

static bool heap_wants(const heap *h, const candidate *c) {
  return h->n < h->most || is_worse(&h->v[0], c);
}

/* The best rows of a part of all: by their cosine, and by their words; of each, first those that
 * represent themselves, then those that another row replaces. */
enum { BY_COSINE = 0, BY_WORDS = 2, N_HEAPS = 4 };
typedef struct {
  heap best[N_HEAPS];
} part;
typedef struct {
  const hm_recall_index *x;
  const hm_recall_query *q;
  const hm_recall_options *opt;
  size_t blocks, parts;
  double *cosines, *words; /* of all rows */
  const bool *fits;        /* by their words; NULL: all do */
  part *found;
} scan_job;

/* To look for what stands for a row may take as many steps as the store has rows. */
static void see_row(const scan_job *j, heap best[2], candidate c, hm_arena *scratch) {
  bool replaced = j->x->rows[c.row].replaced,
       itself = !replaced || j->opt->dated || j->opt->include_superseded;
  if (!(itself && heap_wants(&best[0], &c)) && !(replaced && heap_wants(&best[1], &c)))
    return;
  c.target = hm_recall_current_row(j->x, c.row, j->opt, scratch);
  heap *h = &best[c.target != c.row];
  if (c.target != HM_MAP_NONE && heap_wants(h, &c))
    heap_add(h, c);
}

static int scan_part(void *ctx, size_t p, int worker) {
  const scan_job *j = ctx;
  const hm_matrix *m = j->q->matrix;
  part *f = &j->found[p];
  hm_arena *scratch = hm_arena_new();
  int32_t products[HM_MATRIX_BLOCK];
  size_t end = j->blocks * (p + 1) / j->parts;
  (void)worker;
  for (size_t b = j->blocks * p / j->parts; b < end; b++) {
    size_t first = b * HM_MATRIX_BLOCK;
    hm_matrix_products(m, b, j->q->asked, products);
    for (size_t i = first; i < m->n && i < first + HM_MATRIX_BLOCK; i++) {
      candidate c = { .measure = hm_matrix_cosine(m, i, products[i - first], j->q->length),
                      .row = (uint32_t)i };
      j->cosines[i] = c.measure;
      if (j->fits && !j->fits[i] && (j->q->asks || c.measure < HM_RECALL_NEAR))
        continue;
      see_row(j, &f->best[BY_COSINE], c, scratch);
      c.measure = j->words[i];
      if (c.measure > 0 && !j->opt->likeness)
        see_row(j, &f->best[BY_WORDS], c, scratch);
    }
  }
  hm_arena_free(scratch);
  return 0;
}

/* The pool: what stands for the best rows of all parts. Fills the cosines of all rows. */
static size_t find_pool(scan_job *j, int threads, hm_arena *a, uint32_t **out) {
  const hm_recall_index *x = j->x;
  size_t most = j->opt->k * j->opt->overfetch, n = 0, failed;
  if (most > x->n)
    most = x->n;
  j->blocks = (x->n + HM_MATRIX_BLOCK - 1) / HM_MATRIX_BLOCK;
  j->parts = x->n > 20000 && threads > 1 ? (size_t)threads : 1;
  j->found = hm_alloc_array(a, j->parts, sizeof *j->found);
  for (size_t p = 0; p < j->parts; p++)
    for (int k = 0; k < N_HEAPS; k++)
      j->found[p].best[k] = (heap){ hm_alloc_array(a, most + 1, sizeof(candidate)), 0, most };
  if (most)
    hm_par_for(j->parts, threads, scan_part, j, &failed);
  *out = hm_alloc_array(a, N_HEAPS * most + 1, sizeof **out);
  for (int k = 0; k < N_HEAPS; k++) {
    heap all = { hm_alloc_array(a, most + 1, sizeof(candidate)), 0, most };
    for (size_t p = 0; p < j->parts; p++) {
      const heap *h = &j->found[p].best[k];
      for (size_t i = 0; i < h->n; i++)
        if (heap_wants(&all, &h->v[i]))
          heap_add(&all, h->v[i]);
    }
    for (size_t i = 0; i < all.n; i++)
      (*out)[n++] = all.v[i].target;
  }
  return n;
}

/* --- scores ----------------------------------------------------------------------- */

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

static void score_all(const scan_job *j, ranked *hits, size_t n) {
  const hm_recall_options *opt = j->opt;
  const hm_recall_weights *w = &opt->weights;
  double highest = 0;
  for (size_t i = 0; i < n; i++)
    if (j->words[hits[i].hit.row] > highest)
      highest = j->words[hits[i].hit.row];
  for (size_t i = 0; i < n; i++) {
    hm_recall_hit *h = &hits[i].hit;
    h->likeness = j->cosines[h->row];
    h->lexical = highest > 0 ? j->words[h->row] / highest : 0;
    h->recency = recency(j->x, h->row, opt);
    h->importance = j->x->rows[h->row].importance;
    h->score = opt->likeness ? h->likeness
                             : w->likeness * h->likeness + w->lexical * h->lexical +
            w->recency * h->recency + w->importance * h->importance;
  }
}

size_t hm_recall_search(const hm_recall_index *x, const hm_recall_query *q,
                        const hm_recall_options *opt, int threads, hm_arena *a,
                        hm_recall_hit **out) {
  hm_arena *rows = hm_arena_new(); /* of all rows */
  scan_job j = { .x = x, .q = q, .opt = opt };
  uint32_t *pool;
  size_t kept = 0;
  double *shares;
  bool *fits;
  j.words = hm_recall_word_scores(x, q, rows);
  hm_recall_find_fitting(x, q, rows, &shares, &fits);
  if (!opt->below_floor && q->matrix == x->matrix)
    j.fits = fits;
  j.cosines = hm_alloc_array(rows, x->n + 1, sizeof *j.cosines);
  size_t n = find_pool(&j, threads, a, &pool);
  qsort(pool, n, sizeof *pool, hm_order_u32);
  for (size_t i = 0; i < n; i++)
    if (!i || pool[i] != pool[i - 1])
      pool[kept++] = pool[i];
  ranked *hits = hm_alloc_array(a, kept + 1, sizeof *hits);
  for (size_t i = 0; i < kept; i++)
    hits[i] = (ranked){ { .row = pool[i], .share = shares[pool[i]] },
                        x->rows[pool[i]].created,
                        &x->snap->rows[pool[i]] };
  score_all(&j, hits, kept);
  hm_arena_free(rows);
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
    .weights = { .lexical = 0.20, .likeness = 0.55, .recency = 0.15, .importance = 0.10 },
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
  const double all[] = { w->lexical, w->likeness, w->recency, w->importance };
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
                  "give at least one of lexical, likeness, recency, importance", err);
  if (!(opt->min_importance >= 0 && opt->min_importance <= 1))
    return refuse("min_importance", "not 0 to 1", NULL, err);
  return 0;
}

int hm_recall_weights_parse(hm_str text, hm_recall_weights *w, hm_err *err) {
  const struct {
    const char *name;
    double *weight;
  } names[] = {
    { "lexical", &w->lexical },   { "likeness", &w->likeness },
    { "semantic", &w->likeness }, /* its old name */
    { "recency", &w->recency },   { "importance", &w->importance },
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
      return refuse("weights", "not a list as lexical=0.2,likeness=0.55",
                    "the names are lexical, likeness, recency, importance", err);
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

int hm_recall_options_parse(const hm_recall_index *x, const hm_recall_option_texts *t, hm_arena *a,
                            hm_recall_options *opt, hm_recall_expand *expand, hm_err *err) {
  const hm_snapshot *snap = hm_recall_snapshot(x);
  size_t depth = HM_EXPAND_DEPTH, cap = HM_EXPAND_CAP;
  *opt = hm_recall_default_options();
  opt->likeness = hm_str_is(t->mode, "likeness") || hm_str_is(t->mode, "semantic");
  if (t->mode.n && !opt->likeness && !hm_str_is(t->mode, "hybrid"))
    return refuse("mode", "neither likeness nor hybrid", NULL, err);
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
  if (t->true_at.n && !hm_recall_is_time(x, t->true_at, a))
    return refuse("was_true_at", "not a time",
                  "write it as 2026-04-02, 330 or, in a world with eras, 3rd_age.year_330", err);
  opt->true_at = t->true_at;
  opt->type = t->type;
  opt->tag = t->tag;
  opt->include_superseded = t->include_superseded;
  opt->below_floor = t->below_floor;
  *expand = (hm_recall_expand){ t->expand, (int)depth, (int)cap };
  return hm_recall_options_check(opt, err);
}
