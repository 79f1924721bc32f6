/* Applies imported verdicts.
 *
 * A verdict is about a conflict of its rule and slot whose contested time meets its own and whose
 * claims in dispute all say values that it knew, in normal form or as written; where there is none,
 * about the conflict with its id, if that knows no other values. It is carried out once, as the
 * verb would (verdict.h), by whom and when it was decided, and is remembered: what a person undoes
 * later stays undone. A conflict stays open, with a report, if it has a value that the verdict did
 * not know, if the winner is gone, or if two verdicts on it disagree. A verdict that names another
 * as replaced is applied after it. A verdict that differs from the one given in this store changes
 * nothing and is reported. A verdict without its conflict waits. Design section 5. */
#ifndef HM_VERDICT_IMPORT_H
#define HM_VERDICT_IMPORT_H
#include "core/review/review.h"
#include "core/store/verdict_lines.h"

typedef enum {
  HM_SETTLED, HM_SETTLED_BEFORE, HM_SETTLE_WAITS, HM_SETTLE_UNFIT, HM_SETTLE_CONTESTED,
  HM_SETTLE_REPLACED
} hm_settling;

typedef struct {
  hm_settling what;
  hm_str verdict;       /* its id */
  hm_str conflict;      /* the one that it is about here; empty: none */
  hm_str why;           /* UNFIT, CONTESTED: in words */
  bool news;            /* it was not so when this was asked last */
} hm_settled_verdict;

typedef struct {
  hm_settled_verdict *v; size_t n;   /* of each that waited, by id */
  size_t counts[HM_SETTLE_REPLACED + 1];
} hm_settled;

/* Carries out what can be, in one write transaction, or in the caller's. Conflicts in the slots
 * of waiting verdicts are recorded as by a sweep. Nothing waits: nothing is done. r->decided is
 * not looked at. Lives in a. */
int hm_review_settle_waiting(hm_store *s, const hm_review *r, hm_arena *a, hm_settled *out,
                             hm_err *err);
#endif
