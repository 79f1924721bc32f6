/* What lies in what, by the index of the claims: for a write, which reads few rows. */
#ifndef HM_NESTING_H
#define HM_NESTING_H
#include "core/claim/rules.h"
#include "core/review/slot_set.h"
#include "core/store/partial.h"

/* Asks for the rows that say in what the other end of this relation lies; nothing where its kind
 * does not nest. */
int hm_want_around(hm_store *s, hm_partial *p, const hm_row *relation, const hm_rules *rules,
                   hm_arena *a, hm_err *err);
/* Adds to `touched` the slots of all that lies in these places, however deep, in which more than
 * one row claims: when what leads on from there changes, their values may agree, or no more.
 * places: hashes of ids; deeper ones are added. Cost: all that lies in them. */
int hm_slots_inside(hm_store *s, hm_slot_set *places, hm_slot_set *touched, hm_arena *a,
                    hm_err *err);
#endif
