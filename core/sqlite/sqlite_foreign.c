/* Stores of other programs: read, never written.
 *
 * The file is attached read-only to a review file, an ordinary hmirror store. A temporary view of
 * the foreign table covers each of hmirror's tables of facts; it is built from the columns of that
 * table, or from the SELECT of the config. Views and triggers of the foreign store do not run, and
 * its virtual tables and generated columns are not read. A review file records the store that it
 * belongs to: its path, as in the config, and a digest of the names of its tables and columns, but
 * nothing of its rows. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/sqlite/sqlite_impl.h"

enum { SHAPE, HAS_NOTE, READ_NOTE, WRITE_NOTE, OUR_VIEWS };
static const char *const SQL[] = {
  [SHAPE] = "SELECT lower(t.name) || '.' || lower(c.name) FROM theirs.sqlite_schema t,"
            " pragma_table_xinfo(t.name, 'theirs') c WHERE " HM_ORDINARY_TABLE("t") " ORDER BY 1",
  [HAS_NOTE] = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'review_of'",
  [READ_NOTE] = "SELECT path, shape FROM main.review_of",
  [WRITE_NOTE] = "INSERT OR REPLACE INTO main.review_of VALUES (1, ?1, ?2)",
  /* SQLite stores CREATE VIEW for what CREATE TEMP VIEW made. */
  [OUR_VIEWS] = "SELECT 'CREATE TEMP' || substr(sql, length('CREATE') + 1)"
                " FROM temp.sqlite_schema WHERE type = 'view'",
};
static const char NOTE_TABLE[] =
    "CREATE TABLE IF NOT EXISTS main.review_of (one INTEGER PRIMARY KEY CHECK (one = 1),"
    " path TEXT NOT NULL, shape TEXT NOT NULL)";
static const char HAS_FACTS[] =
    "SELECT EXISTS (SELECT 1 FROM main.memories) OR EXISTS (SELECT 1 FROM main.entities) OR"
    " EXISTS (SELECT 1 FROM main.project_state) OR EXISTS (SELECT 1 FROM main.relations)";

typedef struct {
  hm_store *s;
  const hm_store_source *src;
  hm_arena *a;
  hm_err *err;
} maker;

/* --- which store the review file is of ------------------------------------------- */

typedef enum { ABSENT, SAME, OTHER } file_is;

static file_is compare_files(const char *noted, const char *path) {
  struct stat a, b;
  if (strcmp(noted, path) == 0)
    return SAME;
  if (stat(noted, &a))
    return ABSENT;
  return stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino ? SAME : OTHER;
}

/* Their program may add tables and columns: that alone makes no other store. */
static int read_shape(maker *m, hm_str *out) {
  hm_stmt *st;
  hm_sha256 h;
  struct {
    hm_str *v;
    size_t n;
  } all;
  if (hm_sql_cached(m->s, SQL[SHAPE], &st, m->err) ||
      hm_sql_texts(m->s, st, m->a, &all.v, &all.n, m->err))
    return -1;
  hm_sha256_init(&h);
  for (size_t i = 0; i < all.n; i++)
    hm_sha256_field(&h, all.v[i]);
  *out = hm_sha256_hex(&h, m->a, 16);
  return 0;
}

/* What the review file notes; both empty: nothing yet. */
static int read_note(maker *m, hm_str *path, hm_str *shape) {
  hm_stmt *st;
  bool has;
  *path = *shape = HM_EMPTY;
  if (hm_sql_has(m->s, SQL[HAS_NOTE], NULL, &has, m->err))
    return -1;
  if (!has)
    return 0;
  int rc = hm_sql_cached(m->s, SQL[READ_NOTE], &st, m->err) ? -1 : hm_sql_step(m->s, st, m->err);
  if (rc != 1)
    return rc;
  *path = hm_sql_copy(st, 0, m->a);
  *shape = hm_sql_copy(st, 1, m->a);
  hm_sql_reset(st);
  return 0;
}

/* After the foreign store is attached. For a different store, s->review_of names the one that the
 * file belongs to, and nothing is noted. It is the same one when the noted path is this one or
 * leads to the same file; also when nothing is there any more, and this store has the noted shape:
 * it was moved. A store open for writing then gets a note, or a new one; so does any with
 * `take`. */
static int check_review_of(maker *m) {
  hm_store *s = m->s;
  hm_str noted, noted_shape, path = hm_str_c(m->src->path), shape = HM_EMPTY;
  bool writes = s->mode != HM_STORE_READ;
  if (read_note(m, &noted, &noted_shape))
    return -1;
  bool take = m->src->take || !noted.n;
  file_is is = take ? SAME : compare_files(hm_str_z(m->a, noted), m->src->path);
  if (!writes && is == SAME)
    return 0;
  if (is != OTHER && read_shape(m, &shape))
    return -1;
  if (is == OTHER || (is == ABSENT && !hm_str_eq(noted_shape, shape))) {
    snprintf(s->review_of, sizeof s->review_of, "%.*s", HM_FMT(noted));
    return 0;
  }
  if (!writes || (hm_str_eq(noted, path) && hm_str_eq(noted_shape, shape)))
    return 0;
  if (hm_sql_exec(s, NOTE_TABLE, m->err))
    return -1;
  return hm_sql_do(s, SQL[WRITE_NOTE], HM_ARGS(hm_arg_text(path), hm_arg_text(shape)), m->err);
}

const char *hm_store_review_of(const hm_store *s) { return s->review_of[0] ? s->review_of : NULL; }

/* --- opening ------------------------------------------------------------------- */

/* A wide table or a long view is not damage: a foreign schema is read with SQLite's own limits. */
static void widen_limits(hm_store *s) {
  static const int ids[] = { SQLITE_LIMIT_COLUMN, SQLITE_LIMIT_COMPOUND_SELECT,
                             SQLITE_LIMIT_EXPR_DEPTH };
  for (size_t i = 0; i < HM_COUNT(ids); i++)
    sqlite3_limit(s->sqlite->db, ids[i], INT_MAX);
  sqlite3_limit(s->sqlite->db, SQLITE_LIMIT_SQL_LENGTH, 1000000);
}

void hm_foreign_close(hm_store *s) {
  hm_foreign_free_computed(s);
  hm_wal_reader_free(&s->sqlite->their_reader);
  free(s->sqlite->their_path);
}

/* Attaches uri, or the file at path if uri is NULL, read-only; only a URI can request that. */
static int attach_file(hm_store *s, const char *path, const char *uri, hm_err *err) {
  hm_stmt *st;
  if (hm_sql_prepare(s, "ATTACH ?1 AS theirs", &st, err))
    return -1;
  char *plain = hm_sqlite_uri(path, "?mode=ro");
  hm_sql_bind(st, 1, hm_str_c(uri ? uri : plain));
  int rc = hm_sql_run(s, st, err);
  hm_sql_finalize(st);
  free(plain);
  return rc;
}

static int attach_once(maker *m, const char *path) {
  hm_store *s = m->s;
  int64_t n;
  hm_wal_reader *reader = &s->sqlite->their_reader;
  if (hm_wal_reader_choose(path, s->what, reader, m->err))
    return -1;
  int rc = attach_file(s, path, reader->uri, m->err);
  bool encoding = rc && strstr(sqlite3_errmsg(s->sqlite->db), "text encoding");
  if (encoding)
    return hm_fail(m->err, HM_E_STORE, s->what, "its text is UTF-16",
                   "name a copy in UTF-8: sqlite3 STORE .dump | sqlite3 COPY");
  if (!rc)
    rc = hm_sql_int(s, "SELECT count(1) FROM theirs.sqlite_schema", &n, m->err);
  if (!rc)
    rc = hm_foreign_find_computed(s, m->err);
  hm_wal_reader_opened(reader);
  return rc;
}

/* A WAL or a journal that only its owner may recover is there for an instant whenever the owner
 * begins to write, and for good where it was interrupted. */
static int attach(maker *m, const char *path) {
  enum { TRIES = 25, WAIT_MS = 20 };
  hm_store *s = m->s;
  for (int i = 0; i < TRIES; i++) {
    int rc = attach_once(m, path);
    if (!rc ||
        (s->sqlite->failure != SQLITE_READONLY_ROLLBACK &&
         s->sqlite->failure != SQLITE_READONLY_RECOVERY))
      return rc;
    hm_err none = { 0 };
    hm_wal_reader_free(&s->sqlite->their_reader);
    hm_foreign_free_computed(s);
    (void)hm_sql_exec(s, "DETACH theirs", &none);
    sqlite3_sleep(WAIT_MS);
  }
  return hm_fail(m->err, HM_E_STORE, s->what, "its last writer was interrupted",
                 "let the program that it belongs to open it once");
}

/* Sets the messages and limits of s for a foreign file at path. */
static void become_foreign(hm_store *s, const char *path, const char *called) {
  widen_limits(s);
  hm_sql_name_store(s, called ? called : path);
  s->theirs = true;
  s->sqlite->their_path = strdup(path);
  hm_sqlite_limit(s);
}

int hm_foreign_open(hm_store *s, const hm_store_source *src, hm_err *err) {
  int64_t has;
  if (hm_sql_int(s, HAS_FACTS, &has, err))
    return -1;
  /* Its own facts would be hidden, and its conflicts taken for those of the foreign store. */
  if (has)
    return hm_fail(err, HM_E_STORE, s->what, "it holds facts, so it is no review file",
                   "name another in mirror.yml: review");
  maker m = { .s = s, .src = src, .a = hm_arena_new(), .err = err };
  become_foreign(s, src->path, src->called);
  bool reads = s->mode == HM_STORE_READ, was_on = hm_sql_limit_begin(s);
  int rc = reads ? hm_sql_exec(s, "PRAGMA query_only=OFF", err) : 0;
  /* What is sorted is bounded by the disk. */
  if (!rc)
    rc = hm_sql_exec(s, "PRAGMA temp_store=FILE", err);
  if (!rc)
    rc = attach(&m, src->path);
  if (!rc)
    rc = hm_foreign_map(s, src, m.a, err);
  if (!rc)
    rc = check_review_of(&m);
  if (!rc && reads)
    rc = hm_sql_exec(s, "PRAGMA query_only=ON", err);
  hm_sql_limit_end(s, was_on);
  hm_arena_free(m.a);
  return rc;
}

int hm_foreign_attach_as(hm_store *twin, hm_store *s) {
  hm_arena *a = hm_arena_new();
  hm_str *views = NULL;
  size_t n = 0;
  hm_stmt *st = NULL;
  int allowed = 0, rc = -1;
  const struct hm_sqlite *from = s->sqlite;
  if (from->their_reader.uri)
    goto out; /* a copy without a name */
  become_foreign(twin, from->their_path, NULL);
  memcpy(twin->sqlite->selects, from->selects, sizeof from->selects);
  sqlite3_db_config(from->db, SQLITE_DBCONFIG_ENABLE_VIEW, -1, &allowed);
  sqlite3_db_config(twin->sqlite->db, SQLITE_DBCONFIG_ENABLE_VIEW, allowed, (int *)NULL);
  if (hm_sql_prepare(s, SQL[OUR_VIEWS], &st, NULL) || hm_sql_texts(s, st, a, &views, &n, NULL))
    goto out;
  if (hm_sql_exec(twin, "PRAGMA temp_store=FILE", NULL) ||
      attach_file(twin, from->their_path, NULL, NULL) || hm_foreign_find_computed(twin, NULL))
    goto out;
  rc = 0;
  for (size_t i = 0; i < n && !rc; i++)
    rc = hm_sql_exec(twin, hm_str_z(a, views[i]), NULL);
  if (!rc)
    rc = hm_sql_exec(twin, "PRAGMA query_only=ON", NULL);
out:
  hm_sql_finalize(st);
  hm_arena_free(a);
  return rc;
}

int hm_foreign_refresh(hm_store *s, hm_err *err) {
  if (!hm_wal_reader_is_stale(&s->sqlite->their_reader))
    return 0;
  maker m = { .s = s, .a = hm_arena_new(), .err = err };
  int rc = hm_sql_exec(s, "DETACH theirs", err);
  hm_wal_reader_free(&s->sqlite->their_reader);
  s->sqlite->copies++;
  if (!rc)
    rc = attach(&m, s->sqlite->their_path);
  hm_arena_free(m.a);
  return rc;
}

bool hm_store_is_foreign(const hm_store *s) { return s->theirs; }

int hm_store_may_change(const hm_store *s, hm_err *err) {
  if (!s->theirs)
    return 0;
  return hm_fail(err, HM_E_STATE, s->what, "its facts belong to another program and are only read",
                 "change them there, or copy them into a store of hmirror's: `hmirror adopt`");
}
