/* The SQLite engine of sql.h: statements, their values and columns, errors, limits.
 *
 * The cost of reading a file is limited: steps, bytes, processor time and the length of a value,
 * each in proportion to the file's size. A small file with a circle of pages, or with views that
 * compute without end, gives an error that names the limit; a large normal file never reaches
 * it. */
#include "core/sqlite/sqlite_impl.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/credential.h"

/* --- errors ------------------------------------------------------------------ */

typedef struct {
  int rc;
  hm_code code;
  const char *why, *fix;
} failure;

/* Result codes that have one clear cause; an extended one before its primary one. */
static const failure FAILURES[] = {
  { SQLITE_READONLY_DIRECTORY, HM_E_STORE,
    "it is in WAL mode, in which SQLite makes a file beside it, and its folder cannot be written",
    "copy it to a folder that can be written" },
  /* Its WAL is begun or recovered at this moment; one that stays so is copied before it is read. */
  { SQLITE_READONLY_RECOVERY, HM_E_BUSY, "its owner writes to it just now", "try again" },
  { SQLITE_READONLY_CANTINIT, HM_E_BUSY, "its owner writes to it just now", "try again" },
  { SQLITE_BUSY, HM_E_BUSY, "another process holds its lock",
    "try again when that process has finished" },
  { SQLITE_LOCKED, HM_E_BUSY, "another process holds its lock",
    "try again when that process has finished" },
  { SQLITE_CORRUPT, HM_E_STORE, "damaged", HM_DAMAGED_FIX },
  { SQLITE_NOTADB, HM_E_STORE, "not a SQLite database, or encrypted", "give the path of a store" },
  { SQLITE_FULL, HM_E_STORE, "the disk is full; nothing was changed", "make room and try again" },
  { SQLITE_READONLY, HM_E_STORE, "it cannot be written",
    "check the permissions of the file and of its folder" },
  { SQLITE_CANTOPEN, HM_E_STORE, "it cannot be opened",
    "check the permissions of the file and of its folder" },
  { SQLITE_IOERR, HM_E_STORE, "reading or writing failed", "check the disk" },
  { SQLITE_TOOBIG, HM_E_STORE, "a record is too large for SQLite (10^9 bytes)", "split it" },
  { SQLITE_AUTH, HM_E_STORE,
    "it computes that column by an expression of its own (a generated column), which is not run",
    "leave the column out, store it there, or write the expression in a select in mirror.yml:"
    " store.map" },
  { SQLITE_CONSTRAINT, HM_E_STORE, "a rule of the store's tables forbids it", "" },
  { SQLITE_PERM, HM_E_STORE, "access is denied",
    "check the permissions of the file and of its folder" },
};

/* The layer whose SELECT of the map the failed statement reads, or NULL. */
static const char *failed_select(const hm_store *s) {
  const struct hm_sqlite *q = s->sqlite;
  for (int i = 0; q->failed && i < HM_FOREIGN_LAYERS && q->selects[i]; i++)
    if (strstr(q->failed, q->selects[i]))
      return q->selects[i];
  return NULL;
}

/* The limits are in proportion to the file. */
static int fail_over(hm_store *s, hm_err *err) {
  const hm_sqlite_cost *n = &s->sqlite->cost;
  const char *layer = failed_select(s);
  s->sqlite->failure = SQLITE_INTERRUPT;
  s->refused = s->damaged = false;
  if (layer) {
    hm_failf(err, HM_E_STORE, layer,
             "give its WITH RECURSIVE an end, and each JOIN a condition, in mirror.yml: store.map",
             "its select was stopped: it takes more %s than %lld bytes of facts may", n->over,
             (long long)n->file);
    return hm_err_within(err, "%s", s->what);
  }
  return hm_failf(
      err, HM_E_STORE, s->what,
      "check the file with PRAGMA quick_check of the sqlite3 shell, and the selects of store.map",
      "reading it takes more %s than %lld bytes of facts may", n->over, (long long)n->file);
}

void hm_store_stop_when(hm_store *s, const atomic_bool *stop) { s->stop = stop; }

int hm_store_check_stop(const hm_store *s, hm_err *err) {
  if (!s->stop || !atomic_load(s->stop))
    return 0;
  return hm_fail(err, HM_E_STATE, "the request", "it was cancelled", "ask again");
}

int hm_sqlite_fail(hm_store *s, hm_err *err) {
  sqlite3 *db = s->sqlite->db;
  int rc = s->sqlite->failure = sqlite3_extended_errcode(db), primary = rc & 0xff;
  const char *msg = sqlite3_errmsg(db);
  if (s->sqlite->cost.over)
    return fail_over(s, err);
  if (primary == SQLITE_INTERRUPT && hm_store_check_stop(s, err))
    return -1;
  s->refused = primary == SQLITE_CONSTRAINT || primary == SQLITE_TOOBIG;
  s->damaged = primary == SQLITE_CORRUPT;
  if (primary == SQLITE_TOOBIG && s->theirs)
    return hm_failf(err, HM_E_STORE, s->what, "check the file, and the selects of store.map",
                    "a value in it is longer than %d bytes, the limit for a file of its size",
                    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1));
  for (size_t i = 0; i < HM_COUNT(FAILURES); i++) {
    const failure *f = &FAILURES[i];
    if (f->rc == rc || f->rc == primary)
      return hm_failf(err, f->code, s->what, f->fix, "%s (SQLite %d: %s)", f->why, rc, msg);
  }
  if (primary == SQLITE_ERROR && (strstr(msg, "no such") || strstr(msg, "prohibited")))
    return hm_failf(err, HM_E_STORE, s->what, HM_DAMAGED_FIX,
                    "its tables are not those of version %d (%s)", s->version, msg);
  const char *layer = failed_select(s);
  if (!layer)
    return hm_failf(err, HM_E_STORE, s->what, "", "SQLite %d: %s", rc, msg);
  hm_failf(err, HM_E_STORE, layer, "correct the select in mirror.yml: store.map",
           "its select fails: %s", msg);
  return hm_err_within(err, "%s", s->what);
}

/* --- limits -------------------------------------------------------------------- */

/* A row is at least some 20 bytes and is read by some 100 steps, a few times in a transaction; it
 * is a text at least once in its file. So an honest file stays ten times below each. */
enum { STEPS_AT_ONCE = 1000, STEPS_A_BYTE = 400, TIMES_READ = 32 };
static const int64_t STEPS_FREE = 20 * 1000 * 1000, BYTES_FREE = 64 << 20;
static const int64_t NS_FREE = 30 * INT64_C(1000000000), NS_A_BYTE = 1000;

static int64_t cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* SQLite calls it every STEPS_AT_ONCE steps; not 0 ends the statement. */
static int count_steps(void *ctx) {
  hm_store *s = ctx;
  hm_sqlite_cost *n = &s->sqlite->cost;
  if (s->stop && !s->writing && atomic_load(s->stop))
    return 1;
  if (!n->on)
    return 0;
  n->steps += STEPS_AT_ONCE;
  if (n->steps > STEPS_FREE + STEPS_A_BYTE * n->file)
    n->over = "steps";
  else if (cpu_ns() - n->began_ns > NS_FREE + NS_A_BYTE * n->file)
    n->over = "processor time";
  return n->over != NULL;
}

/* Counts the texts of a row. False when it was one too many. */
static bool count_row(hm_sqlite_cost *n, sqlite3_stmt *st) {
  for (int i = sqlite3_data_count(st) - 1; i >= 0; i--) {
    int type = sqlite3_column_type(st, i);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
      n->bytes += sqlite3_column_bytes(st, i);
  }
  if (n->bytes > BYTES_FREE + TIMES_READ * n->file)
    n->over = "bytes";
  return !n->over;
}

static int64_t size_of(const char *path) {
  struct stat st;
  int64_t size = path && *path && stat(path, &st) == 0 ? st.st_size : 0;
  char *wal = path ? sqlite3_mprintf("%s-wal", path) : NULL;
  if (wal && stat(wal, &st) == 0)
    size += st.st_size;
  sqlite3_free(wal);
  return size;
}

/* Files may grow while a program runs for long: they are measured with each transaction. */
static void measure(hm_store *s) {
  enum { LENGTH_FREE = 1 << 20, LENGTH_MOST = 1000000000 };
  s->sqlite->cost.file = size_of(s->path) + size_of(s->sqlite->their_path);
  int64_t length = LENGTH_FREE + 2 * s->sqlite->cost.file;
  if (length > LENGTH_MOST)
    length = LENGTH_MOST;
  if (s->theirs)
    sqlite3_limit(s->sqlite->db, SQLITE_LIMIT_LENGTH, (int)length);
}

void hm_sqlite_limit(hm_store *s) {
  s->sqlite->cost = (hm_sqlite_cost){ .on = false };
  measure(s);
  sqlite3_progress_handler(s->sqlite->db, STEPS_AT_ONCE, count_steps, s);
}

bool hm_sql_limit_begin(hm_store *s) {
  if (s->sqlite->cost.on)
    return true;
  s->sqlite->cost = (hm_sqlite_cost){ .on = true, .began_ns = cpu_ns() };
  measure(s);
  return false;
}

void hm_sql_limit_end(hm_store *s, bool was_on) { s->sqlite->cost.on = was_on; }

void hm_sql_set_cache_size(hm_store *s, bool little) {
  hm_sql_exec(s, little ? "PRAGMA cache_size=-512" : "PRAGMA cache_size=-16384", NULL);
}

int hm_sql_schema_version(hm_store *s, int64_t *out, hm_err *err) {
  return hm_sql_int(s, "PRAGMA schema_version", out, err);
}

int64_t hm_sql_most_rows(hm_store *s) {
  enum { LEAST_ROW = 16 }; /* bytes of the file that a row takes at least */
  int64_t pages, page_size;
  if (s->sqlite->unnumbered ||
      hm_sql_int(s, s->theirs ? "PRAGMA theirs.page_count" : "PRAGMA main.page_count", &pages,
                 NULL) ||
      hm_sql_int(s, s->theirs ? "PRAGMA theirs.page_size" : "PRAGMA main.page_size", &page_size,
                 NULL))
    return -1;
  return pages * (page_size / LEAST_ROW);
}

/* --- statements ------------------------------------------------------------------ */

int hm_sql_exec(hm_store *s, const char *sql, hm_err *err) {
  return sqlite3_exec(s->sqlite->db, sql, NULL, NULL, NULL) ? hm_sqlite_fail(s, err) : 0;
}

int hm_sql_prepare(hm_store *s, const char *sql, hm_stmt **out, hm_err *err) {
  return sqlite3_prepare_v2(s->sqlite->db, sql, -1, (sqlite3_stmt **)out, NULL)
      ? hm_sqlite_fail(s, err)
      : 0;
}

void hm_sql_finalize(hm_stmt *st) { sqlite3_finalize(hm_sqlite_stmt(st)); }
void hm_sql_reset(hm_stmt *st) { sqlite3_reset(hm_sqlite_stmt(st)); }

int hm_sql_cached(hm_store *s, const char *sql, hm_stmt **out, hm_err *err) {
  struct hm_sqlite *q = s->sqlite;
  int i = 0;
  while (i < HM_SQL_CACHE && q->cache[i].sql && q->cache[i].sql != sql)
    i++;
  if (i == HM_SQL_CACHE) {
    /* Evicts the last statement that is not being stepped. */
    for (i--; i > 0 && sqlite3_stmt_busy(q->cache[i].st);)
      i--;
    sqlite3_finalize(q->cache[i].st);
    q->cache[i].sql = NULL;
  }
  if (!q->cache[i].sql) {
    if (sqlite3_prepare_v3(q->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &q->cache[i].st, NULL))
      return hm_sqlite_fail(s, err);
    q->cache[i].sql = sql;
  }
  *out = (hm_stmt *)q->cache[i].st;
  sqlite3_reset(hm_sqlite_stmt(*out));
  sqlite3_clear_bindings(hm_sqlite_stmt(*out));
  return 0;
}

int hm_sql_query(hm_store *s, const char *sql, const hm_arg *args, hm_stmt **out, hm_err *err) {
  if (hm_sql_cached(s, sql, out, err))
    return -1;
  for (int i = 0; args && args[i].type != HM_ARG_END; i++) {
    const hm_arg *v = &args[i];
    if (v->type == HM_ARG_TEXT)
      hm_sql_bind(*out, i + 1, v->text);
    else if (v->type == HM_ARG_INT)
      sqlite3_bind_int64(hm_sqlite_stmt(*out), i + 1, v->number);
    else if (v->type == HM_ARG_BYTES)
      sqlite3_bind_blob64(hm_sqlite_stmt(*out), i + 1, v->text.p, v->text.n, SQLITE_STATIC);
  }
  return 0;
}

int hm_sql_step(hm_store *s, hm_stmt *st, hm_err *err) {
  hm_sqlite_cost *n = &s->sqlite->cost;
  int rc = sqlite3_step(hm_sqlite_stmt(st));
  if (rc == SQLITE_ROW && (!n->on || !s->theirs || count_row(n, hm_sqlite_stmt(st))))
    return 1;
  s->sqlite->failed = sqlite3_sql(hm_sqlite_stmt(st));
  int result = rc == SQLITE_DONE ? 0
      : rc == SQLITE_ROW         ? fail_over(s, err)
                                 : hm_sqlite_fail(s, err);
  s->sqlite->failed = NULL;
  sqlite3_reset(hm_sqlite_stmt(st));
  return result;
}

int hm_sql_run(hm_store *s, hm_stmt *st, hm_err *err) {
  int rc = hm_sql_step(s, st, err);
  if (rc == 1)
    sqlite3_reset(hm_sqlite_stmt(st));
  return rc < 0 ? -1 : 0;
}

void hm_sql_bind(hm_stmt *st, int i, hm_str text) {
  sqlite3_bind_text64(hm_sqlite_stmt(st), i, text.p ? text.p : "", text.n, SQLITE_STATIC,
                      SQLITE_UTF8);
}

void hm_sql_bind_null(hm_stmt *st, int i) { sqlite3_bind_null(hm_sqlite_stmt(st), i); }
void hm_sql_bind_int(hm_stmt *st, int i, int64_t n) {
  sqlite3_bind_int64(hm_sqlite_stmt(st), i, n);
}
void hm_sql_bind_real(hm_stmt *st, int i, double d) {
  sqlite3_bind_double(hm_sqlite_stmt(st), i, d);
}

/* --- columns ----------------------------------------------------------------------- */

int hm_sql_format_real(double v, char *out) {
  int n = 0;
  for (int digits = 15; digits <= 17; digits++) {
    n = snprintf(out, 32, "%.*g", digits, v);
    if (strtod(out, NULL) == v)
      break;
  }
  return n;
}

hm_str hm_sql_text(hm_stmt *st, int i, hm_arena *a) {
  double d;
  if (hm_sql_is_real(st, i, &d)) {
    char digits[32];
    int n = hm_sql_format_real(d, digits);
    return hm_str_dup(a, (hm_str){ digits, (size_t)n });
  }
  return hm_sql_plain(st, i);
}

hm_str hm_sql_plain(hm_stmt *st, int i) {
  sqlite3_value *v = sqlite3_column_value(hm_sqlite_stmt(st), i); /* looked up once for both */
  const char *p = (const char *)sqlite3_value_text(v);
  return p ? (hm_str){ p, (size_t)sqlite3_value_bytes(v) } : HM_EMPTY;
}

hm_str hm_sql_copy(hm_stmt *st, int i, hm_arena *a) { return hm_str_dup(a, hm_sql_text(st, i, a)); }

hm_str hm_sql_bytes(hm_stmt *st, int i) {
  const char *p = sqlite3_column_blob(hm_sqlite_stmt(st), i);
  return (hm_str){ p, (size_t)sqlite3_column_bytes(hm_sqlite_stmt(st), i) };
}

int64_t hm_sql_number(hm_stmt *st, int i) { return sqlite3_column_int64(hm_sqlite_stmt(st), i); }
bool hm_sql_is_null(hm_stmt *st, int i) {
  return sqlite3_column_type(hm_sqlite_stmt(st), i) == SQLITE_NULL;
}
bool hm_sql_is_int(hm_stmt *st, int i) {
  return sqlite3_column_type(hm_sqlite_stmt(st), i) == SQLITE_INTEGER;
}

bool hm_sql_is_real(hm_stmt *st, int i, double *d) {
  if (sqlite3_column_type(hm_sqlite_stmt(st), i) != SQLITE_FLOAT)
    return false;
  *d = sqlite3_column_double(hm_sqlite_stmt(st), i);
  return true;
}

/* --- whole answers -------------------------------------------------------------------- */

int hm_sql_do(hm_store *s, const char *sql, const hm_arg *args, hm_err *err) {
  hm_stmt *st;
  return hm_sql_query(s, sql, args, &st, err) ? -1 : hm_sql_run(s, st, err);
}

int hm_sql_has(hm_store *s, const char *sql, const hm_arg *args, bool *has, hm_err *err) {
  hm_stmt *st;
  int rc = hm_sql_query(s, sql, args, &st, err) ? -1 : hm_sql_step(s, st, err);
  *has = rc == 1;
  if (rc == 1)
    sqlite3_reset(hm_sqlite_stmt(st));
  return rc < 0 ? -1 : 0;
}

int hm_sql_one(hm_store *s, const char *sql, const hm_arg *args, hm_arena *a, hm_str *out,
               hm_err *err) {
  hm_stmt *st;
  int rc = hm_sql_query(s, sql, args, &st, err) ? -1 : hm_sql_step(s, st, err);
  *out = rc == 1 ? hm_sql_copy(st, 0, a) : HM_EMPTY;
  if (rc == 1)
    sqlite3_reset(hm_sqlite_stmt(st));
  return rc < 0 ? -1 : 0;
}

int hm_sql_int(hm_store *s, const char *sql, int64_t *out, hm_err *err) {
  hm_stmt *st;
  if (hm_sql_prepare(s, sql, &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  *out = rc == 1 ? sqlite3_column_int64(hm_sqlite_stmt(st), 0) : 0;
  sqlite3_finalize(hm_sqlite_stmt(st));
  return rc < 0 ? -1 : 0;
}

int hm_sql_texts(hm_store *s, hm_stmt *st, hm_arena *a, hm_str **out, size_t *n, hm_err *err) {
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = hm_sql_copy(st, 0, a);
  }
  return rc;
}

/* "name" as SQL; NULs are not in names that SQLite gives. */
void hm_sql_put_name(hm_buf *b, hm_str name) { hm_buf_quoted(b, name, '"'); }

/* --- a limit for the memory that SQLite takes on one thread ---------------------------------- */

/* SQLite can limit only what all its connections take together, and counts that under one lock. So
 * its allocator is wrapped before it begins: while a thread has a budget, what is taken and given
 * back is counted there, and what goes over it is refused, which ends the statement. */

static sqlite3_mem_methods system_memory;
static _Thread_local struct {
  bool on, over;
  int64_t left, taken;
} budget;

static void *counted_malloc(int n) {
  if (budget.on && n > budget.left)
    return budget.over = true, NULL;
  void *p = system_memory.xMalloc(n);
  budget.taken += n;
  if (budget.on && p)
    budget.left -= system_memory.xSize(p);
  return p;
}

static void counted_free(void *p) {
  if (budget.on && p)
    budget.left += system_memory.xSize(p);
  system_memory.xFree(p);
}

static void *counted_realloc(void *p, int n) {
  if (!budget.on)
    return system_memory.xRealloc(p, n);
  int before = p ? system_memory.xSize(p) : 0;
  if (n - before > budget.left)
    return budget.over = true, NULL;
  void *moved = system_memory.xRealloc(p, n);
  budget.taken += n;
  if (moved)
    budget.left -= system_memory.xSize(moved) - before;
  return moved;
}

/* SQLite counts its memory under one lock for all connections, for which threads that read at once
 * queue up. Nobody needs the count; it can only be switched off before SQLite has begun. */
static void configure(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) || !system_memory.xMalloc)
    return;
  sqlite3_mem_methods counted = system_memory;
  counted.xMalloc = counted_malloc;
  counted.xFree = counted_free;
  counted.xRealloc = counted_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &counted);
}

void hm_sqlite_configure(void) {
  static pthread_once_t begun = PTHREAD_ONCE_INIT;
  pthread_once(&begun, configure);
}

void hm_sqlite_memory_limit_begin(int64_t bytes) {
  budget.on = true;
  budget.over = false;
  budget.left = bytes;
  budget.taken = 0;
}

int64_t hm_sqlite_memory_taken(void) {
  int64_t bytes = budget.taken;
  budget.taken = 0;
  return bytes;
}

bool hm_sqlite_memory_limit_end(void) {
  budget.on = false;
  return budget.over;
}

/* --- the file ---------------------------------------------------------------- */

bool hm_store_may_write(const char *path) {
  char *real = realpath(path, NULL), *folder = strdup(real ? real : path);
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder] = 0;
  bool may = faccessat(AT_FDCWD, slash ? folder : ".", W_OK, AT_EACCESS) == 0 &&
      (!real || faccessat(AT_FDCWD, real, W_OK, AT_EACCESS) == 0);
  free(folder);
  free(real);
  return may;
}

void hm_sql_name_store(hm_store *s, const char *path) {
  hm_arena *a = hm_arena_new();
  hm_str shown = hm_address_hide_password(hm_str_c(path), a);
  snprintf(s->what, sizeof s->what, "store %.*s", HM_FMT(shown));
  hm_arena_free(a);
}
