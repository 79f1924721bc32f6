/* Is a conflict disputed only since some rows were changed? Not for other folders. */
#ifndef HM_REVIVED_H
#define HM_REVIVED_H
#include "core/detect/sweep.h"
#include "core/store/claim_index.h"

/* Begin with the first four set. */
typedef struct {
  const hm_sweep *sweep;          /* after the change */
  const hm_rules *rules;
  const hm_row_keys *changed;
  hm_arena *a;
  hm_disputes *without;           /* of all other rows, when it was first asked for */
} hm_revival;

/* *revived: no party of the dispute is in one of the rest of the rows. For a conflict that no
 * changed row was a recorded member of: what such a row said there before, it said in agreement
 * with all. */
int hm_revived(hm_revival *r, const hm_dispute *d, bool *revived, hm_err *err);
#endif
