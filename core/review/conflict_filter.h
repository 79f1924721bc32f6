/* Which conflicts a query selects: conflicts that concern a row or a name ("every conflict that
 * touched Subsystem X"), and conflicts through which rows of a type superseded each other ("every
 * Decision that superseded another Decision because of a conflict"). Pure. Specification,
 * "Supersession as a conflict resolution tool". */
#ifndef HM_CONFLICT_FILTER_H
#define HM_CONFLICT_FILTER_H
#include "core/store/row.h"

typedef struct hm_conflict_subject hm_conflict_subject;

/* What text means: "kind:id"; else the rows, of any layer, with this id; else the entities with
 * this name (folded, hm_text_fold_name), of any project, and what only speaks of that name. Lives
 * in a; borrows snap. */
hm_conflict_subject *hm_conflict_subject_new(const hm_snapshot *snap, hm_str text, hm_arena *a);
/* Rows that it means, by layer and id; 0: it is a name at most. */
size_t hm_conflict_subject_rows(const hm_conflict_subject *q, const uint32_t **rows);

/* Does the conflict concern it? A member is such a row, or belongs to one, directly or through
 * others: by a relation PART_OF or AFFECTS, by an element of its slot (subsystem, decision_target,
 * parameter_scope, ...), by a property that says part of what it is (subsystem, parent, part_of,
 * ...) or that is the id of an entity of its project, by having graduated. Or, of a subsystem or
 * component, the slot's name begins with its name (frame_leg_mass). A recorded member counts though
 * its row says something else today, or is gone. Linear in the rows met, each looked at once or,
 * where the answer was yes, a few times. */
bool hm_conflict_concerns(hm_conflict_subject *q, const hm_conflict_rec *c);

/* Has a member of the conflict this source, exactly as its row writes it: an element of
 * source_refs, of a state the whole of `source`? Needs details. */
bool hm_conflict_has_source(const hm_snapshot *snap, const hm_conflict_rec *c, hm_str source,
                            hm_arena *tmp);

/* --- supersessions ------------------------------------------------------------------ */

typedef struct {
  const hm_conflict_rec *conflict;   /* says when, by whom and why */
  uint32_t winner;                   /* snapshot rows */
  uint32_t *rows;
  size_t n; /* members that it superseded and that have it as their successor still; n > 0 */
} hm_succession;

/* One for each winner of these conflicts that were resolved so, in their order. type: only rows of
 * it, winner and superseded both: entities where it is a type of the specification's, else also
 * memories of this memory_type and states of this category (folded by hm_entity_type_key); empty:
 * all. In a; borrows the conflicts. */
size_t hm_successions_collect(const hm_snapshot *snap, const hm_conflict_rec *const *conflicts,
                              size_t n, hm_str type, hm_arena *a, hm_succession **out);
#endif
