/* Queries over recorded conflicts: see conflict_query.h.
 *
 * A list has two parts. The first: one sweep of all slots touched since the last sweep yields their
 * conflicts and the conflicts that it would change. The second: all other conflicts, which no sweep
 * would change, are read in pages of PAGE conflicts, plus the rest of the last one's slot, each
 * page with its own arena. Both parts are sorted and merged into one order. */
#include "core/review/conflict_query.h"

#include <stdlib.h>

#include "core/detect/conflict_story.h"
#include "core/review/index_entries.h"
#include "core/review/index_update.h"
#include "core/review/slot_sweep.h"
#include "core/store/lookup.h"

/* More slots at once are swept in less time with all others. */
enum { SLOTS_MAX = 20000, CHANGED_MAX = 10000, PAGE = 200 };

typedef struct {
  hm_store *s;
  const hm_rules *rules;
  const hm_conflict_query *q; /* NULL: by id */
  hm_str id, project;         /* a beginning; an id */
  hm_pending pending;
  hm_slot_set slots; /* swept with what is pending */
  hm_map named;      /* slot keys of conflicts asked for */
  hm_str *slot_keys;
  size_t n, cap;
  hm_sweep sweep; /* of these slots */
  hm_arena *a;
  hm_err *err;
} query;

static bool name_slot(query *w, hm_str slot_key) {
  size_t had = w->named.n;
  hm_map_add(&w->named, slot_key, 0);
  if (w->named.n == had)
    return false;
  w->slot_keys = hm_array_grow(w->slot_keys, w->n, &w->cap, sizeof *w->slot_keys);
  w->slot_keys[w->n++] = slot_key;
  hm_slot_set_add(&w->slots, hm_str_hash(slot_key));
  return true;
}

static bool is_asked_for(const query *w, const hm_conflict_rec *c) {
  if (!w->q)
    return hm_str_eq(hm_str_sub(c->id, 0, w->id.n), w->id);
  return (!w->q->status || c->status == *w->q->status) &&
      (!w->q->project || hm_str_eq(c->project, w->project));
}

/* Sweeps the pending and named slots. A changed conflict may match the query only after the plan:
 * it continues in another project or is open again. Then its slot is added, since the rows of its
 * members must still be read. */
static int sweep_pending(query *w) {
  hm_slot_set_add_all(&w->slots, &w->pending.slots);
  for (bool more = true; more;) {
    hm_map recorded;
    more = false;
    hm_slot_set_sort(&w->slots);
    hm_slot_sweep_options opt = { .slots = &w->slots,
                                  .slot_keys = w->slot_keys,
                                  .n_slot_keys = w->n,
                                  .unindexed = &w->pending.rows,
                                  .details = true,
                                  .at = HM_EMPTY };
    hm_sweep_free(&w->sweep);
    if (hm_sweep_slots(w->s, w->rules, &opt, w->a, &w->sweep, w->err))
      return -1;
    const hm_snapshot *snap = w->sweep.snap;
    hm_map_init(&recorded, w->a, snap->n_conflicts);
    for (size_t i = 0; i < snap->n_conflicts; i++)
      hm_map_add(&recorded, snap->conflicts[i].id, (uint32_t)i);
    for (size_t i = 0; i < w->sweep.plan->n; i++) {
      const hm_conflict_rec *c = &w->sweep.plan->changes[i].rec;
      uint32_t k = hm_map_get(&recorded, c->id);
      if (k != HM_MAP_NONE && is_asked_for(w, c))
        more |= name_slot(w, snap->conflicts[k].slot_key);
    }
  }
  w->sweep.snap->conflicts = w->sweep.plan->conflicts;
  w->sweep.snap->n_conflicts = w->sweep.plan->n_conflicts;
  return 0;
}

static int begin_query(query *w, bool *mine, bool *known) {
  *known = false;
  if (hm_store_txn(w->s, false, mine, w->err))
    return -1;
  hm_map_init(&w->named, w->a, 64);
  return hm_index_collect_pending(w->s, w->rules, w->a, &w->pending, known, w->err);
}

static int end_query(query *w, bool mine, int rc) {
  hm_pending_free(&w->pending);
  free(w->slots.v);
  free(w->slot_keys);
  return hm_store_txn_end(w->s, mine, rc, w->err);
}

int hm_query_conflict(hm_store *s, const hm_rules *rules, hm_str id, hm_arena *a,
                      hm_conflict_answer *out, hm_err *err) {
  query w = { .s = s, .rules = rules, .id = id, .project = HM_EMPTY, .a = a, .err = err };
  hm_conflict_place *places;
  bool mine;
  size_t n = 0;
  *out = (hm_conflict_answer){ 0 };
  int rc = begin_query(&w, &mine, &out->known);
  if (!rc && out->known)
    rc = hm_lookup_conflicts_starting(s, id, SLOTS_MAX + 1, a, &places, &n, err);
  out->known = out->known && n <= SLOTS_MAX;
  for (size_t i = 0; i < n && !rc && out->known; i++)
    name_slot(&w, places[i].slot_key);
  if (!rc && out->known)
    rc = sweep_pending(&w);
  rc = end_query(&w, mine, rc);
  if (rc)
    hm_sweep_free(&w.sweep);
  else
    out->sweep = w.sweep;
  return rc;
}

/* --- lists ------------------------------------------------------------------------------ */

typedef struct {
  query w;
  hm_conflict_place *places; /* recorded conflicts asked for */
  size_t n_places;
  const hm_conflict_rec **pending; /* the conflicts from w.sweep; returned up to `given` */
  size_t n_pending, given;
  hm_map skip; /* ids of places that do */
  hm_conflict_visit visit;
  void *ctx;
  hm_conflict_list *out;
} list;

/* *clear false: the name is an alias, and other aliases mean it as a project, of which rows may be:
 * their project goes before. */
static int find_project(query *w, bool *clear) {
  bool aliased = false;
  *clear = true;
  if (!w->q->project)
    return 0;
  if (hm_lookup_project_id(w->s, *w->q->project, w->a, &w->project, w->err))
    return -1;
  if (hm_str_eq(w->project, *w->q->project))
    return 0;
  if (hm_project_is_aliased(w->s, *w->q->project, &aliased, w->err))
    return -1;
  *clear = !aliased;
  return 0;
}

static void count_work(list *l, const hm_sweep *w) {
  l->out->rows += w->snap->n_rows;
  l->out->claims += w->claims->n;
  l->out->slots += w->disputes->slots;
}

/* Sweeps the pending slots, with the listed conflicts that are recorded there. */
static int read_pending(list *l) {
  query *w = &l->w;
  for (size_t i = 0; i < l->n_places; i++)
    if (hm_slot_set_has(&w->pending.slots, hm_str_hash(l->places[i].slot_key)))
      name_slot(w, l->places[i].slot_key);
  hm_map_init(&l->skip, w->a, 64);
  if (!w->pending.slots.n && !w->pending.rows.n)
    return 0;
  if (sweep_pending(w))
    return -1;
  count_work(l, &w->sweep);
  const hm_plan *p = w->sweep.plan;
  hm_map changed, opened;
  hm_map_init(&changed, w->a, p->n);
  hm_map_init(&opened, w->a, p->opened);
  for (size_t i = 0; i < p->n; i++) {
    const hm_change *c = &p->changes[i];
    hm_map_add(c->kind == HM_CHANGE_OPEN ? &opened : &changed, c->rec.id, 0);
    hm_map_add(&l->skip, c->rec.id, 0);
  }
  l->out->unrecorded = p->opened;
  l->pending = hm_alloc_array(w->a, p->n_conflicts, sizeof *l->pending);
  for (size_t i = 0; i < p->n_conflicts; i++) {
    const hm_conflict_rec *c = &p->conflicts[i];
    if (hm_map_get(&opened, c->id) != HM_MAP_NONE)
      continue;
    if (hm_map_get(&changed, c->id) == HM_MAP_NONE &&
        hm_map_get(&w->named, c->slot_key) == HM_MAP_NONE)
      continue;
    hm_map_add(&l->skip, c->id, 0);
    if (is_asked_for(w, c))
      l->pending[l->n_pending++] = c;
  }
  return 0;
}

/* Gives the pending conflicts that come before this place; NULL: all. */
static int give_pending(list *l, const hm_conflict_place *place) {
  for (; l->given < l->n_pending; l->given++) {
    const hm_conflict_rec *c = l->pending[l->given];
    int d = place ? hm_str_cmp(c->slot_key, place->slot_key) : -1;
    if (d > 0 || (!d && hm_str_cmp(c->id, place->id) > 0))
      return 0;
    hm_arena *a = hm_arena_new();
    int rc = l->visit(l->ctx, &l->w.sweep, c, a, l->w.err);
    hm_arena_free(a);
    if (rc)
      return -1;
    l->out->n++;
  }
  return 0;
}

/* An undeclared project exists while a row names it. */
static int check_project(list *l, const hm_sweep *page) {
  const hm_sweep *sweeps[] = { page, l->w.sweep.snap ? &l->w.sweep : NULL };
  if (!l->w.q->project || !l->w.project.n)
    return 0;
  if (hm_project_is_declared(l->w.s, l->w.project, &l->out->known, l->w.err))
    return -1;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; sweeps[k] && i < sweeps[k]->snap->n_projects && !l->out->known; i++)
      l->out->known = hm_str_eq(sweeps[k]->snap->projects[i].id, l->w.project);
  return 0;
}

/* Sweeps the slots of these places, and gives their conflicts. first: no conflict was given yet. */
static int give_page(list *l, const hm_conflict_place *v, size_t n, bool first, hm_arena *a) {
  hm_slot_set slots = { 0 };
  hm_str *keys = hm_alloc_array(a, n, sizeof *keys);
  size_t n_keys = 0;
  hm_map by_id;
  hm_sweep w;
  for (size_t i = 0; i < n; i++) {
    if (n_keys && hm_str_eq(keys[n_keys - 1], v[i].slot_key))
      continue;
    keys[n_keys++] = v[i].slot_key;
    hm_slot_set_add(&slots, hm_str_hash(v[i].slot_key));
  }
  hm_slot_set_sort(&slots);
  hm_slot_sweep_options opt = { .slots = &slots,
                                .slot_keys = keys,
                                .n_slot_keys = n_keys,
                                .stale = &l->w.pending.rows,
                                .types = &l->w.pending.types,
                                .written = &l->w.pending.written,
                                .exists = &l->w.pending.exists,
                                .details = true,
                                .at = HM_EMPTY };
  int rc = hm_sweep_slots(l->w.s, l->w.rules, &opt, a, &w, l->w.err);
  free(slots.v);
  if (rc)
    return -1;
  w.snap->conflicts = w.plan->conflicts;
  w.snap->n_conflicts = w.plan->n_conflicts;
  count_work(l, &w);
  if (first)
    rc = check_project(l, &w);
  hm_map_init(&by_id, a, w.plan->n_conflicts);
  for (size_t i = 0; i < w.plan->n_conflicts; i++)
    hm_map_add(&by_id, w.plan->conflicts[i].id, (uint32_t)i);
  for (size_t i = 0; i < n && !rc && l->out->known; i++) {
    uint32_t k = hm_map_get(&by_id, v[i].id);
    if (k == HM_MAP_NONE)
      continue;
    rc =
        give_pending(l, &v[i]) || l->visit(l->ctx, &w, &w.plan->conflicts[k], a, l->w.err) ? -1 : 0;
    l->out->n += !rc;
  }
  hm_sweep_free(&w);
  return rc;
}

static int give_all(list *l) {
  hm_conflict_place *rest = hm_alloc_array(l->w.a, l->n_places, sizeof *rest);
  hm_arena *a = hm_arena_new();
  size_t n = 0;
  int rc = 0;
  for (size_t i = 0; i < l->n_places; i++)
    if (hm_map_get(&l->skip, l->places[i].id) == HM_MAP_NONE)
      rest[n++] = l->places[i];
  if (!n)
    rc = check_project(l, NULL);
  for (size_t i = 0, end; i < n && !rc && l->out->known; i = end) {
    end = n - i < PAGE ? n : i + PAGE;
    while (end < n && hm_str_eq(rest[end].slot_key, rest[end - 1].slot_key))
      end++;
    rc = give_page(l, rest + i, end - i, i == 0, a);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
  return rc || !l->out->known ? rc : give_pending(l, NULL);
}

int hm_query_conflicts(hm_store *s, const hm_rules *rules, const hm_conflict_query *q,
                       hm_conflict_visit visit, void *ctx, hm_conflict_list *out, hm_err *err) {
  hm_arena *a = hm_arena_new();
  list l = { .w = { .s = s, .rules = rules, .q = q, .project = HM_EMPTY, .a = a, .err = err },
             .visit = visit,
             .ctx = ctx,
             .out = out };
  bool mine, clear = true;
  *out = (hm_conflict_list){ 0 };
  int rc = begin_query(&l.w, &mine, &out->known) || find_project(&l.w, &clear) ? -1 : 0;
  out->known = out->known && clear && l.w.pending.slots.n <= SLOTS_MAX;
  if (!rc && out->known)
    rc = hm_lookup_conflicts(s, q->status, q->project ? &l.w.project : NULL, a, &l.places,
                             &l.n_places, err) ||
            read_pending(&l) || give_all(&l)
        ? -1
        : 0;
  rc = end_query(&l.w, mine, rc);
  hm_sweep_free(&l.w.sweep);
  hm_arena_free(a);
  return rc;
}

/* --- slots ------------------------------------------------------------------------------ */

/* Where the index cannot tell, the whole store is swept. */
static int sweep_named(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n,
                       bool details, hm_arena *a, hm_sweep *out, hm_err *err) {
  hm_row_keys changed = { 0 }, stale = { 0 };
  hm_slot_set slots = { 0 };
  hm_str *once = hm_alloc_array(a, n, sizeof *once);
  hm_map seen;
  bool current;
  int rc = hm_index_is_current(s, hm_index_rules_digest(rules, a), &current, err);
  if (!rc && current)
    rc = hm_index_read_changed_rows(s, CHANGED_MAX + 1, a, &changed, err);
  if (!rc && current && changed.n <= CHANGED_MAX) {
    hm_slot_sweep_options opt = {
      .slots = &slots, .slot_keys = once, .unindexed = &stale, .details = details, .at = HM_EMPTY
    };
    hm_map_init(&seen, a, n);
    for (size_t i = 0; i < n; i++) {
      hm_slot_set_add(&slots, hm_str_hash(slot_keys[i]));
      hm_map_add(&seen, slot_keys[i], 0);
      if (seen.n > opt.n_slot_keys)
        once[opt.n_slot_keys++] = slot_keys[i];
    }
    hm_slot_set_sort(&slots);
    rc = hm_index_stale_rows(s, &changed, NULL, a, &stale, err) ||
            hm_sweep_slots(s, rules, &opt, a, out, err)
        ? -1
        : 0;
  } else if (!rc) {
    rc = hm_sweep_all_slots(s, rules, details, HM_EMPTY, a, out, err);
  }
  free(slots.v);
  free(stale.v);
  free(changed.v);
  return rc;
}

static int look(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n, bool details,
                hm_arena *a, hm_sweep *out, hm_err *err) {
  bool mine;
  *out = (hm_sweep){ 0 };
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  int rc =
      hm_store_txn_end(s, mine, sweep_named(s, rules, slot_keys, n, details, a, out, err), err);
  if (rc)
    hm_sweep_free(out);
  return rc;
}

int hm_query_slots(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n,
                   hm_arena *a, hm_sweep *out, hm_err *err) {
  return look(s, rules, slot_keys, n, true, a, out, err);
}

int hm_query_open_conflict_counts(hm_store *s, const hm_rules *rules, const hm_str *slot_keys,
                                  size_t n, hm_arena *a, hm_open_conflicts *out, hm_err *err) {
  hm_sweep w;
  hm_map asked, opened;
  *out = (hm_open_conflicts){ 0 };
  if (!n)
    return 0;
  if (look(s, rules, slot_keys, n, false, a, &w, err))
    return -1;
  hm_map_init(&asked, a, n);
  hm_map_init(&opened, a, w.plan->opened);
  out->settled = hm_alloc_array(a, w.plan->n_conflicts, sizeof *out->settled);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&asked, slot_keys[i], 0);
  for (size_t i = 0; i < w.plan->n; i++)
    if (w.plan->changes[i].kind == HM_CHANGE_OPEN)
      hm_map_add(&opened, w.plan->changes[i].rec.id, 0);
  for (size_t i = 0; i < w.plan->n_conflicts; i++) {
    const hm_conflict_rec *c = &w.plan->conflicts[i];
    if (hm_map_get(&opened, c->id) != HM_MAP_NONE || hm_map_get(&asked, c->slot_key) == HM_MAP_NONE)
      continue;
    out->disputed += w.plan->disputes[i] != NULL;
    if (hm_conflict_find_settling_claim(&w, c, a))
      out->settled[out->n_settled++] = hm_str_dup(a, c->id);
  }
  hm_sweep_free(&w);
  return 0;
}
