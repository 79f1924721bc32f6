#include "core/detect/conflict.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/detect/dispute.h"
#include "core/detect/group.h"

/* A thread's memory: what it found, and what it needs for one slot. */
typedef struct { hm_arena *kept, *scratch; } desk;

typedef struct {
  const hm_snapshot *snap;
  const hm_claims *claims;
  const hm_rules *rules;
  hm_groups groups;
  hm_dispute *found;      /* one a group; n == 0: not disputed */
  desk *desks;
} work;

/* Project ids that are no text look alike once they are repaired, and two slots must not share a key: theirs has
 * a fourth element, which no other key has. */
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

static int judge(void *ctx, size_t i, int worker) {
  work *w = ctx;
  desk *d = &w->desks[worker];
  const hm_group *g = &w->groups.groups[i];
  const hm_claim **claims = hm_alloc_array(d->scratch, g->n, sizeof *claims);
  for (size_t k = 0; k < g->n; k++) claims[k] = &w->claims->claims[g->refs[k].claim];
  hm_slot slot;
  hm_slot_of(&slot, w->snap, claims, g->n, w->rules, d->scratch);
  if (hm_dispute_of(&w->found[i], &slot, d->kept, d->scratch))
    w->found[i].slot_key = hm_conflict_slot_key(d->kept, w->snap, claims[0]);
  hm_arena_reset(d->scratch);
  return 0;
}

static int by_key(const void *x, const void *y) {
  return hm_str_cmp(((const hm_dispute *)x)->slot_key, ((const hm_dispute *)y)->slot_key);
}

static hm_dispute keep(const hm_dispute *d, hm_arena *a) {
  hm_dispute out = *d;
  out.slot_key = hm_str_dup(a, d->slot_key);
  out.parties = hm_alloc_array(a, d->n, sizeof *out.parties);
  memcpy(out.parties, d->parties, d->n * sizeof *out.parties);
  return out;
}

static hm_disputes *gather(const work *w, hm_arena *a) {
  hm_disputes *out = hm_alloc(a, sizeof *out);
  *out = (hm_disputes){ .slots = w->groups.slots, .rules = w->rules };
  for (size_t i = 0; i < w->groups.n; i++) out->n += w->found[i].n > 0;
  out->disputes = hm_alloc_array(a, out->n, sizeof *out->disputes);
  size_t at = 0;
  for (size_t i = 0; i < w->groups.n; i++)
    if (w->found[i].n) out->disputes[at++] = keep(&w->found[i], a);
  qsort(out->disputes, out->n, sizeof *out->disputes, by_key);
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

int hm_disputes_of(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules, int threads, hm_arena *a,
                   hm_disputes **out, hm_err *err) {
  if (claims->n >= UINT32_MAX)
    return hm_fail(err, HM_E_STORE, "sweep", "the store holds over four billion claims", "split it by project");
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

const hm_dispute *hm_disputes_find(const hm_disputes *d, hm_str slot_key) {
  hm_dispute key = { .slot_key = slot_key };
  return d->n ? bsearch(&key, d->disputes, d->n, sizeof *d->disputes, by_key) : NULL;
}
