/* Entries of the index of claims; for index_update.c. */
#ifndef HM_INDEX_ENTRIES_H
#define HM_INDEX_ENTRIES_H
#include "core/claim/claim.h"
#include "core/store/claim_index.h"

/* Changes when the rules, or the program's way to read them, put claims into other slots. In a. */
hm_str hm_index_rules(const hm_rules *rules, hm_arena *a);
/* Changes when the rules, which of them run, or the program's way to compare claims, find other
 * conflicts. In a. */
hm_str hm_index_compare_rules(const hm_rules *rules, hm_arena *a);
/* Adds the entries of the snapshot's rows: of all rows, or of the rows marked in only[row]. Borrows
 * ids from snap; free(out->v). */
void hm_index_entries_of(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                         const bool *only, hm_index_entries *out);
#endif
