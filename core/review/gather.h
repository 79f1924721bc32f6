/* A partial snapshot with everything that the claims of some rows depend on. */
#ifndef HM_GATHER_H
#define HM_GATHER_H
#include "core/claim/claim.h"
#include "core/store/claim_index.h"
#include "core/store/partial.h"

typedef struct {
  hm_store *s;
  hm_arena *a;
  hm_partial *partial;
  hm_map wanted[HM_RELATION + 1];   /* rows that may claim */
  size_t witnesses; /* entities looked at for "is there one of this type"; at least 1 */
} hm_gather;

void hm_gather_begin(hm_gather *g, hm_store *s, bool details, size_t witnesses, hm_arena *a);
void hm_gather_end(hm_gather *g);
/* Asks for a row. */
void hm_gather_row(hm_gather *g, hm_layer layer, hm_str id);
/* The snapshot of the rows asked for, and the claims of these (free with hm_claims_free). Rows that
 * are only there because others depend on them (an entity that an element names, one of the type
 * that a category names) are in the snapshot with HM_STATUS_OTHER, so that they claim nothing. */
int hm_gather_claims(hm_gather *g, const hm_rules *rules, hm_snapshot **snap, hm_claims **claims,
                     hm_err *err);
#endif
