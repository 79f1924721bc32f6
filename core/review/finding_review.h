/* What people ask of findings and say of them: lists, acknowledgements, flags, confirmations.
 * Specification:
 * flag_for_review, get_anachronisms and its like.
 *
 * * An acknowledged finding is left out of lists until its evidence changes (finding.c). A flag
 * makes a finding of its row (rule review/flagged) until somebody takes it back. Each write is one
 * transaction, or part of the caller's, with a line in the journal; no row and no conflict changes.
 * */
#ifndef HM_FINDING_REVIEW_H
#define HM_FINDING_REVIEW_H
#include "core/detect/sweep.h"
#include "core/review/write_check.h"

/* Which findings; an empty text: any. all: acknowledged ones, too. */
typedef struct { hm_str kind, severity, rule, project; bool all; } hm_finding_filter;
/* The project becomes its id. HM_E_INPUT with field, and the name that was meant: there is no such
 * kind, severity or rule; HM_E_UNKNOWN: no such project. */
int hm_finding_filter_resolve(hm_finding_filter *f, const hm_sweep *w, hm_arena *a, hm_err *err);
bool hm_finding_passes(const hm_finding_filter *f, const hm_finding *x);

/* The finding of this id, or the only one whose id begins so. HM_E_UNKNOWN, HM_E_INPUT. */
int hm_finding_named(const hm_finding *f, size_t n, hm_str id, hm_arena *a,
                     const hm_finding **out, hm_err *err);

typedef struct {
  bool changed;            /* false: it was said already, nothing was written */
  bool dry_run;
  hm_str finding;          /* its id; empty of flags */
  hm_str ref;              /* the row that is flagged; empty of acknowledgements */
  hm_str message;          /* what the finding says; empty: it is not found now */
  hm_str by, at, reason;
} hm_remark_report;

/* Says that the finding is known: with the digest of its evidence now. Sweeps the store. reason
 * must be there (field "reason"). */
int hm_review_ack(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                  hm_remark_report *out, hm_err *err);
/* Takes that back, whoever said it; also of a finding that is gone. HM_E_UNKNOWN: nobody said so.
 * */
int hm_review_unack(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                    hm_remark_report *out, hm_err *err);
/* Flags a row ("kind:id", or an id that one row alone has) for review; reason must be there. */
int hm_review_flag(hm_store *s, const hm_review *r, hm_str row, hm_str reason, hm_arena *a,
                   hm_remark_report *out, hm_err *err);
/* Takes all flags of the row back, also of one that is gone. HM_E_STATE: it has none. */
int hm_review_unflag(hm_store *s, const hm_review *r, hm_str row, hm_str reason, hm_arena *a,
                     hm_remark_report *out, hm_err *err);
/* The report as one compact JSON object. */
void hm_remark_json(hm_buf *b, const hm_remark_report *r);

/* --- a finding that becomes a conflict -------------------------------------------------------
 *
 * A finding on similar texts becomes a conflict, because somebody confirms it. Specification:
 * houkai, "Conflict / contradiction detection".
 *
 * What is confirmed is a record, as what a judge proposes is (core/store/remarks.h): its question
 * names the two oldest rows, and the conflict's slot is made from it. So a finding that grew and is
 * confirmed again adds members to the same conflict. Verdicts settle it as any other; dismissed, it
 * stays quiet, and so does the finding, whose rows share a slot now. */

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
