/* Gaps: slots of which some row says that the value is not known, and no row says a value.
 *
 * Found on demand, by one pass over the claims and a sort of what is silent. A claim that has ended
 * knows nothing any more, and a silence that has ended says nothing. Pure. */
#ifndef HM_GAP_H
#define HM_GAP_H
#include "core/claim/claim.h"

typedef struct {
  uint32_t project;
  hm_str slot_key;
  const hm_claim **by;
  size_t n; /* who says so: of claims->silences, by trust, highest first, then id */
} hm_gap;

/* Sorted by project and slot key; in a, borrowed from claims. shown NULL: of all rows; else what it
 * says no to is taken as not there, be it silence or a value. */
void hm_gaps_of(const hm_snapshot *snap, const hm_claims *claims,
                bool (*shown)(void *ctx, const hm_claim *c), void *ctx, hm_arena *a, hm_gap **out,
                size_t *n);
/* "p05 / spindle_speed: not known yet, says the state"; kind gap, severity info, rule slot/gap. In
 * a. */
hm_finding hm_gap_finding(const hm_snapshot *snap, const hm_gap *gap, hm_arena *a);
#endif
