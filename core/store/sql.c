#include "core/store/sql.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int rc; hm_code code; const char *why, *fix; } failure;

static const char DAMAGED_FIX[] =
    "restore a backup, or save what is readable with the sqlite3 shell's .recover";

/* Result codes that have one clear cause; an extended one before its primary one. */
static const failure FAILURES[] = {
  { SQLITE_READONLY_DIRECTORY, HM_E_STORE,
    "it has a WAL, which even a reader needs a file beside it for, and its folder cannot be written",
    "copy it to a folder that can be written" },
  /* Its WAL is begun or recovered at this moment; one that stays so is copied before it is read. */
  { SQLITE_READONLY_RECOVERY, HM_E_BUSY, "its owner writes to it just now", "try again" },
  { SQLITE_READONLY_CANTINIT, HM_E_BUSY, "its owner writes to it just now", "try again" },
  { SQLITE_BUSY, HM_E_BUSY, "another process holds its lock",
    "try again when that process has finished" },
  { SQLITE_LOCKED, HM_E_BUSY, "another process holds its lock",
    "try again when that process has finished" },
  { SQLITE_CORRUPT, HM_E_STORE, "damaged", DAMAGED_FIX },
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
    "leave the column out, store it there, or write the expression in a select in mirror.yml: store.map" },
  { SQLITE_CONSTRAINT, HM_E_STORE, "a rule of the store's tables forbids it", "" },
  { SQLITE_PERM, HM_E_STORE, "access is denied",
    "check the permissions of the file and of its folder" },
};

/* The limits are in proportion to the file: limits.h. */
static int fail_over(hm_store *s, hm_err *err) {
  s->failure = SQLITE_INTERRUPT;
  return hm_failf(
      err, HM_E_STORE, s->what,
      "check the file with PRAGMA quick_check of the sqlite3 shell, and the selects of store.map",
      "reading it takes more %s than %lld bytes of facts may", s->spend.over,
      (long long)s->spend.file);
}

int hm_sql_fail(hm_store *s, hm_err *err) {
  int rc = s->failure = sqlite3_extended_errcode(s->db);
  if (s->spend.over) return fail_over(s, err);
  if ((rc & 0xff) == SQLITE_TOOBIG && s->theirs)
    return hm_failf(err, HM_E_STORE, s->what, "check the file, and the selects of store.map",
                    "a value in it is longer than %d bytes, the limit for a file of its size",
                    sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, -1));
  for (size_t i = 0; i < sizeof FAILURES / sizeof *FAILURES; i++) {
    const failure *f = &FAILURES[i];
    if (f->rc != rc && f->rc != (rc & 0xff)) continue;
    return hm_failf(err, f->code, s->what, f->fix, "%s (SQLite %d: %s)", f->why, rc,
                    sqlite3_errmsg(s->db));
  }
  const char *msg = sqlite3_errmsg(s->db);
  if ((rc & 0xff) == SQLITE_ERROR && (strstr(msg, "no such") || strstr(msg, "prohibited")))
    return hm_failf(err, HM_E_STORE, s->what, DAMAGED_FIX,
                    "its tables are not those of version %d (%s)", s->version, msg);
  return hm_failf(err, HM_E_STORE, s->what, "", "SQLite %d: %s", rc, msg);
}

int hm_sql_exec(hm_store *s, const char *sql, hm_err *err) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : hm_sql_fail(s, err);
}

int hm_sql_prepare(hm_store *s, const char *sql, sqlite3_stmt **out, hm_err *err) {
  return sqlite3_prepare_v2(s->db, sql, -1, out, NULL) == SQLITE_OK ? 0 : hm_sql_fail(s, err);
}

/* The last place whose statement nobody is in the middle of. */
static int idle_place(const hm_store *s) {
  int i = HM_SQL_CACHE - 1;
  while (i > 0 && sqlite3_stmt_busy(s->cache[i].st)) i--;
  return i;
}

int hm_sql_cached(hm_store *s, const char *sql, sqlite3_stmt **out, hm_err *err) {
  int i = 0;
  while (i < HM_SQL_CACHE && s->cache[i].sql && s->cache[i].sql != sql) i++;
  if (i == HM_SQL_CACHE) {
    i = idle_place(s);
    sqlite3_finalize(s->cache[i].st);
    s->cache[i].sql = NULL;
  }
  if (!s->cache[i].sql) {
    if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->cache[i].st, NULL) !=
        SQLITE_OK)
      return hm_sql_fail(s, err);
    s->cache[i].sql = sql;
  }
  *out = s->cache[i].st;
  sqlite3_reset(*out);
  sqlite3_clear_bindings(*out);
  return 0;
}

int hm_sql_step(hm_store *s, sqlite3_stmt *st, hm_err *err) {
  int rc = sqlite3_step(st);
  if (rc == SQLITE_ROW && (!s->spend.on || !s->theirs || hm_limits_row(s, st))) return 1;
  if (rc == SQLITE_ROW) {
    sqlite3_reset(st);
    return fail_over(s, err);
  }
  int result = rc == SQLITE_DONE ? 0 : hm_sql_fail(s, err);
  sqlite3_reset(st);
  return result;
}

int hm_sql_run(hm_store *s, sqlite3_stmt *st, hm_err *err) {
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_sql_int(hm_store *s, const char *sql, int64_t *out, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  *out = rc == 1 ? sqlite3_column_int64(st, 0) : 0;
  sqlite3_finalize(st);
  return rc < 0 ? -1 : 0;
}

/* "name" as SQL; NULs are not in names that SQLite gives. */
void hm_sql_put_name(hm_buf *b, hm_str name) {
  hm_buf_ch(b, '"');
  for (size_t i = 0; i < name.n; i++) {
    if (name.p[i] == '"') hm_buf_ch(b, '"');
    hm_buf_ch(b, name.p[i]);
  }
  hm_buf_ch(b, '"');
}

void hm_sql_bind(sqlite3_stmt *st, int i, hm_str text) {
  sqlite3_bind_text64(st, i, text.p ? text.p : "", text.n, SQLITE_STATIC, SQLITE_UTF8);
}

void hm_sql_bind_or_null(sqlite3_stmt *st, int i, hm_str text) {
  if (text.n) hm_sql_bind(st, i, text);
  else sqlite3_bind_null(st, i);
}

int hm_sql_real(double v, char *out) {
  int n = 0;
  for (int digits = 15; digits <= 17; digits++) {
    n = snprintf(out, 32, "%.*g", digits, v);
    if (strtod(out, NULL) == v) break;
  }
  return n;
}

hm_str hm_sql_text(sqlite3_stmt *st, int i, hm_arena *a) {
  if (sqlite3_column_type(st, i) == SQLITE_FLOAT) {
    char digits[32];
    int n = hm_sql_real(sqlite3_column_double(st, i), digits);
    return hm_str_dup(a, (hm_str){ digits, (size_t)n });
  }
  const char *p = (const char *)sqlite3_column_text(st, i);
  return p ? (hm_str){ p, (size_t)sqlite3_column_bytes(st, i) } : HM_EMPTY;
}

hm_str hm_sql_copy(sqlite3_stmt *st, int i, hm_arena *a) {
  return hm_str_dup(a, hm_sql_text(st, i, a));
}

int hm_sql_txn(hm_store *s, bool write, bool *mine, hm_err *err) {
  *mine = !s->in_txn;
  if (s->in_txn && write && !s->writing)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a write inside a transaction for reading", "");
  return *mine ? hm_store_begin(s, write, err) : 0;
}

int hm_sql_txn_end(hm_store *s, bool mine, int rc, hm_err *err) {
  if (!mine) return rc;
  if (!rc) return hm_store_commit(s, err);
  hm_store_rollback(s);
  return rc;
}

int hm_sql_texts(hm_store *s, sqlite3_stmt *st, hm_arena *a, hm_str **out, size_t *n, hm_err *err) {
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (*n == cap) {
      hm_str *more = hm_alloc_array(a, cap = 2 * cap + 16, sizeof *more);
      if (*n) memcpy(more, *out, *n * sizeof *more);
      *out = more;
    }
    (*out)[(*n)++] = hm_sql_copy(st, 0, a);
  }
  return rc;
}
