/* Outwards: what does a place lie in, which decides whether two values agree? Inwards: whose values
 * does a changed chain concern? Both follow entries of the index of the claims (claim_index.h), one
 * look-up a place and row. Circles end, as each row is met once. */
#include "core/review/nesting.h"

#include <stdlib.h>

#include "core/claim/relation.h"

int hm_want_around(hm_store *s, hm_partial *p, const hm_row *relation, const hm_rules *rules,
                   hm_arena *a, hm_err *err) {
  hm_str ids[HM_RELATION_END_IDS];
  const hm_relation_kind *k = hm_relation_kind_find(hm_relation_kinds_of(rules), relation->type);
  size_t n = k && hm_relation_values_nest(k) ? hm_relation_end_ids(relation, k, false, ids) : 0;
  hm_row_keys around = { 0 };
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++)
    rc = hm_index_rows(s, hm_str_hash(ids[i]), HM_INDEX_LIES_IN, HM_INDEX_LIES_IN, SIZE_MAX, a,
                       &around, err);
  for (size_t i = 0; i < around.n && !rc; i++)
    hm_partial_want(p, around.v[i].layer, around.v[i].id);
  free(around.v);
  return rc;
}

/* The slots of this row, and the places that it says lie in something. */
static int take_row(hm_store *s, hm_row_key row, hm_slot_set *places, hm_slot_set *touched,
                    hm_arena *a, hm_err *err) {
  hm_index_entries e = { 0 };
  int rc = hm_index_of_row(s, row, a, &e, err);
  for (size_t i = 0; i < e.n && !rc; i++) {
    hm_row_keys rivals = { 0 };
    if (e.v[i].kind == HM_INDEX_LIES_IN) hm_slot_set_add(places, e.v[i].key);
    if (e.v[i].kind > HM_INDEX_STATE) continue;
    rc = hm_index_rows(s, e.v[i].key, HM_INDEX_RELATION, HM_INDEX_RELATION, 2, a, &rivals, err);
    if (rivals.n > 1) hm_slot_set_add(touched, e.v[i].key);
    free(rivals.v);
  }
  free(e.v);
  return rc;
}

int hm_slots_inside(hm_store *s, hm_slot_set *places, hm_slot_set *touched, hm_arena *a,
                    hm_err *err) {
  hm_map seen;
  int rc = 0;
  hm_map_init(&seen, a, 64);
  for (size_t i = 0; i < places->n && !rc; i++) {
    hm_row_keys inside = { 0 };
    rc = hm_index_rows(s, places->v[i], HM_INDEX_HOLDS, HM_INDEX_HOLDS, SIZE_MAX, a, &inside, err);
    for (size_t k = 0; k < inside.n && !rc; k++) {
      size_t had = seen.n;
      hm_map_add(&seen, inside.v[k].id, 0);
      if (seen.n > had) rc = take_row(s, inside.v[k], places, touched, a, err);
    }
    free(inside.v);
  }
  return rc;
}
