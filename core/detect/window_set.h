/* Claims of a list that can be taken out, and "any claim left that clashes with this one". */
#ifndef HM_WINDOW_SET_H
#define HM_WINDOW_SET_H
#include "core/detect/slot.h"

/* A tree over the claims by the start of their windows. Each node knows the claim below it whose
 * window ends last, and the one that ends last among those of another value than that. A question
 * and a removal cost O(log n); values that are compatible though they have different numbers are
 * passed one at a time. */
typedef struct hm_window_set hm_window_set;

#define HM_WINDOW_NONE UINT32_MAX

/* items: indices of slot->items, copied. Lives in a. */
hm_window_set *hm_window_set_new(const hm_slot *slot, const uint32_t *items, size_t n, hm_arena *a);
/* An item of the set that clashes with x, or HM_WINDOW_NONE. Who is comparable is the caller's
 * business. *next: the place to search from, 0 at first; set to the one behind the answer, so that
 * who takes out all that clash with x passes what is compatible with it once. */
uint32_t hm_window_set_any(const hm_window_set *w, const hm_slot_item *x, size_t *next);
/* item: one of the set, which is in it no more. */
void hm_window_set_remove(hm_window_set *w, uint32_t item);
#endif
