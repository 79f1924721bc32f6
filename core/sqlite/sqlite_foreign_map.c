/* hmirror's tables of facts as views of another program's store.
 *
 * Without a map a layer is the foreign table of its name, with the common columns. With a map, only
 * the layers that it names are read: a foreign table or view, or a SELECT of the user. Every name
 * in the map must be valid: a missing foreign column, or a name that is no column of hmirror, is an
 * error that lists the names and the nearest one. A column that a SELECT takes unchanged, as `*`
 * does, need not be one of hmirror's. Foreign views run only if the map names one or has a SELECT;
 * their cost is limited (sqlite.c), as is that of every function in them (sqlite_functions.c).
 *
 * Values are compared and shown as text; a number keeps its text. Times: time_text, see
 * sqlite_functions.c. A status is one of hmirror's in any case, or is translated by the map, or
 * stays as it is and then claims nothing. A subject becomes the memory's slot rule "SUBJECT *", see
 * memory.h. Cost: reads the schema, once per opening. */
#include <stdlib.h>
#include <string.h>

#include "core/foreign/record.h"
#include "core/sqlite/sqlite_impl.h"

#define IN_MAP "mirror.yml: store.map"

static const hm_record_field ALIAS_FIELDS[] = {
  { "alias", "alias", HM_F_TEXT, HM_F_KEY, NULL, NULL, 0 },
  { "project", "project", HM_F_TEXT, HM_F_KEY, "", NULL, 0 },
};
static const hm_kind ALIAS = { "project alias",        "project_aliases", 0,
                               HM_COUNT(ALIAS_FIELDS), ALIAS_FIELDS,      0 };
static const hm_kind *const LAYERS[HM_FOREIGN_LAYERS] = {
  &hm_kinds[HM_K_PROJECT], &ALIAS,
  &hm_kinds[HM_K_MEMORY],  &hm_kinds[HM_K_ENTITY],
  &hm_kinds[HM_K_STATE],   &hm_kinds[HM_K_RELATION],
  &hm_kinds[HM_K_LINK],
};
#define SUBJECT "subject"
#define ROWID "rowid"
#define ROWID_TOO "_rowid_" /* where a column is called rowid */

/* Foreign names that, unqualified, would mean hmirror's tables. */
static const char COVERED[] =
    "SELECT name FROM theirs.sqlite_schema WHERE type IN ('table', 'view') AND lower(name) IN"
    " (SELECT lower(name) FROM main.sqlite_schema) AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/* One layer in the making. */
typedef struct {
  hm_store *s;
  hm_arena *a;
  hm_err *err;
  const hm_kind *k;
  const hm_store_map *map; /* NULL: there is none */
  hm_str table, select;    /* what it is read from; both empty: from nothing */
  hm_str *theirs;
  size_t n;       /* the columns of that */
  bool by_rowid;  /* the row numbers are the ids */
  bool of_rows;   /* made of a file of rows, whose row numbers are no ids: HM_ROW_NUMBER */
  bool numbered;  /* parts of it can be read by row numbers */
  hm_str several; /* the column whose elements are rows; empty: none */
} maker;

static int bad(maker *m, const char *fix, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int bad(maker *m, const char *fix, const char *fmt, ...) {
  hm_buf b = { 0 };
  va_list ap;
  va_start(ap, fmt);
  hm_buf_vfmt(&b, fmt, ap);
  va_end(ap);
  return hm_fail(m->err, HM_E_STORE, hm_str_fmt(m->a, "%s: %s", m->s->what, m->k->table).p,
                 hm_buf_take(&b, m->a).p, fix);
}

/* --- names ---------------------------------------------------------------------- */

static bool has(const maker *m, hm_str name) {
  for (size_t i = 0; i < m->n; i++)
    if (m->theirs[i].n == name.n && sqlite3_strnicmp(m->theirs[i].p, name.p, (int)name.n) == 0)
      return true;
  return false;
}

/* "metadata.topic", where metadata is a column and the whole is none: the length of its name, else
 * 0. */
static size_t column_of_path(const maker *m, hm_str name) {
  for (size_t i = 1; i + 1 < name.n && !has(m, name); i++)
    if (name.p[i] == '.' && has(m, hm_str_sub(name, 0, i)))
      return i;
  return 0;
}

static bool takes_subject(const maker *m) { return m->k == &hm_kinds[HM_K_MEMORY]; }

/* The field that a name of the map means, or NULL. */
static const hm_record_field *field_of(const maker *m, hm_str name) {
  static const hm_record_field subject = { SUBJECT, SUBJECT, HM_F_TEXT, 0, NULL, NULL, 0 };
  for (int i = 0; i < m->k->n; i++) {
    const hm_record_field *f = &m->k->fields[i];
    if (f->column && (hm_str_is(name, f->column) || (f->key && hm_str_is(name, f->key))))
      return f;
  }
  return takes_subject(m) && hm_str_is(name, SUBJECT) ? &subject : NULL;
}

/* What the columns of the layer are called, keys of the import format first. */
static size_t our_names(const maker *m, hm_str out[2 * HM_MAX_FIELDS + 1], size_t *keys) {
  size_t n = 0;
  for (int i = 0; i < m->k->n; i++)
    if (m->k->fields[i].column && m->k->fields[i].key)
      out[n++] = hm_str_c(m->k->fields[i].key);
  if (takes_subject(m))
    out[n++] = HM_STR(SUBJECT);
  *keys = n;
  for (int i = 0; i < m->k->n; i++)
    if (m->k->fields[i].column)
      out[n++] = hm_str_c(m->k->fields[i].column);
  return n;
}

static const char *list_of(maker *m, const char *what, const hm_str *names, size_t n) {
  hm_buf b = { 0 };
  hm_buf_c(&b, what);
  hm_foreign_format_names(&b, names, n);
  return hm_buf_take(&b, m->a).p;
}

static int not_ours(maker *m, hm_str name, const char *what) {
  hm_str ours[2 * HM_MAX_FIELDS + 1];
  size_t keys, n = our_names(m, ours, &keys);
  return bad(m, list_of(m, "this layer has ", ours, keys), "%s \"%.*s\"%s", what, HM_FMT(name),
             hm_foreign_nearest_name(name, ours, n, m->a));
}

static int not_theirs(maker *m, hm_str name, hm_str ours) {
  return bad(m, list_of(m, "it has ", m->theirs, m->n), "no column \"%.*s\" for %.*s%s",
             HM_FMT(name), HM_FMT(ours), hm_foreign_nearest_name(name, m->theirs, m->n, m->a));
}

/* The foreign column for one of hmirror's, or empty. */
static hm_str their_column(const maker *m, const char *column, const char *key) {
  hm_str ours = hm_str_c(column), as_key = hm_str_c(key);
  for (size_t i = 0; m->map && i < m->map->n_columns; i++)
    if (hm_str_eq(m->map->columns[i].ours, ours) || hm_str_eq(m->map->columns[i].ours, as_key))
      return m->map->columns[i].theirs;
  if (has(m, ours))
    return ours;
  if (key && has(m, as_key))
    return as_key;
  if (strcmp(column, "project") == 0 && has(m, HM_STR("project_id")))
    return HM_STR("project_id");
  return HM_EMPTY;
}

/* --- what the map says ------------------------------------------------------------- */

static int check_statuses(maker *m) {
  const hm_record_field *status = field_of(m, HM_STR("status"));
  for (size_t i = 0; i < m->map->n_statuses; i++) {
    bool known = false;
    if (!status)
      return bad(m, "leave statuses out", "this layer has no status");
    for (const char *const *c = status->choices; *c; c++)
      known |= hm_str_is(m->map->statuses[i].ours, *c);
    if (!known)
      return bad(m,
                 "give one of candidate, active, superseded, invalid, graduated, as in"
                 " active = open",
                 "no status of ours is called \"%.*s\"", HM_FMT(m->map->statuses[i].ours));
  }
  return 0;
}

static int check_map(maker *m) {
  const hm_store_map *map = m->map;
  if (map->table.n && map->select.n)
    return bad(m, "give one of them in " IN_MAP, "both a table and a select are given");
  if (map->select.n && map->n_columns)
    return bad(m, "name the columns in the select: SELECT body AS content",
               "both a select and columns are given");
  if (map->several.n && !map->n_columns)
    return bad(m, "name the columns: columns: [content = facts], several: facts",
               "several goes with columns, and none are given");
  for (size_t i = 0; i < map->n_columns; i++)
    if (!field_of(m, map->columns[i].ours))
      return not_ours(m, map->columns[i].ours, "no column of ours is called");
  if (hm_time_unit_of(map->times) < 0)
    return bad(m, "give one of seconds, milliseconds, microseconds, nanoseconds, julian",
               "no unit of times is called \"%.*s\"", HM_FMT(map->times));
  return check_statuses(m);
}

/* --- a foreign table or view ------------------------------------------------------ */

static int no_table(maker *m) {
  hm_foreign_table *tables;
  size_t n;
  if (hm_foreign_tables(m->s, m->a, &tables, &n, m->err))
    return -1;
  hm_str *names = hm_alloc_array(m->a, n, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[i] = tables[i].name;
  return bad(m, list_of(m, "it has ", names, n), "no table \"%.*s\"%s", HM_FMT(m->table),
             hm_foreign_nearest_name(m->table, names, n, m->a));
}

/* A view may read itself, or a missing table. */
static int cannot_read(maker *m) {
  sqlite3 *db = m->s->sqlite->db;
  if (sqlite3_errcode(db) == SQLITE_AUTH)
    return hm_sqlite_fail(m->s, m->err);
  return bad(m, "read another table in " IN_MAP ", or write a select", "cannot be read: %s",
             sqlite3_errmsg(db));
}

static void allow_views(maker *m) {
  sqlite3_db_config(m->s->sqlite->db, SQLITE_DBCONFIG_ENABLE_VIEW, 1, (int *)NULL);
}

static int find_ids(maker *m) {
  const hm_record_field *id = &m->k->fields[0];
  if (strcmp(id->column, "id") != 0 || their_column(m, id->column, NULL).n)
    return 0;
  m->by_rowid = hm_foreign_table_has_rowid(m->s, m->table);
  if (m->by_rowid)
    return 0;
  return bad(m, list_of(m, "name one in " IN_MAP ": columns: [id = ...]; it has ", m->theirs, m->n),
             "table \"%.*s\" has no column id, and no row numbers that could be one",
             HM_FMT(m->table));
}

/* Finds the table, its columns and its ids. Unless the map names it, a view is not read. */
static int find_table(maker *m) {
  hm_foreign_kind kind;
  hm_foreign_column *columns;
  hm_str name = m->map && m->map->table.n ? m->map->table : hm_str_c(m->k->table);
  m->table = name;
  if (hm_foreign_kind_of(m->s, name, &kind, m->err))
    return -1;
  if (kind == HM_FOREIGN_NONE && m->map)
    return no_table(m);
  if (kind == HM_FOREIGN_VIEW && m->map)
    allow_views(m);
  else if (kind != HM_FOREIGN_TABLE)
    m->table = HM_EMPTY;
  if (!m->table.n)
    return 0;
  if (hm_foreign_columns(m->s, name, m->a, &columns, &m->n, m->err))
    return cannot_read(m);
  m->theirs = hm_alloc_array(m->a, m->n, sizeof *m->theirs);
  for (size_t i = 0; i < m->n; i++)
    m->theirs[i] = columns[i].name;
  for (size_t i = 0; m->map && i < m->map->n_columns; i++)
    if (!has(m, m->map->columns[i].theirs) && !column_of_path(m, m->map->columns[i].theirs))
      return not_theirs(m, m->map->columns[i].theirs, m->map->columns[i].ours);
  hm_str several = m->map ? m->map->several : HM_EMPTY;
  if (several.n && !has(m, several))
    return not_theirs(m, several, HM_STR("several"));
  if (several.n && (kind != HM_FOREIGN_TABLE || hm_foreign_has_computed_column(m->s, name)))
    return bad(m, "write a select with json_each", "several needs a table of stored columns");
  /* A view has no rowid, even if SQLite reports that of its table. */
  if (kind == HM_FOREIGN_VIEW && !their_column(m, m->k->fields[0].column, NULL).n)
    return bad(m,
               list_of(m, "name one in " IN_MAP ": columns: [id = ...]; it has ", m->theirs, m->n),
               "view \"%.*s\" has no column %s", HM_FMT(name), m->k->fields[0].column);
  m->several = several;
  m->numbered = kind == HM_FOREIGN_TABLE && !several.n && !has(m, HM_STR(ROWID)) &&
      hm_foreign_table_has_rowid(m->s, m->table);
  return find_ids(m);
}

/* --- a matrix ----------------------------------------------------------------------------- */

static int check_matrix(maker *m) {
  const hm_store_map *map = m->map;
  static const char fix[] = "write matrix: {key: setting, columns: [prod, staging]}";
  if (!map->matrix_key.n && !map->n_matrix)
    return 0;
  if (!map->matrix_key.n || !map->n_matrix)
    return bad(m, fix, "a matrix needs a key and columns");
  if (m->k != &hm_kinds[HM_K_STATE])
    return bad(m, "give it as layer: project_state", "only states stand in a matrix");
  return map->select.n || map->n_columns || map->n_statuses
      ? bad(m, fix, "a matrix is given, and select, columns or statuses too")
      : 0;
}

/* --- a SELECT of the user's -------------------------------------------------------------- */

/* "*" would also read generated columns, and lacks the rowid, which may be the id. */
static void put_stored_columns(maker *m, hm_buf *b, hm_str of) {
  hm_foreign_column *all;
  size_t n;
  const char *sep = "";
  bool named = false;
  if (hm_foreign_columns(m->s, of, m->a, &all, &n, NULL))
    n = 0; /* a view that does not run */
  for (size_t i = 0; i < n; i++)
    named |= all[i].name.n == 5 && sqlite3_strnicmp(all[i].name.p, ROWID, 5) == 0;
  if (n && hm_foreign_table_has_rowid(m->s, of))
    hm_buf_c(b, named ? ROWID_TOO ", " : ROWID ", ");
  if (!hm_foreign_has_computed_column(m->s, of)) {
    hm_buf_ch(b, '*');
    return;
  }
  for (size_t i = 0; i < n; i++) {
    if (all[i].computed)
      continue;
    hm_buf_c(b, sep);
    hm_sql_put_name(b, all[i].name);
    sep = ", ";
  }
}

/* The select as a query of its own. In it their names mean their tables, also where we have one of
 * the name. */
static int put_select(maker *m, hm_buf *b) {
  hm_stmt *st;
  hm_str *names;
  size_t n;
  if (hm_sql_cached(m->s, COVERED, &st, m->err) || hm_sql_texts(m->s, st, m->a, &names, &n, m->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(b, i ? ", " : "WITH ");
    hm_sql_put_name(b, names[i]);
    hm_buf_c(b, " AS (SELECT ");
    put_stored_columns(m, b, names[i]);
    hm_buf_c(b, " FROM theirs.");
    hm_sql_put_name(b, names[i]);
    hm_buf_ch(b, ')');
  }
  hm_buf_c(b, " SELECT * FROM (\n");
  hm_buf_str(b, m->select);
  hm_buf_c(b, "\n)");
  return 0;
}

/* A name that the user gave must be hmirror's; the name of a foreign column need not be. */
static int check_alias(maker *m, sqlite3_stmt *st, int i) {
  const char *origin = sqlite3_column_origin_name(st, i);
  if (field_of(m, m->theirs[i]) || (origin && sqlite3_stricmp(origin, m->theirs[i].p) == 0) ||
      hm_str_is(m->theirs[i], "project_id") || hm_str_is(m->theirs[i], ROWID) ||
      hm_str_is(m->theirs[i], ROWID_TOO))
    return 0;
  return not_ours(m, m->theirs[i], "its select gives a column that this layer lacks:");
}

/* Finds the result columns of the select; checks that it is one read-only statement. */
static int find_select(maker *m) {
  sqlite3_stmt *st = NULL;
  const char *tail = "";
  hm_buf b = { 0 };
  allow_views(m);
  if (put_select(m, &b))
    return -1;
  hm_str sql = hm_buf_take(&b, m->a);
  int rc = sqlite3_prepare_v2(m->s->sqlite->db, sql.p, (int)sql.n, &st, &tail);
  if (rc == SQLITE_AUTH && strstr(sqlite3_errmsg(m->s->sqlite->db), "prohibited"))
    rc = hm_sqlite_fail(m->s, m->err);
  else if (rc != SQLITE_OK)
    rc = bad(m, "correct the select in " IN_MAP, "its select does not run: %s",
             sqlite3_errmsg(m->s->sqlite->db));
  else if (!st || *tail || !sqlite3_stmt_readonly(st))
    rc = bad(m, "write one SELECT, without ';'", "its select is not one SELECT");
  m->n = rc ? 0 : (size_t)sqlite3_column_count(st);
  m->theirs = hm_alloc_array(m->a, m->n, sizeof *m->theirs);
  for (size_t i = 0; i < m->n; i++)
    m->theirs[i] = hm_str_dup(m->a, hm_str_c(sqlite3_column_name(st, (int)i)));
  for (size_t i = 0; i < m->n && !rc; i++)
    rc = check_alias(m, st, (int)i);
  sqlite3_finalize(st);
  if (!rc && !has(m, hm_str_c(m->k->fields[0].column)))
    rc = bad(m, "give it one: SELECT ... AS id", "its select has no column \"%s\"",
             m->k->fields[0].column);
  return rc;
}

/* --- the view ------------------------------------------------------------------------ */

/* A column, or its element. */
static void put_cell(const maker *m, hm_buf *b, hm_str name) {
  hm_sql_put_name(b, m->several.n && hm_str_eq(name, m->several) ? HM_STR(HM_ELEMENT) : name);
}

/* A column, or what a path leads to in the JSON of one. */
static void put_column(const maker *m, hm_buf *b, hm_str name) {
  size_t n = column_of_path(m, name);
  if (!n) {
    put_cell(m, b, name);
    return;
  }
  hm_buf_c(b, "CASE WHEN json_valid(");
  put_cell(m, b, hm_str_sub(name, 0, n));
  hm_buf_c(b, ") THEN json_extract(");
  put_cell(m, b, hm_str_sub(name, 0, n));
  hm_buf_c(b, ", ");
  hm_buf_quoted(b, HM_CAT(m->a, HM_STR("$"), hm_str_sub(name, n, name.n)), '\'');
  hm_buf_c(b, ") END");
}

static void put_cast(const maker *m, hm_buf *b, hm_str name) {
  hm_buf_c(b, "CAST(");
  put_column(m, b, name);
  hm_buf_c(b, " AS TEXT)");
}

static void put_status(const maker *m, hm_buf *b, const hm_record_field *f, hm_str theirs) {
  hm_buf_c(b, "coalesce(CASE lower(trim(");
  put_cast(m, b, theirs);
  hm_buf_c(b, "))");
  for (size_t i = 0; m->map && i < m->map->n_statuses; i++) {
    hm_buf_c(b, " WHEN lower(");
    hm_buf_quoted(b, m->map->statuses[i].theirs, '\'');
    hm_buf_fmt(b, ") THEN '%.*s'", HM_FMT(m->map->statuses[i].ours));
  }
  for (const char *const *c = f->choices; *c; c++)
    hm_buf_fmt(b, " WHEN '%s' THEN '%s'", *c, *c);
  hm_buf_c(b, " WHEN '' THEN NULL ELSE ");
  put_cast(m, b, theirs);
  hm_buf_fmt(b, " END, '%s')", f->dflt);
}

/* A foreign slot rule comes first. */
static void put_slot_rule(const maker *m, hm_buf *b, hm_str rule, hm_str subject) {
  hm_buf_c(b, "coalesce(nullif(");
  if (rule.n)
    put_cast(m, b, rule);
  else
    hm_buf_c(b, "''");
  hm_buf_c(b, ", ''), nullif(trim(");
  put_cast(m, b, subject);
  hm_buf_c(b, "), '') || ' *')");
}

static void put_field(const maker *m, hm_buf *b, const hm_record_field *f) {
  hm_str theirs = their_column(m, f->column, f->key), subject = HM_EMPTY;
  if (takes_subject(m) && strcmp(f->column, "slot_rule") == 0)
    subject = their_column(m, SUBJECT, NULL);
  bool key = (f->flags & HM_F_KEY) != 0;
  if (m->by_rowid && f == &m->k->fields[0])
    hm_buf_c(b, m->of_rows ? "'" HM_ROW_NUMBER "' || rowid" : "CAST(rowid AS TEXT)");
  else if (subject.n)
    put_slot_rule(m, b, theirs, subject);
  else if (!theirs.n && f->dflt)
    hm_buf_fmt(b, "'%s'", f->dflt);
  else if (!theirs.n)
    hm_buf_c(b, "NULL");
  else if (m->of_rows && m->numbered && f == &m->k->fields[0]) {
    hm_buf_c(b, "coalesce(nullif(trim("); /* a row without an id is none the less */
    put_cast(m, b, theirs);
    hm_buf_c(b, "), ''), '" HM_ROW_NUMBER "' || rowid)");
  } else if (strcmp(f->column, "status") == 0 && f->choices)
    put_status(m, b, f, theirs);
  else if (f->type == HM_F_TIME || f->type == HM_F_BOUND) {
    hm_buf_c(b, "time_text(");
    put_column(m, b, theirs);
    hm_buf_fmt(b, ", %d)", m->map ? hm_time_unit_of(m->map->times) : 0);
  } else if (f->dflt) {
    hm_buf_c(b, "coalesce(");
    put_cast(m, b, theirs);
    hm_buf_fmt(b, ", '%s')", f->dflt);
  } else if (key)
    put_cast(m, b, theirs);
  else
    put_column(m, b, theirs);
  if (m->several.n && f == &m->k->fields[0])
    hm_buf_c(b, " || '-' || " HM_ELEMENT_NUMBER);
  hm_buf_fmt(b, " AS \"%s\"", f->column);
}

/* Links that people drew between their rows are in the review file. */
#define OUR_LINKS " UNION SELECT src, dst, rel, 1 FROM main.links"

/* A layer that they lack is a view without rows: the review file's own table must not show
 * through. */
static int put_view(maker *m, hm_buf *b) {
  hm_buf_fmt(b, "CREATE TEMP VIEW %s AS SELECT * FROM (SELECT ", m->k->table);
  for (int i = 0; i < m->k->n; i++) {
    if (!m->k->fields[i].column)
      continue;
    put_field(m, b, &m->k->fields[i]);
    hm_buf_c(b, ", ");
  }
  hm_buf_c(b, m->numbered ? "rowid AS rowid" : "1 AS rowid");
  if (m->select.n) {
    hm_buf_c(b, " FROM (");
    if (put_select(m, b))
      return -1;
    hm_buf_ch(b, ')');
  } else if (m->several.n) {
    hm_buf_c(b, " FROM ");
    hm_foreign_put_elements(b, m->table, m->several, m->by_rowid, m->a);
  } else if (m->table.n) {
    hm_buf_c(b, " FROM theirs.");
    hm_sql_put_name(b, m->table);
  }
  hm_buf_fmt(b, ") WHERE \"%s\" <> ''", m->k->fields[0].column);
  if (m->k == &hm_kinds[HM_K_LINK])
    hm_buf_c(b, OUR_LINKS);
  return 0;
}

/* SQLite looks at what a view reads only when it is read: mistakes are found here, and reported
 * with the layer. */
static int make_view(maker *m) {
  hm_buf b = { 0 };
  hm_stmt *st = NULL;
  sqlite3 *db = m->s->sqlite->db;
  int rc = put_view(m, &b);
  const char *sql = hm_buf_take(&b, m->a).p;
  if (rc)
    return -1;
  if (!sqlite3_exec(db, sql, NULL, NULL, NULL) &&
      !hm_sql_prepare(m->s, hm_str_fmt(m->a, "SELECT * FROM %s", m->k->table).p, &st, m->err)) {
    hm_sql_finalize(st);
    return 0;
  }
  return cannot_read(m);
}

/* --- all layers ------------------------------------------------------------------------ */

static int no_layer(maker *m, hm_str layer) {
  hm_str names[HM_FOREIGN_LAYERS];
  const char *near = NULL;
  for (int i = 0; i < HM_FOREIGN_LAYERS; i++) {
    names[i] = hm_str_c(LAYERS[i]->table);
    if (hm_str_is(layer, LAYERS[i]->name))
      near = hm_str_fmt(m->a, "; did you mean \"%s\"?", LAYERS[i]->table).p;
  }
  return hm_failf(m->err, HM_E_STORE, hm_str_fmt(m->a, "%s: %.*s", m->s->what, HM_FMT(layer)).p,
                  list_of(m, "give one of ", names, HM_FOREIGN_LAYERS), "no such layer%s",
                  near ? near : hm_foreign_nearest_name(layer, names, HM_FOREIGN_LAYERS, m->a));
}

static int check_layers(maker *m, const hm_store_source *src) {
  for (size_t i = 0; i < src->n_map; i++) {
    int k = 0;
    hm_str layer = src->map[i].layer;
    while (k < HM_FOREIGN_LAYERS && !hm_str_is(layer, LAYERS[k]->table))
      k++;
    if (k == HM_FOREIGN_LAYERS)
      return no_layer(m, layer);
    m->k = LAYERS[k];
    for (size_t j = 0; j < i; j++)
      if (hm_str_eq(src->map[j].layer, layer))
        return bad(m, "join the two by UNION ALL in one select of " IN_MAP, "given twice");
  }
  return 0;
}

static int refuse(maker *m) {
  hm_foreign_table *tables;
  size_t n;
  hm_buf b = { 0 };
  if (hm_foreign_tables(m->s, m->a, &tables, &n, m->err))
    return -1;
  hm_buf_c(&b,
           "a SQLite file of another program without a table of facts (memories, entities,"
           " project_state, relations); it has ");
  if (n)
    hm_foreign_format_tables(&b, tables, n);
  else
    hm_buf_c(&b, "no tables");
  return hm_fail(m->err, HM_E_STORE, m->s->what, hm_buf_take(&b, m->a).p,
                 "say under store.map in mirror.yml where its facts are (`hmirror init --from FILE`"
                 " writes one to start from); or give the path of a store made by `hmirror init`");
}

int hm_foreign_map(hm_store *s, const hm_store_source *src, hm_arena *a, hm_err *err) {
  bool facts = src->survey;
  maker all = { .s = s, .a = a, .err = err };
  size_t n_map = src->survey ? 0 : src->n_map, n_selects = 0;
  if (n_map && check_layers(&all, src))
    return -1;
  for (int i = 0; i < HM_FOREIGN_LAYERS; i++) {
    maker m = { .s = s, .a = a, .err = err, .k = LAYERS[i], .table = HM_EMPTY, .select = HM_EMPTY };
    for (size_t k = 0; k < n_map && !m.map; k++)
      if (hm_str_is(src->map[k].layer, m.k->table))
        m.map = &src->map[k];
    m.of_rows = src->called && strcmp(src->called, src->path) != 0;
    if (m.map && (check_map(&m) || check_matrix(&m)))
      return -1;
    if (m.map)
      m.select = m.map->n_matrix ? hm_foreign_matrix_select(m.map, m.k->table, a) : m.map->select;
    if (m.select.n ? find_select(&m) : (m.map || !n_map) && !src->survey && find_table(&m))
      return -1;
    if (m.map && m.map->n_statuses && !their_column(&m, "status", NULL).n)
      return bad(
          &m, list_of(&m, "name it in " IN_MAP ": columns: [status = ...]; it has ", m.theirs, m.n),
          "statuses are given, and it has no column status");
    if (make_view(&m))
      return -1;
    if (m.select.n)
      s->sqlite->selects[n_selects++] = m.k->table;
    s->sqlite->unnumbered |= (m.table.n || m.select.n) && !m.numbered;
    facts |= (m.table.n || m.select.n) && strcmp(m.k->fields[0].column, "id") == 0 &&
        m.k != &hm_kinds[HM_K_PROJECT];
  }
  return facts ? 0 : refuse(&all);
}
