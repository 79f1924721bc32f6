#include "core/store/review_of.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "core/base/digest.h"

enum { SHAPE_DIGITS = 16 };

/* What the review file notes; path empty: nothing yet. */
typedef struct { hm_str path, shape; } note;

static int read_note(hm_store *s, hm_arena *a, note *out, hm_err *err) {
  int64_t there;
  sqlite3_stmt *st;
  *out = (note){ HM_EMPTY, HM_EMPTY };
  if (hm_sql_int(
          s, "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = 'review_of'",
          &there, err))
    return -1;
  if (!there) return 0;
  if (hm_sql_cached(s, "SELECT path, shape FROM main.review_of", &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) *out = (note){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a) };
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

/* Their program may add tables and columns: that alone makes no other store. */
static int shape_of(hm_store *s, hm_arena *a, hm_str *out, hm_err *err) {
  static const char sql[] =
      "SELECT lower(t.name) || '.' || lower(c.name) FROM theirs.sqlite_schema t, pragma_table_xinfo(t.name, 'theirs') c"
      " WHERE t.type = 'table' AND t.sql LIKE 'create table %' ORDER BY 1";
  sqlite3_stmt *st;
  hm_str *names;
  size_t n;
  hm_sha256 h;
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  int rc = hm_sql_texts(s, st, a, &names, &n, err);
  sqlite3_finalize(st);
  if (rc) return -1;
  hm_sha256_init(&h);
  for (size_t i = 0; i < n; i++) hm_sha256_field(&h, names[i]);
  *out = hm_sha256_hex(&h, a, SHAPE_DIGITS);
  return 0;
}

static int write_note(hm_store *s, const note *n, hm_err *err) {
  sqlite3_stmt *st;
  static const char table[] =
      "CREATE TABLE IF NOT EXISTS main.review_of (one INTEGER PRIMARY KEY CHECK (one = 1), path TEXT NOT NULL, shape TEXT NOT NULL)";
  if (hm_sql_exec(s, table, err) ||
      hm_sql_prepare(s, "INSERT OR REPLACE INTO main.review_of VALUES (1, ?1, ?2)", &st, err))
    return -1;
  hm_sql_bind(st, 1, n->path);
  hm_sql_bind(st, 2, n->shape);
  int rc = hm_sql_run(s, st, err);
  sqlite3_finalize(st);
  return rc;
}

typedef enum { ABSENT, SAME, OTHER } file_is;

static file_is compare(const char *noted, const char *path) {
  struct stat a, b;
  if (strcmp(noted, path) == 0) return SAME;
  if (stat(noted, &a)) return ABSENT;
  return stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino ? SAME : OTHER;
}

static int check(hm_store *s, const hm_store_source *src, hm_arena *a, hm_err *err) {
  note noted, now = { hm_str_c(src->path), HM_EMPTY };
  bool writes = s->mode != HM_STORE_READ;
  if (read_note(s, a, &noted, err)) return -1;
  bool take = src->take || !noted.path.n;
  file_is is = take ? SAME : compare(hm_str_z(a, noted.path), src->path);
  if (!writes && is == SAME) return 0;
  if (is != OTHER && shape_of(s, a, &now.shape, err)) return -1;
  if (is == OTHER || (is == ABSENT && !hm_str_eq(noted.shape, now.shape))) {
    snprintf(s->review_of, sizeof s->review_of, "%.*s", HM_FMT(noted.path));
    return 0;
  }
  bool noted_so = hm_str_eq(noted.path, now.path) && hm_str_eq(noted.shape, now.shape);
  return !writes || noted_so ? 0 : write_note(s, &now, err);
}

int hm_review_of_check(hm_store *s, const hm_store_source *src, hm_err *err) {
  hm_arena *a = hm_arena_new();
  int rc = check(s, src, a, err);
  hm_arena_free(a);
  return rc;
}

const char *hm_store_review_of(const hm_store *s) { return s->review_of[0] ? s->review_of : NULL; }
