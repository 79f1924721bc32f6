/* Resolving a conflict: what it changes, what it leaves alone, what it says, and what it refuses. */
#include "tests/unit/core_review_verdict_help.h"

/* --- resolve --------------------------------------------------------------- */

static void the_winner_stands(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = resolve(w, id, "entity:e1");
  assert_int_equal(r.n_changes, 2);
  assert_true(changed(&r, "project_state:s1", "active", "superseded by entity:e1"));
  assert_true(changed(&r, "memory:m1", "active", "superseded by entity:e1"));
  assert_int_equal(r.n_left + r.n_opened + r.n_quieted, 0);
  assert_str(r.status, "resolved");
  assert_string_equal(ask(w, "SELECT status || superseded_by || superseded_at FROM project_state"),
                      "supersededentity:e12026-06-01T10:00:00Z");
  assert_string_equal(ask(w, "SELECT status || superseded_by FROM memories"),
                      "supersededentity:e1");
  assert_string_equal(ask(w, "SELECT status || coalesce(superseded_by, '') FROM entities"),
                      "active");
  assert_string_equal(
      ask(w,
          "SELECT status || resolution || action || winner || resolved_by || resolved_at FROM conflicts"),
      "resolvedweighed againsupersede_opponentsentity:e1ines2026-06-01T10:00:00Z");
  assert_string_equal(
      ask(w,
          "SELECT group_concat(verb || ' ' || ref || ' ' || why, '; ') FROM journal WHERE actor = 'ines'"),
      hm_str_fmt(
          w->a,
          "resolve conflict:%.*s weighed again; "
          "link link:entity:e1 project_state:s1 supersedes conflict %.*s: weighed again; "
          "supersede project_state:s1 conflict %.*s: weighed again; "
          "link link:entity:e1 memory:m1 supersedes conflict %.*s: weighed again; "
          "supersede memory:m1 conflict %.*s: weighed again",
          HM_FMT(id), HM_FMT(id), HM_FMT(id), HM_FMT(id), HM_FMT(id))
          .p);
  expect_sweep_changes_nothing(w);
}

static void what_agrees_with_the_winner_stays(void **state) {
  world *w = *state;
  hm_str id = three(w);
  add(w, HM_MEMORY, MEMORY("m2", "4800 g"));
  report r = resolve(w, id, "s1");
  assert_int_equal(r.n_changes, 2);
  assert_true(left(&r, "memory:m2", "does not contradict project_state:s1"));
  assert_string_equal(ask(w, "SELECT status FROM memories WHERE id = 'm2'"), "active");
  assert_int_equal(r.n_opened, 0);
  expect_sweep_changes_nothing(w);
}

static void every_other_member_gives_way_when_asked(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = begun();
  add(w, HM_MEMORY, MEMORY("m2", "4800 g"));
  ok(w, try_resolve(w, id, "s1", HM_SUPERSEDE_OTHERS, false, &r));
  assert_int_equal(r.n_changes, 3);
  assert_int_equal(r.n_left, 0);
  assert_string_equal(ask(w, "SELECT status || ' ' || superseded_by FROM memories WHERE id = 'm2'"),
                      "superseded project_state:s1");
  assert_string_equal(ask(w, "SELECT action || coalesce(scope, '-') FROM conflicts"),
                      "supersede_others-");
  expect_sweep_changes_nothing(w);
}

/* The winner is a month; two days of it contradict each other and not the winner, and a third is of
 * another month. */
static void what_goes_on_is_another_conflict(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY, PARAMETER("e1", "2026-04", ""));
  add(w, HM_ENTITY, PARAMETER("e2", "2026-04-02", ""));
  add(w, HM_ENTITY, PARAMETER("e3", "2026-04-09", ""));
  add(w, HM_ENTITY, PARAMETER("e4", "2026-05-01", ""));
  hm_str id = open_conflict(w);
  report r = resolve(w, id, "e1");
  assert_int_equal(r.n_changes, 1);
  assert_true(changed(&r, "entity:e4", "active", "superseded by entity:e1"));
  assert_true(left(&r, "entity:e2", "does not contradict entity:e1"));
  assert_int_equal(r.n_opened, 1);
  assert_string_equal(
      ask(w,
          "SELECT group_concat(member_id) FROM (SELECT member_id FROM conflict_members JOIN conflicts c ON c.id = conflict_id"
          " WHERE c.status = 'open' ORDER BY 1)"),
      "e2,e3");
  expect_sweep_changes_nothing(w);
}

/* Each alone is compatible with the winner's list, and yet the two disagree. */
/* The state agrees with both, and is no member. */
static void what_would_go_on_disagreeing_gives_way(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE,
      "{\"id\":\"s1\",\"project\":\"p\",\"key\":\"leg mass\",\"value\":[\"5 kg\",\"6 kg\"]}");
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ""));
  add(w, HM_MEMORY, MEMORY("m1", "6 kg"));
  report r = resolve(w, open_conflict(w), "e1");
  assert_int_equal(r.n_changes, 1);
  assert_int_equal(r.n_opened, 0);
  expect_sweep_changes_nothing(w);
}

static void who_can_win(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r;
  assert_int_equal(try_resolve(w, id, "entity:e2", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "no member");
  assert_string_equal(w->err.field, "winner_member_id");
  assert_non_null(strstr(w->err.fix, "project_state:s1, entity:e1, memory:m1"));
  assert_int_equal(try_resolve(w, id, "", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "missing");
  add(w, HM_MEMORY, MEMORY("e1", "7 kg"));
  assert_int_equal(try_resolve(w, id, "e1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "several layers");
  edit(w, "m1", "{\"status\":\"invalid\"}");
  assert_int_equal(try_resolve(w, id, "m1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_STATE, "it is invalid");
  assert_int_equal(try_resolve(w, HM_STR("c0"), "m1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_UNKNOWN, "none");
  edit(
      w, "entity:e1",
      "{\"properties\":{\"parameter_scope\":\"arm\",\"parameter_name\":\"mass\",\"value\":\"5 kg\"}}");
  assert_int_equal(try_resolve(w, id, "entity:e1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_STATE, "says nothing in this slot");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE actor = 'ines'"), "0");
}

static void members_that_are_gone_are_left(void **state) {
  world *w = *state;
  hm_str id = three(w);
  add(w, HM_MEMORY, MEMORY("m2", "7 kg"));
  add(w, HM_MEMORY, MEMORY("m3", "8 kg"));
  sql(w,
      "DELETE FROM memories WHERE id = 'm1'; UPDATE memories SET status = 'superseded', superseded_by = 'm3' WHERE id = 'm2'");
  report r = resolve(w, id, "s1");
  assert_true(left(&r, "memory:m1", "is no longer stored"));
  assert_true(left(&r, "memory:m2", "is superseded by memory:m3 already"));
  assert_int_equal(r.n_changes, 2);
  expect_sweep_changes_nothing(w);
}

static void a_winner_must_not_contradict_itself(void **state) {
  world *w = *state;
  report r;
  create(w);
  add(w, HM_STATE, STATE("s1", "5 kg"));
  add(w, HM_ENTITY,
      "{\"id\":\"e2\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\",\"properties\":{\"mass\":\"6 kg\",\"Mass\":\"7 kg\"}}");
  hm_str id = open_conflict(w);
  assert_int_equal(try_resolve(w, id, "e2", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "its own fields");
  assert_non_null(strstr(w->err.fix, "hmirror edit entity:e2"));
  assert_string_equal(w->err.field, "winner_member_id");
  r = resolve(w, id, "s1");
  assert_true(changed(&r, "entity:e2", "active", "superseded by project_state:s1"));
  assert_int_equal(r.n_opened, 0);
  expect_sweep_changes_nothing(w);
}

static void sign_off(void **state) {
  world *w = *state;
  hm_str id = three(w);
  edit(
      w, "e1",
      "{\"properties\":{\"parameter_scope\":\"leg\",\"parameter_name\":\"mass\",\"value\":\"4.8 kg\"}}");
  edit(w, "m1", "{\"content\":\"leg mass is 4.8 kg\"}");
  report r = resolve(w, id, "s1");
  assert_int_equal(r.n_changes, 0);
  assert_true(left(&r, "entity:e1", "is in dispute no more"));
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "resolved");
  assert_string_equal(ask(w, "SELECT count(*) FROM memories WHERE status = 'active'"), "1");
  expect_sweep_changes_nothing(w);
}

static void no_action_changes_no_row(void **state) {
  world *w = *state;
  hm_str id = three(w), before = export(w);
  report r = resolve_no_action(w, id);
  assert_int_equal(r.n_changes + r.n_left, 0);
  assert_string_equal(ask(w, "SELECT action || coalesce(winner, '-') FROM conflicts"),
                      "no_action-");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE actor = 'ines'"), "1");
  size_t rows = (size_t)hm_str_find(before, "{\"kind\":\"conflict\"");
  hm_str after = export(w);
  assert_true(hm_str_eq(hm_str_sub(before, 0, rows), hm_str_sub(after, 0, rows)));
  expect_sweep_changes_nothing(w);
}

static void resolved_twice_is_kept_twice(void **state) {
  world *w = *state;
  hm_str first = three(w);
  resolve(w, first, "s1");
  hm_written n = add(w, HM_MEMORY, MEMORY("m9", "9 kg"));
  assert_int_equal(n.n_opened, 1);
  hm_str second = open_conflict(w);
  resolve(w, second, "m9");
  assert_string_equal(
      ask(w, "SELECT group_concat(winner) FROM (SELECT winner FROM conflicts ORDER BY winner)"),
      "memory:m9,project_state:s1");
  assert_string_equal(ask(w, "SELECT superseded_by FROM project_state"), "memory:m9");
  expect_sweep_changes_nothing(w);
}

static void whoever_comes_late_is_told(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r;
  resolve(w, id, "s1");
  assert_int_equal(try_resolve(w, id, "e1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(
      w, HM_E_STATE,
      "it was resolved by ines at 2026-06-01T10:00:00Z, project_state:s1 stands: \"weighed again\"");
  hm_review k = review();
  assert_int_equal(hm_review_dismiss(w->s, &k, id, HM_STR("no"), w->a, &r, &w->err), -1);
  expect_why(w, HM_E_STATE, "it was resolved by ines");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(the_winner_stands),
    T(what_agrees_with_the_winner_stays),
    T(every_other_member_gives_way_when_asked),
    T(what_goes_on_is_another_conflict),
    T(what_would_go_on_disagreeing_gives_way),
    T(who_can_win),
    T(members_that_are_gone_are_left),
    T(a_winner_must_not_contradict_itself),
    T(sign_off),
    T(no_action_changes_no_row),
    T(resolved_twice_is_kept_twice),
    T(whoever_comes_late_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
