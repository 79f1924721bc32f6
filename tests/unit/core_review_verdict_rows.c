/* Dismissing and reopening a conflict, superseding and restoring rows, and dry runs of all. */
#include "tests/unit/core_review_verdict_help.h"

/* --- dismiss, reopen ------------------------------------------------------- */

static void dismissed_stays_quiet(void **state) {
  world *w = *state;
  hm_str id = three(w);
  hm_review k = review();
  report r;
  assert_int_equal(hm_review_dismiss(w->s, &k, id, HM_STR(" \n"), w->a, &r, &w->err), -1);
  expect_why(w, HM_E_INPUT, "missing");
  assert_string_equal(w->err.field, "reason");
  ok(w, hm_review_dismiss(w->s, &k, id, HM_STR("two legs"), w->a, &r, &w->err));
  assert_string_equal(
      ask(w, "SELECT status || resolution || resolved_by || coalesce(action, '-') FROM conflicts"),
      "dismissedtwo legskim-");
  assert_string_equal(ask(w, "SELECT verb || why FROM journal ORDER BY seq DESC"),
                      "dismisstwo legs");
  expect_sweep_changes_nothing(w);
  add(w, HM_MEMORY, MEMORY("m2", "9 kg"));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts WHERE status = 'open'"), "1");
  assert_false(hm_str_eq(open_conflict(w), id));
}

static void reopened(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = begun();
  assert_int_equal(try_reopen(w, id, &r), -1);
  expect_why(w, HM_E_STATE, "it is open");
  resolve(w, id, "s1");
  ok(w, try_reopen(w, id, &r));
  assert_str(r.status, "open");
  assert_int_equal(r.n_restorable, 2);
  assert_str(r.restorable[0], "entity:e1");
  assert_str(r.restorable[1], "memory:m1");
  assert_string_equal(
      ask(w,
          "SELECT status || resolution || coalesce(resolved_at, '-') || coalesce(resolved_by, '-') || coalesce(winner, '-') || "
          "coalesce(action, '-') FROM conflicts"),
      "open----");
  assert_string_equal(ask(w, "SELECT verb || why FROM journal ORDER BY seq DESC"),
                      "reopenthe scale was wrong");
  assert_string_equal(ask(w, "SELECT status FROM entities"), "superseded");
  expect_sweep_changes_nothing(w);
  report back = restore(w, "e1", "");
  assert_int_equal(back.n_opened, 0);
  assert_true(hm_str_eq(open_conflict(w), id));
  expect_sweep_changes_nothing(w);
}

static void one_open_conflict_a_slot(void **state) {
  world *w = *state;
  hm_str first = three(w);
  report r;
  resolve(w, first, "s1");
  add(w, HM_MEMORY, MEMORY("m9", "9 kg"));
  hm_str second = open_conflict(w);
  assert_int_equal(try_reopen(w, first, &r), -1);
  expect_why(w, HM_E_STATE, hm_str_z(w->a, second));
  /* Another program took the members; the anchor is one all the same. */
  sql(w, "DELETE FROM conflict_members; UPDATE conflicts SET anchor = 'project_state:s1#value'");
  assert_int_equal(try_reopen(w, first, &r), -1);
  expect_why(w, HM_E_STATE, hm_str_z(w->a, second));
}

/* --- rows ------------------------------------------------------------------ */

static void superseding_quiets(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ""));
  add(w, HM_ENTITY, PARAMETER("e2", "6 kg", ""));
  hm_str id = open_conflict(w);
  report r = supersede(w, "e1", "e2", "measured");
  assert_int_equal(r.n_changes, 2);
  assert_int_equal(r.n_quieted, 1);
  assert_true(hm_str_eq(r.quieted[0], id));
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "open");   /* nothing closes itself */
  assert_string_equal(ask(w, "SELECT group_concat(why) FROM journal WHERE verb = 'supersede'"),
                      "measured,measured");
  expect_sweep_changes_nothing(w);
  r = restore(w, "e1", "it was not");
  assert_int_equal(r.n_changes, 2);
  assert_true(changed(&r, "entity:e1", "superseded by entity:e2", "active"));
  assert_string_equal(ask(w, "SELECT status FROM relations"), "invalid");
  assert_string_equal(ask(w, "SELECT why FROM journal WHERE verb = 'restore'"), "it was not");
  expect_sweep_changes_nothing(w);
}

static void restoring_opens_anew(void **state) {
  world *w = *state;
  hm_str id = three(w);
  resolve(w, id, "s1");
  report r = restore(w, "e1", "");
  assert_int_equal(r.n_opened, 1);
  assert_false(hm_str_eq(r.opened[0], id));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "2");
  expect_sweep_changes_nothing(w);
}

static void rows_are_named_in_errors(void **state) {
  world *w = *state;
  hm_review k = review();
  report r;
  three(w);
  assert_int_equal(
      hm_review_supersede(w->s, &k, HM_STR("e1"), HM_STR("nobody"), HM_EMPTY, w->a, &r, &w->err),
      -1);
  assert_int_equal(w->err.code, HM_E_UNKNOWN);
  assert_string_equal(w->err.field, "new");
  assert_int_equal(
      hm_review_supersede(w->s, &k, HM_STR("e1"), HM_STR("m1"), HM_EMPTY, w->a, &r, &w->err), -1);
  expect_why(w, HM_E_INPUT, "another layer");
  assert_int_equal(hm_review_restore(w->s, &k, HM_STR("e1"), HM_EMPTY, HM_EMPTY, w->a, &r, &w->err),
                   -1);
  expect_why(w, HM_E_STATE, "active");
  char *long_notes = calloc(1, HM_NOTES_MAX + 2);
  memset(long_notes, 'x', HM_NOTES_MAX + 1);
  assert_int_equal(
      hm_review_restore(w->s, &k, HM_STR("e1"), HM_EMPTY, hm_str_c(long_notes), w->a, &r, &w->err),
      -1);
  expect_why(w, HM_E_INPUT, "longer than");
  free(long_notes);
  assert_false(hm_store_in_txn(w->s));
}

/* --- dry run --------------------------------------------------------------- */

static void a_dry_run_tells_and_does_nothing(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "4.8 kg"));
  add(w, HM_MEMORY, MEMORY("m2", "4800 g"));   /* gives way, but what it says stands */
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ",\"vendor\":\"x\""));
  add(w, HM_ENTITY,
      "{\"id\":\"e2\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\",\"properties\":"
      "{\"mass\":\"5000 g\",\"vendor\":\"ACME\",\"colour\":\"red\"}}");
  add(w, HM_STATE, "{\"id\":\"s2\",\"project\":\"p\",\"key\":\"leg colour\",\"value\":\"Red\"}");
  add(w, HM_STATE, "{\"id\":\"s3\",\"project\":\"p\",\"key\":\"arm mass\",\"value\":\"5 kg\"}");
  add(w, HM_STATE, "{\"id\":\"s4\",\"project\":\"q\",\"key\":\"arm mass\",\"value\":\"5 kg\"}");
  add(w, HM_MEMORY,
      "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"status\":\"candidate\",\"content\":\"leg mass is 5 kg\"}");
  hm_str id = hm_str_c(ask(w, "SELECT id FROM conflicts WHERE slot_key LIKE '%leg_mass%'")),
         before = export(w);
  const char *lines = ask(w, "SELECT count(*) FROM journal");
  report r = begun();
  hm_review k = review();
  k.dry_run = true;
  hm_resolution how = { .winners = &HM_STR("s1"),
                        .n_winners = 1,
                        .action = HM_SUPERSEDE_OPPONENTS,
                        .scope = HM_SCOPE_WHOLE_ROW,
                        .notes = HM_EMPTY };
  ok(w, hm_review_resolve(w->s, &k, id, &how, w->a, &r, &w->err));
  assert_true(r.dry_run);
  assert_true(changed(&r, "entity:e1", "active", "superseded by project_state:s1"));
  assert_true(changed(&r, "entity:e2", "active", "superseded by project_state:s1"));
  hm_str seen = HM_EMPTY;
  for (size_t i = 0; i < r.n_withdrawn; i++)
    seen = hm_str_fmt(w->a, "%.*s%.*s %.*s=%.*s%s;", HM_FMT(seen), HM_FMT(r.withdrawn[i].ref),
                      HM_FMT(r.withdrawn[i].slot), HM_FMT(r.withdrawn[i].value),
                      r.withdrawn[i].alone ? "!" : "");
  assert_str(seen,
             "entity:e1 leg_mass_vendor=x!;entity:e2 leg_vendor=ACME!;entity:e2 leg_color=red;");
  seen = HM_EMPTY;
  for (size_t i = 0; i < r.n_others; i++)
    seen = hm_str_fmt(w->a, "%.*s%.*s %.*s %.*s%s;", HM_FMT(seen), HM_FMT(r.others[i].ref),
                      HM_FMT(r.others[i].status), HM_FMT(r.others[i].slot),
                      r.others[i].elsewhere ? "+" : "");
  assert_str(seen, "memory:m1 candidate leg_mass;project_state:s3 active arm_mass+;");
  assert_true(hm_str_eq(before, export(w)));
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), lines);
  hm_buf b = { 0 };
  hm_json *parsed;
  hm_verdict_json(&b, &r, w->a);
  ok(w, hm_json_parse(w->a, hm_buf_view(&b), &parsed, &w->err));
  assert_int_equal(hm_json_get(parsed, "withdrawn")->count, 3);
  assert_int_equal(hm_json_get(parsed, "slot_key")->count, 2);
  hm_buf_free(&b);
}

static void it_takes_part_in_an_open_transaction(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = begun();
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, try_resolve(w, id, "s1", HM_SUPERSEDE_OPPONENTS, true, &r));
  assert_true(hm_store_in_txn(w->s));
  assert_int_equal(snapshot(w, false)->conflicts[0].status, HM_RESOLVED);
  assert_int_equal(try_resolve(w, id, "s1", HM_SUPERSEDE_OPPONENTS, true, &r), -1);
  assert_true(hm_store_in_txn(w->s));
  hm_store_rollback(w->s);
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "open");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(dismissed_stays_quiet),
    T(reopened),
    T(one_open_conflict_a_slot),
    T(superseding_quiets),
    T(restoring_opens_anew),
    T(rows_are_named_in_errors),
    T(a_dry_run_tells_and_does_nothing),
    T(it_takes_part_in_an_open_transaction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
