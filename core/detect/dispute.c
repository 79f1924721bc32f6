#include "core/detect/dispute.h"

#include <stdlib.h>
#include <string.h>

#include "core/detect/numbering.h"

#define NOBODY UINT32_MAX

typedef struct {
  const hm_slot *s;
  uint32_t *foe;        /* of each item: the first that it disagrees with, or NOBODY */
  uint32_t *fighters;   /* the items that disagree, in member order */
  size_t n_fighters;
  hm_arena *scratch;
} inquiry;

/* What was answered to the last claim of one kind, type and normal form: another one in the same window gets the same
 * answer, and where nobody was found nobody is in any part of the window. */
typedef struct { hm_time from, until; uint32_t foe; bool asked; } answer;

static bool still_holds(const answer *last, const hm_claim *c) {
  if (!last->asked) return false;
  if (last->foe == NOBODY) return last->from <= c->when.from && c->when.until <= last->until;
  return last->from == c->when.from && last->until == c->when.until;
}

/* Few words that stand for all that a search depends on besides the window. */
static hm_str kind_of_claim(const hm_slot_item *it, hm_arena *a) {
  uint32_t *k = hm_alloc_array(a, 4, sizeof *k);
  k[0] = (uint32_t)it->claim->layer;
  k[1] = it->norm;
  k[2] = it->type;
  k[3] = it->compare;
  return (hm_str){ (const char *)k, 4 * sizeof *k };
}

static void ask_all(inquiry *q, hm_finder *f) {
  const hm_slot *s = q->s;
  hm_numbering kinds;
  hm_numbering_init(&kinds, q->scratch);
  answer *answers = hm_alloc_array(q->scratch, s->n, sizeof *answers);
  for (size_t i = 0; i < s->n; i++) {
    const hm_slot_item *it = &s->items[i];
    answer *last = &answers[hm_numbering_of(&kinds, kind_of_claim(it, q->scratch))];
    if (!still_holds(last, it->claim)) {
      size_t got = hm_finder_foe(f, it, s->n);
      *last = (answer){ it->claim->when.from, it->claim->when.until, got == HM_FINDER_NONE ? NOBODY : (uint32_t)got, true };
    }
    q->foe[i] = last->foe;
  }
}

static void find_foes(inquiry *q) {
  const hm_slot *s = q->s;
  uint32_t *all = hm_alloc_array(q->scratch, s->n, sizeof *all);
  for (size_t i = 0; i < s->n; i++) all[i] = (uint32_t)i;
  q->foe = hm_alloc_array(q->scratch, s->n, sizeof *q->foe);
  q->fighters = hm_alloc_array(q->scratch, s->n, sizeof *q->fighters);
  ask_all(q, hm_finder_new(s, all, s->n, q->scratch));
  for (size_t i = 0; i < s->n; i++)
    if (q->foe[i] != NOBODY) q->fighters[q->n_fighters++] = (uint32_t)i;
}

/* Who disagrees with nobody agrees with every comparable claim that it overlaps with, and so belongs to the
 * dispute as soon as one of these disagrees with somebody. */
static size_t find_parties(const inquiry *q, uint32_t *parties) {
  const hm_slot *s = q->s;
  hm_finder *f = q->n_fighters < s->n ? hm_finder_new(s, q->fighters, q->n_fighters, q->scratch) : NULL;
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (q->foe[i] != NOBODY || hm_finder_meets(f, &s->items[i])) parties[n++] = (uint32_t)i;
  return n;
}

/* The first that a party disagrees with, in member order, has the most trust of all that it disagrees with. */
static void fill_party(hm_party *p, const inquiry *q, uint32_t item, hm_layer highest) {
  const hm_slot_item *items = q->s->items;
  uint32_t foe = q->foe[item];
  *p = (hm_party){ .claim = items[item].claim, .disagrees = foe != NOBODY };
  p->flagged = p->disagrees && p->claim->layer < highest && items[foe].claim->layer == highest;
  if (p->flagged) p->against = items[foe].claim;
}

static const char *kind_of(const hm_dispute *d) {
  static const char *const same[] = { [HM_MEMORY] = "memory_slot", [HM_ENTITY] = "entity_slot",
                                      [HM_STATE] = "state_slot" };
  hm_layer l = d->parties[0].claim->layer;
  return l == d->parties[d->n - 1].claim->layer ? same[l] : "cross_layer";
}

typedef struct { hm_time stands; uint32_t item; } standing;

static int by_stands(const void *x, const void *y) {
  const standing *a = x, *b = y;
  if (a->stands != b->stands) return a->stands < b->stands ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/* Fighters whose beginning is known, in its order. */
static size_t order_by_stands(const inquiry *q, uint32_t *order) {
  standing *v = hm_alloc_array(q->scratch, q->n_fighters, sizeof *v);
  size_t n = 0;
  for (size_t i = 0; i < q->n_fighters; i++) {
    hm_time t = q->s->items[q->fighters[i]].claim->stands;
    if (t != HM_TIME_MIN) v[n++] = (standing){ t, q->fighters[i] };
  }
  qsort(v, n, sizeof *v, by_stands);
  for (size_t i = 0; i < n; i++) order[i] = v[i].item;
  return n;
}

static void set_first(hm_dispute *d, const inquiry *q, uint32_t a, uint32_t b) {
  d->first[0] = q->s->items[a < b ? a : b].claim;
  d->first[1] = q->s->items[a < b ? b : a].claim;
}

/* The first, in order of beginning, that disagrees with one that began before. */
static void find_since(hm_dispute *d, const inquiry *q) {
  uint32_t *order = hm_alloc_array(q->scratch, q->n_fighters, sizeof *order);
  size_t n = order_by_stands(q, order);
  hm_finder *f = hm_finder_new(q->s, order, n, q->scratch);
  for (size_t i = 1; i < n; i++) {
    const hm_slot_item *x = &q->s->items[order[i]];
    size_t got = hm_finder_foe(f, x, i);
    if (got == HM_FINDER_NONE) continue;
    d->since = x->claim->stands;
    set_first(d, q, order[i], order[got]);
    return;
  }
  d->since = HM_TIME_MIN;
  set_first(d, q, q->fighters[0], q->foe[q->fighters[0]]);
}

bool hm_dispute_of(hm_dispute *out, const hm_slot *s, hm_arena *a, hm_arena *scratch) {
  inquiry q = { .s = s, .scratch = scratch };
  find_foes(&q);
  if (!q.n_fighters) return false;
  uint32_t *parties = hm_alloc_array(scratch, s->n, sizeof *parties);
  size_t n = find_parties(&q, parties);
  *out = (hm_dispute){ .project = s->items[0].claim->project, .n = n };
  out->parties = hm_alloc_array(a, n, sizeof *out->parties);
  hm_layer highest = s->items[parties[0]].claim->layer;
  for (size_t i = 0; i < n; i++) fill_party(&out->parties[i], &q, parties[i], highest);
  out->slot_kind = kind_of(out);
  find_since(out, &q);
  return true;
}
