/* A question to a store: answer.h.
 *
 * Lexical candidates are the best documents of FTS5, as many as the pool of vectors has, and every
 * row with a looked-up word that no document holds. */
#include "core/recall/answer.h"

#include <stdlib.h>

#include "core/store/fts.h"
#include "core/store/link_walk.h"

enum { WORTH_A_WRITE = 200 };   /* rows that are looked through one by one in half a millisecond */

/* An end of a link and the link; a conflict of a row. */
typedef struct { uint32_t row, of; } pair;

struct hm_recaller {
  hm_arena *a, *looked;        /* looked: of documents */
  hm_snapshot *snap;
  hm_recall_index *index;
  hm_fts_row *rows;
  hm_fts_documents documents;
  pair *conflicts; size_t n_conflicts;   /* open ones, by row */
  hm_link *all_links; size_t n_all_links;   /* by (src, dst, rel) */
  pair *links; size_t n_links;           /* both ends, by row */
  int threads;
};

static int by_row(const void *x, const void *y) {
  const pair *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->of > b->of) - (a->of < b->of);
}

static void add_pair(pair **v, size_t *n, size_t *cap, hm_arena *a, uint32_t row, size_t of) {
  if (row == HM_MAP_NONE || (*n && (*v)[*n - 1].row == row && (*v)[*n - 1].of == of)) return;
  *v = hm_array_grow_in(a, *v, *n, cap, sizeof **v);
  (*v)[(*n)++] = (pair){ row, (uint32_t)of };
}

static int by_link(const void *x, const void *y) {
  const hm_link *a = x, *b = y;
  int c = hm_str_cmp(a->src, b->src);
  if (!c) c = hm_str_cmp(a->dst, b->dst);
  return c ? c : hm_str_cmp(a->rel, b->rel);
}

static hm_str ends_key(uint32_t src, uint32_t dst, hm_arena *a) {
  const uint32_t ends[] = { src, dst };
  return hm_str_dup(a, (hm_str){ (const char *)ends, sizeof ends });
}

/* The links of the snapshot, and those that only superseded_by tells of. */
static void list_links(hm_recaller *r) {
  const hm_snapshot *s = r->snap;
  size_t cap = 0, n = 0;
  hm_link *v = NULL;
  hm_map drawn;
  hm_map_init(&drawn, r->a, 0);
  for (size_t i = 0; i < s->n_links; i++) {
    const hm_link *l = &s->links[i];
    v = hm_array_grow_in(r->a, v, n, &cap, sizeof *v);
    v[n++] = *l;
    if (hm_str_is(l->rel, "supersedes"))
      hm_map_add(&drawn, ends_key(hm_snapshot_ref(s, HM_MEMORY, l->src),
                                  hm_snapshot_ref(s, HM_MEMORY, l->dst), r->a), 0);
  }
  for (uint32_t i = 0; i < s->n_rows; i++) {
    if (!s->rows[i].superseded_by.n) continue;
    uint32_t by = hm_snapshot_named(s, i, HM_NAMES_SUPERSEDED_BY);
    if (by == HM_MAP_NONE || hm_map_get(&drawn, ends_key(by, i, r->a)) != HM_MAP_NONE) continue;
    v = hm_array_grow_in(r->a, v, n, &cap, sizeof *v);
    v[n++] = (hm_link){ hm_row_ref(r->a, &s->rows[by]), hm_row_ref(r->a, &s->rows[i]),
                        HM_STR("supersedes") };
  }
  if (n) qsort(v, n, sizeof *v, by_link);
  r->all_links = v;
  r->n_all_links = n;
}

/* Conflicts and links by row. */
static void index_ties(hm_recaller *r) {
  const hm_snapshot *s = r->snap;
  size_t cap = 0;
  for (size_t i = 0; i < s->n_conflicts; i++)
    for (size_t k = 0; s->conflicts[i].status == HM_OPEN && k < s->conflicts[i].n_members; k++) {
      const hm_member_rec *m = &s->conflicts[i].members[k];
      add_pair(&r->conflicts, &r->n_conflicts, &cap, r->a, hm_snapshot_row(s, m->layer, m->id), i);
    }
  cap = 0;
  list_links(r);
  for (size_t i = 0; i < r->n_all_links; i++) {
    const hm_link *l = &r->all_links[i];
    add_pair(&r->links, &r->n_links, &cap, r->a, hm_snapshot_ref(s, HM_MEMORY, l->src), i);
    add_pair(&r->links, &r->n_links, &cap, r->a, hm_snapshot_ref(s, HM_MEMORY, l->dst), i);
  }
  if (r->n_conflicts) qsort(r->conflicts, r->n_conflicts, sizeof *r->conflicts, by_row);
  if (r->n_links) qsort(r->links, r->n_links, sizeof *r->links, by_row);
}

int hm_recaller_read(hm_store *s, const hm_rules *rules, int threads, hm_recaller **out,
                     hm_err *err) {
  hm_recaller *r = hm_xmalloc(sizeof *r);
  *r = (hm_recaller){ .a = hm_arena_new(), .looked = hm_arena_new(), .threads = threads };
  if (hm_store_snapshot_undigested(s, r->a, &r->snap, err)) {
    hm_recaller_free(r);
    return -1;
  }
  r->index = hm_recall_index_new(r->snap, rules, threads, r->a);
  size_t n = hm_recall_texts(r->index);
  r->rows = hm_alloc_array(r->a, n + 1, sizeof *r->rows);
  for (size_t i = 0; i < n; i++) {
    hm_str text = hm_recall_text(r->index, (uint32_t)i);
    const hm_row *row = &r->snap->rows[i];
    r->rows[i] = (hm_fts_row){ row->layer, row->id, text, hm_str_hash(text) };
  }
  index_ties(r);
  *out = r;
  return 0;
}

void hm_recaller_free(hm_recaller *r) {
  if (!r) return;
  hm_arena_free(r->looked);
  hm_arena_free(r->a);
  free(r);
}

const hm_recall_index *hm_recaller_rows(const hm_recaller *r) { return r->index; }

int hm_recaller_look(hm_recaller *r, hm_store *s, hm_err *err) {
  hm_arena_reset(r->looked);
  return hm_fts_look(s, r->rows, hm_recall_texts(r->index), r->looked, &r->documents, err);
}

size_t hm_recaller_behind(const hm_recaller *r) {
  const hm_fts_documents *d = &r->documents;
  if (!d->there || (d->built && d->n_missing <= WORTH_A_WRITE)) return 0;
  return d->n_missing;
}

int hm_recaller_index(hm_recaller *r, hm_store *writer, hm_err *err) {
  if (hm_store_begin(writer, true, err)) return -1;
  if (hm_recaller_look(r, writer, err) ||
      hm_fts_update(writer, r->rows, hm_recall_texts(r->index), &r->documents, err)) {
    hm_store_rollback(writer);
    return -1;
  }
  return hm_store_commit(writer, err);
}

/* --- asking ----------------------------------------------------------------------- */

typedef struct {
  const hm_recaller *r;
  const hm_recall_options *opt;
  hm_arena *scratch;
  uint32_t *rows;
  size_t n, most;
} candidates;

static bool take(void *ctx, int64_t document) {
  candidates *c = ctx;
  const hm_fts_documents *d = &c->r->documents;
  uint32_t row = document > 0 && (size_t)document < d->n ? d->row_of[document] : UINT32_MAX;
  if (row == UINT32_MAX ||
      hm_recall_target(c->r->index, row, c->opt, c->scratch) == HM_MAP_NONE)
    return true;
  c->rows[c->n++] = row;
  return c->n < c->most;
}

static int find_lexical(hm_recaller *r, hm_store *s, const hm_recall_query *q,
                        const hm_recall_options *opt, hm_arena *a, candidates *out, hm_err *err) {
  const hm_fts_documents *d = &r->documents;
  *out = (candidates){ r, opt, hm_arena_new(), NULL, 0, opt->k * opt->overfetch };
  out->rows = hm_alloc_array(a, out->most + d->n_missing + 1, sizeof *out->rows);
  int rc = 0;
  if (d->there && d->built)
    rc = hm_fts_find(s, q->texts, hm_recall_lookups(r->index, q), take, out, err);
  for (size_t i = 0; !rc && i < d->n_missing; i++)
    if (hm_recall_matches(r->index, q, d->missing[i], out->scratch))
      out->rows[out->n++] = d->missing[i];
  hm_arena_free(out->scratch);
  return rc;
}

/* Rows that links lead to from the hits, nearest first; each once, and no hit. */
static int follow(const hm_recaller *r, hm_store *s, const hm_recall_expand *e, hm_arena *a,
                  hm_recall_answer *x, hm_err *err) {
  const bool all = hm_str_is(hm_str_trim(e->rels), "*");
  hm_link_filter f = { .depth = e->depth,
                       .cap = (size_t)e->cap,
                       .direction = all ? HM_LINKS_BOTH : HM_LINKS_OUT };
  hm_link_graph g;
  hm_str *starts = hm_alloc_array(a, x->n + 1, sizeof *starts), *rels = NULL;
  if (!all) f.n_rels = hm_str_list(e->rels, a, &rels);
  f.rels = rels;
  for (size_t i = 0; i < x->n; i++) starts[i] = hm_row_ref(a, &r->snap->rows[x->hits[i].row]);
  if (hm_links_walk_refs(s, starts, x->n, &f, false, a, &g, err)) return -1;
  x->neighbors = hm_alloc_array(a, g.n + 1, sizeof *x->neighbors);
  for (size_t i = 0; i < g.n; i++) {
    const hm_link_node *n = &g.nodes[i];
    uint32_t row = hm_snapshot_ref(r->snap, HM_MEMORY, n->ref),
             from = n->depth ? hm_snapshot_ref(r->snap, HM_MEMORY, n->from) : HM_MAP_NONE;
    /* A row may be newer than the snapshot. */
    if (row == HM_MAP_NONE || from == HM_MAP_NONE) continue;
    x->neighbors[x->n_neighbors++] = (hm_recall_neighbor){ row, from, n->rel, n->depth, n->in };
  }
  return 0;
}

int hm_recaller_ask(hm_recaller *r, hm_store *s, hm_str query, const hm_recall_options *opt,
                    const hm_recall_expand *expand, const hm_recall_model *model, hm_arena *a,
                    hm_recall_answer *out, hm_err *err) {
  hm_recall_query q;
  candidates lexical = { 0 };
  if (hm_recall_check(opt, err)) return -1;
  hm_recall_query_read(r->index, query, a, &q);
  if (!q.n) {
    hm_fail(err, HM_E_INPUT, "the question", "has no word", "give words to look for");
    return hm_err_at_field(err, HM_STR("query"));
  }
  *out = (hm_recall_answer){ .query = query, .opt = *opt, .vectors = HM_STR("builtin") };
  if (model) {
    hm_recall_query_by(&q, model->rows, model->question);
    out->vectors = model->name;
  }
  out->vectors = hm_str_fmt(a, "%.*s/%d", HM_FMT(out->vectors), q.matrix->dims);
  if (!opt->semantic && find_lexical(r, s, &q, opt, a, &lexical, err)) return -1;
  out->n = hm_recall_search(r->index, &q, opt, lexical.rows, lexical.n, r->threads, a, &out->hits);
  return expand && expand->rels.n ? follow(r, s, expand, a, out, err) : 0;
}

/* --- what hangs on a row ------------------------------------------------------------ */

/* The first of the pairs of this row. */
static size_t first_of(const pair *v, size_t n, uint32_t row) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (v[mid].row < row) low = mid + 1;
    else high = mid;
  }
  return low;
}

size_t hm_recaller_conflicts(const hm_recaller *r, uint32_t row, hm_arena *a,
                             const hm_conflict_rec ***out) {
  size_t n = 0, first = first_of(r->conflicts, r->n_conflicts, row);
  while (first + n < r->n_conflicts && r->conflicts[first + n].row == row) n++;
  *out = hm_alloc_array(a, n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++) (*out)[i] = &r->snap->conflicts[r->conflicts[first + i].of];
  return n;
}

size_t hm_recaller_links(const hm_recaller *r, uint32_t row, hm_arena *a, const hm_link ***out) {
  size_t n = 0, first = first_of(r->links, r->n_links, row);
  while (first + n < r->n_links && r->links[first + n].row == row) n++;
  *out = hm_alloc_array(a, n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++) (*out)[i] = &r->all_links[r->links[first + i].of];
  return n;
}
