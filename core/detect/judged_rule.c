/* Conflicts that a model proposed, or a person confirmed: rows of a proposal that still say what
 * was judged. Of a model's all contradict each other; of similar texts those of which one denies
 * the other, or all that say the same. Cost: the pairs of a proposal, which has 64 rows at most. */
#include "core/claim/judged.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"
#include "core/recall/similar.h"

enum { PARTIES_MAX = 64 };   /* of a proposal that another program wrote */

int hm_find_judged(const hm_scope *s, hm_found *out, hm_err *err) {
  const hm_slot_claims *slot = s->slot;
  size_t n = slot->n < PARTIES_MAX ? slot->n : PARTIES_MAX, n_pairs = 0;
  (void)err;
  const hm_claim *first = slot->items[0].claim;
  if (!hm_claim_is_judged(first) || hm_claim_is_confirmed(first)) return 0;
  const hm_claim **claims = hm_alloc_array(s->scratch, n, sizeof *claims);
  hm_party_pair *pairs = hm_alloc_array(s->scratch, n * n, sizeof *pairs);
  for (uint32_t i = 0; i < n; i++) {
    claims[i] = slot->items[i].claim;
    for (uint32_t k = 0; k < i; k++) pairs[n_pairs++] = (hm_party_pair){ k, i };
  }
  hm_str key = hm_conflict_slot_key(hm_found_arena(out), s->snap, claims[0]);
  hm_found_conflict(out, s, key, claims, n, pairs, n_pairs);
  return 0;
}

static int polarity_of(const hm_claim *c) {
  return hm_str_is(c->compare, "+") - hm_str_is(c->compare, "-");
}

/* One denies the other still, by their texts or as their writers say. */
static bool deny(const hm_similar_text *x, const hm_claim *cx, const hm_similar_text *y,
                 const hm_claim *cy) {
  return hm_similar_words(x, polarity_of(cx), y, polarity_of(cy)).kind == HM_ALIKE_CONTRADICTION;
}

int hm_find_confirmed(const hm_scope *s, hm_found *out, hm_err *err) {
  const hm_slot_claims *slot = s->slot;
  size_t n = slot->n < PARTIES_MAX ? slot->n : PARTIES_MAX, n_pairs = 0;
  (void)err;
  if (!hm_claim_is_confirmed(slot->items[0].claim)) return 0;
  bool denied = hm_str_is(slot->items[0].claim->space, HM_CONFIRMED_DENIED) &&
      !hm_claim_is_confirmed_judged(slot->items[0].claim);
  const hm_claim **claims = hm_alloc_array(s->scratch, n, sizeof *claims);
  hm_party_pair *pairs = hm_alloc_array(s->scratch, n * n, sizeof *pairs);
  hm_similar_text *texts = hm_alloc_array(s->scratch, n, sizeof *texts);
  for (uint32_t i = 0; i < n; i++) {
    claims[i] = slot->items[i].claim;
    hm_similar_read(claims[i]->value.raw, s->scratch, &texts[i]);
    for (uint32_t k = 0; k < i; k++)
      if (!denied || deny(&texts[k], claims[k], &texts[i], claims[i]))
        pairs[n_pairs++] = (hm_party_pair){ k, i };
  }
  hm_str key = hm_conflict_slot_key(hm_found_arena(out), s->snap, claims[0]);
  hm_found_conflict(out, s, key, claims, n, pairs, n_pairs);
  return 0;
}

void hm_explain_confirmed(hm_teller *t, const hm_dispute *d) {
  const hm_snapshot *snap = hm_teller_sweep(t)->snap;
  hm_arena *a = hm_arena_new();
  const hm_proposal *p = hm_judged_proposal(snap, d->parties[0].claim->name, a);
  hm_tell(t, "A person confirmed what their texts show");
  if (p) hm_tell(t, ", and asks: %q", p->question);
  hm_tell(t, ".\n");
  hm_arena_free(a);
  hm_tell_claims(t, d, NULL);
}

void hm_explain_judged(hm_teller *t, const hm_dispute *d) {
  const hm_snapshot *snap = hm_teller_sweep(t)->snap;
  hm_arena *a = hm_arena_new();
  const hm_proposal *p = hm_judged_proposal(snap, d->parties[0].claim->name, a);
  if (p && p->model.n) hm_tell(t, "The model %q proposed this conflict", p->model);
  else hm_tell(t, "A model proposed this conflict");
  if (p) hm_tell(t, ", and asks: %q", p->question);
  hm_tell(t, ". No rule computed it: read what the rows say.\n");
  hm_arena_free(a);
  hm_tell_claims(t, d, NULL);
}
