/* Stores of other programs: read, never written.
 *
 * The file is attached read-only to a review file, an ordinary store of ours, and each of our
 * tables of facts is covered by a temporary view of theirs. The view is built from the columns that
 * their table has, or from the SELECT of the config. Their views and triggers do not run, their
 * virtual tables are not read, and what they compute is not computed (sqlite_computed.c). Which
 * store a review file is of: it notes the path of the store, as the config has it, and its shape, a
 * digest of the names of its tables and columns. Rows come and go and do not matter. */
#include "core/store/sqlite_impl.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/store/records_impl.h"

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
enum { N_TABLES = HM_COUNT(TABLES) };

/* An ordinary foreign table: no view, which might do anything, and no virtual table. SQLite stores
 * the schema of every ordinary table with this prefix. */
#define ORDINARY(t) t ".type = 'table' AND " t ".sql LIKE 'create table %'"
enum { HAS_TABLE, COLUMNS, SHAPE, HAS_NOTE, READ_NOTE, WRITE_NOTE };
static const char *const SQL[] = {
  [HAS_TABLE] = "SELECT 1 FROM theirs.sqlite_schema t WHERE lower(t.name) = lower(?1) AND "
      ORDINARY("t"),
  [COLUMNS] = "SELECT name FROM pragma_table_xinfo(?1, 'theirs')",
  [SHAPE] = "SELECT lower(t.name) || '.' || lower(c.name) FROM theirs.sqlite_schema t,"
      " pragma_table_xinfo(t.name, 'theirs') c WHERE " ORDINARY("t") " ORDER BY 1",
  [HAS_NOTE] = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'review_of'",
  [READ_NOTE] = "SELECT path, shape FROM main.review_of",
  [WRITE_NOTE] = "INSERT OR REPLACE INTO main.review_of VALUES (1, ?1, ?2)",
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

static int bad(maker *m, const char *layer, const char *fix, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static int bad(maker *m, const char *layer, const char *fix, const char *fmt, ...) {
  hm_buf b = { 0 };
  va_list ap;
  va_start(ap, fmt);
  hm_buf_vfmt(&b, fmt, ap);
  va_end(ap);
  return hm_fail(m->err, HM_E_STORE, hm_str_fmt(m->a, "%s: %s", m->s->what, layer).p,
                 hm_buf_take(&b, m->a).p, fix);
}

/* --- what is there ------------------------------------------------------------ */

static int has_table(maker *m, hm_str name, bool *has) {
  return hm_sql_has(m->s, SQL[HAS_TABLE], HM_ARGS(hm_arg_text(name)), has, m->err);
}

typedef struct { hm_str *v; size_t n; } names;

static int columns_of(maker *m, hm_str of, names *out) {
  hm_stmt *st;
  if (hm_sql_query(m->s, SQL[COLUMNS], HM_ARGS(hm_arg_text(of)), &st, m->err)) return -1;
  return hm_sql_texts(m->s, st, m->a, &out->v, &out->n, m->err);
}

static bool has(const names *n, hm_str name) {
  for (size_t i = 0; i < n->n; i++)
    if (n->v[i].n == name.n && sqlite3_strnicmp(n->v[i].p, name.p, (int)name.n) == 0) return true;
  return false;
}

/* --- one view ----------------------------------------------------------------- */

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
    const hm_record_field *f = &hm_kinds[t->kind].fields[i];
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
    const char *ours = hm_str_z(m->a, map->columns[i].ours);
    if (!t->columns) known = hm_field_of_column(&hm_kinds[t->kind], ours) >= 0;
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

/* The select of the config as a query of its own. */
static int put_select(maker *m, hm_buf *b, hm_str select) {
  if (put_their_names(m, b)) return -1;
  hm_buf_c(b, "SELECT * FROM (\n");
  hm_buf_str(b, select);
  hm_buf_c(b, "\n)");
  return 0;
}

/* The names of what the select gives; that it is one statement which reads only. */
static int select_columns(maker *m, const table *t, hm_str select, names *out) {
  sqlite3_stmt *st = NULL;
  const char *tail = "";
  hm_buf b = { 0 };
  if (put_select(m, &b, select)) return -1;
  hm_str sql = hm_buf_take(&b, m->a);
  int rc = sqlite3_prepare_v2(m->s->sqlite->db, sql.p, (int)sql.n, &st, &tail);
  if (rc != SQLITE_OK)
    rc = bad(m, t->name, "correct the select in mirror.yml: store.map",
             "its select does not run: %s", sqlite3_errmsg(m->s->sqlite->db));
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

/* Whether the row numbers of their table are its ids. A table WITHOUT ROWID has none. */
static int ids_of(maker *m, const table *t, const hm_store_map *map, const names *theirs,
                  hm_str name, bool *by_rowid) {
  hm_str id;
  hm_stmt *st = NULL;
  hm_buf b = { 0 };
  if (strcmp(key_of(t), "id") != 0) return 0;
  if (their_column(m, t, map, theirs, "id", &id)) return -1;
  if (id.n) return 0;
  hm_buf_c(&b, "SELECT rowid FROM theirs.");
  hm_sql_put_name(&b, name);
  *by_rowid = hm_sql_prepare(m->s, hm_buf_take(&b, m->a).p, &st, NULL) == 0;
  hm_sql_finalize(st);
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
  if (select.n) {
    hm_buf_c(b, " FROM (");
    if (put_select(m, b, select)) return -1;
    hm_buf_ch(b, ')');
  } else if (there) {
    hm_buf_c(b, " FROM theirs.");
    hm_sql_put_name(b, name);
  }
  hm_buf_fmt(b, ") WHERE \"%s\" <> ''", key_of(t));
  return 0;
}

static int make_views(maker *m) {
  bool used = false;
  for (int i = 0; i < N_TABLES; i++) {
    hm_buf b = { 0 };
    const hm_store_map *map = NULL;
    for (size_t k = 0; k < m->src->n_map && !map; k++)
      if (hm_str_is(m->src->map[k].layer, TABLES[i].name)) map = &m->src->map[k];
    int rc = put_view(m, &b, &TABLES[i], map, &used);
    if (!rc && sqlite3_exec(m->s->sqlite->db, hm_buf_copy(&b, m->a).p, NULL, NULL, NULL))
      rc = bad(m, TABLES[i].name, SETUP, "cannot be read: %s", sqlite3_errmsg(m->s->sqlite->db));
    hm_buf_free(&b);
    if (rc) return -1;
  }
  if (used) return 0;
  return hm_fail(
      m->err, HM_E_STORE, m->s->what,
      "a SQLite file of another program without a table of facts (memories, entities,"
      " project_state)",
      "say in mirror.yml where they are: store.map; or give the path of a store made by"
      " `hmirror init`");
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

/* --- which store the review file is of ------------------------------------------- */

typedef enum { ABSENT, SAME, OTHER } file_is;

static file_is compare_files(const char *noted, const char *path) {
  struct stat a, b;
  if (strcmp(noted, path) == 0) return SAME;
  if (stat(noted, &a)) return ABSENT;
  return stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino ? SAME : OTHER;
}

/* Their program may add tables and columns: that alone makes no other store. */
static int read_shape(maker *m, hm_str *out) {
  hm_stmt *st;
  hm_sha256 h;
  names all;
  if (hm_sql_cached(m->s, SQL[SHAPE], &st, m->err) ||
      hm_sql_texts(m->s, st, m->a, &all.v, &all.n, m->err))
    return -1;
  hm_sha256_init(&h);
  for (size_t i = 0; i < all.n; i++) hm_sha256_field(&h, all.v[i]);
  *out = hm_sha256_hex(&h, m->a, 16);
  return 0;
}

/* What the review file notes; both empty: nothing yet. */
static int read_note(maker *m, hm_str *path, hm_str *shape) {
  hm_stmt *st;
  bool has;
  *path = *shape = HM_EMPTY;
  if (hm_sql_has(m->s, SQL[HAS_NOTE], NULL, &has, m->err)) return -1;
  if (!has) return 0;
  int rc = hm_sql_cached(m->s, SQL[READ_NOTE], &st, m->err) ? -1 : hm_sql_step(m->s, st, m->err);
  if (rc != 1) return rc;
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
  if (read_note(m, &noted, &noted_shape)) return -1;
  bool take = m->src->take || !noted.n;
  file_is is = take ? SAME : compare_files(hm_str_z(m->a, noted), m->src->path);
  if (!writes && is == SAME) return 0;
  if (is != OTHER && read_shape(m, &shape)) return -1;
  if (is == OTHER || (is == ABSENT && !hm_str_eq(noted_shape, shape))) {
    snprintf(s->review_of, sizeof s->review_of, "%.*s", HM_FMT(noted));
    return 0;
  }
  if (!writes || (hm_str_eq(noted, path) && hm_str_eq(noted_shape, shape))) return 0;
  if (hm_sql_exec(s, NOTE_TABLE, m->err)) return -1;
  return hm_sql_do(s, SQL[WRITE_NOTE], HM_ARGS(hm_arg_text(path), hm_arg_text(shape)), m->err);
}

const char *hm_store_review_of(const hm_store *s) { return s->review_of[0] ? s->review_of : NULL; }

/* --- opening ------------------------------------------------------------------- */

/* A wide table or a long view of theirs is no damage: their schema is read within SQLite's own
 * bounds. */
static void widen_limits(hm_store *s) {
  static const int ids[] = { SQLITE_LIMIT_COLUMN, SQLITE_LIMIT_COMPOUND_SELECT,
                             SQLITE_LIMIT_EXPR_DEPTH };
  for (size_t i = 0; i < HM_COUNT(ids); i++)
    sqlite3_limit(s->sqlite->db, ids[i], INT_MAX);
  sqlite3_limit(s->sqlite->db, SQLITE_LIMIT_SQL_LENGTH, 1000000);
}

void hm_foreign_close(hm_store *s) {
  hm_computed_free(s);
  hm_wal_reader_free(&s->sqlite->their_reader);
  free(s->sqlite->their_path);
}

static int attach(maker *m, const char *path) {
  hm_store *s = m->s;
  sqlite3 *db = s->sqlite->db;
  hm_stmt *st;
  int64_t n;
  hm_wal_reader *reader = &s->sqlite->their_reader;
  if (hm_wal_reader_of(path, s->what, reader, m->err)) return -1;
  if (hm_sql_prepare(s, "ATTACH ?1 AS theirs", &st, m->err)) return -1;
  /* Only a URI can ask for reading only. */
  char *uri = hm_sqlite_uri(path, "?mode=ro");
  hm_sql_bind(st, 1, hm_str_c(reader->uri ? reader->uri : uri));
  int rc = hm_sql_run(s, st, m->err);
  bool encoding = rc && strstr(sqlite3_errmsg(db), "text encoding");
  hm_sql_finalize(st);
  free(uri);
  if (encoding)
    return hm_fail(m->err, HM_E_STORE, s->what, "its text is UTF-16",
                   "name a copy in UTF-8: sqlite3 STORE .dump | sqlite3 COPY");
  if (!rc) rc = hm_sql_int(s, "SELECT count(1) FROM theirs.sqlite_schema", &n, m->err);
  if (!rc) rc = hm_computed_find(s, m->err);
  hm_wal_reader_opened(reader);
  if (rc && (s->sqlite->failure == SQLITE_READONLY_ROLLBACK ||
             s->sqlite->failure == SQLITE_READONLY_RECOVERY))
    return hm_fail(m->err, HM_E_STORE, s->what, "its last writer was interrupted",
                   "let the program that it belongs to open it once");
  return rc;
}

int hm_foreign_open(hm_store *s, const hm_store_source *src, hm_err *err) {
  int64_t has;
  if (hm_sql_int(s, HAS_FACTS, &has, err)) return -1;
  /* Facts of its own would be hidden, and its conflicts taken for those of their store. */
  if (has)
    return hm_fail(err, HM_E_STORE, s->what, "it holds facts, so it is no review file",
                   "name another in mirror.yml: review");
  widen_limits(s);
  maker m = { .s = s, .src = src, .a = hm_arena_new(), .err = err };
  snprintf(s->what, sizeof s->what, "store %s", src->path);
  s->theirs = true;
  s->sqlite->their_path = strdup(src->path);
  hm_sqlite_limit(s);
  bool reads = s->mode == HM_STORE_READ, was_on = hm_sql_limit_begin(s);
  int rc = reads ? hm_sql_exec(s, "PRAGMA query_only=OFF", err) : 0;
  /* What is sorted is bounded by the disk. */
  if (!rc) rc = hm_sql_exec(s, "PRAGMA temp_store=FILE", err);
  if (!rc) rc = check_layers(&m);
  if (!rc) rc = attach(&m, src->path);
  if (!rc) rc = make_views(&m);
  if (!rc) rc = check_review_of(&m);
  if (!rc && reads) rc = hm_sql_exec(s, "PRAGMA query_only=ON", err);
  hm_sql_limit_end(s, was_on);
  hm_arena_free(m.a);
  return rc;
}

int hm_foreign_refresh(hm_store *s, hm_err *err) {
  if (!hm_wal_reader_is_stale(&s->sqlite->their_reader)) return 0;
  maker m = { .s = s, .a = hm_arena_new(), .err = err };
  int rc = hm_sql_exec(s, "DETACH theirs", err);
  hm_wal_reader_free(&s->sqlite->their_reader);
  s->sqlite->copies++;
  if (!rc) rc = attach(&m, s->sqlite->their_path);
  hm_arena_free(m.a);
  return rc;
}

bool hm_store_is_foreign(const hm_store *s) { return s->theirs; }

int hm_store_may_change(const hm_store *s, hm_err *err) {
  if (!s->theirs) return 0;
  return hm_fail(err, HM_E_STATE, s->what, "its facts belong to another program and are only read",
                 "change them there, or copy them into a store of hmirror's: `hmirror adopt`");
}
