/* Claims of many random rows: the same for any number of threads, in the order of the rows, with a
 * hash of their slot. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_claim_help.h"

static hm_arena *A;
static uint64_t seed = 7;

static const char *pick(const char *const *of, size_t n) { return of[prng(&seed) % n]; }
#define PICK(list) pick((list), sizeof(list) / sizeof *(list))

static const char *const keys[] = { "frame mass", "Frame Mass", "gain",
                                    "gain_code",  "pitch",      "drift" };
static const char *const words[] = {
  "5 kg", "5000 g", " 5 kg", "5 kg.", "5", "5.0", "true", "TRUE", "PEEK", "peek", ".", "", "  ",
  "\u00A0", ".\u00A0", "2026-04", "2026-04-02", "007",
  "[1,2]", "6 kg",
};
static const char *const jsons[] = { "5",  "5.0",  "true",     "[1,2]", "[2,1]", "[]",
                                     "{}", "null", "\"5 kg\"", "[{}]",  "\"\"",  "[\"5 kg\"]" };
static const char *const props[] = {
  "{\"parameter_name\":\"gain\",\"value\":\"5\",\"unit\":\"kg\"}",
  "{\"parameter_name\":\"gain\",\"value\":5,\"unit\":\"g\"}",
  "{\"parameter_name\":\"gain\",\"value\":\"5 kg\",\"unit\":\"kg\"}",
  "{\"parameter_name\":\"gain\",\"value\":\"5 kg\"}",
  "{\"parameter_name\":\"gain\",\"value\":true,\"unit\":\"kg\",\"limit\":[1,2]}",
  "{\"parameter_name\":\"pitch\",\"value\":\"[1,2]\",\"x\":{}}",
  "{\"parameter_name\":\"pitch\",\"value\":[2,1,1],\"y\":\"\\u0041\"}", "{\"parameter_name\":", "",
  "[1]", "{\"value\":\"6 kg\"}",
};
static const char *const contents[] = {
  "gain is 5 kg", "gain is 5 kg.", "gain: 6 kg", "prefers rebase workflow",
  "prefers rebasing workflow", "prefers merge workflow", "role: engineer", "hm",
};
static const char *const memory_types[] = { "knowledge", "preference", "identity", "Preference",
                                            "project" };

static hm_row random_row(size_t i) {
  hm_layer layer = (hm_layer)(1 + prng(&seed) % 4);
  const char *id = hm_str_fmt(A, "r%zu", i).p;
  hm_row r = layer == HM_MEMORY ? help_row(layer, id, PICK(memory_types), "", PICK(contents))
      : layer == HM_ENTITY
      ? help_row(layer, id, prng(&seed) % 4 ? "Parameter" : "Subsystem", PICK(keys), PICK(props))
      : help_row(layer, id, "fact", PICK(keys), PICK(words));
  r.project = (uint32_t)(prng(&seed) % 3);
  r.value_is_json = layer == HM_STATE && prng(&seed) % 3 == 0;
  if (r.value_is_json) r.text = hm_str_c(PICK(jsons));
  if (prng(&seed) % 20 == 0) r.valid_until = HM_STR("1999");
  if (prng(&seed) % 20 == 0) r.valid_from = HM_STR("2000");
  if (prng(&seed) % 20 == 0) r.valid_from = HM_STR("soon");
  if (prng(&seed) % 9 == 0) r.status = HM_SUPERSEDED;
  return r;
}

static bool same_claim(const hm_claim *a, const hm_claim *b) {
  return a->row == b->row && a->hash == b->hash && a->when->from == b->when->from &&
      a->when->until == b->when->until && a->when->may_from == b->when->may_from &&
      a->when->may_until == b->when->may_until && a->stands == b->stands &&
      hm_str_eq(a->name, b->name) && hm_str_eq(a->field, b->field) &&
      hm_str_eq(a->compare, b->compare) && a->value.kind == b->value.kind &&
      hm_str_eq(a->value.norm, b->value.norm) && hm_str_eq(a->value.raw, b->value.raw) &&
      hm_str_eq(a->value.key, b->value.key);
}

static void check_claims(const hm_claims *x, const hm_claims *y) {
  assert_int_equal(x->n, y->n);
  for (size_t i = 0; i < x->n; i++) {
    assert_true(same_claim(&x->claims[i], &y->claims[i]));
    assert_true(i == 0 || x->claims[i - 1].row <= x->claims[i].row);
  }
}

static void check_findings(const hm_claims *x, const hm_claims *y) {
  assert_int_equal(x->n_findings, y->n_findings);
  for (size_t i = 0; i < x->n_findings; i++) {
    const hm_finding *a = &x->findings[i], *b = &y->findings[i];
    assert_true(hm_str_eq(a->id, b->id) && hm_str_eq(a->message, b->message) &&
                hm_str_eq(a->actual, b->actual));
  }
}

/* Claims of one slot have one hash. */
static void check_hashes(const hm_snapshot *s, const hm_claims *c) {
  enum { MOST = 256 };
  hm_map slots;
  uint64_t hash[MOST];
  hm_map_init(&slots, A, 64);
  for (size_t i = 0; i < c->n; i++) {
    size_t before = slots.n;
    uint32_t at = hm_map_add(&slots, hm_claim_slot_key(A, s, &c->claims[i]), (uint32_t)before);
    assert_in_range(slots.n, 1, MOST);
    if (slots.n > before) hash[at] = c->claims[i].hash;
    assert_true(hash[at] == c->claims[i].hash);
  }
}

static void check(size_t n, int threads) {
  hm_row *rows = hm_alloc_array(A, n, sizeof *rows);
  for (size_t i = 0; i < n; i++) rows[i] = random_row(i);
  hm_snapshot s = help_snapshot(A, rows, n);
  hm_claims *one = help_claims(&s, 1), *many = help_claims(&s, threads);
  check_claims(one, many);
  check_findings(one, many);
  check_hashes(&s, one);
  assert_memory_equal(one->speaks, many->speaks, n);
  hm_claims_free(one);
  hm_claims_free(many);
}

/* The claims of history rows are those that they would have if they, and no others, were active. */
static void rows_that_are_history(void **state) {
  enum { N = 9000 };
  (void)state;
  hm_row *rows = hm_alloc_array(A, N, sizeof *rows), *turned = hm_alloc_array(A, N, sizeof *turned);
  uint32_t *chosen = hm_alloc_array(A, N, sizeof *chosen);
  size_t n = 0;
  for (size_t i = 0; i < N; i++) {
    turned[i] = rows[i] = random_row(i);
    turned[i].status = rows[i].status == HM_ACTIVE ? HM_SUPERSEDED : HM_ACTIVE;
  }
  hm_snapshot s = help_snapshot(A, rows, N), t = help_snapshot(A, turned, N);
  for (uint32_t i = 0; i < N; i++)
    if (rows[i].status != HM_ACTIVE) chosen[n++] = i;
  for (int threads = 1; threads <= 4; threads += 3) {
    hm_claims *of_rows = NULL, *all = help_claims(&t, 1);
    hm_err err;
    assert_int_equal(
        hm_claims_read_rows(&s, hm_rules_default(), chosen, n, threads, &of_rows, &err), 0);
    assert_true(of_rows->n > 500);
    check_claims(of_rows, all);
    check_findings(of_rows, all);
    hm_claims_free(of_rows);
    hm_claims_free(all);
  }
}

static void few_rows(void **state) {
  (void)state;
  for (size_t n = 0; n < 40; n++)
    for (int k = 0; k < 50; k++) check(n, 1 + (int)n % 4);
}

static void many_rows(void **state) {
  (void)state;
  check(4095, 4);
  check(20000, 2);
  check(20000, 8);
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(few_rows, setup, teardown),
    cmocka_unit_test_setup_teardown(many_rows, setup, teardown),
    cmocka_unit_test_setup_teardown(rows_that_are_history, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
