/* The sandbox: its tables, what a statement may name and call, its limits, and its result.
 *
 * A table of the world is a view over a table of row numbers, whose other columns are generated:
 * SQLite calls `cell` for a column that it reads. An index costs more than a statement that does
 * not need it, so a second database has the tables without rows and every index that may help:
 * SQLite's plan there names those that a statement looks rows up by. Without statistics SQLite
 * plans by its defaults, so a plan does not depend on the rows.
 *
 * SQLite asks the authorizer for everything that a statement would do while it is compiled; only a
 * SELECT over declared tables with functions of the list passes. Steps are counted by the progress
 * handler, with the bytes of the texts that are read and made; memory by the allocator
 * (sqlite.c). None of these depends on the machine's speed, so a rule that finishes on
 * one machine finishes on all. Work over long texts that is not counted, such as LIKE, is limited
 * by time: a statement that takes several times as long as its limit of steps would is stopped as
 * if it had used them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/text.h"
#include "core/sqlite/sandbox.h"
#include "core/sqlite/sqlite_impl.h"

/* Longer texts are cut, since a fact must not make a rule fail. BYTES_A_STEP bytes read or made
 * count as a step. */
enum { TEXT_MOST = 1 << 18, BYTES_A_STEP = 64 };

/* A step takes 50 to 150 ns. */
enum { NS_A_STEP = 300 };
/* A table of row numbers is named as its view with this behind it. */
#define NUMBERS " numbers"
enum { WORTH_AN_INDEX = 50 }; /* rows */
enum { STEPS_AT_ONCE = 1000, TYPES_KEPT = 500, LENGTH_MOST = 4 << 20, SQL_MOST = 1 << 20 };

/* SQLite's own functions that give the same for the same arguments everywhere; sorted. */
static const char *const FUNCTIONS[] = {
  "->",
  "->>",
  "abs",
  "avg",
  "ceil",
  "ceiling",
  "char",
  "coalesce",
  "count",
  "cume_dist",
  "dense_rank",
  "first_value",
  "floor",
  "format",
  "glob",
  "group_concat",
  "hex",
  "ifnull",
  "iif",
  "instr",
  "json",
  "json_array",
  "json_array_length",
  "json_extract",
  "json_group_array",
  "json_group_object",
  "json_object",
  "json_quote",
  "json_type",
  "json_valid",
  "lag",
  "last_value",
  "lead",
  "length",
  "like",
  "likelihood",
  "likely",
  "lower",
  "ltrim",
  "max",
  "min",
  "mod",
  "nth_value",
  "ntile",
  "nullif",
  "percent_rank",
  "printf",
  "quote",
  "rank",
  "replace",
  "round",
  "row_number",
  "rtrim",
  "sign",
  "substr",
  "substring",
  "sum",
  "total",
  "trim",
  "trunc",
  "typeof",
  "unicode",
  "unlikely",
  "upper",
};
/* What is refused, and why, where more can be said than that it is not in the list; sorted. */
static const struct {
  const char *name, *why;
} REFUSED[] = {
  { "current_date", "knows the clock; now() is the time of the facts" },
  { "current_time", "knows the clock; now() is the time of the facts" },
  { "current_timestamp", "knows the clock; now() is the time of the facts" },
  { "date", "may know the clock; now() and time_first() do not" },
  { "datetime", "may know the clock; now() and time_first() do not" },
  { "julianday", "may know the clock; now() and time_first() do not" },
  { "load_extension", "would load a program" },
  { "random", "gives something else each time" },
  { "randomblob", "gives something else each time" },
  { "strftime", "may know the clock; now() and time_first() do not" },
  { "time", "may know the clock; now() and time_first() do not" },
  { "unixepoch", "may know the clock; now() and time_first() do not" },
};

struct hm_sandbox {
  sqlite3 *db; /* NULL: it did not open */
  sqlite3 *planner;
  const hm_sandbox_world *world;
  hm_arena *scratch, *kept;
  hm_map types; /* of folded */
  hm_str folded[TYPES_KEPT];
  uint64_t indexed[HM_SANDBOX_TABLES]; /* bit set of the columns, per table */
  /* Of the statement that runs; q is NULL for statements of the sandbox itself. */
  const hm_sandbox_query *q;
  int64_t steps, until; /* until: nanoseconds of processor time of this thread */
  uint32_t reads;
  const char *over;  /* the limit that was passed */
  char refused[160]; /* what the authorizer refused */
};

static int refuse(hm_sandbox *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int refuse(hm_sandbox *s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  if (!s->refused[0])
    vsnprintf(s->refused, sizeof s->refused, fmt, ap);
  va_end(ap);
  return SQLITE_DENY;
}

static int by_name(const void *name, const void *entry) {
  return sqlite3_stricmp(name, *(const char *const *)entry);
}

static int allow_function(hm_sandbox *s, const char *name) {
  const hm_sandbox_world *w = s->world;
  for (size_t i = 0; i < w->n_functions; i++)
    if (!sqlite3_stricmp(name, w->functions[i].name))
      return SQLITE_OK;
  if (bsearch(name, FUNCTIONS, HM_COUNT(FUNCTIONS), sizeof *FUNCTIONS, by_name))
    return SQLITE_OK;
  for (size_t i = 0; i < HM_COUNT(REFUSED); i++)
    if (!sqlite3_stricmp(name, REFUSED[i].name))
      return refuse(s, "%s() %s", REFUSED[i].name, REFUSED[i].why);
  return refuse(s, "%.60s() is none of the functions of rules", name);
}

/* The view of a table of the world, or its row numbers. */
static bool is_of_table(const char *name, const char *table) {
  size_t n = strlen(table);
  return !sqlite3_strnicmp(name, table, (int)n) && (!name[n] || !strcmp(name + n, NUMBERS));
}

static int allow_read(hm_sandbox *s, const char *table) {
  const hm_sandbox_world *w = s->world;
  for (size_t i = 0; i < w->n_tables; i++) {
    const hm_sandbox_table *t = &w->tables[i];
    if (!is_of_table(table, t->name))
      continue;
    s->reads |= UINT32_C(1) << i;
    if (!(s->q->reads >> i & 1))
      return refuse(s, "it reads the table %s, which '-- reads:' does not name", t->name);
    return SQLITE_OK;
  }
  if (!sqlite3_strnicmp(table, "sqlite_", 7) || !sqlite3_strnicmp(table, "pragma_", 7))
    return refuse(s, "it reads %.60s, which is SQLite's own", table);
  return SQLITE_OK; /* a name that WITH gave, json_each, json_tree */
}

static int authorize(void *ctx, int action, const char *x, const char *y, const char *z,
                     const char *trigger) {
  hm_sandbox *s = ctx;
  (void)z, (void)trigger;
  if (!s->q)
    return SQLITE_OK;
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      return allow_read(s, x ? x : "");
    case SQLITE_FUNCTION:
      return allow_function(s, y ? y : "");
    default:
      return refuse(s, "it does something else than to read");
  }
}

static int64_t processor_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int count_steps(void *ctx) {
  hm_sandbox *s = ctx;
  s->steps += STEPS_AT_ONCE + hm_sqlite_memory_taken() / BYTES_A_STEP;
  if (s->steps > s->q->steps || processor_ns() > s->until)
    s->over = "steps";
  return s->over != NULL;
}

/* --- tables, functions and collation -------------------------------------------------------- */

static void give(sqlite3_context *ctx, hm_sandbox *s, const hm_sandbox_cell *c) {
  hm_str text = c->text;
  switch (c->type) {
    case HM_CELL_NULL:
      sqlite3_result_null(ctx);
      break;
    case HM_CELL_INT:
      sqlite3_result_int64(ctx, c->number);
      break;
    case HM_CELL_REAL:
      sqlite3_result_double(ctx, c->real);
      break;
    case HM_CELL_TEXT:
      if (text.n > TEXT_MOST)
        text = hm_text_cut(text, TEXT_MOST);
      sqlite3_result_text64(ctx, text.p, text.n, c->temporary ? SQLITE_TRANSIENT : SQLITE_STATIC,
                            SQLITE_UTF8);
  }
  if (c->temporary)
    hm_arena_reset(s->scratch);
}

/* cell(n, table, code): of row n, the first of which is 1. */
static void call_cell(sqlite3_context *ctx, int n, sqlite3_value **args) {
  hm_sandbox *s = sqlite3_user_data(ctx);
  const hm_sandbox_table *t = &s->world->tables[sqlite3_value_int(args[1])];
  (void)n;
  size_t row = (size_t)sqlite3_value_int64(args[0]) - 1;
  hm_sandbox_cell c = t->cell(t->ctx, row, sqlite3_value_int(args[2]), s->scratch);
  s->steps += (int64_t)(c.text.n / BYTES_A_STEP);
  give(ctx, s, &c);
}

typedef struct {
  hm_sandbox *s;
  const hm_sandbox_function *f;
} function_data;

static void call(sqlite3_context *ctx, int n, sqlite3_value **args) {
  const function_data *d = sqlite3_user_data(ctx);
  hm_sandbox_cell cells[HM_SANDBOX_ARGS];
  for (int i = 0; i < n; i++) {
    int type = sqlite3_value_type(args[i]);
    const char *p = type == SQLITE_NULL ? NULL : (const char *)sqlite3_value_text(args[i]);
    cells[i] =
        hm_sandbox_cell_text(p ? (hm_str){ p, (size_t)sqlite3_value_bytes(args[i]) } : HM_EMPTY);
    d->s->steps += (int64_t)(cells[i].text.n / 16 + 1);
  }
  hm_sandbox_cell out = d->f->run(d->s->world->ctx, cells, n, d->s->scratch);
  out.temporary = true;
  give(ctx, d->s, &out);
}

/* Folding takes longer than all the rest of a comparison, and the types of a store are few. */
static hm_str fold_type(hm_sandbox *s, hm_str type) {
  uint32_t at = hm_map_get(&s->types, type);
  if (at != HM_MAP_NONE)
    return s->folded[at];
  if (s->types.n == TYPES_KEPT)
    return s->world->fold(s->scratch, type);
  at = (uint32_t)s->types.n;
  hm_map_add(&s->types, hm_str_dup(s->kept, type), at);
  return s->folded[at] = s->world->fold(s->kept, hm_str_dup(s->kept, type));
}

static int compare_types(void *ctx, int n, const void *x, int m, const void *y) {
  hm_sandbox *s = ctx;
  hm_str a = { x, (size_t)n }, b = { y, (size_t)m };
  if (hm_str_eq(a, b))
    return 0;
  int c = hm_str_cmp(fold_type(s, a), fold_type(s, b));
  hm_arena_reset(s->scratch);
  return c;
}

static int add_functions(hm_sandbox *s, sqlite3 *db) {
  const hm_sandbox_world *w = s->world;
  int pure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  hm_sqlite_add_functions(db);
  int rc = sqlite3_create_function_v2(db, "cell", 3, pure, s, call_cell, NULL, NULL, NULL);
  for (size_t i = 0; i < w->n_functions; i++)
    for (int n = w->functions[i].least; n <= w->functions[i].most && !rc; n++) {
      function_data *d = hm_xmalloc(sizeof *d);
      *d = (function_data){ s, &w->functions[i] };
      rc = sqlite3_create_function_v2(db, w->functions[i].name, n, pure, d, call, NULL, NULL, free);
    }
  return rc ? rc : sqlite3_create_collation(db, "type", SQLITE_UTF8, s, compare_types);
}

/* Runs statements of the sandbox itself. */
static int execute(sqlite3 *db, hm_buf *sql) {
  hm_buf_ch(sql, 0);
  int rc = sqlite3_exec(db, sql->p, NULL, NULL, NULL);
  hm_buf_free(sql);
  return rc;
}

static void put_index(hm_buf *b, const hm_sandbox_world *w, size_t table, size_t column) {
  const hm_sandbox_table *t = &w->tables[table];
  hm_buf_fmt(b, "CREATE INDEX i%zu_%zu ON \"%s" NUMBERS "\"(\"%s\");", table, column, t->name,
             t->columns[column].name);
}

/* SQLite numbers rows from 1 where a statement does not, in half the time. An INSERT computes all
 * generated columns of its row: so the columns come after the rows, by the text of the schema. */
static int add_tables(hm_sandbox *s, sqlite3 *db) {
  static const char *const types[] = { "TEXT", "TEXT COLLATE type", "" };
  const hm_sandbox_world *w = s->world;
  hm_buf b = { 0 }, columns = { 0 }, views = { 0 }, indexes = { 0 };
  hm_buf_fmt(&b,
             "CREATE TABLE \"" NUMBERS "\"(n);"
             "INSERT INTO \"" NUMBERS "\" WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL"
             " SELECT n + 1 FROM c LIMIT 256) SELECT n FROM c;");
  hm_buf_fmt(&columns, "DROP TABLE \"" NUMBERS "\"; PRAGMA writable_schema=ON;");
  for (size_t i = 0; i < w->n_tables; i++) {
    const hm_sandbox_table *t = &w->tables[i];
    hm_buf_fmt(&b, "CREATE TABLE \"%s" NUMBERS "\"(n);", t->name);
    if (t->n_rows && db != s->planner)
      hm_buf_fmt(&b,
                 "INSERT INTO \"%s" NUMBERS "\" SELECT NULL FROM \"" NUMBERS "\" CROSS JOIN"
                 " \"" NUMBERS "\" CROSS JOIN \"" NUMBERS "\" CROSS JOIN \"" NUMBERS "\""
                 " LIMIT %zu;",
                 t->name, t->n_rows);
    hm_buf_fmt(&columns,
               "UPDATE sqlite_schema SET sql = 'CREATE TABLE \"%s" NUMBERS
               "\"(n INTEGER PRIMARY KEY",
               t->name);
    hm_buf_fmt(&views, "CREATE VIEW \"%s\" AS SELECT", t->name);
    for (size_t k = 0; k < t->n_columns; k++) {
      const hm_sandbox_column *c = &t->columns[k];
      hm_buf_fmt(&columns, ", \"%s\" %s AS (cell(n, %zu, %d))", c->name, types[c->holds], i,
                 c->code);
      hm_buf_fmt(&views, "%s \"%s\"", k ? "," : "", c->name);
      if (c->indexed && db == s->planner)
        put_index(&indexes, w, i, k);
    }
    hm_buf_fmt(&columns, ")' WHERE name = '%s" NUMBERS "';", t->name);
    hm_buf_fmt(&views, " FROM \"%s" NUMBERS "\";", t->name);
  }
  hm_buf_fmt(&columns, "PRAGMA writable_schema=RESET;");
  int rc = execute(db, &b) || execute(db, &columns) || execute(db, &views) || execute(db, &indexes);
  hm_buf_free(&columns);
  hm_buf_free(&views);
  hm_buf_free(&indexes);
  return rc;
}

/* --- a statement ----------------------------------------------------------------------------- */

static int open_database(hm_sandbox *s, sqlite3 **out) {
  static const char *const kept_modules[] = { "json_each", "json_tree", NULL };
  /* SQLite declares the columns of such a table at its first use, which rules may not. */
  static const char declare_kept[] = "SELECT 1 FROM json_each('1'), json_tree('1')";
  static const struct {
    int what, most;
  } limits[] = {
    { SQLITE_LIMIT_LENGTH, LENGTH_MOST },      { SQLITE_LIMIT_SQL_LENGTH, SQL_MOST },
    { SQLITE_LIMIT_EXPR_DEPTH, 200 },          { SQLITE_LIMIT_COMPOUND_SELECT, 100 },
    { SQLITE_LIMIT_VDBE_OP, 25000 },           { SQLITE_LIMIT_ATTACHED, 0 },
    { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 }, { SQLITE_LIMIT_TRIGGER_DEPTH, 0 },
    { SQLITE_LIMIT_WORKER_THREADS, 0 },
  };
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", out, flags, NULL))
    return -1;
  sqlite3 *db = *out;
  for (size_t i = 0; i < HM_COUNT(limits); i++)
    sqlite3_limit(db, limits[i].what, limits[i].most);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_extended_result_codes(db, 1);
  int rc = sqlite3_exec(db, "PRAGMA temp_store=MEMORY", NULL, NULL, NULL) ||
      sqlite3_drop_modules(db, (const char **)kept_modules) ||
      sqlite3_exec(db, declare_kept, NULL, NULL, NULL) || add_functions(s, db) || add_tables(s, db);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  return rc;
}

/* Makes the indexes that the statement looks rows up by: its plan has lines such as "SEARCH e USING
 * INDEX i2_0 (ref=?)". Without a plan it makes none: the statement is at fault. Nor does it where
 * all tables are short, as nothing is won there. */
static int add_indexes(hm_sandbox *s) {
  const hm_sandbox_world *w = s->world;
  size_t most = 0;
  for (size_t i = 0; i < w->n_tables; i++)
    most = w->tables[i].n_rows > most ? w->tables[i].n_rows : most;
  if (most < WORTH_AN_INDEX)
    return 0;
  if (!s->planner) { /* it has the tables without rows, and all indexes */
    if (open_database(s, &s->planner))
      return -1;
    sqlite3_set_authorizer(s->planner, authorize, s);
  }
  const hm_sandbox_query *q = s->q;
  sqlite3_stmt *plan;
  hm_buf sql = { 0 }, indexes = { 0 };
  hm_buf_fmt(&sql, "EXPLAIN QUERY PLAN %.*s", HM_FMT(q->sql));
  int rc = sqlite3_prepare_v2(s->planner, sql.p, (int)sql.n, &plan, NULL);
  hm_buf_free(&sql);
  while (!rc && sqlite3_step(plan) == SQLITE_ROW) {
    const char *line = (const char *)sqlite3_column_text(plan, 3);
    const char *index = line && !strncmp(line, "SEARCH ", 7) ? strstr(line, " INDEX i") : NULL;
    size_t i, k;
    if (!index || sscanf(index, " INDEX i%zu_%zu", &i, &k) != 2 || i >= w->n_tables ||
        k >= w->tables[i].n_columns || s->indexed[i] >> k & 1)
      continue;
    s->indexed[i] |= UINT64_C(1) << k;
    put_index(&indexes, w, i, k);
  }
  sqlite3_finalize(plan);
  s->q = NULL;
  rc = execute(s->db, &indexes);
  s->q = q;
  return rc;
}

hm_sandbox *hm_sandbox_new(const hm_sandbox_world *world) {
  hm_sandbox *s = memset(hm_xmalloc(sizeof *s), 0, sizeof *s);
  s->world = world;
  s->scratch = hm_arena_new();
  s->kept = hm_arena_new();
  hm_map_init(&s->types, s->kept, 64);
  hm_sqlite_configure();
  if (open_database(s, &s->db)) {
    sqlite3_close(s->db);
    s->db = NULL;
    return s;
  }
  sqlite3_set_authorizer(s->db, authorize, s);
  return s;
}

void hm_sandbox_free(hm_sandbox *s) {
  sqlite3_close(s->db);
  sqlite3_close(s->planner);
  hm_arena_free(s->scratch);
  hm_arena_free(s->kept);
  free(s);
}

static int fail_at(const hm_sandbox *s, size_t offset, const char *why, const char *fix,
                   hm_err *err) {
  size_t line = 1;
  for (size_t i = 0; i < offset && i < s->q->sql.n; i++)
    line += s->q->sql.p[i] == '\n';
  char where[512];
  snprintf(where, sizeof where, "%.480s:%zu", s->q->file, line);
  return hm_fail(err, HM_E_INPUT, where, why, fix);
}

/* The first byte that is neither white space nor part of a comment. */
static size_t skip_comments(hm_str s, size_t i) {
  while (i < s.n) {
    hm_str rest = hm_str_sub(s, i, s.n);
    ptrdiff_t end = -1;
    if (*rest.p && strchr(" \t\r\n\f;", *rest.p))
      end = 0;
    else if (hm_str_starts(rest, "--"))
      end = hm_str_find(rest, "\n");
    else if (!hm_str_starts(rest, "/*"))
      return i;
    else if ((end = hm_str_find(hm_str_sub(rest, 2, rest.n), "*/")) >= 0)
      end += 3;
    if (end < 0)
      return s.n;
    i += (size_t)end + 1;
  }
  return i;
}

static int fail(hm_sandbox *s, size_t first, hm_err *err) {
  int at = sqlite3_error_offset(s->db);
  size_t offset = at > 0 ? (size_t)at : first;
  const char *message = sqlite3_errmsg(s->db);
  if (s->refused[0])
    return fail_at(s, first, s->refused, "see RULES IN SQL in hmirror-config(5)", err);
  if (s->over) {
    char why[100];
    snprintf(why, sizeof why, "stopped: it takes more %s than a rule may", s->over);
    return fail_at(s, first, why,
                   "give its WITH RECURSIVE an end, and each JOIN a condition by =", err);
  }
  if (strstr(message, "because it is a view"))
    message = "it does something else than to read";
  if ((sqlite3_errcode(s->db) & 0xff) == SQLITE_TOOBIG)
    return fail_at(s, first, "stopped: it makes a text of more than 4 MiB", "make less of it", err);
  return fail_at(s, offset, message, "correct the SQL, and try it: hmirror rules test FILE", err);
}

static hm_sandbox_cell copy_cell(sqlite3_stmt *stmt, int i, hm_arena *a) {
  hm_sandbox_cell c = { .type = HM_CELL_NULL };
  switch (sqlite3_column_type(stmt, i)) {
    case SQLITE_NULL:
      return c;
    case SQLITE_INTEGER:
      return hm_sandbox_cell_int(sqlite3_column_int64(stmt, i));
    case SQLITE_FLOAT:
      c.type = HM_CELL_REAL;
      c.real = sqlite3_column_double(stmt, i);
      break;
    default:
      c.type = HM_CELL_TEXT;
  }
  const char *p = (const char *)sqlite3_column_text(stmt, i);
  c.text = hm_str_dup(a, (hm_str){ p ? p : "", p ? (size_t)sqlite3_column_bytes(stmt, i) : 0 });
  return c;
}

static int read_rows(hm_sandbox *s, sqlite3_stmt *stmt, hm_arena *a, hm_sandbox_result *out,
                     size_t first, hm_err *err) {
  hm_sandbox_cell *cells = NULL;
  size_t n = 0, cap = 0, bytes = 0;
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW && !s->over) {
    for (size_t i = 0; i < out->n_columns; i++) {
      cells = hm_array_grow(cells, n, &cap, sizeof *cells);
      cells[n] = copy_cell(stmt, (int)i, a);
      bytes += sizeof *cells + cells[n++].text.n;
    }
    out->n_rows++;
    if (out->n_rows > s->q->rows)
      s->over = "rows in its result";
    if ((int64_t)bytes > s->q->bytes)
      s->over = "bytes in its result";
  }
  out->cells = hm_alloc_array(a, n, sizeof *cells);
  if (n)
    memcpy(out->cells, cells, n * sizeof *cells);
  free(cells);
  return rc == SQLITE_DONE && !s->over ? 0 : fail(s, first, err);
}

/* Compiles the statement. *out is NULL, or for the caller to finalize. */
static int compile(hm_sandbox *s, size_t first, sqlite3_stmt **out, hm_err *err) {
  hm_str sql = s->q->sql;
  const char *tail = NULL;
  *out = NULL;
  if (memchr(sql.p, 0, sql.n))
    return fail_at(s, 0, "a NUL in its text", "write it as plain text", err);
  if (sqlite3_prepare_v3(s->db, sql.p, (int)sql.n, 0, out, &tail))
    return fail(s, first, err);
  sqlite3_stmt *stmt = *out;
  if (!stmt)
    return fail_at(s, 0, "it holds no SELECT", "write one below its header", err);
  if (!sqlite3_stmt_readonly(stmt) || !sqlite3_column_count(stmt) || sqlite3_stmt_isexplain(stmt))
    return fail_at(s, first, "it does something else than to read", "write a SELECT", err);
  size_t rest = skip_comments(sql, (size_t)(tail - sql.p));
  if (rest < sql.n)
    return fail_at(s, rest, "a second statement", "a rule is one SELECT", err);
  if (sqlite3_bind_parameter_count(stmt) > (sqlite3_bind_parameter_index(stmt, ":row") > 0))
    return fail_at(s, first, "a parameter that is not :row", "a rule may name :row and no other",
                   err);
  return 0;
}

static int run(hm_sandbox *s, sqlite3_stmt *stmt, size_t first, hm_arena *a, hm_sandbox_result *out,
               hm_err *err) {
  s->until = processor_ns() + s->q->steps * NS_A_STEP;
  sqlite3_progress_handler(s->db, STEPS_AT_ONCE, count_steps, s);
  hm_sqlite_memory_limit_begin(s->q->bytes);
  int rc = read_rows(s, stmt, a, out, first, err);
  sqlite3_reset(stmt);
  sqlite3_progress_handler(s->db, 0, NULL, NULL);
  if (hm_sqlite_memory_limit_end())
    rc = fail_at(s, first, "stopped: it takes more memory than a rule may", "read less at once",
                 err);
  return rc;
}

int hm_sandbox_run(hm_sandbox *s, const hm_sandbox_query *q, bool check, hm_arena *a,
                   hm_sandbox_result *out, hm_err *err) {
  size_t first = skip_comments(q->sql, 0);
  sqlite3_stmt *stmt;
  *out = (hm_sandbox_result){ 0 };
  if (!s->db)
    return hm_fail(err, HM_E_INTERNAL, q->file, "the sandbox does not open", "");
  s->q = q;
  s->reads = 0;
  s->steps = 0;
  s->over = NULL;
  s->refused[0] = 0;
  if (!check && add_indexes(s))
    return hm_fail(err, HM_E_INTERNAL, q->file, sqlite3_errmsg(s->db), "");
  int rc = compile(s, first, &stmt, err);
  out->n_columns = rc ? 0 : (size_t)sqlite3_column_count(stmt);
  out->columns = hm_alloc_array(a, out->n_columns, sizeof *out->columns);
  for (size_t i = 0; i < out->n_columns; i++)
    out->columns[i] = hm_str_z(a, hm_str_c(sqlite3_column_name(stmt, (int)i)));
  if (!rc && !check)
    rc = run(s, stmt, first, a, out, err);
  sqlite3_finalize(stmt);
  s->q = NULL;
  out->reads = s->reads;
  out->steps = s->steps;
  return rc;
}
