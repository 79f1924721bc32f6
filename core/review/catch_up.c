#include "core/review/catch_up.h"

#include <stdlib.h>

#include "core/review/entries.h"
#include "core/review/gather.h"
#include "core/review/look.h"
#include "core/review/newcomers.h"
#include "core/store/foreign.h"

/* Past this many changed rows the index is made again, which takes about as long in a store of some
 * size. */
enum { NOTED_MAX = 10000 };

/* --- all rows --------------------------------------------------------------------- */

static int fill(hm_store *s, const hm_rules *rules, const hm_snapshot *snap,
                const hm_claims *claims, hm_arena *a, hm_err *err) {
  hm_index_entries entries = { 0 };
  hm_entries_of(snap, claims, NULL, &entries);
  int rc = hm_index_fill(s, &entries, hm_entries_rules(rules, a), err) ||
          hm_newcomers_learn(s, snap, err) || hm_now_take_in(s, NULL, NULL, err) ||
          hm_index_set_compared(s, hm_compare_rules(rules, a), err)
      ? -1
      : 0;
  free(entries.v);
  return rc;
}

static int make_anew(hm_store *s, const hm_rules *rules, hm_keys *touched, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_sweep w = { 0 };
  int rc = hm_look_at_all(s, rules, false, HM_EMPTY, a, &w, err);
  if (!rc) rc = fill(s, rules, w.snap, w.claims, a, err);
  for (size_t i = 0; i < (rc ? 0 : w.plan->n); i++)
    hm_keys_add(touched, hm_slot_hash(w.plan->changes[i].rec.slot_key));
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
  bool learns;               /* s is written: new names are stored, too */
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
    rc = u->learns ? hm_newcomers_learn(u->s, snap, u->err) : 0;
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

static size_t count_type(const hm_index_entries *entries, uint64_t type) {
  size_t n = 0;
  for (size_t i = 0; i < entries->n; i++)
    n += entries->v[i].kind == HM_INDEX_TYPE && entries->v[i].key == type;
  return n;
}

/* Does the type come with the changed rows, or go? The index has them as they were. */
static int type_moves(update *u, uint64_t type, bool *moves) {
  hm_row_keys all = { 0 };
  size_t before = count_type(&u->before, type), now = count_type(&u->now, type);
  int rc = hm_index_rows(u->s, type, HM_INDEX_TYPE, HM_INDEX_TYPE, before + 1, u->a, &all, u->err);
  *moves = all.n == before && !before != !now;
  free(all.v);
  return rc;
}

/* States whose category is a type that has come or gone are compared with others than before. */
static int touch_states_of(update *u, uint64_t type) {
  hm_row_keys states = { 0 };
  hm_index_entries e = { 0 };
  int rc = hm_index_rows(u->s, type, HM_INDEX_CATEGORY, HM_INDEX_CATEGORY, SIZE_MAX, u->a, &states,
                         u->err);
  for (size_t i = 0; i < states.n && !rc; i++)
    rc = hm_index_of_row(u->s, states.v[i], u->a, &e, u->err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (e.v[i].kind == HM_INDEX_STATE) hm_keys_add(u->touched, e.v[i].key);
  free(states.v);
  free(e.v);
  return rc;
}

/* Entries of the changed rows, before and now, and the slots that these touch. */
static int read_changed(update *u, const hm_row_keys *noted) {
  if (add_dependents(u, noted)) return -1;
  keep_unique(&u->rows, u->a);
  if (read_before(u) || read_now(u)) return -1;
  take(u, &u->before);
  take(u, &u->now);
  hm_keys_sort(&u->types);
  for (size_t i = 0; i < u->types.n; i++) {
    bool moves;
    if (type_moves(u, u->types.v[i], &moves) || (moves && touch_states_of(u, u->types.v[i])))
      return -1;
  }
  return 0;
}

static int take_in(update *u, const hm_row_keys *noted) {
  if (!noted->n) return 0;
  if (read_changed(u, noted) || hm_index_set_rows(u->s, &u->before, &u->now, u->err)) return -1;
  return hm_index_stamp(u->s, u->err);
}

static void free_update(update *u) {
  free(u->rows.v);
  free(u->before.v);
  free(u->now.v);
  free(u->types.v);
}

/* --- what now has passed ------------------------------------------------------------ */

/* The order of now and each bound decides what overlaps; an instant beside now counts, too. One
 * more than NOTED_MAX: too many. */
static int find_passed(hm_store *s, hm_time before, hm_time now, hm_row_keys *rows, hm_arena *a,
                       hm_err *err) {
  enum { BESIDE = 2 };
  hm_time first = before < now ? before : now, last = before < now ? now : before;
  if (first == last) return 0;
  first = first < HM_TIME_MIN + BESIDE ? first : first - BESIDE;
  last = last > HM_TIME_MAX - BESIDE ? last : last + BESIDE;
  return hm_index_bounds(s, first, last, NOTED_MAX + 1, a, rows, err);
}

static int take_slots(hm_store *s, const hm_row_keys *rows, hm_keys *passed, hm_arena *a,
                      hm_err *err) {
  hm_index_entries e = { 0 };
  int rc = 0;
  for (size_t i = 0; i < rows->n && !rc; i++) rc = hm_index_of_row(s, rows->v[i], a, &e, err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (e.v[i].kind <= HM_INDEX_STATE) hm_keys_add(passed, e.v[i].key);
  free(e.v);
  return rc;
}

/* --- all of it ----------------------------------------------------------------------- */

/* Slots that nothing touches stay as other rules have them. */
static int check_compared(hm_store *s, const hm_rules *rules, hm_arena *a, hm_err *err) {
  hm_str by;
  if (hm_index_compared(s, a, &by, err)) return -1;
  return hm_str_eq(by, hm_compare_rules(rules, a)) ? 0 : hm_index_set_compared(s, HM_EMPTY, err);
}

/* *few: the index is there, and takes in what has changed since at less work than making it. */
static int try_noted(hm_store *s, const hm_rules *rules, hm_keys *touched, hm_keys *passed,
                     bool *few, hm_err *err) {
  update u = {
    .s = s, .rules = rules, .a = hm_arena_new(), .touched = touched, .learns = true, .err = err
  };
  hm_row_keys noted = { 0 }, moved = { 0 };
  hm_time before, now;
  int rc = hm_index_current(s, hm_entries_rules(rules, u.a), few, err);
  if (!rc && *few) rc = hm_index_changed(s, NOTED_MAX + 1, u.a, &noted, err);
  *few = *few && noted.n <= NOTED_MAX;
  if (!rc && *few && !(rc = hm_now_take_in(s, &before, &now, err)))
    rc = find_passed(s, before, now, &moved, u.a, err);
  *few = *few && moved.n <= NOTED_MAX;
  if (!rc && *few)
    rc = take_in(&u, &noted) || take_slots(s, &moved, passed, u.a, err) ||
            check_compared(s, rules, u.a, err)
        ? -1
        : 0;
  free(noted.v);
  free(moved.v);
  free_update(&u);
  hm_arena_free(u.a);
  return rc;
}

int hm_catch_up(hm_store *s, const hm_rules *rules, hm_keys *touched, hm_keys *passed,
                hm_err *err) {
  bool few;
  if (try_noted(s, rules, touched, passed, &few, err)) return -1;
  return few ? 0 : make_anew(s, rules, touched, err);
}

/* few: all that is noted now is what the sweep recorded itself. */
static int index_swept(hm_store *s, const hm_rules *rules, const hm_sweep *w, bool few,
                       hm_err *err) {
  hm_arena *a = hm_arena_new();
  int rc = 0;
  if (few && !w->same)
    rc = hm_index_stamp(s, err) || hm_index_set_compared(s, hm_compare_rules(rules, a), err)
        ? -1
        : 0;
  if (!few && !w->same) rc = fill(s, rules, w->snap, w->claims, a, err);
  hm_arena_free(a);
  return rc;
}

int hm_sweep_and_index(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                       hm_err *err) {
  hm_keys all = { 0 };
  bool mine = !hm_store_in_txn(s), few = false;
  *out = (hm_sweep){ 0 };
  if (mine && hm_store_begin(s, true, err)) return -1;
  int rc = hm_store_is_foreign(s) ? 0 : try_noted(s, opt->rules, &all, &all, &few, err);
  if (!rc) rc = hm_sweep_run_all(s, opt, a, out, err);
  if (!rc && !hm_store_is_foreign(s)) rc = index_swept(s, opt->rules, out, few, err);
  free(all.v);
  if (mine && !rc) rc = hm_store_commit(s, err);
  if (!rc) return 0;
  if (mine) hm_store_rollback(s);
  hm_sweep_free(out);
  return -1;
}

int hm_pending_of(hm_store *s, const hm_rules *rules, hm_arena *a, hm_pending *out, bool *known,
                  hm_err *err) {
  update u = { .s = s, .rules = rules, .a = a, .touched = &out->slots, .err = err };
  hm_row_keys noted = { 0 }, moved = { 0 };
  hm_time before, now;
  hm_str by = HM_EMPTY;
  *out = (hm_pending){ 0 };
  *known = false;
  if (hm_store_is_foreign(s) || hm_store_version(s) < HM_STORE_VERSION) return 0;
  int rc = hm_index_compared(s, a, &by, err);
  *known = !rc && hm_str_eq(by, hm_compare_rules(rules, a));
  if (*known) rc = hm_index_current(s, hm_entries_rules(rules, a), known, err);
  if (!rc && *known) rc = hm_index_changed(s, NOTED_MAX + 1, a, &noted, err);
  *known = *known && noted.n <= NOTED_MAX;
  if (!rc && *known && !(rc = hm_now_passed(s, &before, &now, err)))
    rc = find_passed(s, before, now, &moved, a, err);
  *known = *known && moved.n <= NOTED_MAX;
  if (!rc && *known && noted.n) rc = read_changed(&u, &noted);
  if (!rc && *known) rc = take_slots(s, &moved, &out->slots, a, err);
  hm_keys_sort(&out->slots);
  out->rows = u.rows;
  u.rows.v = NULL;
  free(noted.v);
  free(moved.v);
  free_update(&u);
  if (rc) hm_pending_free(out);
  return rc;
}

void hm_pending_free(hm_pending *p) {
  free(p->slots.v);
  free(p->rows.v);
  *p = (hm_pending){ 0 };
}
