/* Detection at the time of a write.
 *
 * Before rows change, it notes their open conflicts, and which of them are disputed. Afterwards it
 * updates the index of the claims, sweeps the touched slots and records the result. A noted
 * conflict that was disputed and no longer is awaits sign-off (quieted); one that awaited it and is
 * disputed again is revived. Cost: the rows of the touched slots. */
#include "core/review/write_check.h"

#include <stdlib.h>

#include "core/detect/rule.h"
#include "core/review/index_update.h"
#include "core/review/slot_sweep.h"
#include "core/store/store.h"
#include "core/store/partial_snapshot.h"

/* An open conflict of a row that is about to change. */
typedef struct {
  hm_str id, slot_key;
  bool disputed;
} noted_conflict;

struct hm_write_check {
  hm_store *s;
  const hm_rules *rules;
  hm_arena *a;
  hm_slot_set others; /* slots that other programs changed earlier, and slots whose
                         bounds `now` passed */
  hm_slot_set own;
  hm_map seen; /* ids of the noted conflicts -> index */
  noted_conflict *noted;
  size_t n, cap;
};

int hm_review_end(hm_store *s, const hm_review *r, bool mine, int rc, hm_err *err) {
  if (!mine || rc || !r->dry_run)
    return hm_store_txn_end(s, mine, rc, err);
  hm_store_rollback(s);
  return 0;
}

int hm_write_check_begin(hm_store *s, const hm_rules *rules, hm_arena *a, hm_write_check **out,
                         hm_err *err) {
  hm_write_check *t = hm_xmalloc(sizeof *t);
  *t = (hm_write_check){ .s = s, .rules = rules, .a = a };
  hm_map_init(&t->seen, a, 8);
  *out = t;
  if (hm_store_is_foreign(s) || !hm_index_update(s, rules, &t->others, &t->others, err))
    return 0;
  hm_write_check_free(t);
  *out = NULL;
  return -1;
}

void hm_write_check_free(hm_write_check *t) {
  if (!t)
    return;
  free(t->others.v);
  free(t->own.v);
  free(t->noted);
  free(t);
}

void hm_write_check_slot(hm_write_check *t, hm_str slot_key) {
  hm_slot_set_add(&t->own, hm_str_hash(slot_key));
}

int hm_write_check_conflict(hm_write_check *t, hm_str id, hm_str slot_key, hm_err *err) {
  hm_row_keys rows = { 0 };
  hm_index_entries e = { 0 };
  hm_write_check_slot(t, slot_key);
  if (hm_store_is_foreign(t->s))
    return 0;
  int rc = hm_store_member_rows(t->s, id, t->a, &rows, err);
  for (size_t i = 0; i < rows.n && !rc; i++)
    rc = hm_index_read_row(t->s, rows.v[i], t->a, &e, err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (hm_index_is_slot(e.v[i].kind))
      hm_slot_set_add(&t->own, e.v[i].key);
  free(rows.v);
  free(e.v);
  return rc;
}

/* --- before ------------------------------------------------------------------------ */

/* Not by slot key, which the plan may change. */
static hm_map disputed_ids(hm_write_check *t, const hm_plan *p) {
  hm_map ids;
  hm_map_init(&ids, t->a, p->n_conflicts);
  for (size_t i = 0; i < p->n_conflicts; i++)
    if (p->disputes[i])
      hm_map_add(&ids, p->conflicts[i].id, 0);
  return ids;
}

static void note_conflict(hm_write_check *t, const hm_membership *m) {
  size_t had = t->seen.n;
  if (m->status != HM_OPEN)
    return;
  hm_map_add(&t->seen, m->id, (uint32_t)t->n);
  if (t->seen.n == had)
    return;
  t->noted = hm_array_grow(t->noted, t->n, &t->cap, sizeof *t->noted);
  t->noted[t->n++] = (noted_conflict){ m->id, m->slot_key, false };
}

/* Sweeps the slots of the noted conflicts from the first on. */
static int find_disputed(hm_write_check *t, size_t first, hm_err *err) {
  hm_slot_set slots = { 0 };
  hm_sweep w;
  if (first == t->n)
    return 0;
  for (size_t i = first; i < t->n; i++)
    hm_slot_set_add(&slots, hm_str_hash(t->noted[i].slot_key));
  hm_slot_set_sort(&slots);
  hm_slot_sweep_options opt = { .slots = &slots, .at = HM_EMPTY };
  int rc = hm_sweep_slots(t->s, t->rules, &opt, t->a, &w, err);
  free(slots.v);
  if (rc)
    return -1;
  hm_map disputed = disputed_ids(t, w.plan);
  for (size_t i = first; i < t->n; i++)
    t->noted[i].disputed = hm_map_get(&disputed, t->noted[i].id) != HM_MAP_NONE;
  hm_sweep_free(&w);
  return 0;
}

int hm_write_check_row(hm_write_check *t, hm_layer layer, hm_str id, hm_err *err) {
  hm_row_key key = { layer, id };
  hm_row_keys rows = { 0 };
  size_t first = t->n;
  int rc = hm_index_stale_rows(t->s, &(hm_row_keys){ &key, 1, 1 }, NULL, t->a, &rows, err);
  for (size_t i = 0; i < rows.n && !rc; i++) {
    hm_membership *m;
    size_t n;
    rc = hm_store_memberships(t->s, rows.v[i].layer, rows.v[i].id, t->a, &m, &n, err);
    for (size_t k = 0; k < n && !rc; k++)
      note_conflict(t, &m[k]);
  }
  free(rows.v);
  return rc ? -1 : find_disputed(t, first, err);
}

/* --- after -------------------------------------------------------------------------- */

/* Has a member of this conflict anything to say in a slot that this write touched? */
static bool speaks_in_own(const hm_write_check *t, const hm_sweep *w, const hm_conflict_rec *c) {
  bool *member = hm_alloc_array(t->a, w->snap->n_rows, sizeof *member);
  for (size_t i = 0; i < c->n_members; i++) {
    uint32_t row = hm_snapshot_row(w->snap, c->members[i].layer, c->members[i].id);
    if (row != HM_MAP_NONE)
      member[row] = true;
  }
  for (size_t i = 0; i < w->claims->n + w->claims->n_context; i++) {
    const hm_claim *x = &w->claims->claims[i];
    if (member[x->row] &&
        hm_slot_set_has(&t->own, hm_str_hash(hm_conflict_slot_key(t->a, w->snap, x))))
      return true;
  }
  return false;
}

/* Did this write open it, and no earlier change of another program? By its slot; one that a model
 * proposed hangs on all slots of its rows, in which a rule may have found the same before
 * (proposal_rules.c). */
static bool opens_by_write(const hm_write_check *t, const hm_sweep *w, const hm_change *c) {
  if (c->kind != HM_CHANGE_OPEN && c->kind != HM_CHANGE_REOPEN)
    return false;
  const hm_rule *rule = hm_rule_named(hm_config_rule_table(t->rules), c->rec.rule);
  if ((rule && rule->by != HM_BY_SLOT) || hm_slot_set_has(&t->own, hm_str_hash(c->rec.slot_key)))
    return true;
  return hm_str_is(c->rec.rule, "judged") && speaks_in_own(t, w, &c->rec);
}

static int record_changes(hm_write_check *t, const hm_actor *who, hm_write_result *out,
                          hm_err *err) {
  const hm_plan *p = out->sweep.plan;
  out->opened = hm_alloc_array(t->a, p->n, sizeof *out->opened);
  for (size_t i = 0; i < p->n; i++) {
    const hm_change *c = &p->changes[i];
    if (hm_store_put_conflict(t->s, &c->rec, who, err))
      return -1;
    if (opens_by_write(t, &out->sweep, c))
      out->opened[out->n_opened++] = c->rec.id;
  }
  return 0;
}

static int find_quieted(hm_write_check *t, hm_write_result *out, hm_err *err) {
  out->quieted = hm_alloc_array(t->a, t->n, sizeof *out->quieted);
  hm_map disputed = disputed_ids(t, out->sweep.plan);
  for (size_t i = 0; i < t->n; i++) {
    hm_str status;
    if (!t->noted[i].disputed || hm_map_get(&disputed, t->noted[i].id) != HM_MAP_NONE)
      continue;
    if (hm_store_conflict_status(t->s, t->noted[i].id, t->a, &status, err))
      return -1;
    if (hm_str_is(status, hm_verdict_name(HM_OPEN)))
      out->quieted[out->n_quieted++] = t->noted[i].id;
  }
  return 0;
}

/* The disputes between the rows that did not change. */
static int disputes_without(hm_write_check *t, const hm_sweep *w, const hm_row_keys *changed,
                            hm_disputes **out, hm_err *err) {
  bool *is_changed = hm_alloc_array(t->a, w->snap->n_rows, sizeof *is_changed);
  hm_claims *rest = hm_alloc(t->a, sizeof *rest);
  *rest = *w->claims;
  size_t all = w->claims->n + w->claims->n_context;
  rest->claims = hm_alloc_array(t->a, all, sizeof *rest->claims);
  rest->n = rest->n_context = 0;
  for (size_t i = 0; i < changed->n; i++) {
    hm_row_key k = changed->v[i];
    uint32_t row = k.layer ? hm_snapshot_row(w->snap, k.layer, k.id) : HM_MAP_NONE;
    if (row != HM_MAP_NONE)
      is_changed[row] = true;
  }
  for (size_t i = 0, kept = 0; i < all; i++) {
    if (is_changed[w->claims->claims[i].row])
      continue;
    rest->claims[kept++] = w->claims->claims[i];
    rest->n += i < w->claims->n;
    rest->n_context = kept - rest->n;
  }
  return hm_disputes_find(w->snap, rest, t->rules, 1, t->a, out, err);
}

static bool has_party(const hm_dispute *d, const hm_claim *c) {
  for (size_t i = 0; i < d->n; i++)
    if (d->parties[i].claim->row == c->row && hm_str_eq(d->parties[i].claim->field, c->field))
      return true;
  return false;
}

/* A noted conflict that was not disputed is revived. So is one of which no changed row was a
 * recorded member, when no party of its dispute is in one without the changed rows: what such a row
 * said there before, it said in agreement with all. Without some rows a dispute may fall apart, but
 * each part is between parties of it. */
static int find_revived(hm_write_check *t, const hm_row_keys *changed, hm_write_result *out,
                        hm_err *err) {
  const hm_sweep *w = &out->sweep;
  hm_disputes *without = NULL;
  out->revived = hm_alloc_array(t->a, w->plan->n_conflicts, sizeof *out->revived);
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_conflict_rec *c = &w->plan->conflicts[i];
    const hm_dispute *d = w->plan->disputes[i];
    uint32_t k = hm_map_get(&t->seen, c->id);
    if (!d || !hm_slot_set_has(&t->own, hm_str_hash(c->slot_key)) ||
        hm_plan_opens_conflict(w->plan, c->id))
      continue;
    bool revived = k == HM_MAP_NONE || !t->noted[k].disputed;
    if (k == HM_MAP_NONE) {
      size_t n;
      if (!without && disputes_without(t, w, changed, &without, err))
        return -1;
      const hm_dispute *rest = hm_disputes_of_slot_key(without, d->slot_key, &n);
      for (size_t r = 0; r < n && revived; r++)
        revived = !has_party(d, rest[r].parties[0].claim);
    }
    if (revived)
      out->revived[out->n_revived++] = c->id;
  }
  return 0;
}

/* A foreign store has no change log, so all of its slots are swept. */
static int sweep_touched(hm_write_check *t, const hm_actor *who, hm_row_keys *changed,
                         hm_sweep *out, hm_err *err) {
  if (hm_store_is_foreign(t->s)) {
    hm_slot_set_sort(&t->own);
    return hm_sweep_all_slots(t->s, t->rules, true, who->at, t->a, out, err);
  }
  if (hm_index_read_changed_rows(t->s, SIZE_MAX, t->a, changed, err) ||
      hm_index_update(t->s, t->rules, &t->own, &t->others, err))
    return -1;
  hm_slot_set_sort(&t->own);
  hm_slot_set_add_all(&t->others, &t->own);
  hm_slot_set_sort(&t->others);
  hm_slot_sweep_options opt = { .slots = &t->others, .details = true, .at = who->at };
  return hm_sweep_slots(t->s, t->rules, &opt, t->a, out, err);
}

int hm_write_check_end(hm_write_check *t, const hm_actor *who, hm_write_result *out, hm_err *err) {
  hm_row_keys changed = { 0 };
  *out = (hm_write_result){ 0 };
  int rc = sweep_touched(t, who, &changed, &out->sweep, err);
  if (!rc) {
    rc = record_changes(t, who, out, err) || find_quieted(t, out, err) ||
            find_revived(t, &changed, out, err)
        ? -1
        : 0;
    if (rc)
      hm_sweep_free(&out->sweep);
  }
  if (!rc) {
    out->sweep.snap->conflicts = out->sweep.plan->conflicts;
    out->sweep.snap->n_conflicts = out->sweep.plan->n_conflicts;
  }
  free(changed.v);
  hm_write_check_free(t);
  return rc;
}
