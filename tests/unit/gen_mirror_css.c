/* Our style sheet in fewer bytes says the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "gen/mirror/theme.h"
#include "gen/render/builtin.h"

static void check(hm_arena *a, const char *css, const char *want) {
  hm_str got = hm_css_compact(hm_str_c(css), a);
  if (!hm_str_is(got, want)) fail_msg("%s: %.*s", css, HM_FMT(got));
}

static void space_and_comments_go(void **state) {
  check(*state, "", "");
  check(*state, " \n/* x */ ", "");
  check(*state, "/* head */\na , b > c {\n  color: red ;\n  margin: 0 auto;\n}\n\n", "a,b > c{color:red;margin:0 auto}\n");
  check(*state, "@media (min-width: 64rem) { a { b: c } }", "@media (min-width:64rem){a{b:c}}\n");
  check(*state, "a/**/b{}", "a b{}\n");
  check(*state, "a { b: c } /* the end", "a{b:c}\n");
}

static void what_means_something_stays(void **state) {
  check(*state, "a :hover, .x > :is(b, c) { d: e }", "a :hover,.x > :is(b,c){d:e}\n");
  check(*state, "a { width: calc(100vh - 2rem + 1px) }", "a{width:calc(100vh - 2rem + 1px)}\n");
  check(*state, "a::after { content: \" /* { ; \\\" } */  \"; }", "a::after{content:\" /* { ; \\\" } */  \"}\n");
  check(*state, "a[b='  '] + c { & d { e: f; } }", "a[b='  '] + c{& d{e:f}}\n");
  check(*state, "a { content: \"x", "a{content:\"x\n");
  check(*state, "a { content: \"\\", "a{content:\"\\\n");
}

static void it_is_the_same_twice(void **state) {
  const hm_builtin *b = hm_builtin_find("themes/default/style.css");
  hm_str once = hm_css_compact((hm_str){ b->bytes, b->n }, *state);
  assert_true(once.n > b->n / 2 && once.n < b->n * 9 / 10);
  assert_true(hm_str_eq(once, hm_css_compact(once, *state)));
}

static int setup(void **state) { return (*state = hm_arena_new()) == NULL; }

static int teardown(void **state) {
  hm_arena_free(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(space_and_comments_go),
    cmocka_unit_test(what_means_something_stays),
    cmocka_unit_test(it_is_the_same_twice),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
