/* Answers questions of the rows of a snapshot: answer.h. */
#include "core/recall/answer.h"
#include "core/record/given.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/text.h"
#include "core/store/links.h"
#include "core/store/lookup.h"

struct hm_recaller {
  hm_arena *a;
  const hm_snapshot *snap;
  const hm_row_graph *graph;
  hm_recall_index *index;
  int threads;
};

/* --- the rows ----------------------------------------------------------------------- */

hm_recaller *hm_recaller_new(const hm_snapshot *snap, const hm_rules *rules, int threads) {
  hm_recaller *r = hm_xmalloc(sizeof *r);
  *r = (hm_recaller){ .a = hm_arena_new(), .snap = snap, .threads = threads };
  r->graph = hm_snapshot_graph(snap, threads, r->a);
  r->index = hm_recall_index_new(snap, rules, threads, r->a);
  return r;
}

void hm_recaller_free(hm_recaller *r) {
  if (!r)
    return;
  hm_arena_free(r->a);
  free(r);
}

hm_recall_index *hm_recaller_rows(const hm_recaller *r) { return r->index; }

/* --- links of the hits -------------------------------------------------------------- */

static bool has_row(const hm_recall_answer *x, const hm_recall_neighbor *v, size_t n,
                    uint32_t row) {
  for (size_t i = 0; i < x->n; i++)
    if (x->hits[i].row == row)
      return true;
  for (size_t i = 0; i < n; i++)
    if (v[i].row == row)
      return true;
  return false;
}

/* Does it ask for this type of relation? */
static bool asks_for(const hm_recall_expand *e, hm_str type, hm_arena *a) {
  hm_str *rels;
  size_t n = hm_str_split_commas(e->rels, a, &rels);
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(rels[i], "*") ||
        hm_str_eq(hm_text_fold_name(a, rels[i]), hm_text_fold_name(a, type)))
      return true;
  return false;
}

/* Relations from or to the hits, each as a row of its own, so that parallel ones are all there. */
static void add_relations(const hm_recaller *r, const hm_recall_expand *e, hm_arena *a,
                          hm_recall_answer *x) {
  const hm_row_graph *g = r->graph;
  hm_recall_neighbor *v = NULL;
  size_t n = 0, cap = 0, most = x->n_neighbors + (size_t)e->cap;
  for (; n < x->n_neighbors; n++) {
    v = hm_array_grow_in(a, v, n, &cap, sizeof *v);
    v[n] = x->neighbors[n];
  }
  for (size_t i = 0; i < x->n; i++) {
    uint32_t row = x->hits[i].row;
    for (uint32_t k = g->first[row]; k < g->first[row + 1] && n < most; k++) {
      hm_naming by = g->namers[k].by;
      uint32_t of = g->namers[k].of;
      if ((by != HM_NAMES_FROM && by != HM_NAMES_TO) || r->snap->rows[of].status != HM_ACTIVE ||
          !asks_for(e, r->snap->rows[of].type, a) || has_row(x, v, n, of))
        continue;
      v = hm_array_grow_in(a, v, n, &cap, sizeof *v);
      v[n++] = (hm_recall_neighbor){ of, row, r->snap->rows[of].type, 1, by == HM_NAMES_TO };
    }
  }
  x->neighbors = v;
  x->n_neighbors = n;
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
  if (!all)
    f.n_rels = hm_str_split_commas(e->rels, a, &rels);
  f.rels = rels;
  for (size_t i = 0; i < x->n; i++)
    starts[i] = hm_row_ref(a, &r->snap->rows[x->hits[i].row]);
  if (hm_links_walk_refs(s, starts, x->n, &f, false, a, &g, err))
    return -1;
  x->neighbors = hm_alloc_array(a, g.n + 1, sizeof *x->neighbors);
  for (size_t i = 0; i < g.n; i++) {
    const hm_link_node *n = &g.nodes[i];
    uint32_t row = hm_snapshot_ref(r->snap, HM_MEMORY, n->ref),
             from = n->depth ? hm_snapshot_ref(r->snap, HM_MEMORY, n->from) : HM_MAP_NONE;
    /* A row may be newer than the snapshot. */
    if (row == HM_MAP_NONE || from == HM_MAP_NONE)
      continue;
    x->neighbors[x->n_neighbors++] = (hm_recall_neighbor){ row, from, n->rel, n->depth, n->in };
  }
  add_relations(r, e, a, x);
  return 0;
}

/* --- what hangs on a row ------------------------------------------------------------ */

static int by_link(const void *x, const void *y) {
  const hm_link *a = x, *b = y;
  int c = hm_str_cmp(a->src, b->src);
  if (!c)
    c = hm_str_cmp(a->dst, b->dst);
  return c ? c : hm_str_cmp(a->rel, b->rel);
}

typedef struct {
  hm_link *v;
  size_t n, cap;
  hm_map superseded; /* the pairs that its links "supersedes" tie, by their rows */
} link_list;

/* False: its links tie the two so already. */
static bool note_supersession(link_list *l, uint32_t by, uint32_t old, hm_arena *a) {
  uint32_t pair[] = { by, old };
  size_t had = l->superseded.n;
  hm_map_add(&l->superseded, hm_str_dup(a, (hm_str){ (const char *)pair, sizeof pair }), 0);
  return l->superseded.n > had;
}

static void add_link(link_list *l, hm_link link, hm_arena *a) {
  l->v = hm_array_grow_in(a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = link;
}

static void add_drawn(const hm_snapshot *s, link_list *l, hm_link link, hm_arena *a) {
  add_link(l, link, a);
  if (hm_str_is(link.rel, "supersedes"))
    note_supersession(l, hm_snapshot_ref(s, HM_MEMORY, link.src),
                      hm_snapshot_ref(s, HM_MEMORY, link.dst), a);
}

/* "row `by` took the place of row `old`", unless somebody drew that. */
static void add_supersession(const hm_snapshot *s, uint32_t by, uint32_t old, link_list *l,
                             hm_arena *a) {
  if (!note_supersession(l, by, old, a))
    return;
  hm_link drawn = { hm_row_ref(a, &s->rows[by]), hm_row_ref(a, &s->rows[old]),
                    HM_STR("supersedes") };
  add_link(l, drawn, a);
}

static void read_ties(const hm_recaller *r, uint32_t row, hm_arena *a, hm_recall_context *out) {
  const hm_snapshot *s = r->snap;
  const hm_row_graph *g = r->graph;
  uint32_t by = g->named[row][HM_NAMES_SUPERSEDED_BY];
  size_t kept = 0;
  link_list links = { 0 };
  hm_map_init(&links.superseded, a, 0);
  for (uint32_t i = g->first[row]; i < g->first[row + 1]; i++)
    if (g->namers[i].by >= HM_NAMES_SRC)
      add_drawn(s, &links, s->links[g->namers[i].of], a);
  if (by != HM_MAP_NONE)
    add_supersession(s, by, row, &links, a);
  for (uint32_t i = g->first[row]; i < g->first[row + 1]; i++)
    if (g->namers[i].by == HM_NAMES_SUPERSEDED_BY)
      add_supersession(s, row, g->namers[i].of, &links, a);
  if (links.n)
    qsort(links.v, links.n, sizeof *links.v, by_link);
  for (size_t i = 0; i < links.n; i++) /* one from a row to itself was met twice */
    if (!i || by_link(&links.v[i], &links.v[kept - 1]))
      links.v[kept++] = links.v[i];
  out->links = links.v;
  out->n_links = kept;
}

/* --- one question ------------------------------------------------------------------- */

int hm_recaller_ask(const hm_recaller *r, hm_store *s, hm_str query, const hm_recall_options *opt,
                    const hm_recall_expand *expand, const hm_recall_model *model, hm_arena *a,
                    hm_recall_answer *out, hm_err *err) {
  hm_recall_query q;
  if (hm_recall_options_check(opt, err))
    return -1;
  hm_recall_query_parse(r->index, query, a, &q);
  if (!q.n) {
    hm_fail(err, HM_E_INPUT, "the question", "has no word", "give words to look for");
    return hm_err_at_field(err, HM_STR("query"));
  }
  *out = (hm_recall_answer){ .query = query, .opt = *opt, .vectors = HM_STR("builtin") };
  if (!opt->true_at.n)
    out->opt.asked_at = hm_recall_time_asked(query);
  if (model) {
    hm_recall_query_set_vectors(&q, model->rows, model->question);
    out->vectors = model->name;
  }
  out->vectors = hm_str_fmt(a, "%.*s/%d", HM_FMT(out->vectors), q.matrix->dims);
  out->n = hm_recall_search(r->index, &q, &out->opt, r->threads, a, &out->hits);
  if (expand && expand->rels.n && follow(r, s, expand, a, out, err))
    return -1;
  out->hit_ties = hm_alloc_array(a, out->n + 1, sizeof *out->hit_ties);
  out->neighbor_ties = hm_alloc_array(a, out->n_neighbors + 1, sizeof *out->neighbor_ties);
  for (size_t i = 0; i < out->n; i++)
    read_ties(r, out->hits[i].row, a, &out->hit_ties[i]);
  for (size_t i = 0; i < out->n_neighbors; i++)
    read_ties(r, out->neighbors[i].row, a, &out->neighbor_ties[i]);
  return 0;
}

/* --- as JSON --------------------------------------------------------------------------- */

/* Six digits; the rest is rounding. */
static void put_number(hm_jw *j, const char *key, double v) {
  char text[40];
  snprintf(text, sizeof text, "%.6f", v);
  hm_jw_raw(j, key, hm_str_c(text));
}

/* Under its name, and the one that it had. */
static void put_likeness(hm_jw *j, double v) {
  put_number(j, "likeness", v);
  put_number(j, "semantic", v);
}

static void put_weights(hm_jw *j, const hm_recall_options *opt) {
  hm_jw_obj(j, "weights");
  put_likeness(j, opt->likeness ? 1 : opt->weights.likeness);
  put_number(j, "lexical", opt->likeness ? 0 : opt->weights.lexical);
  put_number(j, "recency", opt->likeness ? 0 : opt->weights.recency);
  put_number(j, "importance", opt->likeness ? 0 : opt->weights.importance);
  hm_jw_end(j);
}

static hm_str end_of(const hm_snapshot *s, uint32_t row, hm_naming column, hm_str id, hm_arena *a) {
  uint32_t end = hm_snapshot_named(s, row, column);
  return end == HM_MAP_NONE ? id : hm_row_ref(a, &s->rows[end]);
}

/* kind, id, layer, trust, what it says and since when; of a relation its ends and bounds. */
static void put_row(const hm_recaller *r, uint32_t row, hm_jw *j, hm_arena *a) {
  const hm_recall_index *x = hm_recaller_rows(r);
  const hm_snapshot *s = hm_recall_snapshot(x);
  const hm_row *v = &s->rows[row];
  hm_json *tags;
  hm_jw_str(j, "ref", hm_row_ref(a, v));
  hm_jw_str(j, "layer", hm_str_c(hm_layer_name(v->layer)));
  hm_jw_int(j, "layer_trust", hm_layer_trust(v->layer));
  hm_jw_str(j, "type", v->type);
  hm_jw_str(j, "project", s->projects[v->project].id);
  hm_jw_str(j, "status", hm_str_c(hm_status_name(v->status)));
  hm_jw_str(j, "text", row < hm_recall_text_count(x) ? hm_recall_text(x, row) : v->type);
  if (v->tags.n && !hm_json_parse(a, v->tags, &tags, NULL))
    hm_jw_raw(j, "tags", hm_json_as_text(tags, a));
  hm_jw_str_or_null(j, "created_at", hm_row_text_date(s, row));
  hm_jw_str_or_null(j, "superseded_by", v->superseded_by);
  if (v->layer != HM_RELATION)
    return;
  hm_jw_str(j, "from_ref", end_of(s, row, HM_NAMES_FROM, v->from, a));
  hm_jw_str(j, "to_ref", end_of(s, row, HM_NAMES_TO, v->to, a));
  hm_jw_str_or_null(j, "valid_from", v->valid_from);
  hm_jw_str_or_null(j, "valid_until", v->valid_until);
}

/* An answer as it is written. */
typedef struct {
  const hm_recaller *r;
  hm_row_tell *tell;
  const void *ctx;
  hm_jw j;
  hm_arena *a;
} writer;

static void put_ties(writer *o, uint32_t row, const hm_recall_context *ties) {
  const hm_snapshot *s = hm_recall_snapshot(hm_recaller_rows(o->r));
  hm_jw *j = &o->j;
  o->tell(o->ctx, hm_row_ref(o->a, &s->rows[row]), j);
  hm_jw_arr(j, "links");
  for (size_t i = 0; i < ties->n_links; i++) {
    const hm_link *l = &ties->links[i];
    bool out = hm_snapshot_ref(s, HM_MEMORY, l->src) == row;
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "rel", l->rel);
    hm_jw_str(j, "direction", out ? HM_STR("out") : HM_STR("in"));
    hm_jw_str(j, "ref", out ? l->dst : l->src);
    hm_jw_end(j);
  }
  hm_jw_end(j);
}

static void put_hit(writer *o, const hm_recall_hit *h, const hm_recall_context *ties) {
  hm_jw *j = &o->j;
  hm_jw_obj(j, NULL);
  put_row(o->r, h->row, j, o->a);
  put_number(j, "score", h->score);
  hm_jw_obj(j, "parts");
  put_likeness(j, h->likeness);
  put_number(j, "lexical", h->lexical);
  put_number(j, "recency", h->recency);
  put_number(j, "importance", h->importance);
  hm_jw_end(j);
  put_ties(o, h->row, ties);
  hm_jw_end(j);
}

static void put_neighbor(writer *o, const hm_recall_neighbor *n, const hm_recall_context *ties) {
  const hm_snapshot *s = hm_recall_snapshot(hm_recaller_rows(o->r));
  hm_jw *j = &o->j;
  hm_jw_obj(j, NULL);
  put_row(o->r, n->row, j, o->a);
  put_number(j, "score", HM_EXPAND_SCORE);
  hm_jw_str(j, "rel", n->rel);
  hm_jw_str(j, "direction", n->reverse ? HM_STR("in") : HM_STR("out"));
  hm_jw_str(j, "from", hm_row_ref(o->a, &s->rows[n->from]));
  hm_jw_int(j, "depth", n->depth);
  put_ties(o, n->row, ties);
  hm_jw_end(j);
}

hm_str *hm_recall_refs(const hm_recaller *r, const hm_recall_answer *x, hm_arena *a, size_t *n) {
  const hm_row *rows = r->snap->rows;
  hm_str *refs = hm_alloc_array(a, x->n + x->n_neighbors + 1, sizeof *refs);
  *n = 0;
  for (size_t i = 0; i < x->n; i++)
    refs[(*n)++] = hm_row_ref(a, &rows[x->hits[i].row]);
  for (size_t i = 0; i < x->n_neighbors; i++)
    refs[(*n)++] = hm_row_ref(a, &rows[x->neighbors[i].row]);
  return refs;
}

void hm_recall_json(const hm_recaller *r, const hm_recall_answer *x, hm_row_tell *tell,
                    const void *ctx, hm_arena *a, hm_buf *out) {
  const hm_recall_options *opt = &x->opt;
  hm_time now = hm_recall_snapshot(hm_recaller_rows(r))->now;
  writer o = { .r = r, .tell = tell, .ctx = ctx, .a = a };
  hm_jw *j = &o.j;
  hm_jw_init(j, out, 0);
  hm_jw_obj(j, NULL);
  hm_jw_str(j, "query", x->query);
  hm_jw_str(j, "mode", opt->likeness ? HM_STR("likeness") : HM_STR("hybrid"));
  hm_jw_str_or_null(j, "clock", hm_time_iso(a, opt->clocked ? opt->clock : now));
  hm_jw_str_or_null(j, "as_of", opt->dated ? hm_time_iso(a, opt->as_of) : HM_EMPTY);
  hm_jw_str_or_null(j, "was_true_at", opt->true_at.n ? opt->true_at : opt->asked_at);
  hm_jw_str(j, "vectors", x->vectors);
  hm_jw_str_or_null(j, "note", x->note);
  put_weights(j, opt);
  hm_jw_arr(j, "hits");
  for (size_t i = 0; i < x->n; i++)
    put_hit(&o, &x->hits[i], &x->hit_ties[i]);
  hm_jw_end(j);
  hm_jw_int(j, "count", (int64_t)x->n);
  hm_jw_arr(j, "neighbors");
  for (size_t i = 0; i < x->n_neighbors; i++)
    put_neighbor(&o, &x->neighbors[i], &x->neighbor_ties[i]);
  hm_jw_end(j);
  if (x->pending)
    hm_jw_str(j, "sweep", HM_STR("pending"));
  hm_jw_end(j);
}
