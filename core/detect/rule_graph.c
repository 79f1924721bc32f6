/* References between rows, rows as a graph of them, and which rules want a row.
 *
 * A table says which columns are references. An edge is a card: the naming row, the column, the
 * named row. Components, neighbourhoods, and the rows that must run again are all breadth-first
 * walks in both directions. */
#include <stdlib.h>

#include "core/claim/relation.h"
#include "core/detect/rule_driver.h"
#include "core/detect/rule_watch.h"

static const struct {
  uint32_t bit;
  const char *name;
} REFERENCES[] = {
  [HM_NAMES_FROM] = { HM_COL_FROM, "from" },
  [HM_NAMES_TO] = { HM_COL_TO, "to" },
  [HM_NAMES_SUPERSEDED_BY] = { HM_COL_SUPERSEDED_BY, "superseded_by" },
  [HM_NAMES_GRADUATED_TO] = { HM_COL_GRADUATED_TO, "graduated_to" },
  /* a link's, which are no columns of a row */
  { HM_COL_SRC, "src" },
  { HM_COL_DST, "dst" },
};

hm_str hm_column_name(uint32_t column) {
  size_t i = 0;
  while (REFERENCES[i].bit != column)
    i++;
  return hm_str_c(REFERENCES[i].name);
}

/* The columns of this row's references that the rule reads; 0: it does not want the row. */
static uint32_t references_of(const hm_rule *r, const hm_row *row) {
  const char *const *t = r->ends_of;
  if (!(r->layers & HM_IN(row->layer)))
    return 0;
  if (!t || row->layer != HM_RELATION)
    return r->columns;
  while (*t && !hm_relation_type_is(row->type, *t))
    t++;
  return *t ? r->columns : r->columns & ~(uint32_t)(HM_COL_FROM | HM_COL_TO);
}

static hm_ref_card card_of(uint32_t from, uint32_t column, hm_str ref, uint32_t to,
                           const hm_row_head *head) {
  hm_ref_card c = { .from = from, .column = column, .ref = ref, .to = to };
  if (to != HM_MAP_NONE)
    c.project = head->project, c.status = head->status;
  return c;
}

static hm_ref_card link_card(const hm_snapshot *snap, uint32_t column, hm_str ref) {
  uint32_t to = hm_snapshot_ref(snap, HM_MEMORY, ref);
  hm_row_head head = { 0 };
  if (to != HM_MAP_NONE)
    head = (hm_row_head){ snap->rows[to].project, snap->rows[to].status };
  return card_of(HM_MAP_NONE, column, ref, to, &head);
}

void hm_link_cards(const hm_snapshot *snap, const hm_link *l, hm_ref_card out[2]) {
  out[0] = link_card(snap, HM_COL_SRC, l->src);
  out[1] = link_card(snap, HM_COL_DST, l->dst);
}

/* --- all of a snapshot ------------------------------------------------------------------ */

void hm_row_refs_init(hm_row_refs *refs, const hm_snapshot *snap, const hm_rule *rules, size_t n,
                      hm_arena *a) {
  hm_snapshot looked_up = *snap;
  if (!snap->named)
    hm_snapshot_resolve_refs(&looked_up, 1, a);
  hm_row_head *heads = hm_alloc_array(a, snap->n_rows, sizeof *heads);
  for (size_t i = 0; i < snap->n_rows; i++)
    heads[i] = (hm_row_head){ snap->rows[i].project, snap->rows[i].status };
  *refs = (hm_row_refs){ .snap = snap, .named = looked_up.named, .heads = heads };
  for (size_t i = 0; i < n; i++)
    for (int l = HM_MEMORY; l <= HM_RELATION; l++)
      if (rules[i].layers & HM_IN(l) && rules[i].by >= HM_BY_REF && rules[i].by <= HM_BY_COMPONENT)
        refs->columns[l] |= rules[i].columns;
}

size_t hm_row_refs_list(const hm_row_refs *refs, uint32_t row, hm_ref_card out[HM_ROW_CARDS]) {
  const hm_row *x = &refs->snap->rows[row];
  bool hidden = unhide_row(x);
  uint32_t columns = refs->columns[x->layer];
  size_t n = 0;
  for (hm_naming i = 0; i < HM_N_NAMES; i++) {
    if (!(columns & REFERENCES[i].bit))
      continue;
    hm_str ref = hm_row_naming(x, i);
    bool end = x->layer == HM_RELATION && i <= HM_NAMES_TO;
    uint32_t to = refs->named[row][i];
    if (ref.n || end)
      out[n++] =
          card_of(row, REFERENCES[i].bit, ref, to, to == HM_MAP_NONE ? NULL : &refs->heads[to]);
  }
  if (hidden)
    hide_row(x);
  return n;
}

/* --- as a graph -------------------------------------------------------------------------- */

size_t hm_row_graph_list_edges(const hm_row_graph *g, uint32_t row, hm_ref_card out[HM_ROW_CARDS]) {
  size_t n = g->columns[row] ? hm_row_refs_list(g->refs, row, out) : 0, kept = 0;
  for (size_t i = 0; i < n; i++)
    if (g->columns[row] & out[i].column)
      out[kept++] = out[i];
  return kept;
}

/* Rows that a row names, in the columns of its cards; returns how many. */
static size_t named_by_row(const hm_row_graph *g, uint32_t row, uint32_t out[HM_ROW_CARDS]) {
  size_t n = 0;
  for (hm_naming i = 0; i < HM_N_NAMES && g->columns[row]; i++)
    if (g->columns[row] & REFERENCES[i].bit && g->refs->named[row][i] != HM_MAP_NONE)
      out[n++] = g->refs->named[row][i];
  return n;
}

typedef struct {
  uint32_t from, to;
} edge;

/* Those of these columns in which the row has a card. */
static uint32_t referring_columns(const hm_row *row, uint32_t columns) {
  uint32_t kept = 0;
  for (hm_naming i = 0; i < HM_N_NAMES; i++)
    if (columns & REFERENCES[i].bit &&
        (hm_row_naming(row, i).n || (row->layer == HM_RELATION && i <= HM_NAMES_TO)))
      kept |= REFERENCES[i].bit;
  return kept;
}

/* The columns of each row's edges, and every edge, by `from`. In malloc's memory. */
static edge *list_edges(hm_row_graph *g, size_t *n) {
  const hm_snapshot *snap = g->refs->snap;
  edge *v = NULL;
  size_t cap = 0;
  *n = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    uint32_t asked = 0; /* of rows of this type */
    for (size_t i = snap->first[l]; g->rule->layers & HM_IN(l) && i < snap->first[l + 1]; i++) {
      const hm_row *row = &snap->rows[i];
      uint32_t to[HM_ROW_CARDS];
      bool alike =
          i > snap->first[l] && row->type.p == row[-1].type.p && row->type.n == row[-1].type.n;
      if (!alike)
        asked = references_of(g->rule, row);
      g->columns[i] = referring_columns(row, asked);
      size_t of_row = named_by_row(g, (uint32_t)i, to);
      for (size_t k = 0; k < of_row; k++) {
        v = hm_array_grow(v, *n, &cap, sizeof *v);
        v[(*n)++] = (edge){ (uint32_t)i, to[k] };
      }
    }
  }
  return v;
}

void hm_row_graph_build(hm_row_graph *g, const hm_rule *r, const hm_row_refs *refs, hm_arena *a) {
  size_t n_rows = refs->snap->n_rows, n;
  *g = (hm_row_graph){ .rule = r,
                       .refs = refs,
                       .columns = hm_alloc_array(a, n_rows, sizeof *g->columns),
                       .named_first = hm_alloc_array(a, n_rows + 2, sizeof *g->named_first),
                       .reached = hm_alloc_array(a, n_rows, sizeof *g->reached) };
  edge *edges = list_edges(g, &n);
  g->named_by = hm_alloc_array(a, n, sizeof *g->named_by);
  /* named_first[r + 1] is the place of the next row that names r, so in the end that after r's
   * last. */
  for (size_t i = 0; i < n; i++)
    g->named_first[edges[i].to + 2]++;
  for (size_t i = 0; i < n_rows; i++)
    g->named_first[i + 2] += g->named_first[i + 1];
  for (size_t i = 0; i < n; i++)
    g->named_by[g->named_first[edges[i].to + 1]++] = edges[i].from;
  free(edges);
}

static size_t reach(hm_row_graph *g, uint32_t *rows, size_t n, uint32_t row) {
  if (g->reached[row])
    return n;
  g->reached[row] = true;
  rows[n] = row;
  return n + 1;
}

size_t hm_row_graph_walk(hm_row_graph *g, uint32_t *rows, size_t n, int steps) {
  for (size_t at = 0, end = n; steps > 0 && at < end; steps--, end = n)
    for (; at < end; at++) {
      uint32_t r = rows[at];
      uint32_t to[HM_ROW_CARDS];
      size_t of_row = named_by_row(g, r, to);
      for (size_t i = 0; i < of_row; i++)
        n = reach(g, rows, n, to[i]);
      for (uint32_t i = g->named_first[r]; i < g->named_first[r + 1]; i++)
        n = reach(g, rows, n, g->named_by[i]);
    }
  return n;
}

/* --- which rules want a row ------------------------------------------------------------ */

/* Calls of rules by row and by reference for rows of one layer and type.
 *
 * Only the layer and type of a row decide which rules want it, and most rows of a type share its
 * text; so the table is read once per type, not per row. */

static bool are_run_together(const hm_type_call *last, const hm_rule *rule) {
  return last->rule + last->n == rule && rule->run_together && last->rule->run_together &&
      rule->find == last->rule->find;
}

static void read_table(const hm_type_call_cache *x, const hm_row *row, hm_type_calls *of) {
  if (!of->rules)
    of->rules = hm_alloc_array(x->a, x->table->n, sizeof *of->rules);
  of->layer = row->layer;
  of->type = row->type;
  of->n = 0;
  for (size_t i = 0; i < x->table->n; i++) {
    const hm_rule *rule = &x->table->rules[i];
    if (!x->wanted[i] || !(rule->layers & HM_IN(row->layer)))
      continue;
    if (of->n && are_run_together(&of->rules[of->n - 1], rule))
      of->rules[of->n - 1].n++;
    else
      of->rules[of->n++] =
          (hm_type_call){ rule, 1, rule->by == HM_BY_REF, references_of(rule, row) };
  }
}

const hm_type_calls *hm_type_calls_find(hm_type_call_cache *x, const hm_row *row) {
  size_t at = ((uintptr_t)row->type.p >> 2 ^ (size_t)row->layer) % HM_TYPES_CACHED;
  hm_type_calls *of = &x->kept[at];
  if (!of->rules || of->layer != row->layer || of->type.p != row->type.p ||
      of->type.n != row->type.n)
    read_table(x, row, of);
  return of;
}
