/* Claims for disputes only: whatever is left out disagrees with nobody, and all is counted. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_claim_help.h"

static hm_arena *A;
static uint64_t seed = 7;

static const char *pick(const char *const *of, size_t n) { return of[prng(&seed) % n]; }
#define PICK(list) pick((list), sizeof(list) / sizeof *(list))

static const char *const keys[] = { "frame mass", "Frame Mass", "gain", "gain_code", "pitch", "drift" };
static const char *const words[] = {
  "5 kg", "5000 g", " 5 kg", "5 kg.", "5", "5.0", "true", "TRUE", "PEEK", "peek", ".", "", "  ", "\u00A0", ".\u00A0", "2026-04", "2026-04-02", "007",
  "[1,2]", "6 kg",
};
static const char *const jsons[] = { "5", "5.0", "true", "[1,2]", "[2,1]", "[]", "{}", "null", "\"5 kg\"", "[{}]", "\"\"", "[\"5 kg\"]" };
static const char *const props[] = {
  "{\"parameter_name\":\"gain\",\"value\":\"5\",\"unit\":\"kg\"}", "{\"parameter_name\":\"gain\",\"value\":5,\"unit\":\"g\"}",
  "{\"parameter_name\":\"gain\",\"value\":\"5 kg\",\"unit\":\"kg\"}", "{\"parameter_name\":\"gain\",\"value\":\"5 kg\"}",
  "{\"parameter_name\":\"gain\",\"value\":true,\"unit\":\"kg\",\"limit\":[1,2]}", "{\"parameter_name\":\"pitch\",\"value\":\"[1,2]\",\"x\":{}}",
  "{\"parameter_name\":\"pitch\",\"value\":[2,1,1],\"y\":\"\\u0041\"}", "{\"parameter_name\":", "", "[1]", "{\"value\":\"6 kg\"}",
};
static const char *const contents[] = {
  "gain is 5 kg", "gain is 5 kg.", "gain: 6 kg", "prefers rebase workflow", "prefers rebasing workflow", "prefers merge workflow", "role: engineer", "hm",
};
static const char *const memory_types[] = { "knowledge", "preference", "identity", "Preference", "project" };

static hm_row random_row(size_t i) {
  hm_layer layer = (hm_layer)(1 + prng(&seed) % 4);
  const char *id = hm_str_fmt(A, "r%zu", i).p;
  hm_row r = layer == HM_MEMORY ? help_row(layer, id, PICK(memory_types), "", PICK(contents))
           : layer == HM_ENTITY ? help_row(layer, id, prng(&seed) % 4 ? "Parameter" : "Subsystem", PICK(keys), PICK(props))
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

static hm_claims *contested(const hm_snapshot *s, int threads) {
  hm_claims *c = NULL;
  hm_err err;
  assert_int_equal(hm_claims_contested(s, hm_rules_default(), threads, &c, &err), 0);
  return c;
}

static hm_str slot_of(const hm_snapshot *s, const hm_claim *c) { return hm_claim_slot_key(A, s, c); }

/* Of each slot its first value's key; "" once another was seen. */
enum { MOST = 256 };
typedef struct { hm_map of; hm_str key[MOST]; bool differ[MOST]; } slots;

static void slots_of(slots *t, const hm_snapshot *s, const hm_claims *all) {
  memset(t, 0, sizeof *t);
  hm_map_init(&t->of, A, 64);
  for (size_t i = 0; i < all->n; i++) {
    uint32_t at = hm_map_add(&t->of, slot_of(s, &all->claims[i]), (uint32_t)t->of.n);
    assert_true(t->of.n < MOST);
    if (!t->key[at].n) t->key[at] = all->claims[i].value.key;
    t->differ[at] |= !hm_str_eq(t->key[at], all->claims[i].value.key);
  }
}

static bool same_claim(const hm_claim *a, const hm_claim *b) {
  return a->row == b->row && a->hash == b->hash && a->from == b->from && a->until == b->until && a->stands == b->stands &&
         hm_str_eq(a->name, b->name) && hm_str_eq(a->field, b->field) && hm_str_eq(a->compare, b->compare) &&
         a->value.kind == b->value.kind && hm_str_eq(a->value.norm, b->value.norm) && hm_str_eq(a->value.raw, b->value.raw) &&
         hm_str_eq(a->value.key, b->value.key);
}

/* What is there is as it would be among all, in their order; what is not is on slots whose values are all equal. */
static void check_claims(const hm_snapshot *s, const hm_claims *all, const hm_claims *some) {
  slots t;
  size_t k = 0;
  slots_of(&t, s, all);
  for (size_t i = 0; i < all->n; i++) {
    if (k < some->n && same_claim(&all->claims[i], &some->claims[k])) k++;
    else assert_false(t.differ[hm_map_get(&t.of, slot_of(s, &all->claims[i]))]);
  }
  assert_int_equal(k, some->n);
  assert_int_equal(some->total, all->n);
  assert_int_equal(some->slots, t.of.n);
}

static void check_findings(const hm_claims *all, const hm_claims *some) {
  assert_int_equal(all->n_findings, some->n_findings);
  for (size_t i = 0; i < all->n_findings; i++) {
    const hm_finding *a = &all->findings[i], *b = &some->findings[i];
    assert_true(hm_str_eq(a->id, b->id) && hm_str_eq(a->message, b->message) && hm_str_eq(a->actual, b->actual));
  }
}

static void check(size_t n, int threads) {
  hm_row *rows = hm_alloc_array(A, n, sizeof *rows);
  for (size_t i = 0; i < n; i++) rows[i] = random_row(i);
  hm_snapshot s = help_snapshot(A, rows, n);
  hm_claims *all = help_claims(&s, 1), *some = contested(&s, threads);
  check_claims(&s, all, some);
  check_findings(all, some);
  hm_claims_free(all);
  hm_claims_free(some);
}

static void few_rows(void **state) {
  (void)state;
  for (size_t n = 0; n < 40; n++)
    for (int k = 0; k < 50; k++) check(n, 1 + (int)n % 4);
}

static void many_rows(void **state) {
  (void)state;
  check(4095, 4);
  check(20000, 1);
  check(20000, 8);
}


static void only_what_differs_is_kept(void **state) {
  (void)state;
  enum { N = 10000 };
  hm_row *rows = hm_alloc_array(A, N, sizeof *rows);
  for (size_t i = 0; i < N; i++)
    rows[i] = help_row(HM_STATE, hm_str_fmt(A, "s%zu", i).p, "", hm_str_fmt(A, "key %zu", i / 2).p, i == 4001 ? "6 kg" : "5 kg");
  hm_snapshot s = help_snapshot(A, rows, N);
  hm_claims *c = contested(&s, 4);
  assert_int_equal(c->n, 2);
  assert_true(c->total == N && c->slots == N / 2 && hm_str_is(c->claims[0].name, "key_2000"));
  hm_claims_free(c);
}

/* The claims of a recorded member are there, disputed or not; a member whose row is gone does not matter. */
static void members_are_kept(void **state) {
  (void)state;
  hm_row rows[] = { help_row(HM_STATE, "s1", "", "mass", "5 kg"), help_row(HM_STATE, "s2", "", "gain", "2") };
  hm_member_rec members[] = { { .layer = HM_STATE, .id = HM_STR("s2") }, { .layer = HM_ENTITY, .id = HM_STR("e1") } };
  hm_conflict_rec rec = { .status = HM_RESOLVED, .members = members, .n_members = 2 };
  hm_snapshot s = help_snapshot(A, rows, 2);
  s.conflicts = &rec;
  s.n_conflicts = 1;
  hm_claims *c = contested(&s, 1);
  assert_true(c->n == 1 && c->total == 2 && c->slots == 2 && hm_str_is(c->claims[0].name, "gain"));
  hm_claims_free(c);
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(few_rows, setup, teardown),
    cmocka_unit_test_setup_teardown(many_rows, setup, teardown),
    cmocka_unit_test_setup_teardown(only_what_differs_is_kept, setup, teardown),
    cmocka_unit_test_setup_teardown(members_are_kept, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
