/* What people say of findings and rows: acknowledgements and flags. Specification: flag_for_review.
 *
 * Each is a line that nothing changes later. A line that takes others back, or comes after them,
 * names them in `replaces`, and with them all that those replaced; what counts is the lines that no
 * other replaces. So what two stores say can be put together in any order, any number of times. */
#ifndef HM_REMARKS_H
#define HM_REMARKS_H
#include "core/store/store.h"

/* Writes a new line about n->subject, with an id made from what it says, that replaces those known
 * here: all of them; of flags those that stand only where it is a withdrawal. Journaled as `verb`.
 * rows: of an acknowledgement. *id: in a. Inside a write transaction. */
int hm_remark_add(hm_store *s, hm_remark_kind kind, const hm_remark *n, const hm_str *rows,
                  size_t n_rows, const char *verb, const hm_actor *who, hm_arena *a, hm_str *id,
                  hm_err *err);
/* The lines that no other replaces, by (subject, id), in a. None in a store before version 5. */
int hm_remarks_standing(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_remark **out, size_t *n,
                        hm_err *err);
/* The ids that lines of this kind replace, in a map that lives in a. */
int hm_remarks_replaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_map *out, hm_err *err);
#endif
