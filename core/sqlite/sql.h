/* An open store and its SQL statements, for the files of core/store alone. Independent of the
 * engine; sqlite.c implements it for SQLite.
 *
 * Each file has its SQL in a table at its head. The store caches a statement by the address of its
 * text. */
#ifndef HM_SQL_H
#define HM_SQL_H
#include "core/sqlite/file.h"

struct hm_store {
  char *path;
  char what[512]; /* "store PATH", for errors */
  hm_store_mode mode;
  int version;         /* of the schema; after migration */
  bool theirs;         /* a review file, with a foreign store attached */
  char review_of[512]; /* foreign store of the review file, if another than this */
  bool judged;         /* written rows are queued for a judge */
  bool in_txn, writing;
  bool in_batch; /* hm_store_begin_batch: transactions are savepoints */
  bool dated;
  hm_time epoch; /* of hm_store_source, both lines */
  const hm_str *eras;
  size_t n_eras;
  hm_time clock;       /* when the transaction began */
  bool refused;        /* the last failure was a constraint on the record: see hm_sql_run */
  bool damaged;        /* the last failure was damage of the file */
  bool facts_changed;  /* the transaction changed a fact that swept.number does not count yet */
  bool changed_before; /* in a batch: the same when its command began */
  /* End of the journal, known inside a write transaction once it was read. */
  bool tail_known;
  int64_t tail_seq;
  char tail_hash[65];
  char *record_sql[6][11];         /* statements built by record_tables.c, by operation and kind */
  struct hm_live_secrets *secrets; /* in what was written (core/record/texts.h); NULL: none */
  hm_arena *secrets_arena;         /* has them */
  const atomic_bool *stop;         /* hm_store_stop_when */
  struct hm_sqlite *sqlite;        /* the engine's data: sqlite_impl.h */
};

/* The text of schema.sql (migrate.c). */
extern const char hm_schema_sql[];

typedef struct hm_stmt hm_stmt; /* of the engine */

/* A value for a parameter. Borrows its text, which must live until the statement is stepped. */
typedef struct {
  enum { HM_ARG_END, HM_ARG_NULL, HM_ARG_TEXT, HM_ARG_BYTES, HM_ARG_INT } type;
  hm_str text;
  int64_t number;
} hm_arg;
/* Values of ?1, ?2, ... */
#define HM_ARGS(...) ((const hm_arg[]){ __VA_ARGS__, { .type = HM_ARG_END } })
static inline hm_arg hm_arg_text(hm_str s) { return (hm_arg){ .type = HM_ARG_TEXT, .text = s }; }
static inline hm_arg hm_arg_int(int64_t n) { return (hm_arg){ .type = HM_ARG_INT, .number = n }; }
static inline hm_arg hm_arg_bytes(hm_str s) { return (hm_arg){ .type = HM_ARG_BYTES, .text = s }; }
/* NULL for an empty text. */
static inline hm_arg hm_arg_text_or_null(hm_str s) {
  return (hm_arg){ .type = s.n ? HM_ARG_TEXT : HM_ARG_NULL, .text = s };
}

/* --- statements ------------------------------------------------------------ */

/* The cached statement for this text, bound to these values (NULL: none), before its first row. A
 * full cache evicts a statement that is not being stepped, so one that is only bound may be
 * lost. */
int hm_sql_query(hm_store *s, const char *sql, const hm_arg *args, hm_stmt **out, hm_err *err);
/* The same without values. */
int hm_sql_cached(hm_store *s, const char *sql, hm_stmt **out, hm_err *err);
/* A new statement for a generated text; end it with hm_sql_finalize. */
int hm_sql_prepare(hm_store *s, const char *sql, hm_stmt **out, hm_err *err);
void hm_sql_finalize(hm_stmt *st); /* NULL is allowed */
void hm_sql_reset(hm_stmt *st);    /* call it to leave a statement before its last row */

/* 1: a row; 0: done; -1: error. Resets the statement unless it returns 1. */
int hm_sql_step(hm_store *s, hm_stmt *st, hm_err *err);
/* Steps a statement without result rows. On an error s->refused says whether a constraint of the
 * schema refused the values. */
int hm_sql_run(hm_store *s, hm_stmt *st, hm_err *err);

void hm_sql_bind(hm_stmt *st, int i, hm_str text);
void hm_sql_bind_null(hm_stmt *st, int i);
void hm_sql_bind_int(hm_stmt *st, int i, int64_t n);
void hm_sql_bind_real(hm_stmt *st, int i, double d);

/* --- columns of a row -------------------------------------------------------- */

/* A value of any storage class as text: NULL as empty, a REAL in the fewest digits that read back
 * the same. Borrowed until the next step; a REAL is in a. */
hm_str hm_sql_text(hm_stmt *st, int i, hm_arena *a);
hm_str hm_sql_copy(hm_stmt *st, int i, hm_arena *a); /* the same, copied into a */
hm_str hm_sql_plain(hm_stmt *st, int i); /* for a value that is no REAL; until the next step */
hm_str hm_sql_bytes(hm_stmt *st, int i); /* as they are; until the next step */
int64_t hm_sql_number(hm_stmt *st, int i);
bool hm_sql_is_null(hm_stmt *st, int i);
bool hm_sql_is_int(hm_stmt *st, int i);
bool hm_sql_is_real(hm_stmt *st, int i, double *d);

/* --- whole answers ------------------------------------------------------------- */

/* Runs a statement without result rows. */
int hm_sql_do(hm_store *s, const char *sql, const hm_arg *args, hm_err *err);
/* Runs one or more statements without values and result rows. */
int hm_sql_exec(hm_store *s, const char *sql, hm_err *err);
/* *has: it has a result row. */
int hm_sql_has(hm_store *s, const char *sql, const hm_arg *args, bool *has, hm_err *err);
/* The first column of the first row, in a; empty if there is none. */
int hm_sql_one(hm_store *s, const char *sql, const hm_arg *args, hm_arena *a, hm_str *out,
               hm_err *err);
/* The same as a number, 0 if there is none; not cached, for texts used once. */
int hm_sql_int(hm_store *s, const char *sql, int64_t *out, hm_err *err);
/* The first column of all rows, in a. */
int hm_sql_texts(hm_store *s, hm_stmt *st, hm_arena *a, hm_str **out, size_t *n, hm_err *err);

/* Appends the name as a quoted SQL identifier. */
void hm_sql_put_name(hm_buf *b, hm_str name);
/* The fewest digits that read back as v. out has room for 32 bytes. */
int hm_sql_format_real(double v, char *out);

/* --- transactions --------------------------------------------------------------- */

/* Until hm_sql_limit_end, limits the cost of reading by the size of the files, also in a write
 * transaction. Returns the value to pass to hm_sql_limit_end. */
bool hm_sql_limit_begin(hm_store *s);
void hm_sql_limit_end(hm_store *s, bool was_on);

/* A second connection by which another thread reads the same state as the open transaction of s.
 * NULL if it might see another state. Never waits. */
hm_store *hm_store_second_reader(hm_store *s);
/* Sets the page cache of a connection; little suffices for reading each page once. */
void hm_sql_set_cache_size(hm_store *s, bool little);
/* A number that changes with the tables and triggers of the file. */
int hm_sql_schema_version(hm_store *s, int64_t *out, hm_err *err);
/* Upper bound for the number of rows in the file; -1: not known. */
int64_t hm_sql_most_rows(hm_store *s);
/* Restores triggers that count changes (swept.h) and are missing because another program recreated
 * their table. Needs a write transaction. *complete false: some could not be created, so changes by
 * other programs are missed. */
int hm_sql_restore_triggers(hm_store *s, bool *complete, hm_err *err);
/* Does the file count the changes of facts (swept.number)? */
bool hm_facts_are_counted(const hm_store *s);
/* Counts the change that facts_changed tells of; commit calls it. */
int hm_facts_move(hm_store *s, hm_err *err);
#endif
