/* The engine of the sweep over a few slots. */
#ifndef HM_LOOK_H
#define HM_LOOK_H
#include "core/detect/sweep.h"
#include "core/review/keys.h"
#include "core/store/claim_index.h"

typedef struct {
  const hm_keys *keys;                            /* of the slots; sorted */
  const hm_str *slot_keys;
  size_t n_slot_keys;      /* of those whose conflicts are wanted in any case, each once */
  const hm_row_keys *more; /* rows that may claim there and are not in the index; or NULL */
  bool details;            /* for showing: details, and the rows of recorded members */
  hm_str at;                                      /* detected_at of new conflicts */
} hm_look_options;

/* Inside a transaction. Claims, disputes and plan of these slots, as a sweep of the whole store has
 * them; findings: none. The snapshot has the rows that this takes, and the conflicts of all
 * statuses of slots in which a row claims or that are named, or that have a claim in dispute as a
 * member. claims may hold some of other slots. Free with hm_sweep_free; lives in a. */
int hm_look_at(hm_store *s, const hm_rules *rules, const hm_look_options *opt, hm_arena *a,
               hm_sweep *out, hm_err *err);
/* The same over all slots, as a sweep. */
int hm_look_at_all(hm_store *s, const hm_rules *rules, bool details, hm_str at, hm_arena *a,
                   hm_sweep *out, hm_err *err);
#endif
