/* "Show me every Decision that superseded another Decision because of a conflict." Specification,
 * "Supersession as a conflict resolution tool". Pure. */
#ifndef HM_SUCCESSION_H
#define HM_SUCCESSION_H
#include "core/store/row.h"

typedef struct {
  const hm_conflict_rec *conflict;   /* says when, by whom and why */
  uint32_t winner;                   /* snapshot rows */
  uint32_t *rows;
  size_t n; /* members that it superseded and that have it as their successor still; n > 0 */
} hm_succession;

/* One for each of these conflicts that was resolved so, in their order. type: only rows of it,
 * winner and superseded both: entities where it is a type of the specification's, else also
 * memories of this memory_type and states of this category (folded by hm_entity_type_key); empty:
 * all. In a; borrows the conflicts. */
size_t hm_successions_of(const hm_snapshot *snap, const hm_conflict_rec *const *conflicts, size_t n,
                         hm_str type, hm_arena *a, hm_succession **out);
#endif
