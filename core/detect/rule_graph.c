/* What a rule gets of the graph of rows: the cards of a row's references, the rows of a component;
 * and which rules want a row.
 *
 * A rule declares which columns it reads. A card is a reference in such a column, with what the
 * rule may know of the named row. A component is all rows that these references connect, in
 * whatever direction. */
#include <stdlib.h>

#include "core/claim/relation.h"
#include "core/detect/rule_driver.h"
#include "core/detect/rule_watch.h"

/* In the order of hm_naming, as are their bits from HM_COL_FROM on. */
static const char *const COLUMN_NAMES[] = { "from",         "to",  "superseded_by",
                                            "graduated_to", "src", "dst" };

static uint32_t column_of(hm_naming by) { return HM_COL_FROM << by; }

hm_str hm_column_name(uint32_t column) {
  hm_naming by = HM_NAMES_FROM;
  while (column_of(by) != column)
    by++;
  return hm_str_c(COLUMN_NAMES[by]);
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

/* --- cards --------------------------------------------------------------------------------- */

static hm_ref_card card_of(const hm_snapshot *snap, uint32_t from, hm_naming by, hm_str ref,
                           uint32_t to) {
  hm_ref_card c = { .from = from, .column = column_of(by), .ref = ref, .to = to };
  if (to == HM_MAP_NONE)
    return c;
  const hm_row *named = &snap->rows[to];
  bool hidden = unhide_row(named);
  c.project = named->project;
  c.status = named->status;
  if (hidden)
    hide_row(named);
  return c;
}

void hm_link_cards(const hm_snapshot *snap, const hm_row_graph *g, size_t link,
                   hm_ref_card out[2]) {
  const hm_link *l = &snap->links[link];
  out[0] = card_of(snap, HM_MAP_NONE, HM_NAMES_SRC, l->src, g->ends[link][0]);
  out[1] = card_of(snap, HM_MAP_NONE, HM_NAMES_DST, l->dst, g->ends[link][1]);
}

size_t hm_row_cards(const hm_snapshot *snap, const hm_row_graph *g, uint32_t row, uint32_t columns,
                    hm_ref_card out[HM_N_NAMES]) {
  const hm_row *x = &snap->rows[row];
  bool hidden = unhide_row(x);
  size_t n = 0;
  for (hm_naming by = 0; by < HM_N_NAMES; by++) {
    if (!(columns & column_of(by)))
      continue;
    hm_str ref = hm_row_naming(x, by);
    bool end = x->layer == HM_RELATION && by <= HM_NAMES_TO;
    if (ref.n || end)
      out[n++] = card_of(snap, row, by, ref, g->named[row][by]);
  }
  if (hidden)
    hide_row(x);
  return n;
}

/* --- components ------------------------------------------------------------------------------ */

uint32_t *hm_rule_columns(const hm_rule *r, const hm_snapshot *snap, hm_arena *a) {
  uint32_t *columns = hm_alloc_array(a, snap->n_rows, sizeof *columns);
  for (size_t i = 0; i < snap->n_rows; i++) {
    const hm_row *row = &snap->rows[i];
    bool alike = i && row->layer == row[-1].layer && row->type.p == row[-1].type.p &&
        row->type.n == row[-1].type.n;
    columns[i] = alike ? columns[i - 1] : references_of(r, row);
  }
  return columns;
}

static size_t reach(bool *reached, uint32_t *rows, size_t n, uint32_t row) {
  if (row == HM_MAP_NONE || reached[row])
    return n;
  reached[row] = true;
  rows[n] = row;
  return n + 1;
}

size_t hm_component_rows(const hm_row_graph *g, const uint32_t *columns, uint32_t row,
                         bool *reached, uint32_t *rows) {
  size_t n = reach(reached, rows, 0, row);
  for (size_t at = 0; at < n; at++) {
    uint32_t r = rows[at];
    for (hm_naming by = 0; by < HM_N_NAMES; by++)
      if (columns[r] & column_of(by))
        n = reach(reached, rows, n, g->named[r][by]);
    for (uint32_t i = g->first[r]; i < g->first[r + 1]; i++) {
      const hm_namer *x = &g->namers[i];
      if (x->by < HM_N_NAMES && columns[x->of] & column_of(x->by))
        n = reach(reached, rows, n, x->of);
    }
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
