#include "core/review/conflict_query.h"

#include <stdlib.h>

#include "core/review/catch_up.h"
#include "core/review/entries.h"
#include "core/review/look.h"
#include "core/store/lookup.h"

/* More slots than that are looked at in less time by a sweep. */
enum { SLOTS_MAX = 20000 };

typedef struct {
  hm_store *s;
  const hm_rules *rules;
  const hm_conflict_query *q;
  hm_pending pending;
  hm_keys keys;                          /* of all slots to look at */
  hm_map named;                          /* slot keys of conflicts asked for */
  hm_str *slot_keys; size_t n, cap;
  hm_arena *a;
  hm_conflict_answer *out;
  hm_err *err;
} query;

static bool name_slot(query *w, hm_str slot_key) {
  size_t had = w->named.n;
  hm_map_add(&w->named, slot_key, 0);
  if (w->named.n == had) return false;
  if (w->n == w->cap)
    w->slot_keys = hm_xrealloc(w->slot_keys, (w->cap = 2 * w->cap + 8) * sizeof *w->slot_keys);
  w->slot_keys[w->n++] = slot_key;
  hm_keys_add(&w->keys, hm_slot_hash(slot_key));
  return true;
}

static bool is_asked_for(const query *w, const hm_conflict_rec *c) {
  const hm_conflict_query *q = w->q;
  if (q->id.n) return hm_str_eq(hm_str_sub(c->id, 0, q->id.n), q->id);
  return (!q->status || c->status == *q->status) &&
      (!q->project || hm_str_eq(c->project, w->out->project));
}

/* *clear false: the name is an alias, and other aliases mean it as a project, of which rows may be:
 * their project goes before. */
static int find_project(query *w, bool *clear) {
  bool aliased = false;
  *clear = true;
  if (!w->q->project || w->q->id.n) return 0;
  if (hm_lookup_project_id(w->s, *w->q->project, w->a, &w->out->project, w->err)) return -1;
  if (hm_str_eq(w->out->project, *w->q->project)) return 0;
  if (hm_lookup_aliased(w->s, *w->q->project, &aliased, w->err)) return -1;
  *clear = !aliased;
  return 0;
}

static int find_places(query *w, hm_conflict_place **places, size_t *n) {
  const hm_conflict_query *q = w->q;
  if (q->id.n)
    return hm_lookup_conflicts_starting(w->s, q->id, SLOTS_MAX + 1, w->a, places, n, w->err);
  return hm_lookup_conflicts(w->s, q->status, q->project ? &w->out->project : NULL, w->a, places, n,
                             w->err);
}

/* A conflict that the plan changes may be one of those asked for only then: it goes on in another
 * project, is open again. *more: the rows of its members have still to be read. */
static void name_changed(query *w, bool *more) {
  const hm_sweep *sweep = &w->out->sweep;
  const hm_snapshot *snap = sweep->snap;
  hm_map recorded;
  *more = false;
  hm_map_init(&recorded, w->a, snap->n_conflicts);
  for (size_t i = 0; i < snap->n_conflicts; i++)
    hm_map_add(&recorded, snap->conflicts[i].id, (uint32_t)i);
  for (size_t i = 0; i < sweep->plan->n; i++) {
    const hm_conflict_rec *c = &sweep->plan->changes[i].rec;
    uint32_t k = hm_map_get(&recorded, c->id);
    if (k != HM_MAP_NONE && is_asked_for(w, c)) *more |= name_slot(w, snap->conflicts[k].slot_key);
  }
}

static int look(query *w) {
  hm_sweep *sweep = &w->out->sweep;
  for (bool more = true; more;) {
    hm_keys_sort(&w->keys);
    hm_look_options opt = { .keys = &w->keys,
                            .slot_keys = w->slot_keys,
                            .n_slot_keys = w->n,
                            .more = &w->pending.rows,
                            .details = true,
                            .at = HM_EMPTY };
    hm_sweep_free(sweep);
    if (hm_look_at(w->s, w->rules, &opt, w->a, sweep, w->err)) return -1;
    name_changed(w, &more);
  }
  sweep->snap->conflicts = sweep->plan->conflicts;
  sweep->snap->n_conflicts = sweep->plan->n_conflicts;
  w->out->known = true;
  return 0;
}

/* A project that nobody declared is one while a row names it. */
static int check_project(query *w) {
  const hm_snapshot *snap = w->out->sweep.snap;
  bool declared = false;
  if (!w->q->project || !w->out->project.n) return 0;
  if (hm_lookup_declared(w->s, w->out->project, &declared, w->err)) return -1;
  for (size_t i = 0; i < snap->n_projects && !declared; i++)
    declared = hm_str_eq(snap->projects[i].id, w->out->project);
  w->out->known = declared;
  if (!declared) hm_sweep_free(&w->out->sweep);
  return 0;
}

static int run(query *w) {
  hm_conflict_place *places;
  bool known, clear;
  size_t n;
  if (hm_pending_of(w->s, w->rules, w->a, &w->pending, &known, w->err) || find_project(w, &clear))
    return -1;
  if (!known || !clear) return 0;
  if (find_places(w, &places, &n)) return -1;
  if (n > SLOTS_MAX) return 0;
  hm_keys_add_all(&w->keys, &w->pending.slots);
  for (size_t i = 0; i < n; i++) name_slot(w, places[i].slot_key);
  return look(w) || check_project(w) ? -1 : 0;
}

int hm_query_conflicts(hm_store *s, const hm_rules *rules, const hm_conflict_query *q, hm_arena *a,
                       hm_conflict_answer *out, hm_err *err) {
  query w = { .s = s, .rules = rules, .q = q, .a = a, .out = out, .err = err };
  bool mine = !hm_store_in_txn(s);
  *out = (hm_conflict_answer){ .project = HM_EMPTY };
  if (mine && hm_store_begin(s, false, err)) return -1;
  hm_map_init(&w.named, a, 64);
  int rc = run(&w);
  hm_pending_free(&w.pending);
  free(w.keys.v);
  free(w.slot_keys);
  if (mine && !rc) rc = hm_store_commit(s, err);
  if (!rc) return 0;
  if (mine) hm_store_rollback(s);
  hm_sweep_free(&out->sweep);
  return -1;
}
