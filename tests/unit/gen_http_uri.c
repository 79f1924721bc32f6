/* The target of a request: what is read, what is refused, which pattern it is of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "gen/http/request_head.h"

static void assert_str(hm_str got, const char *want) {
  hm_arena *a = hm_arena_new();
  assert_string_equal(hm_str_z(a, got), want);
  assert_int_equal(got.n, hm_str_c(want).n);
  hm_arena_free(a);
}

static void test_parts(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_uri u;
  assert_int_equal(hm_uri_parse(a, HM_STR("/memory/a%2Fb%20c?x=1+2&y&z=%C3%A4=&"), &u, NULL), 0);
  assert_int_equal(u.n, 2);
  assert_str(u.segments[1], "a/b c");
  assert_str(u.path, "/memory/a/b c");
  assert_false(u.folder);
  assert_int_equal(u.n_query, 4);
  assert_str(u.query[0].value, "1 2");
  assert_str(u.query[1].name, "y");
  assert_str(u.query[1].value, "");
  assert_str(u.query[2].value, "\xc3\xa4=");
  assert_int_equal(hm_uri_parse(a, HM_STR("/"), &u, NULL), 0);
  assert_int_equal(u.n, 0);
  assert_true(u.folder);
  assert_str(u.path, "/");
  assert_int_equal(hm_uri_parse(a, HM_STR("/conflicts/?"), &u, NULL), 0);
  assert_str(u.path, "/conflicts/");
  assert_true(u.folder);
  hm_arena_free(a);
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {
    "",       "x",       "*",           "http://localhost/",
    "//",     "//x",     "/a//b",       "/.",
    "/..",    "/a/../b", "/a/%2e%2E/b", "/%2e",
    "/./a",   "/a%00b",  "/a?x=%00",    "/%",
    "/%4",    "/%zz",    "/a?%4",       "/a b",
    "/a\x01", "/\xff",   "/%ff",        "/%c0%ae%c0%ae/",
    "/a#b",   "/a?x#y",  "/\x7f",
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hm_uri u;
    hm_err err = { 0 };
    if (hm_uri_parse(a, hm_str_c(bad[i]), &u, &err) != -1) fail_msg("'%s' was taken", bad[i]);
    assert_int_equal(err.code, HM_E_INPUT);
  }
  hm_arena_free(a);
}

static void test_bounds(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_buf path = { 0 }, query = { 0 };
  hm_uri u;
  hm_buf_c(&query, "/?");
  for (int i = 0; i < HM_SEGMENTS_MAX; i++) hm_buf_c(&path, "/a");
  for (int i = 0; i < HM_QUERY_MAX; i++) hm_buf_c(&query, i ? "&a" : "a");
  assert_int_equal(hm_uri_parse(a, hm_buf_view(&path), &u, NULL), 0);
  assert_int_equal(hm_uri_parse(a, hm_buf_view(&query), &u, NULL), 0);
  hm_buf_c(&path, "/a");
  hm_buf_c(&query, "&a");
  assert_int_equal(hm_uri_parse(a, hm_buf_view(&path), &u, NULL), -1);
  assert_int_equal(hm_uri_parse(a, hm_buf_view(&query), &u, NULL), -1);
  hm_buf_free(&path);
  hm_buf_free(&query);
  hm_arena_free(a);
}

static bool matches(const char *target, const char *pattern, hm_str *params) {
  static hm_str none[HM_PARAMS_MAX];
  hm_arena *a = hm_arena_new();
  hm_uri u;
  assert_int_equal(hm_uri_parse(a, hm_str_c(target), &u, NULL), 0);
  bool yes = hm_uri_matches(&u, pattern, params ? params : none);
  hm_arena_free(a);
  return yes;
}

static void test_patterns(void **state) {
  (void)state;
  assert_true(matches("/", "/", NULL));
  assert_false(matches("/a", "/", NULL));
  assert_true(matches("/a", "/a", NULL));
  assert_false(matches("/a/", "/a", NULL));
  assert_false(matches("/a/b", "/a", NULL));
  assert_true(matches("/a/b", "/a/{id}", NULL));
  assert_false(matches("/a", "/a/{id}", NULL));
  assert_false(matches("/a/", "/a/{id}", NULL));
  assert_false(matches("/a/b/c", "/a/{id}", NULL));
  assert_true(matches("/a/b/resolve", "/a/{id}/resolve", NULL));
  assert_false(matches("/a/b/other", "/a/{id}/resolve", NULL));
  assert_true(matches("/", "/{path...}", NULL));
  assert_true(matches("/a/b.html", "/{path...}", NULL));
  assert_false(matches("/a%2fb", "/{path...}", NULL));
  assert_false(matches("/a%5cb", "/{path...}", NULL));
  assert_true(matches("/a%2fb", "/{id}", NULL));
}

static void test_params(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str p[HM_PARAMS_MAX];
  hm_uri u;
  assert_int_equal(hm_uri_parse(a, HM_STR("/x/one/y/two%20/"), &u, NULL), 0);
  assert_true(hm_uri_matches(&u, "/x/{a}/{b...}", p));
  assert_str(p[0], "one");
  assert_str(p[1], "y/two /");
  assert_true(hm_uri_matches(&u, "/x/one/y/two /{c...}", p));
  assert_str(p[0], "");
  hm_arena_free(a);
}

static void test_base64(void **state) {
  (void)state;
  char out[8];
  assert_int_equal(hm_base64_decode(HM_STR("bTpwdw=="), out, sizeof out), 4);
  assert_memory_equal(out, "m:pw", 4);
  assert_int_equal(hm_base64_decode(HM_STR("bTpwd3g="), out, sizeof out), 5);
  assert_int_equal(hm_base64_decode(HM_STR("b!pw"), out, sizeof out), 0);
  assert_int_equal(hm_base64_decode(HM_STR("YWFhYWFhYWFh"), out, sizeof out), 0);
  assert_int_equal(hm_base64_decode(HM_STR(""), out, sizeof out), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_parts), cmocka_unit_test(test_refused), cmocka_unit_test(test_bounds),
    cmocka_unit_test(test_patterns), cmocka_unit_test(test_params), cmocka_unit_test(test_base64),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
