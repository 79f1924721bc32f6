/* Entries of the index of claims: making them from rows, sets of slots, searching what lies in
 * what. For core/review. */
#ifndef HM_INDEX_ENTRIES_H
#define HM_INDEX_ENTRIES_H
#include "core/base/str.h"
#include "core/claim/claim.h"
#include "core/value/rules.h"
#include "core/store/claim_index.h"
#include "core/store/partial_snapshot.h"

/* A digest of the rules, and of the program's version of reading, that decide the slots of claims.
 * In a. */
hm_str hm_index_rules_digest(const hm_rules *rules, hm_arena *a);
/* A digest of the rules, which of them run, and the program's version of comparing, that decide
 * which conflicts are found. In a. */
hm_str hm_index_compare_rules_digest(const hm_rules *rules, hm_arena *a);
/* Adds the entries of all rows of the snapshot, or of those with only[row]. Borrows ids from snap;
 * the caller calls free(out->v). */
void hm_index_entries_collect(const hm_snapshot *snap, const hm_claims *claims,
                              const hm_rules *rules, const bool *only, hm_index_entries *out);

/* --- sets of slots: those that a write touches, and sweeps ------------------------------------ */

/* Hashes of slot keys (hm_str_hash). Initialize with { 0 }; the caller frees v. Sorted and distinct
 * after hm_slot_set_sort. */
typedef struct {
  uint64_t *v;
  size_t n, cap;
} hm_slot_set;
void hm_slot_set_add(hm_slot_set *s, uint64_t hash);
void hm_slot_set_add_all(hm_slot_set *s, const hm_slot_set *more);
void hm_slot_set_sort(hm_slot_set *s);
/* Needs a sorted set. */
bool hm_slot_set_has(const hm_slot_set *s, uint64_t hash);

/* --- what lies in what, by the index: for a write, which reads few rows ----------------------- */

/* Requests the rows that say in what the other end of this relation lies. Does nothing if its kind
 * does not nest. */
int hm_partial_want_outer(hm_store *s, hm_partial *p, const hm_row *relation, const hm_rules *rules,
                          hm_arena *a, hm_err *err);
/* Adds to `touched` the slots with claims of more than one row about anything in these places, at
 * any depth: if the inclusion of these places changes, whether those values agree may change.
 * places: hashes of ids; adds the deeper ones. Cost: all that lies in them. */
int hm_slot_set_add_inner(hm_store *s, hm_slot_set *places, hm_slot_set *touched, hm_arena *a,
                          hm_err *err);
#endif
