/* The texts of one slot as a story (slot_claims.h).
 *
 * Values are small numbers, equal for all spellings of a value. Cost: O(claims log claims) per
 * slot; a claim also skips earlier ones that agree in another spelling, all of one wording at
 * once. */
#include <stdlib.h>
#include <string.h>

#include "core/detect/slot_claims.h"

enum { FEW = 32 }; /* claims that are compared one by one */

typedef struct {
  const hm_slot_story *story;
  const hm_tolerance *tol;
} comparison;

static bool differ(void *ctx, uint32_t x, uint32_t y) {
  const comparison *c = ctx;
  const hm_claim *a = c->story->claims[x], *b = c->story->claims[y];
  const hm_prose_claim *p = &a->said->claim, *q = &b->said->claim;
  if ((p->also && (!q->only || q->also)) || (q->also && (!p->only || p->also)))
    return false;
  if (a->value.denied != b->value.denied || a->value.denied) {
    if (!hm_str_eq(hm_value_undenied_key(&a->value), hm_value_undenied_key(&b->value)))
      return false;
  }
  return (hm_claim_overlap(a, b) || hm_claim_may_overlap(a, b)) &&
      !hm_claim_values_agree(a, b, c->tol) && !hm_claim_refines(a, b, c->story->n);
}

static int by_member(const void *x, const void *y, void *snap) {
  return hm_claim_member_order(snap, *(const hm_claim *const *)x, *(const hm_claim *const *)y);
}

typedef struct {
  hm_numbering values, words, wordings;
  hm_arena *a;
} numbers;

/* A number, above 0, for all that `differ` reads of a claim. */
static uint32_t wording_of(numbers *x, const hm_claim *c) {
  const hm_story_claim *s = c->said;
  const hm_str words[] = { c->value.norm, c->value.raw, c->compare,     c->field,        s->text,
                           s->key,        s->version,   s->claim.value, s->claim.reading };
  const uint64_t rest[] = { (uintptr_t)c->when,
                            (uintptr_t)c->containment,
                            c->layer,
                            c->value.kind,
                            (uint64_t)(s->claim.only | s->claim.also << 1 | s->about << 2),
                            hm_claim_is_age(c) ? (uint64_t)s->at : 0 };
  size_t n = HM_COUNT(words), size = n * sizeof(uint64_t) + sizeof rest;
  uint64_t *k = hm_alloc(x->a, size);
  for (size_t i = 0; i < n; i++)
    k[i] = hm_numbering_add(&x->words, words[i]);
  memcpy(k + n, rest, sizeof rest);
  return 1 + hm_numbering_add(&x->wordings, (hm_str){ (const char *)k, size });
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
                         .log = s->claim.shape == HM_SHAPE_STATUS,
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
  numbers x = { .a = a };
  hm_arc_claim *v = hm_alloc_array(a, s->n, sizeof *v);
  hm_numbering_init(&x.values, a);
  hm_numbering_init(&x.words, a);
  hm_numbering_init(&x.wordings, a);
  for (size_t i = 0; i < s->n; i++)
    v[i] = arc_claim(s->claims[i], &x.values);
  for (size_t i = 0; i < s->n && s->n > FEW; i++)
    v[i].wording = wording_of(&x, s->claims[i]);
  comparison *c = hm_alloc(a, sizeof *c);
  *c = (comparison){ s, hm_rules_tolerance(rules, s->claims[0]->name) };
  hm_time gap = (hm_time)hm_story_session_gap(rules->story) * 1000000;
  hm_find_overtaken_claims(&s->arc, v, s->n, &(hm_arc_rules){ differ, c, gap }, a);
  return s;
}

const hm_arc_end *hm_slot_story_end(const hm_slot_story *s, const hm_snapshot *snap,
                                    const hm_claim *c) {
  if (!s || !c->said || c->said->mention)
    return NULL;
  size_t lo = 0, hi = s->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (hm_claim_member_order(snap, s->claims[mid], c) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  for (; lo < s->n && hm_claim_member_order(snap, s->claims[lo], c) == 0; lo++)
    if (s->claims[lo] == c)
      return &s->arc.ends[lo];
  return NULL;
}
