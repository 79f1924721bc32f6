/* Do the findings of before still stand? */
#include "core/detect/finding.h"
#include "core/detect/keep.h"

static bool is_there(const hm_snapshot *s, hm_layer layer, hm_str ref) { return hm_snapshot_ref(s, layer, ref) != HM_MAP_NONE; }

static bool refers_well(const hm_snapshot *s, const hm_row *r) {
  if (r->superseded_by.n || (r->graduated_to.n && !is_there(s, HM_ENTITY, r->graduated_to))) return false;
  return r->layer != HM_RELATION || (is_there(s, HM_ENTITY, r->from) && is_there(s, HM_ENTITY, r->to));
}

static bool is_missed(const hm_row *r, hm_str in_full, const hm_finding *orphans, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(orphans[i].actual, r->id) || hm_str_eq(orphans[i].actual, in_full)) return true;
  return false;
}

static bool takes_a_place(const hm_snapshot *s, hm_str in_full) {
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    if (hm_snapshot_row(s, (hm_layer)l, in_full) != HM_MAP_NONE) return true;
  return false;
}

bool hm_findings_stand(const hm_snapshot *now, const hm_follow_news *news, const hm_finding *orphans, size_t n) {
  bool stand = !news->all && !news->refers;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < news->n_inserted && stand; i++) {
    const hm_row *r = &now->rows[news->inserted[i]];
    hm_str in_full = hm_row_ref(a, r);
    stand = refers_well(now, r) && !is_missed(r, in_full, orphans, n) && !takes_a_place(now, in_full);
  }
  hm_arena_free(a);
  return stand;
}
