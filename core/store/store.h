/* An open store: snapshots, recording a sweep. How one is opened, and transactions:
 * core/sqlite/file.h, which this includes.
 *
 * Other folders need only this header, row.h and the headers of topics; none of them shows the
 * engine. Order of calls: open; (begin; snapshot; record...; commit) or snapshot alone; close. A
 * store belongs to one thread at a time. */
#ifndef HM_STORE_H
#define HM_STORE_H
#include <stdio.h>
#include "core/base/json.h"
#include "core/record/journal.h"

/* A time of a row more than a day after the run's clock; it does not count for now. */
typedef struct {
  hm_layer layer;
  hm_str id;
  const char *column;
  hm_str at;
} hm_ahead;
/* Unreadable values of a column: the number of rows, and id and value of one of them. */
typedef struct {
  hm_layer layer;
  const char *column;
  int64_t rows;
  hm_str id, value;
} hm_unread;
/* The number of times ahead and the first of them by layer, id and column; and the columns with
 * values that are not times. */
enum { HM_AHEAD_MAX = 10, HM_UNREAD_MAX = 20 };
typedef struct {
  hm_ahead ahead[HM_AHEAD_MAX];
  int64_t n_ahead;
  hm_unread unread[HM_UNREAD_MAX];
  size_t n_unread;
} hm_odd_times;
/* Collects them from rows with details of this store; the texts are the rows'. */
void hm_snapshot_odd_times(const hm_snapshot *snap, const hm_store *s, hm_odd_times *out);

/* Reads the whole store into a, inside the open transaction or one of its own.
 * details: also the columns that only pages show. No digest: hm_snapshot_digest makes it. */
int hm_store_snapshot(hm_store *s, hm_arena *a, bool details, hm_snapshot **out, hm_err *err);

/* Reads these rows, with details, and the projects; what is not stored is left out. A name twice is
 * read once. Costs the projects and these rows. */
typedef struct {
  hm_layer layer;
  hm_str id;
} hm_row_name;
int hm_store_read_rows(hm_store *s, const hm_row_name *names, size_t n, hm_arena *a,
                       hm_snapshot **out, hm_err *err);

/* --- recording a sweep: sweep_results.c -------------------------------- */

/* Writes c. Inserts a new id with its members and journals "open". Updates slot_kind, slot_key,
 * anchor, window and members of a known id (members that c lacks stay, unflagged) and journals
 * "update" if anything differs. If both the known one and c are open or merged, it gets c's status
 * and merged_into. Does not touch verdicts and detected_at. */
int hm_store_put_conflict(hm_store *s, const hm_conflict_rec *c, const hm_actor *who, hm_err *err);
/* Replaces the findings table by these. Writes nothing if unchanged. */
int hm_store_put_findings(hm_store *s, const hm_finding *f, size_t n, hm_err *err);
/* The recorded findings, by kind, project and id, in a. Needs a transaction. */
int hm_store_findings(hm_store *s, hm_arena *a, hm_finding **out, size_t *n, hm_err *err);
/* How many of them nobody acknowledged, and how many of these are of this rule. */
int hm_store_count_findings(hm_store *s, const char *rule, size_t *n, size_t *of_rule, hm_err *err);

typedef struct {
  hm_str started_at, finished_at;
  int64_t duration_us, rows, claims, slots, opened, updated, findings, rules, disputed,
      acknowledged; /* rules: number that ran; acknowledged: number of such findings */
  hm_str kinds;     /* findings by kind as JSON; empty: not counted */
} hm_sweep_run;
int hm_store_put_run(hm_store *s, const hm_sweep_run *r, hm_err *err);
/* The last run, in a; *found is false if there was none. Fields without a column in an older store
 * are 0 or empty. */
int hm_store_last_run(hm_store *s, hm_arena *a, hm_sweep_run *out, bool *found, hm_err *err);
/* Writes it under key (NULL: none) as an object; r NULL as null. */
void hm_sweep_run_json(hm_jw *w, const char *key, const hm_sweep_run *r);

/* Makes evidence of the hashes of what sources said that a store had before
 * HM_STORE_EVIDENCE_VERSION, in a transaction of its own; nothing where there are none. Call it
 * when a store is opened for writing. */
int hm_evidence_upgrade(hm_store *s, hm_err *err);

/* How much there is: rows by layer and status, conflicts by status, ... Reads whole tables. */
typedef struct {
  int64_t rows[5][6]; /* [layer][status] */
  int64_t projects, links, conflicts[HM_N_VERDICTS], findings, sweeps, journal;
  hm_str last_sweep;                 /* in the arena, or empty */
  hm_unread statuses[HM_UNREAD_MAX]; /* unknown ones, by layer and status */
  size_t n_statuses;                 /* of the first ones; `rows` counts all */
} hm_store_counts;
/* The number of conflicts of a rule that people settled, and of those dismissed. What they say of
 * the rule is told in words from HM_VERDICTS_TOLD settled ones on: one of one says nothing. */
enum { HM_VERDICTS_TOLD = 10 };
typedef struct {
  hm_str rule;
  int64_t settled, dismissed;
} hm_rule_verdicts;
/* Sorted by rule, in a; omits rules without settled conflicts. */
int hm_store_rule_verdicts(hm_store *s, hm_arena *a, hm_rule_verdicts **out, size_t *n,
                           hm_err *err);
int hm_store_count(hm_store *s, hm_arena *a, hm_store_counts *out, hm_err *err);
/* How many sweeps were recorded. */
int hm_store_count_sweeps(hm_store *s, int64_t *n, hm_err *err);
#endif
