#include "core/review/touch.h"

#include <stdlib.h>
#include <string.h>

#include "core/review/catch_up.h"
#include "core/review/entries.h"
#include "core/review/look.h"
#include "core/review/revived.h"
#include "core/store/foreign.h"
#include "core/store/partial.h"

/* An open conflict of a row that is about to be changed. */
typedef struct { hm_str id, slot_key; bool disputed; } watched;

struct hm_touch {
  hm_store *s;
  const hm_rules *rules;
  hm_arena *a;
  hm_keys others;                      /* slots that others changed before */
  hm_keys own;
  hm_map seen;                         /* ids of the watched -> index */
  watched *watched; size_t n, cap;
};

int hm_touch_begin(hm_store *s, const hm_rules *rules, hm_arena *a, hm_touch **out, hm_err *err) {
  hm_touch *t = memset(hm_xmalloc(sizeof *t), 0, sizeof *t);
  *t = (hm_touch){ .s = s, .rules = rules, .a = a };
  hm_map_init(&t->seen, a, 8);
  *out = t;
  if (hm_store_is_foreign(s) || !hm_catch_up(s, rules, &t->others, &t->others, err)) return 0;
  hm_touch_free(t);
  *out = NULL;
  return -1;
}

void hm_touch_free(hm_touch *t) {
  if (!t) return;
  free(t->others.v);
  free(t->own.v);
  free(t->watched);
  free(t);
}

void hm_touch_slot(hm_touch *t, hm_str slot_key) { hm_keys_add(&t->own, hm_slot_hash(slot_key)); }

int hm_touch_conflict(hm_touch *t, hm_str id, hm_str slot_key, hm_err *err) {
  hm_row_keys rows = { 0 };
  hm_index_entries e = { 0 };
  hm_touch_slot(t, slot_key);
  if (hm_store_is_foreign(t->s)) return 0;
  int rc = hm_store_member_rows(t->s, id, t->a, &rows, err);
  for (size_t i = 0; i < rows.n && !rc; i++) rc = hm_index_of_row(t->s, rows.v[i], t->a, &e, err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (e.v[i].kind <= HM_INDEX_STATE) hm_keys_add(&t->own, e.v[i].key);
  free(rows.v);
  free(e.v);
  return rc;
}

/* --- what was disputed before ---------------------------------------------------- */

static void watch(hm_touch *t, const hm_membership *m) {
  size_t had = t->seen.n;
  if (m->status != HM_OPEN) return;
  hm_map_add(&t->seen, m->id, (uint32_t)t->n);
  if (t->seen.n == had) return;
  if (t->n == t->cap)
    t->watched = hm_xrealloc(t->watched, (t->cap = 2 * t->cap + 8) * sizeof *t->watched);
  t->watched[t->n++] = (watched){ m->id, m->slot_key, false };
}

/* Of the conflicts that are disputed. Not by slot key, which the plan may change. */
static hm_map disputed_ids(hm_touch *t, const hm_plan *p) {
  hm_map ids;
  hm_map_init(&ids, t->a, p->n_conflicts);
  for (size_t i = 0; i < p->n_conflicts; i++)
    if (p->disputes[i]) hm_map_add(&ids, p->conflicts[i].id, 0);
  return ids;
}

/* Looks at the slots of the watched ones from the first on. */
static int see_disputed(hm_touch *t, size_t first, hm_err *err) {
  hm_keys keys = { 0 };
  hm_sweep w;
  if (first == t->n) return 0;
  for (size_t i = first; i < t->n; i++) hm_keys_add(&keys, hm_slot_hash(t->watched[i].slot_key));
  hm_keys_sort(&keys);
  int rc = hm_look_at(t->s, t->rules, &(hm_look_options){ .keys = &keys, .at = HM_EMPTY }, t->a, &w,
                      err);
  free(keys.v);
  if (rc) return -1;
  hm_map disputed = disputed_ids(t, w.plan);
  for (size_t i = first; i < t->n; i++)
    t->watched[i].disputed = hm_map_get(&disputed, t->watched[i].id) != HM_MAP_NONE;
  hm_sweep_free(&w);
  return 0;
}

/* The row, and those to whose slots or values it gives its name. */
static int rows_of(hm_touch *t, hm_layer layer, hm_str id, hm_row_keys *out, hm_err *err) {
  hm_row_keys_add(out, (hm_row_key){ layer, id });
  if (layer != HM_ENTITY) return 0;
  return hm_entries_depending(t->s, id, t->a, out, err);
}

int hm_touch_row(hm_touch *t, hm_layer layer, hm_str id, hm_err *err) {
  hm_row_keys rows = { 0 };
  size_t first = t->n;
  int rc = rows_of(t, layer, id, &rows, err);
  for (size_t i = 0; i < rows.n && !rc; i++) {
    hm_membership *m;
    size_t n;
    rc = hm_store_memberships(t->s, rows.v[i].layer, rows.v[i].id, t->a, &m, &n, err);
    for (size_t k = 0; k < n && !rc; k++) watch(t, &m[k]);
  }
  free(rows.v);
  return rc ? -1 : see_disputed(t, first, err);
}

/* --- after -------------------------------------------------------------------------- */

static int record(hm_touch *t, const hm_actor *who, hm_touched *out, hm_err *err) {
  const hm_plan *p = out->sweep.plan;
  out->opened = hm_alloc_array(t->a, p->n, sizeof *out->opened);
  for (size_t i = 0; i < p->n; i++) {
    const hm_change *c = &p->changes[i];
    if (hm_store_put_conflict(t->s, &c->rec, who, err)) return -1;
    bool opens = c->kind == HM_CHANGE_OPEN || c->kind == HM_CHANGE_REOPEN;
    if (opens && hm_keys_have(&t->own, hm_slot_hash(c->rec.slot_key)))
      out->opened[out->n_opened++] = c->rec.id;
  }
  return 0;
}

static int is_open(hm_touch *t, const watched *w, bool *open, hm_err *err) {
  hm_str status;
  if (hm_store_conflict_status(t->s, w->id, t->a, &status, err)) return -1;
  *open = hm_str_is(status, hm_verdict_name(HM_OPEN));
  return 0;
}

static int find_quieted(hm_touch *t, hm_touched *out, hm_err *err) {
  out->quieted = hm_alloc_array(t->a, t->n, sizeof *out->quieted);
  hm_map disputed = disputed_ids(t, out->sweep.plan);
  for (size_t i = 0; i < t->n; i++) {
    bool open;
    if (!t->watched[i].disputed || hm_map_get(&disputed, t->watched[i].id) != HM_MAP_NONE) continue;
    if (is_open(t, &t->watched[i], &open, err)) return -1;
    if (open) out->quieted[out->n_quieted++] = t->watched[i].id;
  }
  return 0;
}

/* Of one that is not watched: would it be disputed without the rows that were changed? */
static int find_revived(hm_touch *t, const hm_row_keys *changed, hm_touched *out, hm_err *err) {
  const hm_sweep *w = &out->sweep;
  hm_revival r = { .sweep = w, .rules = t->rules, .changed = changed, .a = t->a };
  out->revived = hm_alloc_array(t->a, w->plan->n_conflicts, sizeof *out->revived);
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_conflict_rec *c = &w->plan->conflicts[i];
    uint32_t k = hm_map_get(&t->seen, c->id);
    bool revived = k != HM_MAP_NONE && !t->watched[k].disputed;
    const hm_dispute *d = w->plan->disputes[i];
    if (!d || !hm_keys_have(&t->own, hm_slot_hash(c->slot_key)) || hm_plan_opens(w->plan, c->id))
      continue;
    if (k == HM_MAP_NONE && hm_revived(&r, d, &revived, err)) return -1;
    if (revived) out->revived[out->n_revived++] = c->id;
  }
  return 0;
}

/* Of a store that nothing is noted of all slots are looked at. */
static int look_at_touched(hm_touch *t, const hm_actor *who, hm_row_keys *changed, hm_touched *out,
                           hm_err *err) {
  if (hm_store_is_foreign(t->s)) {
    hm_keys_sort(&t->own);
    return hm_look_at_all(t->s, t->rules, true, who->at, t->a, &out->sweep, err);
  }
  if (hm_index_changed(t->s, SIZE_MAX, t->a, changed, err) ||
      hm_catch_up(t->s, t->rules, &t->own, &t->others, err))
    return -1;
  hm_keys_sort(&t->own);
  hm_keys_add_all(&t->others, &t->own);
  hm_keys_sort(&t->others);
  return hm_look_at(t->s, t->rules,
                    &(hm_look_options){ .keys = &t->others, .details = true, .at = who->at }, t->a,
                    &out->sweep, err);
}

static int finish(hm_touch *t, const hm_actor *who, hm_row_keys *changed, hm_touched *out,
                  hm_err *err) {
  if (look_at_touched(t, who, changed, out, err)) return -1;
  if (!record(t, who, out, err) && !find_quieted(t, out, err) &&
      !find_revived(t, changed, out, err))
    return 0;
  hm_sweep_free(&out->sweep);
  return -1;
}

int hm_touch_end(hm_touch *t, const hm_actor *who, hm_touched *out, hm_err *err) {
  *out = (hm_touched){ 0 };
  hm_row_keys changed = { 0 };
  int rc = finish(t, who, &changed, out, err);
  free(changed.v);
  if (!rc) {
    out->sweep.snap->conflicts = out->sweep.plan->conflicts;
    out->sweep.snap->n_conflicts = out->sweep.plan->n_conflicts;
  }
  hm_touch_free(t);
  return rc;
}
