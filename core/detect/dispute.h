/* One slot: which disputes does it hold, between whom, since when?
 *
 * A dispute is one connected component of the slot's claims under "contradicts" (slot.h). Design
 * section 7 adds "those that agree with one side and overlap one that it contradicts", and "a claim
 * that contradicts nobody is no member". Read together: such a claim is a member when it
 * contradicts somebody itself, and then the component has it already. What agrees and contradicts
 * nobody (a month beside two of its days, a value within the tolerance of both, an entity that one
 * of two states bears out) is no member and has no marker. So every claim is in one dispute at
 * most. */
#ifndef HM_DISPUTE_H
#define HM_DISPUTE_H
#include "core/detect/conflict.h"
#include "core/detect/slot.h"

/* The disputes of a slot (s as hm_slot_of made it; who is spared is filled in), by the start of
 * their time, then by their first party; *n of them, 0: no two claims contradict each other.
 * slot_key is left to the caller. Disputes and parties live in a, all else in scratch. */
hm_dispute *hm_disputes_of_slot(hm_slot *s, const hm_snapshot *snap, size_t *n, hm_arena *a,
                                hm_arena *scratch);
#endif
