/* What agents and people say of rows that no rule compared: that they contradict each other, or
 * that they do not. Each is a record that never changes (core/store/remarks.h). A report becomes a
 * finding, review/reported, on the pages of its rows; a person confirms it (hm_review_confirm),
 * which makes it a conflict, or dismisses it (hm_review_ack). It ends when one of its rows says
 * something else. */
#ifndef HM_REPORT_H
#define HM_REPORT_H
#include "core/review/pairs.h"
#include "core/review/write_check.h"
#include "core/sweep/sweep.h"

enum { HM_REPORT_ROWS = 16, HM_REPORT_QUESTION = 400, HM_REPORT_WHY = 1000, HM_REPORTS_A_DAY = 20 };

typedef struct {
  const hm_str *rows;
  size_t n;             /* 2 to HM_REPORT_ROWS: "kind:id", or an id that one row alone has */
  hm_str question, why; /* for a person: what is to be decided; why they contradict, or do not */
  hm_str via;           /* "mcp": an agent says so; or empty */
  size_t a_day;         /* how many open reports of one reporter and day may be; 0: 20 */
} hm_report_order;

typedef struct {
  bool changed; /* false: it was said before, or the rows are in a conflict */
  bool dry_run;
  hm_str *rows;
  size_t n;
  hm_str finding, message; /* of a report: its finding; or empty */
  hm_str conflict;         /* that has all of the rows already; or empty */
  hm_pair_denial denied;   /* by a person: then there is no finding; by empty: nobody */
  hm_str by, at;
  hm_str *warnings;
  size_t n_warnings; /* live secrets in what was written */
} hm_reported;

/* Says that the rows contradict each other. One transaction. Errors: HM_E_INPUT with field "rows":
 * too few, too many, one twice, one that says nothing; "question", "why": missing, too long;
 * HM_E_UNKNOWN; HM_E_STATE: a row is not active, or the reporter has a_day open reports of this
 * day. */
int hm_review_report(hm_store *s, const hm_review *r, const hm_report_order *o, hm_arena *a,
                     hm_reported *out, hm_err *err);
/* Says that they do not: of a person for everybody while the texts are as they are, of an agent
 * (via) for itself. The question is not asked for. Errors as above. */
int hm_review_agree(hm_store *s, const hm_review *r, const hm_report_order *o, hm_arena *a,
                    hm_reported *out, hm_err *err);
/* How many reports or proposals of the day of `at` by this agent, person or model stand in findings
 * that nobody acknowledged. */
size_t hm_reports_open(const hm_sweep *w, hm_str by, hm_str at);
/* Appends it as one compact JSON object. */
void hm_reported_json(hm_buf *b, const hm_reported *r);

typedef struct {
  bool dry_run;
  hm_str by;        /* the reporter */
  size_t taken;     /* reports and proposals of it */
  hm_str *findings; /* that end with them: nobody else says so */
  size_t n;
} hm_withdrawn;

/* Takes back all that this reporter, an agent, a person or a model, reported or proposed; what
 * others say, too, stays. HM_E_INPUT with field "reporter": it is missing; HM_E_UNKNOWN: it said
 * nothing. */
int hm_review_withdraw(hm_store *s, const hm_review *r, hm_str reporter, hm_str reason, hm_arena *a,
                       hm_withdrawn *out, hm_err *err);
void hm_withdrawn_json(hm_buf *b, const hm_withdrawn *w);
#endif
