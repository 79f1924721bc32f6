/* Which row names which: the columns of rows and the ends of links as one graph of a snapshot.
 *
 * Whoever walks from row to row walks it: rules by reference, by component and by ties, existence,
 * impact and evidence, conflicts about a row, pages. The rows that a row names stand in an array
 * by column; those that name it in one list of all, where each row's are together.
 * Cost: a hash lookup for each name, once; linear in rows, names and links. */
#include <stddef.h>

#include "core/base/par.h"
#include "core/record/row.h"

static const size_t NAMING[HM_N_NAMES] = {
  [HM_NAMES_FROM] = offsetof(hm_row, from),
  [HM_NAMES_TO] = offsetof(hm_row, to),
  [HM_NAMES_SUPERSEDED_BY] = offsetof(hm_row, superseded_by),
  [HM_NAMES_GRADUATED_TO] = offsetof(hm_row, graduated_to),
};

hm_str hm_row_naming(const hm_row *r, hm_naming column) {
  return *(const hm_str *)(const void *)((const char *)r + NAMING[column]);
}

uint32_t hm_snapshot_named(const hm_snapshot *s, uint32_t row, hm_naming column) {
  if (s->graph)
    return s->graph->named[row][column];
  const hm_row *r = &s->rows[row];
  hm_layer within = column == HM_NAMES_SUPERSEDED_BY ? r->layer : HM_ENTITY;
  hm_str ref = hm_row_naming(r, column);
  return ref.n ? hm_snapshot_ref(s, within, ref) : HM_MAP_NONE;
}

enum { STRETCH = 8192 }; /* rows that a thread looks at */

typedef struct {
  const hm_snapshot *s;
  hm_row_graph *g;
} resolving;

static int resolve_stretch(void *ctx, size_t i, int worker) {
  const resolving *r = ctx;
  (void)worker;
  for (size_t k = i * STRETCH; k < (i + 1) * STRETCH && k < r->s->n_rows; k++)
    for (hm_naming c = 0; c < HM_N_NAMES; c++)
      r->g->named[k][c] = hm_snapshot_named(r->s, (uint32_t)k, c);
  return 0;
}

/* Counts a name, in the place of the next row but one; then files it. */
static void add_namer(hm_row_graph *g, uint32_t row, hm_namer x) {
  if (row == HM_MAP_NONE)
    return;
  if (g->namers)
    g->namers[g->first[row + 1]++] = x;
  else
    g->first[row + 2]++;
}

static void add_namers(const hm_snapshot *s, hm_row_graph *g) {
  for (uint32_t i = 0; i < s->n_rows; i++)
    for (hm_naming c = 0; c < HM_N_NAMES; c++)
      add_namer(g, g->named[i][c], (hm_namer){ i, c });
  for (uint32_t i = 0; i < s->n_links; i++)
    for (int end = 0; end < 2; end++)
      add_namer(g, g->ends[i][end], (hm_namer){ i, HM_NAMES_SRC + end });
}

const hm_row_graph *hm_snapshot_graph(const hm_snapshot *s, int threads, hm_arena *a) {
  if (s->graph)
    return s->graph;
  hm_row_graph *g = hm_alloc(a, sizeof *g);
  *g = (hm_row_graph){ .named = hm_alloc_array(a, s->n_rows, sizeof *g->named),
                       .ends = hm_alloc_array(a, s->n_links, sizeof *g->ends),
                       .first = hm_alloc_array(a, s->n_rows + 2, sizeof *g->first) };
  hm_par_for((s->n_rows + STRETCH - 1) / STRETCH, threads, resolve_stretch, &(resolving){ s, g },
             NULL);
  for (size_t i = 0; i < s->n_links; i++) {
    g->ends[i][0] = hm_snapshot_ref(s, HM_MEMORY, s->links[i].src);
    g->ends[i][1] = hm_snapshot_ref(s, HM_MEMORY, s->links[i].dst);
  }
  add_namers(s, g);
  for (size_t i = 0; i < s->n_rows; i++)
    g->first[i + 2] += g->first[i + 1];
  g->namers = hm_alloc_array(a, g->first[s->n_rows + 1], sizeof *g->namers);
  add_namers(s, g);
  return g;
}
