/* Adding, editing, promoting, graduating: what is stored, refused, flagged. */
#include "tests/unit/core_review_help.h"

#define GF "{\"project\":\"p\",\"key\":\"lateral_support_material\",\"value\":\"GF-PTFE\",\"id\":\"s1\"}"
#define PEEK "{\"id\":\"e1\",\"entity_type\":\"Decision\",\"project\":\"p\",\"name\":\"d\",\"properties\":" \
             "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"PEEK\"}}"

static void a_conflicting_write_succeeds(void **state) {
  world *w = *state;
  create(w);
  hm_written s = add(w, HM_STATE, GF);
  assert_str(s.ref, "project_state:s1");
  assert_int_equal(s.n_conflicts, 0);
  assert_false(s.warn_open);
  hm_written e = add(w, HM_ENTITY, PEEK);
  assert_int_equal(e.n_conflicts, 1);
  assert_int_equal(e.n_opened, 1);
  assert_true(hm_str_eq(e.conflicts[0], e.opened[0]));
  assert_non_null(strstr(hm_str_z(w->a, e.conflicts_json[0]), "\"value\":\"PEEK\""));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts WHERE status = 'open'"), "1");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE actor = 'kim' AND verb IN ('add', 'open')"), "3");
  assert_string_equal(ask(w, "SELECT created_at FROM entities"), "2026-06-01T10:00:00Z");
  expect_sweep_changes_nothing(w);
  hm_written again = add(w, HM_STATE, "{\"project\":\"p\",\"key\":\"Lateral support material\",\"value\":\"PTFE\"}");
  assert_true(again.warn_open);
  assert_int_equal(again.n_conflicts, 1);
  assert_int_equal(again.n_opened, 0);
  assert_string_equal(ask(w, "SELECT count(*) FROM project_state WHERE status = 'active'"), "2");
  expect_sweep_changes_nothing(w);
}

static void a_candidate_waits(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  hm_written m = add(w, HM_MEMORY, "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"status\":\"candidate\","
                                   "\"content\":\"lateral support material is PTFE\"}");
  assert_int_equal(m.n_conflicts, 0);
  m = promote(w, "m1");
  assert_int_equal(m.n_conflicts, 1);
  assert_int_equal(m.n_opened, 1);
  assert_true(m.changed);
  expect_sweep_changes_nothing(w);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(a_conflicting_write_succeeds), T(a_candidate_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
