/* What holds for all values: laws over random ones, and bytes, units and depths that do harm. */
#include "tests/unit/core_value_help.h"
#include "tests/unit/core_base_thorough.h"

static uint64_t rng = 88172645463325252u;
static uint64_t next(void) {
  rng ^= rng << 13;
  rng ^= rng >> 7;
  return rng ^= rng << 17;
}

/* From few atoms, so that equal and nearly equal values meet. */
static const char *random_scalar(void) {
  static const char *const atoms[] = {
    "a",
    "A",
    "b.",
    "a b",
    "1",
    "1.0",
    "01",
    "1000",
    "1,000",
    "2026",
    "2026-04",
    "2026-04-02",
    "2026-04-02T09:00Z",
    "1 s",
    "1000 ms",
    "1 min",
    "60 s",
    "true",
    "TRUE",
    "false",
    "5 %",
    "0.05",
    "0 degC",
    "273.15 K",
    "32 degF",
    "1 KiB",
    "1024 B",
    "8192 bit",
    "x,y",
    "[",
    "\\\\",
    "",
    ".",
    "1e3",
    "1e300 kg",
    "-0",
    "0",
    "yes",
    "on",
    "a, b",
    "b and a",
    "a; 1",
    "1-2 s",
    "1000 to 2000 ms",
    "<= 1 min",
    "at most 60 s",
    "1 min 1 s",
    "61 s",
    "9:00",
    "9:00:00",
    "9 am",
    "2 April 2026",
    "Q2 2026",
    "2026-W14",
    "v1.0",
    "24 V",
    "24 VDC",
    "24 VAC",
    "12 pcs",
    "a dozen",
    "1/2",
    "71A",
    "$5",
    "5 usd",
  };
  return atoms[next() % (sizeof atoms / sizeof *atoms)];
}

static hm_value random_value(int depth) {
  if (next() % 4 || !depth) return text_value(random_scalar());
  hm_buf b = { 0 };
  hm_buf_ch(&b, '[');
  for (size_t i = 0, n = next() % 4; i < n; i++)
    hm_buf_fmt(&b, next() % 5 ? "%s\"%s\"" : "%s[\"%s\"]", i ? "," : "", random_scalar());
  hm_buf_c(&b, "]");
  hm_buf_ch(&b, 0);
  hm_value v = json_value(b.p, false);
  hm_buf_free(&b);
  return v;
}

static void test_laws(void **state) {
  (void)state;
  for (int i = 0; i < (thorough() ? 100000 : 20000); i++) {
    hm_value x = random_value(1), y = random_value(1);
    assert_true(hm_values_are_compatible(&x, &x, NULL));
    bool c = hm_values_are_compatible(&x, &y, NULL);
    assert_int_equal(c, hm_values_are_compatible(&y, &x, NULL));
    if (hm_str_eq(x.norm, y.norm) || hm_str_eq(x.key, y.key)) assert_true(c);
    if (hm_str_eq(x.norm, y.norm)) assert_true(hm_str_eq(x.key, y.key));
    assert_true(hm_value_describe_difference(A, &x, &y, NULL).n > 0);
    if (i % 100 == 0) hm_arena_reset(A);
  }
}

/* The fast path for ASCII is hm_text_fold_value. */
static void test_text_is_text_value(void **state) {
  (void)state;
  for (int i = 0; i < (thorough() ? 50000 : 10000); i++) {
    char s[12];
    size_t n = next() % sizeof s;
    for (size_t k = 0; k < n; k++) s[k] = "aB. \t\n.\0-x\x7f~"[next() % 12];
    hm_value v;
    hm_value_parse_text(&v, (hm_str){ s, n }, true, U, A);
    hm_str folded = hm_text_fold_value(A, (hm_str){ s, n });
    if (v.kind == HM_V_NONE) assert_int_equal(folded.n, 0);
    else if (folded.n) assert_true(hm_str_eq(hm_str_sub(v.norm, 5, v.norm.n), folded));
    if (i % 1000 == 0) hm_arena_reset(A);
  }
}

static void test_hostile(void **state) {
  (void)state;
  size_t n = 10 << 20;
  char *p = malloc(n);
  static const char *const shapes[] = { "7",    ".", " ", "1,",     "a ",     "1 ",
                                        "\xC3", "e", "-", "\u338F", "5\u00A0" };
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    size_t len = strlen(shapes[k]);
    for (size_t i = 0; i < n; i++) p[i] = shapes[k][i % len];
    hm_value v;
    hm_value_parse_text(&v, (hm_str){ p, n }, false, U, A);
    assert_true(hm_values_are_compatible(&v, &v, NULL));
    hm_value_describe_difference(A, &v, &v, NULL);
    hm_arena_reset(A);
  }
  free(p);
}

/* 60 arrays in each other around a megabyte cost a few megabytes, not sixty. */
static void test_deep_sets(void **state) {
  (void)state;
  enum { DEEP = 60, LONG = 1 << 20 };
  hm_buf b = { 0 };
  for (int i = 0; i < DEEP; i++) hm_buf_ch(&b, '[');
  hm_buf_ch(&b, '"');
  for (int i = 0; i < LONG; i++) hm_buf_ch(&b, 'x');
  hm_buf_ch(&b, '"');
  for (int i = 0; i < DEEP; i++) hm_buf_ch(&b, ']');
  hm_buf_ch(&b, 0);
  hm_arena *a = A;
  A = hm_arena_new();
  hm_value v = json_value(b.p, false);
  assert_int_equal(v.kind, HM_V_SET);
  assert_true(hm_str_find(v.norm, "set:#") > 0 && v.norm.n < 600);
  assert_true(hm_arena_held(A) < (size_t)40 << 20);
  assert_true(hm_value_describe_difference(A, &v, &v, NULL).n > 0);
  hm_arena_free(A);
  A = a;
  hm_buf_free(&b);
}

static void test_any_bytes(void **state) {
  (void)state;
  for (int i = 0; i < (thorough() ? 100000 : 20000); i++) {
    char s[24];
    size_t n = next() % sizeof s;
    for (size_t k = 0; k < n; k++)
      s[k] =
          next() % 3 ? "0123456789 .,-+eEkgms/%^\xC2\xB5\xE2\x88\x92"[next() % 30] : (char)next();
    hm_value v;
    hm_value_parse_text(&v, hm_str_dup(A, (hm_str){ s, n }), false, U, A);
    assert_true(hm_values_are_compatible(&v, &v, NULL));
    if (i % 1000 == 0) hm_arena_reset(A);
  }
}

/* Expressions of units, known and not: nothing is lost in the library, and what is
 * known keeps its laws. */
static void test_any_unit(void **state) {
  (void)state;
  static const char *const parts[] = {
    "m",   "kg",     "s",  "B",       "lb",      "lg",   "ln", "log", "dBm", "since",
    "per", "UTC",    "BC", "\u03BCm", "\u00B0C", "degF", "x",  "ab",  "%",   "'",
    "\"",  "\u2032", "_",  "Z",       "rad",     "1",    ".",  "*",   "-",   "/",
    "^",   "(",      ")",  "2",       "-1",      "^-2",  "9",  "99",  "e",   "E",
  };
  for (int i = 0; i < (thorough() ? 50000 : 10000); i++) {
    hm_buf b = { 0 };
    hm_buf_fmt(&b, "%d ", (int)(next() % 100));
    for (size_t k = 0, n = 1 + next() % 6; k < n; k++)
      hm_buf_c(&b, parts[next() % (sizeof parts / sizeof *parts)]);
    hm_value v, w;
    hm_str raw = hm_buf_copy(&b, A);
    hm_value_parse_text(&v, raw, false, U, A);
    assert_true(v.kind != HM_V_NONE && v.kind != HM_V_SET);
    if (v.kind == HM_V_QUANTITY) {
      hm_value_parse_text(&w, hm_str_sub(v.norm, 9, v.norm.n), false, U, A);
      assert_true(hm_str_eq(v.norm, w.norm) && hm_str_eq(v.key, w.key) && v.base.n);
    }
    hm_buf_free(&b);
    if (i % 1000 == 0) hm_arena_reset(A);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_laws),
    cmocka_unit_test(test_text_is_text_value),
    cmocka_unit_test(test_hostile),
    cmocka_unit_test(test_deep_sets),
    cmocka_unit_test(test_any_bytes),
    cmocka_unit_test(test_any_unit),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
