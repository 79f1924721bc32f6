/* Shared by conflicts of all rules: keys, contested times, anchors, pairs that contradict each
 * other. */
#include "core/detect/conflict.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/sort.h"
#include "core/claim/world.h"
#include "core/slot/slot_claims.h"

hm_str hm_conflict_rule(const hm_conflict_rec *rec) {
  return rec->rule.n ? rec->rule : HM_STR("slot");
}

/* Invalid project ids may be equal after repair, but two slots must not share a key; so their keys
 * have a fourth element, which no other key has. */
static hm_str key_of_odd_project(hm_arena *a, const hm_snapshot *snap, const hm_claim *c) {
  hm_str project = snap->projects[c->project].id;
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  hm_jw_str(&w, NULL, project);
  hm_jw_str(&w, NULL, c->space);
  hm_jw_str(&w, NULL, c->name);
  hm_jw_str(&w, NULL, hm_str_digest_hex(a, project, 64));
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

hm_str hm_conflict_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c) {
  hm_str project = snap->projects[c->project].id;
  bool is_text = !project.n || hm_text_repair(a, project).p == project.p;
  return is_text ? hm_claim_slot_key(a, snap, c) : key_of_odd_project(a, snap, c);
}

void hm_claim_stated_window(const hm_claim *c, hm_time *from, hm_time *until) {
  const hm_window *w = c->when;
  bool uncertain = w->begin.known && w->end.known && w->from >= w->until;
  hm_axis_range(w->axis, from, until);
  if (w->begin.known)
    *from = uncertain ? w->may_from : w->from;
  if (w->end.known)
    *until = uncertain ? w->may_until : w->ends_with ? w->end.first : w->until;
}

/* Begin and end alike mean the unit, or the instant; where the end may lie before the begin, the
 * possible window counts. */
void hm_conflict_stated_window(const hm_conflict_rec *rec, const hm_world *world, hm_time *from,
                               hm_time *until) {
  hm_bound begin = { 0 }, end = { 0 };
  hm_bounds_parse(world, rec->window_from, rec->window_until, &begin, &end);
  bool alike = begin.known && end.known && begin.first == end.first && begin.last == end.last;
  hm_axis_range(begin.known || !end.known ? begin.axis : end.axis, from, until);
  if (begin.known)
    *from = begin.first;
  if (end.known)
    *until = alike ? end.last + 1 : end.first;
  if (*from >= *until && begin.known && end.known)
    *until = end.last;
  if (*from < *until)
    return;
  *from = HM_TIME_MAX;
  *until = HM_TIME_MIN;
}

int hm_anchor_order(const hm_snapshot *snap, const hm_claim *x, const hm_claim *y) {
  const hm_row *a = &snap->rows[x->row], *b = &snap->rows[y->row];
  hm_time s = HM_TIME_MAX, t = HM_TIME_MAX;
  hm_precision p;
  if (!hm_time_parse(a->created_at, &s, &p))
    s = HM_TIME_MAX;
  if (!hm_time_parse(b->created_at, &t, &p))
    t = HM_TIME_MAX;
  if (s != t)
    return s < t ? -1 : 1;
  int d = hm_str_cmp(hm_str_c(hm_layer_name(a->layer)), hm_str_c(hm_layer_name(b->layer)));
  if (!d)
    d = hm_str_cmp(a->id, b->id);
  return d ? d : hm_str_cmp(x->field, y->field);
}

const hm_dispute *hm_disputes_of_slot_key(const hm_disputes *d, hm_str slot_key, size_t *n) {
  size_t lo = d->n
      ? hm_lower_bound(&d->disputes->slot_key, d->n, sizeof *d->disputes, &slot_key, hm_order_str)
      : 0;
  size_t hi = lo;
  while (hi < d->n && hm_str_eq(d->disputes[hi].slot_key, slot_key))
    hi++;
  *n = hi - lo;
  return d->disputes + lo;
}

/* --- which parties contradict each other -------------------------------------------------- */

int hm_party_pair_order(const void *x, const void *y) {
  const hm_party_pair *a = x, *b = y;
  int d = (a->x > b->x) - (a->x < b->x);
  return d ? d : (a->y > b->y) - (a->y < b->y);
}

static bool is_pair(const hm_dispute *d, size_t x, size_t y) {
  hm_party_pair p = { (uint32_t)(x < y ? x : y), (uint32_t)(x < y ? y : x) };
  return bsearch(&p, d->pairs, d->n_pairs, sizeof p, hm_party_pair_order) != NULL;
}

bool hm_parties_contradict(const hm_dispute *d, size_t x, size_t y, const hm_rules *rules) {
  const hm_party *a = &d->parties[x], *b = &d->parties[y];
  if (d->pairs)
    return is_pair(d, x, y);
  bool of_state = (a->claim->layer == HM_STATE) != (b->claim->layer == HM_STATE);
  if (of_state && (a->spared || b->spared))
    return false;
  if (a->thing && b->thing && a->thing != b->thing)
    return false;
  return hm_claim_disagree(a->claim, b->claim, rules, d->n);
}

/* Items are in the order of parties, as both are in member order; none where pairs are given. */
struct hm_opponents {
  const hm_dispute *d;
  hm_slot_claims slot;
};

hm_opponents *hm_opponents_new(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                               hm_arena *a) {
  hm_opponents *o = hm_alloc(a, sizeof *o);
  o->d = d;
  if (d->pairs)
    return o;
  const hm_claim **claims = hm_alloc_array(a, d->n, sizeof *claims);
  for (size_t i = 0; i < d->n; i++)
    claims[i] = d->parties[i].claim;
  hm_slot_claims_build(&o->slot, snap, claims, d->n, rules, a);
  for (size_t i = 0; i < d->n; i++) {
    o->slot.items[i].spared = d->parties[i].spared;
    o->slot.items[i].thing = d->parties[i].thing;
  }
  return o;
}

bool hm_opponents_contradict(const hm_opponents *o, size_t x, size_t y) {
  if (o->d->pairs)
    return is_pair(o->d, x, y);
  return hm_claims_contradict(&o->slot, &o->slot.items[x], &o->slot.items[y]);
}

void hm_opponents_mark_against_row(const hm_opponents *o, uint32_t row, bool *out) {
  const hm_dispute *d = o->d;
  for (size_t i = 0; i < d->n; i++)
    out[i] = false;
  for (size_t w = 0; w < d->n; w++) {
    if (d->parties[w].claim->row != row)
      continue;
    for (size_t i = 0; i < d->n; i++)
      out[i] = out[i] || hm_opponents_contradict(o, w, i);
  }
}
