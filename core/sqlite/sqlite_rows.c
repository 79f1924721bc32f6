/* The rows of a file that is no database, as a SQLite file that a map can read.
 *
 * The rows of the file itself are the table `rows`, those of a list in it the table of the list's
 * name. Columns are the members of the rows, in the order in which they first come. A number keeps
 * its text where SQLite's would be another; true and false are 1 and 0; a list or an object is its
 * JSON. The file is private, without a journal, and may be removed once it is open.
 * Cost: linear; at most COLUMNS_MAX columns and TABLES_MAX lists. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/foreign/readers.h"
#include "core/sqlite/sqlite_impl.h"

enum { COLUMNS_MAX = 500, TABLES_MAX = 50, NAME_MAX_BYTES = 200 };

typedef struct {
  hm_str name;
  hm_map columns; /* a member's name to its column, from 1 */
  hm_str names[COLUMNS_MAX];
  uint32_t n;
  sqlite3_stmt *insert; /* of the first `bound` columns */
  uint32_t bound;
} table;

typedef struct {
  sqlite3 *db;
  hm_record_place *place;
  hm_arena *a, *row_a;
  table *tables[TABLES_MAX];
  size_t n;
} writer;

static int fail_db(writer *w) {
  return hm_fail(
      w->place->err, HM_E_STORE, w->place->name,
      hm_str_fmt(w->a, "its rows cannot be written to a temporary file: %s", sqlite3_errmsg(w->db))
          .p,
      "give TMPDIR a folder with room");
}

/* --- tables and columns --------------------------------------------------------------- */

static table *find_table(writer *w, hm_str list) {
  hm_str name = list.n ? list : HM_STR("rows");
  for (size_t i = 0; i < w->n; i++)
    if (hm_str_eq(w->tables[i]->name, name))
      return w->tables[i];
  if (w->n == TABLES_MAX) {
    hm_record_bad(w->place, "", "it has more than 50 lists", "take the list out: jq '.NAME'");
    return NULL;
  }
  table *t = hm_alloc(w->a, sizeof *t);
  *t = (table){ .name = hm_str_dup(w->a, name) };
  hm_map_init(&t->columns, w->a, 16);
  w->tables[w->n++] = t;
  return t;
}

/* SQLite does not tell case apart. */
static bool name_is_taken(const table *t, hm_str name) {
  for (uint32_t i = 0; i < t->n; i++)
    if (t->names[i].n == name.n && !sqlite3_strnicmp(t->names[i].p, name.p, (int)name.n))
      return true;
  return false;
}

static int add_column(writer *w, table *t, hm_str member) {
  hm_buf sql = { 0 };
  hm_str name = member;
  if (t->n == COLUMNS_MAX)
    return hm_record_bad(w->place, "", "its rows have more than 500 different names of members",
                         "take those out that are facts: jq or a spreadsheet can");
  if (!name.n || name.n > NAME_MAX_BYTES || memchr(name.p, 0, name.n))
    name = hm_str_fmt(w->a, "column_%u", t->n + 1);
  for (unsigned again = 2; name_is_taken(t, name); again++)
    name = hm_str_fmt(w->a, "%.*s_%u", HM_FMT(member), again);
  name = hm_str_dup(w->a, name);
  hm_buf_c(&sql, t->n ? "ALTER TABLE " : "CREATE TABLE ");
  hm_sql_put_name(&sql, t->name);
  hm_buf_c(&sql, t->n ? " ADD COLUMN " : "(");
  hm_sql_put_name(&sql, name);
  if (!t->n)
    hm_buf_ch(&sql, ')');
  sqlite3_finalize(t->insert);
  t->insert = NULL;
  t->names[t->n++] = name;
  hm_map_add(&t->columns, hm_str_dup(w->a, member), t->n);
  const char *text = hm_buf_take(&sql, w->row_a).p;
  return sqlite3_exec(w->db, text, NULL, NULL, NULL) ? fail_db(w) : 0;
}

static int prepare_insert(writer *w, table *t) {
  hm_buf sql = { 0 };
  if (t->insert)
    return 0;
  hm_buf_c(&sql, "INSERT INTO ");
  hm_sql_put_name(&sql, t->name);
  hm_buf_c(&sql, " VALUES(?");
  for (uint32_t i = 1; i < t->n; i++)
    hm_buf_c(&sql, ",?");
  hm_buf_ch(&sql, ')');
  const char *text = hm_buf_take(&sql, w->row_a).p;
  return sqlite3_prepare_v2(w->db, text, -1, &t->insert, NULL) ? fail_db(w) : 0;
}

/* --- cells ---------------------------------------------------------------------------- */

static void bind_text(sqlite3_stmt *st, int i, hm_str s) {
  sqlite3_bind_text64(st, i, s.p, s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void bind_number(writer *w, sqlite3_stmt *st, int i, hm_str text) {
  char real[32];
  double d;
  const char *z = hm_str_z(w->row_a, text);
  char *end;
  errno = 0;
  long long n = strtoll(z, &end, 10);
  if (!errno && !*end && hm_str_is(text, hm_str_fmt(w->row_a, "%lld", n).p)) {
    sqlite3_bind_int64(st, i, n);
    return;
  }
  if (hm_str_read_double(text, &d)) {
    hm_sql_format_real(d, real);
    if (hm_str_is(text, real)) {
      sqlite3_bind_double(st, i, d);
      return;
    }
  }
  bind_text(st, i, text);
}

static void bind(writer *w, sqlite3_stmt *st, int i, const hm_json *v) {
  switch (v->type) {
    case HM_JSON_NULL:
      sqlite3_bind_null(st, i);
      break;
    case HM_JSON_FALSE:
    case HM_JSON_TRUE:
      sqlite3_bind_int(st, i, v->type == HM_JSON_TRUE);
      break;
    case HM_JSON_NUMBER:
      bind_number(w, st, i, v->text);
      break;
    case HM_JSON_STRING:
      bind_text(st, i, v->text);
      break;
    default:
      bind_text(st, i, hm_json_as_text(v, w->row_a));
  }
}

static int write_row(void *ctx, hm_str list, const hm_json *row) {
  writer *w = ctx;
  hm_arena_reset(w->row_a);
  if (!row->child)
    return 0;
  table *t = find_table(w, list);
  for (const hm_json *m = row->child; m && t; m = m->next)
    if (hm_map_get(&t->columns, m->key) == HM_MAP_NONE && add_column(w, t, m->key))
      return -1;
  if (!t || prepare_insert(w, t))
    return -1;
  sqlite3_clear_bindings(t->insert);
  for (const hm_json *m = row->child; m; m = m->next)
    bind(w, t->insert, (int)hm_map_get(&t->columns, m->key), m);
  sqlite3_step(t->insert);
  return sqlite3_reset(t->insert) ? fail_db(w) : 0;
}

/* --- the file --------------------------------------------------------------------------- */

static char *new_file(void) {
  const char *tmp = getenv("TMPDIR");
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "%s/hmirror-XXXXXX%c", tmp && *tmp == '/' ? tmp : "/tmp", 0);
  char *path = b.p;
  int fd = mkstemp(path);
  if (fd >= 0)
    close(fd);
  else
    free(path), path = NULL;
  return path;
}

static int write_rows(writer *w, FILE *in, hm_encoding encoding) {
  static const char begin[] = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN";
  if (sqlite3_exec(w->db, begin, NULL, NULL, NULL))
    return fail_db(w);
  int rc = hm_file_rows_read(in, w->place, encoding, write_row, w);
  for (size_t i = 0; i < w->n; i++)
    sqlite3_finalize(w->tables[i]->insert);
  if (!rc && !w->n)
    rc = hm_fail(w->place->err, HM_E_INPUT, w->place->name, "it has no rows", "check the file");
  return !rc && sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL) ? fail_db(w) : rc;
}

int hm_store_from_rows(FILE *in, const char *name, hm_encoding encoding, char **path, hm_err *err) {
  hm_record_place place = { .name = name, .err = err };
  writer w = { .place = &place, .a = hm_arena_new(), .row_a = hm_arena_new() };
  hm_sqlite_configure();
  *path = new_file();
  int rc =
      !*path || sqlite3_open_v2(*path, &w.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
      ? hm_fail(err, HM_E_STORE, name, "there can be no temporary file",
                "give TMPDIR a folder with room")
      : write_rows(&w, in, encoding);
  sqlite3_close(w.db);
  if (rc && *path) {
    unlink(*path);
    free(*path);
    *path = NULL;
  }
  hm_arena_free(w.a);
  hm_arena_free(w.row_a);
  return rc;
}
