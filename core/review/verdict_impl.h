/* Shared by the files of verdicts only: one verdict being given. */
#ifndef HM_VERDICT_IMPL_H
#define HM_VERDICT_IMPL_H
#include "core/value/rules.h"
#include "core/review/supersede.h"
#include "core/review/verdict.h"
#include "core/review/write_check.h"
#include "core/record/record_edit.h"
#include "core/store/verdict_lines.h"

typedef struct {
  hm_store *s;
  const hm_review *r;
  hm_arena *a;
  hm_verdict_report *out;
  size_t cap_changes;
  hm_err *err;
  hm_actor who; /* r->who, to the second, as it is shown; for an imported verdict its own */
  bool unnamed; /* an imported verdict without an author */
  bool mine;    /* this call began the transaction */
  hm_write_check *check;
} hm_verdict_run;

/* Begins the transaction and the check; reads notes. field: its name in errors. needed: notes are
 * required. */
int hm_verdict_begin(hm_verdict_run *v, const char *verb, hm_str notes, const char *field,
                     bool needed);
/* Ends both: commits if rc is 0 and this is no dry run, else rolls back. Returns rc, or -1 if the
 * commit fails. */
int hm_verdict_end(hm_verdict_run *v, int rc);

/* A conflict before the verdict. */
typedef struct {
  hm_str ref, slot_key, status, at, by, resolution, action, winner, merged_into;
} hm_conflict_before;
/* Reads it. HM_E_UNKNOWN; HM_E_STATE unless it is open. any: also allows settled ones, but never
 * merged ones. */
int hm_verdict_read_conflict(hm_verdict_run *v, hm_str id, bool any, hm_conflict_before *out);
/* Writes the settled conflict, with a journal line. A text with p NULL means NULL, as in
 * hm_column. */
int hm_verdict_settle(hm_verdict_run *v, const hm_conflict_before *c, hm_verdict status,
                      hm_str action, hm_str winner, hm_str scope, hm_str source);
/* Supersedes older by newer, with a journal line with why, and reports it. */
int hm_verdict_supersede_row(hm_verdict_run *v, const hm_named_row *older,
                             const hm_named_row *newer, hm_str notes, bool across, hm_str why);
void hm_verdict_report_change(hm_verdict_run *v, hm_str ref, hm_str before, hm_str after);

/* A losing row. */
typedef struct {
  hm_named_row row;
  size_t newer; /* index of the winner that supersedes it */
  hm_str *fields;
  size_t n_fields; /* fields to remove; none: the whole row is superseded */
  hm_str *others;
  size_t n_others; /* other fields that it claims */
} hm_loser;

/* For a dry run, before any change: fills withdrawn and others of the report, for these rows that
 * some of newer supersede. */
int hm_verdict_preview_effects(hm_verdict_run *v, const hm_loser *older, size_t n,
                               const hm_named_row *newer, size_t n_newer);

/* Links the sides of this dispute; why goes to the journal. Reports the new links. */
int hm_verdict_link_sides(hm_verdict_run *v, const hm_sweep *look, const hm_dispute *d, hm_str why);

/* The time of a decision: to the second. */
hm_str hm_decision_time(hm_str at, hm_arena *a);

/* Sets the current slot_key of waiting verdicts (state HM_VERDICT_WAITS) that name their slot by an
 * older key (verdict.c), by the claims of this sweep; their ids and records stay. In a. */
void hm_verdicts_update_slot_keys(const hm_sweep *w, const hm_rules *rules, hm_known_verdict *v,
                                  size_t n, hm_arena *a);
#endif
