/* The index of the claims, brought up to date from the change log. */
#ifndef HM_INDEX_UPDATE_H
#define HM_INDEX_UPDATE_H
#include "core/claim/rules.h"
#include "core/review/slot_sweep.h"
#include "core/store/store.h"

/* Keys of the index are hm_str_hash of a slot key, of an id that elements and values name, and of
 * the key of a type. */


/* Inside a write transaction. Rebuilds the index if these rules built none, if the change log is
 * incomplete, or if so many rows changed that a rebuild is less work; otherwise applies the changed
 * rows. Adds to `touched` the slots whose recorded conflicts may differ from the result of a sweep;
 * after a rebuild, exactly the slots that do differ. Slots that no change touched, but in which a
 * claim begins or ends between the now of the last update and now, go to `passed`, which may be the
 * same set. */
int hm_index_update(hm_store *s, const hm_rules *rules, hm_slot_set *touched, hm_slot_set *passed,
                    hm_err *err);

/* A sweep that is recorded (opt->record), and the index brought up to date in the same transaction:
 * where it has to be built, from the claims that the sweep has. A sweep that writes nothing
 * (opt->skip_idle_run), or one of a scope, leaves the index as it is. Of a foreign store, only the
 * sweep. */
int hm_sweep_and_index(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                       hm_err *err);

/* Adds the changed rows, and those whose slots take a name from one: where they claim the index
 * does not know. touched: gets the slots of changed conflicts; or NULL. Ids in a. */
int hm_index_stale_rows(hm_store *s, const hm_row_keys *changed, hm_slot_set *touched, hm_arena *a,
                        hm_row_keys *rows, hm_err *err);

/* What the index has not taken in. */
typedef struct {
  hm_slot_set slots; /* sorted: in no other slot would a sweep change a recorded conflict, or open
                        one */
  hm_row_keys rows;  /* hm_index_stale_rows */
  hm_index_entries types, written, exists; /* of these the entries of kinds HM_INDEX_TYPE,
                                              HM_INDEX_WRITTEN and HM_INDEX_EXISTS as they would
                                              be, by key */
} hm_pending;

/* Inside a transaction, which may be for reading; nothing is written. *known false: a foreign
 * store, or one of an older version; other rules built the index or compared the claims; the change
 * log does not say what changed; or so much has changed that a sweep is less work; *out is empty
 * then. Ids in a. Cost: that of the changed rows. Free with hm_pending_free. */
int hm_index_collect_pending(hm_store *s, const hm_rules *rules, hm_arena *a, hm_pending *out,
                             bool *known, hm_err *err);
void hm_pending_free(hm_pending *p);
#endif
