/* Now: the newest time of a row that does not lie ahead of the clock, or the run's own time. */
#include "core/store/swept.h"
#include "core/sqlite/sqlite_impl.h"
#include "tests/unit/core_store_help.h"

#define DAY (INT64_C(86400) * 1000000)

static hm_time at(const char *text) {
  hm_time t;
  hm_precision p;
  if (!*text) return HM_TIME_MAX;
  assert_true(hm_time_parse(hm_str_c(text), &t, &p));
  return t;
}

static void expect_now(world *w, const char *text) {
  assert_true(snapshot(w, true)->now == at(text) && snapshot(w, false)->now == at(text));
}

static void which_times_count(void **state) {
  world *w = *state;
  create(w);
  expect_now(w, "");
  import(
      w,
      "{\"kind\":\"project\",\"id\":\"p\",\"created_at\":\"2026-09-01\",\"updated_at\":\"2026-09-01\"}\n"
      "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"y\",\"valid_from\":\"2026-09\","
      "\"valid_until\":\"2026-10\",\"last_accessed_at\":\"2026-09-01\"}\n");
  sql(w,
      "INSERT INTO conflicts (id, slot_key, status, resolved_at, detected_at) VALUES ('c1', '[]', 'dismissed',"
      " '2026-09-01T00:00:00Z', '2026-09-01T00:00:00Z')");
  expect_now(w, "");   /* projects, bounds, accesses and verdicts are no facts that were written */
  import(
      w,
      "{\"kind\":\"memory\",\"id\":\"m2\",\"memory_type\":\"x\",\"content\":\"y\",\"status\":\"candidate\","
      "\"created_at\":\"2020-05\"}\n");
  expect_now(w, "2020-05-01");
  import(
      w,
      "{\"kind\":\"entity\",\"id\":\"e\",\"entity_type\":\"X\",\"name\":\"n\",\"updated_at\":\"2021\"}\n");
  expect_now(w, "2021-01-01");
  sql(w, "UPDATE entities SET superseded_at = '2022-02-02T02:02:02+02:00', status = 'superseded'");
  expect_now(w, "2022-02-02T00:02:02Z");
  import(w, "{\"kind\":\"relation\",\"id\":\"r\",\"type\":\"PART_OF\",\"from\":\"e\",\"to\":\"e\","
            "\"created_at\":\"2023-03-03T03:03:03.5Z\"}\n");
  expect_now(w, "2023-03-03T03:03:03.5Z");
  sql(w, "UPDATE relations SET updated_at = 'yesterday'");
  expect_now(w, "2023-03-03T03:03:03.5Z");
}

static void what_lies_ahead_does_not_count(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"y\",\"created_at\":\"2024\"}\n"
      "{\"kind\":\"memory\",\"id\":\"m2\",\"memory_type\":\"x\",\"content\":\"y\",\"created_at\":\"8000\"}\n");
  expect_now(w, "2024");
  sql(w,
      "UPDATE memories SET updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+23 hours') WHERE id = 'm'");
  expect_now(
      w,
      ask(w,
          "SELECT updated_at FROM memories WHERE id = 'm'")); /* clocks differ, by a day at most */
  sql(w,
      "UPDATE memories SET updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+25 hours') WHERE id = 'm'");
  expect_now(w, "2024");
}

static void the_time_of_the_run_wins(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"y\",\"created_at\":\"2024\"}\n");
  hm_store_close(w->s);
  hm_store_source src = { .path = w->path, .dated = true, .epoch = at("2020-02-02") };
  ok(w, hm_store_open_source(&w->s, &src, HM_STORE_READ, 50, &w->err));
  expect_now(w, "2020-02-02");
}

/* Whether a snapshot's now still is the now, while the clock goes on. */
static void the_clock_passes_what_lay_ahead(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"entity\",\"id\":\"e\",\"entity_type\":\"X\",\"name\":\"n\",\"created_at\":\"2025\"}\n"
      "{\"kind\":\"relation\",\"id\":\"r\",\"type\":\"T\",\"from\":\"e\",\"to\":\"e\",\"created_at\":\"8000\"}\n");
  const hm_snapshot *s = snapshot(w, false);
  assert_true(s->now == at("2025") && s->ahead == at("8000"));
  assert_true(hm_now_holds(w->s, s));
  w->s->clock = at("8000") - DAY - 1;
  assert_true(hm_now_holds(w->s, s));
  w->s->clock = at("8000") - DAY;
  assert_false(hm_now_holds(w->s, s));
  w->s->clock = at("2024"); /* a clock that is wrong: the newest time lies ahead of it */
  assert_false(hm_now_holds(w->s, s));
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(which_times_count), T(what_lies_ahead_does_not_count),
                                      T(the_time_of_the_run_wins), T(the_clock_passes_what_lay_ahead) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
