/* Has a human already settled all of this? */
#ifndef HM_COVER_H
#define HM_COVER_H
#include "core/detect/conflict.h"

/* True when for every two parties that disagree there is one of the settled conflicts in which both were
 * members with the same field and the same normal form. quiet: dismissed, or resolved with no_action. */
bool hm_dispute_covered(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                        const hm_conflict_rec *const *quiet, size_t n_quiet, hm_arena *scratch);
/* layer, id and field as one key. */
hm_str hm_member_key(hm_arena *a, hm_layer layer, hm_str id, hm_str field);
#endif
