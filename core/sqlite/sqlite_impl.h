/* The SQLite engine of sql.h: the connection, its limits, files of other users and programs.
 *
 * Floors, lowest first: sqlite.c, sqlite_foreign_tables.c, sqlite_file.c, sqlite_foreign_map.c,
 * sqlite_foreign.c, migrate.c, sqlite_open.c; sqlite_rows.c stands alone. */
#ifndef HM_SQLITE_IMPL_H
#define HM_SQLITE_IMPL_H
#include <sqlite3.h>
#include <sys/stat.h>
#include "core/sqlite/sql.h"

#define HM_SQL_CACHE 96
#define HM_DAMAGED_FIX                                                                             \
  "restore a backup, or save what is readable with the sqlite3 shell's .recover"

/* --- limits: sqlite.c ---------------------------------------------------------- */

/* The cost of a connection's statements so far. */
typedef struct {
  bool on;      /* inside a reading transaction, or while a snapshot is read */
  int64_t file; /* bytes of the files that are read */
  int64_t steps, bytes, began_ns;
  const char *over; /* the limit that was exceeded, or NULL */
} hm_sqlite_cost;

/* Bounds what this connection reads by the size of its files. From now on an endless statement
 * fails. */
void hm_sqlite_limit(hm_store *s);

/* --- memory: sqlite.c --------------------------------------------------------------------- */

/* Names the store in messages, by its path without a password. */
void hm_sql_name_store(hm_store *s, const char *path);
/* Call before any other function of SQLite. Further calls do nothing. */
void hm_sqlite_configure(void);
/* Limits SQLite's memory on this thread. end returns true if SQLite wanted more. */
void hm_sqlite_memory_limit_begin(int64_t bytes);
bool hm_sqlite_memory_limit_end(void);
/* Bytes requested since the last call, including bytes freed again. */
int64_t hm_sqlite_memory_taken(void);

/* --- WALs of other users: sqlite_file.c -------------------------------------------- */

/* Detects whether a file changed. */
typedef struct {
  bool there;
  dev_t dev;
  ino_t ino;
  off_t size;
  struct timespec mtime, ctime;
} hm_file_mark;

typedef struct {
  char *path;      /* without links; NULL with uri */
  char *uri;       /* to open; NULL: open path as usual */
  char *folder;    /* of a private copy, until hm_wal_reader_opened; else NULL */
  sqlite3 *holder; /* in place: keeps the WAL there until hm_wal_reader_opened */
  bool is_copy;
  hm_file_mark file, wal; /* what was copied */
} hm_wal_reader;

/* Decides how to read path. what: its name in messages. Errors: HM_E_BUSY: its owner wrote during
 * each copy; HM_E_STORE: it cannot be read, or there is no space for a copy. */
int hm_wal_reader_choose(const char *path, const char *what, hm_wal_reader *out, hm_err *err);
/* Call after the first read of uri. Unlinks a copy, so a crash leaves nothing behind. */
void hm_wal_reader_opened(hm_wal_reader *r);
/* True if the original changed since it was copied. */
bool hm_wal_reader_is_stale(const hm_wal_reader *r);
void hm_wal_reader_free(hm_wal_reader *r);
/* The path as a URI with this query, of malloc. */
char *hm_sqlite_uri(const char *path, const char *query);

/* --- the connection: sqlite.c ----------------------------------------------------- */

enum { HM_FOREIGN_LAYERS = 7 }; /* number of tables of facts in a map */

struct hm_sqlite {
  sqlite3 *db;
  int busy_ms;
  int lock;    /* descriptor of the lock file, held by a writing transaction; else -1 */
  int failure; /* extended result code of the last failure that hm_sqlite_fail
                  reported */
  int64_t changes_at_begin; /* rows changed by this connection before its transaction */
  hm_sqlite_cost cost;
  bool foreign;                       /* the file at path belongs to another program */
  hm_wal_reader reader, their_reader; /* WALs of other users: own file, foreign file */
  char *their_path;
  unsigned copies;                        /* number of repeated copies */
  struct hm_computed *computed;           /* generated columns of the foreign store */
  const char *selects[HM_FOREIGN_LAYERS]; /* names of our tables that the map's SELECTs fill */
  bool unnumbered;                        /* a table of the foreign store has no row numbers */
  const char *failed; /* text of the statement being reported as failed, or NULL */
  struct {
    const char *sql;
    sqlite3_stmt *st;
  } cache[HM_SQL_CACHE];
};

static inline sqlite3_stmt *hm_sqlite_stmt(hm_stmt *st) { return (sqlite3_stmt *)st; }
/* Sets err from the connection's last failure; returns -1. */
int hm_sqlite_fail(hm_store *s, hm_err *err);

/* --- SQL functions: sqlite_functions.c -------------------------------------- */

void hm_sqlite_add_functions(sqlite3 *db);
/* The second argument of time_text(value, unit) for this name; 0 for none, -1 if there is no such
 * unit. */
int hm_time_unit_of(hm_str name);
/* The SELECT that has a state for each cell of a matrix; layer: the table where the map names none.
 */
hm_str hm_foreign_matrix_select(const hm_store_map *map, const char *layer, hm_arena *a);
/* Writes the rows of a table as a subquery, once for each element of their lists, which are a
 * column of it; what is no list is one element. numbered: with their rowid. */
#define HM_ELEMENT "an_element" /* the element, and its number */
#define HM_ELEMENT_NUMBER "an_element_number"
void hm_foreign_put_elements(hm_buf *b, hm_str table, hm_str lists, bool numbered, hm_arena *a);

/* --- stores of other programs ------------------------------------------------------ */

/* SQL condition for an ordinary table; t: alias of sqlite_schema. */
#define HM_ORDINARY_TABLE(t) t ".type = 'table' AND " t ".sql LIKE 'create table %'"

/* Tables and views of the attached store: sqlite_foreign_tables.c. */
typedef enum { HM_FOREIGN_NONE, HM_FOREIGN_TABLE, HM_FOREIGN_VIEW } hm_foreign_kind;
int hm_foreign_kind_of(hm_store *s, hm_str name, hm_foreign_kind *out, hm_err *err);
int hm_foreign_columns(hm_store *s, hm_str of, hm_arena *a, hm_foreign_column **out, size_t *n,
                       hm_err *err);
/* Does the table have a rowid? False if created WITHOUT ROWID. */
bool hm_foreign_table_has_rowid(hm_store *s, hm_str table);
/* Names for a message: "id, body, topic, and 9 more"; "notes(id, body), tags(name)". */
void hm_foreign_format_names(hm_buf *b, const hm_str *names, size_t n);
void hm_foreign_format_tables(hm_buf *b, const hm_foreign_table *tables, size_t n);
/* "; did you mean \"body\"?", or "" if no name is near, in a. */
const char *hm_foreign_nearest_name(hm_str name, const hm_str *names, size_t n, hm_arena *a);

/* Records the foreign store's generated columns; from now on no statement may read them. */
int hm_foreign_find_computed(hm_store *s, hm_err *err);
void hm_foreign_free_computed(hm_store *s);
bool hm_foreign_has_computed_column(const hm_store *s, hm_str table);
/* Checks the pages of the foreign file; *ok. Runs no SQL expression of its schema. */
int hm_foreign_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err);

/* Covers hmirror's tables of facts by temporary views of the foreign store's, by src's map:
 * sqlite_foreign_map.c. */
int hm_foreign_map(hm_store *s, const hm_store_source *src, hm_arena *a, hm_err *err);

/* Attaches src's foreign store to s, an opened review file, and covers the tables of facts:
 * sqlite_foreign.c. */
int hm_foreign_open(hm_store *s, const hm_store_source *src, hm_err *err);
/* Attaches the foreign store of s to twin, a new connection without a file of its own, and covers
 * the same tables, so that twin can read facts. Returns -1 without an error if that is impossible,
 * as with a private copy. */
int hm_foreign_attach_as(hm_store *twin, hm_store *s);
/* If the attached foreign store is a copy and the original changed, copies and attaches it again.
 * Call outside transactions. */
int hm_foreign_refresh(hm_store *s, hm_err *err);
void hm_foreign_close(hm_store *s);

/* --- the file: sqlite_file.c ------------------------------------------------------------ */

/* The header on disk, before SQLite reads, locks or recovers anything. All but the size is 0 if the
 * file is too small for a header. */
typedef struct {
  int64_t size, page_size, pages; /* of the file; 0: the header does not say */
  uint32_t application_id;
  bool is_sqlite;
} hm_sqlite_header;
int hm_sqlite_read_header(hm_store *s, hm_sqlite_header *out, hm_err *err);
/* Returns -1. Sets err if the last failure is damage and the file ends before its last page; else
 * leaves err alone. */
int hm_sqlite_fail_cut_off(hm_store *s, hm_err *err);
/* Takes the lock of writers; waits for another process that has it. HM_E_BUSY: for too long, and
 * names the process. Does nothing where there can be no lock file. unlock: does nothing without. */
int hm_sqlite_lock(hm_store *s, hm_err *err);
void hm_sqlite_unlock(hm_store *s);
/* Fails if the last page is cut, which SQLite would read as if zeros followed. Call under a lock,
 * so that no writer is extending the file. */
int hm_sqlite_check_last_page(hm_store *s, hm_err *err);

/* --- versions: migrate.c -------------------------------------------------------------- */

/* Copies an older store to a file beside it, by VACUUM INTO. */
int hm_store_back_up(hm_store *s, hm_err *err);
/* Migrates an opened store to HM_STORE_VERSION, inside its write transaction. */
int hm_store_bring_forward(hm_store *s, hm_err *err);
#endif
