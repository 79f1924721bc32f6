/* Opening a SQLite file as a store, and its transactions.
 *
 * The file may be anything: a pipe, another program's, damaged, of another user, half written. Each
 * case is detected before SQLite reads, locks or recovers anything. Only hmirror stores are ever
 * written. A store of another program is attached to a review file (sqlite_foreign.c); a WAL of
 * another user is read through sqlite_file.c. */
#include "core/sqlite/sqlite_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_READ "SELECT count(1) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)"

static int fail_store(hm_store *s, hm_err *err, const char *why, const char *fix) {
  return hm_fail(err, HM_E_STORE, s->what, why, fix);
}

/* Does the journal end with the name of a file that is there? SQLite deletes that file when it
 * rolls back one of several databases: in a folder of somebody else, any that they name. Source:
 * pager_delsuper() in SQLite's pager.c. */
static bool journal_names_a_file(const char *path) {
  static const char magic[] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  enum { TAIL = 16, NAME = 8192 };
  unsigned char tail[TAIL];
  char name[NAME + 1] = "";
  bool named = false;
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
  if (pread(fd, tail, TAIL, end - TAIL) == TAIL && memcmp(tail + 8, magic, 8) == 0) {
    size_t n = (size_t)tail[0] << 24 | (size_t)tail[1] << 16 | (size_t)tail[2] << 8 | tail[3];
    ssize_t got = pread(fd, name, n < NAME ? n : NAME, end - TAIL - (off_t)n);
    named = n && (got != (ssize_t)n || access(name, F_OK) == 0);
  }
  if (fd >= 0)
    close(fd);
  return named;
}

/* SQLite's own files are beside the store, or what a link to it leads to, and are opened as
 * early. */
static int check_beside(hm_store *s, hm_err *err) {
  static const char *const suffixes[] = { "journal", "wal", "shm" };
  char *real = realpath(s->path, NULL);
  int rc = 0;
  for (size_t i = 0; real && !rc && i < HM_COUNT(suffixes); i++) {
    struct stat st;
    char *path = sqlite3_mprintf("%s-%s", real, suffixes[i]);
    if (path && lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
      rc = hm_failf(err, HM_E_STORE, s->what, "move it away",
                    "what stands beside it as -%s is no regular file", suffixes[i]);
    else if (path && i == 0 && journal_names_a_file(path))
      rc = hm_fail(err, HM_E_STORE, s->what,
                   "its -journal is of a transaction that was interrupted in several databases",
                   "open it once with the program that wrote it; if you do not know one, move the "
                   "-journal away");
    sqlite3_free(path);
  }
  free(real);
  return rc;
}

/* "postgres://host/name", "host=db dbname=facts" */
static bool is_address(const char *path) {
  return strstr(path, "://") || strncmp(path, "host=", 5) == 0 || strstr(path, " host=") ||
      strstr(path, "dbname=");
}

/* SQLite itself must not open a pipe or a device: it would wait, or write. */
static int check_kind(hm_store *s, hm_store_mode mode, bool *absent, hm_err *err) {
  struct stat st;
  *absent = false;
  if (stat(s->path, &st)) {
    *absent = errno == ENOENT;
    if (*absent && lstat(s->path, &st) == 0)
      return fail_store(s, err, "a symbolic link to nothing",
                        "remove the link, or make what it leads to");
    if (*absent && is_address(s->path))
      return fail_store(
          s, err, "it is an address, and hmirror reads files",
          "give the path of an SQLite file: a store of hmirror, or one of another "
          "program; what another database holds can be imported as JSON Lines or CSV");
    if (*absent && mode == HM_STORE_CREATE)
      return 0;
    if (*absent)
      return fail_store(s, err, "there is no such file",
                        "go to the mirror's folder (-C DIR), or make one with `hmirror init`;"
                        " --store names another file");
    return fail_store(s, err, strerror(errno), "check the path and its permissions");
  }
  if (!S_ISREG(st.st_mode))
    return fail_store(s, err, "not a regular file", "give the path of a SQLite file");
  return check_beside(s, err);
}

static int check_header(hm_store *s, hm_store_mode mode, bool *fresh, hm_err *err) {
  hm_sqlite_header h;
  if (hm_sqlite_read_header(s, &h, err))
    return -1;
  *fresh = h.size == 0;
  if (*fresh && mode == HM_STORE_CREATE)
    return 0;
  if (*fresh)
    return fail_store(s, err, "the file is empty", "make it a store with `hmirror init`");
  if (!h.is_sqlite)
    return fail_store(s, err, "not a SQLite file",
                      "give the path of a store, or move the file away and run `hmirror init`; CSV"
                      " and JSON Lines are read by `hmirror import`");
  s->sqlite->foreign = h.application_id != HM_STORE_APPLICATION_ID;
  if (s->sqlite->foreign)
    return hm_failf(err, HM_E_STORE, s->what, "give the path of a store made by `hmirror init`",
                    "a SQLite file of another program (application_id 0x%08x)", h.application_id);
  return 0;
}

typedef struct {
  int op, value;
} setting;

/* The file may come from anyone: its triggers and views never run here (the
 * journal's own triggers are there to stop other tools), its schema may call
 * no function with side effects, and its pages are checked when read. */
static const setting CONFIG[] = {
  { SQLITE_DBCONFIG_DEFENSIVE, 1 },      { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
  { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 }, { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
  { SQLITE_DBCONFIG_ENABLE_FKEY, 1 },    { SQLITE_DBCONFIG_DQS_DML, 0 },
  { SQLITE_DBCONFIG_DQS_DDL, 0 },        { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
};

static const setting LIMITS[] = {
  { SQLITE_LIMIT_ATTACHED, 1 }, /* VACUUM INTO needs one */
  { SQLITE_LIMIT_EXPR_DEPTH, 100 },   { SQLITE_LIMIT_COMPOUND_SELECT, 10 },
  { SQLITE_LIMIT_VDBE_OP, 25000 },    { SQLITE_LIMIT_SQL_LENGTH, 100000 },
  { SQLITE_LIMIT_COLUMN, 200 },       { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
  { SQLITE_LIMIT_WORKER_THREADS, 0 }, { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 },
};

/* Does not read the file yet, since that could roll back a transaction of another program. */
static void configure(hm_store *s, int busy_ms) {
  for (size_t i = 0; i < HM_COUNT(CONFIG); i++)
    sqlite3_db_config(s->sqlite->db, CONFIG[i].op, CONFIG[i].value, (int *)NULL);
  for (size_t i = 0; i < HM_COUNT(LIMITS); i++)
    sqlite3_limit(s->sqlite->db, LIMITS[i].op, LIMITS[i].value);
  sqlite3_extended_result_codes(s->sqlite->db, 1);
  hm_sqlite_add_functions(s->sqlite->db);
  sqlite3_busy_timeout(s->sqlite->db, busy_ms);
}

static int connect_db(hm_store *s, int flags, int busy_ms, hm_err *err) {
  /* "./" because a path that begins with "file:" or ":" means something else to SQLite. */
  char *path = s->sqlite->reader.uri
      ? sqlite3_mprintf("%s", s->sqlite->reader.uri)
      : sqlite3_mprintf("%s%s", s->path[0] == '/' ? "" : "./", s->path);
  int rc =
      sqlite3_open_v2(path, &s->sqlite->db,
                      flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI, NULL);
  sqlite3_free(path);
  if (rc != SQLITE_OK) {
    int os = s->sqlite->db ? sqlite3_system_errno(s->sqlite->db) : 0;
    return hm_failf(err, HM_E_STORE, s->what,
                    "check the path and the permissions of the file and its folder",
                    "cannot be opened: %s", os ? strerror(os) : sqlite3_errstr(rc));
  }
  configure(s, busy_ms);
  hm_sqlite_limit(s);
  return 0;
}

/* What an interrupted writer left can be rolled back only by a connection that
 * may write; the reader itself stays read-only. */
static int recover(hm_store *s, hm_err *err) {
  struct hm_sqlite connection = { .reader = s->sqlite->reader };
  hm_store writer = *s;
  int64_t n;
  writer.sqlite = &connection;
  int rc = connect_db(&writer, SQLITE_OPEN_READWRITE, s->sqlite->busy_ms, err);
  if (!rc)
    rc = hm_sql_int(&writer, FIRST_READ, &n, err);
  sqlite3_close(connection.db);
  return rc;
}

/* The first read of the file by SQLite. */
static int read_version(hm_store *s, hm_err *err) {
  int64_t version = 0;
  if (hm_sql_exec(s, "PRAGMA cell_size_check=ON", err))
    return -1;
  if (hm_sql_int(s, "PRAGMA user_version", &version, err)) {
    if (s->sqlite->failure != SQLITE_READONLY_ROLLBACK &&
        s->sqlite->failure != SQLITE_READONLY_RECOVERY)
      return hm_sqlite_fail_cut_off(s, err);
    if (recover(s, err))
      return -1;
    if (hm_sql_int(s, "PRAGMA user_version", &version, err))
      return hm_sqlite_fail_cut_off(s, err);
  }
  s->version = (int)version;
  if (version < 0 || version > HM_STORE_VERSION)
    return hm_failf(err, HM_E_STORE, s->what, "use a newer hmirror",
                    "it is of version %d, this program knows up to %d", (int)version,
                    HM_STORE_VERSION);
  return 0;
}

/* hmirror's stores have no generated columns; a file with one was not made by hmirror. */
static int check_computed(hm_store *s, hm_err *err) {
  static const char sql[] =
      "SELECT count(1) FROM sqlite_schema s, pragma_table_xinfo(s.name) c"
      " WHERE s.type = 'table' AND s.sql LIKE 'create table %' AND c.hidden IN (2, 3)";
  int64_t n;
  if (hm_sql_int(s, sql, &n, err))
    return hm_sqlite_fail_cut_off(s, err);
  if (n == 0)
    return 0;
  return hm_fail(err, HM_E_STORE, s->what,
                 "not made by hmirror: a table of it has a generated column",
                 "import what it exports into a new store");
}

/* fresh: it is new and empty, so nothing needs a backup. */
static int migrate(hm_store *s, bool fresh, hm_err *err) {
  if ((!fresh && hm_store_back_up(s, err)) || hm_store_begin(s, true, err))
    return -1;
  return hm_store_txn_end(s, true, hm_store_bring_forward(s, err), err);
}

/* Keeps the file's journal mode. A new store has SQLite's default, a rollback journal: unlike with
 * a WAL, reading creates no files and works in a read-only folder. */
static int open_checked(hm_store *s, hm_store_mode mode, int busy_ms, hm_err *err) {
  bool absent, fresh;
  s->sqlite->busy_ms = busy_ms;
  if (check_kind(s, mode, &absent, err))
    return -1;
  int flags = mode == HM_STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (absent)
    flags |= SQLITE_OPEN_CREATE;
  if (connect_db(s, flags, busy_ms, err) || check_header(s, mode, &fresh, err))
    return -1;
  if (mode == HM_STORE_READ) {
    /* A WAL may belong to another user. SQLite has read no page, so nothing was made yet. */
    if (hm_wal_reader_choose(s->path, s->what, &s->sqlite->reader, err))
      return -1;
    if (s->sqlite->reader.uri) {
      sqlite3_close(s->sqlite->db);
      s->sqlite->db = NULL;
      if (connect_db(s, flags, busy_ms, err))
        return -1;
    }
  }
  bool was_on = hm_sql_limit_begin(s);
  int rc = read_version(s, err);
  hm_sql_limit_end(s, was_on);
  hm_wal_reader_opened(&s->sqlite->reader);
  if (rc || check_computed(s, err))
    return -1;
  if (hm_sql_exec(s, "PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY", err))
    return -1;
  hm_sql_set_cache_size(s, false);
  if (mode == HM_STORE_READ) {
    if (!s->version)
      return fail_store(s, err, "it has no tables yet",
                        "run a command that writes, such as `hmirror sweep`");
    return hm_sql_exec(s, "PRAGMA query_only=ON", err);
  }
  if (mode == HM_STORE_TRY && s->version < HM_STORE_VERSION)
    return hm_failf(err, HM_E_STATE, s->what, "bring it up to date first: hmirror sweep",
                    "it is of version %d, and a dry run changes nothing", s->version);
  if (mode == HM_STORE_TRY)
    return hm_sql_exec(s, "PRAGMA cache_spill=OFF", err);
  return s->version < HM_STORE_VERSION ? migrate(s, fresh, err) : 0;
}

static hm_store *new_store(const char *path, hm_store_mode mode) {
  hm_sqlite_configure();
  hm_store *s = memset(hm_xmalloc(sizeof *s), 0, sizeof *s);
  s->sqlite = memset(hm_xmalloc(sizeof *s->sqlite), 0, sizeof *s->sqlite);
  s->sqlite->lock = -1;
  size_t n = strlen(path) + 1;
  s->path = memcpy(hm_xmalloc(n), path, n);
  s->mode = mode;
  hm_sql_name_store(s, path);
  return s;
}

/* A database without a file. */
static int connect_memory(hm_store *s, int busy_ms, hm_err *err) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
  if (sqlite3_open_v2(":memory:", &s->sqlite->db, flags, NULL))
    return hm_sqlite_fail(s, err);
  configure(s, busy_ms);
  return 0;
}

/* Nothing has been recorded yet of a foreign store that is only read. */
static hm_store *open_in_memory(int busy_ms, hm_err *err) {
  hm_store *s = new_store("", HM_STORE_CREATE);
  if (connect_memory(s, busy_ms, err) || migrate(s, true, err)) {
    hm_store_close(s);
    return NULL;
  }
  s->mode = HM_STORE_READ;
  return s;
}

/* A review file is made only for a store that can be read. */
static int open_review(hm_store **out, const hm_store_source *src, hm_store_mode mode, int busy_ms,
                       hm_err *err) {
  hm_store *review = NULL;
  if (access(src->review, F_OK) && errno == ENOENT) {
    review = open_in_memory(busy_ms, err);
    if (!review || hm_foreign_open(review, src, err))
      goto fail;
    *out = review;
    if (mode == HM_STORE_READ)
      return 0;
    hm_store_close(review);
    *out = review = NULL;
  }
  if (!hm_store_open(&review, src->review, mode == HM_STORE_READ ? mode : HM_STORE_CREATE, busy_ms,
                     err) &&
      !hm_foreign_open(review, src, err)) {
    *out = review;
    return 0;
  }
fail:
  hm_store_close(review);
  return -1;
}

void hm_store_set_eras(hm_store *s, const hm_str *eras, size_t n) {
  s->eras = eras;
  s->n_eras = n;
}

int hm_store_open_source(hm_store **out, const hm_store_source *src, hm_store_mode mode,
                         int busy_ms, hm_err *err) {
  struct stat st;
  *out = NULL;
  if (mode == HM_STORE_TRY && lstat(src->path, &st) && errno == ENOENT) {
    *out = open_in_memory(busy_ms, err);
    if (*out)
      (*out)->mode = mode;
    return *out ? 0 : -1;
  }
  hm_store *s = new_store(src->path, mode);
  if (open_checked(s, mode, busy_ms, err)) {
    bool foreign = s->sqlite->foreign && src->review;
    hm_store_close(s);
    if (mode == HM_STORE_TRY)
      mode = HM_STORE_READ; /* whose facts only their program changes */
    if (!foreign || open_review(out, src, mode, busy_ms, err))
      return -1;
  } else if (src->n_map) {
    hm_fail(err, HM_E_USAGE, s->what, "it is a store of hmirror's, and store.map is given",
            "leave store.map out");
    hm_store_close(s);
    return -1;
  } else {
    *out = s;
  }
  (*out)->dated = src->dated;
  (*out)->epoch = src->epoch;
  hm_store_set_eras(*out, src->eras, src->n_eras);
  (*out)->judged = src->judged;
  return 0;
}

int hm_store_open(hm_store **out, const char *path, hm_store_mode mode, int busy_ms, hm_err *err) {
  hm_store_source src = { .path = path };
  return hm_store_open_source(out, &src, mode, busy_ms, err);
}

static void forget_secrets(hm_store *s) {
  hm_arena_free(s->secrets_arena);
  s->secrets_arena = NULL;
  s->secrets = NULL;
}

void hm_store_close(hm_store *s) {
  if (!s)
    return;
  hm_store_rollback(s);
  if (s->in_batch)
    hm_store_end_batch(s, false, NULL);
  for (int i = 0; i < HM_SQL_CACHE; i++)
    sqlite3_finalize(s->sqlite->cache[i].st);
  sqlite3_close(s->sqlite->db);
  hm_wal_reader_free(&s->sqlite->reader);
  hm_foreign_close(s);
  for (size_t i = 0; i < HM_COUNT(s->record_sql); i++)
    for (size_t k = 0; k < HM_COUNT(*s->record_sql); k++)
      free(s->record_sql[i][k]);
  forget_secrets(s);
  free(s->path);
  free(s->sqlite);
  free(s);
}

int hm_store_version(const hm_store *s) { return s->version; }

/* Copies another user's WAL store again if it changed. */
static int refresh(hm_store *s, hm_err *err) {
  if (s->theirs && hm_foreign_refresh(s, err))
    return -1;
  if (!hm_wal_reader_is_stale(&s->sqlite->reader))
    return 0;
  if (s->theirs)
    return hm_fail(err, HM_E_STATE, s->what, "another user wrote to the review file",
                   "start this again");
  for (int i = 0; i < HM_SQL_CACHE; i++)
    sqlite3_finalize(s->sqlite->cache[i].st);
  memset(s->sqlite->cache, 0, sizeof s->sqlite->cache);
  hm_wal_reader_free(&s->sqlite->reader);
  sqlite3_close(s->sqlite->db);
  s->sqlite->db = NULL;
  s->sqlite->copies++;
  return open_checked(s, HM_STORE_READ, s->sqlite->busy_ms, err);
}

/* After some errors, such as a full disk, SQLite rolls back all commands of a batch by itself. */
static int check_batch(const hm_store *s, hm_err *err) {
  if (!sqlite3_get_autocommit(s->sqlite->db))
    return 0;
  return hm_fail(err, HM_E_STORE, s->what,
                 "a write that was stored together with this one failed; nothing was changed",
                 "see that the disk has room, then try again");
}

static int begin_command(hm_store *s, hm_err *err) {
  if (check_batch(s, err) || hm_sql_exec(s, "SAVEPOINT command", err))
    return -1;
  s->in_txn = true;
  s->changed_before = s->facts_changed;
  s->clock = hm_time_now();
  return 0;
}

int hm_store_begin(hm_store *s, bool write, hm_err *err) {
  int64_t n;
  if (s->in_txn)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a transaction inside a transaction", "");
  if (write && s->mode == HM_STORE_READ)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a write to a store that was opened for reading",
                   "");
  if (write)
    forget_secrets(s);
  if (s->in_batch)
    return begin_command(s, err);
  if (!write && refresh(s, err))
    return -1;
  hm_sql_limit_begin(s);
  hm_sql_limit_end(s, !write || s->theirs);
  s->in_txn = true; /* what begins and then fails is rolled back, too */
  if ((write && hm_sqlite_lock(s, err)) || hm_sql_exec(s, write ? "BEGIN IMMEDIATE" : "BEGIN", err))
    goto fail;
  s->writing = write;
  s->tail_known = false;
  s->facts_changed = false;
  s->clock = hm_time_now();
  s->sqlite->changes_at_begin = sqlite3_total_changes64(s->sqlite->db);
  /* BEGIN takes no lock; the first read fixes the state. */
  if (s->theirs && hm_sql_int(s, "SELECT count(1) FROM theirs.sqlite_schema", &n, err))
    goto fail;
  if ((write || !hm_sql_int(s, FIRST_READ, &n, err)) && !hm_sqlite_check_last_page(s, err))
    return 0;
fail:
  hm_store_rollback(s);
  return -1;
}

/* A statement left in its middle would keep its lock. */
static void reset_statements(hm_store *s) {
  for (int i = 0; i < HM_SQL_CACHE; i++)
    sqlite3_reset(s->sqlite->cache[i].st);
}

static void end_transaction(hm_store *s) {
  s->in_txn = s->writing = s->tail_known = s->sqlite->cost.on = false;
  hm_sqlite_unlock(s);
}

bool hm_facts_are_counted(const hm_store *s) {
  return !s->theirs && s->version >= HM_STORE_ANSWERS_VERSION;
}

int hm_facts_move(hm_store *s, hm_err *err) {
  if (!s->facts_changed)
    return 0;
  s->facts_changed = false;
  return hm_facts_are_counted(s) ? hm_sql_do(s, "UPDATE swept SET number = number + 1", NULL, err)
                                 : 0;
}

int hm_store_commit(hm_store *s, hm_err *err) {
  reset_statements(s);
  bool part = s->in_batch;
  if ((!part && hm_facts_move(s, err)) ||
      hm_sql_exec(s, part ? "RELEASE command" : "COMMIT", err)) {
    hm_store_rollback(s);
    return -1;
  }
  if (part)
    s->in_txn = false;
  else
    end_transaction(s);
  return 0;
}

void hm_store_rollback(hm_store *s) {
  if (!s->in_txn)
    return;
  reset_statements(s);
  /* SQLite has rolled back by itself after some errors. */
  if (!sqlite3_get_autocommit(s->sqlite->db))
    sqlite3_exec(s->sqlite->db, s->in_batch ? "ROLLBACK TO command; RELEASE command" : "ROLLBACK",
                 NULL, NULL, NULL);
  if (!s->in_batch) {
    end_transaction(s);
    return;
  }
  s->in_txn = s->tail_known = false;
  s->facts_changed = s->changed_before;
}

int hm_store_begin_batch(hm_store *s, hm_err *err) {
  if (hm_store_begin(s, true, err))
    return -1;
  s->in_batch = true;
  s->in_txn = false;
  return 0;
}

int hm_store_end_batch(hm_store *s, bool keep, hm_err *err) {
  int rc = keep ? check_batch(s, err) : 0;
  s->in_batch = false;
  s->in_txn = true;
  if (keep && !rc)
    return hm_store_commit(s, err);
  hm_store_rollback(s);
  return rc;
}

int hm_store_txn(hm_store *s, bool write, bool *mine, hm_err *err) {
  *mine = !s->in_txn;
  if (s->in_txn && write && !s->writing)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a write inside a transaction for reading", "");
  return *mine ? hm_store_begin(s, write, err) : 0;
}

int hm_store_txn_end(hm_store *s, bool mine, int rc, hm_err *err) {
  if (!mine)
    return rc;
  if (!rc)
    return hm_store_commit(s, err);
  hm_store_rollback(s);
  return rc;
}

bool hm_store_in_txn(const hm_store *s) { return s->in_txn || s->in_batch; }

static bool has_moved(hm_store *s) {
  const char *schema = s->theirs ? "theirs" : "main"; /* of the file with the facts */
  int moved = 1;
  int rc = sqlite3_file_control(s->sqlite->db, schema, SQLITE_FCNTL_HAS_MOVED, &moved);
  return rc != SQLITE_OK || moved;
}

static bool is_wal(hm_store *s) {
  hm_stmt *st;
  const char *sql = s->theirs ? "PRAGMA theirs.journal_mode" : "PRAGMA main.journal_mode";
  if (hm_sql_prepare(s, sql, &st, NULL))
    return true;
  bool wal = hm_sql_step(s, st, NULL) != 1 || hm_str_is(hm_sql_text(st, 0, NULL), "wal");
  hm_sql_finalize(st);
  return wal;
}

static int connect_second(hm_store *twin, hm_store *s) {
  if (s->theirs)
    return connect_memory(twin, 0, NULL) || hm_foreign_attach_as(twin, s) ? -1 : 0;
  return connect_db(twin, SQLITE_OPEN_READONLY, 0, NULL) ||
          hm_sql_exec(twin, "PRAGMA cell_size_check=ON", NULL)
      ? -1
      : 0;
}

/* With a rollback journal no connection can commit while s holds its read lock, so every other
 * reader sees the same state. A WAL has no such rule, and no other connection sees the uncommitted
 * changes of s, which a foreign store has none of. A writer that already waits for s blocks new
 * readers. Do not wait for it: it waits for us. */
hm_store *hm_store_second_reader(hm_store *s) {
  bool unchanged =
      s->theirs || sqlite3_total_changes64(s->sqlite->db) == s->sqlite->changes_at_begin;
  if (!s->in_txn || !unchanged || has_moved(s) || is_wal(s))
    return NULL;
  hm_store *twin = new_store(s->theirs ? "" : s->path, HM_STORE_READ);
  twin->version = s->version;
  if (connect_second(twin, s) || hm_store_begin(twin, false, NULL) || has_moved(s)) {
    hm_store_close(twin);
    return NULL;
  }
  hm_sql_set_cache_size(twin, true);
  return twin;
}
