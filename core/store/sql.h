/* What the files of core/store share: the connection, statements, and how
 * SQLite's answers become errors. Not for other folders. */
#ifndef HM_SQL_H
#define HM_SQL_H
#include <sqlite3.h>
#include "core/store/foreign.h"
#include "core/store/limits.h"
#include "core/store/wal_reader.h"

#define HM_SQL_CACHE 96

struct hm_store {
  sqlite3 *db;
  char *path;
  char what[512];            /* "store PATH", for errors */
  hm_store_mode mode;
  int version;               /* user_version as found after migration */
  bool foreign;              /* the file at path turned out to be another program's */
  char review_of[512];       /* of another foreign store, as far as is known: review_of.h */
  bool theirs;               /* a review file, with a foreign store attached: foreign.h */
  hm_spend spend;            /* what its statements cost */
  hm_wal_reader reader, their_reader;   /* of WALs of other users: its own file, theirs */
  int busy_ms;
  unsigned copies;           /* how often one was copied anew */
  char *their_path;
  struct hm_computed *computed;   /* columns of theirs that are computed: computed.c */
  bool in_txn, writing;
  bool dated; hm_time epoch;  /* of hm_store_source */
  hm_time clock;              /* when the transaction began */
  int64_t changes_at_begin;   /* rows changed by this connection before its transaction */
  int failure;               /* extended result code of the last failure that hm_sql_fail told */
  size_t logged;             /* lines of the change log written by its transaction */
  /* End of the journal, known inside a write transaction once it was read. */
  bool tail_known; int64_t tail_seq; char tail_hash[65];
  struct { const char *sql; sqlite3_stmt *st; } cache[HM_SQL_CACHE];
};

/* How much of the file a connection keeps in memory: for who writes, and for who reads each page
 * but once. */
#define HM_SQL_KEEP_MUCH "PRAGMA cache_size=-16384"
#define HM_SQL_KEEP_LITTLE "PRAGMA cache_size=-512"

/* The last failure of s->db as an error; returns -1. */
int hm_sql_fail(hm_store *s, hm_err *err);
/* Runs one or more statements without results. */
int hm_sql_exec(hm_store *s, const char *sql, hm_err *err);
/* A new statement, to be finalized by the caller. */
int hm_sql_prepare(hm_store *s, const char *sql, sqlite3_stmt **out, hm_err *err);
/* The statement for this literal, kept with the store; the same pointer gives
 * the same statement, reset and unbound. When the cache is full a statement that
 * is not being stepped makes room: one that is only bound may be lost. */
int hm_sql_cached(hm_store *s, const char *sql, sqlite3_stmt **out, hm_err *err);
/* 1: a row; 0: done; -1: error. Resets the statement unless there is a row. */
int hm_sql_step(hm_store *s, sqlite3_stmt *st, hm_err *err);
/* One step of a statement that gives no row. */
int hm_sql_run(hm_store *s, sqlite3_stmt *st, hm_err *err);
/* First column of the first row as a number. */
int hm_sql_int(hm_store *s, const char *sql, int64_t *out, hm_err *err);
/* The first column of all rows, in a. */
int hm_sql_texts(hm_store *s, sqlite3_stmt *st, hm_arena *a, hm_str **out, size_t *n, hm_err *err);

/* "name" as SQL. */
void hm_sql_put_name(hm_buf *b, hm_str name);
/* Text is borrowed and must stay until the statement is reset or bound anew. */
void hm_sql_bind(sqlite3_stmt *st, int i, hm_str text);
void hm_sql_bind_or_null(sqlite3_stmt *st, int i, hm_str text);   /* empty gives NULL */
/* A column of any storage class as text, NULL as empty; a REAL in the fewest
 * digits that read back as it. Borrowed until the next step; a REAL from a. */
hm_str hm_sql_text(sqlite3_stmt *st, int i, hm_arena *a);
/* The same, copied into a. */
hm_str hm_sql_copy(sqlite3_stmt *st, int i, hm_arena *a);
/* The fewest digits that read back as v. out has room for 32 bytes. */
int hm_sql_real(double v, char *out);

/* Opens a transaction unless there is one; *mine tells hm_sql_txn_end whether
 * to close it. */
int hm_sql_txn(hm_store *s, bool write, bool *mine, hm_err *err);
/* Passes rc on; ends a transaction that is *mine: by a commit when rc is 0. */
int hm_sql_txn_end(hm_store *s, bool mine, int rc, hm_err *err);

/* A second connection for reading, from another thread, what s reads in its
 * open transaction; NULL when it might see another state. Never waits. */
hm_store *hm_store_twin(hm_store *s);

/* Theirs is a copy, and no longer what stands there: attached anew. Outside transactions. */
int hm_foreign_refresh(hm_store *s, hm_err *err);
/* Finds the computed columns of theirs; from now on no statement reads one. computed.c */
int hm_computed_find(hm_store *s, hm_err *err);
bool hm_computed_is(const hm_store *s, const char *table, const char *column);
bool hm_computed_in(const hm_store *s, hm_str table);   /* has one */
void hm_computed_free(hm_store *s);
/* Checks their file's pages; *ok. Runs no expression of theirs. */
int hm_foreign_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err);
void hm_foreign_close(hm_store *s);
/* Attaches src's foreign store to s, an opened review file, and covers the tables of facts. */
int hm_foreign_open(hm_store *s, const hm_store_source *src, hm_err *err);

/* Brings an opened store forward to HM_STORE_VERSION; fresh: it is new and
 * empty, so nothing needs a backup. */
int hm_store_migrate(hm_store *s, bool fresh, hm_err *err);
#endif
