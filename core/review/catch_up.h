/* The index of the claims, brought up to date with the rows. */
#ifndef HM_CATCH_UP_H
#define HM_CATCH_UP_H
#include "core/claim/rules.h"
#include "core/detect/sweep.h"
#include "core/review/keys.h"
#include "core/store/claim_index.h"
#include "core/store/store.h"

/* Inside a write transaction. Makes the index where there is none that was made by these rules, or
 * where so many rows were changed that making it is less work; else takes in the rows noted as
 * changed. Adds to `touched` the slots in which the recorded conflicts may differ from what a sweep
 * would record: when the index was made anew, those in which they do differ. Slots that no change
 * touched, but in which a claim begins or ends between the now of the last look and now, go to
 * `passed`, which may be the same list. */
int hm_catch_up(hm_store *s, const hm_rules *rules, hm_keys *touched, hm_keys *passed, hm_err *err);

/* A sweep that is recorded (opt->record), and the index brought up to date in the same transaction:
 * where it has to be made, from the claims that the sweep has. Of a foreign store, only the sweep.
 */
int hm_sweep_and_index(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                       hm_err *err);

/* What the index has not taken in. */
typedef struct {
  hm_keys
      slots; /* sorted: in no other slot would a sweep change a recorded conflict, or open one */
  hm_row_keys rows; /* changed rows, and those that stand on one: where they claim the index does
                       not know */
} hm_pending;

/* Inside a transaction, which may be for reading; nothing is written. *known false: a foreign
 * store, or one of an older version; other rules made the index or compared the claims; or so much
 * has changed that a sweep is less work; *out is empty then. Ids in a. Cost: that of the changed
 * rows. Free with hm_pending_free. */
int hm_pending_of(hm_store *s, const hm_rules *rules, hm_arena *a, hm_pending *out, bool *known,
                  hm_err *err);
void hm_pending_free(hm_pending *p);
#endif
