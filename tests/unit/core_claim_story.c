/* The question that a claim of a text asks, and which written times are an import's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/claim/story.h"

static hm_arena *A;

static const struct {
  hm_prose_shape shape;
  const char *slot, *subject, *attribute, *qualifier, *value, *words;
  enum { PLAIN = 0, FAMILY = 1, DENIED = 2, ONLY = 4 } is;
  const char *question;
} CASES[] = {
  { HM_SHAPE_QUANTITY, "api_timeout", "api", "timeout", "", "30 s", "API timeout is 30 s", PLAIN,
    "Is the API timeout of p05 still 30 s?" },
  { HM_SHAPE_QUANTITY, "auth_rate_limit", "auth", "rate_limit", "per_ip", "5,000 req/s",
    "Auth allows 5,000 req/s per IP", PLAIN,
    "Is the auth rate limit of p05 (per IP) still 5,000 req/s?" },
  { HM_SHAPE_CHOICE, "api_style", "", "api_style", "", "REST", "We use REST", FAMILY,
    "Is the API of p05 still REST?" },
  { HM_SHAPE_CHOICE, "api_style", "billing", "api_style", "", "REST", "Billing uses REST", FAMILY,
    "Is the API of p05 still REST?" },
  { HM_SHAPE_CHOICE, "api_style", "", "api_style", "", "REST", "The API style is REST", PLAIN,
    "Is the API style of p05 still REST?" },
  { HM_SHAPE_CHOICE, "build_tool", "", "build_tool", "", "Bazel", "We use Bazel", FAMILY,
    "Is the build tool of p05 still Bazel?" },
  { HM_SHAPE_SWITCH, "debug_mode", "", "debug_mode", "", "enabled", "Debug mode is enabled", PLAIN,
    "Is debug mode of p05 still enabled?" },
  { HM_SHAPE_SWITCH, "commit_signed", "", "commit_signed", "", "must be", "commits must be signed",
    PLAIN, "Does it still hold: \"commits must be signed\"?" },
  { HM_SHAPE_KEY, "max_conns", "", "max_conns", "", "50", "MAX_CONNS=50", PLAIN,
    "Is MAX CONNS of p05 still 50?" },
  { HM_SHAPE_SET, "endpoint_data_format", "endpoint", "data_format", "", "JSON",
    "The endpoint accepts JSON only", ONLY, "Is the endpoint data format of p05 still only JSON?" },
  { HM_SHAPE_ATTRIBUTE, "user_cat_name", "user_cat", "name", "", "Luna", "the user's cat is Luna",
    PLAIN, "Is the name of user cat still Luna?" },
  { HM_SHAPE_CHOICE, "support_material", "support", "material", "", "PEEK",
    "The support material is not PEEK", DENIED, "Is the support material of p05 still not PEEK?" },
};

static void questions_come_from_the_slot(void **state) {
  (void)state;
  for (size_t i = 0; i < HM_COUNT(CASES); i++) {
    hm_prose_claim c = { .shape = CASES[i].shape,
                         .slot = hm_str_c(CASES[i].slot),
                         .subject = hm_str_c(CASES[i].subject),
                         .attribute = hm_str_c(CASES[i].attribute),
                         .qualifier = hm_str_c(CASES[i].qualifier),
                         .value = hm_str_c(CASES[i].value),
                         .words = hm_str_c(CASES[i].words),
                         .family = CASES[i].is & FAMILY,
                         .denied = CASES[i].is & DENIED,
                         .only = CASES[i].is & ONLY };
    hm_str got = hm_story_question(&c, HM_STR("p05"), A);
    assert_string_equal(hm_str_z(A, got), CASES[i].question);
  }
}

static void ten_memories_of_a_second_have_no_time(void **state) {
  (void)state;
  for (size_t n = 9; n <= 10; n++) {
    hm_row rows[10];
    hm_snapshot s = { .rows = rows, .n_rows = n };
    size_t n_crowded;
    hm_time t;
    s.first[HM_ENTITY] = s.first[HM_STATE] = s.first[HM_RELATION] = s.first[5] = n;
    s.first[HM_MEMORY] = 0;
    for (size_t i = 0; i < n; i++)
      rows[i] = (hm_row){ .created_at = hm_str_fmt(A, "2026-03-01T10:00:00.%zuZ", i) };
    const hm_time *crowded = hm_list_crowded_seconds(&s, A, &n_crowded);
    assert_int_equal(n_crowded, n >= 10);
    assert_true(hm_parse_written_second(HM_STR("2026-03-01T10:00:00.7Z"), &t));
    assert_int_equal(hm_second_is_crowded(crowded, n_crowded, t), n >= 10);
    assert_false(hm_second_is_crowded(crowded, n_crowded, t + 1000000));
  }
}

static void letters_count(void **state) {
  (void)state;
  static const struct { const char *x, *y; bool same; } cases[] = {
    { "GF-PTFE", "gf_ptfe", true }, { "eu-west-1", "EU west 1", true }, { "C", "C++", false },
    { "C#", "C", false },           { "Postgres", "PostgreSQL", false }, { "", "-", true },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    assert_int_equal(hm_text_has_same_letters(hm_str_c(cases[i].x), hm_str_c(cases[i].y)),
                     cases[i].same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(questions_come_from_the_slot),
    cmocka_unit_test(ten_memories_of_a_second_have_no_time),
    cmocka_unit_test(letters_count),
  };
  A = hm_arena_new();
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  hm_arena_free(A);
  return rc;
}
