/* A finding on similar texts becomes a conflict, because somebody confirms it. Specification:
 * houkai, "Conflict / contradiction detection".
 *
 * What is confirmed is a record, as what a judge proposes is (core/store/remarks.h): its question
 * names the two oldest rows, and the conflict's slot is made from it. So a finding that grew and is
 * confirmed again adds members to the same conflict. Verdicts settle it as any other; dismissed, it
 * stays quiet, and so does the finding, whose rows share a slot now. */
#ifndef HM_CONFIRM_H
#define HM_CONFIRM_H
#include "core/review/review.h"

typedef struct {
  bool dry_run;
  hm_str finding, message;     /* what was confirmed */
  hm_str conflict;             /* its id; in a dry run that which it would get */
  bool opened;                 /* false: the conflict was there, and has more members now */
  hm_str by, at, reason;
} hm_confirm_report;

/* Confirms the finding of this id, or the only one whose id begins so: one of the kinds
 * possible_duplicate and possible_contradiction. reason may be empty. One transaction, or the
 * caller's; journaled as "confirm". HM_E_UNKNOWN; HM_E_INPUT: another kind, more than 64 rows. */
int hm_review_confirm(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                      hm_confirm_report *out, hm_err *err);
/* The report as one compact JSON object. */
void hm_confirm_json(hm_buf *b, const hm_confirm_report *r);
#endif
