#include "core/detect/dispute.h"

#include <stdlib.h>

#include "core/base/time.h"

#include "core/detect/agreement.h"
#include "core/detect/clash_search.h"
#include "core/detect/components.h"

#define RULE "slot"
enum { RULE_VERSION = 1 };

/* One component. */
typedef struct {
  const hm_slot *s;
  const hm_snapshot *snap;
  const uint32_t *items; size_t n;    /* in member order */
  hm_clash_search *first;             /* over items */
  hm_arena *scratch;
} inquiry;

static const hm_slot_item *item(const inquiry *q, size_t i) { return &q->s->items[q->items[i]]; }

/* --- flags ---------------------------------------------------------------------- */

/* The entities among the members, asked whether one says what a memory says. */
static hm_agreement *entities_of(const inquiry *q) {
  uint32_t *v = hm_alloc_array(q->scratch, q->n, sizeof *v);
  size_t n = 0;
  for (size_t i = 0; i < q->n; i++)
    if (item(q, i)->claim->layer == HM_ENTITY) v[n++] = q->items[i];
  return hm_agreement_new(q->s, v, n, q->scratch);
}

/* Flagged: contradicts a member of higher trust and agrees with no overlapping member of that
 * trust. Members are in the order of trust, so the first that a claim contradicts has the highest.
 * Whoever contradicts a state agrees with none (slot.h); a memory may agree with another entity. */
static void fill_parties(hm_dispute *d, const inquiry *q, hm_arena *a) {
  hm_agreement *entities = NULL;
  d->n = q->n;
  d->parties = hm_alloc_array(a, q->n, sizeof *d->parties);
  for (size_t i = 0; i < q->n; i++) {
    const hm_slot_item *x = item(q, i);
    hm_party *p = &d->parties[i];
    *p = (hm_party){ .claim = x->claim, .spared = x->spared };
    if (x->claim->layer == item(q, 0)->claim->layer) continue;
    const hm_claim *foe = item(q, hm_clash_first(q->first, x, q->n))->claim;
    if (foe->layer <= x->claim->layer) continue;
    if (foe->layer == HM_ENTITY && !entities) entities = entities_of(q);
    p->flagged = foe->layer == HM_STATE || x->claim->value.denied || !hm_agreement_any(entities, x);
    if (p->flagged) p->against = foe;
  }
}

static const char *kind_of(const hm_dispute *d) {
  static const char *const same[] = { [HM_MEMORY] = "memory_slot", [HM_ENTITY] = "entity_slot",
                                      [HM_STATE] = "state_slot" };
  hm_layer l = d->parties[0].claim->layer;
  return l == d->parties[d->n - 1].claim->layer ? same[l] : "cross_layer";
}

/* --- the anchor ------------------------------------------------------------------- */

int hm_anchor_order(const hm_snapshot *snap, const hm_claim *x, const hm_claim *y) {
  const hm_row *a = &snap->rows[x->row], *b = &snap->rows[y->row];
  hm_time s = HM_TIME_MAX, t = HM_TIME_MAX;
  hm_precision p;
  if (!hm_time_parse(a->created_at, &s, &p)) s = HM_TIME_MAX;
  if (!hm_time_parse(b->created_at, &t, &p)) t = HM_TIME_MAX;
  if (s != t) return s < t ? -1 : 1;
  int d = hm_str_cmp(hm_str_c(hm_layer_kind(a->layer)), hm_str_c(hm_layer_kind(b->layer)));
  if (!d) d = hm_str_cmp(a->id, b->id);
  return d ? d : hm_str_cmp(x->field, y->field);
}

static void set_anchor(hm_dispute *d, const hm_snapshot *snap) {
  d->anchor = d->parties[0].claim;
  for (size_t i = 1; i < d->n; i++)
    if (hm_anchor_order(snap, d->parties[i].claim, d->anchor) < 0) d->anchor = d->parties[i].claim;
}

/* --- since when, and over what time --------------------------------------------------- */

typedef struct { hm_time key; uint32_t item; } keyed;

static int by_key(const void *x, const void *y) {
  const keyed *a = x, *b = y;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

static hm_time stands_of(const hm_claim *c) { return c->stands; }

static hm_time from_of(const hm_claim *c) {
  hm_time from, until;
  hm_claim_stated(c, &from, &until);
  return from;
}

/* What ends last comes first. */
static hm_time until_of(const hm_claim *c) {
  hm_time from, until;
  hm_claim_stated(c, &from, &until);
  return until == HM_TIME_MAX ? HM_TIME_MIN : -until;
}

/* Of all pairs that contradict each other, one whose later key is least: the first, in the order of
 * keys, that contradicts one before it. Claims of key `skip` are left out; false: no pair is left.
 */
static bool least_pair(const inquiry *q, hm_time (*key)(const hm_claim *), hm_time skip,
                       hm_time *out, uint32_t pair[2]) {
  keyed *v = hm_alloc_array(q->scratch, q->n, sizeof *v);
  uint32_t *order = hm_alloc_array(q->scratch, q->n, sizeof *order);
  size_t n = 0;
  for (size_t i = 0; i < q->n; i++) {
    hm_time k = key(item(q, i)->claim);
    if (k != skip) v[n++] = (keyed){ k, q->items[i] };
  }
  if (n) qsort(v, n, sizeof *v, by_key);
  for (size_t i = 0; i < n; i++) order[i] = v[i].item;
  hm_clash_search *f = hm_clash_search_new(q->s, order, n, q->scratch);
  for (size_t i = 1; i < n; i++) {
    size_t got = hm_clash_first(f, &q->s->items[order[i]], i);
    if (got == HM_CLASH_NONE) continue;
    *out = v[i].key;
    pair[0] = order[got];
    pair[1] = order[i];
    return true;
  }
  return false;
}

static void set_first(hm_dispute *d, const inquiry *q, uint32_t a, uint32_t b) {
  d->first[0] = q->s->items[a < b ? a : b].claim;
  d->first[1] = q->s->items[a < b ? b : a].claim;
}

static void fill_since(hm_dispute *d, const inquiry *q) {
  uint32_t pair[2] = { q->items[0], 0 };
  if (!least_pair(q, stands_of, HM_TIME_MIN, &d->since, pair)) {
    d->since = HM_TIME_MIN;
    pair[1] = q->items[hm_clash_first(q->first, item(q, 0), q->n)];
  }
  set_first(d, q, pair[0], pair[1]);
}

/* From when the first pair contradicts each other until when the last one does: the later begin of
 * the one, the earlier end of the other. */
static void fill_window(hm_dispute *d, const inquiry *q) {
  uint32_t pair[2] = { q->items[0], q->items[0] };
  hm_time unused;
  least_pair(q, from_of, HM_TIME_MAX, &unused, pair);
  const hm_claim *begins = q->s->items[pair[1]].claim;
  least_pair(q, until_of, HM_TIME_MAX, &unused, pair);
  const hm_claim *ends = q->s->items[pair[1]].claim;
  d->begin = begins->when.begin;
  d->end = ends->when.end;
  hm_claim_stated(begins, &d->from, &unused);
  hm_claim_stated(ends, &unused, &d->until);
}

static void fill(hm_dispute *d, const inquiry *q, hm_arena *a) {
  *d = (hm_dispute){ .rule = RULE,
                     .rule_version = RULE_VERSION,
                     .project = item(q, 0)->claim->project };
  fill_parties(d, q, a);
  d->slot_kind = kind_of(d);
  set_anchor(d, q->snap);
  fill_since(d, q);
  fill_window(d, q);
}

/* Pointers into one array: of equal times the one with the first party comes first. */
static int by_time(const void *x, const void *y) {
  const hm_dispute *a = *(const hm_dispute *const *)x, *b = *(const hm_dispute *const *)y;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->until != b->until) return a->until < b->until ? -1 : 1;
  return (a > b) - (a < b);
}

hm_dispute *hm_disputes_of_slot(hm_slot *s, const hm_snapshot *snap, size_t *n, hm_arena *a,
                                hm_arena *scratch) {
  hm_components c;
  hm_slot_spare(s, scratch);
  hm_components_of(&c, s, scratch);
  hm_dispute *found = hm_alloc_array(scratch, c.n, sizeof *found),
             *out = hm_alloc_array(a, c.n, sizeof *out);
  const hm_dispute **order = hm_alloc_array(scratch, c.n, sizeof *order);
  for (size_t i = 0; i < c.n; i++) {
    inquiry q = { .s = s,
                  .snap = snap,
                  .items = c.items + c.first[i],
                  .n = c.first[i + 1] - c.first[i],
                  .scratch = scratch };
    q.first = hm_clash_search_new(s, q.items, q.n, scratch);
    fill(&found[i], &q, a);
    order[i] = &found[i];
  }
  if (c.n) qsort(order, c.n, sizeof *order, by_time);
  for (size_t i = 0; i < c.n; i++) out[i] = *order[i];
  *n = c.n;
  return out;
}
