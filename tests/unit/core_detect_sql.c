/* Rules in SQL: the header of a file, what the sandbox refuses and where it stops, what a result
 * becomes. */
#include "core_detect_help.h"
#include "core/detect/sql_rule.h"

#define HEAD "-- id: a/b\n-- description: It is wrong.\n-- reads: entities, relations\n\n"

typedef struct { hm_arena *a; hm_snapshot *snap; hm_err err; hm_sql_result result; } world;

static int setup(void **state) {
  world *w = calloc(1, sizeof *w);
  static const char *const projects[] = { "", "p05" };
  w->a = hm_arena_new();
  hm_row rows[] = {
    { .layer = HM_ENTITY, .status = HM_ACTIVE, .project = 1, .id = HM_STR("e1"),
      .type = HM_STR("Person"), .name = HM_STR("Ada"), .valid_from = HM_STR("1815"),
      .valid_until = HM_STR("1852"), .props = HM_STR("{\"Birth Place\":\"London\",\"n\":3}") },
    { .layer = HM_ENTITY, .status = HM_SUPERSEDED, .project = 1, .id = HM_STR("e2"),
      .type = HM_STR("person"), .name = HM_STR("Bob"), .props = HM_STR("{broken"),
      .superseded_by = HM_STR("e1") },
    { .layer = HM_RELATION, .status = HM_ACTIVE, .project = 1, .id = HM_STR("r1"),
      .type = HM_STR("knows"), .from = HM_STR("entity:e1"), .to = HM_STR("e2") },
  };
  w->snap = help_snapshot(w->a, projects, 2, rows, 3);
  w->snap->now = 1000;
  *state = w;
  return 0;
}

static int teardown(void **state) {
  world *w = *state;
  hm_arena_free(w->a);
  free(w);
  return 0;
}

static hm_sql_rules one_rule(world *w, hm_sql_rule *r, const char *text) {
  if (hm_sql_rule_parse(w->a, hm_str_c(text), "rules/x.sql", r, &w->err))
    fail_msg("%s: %s", w->err.what, w->err.why);
  return (hm_sql_rules){ r, 1 };
}

static int by_first_row(const void *x, const void *y) {
  const hm_finding *a = x, *b = y;
  return a->n_rows && b->n_rows ? hm_str_cmp(a->rows[0], b->rows[0]) : 0;
}

/* Runs HEAD and this SELECT; the findings' messages, separated by '|', or why it failed. */
static const char *run_sql(world *w, const char *sql) {
  hm_sql_rule r;
  hm_sql_rules rules = one_rule(w, &r, hm_str_fmt(w->a, HEAD "%s", sql).p);
  hm_sql_facts facts = { .snap = w->snap, .rules = hm_rules_default() };
  hm_buf b = { 0 };
  hm_sql_rules_run(&rules, &facts, 1, w->a, &w->result);
  if (w->result.runs[0].failed) {
    assert_int_equal(w->result.n, 1);
    assert_true(hm_str_is(w->result.findings[0].severity, "info"));
    return w->result.runs[0].why;
  }
  if (w->result.n) qsort(w->result.findings, w->result.n, sizeof(hm_finding), by_first_row);
  for (size_t i = 0; i < w->result.n; i++) {
    const hm_finding *f = &w->result.findings[i];
    hm_buf_fmt(&b, "%s", i ? "|" : "");
    for (size_t k = 0; k < f->n_rows; k++)
      hm_buf_fmt(&b, "%s%.*s", k ? "+" : "", HM_FMT(f->rows[k]));
    hm_buf_fmt(&b, " %.*s", HM_FMT(f->message));
  }
  return hm_str_z(w->a, hm_buf_take(&b, w->a));
}

/* What an expression gives for each row of entities, by id. */
static const char *value(world *w, const char *expression) {
  const char *sql = hm_str_fmt(w->a, "SELECT ref AS row, %s AS v FROM entities", expression).p;
  return run_sql(w, sql);
}

static void results(void **state) {
  world *w = *state;
  assert_string_equal(run_sql(w, "SELECT ref AS row FROM entities WHERE type = 'PERSON'"),
                      "entity:e1 It is wrong.|entity:e2 It is wrong.");
  assert_true(hm_str_is(w->result.findings[0].rule, "a/b"));
  assert_true(hm_str_is(w->result.findings[0].project, "p05"));
  assert_true(hm_str_is(w->result.findings[0].severity, "warn"));
  /* Ids of entities will do; others are shown; NULLs are not. */
  assert_string_equal(run_sql(w, "SELECT from_id AS row1, to_id AS row2, type, NULL AS x,"
                                 " 1.5 AS y FROM relations"),
                      "entity:e1+entity:e2 It is wrong (type knows, y 1.5).");
  assert_string_equal(run_sql(w, "SELECT 'nobody' AS row, 'Said' AS message, 'a' AS expected,"
                                 " 'b' AS actual"), "entity:nobody Said");
  assert_true(hm_str_is(w->result.findings[0].expected, "a"));
  assert_true(hm_str_is(w->result.findings[0].actual, "b"));
  /* A pair from both sides is one finding. */
  assert_string_equal(run_sql(w, "SELECT a.ref AS row1, b.ref AS row2, a.name AS message"
                                 " FROM entities a JOIN entities b ON a.id <> b.id"),
                      "entity:e1+entity:e2 Ada");
  assert_string_equal(run_sql(w, "SELECT ref AS row FROM entities UNION ALL"
                                 " SELECT ref FROM entities"),
                      "entity:e1 It is wrong.|entity:e2 It is wrong.");
}

static void columns_and_functions(void **state) {
  world *w = *state;
  assert_string_equal(run_sql(w, "SELECT e.ref AS row, f.name FROM relations r"
                                 " JOIN entities e ON e.id = r.from_id"
                                 " JOIN entities f ON f.ref = r.to_ref"),
                      "entity:e1 It is wrong (name Bob).");
  assert_string_equal(run_sql(w, "SELECT ref AS row FROM entities WHERE superseded_by ="
                                 " 'entity:e1' AND status = 'superseded'"),
                      "entity:e2 It is wrong.");
  assert_string_equal(value(w, "prop(properties, 'birth_place')"),
                      "entity:e1 It is wrong (v London).|entity:e2 It is wrong.");
  assert_string_equal(value(w, "of_row(superseded_by, 'name')"),
                      "entity:e1 It is wrong.|entity:e2 It is wrong (v Ada).");
  assert_string_equal(value(w, "coalesce(of_row('entity:e9', 'id'), of_row(ref, 'none'),"
                               " of_row('memory:' || id, 'id'), of_row(id, 'ref'))"),
                      "entity:e1 It is wrong (v entity:e1).|entity:e2 It is wrong (v entity:e2).");
  assert_string_equal(value(w, "prop(properties, 'n') + 1"),
                      "entity:e1 It is wrong (v 4).|entity:e2 It is wrong.");
  assert_string_equal(value(w, "time_in_window('1830', valid_from, valid_until)"),
                      "entity:e1 It is wrong (v 1).|entity:e2 It is wrong (v 1).");
  assert_string_equal(value(w, "time_in_window('1900', valid_from, valid_until) = 0"),
                      "entity:e1 It is wrong (v 1).|entity:e2 It is wrong (v 0).");
  assert_string_equal(value(w, "time_windows_overlap('1800', '1820', valid_from, valid_until)"),
                      "entity:e1 It is wrong (v 1).|entity:e2 It is wrong (v 0).");
  assert_string_equal(value(w, "time_before('1850-01', '1850') IS NULL"),
                      "entity:e1 It is wrong (v 1).|entity:e2 It is wrong (v 1).");
  assert_string_equal(value(w, "time_windows_overlap('soon', NULL, '1850', NULL)"),
                      "entity:e1 It is wrong.|entity:e2 It is wrong.");
  assert_string_equal(value(w, "now()"), "entity:e1 It is wrong (v 1970-01-01T00:00:00.001Z)."
                                         "|entity:e2 It is wrong (v 1970-01-01T00:00:00.001Z).");
}

static void json_tables(void **state) {
  world *w = *state;
  assert_string_equal(run_sql(w,
                              "SELECT e.ref AS row, j.key AS k FROM entities e,"
                              " json_each(e.properties) j WHERE e.id = 'e1'"
                              " AND j.atom = 3"),
                      "entity:e1 It is wrong (k n).");
}

/* What a result says besides its rows is cut, name by name and in all. */
static void long_messages(void **state) {
  world *w = *state;
  hm_buf b = { 0 };
  for (int i = 0; i < 40; i++) hm_buf_fmt(&b, ", printf('%%.*c', 900, 'v') AS a%0900d", i);
  const char *sql = hm_str_fmt(w->a, "SELECT ref AS row%.*s FROM entities WHERE id = 'e1'",
                               HM_FMT(hm_buf_view(&b)))
                        .p;
  hm_buf_free(&b);
  size_t n = strlen(run_sql(w, sql));
  assert_true(n > 900 && n < 1500);
}

/* Rules may ask whether one row is given, as they could for a write; none is. */
static void no_row_is_given(void **state) {
  world *w = *state;
  assert_string_equal(run_sql(w, "SELECT ref AS row FROM entities WHERE :row IS NULL OR ref = :row"),
                      "entity:e1 It is wrong.|entity:e2 It is wrong.");
}

static void refused(void **state) {
  world *w = *state;
  static const struct { const char *sql, *why; } cases[] = {
    { "DELETE FROM entities", "x.sql:5: it does something else than to read" },
    { "INSERT INTO entities(id) VALUES ('x')", "something else" },
    { "UPDATE entities SET name = 'x'", "something else" },
    { "CREATE TABLE t(x)", "something else" },
    { "CREATE TEMP TABLE t AS SELECT * FROM entities", "something else" },
    { "DROP TABLE entities", "something else" },
    { "ATTACH '/tmp/x.db' AS x", "something else" },
    { "PRAGMA user_version", "something else" },
    { "VACUUM INTO '/tmp/x.db'", "something else" },
    { "BEGIN", "something else" },
    { "EXPLAIN SELECT ref AS row FROM entities", "something else" },
    { "SELECT name AS row FROM sqlite_schema", "is SQLite's own" },
    { "SELECT name AS row FROM pragma_function_list", "something else" },
    { "SELECT ref AS row, random() FROM entities", "random() gives something else each time" },
    { "SELECT ref AS row, date('now') FROM entities", "date() may know the clock" },
    { "SELECT ref AS row, CURRENT_TIMESTAMP FROM entities", "current_timestamp() knows the clock" },
    { "SELECT load_extension('x') AS row", "load_extension() would load a program" },
    { "SELECT sqlite_version() AS row", "none of the functions of rules" },
    { "SELECT readfile('/etc/passwd') AS row", "no such function" },
    { "SELECT src AS row FROM links", "the table links, which '-- reads:' does not name" },
    { "SELECT name FROM entities", "names no row" },
    { "SELECT nam AS row\nFROM\nentities", "x.sql:5: no such column: nam" },
    { "SELECT ref AS row FROM entities\nWHERE nam = 1", "x.sql:6: no such column: nam" },
    { "SELECT ref AS row FROM entities; SELECT 1", "a second statement" },
    { "-- nothing", "it holds no SELECT" },
    { "SELECT ref AS row FROM entities WHERE id = ?", "a parameter that is not :row" },
    { "SELECT ref AS row FROM entities WHERE id = \"x\"", "no such column" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    if (!strstr(run_sql(w, cases[i].sql), cases[i].why))
      fail_msg("%s: %s", cases[i].sql, run_sql(w, cases[i].sql));
  assert_string_equal(run_sql(w, "SELECT ref AS row FROM entities WHERE id = 'e1'; -- end\n"),
                      "entity:e1 It is wrong.");
}

#define ENDLESS "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) "

#define COLUMNS ",1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9"

/* Where each step is long and nothing counts what it does, time ends it. */
static void stopped_by_time(void **state) {
  world *w = *state;
  const hm_sql_facts facts = { .snap = w->snap, .rules = hm_rules_default() };
  hm_sandbox *s = hm_sandbox_new(hm_sql_world_new(&facts, 1, w->a));
  hm_sandbox_query q = {
    .file = "x.sql",
    .sql =
        HM_STR("WITH RECURSIVE a(s) AS MATERIALIZED (SELECT printf('%.*c', 20000, 'x')),"
               " t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t LIMIT 5000)"
               " SELECT sum(s GLOB '*xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy' || x) FROM t, a"),
    .steps = 200000,
    .bytes = 64 << 20,
    .rows = 10
  };
  hm_sandbox_result result;
  assert_int_equal(hm_sandbox_run(s, &q, false, w->a, &result, &w->err), -1);
  assert_non_null(strstr(w->err.why, "more steps than a rule may"));
  assert_true(result.steps < q.steps);
  hm_sandbox_free(s);
}

static void stopped(void **state) {
  world *w = *state;
  static const struct { const char *sql, *why;
  } cases[] = {
    { ENDLESS "SELECT 'entity:e1' AS row FROM t WHERE x < 0", "more steps than a rule may" },
    { ENDLESS "SELECT 'entity:e1' AS row FROM t", "more rows in its result than a rule may" },
    { ENDLESS "SELECT 'entity:e1' AS row, printf('%100000d', x) FROM t", "bytes in its result" },
    { ENDLESS "SELECT 'entity:e1' AS row FROM t ORDER BY printf('%100000d', x)",
      "more memory than a rule may" },
    { "SELECT 'entity:e1' AS row, replace(printf('%3000000d', 1), ' ', 'xx')", "more than 4 MiB" },
    /* Long texts are steps, too, and numbers take room. */
    { ENDLESS "SELECT 'entity:e1' AS row, sum(length(printf('%4000000d', x))) FROM t",
      "more steps than a rule may" },
    { ENDLESS "SELECT 'entity:e1' AS row" COLUMNS COLUMNS COLUMNS COLUMNS " FROM t",
      "bytes in its result" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    if (!strstr(run_sql(w, cases[i].sql), cases[i].why))
      fail_msg("%s: %s", cases[i].sql, run_sql(w, cases[i].sql));
  assert_string_equal(run_sql(w, "SELECT 'entity:e1' AS row"), "entity:e1 It is wrong.");
}

/* A subquery that runs for each row finds its rows by an index, not by reading all. */
static void looked_up(void **state) {
  world *w = *state;
  enum { N = 3000 };
  static const char *const projects[] = { "", "p05" };
  static const char *const columns[] = { "name", "ref", "id", "superseded_by" };
  hm_row *rows = hm_alloc_array(w->a, N, sizeof *rows);
  for (size_t i = 0; i < N; i++) {
    hm_str id = hm_str_fmt(w->a, "e%zu", i);
    rows[i] = help_entity(id.p, hm_str_fmt(w->a, "T%zu", i).p, 1, id.p, "{}");
    rows[i].superseded_by = hm_str_fmt(w->a, "e%zu", i + 1);
  }
  w->snap = help_snapshot(w->a, projects, 2, rows, N);
  for (size_t i = 0; i < HM_COUNT(columns); i++) {
    const char *c = columns[i];
    run_sql(w, hm_str_fmt(w->a, "SELECT e.ref AS row FROM entities e WHERE (SELECT count(*) FROM"
                                " entities o WHERE o.%s = e.%s AND o.type = e.type) <> 1", c, c).p);
    assert_int_equal(w->result.n, 0);
    assert_true(w->result.runs[0].steps < 100 * N);
  }
}

/* Rules that fail stop no other, and any number of threads gives the same. */
static void many(void **state) {
  world *w = *state;
  enum { N = 12 };
  hm_sql_rule rules[N];
  hm_sql_facts facts = { .snap = w->snap, .rules = hm_rules_default() };
  hm_sql_rules all = { rules, N };
  hm_sql_result result[2];
  for (size_t i = 0; i < N; i++) {
    const char *sql = i % 3 ? "SELECT ref AS row FROM entities" : "SELECT 1 AS row FROM nothing";
    one_rule(w, &rules[i], hm_str_fmt(w->a, HEAD "%s", sql).p);
    rules[i].id = hm_str_fmt(w->a, "rule-%zu", i);
    rules[i].off = i == 5;
  }
  for (int k = 0; k < 2; k++) {
    hm_sql_rules_run(&all, &facts, k ? 4 : 1, w->a, &result[k]);
    hm_findings_sort(result[k].findings, result[k].n);
    assert_int_equal(result[k].n, 4 + 2 * 7);
  }
  assert_true(hm_findings_equal(result[0].findings, result[0].n, result[1].findings, result[1].n));
}

static void headers(void **state) {
  world *w = *state;
  static const struct { const char *text, *what, *why; } cases[] = {
    { "", "rules/x.sql:1: id", "missing" },
    { "-- id: a\n\n-- description: d\nSELECT 1", "rules/x.sql:1: description", "missing" },
    { "-- id: A b\n-- description: d\n-- reads: rows\n", "x.sql:1: id", "not a name" },
    { "-- id: a\n-- id: b\n", "x.sql:2: id", "given twice" },
    { "-- id: a\n-- severty: warn\n", "x.sql:2: severty", "unknown key" },
    { "-- id: a\n-- just words\n", "x.sql:2", "no line of a header" },
    { "-- id: a\n-- description: d\n-- reads: entitis\n", "x.sql:3: reads", "no table 'entitis'" },
    { "-- id: a\n-- description: d\n-- reads: rows\n-- severity: bad\n", "x.sql:4: severity",
      "no such severity" },
    { "-- id: a\n-- description: d\n-- reads: rows\n-- kind: bad\n", "x.sql:4: kind", "no such kind" },
    { "-- id: a\n-- description: \n-- reads: rows\n", "x.sql:2: description", "empty" },
    { "-- id: a\n-- description: d\x01\n-- reads: rows\n", "x.sql:2: description", "not show" },
  };
  hm_sql_rule r;
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    assert_int_equal(
        hm_sql_rule_parse(w->a, hm_str_c(cases[i].text), "rules/x.sql", &r, &w->err), -1);
    if (!strstr(w->err.what, cases[i].what) || !strstr(w->err.why, cases[i].why))
      fail_msg("%s: %s: %s", cases[i].text, w->err.what, w->err.why);
    assert_true(w->err.fix[0] != 0);
  }
  assert_int_equal(hm_sql_rule_parse(w->a,
                                     HM_STR("\xEF\xBB\xBF-- id: a/b-c\r\n-- description: d\r\n"
                                            "--   and more\r\n-- reads: rows, links\r\n"
                                            "-- severity: error\n-- kind: orphan\n-- reason: r\n"
                                            "-- expected: e\n-- section: S\n\n-- free: text\n"),
                                     "x", &r, &w->err),
                   0);
  assert_true(hm_str_is(r.description, "d and more") && hm_str_is(r.id, "a/b-c"));
  assert_true(hm_str_is(r.section, "S") && hm_str_is(r.reason, "r") && hm_str_is(r.expected, "e"));
  assert_string_equal(r.kind, "orphan");
  assert_int_equal(r.severity, HM_SEVERITY_ERROR);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(results, setup, teardown),
    cmocka_unit_test_setup_teardown(columns_and_functions, setup, teardown),
    cmocka_unit_test_setup_teardown(json_tables, setup, teardown),
    cmocka_unit_test_setup_teardown(long_messages, setup, teardown),
    cmocka_unit_test_setup_teardown(no_row_is_given, setup, teardown),
    cmocka_unit_test_setup_teardown(refused, setup, teardown),
    cmocka_unit_test_setup_teardown(stopped, setup, teardown),
    cmocka_unit_test_setup_teardown(stopped_by_time, setup, teardown),
    cmocka_unit_test_setup_teardown(looked_up, setup, teardown),
    cmocka_unit_test_setup_teardown(many, setup, teardown),
    cmocka_unit_test_setup_teardown(headers, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
