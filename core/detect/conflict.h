/* Claims to disputes: groups of one slot, found in one pass, and in each the claims that contradict
 * each other. Design section 7. Pure. */
#ifndef HM_CONFLICT_H
#define HM_CONFLICT_H
#include "core/claim/claim.h"

typedef struct {
  const hm_claim *claim;     /* contradicts at least one other party */
  bool spared;               /* agrees with a state of the slot, so it contradicts none */
  bool flagged; /* contradicts a party of higher trust, agrees with none of that trust */
  const hm_claim *against;   /* flagged: the first of those that it contradicts */
} hm_party;

/* Claims of a slot that contradict each other now, directly or through others. What it is called
 * and found by comes in as data (rule, slot_key), so that other rules can give disputes too. */
typedef struct {
  const char *rule; int rule_version;
  hm_str slot_key;
  const char *slot_kind;
  uint32_t project;
  hm_party *parties; size_t n;   /* trust descending, id, field */
  const hm_claim *anchor;    /* the party that is first by hm_anchor_order */
  hm_time since; /* least over contradicting pairs of the later `stands`; HM_TIME_MIN: unknown */
  const hm_claim *first[2];  /* the pair that `since` comes from, or the first contradicting pair */
  hm_bound begin, end; /* the contested time as its rows write it: from the first pair's begin to
                          the last pair's end; not known: nobody says when, or it is open */
  hm_time from, until;       /* the same as hm_claim_stated has it */
} hm_dispute;

typedef struct {
  hm_dispute *disputes; size_t n;   /* by slot_key; in a slot by contested time, then first party */
  size_t slots;                     /* distinct slots */
  hm_finding *findings; size_t n_findings;   /* possible_overlap: one a slot (may_overlap.h) */
  const hm_claim **may; size_t n_may;        /* the claims of these findings */
  const hm_rules *rules;            /* by which they contradict each other */
  const hm_claims *claims;          /* whose they are */
} hm_disputes;

/* Work: O(claims log claims), also inside one slot of many claims (see group.c for how). Lives in
 * a; borrows from claims and rules. Same result for any number of threads and any order of claims.
 */
int hm_disputes_of(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                   int threads, hm_arena *a, hm_disputes **out, hm_err *err);
/* The slot key of the dispute that a claim may be in: hm_claim_slot_key, but also where the
 * project's id is no text, so that no two slots share a key. */
hm_str hm_conflict_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c);
/* The window that a claim states, to compare contested times by: its certain bounds, HM_TIME_MIN
 * where it has no begin, HM_TIME_MAX where it has no end. Does not depend on now. */
void hm_claim_stated(const hm_claim *c, hm_time *from, hm_time *until);
/* The recorded contested time, likewise; one that is empty overlaps nothing. */
void hm_conflict_stated(const hm_conflict_rec *rec, hm_time *from, hm_time *until);
/* Which of two claims is first by its row's created_at (absent last), then kind, id and field. */
int hm_anchor_order(const hm_snapshot *snap, const hm_claim *a, const hm_claim *b);
/* The disputes of a slot: the first of *n. */
const hm_dispute *hm_disputes_on(const hm_disputes *d, hm_str slot_key, size_t *n);
#endif
