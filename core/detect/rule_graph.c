/* Rows as a graph whose edges are references.
 *
 * Which columns refer is a table. An edge is a card: who names, in which column, what. A walk goes
 * both ways, breadth first: components, neighbourhoods, and what must run again are all walks. */
#include "core/detect/rule_graph.h"

#include <stddef.h>
#include <string.h>

static const struct { uint32_t bit; size_t at; hm_layer within; } REFERENCES[HM_ROW_CARDS] = {
  { HM_COL_FROM, offsetof(hm_row, from), HM_ENTITY },
  { HM_COL_TO, offsetof(hm_row, to), HM_ENTITY },
  { HM_COL_SUPERSEDED_BY, offsetof(hm_row, superseded_by), 0 },   /* within the row's own layer */
  { HM_COL_GRADUATED_TO, offsetof(hm_row, graduated_to), HM_ENTITY },
};

bool hm_rule_wants(const hm_rule *r, const hm_row *row) {
  if (!(r->layers & HM_IN(row->layer))) return false;
  const char *const *t = r->types;
  while (t && *t && !hm_str_is(row->type, *t)) t++;
  return !t || *t;
}

static hm_ref_card card_of(const hm_snapshot *snap, uint32_t from, uint32_t column, hm_layer within,
                           hm_str ref) {
  uint32_t to = hm_snapshot_ref(snap, within, ref);
  hm_ref_card c = { .from = from, .column = column, .ref = ref, .to = to };
  if (to == HM_MAP_NONE) return c;
  c.project = snap->rows[to].project;
  c.status = snap->rows[to].status;
  return c;
}

size_t hm_row_cards(const hm_rule *r, const hm_snapshot *snap, uint32_t row,
                    hm_ref_card out[HM_ROW_CARDS]) {
  const hm_row *x = &snap->rows[row];
  size_t n = 0;
  for (size_t i = 0; i < HM_ROW_CARDS; i++) {
    if (!(r->columns & REFERENCES[i].bit)) continue;
    const hm_str *ref = (const hm_str *)((const char *)x + REFERENCES[i].at);
    bool end = x->layer == HM_RELATION && REFERENCES[i].bit <= HM_COL_TO;
    if (!ref->n && !end) continue;
    hm_layer within = REFERENCES[i].within ? REFERENCES[i].within : x->layer;
    out[n++] = card_of(snap, row, REFERENCES[i].bit, within, *ref);
  }
  return n;
}

void hm_link_cards(const hm_snapshot *snap, const hm_link *l, hm_ref_card out[2]) {
  out[0] = card_of(snap, HM_MAP_NONE, HM_COL_SRC, HM_MEMORY, l->src);
  out[1] = card_of(snap, HM_MAP_NONE, HM_COL_DST, HM_MEMORY, l->dst);
}

void hm_row_graph_of(hm_row_graph *g, const hm_rule *r, const hm_snapshot *snap, hm_arena *a) {
  size_t n = 0, cap = 0;
  hm_ref_card *cards = NULL;
  *g = (hm_row_graph){ .card_first = hm_alloc_array(a, snap->n_rows + 1, sizeof *g->card_first),
                       .named_first = hm_alloc_array(a, snap->n_rows + 2, sizeof *g->named_first),
                       .reached = hm_alloc_array(a, snap->n_rows, sizeof *g->reached) };
  for (uint32_t i = 0; i < snap->n_rows; i++) {
    if (n + HM_ROW_CARDS > cap) {
      hm_ref_card *more = hm_alloc_array(a, cap = 2 * cap + 256, sizeof *more);
      if (n) memcpy(more, cards, n * sizeof *more);
      cards = more;
    }
    if (hm_rule_wants(r, &snap->rows[i])) n += hm_row_cards(r, snap, i, cards + n);
    g->card_first[i + 1] = (uint32_t)n;
  }
  g->cards = cards;
  /* named_first[r + 1] is where the next one that names r goes, and so at last where r's end. */
  for (size_t i = 0; i < n; i++)
    if (cards[i].to != HM_MAP_NONE) g->named_first[cards[i].to + 2]++;
  for (size_t i = 0; i < snap->n_rows; i++) g->named_first[i + 2] += g->named_first[i + 1];
  g->named_by = hm_alloc_array(a, n, sizeof *g->named_by);
  for (size_t i = 0; i < n; i++)
    if (cards[i].to != HM_MAP_NONE) g->named_by[g->named_first[cards[i].to + 1]++] = cards[i].from;
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
      for (uint32_t i = g->card_first[r]; i < g->card_first[r + 1]; i++)
        n = reach(g, rows, n, g->cards[i].to);
      for (uint32_t i = g->named_first[r]; i < g->named_first[r + 1]; i++)
        n = reach(g, rows, n, g->named_by[i]);
    }
  return n;
}
