/* Values in normal form, and when two of them can both hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/claim/value.h"
#include "tests/unit/core_base_slow.h"

static hm_arena *A;
static hm_units *U;

static hm_value text_value(const char *s) {
  hm_value v;
  hm_value_of_text(&v, hm_str_c(s), false, U, A);
  return v;
}

static hm_value json_value(const char *s, bool as_text) {
  hm_json *j;
  hm_err err;
  assert_int_equal(hm_json_parse(A, hm_str_c(s), &j, &err), 0);
  hm_value v;
  hm_value_of_json(&v, j, as_text, NULL, U, A);
  return v;
}

/* A test value: JSON when it begins with '[', '{', '"' or is a JSON word after '#'. */
static hm_value value(const char *s) {
  if (*s == '#') return json_value(s + 1, false);
  return *s == '[' || *s == '{' ? json_value(s, false) : text_value(s);
}

static const char *const unknown[] = {
  "TBD", "tbc", "Tba", "unknown", "Unknown.", "UNKNOWN!", "not known", "Not known  yet.",
  "undecided", "not decided", "not yet decided",
  "to be determined", "To be\tconfirmed", "n/a", "N/A.", "na", "Na", "?", "??", "???", "????",
  "TBD?", "TBD...", "tbd\u2026", "TBD :",
  "-", "\u2013", "\u2014", "\u2026", "...", "null", "NIL", " nil ", "\uFF34\uFF22\uFF24",
  "not\u00A0known", "(TBD)", "[?]", "\"n/a\"", "'unknown'.",
  "unknown\u3002", "\uFF1F",
};
static const char *const said[] = {
  "none", "None.", "no", "0", "open", "pending", "N/A-12", "n/a-12", "unknown pleasures",
  "Unknown Pleasures", "-5", "TBD-3", "nil by mouth", "NaN",
  "NaCl", "-0", "- 5 K", "--", "not", "not known to fail", "known", "decided", "nullable",
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
  hm_value_of_text(&a, HM_STR("3.10"), true, U, A);
  hm_value_of_text(&b, HM_STR("3.1"), true, U, A);
  assert_false(hm_value_compatible(&a, &b, NULL));
  a = json_value("3.10", true);
  assert_true(hm_str_is(a.norm, "text:3.10") && hm_str_is(a.raw, "3.10"));
  a = json_value("true", true);
  assert_true(hm_str_is(a.norm, "text:true"));
  a = json_value("[3.10, 3.1]", true);
  assert_int_equal(a.n_items, 2);
}

static bool fit(hm_value a, hm_value b, const hm_tolerance *tol) {
  bool yes = hm_value_compatible(&a, &b, tol);
  assert_int_equal(hm_value_compatible(&b, &a, tol), yes);
  assert_true(hm_value_compatible(&a, &a, tol) && hm_value_compatible(&b, &b, tol));
  return yes;
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

static hm_value list(const char *s) {
  hm_json *j = NULL;
  hm_value v;
  assert_int_equal(hm_json_parse(A, hm_str_c(s), &j, NULL), 0);
  hm_value_of_json(&v, j, false, &(hm_value_reading){ .ordered = true }, U, A);
  return v;
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
  hm_value_read(&prose, HM_STR("cut, weld and paint"), false, &by, U, A);
  hm_value_read(&other, HM_STR("weld, cut and paint"), false, &by, U, A);
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
    hm_str s = hm_value_agreement(A, &a, &b, &tol);
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
  clock_t start = clock();
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++) hm_value_compatible(v[i], v[k], NULL);
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++) hm_value_difference(A, v[i], v[k], NULL);
  hm_value many = nested(1, 40000, "\"t%zu %zu\"", 0), more = nested(1, 40000, "\"t%zu %zu\"", 1);
  assert_false(fit(many.items[0], more.items[0], NULL));
  hm_value_difference(A, &many.items[0], &more.items[0], NULL);
  assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2.0 * slowness());
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
    if (hm_value_compatible(&a, &b, NULL) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
    assert_int_equal(hm_value_compatible(&b, &a, NULL), cases[i].yes);
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
    if (hm_value_compatible(&a, &b, &tol) != cases[i].yes)
      fail_msg("%s | %s", cases[i].a, cases[i].b);
    assert_int_equal(hm_value_compatible(&b, &a, &tol), cases[i].yes);
  }
}

static void test_difference(void **state) {
  (void)state;
  static const struct { const char *a, *b, *words;
  } cases[] = {
    { "30 s", "31 s", "30 s = 30 s, 31 s = 31 s: differ by 1 s" },
    { "30 s", "31000 ms", "30 s = 30 s, 31000 ms = 31 s: differ by 1 s" },
    { "4.8 kg", "4.82 kg", "4.8 kg = 4.8 kg, 4.82 kg = 4.82 kg: differ by 0.02 kg" },
    { "4.8 g", "4.82 g", "4.8 g = 0.0048 kg, 4.82 g = 0.00482 kg: differ by 0.02 g" },
    { "468", "470.0", "468 = 468, 470.0 = 470: differ by 2" },
    { "30 s", "30 m",
      "30 s = 30 s, 30 m = 30 m: s and m are of different dimensions, neither converts to the other" },
    { "30 s", "30", "30 s = 30 s, 30 = 30: one has a unit, the other none" },
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
    assert_string_equal(hm_str_z(A, hm_value_difference(A, &a, &b, NULL)), cases[i].words);
  }
  hm_value a = value("4.8 kg"), b = value("4.82 kg");
  hm_tolerance tol = { HM_STR("x"), 0.01, HM_STR("kg") };
  assert_string_equal(
      hm_str_z(A, hm_value_difference(A, &a, &b, &tol)),
      "4.8 kg = 4.8 kg, 4.82 kg = 4.82 kg: differ by 0.02 kg, not within the tolerance of 0.01 kg");
}

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
  for (int i = 0; i < 100000; i++) {
    hm_value x = random_value(1), y = random_value(1);
    assert_true(hm_value_compatible(&x, &x, NULL));
    bool c = hm_value_compatible(&x, &y, NULL);
    assert_int_equal(c, hm_value_compatible(&y, &x, NULL));
    if (hm_str_eq(x.norm, y.norm) || hm_str_eq(x.key, y.key)) assert_true(c);
    if (hm_str_eq(x.norm, y.norm)) assert_true(hm_str_eq(x.key, y.key));
    assert_true(hm_value_difference(A, &x, &y, NULL).n > 0);
    if (i % 100 == 0) hm_arena_reset(A);
  }
}

/* The fast path for ASCII is hm_text_value. */
static void test_text_is_text_value(void **state) {
  (void)state;
  for (int i = 0; i < 50000; i++) {
    char s[12];
    size_t n = next() % sizeof s;
    for (size_t k = 0; k < n; k++) s[k] = "aB. \t\n.\0-x\x7f~"[next() % 12];
    hm_value v;
    hm_value_of_text(&v, (hm_str){ s, n }, true, U, A);
    hm_str folded = hm_text_value(A, (hm_str){ s, n });
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
    hm_value_of_text(&v, (hm_str){ p, n }, false, U, A);
    assert_true(hm_value_compatible(&v, &v, NULL));
    hm_value_difference(A, &v, &v, NULL);
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
  assert_true(hm_value_difference(A, &v, &v, NULL).n > 0);
  hm_arena_free(A);
  A = a;
  hm_buf_free(&b);
}

static void test_any_bytes(void **state) {
  (void)state;
  for (int i = 0; i < 100000; i++) {
    char s[24];
    size_t n = next() % sizeof s;
    for (size_t k = 0; k < n; k++)
      s[k] =
          next() % 3 ? "0123456789 .,-+eEkgms/%^\xC2\xB5\xE2\x88\x92"[next() % 30] : (char)next();
    hm_value v;
    hm_value_of_text(&v, hm_str_dup(A, (hm_str){ s, n }), false, U, A);
    assert_true(hm_value_compatible(&v, &v, NULL));
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
  for (int i = 0; i < 50000; i++) {
    hm_buf b = { 0 };
    hm_buf_fmt(&b, "%d ", (int)(next() % 100));
    for (size_t k = 0, n = 1 + next() % 6; k < n; k++)
      hm_buf_c(&b, parts[next() % (sizeof parts / sizeof *parts)]);
    hm_value v, w;
    hm_str raw = hm_buf_copy(&b, A);
    hm_value_of_text(&v, raw, false, U, A);
    assert_true(v.kind != HM_V_NONE && v.kind != HM_V_SET);
    if (v.kind == HM_V_QUANTITY) {
      hm_value_of_text(&w, hm_str_sub(v.norm, 9, v.norm.n), false, U, A);
      assert_true(hm_str_eq(v.norm, w.norm) && hm_str_eq(v.key, w.key) && v.base.n);
    }
    hm_buf_free(&b);
    if (i % 1000 == 0) hm_arena_reset(A);
  }
}

static int setup(void **state) { (void)state; A = hm_arena_new(); U = hm_units_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); hm_units_free(U); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(silence_is_no_value),
    cmocka_unit_test(test_norm),
    cmocka_unit_test(test_as_text),
    cmocka_unit_test(test_objects),
    cmocka_unit_test(test_lists),
    cmocka_unit_test(test_sets),
    cmocka_unit_test(test_agreement),
    cmocka_unit_test(test_tolerance_of_time),
    cmocka_unit_test(test_big_parts_are_quick),
    cmocka_unit_test(test_compatible),
    cmocka_unit_test(test_tolerance),
    cmocka_unit_test(test_difference),
    cmocka_unit_test(test_laws),
    cmocka_unit_test(test_text_is_text_value),
    cmocka_unit_test(test_hostile),
    cmocka_unit_test(test_deep_sets),
    cmocka_unit_test(test_any_bytes),
    cmocka_unit_test(test_any_unit),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
