#include "core/review/catch_up.h"

#include <stdlib.h>

#include "core/review/entries.h"
#include "core/review/gather.h"
#include "core/review/look.h"
#include "core/review/newcomers.h"

/* Past this many changed rows the index is made again, which takes about as long in a store of some size. */
enum { NOTED_MAX = 10000 };

/* --- all rows --------------------------------------------------------------------- */

static int make_anew(hm_store *s, const hm_rules *rules, hm_keys *touched, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_sweep w = { 0 };
  hm_index_entries entries = { 0 };
  int rc = hm_look_at_all(s, rules, false, HM_EMPTY, a, &w, err);
  if (!rc) {
    hm_entries_of(w.snap, w.claims, NULL, &entries);
    rc = hm_index_fill(s, &entries, hm_entries_rules(rules, a), err) || hm_newcomers_learn(s, w.snap, err) ||
         hm_now_take_in(s, NULL, NULL, err) ? -1 : 0;
  }
  for (size_t i = 0; i < (rc ? 0 : w.plan->n); i++) hm_keys_add(touched, hm_slot_hash(w.plan->changes[i].rec.slot_key));
  free(entries.v);
  hm_sweep_free(&w);
  hm_arena_free(a);
  return rc;
}

/* --- some rows --------------------------------------------------------------------- */

typedef struct {
  hm_store *s;
  const hm_rules *rules;
  hm_arena *a;
  hm_row_keys rows;          /* that were changed, or stand on one that was */
  hm_index_entries before;   /* their entries, by row */
  hm_index_entries now;
  hm_keys types;             /* that one of them is or was of */
  hm_keys *touched;
  hm_err *err;
} update;

/* A changed entity may give its name to the slots and values of others. */
static int add_dependents(update *u, const hm_row_keys *noted) {
  for (size_t i = 0; i < noted->n; i++) {
    hm_row_key k = noted->v[i];
    if (!k.layer) hm_keys_add(u->touched, hm_slot_hash(k.id));
    if (!k.layer || k.layer == HM_RELATION) continue;
    hm_row_keys_add(&u->rows, k);
    if (k.layer == HM_ENTITY && hm_entries_depending(u->s, k.id, u->a, &u->rows, u->err)) return -1;
  }
  return 0;
}

static void keep_unique(hm_row_keys *l, hm_arena *a) {
  hm_map seen[HM_RELATION + 1];
  size_t n = 0;
  for (int k = HM_MEMORY; k <= HM_RELATION; k++) hm_map_init(&seen[k], a, l->n);
  for (size_t i = 0; i < l->n; i++) {
    size_t had = seen[l->v[i].layer].n;
    hm_map_add(&seen[l->v[i].layer], l->v[i].id, 0);
    if (seen[l->v[i].layer].n > had) l->v[n++] = l->v[i];
  }
  l->n = n;
}

static int read_before(update *u) {
  for (size_t i = 0; i < u->rows.n; i++)
    if (hm_index_of_row(u->s, u->rows.v[i], u->a, &u->before, u->err)) return -1;
  hm_index_entries_sort(&u->before);
  return 0;
}

static int read_now(update *u) {
  hm_gather g;
  hm_snapshot *snap;
  hm_claims *claims;
  hm_gather_begin(&g, u->s, false, 1, u->a);
  for (size_t i = 0; i < u->rows.n; i++) hm_gather_row(&g, u->rows.v[i].layer, u->rows.v[i].id);
  int rc = hm_gather_claims(&g, u->rules, &snap, &claims, u->err);
  if (!rc) {
    bool *only = hm_alloc_array(u->a, snap->n_rows, sizeof *only);
    for (size_t i = 0; i < snap->n_rows; i++)
      only[i] = hm_map_get(&g.wanted[snap->rows[i].layer], snap->rows[i].id) != HM_MAP_NONE;
    hm_entries_of(snap, claims, only, &u->now);
    hm_index_entries_sort(&u->now);
    hm_claims_free(claims);
    rc = hm_newcomers_learn(u->s, snap, u->err);
  }
  hm_gather_end(&g);
  return rc;
}

static void take(update *u, const hm_index_entries *entries) {
  for (size_t i = 0; i < entries->n; i++) {
    if (entries->v[i].kind <= HM_INDEX_STATE) hm_keys_add(u->touched, entries->v[i].key);
    if (entries->v[i].kind == HM_INDEX_TYPE) hm_keys_add(&u->types, entries->v[i].key);
  }
}

static int has_type(update *u, uint64_t type, bool *has) {
  hm_row_keys one = { 0 };
  int rc = hm_index_rows(u->s, type, HM_INDEX_TYPE, HM_INDEX_TYPE, 1, u->a, &one, u->err);
  *has = one.n > 0;
  free(one.v);
  return rc;
}

/* States whose category is a type that has come or gone are compared with others than before. */
static int touch_states_of(update *u, uint64_t type) {
  hm_row_keys states = { 0 };
  hm_index_entries e = { 0 };
  int rc = hm_index_rows(u->s, type, HM_INDEX_CATEGORY, HM_INDEX_CATEGORY, SIZE_MAX, u->a, &states, u->err);
  for (size_t i = 0; i < states.n && !rc; i++) rc = hm_index_of_row(u->s, states.v[i], u->a, &e, u->err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (e.v[i].kind == HM_INDEX_STATE) hm_keys_add(u->touched, e.v[i].key);
  free(states.v);
  free(e.v);
  return rc;
}

static int write_entries(update *u) {
  bool *had = hm_alloc_array(u->a, u->types.n, sizeof *had), has;
  for (size_t i = 0; i < u->types.n; i++)
    if (has_type(u, u->types.v[i], &had[i])) return -1;
  if (hm_index_set_rows(u->s, &u->before, &u->now, u->err)) return -1;
  for (size_t i = 0; i < u->types.n; i++) {
    if (has_type(u, u->types.v[i], &has)) return -1;
    if (has != had[i] && touch_states_of(u, u->types.v[i])) return -1;
  }
  return hm_index_forget_noted(u->s, u->err);
}

static int take_in(update *u, const hm_row_keys *noted) {
  if (!noted->n) return 0;
  if (add_dependents(u, noted)) return -1;
  keep_unique(&u->rows, u->a);
  if (read_before(u) || read_now(u)) return -1;
  take(u, &u->before);
  take(u, &u->now);
  hm_keys_sort(&u->types);
  return write_entries(u);
}

/* --- what now has passed ------------------------------------------------------------ */

/* The order of now and each bound decides what overlaps; an instant beside now counts, too. One more than
 * NOTED_MAX: too many. */
static int find_passed(hm_store *s, hm_time before, hm_time now, hm_row_keys *rows, hm_arena *a, hm_err *err) {
  enum { BESIDE = 2 };
  hm_time first = before < now ? before : now, last = before < now ? now : before;
  if (first == last) return 0;
  first = first < HM_TIME_MIN + BESIDE ? first : first - BESIDE;
  last = last > HM_TIME_MAX - BESIDE ? last : last + BESIDE;
  return hm_index_bounds(s, first, last, NOTED_MAX + 1, a, rows, err);
}

static int take_slots(hm_store *s, const hm_row_keys *rows, hm_keys *passed, hm_arena *a, hm_err *err) {
  hm_index_entries e = { 0 };
  int rc = 0;
  for (size_t i = 0; i < rows->n && !rc; i++) rc = hm_index_of_row(s, rows->v[i], a, &e, err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (e.v[i].kind <= HM_INDEX_STATE) hm_keys_add(passed, e.v[i].key);
  free(e.v);
  return rc;
}

int hm_catch_up(hm_store *s, const hm_rules *rules, hm_keys *touched, hm_keys *passed, hm_err *err) {
  update u = { .s = s, .rules = rules, .a = hm_arena_new(), .touched = touched, .err = err };
  hm_row_keys noted = { 0 }, moved = { 0 };
  hm_time before, now;
  bool current;
  int rc = hm_index_current(s, hm_entries_rules(rules, u.a), &current, err);
  if (!rc && current) rc = hm_index_noted(s, NOTED_MAX + 1, u.a, &noted, err);
  current = current && noted.n <= NOTED_MAX;
  if (!rc && current && !(rc = hm_now_take_in(s, &before, &now, err)))
    rc = find_passed(s, before, now, &moved, u.a, err);
  current = current && moved.n <= NOTED_MAX;
  if (!rc && current) rc = take_in(&u, &noted) || take_slots(s, &moved, passed, u.a, err) ? -1 : 0;
  else if (!rc) rc = make_anew(s, rules, touched, err);
  free(noted.v);
  free(moved.v);
  free(u.rows.v);
  free(u.before.v);
  free(u.now.v);
  free(u.types.v);
  hm_arena_free(u.a);
  return rc;
}
