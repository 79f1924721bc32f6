/* Writes beside a held sweep: what a memory, a state or a new entity that no row names and that
 * names none changes in its slots, without a sweep of the store. The one short cut of a process
 * that runs; in memory only.
 *
 * Of the slots in which the written rows claim, or claimed, all rows are read again and the rules
 * by slot run; what they find of conflicts is recorded, and that all else is pending (core/store/
 * swept.h). Anything else needs a sweep: other entities, and relations, whose names others read; a
 * row in a project that the sweep does not know, in a proposal, or with a time ahead of the clock;
 * a memory that makes a second crowded (core/claim/story.h); a change by any other writer. Cost:
 * one pass over the hashes of the held claims, the conflicts, and the rows of these slots. Its
 * oracle is a sweep: tests/unit/core_review_agree.c. */
#ifndef HM_BESIDE_H
#define HM_BESIDE_H
#include "core/sweep/held.h"

typedef struct hm_beside hm_beside;

/* least: stores of fewer rows are always swept, which is as fast, and tells everything. One thread
 * at a time. */
hm_beside *hm_beside_new(hm_held *held, const hm_rules *rules, size_t least);
void hm_beside_free(hm_beside *b); /* NULL is allowed */

/* From now on writes are told by this sweep with details, which was recorded whole; takes over its
 * memory, a. Does nothing with one that was not recorded. */
void hm_beside_begin(hm_beside *b, hm_sweep *w, hm_arena *a);
/* The sweep beside which writes are found now; it knows nothing of what was written since. */
const hm_sweep *hm_beside_base(const hm_beside *b);
/* The state that was told of is not stored: a sweep is needed. */
void hm_beside_forget(hm_beside *b);
/* Is the state of the open write transaction of s the one that was last told of, or swept? Also
 * where it was recorded whole and readers hold the sweep of it. */
int hm_beside_holds(hm_beside *b, hm_store *s, bool *holds, hm_err *err);

/* After these rows changed, and nothing else since hm_beside_holds, in the same transaction: finds
 * what that changes, and records it, with conflicts journaled as by opt (hm_sweep_options: who,
 * writers). *out, to be freed with hm_sweep_free, is a sweep of the rows of the slots; disputed:
 * the ids of conflicts that were disputed in these slots. *done false: only a sweep can tell;
 * nothing was recorded. */
int hm_beside_find(hm_beside *b, hm_store *s, const hm_row_name *written, size_t n,
                   const hm_sweep_options *opt, hm_arena *a, hm_sweep *out, hm_map *disputed,
                   bool *done, hm_err *err);

/* Records a whole sweep with details that read an earlier state (hm_sweep_options.lets_go), in a
 * transaction of its own. Where rows were written since, all of them told of here, what it says of
 * their slots is left out, and the rest of the sweep is recorded. From now on writes are found
 * beside it: takes over w and a, also on an error. *taken false: somebody else wrote since; nothing
 * was recorded. */
int hm_beside_take(hm_beside *b, hm_store *s, hm_sweep *w, hm_arena *a, const hm_sweep_options *opt,
                   bool *taken, hm_err *err);
#endif
