/* Sweeps of a real store: recorded once, and then nothing new. */
#include "tests/unit/core_sweep_help.h"

static hm_store_counts counts(world *w) {
  hm_store_counts c;
  hm_err err;
  if (hm_store_count(w->s, w->a, &c, &err)) fail_with(&err);
  return c;
}

static const char FACTS[] =
    "{\"kind\":\"project\",\"id\":\"p05-interferometer\",\"name\":\"Interferometer\",\"aliases\":[\"p05\"]}\n"
    "{\"kind\":\"entity\",\"id\":\"e1\",\"entity_type\":\"Decision\",\"project\":\"p05\",\"name\":\"Lateral support material\","
    "\"properties\":{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"PEEK\"},\"status\":\"active\"}\n"
    "{\"kind\":\"project_state\",\"id\":\"s1\",\"project\":\"p05-interferometer\",\"category\":\"decision\",\"key\":\"lateral_support_material\","
    "\"value\":\"GF-PTFE\"}\n"
    "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"PART_OF\",\"project\":\"p05\",\"from\":\"e1\",\"to\":\"e99\"}\n";

/* Under an alias and under the id it is one slot. */
static void records_once(void **state) {
  world *w = *state;
  import(w, FACTS);
  hm_sweep first = sweep(w, true, 1, "2026-05-02T00:00:00Z");
  assert_int_equal(first.plan->opened, 1);
  assert_int_equal(first.n_findings, 1);
  hm_snapshot *s = snapshot(w);
  same_conflicts(first.snap, s);
  assert_int_equal(s->n_conflicts, 1);
  assert_int_equal(s->n_findings, 1);
  assert_true(hm_str_is(s->findings[0].rule, "orphan/to"));
  assert_true(hm_str_is(s->conflicts[0].slot_kind, "cross_layer"));
  hm_store_counts before = counts(w);
  hm_sweep again = sweep(w, true, 8, "2026-05-03T00:00:00Z");
  assert_int_equal(again.plan->n, 0);
  assert_true(hm_str_eq(again.snap->digest, first.snap->digest));
  hm_store_counts after = counts(w);
  assert_int_equal(after.journal, before.journal);
  assert_int_equal(after.sweeps, before.sweeps + 1);
  assert_int_equal(after.conflicts[HM_OPEN], 1);
  same_conflicts(again.snap, snapshot(w));
  hm_sweep_free(&first);
  hm_sweep_free(&again);
}

static void a_look_writes_nothing(void **state) {
  world *w = *state;
  import(w, FACTS);
  hm_store_counts before = counts(w);
  hm_sweep look = sweep(w, false, 2, "2026-05-02T00:00:00Z");
  assert_int_equal(look.plan->opened, 1);
  assert_int_equal(look.snap->n_conflicts, 1);
  hm_store_counts after = counts(w);
  assert_int_equal(after.journal, before.journal);
  assert_int_equal(after.sweeps, 0);
  assert_int_equal(after.conflicts[HM_OPEN], 0);
  hm_str promised = look.snap->digest;
  hm_sweep_free(&look);
  hm_sweep real = sweep(w, true, 2, "2026-05-04T00:00:00Z");
  assert_true(hm_str_eq(real.snap->digest, promised));
  hm_sweep_free(&real);
}

static void facts_change(void **state) {
  world *w = *state;
  import(w, FACTS);
  hm_sweep first = sweep(w, true, 1, "2026-05-02T00:00:00Z");
  import(
      w,
      "{\"kind\":\"memory\",\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p05\",\"content\":\"Lateral support material is steel\",\"status\":\"active\"}\n");
  hm_sweep joined = sweep(w, true, 1, "2026-05-03T00:00:00Z");
  assert_int_equal(joined.plan->updated, 1);
  assert_int_equal(joined.snap->conflicts[0].n_members, 3);
  same_conflicts(joined.snap, snapshot(w));
  import(w, "{\"kind\":\"memory\",\"id\":\"m1\",\"status\":\"invalid\"}\n");
  hm_sweep left = sweep(w, true, 1, "2026-05-04T00:00:00Z");
  assert_int_equal(left.plan->updated, 1);
  assert_int_equal(left.snap->conflicts[0].n_members, 3);
  same_conflicts(left.snap, snapshot(w));
  import(w, "{\"kind\":\"entity\",\"id\":\"e1\",\"status\":\"superseded\"}\n");
  hm_sweep over = sweep(w, true, 1, "2026-05-05T00:00:00Z");
  assert_int_equal(over.plan->n, 0);
  assert_int_equal(over.disputes->n, 0);
  assert_int_equal(over.snap->conflicts[0].status, HM_OPEN);
  same_conflicts(over.snap, snapshot(w));
  hm_sweep *all[] = { &first, &joined, &left, &over };
  for (size_t i = 0; i < 4; i++) hm_sweep_free(all[i]);
}

static void verdicts_are_respected(void **state) {
  world *w = *state;
  import(w, FACTS);
  hm_sweep first = sweep(w, true, 1, "2026-05-02T00:00:00Z");
  hm_str id = first.snap->conflicts[0].id;
  import(
      w,
      hm_str_z(
          w->a,
          hm_str_fmt(
              w->a,
              "{\"kind\":\"conflict\",\"id\":\"%.*s\",\"status\":\"dismissed\",\"resolved_at\":\"2026-05-02\"}\n",
              HM_FMT(id))));
  hm_sweep quiet = sweep(w, true, 1, "2026-05-03T00:00:00Z");
  assert_int_equal(quiet.plan->n, 0);
  assert_int_equal(quiet.plan->quiet, 1);
  import(
      w,
      "{\"kind\":\"project_state\",\"id\":\"s2\",\"project\":\"p05\",\"category\":\"x\",\"key\":\"lateral_support_material\",\"value\":\"steel\"}\n");
  hm_sweep again = sweep(w, true, 1, "2026-05-04T00:00:00Z");
  assert_int_equal(again.plan->opened, 1);
  assert_int_equal(again.snap->n_conflicts, 2);
  same_conflicts(again.snap, snapshot(w));
  hm_sweep_free(&first);
  hm_sweep_free(&quiet);
  hm_sweep_free(&again);
}

static void a_store_for_reading_is_refused(void **state) {
  world *w = *state;
  hm_store *s;
  hm_err err;
  import(w, FACTS);
  assert_int_equal(hm_store_open(&s, w->path, HM_STORE_READ, 100, &err), 0);
  hm_sweep_options opt = { .rules = hm_rules_default(),
                           .threads = 1,
                           .details = true,
                           .record = true,
                           .who = { HM_STR("test"), HM_STR("2026-05-02") } };
  hm_sweep out;
  assert_int_equal(hm_sweep_run_all(s, &opt, w->a, &out, &err), -1);
  assert_null(out.claims);
  hm_store_close(s);
  assert_int_equal(counts(w).conflicts[HM_OPEN], 0);
}

#define IN_STORE(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    IN_STORE(records_once),
    IN_STORE(a_look_writes_nothing),
    IN_STORE(facts_change),
    IN_STORE(verdicts_are_respected),
    IN_STORE(a_store_for_reading_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
