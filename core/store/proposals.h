/* What a judge proposed, or a person confirmed: the tables proposals and proposal_rows.
 *
 * A proposal is a record that nothing changes later, as what people say of findings is. It says of
 * rows, by digests of what they said, that they contradict each other; a sweep makes a conflict of
 * it (core/claim/judged.h). */
#ifndef HM_PROPOSALS_H
#define HM_PROPOSALS_H
#include "core/store/store.h"

/* All of them, by id, in a. None in a store before HM_STORE_JUDGE_VERSION. One whose lists
 * are damaged has no rows. */
int hm_proposals_read(hm_store *s, hm_arena *a, hm_proposal **out, size_t *n, hm_err *err);
/* The ids of those that are about this row, in a. */
int hm_proposals_on(hm_store *s, hm_str ref, hm_arena *a, hm_str **ids, size_t *n, hm_err *err);
/* The one with this id, in a; *found false: there is none. */
int hm_proposal_load(hm_store *s, hm_str id, hm_arena *a, hm_proposal *out, bool *found,
                     hm_err *err);

/* Adds p, whose id is made from its rows and digests and set, and journals it as "propose".
 * Without a model it is what a person confirmed: who and when make its id, too, and it is
 * journaled as "confirm". p->rows are sorted with their digests. *added false: the same rows with
 * the same texts were proposed before, and nothing is written. Inside a write transaction. */
int hm_proposal_add(hm_store *s, hm_proposal *p, const hm_actor *who, hm_arena *a, bool *added,
                    hm_err *err);
#endif
