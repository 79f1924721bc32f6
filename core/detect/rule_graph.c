/* References between rows, and rows as a graph of them.
 *
 * Which columns refer is a table. An edge is a card: who names, in which column, what. A walk goes
 * both ways, breadth first: components, neighbourhoods, and what must run again are all walks. */
#include "core/detect/rule_graph.h"

#include <string.h>

#include "core/claim/relation.h"

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
  while (REFERENCES[i].bit != column) i++;
  return hm_str_c(REFERENCES[i].name);
}

bool hm_rule_wants(const hm_rule *r, const hm_row *row) {
  if (!(r->layers & HM_IN(row->layer))) return false;
  const char *const *t = r->types;
  while (t && *t && !hm_str_is(row->type, *t)) t++;
  return !t || *t;
}

uint32_t hm_rule_references(const hm_rule *r, const hm_row *row) {
  const char *const *t = r->ends_of;
  if (!hm_rule_wants(r, row)) return 0;
  if (!t || row->layer != HM_RELATION) return r->columns;
  while (*t && !hm_relation_type_is(row->type, *t)) t++;
  return *t ? r->columns : r->columns & ~(uint32_t)(HM_COL_FROM | HM_COL_TO);
}

static hm_ref_card card_of(const hm_snapshot *snap, uint32_t from, uint32_t column, hm_str ref,
                           uint32_t to) {
  hm_ref_card c = { .from = from, .column = column, .ref = ref, .to = to };
  if (to == HM_MAP_NONE) return c;
  c.project = snap->rows[to].project;
  c.status = snap->rows[to].status;
  return c;
}

static size_t count_cards(uint32_t columns, const hm_row *x) {
  size_t n = 0;
  for (hm_naming i = 0; i < HM_N_NAMES && columns; i++)
    n += columns & REFERENCES[i].bit &&
        (hm_row_naming(x, i).n || (x->layer == HM_RELATION && i <= HM_NAMES_TO));
  return n;
}

static size_t row_cards(uint32_t columns, const hm_snapshot *snap, uint32_t row, hm_ref_card *out) {
  const hm_row *x = &snap->rows[row];
  size_t n = 0;
  for (hm_naming i = 0; i < HM_N_NAMES; i++) {
    hm_str ref = hm_row_naming(x, i);
    bool end = x->layer == HM_RELATION && i <= HM_NAMES_TO;
    if (columns & REFERENCES[i].bit && (ref.n || end))
      out[n++] = card_of(snap, row, REFERENCES[i].bit, ref, hm_snapshot_named(snap, row, i));
  }
  return n;
}

void hm_link_cards(const hm_snapshot *snap, const hm_link *l, hm_ref_card out[2]) {
  out[0] = card_of(snap, HM_MAP_NONE, HM_COL_SRC, l->src, hm_snapshot_ref(snap, HM_MEMORY, l->src));
  out[1] = card_of(snap, HM_MAP_NONE, HM_COL_DST, l->dst, hm_snapshot_ref(snap, HM_MEMORY, l->dst));
}

/* --- all of a snapshot ------------------------------------------------------------------ */

void hm_row_refs_init(hm_row_refs *refs, const hm_snapshot *snap, const hm_rule *rules, size_t n,
                      hm_arena *a) {
  *refs = (hm_row_refs){ .snap = snap };
  for (size_t i = 0; i < n; i++)
    for (int l = HM_MEMORY; l <= HM_RELATION; l++)
      if (rules[i].layers & HM_IN(l) && rules[i].by >= HM_BY_REF && rules[i].by <= HM_BY_COMPONENT)
        refs->columns[l] |= rules[i].columns;
  refs->n_parts = (snap->n_rows + HM_PART_ROWS - 1) / HM_PART_ROWS;
  refs->parts = hm_alloc_array(a, refs->n_parts, sizeof *refs->parts);
}

void hm_row_refs_fill(hm_row_refs *refs, size_t part, hm_arena *a) {
  const hm_snapshot *snap = refs->snap;
  hm_ref_part *p = refs->parts[part] = hm_alloc(a, sizeof *p);
  size_t first = part * HM_PART_ROWS, n = 0, end = first + HM_PART_ROWS;
  if (end > snap->n_rows) end = snap->n_rows;
  for (size_t i = first; i < end; i++)
    n += count_cards(refs->columns[snap->rows[i].layer], &snap->rows[i]);
  p->cards = hm_alloc_array(a, n, sizeof *p->cards);
  n = 0;
  for (size_t k = 0; k < HM_PART_ROWS; k++) {
    uint32_t row = (uint32_t)(first + k);
    if (row < end) n += row_cards(refs->columns[snap->rows[row].layer], snap, row, p->cards + n);
    p->first[k + 1] = (uint32_t)n;
  }
}

const hm_ref_card *hm_row_refs_of(const hm_row_refs *refs, uint32_t row, size_t *n) {
  const hm_ref_part *p = refs->parts[row / HM_PART_ROWS];
  size_t k = row % HM_PART_ROWS;
  *n = p->first[k + 1] - p->first[k];
  return *n ? p->cards + p->first[k] : NULL;
}

/* --- as a graph -------------------------------------------------------------------------- */

size_t hm_row_graph_cards(const hm_row_graph *g, uint32_t row, hm_ref_card out[HM_ROW_CARDS]) {
  size_t n, kept = 0;
  const hm_ref_card *c = hm_row_refs_of(g->refs, row, &n);
  for (size_t i = 0; i < n; i++)
    if (g->columns[row] & c[i].column) out[kept++] = c[i];
  return kept;
}

void hm_row_graph_of(hm_row_graph *g, const hm_rule *r, const hm_row_refs *refs, hm_arena *a) {
  size_t n_rows = refs->snap->n_rows, n = 0;
  *g = (hm_row_graph){ .rule = r,
                       .refs = refs,
                       .columns = hm_alloc_array(a, n_rows, sizeof *g->columns),
                       .named_first = hm_alloc_array(a, n_rows + 2, sizeof *g->named_first),
                       .reached = hm_alloc_array(a, n_rows, sizeof *g->reached) };
  for (uint32_t i = 0; i < n_rows; i++)
    if (hm_row_refs_of(refs, i, &n)) g->columns[i] = hm_rule_references(r, &refs->snap->rows[i]);
  n = 0;
  /* named_first[r + 1] is where the next one that names r goes, and so at last where r's end. */
  for (int fill = 0; fill < 2; fill++) {
    for (uint32_t i = 0; i < n_rows; i++) {
      hm_ref_card cards[HM_ROW_CARDS];
      size_t of_row = hm_row_graph_cards(g, i, cards);
      for (size_t k = 0; k < of_row; k++)
        if (cards[k].to == HM_MAP_NONE) continue;
        else if (fill) g->named_by[g->named_first[cards[k].to + 1]++] = i;
        else g->named_first[cards[k].to + 2]++, n++;
    }
    for (size_t i = 0; i < n_rows && !fill; i++) g->named_first[i + 2] += g->named_first[i + 1];
    if (!fill) g->named_by = hm_alloc_array(a, n, sizeof *g->named_by);
  }
}

static size_t reach(hm_row_graph *g, uint32_t *rows, size_t n, uint32_t row) {
  if (row == HM_MAP_NONE || g->reached[row]) return n;
  g->reached[row] = true;
  rows[n] = row;
  return n + 1;
}

size_t hm_row_graph_walk(hm_row_graph *g, uint32_t *rows, size_t n, int steps) {
  for (size_t at = 0, end = n; steps > 0 && at < end; steps--, end = n)
    for (; at < end; at++) {
      uint32_t r = rows[at];
      hm_ref_card cards[HM_ROW_CARDS];
      size_t of_row = hm_row_graph_cards(g, r, cards);
      for (size_t i = 0; i < of_row; i++) n = reach(g, rows, n, cards[i].to);
      for (uint32_t i = g->named_first[r]; i < g->named_first[r + 1]; i++)
        n = reach(g, rows, n, g->named_by[i]);
    }
  return n;
}
