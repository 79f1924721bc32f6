/* What the preview puts into a page, and how far it opens the page's policy for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "gen/http/preview_http.h"

static const hm_inject all = {
  .base = { "<BASE>", 6 }, .head = { "<HEAD>", 6 }, .top = { "<TOP>", 5 }, .jump = { "<JUMP>", 6 },
  .form = { "<FORM>", 6 }, .end = { "<END>", 5 }, .script_source = { "'sha256-x'", 10 }
};

static void expect_page(const hm_inject *in, const char *html, const char *want) {
  hm_buf b = { 0 };
  hm_inject_page(hm_str_c(html), in, &b);
  if (!hm_str_is(hm_buf_view(&b), want))
    fail_msg("%.*s\nand not\n%s", HM_FMT(hm_buf_view(&b)), want);
  hm_buf_free(&b);
}

static void expect_policy(const hm_inject *in, const char *policy, const char *want) {
  hm_buf b = { 0 };
  hm_inject_policy(hm_str_c(policy), in, &b);
  if (!hm_str_is(hm_buf_view(&b), want))
    fail_msg("%.*s\nand not\n%s", HM_FMT(hm_buf_view(&b)), want);
  hm_buf_free(&b);
}

static void each_part_has_its_place(void **state) {
  (void)state;
  expect_page(
      &all,
      "<html><head><title>t</title></head><body class=\"x\"><main><h1>a</h1>b<hr>foot</main>c</body></html>",
      "<html><head><BASE><title>t</title><HEAD></head><body class=\"x\"><TOP><main><h1>a</h1><JUMP>b<FORM><hr>foot</main>c<END></body></html>");
}

static void the_form_stands_before_the_commands(void **state) {
  (void)state;
  expect_page(
      &all, "<body><main><hr><h2 id=\"what-to-do\">How</h2><hr></main></body>",
      "<body><TOP><main><hr><FORM><h2 id=\"what-to-do\">How</h2><hr></main><END></body>");
}

static void a_shell_may_lack_any_of_them(void **state) {
  (void)state;
  expect_page(&all, "<p>x</p>", "<TOP><FORM><END><p>x</p>");
  expect_page(&all, "<body><p>x</p>", "<body><TOP><FORM><END><p>x</p>");
  expect_page(&all, "", "<TOP><FORM><END>");
  expect_page(&all, "<main>a</main>b</body>c</body>",
              "<TOP><main>a<FORM></main>b</body>c<END></body>");
}

static void nothing_is_put_where_nothing_is_given(void **state) {
  (void)state;
  const hm_inject none = { .script_source = HM_STR("'sha256-x'") };
  const char *page =
      "<html><head><title>t</title></head><body><main><h1>a</h1></main></body></html>";
  expect_page(&none, page, page);
}

static void the_policy_is_widened_by_no_more_than_is_needed(void **state) {
  (void)state;
  const hm_inject plain = { .script_source = HM_STR("'sha256-x'") };
  expect_policy(
      &plain, "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'",
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; script-src 'sha256-x'; connect-src 'self'");
  expect_policy(
      &all, "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'",
      "default-src 'none'; style-src 'self'; base-uri 'self'; form-action 'self'; script-src 'sha256-x'; connect-src 'self'");
  expect_policy(&plain, "script-src 'none';;  connect-src https://a.example",
                "script-src 'sha256-x'; connect-src https://a.example 'self'; style-src 'self'");
  expect_policy(
      &plain, "script-src 'sha256-y'; upgrade-insecure-requests",
      "script-src 'sha256-y' 'sha256-x'; upgrade-insecure-requests; connect-src 'self'; style-src 'self'");
  expect_policy(&plain, "", "");
}

static void policy_and_referrer_are_found_in_any_order(void **state) {
  (void)state;
  const hm_inject form = { .form = HM_STR("<FORM>"), .script_source = HM_STR("'sha256-x'") };
  const char *policy =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'none'\">";
  const char *widened =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'self'; script-src 'sha256-x'; connect-src 'self'; style-src 'self'\">";
  const char *referrer = "<meta name=\"referrer\" content=\"no-referrer\">",
             *own = "<meta name=\"referrer\" content=\"same-origin\">";
  char page[1024], want[1024];
  for (int i = 0; i < 2; i++) {
    snprintf(page, sizeof page, "<head>%s%s</head><body><main></main></body>",
             i ? policy : referrer, i ? referrer : policy);
    snprintf(want, sizeof want, "<head>%s%s</head><body><main><FORM></main></body>",
             i ? widened : own, i ? own : widened);
    expect_page(&form, page, want);
  }
  /* Without a form nothing is sent, and the page keeps to itself where it was. */
  const hm_inject none = { .script_source = HM_STR("'sha256-x'") };
  snprintf(page, sizeof page, "<head>%s</head>", referrer);
  expect_page(&none, page, page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_part_has_its_place),
    cmocka_unit_test(the_form_stands_before_the_commands),
    cmocka_unit_test(a_shell_may_lack_any_of_them),
    cmocka_unit_test(nothing_is_put_where_nothing_is_given),
    cmocka_unit_test(the_policy_is_widened_by_no_more_than_is_needed),
    cmocka_unit_test(policy_and_referrer_are_found_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
