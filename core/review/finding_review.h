/* Review of findings: lists, acknowledgements, flags, confirmations.
 * Specification: flag_for_review, get_anachronisms and the like.
 *
 * Lists omit an acknowledged finding until its evidence changes (finding.c). A flag makes a
 * finding about its row (rule review/flagged) until somebody withdraws it. Each write is one
 * transaction, or part of the caller's, with a line in the journal; it changes no row and no
 * conflict. */
#ifndef HM_FINDING_REVIEW_H
#define HM_FINDING_REVIEW_H
#include "core/sweep/sweep.h"
#include "core/review/write_check.h"
#include "core/store/lookup.h"

/* Selects findings; an empty text: any. all: also acknowledged ones. */
typedef struct {
  hm_str kind, severity, rule, project;
  bool all;
} hm_finding_filter;
/* Replaces the project by its id. HM_E_INPUT with field and a suggestion: no such kind, severity or
 * rule; HM_E_UNKNOWN: no such project. */
int hm_finding_filter_resolve(hm_finding_filter *f, hm_store *s, const hm_rules *rules, hm_arena *a,
                              hm_err *err);
bool hm_finding_passes(const hm_finding_filter *f, const hm_finding *x);

/* The finding with this id, or the only one whose id begins with it. HM_E_UNKNOWN: none;
 * HM_E_INPUT: several. */
int hm_finding_named(const hm_finding *f, size_t n, hm_str id, hm_arena *a, const hm_finding **out,
                     hm_err *err);

typedef struct {
  bool changed; /* false: said already; nothing was written */
  bool dry_run;
  hm_str finding; /* its id; empty for flags */
  hm_str ref;     /* the flagged row; empty for acknowledgements */
  hm_str message; /* the finding's message; empty: not found now */
  hm_str by, at, reason;
  hm_str *warnings;
  size_t n_warnings; /* sentences: live secrets in what was written */
} hm_remark_report;

/* Acknowledges the finding, with the digest of its current evidence. Sweeps the store. reason is
 * required (field "reason"). */
int hm_review_ack(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                  hm_remark_report *out, hm_err *err);
/* Withdraws all acknowledgements of it, also of a finding that is gone. HM_E_UNKNOWN: there are
 * none. */
int hm_review_unack(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                    hm_remark_report *out, hm_err *err);
/* Flags a row ("kind:id", or an id that only one row has) for review; reason is required. */
int hm_review_flag(hm_store *s, const hm_review *r, hm_str row, hm_str reason, hm_arena *a,
                   hm_remark_report *out, hm_err *err);
/* Withdraws all flags of the row, also of a row that is gone. HM_E_STATE: it has none. */
int hm_review_unflag(hm_store *s, const hm_review *r, hm_str row, hm_str reason, hm_arena *a,
                     hm_remark_report *out, hm_err *err);
/* The report as one compact JSON object. */
void hm_remark_json(hm_buf *b, const hm_remark_report *r);

/* --- a finding that becomes a conflict -------------------------------------------------------
 *
 * A person confirms a finding on similar texts, which makes it a conflict. Specification: houkai,
 * "Conflict / contradiction detection".
 *
 * A confirmation is a record, like a judge's proposal (core/store/remarks.h). Its question names
 * the two oldest rows, and the conflict's slot is made from the question. So confirming a grown
 * finding again adds members to the same conflict. Verdicts settle it like any other; if dismissed,
 * it stays quiet, and so does the finding, since its rows share a slot now. */

typedef struct {
  bool dry_run;
  hm_str finding, message; /* the confirmed finding */
  hm_str conflict;         /* its id; in a dry run the id that it would get */
  bool opened;             /* false: the conflict existed and has more members now */
  hm_str by, at, reason;
  hm_str *warnings;
  size_t n_warnings; /* sentences: live secrets in what was written */
} hm_confirm_report;

/* Confirms the finding with this id, or the only one whose id begins with it, of kind
 * possible_duplicate or possible_contradiction. reason may be empty. One transaction, or the
 * caller's; journaled as "confirm". HM_E_UNKNOWN: no such finding; HM_E_INPUT: another kind, more
 * than 64 rows. */
int hm_review_confirm(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                      hm_confirm_report *out, hm_err *err);
/* The report as one compact JSON object. */
void hm_confirm_json(hm_buf *b, const hm_confirm_report *r);
#endif
