/* Columns that another program's file computes. A virtual generated column is an expression of that
 * file, run for each row: a small file can make it take any time and memory. So none is run, as no
 * view and no trigger of theirs is: a statement that reads such a column fails. */
#include <stdlib.h>
#include <string.h>
#include "core/store/sqlite_impl.h"

struct hm_computed { hm_arena *a; struct { hm_str table, column; } *v; size_t n; };

static bool computed_is(const hm_store *s, const char *in, const char *name) {
  const struct hm_computed *c = s->sqlite->computed;
  for (size_t i = 0; c && i < c->n; i++)
    if (sqlite3_stricmp(c->v[i].table.p, in) == 0 && sqlite3_stricmp(c->v[i].column.p, name) == 0)
      return true;
  return false;
}

bool hm_computed_in(const hm_store *s, hm_str name) {
  const struct hm_computed *c = s->sqlite->computed;
  for (size_t i = 0; c && i < c->n; i++)
    if (c->v[i].table.n == name.n && sqlite3_strnicmp(c->v[i].table.p, name.p, (int)name.n) == 0)
      return true;
  return false;
}

static int may_read(void *ctx, int what, const char *in, const char *name, const char *db,
                    const char *inside) {
  (void)inside;
  if (what != SQLITE_READ || !db || strcmp(db, "theirs") != 0) return SQLITE_OK;
  return computed_is(ctx, in, name) ? SQLITE_DENY : SQLITE_OK;
}

void hm_computed_free(hm_store *s) {
  if (s->sqlite->computed) hm_arena_free(s->sqlite->computed->a);
  free(s->sqlite->computed);
  s->sqlite->computed = NULL;
}

static void add(struct hm_computed *c, size_t *cap, hm_stmt *st) {
  if (c->n == *cap) {
    size_t bytes = c->n * sizeof *c->v;
    void *more = hm_alloc_array(c->a, *cap = 2 * *cap + 16, sizeof *c->v);
    if (bytes) memcpy(more, c->v, bytes);
    c->v = more;
  }
  c->v[c->n].table = hm_str_c(hm_str_z(c->a, hm_sql_text(st, 0, c->a)));
  c->v[c->n++].column = hm_str_c(hm_str_z(c->a, hm_sql_text(st, 1, c->a)));
}

int hm_computed_find(hm_store *s, hm_err *err) {
  static const char sql[] =
    "SELECT t.name, c.name FROM theirs.sqlite_schema t, pragma_table_xinfo(t.name, 'theirs') c"
    " WHERE t.type = 'table' AND t.sql LIKE 'create table %' AND c.hidden = 2";
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  hm_computed_free(s);
  sqlite3_set_authorizer(s->sqlite->db, NULL, NULL);
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  struct hm_computed *c = s->sqlite->computed = memset(hm_xmalloc(sizeof *c), 0, sizeof *c);
  c->a = hm_arena_new();
  while ((rc = hm_sql_step(s, st, err)) == 1) add(c, &cap, st);
  hm_sql_finalize(st);
  if (!rc && c->n) sqlite3_set_authorizer(s->sqlite->db, may_read, s);
  return rc;
}

/* --- checking their file -------------------------------------------------------------- */

static int check(hm_store *s, const char *sql, bool *ok, hm_err *err) {
  hm_stmt *st;
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  *ok = rc == 1 && hm_str_is(hm_sql_text(st, 0, NULL), "ok");
  hm_sql_finalize(st);
  return rc < 0 ? -1 : 0;
}

/* A check of a table with such a column would compute it: the others are checked one by one. */
static int check_tables(hm_store *s, hm_arena *a, bool *ok, hm_err *err) {
  static const char sql[] =
    "SELECT name FROM theirs.sqlite_schema WHERE type = 'table' AND sql LIKE 'create table %'";
  hm_str *tables;
  size_t n;
  hm_stmt *st;
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  int rc = hm_sql_texts(s, st, a, &tables, &n, err);
  hm_sql_finalize(st);
  for (size_t i = 0; i < n && !rc && *ok; i++) {
    hm_buf b = { 0 };
    if (hm_computed_in(s, tables[i])) continue;
    hm_buf_c(&b, "PRAGMA theirs.quick_check(");
    hm_sql_put_name(&b, tables[i]);
    hm_buf_ch(&b, ')');
    rc = check(s, hm_buf_copy(&b, a).p, ok, err);
    hm_buf_free(&b);
  }
  return rc;
}

int hm_foreign_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err) {
  if (hm_sql_exec(s, "PRAGMA ignore_check_constraints=ON", err)) return -1;   /* expressions, too */
  int rc = s->sqlite->computed && s->sqlite->computed->n ? check_tables(s, a, ok, err)
                                         : check(s, "PRAGMA theirs.quick_check(1)", ok, err);
  if (rc && (s->sqlite->failure & 0xff) == SQLITE_CORRUPT) *ok = false, rc = 0;
  sqlite3_exec(s->sqlite->db, "PRAGMA ignore_check_constraints=OFF", NULL, NULL, NULL);
  return rc;
}
