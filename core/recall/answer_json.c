/* An answer as JSON. */
#include "core/recall/answer.h"

#include <stdio.h>

/* Six digits: what is left of that is rounding. */
static void put_number(hm_jw *j, const char *key, double v) {
  char text[40];
  snprintf(text, sizeof text, "%.6f", v);
  hm_jw_raw(j, key, hm_str_c(text));
}

static void put_weights(hm_jw *j, const hm_recall_options *opt) {
  hm_jw_obj(j, "weights");
  put_number(j, "semantic", opt->semantic ? 1 : opt->weights.semantic);
  put_number(j, "lexical", opt->semantic ? 0 : opt->weights.lexical);
  put_number(j, "recency", opt->semantic ? 0 : opt->weights.recency);
  put_number(j, "importance", opt->semantic ? 0 : opt->weights.importance);
  hm_jw_end(j);
}

/* kind, id, layer, trust, what it says and since when. */
static void put_row(const hm_recaller *r, uint32_t row, hm_jw *j, hm_arena *a) {
  const hm_recall_index *x = hm_recaller_rows(r);
  const hm_snapshot *s = hm_recall_snapshot(x);
  const hm_row *v = &s->rows[row];
  const hm_row_detail *d = &s->details[row];
  hm_json *tags;
  hm_jw_str(j, "ref", hm_row_ref(a, v));
  hm_jw_str(j, "layer", hm_str_c(hm_layer_kind(v->layer)));
  hm_jw_int(j, "layer_trust", hm_layer_trust(v->layer));
  hm_jw_str(j, "type", v->type);
  hm_jw_str(j, "project", s->projects[v->project].id);
  hm_jw_str(j, "status", hm_str_c(hm_status_name(v->status)));
  hm_jw_str(j, "text", row < hm_recall_texts(x) ? hm_recall_text(x, row) : v->type);
  if (d->tags.n && !hm_json_parse(a, d->tags, &tags, NULL))
    hm_jw_raw(j, "tags", hm_json_as_text(tags, a));
  hm_jw_str_or_null(j, "created_at", v->created_at);
  hm_jw_str_or_null(j, "superseded_by", v->superseded_by);
}

static void put_ties(const hm_recaller *r, uint32_t row, const hm_recall_ties *ties, hm_jw *j) {
  const hm_snapshot *s = hm_recall_snapshot(hm_recaller_rows(r));
  hm_jw_bool(j, "disputed", ties->n_conflicts > 0);
  hm_jw_arr(j, "conflicts");
  for (size_t i = 0; i < ties->n_conflicts; i++) hm_jw_str(j, NULL, ties->conflicts[i]);
  hm_jw_end(j);
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

static void put_hit(const hm_recaller *r, const hm_recall_hit *h, const hm_recall_ties *ties,
                    hm_jw *j, hm_arena *a) {
  hm_jw_obj(j, NULL);
  put_row(r, h->row, j, a);
  put_number(j, "score", h->score);
  hm_jw_obj(j, "parts");
  put_number(j, "semantic", h->semantic);
  put_number(j, "lexical", h->lexical);
  put_number(j, "recency", h->recency);
  put_number(j, "importance", h->importance);
  hm_jw_end(j);
  put_ties(r, h->row, ties, j);
  hm_jw_end(j);
}

static void put_neighbor(const hm_recaller *r, const hm_recall_neighbor *n,
                         const hm_recall_ties *ties, hm_jw *j, hm_arena *a) {
  const hm_snapshot *s = hm_recall_snapshot(hm_recaller_rows(r));
  hm_jw_obj(j, NULL);
  put_row(r, n->row, j, a);
  put_number(j, "score", HM_EXPAND_SCORE);
  hm_jw_str(j, "rel", n->rel);
  hm_jw_str(j, "direction", n->reverse ? HM_STR("in") : HM_STR("out"));
  hm_jw_str(j, "from", hm_row_ref(a, &s->rows[n->from]));
  hm_jw_int(j, "depth", n->depth);
  put_ties(r, n->row, ties, j);
  hm_jw_end(j);
}

void hm_recall_json(const hm_recaller *r, const hm_recall_answer *x, hm_arena *a, hm_buf *out) {
  const hm_recall_options *opt = &x->opt;
  hm_time now = hm_recall_snapshot(hm_recaller_rows(r))->now;
  hm_jw j;
  hm_jw_init(&j, out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "query", x->query);
  hm_jw_str(&j, "mode", opt->semantic ? HM_STR("semantic") : HM_STR("hybrid"));
  hm_jw_str_or_null(&j, "clock", hm_time_iso(a, opt->clocked ? opt->clock : now));
  hm_jw_str_or_null(&j, "as_of", opt->dated ? hm_time_iso(a, opt->as_of) : HM_EMPTY);
  hm_jw_str(&j, "vectors", x->vectors);
  hm_jw_str_or_null(&j, "note", x->note);
  put_weights(&j, opt);
  hm_jw_arr(&j, "hits");
  for (size_t i = 0; i < x->n; i++) put_hit(r, &x->hits[i], &x->hit_ties[i], &j, a);
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)x->n);
  hm_jw_arr(&j, "neighbors");
  for (size_t i = 0; i < x->n_neighbors; i++)
    put_neighbor(r, &x->neighbors[i], &x->neighbor_ties[i], &j, a);
  hm_jw_end(&j);
  hm_jw_end(&j);
}
