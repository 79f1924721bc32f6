/* Statements of people and judges about findings and rows. Each is a record that never changes. */
#ifndef HM_REMARKS_H
#define HM_REMARKS_H
#include "core/store/store.h"

/* --- remarks: acknowledgements of findings, flags on rows -------------------------------------
 *
 * Specification: flag_for_review. A line that withdraws or follows others names them in `replaces`,
 * with all lines that those replaced. Only lines that no other replaces count. So the lines of two
 * stores can be merged in any order, any number of times. */

/* Writes a new line about n->subject, with an id made from its content. It replaces all lines about
 * the subject in this store; but a flag that is no withdrawal leaves the lines in force. Journaled
 * as `verb`. rows: of an acknowledgement. *id: in a. Call inside a write transaction. */
int hm_remark_add(hm_store *s, hm_remark_kind kind, const hm_remark *n, const hm_str *rows,
                  size_t n_rows, const char *verb, const hm_actor *who, hm_arena *a, hm_str *id,
                  hm_err *err);
/* The lines that no other replaces, by (subject, id), in a. None in a store before version 5. */
int hm_remarks_unreplaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_remark **out, size_t *n,
                          hm_err *err);
/* The ids that lines of this kind replace, in a map that lives in a. */
int hm_remarks_replaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_map *out, hm_err *err);

/* --- proposals: what models, agents and people say of rows ------------------------------------
 *
 * A proposal says that rows contradict each other, or that they do not, with digests of what they
 * said. A sweep makes a finding of what a model proposes or somebody reports, and a conflict of
 * what a person confirms (core/claim/judged.h). */

/* All proposals, by id, in a. None in a store before HM_STORE_JUDGE_VERSION. A proposal with
 * damaged lists has no rows. */
int hm_proposals_read(hm_store *s, hm_arena *a, hm_proposal **out, size_t *n, hm_err *err);

/* Adds p, sets its id from its rows and digests, and journals it as "propose". Sorts p->rows with
 * their digests. Of what an agent or a person says, who and when are part of the id, and it is
 * journaled as "confirm", "report", "agree" or "withdraw". *added false: the same rows with the
 * same texts were proposed before; nothing was written. Call inside a write transaction. */
int hm_proposal_add(hm_store *s, hm_proposal *p, const hm_actor *who, hm_arena *a, bool *added,
                    hm_err *err);
#endif
