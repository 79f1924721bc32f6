/* Does any claim of a list agree with this one: overlap with it and say what is compatible? */
#ifndef HM_AGREEMENT_H
#define HM_AGREEMENT_H
#include "core/detect/slot.h"

typedef struct hm_agreement hm_agreement;

/* items: indices of slot->items, borrowed. Lives in a, which it may use until the last question. */
hm_agreement *hm_agreement_new(const hm_slot *slot, const uint32_t *items, size_t n, hm_arena *a);
/* Who is comparable is the caller's business. */
bool hm_agreement_any(hm_agreement *g, const hm_slot_item *x);
#endif
