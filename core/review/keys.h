/* A set of hashes. */
#ifndef HM_KEYS_H
#define HM_KEYS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begin with { 0 }; free v. Sorted and each once after hm_keys_sort. */
typedef struct { uint64_t *v; size_t n, cap; } hm_keys;

void hm_keys_add(hm_keys *k, uint64_t key);
void hm_keys_add_all(hm_keys *k, const hm_keys *more);
void hm_keys_sort(hm_keys *k);
/* In a sorted set. */
bool hm_keys_have(const hm_keys *k, uint64_t key);
#endif
