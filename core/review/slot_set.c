/* Sets of slots, as hashes: gathered, then sorted, then asked. */
#include "core/review/slot_set.h"

#include <stdlib.h>

void hm_slot_set_add(hm_slot_set *s, uint64_t hash) {
  s->v = hm_array_grow(s->v, s->n, &s->cap, sizeof *s->v);
  s->v[s->n++] = hash;
}

void hm_slot_set_add_all(hm_slot_set *s, const hm_slot_set *more) {
  for (size_t i = 0; i < more->n; i++) hm_slot_set_add(s, more->v[i]);
}

static int hash_order(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

void hm_slot_set_sort(hm_slot_set *s) {
  size_t n = 0;
  if (s->n) qsort(s->v, s->n, sizeof *s->v, hash_order);
  for (size_t i = 0; i < s->n; i++)
    if (!n || s->v[n - 1] != s->v[i]) s->v[n++] = s->v[i];
  s->n = n;
}

bool hm_slot_set_has(const hm_slot_set *s, uint64_t hash) {
  return s->n && bsearch(&hash, s->v, s->n, sizeof *s->v, hash_order);
}
