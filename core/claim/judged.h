/* Claims of rows that a model found in contradiction, or a person confirmed as similar: each
 * proposal is a slot of its own, in a space of their own, in which each of its rows claims what it
 * says. What a person confirmed is a proposal without a model; those that ask the same question
 * are one slot, so that it may grow.
 *
 * So a proposal becomes a conflict by a rule by slot, is found by a write as any other, and ends
 * when fewer than two of its rows still say what was judged. */
#ifndef HM_JUDGED_H
#define HM_JUDGED_H
#include "core/claim/claim.h"

/* The space of these slots. */
#define HM_JUDGED_SPACE "judged"
/* What the normal form of their values begins with; the digest follows. */
#define HM_JUDGED_NORM "text:" HM_JUDGED_SPACE ":"
/* A model's word on two texts that are alike is no claim: the rule on similar texts makes a finding
 * of it (core/detect/similar_groups.h). What the question of such a proposal begins with. */
#define HM_SIMILAR_QUESTION "Similar texts: "
bool hm_proposal_is_similar(const hm_proposal *p);
/* Is it of a proposal, whoever made it? Did a person? */
bool hm_claim_is_judged(const hm_claim *c);
bool hm_claim_is_confirmed(const hm_claim *c);
/* Is this the space of a slot of proposals? */
bool hm_space_is_judged(hm_str space);
/* What a person confirms: that these two rows say the same, or deny each other. In a. */
#define HM_CONFIRMED_SAME "duplicate"
#define HM_CONFIRMED_DENIED "contradiction"
hm_str hm_question_to_confirm(bool denied, hm_str older, hm_str newer, hm_arena *a);
/* The same of a pair of which a judge said so, and words do not tell; is the claim of such a one?
 * Then its rows contradict each other, whatever their words. */
hm_str hm_confirmed_judged_question(hm_str older, hm_str newer, hm_arena *a);
bool hm_claim_is_confirmed_judged(const hm_claim *c);
/* The name of a proposal's slot; in a. */
hm_str hm_judged_slot_name(const hm_proposal *p, hm_arena *a);

/* What a judge reads of a row. */
typedef struct {
  hm_str text;      /* a memory's content; "key: value" of a state; "name: value" of an entity */
  hm_str field;     /* the field that says it, as hm_claim has it: an entity's main one */
  hm_str value;     /* what stands in that field */
} hm_judged_row;
/* False: no judge reads this row: a relation, an entity without a main field, an empty one. Texts
 * in a or of the row. */
bool hm_judged_row_read(const hm_row *r, hm_arena *a, hm_judged_row *out);
/* A digest of what the row says, as a proposal has it. In a. */
hm_str hm_judged_digest(const hm_row *r, const hm_judged_row *j, hm_arena *a);
/* The proposal that a judged slot is of, by its name; NULL: the snapshot has none. */
const hm_proposal *hm_judged_slot_find_proposal(const hm_snapshot *snap, hm_str name, hm_arena *a);
#endif
