/* Among these claims of a slot: whom does this one contradict first? */
#ifndef HM_CLASH_SEARCH_H
#define HM_CLASH_SEARCH_H
#include "core/detect/slot.h"

typedef struct hm_clash_search hm_clash_search;
#define HM_CLASH_NONE SIZE_MAX

/* order[i] of slot->items is at place i. Borrows both; lives in a, which it may use until the last
 * question. */
hm_clash_search *hm_clash_search_new(const hm_slot *slot, const uint32_t *order, size_t n,
                                     hm_arena *a);
/* The least place below limit whose claim contradicts x, or HM_CLASH_NONE. x is an item of the
 * slot, in the search or not. */
size_t hm_clash_first(const hm_clash_search *f, const hm_slot_item *x, size_t limit);
#endif
