#include "core/review/keys.h"

#include <stdlib.h>

#include "core/base/arena.h"

void hm_keys_add(hm_keys *k, uint64_t key) {
  if (k->n == k->cap) k->v = hm_xrealloc(k->v, (k->cap = 2 * k->cap + 16) * sizeof *k->v);
  k->v[k->n++] = key;
}

void hm_keys_add_all(hm_keys *k, const hm_keys *more) {
  for (size_t i = 0; i < more->n; i++) hm_keys_add(k, more->v[i]);
}

static int order(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

void hm_keys_sort(hm_keys *k) {
  size_t n = 0;
  if (k->n) qsort(k->v, k->n, sizeof *k->v, order);
  for (size_t i = 0; i < k->n; i++)
    if (!n || k->v[n - 1] != k->v[i]) k->v[n++] = k->v[i];
  k->n = n;
}

bool hm_keys_have(const hm_keys *k, uint64_t key) {
  return k->n && bsearch(&key, k->v, k->n, sizeof *k->v, order);
}
