/* A sweep of a few slots.
 *
 * The index of the claims names the rows of each slot. These rows and their dependencies are read,
 * and go through the same functions as in a full sweep. Disputes of other slots, of which only a
 * part is loaded, are dropped. Recorded conflicts are looked up by slot, and by the members of the
 * disputes, which may be recorded under another slot. Cost: the rows of the slots and their
 * dependencies. */
#include "core/review/slot_sweep.h"

#include <stdlib.h>

#include "core/base/par.h"
#include "core/claim/existence.h"
#include "core/claim/judged.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"
#include "core/claim/story.h"
#include "core/detect/rule.h"
#include "core/review/index_entries.h"

enum {
  WORTH_THREADS = 20000, /* fewer rows or claims are compared on one */
  WITNESSES = 8          /* entities that are read of a type */
};

/* --- claims of a few rows ----------------------------------------------------------- */

void hm_claim_reader_begin(hm_claim_reader *r, hm_store *s, bool details, hm_arena *a) {
  *r = (hm_claim_reader){ .s = s, .a = a, .partial = hm_partial_new(s, details, a) };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    hm_map_init(&r->wanted[l], a, 8);
  hm_map_init(&r->asked, a, 8);
}

void hm_claim_reader_end(hm_claim_reader *r) { hm_partial_free(r->partial); }

void hm_claim_reader_want(hm_claim_reader *r, hm_layer layer, hm_str id) {
  if (hm_map_get(&r->wanted[layer], id) != HM_MAP_NONE)
    return;
  hm_map_add(&r->wanted[layer], hm_str_dup(r->a, id), 0);
  hm_partial_want(r->partial, layer, id);
}

static void want_entity(void *ctx, hm_str id) {
  hm_claim_reader *r = ctx;
  hm_partial_want(r->partial, HM_ENTITY, id);
}

/* Place of the first entry with this key, or of the next one. */
static size_t first_entry(const hm_index_entries *e, uint64_t key) {
  size_t lo = 0, hi = e ? e->n : 0;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (e->v[mid].key < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* Is there an entity of this type? Of those that the index names, some are read that are as it has
 * them; and one that has the type only now. */
static int want_of_type(hm_claim_reader *r, hm_str type, hm_err *err) {
  hm_row_keys of_type = { 0 };
  size_t had = r->asked.n, n_stale = r->stale ? r->stale->n : 0;
  uint64_t key = hm_str_hash(type);
  hm_map_add(&r->asked, hm_str_dup(r->a, type), 0);
  if (r->asked.n == had)
    return 0;
  if (n_stale && !r->is_stale.n) {
    hm_map_init(&r->is_stale, r->a, n_stale);
    for (size_t i = 0; i < n_stale; i++)
      if (r->stale->v[i].layer == HM_ENTITY)
        hm_map_add(&r->is_stale, r->stale->v[i].id, 0);
  }
  int rc = hm_index_find_rows(r->s, key, HM_INDEX_TYPE, HM_INDEX_TYPE, WITNESSES + n_stale, r->a,
                              &of_type, err);
  for (size_t i = 0, n = 0; i < of_type.n && n < WITNESSES && !rc; i++) {
    if (n_stale && hm_map_get(&r->is_stale, of_type.v[i].id) != HM_MAP_NONE)
      continue;
    hm_partial_want(r->partial, of_type.v[i].layer, of_type.v[i].id);
    n++;
  }
  free(of_type.v);
  size_t at = first_entry(r->types, key);
  if (r->types && at < r->types->n && r->types->v[at].key == key)
    hm_partial_want(r->partial, HM_ENTITY, r->types->v[at].id);
  return rc;
}

static int by_time(const void *x, const void *y) {
  hm_time a = *(const hm_time *)x, b = *(const hm_time *)y;
  return (a > b) - (a < b);
}

/* The relations that say when the thing of this key existed: as the index has them, and now. */
static int want_existence(hm_claim_reader *r, uint64_t key, hm_row_keys *rows, hm_err *err) {
  const hm_index_entries *e = r->exists;
  for (size_t i = first_entry(e, key); e && i < e->n && e->v[i].key == key; i++)
    hm_partial_want(r->partial, HM_RELATION, e->v[i].id);
  return hm_index_find_rows(r->s, key, HM_INDEX_EXISTS, HM_INDEX_EXISTS, SIZE_MAX, r->a, rows, err);
}

/* A relation by which an end of this one existed at some time. */
static int want_existences(hm_claim_reader *r, const hm_row *relation, hm_err *err) {
  hm_str ends[] = { relation->from, relation->to };
  hm_row_keys rows = { 0 };
  int rc = 0;
  for (int i = 0; i < 2 && !rc; i++) {
    hm_str ids[] = { ends[i], hm_relation_entity_id(ends[i]) };
    for (int k = 0; k < 2 && !rc && ids[k].n; k++)
      rc = want_existence(r, hm_str_hash(ids[k]), &rows, err);
  }
  for (size_t i = 0; i < rows.n && !rc; i++)
    hm_partial_want(r->partial, rows.v[i].layer, rows.v[i].id);
  free(rows.v);
  return rc;
}

/* Requests the rows on which the claims of this one depend: entities that its values, the elements
 * of its slot or its ends name; rows that say when these ends existed; and for a state an entity of
 * the type that its category names, since the category excludes other types only if there is
 * one. */
static int want_dependencies(hm_claim_reader *r, const hm_row *row, const hm_rules *rules,
                             hm_err *err) {
  hm_str ids[HM_ELEMENTS_MAX];
  if (row->layer == HM_RELATION) {
    hm_relation_each_end(row, want_entity, r);
    const hm_relation_kind *k = hm_relation_kind_find(hm_config_relation_kinds(rules), row->type);
    bool open = !row->valid_from.n || !row->valid_until.n;
    if (k && open && hm_relation_bounded_by_ends(k) && want_existences(r, row, err))
      return -1;
    return r->nesting ? hm_partial_want_outer(r->s, r->partial, row, r->nesting, r->a, err) : 0;
  }
  hm_claim_each_input_id(row, want_entity, r, r->a);
  size_t n = row->layer == HM_ENTITY ? hm_claim_input_ids(row, ids, r->a) : 0;
  for (size_t i = 0; i < n; i++)
    hm_partial_want(r->partial, HM_ENTITY, ids[i]);
  hm_str type = row->layer == HM_STATE ? hm_claim_input_type(row, r->a) : HM_EMPTY;
  return type.n ? want_of_type(r, type, err) : 0;
}

/* Memories among the stale ones that were written in this second, as they are now. */
static size_t count_stale(const hm_claim_reader *r, const hm_snapshot *snap, const hm_map *stale,
                          hm_time second) {
  size_t n = 0;
  hm_time t;
  for (size_t i = 0; r->written && i < r->written->n; i++)
    n += r->written->v[i].key == (uint64_t)second;
  for (size_t i = snap->first[HM_MEMORY]; i < snap->first[HM_MEMORY + 1] && !r->written; i++)
    n += hm_map_get(stale, snap->rows[i].id) != HM_MAP_NONE &&
        hm_parse_written_second(snap->rows[i].created_at, &t) && t == second;
  return n;
}

/* Those of the snapshot's seconds in which ten memories of the store or more were written. */
static int count_crowds(hm_claim_reader *r, hm_snapshot *snap, hm_err *err) {
  size_t first = snap->first[HM_MEMORY], end = snap->first[HM_MEMORY + 1];
  size_t n = 0, n_crowded = 0, n_stale = r->stale ? r->stale->n : 0;
  hm_time *v = hm_alloc_array(r->a, end - first + 1, sizeof *v), *crowded, second;
  hm_map stale;
  if (!r->counts)
    return 0;
  hm_map_init(&stale, r->a, n_stale);
  for (size_t i = 0; i < n_stale; i++)
    if (r->stale->v[i].layer == HM_MEMORY)
      hm_map_add(&stale, r->stale->v[i].id, 0);
  for (size_t i = first; i < end; i++)
    if (hm_parse_written_second(snap->rows[i].created_at, &second))
      v[n++] = second;
  if (n)
    qsort(v, n, sizeof *v, by_time);
  crowded = hm_alloc_array(r->a, n + 1, sizeof *crowded);
  for (size_t i = 0; i < n; i++) {
    hm_row_keys rows = { 0 };
    if (i && v[i] == v[i - 1])
      continue;
    if (hm_index_find_rows(r->s, (uint64_t)v[i], HM_INDEX_WRITTEN, HM_INDEX_WRITTEN,
                           HM_CROWD + stale.n, r->a, &rows, err))
      return -1;
    size_t count = stale.n ? count_stale(r, snap, &stale, v[i]) : 0;
    for (size_t k = 0; k < rows.n; k++)
      count += hm_map_get(&stale, rows.v[k].id) == HM_MAP_NONE;
    free(rows.v);
    if (count >= HM_CROWD)
      crowded[n_crowded++] = v[i];
  }
  snap->crowded = crowded;
  snap->n_crowded = n_crowded;
  return 0;
}

int hm_claim_reader_read(hm_claim_reader *r, const hm_rules *rules, hm_snapshot **snap,
                         hm_claims **claims, hm_err *err) {
  const hm_row *rows;
  size_t n;
  if (hm_partial_read(r->partial, &rows, &n, err))
    return -1;
  for (bool wanted = true; wanted;) {
    wanted = false;
    for (size_t i = 0; i < n; i++) {
      bool asked = hm_map_get(&r->wanted[rows[i].layer], rows[i].id) != HM_MAP_NONE;
      if (!asked && rows[i].layer != HM_RELATION)
        continue;
      wanted = wanted || rows[i].layer == HM_RELATION;
      if (want_dependencies(r, &rows[i], rules, err))
        return -1;
    }
    if (wanted && hm_partial_read(r->partial, &rows, &n, err))
      return -1;
  }
  if (hm_partial_end(r->partial, snap, err))
    return -1;
  hm_existences *lives = hm_alloc(r->a, sizeof *lives);
  hm_existences_build(*snap, rules, 1, r->a, lives);
  (*snap)->lives = lives;
  for (size_t i = 0; i < (*snap)->n_rows; i++)
    if ((*snap)->rows[i].layer != HM_RELATION &&
        hm_map_get(&r->wanted[(*snap)->rows[i].layer], (*snap)->rows[i].id) == HM_MAP_NONE)
      (*snap)->rows[i].status = HM_STATUS_OTHER;
  if (count_crowds(r, *snap, err))
    return -1;
  return hm_claims_read(*snap, rules, (*snap)->n_rows < WORTH_THREADS ? 1 : hm_par_cores(), claims,
                        err);
}

/* --- the sweep ------------------------------------------------------------------------ */

typedef struct {
  const hm_slot_sweep_options *opt;
  hm_claim_reader r;
  hm_map unindexed[HM_RELATION + 1]; /* ids of opt->unindexed */
  hm_slot_set claimed;               /* slots in which these claim, once they are listed */
  bool listed;
  hm_sweep *out;
  hm_arena *a;
  hm_err *err;
} slot_sweep;

/* The rows of the slots; for showing also the members of the recorded conflicts, and the rows that
 * verdicts let stand, whose status is shown. */
static int want_rows(slot_sweep *w) {
  const hm_row_keys *unindexed = w->opt->unindexed;
  hm_row_keys rows = { 0 };
  int rc = 0;
  for (size_t i = 0; i < w->opt->slots->n && !rc; i++)
    rc = hm_index_find_rows(w->r.s, w->opt->slots->v[i], HM_INDEX_RELATION, HM_INDEX_STATE,
                            SIZE_MAX, w->a, &rows, w->err) ||
        hm_index_find_rows(w->r.s, w->opt->slots->v[i], HM_INDEX_TOLD, HM_INDEX_TOLD, SIZE_MAX,
                           w->a, &rows, w->err);
  for (size_t i = 0; i < rows.n; i++)
    hm_claim_reader_want(&w->r, rows.v[i].layer, rows.v[i].id);
  free(rows.v);
  for (int k = HM_MEMORY; k <= HM_RELATION; k++)
    hm_map_init(&w->unindexed[k], w->a, 8);
  for (size_t i = 0; unindexed && i < unindexed->n; i++) {
    hm_claim_reader_want(&w->r, unindexed->v[i].layer, unindexed->v[i].id);
    hm_map_add(&w->unindexed[unindexed->v[i].layer], unindexed->v[i].id, 0);
  }
  if (rc ||
      hm_partial_add_conflicts_by_slot(w->r.partial, w->opt->slot_keys, w->opt->n_slot_keys,
                                       w->err))
    return -1;
  const hm_snapshot *snap = hm_partial_snapshot(w->r.partial);
  for (size_t i = 0; i < snap->n_conflicts && w->opt->details; i++) {
    const hm_conflict_rec *c = &snap->conflicts[i];
    for (size_t k = 0; k < c->n_members; k++)
      hm_claim_reader_want(&w->r, c->members[k].layer, c->members[k].id);
    hm_str *winners;
    size_t n = hm_winners_parse(w->a, c->winner, &winners);
    for (size_t k = 0; k < n; k++) {
      hm_layer layer;
      hm_str id;
      hm_claim_reader_want(&w->r, HM_ENTITY, winners[k]); /* an id may begin like a reference */
      if (hm_ref_parse(winners[k], &layer, &id))
        hm_claim_reader_want(&w->r, layer, id);
    }
  }
  return 0;
}

/* Rows of a slot mostly claim in others too, whose other rows are not here. */
static void drop_other_slots(slot_sweep *w) {
  hm_disputes *d = w->out->disputes;
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++)
    if (hm_slot_set_has(w->opt->slots, hm_str_hash(d->disputes[i].slot_key)))
      d->disputes[n++] = d->disputes[i];
  d->n = n;
}

/* Reads the recorded conflicts of slots with claims that were not named. */
static int read_conflicts_of_slots(slot_sweep *w) {
  const hm_claims *c = w->out->claims;
  hm_map known;
  hm_str *keys = hm_alloc_array(w->a, c->n, sizeof *keys);
  size_t n = 0;
  hm_map_init(&known, w->a, c->n);
  for (size_t i = 0; i < w->opt->n_slot_keys; i++)
    hm_map_add(&known, w->opt->slot_keys[i], 0);
  for (size_t i = 0; i < c->n; i++) {
    hm_str key = hm_conflict_slot_key(w->a, w->out->snap, &c->claims[i]);
    size_t had = known.n;
    if (!hm_slot_set_has(w->opt->slots, hm_str_hash(key)))
      continue;
    hm_map_add(&known, key, 0);
    if (known.n > had)
      keys[n++] = key;
  }
  return hm_partial_add_conflicts_by_slot(w->r.partial, keys, n, w->err);
}

/* Does any row claim in this slot? A row that is not indexed as it is counts by its claims, which
 * are here. */
static int slot_is_claimed(slot_sweep *w, hm_str slot_key, bool *claimed) {
  const hm_row_keys *unindexed = w->opt->unindexed;
  const hm_claims *c = w->out->claims;
  const hm_snapshot *snap = w->out->snap;
  hm_row_keys rows = { 0 };
  int rc = hm_index_find_rows(w->r.s, hm_str_hash(slot_key), HM_INDEX_RELATION, HM_INDEX_STATE,
                              1 + (unindexed ? unindexed->n : 0), w->a, &rows, w->err);
  *claimed = false;
  for (size_t i = 0; i < rows.n && !*claimed; i++)
    *claimed = hm_map_get(&w->unindexed[rows.v[i].layer], rows.v[i].id) == HM_MAP_NONE;
  free(rows.v);
  if (rc || *claimed || !unindexed || !unindexed->n)
    return rc;
  for (size_t i = 0; i < c->n && !w->listed; i++) {
    const hm_row *r = &snap->rows[c->claims[i].row];
    if (hm_map_get(&w->unindexed[r->layer], r->id) == HM_MAP_NONE)
      continue;
    hm_slot_set_add(&w->claimed, hm_str_hash(hm_conflict_slot_key(w->a, snap, &c->claims[i])));
  }
  if (!w->listed)
    hm_slot_set_sort(&w->claimed);
  w->listed = true;
  *claimed = hm_slot_set_has(&w->claimed, hm_str_hash(slot_key));
  return 0;
}

/* Reads the recorded conflicts with a disputed claim as a member under another slot key. An
 * undecided one stays with its own slot, unless that slot has no claims: see conflict_match.c. A
 * row with several fields in disputes is looked up once. */
static int read_conflicts_of_members(slot_sweep *w) {
  const hm_snapshot *snap = w->out->snap;
  bool *asked = hm_alloc_array(w->a, snap->n_rows, sizeof *asked);
  hm_map known;
  hm_map_init(&known, w->a, snap->n_conflicts);
  for (size_t i = 0; i < snap->n_conflicts; i++)
    hm_map_add(&known, snap->conflicts[i].id, 0);
  for (size_t i = 0; i < w->out->disputes->n; i++) {
    const hm_dispute *d = &w->out->disputes->disputes[i];
    for (size_t k = 0; k < d->n; k++) {
      const hm_claim *c = d->parties[k].claim;
      hm_membership *m;
      size_t n, n_ids = 0;
      if (asked[c->row])
        continue;
      asked[c->row] = true;
      if (hm_store_memberships(w->r.s, c->layer, snap->rows[c->row].id, w->a, &m, &n, w->err))
        return -1;
      hm_str *ids = hm_alloc_array(w->a, n, sizeof *ids);
      for (size_t j = 0; j < n; j++) {
        size_t had = known.n;
        bool claimed = false, settled = m[j].status == HM_RESOLVED || m[j].status == HM_DISMISSED;
        hm_map_add(&known, m[j].id, 0);
        if (known.n == had)
          continue;
        if (!settled && slot_is_claimed(w, m[j].slot_key, &claimed))
          return -1;
        if (!claimed)
          ids[n_ids++] = m[j].id;
      }
      if (n_ids && hm_partial_add_conflicts_by_id(w->r.partial, ids, n_ids, w->err))
        return -1;
    }
  }
  return 0;
}

/* An undecided conflict whose slot still has claims must not continue elsewhere; without members it
 * is tied to no dispute. */
static int leave_in_its_slot(slot_sweep *w, hm_conflict_rec *c) {
  bool claimed;
  if (c->status == HM_RESOLVED || c->status == HM_DISMISSED)
    return 0;
  if (slot_is_claimed(w, c->slot_key, &claimed))
    return -1;
  if (claimed)
    c->n_members = 0, c->anchor = HM_STR("");
  return 0;
}

/* A new conflict may get an id that one of a slot far away has: with that one in the snapshot it
 * gets another. */
static int plan_changes(slot_sweep *w) {
  for (;;) {
    w->out->plan = hm_plan_build(w->out->snap, w->out->disputes, w->opt->at, w->a);
    hm_str *taken = hm_alloc_array(w->a, w->out->plan->n, sizeof *taken);
    size_t n = 0;
    for (size_t i = 0; i < w->out->plan->n; i++) {
      const hm_change *c = &w->out->plan->changes[i];
      hm_str status = HM_EMPTY;
      if (c->kind == HM_CHANGE_OPEN &&
          hm_store_conflict_status(w->r.s, c->rec.id, w->a, &status, w->err))
        return -1;
      if (status.n)
        taken[n++] = c->rec.id;
    }
    if (!n)
      return 0;
    if (hm_partial_add_conflicts_by_id(w->r.partial, taken, n, w->err))
      return -1;
    for (size_t i = 0; i < w->out->snap->n_conflicts; i++)
      for (size_t k = 0; k < n; k++)
        if (hm_str_eq(w->out->snap->conflicts[i].id, taken[k]) &&
            leave_in_its_slot(w, &w->out->snap->conflicts[i]))
          return -1;
  }
}

/* Adds the slots of the proposals on the rows that were read; or those in which the rows of swept
 * proposals claim. */
static bool add_judged_slots(const slot_sweep *w, bool of_rows, hm_slot_set *slots) {
  const hm_claims *c = w->out->claims;
  const hm_snapshot *snap = w->out->snap;
  bool *judged = hm_alloc_array(w->a, snap->n_rows, sizeof *judged), grows = false;
  hm_slot_set more = { 0 };
  for (size_t i = 0; i < c->n; i++) {
    if (!hm_claim_is_judged(&c->claims[i]))
      continue;
    uint64_t key = hm_str_hash(hm_conflict_slot_key(w->a, snap, &c->claims[i]));
    if (!of_rows)
      hm_slot_set_add(&more, key);
    else if (hm_slot_set_has(w->opt->slots, key))
      judged[c->claims[i].row] = true;
  }
  for (size_t i = 0; i < c->n + c->n_context && of_rows; i++)
    if (judged[c->claims[i].row] && !hm_claim_is_judged(&c->claims[i]))
      hm_slot_set_add(&more, hm_str_hash(hm_conflict_slot_key(w->a, snap, &c->claims[i])));
  for (size_t i = 0; i < more.n; i++)
    grows = grows || !hm_slot_set_has(w->opt->slots, more.v[i]);
  hm_slot_set_add_all(slots, &more);
  free(more.v);
  return grows;
}

/* Whether a dispute that a model proposed repeats another hangs on all slots of its rows
 * (proposal_rules.c). So a sweep takes in the slots of proposals on its rows, once, and then those
 * in which the rows of these claim. Are there more than it has? */
static bool add_slots_of_proposals(const slot_sweep *w, bool first, hm_slot_set *slots) {
  if (!w->out->snap->n_proposals)
    return false;
  if (!(first && add_judged_slots(w, false, slots)) && !add_judged_slots(w, true, slots))
    return false;
  hm_slot_set_add_all(slots, w->opt->slots);
  hm_slot_set_sort(slots);
  return true;
}

/* wider: NULL, or room for the slots that must be swept, too; where there are some, it ends there.
 */
static int sweep_slots(slot_sweep *w, const hm_rules *rules, bool first, hm_slot_set *wider) {
  hm_sweep *out = w->out;
  if (want_rows(w) || hm_claim_reader_read(&w->r, rules, &out->snap, &out->claims, w->err))
    return -1;
  if (wider && add_slots_of_proposals(w, first, wider))
    return 0;
  if (wider)
    wider->n = 0;
  int threads = out->claims->n < WORTH_THREADS ? 1 : hm_par_cores();
  if (hm_disputes_find(out->snap, out->claims, rules, threads, w->a, &out->disputes, w->err))
    return -1;
  drop_other_slots(w);
  hm_disputes_drop_judged_repeats(out->snap, out->disputes, w->a);
  return read_conflicts_of_slots(w) || read_conflicts_of_members(w) || plan_changes(w) ? -1 : 0;
}

static int sweep_once(hm_store *s, const hm_rules *rules, const hm_slot_sweep_options *opt,
                      bool first, hm_slot_set *wider, hm_arena *a, hm_sweep *out, hm_err *err) {
  slot_sweep w = { .opt = opt, .out = out, .a = a, .err = err };
  *out = (hm_sweep){ 0 };
  hm_claim_reader_begin(&w.r, s, opt->details, a);
  w.r.nesting = rules;
  w.r.counts = true;
  w.r.stale = opt->unindexed ? opt->unindexed : opt->stale;
  w.r.types = opt->unindexed ? NULL : opt->types; /* those are read */
  w.r.written = opt->unindexed ? NULL : opt->written;
  w.r.exists = opt->unindexed ? NULL : opt->exists;
  int rc = sweep_slots(&w, rules, first, wider);
  hm_claim_reader_end(&w.r);
  free(w.claimed.v);
  if (rc)
    hm_sweep_free(out);
  return rc;
}

int hm_sweep_slots(hm_store *s, const hm_rules *rules, const hm_slot_sweep_options *opt,
                   hm_arena *a, hm_sweep *out, hm_err *err) {
  hm_slot_set wider[2] = { { 0 }, { 0 } };
  hm_slot_sweep_options o = *opt;
  if (!hm_rules_are_all_by_slot(rules))
    return hm_sweep_all_slots(s, rules, opt->details, opt->at, a, out, err);
  int rc = sweep_once(s, rules, &o, true, &wider[0], a, out, err);
  for (int k = 0; k < 2 && !rc && wider[k].n; k++) {
    o.slots = &wider[k];
    if (!o.unindexed)
      o.unindexed = o.stale; /* they may claim there */
    hm_sweep_free(out);
    rc = sweep_once(s, rules, &o, false, k ? NULL : &wider[1], a, out, err);
  }
  free(wider[0].v);
  free(wider[1].v);
  return rc;
}

int hm_sweep_all_slots(hm_store *s, const hm_rules *rules, bool details, hm_str at, hm_arena *a,
                       hm_sweep *out, hm_err *err) {
  *out = (hm_sweep){ 0 };
  int rc = hm_store_snapshot(s, a, details, &out->snap, err) ||
      hm_claims_read(out->snap, rules, hm_par_cores(), &out->claims, err) ||
      hm_disputes_find(out->snap, out->claims, rules, hm_par_cores(), a, &out->disputes, err);
  if (rc) {
    hm_sweep_free(out);
    return -1;
  }
  hm_disputes_drop_judged_repeats(out->snap, out->disputes, a);
  out->plan = hm_plan_build(out->snap, out->disputes, at, a);
  return 0;
}
