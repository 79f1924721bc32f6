/* What a sweep found: the plan of changes of conflicts, and all of its result. core/sweep runs one.
 */
#ifndef HM_FOUND_H
#define HM_FOUND_H
#include "core/detect/concern.h"
#include "core/detect/sql_rule.h"

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

/* The index of a conflict of the plan; n_conflicts: it has none of this slot and id. */
size_t hm_plan_index(const hm_plan *p, const hm_conflict_rec *c);
/* The current dispute of a conflict of the plan; NULL if it is not open or no longer disputed. */
const hm_dispute *hm_plan_dispute(const hm_plan *p, const hm_conflict_rec *c);
/* Does the plan open this conflict? */
bool hm_plan_opens_conflict(const hm_plan *p, hm_str id);

typedef struct hm_sweep_scope hm_sweep_scope; /* core/sweep/sweep_scope.c */

/* The result of all rules over one snapshot. */
typedef struct {
  hm_snapshot *snap;
  hm_claims *claims;     /* free with hm_sweep_free */
  hm_disputes *disputes; /* also the work of each rule */
  hm_plan *plan;
  hm_concerns concerns; /* which rows plan->disputes concern */
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
  const struct hm_alike_index *alike; /* of its rows (core/recall/alike.h); NULL: nobody made one */
} hm_sweep;

#endif
