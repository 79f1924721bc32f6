/* The SQLite file: opening, migrating, transactions, snapshot, recording.
 *
 * Order of calls: open; (begin; snapshot; record...; commit) or snapshot alone;
 * close. A store belongs to one thread at a time. Design section 4. */
#ifndef HM_STORE_H
#define HM_STORE_H
#include <stdio.h>
#include "core/base/err.h"
#include "row.h"

typedef struct hm_store hm_store;

#define HM_STORE_APPLICATION_ID 0x484d6972   /* "HMir" */
#define HM_STORE_VERSION 4                    /* user_version of schema.sql */

typedef enum { HM_STORE_READ, HM_STORE_WRITE, HM_STORE_CREATE } hm_store_mode;

/* Opens the file at path. READ never writes a byte (no WAL set-up, no
 * migration: a store of an older version is read as it is). WRITE migrates an
 * older store forward after a backup by VACUUM INTO "<path>.v<N>.bak". CREATE
 * makes the file when it is absent, else acts as WRITE. Errors, all with the
 * path and a remedy: absent; not a regular file; not SQLite; a foreign SQLite
 * file (application_id); a newer user_version; truncated or damaged; locked
 * past busy_ms. Nothing is written to a file that is not ours. */
int hm_store_open(hm_store **out, const char *path, hm_store_mode mode, int busy_ms, hm_err *err);
void hm_store_close(hm_store *s);
const char *hm_store_path(const hm_store *s);
int hm_store_version(const hm_store *s);     /* user_version, after migration */

/* Now of this store, see hm_snapshot.now: that of a snapshot of the same transaction. As a rule the
 * index of the claims knows it; else all times of rows are read. */
int hm_store_now(hm_store *s, hm_time *now, hm_err *err);

/* A time of a row that lies more than a day after the run's clock, so that it does not count for
 * now. */
typedef struct { hm_layer layer; hm_str id; const char *column; hm_str at; } hm_ahead;
/* All of them, by layer, id and column: how many, and the first of at most `max`, in a. Reads all
 * rows. */
int hm_store_ahead(hm_store *s, hm_arena *a, size_t max, hm_ahead *out, int64_t *n, hm_err *err);

/* BEGIN IMMEDIATE (write) or BEGIN with a first read (read). */
int hm_store_begin(hm_store *s, bool write, hm_err *err);
int hm_store_commit(hm_store *s, hm_err *err);   /* on error everything is rolled back */
void hm_store_rollback(hm_store *s);         /* no-op outside a transaction */
bool hm_store_in_txn(const hm_store *s);

/* Reads the whole store into a, inside the open transaction or one of its own.
 * details: also the columns that only pages show, and the digest. */
int hm_store_snapshot(hm_store *s, hm_arena *a, bool details, hm_snapshot **out, hm_err *err);

/* The same with details, and with the hash of each row by this seed: hm_snapshot_hash_rows has
 * nothing left to do. */
int hm_store_snapshot_hashed(hm_store *s, hm_arena *a, uint64_t seed, hm_snapshot **out,
                             hm_err *err);

/* --- recording a sweep ------------------------------------------------- */

/* Who and when, for the journal and detected_at; and why, for the journal, where somebody says so.
 */
typedef struct {
  hm_str by, at, why;
  bool undated; /* nobody knows when it was decided: `at` is for the journal, and no row gets it */
} hm_actor;
/* What a person or a program may be called by: 1 to HM_ACTOR_MAX bytes, none of them hidden
 * (hm_text_hidden). */
enum { HM_ACTOR_MAX = 200 };
bool hm_actor_name(hm_str name);

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
  int64_t duration_us, rows, claims, slots, opened, updated, findings;
} hm_sweep_run;
int hm_store_put_run(hm_store *s, const hm_sweep_run *r, hm_err *err);

/* Counts for `health`: rows by layer and status, conflicts by status, ... */
typedef struct {
  int64_t rows[5][6];          /* [layer][status] */
  int64_t projects, links, conflicts[HM_N_VERDICTS], findings, sweeps, journal;
  hm_str last_sweep;           /* in the arena, or empty */
  bool integrity_ok;           /* PRAGMA quick_check, when asked for */
} hm_store_counts;
int hm_store_count(hm_store *s, hm_arena *a, bool integrity, hm_store_counts *out, hm_err *err);
#endif
