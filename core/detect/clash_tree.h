/* "The first of an ordered list of claims that clashes with this one", without looking at them all.
 */
#ifndef HM_CLASH_TREE_H
#define HM_CLASH_TREE_H
#include "core/detect/slot.h"

/* Blocks of claims, and blocks of blocks. Each knows its claims by the start of their windows and,
 * for every beginning of that order, the claim whose window ends last, and the one that ends last
 * among those with another value than that one. So a block answers in O(log n) whether it holds a
 * claim that overlaps with a window and has another value. Where a different number is an
 * incompatible value (text, numbers, booleans) the first clash is found in O(log^2 n); values that
 * are compatible though different (a year and a day in it, a set and a part of it) are passed one
 * at a time. */
typedef struct hm_clash_tree hm_clash_tree;

#define HM_CLASH_TREE_NONE SIZE_MAX

/* order[i] of slot->items is at place i. Borrows order; lives in a, which it may use until the last
 * question. */
hm_clash_tree *hm_clash_tree_new(const hm_slot *slot, const uint32_t *order, size_t n, hm_arena *a);
/* The least place below limit whose claim clashes with x (which need not be of the list), or
 * HM_CLASH_TREE_NONE. Who is comparable is the caller's business. */
size_t hm_clash_tree_first(hm_clash_tree *t, const hm_slot_item *x, size_t limit);
#endif
