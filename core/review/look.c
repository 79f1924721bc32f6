#include "core/review/look.h"

#include <stdlib.h>

#include "core/base/par.h"
#include "core/review/entries.h"
#include "core/review/gather.h"

enum { WORTH_THREADS = 20000 };

typedef struct {
  const hm_look_options *opt;
  hm_gather g;
  hm_map unindexed[HM_RELATION + 1];   /* ids of opt->more */
  hm_keys claimed;                     /* slots in which these claim, once they are */
  bool listed;
  hm_sweep *out;
  hm_arena *a;
  hm_err *err;
} look;

static int want_rows(look *l) {
  const hm_row_keys *more = l->opt->more;
  hm_row_keys rows = { 0 };
  int rc = 0;
  for (size_t i = 0; i < l->opt->keys->n && !rc; i++)
    rc = hm_index_rows(l->g.s, l->opt->keys->v[i], HM_INDEX_MEMORY, HM_INDEX_STATE, SIZE_MAX, l->a,
                       &rows, l->err);
  for (size_t i = 0; i < rows.n; i++) hm_gather_row(&l->g, rows.v[i].layer, rows.v[i].id);
  for (int k = HM_MEMORY; k <= HM_RELATION; k++) hm_map_init(&l->unindexed[k], l->a, 8);
  for (size_t i = 0; more && i < more->n; i++) {
    hm_gather_row(&l->g, more->v[i].layer, more->v[i].id);
    hm_map_add(&l->unindexed[more->v[i].layer], more->v[i].id, 0);
  }
  free(rows.v);
  return rc;
}

/* The row that a verdict let stand: its status is shown. */
static void want_winner(look *l, hm_str winner) {
  ptrdiff_t colon = hm_str_find(winner, ":");
  hm_layer layer;
  if (!winner.n) return;
  hm_gather_row(&l->g, HM_ENTITY, winner);   /* an id may itself begin like a reference */
  if (colon > 0 && hm_layer_of(hm_str_sub(winner, 0, (size_t)colon), &layer))
    hm_gather_row(&l->g, layer, hm_str_sub(winner, (size_t)colon + 1, winner.n));
}

static int want_members(look *l) {
  if (hm_partial_conflicts_on(l->g.partial, l->opt->slot_keys, l->opt->n_slot_keys, l->err))
    return -1;
  const hm_snapshot *snap = hm_partial_snapshot(l->g.partial);
  for (size_t i = 0; i < snap->n_conflicts && l->opt->details; i++) {
    for (size_t k = 0; k < snap->conflicts[i].n_members; k++)
      hm_gather_row(&l->g, snap->conflicts[i].members[k].layer, snap->conflicts[i].members[k].id);
    want_winner(l, snap->conflicts[i].winner);
  }
  return 0;
}

/* Rows of a slot mostly claim in others too, whose other rows are not here. */
static void drop_other_slots(look *l) {
  hm_disputes *d = l->out->disputes;
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++)
    if (hm_keys_have(l->opt->keys, hm_slot_hash(d->disputes[i].slot_key)))
      d->disputes[n++] = d->disputes[i];
  d->n = n;
}

/* Of the slots that rows claim in and nobody named. */
static int read_conflicts(look *l) {
  const hm_claims *c = l->out->claims;
  hm_map known;
  hm_str *keys = hm_alloc_array(l->a, c->n, sizeof *keys);
  size_t n = 0;
  hm_map_init(&known, l->a, c->n);
  for (size_t i = 0; i < l->opt->n_slot_keys; i++) hm_map_add(&known, l->opt->slot_keys[i], 0);
  for (size_t i = 0; i < c->n; i++) {
    hm_str key = hm_conflict_slot_key(l->a, l->out->snap, &c->claims[i]);
    size_t had = known.n;
    if (!hm_keys_have(l->opt->keys, hm_slot_hash(key))) continue;
    hm_map_add(&known, key, 0);
    if (known.n > had) keys[n++] = key;
  }
  return hm_partial_conflicts_on(l->g.partial, keys, n, l->err);
}

/* Does an indexed row claim there that the index knows as it is? */
static int is_claimed_by_index(look *l, hm_str slot_key, bool *claimed) {
  hm_row_keys rows = { 0 };
  size_t max = 1 + (l->opt->more ? l->opt->more->n : 0);
  int rc = hm_index_rows(l->g.s, hm_slot_hash(slot_key), HM_INDEX_MEMORY, HM_INDEX_STATE, max, l->a,
                         &rows, l->err);
  *claimed = false;
  for (size_t i = 0; i < rows.n && !*claimed; i++)
    *claimed = hm_map_get(&l->unindexed[rows.v[i].layer], rows.v[i].id) == HM_MAP_NONE;
  free(rows.v);
  return rc;
}

/* Does one of opt->more? Their claims are here. */
static bool is_claimed_by_more(look *l, hm_str slot_key) {
  const hm_claims *c = l->out->claims;
  const hm_snapshot *snap = l->out->snap;
  if (!l->opt->more || !l->opt->more->n) return false;
  for (size_t i = 0; i < c->n && !l->listed; i++) {
    const hm_row *r = &snap->rows[c->claims[i].row];
    if (hm_map_get(&l->unindexed[r->layer], r->id) == HM_MAP_NONE) continue;
    hm_keys_add(&l->claimed, hm_slot_hash(hm_conflict_slot_key(l->a, snap, &c->claims[i])));
  }
  if (!l->listed) hm_keys_sort(&l->claimed);
  l->listed = true;
  return hm_keys_have(&l->claimed, hm_slot_hash(slot_key));
}

static int is_claimed(look *l, hm_str slot_key, bool *claimed) {
  if (is_claimed_by_index(l, slot_key, claimed)) return -1;
  *claimed = *claimed || is_claimed_by_more(l, slot_key);
  return 0;
}

/* One that nobody decided is left where its own slot is, unless nobody claims there: see match.h.
 */
static int add_unread(look *l, hm_map *known, const hm_membership *m, size_t n, hm_str *ids,
                      size_t *n_ids) {
  for (size_t i = 0; i < n; i++) {
    size_t had = known->n;
    bool claimed = false, settled = m[i].status == HM_RESOLVED || m[i].status == HM_DISMISSED;
    hm_map_add(known, m[i].id, 0);
    if (known->n == had) continue;
    if (!settled && is_claimed(l, m[i].slot_key, &claimed)) return -1;
    if (!claimed) ids[(*n_ids)++] = m[i].id;
  }
  return *n_ids ? hm_partial_conflicts_of(l->g.partial, ids, *n_ids, l->err) : 0;
}

/* Those that know a claim in dispute by another slot key. */
static int read_conflicts_of_members(look *l) {
  const hm_snapshot *snap = l->out->snap;
  hm_map known;
  hm_map_init(&known, l->a, snap->n_conflicts);
  for (size_t i = 0; i < snap->n_conflicts; i++) hm_map_add(&known, snap->conflicts[i].id, 0);
  for (size_t i = 0; i < l->out->disputes->n; i++) {
    const hm_dispute *d = &l->out->disputes->disputes[i];
    for (size_t k = 0; k < d->n; k++) {
      const hm_claim *c = d->parties[k].claim;
      hm_membership *m;
      size_t n, n_ids = 0;
      if (hm_store_memberships(l->g.s, c->layer, snap->rows[c->row].id, l->a, &m, &n, l->err))
        return -1;
      if (add_unread(l, &known, m, n, hm_alloc_array(l->a, n, sizeof(hm_str)), &n_ids)) return -1;
    }
  }
  return 0;
}

static int plan(look *l) {
  return hm_plan_of(l->out->snap, l->out->disputes, l->opt->at, l->a, &l->out->plan, l->err);
}

/* A new conflict may get an id that one of a slot far away has: with that one in the snapshot it
 * gets another. */
static int tell_ids_apart(look *l) {
  for (;;) {
    hm_str *taken = hm_alloc_array(l->a, l->out->plan->n, sizeof *taken);
    size_t n = 0;
    for (size_t i = 0; i < l->out->plan->n; i++) {
      const hm_change *c = &l->out->plan->changes[i];
      hm_str status = HM_EMPTY;
      if (c->kind == HM_CHANGE_OPEN &&
          hm_store_conflict_status(l->g.s, c->rec.id, l->a, &status, l->err))
        return -1;
      if (status.n) taken[n++] = c->rec.id;
    }
    if (!n) return 0;
    if (hm_partial_conflicts_of(l->g.partial, taken, n, l->err) || plan(l)) return -1;
  }
}

static int run(look *l, const hm_rules *rules) {
  hm_sweep *w = l->out;
  if (want_rows(l) || want_members(l)) return -1;
  if (hm_gather_claims(&l->g, rules, &w->snap, &w->claims, l->err)) return -1;
  int threads = w->claims->n < WORTH_THREADS ? 1 : hm_par_cores();
  if (hm_disputes_of(w->snap, w->claims, rules, threads, l->a, &w->disputes, l->err)) return -1;
  drop_other_slots(l);
  return read_conflicts(l) || read_conflicts_of_members(l) || plan(l) || tell_ids_apart(l) ? -1 : 0;
}

int hm_look_at(hm_store *s, const hm_rules *rules, const hm_look_options *opt, hm_arena *a,
               hm_sweep *out, hm_err *err) {
  look l = { .opt = opt, .out = out, .a = a, .err = err };
  *out = (hm_sweep){ 0 };
  hm_gather_begin(&l.g, s, opt->details, 8 + (opt->more ? opt->more->n : 0), a);
  int rc = run(&l, rules);
  hm_gather_end(&l.g);
  free(l.claimed.v);
  if (rc) hm_sweep_free(out);
  return rc;
}

int hm_look_at_all(hm_store *s, const hm_rules *rules, bool details, hm_str at, hm_arena *a,
                   hm_sweep *out, hm_err *err) {
  int threads = hm_par_cores();
  *out = (hm_sweep){ 0 };
  if (hm_store_snapshot(s, a, details, &out->snap, err) ||
      hm_claims_of(out->snap, rules, threads, &out->claims, err))
    return -1;
  if (!hm_disputes_of(out->snap, out->claims, rules, threads, a, &out->disputes, err) &&
      !hm_plan_of(out->snap, out->disputes, at, a, &out->plan, err)) return 0;
  hm_sweep_free(out);
  return -1;
}
