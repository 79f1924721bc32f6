/* What the store's conflicts become after a look at its claims. */
#ifndef HM_SWEEP_H
#define HM_SWEEP_H
#include "conflict.h"
#include "core/detect/sql_rule.h"
#include "core/store/store.h"

/* REOPEN: one that was merged stands by itself again. */
typedef enum { HM_CHANGE_OPEN, HM_CHANGE_UPDATE, HM_CHANGE_MERGE, HM_CHANGE_REOPEN } hm_change_kind;
typedef struct { hm_change_kind kind; hm_conflict_rec rec; } hm_change;

typedef struct {
  hm_change *changes;
  size_t n; /* merges first, to be recorded in this order; then by slot key */
  size_t opened, updated,
      quiet; /* opened: again, too; updated: merged, too; quiet: disputes that verdicts cover */
  hm_conflict_rec *conflicts;
  size_t n_conflicts; /* the store's conflicts after the changes, by (slot_key, id) */
  const hm_dispute **disputes;         /* of each conflict: what it is about now, or NULL */
} hm_plan;

/* Pure. For each dispute: the open conflict that goes on as it (conflict_match.c) is brought up to
 * date (members added or updated, never removed; slot, kind, contested time as of now; its anchor,
 * when that is no party any more), and others in it merge into that one. Else, if verdicts cover
 * every contradicting pair (verdict_cover.c), nothing. Else one that was merged is open again; else
 * a new conflict, with the id "c" + 12 hex of SHA-256(rule, slot_key, anchor, decimal count of
 * verdicts on that anchor; 0x1f between). at: detected_at for new ones. */
hm_plan *hm_plan_build(const hm_snapshot *snap, const hm_disputes *d, hm_str at, hm_arena *a);

/* What a conflict of the plan is about now: NULL when it is not open, or its members contradict
 * each other no more. */
const hm_dispute *hm_plan_dispute(const hm_plan *p, const hm_conflict_rec *c);
/* Is this conflict one that the plan opens? */
bool hm_plan_opens_conflict(const hm_plan *p, hm_str id);

/* All rules over one snapshot. */
typedef struct {
  hm_snapshot *snap;
  hm_claims *claims;        /* free with hm_sweep_free */
  hm_disputes *disputes;    /* also how much each rule was handed: work */
  hm_plan *plan;
  hm_finding *findings; size_t n_findings;   /* of this sweep, by (kind, project, id) */
  hm_sql_result sql;        /* how the rules in SQL ran; its findings are among the others */
  size_t n_acked;           /* of them, acknowledged */
  hm_finding *recorded; size_t n_recorded; /* what the findings on record become */
  const hm_finding *before; size_t n_before; /* what they were */
  hm_str read;              /* digest of the snapshot before the plan's changes */
  bool same; /* it is hm_sweep_options.known: there is the snapshot, and nothing else of this */
  bool nothing_new; /* the store already had all conflicts and findings on record; false when
                       `same` */
} hm_sweep;

/* The result of a sweep that left nothing to record. A sweep with the same rules, the same now and
 * a store of this digest finds the same. */
typedef struct {
  hm_str digest;
  hm_time now;
  int64_t rows, claims, slots, findings;
} hm_sweep_last_result;

typedef struct {
  const hm_rules *rules; int threads;
  bool details;             /* a snapshot for pages, with a digest */
  uint64_t
      row_seed; /* with details: of the rows' hashes, which will be asked for; 0: they will not */
  bool record;              /* write the changes, findings and a run row */
  hm_str scope; /* of only a part of the store (sweep_scope.c); empty: of all. HM_E_USAGE: there is
                   no such part */
  hm_actor who;             /* at: the clock */
  /* Of an earlier sweep by these rules: its claims are not looked at again. NULL: there is none. */
  const hm_sweep_last_result *known;
  bool skip_idle_run; /* with record: a sweep that finds nothing new writes nothing, not even its
                         run row */
} hm_sweep_options;

/* Snapshot, claims, disputes, plan, findings. With `record` it writes them in the same transaction,
 * which is the caller's if one is open. A sweep that finds nothing new (also one equal to `known`)
 * writes only its run row; with skip_idle_run not even that, since a program that sweeps whenever
 * the store changes would wake itself. Without `record` it only reads the store, and the plan lists
 * the changes. After record snap->conflicts and snap->findings are the new ones. With a scope the
 * plan and the findings are those of the scope, nothing else is written, and the snapshot stays as
 * read. */
int hm_sweep_run_all(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                     hm_err *err);
void hm_sweep_free(hm_sweep *w);

/* --- of a part: sweep_scope.c -------------------------------------------------------- */

/* Is the text entity:ID, project:ID, era:ERA or all? HM_E_USAGE: it is not. Whether the row or the
 * era is there is asked by the sweep. */
int hm_sweep_scope_check(hm_str text, hm_err *err);
/* Leaves in a whole sweep what is in the scope: plan, findings, n_acked; sets w->recorded to what
 * the findings on record become. w->snap is as read. HM_E_USAGE: there is no such entity, project
 * or era; the message names near ones. Cost: linear in the rows, conflicts and findings. */
int hm_sweep_cut_to_scope(hm_str text, const hm_rules *rules, int threads, hm_arena *a,
                          hm_sweep *w, hm_err *err);

#endif
