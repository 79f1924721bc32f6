/* Exact decimals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/value/value_impl.h"

static hm_arena *A;

static const char *canonical(const char *s) {
  hm_number n;
  if (!hm_number_parse(&n, hm_str_c(s), A)) return "-";
  return hm_str_z(A, hm_number_text(A, &n));
}

static void test_canonical(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "468", "468" },
    { "468.0", "468" },
    { "468.", "468" },
    { ".5", "0.5" },
    { "0.50", "0.5" },
    { "0", "0" },
    { "-0", "0" },
    { "0.000", "0" },
    { "+5", "5" },
    { "-5", "-5" },
    { "\u22125", "-5" },
    { "1e3", "1000" },
    { "1E3", "1000" },
    { "1e-3", "0.001" },
    { "1.5e+2", "150" },
    { "1,000", "1000" },
    { "1,000.5", "1000.5" },
    { "12,345,678", "12345678" },
    { "999,999", "999999" },
    { "1e30", "1000000000000000000000000000000" },
    { "1e31", "1e31" },
    { "1.25e31", "1.25e31" },
    { "1e-30", "0.000000000000000000000000000001" },
    { "1e-31", "1e-31" },
    { "1200e-40", "1.2e-37" },
    { "12345678901234567890", "12345678901234567890" },
    { "-1e999", "-1e999" },
    { "1e1000000000000000", "1e1000000000000000" },
    { "0e5", "0" },
    /* no numbers */
    { "007", "-" },
    { "00", "-" },
    { "00.5", "-" },
    { "1,00", "-" },
    { "1,0000", "-" },
    { "1234,567", "-" },
    { "0,123", "-" },
    { "1,000,00", "-" },
    { ",000", "-" },
    { "", "-" },
    { "-", "-" },
    { ".", "-" },
    { "e5", "-" },
    { "1e", "-" },
    { "1e+", "-" },
    { "1.2.3", "-" },
    { "1 000", "-" },
    { "0x10", "-" },
    { "nan", "-" },
    { "inf", "-" },
    { "--1", "-" },
    { "+-1", "-" },
    { "1,", "-" },
    { "1e1000000000000001", "-" },
    { "1e999999999999999999999", "-" },
    { "1e-999999999999999999999", "-" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(canonical(cases[i][0]), cases[i][1]);
}

static uint64_t rng = 88172645463325252u;
static uint64_t next(void) {
  rng ^= rng << 13;
  rng ^= rng >> 7;
  return rng ^= rng << 17;
}

static hm_str random_number(void) {
  char b[96];
  size_t n = 0;
  if (next() % 2) b[n++] = '-';
  size_t whole = next() % 12, frac = next() % 12;
  if (!whole) b[n++] = '0';
  for (size_t i = 0; i < whole; i++) b[n++] = (char)('0' + (i ? next() % 10 : 1 + next() % 9));
  if (frac) b[n++] = '.';
  for (size_t i = 0; i < frac; i++) b[n++] = (char)('0' + next() % 10);
  if (next() % 3 == 0) n += (size_t)sprintf(b + n, "e%d", (int)(next() % 100) - 50);
  return hm_str_dup(A, (hm_str){ b, n });
}

static void test_idempotent(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    hm_number x, y;
    assert_true(hm_number_parse(&x, random_number(), A));
    hm_str t = hm_number_text(A, &x);
    assert_true(hm_number_parse(&y, t, A));
    assert_true(hm_str_eq(hm_number_text(A, &y), t));
    assert_int_equal(hm_number_cmp(&x, &y), 0);
    assert_true(hm_number_double(&x) == strtod(hm_str_z(A, t), NULL));
    if (i % 1000 == 0) hm_arena_reset(A);
  }
}

static void test_arithmetic(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    hm_number x, y, sum, back, minus;
    assert_true(hm_number_parse(&x, random_number(), A) && hm_number_parse(&y, random_number(), A));
    assert_true(hm_number_add(&sum, &x, &y, A) && hm_number_sub(&back, &sum, &y, A));
    assert_int_equal(hm_number_cmp(&back, &x), 0);
    assert_true(hm_number_sub(&minus, &x, &y, A));
    int sign = !minus.digits.n ? 0 : minus.neg ? -1 : 1;
    assert_int_equal(sign, hm_number_cmp(&x, &y));
    hm_number scaled, twice;
    hm_number_scale(&scaled, &x, 2, 0, A);
    assert_true(hm_number_add(&twice, &x, &x, A));
    assert_int_equal(hm_number_cmp(&scaled, &twice), 0);
    if (i % 1000 == 0) hm_arena_reset(A);
  }
}

static const char *minus(const char *s, const char *t) {
  hm_number x, y, d;
  assert_true(hm_number_parse(&x, hm_str_c(s), A) && hm_number_parse(&y, hm_str_c(t), A));
  return hm_number_sub(&d, &x, &y, A) ? hm_str_z(A, hm_number_text(A, &d)) : "-";
}

static void test_examples(void **state) {
  (void)state;
  assert_string_equal(minus("4.82", "4.8"), "0.02");
  assert_string_equal(minus("1000", "0.001"), "999.999");
  assert_string_equal(minus("1", "1"), "0");
  assert_string_equal(minus("0", "5"), "-5");
  assert_string_equal(minus("12345678901234567891", "12345678901234567890"), "1");
  assert_string_equal(minus("1e999999999999", "1"), "-");
  hm_number x, y;
  assert_true(hm_number_parse(&x, HM_STR("-3"), A));
  hm_number_scale(&y, &x, 1099511627776u, 0, A);
  assert_string_equal(hm_str_z(A, hm_number_text(A, &y)), "-3298534883328");
}

static void test_ten_megabytes(void **state) {
  (void)state;
  size_t n = 10 << 20;
  char *p = malloc(n);
  memset(p, '7', n);
  hm_number x, y, d;
  assert_true(hm_number_parse(&x, (hm_str){ p, n }, A));
  p[n / 2] = '.';
  assert_true(hm_number_parse(&y, (hm_str){ p, n }, A));
  assert_true(hm_number_sub(&d, &x, &y, A));
  assert_true(hm_number_text(A, &x).n > n);
  assert_true(hm_number_double(&x) > 1e300);
  hm_number_scale(&d, &y, 9007199254740991u, -3, A);
  memset(p, '0', n);
  p[1] = '.';
  assert_true(hm_number_parse(&x, (hm_str){ p, n }, A));
  assert_int_equal(x.digits.n, 0);
  free(p);
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_canonical),     cmocka_unit_test(test_idempotent),
    cmocka_unit_test(test_arithmetic),    cmocka_unit_test(test_examples),
    cmocka_unit_test(test_ten_megabytes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
