/* Among these claims of a slot: whom does this one disagree with first? */
#ifndef HM_FINDER_H
#define HM_FINDER_H
#include "core/detect/tree.h"

typedef struct hm_finder hm_finder;
#define HM_FINDER_NONE SIZE_MAX

/* order[i] of slot->items is at place i. Borrows both; lives in a, which it may use until the
 * last question. */
hm_finder *hm_finder_new(const hm_slot *slot, const uint32_t *order, size_t n, hm_arena *a);
/* The least place below limit whose claim is comparable to x and clashes with it, or HM_FINDER_NONE.
 * x is an item of the slot, in the finder or not. */
size_t hm_finder_foe(const hm_finder *f, const hm_slot_item *x, size_t limit);
/* Is any claim of the finder comparable to x and overlapping with it? */
bool hm_finder_meets(const hm_finder *f, const hm_slot_item *x);
#endif
