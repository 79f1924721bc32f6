/* Single records changed where they stand, each change a line of the journal.
 * For core/review, inside its open write transaction. */
#ifndef HM_CHANGE_H
#define HM_CHANGE_H
#include "core/store/store.h"

/* A column of a record by its name in schema.sql. value.p NULL: it is NULL, which is not the empty
 * text. */
typedef struct { const char *column; hm_str value; } hm_column;

/* Fills the values of these columns of the record that ref names: "kind:id", kind as in an export,
 * no link. The texts live in a. *found false when there is none, or no such kind. */
int hm_store_columns(hm_store *s, hm_str ref, hm_column *columns, size_t n, bool *found,
                     hm_arena *a, hm_err *err);
/* Writes these columns of the record and a line with this verb, unless it says all that already. No
 * record: HM_E_UNKNOWN. */
int hm_store_change(hm_store *s, hm_str ref, const hm_column *columns, size_t n, const char *verb,
                    const hm_actor *who, hm_arena *a, hm_err *err);
/* A new record of these columns, the others at their defaults, and a line with this verb. The id is
 * in ref; that it is free is the caller's to know. */
int hm_store_insert(hm_store *s, hm_str ref, const hm_column *columns, size_t n, const char *verb,
                    const hm_actor *who, hm_arena *a, hm_err *err);
/* A link between two rows, "kind:id" both, and a line "link"; *added false: it was there, or its
 * reverse was, and nothing is written. */
int hm_store_add_link(hm_store *s, hm_str src, hm_str dst, hm_str rel, const hm_actor *who,
                      bool *added, hm_arena *a, hm_err *err);
/* The id of the conflict with this id, else of the only one whose id begins so, in a. HM_E_UNKNOWN
 * when there is none, HM_E_INPUT when several begin so. */
int hm_store_find_conflict(hm_store *s, hm_str prefix, hm_arena *a, hm_str *id, hm_err *err);
/* The id of another conflict that is open on the slot of this one and shares a member with it;
 * empty when none is. */
int hm_store_open_rival(hm_store *s, hm_str id, hm_arena *a, hm_str *rival, hm_err *err);
/* References, in a, of the active relations SUPERSEDES or SUPERSEDED_BY that say that newer
 * superseded older; both "kind:id". Reads all relations. */
int hm_store_supersessions(hm_store *s, hm_str older, hm_str newer, hm_arena *a, hm_str **refs,
                           size_t *n, hm_err *err);
#endif
