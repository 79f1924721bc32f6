/* One slot: is it disputed, by whom, since when? */
#ifndef HM_DISPUTE_H
#define HM_DISPUTE_H
#include "core/detect/conflict.h"
#include "core/detect/finder.h"

/* Fills out from the slot's claims (s as hm_slot_of made it); false when no two of them disagree. slot_key is
 * left to the caller. The parties live in a, all else in scratch. */
bool hm_dispute_of(hm_dispute *out, const hm_slot *s, hm_arena *a, hm_arena *scratch);
#endif
