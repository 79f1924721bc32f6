#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/detect/cover.h"
#include "core/detect/finding.h"
#include "core/detect/sweep.h"

#define RULE "slot"
enum { RULE_VERSION = 1 };

typedef struct {
  const hm_snapshot *snap;
  const hm_disputes *disputes;
  hm_str at;
  bool opens;            /* ids is filled */
  hm_map ids;            /* of all conflicts, also those that this plan opens */
  hm_plan *plan;
  hm_arena *a, *scratch;
} work;

bool hm_conflict_disputed(const hm_conflict_rec *c, const hm_disputes *d) {
  return c->status == HM_OPEN && hm_disputes_find(d, c->slot_key);
}

bool hm_plan_opens(const hm_plan *p, hm_str id) {
  for (size_t i = 0; i < p->n; i++)
    if (p->changes[i].kind == HM_CHANGE_OPEN && hm_str_eq(p->changes[i].rec.id, id)) return true;
  return false;
}

static hm_member_rec member_of(const work *w, const hm_party *p) {
  const hm_claim *c = p->claim;
  return (hm_member_rec){ .layer = c->layer, .id = w->snap->rows[c->row].id, .field = c->field,
                          .value = c->value.raw, .normal = c->value.norm, .flagged = p->flagged,
                          .conflicts_with = p->against ? hm_row_ref(w->a, &w->snap->rows[p->against->row]) : HM_EMPTY };
}

static bool same_member(const hm_member_rec *a, const hm_member_rec *b) {
  return a->flagged == b->flagged && hm_str_eq(a->conflicts_with, b->conflicts_with) &&
         hm_str_eq(a->normal, b->normal) && hm_str_eq(a->value, b->value);
}

static hm_str key_of(const work *w, const hm_member_rec *m) { return hm_member_key(w->scratch, m->layer, m->id, m->field); }

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
  return ref.n == n + 1 + r->id.n && memcmp(ref.p, kind, n) == 0 && ref.p[n] == ':' && hm_str_eq(hm_str_sub(ref, n + 1, ref.n), r->id);
}

static bool is_recorded(const work *w, const hm_party *p, const hm_member_rec *m) {
  const hm_claim *c = p->claim;
  if (m->layer != c->layer || m->flagged != p->flagged || !hm_str_eq(m->value, c->value.raw) || !hm_str_eq(m->normal, c->value.norm)) return false;
  if (!hm_str_eq(m->field, c->field) || !hm_str_eq(m->id, w->snap->rows[c->row].id)) return false;
  return p->against ? is_ref_of(m->conflicts_with, &w->snap->rows[p->against->row]) : !m->conflicts_with.n;
}

/* As it mostly is: the same members, which are in one order here and there. */
static bool all_recorded(const work *w, const hm_conflict_rec *rec, const hm_dispute *d) {
  bool same = rec->n_members == d->n && hm_str_is(rec->slot_kind, d->slot_kind);
  for (size_t i = 0; same && i < d->n; i++) same = is_recorded(w, &d->parties[i], &rec->members[i]);
  return same;
}

static void know_ids(work *w) {
  if (w->opens) return;
  w->opens = true;
  hm_map_init(&w->ids, w->a, w->snap->n_conflicts + w->disputes->n);
  for (size_t i = 0; i < w->snap->n_conflicts; i++) hm_map_add(&w->ids, w->snap->conflicts[i].id, 0);
}

/* "c" and 12 hex digits over the slot and how many conflicts it has had; another try where two slots meet. */
static hm_str new_id(work *w, hm_str slot_key, size_t had) {
  know_ids(w);
  for (size_t attempt = 0;; attempt++) {
    hm_sha256 h;
    hm_sha256_init(&h);
    hm_sha256_add(&h, slot_key);
    hm_sha256_add(&h, HM_STR("\x1f"));
    hm_sha256_add(&h, hm_str_fmt(w->scratch, "%zu", had));
    if (attempt) hm_sha256_add(&h, hm_str_fmt(w->scratch, ",%zu", attempt));
    hm_str id = hm_str_fmt(w->a, "c%.*s", HM_FMT(hm_sha256_hex(&h, w->scratch, 12)));
    if (hm_map_get(&w->ids, id) != HM_MAP_NONE) continue;
    hm_map_add(&w->ids, id, 0);
    return id;
  }
}

static void add_change(work *w, hm_change_kind kind, const hm_conflict_rec *rec) {
  w->plan->changes[w->plan->n++] = (hm_change){ kind, *rec };
  if (kind == HM_CHANGE_OPEN) w->plan->opened++;
  else w->plan->updated++;
}

static void update(work *w, const hm_dispute *d, hm_conflict_rec *open) {
  if (all_recorded(w, open, d)) return;
  hm_conflict_rec rec = *open;
  bool changed = !hm_str_is(rec.slot_kind, d->slot_kind);
  rec.slot_kind = hm_str_c(d->slot_kind);
  changed |= bring_members(w, &rec, d);
  rec.summed = false;
  if (!changed) return;
  *open = rec;
  add_change(w, HM_CHANGE_UPDATE, &rec);
}

static hm_conflict_rec open_new(work *w, const hm_dispute *d, size_t had) {
  hm_conflict_rec rec = { .id = new_id(w, d->slot_key, had), .slot_kind = hm_str_c(d->slot_kind),
                          .slot_key = d->slot_key, .project = w->snap->projects[d->project].id,
                          .status = HM_OPEN, .detected_at = w->at, .resolved_at = HM_EMPTY,
                          .resolution = HM_EMPTY, .resolved_by = HM_EMPTY, .action = HM_EMPTY,
                          .winner = HM_EMPTY, .rule = HM_STR(RULE), .rule_version = RULE_VERSION };
  bring_members(w, &rec, d);
  add_change(w, HM_CHANGE_OPEN, &rec);
  return rec;
}

static bool is_quiet(const hm_conflict_rec *c) {
  return c->status == HM_DISMISSED || (c->status == HM_RESOLVED && hm_str_is(c->action, "no_action"));
}

static bool settled(const work *w, const hm_dispute *d, const hm_conflict_rec *recs, size_t n) {
  const hm_conflict_rec **quiet = hm_alloc_array(w->scratch, n, sizeof *quiet);
  size_t n_quiet = 0;
  for (size_t i = 0; i < n; i++)
    if (is_quiet(&recs[i])) quiet[n_quiet++] = &recs[i];
  return hm_dispute_covered(w->snap, d, w->disputes->rules, quiet, n_quiet, w->scratch);
}

/* recs: the slot's conflicts, a copy that may be changed. True when *opened was filled. */
static bool decide(work *w, const hm_dispute *d, hm_conflict_rec *recs, size_t n, hm_conflict_rec *opened) {
  for (size_t i = 0; i < n; i++) {
    if (recs[i].status != HM_OPEN) continue;
    update(w, d, &recs[i]);
    return false;
  }
  if (n && settled(w, d, recs, n)) {
    w->plan->quiet++;
    return false;
  }
  *opened = open_new(w, d, n);
  return true;
}

static int by_key_and_id(const void *x, const void *y) {
  const hm_conflict_rec *a = x, *b = y;
  int d = hm_str_cmp(a->slot_key, b->slot_key);
  return d ? d : hm_str_cmp(a->id, b->id);
}

static void sort_conflicts(hm_conflict_rec *recs, size_t n) {
  size_t i = 1;
  while (i < n && by_key_and_id(&recs[i - 1], &recs[i]) <= 0) i++;
  if (i < n) qsort(recs, n, sizeof *recs, by_key_and_id);
}

/* Disputes and conflicts are both in the order of their slot keys: one walk over the two. */
static void walk(work *w) {
  const hm_disputes *ds = w->disputes;
  hm_conflict_rec *recs = w->plan->conflicts;
  size_t n_old = w->snap->n_conflicts, n = n_old, lo = 0;
  for (size_t i = 0; i < ds->n; i++) {
    hm_str key = ds->disputes[i].slot_key;
    while (lo < n_old && hm_str_cmp(recs[lo].slot_key, key) < 0) lo++;
    size_t hi = lo;
    while (hi < n_old && hm_str_eq(recs[hi].slot_key, key)) hi++;
    n += decide(w, &ds->disputes[i], recs + lo, hi - lo, &recs[n]);
    hm_arena_reset(w->scratch);
  }
  w->plan->n_conflicts = n;
  if (n > n_old) sort_conflicts(recs, n);
}

int hm_plan_of(const hm_snapshot *snap, const hm_disputes *d, hm_str at, hm_arena *a, hm_plan **out, hm_err *err) {
  (void)err;
  work w = { .snap = snap, .disputes = d, .at = at, .a = a, .scratch = hm_arena_new() };
  w.plan = *out = hm_alloc(a, sizeof **out);
  w.plan->changes = hm_alloc_array(a, d->n, sizeof *w.plan->changes);
  w.plan->conflicts = hm_alloc_array(a, snap->n_conflicts + d->n, sizeof *w.plan->conflicts);
  if (snap->n_conflicts)
    memcpy(w.plan->conflicts, snap->conflicts, snap->n_conflicts * sizeof *snap->conflicts);
  sort_conflicts(w.plan->conflicts, snap->n_conflicts);
  walk(&w);
  hm_arena_free(w.scratch);
  return 0;
}
