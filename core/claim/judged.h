/* Claims of rows that a person confirmed to contradict each other, or to be similar. Each
 * confirmation is a slot in a space of its own, in which each of its rows claims what it says.
 * Confirmations of the same question share a slot, so that a conflict can grow. The slot is named
 * by the rows, never by the words of a model.
 *
 * So a rule by slot makes a conflict of a confirmation, a write finds it like any other, and it
 * ends when fewer than two of its rows still say what was judged. What a model proposes or somebody
 * reports claims nothing: a rule makes a finding of it (core/detect/proposal_rules.c). */
#ifndef HM_JUDGED_H
#define HM_JUDGED_H
#include "core/claim/claim.h"

/* The space of these slots. */
#define HM_JUDGED_SPACE "judged"
/* Prefix of the normal form of their values; the digest follows. */
#define HM_JUDGED_NORM "text:" HM_JUDGED_SPACE ":"
/* Prefix of the question of a proposal on two similar texts. A model's such proposal is no claim:
 * the rule on similar texts makes a finding of it (core/slot/similar_groups.h). */
#define HM_SIMILAR_QUESTION "Similar texts: "
bool hm_proposal_is_similar(const hm_proposal *p);
/* Is it a proposal or a report, for a person to confirm or dismiss, and not taken back? */
bool hm_proposal_is_open(const hm_proposal *p);
/* Does its i-th row still say, as an active one, what was judged? Do two of them or more? */
bool hm_proposal_row_holds(const hm_snapshot *snap, const hm_proposal *p, size_t i,
                           hm_arena *scratch);
bool hm_proposal_holds(const hm_snapshot *snap, const hm_proposal *p, hm_arena *scratch);
/* Is the claim from a proposal? From a person's confirmation? */
bool hm_claim_is_judged(const hm_claim *c);
bool hm_claim_is_confirmed(const hm_claim *c);
/* The question that a person confirms: that these two rows say the same, or deny each other. In
 * a. */
#define HM_CONFIRMED_SAME "duplicate"
#define HM_CONFIRMED_DENIED "contradiction"
hm_str hm_question_to_confirm(bool denied, hm_str older, hm_str newer, hm_arena *a);
/* The same for a pair that a judge proposed although the words do not show it; is the claim from
 * such a confirmation? Then its rows contradict each other, whatever their words. */
hm_str hm_confirmed_judged_question(hm_str older, hm_str newer, hm_arena *a);
bool hm_claim_is_confirmed_judged(const hm_claim *c);
/* The name of a proposal's slot; in a. */
hm_str hm_judged_slot_name(const hm_proposal *p, hm_arena *a);

/* The part of a row that a judge reads. */
typedef struct {
  hm_str text;  /* memory: content; state: "key: value"; entity: "name: value" */
  hm_str field; /* its field as in hm_claim; of an entity the main one */
  hm_str value; /* the text of that field */
} hm_judged_row;
/* False if no judge reads this row: a relation, an entity without a main field, an empty row. Texts
 * are in a or the row. */
bool hm_judged_row_read(const hm_row *r, hm_arena *a, hm_judged_row *out);
/* The digest of what the row says, as in proposals. In a. */
hm_str hm_judged_digest(const hm_row *r, const hm_judged_row *j, hm_arena *a);
/* The proposal of a judged slot with this name, or NULL. */
const hm_proposal *hm_judged_slot_find_proposal(const hm_snapshot *snap, hm_str name, hm_arena *a);
/* The proposal that this key of a conflict's slot is of; NULL: no judge's, or it is gone. */
const hm_proposal *hm_judged_find_proposal(const hm_snapshot *snap, hm_str slot_key, hm_arena *a);
#endif
