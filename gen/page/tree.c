/* The subsystem tree of a project: what is part of what, as relations and
 * properties say. Cycles are opened at their first member; no recursion. */
#include <string.h>

#include "core/base/text.h"
#include "model.h"

enum { NODES_MAX = 1000, DEPTH_MAX = 10 };

typedef struct { uint32_t row, parent, child, next, last; bool subsystem; } node;
typedef struct { hm_pm *m; node *nodes; uint32_t n; hm_map at; size_t end; bool cut; } tree;

static hm_str key_of(const uint32_t *row) { return (hm_str){ (const char *)row, sizeof *row }; }

static void add_nodes(tree *t, uint32_t project, const char *type) {
  const hm_view *v = t->m->v;
  const hm_group *g = hm_view_group(v, project, HM_ENTITY, hm_str_c(type));
  const uint32_t *order = g ? hm_pm_rows(t->m, g, t->n + g->active <= NODES_MAX) : NULL;
  for (uint32_t i = g ? g->from : 0; g && i < g->to; i++) {
    if (v->snap->rows[order[i]].status != HM_ACTIVE) continue;
    if (t->n == NODES_MAX) {
      t->cut = true;
      return;
    }
    t->nodes[t->n] = (node){ order[i], HM_NONE, HM_NONE, HM_NONE, HM_NONE, *type == 's' };
    hm_map_add(&t->at, key_of(&t->nodes[t->n].row), t->n);
    t->n++;
  }
}

/* Relations come before properties in a row's edges. */
static uint32_t parent_of(tree *t, uint32_t i) {
  const hm_view *v = t->m->v;
  uint32_t row = t->nodes[i].row;
  for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
    const hm_edge *e = &v->edges[k];
    if ((e->kind != HM_EDGE_REL_OUT && e->kind != HM_EDGE_PART_OUT) || e->other == HM_NONE ||
        !hm_pm_is_part_of(t->m, e))
      continue;
    uint32_t p = hm_map_get(&t->at, key_of(&e->other));
    if (p != HM_NONE && p != i) return p;
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
    if (at == HM_NONE || walk[at] != i + 1) continue;
    uint32_t least = at;
    for (uint32_t k = t->nodes[at].parent; k != at; k = t->nodes[k].parent)
      if (k < least) least = k;
    t->nodes[least].parent = HM_NONE;
  }
}

static void link_children(tree *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t p = t->nodes[i].parent;
    if (p == HM_NONE) continue;
    if (t->nodes[p].child == HM_NONE) t->nodes[p].child = i;
    else t->nodes[t->nodes[p].last].next = i;
    t->nodes[p].last = i;
  }
}

static void put_node(tree *t, hm_tv *list, const node *n, size_t depth) {
  static const char spaces[] = "                    ";
  hm_tv *item = hm_pm_item(t->m, list);
  size_t in = depth < DEPTH_MAX ? depth : DEPTH_MAX;
  hm_pm_raw(t->m, item, "indent", (hm_str){ spaces, 2 * in });
  hm_pm_row_fields(t->m, item, n->row);
  hm_str page = hm_view_subsystem_path(t->m->v, n->row);
  if (page.n) hm_pm_url(t->m, item, "url", page, HM_EMPTY);
  hm_pm_bool(t->m, item, "subsystem", n->subsystem);
}

/* Down to the first child, else on to the next, else up. */
static void put_tree(tree *t, hm_tv *list, uint32_t root) {
  size_t depth = 0;
  for (uint32_t at = root; at != HM_NONE;) {
    if (hm_pm_is_full(t->m, t->end)) {
      t->cut = true;
      return;
    }
    put_node(t, list, &t->nodes[at], depth);
    if (t->nodes[at].child != HM_NONE) {
      at = t->nodes[at].child;
      depth++;
      continue;
    }
    while (at != root && t->nodes[at].next == HM_NONE) {
      at = t->nodes[at].parent;
      depth--;
    }
    at = at == root ? HM_NONE : t->nodes[at].next;
  }
}

void hm_pm_tree(hm_pm *m, hm_tv *model, uint32_t project) {
  tree t = { .m = m, .end = hm_pm_section(m), .nodes = hm_alloc_array(m->a, NODES_MAX, sizeof(node)) };
  hm_tv *list = hm_pm_list(m, model, "tree");
  hm_map_init(&t.at, m->a, 64);
  add_nodes(&t, project, "subsystem");
  add_nodes(&t, project, "component");
  for (uint32_t i = 0; i < t.n; i++) {
    t.nodes[i].parent = parent_of(&t, i);
    hm_pm_note_input(m, t.nodes[i].parent);   /* where a cycle is opened depends on the order */
  }
  open_cycles(&t);
  link_children(&t);
  for (uint32_t i = 0; i < t.n; i++)
    if (t.nodes[i].parent == HM_NONE) put_tree(&t, list, i);
  hm_pm_bool(m, model, "tree_cut", t.cut);
}
