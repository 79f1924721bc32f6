/* What a write costs does not depend on the size of the store: counted in the steps of SQLite's
 * machine, and no statement of it goes through a table. */
#include "tests/unit/core_review_help.h"
#include "core/review/conflict_query.h"
#include "core/store/sqlite_impl.h"

typedef struct { world *w; long steps, scanned; char sql[1 << 16]; } watch;

/* Each statement as it ends. */
static int ended(unsigned what, void *ctx, void *statement, void *unused) {
  watch *o = ctx;
  sqlite3_stmt *st = statement;
  (void)unused;
  if (what != SQLITE_TRACE_PROFILE) return 0;
  o->steps += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_VM_STEP, 1);
  o->scanned += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);
  const char *sql = sqlite3_sql(st);
  if (sql && !strstr(o->sql, sql) && strlen(o->sql) + strlen(sql) + 2 < sizeof o->sql)
    strcat(strcat(o->sql, sql), "\n");
  return 0;
}

static void fill(world *w, int rows) {
  hm_buf b = { 0 };
  hm_buf_c(
      &b,
      "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"alias\"]}\n{\"kind\":\"entity\",\"id\":\"c\",\"entity_type\":\"Component\",\"name\":\"leg\",\"project\":\"p\"}\n");
  for (int i = 0; i < rows; i++) {
    hm_buf_fmt(&b, "{\"kind\":\"project\",\"id\":\"q%d\",\"aliases\":[\"qa%d\"]}\n", i, i);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"project_state\",\"id\":\"s%d\",\"project\":\"q%d\",\"key\":\"material\",\"value\":\"A\",\"category\":\"part\"}\n",
        i, i);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"entity\",\"id\":\"e%d\",\"entity_type\":\"Part\",\"name\":\"n%d\",\"project\":\"p\",\"properties\":{\"mass\":%d}}\n",
        i, i, i);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"entity\",\"id\":\"x%d\",\"entity_type\":\"Material\",\"name\":\"n%d\",\"project\":\"qa%d\",\"properties\":{\"component_id\":\"e%d\",\"material\":\"m\"}}\n",
        i, i, i, i);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"memory\",\"id\":\"m%d\",\"memory_type\":\"knowledge\",\"project\":\"q%d\",\"content\":\"material is B\"}\n",
        i, i); /* a conflict each */
  }
  create(w);
  ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
  hm_buf_free(&b);
}

/* One of each write, and a look; every run in a slot of its own. */
static void write_some(world *w, int run) {
  char text[400];
  hm_sweep look;
  const hm_str key = HM_STR("[\"q7\",\"material\"]");
  snprintf(
      text, sizeof text,
      "{\"id\":\"a%d\",\"project\":\"alias\",\"key\":\"leg %d color\",\"value\":\"steel\",\"category\":\"part\"}",
      run, run);
  add(w, HM_STATE, text);
  snprintf(
      text, sizeof text,
      "{\"id\":\"b%d\",\"entity_type\":\"Part\",\"project\":\"p\",\"name\":\"leg\",\"properties\":{\"r%d\":\"x\"}}",
      run, run);
  add(w, HM_ENTITY, text);
  snprintf(
      text, sizeof text,
      "{\"id\":\"c%d\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"content\":\"leg %d color is brass\",\"status\":\"candidate\"}",
      run, run);
  add(w, HM_MEMORY, text);
  snprintf(
      text, sizeof text,
      "{\"id\":\"r%d\",\"type\":\"RULES\",\"project\":\"p\",\"from\":\"e%d\",\"to\":\"c\",\"valid_from\":\"%d\",\"valid_until\":\"%d\"}",
      run, run, 1900 + run, 1901 + run);
  add(w, HM_RELATION, text);
  snprintf(text, sizeof text, "memory:c%d", run);
  assert_int_equal(promote(w, text).n_conflicts, 1);
  char entity[400];
  snprintf(
      entity, sizeof entity,
      "{\"id\":\"g%d\",\"entity_type\":\"Material\",\"name\":\"g\",\"properties\":{\"component_id\":\"c\",\"material\":\"brass%d\"}}",
      run, run);
  graduate(w, text, entity);
  snprintf(text, sizeof text, "entity:b%d", run);
  edit(w, text, "{\"name\":\"arm\"}");
  snprintf(text, sizeof text, "project_state:a%d", run);
  edit(w, text, "{\"value\":\"brass\",\"status\":\"invalid\"}");
  ok(w, hm_query_slots(w->s, hm_rules_default(), &key, 1, w->a, &look, &w->err));
  assert_int_equal(look.disputes->n, 1);
  hm_sweep_free(&look);
}

static int count_conflict(void *ctx, const hm_sweep *w, const hm_conflict_rec *c, hm_arena *a,
                          hm_err *err) {
  (void)w; (void)c; (void)a; (void)err;
  ++*(int *)ctx;
  return 0;
}

/* Questions about one conflict and one project, while the change of another program is pending.
 * Counted in rows, too: those of the slots, and what they depend on. */
static void ask_some(world *w, int run) {
  char q[200];
  hm_conflict_answer answer;
  hm_conflict_list list;
  const hm_str project = HM_STR("q7");
  int n = 0;
  snprintf(q, sizeof q, "UPDATE project_state SET value = 'A%d' WHERE id = 's9'", run);
  sql(w, q);
  hm_str id = hm_str_c(ask(w, "SELECT id FROM conflicts WHERE slot_key = '[\"q7\",\"material\"]'"));
  ok(w, hm_query_conflict(w->s, hm_rules_default(), id, w->a, &answer, &w->err));
  assert_true(answer.known);
  assert_int_equal(answer.sweep.disputes->n, 2);
  assert_true(answer.sweep.snap->n_rows <= 20);   /* states of a category: with some entities of that type */
  hm_sweep_free(&answer.sweep);
  ok(w, hm_query_conflicts(w->s, hm_rules_default(), &(hm_conflict_query){ .project = &project },
                           count_conflict, &n, &list, &w->err));
  assert_true(list.known && list.n == 1 && n == 1);
  assert_true(list.rows <= 40);
}

static void measure(world *w, int rows, watch *out) {
  fill(w, rows);
  write_some(w, 0);   /* makes the index, and all conflicts */
  *out = (watch){ .w = w };
  sqlite3_trace_v2(w->s->sqlite->db, SQLITE_TRACE_PROFILE, ended, out);
  write_some(w, 1);   /* statements that are kept still count what making the index took */
  out->steps = out->scanned = 0;
  write_some(w, 2);
  sqlite3_trace_v2(w->s->sqlite->db, 0, NULL, NULL);
}

static void measure_questions(world *w, int rows, watch *out) {
  fill(w, rows);
  write_some(w, 0);
  *out = (watch){ .w = w };
  ask_some(w, 0);
  sqlite3_trace_v2(w->s->sqlite->db, SQLITE_TRACE_PROFILE, ended, out);
  ask_some(w, 1);
  out->steps = out->scanned = 0;
  ask_some(w, 2);
  sqlite3_trace_v2(w->s->sqlite->db, 0, NULL, NULL);
}

static void empty_it(world *w) {
  hm_store_close(w->s);
  w->s = NULL;
  unlink(w->path);
}

static void a_write_costs_the_same_in_a_large_store(void **state) {
  world *w = *state;
  static watch small, large;
  measure(w, 20, &small);
  empty_it(w);
  measure(w, 1000, &large);
  assert_true(small.steps > 1000);
  if (large.steps > small.steps + small.steps / 10)
    fail_msg("%ld steps with 20 rows of each, %ld with 1000", small.steps, large.steps);
  /* One statement counts the objects of the schema. */
  assert_true(large.scanned <= small.scanned && large.scanned < 120);
}

/* But for the names of the projects that have conflicts: a few steps each. */
static void a_question_costs_the_same_in_a_large_store(void **state) {
  world *w = *state;
  static watch small, large;
  measure_questions(w, 20, &small);
  empty_it(w);
  measure_questions(w, 1000, &large);
  assert_true(small.steps > 500);
  if (large.steps > small.steps + small.steps / 10 + 980 * 60)
    fail_msg("%ld steps with 20 rows of each, %ld with 1000", small.steps, large.steps);
  assert_true(large.scanned <= small.scanned);
}

/* By the plan too: a table of a few rows would hide a scan from the count. */
static void no_statement_goes_through_a_table(void **state) {
  world *w = *state;
  static watch o;
  sqlite3 *db;
  int plans = 0;
  measure(w, 100, &o);
  assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
  for (char *line = strtok(o.sql, "\n"); line; line = strtok(NULL, "\n")) {
    sqlite3_stmt *st;
    char q[4096];
    snprintf(q, sizeof q, "EXPLAIN QUERY PLAN %s", line);
    if (strncmp(line, "BEGIN", 5) == 0 || strncmp(line, "COMMIT", 6) == 0 ||
        strncmp(line, "PRAGMA", 6) == 0)
      continue;
    assert_int_equal(sqlite3_prepare_v2(db, q, -1, &st, NULL), SQLITE_OK);
    for (; sqlite3_step(st) == SQLITE_ROW; plans++) {
      const char *detail = (const char *)sqlite3_column_text(st, 3);
      /* One row; and what has changed since the last write. */
      if (strncmp(detail, "SCAN", 4) || strstr(detail, "claim_index") ||
          strstr(line, "FROM changes ORDER BY seq DESC LIMIT 1"))
        continue;
      if (strstr(line, "FROM journal ORDER BY seq DESC LIMIT 1") || strstr(line, "sqlite_schema") ||
          strstr(detail, "CONSTANT ROW"))
        continue;
      fail_msg("%s: %s", detail, line);
    }
    sqlite3_finalize(st);
  }
  sqlite3_close(db);
  assert_true(plans > 15);
}

/* Two entities that differ in each of n properties, and a slot with n conflicts at different times. */
static long change_among(world *w, int n, size_t *listed) {
  hm_buf b = { 0 };
  static watch o;
  hm_conflict_list list;
  int given = 0;
  create(w);
  for (int e = 1; e <= 2; e++) {
    hm_buf_fmt(&b, "{\"kind\":\"entity\",\"id\":\"e%d\",\"entity_type\":\"Part\",\"name\":\"leg\",\"project\":\"p\",\"properties\":{\"k\":1", e);
    for (int i = 0; i < n; i++) hm_buf_fmt(&b, ",\"k%d\":\"v%d\"", i, e);
    hm_buf_c(&b, "}}\n");
  }
  for (int i = 0; i < 2 * n; i++)
    hm_buf_fmt(&b, "{\"kind\":\"project_state\",\"id\":\"s%d\",\"project\":\"p\",\"key\":\"k\",\"value\":\"v%d\",\"valid_from\":\"%d-01\",\"valid_until\":\"%d-06\"}\n",
               i, i % 2, 1000 + i / 2, 1000 + i / 2);
  ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
  hm_buf_free(&b);
  edit(w, "entity:e1", "{\"description\":\"a\"}");
  o = (watch){ .w = w };
  sqlite3_trace_v2(w->s->sqlite->db, SQLITE_TRACE_PROFILE, ended, &o);
  edit(w, "entity:e1", "{\"description\":\"b\"}");
  sqlite3_trace_v2(w->s->sqlite->db, 0, NULL, NULL);
  ok(w, hm_query_conflicts(w->s, hm_rules_default(), &(hm_conflict_query){ 0 }, count_conflict,
                           &given, &list, &w->err));
  assert_int_equal(given, 2 * n);
  *listed = list.rows;
  return o.steps;
}

/* A row in many disputes is asked once, a slot with many is read once. */
static void many_disputes_cost_no_square(void **state) {
  world *w = *state;
  size_t rows;
  long few = change_among(w, 100, &rows);
  empty_it(w);
  long many = change_among(w, 800, &rows);
  if (many > 16 * few) fail_msg("%ld steps with 100 disputes of a row, %ld with 800", few, many);
  if (rows > 2 * 2 * 800) fail_msg("%zu rows read for a slot of 1,600", rows);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(a_write_costs_the_same_in_a_large_store),
                                      T(a_question_costs_the_same_in_a_large_store),
                                      T(no_statement_goes_through_a_table),
                                      T(many_disputes_cost_no_square) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
