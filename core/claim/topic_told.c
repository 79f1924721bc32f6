/* Amounts of sentences that prose tells alone: topic.h. */
#include <stdlib.h>

#include "core/claim/topic.h"

static int by_slot(const void *x, const void *y) {
  const hm_claim *a = *(hm_claim *const *)x, *b = *(hm_claim *const *)y;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return (a > b) - (a < b);
}

void hm_topics_drop_told(hm_claims *c) {
  if (!c->n_topics)
    return;
  hm_arena *a = hm_arena_new();
  hm_claim **v = hm_alloc_array(a, c->n_topics, sizeof *v);
  size_t n_found = 0, kept = 0, kept_claims = 0;
  bool *told = hm_alloc_array(a, c->n + 1, sizeof *told);
  for (size_t i = 0; i < c->n; i++)
    if (c->claims[i].topic.n)
      v[n_found++] = &c->claims[i];
  qsort(v, n_found, sizeof *v, by_slot);
  for (size_t from = 0, to; from < n_found; from = to) {
    bool twins = v[from]->twin.n > 0;
    for (to = from; to < n_found && v[to]->hash == v[from]->hash; to++)
      twins &= hm_str_eq(v[to]->twin, v[from]->twin);
    for (size_t i = from; i < to; i++)
      told[v[i] - c->claims] = twins && v[i]->said;
  }
  for (size_t i = 0; i < c->n + c->n_context; i++) {
    if (i < c->n && told[i])
      continue;
    c->claims[kept++] = c->claims[i];
    kept_claims += i < c->n;
  }
  c->n = kept_claims;
  hm_arena_free(a);
}
