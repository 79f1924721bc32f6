/* Sorts many strings and numbers, and finds in what is sorted. Pure. */
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

/* The index of the first of n sorted items that is not before key; n if all are. order compares an
 * item with key, as qsort's function compares two items. */
size_t hm_lower_bound(const void *items, size_t n, size_t size, const void *key,
                      int (*order)(const void *item, const void *key));
/* Orders for hm_lower_bound, qsort and bsearch, of items that are, or whose first member is, what
 * the key is. */
int hm_order_u32(const void *item, const void *key);
int hm_order_i64(const void *item, const void *key);
int hm_order_str(const void *item, const void *key);
/* By the first two members: uint32_t and uint32_t, uint64_t and uint32_t, uint32_t and hm_str. */
int hm_order_u32_pair(const void *item, const void *key);
int hm_order_u64_u32(const void *item, const void *key);
int hm_order_u32_str(const void *item, const void *key);
/* For bsearch in a table whose items are, or whose first member is, a const char *. The key is an
 * hm_str; of the second a const char *. */
int hm_order_word(const void *key, const void *entry);
int hm_order_name(const void *key, const void *entry);
/* As hm_order_word, with the key in lower case (ASCII). A NUL in the key is in no entry. */
int hm_order_lower_word(const void *key, const void *entry);
/* For tests: are the items of such a table in order, none twice? */
bool hm_words_are_sorted(const void *items, size_t n, size_t size);
#define HM_WORDS_ARE_SORTED(items) hm_words_are_sorted(items, HM_COUNT(items), sizeof *(items))
#endif
