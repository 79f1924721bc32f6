/* Which rows claim nothing. */
#include "tests/unit/core_claim_help.h"
#include "core/claim/silence.h"

static void silent_rows_are_counted(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_row rows[] = {
    help_row(HM_MEMORY, "m1", "knowledge", "", "area is 468"),
    help_row(HM_MEMORY, "m2", "knowledge", "", "We talked for long."),
    help_row(HM_MEMORY, "m3", "episodic", "", "area is 468"),
    help_row(HM_MEMORY, "m4", "knowledge", "", "nothing to see"),
    help_row(HM_ENTITY, "e1", "Artifact", "x", "{\"value\":1}"),
    help_row(HM_ENTITY, "e2", "Parameter", "x", "{\"parameter_name\":\"x\",\"value\":1}"),
    help_row(HM_STATE, "s1", "", "k", "v"),
    help_row(HM_STATE, "s2", "", "k", ""),
  };
  enum { N = sizeof rows / sizeof *rows };
  rows[3].status = HM_CANDIDATE;
  hm_snapshot snap = help_snapshot(a, rows, N);
  for (int threads = 1; threads < 4; threads++) {
    hm_claims *c = NULL;
    hm_silence s;
    int rc = hm_claims_read(&snap, hm_rules_default(), threads, &c, NULL);
    assert_int_equal(rc, 0);
    hm_silence_collect(&snap, c, a, &s);
    assert_int_equal(s.active[HM_MEMORY], 3);
    assert_int_equal(s.silent[HM_MEMORY], 2);
    assert_int_equal(s.silent[HM_ENTITY], 1);
    assert_int_equal(s.active[HM_STATE], 2);
    assert_int_equal(s.silent[HM_STATE], 1);
    assert_int_equal(s.n, 2);
    assert_true(hm_str_is(s.types[0].type, "episodic") && s.types[0].silent == 1 &&
                s.types[0].active == 1);
    assert_true(hm_str_is(s.types[1].type, "knowledge") && s.types[1].silent == 1 &&
                s.types[1].active == 2);
    assert_false(hm_silence_is_notable(&s));
    hm_claims_free(c);
  }
  hm_arena_free(a);
}

static void nine_of_ten_are_not_notable(void **state) {
  (void)state;
  hm_silence s = { 0 };
  s.active[HM_MEMORY] = 10;
  s.silent[HM_MEMORY] = 9;
  assert_false(hm_silence_is_notable(&s));
  s.silent[HM_MEMORY] = 10;
  assert_true(hm_silence_is_notable(&s));
  s.active[HM_MEMORY] = s.silent[HM_MEMORY] = 9;
  assert_false(hm_silence_is_notable(&s));
}

/* Per project and in all; without rows and claims that are left out. */
static bool is_no_value_property(void *ctx, const hm_claim *c) {
  (void)ctx;
  return !hm_str_is(c->field, "value");
}

static void what_was_compared_is_counted(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_row rows[] = {
    help_row(HM_MEMORY, "m1", "knowledge", "", "area is 468"),
    help_row(HM_MEMORY, "m2", "knowledge", "", "We talked for long."),
    help_row(HM_MEMORY, "m3", "knowledge", "", "area is 469"),
    help_row(HM_MEMORY, "m4", "knowledge", "", "area is 470"),
    help_row(HM_STATE, "s1", "", "area", "468"),
    help_row(HM_STATE, "s2", "", "k", "v"),
  };
  rows[3].status = HM_SUPERSEDED;
  hm_snapshot snap = help_snapshot(a, rows, HM_COUNT(rows));
  hm_claims *c = NULL;
  assert_int_equal(hm_claims_read(&snap, hm_rules_default(), 1, &c, NULL), 0);
  const hm_compared *n = hm_compared_count(&snap, c, NULL, NULL, NULL, a) + snap.n_projects;
  assert_int_equal(n->values, 4);
  assert_int_equal(n->places, 2);
  assert_int_equal(n->memories, 3);
  assert_int_equal(n->unread, 1);
  bool hidden[HM_COUNT(rows)] = { [0] = true, [1] = true };
  n = hm_compared_count(&snap, c, hidden, is_no_value_property, NULL, a) + snap.n_projects;
  assert_int_equal(n->values, 1);
  assert_int_equal(n->places, 1);
  assert_int_equal(n->memories, 1);
  assert_int_equal(n->unread, 0);
  hm_claims_free(c);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(silent_rows_are_counted),
                                      cmocka_unit_test(nine_of_ten_are_not_notable),
                                      cmocka_unit_test(what_was_compared_is_counted) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
