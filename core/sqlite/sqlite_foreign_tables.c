/* The tables and views of an attached foreign store: listing them, finding generated columns,
 * checking their pages, and naming them in messages.
 *
 * Only ordinary tables count: SQLite stores their schema with one prefix, which no virtual table
 * has. SQLite's own tables (sqlite_...) do not count. Cost: reads the schema, once per call.
 * Messages are cut at TEXT_MAX bytes. */
#include <stdlib.h>
#include <string.h>

#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/sqlite/sqlite_impl.h"

enum { TEXT_MAX = 330, NAME_MAX_SHOWN = 40, COLUMNS_SHOWN = 12 };

#define READABLE "(" HM_ORDINARY_TABLE("t") " OR t.type = 'view')"
enum { KIND_OF, ALL_TABLES, COLUMNS, COMPUTED, TABLES };
static const char *const SQL[] = {
  [KIND_OF] =
      "SELECT t.type FROM theirs.sqlite_schema t WHERE lower(t.name) = lower(?1) AND " READABLE,
  [ALL_TABLES] = "SELECT t.name, t.type = 'view' FROM theirs.sqlite_schema t WHERE " READABLE
                 " AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 2, lower(t.name)",
  [COLUMNS] = "SELECT name, type, hidden = 2, pk FROM pragma_table_xinfo(?1, 'theirs')",
  [COMPUTED] =
      "SELECT t.name, c.name FROM theirs.sqlite_schema t, pragma_table_xinfo(t.name, 'theirs') c"
      " WHERE " HM_ORDINARY_TABLE("t") " AND c.hidden = 2",
  [TABLES] = "SELECT t.name FROM theirs.sqlite_schema t WHERE " HM_ORDINARY_TABLE("t"),
};

int hm_foreign_kind_of(hm_store *s, hm_str name, hm_foreign_kind *out, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_str type;
  int rc = hm_sql_one(s, SQL[KIND_OF], HM_ARGS(hm_arg_text(name)), a, &type, err);
  *out = hm_str_is(type, "table") ? HM_FOREIGN_TABLE : type.n ? HM_FOREIGN_VIEW : HM_FOREIGN_NONE;
  hm_arena_free(a);
  return rc;
}

int hm_foreign_columns(hm_store *s, hm_str of, hm_arena *a, hm_foreign_column **out, size_t *n,
                       hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[COLUMNS], HM_ARGS(hm_arg_text(of)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (hm_foreign_column){ .name = hm_sql_copy(st, 0, a),
                                          .type = hm_sql_copy(st, 1, a),
                                          .computed = hm_sql_number(st, 2) != 0,
                                          .key = hm_sql_number(st, 3) != 0 };
  }
  bool core_data = false;
  for (size_t i = 0; i < *n; i++)
    core_data |= hm_str_is((*out)[i].name, "Z_PK");
  for (size_t i = 0; i < *n; i++) {
    hm_foreign_column *c = &(*out)[i];
    bool marked = core_data && c->name.n > 1 && c->name.p[0] == 'Z' && c->name.p[1] != '_';
    c->called = marked ? hm_str_sub(c->name, 1, c->name.n) : c->name;
    c->core_data = core_data;
  }
  return rc;
}

/* before "name" after, as a statement of its own. */
static hm_str about(const char *before, hm_str name, const char *after, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, before);
  hm_sql_put_name(&b, name);
  hm_buf_c(&b, after);
  return hm_buf_take(&b, a);
}

bool hm_foreign_table_has_rowid(hm_store *s, hm_str table) {
  hm_stmt *st = NULL;
  hm_arena *a = hm_arena_new();
  bool has = !hm_sql_prepare(s, about("SELECT rowid FROM theirs.", table, "", a).p, &st, NULL);
  hm_sql_finalize(st);
  hm_arena_free(a);
  return has;
}

int hm_foreign_tables(hm_store *s, hm_arena *a, hm_foreign_table **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_cached(s, SQL[ALL_TABLES], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] =
        (hm_foreign_table){ .name = hm_sql_copy(st, 0, a), .is_view = hm_sql_number(st, 1) != 0 };
  }
  for (size_t i = 0; !rc && i < *n; i++) {
    hm_foreign_table *t = &(*out)[i];
    int failed =
        hm_foreign_columns(s, t->name, a, &t->columns, &t->n_columns, t->is_view ? NULL : err);
    if (t->is_view)
      continue;
    rc = failed;
    t->rowid = hm_foreign_table_has_rowid(s, t->name);
    hm_sql_int(s,
               about("SELECT count(1) FROM (SELECT 1 FROM theirs.", t->name, " LIMIT 1000)", a).p,
               &t->rows, NULL);
  }
  return rc;
}

/* Of a column c; a list that holds anything but texts is data of another kind. Line breaks part
 * long values of base 64. */
#define NUMBER                                                                                     \
  "(typeof(c) IN ('integer', 'real') OR (c GLOB '*[0-9]*' AND c NOT GLOB '*[^-+.0-9eE]*'"          \
  " AND c NOT GLOB '*[0-9]-*'))"
#define IF_JSON "sum(CASE WHEN typeof(c) <> 'text' OR NOT json_valid(c) THEN 0 "
#define BARE(of) "replace(replace(" of ", char(13), ''), char(10), '') NOT GLOB '*[^!-~]*'"
#define DATE "c GLOB '[12][0-9][0-9][0-9]-[01][0-9]*'"
#define WHOLE_DATE                                                                                 \
  "(c GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' AND c NOT GLOB '*[^-+.:0-9TZ ]*')"
/* Seconds, thousands, millions and milliards of these, and days of the Julian calendar; of Core
 * Data seconds since 2001, beside which stand small numbers. */
#define SECONDS(by) "CAST(c AS REAL) / " by " BETWEEN 631152000 AND 4102444800"
#define TIME_NUMBER                                                                                \
  "(" NUMBER " AND (CAST(c AS REAL) = 0 OR CASE WHEN %d THEN CAST(c AS REAL) BETWEEN 1e8 AND"      \
  " 3.1e9 ELSE " SECONDS("1e0") " OR " SECONDS("1e3") " OR " SECONDS("1e6") " OR " SECONDS(        \
      "1e9") " OR CAST(c AS REAL) BETWEEN 2447892 AND 2488070 END))"
#define SHEET_DAY "(" NUMBER " AND CAST(c AS REAL) BETWEEN 32874 AND 73050)"
/* A day in another spelling, which is not read: which part is the month is not known. */
#define OTHER_DAY                                                                                  \
  "((c GLOB '[0-9]*[-./][0-9]*[-./][12][09][0-9][0-9]*' OR"                                        \
  " c GLOB '[12][09][0-9][0-9][./][0-9]*[./][0-9]*') AND c NOT GLOB '*[^-./:0-9 ]*')"
static const char LOOK[] =
    "SELECT count(1), count(DISTINCT c), " IF_JSON
    "WHEN json_type(c) <> 'array' THEN 0 ELSE NOT EXISTS"
    " (SELECT 1 FROM json_each(c) WHERE type <> 'text') END), " IF_JSON
    "ELSE json_type(c) = 'object' END), sum(" NUMBER "), sum(" NUMBER
    " AND CAST(c AS REAL) BETWEEN 0 AND 1), sum(" DATE " OR (" NUMBER
    " AND CAST(c AS REAL) > 2000000)), sum(c LIKE 'http://%%' OR c LIKE 'https://%%'),"
    " sum(CASE WHEN json_valid(c) AND json_type(c) = 'array' THEN NOT EXISTS"
    " (SELECT 1 FROM json_each(c) WHERE NOT (" BARE("value") ")) ELSE " BARE(
        "c") " END),"
             " sum(length(c) >= 16 AND c GLOB '*[0-9]*' AND c NOT GLOB '*[^-0-9A-Fa-f: ]*'),"
             " sum(instr(trim(c), ' ') > 0), CAST(avg(length(c)) AS INTEGER),"
             " sum(" WHOLE_DATE " OR " TIME_NUMBER "), total(c < before), total(c > before),"
             " sum(" SHEET_DAY "), sum(length(c) - length(replace(c, ' ', '')) > 2),"
             " sum(" OTHER_DAY ")"
             " FROM (SELECT %.*s AS c, lag(%.*s) OVER () AS before FROM theirs.%.*s LIMIT 10000)"
             " WHERE c IS NOT NULL AND c <> ''";

hm_str hm_foreign_column_sql(const hm_foreign_column *c, hm_arena *a) {
  if (!c->path.n)
    return about("", c->name, "", a);
  hm_str of = about("", c->of, "", a);
  return hm_str_fmt(a, "CASE WHEN json_valid(%.*s) THEN json_extract(%.*s, '%.*s') END", HM_FMT(of),
                    HM_FMT(of), HM_FMT(c->path));
}

static int look_at_column(hm_store *s, hm_str table, hm_foreign_column *c, hm_arena *a,
                          hm_err *err) {
  hm_stmt *st = NULL;
  hm_str of = about("", table, "", a), name = hm_foreign_column_sql(c, a);
  hm_str sql = hm_str_fmt(a, LOOK, c->core_data, HM_FMT(name), HM_FMT(name), HM_FMT(of));
  int rc = hm_sql_prepare(s, sql.p, &st, err) ? -1 : hm_sql_step(s, st, err);
  if (rc == 1) {
    int64_t n = c->filled = hm_sql_number(st, 0), most = (9 * n + 9) / 10;
    c->values = hm_sql_number(st, 1);
    c->empty = !c->values;
    c->several = c->values > 1;
    c->lists = n && hm_sql_number(st, 2) == n;
    bool *const kinds[] = { &c->objects,   &c->numbers, &c->shares, &c->times,
                            &c->addresses, &c->bare,    &c->codes };
    for (int i = 0; i < (int)HM_COUNT(kinds); i++)
      *kinds[i] = n && hm_sql_number(st, 3 + i) >= most;
    c->words = n && 2 * hm_sql_number(st, 10) >= n;
    c->length = hm_sql_number(st, 11);
    c->all_times = n && hm_sql_number(st, 12) == n && !c->shares; /* zeros alone are no times */
    c->in_order = !hm_sql_number(st, 13) || !hm_sql_number(st, 14);
    c->all_days = n && hm_sql_number(st, 15) == n;
    c->prose = n && 4 * hm_sql_number(st, 16) >= 3 * n && c->values >= most;
    c->other_days = n && hm_sql_number(st, 17) == n;
  }
  hm_sql_finalize(st);
  return rc < 0 ? -1 : 0;
}

/* The members of the objects of a column whose names need no quotes, as columns of their own. */
static int add_members(hm_store *s, hm_foreign_table *t, size_t i, hm_arena *a, hm_err *err) {
  enum { MOST = 20 };
  static const char sql[] =
      "SELECT DISTINCT j.key FROM (SELECT %.*s AS c FROM theirs.%.*s LIMIT 100), json_each(CASE"
      " WHEN json_valid(c) THEN c END) j WHERE typeof(j.key) = 'text' AND j.key <> '' AND j.key NOT"
      " GLOB '*[^A-Za-z0-9_]*' ORDER BY 1 LIMIT %d";
  hm_stmt *st = NULL;
  hm_str *keys, name = about("", t->columns[i].name, "", a), of = about("", t->name, "", a);
  size_t n = 0;
  if (hm_sql_prepare(s, hm_str_fmt(a, sql, HM_FMT(name), HM_FMT(of), MOST).p, &st, err))
    return -1;
  int rc = hm_sql_texts(s, st, a, &keys, &n, err);
  hm_sql_finalize(st);
  if (rc)
    return -1;
  hm_foreign_column *all = hm_alloc_array(a, t->n_columns + n, sizeof *all);
  memcpy(all, t->columns, t->n_columns * sizeof *all);
  t->columns = all;
  for (size_t k = 0; k < n; k++) {
    hm_str of_column = all[i].name;
    hm_foreign_column *c = &all[t->n_columns];
    *c = (hm_foreign_column){ .name = HM_CAT(a, of_column, HM_STR("."), keys[k]),
                              .called = keys[k],
                              .of = of_column,
                              .path = HM_CAT(a, HM_STR("$."), keys[k]) };
    if (look_at_column(s, t->name, c, a, err))
      return -1;
    t->n_columns += !c->lists && !c->objects;
  }
  return 0;
}

int hm_foreign_look_at_values(hm_store *s, hm_foreign_table *t, hm_arena *a, hm_err *err) {
  enum { MANY = 60 };
  size_t n = t->n_columns;
  for (size_t i = 0; i < n && t->rows; i++)
    if (!t->columns[i].computed && look_at_column(s, t->name, &t->columns[i], a, err))
      return -1;
  for (size_t i = 0; i < n && t->rows && t->n_columns < MANY; i++)
    if (t->columns[i].objects && add_members(s, t, i, a, err))
      return -1;
  return 0;
}

int hm_foreign_column_is_unique(hm_store *s, hm_str table, hm_str column, bool *unique,
                                hm_err *err) {
  hm_arena *a = hm_arena_new();
  int64_t twice;
  hm_str name = about("", column, "", a);
  hm_str sql = about(HM_CAT(a, HM_STR("SELECT EXISTS (SELECT 1 FROM (SELECT CAST("), name,
                            HM_STR(" AS TEXT) AS c FROM theirs."))
                         .p,
                     table, ") GROUP BY c HAVING count(1) > 1 OR c IS NULL OR c = '')", a);
  int rc = hm_sql_int(s, sql.p, &twice, err);
  *unique = !rc && !twice;
  hm_arena_free(a);
  return rc;
}

int hm_foreign_column_values(hm_store *s, hm_str table, const hm_foreign_column *column, int most,
                             hm_arena *a, hm_str **out, size_t *n, hm_err *err) {
  hm_stmt *st = NULL;
  hm_str name = hm_foreign_column_sql(column, a);
  hm_str sql =
      about(HM_CAT(a, HM_STR("SELECT DISTINCT CAST(c AS TEXT) FROM (SELECT "), name,
                   HM_STR(" AS c FROM theirs."))
                .p,
            table, hm_str_fmt(a, " LIMIT 10000) WHERE c <> '' ORDER BY 1 LIMIT %d", most).p, a);
  *n = 0;
  int rc = hm_sql_prepare(s, sql.p, &st, err) ? -1 : hm_sql_texts(s, st, a, out, n, err);
  hm_sql_finalize(st);
  return rc;
}

/* --- columns that their file computes ---------------------------------------------
 *
 * A virtual generated column is an expression of that file, run for each row: a small file can make
 * it take any time and memory. So none is run, as no view and no trigger of theirs is: a statement
 * that reads such a column fails. */

struct hm_computed {
  hm_arena *a;
  struct {
    hm_str table, column;
  } * v;
  size_t n;
};

static bool computed_is(const hm_store *s, const char *in, const char *name) {
  const struct hm_computed *c = s->sqlite->computed;
  for (size_t i = 0; c && i < c->n; i++)
    if (sqlite3_stricmp(c->v[i].table.p, in) == 0 && sqlite3_stricmp(c->v[i].column.p, name) == 0)
      return true;
  return false;
}

bool hm_foreign_has_computed_column(const hm_store *s, hm_str name) {
  const struct hm_computed *c = s->sqlite->computed;
  for (size_t i = 0; c && i < c->n; i++)
    if (c->v[i].table.n == name.n && sqlite3_strnicmp(c->v[i].table.p, name.p, (int)name.n) == 0)
      return true;
  return false;
}

static int may_read(void *ctx, int what, const char *in, const char *name, const char *db,
                    const char *inside) {
  (void)inside;
  if (what != SQLITE_READ || !db || strcmp(db, "theirs") != 0)
    return SQLITE_OK;
  return computed_is(ctx, in, name) ? SQLITE_DENY : SQLITE_OK;
}

void hm_foreign_free_computed(hm_store *s) {
  if (s->sqlite->computed)
    hm_arena_free(s->sqlite->computed->a);
  free(s->sqlite->computed);
  s->sqlite->computed = NULL;
}

int hm_foreign_find_computed(hm_store *s, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  hm_foreign_free_computed(s);
  sqlite3_set_authorizer(s->sqlite->db, NULL, NULL);
  if (hm_sql_prepare(s, SQL[COMPUTED], &st, err))
    return -1;
  struct hm_computed *c = s->sqlite->computed = memset(hm_xmalloc(sizeof *c), 0, sizeof *c);
  c->a = hm_arena_new();
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    c->v = hm_array_grow_in(c->a, c->v, c->n, &cap, sizeof *c->v);
    c->v[c->n].table = hm_str_c(hm_str_z(c->a, hm_sql_text(st, 0, c->a)));
    c->v[c->n++].column = hm_str_c(hm_str_z(c->a, hm_sql_text(st, 1, c->a)));
  }
  hm_sql_finalize(st);
  if (!rc && c->n)
    sqlite3_set_authorizer(s->sqlite->db, may_read, s);
  return rc;
}

/* --- checking their file -------------------------------------------------------------- */

static int check(hm_store *s, const char *sql, bool *ok, hm_err *err) {
  hm_stmt *st;
  if (hm_sql_prepare(s, sql, &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  *ok = rc == 1 && hm_str_is(hm_sql_text(st, 0, NULL), "ok");
  hm_sql_finalize(st);
  return rc < 0 ? -1 : 0;
}

/* A check of a table with such a column would compute it: the others are checked one by one. */
static int check_tables(hm_store *s, hm_arena *a, bool *ok, hm_err *err) {
  hm_str *tables;
  size_t n;
  hm_stmt *st;
  if (hm_sql_prepare(s, SQL[TABLES], &st, err))
    return -1;
  int rc = hm_sql_texts(s, st, a, &tables, &n, err);
  hm_sql_finalize(st);
  for (size_t i = 0; i < n && !rc && *ok; i++) {
    hm_buf b = { 0 };
    if (hm_foreign_has_computed_column(s, tables[i]))
      continue;
    hm_buf_c(&b, "PRAGMA theirs.quick_check(");
    hm_sql_put_name(&b, tables[i]);
    hm_buf_ch(&b, ')');
    rc = check(s, hm_buf_copy(&b, a).p, ok, err);
    hm_buf_free(&b);
  }
  return rc;
}

int hm_foreign_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err) {
  if (hm_sql_exec(s, "PRAGMA ignore_check_constraints=ON", err))
    return -1; /* expressions, too */
  int rc = s->sqlite->computed && s->sqlite->computed->n
      ? check_tables(s, a, ok, err)
      : check(s, "PRAGMA theirs.quick_check(1)", ok, err);
  if (rc && (s->sqlite->failure & 0xff) == SQLITE_CORRUPT)
    *ok = false, rc = 0;
  sqlite3_exec(s->sqlite->db, "PRAGMA ignore_check_constraints=OFF", NULL, NULL, NULL);
  return rc;
}

/* --- in messages ---------------------------------------------------------------------- */

static void put_shown(hm_buf *b, hm_str name) {
  hm_str cut = hm_text_cut(name, NAME_MAX_SHOWN);
  hm_buf_str(b, cut);
  if (cut.n < name.n)
    hm_buf_c(b, "...");
}

/* ", and 3 more" */
static void put_more(hm_buf *b, size_t shown, size_t all) {
  if (shown < all)
    hm_buf_fmt(b, "%s %zu more", shown ? ", and" : "", all - shown);
}

void hm_foreign_format_names(hm_buf *b, const hm_str *names, size_t n) {
  size_t i = 0, begin = b->n;
  for (; i < n && b->n - begin < TEXT_MAX; i++) {
    if (i)
      hm_buf_c(b, ", ");
    put_shown(b, names[i]);
  }
  put_more(b, i, n);
}

void hm_foreign_format_tables(hm_buf *b, const hm_foreign_table *tables, size_t n) {
  size_t i = 0, begin = b->n;
  for (; i < n && b->n - begin < TEXT_MAX; i++) {
    const hm_foreign_table *t = &tables[i];
    size_t k = 0;
    if (i)
      hm_buf_c(b, ", ");
    put_shown(b, t->name);
    hm_buf_c(b, "(");
    for (; k < t->n_columns && k < COLUMNS_SHOWN && b->n - begin < TEXT_MAX; k++) {
      if (k)
        hm_buf_c(b, ", ");
      put_shown(b, t->columns[k].name);
    }
    put_more(b, k, t->n_columns);
    hm_buf_c(b, ")");
  }
  put_more(b, i, n);
}

typedef struct {
  hm_arena *a;
  const hm_str *v;
  size_t n;
} listed;

static const char *next_listed(void *ctx, size_t i) {
  const listed *l = ctx;
  return i < l->n ? hm_str_z(l->a, l->v[i]) : NULL;
}

/* Is part one of the words of name, which '_' separates? */
static bool is_word_of(hm_str part, hm_str name) {
  for (size_t at = 0; at < name.n;) {
    size_t end = at;
    while (end < name.n && name.p[end] != '_')
      end++;
    if (end - at == part.n && sqlite3_strnicmp(name.p + at, part.p, (int)part.n) == 0)
      return true;
    at = end + 1;
  }
  return false;
}

const char *hm_foreign_nearest_name(hm_str name, const hm_str *names, size_t n, hm_arena *a) {
  listed l = { a, names, n };
  const char *near = hm_find_nearest_word(hm_str_z(a, name), next_listed, &l);
  for (size_t i = 0; i < n && !near; i++)
    if (name.n && (is_word_of(name, names[i]) || is_word_of(names[i], name)))
      near = hm_str_z(a, names[i]);
  return near ? hm_str_fmt(a, "; did you mean \"%s\"?", near).p : "";
}
