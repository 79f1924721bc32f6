/* Drawings of a project: what is part of what and related to what; what is linked; what superseded
 * what. Each has a page with the drawing and the same as a list.
 *
 * An edge belongs to the projects of both of its rows. Relations are of active rows; links and
 * supersessions also of history, which is dashed. A row that is left out has no edge, so it is
 * neither drawn nor counted. A graph that is too large is not drawn: a list has its first LISTED.
 * A graph is laid out again only when what is drawn of it changed.
 * Cost: for all together linear in rows and edges; a layout, see gen/draw/draw.h. */
#include "gen/draw/draw.h"

#include <stdlib.h>

#include "core/base/sort.h"
#include "model.h"

enum { LISTED = HM_GRAPH_EDGES_MAX, LABEL_BYTES = 400 };

static const struct {
  const char *file, *title, *one, *many;
} kinds[HM_GRAPHS] = {
  [HM_GRAPH_RELATIONS] = { "relations", "Subsystems and relations", "relation", "relations" },
  [HM_GRAPH_LINKS] = { "links", "Links", "link", "links" },
  [HM_GRAPH_CHAINS] = { "supersession", "What superseded what", "step", "steps" },
};

/* --- which there are ---------------------------------------------------------------------- */

bool hm_graph_is_drawn(const hm_view *v, uint32_t project, hm_graph_kind kind) {
  const hm_vproject *p = &v->projects[project];
  return p->graphs[kind].edges && p->graphs[kind].edges <= HM_GRAPH_EDGES_MAX &&
      p->graphs[kind].nodes <= HM_GRAPH_NODES_MAX;
}

hm_str hm_graph_path(const hm_view *v, uint32_t project, hm_graph_kind kind, hm_arena *a) {
  return hm_str_fmt(a, "%.*spictures/%s.md", HM_FMT(v->projects[project].dir), kinds[kind].file);
}

/* --- the first of them ---------------------------------------------------------------------- */

typedef struct {
  hm_graph_edge edges[LISTED];
  uint32_t n;
} listing;

static void list_edge(void *ctx, const hm_graph_edge *e) {
  listing *l = ctx;
  if (l->n < LISTED)
    l->edges[l->n++] = *e;
}

static const listing *edges_of(hm_model *m, uint32_t project, hm_graph_kind kind) {
  listing *l = hm_alloc(m->a, sizeof *l);
  l->n = 0;
  hm_view_visit_graph_edges(m->v, project, kind, list_edge, l);
  return l;
}

static hm_str edge_name(hm_model *m, const hm_edge *e) {
  switch (e->kind) {
    case HM_EDGE_LINK_OUT:
    case HM_EDGE_LINK_IN:
      return m->v->snap->links[e->via].rel;
    case HM_EDGE_REL_OUT:
    case HM_EDGE_REL_IN:
      return m->v->snap->rows[e->via].type;
    case HM_EDGE_PART_OUT:
    case HM_EDGE_PART_IN:
      return HM_STR("part of");
    case HM_EDGE_NAME_OUT:
    case HM_EDGE_NAME_IN:
      return HM_STR("names");
    default:
      return HM_EMPTY;
  }
}

static bool is_disputed(const hm_view *v, uint32_t row) {
  size_t n;
  hm_view_marks(v, row, &n);
  return n > 0;
}

static bool is_edge_disputed(const hm_view *v, hm_graph_kind kind, const hm_edge *e) {
  return kind == HM_GRAPH_RELATIONS && e->via != HM_NONE && is_disputed(v, e->via);
}

/* "12 rows, 14 relations" */
static hm_str size_words(hm_model *m, uint32_t project, hm_graph_kind kind) {
  const hm_vproject *p = &m->v->projects[project];
  uint32_t nodes = p->graphs[kind].nodes, edges = p->graphs[kind].edges;
  return hm_str_fmt(m->a, "%u row%s, %u %s", nodes, nodes == 1 ? "" : "s", edges,
                    edges == 1 ? kinds[kind].one : kinds[kind].many);
}

/* --- the drawing ------------------------------------------------------------------------------ */

/* The rows at the ends, each once, and the subsystems that stand alone. */
static size_t rows_of(hm_model *m, uint32_t project, hm_graph_kind kind, const listing *l,
                      uint32_t **rows) {
  const hm_vproject *p = &m->v->projects[project];
  uint32_t alone = kind == HM_GRAPH_RELATIONS ? p->s_to - p->s_from : 0;
  uint32_t *all = hm_alloc_array(m->a, 2 * (size_t)l->n + alone + 1, sizeof *all);
  size_t n = 0, kept = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    all[n++] = l->edges[i].from;
    all[n++] = l->edges[i].to;
  }
  for (uint32_t i = 0; i < alone; i++)
    all[n++] = m->v->subsystems[p->s_from + i];
  qsort(all, n, sizeof *all, hm_order_u32);
  for (size_t i = 0; i < n; i++)
    if (!i || all[i] != all[i - 1])
      all[kept++] = all[i];
  *rows = all;
  return kept;
}

static uint32_t place_of(const uint32_t *rows, size_t n, uint32_t row) {
  const uint32_t *at = bsearch(&row, rows, n, sizeof *rows, hm_order_u32);
  return (uint32_t)(at - rows);
}

static hm_draw_node node_of(hm_model *m, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_str type = r->type.n ? r->type : hm_str_c(hm_layer_name(r->layer));
  return (hm_draw_node){ .key = hm_ref_text(m->a, r->layer, r->id),
                         .label = hm_str_sub(hm_view_label_source(m->v, row), 0, LABEL_BYTES),
                         .kind = hm_str_sub(type, 0, LABEL_BYTES),
                         .disputed = is_disputed(m->v, row),
                         .past = !m->v->rows[row].active };
}

static hm_draw_graph graph_of(hm_model *m, uint32_t project, hm_graph_kind kind) {
  const listing *l = edges_of(m, project, kind);
  uint32_t *rows;
  size_t n = rows_of(m, project, kind, l, &rows);
  hm_draw_node *nodes = hm_alloc_array(m->a, n + 1, sizeof *nodes);
  hm_draw_edge *edges = hm_alloc_array(m->a, l->n + 1, sizeof *edges);
  for (size_t i = 0; i < n; i++)
    nodes[i] = node_of(m, rows[i]);
  for (uint32_t i = 0; i < l->n; i++) {
    const hm_graph_edge *e = &l->edges[i];
    edges[i] = (hm_draw_edge){ place_of(rows, n, e->from), place_of(rows, n, e->to),
                               hm_str_sub(edge_name(m, e->edge), 0, LABEL_BYTES),
                               is_edge_disputed(m->v, kind, e->edge) };
  }
  hm_str label = hm_str_sub(m->v->projects[project].label, 0, LABEL_BYTES);
  hm_str words = size_words(m, project, kind);
  return (hm_draw_graph){ .title = hm_str_fmt(m->a, "%s: %.*s", kinds[kind].title, HM_FMT(label)),
                          .desc = hm_str_fmt(m->a, "%.*s. The list of the page says the same.",
                                             HM_FMT(words)),
                          .nodes = nodes,
                          .n_nodes = n,
                          .edges = edges,
                          .n_edges = l->n };
}

static void graph_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  hm_model m = { .v = v, .a = a };
  hm_draw_graph g = graph_of(&m, f->index / HM_GRAPHS, f->index % HM_GRAPHS);
  hm_draw_graph_svg(&g, a, out);
}

static void put_number(hm_buf *out, uint64_t n) { hm_buf_add(out, &n, sizeof n); }

static void put_text(hm_buf *out, hm_str s) {
  put_number(out, s.n);
  hm_buf_str(out, s);
}

/* All that is handed over to be laid out, and who does it. */
static void graph_source(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  hm_model m = { .v = v, .a = a };
  hm_draw_graph g = graph_of(&m, f->index / HM_GRAPHS, f->index % HM_GRAPHS);
  put_text(out, hm_graph_library_version(a));
  put_text(out, g.title);
  put_text(out, g.desc);
  put_number(out, g.n_nodes);
  for (size_t i = 0; i < g.n_nodes; i++) {
    const hm_draw_node *n = &g.nodes[i];
    put_text(out, n->key);
    put_text(out, n->label);
    put_text(out, n->kind);
    put_number(out, (uint64_t)n->disputed << 1 | n->past);
  }
  for (size_t i = 0; i < g.n_edges; i++) {
    const hm_draw_edge *e = &g.edges[i];
    put_number(out, (uint64_t)e->from << 32 | e->to);
    put_text(out, e->label);
    put_number(out, e->disputed);
  }
}

void hm_list_graph_files(const hm_view *v, hm_arena *a, hm_pages *out) {
  for (uint32_t i = 0; i < v->n_projects * HM_GRAPHS; i++) {
    if (!hm_graph_is_drawn(v, i / HM_GRAPHS, i % HM_GRAPHS))
      continue;
    hm_str page = hm_graph_path(v, i / HM_GRAPHS, i % HM_GRAPHS, a);
    hm_pages_add_file(out, a, hm_drawing_path(a, page), graph_file, i)->source = graph_source;
  }
}

/* --- pages ---------------------------------------------------------------------------------- */

static void put_drawing(hm_model *m, hm_node *o, uint32_t project, hm_graph_kind kind) {
  hm_node_set_bool(o, "drawing", false);
  if (!hm_graph_is_drawn(m->v, project, kind))
    return;
  hm_node *drawing = hm_node_set_obj(o, "drawing");
  hm_model_set_url(m, drawing, "url",
                   hm_drawing_path(m->a, hm_graph_path(m->v, project, kind, m->a)), HM_EMPTY);
  hm_draw_graph g = graph_of(m, project, kind);
  hm_model_set_drawing_size(m, drawing, hm_draw_graph_size(&g, m->a));
}

void hm_model_add_graph_item(hm_model *m, hm_node *list, uint32_t project, hm_graph_kind kind) {
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "title", hm_str_c(kinds[kind].title));
  hm_model_set_text(m, item, "words", size_words(m, project, kind));
  hm_model_set_url(m, item, "url", hm_graph_path(m->v, project, kind, m->a), HM_EMPTY);
  put_drawing(m, item, project, kind);
}

/* {label, url, marks} at key. */
static void put_end(hm_model *m, hm_node *item, const char *key, uint32_t row) {
  hm_node *end = hm_node_set_obj(item, key);
  hm_model_set_row_link_fields(m, end, row);
  hm_model_set_row_marks(m, end, row);
}

/* True if the edge says why. */
static bool put_edge(hm_model *m, hm_node *list, const hm_graph_edge *e, hm_graph_kind kind) {
  hm_node *item = hm_model_add_item(m, list);
  put_end(m, item, "from", e->from);
  put_end(m, item, "to", e->to);
  hm_model_set_short(m, item, "name", edge_name(m, e->edge), 120);
  bool has_row = kind == HM_GRAPH_RELATIONS && e->edge->via != HM_NONE;
  if (has_row)
    hm_model_set_relation_marks(m, item, e->edge->via);
  else
    hm_node_set_list(item, "marks");
  hm_node_set_bool(item, "by", false);
  if (kind != HM_GRAPH_CHAINS) {
    hm_node_set_bool(item, "why", false);
    return false;
  }
  uint32_t conflict, row = e->edge->kind == HM_EDGE_NEWER ? e->from : e->to;
  hm_str why = hm_shorten(m->a, hm_model_format_reason(m, row, e->edge, &conflict), 300);
  hm_model_set_text(m, item, "why", why);
  if (conflict != HM_NONE)
    hm_model_set_deciding_conflict(m, item, conflict);
  return why.n || conflict != HM_NONE;
}

typedef struct {
  const hm_graph_edge *edge;
  hm_str from, to;
} named_edge;

static int by_names(const void *x, const void *y) {
  const named_edge *a = x, *b = y;
  int d = hm_str_natural_cmp(a->from, b->from);
  if (!d)
    d = hm_str_natural_cmp(a->to, b->to);
  return d ? d : (a->edge > b->edge) - (a->edge < b->edge);
}

/* Sorts edges by the names of their ends, in natural order ("Piece 2" before "Piece 10"). */
static named_edge *sorted_edges(hm_model *m, const listing *l) {
  named_edge *all = hm_alloc_array(m->a, l->n + 1, sizeof *all);
  for (uint32_t i = 0; i < l->n; i++) {
    const hm_graph_edge *e = &l->edges[i];
    all[i] =
        (named_edge){ e, hm_view_label_source(m->v, e->from), hm_view_label_source(m->v, e->to) };
  }
  if (l->n)
    qsort(all, l->n, sizeof *all, by_names);
  return all;
}

void hm_page_graph(hm_model *m, hm_node *top) {
  uint32_t project = m->p->project, all = m->v->projects[project].graphs[m->p->from].edges;
  hm_graph_kind kind = m->p->from;
  const listing *l = edges_of(m, project, kind);
  hm_str label = hm_shorten(m->a, m->v->projects[project].label, 200);
  hm_model_set_titles(m, top, hm_str_c(kinds[kind].title),
                      hm_str_fmt(m->a, "%s: %.*s", kinds[kind].title, HM_FMT(label)),
                      hm_str_fmt(m->a, "%s of %.*s", kinds[kind].title, HM_FMT(label)));
  hm_model_set_text(m, top, "words", size_words(m, project, kind));
  hm_node_set_bool(top, "chains", kind == HM_GRAPH_CHAINS);
  put_drawing(m, top, project, kind);
  hm_node *list = hm_node_set_list(top, "edges");
  const named_edge *edges = sorted_edges(m, l);
  uint32_t i = 0;
  bool reasons = false, fields = false, dashed = false, thick = false;
  for (size_t k = 0; k < l->n; k++) {
    const hm_graph_edge *e = &l->edges[k];
    dashed |= !m->v->rows[e->from].active || !m->v->rows[e->to].active;
    thick |= is_disputed(m->v, e->from) || is_disputed(m->v, e->to) ||
        (e->from != e->to && is_edge_disputed(m->v, kind, e->edge));
  }
  for (; i < l->n && !hm_model_is_full(m, HM_PART_BYTES); i++) {
    reasons |= put_edge(m, list, edges[i].edge, kind);
    fields |= kind == HM_GRAPH_RELATIONS && edges[i].edge->edge->via == HM_NONE;
  }
  hm_node_set_bool(top, "has_reasons", reasons);
  hm_node_set_bool(top, "from_fields", fields);
  hm_node_set_bool(top, "dashed", dashed);
  hm_node_set_bool(top, "thick", thick);
  hm_model_set_raw(m, top, "more", i < all ? hm_str_fmt(m->a, "%u", all - i) : HM_EMPTY);
}
