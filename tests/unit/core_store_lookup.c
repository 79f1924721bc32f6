/* Small questions to the store. */
#include "core/store/lookup.h"
#include "tests/unit/core_store_help.h"

static uint64_t version(world *w) {
  uint64_t v = 0;
  ok(w, hm_store_begin(w->s, false, &w->err));
  ok(w, hm_store_data_version(w->s, &v, &w->err));
  hm_store_rollback(w->s);
  return v;
}

static void check_versions(world *w) {
  uint64_t a = version(w);
  assert_int_equal(version(w), a);
  sql(w, "INSERT INTO projects (id) VALUES ('by another')");
  uint64_t b = version(w);
  assert_true(a != b);
  assert_int_equal(version(w), b);
  import(w, "{\"kind\":\"project\",\"id\":\"by-us\"}");
  assert_true(version(w) != b);
  sql(w, "DELETE FROM projects");
}

static void test_data_version(void **state) {
  world *w = *state;
  create(w);
  check_versions(w);
  sql(w, "PRAGMA journal_mode = WAL");
  check_versions(w);
  hm_store_close(w->s);
  w->s = NULL;
  sql(w, "PRAGMA journal_mode = DELETE");
}

static void test_conflicts(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"conflict\",\"id\":\"c3\",\"slot_key\":[\"p\",\"b\"],\"project\":\"p\",\"detected_at\":\"2026\"}\n"
      "{\"kind\":\"conflict\",\"id\":\"c2\",\"slot_key\":[\"p\",\"a\"],\"project\":\"p\",\"detected_at\":\"2026\"}\n"
      "{\"kind\":\"conflict\",\"id\":\"c1\",\"slot_key\":[\"p\",\"b\"],\"project\":\"p\",\"detected_at\":\"2026\",\"status\":\"resolved\"}\n"
      "{\"kind\":\"conflict\",\"id\":\"c4\",\"slot_key\":[\"\",\"a\"],\"detected_at\":\"2026\",\"status\":\"dismissed\"}\n");
  hm_conflict_place one;
  ok(w, hm_lookup_conflict(w->s, HM_STR("c1"), w->a, &one, &w->err));
  assert_str(one.slot_key, "[\"p\",\"b\"]");
  assert_int_equal(hm_lookup_conflict(w->s, HM_STR("c"), w->a, &one, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_UNKNOWN);
  int64_t counts[HM_N_VERDICTS];
  ok(w, hm_store_count_verdicts(w->s, counts, &w->err));
  assert_true(counts[HM_OPEN] == 2 && counts[HM_RESOLVED] == 1 && counts[HM_DISMISSED] == 1);
}

static void test_project(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"project\",\"id\":\"p05\",\"aliases\":[\"five\"]}\n"
      "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"y\",\"project\":\"rows only\"}\n");
  hm_str id;
  ok(w, hm_lookup_project(w->s, HM_STR("p05"), w->a, &id, &w->err));
  assert_str(id, "p05");
  ok(w, hm_lookup_project(w->s, HM_STR("five"), w->a, &id, &w->err));
  assert_str(id, "p05");
  ok(w, hm_lookup_project(w->s, HM_STR("rows only"), w->a, &id, &w->err));
  assert_str(id, "rows only");
  ok(w, hm_lookup_project(w->s, HM_EMPTY, w->a, &id, &w->err));
  assert_str(id, "");
  assert_int_equal(hm_lookup_project(w->s, HM_STR("p"), w->a, &id, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_UNKNOWN);
  ok(w, hm_lookup_project(w->s, HM_STR("P05"), w->a, &id, &w->err));
  assert_str(id, "p05");
  import(
      w,
      "{\"kind\":\"project\",\"id\":\"p06\",\"name\":\"Mirror Cell\"}\n{\"kind\":\"project\",\"id\":\"p07\",\"name\":\"FIVE\"}\n");
  ok(w, hm_lookup_project(w->s, HM_STR("mirror cell"), w->a, &id, &w->err));
  assert_str(id, "p06");
  ok(w, hm_lookup_project(w->s, HM_STR("five"), w->a, &id, &w->err));   /* an alias, exactly */
  assert_str(id, "p05");
  assert_int_equal(hm_lookup_project(w->s, HM_STR("Five"), w->a, &id, &w->err), -1);
  assert_string_equal(w->err.why, "'p05' and 'p07' fit");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_data_version, begin, end),
    cmocka_unit_test_setup_teardown(test_conflicts, begin, end),
    cmocka_unit_test_setup_teardown(test_project, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
