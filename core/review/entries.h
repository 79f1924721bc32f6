/* What the index of the claims holds of a row. */
#ifndef HM_ENTRIES_H
#define HM_ENTRIES_H
#include "core/claim/claim.h"
#include "core/store/claim_index.h"

/* The key of a slot in the index; the keys of an id that elements and values name, and of a type.
 */
uint64_t hm_slot_hash(hm_str slot_key);
uint64_t hm_names_hash(hm_str id);
uint64_t hm_type_hash(hm_str type_key);

/* Changes when the rules, or the program's way to read them, put claims into other slots. In a. */
hm_str hm_entries_rules(const hm_rules *rules, hm_arena *a);

/* Changes when the rules, or the program's way to compare claims, find other conflicts. In a. */
hm_str hm_compare_rules(const hm_rules *rules, hm_arena *a);

/* Adds the rows whose claims depend on the entity with this id, as the index has them; ids in a. */
int hm_entries_depending(hm_store *s, hm_str id, hm_arena *a, hm_row_keys *out, hm_err *err);
/* Adds the entries of the snapshot's rows: of all, or of those that only[row] marks. claims: of
 * snap. Ids are borrowed from snap. */
void hm_entries_of(const hm_snapshot *snap, const hm_claims *claims, const bool *only,
                   hm_index_entries *out);
#endif
