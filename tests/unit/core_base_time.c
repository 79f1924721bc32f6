#include "core/base/time.h"
#include "tests/unit/core_base_help.h"
#include "tests/unit/core_base_prng.h"

typedef struct { const char *in, *iso; hm_precision p; } sample;

static void reads_what_it_says(void **unused) {
  (void)unused;
  const sample t[] = {
    { "2026", "2026-01-01T00:00:00Z", HM_P_YEAR },
    { "2026-04", "2026-04-01T00:00:00Z", HM_P_MONTH },
    { "2026-04-02", "2026-04-02T00:00:00Z", HM_P_DAY },
    { " \t2026-04-02\n", "2026-04-02T00:00:00Z", HM_P_DAY },
    { "2026-04-02T09:00", "2026-04-02T09:00:00Z", HM_P_MINUTE },
    { "2026-04-02 09:00:01", "2026-04-02T09:00:01Z", HM_P_SECOND },
    { "2026-04-02t09:00:01z", "2026-04-02T09:00:01Z", HM_P_SECOND },
    { "2026-04-02T09:00:01.5Z", "2026-04-02T09:00:01.5Z", HM_P_FRACTION },
    { "2026-04-02T09:00:01.000Z", "2026-04-02T09:00:01Z", HM_P_FRACTION },
    { "2026-04-02T09:00:01.123456999999999999999999Z", "2026-04-02T09:00:01.123456Z",
      HM_P_FRACTION },
    { "2026-04-02T09:00+02:00", "2026-04-02T07:00:00Z", HM_P_MINUTE },
    { "2026-04-02T09:00-0230", "2026-04-02T11:30:00Z", HM_P_MINUTE },
    { "2026-04-02T09:00:00+02", "2026-04-02T07:00:00Z", HM_P_SECOND },
    { "2026-01-01T00:00+23:59", "2025-12-31T00:01:00Z", HM_P_MINUTE },
    { "2024-02-29", "2024-02-29T00:00:00Z", HM_P_DAY },
    { "2000-02-29", "2000-02-29T00:00:00Z", HM_P_DAY },
    { "0000-02-29", "0000-02-29T00:00:00Z", HM_P_DAY },
    { "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z", HM_P_FRACTION },
    { "0000-01-01T00:00+01:00", "-0001-12-31T23:00:00Z", HM_P_MINUTE },
    { "9999-12-31T23:59-01:00", "+10000-01-01T00:59:00Z", HM_P_MINUTE },
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hm_time x;
    hm_precision p;
    assert_true(hm_time_parse(hm_str_c(t[i].in), &x, &p));
    assert_int_equal(p, t[i].p);
    assert_string_equal(hm_time_iso(arena, x).p, t[i].iso);
  }
}

static void refuses_all_else_and_touches_nothing(void **unused) {
  (void)unused;
  const char *bad[] = {
    "",
    " ",
    "202",
    "20266",
    "2026-",
    "2026-4",
    "2026-00",
    "2026-13",
    "2026-04-",
    "2026-04-2",
    "2026-04-00",
    "2026-04-31",
    "2025-02-29",
    "1900-02-29",
    "2026-02-30",
    "2026-04-02T",
    "2026-04-02T9:00",
    "2026-04-02T09",
    "2026-04-02T09:",
    "2026-04-02T24:00",
    "2026-04-02T09:60",
    "2026-04-02T23:59:60",
    "2026-04-02T09:00:00.",
    "2026-04-02T09:00:00,5",
    "2026-04-02T09:00.5",
    "2026-04-02  09:00",
    "2026-04-02Z",
    "2026Z",
    "2026-04-02T09:00ZZ",
    "2026-04-02T09:00Z ,",
    "2026-04-02T09:00+2",
    "2026-04-02T09:00+24:00",
    "2026-04-02T09:00+02:60",
    "2026-04-02T09:00+02:",
    "2026-04-02T09:00+02:0",
    "2026-04-02T09:00+",
    "2026-04-02T09:00 +02:00",
    "-2026",
    "+2026",
    "2026/04/02",
    "20260402",
    "2026-W14",
    "2026-04-02x",
    "2026 09:00",
    "2026-04 09:00",
    "now",
    "\xD9\xA2\xD9\xA0\xD9\xA2\xD9\xA6",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hm_time x = 42;
    hm_precision p = HM_P_SECOND;
    assert_false(hm_time_parse(hm_str_c(bad[i]), &x, &p));
    assert_int_equal(x, 42);
    assert_int_equal(p, HM_P_SECOND);
  }
  hm_time x;
  hm_precision p;
  assert_false(hm_time_parse(HM_STR("2026\0"), &x, &p));
  assert_false(hm_time_parse((hm_str){ NULL, 0 }, &x, &p));
}

/* Counts days by hand from year 0 to 9999 beside the formulas. */
static void every_day_of_ten_thousand_years(void **unused) {
  (void)unused;
  static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  int64_t day = -719528;   /* 0000-01-01 */
  for (int y = 0; y < 10000; y++) {
    bool leap = y % 400 == 0 || (y % 4 == 0 && y % 100 != 0);
    for (int m = 1; m <= 12; m++)
      for (int d = 1; d <= days[m - 1] + (m == 2 && leap); d++, day++) {
        char in[32];
        snprintf(in, sizeof in, "%04d-%02d-%02d", y, m, d);
        hm_time t;
        hm_precision p;
        if (!hm_time_parse(hm_str_c(in), &t, &p) || t != day * INT64_C(86400000000))
          fail_msg("%s", in);
        hm_str back = hm_time_iso(arena, t + INT64_C(86399999999));
        if (memcmp(back.p, in, 10) != 0 || hm_time_year(t) != y) fail_msg("%s", in);
      }
    hm_arena_reset(arena);
  }
}

static void iso_and_parse_are_inverse(void **unused) {
  (void)unused;
  uint64_t seed = 23;
  const int64_t from = INT64_C(-62167219200000000), span = INT64_C(315569520000000000);
  for (int i = 0; i < 300000; i++) {
    hm_time t = from + (int64_t)(prng(&seed) % (uint64_t)span), back;
    if (i % 3 == 0) t -= t % 1000000;
    hm_precision p;
    assert_true(hm_time_parse(hm_time_iso(arena, t), &back, &p));
    assert_int_equal(back, t);
    if (i % 1000 == 0) hm_arena_reset(arena);
  }
}

static void agrees_with_gmtime(void **unused) {
  (void)unused;
  uint64_t seed = 29;
  for (int i = 0; i < 100000; i++) {
    time_t s = (time_t)(prng(&seed) % 400000000000u) - 200000000000;
    struct tm tm;
    char expect[64];
    gmtime_r(&s, &tm);
    snprintf(expect, sizeof expect, "-%02d-%02dT%02d:%02d:%02dZ", tm.tm_mon + 1, tm.tm_mday,
             tm.tm_hour, tm.tm_min, tm.tm_sec);
    assert_true(hm_str_ends(hm_time_iso(arena, (hm_time)s * 1000000), expect));
    assert_int_equal(hm_time_year((hm_time)s * 1000000), tm.tm_year + 1900);
    if (i % 1000 == 0) hm_arena_reset(arena);
  }
}

static void units_end_before_the_next_one(void **unused) {
  (void)unused;
  const char *t[][2] = {
    { "2026", "2026-12-31T23:59:59.999999Z" }, { "2026-04", "2026-04-30T23:59:59.999999Z" },
    { "2024-02", "2024-02-29T23:59:59.999999Z" }, { "1900-02", "1900-02-28T23:59:59.999999Z" },
    { "2026-12", "2026-12-31T23:59:59.999999Z" }, { "1969-12-31", "1969-12-31T23:59:59.999999Z" },
    { "0000", "0000-12-31T23:59:59.999999Z" }, { "9999", "9999-12-31T23:59:59.999999Z" },
    { "2026-04-02T09:00", "2026-04-02T09:00:59.999999Z" },
    { "2026-04-02T09:00:07Z", "2026-04-02T09:00:07.999999Z" },
    { "2026-04-02T09:00:07.5Z", "2026-04-02T09:00:07.5Z" },
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hm_time first;
    hm_precision p;
    assert_true(hm_time_parse(hm_str_c(t[i][0]), &first, &p));
    assert_string_equal(hm_time_iso(arena, hm_time_last_instant(first, p)).p, t[i][1]);
  }
}

static void the_ends_of_time(void **unused) {
  (void)unused;
  assert_string_equal(hm_time_iso(arena, HM_TIME_MIN).p, "");
  assert_string_equal(hm_time_iso(arena, HM_TIME_MAX).p, "");
  assert_string_equal(hm_time_iso(arena, HM_TIME_MAX - 1).p, "+294247-01-10T04:00:54.775806Z");
  assert_string_equal(hm_time_iso(arena, HM_TIME_MIN + 1).p, "-290308-12-21T19:59:05.224193Z");
  assert_string_equal(hm_time_iso(arena, 0).p, "1970-01-01T00:00:00Z");
  assert_string_equal(hm_time_iso(arena, -1).p, "1969-12-31T23:59:59.999999Z");
  assert_true(hm_time_now() > INT64_C(1700000000000000));
}

static void to_second(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "2026-04-02T09:00:00.987654Z", "2026-04-02T09:00:00Z" },
    { "2026-04-02T11:00:01+02:00", "2026-04-02T09:00:01Z" },
    { "1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z" },
    { "2026", "2026-01-01T00:00:00Z" },
    { "soon", "soon" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_true(hm_str_is(hm_time_to_second(a, hm_str_c(cases[i][0])), cases[i][1]));
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    T(reads_what_it_says),
    T(refuses_all_else_and_touches_nothing),
    T(every_day_of_ten_thousand_years),
    T(iso_and_parse_are_inverse),
    T(agrees_with_gmtime),
    T(the_ends_of_time),
    T(units_end_before_the_next_one),
    cmocka_unit_test(to_second),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
