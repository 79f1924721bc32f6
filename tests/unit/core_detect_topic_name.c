/* Names of slots of topics for people: core/detect/topic_name.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/detect/topic_name.h"

static hm_arena *A;

static void names_are_said_by_the_words_of_the_texts(void **state) {
  (void)state;
  static const struct {
    const char *name, *texts[2], *want;
  } cases[] = {
    { "length_line_count", { "Line length is 90.", "Lines: 80" }, "line_length_count" },
    { "n_packag_package_manager", { "Use npm as the package manager.", "" }, "n_package_manager" },
    { "log_retent_duration", { "Logs are kept for 30 days.", "" }, "retention_logs_duration" },
    { "idl_kiln_duration", { "The kiln cools.", "Idle kilns cool for 3 hours." }, "kiln_idle_duration" },
    { "max_valves", { "MAX_VALVES=8", "" }, "max_valves" },
    { "request_times", { "Retried three times a request.", "" }, "times_request" },
    { "cogne_memori_count", { "Three memories are kept.", "" }, "cognee_memories_count" },
    { "", { "", "" }, "" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_topic_text texts[] = { { hm_str_c(cases[i].texts[0]), HM_STR("apps/cognee/README.md") },
                              { hm_str_c(cases[i].texts[1]), HM_EMPTY } };
    hm_str got = hm_topic_name(A, hm_str_c(cases[i].name), texts, 2);
    assert_string_equal(hm_str_z(A, got), cases[i].want);
  }
}

static int set_up(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int tear_down(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(names_are_said_by_the_words_of_the_texts) };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
