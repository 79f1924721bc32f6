/* What the store's conflicts become: for each dispute one goes on, is opened, or verdicts keep it
 * quiet; see hm_plan_of. Cost: O(parties and recorded members), times a logarithm. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/time.h"
#include "core/detect/conflict_plan.h"
#include "core/detect/rule.h"
#include "core/detect/sweep.h"

/* A conflict after the plan, with the dispute that it is about. */
typedef struct { hm_conflict_rec rec; const hm_dispute *dispute; } planned;

typedef struct {
  const hm_snapshot *snap;
  const hm_disputes *disputes;
  hm_str at;
  hm_matches matches;
  uint32_t *moved, *next_moved; /* of each dispute: the first record that may move there; of each
                                   record: the next */
  planned *recs;
  size_t n_recs; /* the store's by (slot_key, id), then those that the plan opens */
  size_t n_old;
  bool ids_known;                  /* ids is filled */
  hm_map ids;                      /* of all conflicts, also those that this plan opens */
  hm_verdict_cover *cover;         /* of the verdicts that are in `covering` */
  const hm_conflict_rec **covering; size_t n_covering;
  hm_plan *plan;
  hm_arena *a, *scratch, *known;   /* known: of cover */
} work;

const hm_dispute *hm_plan_dispute(const hm_plan *p, const hm_conflict_rec *c) {
  size_t lo = 0, hi = p->n_conflicts;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int d = hm_str_cmp(p->conflicts[mid].slot_key, c->slot_key);
    if (!d) d = hm_str_cmp(p->conflicts[mid].id, c->id);
    if (!d) return p->disputes[mid];
    if (d < 0) lo = mid + 1;
    else hi = mid;
  }
  return NULL;
}

bool hm_plan_opens(const hm_plan *p, hm_str id) {
  for (size_t i = 0; i < p->n; i++) {
    hm_change_kind k = p->changes[i].kind;
    if ((k == HM_CHANGE_OPEN || k == HM_CHANGE_REOPEN) && hm_str_eq(p->changes[i].rec.id, id))
      return true;
  }
  return false;
}

static hm_member_rec member_of(const work *w, const hm_party *p) {
  const hm_claim *c = p->claim;
  return (hm_member_rec){ .layer = c->layer,
                          .id = w->snap->rows[c->row].id,
                          .field = c->field,
                          .value = c->value.raw,
                          .normal = c->value.norm,
                          .flagged = p->flagged,
                          .conflicts_with = p->against
                              ? hm_row_ref(w->a, &w->snap->rows[p->against->row])
                              : HM_EMPTY };
}

static bool same_member(const hm_member_rec *a, const hm_member_rec *b) {
  return a->flagged == b->flagged && hm_str_eq(a->conflicts_with, b->conflicts_with) &&
         hm_str_eq(a->normal, b->normal) && hm_str_eq(a->value, b->value);
}

static hm_str key_of(const work *w, const hm_member_rec *m) {
  return hm_member_key(w->scratch, m->layer, m->id, m->field, HM_EMPTY);
}

/* The members now, and those recorded that are in the dispute no more. */
static bool bring_members(const work *w, hm_conflict_rec *rec, const hm_dispute *d) {
  size_t n_old = rec->n_members, n = 0;
  const hm_member_rec *old = rec->members;
  bool changed = false;
  hm_map at;
  hm_map_init(&at, w->scratch, d->n);
  hm_member_rec *now = hm_alloc_array(w->a, d->n + n_old, sizeof *now);
  for (; n < d->n; n++) {
    now[n] = member_of(w, &d->parties[n]);
    hm_map_add(&at, key_of(w, &now[n]), (uint32_t)n);
  }
  for (size_t i = 0; i < n_old; i++) {
    uint32_t k = hm_map_get(&at, key_of(w, &old[i]));
    if (k != HM_MAP_NONE) {
      changed |= !same_member(&old[i], &now[k]);
      continue;
    }
    now[n] = old[i];
    now[n].flagged = false;
    now[n].conflicts_with = HM_EMPTY;
    changed |= !same_member(&old[i], &now[n++]);
  }
  changed |= n != n_old;
  qsort(now, n, sizeof *now, hm_member_order);
  rec->members = now;
  rec->n_members = n;
  return changed;
}

static bool is_ref_of(hm_str ref, const hm_row *r) {
  const char *kind = hm_layer_kind(r->layer);
  size_t n = strlen(kind);
  return ref.n == n + 1 + r->id.n && memcmp(ref.p, kind, n) == 0 && ref.p[n] == ':' &&
      hm_str_eq(hm_str_sub(ref, n + 1, ref.n), r->id);
}

static bool is_recorded(const work *w, const hm_party *p, const hm_member_rec *m) {
  const hm_claim *c = p->claim;
  if (m->layer != c->layer || m->flagged != p->flagged || !hm_str_eq(m->value, c->value.raw) ||
      !hm_str_eq(m->normal, c->value.norm))
    return false;
  if (!hm_str_eq(m->field, c->field) || !hm_str_eq(m->id, w->snap->rows[c->row].id)) return false;
  return p->against ? is_ref_of(m->conflicts_with, &w->snap->rows[p->against->row])
                    : !m->conflicts_with.n;
}

/* As it mostly is: the same members, which are in one order here and there. */
static bool all_recorded(const work *w, const hm_conflict_rec *rec, const hm_dispute *d) {
  bool same = rec->n_members == d->n;
  for (size_t i = 0; same && i < d->n; i++) same = is_recorded(w, &d->parties[i], &rec->members[i]);
  return same;
}

/* --- a record as it goes on -------------------------------------------------------- */

static hm_str anchor_of(const work *w, const hm_dispute *d) {
  return hm_anchor(w->a, d->anchor->layer, w->snap->rows[d->anchor->row].id, d->anchor->field);
}

/* What a sweep may change, besides members. */
static bool bring_columns(const work *w, hm_conflict_rec *rec, const hm_dispute *d, bool anchored) {
  hm_str from = hm_bound_text(w->a, &d->begin), until = hm_bound_text(w->a, &d->end);
  hm_str anchor = anchored && rec->anchor.n ? rec->anchor : anchor_of(w, d);
  bool same = hm_str_is(rec->slot_kind, d->slot_kind) && hm_str_eq(rec->slot_key, d->slot_key) &&
      hm_str_eq(rec->anchor, anchor) && hm_str_eq(rec->window_from, from) &&
      hm_str_eq(rec->window_until, until);
  if (same) return false;
  /* The project stays as it is spelled, unless the slot is another. */
  if (!hm_str_eq(rec->slot_key, d->slot_key)) rec->project = w->snap->projects[d->project].id;
  rec->slot_kind = hm_str_c(d->slot_kind);
  rec->slot_key = d->slot_key;
  rec->anchor = anchor;
  rec->window_from = from;
  rec->window_until = until;
  return true;
}

static void add_change(work *w, hm_change_kind kind, const hm_conflict_rec *rec) {
  w->plan->changes[w->plan->n++] = (hm_change){ kind, *rec };
  bool opens = kind == HM_CHANGE_OPEN || kind == HM_CHANGE_REOPEN;
  if (opens) w->plan->opened++;
  else w->plan->updated++;
}

static void update(work *w, const hm_dispute *d, hm_conflict_rec *rec, bool anchored,
                   hm_change_kind kind) {
  bool changed = kind != HM_CHANGE_UPDATE;
  changed |= bring_columns(w, rec, d, anchored);
  if (!all_recorded(w, rec, d)) changed |= bring_members(w, rec, d);
  rec->summed = rec->summed && !changed;
  if (changed) add_change(w, kind, rec);
}

/* --- a new one ------------------------------------------------------------------------- */

static void know_ids(work *w) {
  if (w->ids_known) return;
  w->ids_known = true;
  hm_map_init(&w->ids, w->a, w->n_old + w->disputes->n);
  for (size_t i = 0; i < w->n_old; i++) hm_map_add(&w->ids, w->recs[i].rec.id, 0);
}

/* Conflicts on this slot and anchor that were settled. Of those from before anchors were kept: that
 * have it as a member. */
static size_t verdicts_on(const work *w, size_t dispute, hm_str anchor) {
  const hm_matches *m = &w->matches;
  const hm_dispute *d = &w->disputes->disputes[dispute];
  size_t n = 0;
  for (size_t i = m->first[dispute]; i < m->first[dispute + 1]; i++) {
    const hm_conflict_rec *r = &w->recs[m->settled[i]].rec;
    if (!hm_str_eq(r->slot_key, d->slot_key)) continue;
    bool on = hm_str_eq(r->anchor, anchor);
    for (size_t k = 0; k < r->n_members && !r->anchor.n && !on; k++)
      on = hm_str_eq(
          hm_anchor(w->scratch, r->members[k].layer, r->members[k].id, r->members[k].field),
          anchor);
    n += on;
  }
  return n;
}

/* "c" and 12 hex digits over rule, slot, anchor and how many verdicts it has had; another try where
 * two ids meet. */
static hm_str new_id(work *w, const hm_dispute *d, hm_str anchor, size_t verdicts) {
  know_ids(w);
  for (size_t attempt = 0;; attempt++) {
    hm_sha256 h;
    hm_sha256_init(&h);
    hm_sha256_add(&h, hm_str_c(d->rule->name));
    hm_sha256_add(&h, HM_STR("\x1f"));
    hm_sha256_add(&h, d->slot_key);
    hm_sha256_add(&h, HM_STR("\x1f"));
    hm_sha256_add(&h, anchor);
    hm_sha256_add(&h, HM_STR("\x1f"));
    hm_sha256_add(&h, hm_str_fmt(w->scratch, "%zu", verdicts));
    if (attempt) hm_sha256_add(&h, hm_str_fmt(w->scratch, ",%zu", attempt));
    hm_str id = hm_str_fmt(w->a, "c%.*s", HM_FMT(hm_sha256_hex(&h, w->scratch, 12)));
    if (hm_map_get(&w->ids, id) != HM_MAP_NONE) continue;
    hm_map_add(&w->ids, id, 0);
    return id;
  }
}

static hm_conflict_rec open_new(work *w, size_t dispute) {
  const hm_dispute *d = &w->disputes->disputes[dispute];
  hm_str anchor = anchor_of(w, d);
  hm_conflict_rec rec = { .id = new_id(w, d, anchor, verdicts_on(w, dispute, anchor)),
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
  bring_columns(w, &rec, d, true);
  bring_members(w, &rec, d);
  add_change(w, HM_CHANGE_OPEN, &rec);
  return rec;
}

/* --- silence ----------------------------------------------------------------------------- */

static bool is_quiet(const hm_conflict_rec *c) {
  return c->status == HM_DISMISSED ||
      (c->status == HM_RESOLVED && hm_str_is(c->action, "no_action"));
}

/* Disputes of one slot mostly have the same verdicts: what these knew is read once. */
static bool is_covered(work *w, size_t dispute) {
  const hm_matches *m = &w->matches;
  size_t all = m->first[dispute + 1] - m->first[dispute], n = 0;
  if (!all) return false;
  const hm_conflict_rec **quiet = hm_alloc_array(w->scratch, all, sizeof *quiet);
  for (size_t i = 0; i < all; i++) {
    const hm_conflict_rec *r = &w->recs[m->settled[m->first[dispute] + i]].rec;
    if (is_quiet(r)) quiet[n++] = r;
  }
  if (!n) return false;
  bool same = n == w->n_covering && memcmp(quiet, w->covering, n * sizeof *quiet) == 0;
  if (!same) {
    hm_arena_reset(w->known);
    w->covering = hm_alloc_array(w->known, n, sizeof *quiet);
    memcpy(w->covering, quiet, n * sizeof *quiet);
    w->n_covering = n;
    w->cover = hm_verdict_cover_new(w->covering, n, w->known);
  }
  return hm_verdict_covers(w->cover, w->snap, &w->disputes->disputes[dispute], w->disputes->rules,
                           w->scratch);
}

/* --- all ------------------------------------------------------------------------------------ */

static void merge_into(work *w, size_t from, size_t into) {
  hm_conflict_rec *rec = &w->recs[from].rec;
  rec->status = HM_MERGED;
  rec->merged_into = w->recs[into].rec.id;
  rec->summed = false;
  add_change(w, HM_CHANGE_MERGE, rec);
}

static void list_moved(work *w) {
  const hm_matches *m = &w->matches;
  w->moved = hm_alloc_array(w->a, w->disputes->n, sizeof *w->moved);
  w->next_moved = hm_alloc_array(w->a, w->n_old, sizeof *w->next_moved);
  for (size_t i = 0; i < w->disputes->n; i++) w->moved[i] = HM_MATCH_NONE;
  for (size_t k = w->n_old; k-- > 0;) {
    uint32_t to = m->moved_to[k];
    if (to == HM_MATCH_NONE) continue;
    w->next_moved[k] = w->moved[to];
    w->moved[to] = (uint32_t)k;
  }
}

/* All that the dispute may take of other keys go on as one. */
static bool take_moved(work *w, size_t i) {
  const hm_matches *m = &w->matches;
  uint32_t rec = m->of[i].open_moved;
  if (rec == HM_MATCH_NONE) return false;
  for (uint32_t k = w->moved[i]; k != HM_MATCH_NONE; k = w->next_moved[k])
    if (k != rec) merge_into(w, k, rec);
  update(w, &w->disputes->disputes[i], &w->recs[rec].rec, m->of[i].anchored[1], HM_CHANGE_UPDATE);
  w->recs[rec].dispute = &w->disputes->disputes[i];
  return true;
}

static bool take_merged(work *w, size_t i) {
  const hm_match *m = &w->matches.of[i];
  bool same_key = m->merged != HM_MATCH_NONE;
  uint32_t rec = same_key ? m->merged : m->merged_moved;
  if (rec == HM_MATCH_NONE) return false;
  w->recs[rec].rec.status = HM_OPEN;
  w->recs[rec].rec.merged_into = HM_EMPTY;
  update(w, &w->disputes->disputes[i], &w->recs[rec].rec, m->anchored[same_key ? 2 : 3],
         HM_CHANGE_REOPEN);
  w->recs[rec].dispute = &w->disputes->disputes[i];
  return true;
}

static void decide(work *w, size_t i) {
  const hm_match *m = &w->matches.of[i];
  const hm_dispute *d = &w->disputes->disputes[i];
  if (m->open != HM_MATCH_NONE) {
    update(w, d, &w->recs[m->open].rec, m->anchored[0], HM_CHANGE_UPDATE);
    w->recs[m->open].dispute = d;
  } else if (is_covered(w, i)) {
    w->plan->quiet++;
  } else if (!take_moved(w, i) && !take_merged(w, i)) {
    w->recs[w->n_recs++] = (planned){ open_new(w, i), d };
  }
}

/* First of all: what goes on may take over the anchor of one that merges into it. */
static void merge(work *w) {
  for (size_t i = 0; i < w->n_old; i++)
    if (w->matches.into[i] != HM_MATCH_NONE) merge_into(w, i, w->matches.into[i]);
}

static int by_key_and_id(const void *x, const void *y) {
  const hm_conflict_rec *a = &((const planned *)x)->rec, *b = &((const planned *)y)->rec;
  int d = hm_str_cmp(a->slot_key, b->slot_key);
  return d ? d : hm_str_cmp(a->id, b->id);
}

static void sort_conflicts(planned *recs, size_t n) {
  size_t i = 1;
  while (i < n && by_key_and_id(&recs[i - 1], &recs[i]) <= 0) i++;
  if (i < n) qsort(recs, n, sizeof *recs, by_key_and_id);
}

static void read_records(work *w) {
  const hm_snapshot *snap = w->snap;
  size_t room = snap->n_conflicts + w->disputes->n;
  w->recs = hm_xmalloc(room * sizeof *w->recs);
  for (size_t i = 0; i < snap->n_conflicts; i++) w->recs[i] = (planned){ snap->conflicts[i], NULL };
  w->n_old = w->n_recs = snap->n_conflicts;
  sort_conflicts(w->recs, w->n_recs);
  hm_conflict_rec *sorted = hm_alloc_array(w->a, w->n_recs, sizeof *sorted);
  for (size_t i = 0; i < w->n_recs; i++) sorted[i] = w->recs[i].rec;
  hm_match_conflicts(snap, w->disputes, sorted, w->n_recs, w->a, &w->matches);
}

static void hand_over(work *w) {
  hm_plan *p = w->plan;
  sort_conflicts(w->recs, w->n_recs);
  p->n_conflicts = w->n_recs;
  p->conflicts = hm_alloc_array(w->a, w->n_recs, sizeof *p->conflicts);
  p->disputes = hm_alloc_array(w->a, w->n_recs, sizeof *p->disputes);
  for (size_t i = 0; i < w->n_recs; i++) {
    p->conflicts[i] = w->recs[i].rec;
    p->disputes[i] = w->recs[i].dispute;
  }
}

int hm_plan_of(const hm_snapshot *snap, const hm_disputes *d, hm_str at, hm_arena *a, hm_plan **out,
               hm_err *err) {
  (void)err;
  work w = { .snap = snap,
             .disputes = d,
             .at = at,
             .a = a,
             .scratch = hm_arena_new(),
             .known = hm_arena_new() };
  w.plan = *out = hm_alloc(a, sizeof **out);
  w.plan->changes = hm_alloc_array(a, snap->n_conflicts + d->n, sizeof *w.plan->changes);
  read_records(&w);
  list_moved(&w);
  merge(&w);
  for (size_t i = 0; i < d->n; i++) {
    decide(&w, i);
    hm_arena_reset(w.scratch);
  }
  hand_over(&w);
  free(w.recs);
  hm_arena_free(w.scratch);
  hm_arena_free(w.known);
  return 0;
}
