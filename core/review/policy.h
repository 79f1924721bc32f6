/* What becomes of a new row that meets others: that say the same, or deny it. Specification:
 * houkai, "Behaviour matrix".
 *
 * * ignore: stored; similar texts are not told.
 * * warn, the default: stored; the answer says what it met.
 * * supersede: stored. What it contradicts gives way to it; where a memory says the same already,
 *   the new one and what it contradicts give way to that one, whose importance is raised: to the
 *   new one's where that is higher, else by a tenth, to 1 at most. Journaled as the caller's doing.
 *   Rows of other layers stay, in conflict.
 * * raise: where it meets any, nothing is stored and nothing journaled.
 *
 * Met is what is alike by text (core/detect/similar_groups.h; also a duplicate in one slot with the
 * new row) and what contradicts the new row in an open conflict. A policy is a condition of one
 * call, no store has another default. */
#ifndef HM_POLICY_H
#define HM_POLICY_H
#include "core/review/write.h"

/* "ignore", "warn", "supersede", "raise"; HM_E_INPUT with field "policy": none of these. */
int hm_policy_read(hm_str name, hm_policy *out, hm_err *err);
/* hm_review_add by a policy. out->action says what was done; where that is "rejected", there is no
 * such row, and out says what it would have been. Errors: as hm_review_add. */
int hm_review_add_by(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                     hm_policy policy, hm_arena *a, hm_written *out, hm_err *err);
/* What a rejected row met, in words: "memory:m1 denies it (negation_diff)". In a. */
hm_str hm_met_text(const hm_met *m, size_t n, hm_arena *a);
#endif
