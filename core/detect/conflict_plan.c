/* Plans the changes of recorded conflicts: for each dispute one continues, is opened, or verdicts
 * keep it quiet; see hm_plan_build. The same for every rule.
 *
 * First every dispute gets its outcome, then records merge (a continuing one may take over the
 * anchor of one that merges into it), then continuing and opened ones are updated. Last, records of
 * judged disputes merge into those that cover them. Cost: O(parties and recorded members), times a
 * logarithm. */
#include "core/detect/conflict_plan.h"
#include "core/base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/time.h"
#include "core/claim/judged.h"
#include "core/detect/rule.h"
#include "core/detect/found.h"

/* A conflict after the plan, with the dispute that it is about. */
typedef struct {
  hm_conflict_rec rec;
  const hm_dispute *dispute;
} planned;

/* What becomes of a dispute. GOES_ON: as a record of its key; MOVES: as one of another key;
 * REOPENS: as one that was merged. */
typedef struct {
  enum { GOES_ON, QUIET, MOVES, REOPENS, OPENS } way;
  uint32_t rec;
  bool anchored; /* the record's anchor is a party */
} outcome;

typedef struct {
  const hm_snapshot *snap;
  const hm_disputes *disputes;
  hm_str at;
  hm_matches matches;
  planned *recs;
  size_t n_recs; /* the store's conflicts by (slot_key, id), then the conflicts that the plan
                    opens */
  size_t n_old;
  hm_map ids;              /* of all conflicts, once one is opened */
  hm_verdict_cover *cover; /* of the verdicts that are in `covering` */
  const hm_conflict_rec **covering;
  size_t n_covering;
  hm_plan *plan;
  hm_arena *a, *scratch, *known; /* known: of cover */
} planning;

size_t hm_plan_index(const hm_plan *p, const hm_conflict_rec *c) {
  size_t at = hm_lower_bound(p->conflicts, p->n_conflicts, sizeof *c, c, hm_conflict_order);
  return at < p->n_conflicts && hm_str_eq(p->conflicts[at].id, c->id) ? at : p->n_conflicts;
}

const hm_dispute *hm_plan_dispute(const hm_plan *p, const hm_conflict_rec *c) {
  size_t at = hm_plan_index(p, c);
  return at < p->n_conflicts ? p->disputes[at] : NULL;
}

bool hm_plan_opens_conflict(const hm_plan *p, hm_str id) {
  for (size_t i = 0; i < p->n; i++) {
    hm_change_kind k = p->changes[i].kind;
    if ((k == HM_CHANGE_OPEN || k == HM_CHANGE_REOPEN) && hm_str_eq(p->changes[i].rec.id, id))
      return true;
  }
  return false;
}

/* --- a record as it goes on -------------------------------------------------------- */

static bool same_member(const hm_member_rec *a, const hm_member_rec *b) {
  return a->flagged == b->flagged && hm_str_eq(a->conflicts_with, b->conflicts_with) &&
      hm_str_eq(a->normal, b->normal) && hm_str_eq(a->value, b->value);
}

/* The current members, and the recorded ones no longer in the dispute; both lists are in member
 * order. */
static bool update_members(const planning *w, hm_conflict_rec *rec, const hm_dispute *d) {
  hm_member_rec *now = hm_alloc_array(w->a, d->n + rec->n_members, sizeof *now);
  const hm_member_rec *old = rec->members;
  size_t n = 0, k = 0;
  bool changed = false;
  for (size_t i = 0; i < d->n || k < rec->n_members; n++) {
    int order = 1;
    if (i < d->n) {
      const hm_claim *c = d->parties[i].claim, *against = d->parties[i].against;
      now[n] = (hm_member_rec){ .layer = c->layer,
                                .id = w->snap->rows[c->row].id,
                                .field = c->field,
                                .value = c->value.raw,
                                .normal = c->value.norm,
                                .flagged = d->parties[i].flagged,
                                .conflicts_with = HM_EMPTY,
                                .source = c->source };
      if (against)
        now[n].conflicts_with = hm_row_ref(w->a, &w->snap->rows[against->row]);
      order = k < rec->n_members ? hm_member_order(&now[n], &old[k]) : -1;
    }
    if (order > 0) {
      now[n] = old[k];
      now[n].flagged = false;
      now[n].conflicts_with = HM_EMPTY;
    }
    changed |= order < 0 || !same_member(&now[n], &old[k]);
    i += order <= 0;
    k += order >= 0;
  }
  if (!changed)
    return false;
  rec->members = now;
  rec->n_members = n;
  return true;
}

static hm_str anchor_of(const planning *w, const hm_dispute *d) {
  return hm_anchor_text(w->a, d->anchor->layer, w->snap->rows[d->anchor->row].id, d->anchor->field);
}

/* What a sweep may change, besides members. */
static bool update_columns(const planning *w, hm_conflict_rec *rec, const hm_dispute *d,
                           bool anchored) {
  hm_str from = hm_bound_text(w->a, &d->begin), until = hm_bound_text(w->a, &d->end);
  hm_str anchor = anchored && rec->anchor.n ? rec->anchor : anchor_of(w, d);
  bool same = hm_str_is(rec->slot_kind, d->slot_kind) && hm_str_eq(rec->slot_key, d->slot_key) &&
      hm_str_eq(rec->anchor, anchor) && hm_str_eq(rec->window_from, from) &&
      hm_str_eq(rec->window_until, until);
  if (same)
    return false;
  /* The project stays as it is spelled, unless the slot is another. */
  if (!hm_str_eq(rec->slot_key, d->slot_key))
    rec->project = w->snap->projects[d->project].id;
  rec->slot_kind = hm_str_c(d->slot_kind);
  rec->slot_key = d->slot_key;
  rec->anchor = anchor;
  rec->window_from = from;
  rec->window_until = until;
  return true;
}

static void add_change(planning *w, hm_change_kind kind, hm_conflict_rec *rec) {
  rec->summed = false;
  w->plan->changes[w->plan->n++] = (hm_change){ kind, *rec };
  bool opens = kind == HM_CHANGE_OPEN || kind == HM_CHANGE_REOPEN;
  if (opens)
    w->plan->opened++;
  else
    w->plan->updated++;
}

/* --- a new one ------------------------------------------------------------------------- */

/* Conflicts on this slot and anchor that were settled. Of those from before anchors were kept: that
 * have it as a member. */
static size_t count_verdicts(const planning *w, size_t dispute, hm_str anchor) {
  const hm_matches *m = &w->matches;
  size_t n = 0;
  for (size_t i = m->first[dispute]; i < m->first[dispute + 1]; i++) {
    const hm_conflict_rec *r = &w->recs[m->settled[i]].rec;
    if (!hm_str_eq(r->slot_key, w->disputes->disputes[dispute].slot_key))
      continue;
    bool on = hm_str_eq(r->anchor, anchor);
    for (size_t k = 0; k < r->n_members && !r->anchor.n && !on; k++)
      on = hm_str_eq(
          hm_anchor_text(w->scratch, r->members[k].layer, r->members[k].id, r->members[k].field),
          anchor);
    n += on;
  }
  return n;
}

/* "c" and 12 hex digits over rule, slot, anchor and how many verdicts it has had; another try where
 * two ids meet. */
static hm_str new_id(planning *w, const hm_dispute *d, hm_str anchor, size_t verdicts) {
  if (!w->ids.a) {
    hm_map_init(&w->ids, w->a, w->n_old + w->disputes->n);
    for (size_t i = 0; i < w->n_old; i++)
      hm_map_add(&w->ids, w->recs[i].rec.id, 0);
  }
  for (size_t attempt = 0;; attempt++) {
    hm_str of = HM_CAT(w->scratch, hm_str_c(d->rule->name), HM_STR("\x1f"), d->slot_key,
                       HM_STR("\x1f"), anchor, hm_str_fmt(w->scratch, "\x1f%zu", verdicts));
    if (attempt)
      of = HM_CAT(w->scratch, of, hm_str_fmt(w->scratch, ",%zu", attempt));
    hm_sha256 h;
    hm_sha256_init(&h);
    hm_sha256_add(&h, of);
    hm_str id = HM_CAT(w->a, HM_STR("c"), hm_sha256_hex(&h, w->scratch, 12));
    if (hm_map_get(&w->ids, id) != HM_MAP_NONE)
      continue;
    hm_map_add(&w->ids, id, 0);
    return id;
  }
}

static hm_conflict_rec open_new(planning *w, size_t dispute) {
  const hm_dispute *d = &w->disputes->disputes[dispute];
  hm_str anchor = anchor_of(w, d);
  hm_conflict_rec rec = { .id = new_id(w, d, anchor, count_verdicts(w, dispute, anchor)),
                          .slot_kind = HM_EMPTY,
                          .slot_key = d->slot_key,
                          .project = w->snap->projects[d->project].id,
                          .status = HM_OPEN,
                          .detected_at = w->at,
                          .resolved_at = HM_EMPTY,
                          .resolution = HM_EMPTY,
                          .resolved_by = HM_EMPTY,
                          .action = HM_EMPTY,
                          .winner = HM_EMPTY,
                          .rule = hm_str_c(d->rule->name),
                          .rule_version = d->rule->version,
                          .anchor = anchor,
                          .merged_into = HM_EMPTY,
                          .window_from = HM_EMPTY,
                          .window_until = HM_EMPTY };
  return rec;
}

/* --- silence ----------------------------------------------------------------------------- */

/* Disputes of one slot mostly have the same verdicts, so what these cover is read once. */
static bool is_covered(planning *w, size_t dispute) {
  const hm_matches *m = &w->matches;
  const hm_dispute *d = &w->disputes->disputes[dispute];
  size_t all = m->first[dispute + 1] - m->first[dispute], n = 0;
  if (!all)
    return false;
  const hm_conflict_rec **quiet = hm_alloc_array(w->scratch, all, sizeof *quiet);
  for (size_t i = 0; i < all; i++) {
    const hm_conflict_rec *r = &w->recs[m->settled[m->first[dispute] + i]].rec;
    bool left_all = r->status == HM_RESOLVED && hm_str_is(r->action, "no_action");
    bool any = r->status == HM_RESOLVED && d->rule->verdict_covers;
    if (r->status == HM_DISMISSED || left_all || any)
      quiet[n++] = r;
  }
  if (!n)
    return false;
  bool same = n == w->n_covering && memcmp(quiet, w->covering, n * sizeof *quiet) == 0;
  if (!same) {
    hm_arena_reset(w->known);
    w->covering = hm_alloc_array(w->known, n, sizeof *quiet);
    memcpy(w->covering, quiet, n * sizeof *quiet);
    w->n_covering = n;
    const hm_worlds *worlds = w->disputes->rules->worlds;
    const hm_world *world = hm_world_find_by_row(w->snap, worlds, d->anchor->row, w->scratch);
    w->cover = hm_verdict_cover_new(w->covering, n, world, w->disputes->rules, d->anchor, w->known);
  }
  return hm_verdict_covers(w->cover, w->snap, d, w->disputes->rules, w->scratch);
}

/* --- all ------------------------------------------------------------------------------------ */

static outcome outcome_of(planning *w, size_t dispute) {
  const hm_match *m = &w->matches.of[dispute];
  for (int way = 0; way < HM_MATCH_WAYS; way++) {
    if (way == HM_MATCH_OPEN_MOVED && is_covered(w, dispute))
      return (outcome){ .way = QUIET };
    if (m->rec[way] == HM_MATCH_NONE)
      continue;
    return (outcome){ way == HM_MATCH_OPEN             ? GOES_ON
                          : way == HM_MATCH_OPEN_MOVED ? MOVES
                                                       : REOPENS,
                      m->rec[way], m->anchored[way] };
  }
  return (outcome){ OPENS, (uint32_t)w->n_recs, true };
}

/* A record merges into the continuing record of its key, or, if its dispute moves, into the one
 * that moves. */
static void merge_records(planning *w, const outcome *outcomes) {
  for (size_t i = 0; i < w->n_old; i++) {
    uint32_t into = w->matches.into[i], moved = w->matches.moved_to[i];
    if (into == HM_MATCH_NONE && moved != HM_MATCH_NONE && outcomes[moved].way == MOVES)
      into = outcomes[moved].rec;
    if (into == HM_MATCH_NONE || into == i)
      continue;
    hm_conflict_rec *rec = &w->recs[i].rec;
    rec->status = HM_MERGED;
    rec->merged_into = w->recs[into].rec.id;
    add_change(w, HM_CHANGE_MERGE, rec);
  }
}

static void carry_out(planning *w, size_t dispute, outcome *o) {
  const hm_dispute *d = &w->disputes->disputes[dispute];
  hm_change_kind kind = HM_CHANGE_UPDATE;
  if (o->way == QUIET) {
    w->plan->quiet++;
    return;
  }
  size_t at = o->rec = o->way == OPENS ? (uint32_t)w->n_recs++ : o->rec;
  if (o->way == OPENS)
    w->recs[at].rec = open_new(w, dispute);
  w->recs[at].dispute = d;
  hm_conflict_rec *rec = &w->recs[at].rec;
  if (o->way == OPENS)
    kind = HM_CHANGE_OPEN;
  if (o->way == REOPENS) {
    kind = HM_CHANGE_REOPEN;
    rec->status = HM_OPEN;
    rec->merged_into = HM_EMPTY;
  }
  bool changed = update_columns(w, rec, d, o->anchored);
  changed |= update_members(w, rec, d);
  if (changed || kind != HM_CHANGE_UPDATE)
    add_change(w, kind, rec);
}

/* The repeat of an open judged record: on its slot key or, if its project was renamed, with its
 * name, which is the proposal's. If all rows of the proposal are in the repeated dispute, no claim
 * has the old key. */
static const hm_judged_repeat *repeat_of(const planning *w, const hm_map *keys, const hm_map *names,
                                         const hm_conflict_rec *rec) {
  uint32_t on = hm_map_get(keys, rec->slot_key);
  if (on != HM_MAP_NONE)
    return &w->disputes->repeats[on];
  hm_str name = hm_slot_key_name(rec->slot_key, w->scratch);
  on = hm_map_get(names, name);
  const hm_proposal *p =
      on == HM_MAP_NONE ? NULL : hm_judged_slot_find_proposal(w->snap, name, w->scratch);
  if (!p)
    return NULL;
  const hm_dispute *d = w->disputes->repeats[on].of;
  for (size_t i = 0; i < p->n; i++) {
    uint32_t row = hm_snapshot_ref(w->snap, HM_MEMORY, p->rows[i]);
    size_t k = 0;
    while (k < d->n && d->parties[k].claim->row != row)
      k++;
    if (k == d->n)
      return NULL;
  }
  return &w->disputes->repeats[on];
}

/* The open record of a judged dispute that says no more than another merges into that one's. Where
 * verdicts keep that one quiet it waits for sign-off. */
static void merge_repeats(planning *w, const outcome *outcomes) {
  const hm_disputes *d = w->disputes;
  hm_map keys, names;
  hm_map_init(&keys, w->scratch, d->n_repeats);
  hm_map_init(&names, w->scratch, d->n_repeats);
  for (uint32_t i = 0; i < d->n_repeats; i++) {
    hm_map_add(&keys, d->repeats[i].slot_key, i);
    hm_map_add(&names, hm_slot_key_name(d->repeats[i].slot_key, w->scratch), i);
  }
  for (size_t i = 0; i < w->n_old && d->n_repeats; i++) {
    hm_conflict_rec *rec = &w->recs[i].rec;
    bool judged = rec->status == HM_OPEN && hm_str_is(rec->rule, "judged");
    const hm_judged_repeat *r = judged ? repeat_of(w, &keys, &names, rec) : NULL;
    size_t of = r ? (size_t)(r->of - d->disputes) : 0;
    if (!r || outcomes[of].way == QUIET)
      continue;
    rec->status = HM_MERGED;
    rec->merged_into = w->recs[outcomes[of].rec].rec.id;
    add_change(w, HM_CHANGE_MERGE, rec);
  }
}

static int by_key_and_id(const void *x, const void *y) {
  return hm_conflict_order(&((const planned *)x)->rec, &((const planned *)y)->rec);
}

static void sort_records(planned *recs, size_t n) {
  size_t i = 1;
  while (i < n && by_key_and_id(&recs[i - 1], &recs[i]) <= 0)
    i++;
  if (i < n)
    qsort(recs, n, sizeof *recs, by_key_and_id);
}

hm_plan *hm_plan_build(const hm_snapshot *snap, const hm_disputes *d, hm_str at, hm_arena *a) {
  planning w = { .snap = snap,
                 .disputes = d,
                 .at = hm_str_dup(a, at), /* the plan may live longer than who swept */
                 .a = a,
                 .scratch = hm_arena_new(),
                 .known = hm_arena_new() };
  hm_plan *p = w.plan = hm_alloc(a, sizeof *p);
  p->changes = hm_alloc_array(a, snap->n_conflicts + d->n, sizeof *p->changes);
  w.recs = hm_xmalloc((snap->n_conflicts + d->n) * sizeof *w.recs);
  for (size_t i = 0; i < snap->n_conflicts; i++)
    w.recs[i] = (planned){ snap->conflicts[i], NULL };
  w.n_old = w.n_recs = snap->n_conflicts;
  sort_records(w.recs, w.n_recs);
  hm_conflict_rec *sorted = hm_alloc_array(a, w.n_recs, sizeof *sorted);
  for (size_t i = 0; i < w.n_recs; i++)
    sorted[i] = w.recs[i].rec;
  hm_match_conflicts(snap, d, sorted, w.n_recs, a, &w.matches);
  outcome *outcomes = hm_alloc_array(a, d->n, sizeof *outcomes);
  for (size_t i = 0; i < d->n; i++) {
    outcomes[i] = outcome_of(&w, i);
    hm_arena_reset(w.scratch);
  }
  merge_records(&w, outcomes);
  for (size_t i = 0; i < d->n; i++) {
    carry_out(&w, i, &outcomes[i]);
    hm_arena_reset(w.scratch);
  }
  merge_repeats(&w, outcomes);
  sort_records(w.recs, w.n_recs);
  p->n_conflicts = w.n_recs;
  p->conflicts = hm_alloc_array(a, w.n_recs, sizeof *p->conflicts);
  p->disputes = hm_alloc_array(a, w.n_recs, sizeof *p->disputes);
  for (size_t i = 0; i < w.n_recs; i++) {
    p->conflicts[i] = w.recs[i].rec;
    p->disputes[i] = w.recs[i].dispute;
  }
  free(w.recs);
  hm_arena_free(w.scratch);
  hm_arena_free(w.known);
  return p;
}
