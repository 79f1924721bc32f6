/* Values in normal form: scalars, objects, lists, sets. */
#include "tests/unit/core_value_help.h"

static const char *const unknown[] = {
  "--", "Not provided by the airline", "not stated", "Not given",
  "TBD", "tbc", "Tba", "unknown", "Unknown.", "UNKNOWN!", "not known", "Not known  yet.",
  "undecided", "not decided", "not yet decided", "to be decided", "To be announced.", "to be defined",
  "to be determined", "To be\tconfirmed", "n/a", "#N/A", "N/A.", "na", "Na", "?", "??", "???",
  "????", "TBD?", "TBD...", "tbd\u2026", "TBD :",
  "-", "\u2013", "\u2014", "\u2026", "...", "null", "NIL", " nil ", "\uFF34\uFF22\uFF24",
  "not\u00A0known", "(TBD)", "[?]", "\"n/a\"", "'unknown'.",
  "unknown\u3002", "\uFF1F",
};
static const char *const said[] = {
  "none", "None.", "no", "0", "open", "pending", "N/A-12", "n/a-12", "unknown pleasures",
  "Unknown Pleasures", "-5", "TBD-3", "nil by mouth", "NaN",
  "NaCl", "-0", "- 5 K", "not", "not known to fail", "known", "decided", "nullable",
  "na na na", "?x", ".", "!", ":", "()", "(TBD", "TBD)", "TBDs",
  "to be", "unknown/TBD", "TBD or 5", "a", "", "  ", "\xFFTBD", "n", "/", "yes?",
};

static void silence_is_no_value(void **state) {
  (void)state;
  static const hm_str added[] = { { "folgt", 5 }, { "offen", 5 }, { "\u0434\u0430", 4 } };
  hm_rules rules = { .silence = added, .n_silence = 3 };
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    if (!hm_value_is_silence(hm_str_c(unknown[i]), NULL, A))
      fail_msg("%s is taken as a value", unknown[i]);
  for (size_t i = 0; i < sizeof said / sizeof *said; i++)
    if (hm_value_is_silence(hm_str_c(said[i]), &rules, A))
      fail_msg("%s is taken as silence", said[i]);
  assert_true(hm_value_is_silence(HM_STR("Offen."), &rules, A) &&
              !hm_value_is_silence(HM_STR("offen"), NULL, A));
  assert_true(hm_value_is_silence(HM_STR("\u0414\u0410!"), &rules, A) &&
              hm_value_is_silence(HM_STR("TBD"), &rules, A));
  assert_true(json_value("\"TBD\"", false).silent &&
              json_value("\"TBD\"", true).kind == HM_V_NONE);
  assert_true(json_value("[\"TBD\",\"?\",null]", false).silent &&
              !json_value("[null,\"\"]", false).silent);
  hm_value some = json_value("[\"TBD\",\"A\",[\"-\"]]", false);
  assert_true(some.kind == HM_V_SET && !some.silent && hm_str_is(some.norm, "set:[text:a]") &&
              hm_str_is(some.raw, "[\"TBD\",\"A\",[\"-\"]]"));
}

static void test_norm(void **state) {
  (void)state;
  static const struct { const char *in, *norm, *key;
  } cases[] = {
    { "GF-PTFE", "text:gf-ptfe", NULL },
    { "  Some   words. ", "text:some words", NULL },
    { "...", "text:..", NULL },
    { ".", "text:.", NULL },
    { "", "", NULL },
    { "  \t", "", NULL },
    { "\u00A0", "", NULL },
    { "#null", "", NULL },
    { "#[]", "", NULL },
    { "#[null,\"\"]", "", NULL },
    { "True", "bool:true", NULL },
    { "false", "bool:false", NULL },
    { "#true", "bool:true", NULL },
    { "yes", "bool:true", NULL },
    { "On.", "bool:true", NULL },
    { "Disabled", "bool:false", NULL },
    { "on time", "text:on time", NULL },
    { "truely", "text:truely", NULL },
    { "t", "text:t", NULL },
    { "468.0", "number:468", NULL },
    { "#468", "number:468", NULL },
    { "1,000", "number:1000", NULL },
    { "1e3", "text:1e3", NULL },
    { "#1e3", "number:1000", NULL },
    { "1.0e3", "number:1000", NULL },
    { "1e+3", "number:1000", NULL },
    { "1e3 m", "quantity:1000 m", NULL },
    { "\u2212"
      "5",
      "number:-5", NULL },
    { "5.", "number:5", NULL },
    { "468.", "number:468", NULL },
    { "007", "text:007", NULL },
    { "#1e400", "number:1e400", NULL },
    { "1e99999999999999999999", "text:1e99999999999999999999", NULL },
    { "Inf", "text:inf", NULL },
    { "\uFF14\uFF16\uFF18", "number:468", NULL },
    { "2026", "number:2026", NULL },
    { "30 s", "quantity:30 s", "quantity:30 s" },
    { "30000 ms", "quantity:30000 ms", "quantity:30 s" },
    { "30s", "quantity:30 s", NULL },
    { "4.80 kg", "quantity:4.8 kg", "quantity:4.8 kg" },
    { "4800 g", "quantity:4800 g", "quantity:4.8 kg" },
    { "4.8 \u338F", "quantity:4.8 kg", NULL },
    { "4.8 kg.", "quantity:4.8 kg", NULL },
    { "0 degC", "quantity:0 degC", "quantity:273.15 K" },
    { "0 \u00B0C", "quantity:0 \u00B0C", "quantity:273.15 K" },
    { "5 \u00B5m", "quantity:5 \u03BCm", "quantity:0.000005 m" },
    { "5 %", "quantity:5 %", "quantity:5 %" },
    { "12 pcs", "quantity:12 pcs", "quantity:12 1" },
    { "5%", "quantity:5 %", NULL },
    { "1 GiB", "quantity:1 GiB", "quantity:1073741824 B" },
    { "1024 MiB", "quantity:1024 MiB", "quantity:1073741824 B" },
    { "1 GB", "quantity:1 GB", "quantity:1000000000 B" },
    { "8 Gb", "quantity:8 Gb", "quantity:1000000000 B" },
    { "1 KB", "quantity:1 KB", "quantity:1000 B" },
    { "1 kbit", "quantity:1 kbit", "quantity:125 B" },
    { "1 Tbit", "quantity:1 Tbit", "quantity:125000000000 B" },
    { "8 Mbps", "quantity:8 Mbps", "quantity:1000000 B.s-1" },
    { "1 MB/s", "quantity:1 MB/s", "quantity:1000000 B.s-1" },
    { "8 Mbit/s", "quantity:8 Mbit/s", "quantity:1000000 B.s-1" },
    { "8 bps", "quantity:8 bps", "quantity:1 B.s-1" },
    { "3 bytes", "quantity:3 bytes", "quantity:3 B" },
    { "1 TB", "quantity:1 TB", "quantity:1000000000000 B" },
    { "1 PB", "quantity:1 PB", "quantity:1000000000000000 B" },
    { "1 TiB", "quantity:1 TiB", "quantity:1099511627776 B" },
    { "100 req/s", "quantity:100 req/s", "quantity:100 req.s-1" },
    { "6000 requests/min", "quantity:6000 requests/min", "quantity:100 req.s-1" },
    { "5 users", "quantity:5 users", "quantity:5 user" },
    { "16 px", "quantity:16 px", "quantity:16 px" },
    { "1 kWh", "quantity:1 kWh", "quantity:3600000 kg.m2.s-2" },
    { "1 rad", "quantity:1 rad", "quantity:1 rad" },
    { "5 N\u00B7m", "quantity:5 N.m", "quantity:5 kg.m2.s-2" },
    { "9.81 m/s2", "quantity:9.81 m/s2", "quantity:9.81 m.s-2" },
    { "9.81 m/s\u00B2", "quantity:9.81 m/s2", NULL },
    { "30\u00A0s", "quantity:30 s", NULL },
    { "#\"30 s\"", "quantity:30 s", NULL },
    { "30 S", "quantity:30 S", "quantity:30 A2.kg-1.m-2.s3" },
    { "3 hrs", "quantity:3 hrs", "quantity:10800 s" },
    { "-5 K", "quantity:-5 K", NULL },
    { "5 m\u207B\u00B2", "quantity:5 m-2", "quantity:5 m-2" },
    { "5 s\u22121", "quantity:5 s-1", NULL },
    { "5 \u2126", "quantity:5 \u03A9", NULL },
    { "5 per", "text:5 per", NULL },
    { "5 m.per", "text:5 m.per", NULL },
    { "5 From", "text:5 from", NULL },
    { "5 m(", "text:5 m(", NULL },
    { "5 m)(", "text:5 m)(", NULL },
    { "5 m2s", "quantity:302 s", NULL },
    { "5 m2x", "text:5 m2x", NULL },
    { "5 m..s", "text:5 m..s", NULL },
    { "5 m^", "text:5 m^", NULL },
    { "5 ()", "text:5 ()", NULL },
    { "5 apples", "text:5 apples", NULL },
    { "5 s since 2000", "text:5 s since 2000", NULL },
    { "5 s@1", "text:5 s@1", NULL },
    { "3 dBm", "text:3 dbm", NULL },
    { "5 ssssssssssssssssssssssssss", "text:5 ssssssssssssssssssssssssss", NULL },
    { "5-axis", "text:5-axis", NULL },
    { "3-4 kg", "range:3 kg..4 kg", NULL },
    { "3000-4000 g", "range:3000 g..4000 g", "range:3 kg..4 kg" },
    { "at most 5", "range:<=5", NULL },
    { "Q2 2026", "date:2026-Q2", NULL },
    { "1 h 30 min", "quantity:90 min", "quantity:5400 s" },
    { "b, A", "text:b, a", "list:set:[text:a,text:b]" },
    { "v1.2.3", "text:1.2.3", NULL },
    { "00:1A:2B:3C:4D:5E", "text:001a2b3c4d5e", NULL },
    { "HTTP://X.org/A/", "text:http://x.org/A", NULL },
    { "1e999 kg", "text:1e999 kg", NULL },
    { "10:30", "time:10:30", NULL },
    { "16:9", "text:16:9", NULL },
    { "1.2.3", "text:1.2.3", NULL },
    { "5 m^999999", "text:5 m^999999", NULL },
    { "2026-04", "date:2026-04", NULL },
    { "2026-04-02", "date:2026-04-02", NULL },
    { "2026-04-02T09:00", "date:2026-04-02T09:00Z", NULL },
    { "2026-04-02 09:00:00+02:00", "date:2026-04-02T07:00:00Z", NULL },
    { "2026-13", "text:2026-13", NULL },
    { "2026-04-02.", "date:2026-04-02", NULL },
    { "[\"b\",\"A\",\"a\"]", "set:[text:a,text:b]", NULL },
    { "[1,1.0,\"1\"]", "set:[number:1]", NULL },
    { "[\"1000 g\",\"1 kg\"]", "set:[quantity:1 kg]", "set:[quantity:1 kg]" },
    { "[[\"b\",\"a\"],\"c\"]", "set:[set:[text:a,text:b],text:c]", NULL },
    { "[\"a,text:b\"]", "set:[text:a\\,text:b]", NULL },
    { "[\"set:[x]\"]", "set:[text:set:\\[x\\]]", NULL },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_value v = value(cases[i].in);
    if (!hm_str_is(v.norm, cases[i].norm) || (cases[i].key && !hm_str_is(v.key, cases[i].key)))
      fail_msg("%s: norm %.*s key %.*s", cases[i].in, HM_FMT(v.norm), HM_FMT(v.key));
    assert_int_equal(v.kind == HM_V_NONE, v.norm.n == 0);
  }
}

static void test_as_text(void **state) {
  (void)state;
  hm_value a, b;
  hm_value_parse_text(&a, HM_STR("3.10"), true, U, A);
  hm_value_parse_text(&b, HM_STR("3.1"), true, U, A);
  assert_false(hm_values_are_compatible(&a, &b, NULL));
  a = json_value("3.10", true);
  assert_true(hm_str_is(a.norm, "text:3.10") && hm_str_is(a.raw, "3.10"));
  a = json_value("true", true);
  assert_true(hm_str_is(a.norm, "text:true"));
  a = json_value("[3.10, 3.1]", true);
  assert_int_equal(a.n_items, 2);
}

static void test_objects(void **state) {
  (void)state;
  static const char *const empty[] = { "{}", "{\"a\":null}", "[{}]", "{\"a\":{\"b\":[]}}" };
  static const struct { const char *a, *b; bool yes; } cases[] = {
    { "{\"w\":10,\"h\":20}", "{\"h\":20.0,\"W\":\"10\"}", true },
    { "{\"w\":10,\"h\":20}", "{\"w\":20,\"h\":10}", false },
    { "{\"w\":10}", "{\"w\":10,\"h\":20}", true },
    { "{\"w\":10}", "{\"h\":20}", true },
    { "{\"w\":\"10 mm\"}", "{\"w\":\"1 cm\"}", true },
    { "{\"w\":\"10 mm\"}", "{\"w\":\"10 cm\"}", false },
    { "{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"c\":2}}", true },
    { "{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"c\":3}}", false },
    { "{\"tags\":[\"x\",\"y\"]}", "{\"tags\":[\"y\",\"x\"]}", true },
    { "{\"steps\":[\"x\",\"y\"]}", "{\"steps\":[\"y\",\"x\"]}", false },
    { "{\"version\":\"1.1\"}", "{\"version\":\"1.10\"}", false },
    { "{\"ratio\":\"1.1\"}", "{\"ratio\":\"1.10\"}", true },
    { "{\"from\":\"2026-04\"}", "{\"from\":\"2026-04-02\"}", true },
    { "{\"a b\":1,\"a_b\":2}", "{\"a_b\":2}", true },
    { "{\"a b\":1,\"a_b\":2}", "{\"a_b\":1}", false },
    { "{\"+\":1,\"-\":2}", "{\"+\":2}", false },
    { "{\"w\":10}", "10", true },          /* nothing that both speak of */
    { "{\"w\":10}", "text", true },
    { "[{\"n\":\"a\",\"q\":1},{\"n\":\"b\",\"q\":2}]", "[{\"n\":\"b\"},{\"n\":\"a\",\"q\":1}]", true },
    { "[{\"n\":\"a\",\"q\":1},{\"n\":\"b\",\"q\":2}]", "[{\"n\":\"a\",\"q\":3}]", false },
    { "[{\"n\":\"a\"}]", "{\"n\":\"b\"}", false },
  };
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
    assert_int_equal(value(empty[i]).kind, HM_V_NONE);
  assert_true(value("{\"a\":\"TBD\"}").silent);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (fit(value(cases[i].a), value(cases[i].b), NULL) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
  hm_value v = value("{\"b\":\"x,}\",\"A=\":[2,1]}");
  assert_string_equal(hm_str_z(A, v.norm), "object:{a=set:[number:1,number:2],b=text:x\\,\\}}");
  assert_string_equal(hm_str_z(A, v.raw), "{\"b\":\"x,}\",\"A=\":[2,1]}");
}

static void test_lists(void **state) {
  (void)state;
  static const struct { const char *a, *b; bool yes; } cases[] = {
    { "[1,2,3]", "[1.0,\"2\",3]", true },     { "[1,2,3]", "[3,2,1]", false },
    { "[0,0,1]", "[0,1,1]", false },          { "[\"a\",\"b\",\"a\"]", "[\"A\",\"B\",\"A\"]", true },
    { "[\"a\",\"c\"]", "[\"a\",\"b\",\"c\"]", true }, { "[\"c\",\"a\"]", "[\"a\",\"b\",\"c\"]", false },
    { "[\"10 mm\",\"2 cm\"]", "[\"1 cm\",\"20 mm\"]", true },
    { "[[1,2],[3,4]]", "[[1,2],[4,3]]", false }, { "[\"2026\",\"2026-04\"]", "[\"2026-01\",\"2026-04-02\"]", true },
    { "[\"2026-04-02\",\"2026\"]", "[\"2026-01\",\"2026-04-02\"]", false },
    { "[1,2]", "2", true },                   { "[1,2]", "3", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (fit(list(cases[i].a), list(cases[i].b), NULL) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
  hm_value prose, other;
  const hm_value_reading by = { .ordered = true };
  hm_value_parse(&prose, HM_STR("cut, weld and paint"), false, &by, U, A);
  hm_value_parse(&other, HM_STR("weld, cut and paint"), false, &by, U, A);
  assert_true(fit(prose, list("[\"Cut\",\"weld\",\"paint\"]"), NULL));
  assert_false(fit(prose, list("[\"paint\",\"weld\",\"cut\"]"), NULL) || fit(prose, other, NULL));
  assert_true(fit(prose, value("[\"paint\",\"weld\",\"cut\"]"), NULL));
  /* Beside a set, as of a memory's words, order says nothing. */
  assert_true(fit(list("[\"b\",\"a\"]"), value("[\"a\",\"b\"]"), NULL));
  assert_false(fit(list("[\"b\",\"a\"]"), value("[\"a\",\"c\"]"), NULL));
}

static void test_sets(void **state) {
  (void)state;
  const hm_tolerance tol = { HM_EMPTY, 0.05, HM_STR("kg") };
  static const struct { const char *a, *b; bool yes; } cases[] = {
    { "[\"2026-04\",\"2026-05-01\"]", "[\"2026-04-12\",\"2026-05-01\"]", true },
    { "[\"2026-04\",\"2026-05-01\"]", "[\"2026-06-12\",\"2026-05-01\"]", false },
    { "[\"2026-01\",\"2026-07\"]", "[\"2026-01-31\",\"2026-06-30\"]", false },
    { "[\"2026\"]", "[\"2026-04-02\",\"2026-05-01\"]", true },
    { "[\"2026\"]", "[\"2025-04-02\"]", false },
    { "[\"2026-04-02\",\"2026-04-03\"]", "2026-04", true },
    { "[\"2026-04-02\",\"2026-05-03\"]", "2026-04", true },
    { "[\"2026-04-02\"]", "2026-05", false },
    { "[\"0 degC\",\"10 m\"]", "[\"10 m\",\"273.15 K\"]", true },
    { "[[\"a\",\"2026-04\"],[\"b\"]]", "[[\"b\"],[\"2026-04-02\",\"a\"]]", true },
    { "[[\"a\",\"2026-04\"],[\"b\"]]", "[[\"b\"],[\"2026-05-02\",\"a\"]]", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (fit(value(cases[i].a), value(cases[i].b), NULL) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
  assert_true(fit(value("[\"4.8 kg\",\"1 m\"]"), value("[\"4.82 kg\",\"1 m\"]"), &tol));
  assert_false(fit(value("[\"4.8 kg\",\"1 m\"]"), value("[\"4.88 kg\",\"1 m\"]"), &tol));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(silence_is_no_value),
    cmocka_unit_test(test_norm),
    cmocka_unit_test(test_as_text),
    cmocka_unit_test(test_objects),
    cmocka_unit_test(test_lists),
    cmocka_unit_test(test_sets),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
