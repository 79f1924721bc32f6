/* What changes from one value to another, in the unit of the first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "core/value/value.h"

static hm_value value(const char *s, hm_units *u, hm_arena *a) {
  hm_value v;
  hm_json *j = NULL;
  if (*s == '[') {
    assert_int_equal(hm_json_parse(a, hm_str_c(s), &j, NULL), 0);
    hm_value_parse_json(&v, j, false, NULL, u, a);
  } else {
    hm_value_parse_text(&v, hm_str_c(s), false, u, a);
  }
  return v;
}

static void changes_are_as_the_table_says(void **state) {
  static const struct { const char *x, *y, *want; } table[] = {
    { "4.8 kg", "4.82 kg", "+0.02 kg (0.4 %)" },
    { "4.82 kg", "4.8 kg", "-0.02 kg (0.4 %)" },
    { "45 rpm", "50 rpm", "+5 rpm (11 %)" },
    { "2", "4", "+2 (100 %)" },
    { "4800 g", "4.82 kg", "+20 g (0.4 %)" },
    { "30 s", "31000 ms", "+1 s (3.3 %)" },
    { "1 m", "12,001 m", "+12,000 m" },
    { "1000000 s", "3000000 s", "+2,000,000 s (200 %)" },
    { "1 m", "1,001 m", "+1,000 m (100,000 %)" },
    { "0.1", "0.3", "+0.2 (200 %)" },
    { "0 kg", "5 kg", "+5 kg" },
    { "-2 V", "3 V", "+5 V (250 %)" },
    { "99.5 %", "99 %", "-0.5 percentage points" },
    { "60 C", "66 C", "+6 C" },
    { "2025", "2026", "+1" },
    { "2500", "2501", "+1 (0.04 %)" },
    { "20 degC", "25 degC", "+5 °C" },
    { "20 degC", "300 K", "+6.85 K" },
    { "1000 kg", "1000.001 kg", "+0.001 kg (0.0001 %)" },
    { "5 kg", "5 m", "" },
    { "5 kg", "5", "" },
    { "2026-04-02", "2026-04-03", "1 day later" },
    { "2026-04-02", "2026-03-28", "5 days earlier" },
    { "2026-04", "2026-05-01", "" },
    { "2026-04", "2027-05", "13 months later" },
    { "Q2 2026", "Q3 2026", "" },
    { "-0044", "-0043", "" },
    { "[\"A\", \"B\"]", "[\"B\", \"C\"]", "adds C; leaves out A" },
    { "[\"A\"]", "[\"A\", \"B\", \"C\"]", "adds B, C" },
    { "PEEK", "PTFE", "" },
    { "true", "false", "" },
    { "4.8 kg", "4.8 kg", "" },
    { "4.8 kg", "PEEK", "" },
  };
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_units *u = hm_units_new();
  size_t failed = 0;
  for (size_t i = 0; i < HM_COUNT(table); i++) {
    hm_value x = value(table[i].x, u, a), y = value(table[i].y, u, a);
    hm_str got = hm_value_describe_change(a, &x, &y);
    if (hm_str_is(got, table[i].want)) continue;
    print_message("%s to %s: \"%.*s\", not \"%s\"\n", table[i].x, table[i].y, HM_FMT(got),
                  table[i].want);
    failed++;
  }
  assert_int_equal(failed, 0);
  hm_units_free(u);
  hm_arena_free(a);
}

static void what_is_denied_has_no_change(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_units *u = hm_units_new();
  hm_value x = value("4.8 kg", u, a), y = value("5 kg", u, a);
  hm_value_deny(&y, a);
  assert_true(hm_str_is(hm_value_describe_change(a, &x, &y), ""));
  hm_units_free(u);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(changes_are_as_the_table_says),
                                      cmocka_unit_test(what_is_denied_has_no_change) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
