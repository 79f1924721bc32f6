/* Updates the index of the claims from the change log. */
#ifndef HM_INDEX_UPDATE_H
#define HM_INDEX_UPDATE_H
#include "core/value/rules.h"
#include "core/review/slot_sweep.h"
#include "core/store/store.h"

/* Keys of the index are hm_str_hash of a slot key, of an id in elements and values, or of the key
 * of a type. */

/* Inside a write transaction. Rebuilds the index if these rules built none, if the change log is
 * incomplete, or if so many rows changed that a rebuild is less work; otherwise applies the changed
 * rows. Adds to `touched` the slots whose recorded conflicts may differ from the result of a sweep;
 * after a rebuild, exactly the slots that do differ. Slots that no change touched, but in which a
 * claim begins or ends between the now of the last update and now, go to `passed`, which may be the
 * same set. */
int hm_index_update(hm_store *s, const hm_rules *rules, hm_slot_set *touched, hm_slot_set *passed,
                    hm_err *err);

/* Runs and records a sweep (opt->record) and updates the index in the same transaction; if it must
 * build the index, it uses the claims of the sweep. A sweep that writes nothing
 * (opt->skip_idle_run), or has a scope, leaves the index as it is. A foreign store has only the
 * sweep. */
int hm_sweep_and_index(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                       hm_err *err);

/* Adds to rows the changed rows and those whose slots take a name from one; the index does not know
 * their current slots. Adds the slots of changed conflicts to touched, unless NULL. Ids in a. */
int hm_index_stale_rows(hm_store *s, const hm_row_keys *changed, hm_slot_set *touched, hm_arena *a,
                        hm_row_keys *rows, hm_err *err);

/* The changes that the index lacks. */
typedef struct {
  hm_slot_set slots; /* sorted; in all other slots a sweep would change no recorded conflict and
                      * open none */
  hm_row_keys rows;  /* hm_index_stale_rows */
  hm_index_entries types, written, exists; /* the new entries of rows, of kinds HM_INDEX_TYPE,
                                            * HM_INDEX_WRITTEN and HM_INDEX_EXISTS, by key */
} hm_pending;

/* Call inside a transaction; it only reads. *known is false, and *out empty, if: the store is
 * foreign or of an older version; other rules built the index or compared the claims; the change
 * log is incomplete; or a sweep is less work. Ids in a. Cost: that of the changed rows. Free with
 * hm_pending_free. */
int hm_index_collect_pending(hm_store *s, const hm_rules *rules, hm_arena *a, hm_pending *out,
                             bool *known, hm_err *err);
void hm_pending_free(hm_pending *p);
#endif
