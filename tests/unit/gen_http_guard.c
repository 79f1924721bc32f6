/* Who may ask. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "gen/http/request_head.h"

#define PAIR(n, v) { HM_STR(n), HM_STR(v) }
#define COUNT(a) (sizeof(a) / sizeof *(a))

static void test_headers(void **state) {
  (void)state;
  hm_err err;
  const hm_pair good[] = { PAIR("host", "localhost"), PAIR("Content-Length", "3"),
                           PAIR("Accept", "a"), PAIR("Accept", "b") };
  assert_int_equal(hm_guard_header_syntax(good, COUNT(good), 1000, &err), 0);
  assert_int_equal(hm_guard_header_syntax(good, COUNT(good), 20, &err), 431);
  assert_int_equal(hm_guard_header_syntax(good + 1, 1, 1000, &err), 400);
  const hm_pair bad[][3] = {
    { PAIR("Host", "localhost"), PAIR("HOST", "localhost"), PAIR("A", "b") },
    { PAIR("Host", "localhost"), PAIR("Content-Length", "3"),
      PAIR("Transfer-Encoding", "chunked") },
    { PAIR("Host", "localhost"), PAIR("Content-Length", "3"), PAIR("content-length", "3") },
    { PAIR("Host", "localhost"), PAIR("Transfer-Encoding", "gzip, chunked"), PAIR("A", "b") },
    { PAIR("Host", "localhost"), PAIR("Transfer-Encoding", "chunked"),
      PAIR("Transfer-Encoding", "chunked") },
    { PAIR("Host", "localhost"), PAIR("Origin", "null"), PAIR("Origin", "null") },
    { PAIR("Host", "localhost"), PAIR("Content-Length ", "3"), PAIR("A", "b") },
    { PAIR("Host", "localhost"), PAIR("A", "b\x01"), PAIR("A", "b") },
    { PAIR("Host", "localhost"), PAIR("", "b"), PAIR("A", "b") },
  };
  for (size_t i = 0; i < COUNT(bad); i++)
    assert_int_equal(hm_guard_header_syntax(bad[i], 3, 1000, &err), 400);
}

static void test_host(void **state) {
  (void)state;
  hm_err err;
  const hm_guard g = { .address = HM_STR("127.0.0.2"), .host = HM_STR("mirror.example") };
  static const char *const good[] = { "localhost", "LOCALHOST:80", "127.0.0.1:8080",    "[::1]:1",
                                      "[::1]",     "127.0.0.2",    "Mirror.Example:443" };
  static const char *const bad[] = { "",
                                     "evil.example",
                                     "localhost.evil.example",
                                     "localhost:80:90",
                                     "localhost:x",
                                     "[::1",
                                     "[::1]x",
                                     "::1",
                                     "127.0.0.3",
                                     "mirror.example.",
                                     "localhost@evil",
                                     ":80",
                                     "[]" };
  for (size_t i = 0; i < COUNT(good); i++)
    if (hm_guard_host(&g, hm_str_c(good[i]), &err)) fail_msg("refused: %s", good[i]);
  for (size_t i = 0; i < COUNT(bad); i++)
    if (hm_guard_host(&g, hm_str_c(bad[i]), &err) != 421) fail_msg("taken: %s", bad[i]);
  const hm_guard any = { .address = HM_STR("0.0.0.0"), .any_address = true };
  assert_int_equal(hm_guard_host(&any, HM_STR("192.0.2.7:80"), &err), 0);
  assert_int_equal(hm_guard_host(&any, HM_STR("[2001:db8::1]:80"), &err), 0);
  assert_int_equal(hm_guard_host(&any, HM_STR("evil.example"), &err), 421);
  assert_int_equal(hm_guard_host(&any, HM_STR(""), &err), 421);
}

static void test_token(void **state) {
  (void)state;
  hm_err err;
  const hm_guard none = { .token = HM_EMPTY }, g = { .token = HM_STR("secret") };
  assert_int_equal(hm_guard_token(&none, HM_EMPTY, &err), 0);
  static const char *const good[] = { "Bearer secret", "bearer  secret ", "Basic eDpzZWNyZXQ=" };
  static const char *const bad[] = {
    "",       "Bearer",         "Bearer secre", "Bearer secrets", "Bearer secretsecret",
    "secret", "Basic c2VjcmV0", "Basic ****",   "Digest secret"
  };
  for (size_t i = 0; i < COUNT(good); i++)
    if (hm_guard_token(&g, hm_str_c(good[i]), &err)) fail_msg("refused: %s", good[i]);
  for (size_t i = 0; i < COUNT(bad); i++)
    if (hm_guard_token(&g, hm_str_c(bad[i]), &err) != 401) fail_msg("taken: %s", bad[i]);
}

static int origin(hm_method m, const char *header, const char *value) {
  hm_pair h = { hm_str_c(header), hm_str_c(value) };
  hm_request q = { .method = m, .headers = &h, .n_headers = 1 };
  hm_err err;
  return hm_guard_origin(&q, HM_STR("localhost:8080"), &err);
}

static void test_origin(void **state) {
  (void)state;
  assert_int_equal(origin(HM_GET, "Origin", "http://evil.example"), 0);
  assert_int_equal(origin(HM_POST, "Accept", "x"), 0);
  assert_int_equal(origin(HM_POST, "Origin", "http://localhost:8080"), 0);
  assert_int_equal(origin(HM_POST, "Origin", "https://LOCALHOST:8080"), 0);
  assert_int_equal(origin(HM_POST, "Origin", "http://localhost:80"), 403);
  assert_int_equal(origin(HM_POST, "Origin", "http://localhost:8080.evil.example"), 403);
  assert_int_equal(origin(HM_POST, "Origin", "null"), 403);
  assert_int_equal(origin(HM_PATCH, "Origin", ""), 403);
  assert_int_equal(origin(HM_POST, "Sec-Fetch-Site", "same-origin"), 0);
  assert_int_equal(origin(HM_POST, "Sec-Fetch-Site", "none"), 0);
  assert_int_equal(origin(HM_POST, "Sec-Fetch-Site", "same-site"), 403);
  assert_int_equal(origin(HM_PATCH, "Sec-Fetch-Site", "cross-site"), 403);
}

static void test_type(void **state) {
  (void)state;
  hm_err err;
  assert_int_equal(hm_guard_type(HM_TAKES_JSON, HM_STR("Application/JSON; charset=utf-8"), &err),
                   0);
  assert_int_equal(hm_guard_type(HM_TAKES_JSON, HM_STR("text/plain"), &err), 415);
  assert_int_equal(hm_guard_type(HM_TAKES_JSON, HM_STR("application/x-www-form-urlencoded"), &err),
                   415);
  assert_int_equal(hm_guard_type(HM_TAKES_FORM, HM_STR("application/x-www-form-urlencoded"), &err),
                   0);
  assert_int_equal(hm_guard_type(HM_TAKES_FORM, HM_STR("application/json"), &err), 415);
  assert_int_equal(hm_guard_type(HM_TAKES_JSON | HM_TAKES_FORM, HM_EMPTY, &err), 415);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_headers), cmocka_unit_test(test_host), cmocka_unit_test(test_token),
    cmocka_unit_test(test_origin),  cmocka_unit_test(test_type),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
