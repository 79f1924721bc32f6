#include "core/store/foreign.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/store/fields.h"
#include "core/store/review_of.h"
#include "core/store/sql.h"

#define SETUP "select them in mirror.yml: store.map"

/* Our tables of facts, each with its columns and what an absent one is. */
typedef struct { const char *name, *dflt; } column;
typedef struct { const char *name; const column *columns; hm_kind_index kind; } table;

static const column ALIAS_COLUMNS[] = { { "alias", NULL }, { "project", "" }, { NULL, NULL } };
static const table TABLES[] = {
  { "projects", NULL, HM_K_PROJECT },       { "project_aliases", ALIAS_COLUMNS, HM_N_KINDS },
  { "memories", NULL, HM_K_MEMORY },        { "entities", NULL, HM_K_ENTITY },
  { "project_state", NULL, HM_K_STATE },    { "relations", NULL, HM_K_RELATION },
  { "links", NULL, HM_K_LINK },
};
enum { N_TABLES = sizeof TABLES / sizeof *TABLES };

typedef struct {
  hm_store *s;
  const hm_store_source *src;
  hm_arena *a;
  hm_err *err;
} maker;

static int bad(maker *m, const char *layer, const char *fix, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static int bad(maker *m, const char *layer, const char *fix, const char *fmt, ...) {
  hm_buf b = { 0 };
  va_list ap;
  va_start(ap, fmt);
  hm_buf_vfmt(&b, fmt, ap);
  va_end(ap);
  hm_fail(m->err, HM_E_STORE, hm_str_fmt(m->a, "%s: %s", m->s->what, layer).p,
          hm_buf_keep(&b, m->a).p, fix);
  hm_buf_free(&b);
  return -1;
}

/* --- what is there ------------------------------------------------------------ */

/* An ordinary table of theirs: no view, which might do anything, and no virtual table. All that
 * SQLite makes into a table begins so, whoever wrote the schema. */
static int has_table(maker *m, hm_str name, bool *has) {
  static const char sql[] =
      "SELECT 1 FROM theirs.sqlite_schema WHERE type = 'table' AND lower(name) = lower(?1)"
      " AND sql LIKE 'create table %'";
  sqlite3_stmt *st;
  *has = false;
  if (hm_sql_cached(m->s, sql, &st, m->err)) return -1;
  hm_sql_bind(st, 1, name);
  int rc = hm_sql_step(m->s, st, m->err);
  *has = rc == 1;
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

typedef struct { hm_str *v; size_t n; } names;

static int columns_of(maker *m, hm_str of, names *out) {
  sqlite3_stmt *st;
  size_t cap = 0;
  int rc;
  *out = (names){ 0 };
  if (hm_sql_prepare(m->s, "SELECT name FROM pragma_table_xinfo(?1, 'theirs')", &st, m->err))
    return -1;
  hm_sql_bind(st, 1, of);
  while ((rc = hm_sql_step(m->s, st, m->err)) == 1) {
    if (out->n == cap) {
      hm_str *more = hm_alloc_array(m->a, cap = 2 * cap + 16, sizeof *more);
      if (out->n) memcpy(more, out->v, out->n * sizeof *more);
      out->v = more;
    }
    out->v[out->n++] = hm_sql_copy(st, 0, m->a);
  }
  sqlite3_finalize(st);
  return rc;
}

static bool same_name(hm_str a, hm_str b) {
  return a.n == b.n && sqlite3_strnicmp(a.p, b.p, (int)a.n) == 0;
}

static bool has(const names *n, hm_str name) {
  for (size_t i = 0; i < n->n; i++)
    if (same_name(n->v[i], name)) return true;
  return false;
}

/* --- one view ----------------------------------------------------------------- */

static const hm_store_map *map_of(const maker *m, const char *layer) {
  for (size_t i = 0; i < m->src->n_map; i++)
    if (hm_str_is(m->src->map[i].layer, layer)) return &m->src->map[i];
  return NULL;
}

/* Their name for our column: the map's, ours, or what stores of this sort call it; empty: they have
 * none. */
static int their_column(maker *m, const table *t, const hm_store_map *map, const names *theirs,
                        const char *ours, hm_str *out) {
  *out = hm_str_c(ours);
  for (size_t i = 0; map && i < map->n_columns; i++) {
    if (!hm_str_is(map->columns[i].ours, ours)) continue;
    *out = map->columns[i].theirs;
    if (!out->n || has(theirs, *out)) return 0;
    return bad(m, t->name, SETUP, "no column \"%.*s\" for %s", HM_FMT(*out), ours);
  }
  if (has(theirs, *out)) return 0;
  *out = strcmp(ours, "project") == 0 && has(theirs, HM_STR("project_id")) ? HM_STR("project_id")
                                                                           : HM_EMPTY;
  return 0;
}

/* What is compared and shown is text; a number stays what its text says. */
static void put_column(hm_buf *b, const char *ours, hm_str theirs, const char *dflt, bool key,
                       bool by_rowid) {
  if (by_rowid && strcmp(ours, "id") == 0) hm_buf_c(b, "CAST(rowid AS TEXT)");
  else if (!theirs.n && dflt) hm_buf_fmt(b, "'%s'", dflt);
  else if (!theirs.n) hm_buf_c(b, "NULL");
  else {
    if (dflt) hm_buf_c(b, "coalesce(");
    if (key || dflt) hm_buf_c(b, "CAST(");
    hm_sql_put_name(b, theirs);
    if (key || dflt) hm_buf_c(b, " AS TEXT)");
    if (dflt) hm_buf_fmt(b, ", '%s')", dflt);
  }
  hm_buf_fmt(b, " AS \"%s\"", ours);
}

static int put_columns(maker *m, hm_buf *b, const table *t, const hm_store_map *map,
                       const names *theirs, bool by_rowid) {
  hm_str name;
  const char *sep = "";
  for (const column *c = t->columns; c && c->name; c++, sep = ", ") {
    if (their_column(m, t, map, theirs, c->name, &name)) return -1;
    hm_buf_c(b, sep);
    put_column(b, c->name, name, c->dflt, true, by_rowid);
  }
  for (int i = 0; !t->columns && i < hm_kinds[t->kind].n; i++) {
    const hm_field *f = &hm_kinds[t->kind].fields[i];
    if (!f->column) continue;
    if (their_column(m, t, map, theirs, f->column, &name)) return -1;
    hm_buf_c(b, sep);
    put_column(b, f->column, name, f->dflt, (f->flags & HM_F_KEY) != 0, by_rowid);
    sep = ", ";
  }
  /* Parts of a table are read by rowid, which a view does not have: it is one part. */
  hm_buf_c(b, ", 1 AS rowid");
  return 0;
}

static const char *key_of(const table *t) {
  if (t->columns) return t->columns[0].name;
  return hm_kinds[t->kind].fields[0].column;
}

static int check_map(maker *m, const table *t, const hm_store_map *map) {
  if (!map) return 0;
  if (map->table.n && map->select.n)
    return bad(m, t->name, SETUP, "both a table and a select are given");
  if (map->select.n && map->n_columns)
    return bad(m, t->name, "name the columns in the select: SELECT body AS content",
               "both a select and columns are given");
  for (size_t i = 0; i < map->n_columns; i++) {
    bool known = false;
    for (const column *c = t->columns; c && c->name; c++)
      known |= hm_str_is(map->columns[i].ours, c->name);
    if (!t->columns) known = hm_field_of_column(&hm_kinds[t->kind], map->columns[i].ours) >= 0;
    if (!known)
      return bad(m, t->name, "see the columns of this layer in the manual",
                 "no column of ours is called \"%.*s\"", HM_FMT(map->columns[i].ours));
  }
  return 0;
}

/* "*" would read what they compute, too. */
static int put_stored_columns(maker *m, hm_buf *b, hm_str of) {
  names all;
  const char *sep = "";
  if (!hm_computed_in(m->s, of)) {
    hm_buf_ch(b, '*');
    return 0;
  }
  if (columns_of(m, of, &all)) return -1;
  for (size_t i = 0; i < all.n; i++) {
    if (hm_computed_is(m->s, of.p, hm_str_z(m->a, all.v[i]))) continue;
    hm_buf_c(b, sep);
    hm_sql_put_name(b, all.v[i]);
    sep = ", ";
  }
  return 0;
}

/* Their tables whose names are ours, under these names, inside a select of the user's: there ours
 * are not meant. */
static int put_their_names(maker *m, hm_buf *b) {
  const char *sep = "WITH ";
  for (int i = 0; i < N_TABLES; i++) {
    bool there;
    if (has_table(m, hm_str_c(TABLES[i].name), &there)) return -1;
    if (!there) continue;
    hm_buf_fmt(b, "%s%s AS (SELECT ", sep, TABLES[i].name);
    if (put_stored_columns(m, b, hm_str_c(TABLES[i].name))) return -1;
    hm_buf_fmt(b, " FROM theirs.%s)", TABLES[i].name);
    sep = ", ";
  }
  hm_buf_ch(b, ' ');
  return 0;
}

/* The names of what the select gives; that it is one statement which reads only. */
static int select_columns(maker *m, const table *t, hm_str select, names *out) {
  sqlite3_stmt *st = NULL;
  const char *tail = "";
  hm_buf b = { 0 };
  if (put_their_names(m, &b)) return -1;
  hm_buf_c(&b, "SELECT * FROM (\n");
  hm_buf_str(&b, select);
  hm_buf_c(&b, "\n)");
  hm_str sql = hm_buf_keep(&b, m->a);
  hm_buf_free(&b);
  int rc = sqlite3_prepare_v2(m->s->db, sql.p, (int)sql.n, &st, &tail);
  if (rc != SQLITE_OK)
    rc = bad(m, t->name, "correct the select in mirror.yml: store.map",
             "its select does not run: %s", sqlite3_errmsg(m->s->db));
  else if (!st || *tail || !sqlite3_stmt_readonly(st))
    rc = bad(m, t->name, "write one SELECT, without ';'", "its select is not one SELECT");
  out->n = rc ? 0 : (size_t)sqlite3_column_count(st);
  out->v = hm_alloc_array(m->a, out->n + 1, sizeof *out->v);
  for (size_t i = 0; i < out->n; i++)
    out->v[i] = hm_str_dup(m->a, hm_str_c(sqlite3_column_name(st, (int)i)));
  sqlite3_finalize(st);
  if (!rc && !has(out, hm_str_c(key_of(t))))
    rc = bad(m, t->name, "give it one: SELECT ... AS id", "its select has no column \"%s\"",
             key_of(t));
  return rc;
}

static int put_source(maker *m, hm_buf *b, hm_str select, hm_str table_name) {
  if (!select.n) {
    hm_buf_c(b, "theirs.");
    hm_sql_put_name(b, table_name);
    return 0;
  }
  hm_buf_c(b, "(");
  if (put_their_names(m, b)) return -1;
  hm_buf_c(b, "SELECT * FROM (\n");
  hm_buf_str(b, select);
  hm_buf_c(b, "\n))");
  return 0;
}

/* Whether the row numbers of their table are its ids. A table WITHOUT ROWID has none. */
static int ids_of(maker *m, const table *t, const hm_store_map *map, const names *theirs,
                  hm_str name, bool *by_rowid) {
  hm_str id;
  sqlite3_stmt *st = NULL;
  hm_buf b = { 0 };
  if (strcmp(key_of(t), "id") != 0) return 0;
  if (their_column(m, t, map, theirs, "id", &id)) return -1;
  if (id.n) return 0;
  hm_buf_c(&b, "SELECT rowid FROM theirs.");
  hm_sql_put_name(&b, name);
  *by_rowid = hm_sql_prepare(m->s, hm_buf_keep(&b, m->a).p, &st, NULL) == 0;
  sqlite3_finalize(st);
  hm_buf_free(&b);
  return *by_rowid
      ? 0
      : bad(m, t->name, SETUP,
            "table \"%.*s\" has no column id, and no row numbers that could be one", HM_FMT(name));
}

/* A layer that they lack is a view without rows: the review file's own table must not show through.
 */
static int put_view(maker *m, hm_buf *b, const table *t, const hm_store_map *map, bool *used) {
  names theirs = { 0 };
  hm_str name = map && map->table.n ? map->table : hm_str_c(t->name),
         select = map ? map->select : HM_EMPTY;
  bool there = select.n > 0, by_rowid = false;
  if (check_map(m, t, map)) return -1;
  if (!there && has_table(m, name, &there)) return -1;
  if (!there && map) return bad(m, t->name, SETUP, "no table \"%.*s\"", HM_FMT(name));
  if (select.n ? select_columns(m, t, select, &theirs) : there && columns_of(m, name, &theirs))
    return -1;
  if (there && !select.n && ids_of(m, t, map, &theirs, name, &by_rowid)) return -1;
  *used |= there;
  hm_buf_fmt(b, "CREATE TEMP VIEW %s AS SELECT * FROM (SELECT ", t->name);
  if (put_columns(m, b, t, map, &theirs, by_rowid)) return -1;
  if (there) hm_buf_c(b, " FROM ");
  if (there && put_source(m, b, select, name)) return -1;
  hm_buf_fmt(b, ") WHERE \"%s\" <> ''", key_of(t));
  return 0;
}

static int make_views(maker *m) {
  bool used = false;
  for (int i = 0; i < N_TABLES; i++) {
    hm_buf b = { 0 };
    int rc = put_view(m, &b, &TABLES[i], map_of(m, TABLES[i].name), &used);
    if (!rc && sqlite3_exec(m->s->db, hm_buf_keep(&b, m->a).p, NULL, NULL, NULL) != SQLITE_OK)
      rc = bad(m, TABLES[i].name, SETUP, "cannot be read: %s", sqlite3_errmsg(m->s->db));
    hm_buf_free(&b);
    if (rc) return -1;
  }
  if (used) return 0;
  return hm_fail(
      m->err, HM_E_STORE, m->s->what,
      "a SQLite file of another program without a table of facts (memories, entities, project_state)",
      "say in mirror.yml where they are: store.map; or give the path of a store made by `hmirror init`");
}

static int check_layers(maker *m) {
  for (size_t i = 0; i < m->src->n_map; i++) {
    bool known = false;
    for (int k = 0; k < N_TABLES; k++) known |= hm_str_is(m->src->map[i].layer, TABLES[k].name);
    if (!known)
      return bad(m, hm_str_z(m->a, m->src->map[i].layer), "see store.map in the manual",
                 "no such layer");
  }
  return 0;
}

/* --- opening ------------------------------------------------------------------- */

/* As a URI: only there can a file be asked for reading only. */
static hm_str uri_of(hm_arena *a, const char *path) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "file:");
  if (*path != '/') hm_buf_c(&b, "./");
  for (const char *p = path; *p; p++) {
    if (strchr("%?#", *p)) hm_buf_fmt(&b, "%%%02X", (unsigned char)*p);
    else hm_buf_ch(&b, *p);
  }
  hm_buf_c(&b, "?mode=ro");
  hm_str uri = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return uri;
}

/* A wide table or a long view of theirs is no damage: their schema is read within SQLite's own
 * bounds. */
static void widen_limits(hm_store *s) {
  static const int ids[] = { SQLITE_LIMIT_COLUMN, SQLITE_LIMIT_COMPOUND_SELECT,
                             SQLITE_LIMIT_EXPR_DEPTH };
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) sqlite3_limit(s->db, ids[i], INT_MAX);
  sqlite3_limit(s->db, SQLITE_LIMIT_SQL_LENGTH, 1000000);
}

/* Facts of its own would be hidden, and its conflicts taken for those of their store. */
static int check_review(hm_store *s, hm_err *err) {
  int64_t has;
  if (hm_sql_int(
          s,
          "SELECT EXISTS (SELECT 1 FROM main.memories) OR EXISTS (SELECT 1 FROM main.entities) OR"
          " EXISTS (SELECT 1 FROM main.project_state) OR EXISTS (SELECT 1 FROM main.relations)",
          &has, err))
    return -1;
  return has ? hm_fail(err, HM_E_STORE, s->what, "it holds facts, so it is no review file",
                       "name another in mirror.yml: review")
             : 0;
}

void hm_foreign_close(hm_store *s) {
  hm_computed_free(s);
  hm_wal_reader_free(&s->their_reader);
  free(s->their_path);
}

static int attach(maker *m, const char *path) {
  sqlite3_stmt *st;
  int64_t n;
  hm_wal_reader *reader = &m->s->their_reader;
  if (hm_wal_reader_of(path, m->s->what, reader, m->err)) return -1;
  if (hm_sql_prepare(m->s, "ATTACH ?1 AS theirs", &st, m->err)) return -1;
  hm_sql_bind(st, 1, reader->uri ? hm_str_c(reader->uri) : uri_of(m->a, path));
  int rc = hm_sql_run(m->s, st, m->err);
  bool encoding = rc && strstr(sqlite3_errmsg(m->s->db), "text encoding");
  sqlite3_finalize(st);
  if (encoding)
    return hm_fail(m->err, HM_E_STORE, m->s->what, "its text is UTF-16",
                   "name a copy in UTF-8: sqlite3 STORE .dump | sqlite3 COPY");
  if (!rc) rc = hm_sql_int(m->s, "SELECT count(1) FROM theirs.sqlite_schema", &n, m->err);
  if (!rc) rc = hm_computed_find(m->s, m->err);
  hm_wal_reader_opened(reader);
  if (rc &&
      (m->s->failure == SQLITE_READONLY_ROLLBACK || m->s->failure == SQLITE_READONLY_RECOVERY))
    return hm_fail(m->err, HM_E_STORE, m->s->what, "its last writer was interrupted",
                   "let the program that it belongs to open it once");
  return rc;
}

int hm_foreign_open(hm_store *s, const hm_store_source *src, hm_err *err) {
  if (check_review(s, err)) return -1;
  widen_limits(s);
  maker m = { .s = s, .src = src, .a = hm_arena_new(), .err = err };
  snprintf(s->what, sizeof s->what, "store %s", src->path);
  s->theirs = true;
  s->their_path = strdup(src->path);
  hm_limits_set(s);
  bool reads = s->mode == HM_STORE_READ, was_on = hm_limits_begin(s);
  int rc = reads ? hm_sql_exec(s, "PRAGMA query_only=OFF", err) : 0;
  if (!rc)
    rc = hm_sql_exec(s, "PRAGMA temp_store=FILE", err); /* what is sorted is bounded by the disk */
  if (!rc)
    rc = check_layers(&m) || attach(&m, src->path) || make_views(&m) ||
            hm_review_of_check(s, src, err)
        ? -1
        : 0;
  if (!rc && reads) rc = hm_sql_exec(s, "PRAGMA query_only=ON", err);
  hm_limits_end(s, was_on);
  hm_arena_free(m.a);
  return rc;
}

int hm_foreign_refresh(hm_store *s, hm_err *err) {
  if (!hm_wal_reader_is_stale(&s->their_reader)) return 0;
  maker m = { .s = s, .a = hm_arena_new(), .err = err };
  int rc = hm_sql_exec(s, "DETACH theirs", err);
  hm_wal_reader_free(&s->their_reader);
  s->copies++;
  if (!rc) rc = attach(&m, s->their_path);
  hm_arena_free(m.a);
  return rc;
}

bool hm_store_is_foreign(const hm_store *s) { return s->theirs; }

int hm_store_may_change(const hm_store *s, hm_err *err) {
  if (!s->theirs) return 0;
  return hm_fail(err, HM_E_STATE, s->what, "its facts belong to another program and are only read",
                 "change them there, or copy them into a store of hmirror's: `hmirror adopt`");
}
