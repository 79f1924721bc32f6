#include "core/detect/conflict.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/detect/dispute.h"
#include "core/detect/finding.h"
#include "core/detect/group.h"
#include "core/detect/may_overlap.h"

/* A thread's memory: what it found, and what it needs for one slot. */
typedef struct { hm_arena *kept, *scratch; } desk;

typedef struct {
  const hm_snapshot *snap;
  const hm_claims *claims;
  const hm_rules *rules;
  hm_groups groups;
  /* Of each group. may: claims that may overlap. */
  struct { hm_dispute *v; size_t n; hm_str key; const hm_claim **may; size_t n_may; } *found;
  desk *desks;
} work;

/* Project ids that are no text look alike once they are repaired, and two slots must not share a
 * key: theirs has a fourth element, which no other key has. */
static hm_str key_of_odd_project(hm_arena *a, const hm_snapshot *snap, const hm_claim *c) {
  hm_str project = snap->projects[c->project].id;
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  hm_jw_str(&w, NULL, project);
  hm_jw_str(&w, NULL, c->memory_type);
  hm_jw_str(&w, NULL, c->name);
  hm_jw_str(&w, NULL, hm_digest_hex(a, project, 64));
  hm_jw_end(&w);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

hm_str hm_conflict_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c) {
  hm_str project = snap->projects[c->project].id;
  bool is_text = !project.n || hm_text_repair(a, project).p == project.p;
  return is_text ? hm_claim_slot_key(a, snap, c) : key_of_odd_project(a, snap, c);
}

void hm_claim_stated(const hm_claim *c, hm_time *from, hm_time *until) {
  *from = c->when.begin.known ? c->when.from : HM_TIME_MIN;
  *until = c->when.end.known ? c->when.until : HM_TIME_MAX;
}

/* Begin and end alike mean the unit, or the instant. */
void hm_conflict_stated(const hm_conflict_rec *rec, hm_time *from, hm_time *until) {
  hm_bound begin = { 0 }, end = { 0 };
  if (!hm_bound_read(rec->window_from, &begin)) begin.known = false;
  if (!hm_bound_read(rec->window_until, &end)) end.known = false;
  bool alike = begin.known && end.known && begin.first == end.first && begin.last == end.last;
  *from = begin.known ? begin.first : HM_TIME_MIN;
  *until = !end.known ? HM_TIME_MAX : alike ? end.last + 1 : end.first;
  if (*from < *until) return;
  *from = HM_TIME_MAX;
  *until = HM_TIME_MIN;
}

static int judge(void *ctx, size_t i, int worker) {
  work *w = ctx;
  desk *d = &w->desks[worker];
  const hm_group *g = &w->groups.groups[i];
  const hm_claim **claims = hm_alloc_array(d->scratch, g->n, sizeof *claims);
  for (size_t k = 0; k < g->n; k++) claims[k] = &w->claims->claims[g->refs[k].claim];
  hm_slot slot;
  hm_slot_of(&slot, w->snap, claims, g->n, w->rules, d->scratch);
  w->found[i].v = hm_disputes_of_slot(&slot, w->snap, &w->found[i].n, d->kept, d->scratch);
  bool *may = hm_alloc_array(d->scratch, slot.n, sizeof *may),
       any = hm_slot_may_overlap(&slot, may);
  if (any) w->found[i].may = hm_alloc_array(d->kept, slot.n, sizeof *w->found[i].may);
  for (size_t k = 0; k < slot.n && any; k++)
    if (may[k]) w->found[i].may[w->found[i].n_may++] = slot.items[k].claim;
  w->found[i].key =
      w->found[i].n || any ? hm_conflict_slot_key(d->kept, w->snap, claims[0]) : HM_EMPTY;
  for (size_t k = 0; k < w->found[i].n; k++) w->found[i].v[k].slot_key = w->found[i].key;
  hm_arena_reset(d->scratch);
  return 0;
}

/* Disputes of one slot stand in one array, in their order. */
static int by_key(const void *x, const void *y) {
  const hm_dispute *a = *(const hm_dispute *const *)x, *b = *(const hm_dispute *const *)y;
  int d = hm_str_cmp(a->slot_key, b->slot_key);
  return d ? d : (a > b) - (a < b);
}

static hm_dispute keep(const hm_dispute *d, hm_arena *a) {
  hm_dispute out = *d;
  out.slot_key = hm_str_dup(a, d->slot_key);
  out.parties = hm_alloc_array(a, d->n, sizeof *out.parties);
  memcpy(out.parties, d->parties, d->n * sizeof *out.parties);
  return out;
}

static void gather_findings(const work *w, hm_disputes *out, hm_arena *a) {
  size_t claims = 0;
  for (size_t i = 0; i < w->groups.n; i++) claims += w->found[i].n_may;
  hm_finding_list l = { .a = a };
  out->may = hm_alloc_array(a, claims, sizeof *out->may);
  for (size_t i = 0; i < w->groups.n; i++) {
    size_t n = w->found[i].n_may;
    if (!n) continue;
    memcpy(out->may + out->n_may, w->found[i].may, n * sizeof *out->may);
    hm_finding_add(&l,
                   hm_may_overlap_finding(w->snap, w->found[i].key, out->may + out->n_may, n, a));
    out->n_may += n;
  }
  out->findings = l.v;
  out->n_findings = l.n;
}

static hm_disputes *gather(const work *w, hm_arena *a) {
  hm_disputes *out = hm_alloc(a, sizeof *out);
  *out = (hm_disputes){ .slots = w->groups.slots, .rules = w->rules, .claims = w->claims };
  for (size_t i = 0; i < w->groups.n; i++) out->n += w->found[i].n;
  const hm_dispute **order = hm_xmalloc(out->n * sizeof *order);
  size_t at = 0;
  for (size_t i = 0; i < w->groups.n; i++)
    for (size_t k = 0; k < w->found[i].n; k++) order[at++] = &w->found[i].v[k];
  if (at) qsort(order, at, sizeof *order, by_key);
  out->disputes = hm_alloc_array(a, out->n, sizeof *out->disputes);
  for (size_t i = 0; i < out->n; i++) out->disputes[i] = keep(order[i], a);
  free(order);
  gather_findings(w, out, a);
  return out;
}

static desk *desks_new(int n) {
  desk *d = hm_xmalloc((size_t)n * sizeof *d);
  for (int i = 0; i < n; i++) d[i] = (desk){ hm_arena_new(), hm_arena_new() };
  return d;
}

static void desks_free(desk *d, int n) {
  for (int i = 0; i < n; i++) {
    hm_arena_free(d[i].kept);
    hm_arena_free(d[i].scratch);
  }
  free(d);
}

int hm_disputes_of(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                   int threads, hm_arena *a, hm_disputes **out, hm_err *err) {
  if (claims->n >= UINT32_MAX)
    return hm_fail(err, HM_E_STORE, "sweep", "the store holds over four billion claims",
                   "split it by project");
  if (threads < 1) threads = 1;
  work w = { .snap = snap, .claims = claims, .rules = rules };
  hm_groups_of(claims->claims, claims->n, threads, &w.groups);
  w.found = hm_xmalloc(w.groups.n * sizeof *w.found);
  memset(w.found, 0, w.groups.n * sizeof *w.found);
  w.desks = desks_new(threads);
  hm_par_for(w.groups.n, threads, judge, &w, NULL);
  *out = gather(&w, a);
  desks_free(w.desks, threads);
  free(w.found);
  hm_groups_free(&w.groups);
  return 0;
}

const hm_dispute *hm_disputes_on(const hm_disputes *d, hm_str slot_key, size_t *n) {
  size_t lo = 0, hi = d->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (hm_str_cmp(d->disputes[mid].slot_key, slot_key) < 0) lo = mid + 1;
    else hi = mid;
  }
  for (hi = lo; hi < d->n && hm_str_eq(d->disputes[hi].slot_key, slot_key);) hi++;
  *n = hi - lo;
  return d->disputes + lo;
}
