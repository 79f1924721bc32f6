/* One write: what it is given, and detection at the time of it. The check runs the sweep's engine
 * only on the slots that the write touches, so its cost does not grow with the store. After
 * hm_write_check_end the recorded conflicts equal the result of a full sweep, also after earlier
 * changes by other programs: a sweep right after changes none. */
#ifndef HM_WRITE_CHECK_H
#define HM_WRITE_CHECK_H
#include "core/claim/rules.h"
#include "core/detect/sweep.h"
#include "core/store/store.h"

/* --- what every write of a person or an agent is given --------------------------------------- */

/* By whom and when a verdict was decided that an import brought; empty: not known. */
typedef struct { hm_str by, at; } hm_decided;

typedef struct {
  const hm_rules *rules;
  hm_actor who;              /* at: the time of the write, which is data */
  bool dry_run;              /* done as always, then rolled back */
  const hm_decided
      *decided; /* of an imported verdict, in place of who; its reason may be missing. NULL: none */
} hm_review;

/* --- the check ------------------------------------------------------------------------------- */

typedef struct hm_write_check hm_write_check;

/* Inside an open write transaction, before the first row is changed. Brings the index of the claims
 * up to date with what others changed; the first one in a store, or after the rules or the name of
 * a project have changed, makes it, which takes about as long as a sweep. *out is freed by
 * hm_write_check_end or hm_write_check_free. */
int hm_write_check_begin(hm_store *s, const hm_rules *rules, hm_arena *a, hm_write_check **out,
                         hm_err *err);
/* Call before this row changes; otherwise the check cannot report which of its conflicts became
 * quiet. A new row needs no call. */
int hm_write_check_row(hm_write_check *t, hm_layer layer, hm_str id, hm_err *err);
/* Has this slot swept, too: something other than its rows was changed. */
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
  size_t n_quieted; /* open conflicts that were disputed before and no longer are: they await
                       sign-off */
  hm_str *revived;
  size_t n_revived; /* open conflicts that awaited sign-off and are disputed again by reason of this
                       write */
} hm_write_result;

/* After the rows were changed, before commit: every slot that a changed row claims now or claimed
 * before is swept; opened and updated conflicts are recorded (journaled by who). Also those of
 * slots that others changed since the last look, which are not among `opened`.
 * sweep.plan->conflicts are the conflicts of these slots after it. Frees t; what out refers to
 * lives in the arena of hm_write_check_begin. */
int hm_write_check_end(hm_write_check *t, const hm_actor *who, hm_write_result *out, hm_err *err);
#endif
