/* The results of the rules of a sweep: disputes and findings. Design section 7. Pure. */
#ifndef HM_CONFLICT_H
#define HM_CONFLICT_H
#include "core/base/json.h"
#include "core/claim/claim.h"
#include "core/claim/existence.h"
#include "core/claim/world.h"

typedef struct hm_rule hm_rule;           /* rule.h */
typedef struct hm_explainer hm_explainer; /* explain.h */

typedef struct {
  const hm_claim *claim; /* contradicts at least one other party */
  bool spared;           /* agrees with a state of the slot, so it contradicts none */
  uint32_t thing;        /* hm_slot_item.thing */
  bool flagged; /* contradicts a party of higher trust, and agrees at a time that both hold with
                 * none of that trust or a higher one */
  const hm_claim *against; /* flagged: the first member that it contradicts */
  const hm_claim *with; /* not flagged although it contradicts one: the first that it agrees with */
} hm_party;

/* Two parties that contradict each other, as indices; x < y. */
typedef struct {
  uint32_t x, y;
} hm_party_pair;
/* The order of sorted pairs, for qsort and bsearch. */
int hm_party_pair_order(const void *x, const void *y);

/* Claims that contradict each other now, directly or through others. */
typedef struct {
  const hm_rule *rule;
  hm_str slot_key; /* compact JSON array, the project's id first */
  const char *slot_kind;
  uint32_t project;
  hm_party *parties;
  size_t n; /* hm_claim_member_order */
  const hm_party_pair *pairs;
  size_t n_pairs;         /* all pairs that contradict each other, sorted; NULL:
                           * as claims of one slot do (slot_claims.h) */
  const hm_claim *anchor; /* the party that is first by hm_anchor_order */
  hm_time since; /* least over contradicting pairs of the later `stands`; HM_TIME_MIN: unknown */
  const hm_claim *first[2]; /* the pair that `since` comes from, or the first contradicting pair */
  hm_bound begin, end; /* the contested time as written in rows, from the first pair's begin to the
                        * last pair's end; may be unknown or open */
  hm_time from, until; /* the same, as in hm_claim_stated_window */
  const struct hm_slot_story *story; /* of the slot's texts (slot_claims.h); NULL: no text */
} hm_dispute;

/* A judged dispute that was left out because another covers it (proposal_rules.c). */
typedef struct {
  hm_str slot_key;
  const hm_dispute *of;
} hm_judged_repeat;

/* The amount of work of a rule. */
typedef struct {
  const hm_rule *rule;
  size_t keys, rows, found;
} hm_rule_work;

/* All results of a table of rules. */
typedef struct {
  hm_dispute *disputes;
  size_t n; /* by slot_key, rule, contested time, first party */
  hm_judged_repeat *repeats;
  size_t n_repeats; /* by slot_key; hm_disputes_drop_judged_repeats */
  size_t slots;     /* distinct slots */
  hm_finding *findings;
  size_t n_findings; /* hm_findings_sort */
  const hm_claim **may;
  size_t n_may; /* claims that findings mark (hm_found_mark_claim) */
  /* Claims that a later statement overtook, by row; slot_claims.h. */
  struct hm_overtaken *overtaken;
  size_t n_overtaken;
  hm_rule_work *work;
  size_t n_work;                     /* in the order of the table */
  const hm_rules *rules;             /* that decide which claims contradict each other */
  const struct hm_rule_table *table; /* the rules that ran; rule.h */
  const hm_claims *claims;           /* the compared claims */
} hm_disputes;

/* Runs all rules that yield conflicts, and those by slot, over all claims and rows. Cost: O(claims
 * log claims), and the pairs of claims within a slot (HM_SLOT_COMPARED). Lives in a; borrows from
 * claims and rules. The result does not depend on threads or on the order of claims. */
int hm_disputes_find(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                     int threads, hm_arena *a, hm_disputes **out, hm_err *err);
/* Removes each dispute that a model proposed if all its rows are in one that no model proposed. d
 * must have all disputes of the slots in which these rows have claims. Call it once; d->repeats
 * lives in a. */
void hm_disputes_drop_judged_repeats(const hm_snapshot *snap, hm_disputes *d, hm_arena *a);
/* Leaves out findings on reports whose rows are all in one dispute, or in a settled conflict. */
void hm_disputes_drop_known_reports(const hm_snapshot *snap, hm_disputes *d);
/* The name of its rule; for conflicts from before rules were recorded, the first rule's. */
hm_str hm_conflict_rule(const hm_conflict_rec *rec);
/* The slot key of a dispute that the claim may be in. Like hm_claim_slot_key, but also distinct if
 * the project's id is invalid UTF-8. */
hm_str hm_conflict_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c);
/* The window that a claim states, for comparing contested times: its certain bounds, or the limits
 * of its axis if it has no begin or no end; its possible ones if no instant is certain. Does not
 * depend on now. */
void hm_claim_stated_window(const hm_claim *c, hm_time *from, hm_time *until);
/* The same for the recorded contested time, read in that world. An empty window overlaps
 * nothing. */
void hm_conflict_stated_window(const hm_conflict_rec *rec, const hm_world *world, hm_time *from,
                               hm_time *until);
/* Orders two claims by their rows' created_at (absent last), then kind, id and field. */
int hm_anchor_order(const hm_snapshot *snap, const hm_claim *a, const hm_claim *b);
/* The disputes of a slot: the first, and their number in *n. */
const hm_dispute *hm_disputes_of_slot_key(const hm_disputes *d, hm_str slot_key, size_t *n);

/* Do d->parties[x] and d->parties[y] contradict each other? Compares the two values; where many
 * pairs are asked for, hm_opponents is faster. */
bool hm_parties_contradict(const hm_dispute *d, size_t x, size_t y, const hm_rules *rules);
/* A dispute prepared for asking which parties contradict each other. Lives in a; borrows d and
 * rules. */
typedef struct hm_opponents hm_opponents;
hm_opponents *hm_opponents_new(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                               hm_arena *a);
/* Do d->parties[x] and d->parties[y] contradict each other? */
bool hm_opponents_contradict(const hm_opponents *o, size_t x, size_t y);
/* Sets out[i] if d->parties[i] contradicts a claim of this row in the dispute. out has room for
 * d->n. Cost: parties times claims of the row. */
void hm_opponents_mark_against_row(const hm_opponents *o, uint32_t row, bool *out);

/* --- findings: finding.c ----------------------------------------------------------------- */

/* The rule of findings that somebody reported, or a model proposed. */
#define HM_RULE_REPORTED "review/reported"

/* A growing list in an arena. */
typedef struct {
  hm_finding *v;
  size_t n, cap;
  hm_arena *a;
} hm_finding_list;

/* Adds f. Makes its id from rule, rows and key if it has none. */
void hm_finding_add(hm_finding_list *l, hm_finding f);
/* Adds to a finding the sources of up to two existences (NULL: none): their rows, with the number
 * of omitted rows in the message, and the names of properties at the end of the message. So
 * whatever hides one of them hides the finding. */
void hm_finding_add_time_sources(hm_finding *f, const hm_time_sources *const by[2], hm_arena *a);
/* Writes a finding as a JSON object, complete. */
void hm_finding_json(hm_jw *w, const hm_finding *f);
/* Sorts by severity, the worst first, most rows, kind, project, id, then all other fields. */
void hm_findings_sort(hm_finding *f, size_t n);
/* A copy of the finding, its rows and texts in a, for who frees the claims. The acknowledgement is
 * borrowed. */
const hm_finding *hm_finding_copy(const hm_finding *f, hm_arena *a);
/* Is it about this row? ref: "kind:id". */
bool hm_finding_names(const hm_finding *f, hm_str ref);
/* Merges equal findings of a sorted list, and gives others that share an id new ids from their
 * content. Returns the new number; stays sorted. */
size_t hm_findings_make_ids_unique(hm_finding *f, size_t n, hm_arena *a);
/* Are two sorted lists equal? */
bool hm_findings_equal(const hm_finding *a, size_t n, const hm_finding *b, size_t m);
/* A digest of f and of all that rules can read of its rows, as 16 hex digits; a colon; the same
 * without ids. Of a report its rows alone. In a. Rows not in the snapshot count as gone. */
hm_str hm_finding_evidence(const hm_snapshot *snap, const hm_finding *f, hm_arena *a);
/* Sets acked and ack from the acknowledgements. A finding is acknowledged if the lines about it
 * agree and one of them has its evidence; or if there is none about it, but one about a finding
 * that is not in f and had the same content with other ids. Returns the number acknowledged. Cost:
 * one lookup per finding. */
size_t hm_findings_acknowledge(const hm_snapshot *snap, hm_finding *f, size_t n);
#endif
