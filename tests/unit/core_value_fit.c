/* When two values can both hold: agreement, tolerance, difference. */
#include "tests/unit/core_value_help.h"
#include "tests/unit/core_base_thorough.h"

static void test_agreement(void **state) {
  (void)state;
  const hm_tolerance tol = { HM_EMPTY, 5, HM_STR("min") };
  static const struct { const char *a, *b, *says; } cases[] = {
    { "30 s", "30000 ms", "both are 30 seconds" },
    { "1,000", "1000", "both are 1,000" },
    { "2026-04-02", "2 April 2026", "both are 2 April 2026" },
    { "2026-04", "April 2026", "both are April 2026" },
    { "yes", "#true", "yes and true are true here" },
    { "[\"a\",\"b\",\"c\"]", "[\"c\",\"B\",\"A\"]", "both list the same three things" },
    { "a, b and c", "c, b, a", "both list the same three things" },
    { "a, b and c", "[\"c\",\"a\",\"b\"]", "both list the same three things" },
    { "[\"2026-04\"]", "[\"2026-04-02\"]", "one has all that the other has" },
    { "{\"w\":\"1 cm\"}", "{\"w\":\"10 mm\"}", "both say the same under every name" },
    { "{\"w\":1,\"h\":2}", "{\"w\":1}", "both say the same under every name that both have" },
    { "4.8 kg", "4.80 kg", "both are 4.8 kg" },
    { "GF-PTFE", "gf-ptfe.", "both are \"gf-ptfe\"" },
    { "2026-04", "2026-04-02", "2026-04 and 2026-04-02: one lies in the other" },
    { "[\"a\",\"b\"]", "a", "one has all that the other has" },
    { "2026-04-02T09:00Z", "2026-04-02T09:04Z", NULL },   /* by the tolerance */
    { "30 s", "30 s", "" },
    { "30 s", "31 m", "" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_value a = value(cases[i].a), b = value(cases[i].b);
    hm_str s = hm_value_describe_agreement(A, &a, &b, &tol);
    if (cases[i].says) assert_string_equal(hm_str_z(A, s), cases[i].says);
    else assert_true(hm_str_find(s, ", within the tolerance of 5 min") > 0);
  }
}

static void test_tolerance_of_time(void **state) {
  (void)state;
  static const struct { const char *a, *b, *unit; double limit; bool yes; } cases[] = {
    { "2026-04-02T09:00Z", "2026-04-02T09:05Z", "min", 5, true },
    { "2026-04-02T09:00Z", "2026-04-02T09:06Z", "min", 5, false },
    { "2026-04-02T09:00Z", "2026-04-02T09:05Z", "kg", 5, false },
    { "2026-04-02T09:00Z", "2026-04-02T09:05Z", "", 5, false },
    { "2026-04-02T09:00Z", "2026-04-02T09:05Z", "%", 5, false },
    { "2026-04-02", "2026-04-05", "d", 3, true },
    { "2026-04-02", "2026-04-05", "d", 2, false },
    { "09:00", "09:05", "min", 5, true },
    { "09:00", "09:06", "min", 5, false },
    { "23:58", "00:02", "min", 5, true },
    { "90 min", "1 h 34 min", "min", 5, true },
    { "90 min", "1 h 36 min", "min", 5, false },
    { "09:00", "2026-04-02", "d", 5, false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const hm_tolerance tol = { HM_EMPTY, cases[i].limit, hm_str_c(cases[i].unit) };
    if (fit(value(cases[i].a), value(cases[i].b), &tol) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
  }
}

/* n elements each with m of their own, "%zu" replaced by their numbers. */
static hm_value nested(size_t n, size_t m, const char *one, size_t shift) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    hm_buf_ch(&b, i ? ',' : '[');
    for (size_t k = 0; k < m; k++) {
      hm_buf_ch(&b, k ? ',' : '[');
      hm_buf_fmt(&b, one, (i + k) % 9000 + 1000, (i * m + k + shift) % 28 + 1);
    }
    hm_buf_ch(&b, ']');
  }
  hm_buf_ch(&b, ']');
  hm_str s = hm_buf_take(&b, A);
  return value(s.p);
}

/* Elements that are equal to none are looked for among all: not without end. */
static void test_big_parts_are_quick(void **state) {
  (void)state;
  hm_value days = nested(300, 300, "\"%zu-01-%02zu\"", 0), months = nested(300, 300, "\"%zu-01\"", 0);
  hm_value texts = nested(300, 300, "\"t%zu %zu\"", 0), others = nested(300, 300, "\"t%zu %zu\"", 1);
  const hm_value *v[] = { &days, &months, &texts, &others };
  double begun = computed();
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++) hm_values_are_compatible(v[i], v[k], NULL);
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++) hm_value_describe_difference(A, v[i], v[k], NULL);
  hm_value many = nested(1, 40000, "\"t%zu %zu\"", 0), more = nested(1, 40000, "\"t%zu %zu\"", 1);
  assert_false(fit(many.items[0], more.items[0], NULL));
  hm_value_describe_difference(A, &many.items[0], &more.items[0], NULL);
  expect_within(2, begun, "parts");
  /* What is near in order is found whatever the number. */
  hm_value a = nested(1, 5000, "\"%zu-01\"", 0), b = nested(1, 5000, "\"%zu-01-%02zu\"", 0);
  assert_true(fit(a, b, NULL));
}

static void test_compatible(void **state) {
  (void)state;
  static const struct { const char *a, *b; bool yes;
  } cases[] = {
    { "30 s", "30000 ms", true },
    { "30 s", "31 s", false },
    { "4.8 kg", "4.82 kg", false },
    { "4.8 kg", "4.80 kg", true },
    { "3.10", "3.1", true },
    { "468", "468.0", true },
    { "#468", "468", true },
    { "1,000", "1000", true },
    { "1 GiB", "1024 MiB", true },
    { "[\"a\",\"b\"]", "[\"B\",\"A\"]", true },
    { "[\"a\",\"b\"]", "[\"a\"]", true },
    { "[\"a\",\"b\"]", "[\"a\",\"c\"]", false },
    { "a", "[\"a\",\"b\"]", true },
    { "c", "[\"a\",\"b\"]", false },
    { "[\"a\"]", "a", true },
    { "[\"1 kg\",2]", "1000 g", true },
    { "2026-04", "2026-04-02", true },
    { "2026-04", "2026-05-02", false },
    { "2026", "2026-04", true },
    { "2025", "2026-04", false },
    { "2026-04-02", "2026-04-02T09:00:00Z", true },
    { "2026-04-02", "2026-04-03", false },
    { "2026-04-02", "2026-04-02T23:00:00-05:00", false },
    { "2026-04-02T09:00", "2026-04-02T09:00:30Z", true },
    { "2026-04-02T09:00:30", "2026-04-02T09:00:30.5Z", true },
    { "2026-04-02T09:00:30.5Z", "2026-04-02T09:00:30.55Z", false },
    { "2026-04-02T09:00:00Z", "2026-04-02T11:00+02:00", true },
    { "2026-04-02", "in April", false },
    { "GF-PTFE", "PEEK", false },
    { "GF-PTFE", "gf-ptfe.", true },
    { "caf\u00E9", "cafe", false },
    { "true", "#true", true },
    { "true", "false", false },
    { "true", "yes", true },
    { "true", "maybe", false },
    { "true", "1", false },
    { "0 degC", "273.15 K", true },
    { "32 degF", "0 degC", true },
    { "0 degC", "32.1 degF", false },
    { "5 %", "0.05", false },
    { "24 V", "24 VDC", true },
    { "24 VAC", "24 VDC", false },
    { "5 %", "5", false },
    { "1 rad", "1", false },
    { "30 s", "30", false },
    { "30 s", "30 m", false },
    { "1 Gb", "1 GB", false },
    { "8 Gbit", "1 GB", true },
    { "12345678901234 B", "12345678901235 B", false },
    { "180 deg", "3.14159265358979 rad", true },
    { "1 in", "2.54 cm", true },
    { "0.1 m", "10 cm", true },
    { "12345678901234567890", "12345678901234567891", false },
    { "100 req/s", "6000 requests/min", true },
    { "1000", "1,00", false },
    { "1", "1,00", true },
    { "007", "7", false },
    { "10:30", "1030", false },
    { "1e-400 kg", "2e-400 g", false },
    { "60 mins", "1 h", true },
    { "1 W/(m*K)", "1 W/m/K", true },
    { "60 mph", "60 mile/h", true },
    { "16 oz", "1 lb", true },
    { "1 kNm", "1000 N.m", true },
    { "7 pH", "7 H", false },
    { "1024 KiB", "1 MiB", true },
    { "1 KB", "1 KiB", false },
    { "", "x", true },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_value a = value(cases[i].a), b = value(cases[i].b);
    if (hm_values_are_compatible(&a, &b, NULL) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
    assert_int_equal(hm_values_are_compatible(&b, &a, NULL), cases[i].yes);
  }
}

static void test_tolerance(void **state) {
  (void)state;
  static const struct { const char *a, *b; double tol; const char *unit; bool yes;
  } cases[] = {
    { "1.0", "1.1", 0.1, "", true },
    { "1.0", "1.11", 0.1, "", false },
    { "4.8 kg", "4.82 kg", 0.02, "kg", true },
    { "4.8 kg", "4.82 kg", 0.02, "", true },
    { "4.8 kg", "4.82 kg", 20, "g", true },
    { "4.8 kg", "4.82 kg", 19, "g", false },
    { "4.8 kg", "4820 g", 20, "g", true },
    { "4.8 kg", "4820 g", 0.02, "", false },
    { "100", "105", 5, "%", true },
    { "100", "106", 5, "%", false },
    { "100 s", "95 s", 5, "%", true },
    { "4.8 kg", "4.82 kg", 5, "s", false },
    { "4.8", "4.82", 5, "kg", false },
    { "20 degC", "21 degC", 1, "K", true },
    { "20 degC", "21.5 degC", 1, "degC", false },
    { "12345678901234567890", "12345678901234567892", 1, "", false },
    { "12345678901234567890", "12345678901234567891", 1, "", true },
    { "a", "b", 5, "", false },
    { "1", "2", -1, "", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_value a = value(cases[i].a), b = value(cases[i].b);
    hm_tolerance tol = { HM_STR("x"), cases[i].tol, hm_str_c(cases[i].unit) };
    if (hm_values_are_compatible(&a, &b, &tol) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
    assert_int_equal(hm_values_are_compatible(&b, &a, &tol), cases[i].yes);
  }
}

static void test_difference(void **state) {
  (void)state;
  static const struct { const char *a, *b, *words;
  } cases[] = {
    { "30 s", "31 s", "30 s and 31 s: differ by 1 s" },
    { "30 s", "31000 ms", "30 s and 31000 ms: differ by 1 s" },
    { "4.8 kg", "4.82 kg", "4.8 kg and 4.82 kg: differ by 0.02 kg" },
    { "4.8 g", "4.82 g", "4.8 g and 4.82 g: differ by 0.02 g" },
    { "468", "470.0", "468 and 470.0: differ by 2" },
    { "30 s", "30 m",
      "30 s and 30 m: s and m are of different dimensions, neither converts to the other" },
    { "30 s", "30", "30 s and 30: one has a unit, the other none" },
    { "$0.50", "75 cents", "$0.50 and 75 cents: differ by 0.25 USD" },
    { "PEEK", "GF-PTFE", "\"PEEK\" and \"GF-PTFE\" are different texts" },
    { "PEEK", "peek", "\"PEEK\" and \"peek\" are the same: text:peek" },
    { "PEEK", "5", "\"PEEK\" is a text, 5 is a number" },
    { "true", "false", "true and false exclude each other" },
    { "2026-04-02", "2026-04-05", "2026-04-02 and 2026-04-05: differ by 3 days" },
    { "2026-04", "2026-05-02", "2026-05-02 is not within 2026-04" },
    { "2026-04", "2026-04-02", "2026-04 and 2026-04-02 can both hold: one is the more precise" },
    { "[\"a\",\"b\"]", "[\"a\",\"c\"]", "only in the first: \"b\"; only in the second: \"c\"" },
    { "[\"a\",\"b\"]", "a", "only in the first: \"b\"; only in the second: nothing" },
    { "", "a", " is nothing, \"a\" is a text" },
    { "24 V", "24 VDC", "24 V and 24 VDC can both hold: one unit says more" },
    { "5-10 kg", "5-12 kg", "5-10 kg and 5-12 kg are different ranges" },
    { "5-10 kg", "5 kg", "5-10 kg is a range, 5 kg is a quantity" },
    { "9:00", "9 pm", "9:00 and 9 pm are different times of day" },
    { "on", "auto", "on and \"auto\" are different texts" },
    { "on", "off", "on and off exclude each other" },
    { "Q2 2026", "2026-07", "2026-07 and Q2 2026 are different times" },
    { "2026-W14", "2026-04-06", "2026-04-06 is not within 2026-W14" },
    { "at most 5", "<= 5", "at most 5 and <= 5 are the same: range:<=5" },
    { "a, b", "b and a", "\"a, b\" and \"b and a\" are the same: list:set:[text:a,text:b]" },
    { "a, b", "a, c", "\"a, b\" and \"a, c\" are different texts" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_value a = value(cases[i].a), b = value(cases[i].b);
    assert_string_equal(hm_str_z(A, hm_value_describe_difference(A, &a, &b, NULL)), cases[i].words);
  }
  hm_value a = value("4.8 kg"), b = value("4.82 kg");
  hm_tolerance tol = { HM_STR("x"), 0.01, HM_STR("kg") };
  assert_string_equal(
      hm_str_z(A, hm_value_describe_difference(A, &a, &b, &tol)),
      "4.8 kg and 4.82 kg: differ by 0.02 kg, not within the tolerance of 0.01 kg");
}

/* In slots that say what their values are. */
static void test_difference_in_slot(void **state) {
  (void)state;
  static const struct { const char *a, *b, *words; hm_reading supports; } cases[] = {
    { "0.3", "35 %", "0.3 and 35 %: differ by 5 percentage points", HM_READ_SHARE },
    { "35 %", "0.3", "35 % and 0.3: differ by 5 percentage points", HM_READ_SHARE },
    { "0.3", "35 %", "0.3 and 35 %: one has a unit, the other none", 0 },
    { "2019", "2021", "2019 and 2021: differ by 2 years", HM_READ_YEAR },
    { "500m", "1", "500m and 1: differ by 500 millicore", HM_READ_PROCESSORS },
    { "60 C", "70 C", "60 C and 70 C: differ by 10 \u00B0C", HM_READ_TEMPERATURE },
    { "1Gi", "512Mi", "1Gi and 512Mi: differ by 0.5 Gi", HM_READ_BYTES },
    { "20 degC", "300 K", "20 degC and 300 K: differ by 6.85 K", HM_READ_TEMPERATURE },
    { "8080", "16080", "8080 and 16080 are different numbers", HM_READ_PORT },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_value a, b;
    hm_value_parse_text(&a, hm_str_c(cases[i].a), cases[i].supports, U, A);
    hm_value_parse_text(&b, hm_str_c(cases[i].b), cases[i].supports, U, A);
    assert_string_equal(hm_str_z(A, hm_value_describe_difference(A, &a, &b, NULL)), cases[i].words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_agreement),
    cmocka_unit_test(test_tolerance_of_time),
    cmocka_unit_test(test_difference_in_slot),
    cmocka_unit_test(test_big_parts_are_quick),
    cmocka_unit_test(test_compatible),
    cmocka_unit_test(test_tolerance),
    cmocka_unit_test(test_difference),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
