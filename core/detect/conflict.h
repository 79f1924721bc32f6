/* What the rules of a sweep find: what contradicts what, and findings. Design section 7. Pure. */
#ifndef HM_CONFLICT_H
#define HM_CONFLICT_H
#include "core/base/json.h"
#include "core/claim/claim.h"
#include "core/claim/existence.h"
#include "core/claim/world.h"

typedef struct hm_rule hm_rule;            /* rule.h */
typedef struct hm_explainer hm_explainer;        /* explain.h */

typedef struct {
  const hm_claim *claim;     /* contradicts at least one other party */
  bool spared;               /* agrees with a state of the slot, so it contradicts none */
  bool flagged; /* contradicts a party of higher trust, agrees with none of that trust */
  const hm_claim *against;   /* flagged: the first member that it contradicts */
} hm_party;

/* Two parties that contradict each other, as indices; x < y. */
typedef struct { uint32_t x, y; } hm_party_pair;
/* The order of sorted pairs, for qsort and bsearch. */
int hm_party_pair_order(const void *x, const void *y);

/* Claims that contradict each other now, directly or through others. */
typedef struct {
  const hm_rule *rule;
  hm_str slot_key;           /* what it is about: compact JSON array, the project's id first */
  const char *slot_kind;
  uint32_t project;
  hm_party *parties; size_t n;   /* hm_claim_member_order */
  const hm_party_pair *pairs; size_t n_pairs; /* all that contradict each other, sorted; NULL: as
                                                 claims of one slot do (slot_claims.h) */
  const hm_claim *anchor;    /* the party that is first by hm_anchor_order */
  hm_time since; /* least over contradicting pairs of the later `stands`; HM_TIME_MIN: unknown */
  const hm_claim *first[2];  /* the pair that `since` comes from, or the first contradicting pair */
  hm_bound begin, end; /* the contested time as its rows write it: from the first pair's begin to
                          the last pair's end; not known: nobody says when, or it is open */
  hm_time from, until;       /* the same as hm_claim_stated_window has it */
  const struct hm_slot_story *story;   /* of the slot's texts (slot_claims.h); NULL: no text */
} hm_dispute;

/* A judged dispute that was left out, as another says the same (proposal_rules.c). */
typedef struct { hm_str slot_key; const hm_dispute *of; } hm_judged_repeat;

/* How much a rule was handed. */
typedef struct { const hm_rule *rule; size_t keys, rows, found; } hm_rule_work;

/* What the rules of a table find. */
typedef struct {
  hm_dispute *disputes; size_t n;   /* by slot_key, rule, contested time, first party */
  hm_judged_repeat *repeats; size_t n_repeats; /* by slot_key; hm_disputes_drop_judged_repeats */
  size_t slots;                     /* distinct slots */
  hm_finding *findings; size_t n_findings;   /* hm_findings_sort */
  const hm_claim **may; size_t n_may;        /* claims that findings mark (hm_found_mark_claim) */
  /* Claims that a later statement overtook, by row; slot_claims.h. */
  struct hm_overtaken *overtaken; size_t n_overtaken;
  hm_rule_work *work; size_t n_work;         /* in the order of the table */
  const hm_rules *rules;            /* by which claims contradict each other */
  const struct hm_rule_table *table; /* that found them; rule.h */
  const hm_claims *claims;          /* whose they are */
} hm_disputes;

/* All rules that yield conflicts, and those by slot: what they find over all that these claims and
 * rows give. Work: O(claims log claims), also inside one slot of many claims. Lives in a; borrows
 * from claims and rules. Same result for any number of threads and any order of claims. */
int hm_disputes_find(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                     int threads, hm_arena *a, hm_disputes **out, hm_err *err);
/* Leaves out each dispute that a model proposed whose rows are all in one that no model proposed.
 * All disputes of the slots in which these rows claim must be there. Once; repeats lives in a. */
void hm_disputes_drop_judged_repeats(const hm_snapshot *snap, hm_disputes *d, hm_arena *a);
/* The name of its rule; those from before rules were recorded are of the first. */
hm_str hm_conflict_rule(const hm_conflict_rec *rec);
/* The slot key of the dispute that a claim may be in: hm_claim_slot_key, but also where the
 * project's id is no text, so that no two slots share a key. */
hm_str hm_conflict_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c);
/* The window that a claim states, to compare contested times by: its certain bounds, those
 * of its axis where it has no begin or no end. Does not depend on now. */
void hm_claim_stated_window(const hm_claim *c, hm_time *from, hm_time *until);
/* The recorded contested time, likewise, as that world reads it; one that is empty overlaps
 * nothing. */
void hm_conflict_stated_window(const hm_conflict_rec *rec, const hm_world *world, hm_time *from,
                               hm_time *until);
/* Which of two claims is first by its row's created_at (absent last), then kind, id and field. */
int hm_anchor_order(const hm_snapshot *snap, const hm_claim *a, const hm_claim *b);
/* The disputes of a slot: the first of *n. */
const hm_dispute *hm_disputes_of_slot_key(const hm_disputes *d, hm_str slot_key, size_t *n);

/* A dispute prepared for "do these two parties contradict each other?". Lives in a; borrows d and
 * rules. */
typedef struct hm_opponents hm_opponents;
hm_opponents *hm_opponents_new(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                               hm_arena *a);
/* Of d->parties[x] and d->parties[y]. */
bool hm_opponents_contradict(const hm_opponents *o, size_t x, size_t y);
/* out[i]: d->parties[i] contradicts a claim of this row in the dispute. Room for d->n. Work:
 * parties times claims of the row. */
void hm_opponents_mark_against_row(const hm_opponents *o, uint32_t row, bool *out);

/* --- findings: finding.c ----------------------------------------------------------------- */

/* A list that grows in an arena. */
typedef struct { hm_finding *v; size_t n, cap; hm_arena *a; } hm_finding_list;

/* Adds f, with an id over its rule, rows and key where it has none. */
void hm_finding_add(hm_finding_list *l, hm_finding f);
/* Adds to a finding who says when something existed, two at the most (NULL: nobody): rows, of which
 * the message says how many are not named, and the names of properties at the end of its message.
 * So it is hidden with any of them. */
void hm_finding_add_time_sources(hm_finding *f, const hm_time_sources *const by[2], hm_arena *a);
/* One as JSON: an object with all that it says. */
void hm_finding_json(hm_jw *w, const hm_finding *f);
/* By (kind, project, id), then what is left. */
void hm_findings_sort(hm_finding *f, size_t n);
/* Of sorted ones: those that say the same are one, others that share an id get ids by what they
 * say. Returns how many there are, sorted. */
size_t hm_findings_make_ids_unique(hm_finding *f, size_t n, hm_arena *a);
/* Both, sorted, say the same. */
bool hm_findings_equal(const hm_finding *a, size_t n, const hm_finding *b, size_t m);
/* What f says, and all that rules can read of its rows, as 16 hex digits; then a colon, and the
 * same of what they say without ids. In a. Rows that are not in the snapshot count as gone. */
hm_str hm_finding_evidence(const hm_snapshot *snap, const hm_finding *f, hm_arena *a);
/* Sets acked and ack by what people said. A finding is acknowledged where they agree, and one of
 * them knew its evidence; and where they acknowledged one that is not among these and said the same
 * of rows with other ids. Returns how many are. Cost: a lookup a finding. */
size_t hm_findings_acknowledge(const hm_snapshot *snap, hm_finding *f, size_t n);
#endif
