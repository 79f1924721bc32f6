/* A conflict of any rule is a conflict: it is recorded, explained, settled by a verdict, silent
 * afterwards, and back when the evidence changes. Of a rule that no table ships: whose claims are
 * its own, of relations, under another key, of another kind. */
#include "tests/unit/core_detect_two_wholes.h"
#include "tests/unit/core_review_help.h"

#include "core/detect/explain.h"
#include "core/sweep/answer.h"
#include "core/review/verdict.h"

/* --- a store --------------------------------------------------------------------------- */

static const char FACTS[] =
    "{\"kind\":\"project\",\"id\":\"p\"}\n"
    "{\"kind\":\"entity\",\"id\":\"leg\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\"}\n"
    "{\"kind\":\"entity\",\"id\":\"frame\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"frame\"}\n"
    "{\"kind\":\"entity\",\"id\":\"base\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"base\"}\n"
    "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"PART_OF\",\"project\":\"p\",\"from\":\"leg\",\"to\":\"frame\",\"created_at\":\"2026-01-01\"}\n"
    "{\"kind\":\"relation\",\"id\":\"r2\",\"type\":\"PART_OF\",\"project\":\"p\",\"from\":\"leg\",\"to\":\"base\",\"created_at\":\"2026-02-01\"}\n"
    "{\"kind\":\"relation\",\"id\":\"r3\",\"type\":\"PART_OF\",\"project\":\"p\",\"from\":\"base\",\"to\":\"frame\"}\n";

static hm_sweep sweep(world *w) {
  hm_rules r = rules();
  hm_rules *kept = hm_alloc(w->a, sizeof *kept);
  *kept = r;
  hm_sweep_options opt = { .rules = kept, .threads = 2, .details = true, .record = true,
                           .who = { HM_STR("kim"), HM_STR("2026-06-01T10:00:00Z") } };
  hm_sweep out;
  ok(w, hm_sweep_run_all(w->s, &opt, w->a, &out, &w->err));
  return out;
}

static hm_review review_of(const hm_rules *r) {
  return (hm_review){ .rules = r,
                      .who = { .by = HM_STR("kim"), .at = HM_STR("2026-06-02T10:00:00Z") } };
}

static hm_str opened(world *w) {
  create(w);
  import(w, FACTS);
  hm_sweep s = sweep(w);
  assert_int_equal(s.plan->opened, 1);
  assert_int_equal(s.disputes->n_work, 1);
  assert_int_equal(s.disputes->work[0].rows, 3);
  assert_int_equal(s.disputes->work[0].found, 1);
  const hm_conflict_rec *c = &s.plan->conflicts[0];
  assert_true(hm_str_is(c->slot_kind, "two_wholes") && hm_str_is(c->rule, "two-wholes"));
  assert_true(hm_str_is(c->slot_key, "[\"p\",\"whole\",\"leg\"]"));
  assert_int_equal(c->rule_version, 3);
  assert_int_equal(c->n_members, 2);
  assert_int_equal(c->members[0].layer, HM_RELATION);
  assert_true(hm_str_is(c->members[1].value, "base"));
  hm_str id = c->id;
  hm_sweep_free(&s);
  s = sweep(w);
  assert_int_equal(s.plan->n, 0);
  assert_int_equal(s.plan->n_conflicts, 1);
  hm_sweep_free(&s);
  return id;
}

static bool has_line(const hm_explanation *x, const char *text) {
  for (size_t i = 0; i < x->n; i++)
    if (hm_str_find(x->lines[i], text) >= 0) return true;
  return false;
}

static void is_recorded_and_explained(void **state) {
  world *w = *state;
  hm_rules r = rules();
  opened(w);
  hm_sweep s = sweep(w);
  hm_explanation x;
  hm_explain_conflict(&s, &s.plan->conflicts[0], &r, w->a, &x);
  assert_non_null(x.dispute);
  assert_true(has_line(&x, "Rule two-wholes/3: a part has one whole."));
  assert_true(has_line(&x, "relation:r2 (trust 2) claims in its field to: \"base\""));
  assert_true(has_line(&x, "relation:r2 contradicts relation:r1"));
  hm_buf b = { 0 };
  hm_conflict_json(&b, &s, &s.plan->conflicts[0], NULL, true, w->a);
  assert_true(hm_str_find(hm_buf_view(&b), "\"slot_kind\":\"two_wholes\"") > 0);
  assert_true(hm_str_find(hm_buf_view(&b), "\"disputed\":true") > 0);
  hm_buf_free(&b);
  hm_sweep_free(&s);
}

/* Also in the answer to a question about it. */
static void a_verdict_silences_it_until_the_evidence_changes(void **state) {
  world *w = *state;
  hm_rules r = rules();
  hm_review v = review_of(&r);
  hm_verdict_report report;
  hm_str id = opened(w);
  ok(w, hm_review_dismiss(w->s, &v, id, HM_STR("both drawings are right"), w->a, &report, &w->err));
  hm_sweep s = sweep(w);
  assert_int_equal(s.plan->n, 0);
  assert_int_equal(s.plan->quiet, 1);
  assert_int_equal(s.plan->n_conflicts, 1);
  hm_sweep_free(&s);
  import(w, "{\"kind\":\"relation\",\"id\":\"r2\",\"type\":\"PART_OF\",\"project\":\"p\",\"from\":\"leg\",\"to\":\"table\"}\n");
  s = sweep(w);
  assert_int_equal(s.plan->opened, 1);
  assert_int_equal(s.plan->n_conflicts, 2);
  hm_sweep_free(&s);
}

static void a_winner_stands(void **state) {
  world *w = *state;
  hm_rules r = rules();
  hm_review v = review_of(&r);
  hm_verdict_report report;
  hm_str id = opened(w);
  hm_resolution how = { .action = HM_SUPERSEDE_OPPONENTS,
                        .winners = &HM_STR("relation:r1"),
                        .n_winners = 1,
                        .notes = HM_STR("measured"),
                        .scope = HM_SCOPE_WHOLE_ROW };
  ok(w, hm_review_resolve(w->s, &v, id, &how, w->a, &report, &w->err));
  assert_int_equal(report.n_changes, 1);
  hm_sweep s = sweep(w);
  assert_int_equal(s.plan->n, 0);
  assert_int_equal(s.disputes->n, 0);
  uint32_t row = hm_snapshot_row(s.snap, HM_RELATION, HM_STR("r2"));
  assert_int_equal(s.snap->rows[row].status, HM_SUPERSEDED);
  hm_sweep_free(&s);
}

static void a_write_joins_it(void **state) {
  world *w = *state;
  hm_rules r = rules();
  hm_review v = review_of(&r);
  hm_written out;
  hm_conflict_answer *found;
  size_t n;
  hm_str id = opened(w);
  ok(w, hm_review_edit(w->s, &v, HM_STR("relation:r3"), json(w, "{\"from\":\"leg\",\"to\":\"lid\"}"),
                       w->a, &out, &w->err));
  assert_int_equal(out.n_conflicts, 1);
  assert_true(hm_str_eq(out.conflicts[0].id, id));
  hm_answer_source from = { .s = w->s, .rules = &r };
  ok(w, hm_answers_find(&from, id, 10, w->a, &found, &n, &w->err));
  assert_int_equal(n, 1);
  const hm_json *tree = hm_json_parse_as(w->a, found[0].json, HM_JSON_OBJECT);
  assert_int_equal(hm_json_get(tree, "members")->count, 3);
}

static void a_write_opens_and_quiets(void **state) {
  world *w = *state;
  hm_rules r = rules();
  hm_review v = review_of(&r);
  hm_written out;
  hm_str id = opened(w);
  ok(w, hm_review_edit(w->s, &v, HM_STR("relation:r2"), json(w, "{\"from\":\"base\",\"to\":\"lid\"}"),
                       w->a, &out, &w->err));
  assert_int_equal(out.n_opened, 1);
  assert_int_equal(out.n_quieted, 1);
  assert_true(hm_str_eq(out.quieted[0], id));
  hm_sweep s = sweep(w);
  assert_int_equal(s.plan->n, 0);
  assert_int_equal(s.plan->n_conflicts, 2);
  hm_sweep_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(is_recorded_and_explained, begin, end),
    cmocka_unit_test_setup_teardown(a_verdict_silences_it_until_the_evidence_changes, begin, end),
    cmocka_unit_test_setup_teardown(a_winner_stands, begin, end),
    cmocka_unit_test_setup_teardown(a_write_joins_it, begin, end),
    cmocka_unit_test_setup_teardown(a_write_opens_and_quiets, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
