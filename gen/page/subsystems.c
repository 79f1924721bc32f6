/* Subsystems: the tree of a project, and the page of each: what it is, what it is part of, its
 * parts, and the rows that mention it. Relations and properties say what is part of what. A cycle
 * starts at its first member; no recursion. */
#include "core/base/text.h"
#include "model.h"

enum { NODES_MAX = 1000, DEPTH_MAX = 10, LEAVES_SHOWN = 15 };

/* Of quiet children, those without a dispute or children of their own, so many are shown. */
typedef struct {
  uint32_t row, parent, child, next, last, quiet;
  bool subsystem;
} node;
typedef struct {
  hm_model *m;
  node *nodes;
  uint32_t n;
  hm_map at;
  node top; /* above the roots */
  size_t end;
  bool cut;
} tree;

static hm_str key_of(const uint32_t *row) { return (hm_str){ (const char *)row, sizeof *row }; }

static void add_nodes(tree *t, uint32_t project, const char *type) {
  const hm_view *v = t->m->v;
  const hm_group *g = hm_view_group(v, project, HM_ENTITY, hm_str_c(type));
  const uint32_t *order = g ? hm_view_leading_rows(v, g) : NULL;
  for (uint32_t i = g ? g->from : 0; g && i < g->to; i++) {
    if (v->snap->rows[order[i]].status != HM_ACTIVE)
      continue;
    if (t->n == NODES_MAX) {
      t->cut = true;
      return;
    }
    t->nodes[t->n] = (node){ order[i], HM_NONE, HM_NONE, HM_NONE, HM_NONE, 0, *type == 's' };
    hm_map_add(&t->at, key_of(&t->nodes[t->n].row), t->n);
    t->n++;
  }
}

/* A PART_OF relation, or a property that says so. */
static bool is_part_of(hm_model *m, const hm_edge *e) {
  if (e->kind == HM_EDGE_PART_OUT || e->kind == HM_EDGE_PART_IN)
    return true;
  if (e->kind != HM_EDGE_REL_OUT && e->kind != HM_EDGE_REL_IN)
    return false;
  return hm_str_is(hm_text_fold_name(m->a, m->v->snap->rows[e->via].type), "part_of");
}

/* Relations come before properties in a row's edges. */
static uint32_t parent_of(tree *t, uint32_t i) {
  const hm_view *v = t->m->v;
  uint32_t row = t->nodes[i].row;
  for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
    const hm_edge *e = &v->edges[k];
    if ((e->kind != HM_EDGE_REL_OUT && e->kind != HM_EDGE_PART_OUT) || e->other == HM_NONE ||
        !is_part_of(t->m, e))
      continue;
    uint32_t p = hm_map_get(&t->at, key_of(&e->other));
    if (p != HM_NONE && p != i)
      return p;
  }
  return HM_NONE;
}

/* Walks up from each node once; a walk that meets itself has found a cycle, which the least index
 * leaves. */
static void open_cycles(tree *t) {
  uint32_t *walk = hm_alloc_array(t->m->a, t->n + 1, sizeof *walk);
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t at = i;
    while (at != HM_NONE && !walk[at]) {
      walk[at] = i + 1;
      at = t->nodes[at].parent;
    }
    if (at == HM_NONE || walk[at] != i + 1)
      continue;
    uint32_t least = at;
    for (uint32_t k = t->nodes[at].parent; k != at; k = t->nodes[k].parent)
      if (k < least)
        least = k;
    t->nodes[least].parent = HM_NONE;
  }
}

static void link_children(tree *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t p = t->nodes[i].parent;
    if (p == HM_NONE)
      continue;
    if (t->nodes[p].child == HM_NONE)
      t->nodes[p].child = i;
    else
      t->nodes[t->nodes[p].last].next = i;
    t->nodes[p].last = i;
  }
}

enum { MARKS_SHOWN = 3 };

/* The conflicts of a row, each once, at most MARKS_SHOWN + 1. */
static uint32_t disputes_of(const hm_view *v, uint32_t row, uint32_t *out) {
  size_t n_marks;
  uint32_t n = 0;
  const hm_mark *marks = hm_view_marks(v, row, &n_marks);
  for (size_t i = 0; i < n_marks && n <= MARKS_SHOWN; i++) {
    uint32_t k = 0;
    while (k < n && out[k] != marks[i].conflict)
      k++;
    if (k == n)
      out[n++] = marks[i].conflict;
  }
  return n;
}

/* marks: {url} of each. */
static void put_disputes(tree *t, hm_node *item, uint32_t row) {
  const hm_view *v = t->m->v;
  uint32_t conflicts[MARKS_SHOWN + 1], n = disputes_of(v, row, conflicts);
  hm_node *marks = hm_node_set_list(item, "marks");
  for (uint32_t i = 0; i < n && i < MARKS_SHOWN; i++)
    hm_model_set_url(t->m, hm_model_add_item(t->m, marks), "url", v->conflicts[conflicts[i]].path,
                     HM_EMPTY);
  hm_node_set_bool(item, "more_marks", n > MARKS_SHOWN);
  hm_model_set_text(t->m, item, "inside", hm_model_format_inside(t->m, row));
}

static hm_node *put_item(tree *t, hm_node *list, size_t depth) {
  static const char spaces[] = "                    ";
  hm_node *item = hm_model_add_item(t->m, list);
  size_t in = depth < DEPTH_MAX ? depth : DEPTH_MAX;
  hm_model_set_raw(t->m, item, "indent", (hm_str){ spaces, 2 * in });
  return item;
}

/* "105 more", behind the children of a node. */
static void put_left_out(tree *t, hm_node *list, const node *of, size_t depth) {
  if (of->quiet <= LEAVES_SHOWN)
    return;
  hm_node *item = put_item(t, list, depth);
  hm_model_set_raw(t->m, item, "left_out",
                   hm_format_count_phrase(t->m->a, of->quiet - LEAVES_SHOWN, "more", "more"));
}

/* True when the node is left out because enough quiet siblings are shown. */
static bool is_left_out(tree *t, const node *n) {
  uint32_t conflicts[MARKS_SHOWN + 1];
  node *above = n->parent == HM_NONE ? &t->top : &t->nodes[n->parent];
  bool quiet = n->child == HM_NONE && !disputes_of(t->m->v, n->row, conflicts) &&
      !hm_view_count_inside(t->m->v, n->row);
  return quiet && ++above->quiet > LEAVES_SHOWN;
}

static void put_node(tree *t, hm_node *list, const node *n, size_t depth) {
  hm_node *item = put_item(t, list, depth);
  hm_node_set_bool(item, "left_out", false);
  hm_model_set_row_link_fields(t->m, item, n->row);
  hm_str page = hm_view_subsystem_path(t->m->v, n->row);
  if (page.n)
    hm_model_set_url(t->m, item, "url", page, HM_EMPTY);
  hm_node_set_bool(item, "subsystem", n->subsystem);
  put_disputes(t, item, n->row);
}

/* Down to the first child, else on to the next, else up. */
static void put_tree(tree *t, hm_node *list, uint32_t root) {
  size_t depth = 0;
  for (uint32_t at = root; at != HM_NONE;) {
    if (hm_model_is_full(t->m, t->end)) {
      t->cut = true;
      return;
    }
    if (!is_left_out(t, &t->nodes[at]))
      put_node(t, list, &t->nodes[at], depth);
    if (t->nodes[at].child != HM_NONE) {
      at = t->nodes[at].child;
      depth++;
      continue;
    }
    while (at != root && t->nodes[at].next == HM_NONE) {
      at = t->nodes[at].parent;
      put_left_out(t, list, &t->nodes[at], depth--);
    }
    at = at == root ? HM_NONE : t->nodes[at].next;
  }
}

bool hm_model_set_subsystem_tree(hm_model *m, hm_node *top, uint32_t project) {
  tree t = { .m = m,
             .end = hm_model_section_end(m),
             .nodes = hm_alloc_array(m->a, NODES_MAX, sizeof(node)) };
  hm_node *list = hm_node_set_list(top, "tree");
  hm_map_init(&t.at, m->a, 64);
  add_nodes(&t, project, "subsystem");
  add_nodes(&t, project, "component");
  for (uint32_t i = 0; i < t.n; i++)
    t.nodes[i].parent = parent_of(&t, i);
  open_cycles(&t);
  link_children(&t);
  for (uint32_t i = 0; i < t.n; i++)
    if (t.nodes[i].parent == HM_NONE)
      put_tree(&t, list, i);
  put_left_out(&t, list, &t.top, 0);
  hm_node_set_bool(top, "tree_cut", t.cut);
  return t.n > 0;
}

/* --- the page of one subsystem ------------------------------------------------------------- */

enum { NAMED_MAX = 500, SCAN_MAX = 20 * NAMED_MAX, FIELDS_BYTES = 16 << 10 };

static bool is_type(hm_model *m, uint32_t row, const char *key) {
  return hm_str_is(m->v->groups[m->v->parts[m->v->part_of[row]].group].key, key);
}

static bool is_active(hm_model *m, uint32_t row) {
  return m->v->snap->rows[row].status == HM_ACTIVE;
}

typedef struct {
  hm_node *list;
  bool any;
} members; /* of a section of the page */
typedef struct {
  hm_model *m;
  hm_map seen;
  members parents, children, components, named, history;
  int left, scan;
} subsystem_page;

static void ref_item(subsystem_page *s, members *of, uint32_t row) {
  hm_node *item = hm_model_add_item(s->m, of->list);
  of->any = true;
  hm_model_set_row_link_fields(s->m, item, row);
  hm_str page = hm_view_subsystem_path(s->m->v, row);
  if (page.n)
    hm_model_set_url(s->m, item, "url", page, HM_EMPTY);
  hm_model_set_row_marks(s->m, item, row);
  hm_model_set_text(s->m, item, "inside", hm_model_format_inside(s->m, row));
}

static hm_str kind_label(hm_model *m, uint32_t row) {
  const hm_group *g = &m->v->groups[m->v->parts[m->v->part_of[row]].group];
  return g->kind              ? hm_str_c(g->kind->one)
      : g->layer == HM_ENTITY ? hm_shorten(m->a, g->title, 80)
                              : hm_str_c(hm_layer_name(g->layer));
}

/* The row's fields under a heading of their own. */
static void full_item(subsystem_page *s, members *of, uint32_t row) {
  of->any = true;
  hm_node *item = hm_model_add_row_item(s->m, of->list, row),
          *lines = hm_node_set_list(item, "lines");
  hm_model_set_text(s->m, item, "kind_label", kind_label(s->m, row));
  hm_node_set_bool(item, "past", !is_active(s->m, row));
  hm_model_add_standing_lines(s->m, lines, row, true);
  /* A row is listed on the page of each of its subsystems, so a big row is listed by name only. */
  if (s->m->v->snap->rows[row].props.n <= FIELDS_BYTES)
    hm_model_add_field_lines(s->m, lines, row);
  else
    hm_model_add_text_line(s->m, lines, "More", HM_STR("see its own entry"));
  hm_model_add_supersession_lines(s->m, lines, row);
  hm_model_add_source_line(s->m, lines, row);
}

static void add_neighbour(subsystem_page *s, const hm_edge *e, bool out) {
  uint32_t row = e->other;
  if (hm_model_is_full(s->m, HM_PART_BYTES))
    s->left = 0;
  if (row == HM_NONE || s->left <= 0 || !hm_add_row_if_new(&s->seen, s->m->a, row))
    return;
  s->left--;
  if (!is_active(s->m, row))
    full_item(s, &s->history, row);
  else if (is_part_of(s->m, e) && is_type(s->m, row, "subsystem"))
    ref_item(s, out ? &s->parents : &s->children, row);
  else if (is_part_of(s->m, e) && is_type(s->m, row, "component"))
    full_item(s, &s->components, row);
  else
    full_item(s, &s->named, row);
}

static bool is_out(hm_edge_kind k) {
  return k == HM_EDGE_REL_OUT || k == HM_EDGE_PART_OUT || k == HM_EDGE_NAME_OUT;
}
static bool is_in(hm_edge_kind k) {
  return k == HM_EDGE_REL_IN || k == HM_EDGE_PART_IN || k == HM_EDGE_NAME_IN;
}

/* What speaks of a component of this subsystem speaks of the subsystem. A component may be part of
 * many subsystems, and be spoken of by many rows, many times: there is an end to what a page looks
 * at. */
static void add_component_neighbours(subsystem_page *s, uint32_t component) {
  const hm_view *v = s->m->v;
  for (uint32_t k = v->edge_from[component];
       k < v->edge_from[component + 1] && s->left > 0 && s->scan > 0; k++, s->scan--) {
    const hm_edge *e = &v->edges[k];
    if (is_in(e->kind) && !is_part_of(s->m, e))
      add_neighbour(s, e, false);
  }
}

static void add_components(subsystem_page *s, uint32_t row) {
  const hm_view *v = s->m->v;
  hm_map expanded;
  hm_map_init(&expanded, s->m->a, 32);
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++) {
    const hm_edge *e = &v->edges[i];
    if (!is_in(e->kind) || e->other == HM_NONE || !is_part_of(s->m, e) ||
        !is_type(s->m, e->other, "component"))
      continue;
    if (hm_add_row_if_new(&expanded, s->m->a, e->other))
      add_component_neighbours(s, e->other);
  }
}

void hm_page_subsystem(hm_model *m, hm_node *top) {
  const hm_view *v = m->v;
  uint32_t row = v->subsystems[m->p->from];
  hm_str label = hm_view_distinct_label(v, row, m->a);
  hm_str project = hm_shorten(m->a, v->projects[m->p->project].label, 120);
  hm_model_set_titles(m, top, label,
                      hm_str_fmt(m->a, "%.*s · %.*s", HM_FMT(label), HM_FMT(project)),
                      hm_str_fmt(m->a, "The subsystem %.*s", HM_FMT(label)));
  hm_node_set_row(
      top, hm_str_fmt(m->a, "entity:%.*s", HM_FMT(hm_shorten(m->a, v->snap->rows[row].id, 80))));
  subsystem_page s = { .m = m, .left = NAMED_MAX, .scan = SCAN_MAX };
  hm_map_init(&s.seen, m->a, 32);
  hm_add_row_if_new(&s.seen, m->a, row);
  s.parents.list = hm_node_set_list(top, "parents");
  s.children.list = hm_node_set_list(top, "children");
  s.components.list = hm_node_set_list(top, "components");
  s.named.list = hm_node_set_list(top, "named");
  s.history.list = hm_node_set_list(top, "history");
  hm_model_set_row_disputed(m, top, row, true);
  hm_model_set_row_lines(m, top, row);
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    if (is_out(v->edges[i].kind) || is_in(v->edges[i].kind))
      add_neighbour(&s, &v->edges[i], is_out(v->edges[i].kind));
  add_components(&s, row);
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    if (v->edges[i].kind == HM_EDGE_OLDER)
      add_neighbour(&s, &v->edges[i], false);
  hm_node_set_bool(top, "more", s.left <= 0 || s.scan <= 0);
  hm_node_set_bool(top, "has_parents", s.parents.any);
  hm_node_set_bool(top, "has_children", s.children.any);
  hm_node_set_bool(top, "has_components", s.components.any);
  hm_node_set_bool(top, "has_named", s.named.any);
  hm_node_set_bool(top, "has_history", s.history.any);
  const hm_section_name sections[] = { { "subsystems in it", !s.children.any },
                                       { "components", !s.components.any },
                                       { "what speaks of it", !s.named.any } };
  hm_model_set_empty_sections(m, top, sections, HM_COUNT(sections));
  hm_model_set_row_link(m, top, "row", row);
}
