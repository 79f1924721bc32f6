/* What else was said in the slots of conflicts: the claims of superseded, invalid and graduated
 * rows there, by the rules of today.
 *
 * Only history rows of projects with a conflict are read, and of their claims only those in a slot
 * that has a conflict are kept. Cost: one look at each row's status, the claims of those history
 * rows, one hash lookup a claim. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/claim.h"
#include "view_private.h"

static bool is_history(const hm_view *v, uint32_t row) {
  hm_status s = v->snap->rows[row].status;
  return hm_view_listed(v, row) && (s == HM_SUPERSEDED || s == HM_INVALID || s == HM_GRADUATED);
}

/* What the slot keys of the published conflicts say: a claim with another name, or of another
 * project, is in none. */
typedef struct { hm_map projects, names; } slots;

static void note_slots(const hm_view *v, slots *s, hm_arena *tmp) {
  hm_map_init(&s->projects, tmp, 64);
  hm_map_init(&s->names, tmp, v->n_conflicts);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_json *key = hm_json_parse_as(tmp, v->recs[i]->slot_key, HM_JSON_ARRAY);
    if (!key || !key->child) continue;
    hm_map_add(&s->projects, key->child->text, 0);
    for (const hm_json *e = key->child->next; e; e = e->next) hm_map_add(&s->names, e->text, 0);
  }
}

/* The history rows of projects that have a conflict. */
static uint32_t *history_rows(const hm_view *v, const slots *s, hm_arena *tmp, size_t *n) {
  uint32_t *rows = hm_alloc_array(tmp, v->snap->n_rows + 1, sizeof *rows);
  bool *wanted = hm_alloc_array(tmp, v->snap->n_projects + 1, sizeof *wanted);
  for (size_t p = 0; p < v->snap->n_projects; p++)
    wanted[p] =
        hm_map_get(&s->projects, hm_text_repair(tmp, v->snap->projects[p].id)) != HM_MAP_NONE;
  *n = 0;
  for (uint32_t i = 0; i < v->snap->n_rows; i++)
    if (!v->rows[i].active && !v->rows[i].candidate && wanted[v->snap->rows[i].project] &&
        is_history(v, i))
      rows[(*n)++] = i;
  return rows;
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
  const hm_past_claim *a = x, *b = y;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->field, b->field);
}

static void collect_past_claims(hm_view *v, const slots *s, const hm_claims *claims,
                                hm_arena *tmp) {
  hm_arena *of_one = hm_arena_new();
  v->past = hm_alloc_array(tmp, claims->n + 1, sizeof *v->past);
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    if (hm_map_get(&s->names, c->name) == HM_MAP_NONE) continue;
    uint32_t slot = slot_at(v, hm_claim_slot_key(of_one, v->snap, c));
    bool shown = slot != HM_NONE && hm_view_claim_shown(v, c->row, c->field, of_one);
    hm_arena_reset(of_one);
    if (!shown) continue;
    v->past[v->n_past++] =
        (hm_past_claim){ slot, c->row, hm_str_dup(v->a, c->field), hm_str_dup(v->a, c->value.raw) };
  }
  hm_arena_free(of_one);
  qsort(v->past, v->n_past, sizeof *v->past, by_slot);
  hm_past_claim *kept = hm_alloc_array(v->a, v->n_past + 1, sizeof *kept);
  memcpy(kept, v->past, v->n_past * sizeof *kept);
  v->past = kept;
}

int hm_view_build_past_claims(hm_view *v, hm_err *err) {
  if (v->n_conflicts == 0) return 0;
  hm_arena *tmp = hm_arena_new();
  hm_claims *claims = NULL;
  slots s;
  size_t n;
  note_slots(v, &s, tmp);
  const uint32_t *rows = history_rows(v, &s, tmp, &n);
  hm_snapshot snap = *v->snap;
  if (v->sweep->claims) snap.lives = v->sweep->claims->lives;
  int rc = n ? hm_claims_read_rows(&snap, v->rules, rows, n, hm_par_cores(), &claims, err) : 0;
  if (claims) collect_past_claims(v, &s, claims, tmp);
  hm_claims_free(claims);
  hm_arena_free(tmp);
  return rc;
}

uint32_t hm_view_find_past_claims(const hm_view *v, uint32_t conflict, uint32_t *n) {
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
