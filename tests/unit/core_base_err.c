#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/err.h"

static void fills_all_parts(void **unused) {
  (void)unused;
  hm_err e;
  assert_int_equal(hm_fail(&e, HM_E_STORE, "store x.db", "no such file", "run hmirror init"), -1);
  assert_int_equal(e.code, HM_E_STORE);
  char line[200];
  hm_err_format_line(&e, line, sizeof line);
  assert_string_equal(line, "store x.db: no such file: run hmirror init");
}

static void an_empty_part_leaves_no_colon(void **unused) {
  (void)unused;
  hm_err e;
  char line[200];
  hm_fail(&e, HM_E_INPUT, "", "why", NULL);
  hm_err_format_line(&e, line, sizeof line);
  assert_string_equal(line, "why");
  hm_fail(&e, HM_E_INPUT, "what", "", "fix");
  hm_err_format_line(&e, line, sizeof line);
  assert_string_equal(line, "what: fix");
}

static void names_the_field_at_fault(void **unused) {
  (void)unused;
  hm_err e;
  hm_fail(&e, HM_E_INPUT, "body", "missing", NULL);
  assert_string_equal(e.field, "");
  assert_int_equal(hm_err_at_field(&e, HM_STR("winner\n")), -1);
  assert_string_equal(e.field, "winner?");
  assert_string_equal(e.what, "body");
  hm_err_at_field(&e,
                  HM_STR("0123456789012345678901234567890123456789012345678901234567890123456789"));
  assert_int_equal(strlen(e.field), 63);
}

static void null_is_allowed(void **unused) {
  (void)unused;
  assert_int_equal(hm_fail(NULL, HM_E_INPUT, "a", "b", "c"), -1);
  assert_int_equal(hm_failf(NULL, HM_E_INPUT, "a", "b", "%d", 1), -1);
  assert_int_equal(hm_err_within(NULL, "%d", 1), -1);
  assert_int_equal(hm_err_at_field(NULL, HM_STR("x")), -1);
}

static void hostile_bytes_become_question_marks(void **unused) {
  (void)unused;
  hm_err e;
  hm_fail(&e, HM_E_INPUT, "a\x1b[31m\n", "b\xff\xe2\x82",
          "c\xe2\x80\xae\xc2\x85 \xef\xbf\xbd \xc3\xa9");
  assert_string_equal(e.what, "a?[31m?");
  assert_string_equal(e.why, "b??");
  assert_string_equal(e.fix, "c?? \xef\xbf\xbd \xc3\xa9");
}

static void long_texts_are_cut_at_a_code_point(void **unused) {
  (void)unused;
  char z[4000];
  hm_err e;
  for (int lead = 0; lead < 3; lead++) {
    memset(z, 0, sizeof z);
    memset(z, 'x', (size_t)lead);
    for (size_t i = (size_t)lead; i + 3 < sizeof z; i += 3) memcpy(z + i, "\xe2\x82\xac", 3);
    hm_failf(&e, HM_E_INPUT, z, z, "%s", z);
    assert_int_equal(strlen(e.why), (511 - lead) / 3 * 3 + lead);
    assert_string_equal(e.why, e.what);
    assert_int_equal(strlen(e.fix), (1023 - lead) / 3 * 3 + lead);
    assert_memory_equal(e.why, z, strlen(e.why));
    assert_memory_equal(e.fix, z, strlen(e.fix));
    char line[10];
    hm_err_format_line(&e, line, sizeof line);
    assert_int_equal(strlen(line), (9 - lead) / 3 * 3 + lead);
  }
}

static void context_goes_in_front(void **unused) {
  (void)unused;
  hm_err e;
  hm_fail(&e, HM_E_INPUT, "", "why", "fix");
  assert_int_equal(hm_err_within(&e, "line %d", 12), -1);
  assert_string_equal(e.what, "line 12");
  hm_err_within(&e, "%s", "facts.jsonl");
  assert_string_equal(e.what, "facts.jsonl: line 12");
  assert_string_equal(e.why, "why");
  for (int i = 0; i < 500; i++) hm_err_within(&e, "%d", i);
  assert_int_equal(strlen(e.what), 511);
  assert_memory_equal(e.what, "499: 498: ", 10);
}

static void its_own_texts_may_be_passed(void **unused) {
  (void)unused;
  hm_err e;
  hm_fail(&e, HM_E_INPUT, "a", "b", "c");
  hm_fail(&e, HM_E_STORE, e.why, e.fix, e.what);
  assert_string_equal(e.what, "b");
  assert_string_equal(e.why, "c");
  assert_string_equal(e.fix, "a");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(fills_all_parts), cmocka_unit_test(an_empty_part_leaves_no_colon),
    cmocka_unit_test(names_the_field_at_fault),
    cmocka_unit_test(null_is_allowed), cmocka_unit_test(hostile_bytes_become_question_marks),
    cmocka_unit_test(long_texts_are_cut_at_a_code_point), cmocka_unit_test(context_goes_in_front),
    cmocka_unit_test(its_own_texts_may_be_passed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
