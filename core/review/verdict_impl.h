/* One verdict in the making. Not for others. */
#ifndef HM_VERDICT_IMPL_H
#define HM_VERDICT_IMPL_H
#include "core/claim/rules.h"
#include "core/review/supersede.h"
#include "core/review/verdict.h"
#include "core/review/write_check.h"
#include "core/store/record_edit.h"
#include "core/store/verdict_lines.h"

typedef struct {
  hm_store *s;
  const hm_review *r;
  hm_arena *a;
  hm_verdict_report *out;
  hm_err *err;
  hm_actor who; /* as r has it, to the second: the time is shown; of an imported verdict, its own */
  bool unnamed;              /* an imported verdict that does not say by whom */
  bool mine;                 /* the transaction is ours to end */
  hm_write_check *check;
} hm_verdict_run;

/* Begins the transaction and the check; reads notes, which are a request's `field`. needed: they
 * must be there. */
int hm_verdict_begin(hm_verdict_run *v, const char *verb, hm_str notes, const char *field,
                     bool needed);
/* Ends both: rc 0 stores it all (a dry run: nothing), else nothing. Passes rc on. */
int hm_verdict_end(hm_verdict_run *v, int rc);

/* A conflict as it is before the verdict. */
typedef struct {
  hm_str ref, slot_key, status, at, by, resolution, action, winner, merged_into;
} hm_conflict_before;
/* HM_E_UNKNOWN; HM_E_STATE unless it is open. any: settled ones too; never one that was merged. */
int hm_verdict_read_conflict(hm_verdict_run *v, hm_str id, bool any, hm_conflict_before *out);
/* Writes it, with a line. HM_EMPTY p NULL: see hm_column. */
int hm_verdict_settle(hm_verdict_run *v, const hm_conflict_before *c, hm_verdict status,
                      hm_str action, hm_str winner, hm_str scope);
/* The one gives way to the other, with a line that gives why; in the report. */
int hm_verdict_supersede_row(hm_verdict_run *v, const hm_named_row *older,
                             const hm_named_row *newer, hm_str notes, bool across, hm_str why);
void hm_verdict_report_change(hm_verdict_run *v, hm_str ref, hm_str before, hm_str after);

/* A row that gives way. */
typedef struct {
  hm_named_row row;
  size_t newer;                      /* the winner that it gives way to */
  hm_str *fields; size_t n_fields;   /* that give way alone; none: the whole row does */
  hm_str *others; size_t n_others;   /* that it also claims */
} hm_loser;

/* Of a dry run, before anything is changed: withdrawn and others of the report, for these
 * rows that give way to some of newer. */
int hm_verdict_preview_effects(hm_verdict_run *v, const hm_loser *older, size_t n,
                               const hm_named_row *newer, size_t n_newer);

/* Links the sides of this dispute, for that reason. In the report: the links that are new. */
int hm_verdict_link_sides(hm_verdict_run *v, const hm_sweep *look, const hm_dispute *d, hm_str why);

/* The time of a decision: to the second. */
hm_str hm_decision_time(hm_str at, hm_arena *a);

/* Under which key the slots of imported verdicts are now (verdict.c): sets the slot_key of
 * those waiting verdicts (state HM_VERDICT_WAITS) that name it by an older one; their ids and
 * records stay. Inside a transaction, in which it only reads. In a. Errors: those of the store. */
int hm_verdicts_update_slot_keys(hm_store *s, const hm_rules *rules, hm_known_verdict *v, size_t n,
                                 hm_arena *a, hm_err *err);
#endif
