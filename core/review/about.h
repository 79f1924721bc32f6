/* "Show me every conflict that touched Subsystem X." Specification, "Supersession as a conflict
 * resolution tool". Pure. */
#ifndef HM_ABOUT_H
#define HM_ABOUT_H
#include "core/store/row.h"

typedef struct hm_about hm_about;

/* What text means: "kind:id"; else the rows, of any layer, with this id; else the entities with
 * this name (folded, hm_text_name), of any project, and what only speaks of that name. Lives in a;
 * borrows snap. */
hm_about *hm_about_new(const hm_snapshot *snap, hm_str text, hm_arena *a);
/* Rows that it means, by layer and id; 0: it is a name at most. */
size_t hm_about_rows(const hm_about *q, const uint32_t **rows);

/* Does the conflict concern it? A member is such a row, or belongs to one, directly or through
 * others: by a relation PART_OF or AFFECTS, by an element of its slot (subsystem, decision_target,
 * parameter_scope, ...), by a property that says part of what it is (subsystem, parent, part_of,
 * ...) or that is the id of an entity of its project, by having graduated. Or, of a subsystem or
 * component, the slot's name begins with its name (frame_leg_mass). A recorded member counts though
 * its row says something else today, or is gone. Linear in the rows met, each looked at once or,
 * where the answer was yes, a few times. */
bool hm_about_concerns(hm_about *q, const hm_conflict_rec *c);
#endif
