/* What people and judges say of findings and rows. Each is a record that nothing changes later. */
#ifndef HM_REMARKS_H
#define HM_REMARKS_H
#include "core/store/store.h"

/* --- remarks: acknowledgements of findings, flags on rows -------------------------------------
 *
 * Specification: flag_for_review. A line that takes others back, or comes after them,
 * names them in `replaces`, and with them all that those replaced; what counts is the lines that no
 * other replaces. So what two stores say can be put together in any order, any number of times. */

/* Writes a new line about n->subject, with an id made from what it says, that replaces those known
 * here: all of them; of flags those that no other replaced only where it is a withdrawal. Journaled
 * as `verb`. rows: of an acknowledgement. *id: in a. Inside a write transaction. */
int hm_remark_add(hm_store *s, hm_remark_kind kind, const hm_remark *n, const hm_str *rows,
                  size_t n_rows, const char *verb, const hm_actor *who, hm_arena *a, hm_str *id,
                  hm_err *err);
/* The lines that no other replaces, by (subject, id), in a. None in a store before version 5. */
int hm_remarks_unreplaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_remark **out, size_t *n,
                          hm_err *err);
/* The ids that lines of this kind replace, in a map that lives in a. */
int hm_remarks_replaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_map *out, hm_err *err);

/* --- proposals: what a judge proposed, or a person confirmed ----------------------------------
 *
 * A proposal says of rows, by digests of what they said, that they contradict each other; a sweep
 * makes a conflict of it (core/claim/judged.h). */

/* All of them, by id, in a. None in a store before HM_STORE_JUDGE_VERSION. One whose lists
 * are damaged has no rows. */
int hm_proposals_read(hm_store *s, hm_arena *a, hm_proposal **out, size_t *n, hm_err *err);
/* The ids of those that are about this row, in a. */
int hm_proposal_ids_about(hm_store *s, hm_str ref, hm_arena *a, hm_str **ids, size_t *n,
                          hm_err *err);
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
