/* A sweep: runs all rules over the store and updates its conflicts and findings. */
#ifndef HM_SWEEP_H
#define HM_SWEEP_H
#include "core/detect/found.h"
#include "core/store/store.h"

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
  bool details; /* a snapshot for pages */
  bool digest;  /* with details: also its digest, for pages and known */
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
 * meanwhile or another process waits to change it; then a later sweep finds it. Updates w->findings
 * and w->sql. No error: the write that swept is done. Does nothing inside a transaction. */
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
