/* Has a human already settled all of this? */
#ifndef HM_VERDICT_COVER_H
#define HM_VERDICT_COVER_H
#include "core/detect/conflict.h"

/* What quiet conflicts knew: those that were dismissed, or resolved with no_action. quiet is
 * borrowed; lives in a, which it may use until the last question. */
typedef struct hm_verdict_cover hm_verdict_cover;
hm_verdict_cover *hm_verdict_cover_new(const hm_conflict_rec *const *quiet, size_t n_quiet,
                                       hm_arena *a);
/* True when every two parties that contradict each other are covered: some one of the quiet
 * conflicts knew both values (one of its members, of whatever row, has the same normal form or the
 * same raw text), and its contested time overlaps the pair's. So a new row with a known value stays
 * quiet, and a new value does not. */
bool hm_verdict_covers(hm_verdict_cover *c, const hm_snapshot *snap, const hm_dispute *d,
                       const hm_rules *rules, hm_arena *scratch);
#endif
