/* The sandbox: what a statement may name and call, its limits, and its result.
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

#include "core/store/sqlite_sandbox_impl.h"

/* A step takes 50 to 150 ns. */
enum { NS_A_STEP = 300 };
enum { STEPS_AT_ONCE = 200, LENGTH_MOST = 4 << 20, SQL_MOST = 1 << 20 };

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

static int refuse(hm_sandbox_state *st, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int refuse(hm_sandbox_state *st, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  if (!st->refused[0])
    vsnprintf(st->refused, sizeof st->refused, fmt, ap);
  va_end(ap);
  return SQLITE_DENY;
}

static int by_name(const void *name, const void *entry) {
  return sqlite3_stricmp(name, *(const char *const *)entry);
}

static int allow_function(hm_sandbox_state *st, const char *name) {
  const hm_sandbox_world *w = st->s->world;
  for (size_t i = 0; i < w->n_functions; i++) {
    if (sqlite3_stricmp(name, w->functions[i].name))
      continue;
    st->reads_now = st->reads_now || w->functions[i].of_now;
    return SQLITE_OK;
  }
  if (bsearch(name, FUNCTIONS, HM_COUNT(FUNCTIONS), sizeof *FUNCTIONS, by_name))
    return SQLITE_OK;
  for (size_t i = 0; i < HM_COUNT(REFUSED); i++)
    if (!sqlite3_stricmp(name, REFUSED[i].name))
      return refuse(st, "%s() %s", REFUSED[i].name, REFUSED[i].why);
  return refuse(st, "%.60s() is none of the functions of rules", name);
}

static int allow_read(hm_sandbox_state *st, const char *table, const char *column) {
  const hm_sandbox_world *w = st->s->world;
  for (size_t i = 0; i < w->n_tables; i++) {
    const hm_sandbox_table *t = &w->tables[i];
    if (sqlite3_stricmp(table, t->name))
      continue;
    st->reads |= UINT32_C(1) << i;
    if (!(st->q->reads >> i & 1))
      return refuse(st, "it reads the table %s, which '-- reads:' does not name", t->name);
    for (size_t k = 0; k < t->n_columns; k++)
      if (!sqlite3_stricmp(column, t->columns[k].name))
        hm_sandbox_note_column(st, i, (int)k);
    return SQLITE_OK;
  }
  if (!sqlite3_strnicmp(table, "sqlite_", 7) || !sqlite3_strnicmp(table, "pragma_", 7))
    return refuse(st, "it reads %.60s, which is SQLite's own", table);
  return SQLITE_OK; /* a name that WITH gave, json_each, json_tree */
}

static int authorize(void *ctx, int action, const char *x, const char *y, const char *z,
                     const char *trigger) {
  hm_sandbox_state *st = ctx;
  (void)z, (void)trigger;
  if (st->declares)
    return SQLITE_OK;
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      return allow_read(st, x ? x : "", y ? y : "");
    case SQLITE_FUNCTION:
      return allow_function(st, y ? y : "");
    default:
      return refuse(st, "it does something else than to read");
  }
}

static int64_t processor_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int count_steps(void *ctx) {
  hm_sandbox_state *st = ctx;
  st->steps += STEPS_AT_ONCE + hm_sqlite_memory_taken() / HM_SANDBOX_BYTES_A_STEP;
  if (st->steps > st->q->steps || processor_ns() > st->until)
    st->over = "steps";
  return st->over != NULL;
}

/* --- functions and collation ---------------------------------------------------------------- */

typedef struct {
  hm_sandbox_state *st;
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
    d->st->steps += (int64_t)(cells[i].text.n / 16 + 1);
  }
  hm_sandbox_cell out = d->f->run(d->st->s->world->ctx, cells, n, d->st->scratch);
  out.temporary = true;
  hm_sandbox_result_cell(ctx, &out);
  hm_arena_reset(d->st->scratch);
}

static int compare_types(void *ctx, int n, const void *x, int m, const void *y) {
  hm_sandbox_state *st = ctx;
  hm_str a = { x, (size_t)n }, b = { y, (size_t)m };
  if (hm_str_eq(a, b))
    return 0;
  int c = hm_str_cmp(st->s->world->fold(st->scratch, a), st->s->world->fold(st->scratch, b));
  hm_arena_reset(st->scratch);
  return c;
}

static int add_functions(sqlite3 *db, hm_sandbox_state *st) {
  const hm_sandbox_world *w = st->s->world;
  int rc = SQLITE_OK;
  hm_sqlite_add_functions(db);
  for (size_t i = 0; i < w->n_functions; i++)
    for (int n = w->functions[i].least; n <= w->functions[i].most && !rc; n++) {
      function_data *d = hm_xmalloc(sizeof *d);
      *d = (function_data){ st, &w->functions[i] };
      rc =
          sqlite3_create_function_v2(db, w->functions[i].name, n,
                                     SQLITE_UTF8 | SQLITE_DETERMINISTIC, d, call, NULL, NULL, free);
    }
  return rc ? rc : sqlite3_create_collation(db, "type", SQLITE_UTF8, st, compare_types);
}

/* --- a statement ----------------------------------------------------------------------------- */

hm_sandbox *hm_sandbox_new(const hm_sandbox_world *world) {
  hm_sandbox *s = memset(hm_xmalloc(sizeof *s), 0, sizeof *s);
  s->world = world;
  for (size_t i = 0; i < world->n_tables; i++) {
    s->first_index[i] = s->n_indexes;
    s->n_indexes += world->tables[i].n_columns;
  }
  size_t bytes = (s->n_indexes + 1) * sizeof *s->indexes;
  s->indexes = memset(hm_xmalloc(bytes), 0, bytes);
  for (size_t i = 0; i < s->n_indexes; i++)
    pthread_mutex_init(&s->indexes[i].lock, NULL);
  hm_sqlite_configure();
  return s;
}

void hm_sandbox_free(hm_sandbox *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->n_indexes; i++) {
    hm_arena_free(s->indexes[i].a);
    pthread_mutex_destroy(&s->indexes[i].lock);
  }
  free(s->indexes);
  free(s);
}

static sqlite3 *open_sandbox(hm_sandbox_state *st) {
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
  sqlite3 *db = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &db, flags, NULL))
    return sqlite3_close(db), NULL;
  for (size_t i = 0; i < HM_COUNT(limits); i++)
    sqlite3_limit(db, limits[i].what, limits[i].most);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_extended_result_codes(db, 1);
  if (sqlite3_exec(db, "PRAGMA temp_store=MEMORY", NULL, NULL, NULL) ||
      sqlite3_drop_modules(db, (const char **)kept_modules) ||
      sqlite3_exec(db, declare_kept, NULL, NULL, NULL) || hm_sandbox_add_tables(db, st) ||
      add_functions(db, st))
    return sqlite3_close(db), NULL;
  sqlite3_set_authorizer(db, authorize, st);
  sqlite3_progress_handler(db, STEPS_AT_ONCE, count_steps, st);
  return db;
}

static int fail_at(const hm_sandbox_state *st, size_t offset, const char *why, const char *fix,
                   hm_err *err) {
  size_t line = 1;
  for (size_t i = 0; i < offset && i < st->q->sql.n; i++)
    line += st->q->sql.p[i] == '\n';
  char where[512];
  snprintf(where, sizeof where, "%.480s:%zu", st->q->file, line);
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

static int fail(hm_sandbox_state *st, sqlite3 *db, size_t first, hm_err *err) {
  int at = sqlite3_error_offset(db);
  size_t offset = at > 0 ? (size_t)at : first;
  const char *message = sqlite3_errmsg(db);
  if (st->refused[0])
    return fail_at(st, first, st->refused, "see RULES IN SQL in hmirror-config(5)", err);
  if (st->over) {
    char why[100];
    snprintf(why, sizeof why, "stopped: it takes more %s than a rule may", st->over);
    return fail_at(st, first, why,
                   "give its WITH RECURSIVE an end, and each JOIN a condition by =", err);
  }
  if (strstr(message, "may not be modified"))
    message = "it does something else than to read";
  if ((sqlite3_errcode(db) & 0xff) == SQLITE_TOOBIG)
    return fail_at(st, first, "stopped: it makes a text of more than 4 MiB", "make less of it",
                   err);
  return fail_at(st, offset, message, "correct the SQL, and try it: hmirror rules test FILE", err);
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

static int read_rows(hm_sandbox_state *st, sqlite3 *db, sqlite3_stmt *stmt, hm_arena *a,
                     hm_sandbox_result *out, size_t first, hm_err *err) {
  hm_sandbox_cell *cells = NULL;
  size_t n = 0, cap = 0, bytes = 0;
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW && !st->over) {
    for (size_t i = 0; i < out->n_columns; i++) {
      cells = hm_array_grow(cells, n, &cap, sizeof *cells);
      cells[n] = copy_cell(stmt, (int)i, a);
      bytes += sizeof *cells + cells[n++].text.n;
    }
    out->n_rows++;
    if (out->n_rows > st->q->rows)
      st->over = "rows in its result";
    if ((int64_t)bytes > st->q->bytes)
      st->over = "bytes in its result";
  }
  out->cells = hm_alloc_array(a, n, sizeof *cells);
  if (n)
    memcpy(out->cells, cells, n * sizeof *cells);
  free(cells);
  return rc == SQLITE_DONE && !st->over ? 0 : fail(st, db, first, err);
}

/* --- :row that is given ----------------------------------------------------------------------- */

static bool in_word(char c) { return c == '_' || c == ':' || hm_is_alnum(c) || (c & 0x80); }

static bool is_word(hm_str token, const char *word) {
  return token.n == strlen(word) && !sqlite3_strnicmp(token.p, word, (int)token.n);
}

/* The end of the token at i: a word, a text in quotes, a comment, or one byte. */
static size_t token_end(hm_str s, size_t i) {
  size_t end = i + 1;
  char c = s.p[i];
  if (c == '-' || c == '/') {
    hm_str rest = hm_str_sub(s, i, s.n);
    if (!hm_str_starts(rest, "--") && !hm_str_starts(rest, "/*"))
      return end;
    ptrdiff_t last = hm_str_find(rest, c == '-' ? "\n" : "*/");
    return last < 0 ? s.n : i + (size_t)last + (c == '-' ? 1 : 2);
  }
  if (c == '\'' || c == '"' || c == '`' || c == '[') {
    while (end < s.n && s.p[end] != (c == '[' ? ']' : c))
      end++;
    return end < s.n ? end + 1 : end;
  }
  while (in_word(c) && end < s.n && in_word(s.p[end]))
    end++;
  return end;
}

/* Blanks "(:row IS NULL OR", since SQLite uses no index for x in "(? IS NULL OR x)", even for a
 * parameter that is not NULL. Only after a parenthesis or WHERE: OR binds least, so the rest is the
 * other side of this OR. Every byte keeps its offset. */
static hm_str without_null_test(hm_str sql, hm_arena *a) {
  static const char *const words[] = { ":row", "is", "null", "or" };
  char *out = hm_str_z(a, sql);
  size_t matched = 0, from = 0, end;
  bool opens = false; /* what comes is the left side of an expression */
  for (size_t i = 0; i < sql.n; i = end) {
    end = token_end(sql, i);
    hm_str token = hm_str_sub(sql, i, end);
    if (skip_comments(token, 0) == token.n && *token.p != ';')
      continue;
    if ((matched || opens) && is_word(token, words[matched])) {
      if (!matched++)
        from = i;
      if (matched == HM_COUNT(words))
        memset(out + from, ' ', end - from), matched = 0;
      opens = !matched;
      continue;
    }
    matched = 0;
    opens = *token.p == '(' || is_word(token, "where");
  }
  return (hm_str){ out, sql.n };
}

static int run(hm_sandbox_state *st, sqlite3 *db, bool check, hm_arena *a, hm_sandbox_result *out,
               hm_err *err) {
  sqlite3_stmt *stmt = NULL;
  hm_str sql = st->q->sql;
  size_t first = skip_comments(sql, 0);
  const char *tail = NULL;
  if (memchr(sql.p, 0, sql.n))
    return fail_at(st, 0, "a NUL in its text", "write it as plain text", err);
  if (st->q->row)
    sql = without_null_test(sql, a);
  int rc = sqlite3_prepare_v3(db, sql.p, (int)sql.n, 0, &stmt, &tail);
  if (rc)
    return fail(st, db, first, err);
  size_t rest = stmt ? skip_comments(sql, (size_t)(tail - sql.p)) : 0;
  if (!stmt)
    rc = fail_at(st, 0, "it holds no SELECT", "write one below its header", err);
  else if (!sqlite3_stmt_readonly(stmt) || !sqlite3_column_count(stmt) ||
           sqlite3_stmt_isexplain(stmt))
    rc = fail_at(st, first, "it does something else than to read", "write a SELECT", err);
  else if (rest < sql.n)
    rc = fail_at(st, rest, "a second statement", "a rule is one SELECT", err);
  int row = stmt ? sqlite3_bind_parameter_index(stmt, ":row") : 0;
  if (!rc && sqlite3_bind_parameter_count(stmt) > (row > 0))
    rc = fail_at(st, first, "a parameter that is not :row", "a rule may take :row and no other",
                 err);
  out->takes_row = row > 0;
  out->n_columns = rc ? 0 : (size_t)sqlite3_column_count(stmt);
  out->columns = hm_alloc_array(a, out->n_columns, sizeof *out->columns);
  for (size_t i = 0; i < out->n_columns; i++)
    out->columns[i] = hm_str_z(a, hm_str_c(sqlite3_column_name(stmt, (int)i)));
  if (row && st->q->row)
    sqlite3_bind_text64(stmt, row, st->q->row->p, st->q->row->n, SQLITE_STATIC, SQLITE_UTF8);
  if (!rc && !check)
    rc = read_rows(st, db, stmt, a, out, first, err);
  sqlite3_finalize(stmt);
  return rc;
}

int hm_sandbox_run(hm_sandbox *s, const hm_sandbox_query *q, bool check, hm_arena *a,
                   hm_sandbox_result *out, hm_err *err) {
  hm_sandbox_state st = { .s = s, .q = q, .scratch = hm_arena_new() };
  *out = (hm_sandbox_result){ 0 };
  hm_sqlite_memory_limit_begin(q->bytes);
  st.until = processor_ns() + q->steps * NS_A_STEP;
  sqlite3 *db = open_sandbox(&st);
  int rc = -1;
  if (db)
    rc = run(&st, db, check, a, out, err);
  sqlite3_close(db);
  if (hm_sqlite_memory_limit_end())
    rc = fail_at(&st, skip_comments(q->sql, 0), "stopped: it takes more memory than a rule may",
                 "read less at once", err);
  else if (!db)
    hm_fail(err, HM_E_INTERNAL, q->file, "the sandbox does not open", "");
  out->reads = st.reads;
  memcpy(out->reads_columns, st.reads_columns, sizeof out->reads_columns);
  out->reads_now = st.reads_now;
  out->steps = st.steps;
  hm_arena_free(st.scratch);
  return rc ? -1 : 0;
}
