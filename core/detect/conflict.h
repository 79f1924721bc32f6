/* Claims to disputes: groups of one slot, found in one pass. Design section 7.
 * Pure. */
#ifndef HM_CONFLICT_H
#define HM_CONFLICT_H
#include "core/claim/claim.h"

typedef struct {
  const hm_claim *claim;
  bool disagrees;            /* false: a member because it agrees with one that does */
  bool flagged;
  const hm_claim *against;   /* flagged: the first member of the highest trust that it disagrees with */
} hm_party;

/* A slot whose claims disagree now. */
typedef struct {
  hm_str slot_key;
  const char *slot_kind;
  uint32_t project;
  hm_party *parties; size_t n;   /* trust descending, id, field */
  hm_time since;             /* least over disagreeing pairs of the later `stands`; HM_TIME_MIN: unknown */
  const hm_claim *first[2];  /* the pair that `since` comes from, or the first disagreeing pair */
} hm_dispute;

typedef struct {
  hm_dispute *disputes; size_t n;   /* by slot_key */
  size_t slots;                     /* distinct slots */
  const hm_rules *rules;            /* by which they disagree */
} hm_disputes;

/* Work: O(claims log claims), also inside one slot of many claims (see group.c for how). Lives in a;
 * borrows from claims and rules. Same result for any number of threads and any order of claims. */
int hm_disputes_of(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                   int threads, hm_arena *a, hm_disputes **out, hm_err *err);
/* The slot key of the dispute that a claim may be in: hm_claim_slot_key, but also where the project's id is no
 * text, so that no two slots share a key. */
hm_str hm_conflict_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c);
/* The dispute with this slot key, or NULL (binary search). */
const hm_dispute *hm_disputes_find(const hm_disputes *d, hm_str slot_key);
#endif
