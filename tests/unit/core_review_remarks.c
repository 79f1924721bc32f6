/* What people say of findings and rows: an acknowledgement holds while the evidence does, and what
 * two stores say goes together in any order. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_review_help.h"
#include "core/review/finding_review.h"
#include "core/store/verdict_lines.h"

enum { ROWS = 6, STEPS = 120 };

static hm_sweep sweep(world *w) {
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1 };
  hm_sweep out;
  ok(w, hm_sweep_run_all(w->s, &opt, w->a, &out, &w->err));
  return out;
}

static const hm_finding *of_row(const hm_sweep *s, const char *ref) {
  for (size_t i = 0; i < s->n_findings; i++)
    if (s->findings[i].n_rows == 1 && hm_str_is(s->findings[i].rows[0], ref))
      return &s->findings[i];
  return NULL;
}

static hm_review by(const char *who, int second, hm_arena *a) {
  hm_review r = review();
  r.who.by = hm_str_c(who);
  r.who.at = hm_str_fmt(a, "2026-06-01T10:%02d:%02dZ", second / 60, second % 60);
  return r;
}

/* Each row supersedes itself by a row that is not there: a finding whose evidence is the row. */
static void fill(world *w) {
  create(w);
  for (int i = 0; i < ROWS; i++)
    import(w, hm_str_fmt(w->a,
                         "{\"kind\":\"entity\",\"id\":\"e%d\",\"entity_type\":\"Note\","
                         "\"name\":\"n0\",\"superseded_by\":\"gone\"}\n", i).p);
}

/* A model: what a row says, and what it said when it was acknowledged last. */
static void an_acknowledgement_holds_while_the_evidence_does(void **state) {
  world *w = *state;
  int says[ROWS] = { 0 }, known[ROWS];
  uint64_t seed = 7;
  fill(w);
  for (int i = 0; i < ROWS; i++) known[i] = -1;
  for (int step = 0; step < STEPS; step++) {
    int i = (int)(prng(&seed) % ROWS);
    hm_review r = by("kim", step, w->a);
    hm_remark_report report;
    hm_sweep s = sweep(w);
    hm_str id = of_row(&s, hm_str_fmt(w->a, "entity:e%d", i).p)->id;
    hm_sweep_free(&s);
    switch (prng(&seed) % 4) {
      case 0:
        ok(w, hm_review_ack(w->s, &r, id, HM_STR("known"), w->a, &report, &w->err));
        assert_int_equal(report.changed, known[i] != says[i]);
        known[i] = says[i];
        break;
      case 1:
        if (known[i] < 0) break;
        ok(w, hm_review_unack(w->s, &r, id, HM_EMPTY, w->a, &report, &w->err));
        known[i] = -1;
        break;
      default:
        says[i] = (int)(prng(&seed) % 3);
        sql(w, hm_str_fmt(w->a, "UPDATE entities SET name = 'n%d' WHERE id = 'e%d'", says[i], i).p);
    }
    s = sweep(w);
    size_t acked = 0;
    for (int k = 0; k < ROWS; k++) {
      const hm_finding *f = of_row(&s, hm_str_fmt(w->a, "entity:e%d", k).p);
      assert_int_equal(f->acked, known[k] == says[k]);
      assert_int_equal(f->ack != NULL, known[k] >= 0);
      acked += f->acked;
    }
    assert_int_equal(acked, s.n_acked);
    hm_sweep_free(&s);
  }
}

static hm_str verdicts(world *w) {
  char *text;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  ok(w, hm_export_verdicts(w->s, f, &w->err));
  fclose(f);
  hm_str out = hm_str_dup(w->a, (hm_str){ text, n });
  free(text);
  return out;
}

/* Three desks say things of one store; the lines of all, in any order and twice, are one file. */
static void what_stores_say_goes_together_in_any_order(void **state) {
  world *w = *state;
  uint64_t seed = 11;
  hm_str lines[3], all = HM_EMPTY, first = HM_EMPTY;
  for (int desk = 0; desk < 3; desk++) {
    static const char *const names[] = { "ann", "bob", "cid" };
    fill(w);
    if (desk) import(w, hm_str_z(w->a, lines[0]));   /* two of them knew the first */
    for (int step = 0; step < 12; step++) {
      hm_review r = by(names[desk], step, w->a);
      hm_remark_report report;
      hm_str ref = hm_str_fmt(w->a, "entity:e%d", (int)(prng(&seed) % ROWS));
      hm_sweep s = sweep(w);
      hm_str id = of_row(&s, ref.p)->id;
      hm_sweep_free(&s);
      hm_err may = { 0 };
      switch (prng(&seed) % 4) {
        case 0: hm_review_unack(w->s, &r, id, HM_EMPTY, w->a, &report, &may); break;
        case 1: hm_review_unflag(w->s, &r, ref, HM_EMPTY, w->a, &report, &may); break;
        case 2: ok(w, hm_review_flag(w->s, &r, ref, HM_STR("odd"), w->a, &report, &w->err)); break;
        default: ok(w, hm_review_ack(w->s, &r, id, HM_STR("known"), w->a, &report, &w->err));
      }
    }
    lines[desk] = verdicts(w);
    hm_store_close(w->s);
    w->s = NULL;
    remove(w->path);
  }
  for (int turn = 0; turn < 6; turn++) {
    fill(w);
    for (int k = 0; k < 6; k++)
      import(w, hm_str_z(w->a, lines[(k * (turn % 2 ? 1 : 2) + turn) % 3]));
    all = verdicts(w);
    if (!turn) first = all;
    assert_true(hm_str_eq(all, first));
    hm_str records = export(w);
    import(w, hm_str_z(w->a, all));
    assert_true(hm_str_eq(records, export(w)));
    hm_store_close(w->s);
    w->s = NULL;
    remove(w->path);
  }
  create(w);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
    T(an_acknowledgement_holds_while_the_evidence_does),
    T(what_stores_say_goes_together_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
