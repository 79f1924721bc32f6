/* Sets of slots: those that a write touches, and sweeps. For core/review. */
#ifndef HM_SLOT_SET_H
#define HM_SLOT_SET_H
#include "core/base/str.h"

/* Hashes of slot keys (hm_str_hash). Begin with { 0 }; free v. Sorted and each once after
 * hm_slot_set_sort. */
typedef struct { uint64_t *v; size_t n, cap; } hm_slot_set;
void hm_slot_set_add(hm_slot_set *s, uint64_t hash);
void hm_slot_set_add_all(hm_slot_set *s, const hm_slot_set *more);
void hm_slot_set_sort(hm_slot_set *s);
/* In a sorted set. */
bool hm_slot_set_has(const hm_slot_set *s, uint64_t hash);
#endif
