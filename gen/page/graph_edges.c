/* Which edges the drawings of a project have, and how large the drawings are. An edge belongs to
 * the project of either of its rows. Linear in rows and edges. */
#include <stdlib.h>

#include "view_private.h"

enum { SCAN = 80 };

/* out: it leads away from its row. */
static bool is_of_kind(const hm_edge *e, hm_graph_kind kind, bool *out) {
  *out = true;
  switch (e->kind) {
  case HM_EDGE_REL_IN:
  case HM_EDGE_PART_IN:
  case HM_EDGE_NAME_IN: *out = false; return kind == HM_GRAPH_RELATIONS;
  case HM_EDGE_REL_OUT:
  case HM_EDGE_PART_OUT:
  case HM_EDGE_NAME_OUT: return kind == HM_GRAPH_RELATIONS;
  case HM_EDGE_LINK_IN: *out = false; return kind == HM_GRAPH_LINKS;
  case HM_EDGE_LINK_OUT: return kind == HM_GRAPH_LINKS;
  case HM_EDGE_OLDER: *out = false; return kind == HM_GRAPH_CHAINS;
  case HM_EDGE_NEWER: return kind == HM_GRAPH_CHAINS;
  }
  return false;
}

/* A property that names what a relation leads to, or what another property names, adds nothing; the
 * same supersession can stand in a column and in a relation. Relations come first. */
static bool is_repeated(const hm_view *v, uint32_t row, uint32_t at) {
  const hm_edge *e = &v->edges[at];
  bool out, is_property = e->kind >= HM_EDGE_PART_OUT;
  for (uint32_t i = v->edge_from[row]; is_property && i < at && i < v->edge_from[row] + SCAN; i++) {
    bool same_way = is_of_kind(&v->edges[i], HM_GRAPH_RELATIONS, &out) &&
        out == (e->kind == HM_EDGE_PART_OUT || e->kind == HM_EDGE_NAME_OUT);
    if (same_way && v->edges[i].other == e->other) return true;
  }
  bool is_step = e->kind == HM_EDGE_NEWER || e->kind == HM_EDGE_OLDER;
  return is_step && !hm_view_edge_is_first(v, row, at);
}

/* Those of the project in the order of its rows: each once, by the row that it leads away from,
 * unless that one has another project. */
void hm_view_visit_graph_edges(const hm_view *v, uint32_t project, hm_graph_kind kind,
                               hm_graph_edge_fn *fn, void *ctx) {
  uint32_t snap = v->projects[project].snap;
  for (uint32_t i = v->home_from[snap]; i < v->home_from[snap + 1]; i++) {
    uint32_t row = v->homes[i];
    if (v->edge_from[row] == v->edge_from[row + 1] || !hm_view_listed(v, row)) continue;
    if (kind == HM_GRAPH_RELATIONS && !v->rows[row].active) continue;
    for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
      const hm_edge *e = &v->edges[k];
      bool out;
      if (e->other == HM_NONE || !is_of_kind(e, kind, &out)) continue;
      if (!out && v->rows[e->other].home == snap) continue;
      if (kind == HM_GRAPH_RELATIONS && !v->rows[e->other].active) continue;
      if (is_repeated(v, row, k)) continue;
      fn(ctx, out ? &(hm_graph_edge){ row, e->other, e } : &(hm_graph_edge){ e->other, row, e });
    }
  }
}

typedef struct { uint32_t *stamps, stamp, nodes, edges; } counting;

static void count_node(counting *c, uint32_t row) {
  c->nodes += c->stamps[row] != c->stamp;
  c->stamps[row] = c->stamp;
}

static void count_edge(void *ctx, const hm_graph_edge *e) {
  counting *c = ctx;
  count_node(c, e->from);
  count_node(c, e->to);
  c->edges++;
}

void hm_view_measure_graphs(hm_view *v) {
  counting c = { .stamps = v->n_edges ? hm_xrealloc(NULL, v->snap->n_rows * sizeof *c.stamps)
                                      : NULL };
  for (size_t i = 0; v->n_edges && i < v->snap->n_rows; i++) c.stamps[i] = 0;
  for (uint32_t p = 0; v->n_edges && p < v->n_projects; p++)
    for (hm_graph_kind k = 0; k < HM_GRAPHS; k++) {
      c.stamp++;
      c.nodes = c.edges = 0;
      hm_view_visit_graph_edges(v, p, k, count_edge, &c);
      const hm_vproject *pr = &v->projects[p];
      for (uint32_t i = pr->s_from; k == HM_GRAPH_RELATIONS && c.edges && i < pr->s_to; i++)
        count_node(&c, v->subsystems[i]);
      v->projects[p].graphs[k].nodes = c.nodes;
      v->projects[p].graphs[k].edges = c.edges;
    }
  free(c.stamps);
}
