/* A large store of another program: read on all cores or whole, its rows are the same. */
#include "core/sqlite/sql.h"
#include "tests/unit/core_store_help.h"

enum { N = 40000 };

#define FILL(from, columns) "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE" \
    " i < 40000) INSERT INTO " from " SELECT " columns " FROM n;"

static const char memories[] =
    "CREATE TABLE memories (id TEXT, content TEXT, project TEXT, confidence REAL, created_at TEXT);"
    FILL("memories", "'m' || (i * 7 % 40000), 'text ' || i, 'p' || (i % 300), (i % 100) / 100.0,"
         " '2026-01-01T00:' || substr('0' || (i % 60), -2) || ':00Z'");

static hm_snapshot *read_foreign(world *w, const hm_store_map *map, size_t n_map) {
  char review[128];
  hm_snapshot *s;
  snprintf(review, sizeof review, "%s/t.db", w->dir);
  const hm_store_source src = { .path = w->path, .review = review, .map = map, .n_map = n_map };
  hm_store_close(w->s);
  w->s = NULL;
  ok(w, hm_store_open_source(&w->s, &src, HM_STORE_READ, 50, &w->err));
  ok(w, hm_store_snapshot(w->s, w->a, true, &s, &w->err));
  s->digest = hm_snapshot_digest(s, w->a);
  return s;
}

/* Does a second connection read beside the first one? */
static bool has_second(world *w) {
  ok(w, hm_store_begin(w->s, false, &w->err));
  hm_store *twin = hm_store_second_reader(w->s);
  bool has = twin != NULL;
  hm_store_close(twin);
  ok(w, hm_store_commit(w->s, &w->err));
  return has;
}

/* Parts by row numbers, tables whole beside each other, and one connection say the same. */
static void all_ways_of_reading(void **state) {
  static const struct { const char *sql; bool second; } ways[] = {
    { "SELECT 1", true },                                             /* parts */
    { "UPDATE memories SET rowid = rowid + 1000000000 WHERE rowid = 78", true }, /* gaps */
    { "UPDATE memories SET rowid = -rowid WHERE rowid = 79", true },
    { "ALTER TABLE memories RENAME TO old; CREATE TABLE memories (id TEXT PRIMARY KEY, content,"
      " project, confidence REAL, created_at) WITHOUT ROWID; INSERT INTO memories SELECT * FROM"
      " old; DROP TABLE old", true },
    { "ALTER TABLE memories ADD COLUMN rowid TEXT DEFAULT 'x'", true }, /* no row number */
    { "PRAGMA journal_mode = WAL", false },
  };
  world *w = *state;
  hm_str digest = HM_EMPTY;
  sql(w, memories);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    sql(w, ways[i].sql);
    hm_snapshot *s = read_foreign(w, NULL, 0);
    assert_int_equal(has_second(w), ways[i].second);
    assert_int_equal(s->n_rows, N);
    assert_int_equal(s->n_projects, 300);
    assert_str(s->newest, "2026-01-01T00:59:00Z");
    if (i) assert_true(hm_str_eq(digest, s->digest));
    digest = s->digest;
  }
}

/* A table, a view of theirs and a SELECT, each in a thread. */
static void by_a_map(void **state) {
  static const hm_store_map map[] = {
    { .layer = HM_STR("memories"), .select = HM_STR("SELECT id, content, project FROM memories") },
    { .layer = HM_STR("entities"), .table = HM_STR("things") },
    { .layer = HM_STR("project_state"), .table = HM_STR("states") },
  };
  world *w = *state;
  sql(w, memories);
  sql(w, "CREATE TABLE base (id TEXT, name TEXT);" FILL("base", "'e' || i, 'Pump ' || i")
         "CREATE VIEW things AS SELECT id, name FROM base;"
         "CREATE TABLE states (key TEXT, value TEXT);" FILL("states", "'k' || i, i"));
  hm_snapshot *s = read_foreign(w, map, 3);
  assert_true(has_second(w));
  assert_int_equal(s->n_rows, 3 * N);
  for (size_t i = 0; i < s->n_rows; i++) {
    const hm_row *r = &s->rows[i];
    hm_str number = hm_str_sub(r->id, r->layer == HM_STATE ? 0 : 1, r->id.n);
    if (r->layer == HM_ENTITY) assert_true(hm_str_eq(hm_str_sub(r->name, 5, r->name.n), number));
    if (r->layer == HM_STATE) assert_true(hm_str_eq(r->text, number));
  }
}

/* The error is that of the first layer that has one, whichever thread met it. */
static void a_select_that_fails(void **state) {
  static const hm_store_map map[] = {
    { .layer = HM_STR("memories"), .select = HM_STR("SELECT id, content FROM memories") },
    { .layer = HM_STR("entities"),
      .select = HM_STR("SELECT id, json_extract(content, '$.a') AS name FROM memories") },
  };
  world *w = *state;
  char review[128], line[1024];
  hm_snapshot *s;
  sql(w, memories);
  snprintf(review, sizeof review, "%s/t.db", w->dir);
  const hm_store_source src = { .path = w->path, .review = review, .map = map, .n_map = 2 };
  ok(w, hm_store_open_source(&w->s, &src, HM_STORE_READ, 50, &w->err));
  assert_int_equal(hm_store_snapshot(w->s, w->a, true, &s, &w->err), -1);
  hm_err_format_line(&w->err, line, sizeof line);
  assert_non_null(strstr(line, "entities: its select fails"));
  assert_non_null(strstr(line, w->path));
}

/* A writer that waits for the reader lets no other reader in; a new file at the path is none. */
static void who_writes_meanwhile(void **state) {
  world *w = *state;
  char copy[128];
  hm_snapshot *s;
  sql(w, memories);
  read_foreign(w, NULL, 0);
  ok(w, hm_store_begin(w->s, false, &w->err));
  sqlite3 *db = waiting_writer(w);
  assert_null(hm_store_second_reader(w->s));
  ok(w, hm_store_snapshot(w->s, w->a, true, &s, &w->err));
  for (size_t i = 0; i < s->n_rows; i++) assert_false(hm_str_is(s->rows[i].text, "after"));
  sqlite3_close(db);
  snprintf(copy, sizeof copy, "%s/copy.db", w->dir);
  assert_int_equal(rename(w->path, copy), 0);
  sql(w, "CREATE TABLE memories (id TEXT, content TEXT)");
  assert_null(hm_store_second_reader(w->s));
  ok(w, hm_store_commit(w->s, &w->err));
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(all_ways_of_reading),
    T(by_a_map),
    T(a_select_that_fails),
    T(who_writes_meanwhile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
