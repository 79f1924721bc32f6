/* The parameters of a write, and conflict detection during it. The check runs the sweep's engine
 * only on the slots that the write touches, so its cost does not grow with the store. After
 * hm_write_check_end the recorded conflicts equal the result of a full sweep, also after earlier
 * changes by other programs: a sweep right after changes none. */
#ifndef HM_WRITE_CHECK_H
#define HM_WRITE_CHECK_H
#include "core/value/rules.h"
#include "core/detect/sweep.h"
#include "core/store/store.h"

/* --- parameters of every write of a person or an agent --------------------------------------- */

/* Who decided an imported verdict, and when; empty: not known. */
typedef struct {
  hm_str by, at;
} hm_decided;

typedef struct {
  const hm_rules *rules;
  hm_actor who; /* at: the time of the write, as data */
  bool dry_run; /* do everything, then roll back */
  const hm_decided
      *decided; /* for an imported verdict, replaces who; its reason may be missing. Else NULL */
} hm_review;

/* Ends the transaction of a write if it is mine: commits if rc is 0 and it is no dry run, else
 * rolls back. Returns rc, or -1 if the commit fails. */
int hm_review_end(hm_store *s, const hm_review *r, bool mine, int rc, hm_err *err);

/* --- the check ------------------------------------------------------------------------------- */

typedef struct hm_write_check hm_write_check;

/* Call inside an open write transaction, before the first row changes. Updates the index of the
 * claims with the changes of others. The first call in a store, or after the rules or a project's
 * names changed, builds the index, which takes about as long as a sweep. Free *out with
 * hm_write_check_end or hm_write_check_free. */
int hm_write_check_begin(hm_store *s, const hm_rules *rules, hm_arena *a, hm_write_check **out,
                         hm_err *err);
/* Call before this row changes; otherwise the check cannot report which of its conflicts became
 * quiet. A new row needs no call. */
int hm_write_check_row(hm_write_check *t, hm_layer layer, hm_str id, hm_err *err);
/* Sweeps this slot, too. For a change other than in its rows. */
void hm_write_check_slot(hm_write_check *t, hm_str slot_key);
/* Marks the slots where the verdict on this conflict counts: its own, and the slots of its members'
 * current claims. Skips the members' slots in a foreign store, where all slots are swept. */
int hm_write_check_conflict(hm_write_check *t, hm_str id, hm_str slot_key, hm_err *err);
void hm_write_check_free(hm_write_check *t);

typedef struct {
  hm_sweep sweep; /* partial: over the touched slots only; free with hm_sweep_free */
  hm_str *opened;
  size_t n_opened; /* ids of conflicts that this write opened, by slot key */
  hm_str *quieted;
  size_t n_quieted; /* open conflicts that are no longer disputed and now await sign-off */
  hm_str *revived;
  size_t n_revived; /* open conflicts that awaited sign-off and are disputed again by this write */
} hm_write_result;

/* Call after the rows changed, before commit. Sweeps every slot with a claim of a changed row,
 * before or now, and records opened and updated conflicts (journaled by who). Also sweeps slots
 * that others changed since the last update; their conflicts are not among `opened`.
 * sweep.plan->conflicts are the conflicts of these slots afterwards. Frees t; out lives in the
 * arena of hm_write_check_begin. */
int hm_write_check_end(hm_write_check *t, const hm_actor *who, hm_write_result *out, hm_err *err);
#endif
