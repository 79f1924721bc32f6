/* What the change log must not miss: a change by another program of which no line tells, or a line
 * that was taken back. A write that follows would compare with what stood there before. */
#include "tests/unit/core_review_help.h"
#include "core/review/index_update.h"
#include "core/store/change_log.h"
#include "core/store/claim_index.h"
#include "core/store/sql_impl.h"

static void fill(world *w) {
  create(w);
  import(
      w,
      "{\"kind\":\"project\",\"id\":\"own\",\"aliases\":[\"al\"]}\n"
      "{\"kind\":\"project_state\",\"id\":\"s1\",\"project\":\"p\",\"key\":\"leg\",\"value\":\"A\"}\n");
  add(w, HM_STATE, "{\"id\":\"s2\",\"project\":\"p\",\"key\":\"first\",\"value\":\"A\"}");
  expect_sweep_changes_nothing(w);
}

/* Another program writes, and then we: both say what the beam is. */
static void contradict(world *w, const char *key) {
  char text[200];
  snprintf(text, sizeof text,
           "INSERT INTO project_state (id, project, key, value) VALUES ('t%s', 'p', '%s', '7 kg')",
           key, key);
  sql(w, text);
  snprintf(text, sizeof text, "{\"project\":\"p\",\"key\":\"%s\",\"value\":\"9 kg\"}", key);
  add(w, HM_STATE, text);
  expect_sweep_changes_nothing(w);
  snprintf(text, sizeof text, "SELECT count(*) FROM conflicts WHERE slot_key LIKE '%%%s%%'", key);
  assert_string_equal(ask(w, text), "1");
}

static const char rebuild[] =
    "BEGIN; CREATE TABLE new (id TEXT PRIMARY KEY NOT NULL, project TEXT NOT NULL DEFAULT '',"
    " category TEXT NOT NULL DEFAULT '', key TEXT, value TEXT, value_kind TEXT NOT NULL DEFAULT 'text',"
    " status TEXT NOT NULL DEFAULT 'active', source TEXT, confidence REAL, valid_from TEXT,"
    " valid_until TEXT, superseded_by TEXT, superseded_at TEXT, created_at TEXT, updated_at TEXT);"
    " INSERT INTO new SELECT * FROM project_state; %s; ALTER TABLE new RENAME TO project_state; COMMIT";

/* As a program does that adds or drops a column. The triggers are gone, and come again. */
static void a_rebuilt_table_is_logged_again(void **state) {
  world *w = *state;
  char text[1000];
  fill(w);
  snprintf(text, sizeof text, rebuild, "DROP TABLE project_state");
  sql(w, text);
  add(w, HM_STATE, "{\"project\":\"p\",\"key\":\"second\",\"value\":\"A\"}");
  contradict(w, "beam");
  assert_string_equal(
      ask(w, "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'project_state'"),
      "6");
}

/* Triggers would keep others from writing, or their names are taken: all rows are read each time. */
static void a_table_that_cannot_be_logged_is_read(void **state) {
  world *w = *state;
  char text[1000];
  for (int i = 0; i < 2; i++) {
    fill(w);
    snprintf(text, sizeof text, rebuild, "ALTER TABLE project_state RENAME TO old");
    sql(w, i ? text : "DROP TABLE links; CREATE TABLE links (src TEXT, dst TEXT, rel TEXT,"
                      " PRIMARY KEY (src, rel, dst)) WITHOUT ROWID");
    add(w, HM_STATE, "{\"project\":\"p\",\"key\":\"second\",\"value\":\"A\"}");
    contradict(w, "beam");
    contradict(w, "mast");
    if (!i) sql(w, "INSERT INTO links VALUES ('a', 'b', 'c')");
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
  }
}

/* Copies what these statements are asked of s.db for into t.db: statements that make it. */
static void make_again(sqlite3 *db, const char *which) {
  sqlite3_stmt *st;
  assert_int_equal(sqlite3_prepare_v2(db, which, -1, &st, NULL), SQLITE_OK);
  while (sqlite3_step(st) == SQLITE_ROW)
    assert_int_equal(sqlite3_exec(db, (const char *)sqlite3_column_text(st, 0), NULL, NULL, NULL),
                     SQLITE_OK);
  sqlite3_finalize(st);
}

/* The index of words stays behind: its tables are the module's, which makes them itself. */
#define DUMPED " AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'recall_words%'"

/* As the sqlite3 shell dumps a store and reads it in: tables, rows, then indexes and triggers. What
 * was edited meanwhile no trigger saw. */
static void a_store_that_was_dumped_is_read(void **state) {
  world *w = *state;
  char text[200];
  sqlite3 *db;
  fill(w);
  hm_store_close(w->s);
  w->s = NULL;
  snprintf(text, sizeof text, "%s/t.db", w->dir);
  assert_int_equal(sqlite3_open(text, &db), SQLITE_OK);
  snprintf(text, sizeof text, "ATTACH '%s' AS s", w->path);
  assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
  make_again(db, "SELECT sql FROM s.sqlite_schema WHERE type = 'table'" DUMPED);
  make_again(db, "SELECT 'INSERT OR REPLACE INTO main.' || name || ' SELECT * FROM s.' || name"
                 " FROM s.sqlite_schema WHERE type = 'table'" DUMPED);
  assert_int_equal(sqlite3_exec(db, "UPDATE project_state SET key = 'beam' WHERE id = 's2'", NULL,
                                NULL, NULL), SQLITE_OK);
  make_again(db, "SELECT sql FROM s.sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL");
  make_again(db, "SELECT 'PRAGMA application_id = 1213032818; PRAGMA user_version = 9'");
  sqlite3_close(db);
  snprintf(text, sizeof text, "%s/t.db", w->dir);
  assert_int_equal(rename(text, w->path), 0);
  open_mode(w, HM_STORE_WRITE);
  add(w, HM_STATE, "{\"project\":\"p\",\"key\":\"beam\",\"value\":\"9 kg\"}");
  expect_sweep_changes_nothing(w);
}

static void ignore(void *ctx, const hm_err *err) { (void)ctx; (void)err; }

/* The line that says that anything changed is written while a record is stored that is then
 * refused: what follows it is logged all the same. */
static void a_record_that_is_taken_back_takes_its_lines_only(void **state) {
  world *w = *state;
  hm_buf b = { 0 };
  fill(w);
  for (int i = 0; i < HM_LOG_LINES_MAX; i++)
    hm_buf_fmt(&b, "{\"kind\":\"memory\",\"id\":\"m%d\",\"memory_type\":\"episodic\",\"content\":\"x\"}\n", i);
  hm_buf_c(&b, "{\"kind\":\"project\",\"id\":\"bad\",\"aliases\":[\"al\"]}\n"
               "{\"kind\":\"project_state\",\"id\":\"s3\",\"project\":\"p\",\"key\":\"beam\",\"value\":\"7 kg\"}\n");
  ok(w, import_bytes(w, hm_buf_view(&b), true, ignore, NULL));
  hm_buf_free(&b);
  assert_int_equal(w->n.bad, 1);
  add(w, HM_STATE, "{\"project\":\"p\",\"key\":\"beam\",\"value\":\"9 kg\"}");
  expect_sweep_changes_nothing(w);
}

/* Who takes in the index what a transaction changed is told of what it changes afterwards. */
static void a_transaction_logs_after_a_stamp(void **state) {
  world *w = *state;
  hm_slot_set touched = { 0 };
  hm_row_keys changed = { 0 };
  fill(w);
  ok(w, hm_store_begin(w->s, true, &w->err));
  for (int i = 0; i <= HM_LOG_LINES_MAX; i++)
    ok(w, hm_log_add(w->s, HM_LOG_MEMORY, HM_STR("m"), &w->err));
  ok(w, hm_index_update(w->s, hm_rules_default(), &touched, &touched, &w->err));
  ok(w, hm_log_add(w->s, HM_LOG_MEMORY, HM_STR("later"), &w->err));
  ok(w, hm_index_read_changed_rows(w->s, 10, w->a, &changed, &w->err));
  assert_int_equal(changed.n, 1);
  hm_store_rollback(w->s);
  free(touched.v);
  free(changed.v);
}

/* A conflict or a member that gives way to another without a word: by id, rowid, anchor. */
static void a_conflict_that_is_replaced_is_logged(void **state) {
  static const char *const replace[] = {
    "UPDATE OR REPLACE conflicts SET id = 'c2' WHERE id = 'c1'",
    "UPDATE OR REPLACE conflicts SET rowid = 2 WHERE id = 'c1'",
    "UPDATE OR REPLACE conflict_members SET rowid = 2 WHERE conflict_id = 'c1'",
    "REPLACE INTO conflict_members (rowid, conflict_id, member_kind, member_id) VALUES (2, 'c1', 'entity', 'e9')",
  };
  world *w = *state;
  fill(w);
  for (size_t i = 0; i < sizeof replace / sizeof *replace; i++) {
    sql(w, "DELETE FROM conflict_members; DELETE FROM conflicts;"
           "INSERT INTO conflicts (rowid, id, slot_key) VALUES (1, 'c1', '[\"a\"]'), (2, 'c2', '[\"b\"]');"
           "INSERT INTO conflict_members (rowid, conflict_id, member_kind, member_id)"
           " VALUES (1, 'c1', 'memory', 'm1'), (2, 'c2', 'memory', 'm2'); DELETE FROM changes");
    sql(w, replace[i]);
    assert_string_equal(ask(w, "SELECT count(*) > 0 FROM changes WHERE layer = 8 AND id = '[\"b\"]'"), "1");
    assert_string_equal(ask(w, "SELECT count(*) > 0 FROM changes WHERE layer = 1 AND id = 'm2'"), "1");
  }
  sql(w, "DELETE FROM conflict_members; DELETE FROM conflicts;"
         "INSERT INTO conflicts (id, slot_key, anchor) VALUES ('c1', '[\"a\"]', 'x');"
         "INSERT INTO conflict_members (conflict_id, member_kind, member_id) VALUES ('c1', 'memory', 'm1');"
         "DELETE FROM changes;"
         "REPLACE INTO conflicts (id, slot_key, anchor) VALUES ('c3', '[\"a\"]', 'x')");
  assert_string_equal(ask(w, "SELECT count(*) > 0 FROM changes WHERE layer = 1 AND id = 'm1'"), "1");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(a_rebuilt_table_is_logged_again),
    T(a_table_that_cannot_be_logged_is_read),
    T(a_store_that_was_dumped_is_read),
    T(a_record_that_is_taken_back_takes_its_lines_only),
    T(a_transaction_logs_after_a_stamp),
    T(a_conflict_that_is_replaced_is_logged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
