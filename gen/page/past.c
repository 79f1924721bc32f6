/* What rows that are history would claim, had they stayed active: so that a
 * conflict can tell what else was said in its slot. By the same rules as
 * claims of today, over a copy in which only history is active. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim.h"
#include "view_private.h"

static bool is_history(const hm_view *v, uint32_t row) {
  hm_status s = v->snap->rows[row].status;
  return hm_view_listed(v, row) && (s == HM_SUPERSEDED || s == HM_INVALID || s == HM_GRADUATED);
}

static bool any_history(const hm_view *v) {
  for (uint32_t i = 0; i < v->n_groups; i++)
    if (v->groups[i].history > 0 && v->groups[i].layer != HM_RELATION) return true;
  return false;
}

static hm_snapshot history_of(const hm_view *v, hm_arena *tmp) {
  hm_snapshot s = *v->snap;
  s.rows = hm_alloc_array(tmp, s.n_rows + 1, sizeof *s.rows);
  memcpy(s.rows, v->snap->rows, s.n_rows * sizeof *s.rows);
  for (uint32_t i = 0; i < s.n_rows; i++) s.rows[i].status = is_history(v, i) ? HM_ACTIVE : HM_SUPERSEDED;
  return s;
}

/* First of the published conflicts of a slot, or HM_NONE. */
static uint32_t slot_at(const hm_view *v, hm_str slot_key) {
  uint32_t lo = 0, hi = v->n_conflicts;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (hm_str_cmp(v->recs[mid]->slot_key, slot_key) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo < v->n_conflicts && hm_str_eq(v->recs[lo]->slot_key, slot_key) ? lo : HM_NONE;
}

static int by_slot(const void *x, const void *y) {
  const hm_past *a = x, *b = y;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->field, b->field);
}

static void keep(hm_view *v, const hm_snapshot *s, const hm_claims *claims, hm_arena *tmp) {
  hm_arena *of_one = hm_arena_new();
  v->past = hm_alloc_array(tmp, claims->n + 1, sizeof *v->past);
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    uint32_t slot = slot_at(v, hm_claim_slot_key(of_one, s, c));
    bool shown = slot != HM_NONE && hm_view_claim_shown(v, c->row, c->field, of_one);
    hm_arena_reset(of_one);
    if (!shown) continue;
    v->past[v->n_past++] = (hm_past){ slot, c->row, hm_str_dup(v->a, c->field), hm_str_dup(v->a, c->value.raw) };
  }
  hm_arena_free(of_one);
  qsort(v->past, v->n_past, sizeof *v->past, by_slot);
  hm_past *kept = hm_alloc_array(v->a, v->n_past + 1, sizeof *kept);
  memcpy(kept, v->past, v->n_past * sizeof *kept);
  v->past = kept;
}

int hm_view_past(hm_view *v, hm_err *err) {
  if (v->n_conflicts == 0 || !any_history(v)) return 0;
  hm_arena *tmp = hm_arena_new();
  hm_claims *claims = NULL;
  hm_snapshot s = history_of(v, tmp);
  int rc = hm_claims_of(&s, v->rules, hm_par_cores(), &claims, err);
  if (rc == 0) keep(v, &s, claims, tmp);
  hm_claims_free(claims);
  hm_arena_free(tmp);
  return rc;
}

uint32_t hm_view_past_of(const hm_view *v, uint32_t conflict, uint32_t *n) {
  uint32_t lo = 0, hi = v->n_past;
  *n = 0;
  if (!v->n_past) return 0;
  uint32_t slot = slot_at(v, v->recs[conflict]->slot_key);
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (v->past[mid].slot < slot) lo = mid + 1;
    else hi = mid;
  }
  while (lo + *n < v->n_past && v->past[lo + *n].slot == slot) ++*n;
  return lo;
}
