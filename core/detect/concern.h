/* Which rows the disputes of a store concern: their members, what these are about, and what
 * contains one of them. Pure. A row's standing, its marker and its counts go by it (standing.h). */
#ifndef HM_CONCERN_H
#define HM_CONCERN_H
#include "core/claim/belongs.h"
#include "core/detect/conflict.h"

typedef enum {
  HM_CONCERNS_MEMBER,  /* a claim of the row is a party */
  HM_CONCERNS_SUBJECT, /* the dispute is about the row: hm_belonging */
  HM_CONCERNS_INSIDE   /* the row contains a member or a subject, directly or through others */
} hm_concern_kind;

/* Each row and dispute once, by the first kind that is so. */
typedef struct {
  uint32_t row, dispute; /* dispute: index into what was given */
  hm_concern_kind kind;
} hm_concern;

typedef struct {
  const hm_snapshot *snap;      /* whose rows they are */
  const hm_concern *by_row;     /* by row, kind, dispute */
  const hm_concern *by_dispute; /* by dispute, kind, row */
  size_t n;
} hm_concerns;

/* Is this claim shown? NULL: all are. */
typedef bool hm_concern_shown(const void *ctx, const hm_claim *c);

/* Collects what these disputes (NULL among them: none) concern, in a. of: the rows of their claims;
 * belongs: walks these, or those of a whole store of which they are some; only active rows, so
 * that only these are concerned. shown: which claims count. Cost: for each dispute, its members and
 * the rows above them. */
void hm_concerns_collect(const hm_belongs *belongs, const hm_snapshot *of,
                         const hm_dispute *const *disputes, size_t n, hm_concern_shown *shown,
                         const void *ctx, hm_arena *a, hm_concerns *out);
/* Those of a row, and of a dispute. */
const hm_concern *hm_concerns_of_row(const hm_concerns *c, uint32_t row, size_t *n);
const hm_concern *hm_concerns_of_dispute(const hm_concerns *c, uint32_t dispute, size_t *n);
#endif
