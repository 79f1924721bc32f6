/* Updates the index of the claims from the change log.
 *
 * It compares the old entries of each changed row in the index with its new ones. The slots of both
 * are touched; in all other slots a sweep would find the same as last time. A changed entity also
 * touches the slots of rows that name it, since they use its name; and a type that appears or
 * vanishes decides what states of that category are compared with. A relation of inclusion touches
 * the slots of all that lies in its ends. As now advances, the slots of claims that begin or end
 * meanwhile are touched, too. Cost: the changed rows and those that depend on them; past
 * CHANGED_MAX the index is built from all rows, which takes about as long as a sweep. */
#include "core/review/index_entries.h"
#include "core/review/index_update.h"

#include <stdlib.h>

#include "core/base/sort.h"
#include "core/claim/story.h"
#include "core/detect/conflict.h"
#include "core/review/new_names.h"
#include "core/store/store.h"
#include "core/store/partial_snapshot.h"

enum { CHANGED_MAX = 10000 };

static int build_index(hm_store *s, const hm_rules *rules, const hm_snapshot *snap,
                       const hm_claims *claims, hm_arena *a, hm_err *err) {
  hm_index_entries entries = { 0 };
  hm_index_entries_collect(snap, claims, rules, NULL, &entries);
  int rc = hm_rows_make_indexes(s, err) ||
          hm_index_fill(s, &entries, hm_index_rules_digest(rules, a), err) ||
          hm_new_names_learn(s, snap, err) || hm_now_update(s, NULL, NULL, err) ||
          hm_index_set_compare_digest(s, hm_index_compare_rules_digest(rules, a), err)
      ? -1
      : 0;
  free(entries.v);
  return rc;
}

/* --- what changed --------------------------------------------------------------------- */

typedef struct {
  hm_store *s;
  const hm_rules *rules;
  hm_arena *a;
  bool writes;         /* s is written: the index, and names that are new */
  bool few;            /* the index is there, and takes less work to update than to build */
  hm_row_keys changed; /* as the change log has them */
  hm_row_keys passed;  /* rows with a bound between the previous now and now */
  hm_row_keys rows;    /* that changed, or depend on one that did */
  hm_index_entries before, now; /* their entries, by row */
  hm_slot_set *touched;
  hm_err *err;
} index_update;

static void update_free(index_update *u) {
  free(u->changed.v);
  free(u->passed.v);
  free(u->rows.v);
  free(u->before.v);
  free(u->now.v);
}

/* Rows with a bound that now has passed since the last update, forwards or backwards. The order of
 * now and each bound decides what overlaps; an instant beside now counts, too. */
static int find_passed(index_update *u) {
  enum { BESIDE = 2 };
  hm_time before, now;
  if ((u->writes ? hm_now_update : hm_now_passed)(u->s, &before, &now, u->err))
    return -1;
  hm_time first = before < now ? before : now, last = before < now ? now : before;
  if (first == last)
    return 0;
  first = first < HM_TIME_MIN + BESIDE ? first : first - BESIDE;
  last = last > HM_TIME_MAX - BESIDE ? last : last + BESIDE;
  return hm_index_find_bounds(u->s, first, last, CHANGED_MAX + 1, u->a, &u->passed, u->err);
}

/* Finds the changes that the index lacks. Sets u->few. */
static int find_changes(index_update *u) {
  int rc = hm_index_is_current(u->s, hm_index_rules_digest(u->rules, u->a), &u->few, u->err);
  if (!rc && u->few)
    rc = hm_index_read_changed_rows(u->s, CHANGED_MAX + 1, u->a, &u->changed, u->err);
  u->few = u->few && u->changed.n <= CHANGED_MAX;
  if (!rc && u->few)
    rc = find_passed(u);
  u->few = u->few && u->passed.n <= CHANGED_MAX;
  return rc;
}

/* Adds, from the index, the relations that name things whose existence a changed relation gave, or,
 * for a changed entity, things that existed in its time by others. */
static int add_dated_rows(hm_store *s, hm_row_key changed, hm_arena *a, hm_row_keys *rows,
                          hm_err *err) {
  hm_row_keys by = { 0 };
  hm_index_entries e = { 0 };
  int rc = 0;
  if (changed.layer == HM_RELATION)
    hm_row_keys_add(&by, changed);
  else
    rc = hm_index_find_rows(s, hm_str_hash(changed.id), HM_INDEX_ERA, HM_INDEX_ERA, SIZE_MAX, a,
                            &by, err);
  for (size_t i = 0; i < by.n && !rc; i++)
    rc = hm_index_read_row(s, by.v[i], a, &e, err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (e.v[i].kind == HM_INDEX_EXISTS)
      rc = hm_index_find_rows(s, e.v[i].key, HM_INDEX_RELATION_ID, HM_INDEX_RELATION_ID, SIZE_MAX,
                              a, rows, err);
  free(by.v);
  free(e.v);
  return rc;
}

/* Each once. */
static void keep_once(hm_row_keys *rows, hm_arena *a) {
  hm_map seen[HM_RELATION + 1];
  size_t n = 0;
  for (int k = HM_MEMORY; k <= HM_RELATION; k++)
    hm_map_init(&seen[k], a, rows->n);
  for (size_t i = 0; i < rows->n; i++) {
    size_t had = seen[rows->v[i].layer].n;
    hm_map_add(&seen[rows->v[i].layer], rows->v[i].id, 0);
    if (seen[rows->v[i].layer].n > had)
      rows->v[n++] = rows->v[i];
  }
  rows->n = n;
}

int hm_index_stale_rows(hm_store *s, const hm_row_keys *changed, hm_slot_set *touched, hm_arena *a,
                        hm_row_keys *rows, hm_err *err) {
  for (size_t i = 0; i < changed->n; i++) {
    hm_row_key k = changed->v[i];
    if (!k.layer && touched)
      hm_slot_set_add(touched, hm_str_hash(k.id));
    if (!k.layer)
      continue;
    hm_row_keys_add(rows, k);
    uint64_t key = hm_str_hash(k.id);
    bool stored = true;
    if (k.layer >= HM_ENTITY && k.layer != HM_STATE && add_dated_rows(s, k, a, rows, err))
      return -1;
    if (k.layer != HM_ENTITY)
      continue;
    if (hm_index_find_rows(s, key, HM_INDEX_NAMES, HM_INDEX_NAMES, SIZE_MAX, a, rows, err) ||
        hm_index_find_rows(s, key, HM_INDEX_MEMORY_ID, HM_INDEX_RELATION_ID, SIZE_MAX, a, rows,
                           err) ||
        hm_store_has_entity(s, k.id, &stored, err))
      return -1;
    /* A relation into a place that is gone has no claim any more. */
    if (!stored &&
        hm_index_find_rows(s, key, HM_INDEX_HOLDS, HM_INDEX_HOLDS, SIZE_MAX, a, rows, err))
      return -1;
  }
  keep_once(rows, a);
  return 0;
}

/* The entries of the rows as they are. */
static int read_entries_now(index_update *u) {
  hm_claim_reader r;
  hm_snapshot *snap;
  hm_claims *claims;
  hm_claim_reader_begin(&r, u->s, false, u->a);
  for (size_t i = 0; i < u->rows.n; i++)
    hm_claim_reader_want(&r, u->rows.v[i].layer, u->rows.v[i].id);
  int rc = hm_claim_reader_read(&r, u->rules, &snap, &claims, u->err);
  if (!rc) {
    bool *only = hm_alloc_array(u->a, snap->n_rows, sizeof *only);
    for (size_t i = 0; i < snap->n_rows; i++)
      only[i] = hm_map_get(&r.wanted[snap->rows[i].layer], snap->rows[i].id) != HM_MAP_NONE;
    hm_index_entries_collect(snap, claims, u->rules, only, &u->now);
    hm_index_entries_sort(&u->now);
    hm_claims_free(claims);
    rc = u->writes ? hm_new_names_learn(u->s, snap, u->err) : 0;
  }
  hm_claim_reader_end(&r);
  return rc;
}

/* Adds the slots in which these rows claim as the index has them. */
static int add_indexed_slots(index_update *u, const hm_row_keys *rows, hm_slot_set *slots) {
  hm_index_entries e = { 0 };
  int rc = 0;
  for (size_t i = 0; i < rows->n && !rc; i++)
    rc = hm_index_read_row(u->s, rows->v[i], u->a, &e, u->err);
  for (size_t i = 0; i < e.n && !rc; i++)
    if (hm_index_is_slot(e.v[i].kind))
      hm_slot_set_add(slots, e.v[i].key);
  free(e.v);
  return rc;
}

static int by_key(const void *x, const void *y) {
  const hm_index_entry *a = x, *b = y;
  return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : hm_str_cmp(a->id, b->id);
}

static void take_entries(const hm_index_entries *from, hm_index_kind kind, hm_index_entries *to) {
  for (size_t i = 0; i < from->n; i++)
    if (from->v[i].kind == kind)
      hm_index_entries_add(to, from->v[i]);
  if (to->n)
    qsort(to->v, to->n, sizeof *to->v, by_key);
}

static void collect_keys(const hm_index_entries *from, hm_index_kind kind, hm_slot_set *keys) {
  for (size_t i = 0; i < from->n; i++)
    if (from->v[i].kind == kind)
      hm_slot_set_add(keys, from->v[i].key);
  hm_numbers_sort(keys->v, keys->n);
}

/* Calls touch for each key of this kind, with how many of the changed rows had it and have it. */
static int touch_keys(index_update *u, hm_index_kind kind,
                      int (*touch)(index_update *u, uint64_t key, size_t before, size_t now)) {
  hm_slot_set had = { 0 }, have = { 0 }; /* with repetitions */
  int rc = 0;
  collect_keys(&u->before, kind, &had);
  collect_keys(&u->now, kind, &have);
  for (size_t i = 0, k = 0; (i < had.n || k < have.n) && !rc;) {
    size_t first = i, other = k;
    bool gone = k == have.n || (i < had.n && had.v[i] < have.v[k]);
    uint64_t key = gone ? had.v[i] : have.v[k];
    while (i < had.n && had.v[i] == key)
      i++;
    while (k < have.n && have.v[k] == key)
      k++;
    rc = touch(u, key, i - first, k - other);
  }
  free(had.v);
  free(have.v);
  return rc;
}

/* If a type appears or vanishes with the changed rows (given the numbers of them that had it and
 * have it), states of that category are compared with other rows than before; touches them. The
 * index has the old rows. */
static int touch_states_of_type(index_update *u, uint64_t type, size_t before, size_t now) {
  hm_row_keys of_type = { 0 }, states = { 0 };
  int rc = hm_index_find_rows(u->s, type, HM_INDEX_TYPE, HM_INDEX_TYPE, before + 1, u->a, &of_type,
                              u->err);
  if (!rc && of_type.n == before && !before != !now) {
    rc = hm_index_find_rows(u->s, type, HM_INDEX_CATEGORY, HM_INDEX_CATEGORY, SIZE_MAX, u->a,
                            &states, u->err);
    if (!rc)
      rc = add_indexed_slots(u, &states, u->touched);
  }
  free(of_type.v);
  free(states.v);
  return rc;
}

/* What the changed rows say, or said, lies in something. */
static int touch_inside_changed(index_update *u) {
  const hm_index_entries *sides[] = { &u->before, &u->now };
  hm_slot_set places = { 0 };
  hm_map changed;
  hm_map_init(&changed, u->a, u->changed.n);
  for (size_t i = 0; i < u->changed.n; i++)
    if (u->changed.v[i].layer == HM_RELATION)
      hm_map_add(&changed, u->changed.v[i].id, 0);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < sides[k]->n; i++)
      if (sides[k]->v[i].kind == HM_INDEX_LIES_IN &&
          hm_map_get(&changed, sides[k]->v[i].id) != HM_MAP_NONE)
        hm_slot_set_add(&places, sides[k]->v[i].key);
  hm_slot_set_sort(&places);
  int rc = hm_slot_set_add_inner(u->s, &places, u->touched, u->a, u->err);
  free(places.v);
  return rc;
}

/* Adds the slots of rows with a bound that now has passed, and of all that lies in something by
 * them. */
static int add_passed_slots(index_update *u, hm_slot_set *slots) {
  hm_index_entries e = { 0 };
  hm_slot_set places = { 0 };
  int rc = 0;
  for (size_t i = 0; i < u->passed.n && !rc; i++)
    rc = hm_index_read_row(u->s, u->passed.v[i], u->a, &e, u->err);
  for (size_t i = 0; i < e.n && !rc; i++) {
    if (hm_index_is_slot(e.v[i].kind))
      hm_slot_set_add(slots, e.v[i].key);
    if (e.v[i].kind == HM_INDEX_LIES_IN)
      hm_slot_set_add(&places, e.v[i].key);
  }
  hm_slot_set_sort(&places);
  if (!rc)
    rc = hm_slot_set_add_inner(u->s, &places, slots, u->a, u->err);
  free(places.v);
  free(e.v);
  return rc;
}

/* Touches the rows of a second that becomes crowded, or ceases to be, so that their times begin or
 * cease to count. The index has the old rows. */
static int touch_crowd(index_update *u, uint64_t second, size_t before, size_t now) {
  hm_row_keys rows = { 0 };
  int rc = hm_index_find_rows(u->s, second, HM_INDEX_WRITTEN, HM_INDEX_WRITTEN, HM_CROWD + before,
                              u->a, &rows, u->err);
  bool was = rows.n >= HM_CROWD, is = rows.n - before + now >= HM_CROWD;
  if (!rc && was != is)
    rc = add_indexed_slots(u, &rows, u->touched);
  free(rows.v);
  return rc;
}

static int read_entries(index_update *u) {
  int rc = 0;
  u->before.n = u->now.n = 0;
  for (size_t i = 0; i < u->rows.n && !rc; i++)
    rc = hm_index_read_row(u->s, u->rows.v[i], u->a, &u->before, u->err);
  hm_index_entries_sort(&u->before);
  return rc ? rc : read_entries_now(u);
}

/* The relations that name what the changed rows only now say to have existed. *more: there are some
 * that are not among the rows. */
static int add_newly_dated(index_update *u, bool *more) {
  size_t had = u->rows.n;
  int rc = 0;
  for (size_t i = 0; i < u->now.n && !rc; i++)
    if (u->now.v[i].kind == HM_INDEX_EXISTS)
      rc = hm_index_find_rows(u->s, u->now.v[i].key, HM_INDEX_RELATION_ID, HM_INDEX_RELATION_ID,
                              SIZE_MAX, u->a, &u->rows, u->err);
  if (u->rows.n > had)
    keep_once(&u->rows, u->a);
  *more = u->rows.n > had;
  return rc;
}

/* Entries of the changed rows, before and now, and the slots that these touch. */
static int compare_entries(index_update *u) {
  const hm_index_entries *sides[] = { &u->before, &u->now };
  bool more = true;
  int rc = hm_index_stale_rows(u->s, &u->changed, u->touched, u->a, &u->rows, u->err);
  if (!rc)
    rc = read_entries(u) || add_newly_dated(u, &more) ? -1 : 0;
  if (!rc && more)
    rc = read_entries(u);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < sides[k]->n; i++)
      if (hm_index_is_slot(sides[k]->v[i].kind))
        hm_slot_set_add(u->touched, sides[k]->v[i].key);
  if (rc || touch_keys(u, HM_INDEX_TYPE, touch_states_of_type) ||
      touch_keys(u, HM_INDEX_WRITTEN, touch_crowd))
    return -1;
  return touch_inside_changed(u);
}

/* --- the updates ----------------------------------------------------------------------- */

/* Applies the changes if they are few; else sets *few to false and writes nothing. Untouched slots
 * may keep conflicts that other rules found; then the index says so. */
static int update_few(hm_store *s, const hm_rules *rules, hm_slot_set *touched, hm_slot_set *passed,
                      bool *few, hm_err *err) {
  index_update u = {
    .s = s, .rules = rules, .a = hm_arena_new(), .writes = true, .touched = touched, .err = err
  };
  hm_str by;
  int rc = find_changes(&u);
  *few = u.few;
  if (!rc && u.few && u.changed.n)
    rc = compare_entries(&u) || hm_index_set_rows(s, &u.before, &u.now, err) ? -1 : 0;
  if (!rc && u.few)
    rc = hm_index_set_stamp(s, err);
  if (!rc && u.few)
    rc = add_passed_slots(&u, passed);
  if (!rc && u.few && !(rc = hm_index_read_compare_digest(s, u.a, &by, err)) &&
      !hm_str_eq(by, hm_index_compare_rules_digest(rules, u.a)))
    rc = hm_index_set_compare_digest(s, HM_EMPTY, err);
  update_free(&u);
  hm_arena_free(u.a);
  return rc;
}

int hm_index_update(hm_store *s, const hm_rules *rules, hm_slot_set *touched, hm_slot_set *passed,
                    hm_err *err) {
  bool few;
  hm_sweep w = { 0 };
  if (update_few(s, rules, touched, passed, &few, err))
    return -1;
  if (few)
    return 0;
  hm_arena *a = hm_arena_new();
  int rc = hm_sweep_all_slots(s, rules, false, HM_EMPTY, a, &w, err);
  if (!rc)
    rc = build_index(s, rules, w.snap, w.claims, a, err);
  for (size_t i = 0; i < (rc ? 0 : w.plan->n); i++)
    hm_slot_set_add(touched, hm_str_hash(w.plan->changes[i].rec.slot_key));
  hm_sweep_free(&w);
  hm_arena_free(a);
  return rc;
}

/* The only pending changes are those that the sweep recorded. */
static int update_after_sweep(hm_store *s, const hm_rules *rules, const hm_sweep *w, hm_err *err) {
  hm_slot_set recorded = { 0 };
  bool few;
  hm_arena *a = hm_arena_new();
  int rc = update_few(s, rules, &recorded, &recorded, &few, err);
  if (!rc && few)
    rc = hm_index_set_compare_digest(s, hm_index_compare_rules_digest(rules, a), err);
  if (!rc && !few && !w->same)
    rc = build_index(s, rules, w->snap, w->claims, a, err);
  free(recorded.v);
  hm_arena_free(a);
  return rc;
}

int hm_sweep_and_index(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                       hm_err *err) {
  bool mine;
  *out = (hm_sweep){ 0 };
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = hm_sweep_run_all(s, opt, a, out, err);
  bool idle = opt->skip_idle_run && (out->same || out->nothing_new);
  if (!rc && !idle && !hm_store_is_foreign(s))
    rc = update_after_sweep(s, opt->rules, out, err);
  rc = hm_store_txn_end(s, mine, rc, err);
  if (rc)
    hm_sweep_free(out);
  return rc;
}

int hm_index_collect_pending(hm_store *s, const hm_rules *rules, hm_arena *a, hm_pending *out,
                             bool *known, hm_err *err) {
  index_update u = { .s = s, .rules = rules, .a = a, .touched = &out->slots, .err = err };
  hm_str by = HM_EMPTY;
  *out = (hm_pending){ 0 };
  *known = false;
  if (hm_store_is_foreign(s) || hm_store_version(s) < HM_STORE_VERSION)
    return 0;
  int rc = hm_index_read_compare_digest(s, a, &by, err);
  if (!rc && hm_str_eq(by, hm_index_compare_rules_digest(rules, a)))
    rc = find_changes(&u);
  if (!rc && u.few && u.changed.n)
    rc = compare_entries(&u);
  if (!rc && u.few)
    rc = add_passed_slots(&u, &out->slots);
  *known = u.few;
  hm_slot_set_sort(&out->slots);
  take_entries(&u.now, HM_INDEX_TYPE, &out->types);
  take_entries(&u.now, HM_INDEX_WRITTEN, &out->written);
  take_entries(&u.now, HM_INDEX_EXISTS, &out->exists);
  out->rows = u.rows;
  u.rows.v = NULL;
  update_free(&u);
  if (rc)
    hm_pending_free(out);
  return rc;
}

void hm_pending_free(hm_pending *p) {
  free(p->slots.v);
  free(p->rows.v);
  free(p->types.v);
  free(p->written.v);
  free(p->exists.v);
  *p = (hm_pending){ 0 };
}
