/* Names that no row had before: which are told, and what that takes. */
#include "tests/unit/core_review_help.h"
#include "core/review/new_names.h"

enum { KNOWN = 3000, NEW = 500 };

static void fill(world *w) {
  hm_buf b = { 0 };
  for (int i = 0; i < KNOWN; i++)
    hm_buf_fmt(
        &b,
        "{\"kind\":\"project_state\",\"id\":\"s%d\",\"project\":\"project %c%d\",\"key\":\"k\",\"value\":\"v\",\"category\":\"c\"}\n",
        i, 'a' + i % 26, i);
  create(w);
  ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
  hm_buf_free(&b);
}

/* Each known name is made ready once, not once for each new one. */
static void many_names_take_little(void **state) {
  world *w = *state;
  hm_import_names *c = hm_import_names_new();
  hm_new_name *names;
  size_t n;
  fill(w);
  for (int i = 0; i < NEW; i++) {
    hm_str name = hm_str_fmt(w->a, "projcet %c%d", 'a' + i % 26, i);
    ok(w, hm_import_names_see(c, w->s, HM_NAME_PROJECT, name, &w->err));
  }
  size_t before = hm_arena_held(w->a);
  ok(w, hm_import_names_report(c, w->s, w->a, &names, &n, &w->err));
  assert_int_equal(n, NEW);
  assert_true(hm_str_is(names[0].name, "projcet a0"));
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(names[i].nearest.n, names[i].name.n);
    assert_memory_equal(names[i].nearest.p + 7, names[i].name.p + 7, names[i].name.n - 7);
  }
  hm_import_names_free(c);
  assert_in_range(hm_arena_held(w->a) - before, 0, 1 << 20);
}

static void a_relation_has_a_project_too(void **state) {
  world *w = *state;
  static const char rows
      [] =
          "{\"kind\":\"entity\",\"id\":\"e1\",\"entity_type\":\"Part\",\"name\":\"leg\",\"project\":\"alpha\"}\n"
          "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"PART_OF\",\"project\":\"before\",\"from\":\"e1\",\"to\":\"e1\"}\n",
  more[] =
      "{\"kind\":\"relation\",\"id\":\"r2\",\"type\":\"PART_OF\",\"project\":\"since\",\"from\":\"e1\",\"to\":\"e1\"}\n"
      "{\"kind\":\"relation\",\"id\":\"r3\",\"type\":\"PART_OF\",\"from\":\"e1\",\"to\":\"e1\"}\n";
  create(w);
  ok(w, import_bytes(w, HM_STR(rows), false, NULL, NULL));
  assert_int_equal(
      add(w, HM_STATE, "{\"project\":\"before\",\"category\":\"c\",\"key\":\"k\",\"value\":\"v\"}")
          .n_warnings,
      0);
  ok(w, import_bytes(w, HM_STR(more), false, NULL, NULL));
  assert_int_equal(
      add(w, HM_STATE, "{\"project\":\"since\",\"category\":\"c\",\"key\":\"k\",\"value\":\"v\"}")
          .n_warnings,
      0);
  assert_int_equal(
      add(w, HM_STATE, "{\"project\":\"later\",\"category\":\"c\",\"key\":\"k\",\"value\":\"v\"}")
          .n_warnings,
      1);
}

/* Kinds of relations that claim are known before any row has one, however they are written. */
static void kinds_that_claim_are_known(void **state) {
  world *w = *state;
  static const char *const types[] = { "PARENT_OF", "parent_of", "part of", "Located-In", "PARNT_OF" };
  hm_import_names *c = hm_import_names_new();
  hm_new_name *names;
  size_t n;
  create(w);
  for (size_t i = 0; i < HM_COUNT(types); i++)
    ok(w, hm_import_names_see(c, w->s, HM_NAME_RELATION_TYPE, hm_str_c(types[i]), &w->err));
  ok(w, hm_import_names_report(c, w->s, w->a, &names, &n, &w->err));
  assert_int_equal(n, 1);
  assert_true(hm_str_is(names[0].name, "PARNT_OF") && hm_str_is(names[0].nearest, "PARENT_OF"));
  hm_import_names_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(many_names_take_little, begin, end),
    cmocka_unit_test_setup_teardown(kinds_that_claim_are_known, begin, end),
    cmocka_unit_test_setup_teardown(a_relation_has_a_project_too, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
