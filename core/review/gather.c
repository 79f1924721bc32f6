#include "core/review/gather.h"

#include <stdlib.h>

#include "core/base/par.h"
#include "core/claim/depends.h"
#include "core/review/entries.h"

enum { WORTH_THREADS = 20000 };

void hm_gather_begin(hm_gather *g, hm_store *s, bool details, size_t witnesses, hm_arena *a) {
  *g = (hm_gather){
    .s = s, .a = a, .partial = hm_partial_new(s, details, a), .witnesses = witnesses
  };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) hm_map_init(&g->wanted[l], a, 8);
}

void hm_gather_end(hm_gather *g) { hm_partial_free(g->partial); }

void hm_gather_row(hm_gather *g, hm_layer layer, hm_str id) {
  if (hm_map_get(&g->wanted[layer], id) != HM_MAP_NONE) return;
  hm_map_add(&g->wanted[layer], hm_str_dup(g->a, id), 0);
  hm_partial_want(g->partial, layer, id);
}

/* A category excludes entities of other types only when there is an entity of its own. */
static int want_witnesses(hm_gather *g, const hm_row *row, hm_err *err) {
  hm_row_keys of_type = { 0 };
  hm_str type = hm_depends_on_type(row, g->a);
  if (!type.n) return 0;
  int rc = hm_index_rows(g->s, hm_type_hash(type), HM_INDEX_TYPE, HM_INDEX_TYPE, g->witnesses, g->a,
                         &of_type, err);
  for (size_t i = 0; i < of_type.n && !rc; i++)
    hm_partial_want(g->partial, of_type.v[i].layer, of_type.v[i].id);
  free(of_type.v);
  return rc;
}

static void want_entity(void *ctx, hm_str id) {
  hm_gather *g = ctx;
  hm_partial_want(g->partial, HM_ENTITY, id);
}

static int want_what_it_needs(hm_gather *g, const hm_row *row, hm_err *err) {
  hm_str ids[HM_ELEMENTS_MAX];
  hm_depends_on_values(row, want_entity, g, g->a);
  if (row->layer == HM_STATE) return want_witnesses(g, row, err);
  size_t n = row->layer == HM_ENTITY ? hm_depends_on_ids(row, ids, g->a) : 0;
  for (size_t i = 0; i < n; i++) hm_partial_want(g->partial, HM_ENTITY, ids[i]);
  return 0;
}

static void silence_others(const hm_gather *g, hm_snapshot *snap) {
  for (size_t i = 0; i < snap->n_rows; i++)
    if (hm_map_get(&g->wanted[snap->rows[i].layer], snap->rows[i].id) == HM_MAP_NONE)
      snap->rows[i].status = HM_STATUS_OTHER;
}

int hm_gather_claims(hm_gather *g, const hm_rules *rules, hm_snapshot **snap, hm_claims **claims,
                     hm_err *err) {
  const hm_row *rows;
  size_t n;
  if (hm_partial_read(g->partial, &rows, &n, err)) return -1;
  for (size_t i = 0; i < n; i++)
    if (want_what_it_needs(g, &rows[i], err)) return -1;
  if (hm_partial_end(g->partial, snap, err)) return -1;
  silence_others(g, *snap);
  return hm_claims_of(*snap, rules, (*snap)->n_rows < WORTH_THREADS ? 1 : hm_par_cores(), claims,
                      err);
}
