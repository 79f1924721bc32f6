/* What was taken out claims nothing, wherever it stood. */
#include "core_claim_help.h"
#include "core/base/redaction.h"
#include "tests/unit/core_base_help.h"

static void marks(void **state) {
  (void)state;
  hm_str mark = hm_redacted_mark(arena, HM_STR("2026-11-21T10:00:00Z"), HM_STR("a [leaked] key"));
  assert_true(hm_str_is(mark, "[redacted 2026-11-21: a [leaked] key]"));
  assert_true(hm_is_redacted(mark));
  assert_true(hm_is_redacted(HM_STR(" [redacted 2026-11-21: x]\n")));
  static const char *const others[] = { "",
                                        "[redacted]",
                                        "[redacted 2026-11-21]",
                                        "[redacted 2026-1-21: xx]",
                                        "redacted 2026-11-21: x",
                                        "[redacted 2026-11-21: x",
                                        "[Redacted 2026-11-21: x]",
                                        "[redacted 2026-11-21 x y]",
                                        "so [redacted 2026-11-21: x]" };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (hm_is_redacted(hm_str_c(others[i]))) fail_msg("%s", others[i]);
}

static size_t claims_of(hm_row row) {
  hm_row rows[] = { row };
  hm_snapshot s = help_snapshot(arena, rows, 1);
  hm_claims *c = help_claims(&s, 1);
  size_t n = c->n;
  hm_claims_free(c);
  return n;
}

#define MARK "[redacted 2026-11-21: it is a key]"

static void it_claims_nothing(void **state) {
  (void)state;
  assert_int_equal(claims_of(help_row(HM_STATE, "s", "c", "key", "x")), 1);
  assert_int_equal(claims_of(help_row(HM_STATE, "s", "c", "key", MARK)), 0);
  assert_int_equal(claims_of(help_row(HM_MEMORY, "m", "knowledge", "", "the limit is 5 kg")), 1);
  assert_int_equal(claims_of(help_row(HM_MEMORY, "m", "knowledge", "", MARK)), 0);
  assert_int_equal(claims_of(help_row(HM_MEMORY, "m", "preference", "", MARK)), 0);
  hm_row ruled = help_row(HM_MEMORY, "m", "knowledge", "", MARK);
  ruled.slot_rule = HM_STR("key");
  assert_int_equal(claims_of(ruled), 0);
  /* the other fields of an entity claim as before */
  assert_int_equal(
      claims_of(help_row(HM_ENTITY, "e", "Component", "box",
                         "{\"component_name\":\"box\",\"key\":\"x\",\"mass\":\"4 kg\"}")),
      2);
  assert_int_equal(
      claims_of(help_row(HM_ENTITY, "e", "Component", "box",
                         "{\"component_name\":\"box\",\"key\":\"" MARK "\",\"mass\":\"4 kg\"}")),
      1);
}

static void nobody_disagrees_with_it(void **state) {
  (void)state;
  hm_row rows[] = { help_row(HM_STATE, "s1", "c", "key", "x"),
                    help_row(HM_STATE, "s2", "c", "key", MARK) };
  hm_snapshot s = help_snapshot(arena, rows, 2);
  hm_claims *c = NULL;
  hm_err err;
  assert_int_equal(hm_claims_read(&s, hm_rules_default(), 1, &c, &err), 0);
  assert_int_equal(c->n, 1);
  assert_true(hm_str_is(c->claims[0].value.raw, "x"));
  hm_claims_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = { T(marks), T(it_claims_nothing), T(nobody_disagrees_with_it) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
