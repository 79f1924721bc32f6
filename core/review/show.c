/* The engine on a few slots, for showing: nothing is recorded. */
#include <stdlib.h>

#include "core/review/entries.h"
#include "core/review/look.h"
#include "core/review/touch.h"

enum { NOTED_MAX = 10000 };

/* Rows that the index does not know as they are now. */
static int unindexed(hm_store *s, const hm_row_keys *noted, hm_arena *a, hm_row_keys *out,
                     hm_err *err) {
  for (size_t i = 0; i < noted->n; i++) {
    if (!noted->v[i].layer) continue;
    hm_row_keys_add(out, noted->v[i]);
    if (noted->v[i].layer == HM_ENTITY &&
        hm_index_rows(s, hm_names_hash(noted->v[i].id), HM_INDEX_NAMES, HM_INDEX_NAMES, SIZE_MAX, a,
                      out, err))
      return -1;
  }
  return 0;
}

static int look_by_index(hm_store *s, const hm_rules *rules, const hm_row_keys *noted,
                         const hm_str *slot_keys, size_t n, bool details, hm_arena *a,
                         hm_sweep *out, hm_err *err) {
  hm_keys keys = { 0 };
  hm_row_keys more = { 0 };
  hm_map seen;
  hm_str *once = hm_alloc_array(a, n, sizeof *once);
  size_t n_once = 0;
  hm_map_init(&seen, a, n);
  for (size_t i = 0; i < n; i++) {
    hm_keys_add(&keys, hm_slot_hash(slot_keys[i]));
    hm_map_add(&seen, slot_keys[i], 0);
    if (seen.n > n_once) once[n_once++] = slot_keys[i];
  }
  hm_keys_sort(&keys);
  int rc = unindexed(s, noted, a, &more, err);
  hm_look_options opt = { .keys = &keys, .slot_keys = once, .n_slot_keys = n_once, .more = &more,
                          .details = details, .at = HM_EMPTY };
  if (!rc) rc = hm_look_at(s, rules, &opt, a, out, err);
  free(keys.v);
  free(more.v);
  return rc;
}

static int look(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n, bool details,
                hm_arena *a, hm_sweep *out, hm_err *err) {
  hm_row_keys noted = { 0 };
  bool current;
  if (hm_index_current(s, hm_entries_rules(rules, a), &current, err)) return -1;
  int rc = current ? hm_index_changed(s, NOTED_MAX + 1, a, &noted, err) : 0;
  if (!rc)
    rc = current && noted.n <= NOTED_MAX
        ? look_by_index(s, rules, &noted, slot_keys, n, details, a, out, err)
        : hm_look_at_all(s, rules, details, HM_EMPTY, a, out, err);
  free(noted.v);
  return rc;
}

static int in_transaction(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n,
                          bool details, hm_arena *a, hm_sweep *out, hm_err *err) {
  bool mine = !hm_store_in_txn(s);
  if (mine && hm_store_begin(s, false, err)) return -1;
  int rc = look(s, rules, slot_keys, n, details, a, out, err);
  if (!mine) return rc;
  if (rc) hm_store_rollback(s);
  else if ((rc = hm_store_commit(s, err)) != 0) hm_sweep_free(out);
  return rc;
}

int hm_look(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n, hm_arena *a,
            hm_sweep *out, hm_err *err) {
  return in_transaction(s, rules, slot_keys, n, true, a, out, err);
}

int hm_look_disputed(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n,
                     hm_arena *a, size_t *disputed, hm_err *err) {
  hm_sweep w;
  hm_map asked, opened;
  *disputed = 0;
  if (!n) return 0;
  if (in_transaction(s, rules, slot_keys, n, false, a, &w, err)) return -1;
  hm_map_init(&asked, a, n);
  hm_map_init(&opened, a, w.plan->opened);
  for (size_t i = 0; i < n; i++) hm_map_add(&asked, slot_keys[i], 0);
  for (size_t i = 0; i < w.plan->n; i++)
    if (w.plan->changes[i].kind == HM_CHANGE_OPEN)
      hm_map_add(&opened, w.plan->changes[i].rec.id, 0);
  for (size_t i = 0; i < w.plan->n_conflicts; i++) {
    const hm_conflict_rec *c = &w.plan->conflicts[i];
    bool recorded =
        hm_map_get(&opened, c->id) == HM_MAP_NONE && hm_map_get(&asked, c->slot_key) != HM_MAP_NONE;
    *disputed += recorded && w.plan->disputes[i];
  }
  hm_sweep_free(&w);
  return 0;
}
