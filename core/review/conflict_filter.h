/* Queries for conflicts: those that concern a row or a name ("every conflict that touched Subsystem
 * X"), and those through which rows of a type superseded each other ("every Decision that
 * superseded another Decision because of a conflict"). Pure. Specification, "Supersession as a
 * conflict resolution tool". */
#ifndef HM_CONFLICT_FILTER_H
#define HM_CONFLICT_FILTER_H
#include "core/claim/claim.h"

typedef struct hm_conflict_subject hm_conflict_subject;

/* Finds what text means: "kind:id"; else the rows, of any layer, with this id; else the entities,
 * of any project, with this name (folded, hm_text_fold_name), and claims that use the name. Lives
 * in a; borrows snap. */
hm_conflict_subject *hm_conflict_subject_new(const hm_snapshot *snap, hm_str text, hm_arena *a);
/* Fails with HM_E_UNKNOWN if it means no row, nor the name of a slot of these claims (NULL: of
 * none): for who found no conflict that concerns it. */
int hm_conflict_subject_check_known(const hm_conflict_subject *q, const hm_claims *claims,
                                    hm_err *err);

/* Does the conflict concern the subject? Yes if a member is such a row, or belongs to one, directly
 * or through others: by a relation PART_OF or AFFECTS, an element of its slot (subsystem,
 * decision_target, parameter_scope, ...), a property that says what it is part of (subsystem,
 * parent, part_of, ...) or that is the id of an entity of its project, or by having graduated. Also
 * if the slot's name begins with the name of a subsystem or component (frame_leg_mass). Recorded
 * members count even if their row changed or is gone. Cost: linear in the rows visited. */
bool hm_conflict_concerns(hm_conflict_subject *q, const hm_conflict_rec *c);

/* Is a member of the conflict among these rows (hm_source_rows)? */
bool hm_conflict_has_source(const hm_conflict_rec *c, const hm_map *refs, hm_arena *tmp);

/* --- supersessions ------------------------------------------------------------------ */

typedef struct {
  const hm_conflict_rec *conflict; /* says when, by whom and why */
  uint32_t winner;                 /* snapshot rows */
  uint32_t *rows;
  size_t n; /* members that it superseded and still supersedes; n > 0 */
} hm_succession;

/* Collects one succession for each winner of these conflicts that superseded members, in their
 * order. type: only if winner and superseded rows have it: for a type of the specification only
 * entities, else also memories of this memory_type and states of this category (folded by
 * hm_entity_type_key); empty: all. In a; borrows the conflicts. */
size_t hm_successions_collect(const hm_snapshot *snap, const hm_conflict_rec *const *conflicts,
                              size_t n, hm_str type, hm_arena *a, hm_succession **out);
#endif
