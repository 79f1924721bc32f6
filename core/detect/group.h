/* Claims to slots, and away with the slots in which nobody can disagree. */
#ifndef HM_GROUP_H
#define HM_GROUP_H
#include "core/claim/claim.h"

typedef struct { uint64_t hash; uint32_t claim; } hm_group_ref;

/* A slot in which at least two claims have different value keys. */
typedef struct { const hm_group_ref *refs; size_t n; } hm_group;

typedef struct {
  hm_group *groups; size_t n;   /* in no particular order */
  size_t slots;                 /* distinct slots, also those of one claim */
  hm_group_ref *refs;           /* what the groups borrow from */
} hm_groups;

/* One pass by hash, verified by (project, memory_type, name): claims of equal hash and different
 * slot are told apart. A group's refs are in the order of the claims. Free with hm_groups_free. */
void hm_groups_of(const hm_claim *claims, size_t n, int threads, hm_groups *out);
void hm_groups_free(hm_groups *g);
/* Of one slot. */
bool hm_claims_share_slot(const hm_claim *a, const hm_claim *b);
#endif
