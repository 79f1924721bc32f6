/* A sweep: runs all rules over the store and updates its conflicts and findings. */
#ifndef HM_SWEEP_H
#define HM_SWEEP_H
#include "conflict.h"
#include "core/detect/sql_rule.h"
#include "core/store/store.h"

/* REOPEN: a merged conflict is open again. */
typedef enum { HM_CHANGE_OPEN, HM_CHANGE_UPDATE, HM_CHANGE_MERGE, HM_CHANGE_REOPEN } hm_change_kind;
typedef struct {
  hm_change_kind kind;
  hm_conflict_rec rec;
} hm_change;

typedef struct {
  hm_change *changes;
  size_t n; /* in the order to record them: merges, then by slot key */
  size_t opened, updated,
      quiet; /* opened: with reopened; updated: with merged; quiet: disputes that verdicts cover */
  hm_conflict_rec *conflicts;
  size_t n_conflicts;          /* the store's conflicts after the changes, by (slot_key, id) */
  const hm_dispute **disputes; /* of each conflict: its current dispute, or NULL */
} hm_plan;

/* Pure. For each dispute: updates the open conflict that continues as it (conflict_match.c): adds
 * or updates members, never removes them; sets slot, kind, contested time, and the anchor if it is
 * no longer a party. Merges other open conflicts of the dispute into that one. Else, if verdicts
 * cover every contradicting pair (verdict_cover.c), does nothing. Else reopens a merged conflict,
 * or opens a new one with the id "c" + 12 hex digits of SHA-256(rule, slot_key, anchor, decimal
 * count of verdicts on that anchor; separated by 0x1f). at: detected_at of new ones. */
hm_plan *hm_plan_build(const hm_snapshot *snap, const hm_disputes *d, hm_str at, hm_arena *a);

/* The current dispute of a conflict of the plan; NULL if it is not open or no longer disputed. */
const hm_dispute *hm_plan_dispute(const hm_plan *p, const hm_conflict_rec *c);
/* Does the plan open this conflict? */
bool hm_plan_opens_conflict(const hm_plan *p, hm_str id);

typedef struct hm_sweep_scope hm_sweep_scope; /* sweep_scope.c */

/* The result of all rules over one snapshot. */
typedef struct {
  hm_snapshot *snap;
  hm_claims *claims;     /* free with hm_sweep_free */
  hm_disputes *disputes; /* also the work of each rule */
  hm_plan *plan;
  hm_finding *findings;
  size_t n_findings; /* of this sweep, by (kind, project, id) */
  hm_sql_result sql; /* the rules in SQL; `findings` includes theirs */
  size_t n_acked;    /* number of acknowledged findings */
  const hm_finding *before;
  size_t n_before;       /* the recorded findings before */
  hm_str read;           /* digest of the snapshot before the plan's changes */
  bool same;             /* equal to hm_sweep_options.known: only the snapshot is set */
  bool nothing_new;      /* the store already had all conflicts and findings; false if `same` */
  uint64_t version;      /* hm_facts_version when it was recorded, or read by lets_go; else 0 */
  hm_sweep_scope *scope; /* what to show; NULL: everything */
} hm_sweep;

/* The result of a sweep that left nothing to record. A sweep with the same rules, now and digest
 * has the same result. */
typedef struct {
  hm_str digest;
  hm_time now;
  int64_t rows, claims, slots, findings;
} hm_sweep_last_result;

/* Who wrote a row. */
typedef struct {
  hm_layer layer;
  hm_str id;
  hm_actor who;
} hm_row_writer;

typedef struct {
  const hm_rules *rules;
  int threads;
  bool details; /* a snapshot for pages, with a digest */
  bool record;  /* write the changes, findings and a run row */
  hm_str scope; /* what hm_sweep_keep_scope keeps; empty: all. HM_E_USAGE: no such part, nothing
                 * is recorded */
  hm_actor who; /* at: the clock */
  /* A conflict with such a row as a member is journaled by its writer, the last of them. */
  const hm_row_writer *writers;
  size_t n_writers;
  /* The last result by these rules, to skip an unchanged store; or NULL. */
  const hm_sweep_last_result *known;
  bool skip_idle_run; /* with record: if nothing is new, write nothing, not even the run row */
  bool skip_run;      /* with record: never write a run row */
  bool lets_go;       /* without record: ends its own transaction once the rows are read, so that
                       * writers need not wait for the rules */
  bool without_sql;   /* do not run people's rules in SQL: their findings stay as recorded */
} hm_sweep_options;
/* By whom a change of this conflict is journaled: the last of writers, else who. */
const hm_actor *hm_sweep_changer(const hm_sweep_options *opt, const hm_conflict_rec *c);

/* The first 12 hex digits of a digest of the settings and people's rules: of every field of the
 * rules but the table and the program. A commit names it (Mirror-Rules), and a page whose claims
 * were read by other rules is rebuilt. In a. */
hm_str hm_rules_digest(const hm_rules *rules, hm_arena *a);
/* A digest of all that decides what a sweep finds, besides the store and now: the settings,
 * people's rules, and the program. In a. */
hm_str hm_sweep_decided(const hm_rules *rules, hm_arena *a);

/* Snapshot, claims, disputes, plan, findings. With `record` it writes them in the same transaction,
 * which is the caller's if one is open. A sweep that finds nothing new (also one equal to `known`)
 * writes only its run row; with skip_idle_run not even that, since a program that sweeps whenever
 * the store changes would wake itself. Without `record` it only reads the store, and the plan lists
 * the changes. After record snap->conflicts and snap->findings are the new ones. */
int hm_sweep_run_all(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                     hm_err *err);
/* Records a sweep with details (opt: who; no run row) whose state is that of the open write
 * transaction. */
int hm_sweep_record(hm_store *s, const hm_sweep_options *opt, hm_sweep *w, hm_arena *a,
                    hm_err *err);
/* After the commit of a sweep that was recorded without people's rules in SQL: runs these over the
 * same rows, and records what they find in a transaction of its own, unless the store changed
 * meanwhile; then a later sweep finds it. Updates w->findings and w->sql. No error: the write that
 * swept is done. Does nothing inside a transaction. */
void hm_sweep_finish(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *w);
void hm_sweep_free(hm_sweep *w);

/* --- what of a sweep is shown: sweep_scope.c ------------------------------------------------- */

/* Checks that the text is entity:ID, project:ID, era:ERA or all, else HM_E_USAGE. The sweep checks
 * that the row or era exists. */
int hm_sweep_scope_check(hm_str text, hm_err *err);
/* Sets w->scope, in a, from the sweep's rows. HM_E_USAGE: no such entity, project or era; err
 * suggests near names. */
int hm_sweep_read_scope(hm_str text, const hm_rules *rules, int threads, hm_arena *a, hm_sweep *w,
                        hm_err *err);
/* Reduces the plan's changes and conflicts and the findings to those of the scope. Call when
 * everything is recorded. */
void hm_sweep_keep_scope(hm_sweep *w);

#endif
