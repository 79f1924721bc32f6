/* Claims of a slot that perhaps contradict each other: comparable, of incompatible values, and in
 * windows that may overlap though they do not for certain (claim/window.h). No conflict, but what a
 * reader must know. */
#ifndef HM_MAY_OVERLAP_H
#define HM_MAY_OVERLAP_H
#include "core/detect/conflict.h"
#include "core/detect/slot.h"

enum { HM_MAY_OVERLAP_MAX = 100 };

/* Sets out[i] for each such item of s; s: with who is spared. True when there is one. Pair by pair,
 * so a slot of more than HM_MAY_OVERLAP_MAX claims is passed over: a miss costs less than the time.
 */
bool hm_slot_may_overlap(const hm_slot *s, bool *out);
/* One finding a slot: kind possible_overlap, severity info, rule slot/overlap; the rows are those
 * of these claims, in member order. */
hm_finding hm_may_overlap_finding(const hm_snapshot *snap, hm_str slot_key,
                                  const hm_claim *const *claims, size_t n, hm_arena *a);
#endif
