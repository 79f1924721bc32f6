/* Orders of many strings and numbers. Pure. */
#ifndef HM_SORT_H
#define HM_SORT_H
#include "core/base/str.h"

/* order[i]: index of the i-th string in byte order (equal ones in their own order). Returns false,
 * and leaves order alone, when they are sorted already. stride: bytes from one string to the next.
 */
bool hm_strs_order(const hm_str *first, size_t stride, size_t n, uint32_t *order);
/* number[i]: how many different strings come before the i-th in byte order. Returns how many
 * different ones there are. */
uint32_t hm_strs_number(const hm_str *first, size_t stride, size_t n, uint32_t *number);
/* The least first. */
void hm_numbers_sort(uint64_t *v, size_t n);
#endif
