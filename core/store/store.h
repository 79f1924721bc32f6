/* An open store: opening, transactions, what it holds at one instant, what a sweep records.
 *
 * This header, row.h and the headers of topics are all that other folders need; no engine shows in
 * them. Order of calls: open; (begin; snapshot; record...; commit) or snapshot alone; close. A
 * store belongs to one thread at a time.
 *
 * Stores of other programs are read, never written. Such a file is attached read-only to a review
 * file, an ordinary store of ours that holds conflicts, verdicts, findings, the links that people
 * drew and the journal, and each of our tables of facts is covered by a temporary view of theirs.
 * So whatever reads a store reads this one, and a transaction sees one state of both. A view takes
 * the columns that their table has under our names (an absent one is NULL, or its default), ids of
 * any type as text, the rowid where there is no id, `project_id` where there is no `project`,
 * numbers that are times as ISO 8601; rows without an id are passed over. */
#ifndef HM_STORE_H
#define HM_STORE_H
#include <stdio.h>
#include "core/base/err.h"
#include "core/base/json.h"
#include "core/store/row.h"

typedef struct hm_store hm_store;

#define HM_STORE_APPLICATION_ID 0x484d6972   /* "HMir" */
#define HM_STORE_RUNS_VERSION 6               /* the first that has all columns of sweep_runs */
#define HM_STORE_JUDGE_VERSION 7              /* the first that has proposals */
#define HM_STORE_VIA_VERSION 8                /* the first that has `via` */
#define HM_STORE_SALT_VERSION 9               /* the first whose journal has salts */
#define HM_STORE_VERSION 9                    /* user_version of schema.sql */

typedef enum { HM_STORE_READ, HM_STORE_WRITE, HM_STORE_CREATE, HM_STORE_TRY } hm_store_mode;

/* Opens the file at path. READ never writes a byte (no WAL set-up, no
 * migration: a store of an older version is read as it is). WRITE migrates an
 * older store forward after a backup by VACUUM INTO "<path>.v<N>.bak". CREATE
 * makes the file when it is absent, else acts as WRITE. TRY is for a write
 * transaction that is rolled back: no byte of the file changes, an absent one is
 * an empty store in memory, and an older one is an error. Errors, all with the
 * path and a remedy: absent; not a regular file; not SQLite; a foreign SQLite
 * file (application_id); a newer user_version; truncated or damaged; locked
 * past busy_ms. Nothing is written to a file that is not ours. */
int hm_store_open(hm_store **out, const char *path, hm_store_mode mode, int busy_ms, hm_err *err);

/* A name of ours and its name there. */
typedef struct { hm_str ours, theirs; } hm_store_column;

/* Where one of our tables comes from: a table or a view of theirs with columns called otherwise, or
 * a SELECT whose result has columns with our names. A name of ours is a column of schema.sql, a key
 * of the import format, or, for memories, `subject`. */
typedef struct {
  hm_str layer; /* projects, project_aliases, memories, entities, project_state, relations, links */
  hm_str table, select;        /* one of them, or both empty: the table of the same name */
  const hm_store_column *columns; size_t n_columns;
  hm_str times;                /* unit of numbers that are times, or empty: by their size */
  const hm_store_column *statuses; size_t n_statuses;   /* their words for our statuses */
} hm_store_map;

/* What bounds may name alone from now on; borrowed (hm_store_source.eras). */
void hm_store_set_eras(hm_store *s, const hm_str *eras, size_t n);

typedef struct {
  const char *path;
  const char *review;          /* the review file; NULL: only a store of ours will do */
  const hm_store_map *map; size_t n_map;   /* not for a store of ours */
  bool dated; hm_time epoch;   /* the time of this run, SOURCE_DATE_EPOCH; else it is the clock's */
  const hm_str *eras;
  size_t n_eras; /* that bounds may name alone; borrowed */
  bool survey; /* only to list its tables: it need have no facts, and no map is used */
  bool judged; /* rows that are written wait for a judge (change_log.h) */
  bool take; /* whatever store the review file is of: from now on it is of this one */
} hm_store_source;

/* As hm_store_open, and opens what is not ours as a foreign store. READ makes no review file:
 * without one nothing is recorded yet. With a map, the layers that it names are read, and no
 * others. More errors: no table that could be read, a table or a column that the map names and the
 * file lacks, a name that no column of ours has, a SELECT that does not run, does not read only, or
 * has no column id; a table without ids of any kind; text in UTF-16; a review file that holds
 * facts; a map for a store of ours. */
int hm_store_open_source(hm_store **out, const hm_store_source *src, hm_store_mode mode,
                         int busy_ms, hm_err *err);
/* The path of the foreign store that the review file is of, where that seems to be another one than
 * this; else NULL. Told by a note in the review file: the path of the store as given, and what its
 * tables and columns are called. */
const char *hm_store_review_of(const hm_store *s);
/* What a foreign store holds, in a: its tables by name, then its views, whose columns are those of
 * a SELECT that may not run, and then none. */
typedef struct { hm_str name, type; bool computed, key; } hm_foreign_column;
typedef struct {
  hm_str name;
  bool is_view, rowid;                  /* it has row numbers */
  int64_t rows;                         /* up to HM_FOREIGN_ROWS are counted; 0 of a view */
  hm_foreign_column *columns; size_t n_columns;
} hm_foreign_table;
enum { HM_FOREIGN_ROWS = 1000 };
int hm_foreign_tables(hm_store *s, hm_arena *a, hm_foreign_table **out, size_t *n, hm_err *err);
/* Has no row of the table the column NULL, and no two the same text in it? Reads all rows. */
int hm_foreign_column_is_unique(hm_store *s, hm_str table, hm_str column, bool *unique,
                                hm_err *err);
/* Different values of the column as texts, at most `most`, of the first 10,000 rows, in a. */
int hm_foreign_column_values(hm_store *s, hm_str table, hm_str column, int most, hm_arena *a,
                             hm_str **out, size_t *n, hm_err *err);
/* Facts of this store can only be read. */
bool hm_store_is_foreign(const hm_store *s);
/* 0, or -1 with HM_E_STATE that says that its facts are not ours to change, and the way out. */
int hm_store_may_change(const hm_store *s, hm_err *err);
void hm_store_close(hm_store *s);
const char *hm_store_path(const hm_store *s);
int hm_store_version(const hm_store *s);     /* user_version, after migration */

/* Now of this store, see hm_snapshot.now: that of a snapshot of the same transaction. As a rule the
 * index of the claims knows it; else all times of rows are read. */
int hm_store_now(hm_store *s, hm_time *now, hm_err *err);

/* A time of a row that lies more than a day after the run's clock, so that it does not count for
 * now. */
typedef struct { hm_layer layer; hm_str id; const char *column; hm_str at; } hm_ahead;
/* What rows hold in a column and nobody can read: how many do, and of one of them id and value. */
typedef struct { hm_layer layer; const char *column; int64_t rows; hm_str id, value; } hm_unread;
/* How many times lie ahead, and the first of them by layer, id and column; and the columns with
 * texts or numbers that are no times. */
enum { HM_AHEAD_MAX = 10, HM_UNREAD_MAX = 20 };
typedef struct {
  hm_ahead ahead[HM_AHEAD_MAX]; int64_t n_ahead;
  hm_unread unread[HM_UNREAD_MAX]; size_t n_unread;
} hm_odd_times;
/* All of them, in a. Reads all rows. */
int hm_store_odd_times(hm_store *s, hm_arena *a, hm_odd_times *out, hm_err *err);

/* BEGIN IMMEDIATE (write) or BEGIN with a first read (read). */
int hm_store_begin(hm_store *s, bool write, hm_err *err);
int hm_store_commit(hm_store *s, hm_err *err);   /* on error everything is rolled back */
void hm_store_rollback(hm_store *s);         /* no-op outside a transaction */
bool hm_store_in_txn(const hm_store *s);

/* What the open transaction of s reads has a number: while it is the same as in an earlier
 * transaction of s, so is all that is read. Commits of this and of other connections and programs
 * change it. */
int hm_store_data_version(hm_store *s, uint64_t *out, hm_err *err);

/* Reads the whole store into a, inside the open transaction or one of its own.
 * details: also the columns that only pages show, and the digest. */
int hm_store_snapshot(hm_store *s, hm_arena *a, bool details, hm_snapshot **out, hm_err *err);

/* The same with details and without the digest, which costs more than to read the rows. */
int hm_store_snapshot_undigested(hm_store *s, hm_arena *a, hm_snapshot **out, hm_err *err);

/* The same with details, and with the hash of each row by this seed: hm_snapshot_hash_rows has
 * nothing left to do. */
int hm_store_snapshot_hashed(hm_store *s, hm_arena *a, uint64_t seed, hm_snapshot **out,
                             hm_err *err);

/* --- recording a sweep: sweep_results.c -------------------------------- */

/* Who and when, for the journal and detected_at; and why, for the journal, where somebody says so.
 */
typedef struct {
  hm_str by, at, why;
  bool undated; /* nobody knows when it was decided: `at` is for the journal, and no row gets it */
} hm_actor;
/* What a person or a program may be called by: 1 to HM_ACTOR_MAX bytes, none of them hidden
 * (hm_cp_is_hidden). */
enum { HM_ACTOR_MAX = 200 };
bool hm_actor_name_fits(hm_str name);

/* Writes c: a new id is inserted with its members, and journaled as
 * "open"; a known id has slot_kind and members brought to what c says (members that c
 * lacks stay, unflagged), slot_key, anchor and window too, and is journaled as "update" when
 * anything differs. A known one that is open or merged gets c's status and merged_into, if that is
 * open or merged; verdicts and detected_at are not touched. */
int hm_store_put_conflict(hm_store *s, const hm_conflict_rec *c, const hm_actor *who, hm_err *err);
/* Replaces the findings table by these; unchanged: not written. */
int hm_store_put_findings(hm_store *s, const hm_finding *f, size_t n, hm_err *err);

typedef struct {
  hm_str started_at, finished_at;
  int64_t duration_us, rows, claims, slots, opened, updated, findings, rules, disputed,
      acknowledged;   /* rules: how many ran; acknowledged: of the findings */
  hm_str scope, kinds; /* empty: all; findings by kind, a JSON object, or empty: nobody counted */
} hm_sweep_run;
int hm_store_put_run(hm_store *s, const hm_sweep_run *r, hm_err *err);
/* The last one, in a. *found false: there was none. What a store of an older version has no column
 * for is 0 or empty. */
int hm_store_last_run(hm_store *s, hm_arena *a, hm_sweep_run *out, bool *found, hm_err *err);
/* Adds it under key (NULL: none) as an object; NULL as null. */
void hm_sweep_run_json(hm_jw *w, const char *key, const hm_sweep_run *r);

/* What a rule in SQL found in the last sweep, and a digest of all that it depends on: while that is
 * the same, so is the answer, and the rule does not run again. Safe to lose: a record that is
 * missing, stale or damaged is rebuilt. */
typedef struct { hm_str rule, digest, findings; } hm_rule_record;
/* Those whose own check holds, by rule, in a; none in a store that has no such table. */
int hm_store_rule_records(hm_store *s, hm_arena *a, hm_rule_record **out, size_t *n, hm_err *err);
/* Replaces all by these, sorted by rule; unchanged: not written. */
int hm_store_put_rule_records(hm_store *s, const hm_rule_record *v, size_t n, hm_err *err);

/* Counts for `health`: rows by layer and status, conflicts by status, ... */
typedef struct {
  int64_t rows[5][6];          /* [layer][status] */
  int64_t projects, links, conflicts[HM_N_VERDICTS], findings, sweeps, journal;
  hm_str last_sweep;           /* in the arena, or empty */
  hm_unread statuses[HM_UNREAD_MAX];   /* that are none of ours, by layer and status */
  size_t n_statuses;           /* the first of them; rows has them all */
  bool integrity_ok;           /* PRAGMA quick_check, where wanted */
} hm_store_counts;
/* What people settled of the conflicts of a rule, and of those what they dismissed. */
typedef struct { hm_str rule; int64_t settled, dismissed; } hm_rule_verdicts;
/* By name of the rule, in a; none of rules of which nothing is settled. */
int hm_store_rule_verdicts(hm_store *s, hm_arena *a, hm_rule_verdicts **out, size_t *n,
                           hm_err *err);
int hm_store_count(hm_store *s, hm_arena *a, bool integrity, hm_store_counts *out, hm_err *err);
/* Is the file whole? */
int hm_store_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err);
/* From now on what this connection deletes is overwritten in the file. */
int hm_store_delete_securely(hm_store *s, hm_err *err);
/* Writes the file again without what it held before, and empties a WAL. Outside transactions.
 * HM_E_BUSY when others are reading. */
int hm_store_compact(hm_store *s, hm_err *err);
#endif
