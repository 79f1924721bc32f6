/* The texts of one slot as a story, and which claims of states and entities a later one overtook
 * (slot_claims.h).
 *
 * Values are small numbers, equal for all spellings of a value. Cost: pairs of claims (arc.h). */
#include <stdlib.h>

#include "core/base/sort.h"
#include "core/slot/slot_claims.h"

static bool differ(void *agreed, uint32_t x, uint32_t y) {
  const hm_agreed *g = agreed;
  const hm_claim *a = g->claims[x], *b = g->claims[y];
  const hm_prose_claim *p = &a->said->claim, *q = &b->said->claim;
  if ((p->also && (!q->only || q->also)) || (q->also && (!p->only || p->also)))
    return false;
  if (a->value.denied != b->value.denied || a->value.denied) {
    if (!hm_str_eq(hm_value_undenied_key(&a->value), hm_value_undenied_key(&b->value)))
      return false;
  }
  return (hm_claim_overlap(a, b) || hm_claim_may_overlap(a, b)) && !hm_agreed_ask(g, x, y);
}

static int by_member(const void *x, const void *y, void *snap) {
  return hm_claim_member_order(snap, *(const hm_claim *const *)x, *(const hm_claim *const *)y);
}

static hm_arc_claim arc_claim(const hm_claim *c, hm_numbering *values) {
  const hm_story_claim *s = c->said;
  return (hm_arc_claim){ .at = s->at,
                         .agent = s->agent,
                         .scope = s->scope,
                         .qualifier = s->claim.qualifier,
                         .version = s->version,
                         .value = hm_numbering_add(values, s->key),
                         .left = s->left.n ? hm_numbering_add(values, s->left) : HM_ARC_NONE,
                         .row = c->row,
                         .by = s->by,
                         .retired = s->past,
                         .settles = s->settles,
                         .via = s->via,
                         .log = s->log,
                         .origin = s->origin,
                         .status = s->claim.shape == HM_SHAPE_STATUS,
                         .ends = s->ends };
}

hm_slot_story *hm_slot_story_build(const hm_snapshot *snap, const hm_claim *const *claims, size_t n,
                                   const hm_rules *rules, hm_arena *a) {
  size_t texts = 0;
  for (size_t i = 0; i < n; i++)
    texts += claims[i]->said && !claims[i]->said->mention;
  if (!texts)
    return NULL;
  hm_slot_story *s = hm_alloc(a, sizeof *s);
  *s = (hm_slot_story){ .claims = hm_alloc_array(a, texts, sizeof *s->claims),
                        .mentions = hm_alloc_array(a, n - texts, sizeof *s->mentions) };
  for (size_t i = 0; i < n; i++) {
    if (!claims[i]->said)
      continue;
    if (claims[i]->said->mention)
      s->mentions[s->n_mentions++] = claims[i];
    else
      s->claims[s->n++] = claims[i];
  }
  qsort_r(s->claims, s->n, sizeof *s->claims, by_member, (void *)snap);
  if (s->n_mentions)
    qsort_r(s->mentions, s->n_mentions, sizeof *s->mentions, by_member, (void *)snap);
  hm_arc_claim *v = hm_alloc_array(a, s->n, sizeof *v);
  hm_numbering values;
  hm_numbering_init(&values, a);
  for (size_t i = 0; i < s->n; i++)
    v[i] = arc_claim(s->claims[i], &values);
  hm_agreed agreed;
  hm_agreed_init(&agreed, s->claims, s->n, hm_rules_tolerance(rules, s->claims[0]->name), a);
  hm_time gap = (hm_time)hm_story_session_gap(rules->story) * 1000000;
  hm_find_overtaken_claims(&s->arc, v, s->n, &(hm_arc_rules){ differ, &agreed, gap }, a);
  return s;
}

typedef struct {
  const hm_snapshot *snap;
  const hm_claim *claim;
} member_key;

static int by_key(const void *item, const void *key) {
  const member_key *k = key;
  return hm_claim_member_order(k->snap, *(const hm_claim *const *)item, k->claim);
}

const hm_arc_end *hm_slot_story_end(const hm_slot_story *s, const hm_snapshot *snap,
                                    const hm_claim *c) {
  if (!s || !c->said || c->said->mention)
    return NULL;
  size_t lo = hm_lower_bound(s->claims, s->n, sizeof *s->claims, &(member_key){ snap, c }, by_key);
  for (; lo < s->n && hm_claim_member_order(snap, s->claims[lo], c) == 0; lo++)
    if (s->claims[lo] == c)
      return &s->arc.ends[lo];
  return NULL;
}

/* --- states and entities -------------------------------------------------------------------- */

typedef struct {
  const hm_claim *claim;
  size_t at; /* in the slot */
} written;

static int by_author(const void *x, const void *y, void *snap) {
  const hm_claim *a = ((const written *)x)->claim, *b = ((const written *)y)->claim;
  int d = hm_str_cmp(a->author, b->author);
  if (!d)
    d = (a->stands > b->stands) - (a->stands < b->stands);
  return d ? d : hm_claim_member_order(snap, a, b);
}

const hm_claim **hm_slot_find_progress(const hm_snapshot *snap, const hm_claim *const *claims,
                                       size_t n, const hm_rules *rules, hm_arena *a) {
  const hm_claim **by = hm_alloc_array(a, n, sizeof *by);
  written *v = hm_alloc_array(a, n, sizeof *v);
  size_t n_written = 0;
  for (size_t i = 0; i < n; i++)
    if (claims[i]->author.n && claims[i]->stands != HM_TIME_MIN)
      v[n_written++] = (written){ claims[i], i };
  if (n_written < 2)
    return by;
  qsort_r(v, n_written, sizeof *v, by_author, (void *)snap);
  hm_agreed agreed;
  hm_agreed_init(&agreed, claims, n, hm_rules_tolerance(rules, claims[0]->name), a);
  for (size_t i = 0; i < n_written; i++) {
    const hm_claim *x = v[i].claim;
    for (size_t k = i + 1; k < n_written && !by[v[i].at]; k++) {
      const hm_claim *y = v[k].claim;
      if (!hm_str_eq(y->author, x->author))
        break;
      bool one_thing = !x->thing || !y->thing || x->thing == y->thing;
      if (y->stands - x->stands >= HM_ARC_HOUR && one_thing &&
          !hm_agreed_ask(&agreed, v[i].at, v[k].at) && hm_claim_comparable(x, y) &&
          hm_claim_overlap(x, y))
        by[v[i].at] = y;
    }
  }
  return by;
}
