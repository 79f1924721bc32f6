/* Edges between rows: relations, links, supersessions, and properties that name a subsystem or a
 * component. Finds them once, by row. Also selects the edges of a project's drawings, and their
 * size: an edge belongs to the projects of both of its rows. Linear in rows and edges. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/slot.h"
#include "view_private.h"

enum { NAME_BYTES = 256, ITEMS_MAX = 64, SUCCESSORS_MAX = 64 };

typedef struct {
  uint32_t row;
  hm_edge edge;
} row_edge;

typedef struct {
  hm_view *v;
  hm_arena *tmp, *row_tmp;
  row_edge *all;
  size_t n, cap;
  hm_map targets;    /* project and folded name -> row */
  bool *has_targets; /* by project: there are rows that a property can name */
} edge_builder;

static void edge_add(edge_builder *e, uint32_t row, uint32_t other, uint32_t via,
                     hm_edge_kind kind) {
  if (row == HM_NONE)
    return;
  e->all = hm_array_grow(e->all, e->n, &e->cap, sizeof *e->all);
  e->all[e->n++] = (row_edge){ row, { other, via, kind } };
}

static void edge_pair(edge_builder *e, uint32_t from, uint32_t to, uint32_t via, hm_edge_kind out) {
  edge_add(e, from, to, via, out);
  edge_add(e, to, from, via, out + 1);
}

static uint32_t if_listed(const hm_view *v, uint32_t row) {
  return row != HM_NONE && hm_view_listed(v, row) ? row : HM_NONE;
}

/* True for the kind (hm_view_row.kind) of subsystems or of components: what properties can name,
 * and what has parts. */
static bool is_assembly(const hm_view *v, uint32_t kind) {
  if (kind < HM_KIND_TYPES)
    return false;
  hm_str key = v->types[kind - HM_KIND_TYPES];
  return hm_str_is(key, "subsystem") || hm_str_is(key, "component");
}

/* The active subsystem or component that took the place of a superseded one; HM_NONE: none. */
static uint32_t successor_of(const hm_view *v, uint32_t row) {
  int left = SUCCESSORS_MAX;
  while (left-- && row != HM_NONE && v->snap->rows[row].status == HM_SUPERSEDED)
    row = if_listed(v, hm_snapshot_named(v->snap, row, HM_NAMES_SUPERSEDED_BY));
  bool in_force = row != HM_NONE && v->snap->rows[row].status == HM_ACTIVE;
  return in_force && is_assembly(v, v->rows[row].kind) ? row : HM_NONE;
}

/* A part of what was superseded is part of what took its place, too. */
static void inherited_part(edge_builder *e, uint32_t part, uint32_t of) {
  if (part == HM_NONE || of == HM_NONE || e->v->snap->rows[of].status != HM_SUPERSEDED)
    return;
  uint32_t to = successor_of(e->v, of);
  if (to != HM_NONE && to != part)
    edge_pair(e, part, to, HM_NONE, HM_EDGE_PART_OUT);
}

static void relation_edges(edge_builder *e) {
  const hm_snapshot *s = e->v->snap;
  for (uint32_t i = (uint32_t)s->first[HM_RELATION]; i < s->first[HM_RELATION + 1]; i++) {
    const hm_row *r = &s->rows[i];
    if (!hm_view_listed(e->v, i) || r->status != HM_ACTIVE)
      continue;
    uint32_t from = if_listed(e->v, hm_snapshot_named(s, i, HM_NAMES_FROM)),
             to = if_listed(e->v, hm_snapshot_named(s, i, HM_NAMES_TO));
    hm_str type = hm_text_fold_name(e->tmp, r->type);
    if (hm_str_is(type, "supersedes"))
      edge_pair(e, to, from, i, HM_EDGE_NEWER);
    else if (hm_str_is(type, "superseded_by"))
      edge_pair(e, from, to, i, HM_EDGE_NEWER);
    else
      edge_pair(e, from, to, i, HM_EDGE_REL_OUT);
    if (hm_str_is(type, "part_of"))
      inherited_part(e, from, to);
  }
}

static void column_edges(edge_builder *e) {
  const hm_snapshot *s = e->v->snap;
  for (uint32_t i = 0; i < s->n_rows; i++) {
    if (!e->v->rows[i].refers || !hm_view_listed(e->v, i))
      continue;
    uint32_t by = if_listed(e->v, hm_snapshot_named(s, i, HM_NAMES_SUPERSEDED_BY));
    if (by != HM_NONE && by != i)
      edge_pair(e, i, by, HM_NONE, HM_EDGE_NEWER);
  }
}

static void link_edges(edge_builder *e) {
  const hm_snapshot *s = e->v->snap;
  const hm_row_graph *g = hm_snapshot_graph(s, 1, e->tmp);
  for (uint32_t i = 0; i < s->n_links; i++) {
    uint32_t from = if_listed(e->v, g->ends[i][0]), to = if_listed(e->v, g->ends[i][1]);
    if (from == HM_NONE || to == HM_NONE)
      continue;
    /* A supersession is a column of the superseded row, too. */
    if (hm_str_is(s->links[i].rel, "supersedes") && g->named[to][HM_NAMES_SUPERSEDED_BY] == from)
      continue;
    edge_pair(e, from, to, i, HM_EDGE_LINK_OUT);
  }
}

/* --- properties -------------------------------------------------------- */

static bool is_target(const hm_view *v, uint32_t row) {
  return hm_view_listed(v, row) && v->snap->rows[row].status == HM_ACTIVE &&
      is_assembly(v, v->rows[row].kind);
}

static hm_str target_key(hm_arena *a, uint32_t project, hm_str name) {
  hm_str folded = hm_text_fold_name(a, name);
  char *p = hm_alloc(a, sizeof project + folded.n + 1);
  memcpy(p, &project, sizeof project);
  memcpy(p + sizeof project, folded.p, folded.n);
  return (hm_str){ p, sizeof project + folded.n };
}

/* Subsystems first: a name that a component shares means the subsystem. Of those of one name the
 * first id counts, in whatever order the list is. The name of a superseded one, which no active one
 * has, means what took its place. */
static void note_targets(edge_builder *e, const char *key, bool superseded) {
  hm_view *v = e->v;
  for (uint32_t p = 0; p < v->n_projects; p++) {
    const hm_group *g = hm_view_group(v, p, HM_ENTITY, hm_str_c(key));
    for (uint32_t i = g ? g->from : 0; g && i < g->to; i++) {
      const hm_row *r = &v->snap->rows[v->listed[i]];
      if (r->name.n == 0 || r->name.n > NAME_BYTES || superseded != (r->status == HM_SUPERSEDED))
        continue;
      uint32_t to = superseded ? successor_of(v, v->listed[i]) : v->listed[i];
      if (to == HM_NONE || !is_target(v, to))
        continue;
      hm_map_add(&e->targets, target_key(e->tmp, p, r->name), to);
      e->has_targets[p] = true;
    }
  }
}

static uint32_t target_of(edge_builder *e, uint32_t project, hm_str text) {
  if (text.n == 0 || text.n > NAME_BYTES)
    return HM_NONE;
  uint32_t row = hm_snapshot_row(e->v->snap, HM_ENTITY, text);
  if (row != HM_NONE && e->v->snap->rows[row].status == HM_SUPERSEDED)
    row = successor_of(e->v, row);
  if (row != HM_NONE && is_target(e->v, row) &&
      e->v->project_of[e->v->snap->rows[row].project] == project)
    return row;
  return hm_map_get(&e->targets, target_key(e->row_tmp, project, text));
}

static void name_edge(edge_builder *e, uint32_t row, uint32_t project, hm_str key,
                      const hm_json *value) {
  if (value->type != HM_JSON_STRING)
    return;
  uint32_t to = target_of(e, project, value->text);
  if (to == HM_NONE || to == row)
    return;
  edge_pair(e, row, to, HM_NONE, hm_prop_says_part_of(key) ? HM_EDGE_PART_OUT : HM_EDGE_NAME_OUT);
}

static void row_prop_edges(edge_builder *e, uint32_t row, uint32_t project) {
  const hm_json *props = hm_view_props(e->v, row, e->row_tmp);
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    name_edge(e, row, project, p->key, p);
    int left = ITEMS_MAX;
    for (const hm_json *c = p->type == HM_JSON_ARRAY ? p->child : NULL; c && left;
         c = c->next, left--)
      name_edge(e, row, project, p->key, c);
  }
}

static void prop_edges(edge_builder *e) {
  hm_view *v = e->v;
  for (int superseded = 0; superseded < 2; superseded++) {
    note_targets(e, "subsystem", superseded);
    note_targets(e, "component", superseded);
  }
  const hm_snapshot *s = v->snap;
  for (uint32_t i = (uint32_t)s->first[HM_ENTITY]; i < s->first[HM_ENTITY + 1]; i++) {
    if (!hm_view_listed(v, i) || s->rows[i].props.n < 2)
      continue;
    uint32_t project = v->project_of[s->rows[i].project];
    if (!e->has_targets[project])
      continue;
    row_prop_edges(e, i, project);
    hm_arena_reset(e->row_tmp);
  }
}

/* Sorts edges by row, keeping the order in which they were found. */
static void sort_edges_by_row(edge_builder *e) {
  hm_view *v = e->v;
  size_t rows = v->snap->n_rows;
  v->edge_from = hm_alloc_array(v->a, rows + 2, sizeof *v->edge_from);
  v->edges = hm_alloc_array(v->a, e->n + 1, sizeof *v->edges);
  v->n_edges = (uint32_t)e->n;
  uint32_t *from = v->edge_from;
  for (size_t i = 0; i < e->n; i++)
    from[e->all[i].row + 2]++;
  for (size_t i = 2; i < rows + 2; i++)
    from[i] += from[i - 1];
  for (size_t i = 0; i < e->n; i++)
    v->edges[from[e->all[i].row + 1]++] = e->all[i].edge;
}

void hm_view_build_edges(hm_view *v) {
  edge_builder e = { .v = v, .tmp = hm_arena_new(), .row_tmp = hm_arena_new() };
  hm_map_init(&e.targets, e.tmp, 256);
  e.has_targets = hm_alloc_array(e.tmp, v->n_projects + 1, sizeof *e.has_targets);
  relation_edges(&e);
  column_edges(&e);
  link_edges(&e);
  prop_edges(&e);
  sort_edges_by_row(&e);
  free(e.all);
  hm_arena_free(e.tmp);
  hm_arena_free(e.row_tmp);
}

bool hm_view_edge_is_first(const hm_view *v, uint32_t row, uint32_t at) {
  for (uint32_t i = v->edge_from[row]; i < at && i < v->edge_from[row] + HM_REFS * 4u; i++)
    if (v->edges[i].kind == v->edges[at].kind && v->edges[i].other == v->edges[at].other)
      return false;
  return true;
}

/* --- edges of drawings ------------------------------------------------------------------- */

enum { SCAN = 80 };

/* out: it leads away from its row. */
static bool is_of_kind(const hm_edge *e, hm_graph_kind kind, bool *out) {
  *out = true;
  switch (e->kind) {
    case HM_EDGE_REL_IN:
    case HM_EDGE_PART_IN:
    case HM_EDGE_NAME_IN:
      *out = false;
      return kind == HM_GRAPH_RELATIONS;
    case HM_EDGE_REL_OUT:
    case HM_EDGE_PART_OUT:
    case HM_EDGE_NAME_OUT:
      return kind == HM_GRAPH_RELATIONS;
    case HM_EDGE_LINK_IN:
      *out = false;
      return kind == HM_GRAPH_LINKS;
    case HM_EDGE_LINK_OUT:
      return kind == HM_GRAPH_LINKS;
    case HM_EDGE_OLDER:
      *out = false;
      return kind == HM_GRAPH_CHAINS;
    case HM_EDGE_NEWER:
      return kind == HM_GRAPH_CHAINS;
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
    if (same_way && v->edges[i].other == e->other)
      return true;
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
    if (v->edge_from[row] == v->edge_from[row + 1] || !hm_view_listed(v, row))
      continue;
    if (kind == HM_GRAPH_RELATIONS && !v->rows[row].active)
      continue;
    for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
      const hm_edge *e = &v->edges[k];
      bool out;
      if (e->other == HM_NONE || !is_of_kind(e, kind, &out))
        continue;
      if (!out && v->rows[e->other].home == snap)
        continue;
      if (kind == HM_GRAPH_RELATIONS && !v->rows[e->other].active)
        continue;
      if (is_repeated(v, row, k))
        continue;
      fn(ctx, out ? &(hm_graph_edge){ row, e->other, e } : &(hm_graph_edge){ e->other, row, e });
    }
  }
}

typedef struct {
  uint32_t *stamps, stamp, nodes, edges;
} counting;

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
  hm_arena *tmp = hm_arena_new();
  counting c = { .stamps = hm_alloc_array(tmp, v->snap->n_rows, sizeof *c.stamps) };
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
  hm_arena_free(tmp);
}
