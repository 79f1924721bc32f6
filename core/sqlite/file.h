/* The file of a store: opening, stores of other programs, transactions.
 *
 * Order of calls: open; (begin; ...; commit) or one question alone; close. A store belongs to one
 * thread at a time.
 *
 * Stores of other programs are read, never written. Such a foreign store is attached read-only to a
 * review file: an ordinary hmirror store with conflicts, verdicts, findings, links that people
 * added, and the journal. A temporary view of the foreign table covers each of hmirror's tables of
 * facts. So all code reads a foreign store like any other, and a transaction sees one state of both
 * files. A view uses the foreign columns with hmirror's names (an absent one is NULL or its
 * default), ids of any type as text, the rowid if there is no id, `project_id` if there is no
 * `project`, and numeric times as ISO 8601; it skips rows without an id. */
#ifndef HM_STORE_FILE_H
#define HM_STORE_FILE_H
#include <stdatomic.h>
#include "core/base/err.h"
#include "core/base/str.h"
#include "core/base/time.h"
#include "core/foreign/readers.h"

typedef struct hm_store hm_store;

#define HM_STORE_APPLICATION_ID 0x484d6972 /* "HMir" */
#define HM_STORE_SOURCES_VERSION 3         /* the first that knows the sources of imports */
#define HM_STORE_RUNS_VERSION 6            /* the first that has all columns of sweep_runs */
#define HM_STORE_JUDGE_VERSION 7           /* the first that has proposals */
#define HM_STORE_VIA_VERSION 8             /* the first that has `via` */
#define HM_STORE_SALT_VERSION 9            /* the first whose journal has salts */
#define HM_STORE_EVIDENCE_VERSION 13 /* the first that keeps what each source says (evidence.h) */
#define HM_STORE_SWEPT_VERSION 14    /* the first that records what a sweep saw (swept.h) */
#define HM_STORE_REPORTS_VERSION 15  /* the first whose proposals say more than a model did */
#define HM_STORE_ANSWERS_VERSION 16  /* the first that finds what a sweep saw by row */
#define HM_STORE_COMMITS_VERSION 17  /* the first that has line_commits */
#define HM_STORE_VERSION 17          /* user_version of schema.sql */

typedef enum { HM_STORE_READ, HM_STORE_WRITE, HM_STORE_CREATE, HM_STORE_TRY } hm_store_mode;

/* Opens the file at path. READ never writes a byte (no WAL set-up, no migration: it reads an older
 * version as it is). WRITE migrates an older store after a backup by VACUUM INTO "<path>.v<N>.bak".
 * CREATE creates an absent file, else acts as WRITE. TRY is for a write transaction that is rolled
 * back: no byte of the file changes, an absent file is an empty store in memory, and an older store
 * is an error. Errors, all with the path and a remedy: absent; not a regular file; not SQLite; a
 * foreign SQLite file (application_id); a newer user_version; truncated or damaged; locked past
 * busy_ms. Never writes to a file that is not an hmirror store. */
int hm_store_open(hm_store **out, const char *path, hm_store_mode mode, int busy_ms, hm_err *err);

/* hmirror's name and the foreign name for it. */
typedef struct {
  hm_str ours, theirs;
} hm_store_column;

/* The source of one table of facts: a foreign table or view with other column names, or a SELECT
 * whose result has hmirror's column names. hmirror's names are the columns of schema.sql, the keys
 * of the import format and, for memories, `subject`. */
typedef struct {
  hm_str layer; /* projects, project_aliases, memories, entities, project_state, relations, links */
  hm_str table, select; /* at most one; both empty: the table of the same name */
  const hm_store_column *columns;
  size_t n_columns;
  /* Of project_state: a row a setting, named by the column key, and a column of each of these,
   * which is a state of its own with the column's name as category. key empty: it is no matrix. */
  hm_str matrix_key;
  const hm_str *matrix;
  size_t n_matrix;
  hm_str several; /* a column of lists, whose elements are rows of their own; empty: none */
  hm_str times;   /* unit of numeric times; empty: guess by their size */
  const hm_store_column *statuses;
  size_t n_statuses; /* ours: status; theirs: word */
} hm_store_map;

/* Sets the eras that bounds may name alone (hm_store_source.eras); borrows them. */
void hm_store_set_eras(hm_store *s, const hm_str *eras, size_t n);

typedef struct {
  const char *path;
  const char *called; /* its name in messages; NULL: the path */
  const char *review; /* the review file; NULL: allow no foreign store */
  const hm_store_map *map;
  size_t n_map; /* for a foreign store only */
  bool dated;
  hm_time epoch; /* time of this run (SOURCE_DATE_EPOCH); else the clock's */
  const hm_str *eras;
  size_t n_eras; /* that bounds may name alone; borrowed */
  bool survey;   /* only list its tables: needs no facts, uses no map */
  bool judged;   /* queue written rows for a judge (judge_queue.h) */
  bool take;     /* assign the review file to this store, even if it belongs to another */
} hm_store_source;

/* As hm_store_open, but also opens foreign stores. READ creates no review file; without one nothing
 * is recorded yet. With a map, reads only the layers that it names. More errors: no readable table;
 * a table or column of the map that the file lacks; a name that is no column of hmirror; a SELECT
 * that does not run, is not read-only, or has no column id; a table without any kind of ids; text
 * in UTF-16; a review file that holds facts; a map for an hmirror store. */
int hm_store_open_source(hm_store **out, const hm_store_source *src, hm_store_mode mode,
                         int busy_ms, hm_err *err);
/* Writes the rows of a file of CSV, JSON Lines or JSON to a private SQLite file of *path (of
 * malloc, for the caller to unlink and free): the table `rows`, and one for each list that the file
 * names. name: of the file, in messages. */
#define HM_ROW_NUMBER "row#" /* begins an id that is only the place of a row in its file */
int hm_store_from_rows(FILE *in, const char *name, hm_encoding encoding, char **path, hm_err *err);
/* The path of the foreign store that the review file belongs to, if that seems to be another than
 * this; else NULL. The review file records the path as given and the names of tables and
 * columns. */
const char *hm_store_review_of(const hm_store *s);
/* Lists a foreign store, in a: its tables by name, then its views. A view whose SELECT does not run
 * has no columns. */
typedef struct {
  hm_str name, type;
  hm_str called;   /* what its name says: without the Z of Core Data, or the last of a path */
  hm_str of, path; /* of body.plain, a member of the objects of a column: body and $.plain */
  bool core_data;  /* of a table of Core Data, whose times are seconds since 2001 */
  bool computed, key;
  /* Of the first 10,000 rows, once hm_foreign_look_at_values was called: there are rows and it has
   * no value in any; it has two different values. How many values it has, and different ones. */
  bool empty, several;
  int64_t filled, values, length; /* length: of a value, on average */
  /* What all values are, or nearly all (nine of ten): JSON arrays of texts (all), JSON objects,
   * numbers, numbers from 0 to 1, times (a date first, or a number of seconds or days), addresses
   * of the web; printable ASCII without a space, also each text of a list; digits of base 16.
   * Half of them have several words. */
  bool lists, objects, numbers, shares, times, addresses, bare, codes, words;
  /* Every value is a time, to the day at least and between 1990 and 2100 where it is a number; or
   * the number of a day as spreadsheets count them. From row to row they only rise, or only fall.
   */
  bool all_times, all_days, in_order;
  bool other_days; /* every value is a day in another spelling: 13.01.2024, 1/13/2024 */
  bool prose;      /* three of four have four words or more, and nearly all are different */
} hm_foreign_column;
typedef struct {
  hm_str name;
  bool is_view, rowid; /* has a rowid */
  int64_t rows;        /* counted up to HM_FOREIGN_ROWS; 0 for a view */
  hm_foreign_column *columns;
  size_t n_columns;
} hm_foreign_table;
enum { HM_FOREIGN_ROWS = 1000 };
int hm_foreign_tables(hm_store *s, hm_arena *a, hm_foreign_table **out, size_t *n, hm_err *err);
/* Fills in what the values of the columns say; of a computed column nothing. Adds a column, in a,
 * for each member of the JSON objects of one. */
int hm_foreign_look_at_values(hm_store *s, hm_foreign_table *t, hm_arena *a, hm_err *err);
/* *unique: the column has no NULL and no text twice. Reads all rows. */
int hm_foreign_column_is_unique(hm_store *s, hm_str table, hm_str column, bool *unique,
                                hm_err *err);
/* Distinct values of the column as texts, at most `most`, from the first 10,000 rows, in a. */
int hm_foreign_column_values(hm_store *s, hm_str table, const hm_foreign_column *column, int most,
                             hm_arena *a, hm_str **out, size_t *n, hm_err *err);
/* How SQL names it, quoted where that is needed. */
hm_str hm_foreign_column_sql(const hm_foreign_column *c, hm_arena *a);
/* True if the facts of this store are read-only. */
bool hm_store_is_foreign(const hm_store *s);
/* 0, or -1 with HM_E_STATE if the facts are read-only; err says what to do instead. */
int hm_store_may_change(const hm_store *s, hm_err *err);
/* From now on what reads the store, and a sweep of it, ends with HM_E_STATE soon after *stop
 * becomes true, as when somebody cancels what they asked for. NULL: no longer. */
void hm_store_stop_when(hm_store *s, const atomic_bool *stop);
/* 0, or -1 when it is to stop. For long work between reads. */
int hm_store_check_stop(const hm_store *s, hm_err *err);
void hm_store_close(hm_store *s);
int hm_store_version(const hm_store *s); /* user_version, after migration */

/* BEGIN IMMEDIATE (write) or BEGIN with a first read (read). Writers first take the lock file,
 * STORE.lock, in which they wait for each other twelve times busy_ms; for a writer of another
 * program they wait for busy_ms. HM_E_BUSY: longer than that. */
int hm_store_begin(hm_store *s, bool write, hm_err *err);
int hm_store_commit(hm_store *s, hm_err *err); /* rolls back on error */
void hm_store_rollback(hm_store *s);           /* no-op outside a transaction */
bool hm_store_in_txn(const hm_store *s);       /* or in a batch */
/* A batch: one transaction in which each of the above is a savepoint, which is kept or rolled back
 * alone. */
int hm_store_begin_batch(hm_store *s, hm_err *err);
/* Outside savepoints; keep: commits them all. Rolls all back on error, also on one that made SQLite
 * roll back the transaction of an earlier command. */
int hm_store_end_batch(hm_store *s, bool keep, hm_err *err);
/* True if this user may write the file at path, which need not exist, and in its folder, as SQLite
 * does for its journal. */
bool hm_store_may_write(const char *path);
/* True for a store opened for writing whose folder has no lock file and cannot have one. */
bool hm_store_lacks_lock(const hm_store *s);
/* True if another process writes to the store now, or waits to. */
bool hm_store_is_written(const hm_store *s);
/* Opens a transaction unless there is one; *mine tells hm_store_txn_end whether to close it. */
int hm_store_txn(hm_store *s, bool write, bool *mine, hm_err *err);
/* Ends the transaction if it is mine: commits if rc is 0, else rolls back. Returns rc, or -1 if the
 * commit fails. */
int hm_store_txn_end(hm_store *s, bool mine, int rc, hm_err *err);

/* A number for the state that the open transaction of s reads. If it equals that of an earlier
 * transaction of s, so does the state. Every commit, also by other connections and programs,
 * changes it. */
int hm_store_data_version(hm_store *s, uint64_t *out, hm_err *err);

/* *ok: the file is undamaged. */
int hm_store_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err);
/* Makes this connection overwrite deleted data in the file from now on. */
int hm_store_delete_securely(hm_store *s, hm_err *err);
/* Rewrites the file without deleted data and empties a WAL. Call outside transactions. HM_E_BUSY:
 * others are reading. */
int hm_store_compact(hm_store *s, hm_err *err);
#endif
