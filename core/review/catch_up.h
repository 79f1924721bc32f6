/* The index of the claims, brought up to date with the rows. */
#ifndef HM_CATCH_UP_H
#define HM_CATCH_UP_H
#include "core/claim/rules.h"
#include "core/review/keys.h"
#include "core/store/store.h"

/* Inside a write transaction. Makes the index where there is none that was made by these rules, or where so many
 * rows were changed that making it is less work; else takes in the rows noted as changed. Adds to `touched` the
 * slots in which the recorded conflicts may differ from what a sweep would record: when the index was made anew,
 * those in which they do differ. Slots that no change touched, but in which a claim begins or ends between the
 * now of the last look and now, go to `passed`, which may be the same list. */
int hm_catch_up(hm_store *s, const hm_rules *rules, hm_keys *touched, hm_keys *passed, hm_err *err);
#endif
