/* Entries of the index of claims: made of rows, followed from place to place, gathered as slots.
 * For core/review. */
#ifndef HM_INDEX_ENTRIES_H
#define HM_INDEX_ENTRIES_H
#include "core/base/str.h"
#include "core/claim/claim.h"
#include "core/claim/rules.h"
#include "core/store/claim_index.h"
#include "core/store/partial_snapshot.h"

/* Changes when the rules, or the program's way to read them, put claims into other slots. In a. */
hm_str hm_index_rules_digest(const hm_rules *rules, hm_arena *a);
/* Changes when the rules, which of them run, or the program's way to compare claims, find other
 * conflicts. In a. */
hm_str hm_index_compare_rules_digest(const hm_rules *rules, hm_arena *a);
/* Adds the entries of the snapshot's rows: of all rows, or of the rows marked in only[row]. Borrows
 * ids from snap; free(out->v). */
void hm_index_entries_collect(const hm_snapshot *snap, const hm_claims *claims,
                              const hm_rules *rules, const bool *only, hm_index_entries *out);

/* --- sets of slots: those that a write touches, and sweeps ------------------------------------ */

/* Hashes of slot keys (hm_str_hash). Begin with { 0 }; free v. Sorted and each once after
 * hm_slot_set_sort. */
typedef struct { uint64_t *v; size_t n, cap; } hm_slot_set;
void hm_slot_set_add(hm_slot_set *s, uint64_t hash);
void hm_slot_set_add_all(hm_slot_set *s, const hm_slot_set *more);
void hm_slot_set_sort(hm_slot_set *s);
/* In a sorted set. */
bool hm_slot_set_has(const hm_slot_set *s, uint64_t hash);

/* --- what lies in what, by the index: for a write, which reads few rows ----------------------- */

/* Asks for the rows that say in what the other end of this relation lies; nothing where its kind
 * does not nest. */
int hm_partial_want_outer(hm_store *s, hm_partial *p, const hm_row *relation, const hm_rules *rules,
                          hm_arena *a, hm_err *err);
/* Adds to `touched` the slots of all that lies in these places, however deep, in which more than
 * one row claims: when what leads on from there changes, their values may agree, or no more.
 * places: hashes of ids; deeper ones are added. Cost: all that lies in them. */
int hm_slot_set_add_inner(hm_store *s, hm_slot_set *places, hm_slot_set *touched, hm_arena *a,
                          hm_err *err);
#endif
