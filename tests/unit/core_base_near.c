/* Names that may be meant by another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/base/near_names.h"

static const char *near(const char *name, const char *const *known) {
  static char out[128];
  hm_known_name list[8];
  hm_arena *a = hm_arena_new();
  size_t n = 0;
  for (; known[n]; n++) list[n] = hm_known_name_fold(hm_str_c(known[n]), a);
  hm_str got = hm_find_near_name(hm_str_c(name), list, n);
  snprintf(out, sizeof out, "%.*s", HM_FMT(got));
  hm_arena_free(a);
  return out;
}

static void a_slip_is_seen(void **state) {
  (void)state;
  const char *const known[] = { "p05-interferometer", "alpha", "Beta Site", "p11", NULL };
  const char *const cases[][2] = {
    { "p05-interferometr", "p05-interferometer" },
    { "P05 Interferometer", "p05-interferometer" },
    { "alhpa", "alpha" },
    { "betasite", "Beta Site" },
    { "beta_site", "Beta Site" },
    { "p05", "p05-interferometer" },
    { "p", "" },
    { "p12", "" },
    { "p06-interferometer", "" },
    { "p1", "" },
    { "gamma", "" },
    { "alp", "" },
    { "", "" },
    { "!", "" },
    { "ALPHA", "alpha" },
    { "alphabet", "" },
    { "p111", "" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *got = near(cases[i][0], known);
    if (strcmp(got, cases[i][1])) fail_msg("'%s': '%s', not '%s'", cases[i][0], got, cases[i][1]);
  }
}

/* The least apart, then the least: whatever the order. */
static void equals_have_an_order(void **state) {
  (void)state;
  assert_string_equal(near("carrot", (const char *const[]){ "carrox", "carrob", NULL }), "carrob");
  assert_string_equal(near("Award", (const char *const[]){ "War", NULL }), "");
  assert_string_equal(near("Deity", (const char *const[]){ "City", NULL }), "");
  assert_string_equal(near("carrot", (const char *const[]){ "carrob", "carrox", NULL }), "carrob");
  assert_string_equal(near("carrot", (const char *const[]){ "barrob", "zarrot", NULL }), "zarrot");
  assert_string_equal(near("carrot", (const char *const[]){ "carrob", "CARROT", NULL }), "CARROT");
}

static void what_is_long_is_not_measured(void **state) {
  (void)state;
  char a[200], b[200];
  memset(a, 'a', sizeof a), memset(b, 'a', sizeof b);
  a[199] = b[199] = 0;
  b[100] = 'b';
  assert_string_equal(near(a, (const char *const[]){ b, NULL }), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_slip_is_seen),
    cmocka_unit_test(equals_have_an_order),
    cmocka_unit_test(what_is_long_is_not_measured),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
