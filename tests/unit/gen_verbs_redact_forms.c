/* What `redact` looks for: a value as files of today have it, and as commits of before do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gen/verbs/redact_search.h"

static void expect(const char *value, const char *file) {
  hm_arena *a = hm_arena_new();
  hm_needles values = { 0 }, forms;
  hm_needles_add(&values, hm_str_c(value), a);
  hm_redact_collect_forms(&values, 2000, a, &forms);
  if (!hm_needles_found_in_bytes(&forms, hm_str_c(file))) fail_msg("%s is not found in %s", value, file);
  hm_arena_free(a);
}

static void found_in_pages_of_today(void **state) {
  (void)state;
  expect("<kim@x.org> & co, http://x.org", "| &lt;kim`@`x\\.org&gt; & co, http:/\\/x\\.org |");
  expect("<kim@x.org> & co, http://x.org", "<td>&lt;kim@x.org&gt; &amp; co, http://x.org</td>");
}

/* Backslashes were all there was. */
static void found_in_pages_of_before(void **state) {
  (void)state;
  expect("<kim@x.org> & co, http://x.org", "| \\<kim@x.org\\> \\& co, http://x.org |");
  expect("pass&word\\<www.x.org>", "pass\\&word\\\\\\<www.x.org\\>");
  expect("secret[1](2)", "secret\\[1\\](2)");
  expect("1. secret <b>", "1\\. secret \\<b\\>");
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(found_in_pages_of_today),
                                      cmocka_unit_test(found_in_pages_of_before) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
