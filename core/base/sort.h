/* Sorts many strings and numbers. Pure. */
#ifndef HM_SORT_H
#define HM_SORT_H
#include "core/base/str.h"

/* Sets order[i] to the index of the i-th string in byte order; stable. Returns false and leaves
 * order alone if they are sorted already. stride: bytes from one string to the next. */
bool hm_strs_order(const hm_str *first, size_t stride, size_t n, uint32_t *order);
/* Sets number[i] to the number of distinct strings before the i-th in byte order. Returns the
 * number of distinct strings. */
uint32_t hm_strs_number(const hm_str *first, size_t stride, size_t n, uint32_t *number);
/* Ascending. */
void hm_numbers_sort(uint64_t *v, size_t n);
#endif
