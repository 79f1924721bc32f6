/* Who is compared with whom. */
#include "core_claim_help.h"
#include "core/prose/attribute_names.h"
#include "core/value/containment.h"

static hm_arena *A;

/* Claims of the rows, in the order of the rows: every row here claims once, besides what its words
 * say again. */
static hm_claims *claims(hm_row *rows, size_t n) {
  hm_snapshot s = help_snapshot(A, rows, n);
  hm_claims *c = help_claims(&s, 1);
  size_t kept = 0;
  for (size_t i = 0; i < c->n; i++)
    if (!c->claims[i].twin.n)
      c->claims[kept++] = c->claims[i];
  c->n = kept;
  assert_int_equal(c->n, n);
  return c;
}

/* Do two rows disagree? Also: comparing is symmetric, nobody disagrees with himself. */
static bool disagree(hm_row x, hm_row y) {
  hm_row rows[] = { x, y };
  rows[0].id = HM_STR("a");
  rows[1].id = HM_STR("b");
  hm_claims *c = claims(rows, 2);
  const hm_claim *a = &c->claims[0], *b = &c->claims[1];
  bool d = a->hash == b->hash && hm_str_eq(a->name, b->name) &&
      hm_claim_disagree(a, b, hm_rules_default(), 2);
  assert_int_equal(hm_claim_disagree(a, b, hm_rules_default(), 2),
                   hm_claim_disagree(b, a, hm_rules_default(), 2));
  assert_int_equal(hm_claim_comparable(a, b), hm_claim_comparable(b, a));
  assert_int_equal(hm_claim_overlap(a, b), hm_claim_overlap(b, a));
  assert_false(hm_claim_disagree(a, a, hm_rules_default(), 2));
  hm_claims_free(c);
  return d;
}

static hm_row entity(const char *type, const char *name, const char *props) {
  return help_row(HM_ENTITY, "e", type, name, props);
}
static hm_row fact(const char *category, const char *key, const char *value) {
  return help_row(HM_STATE, "s", category, key, value);
}
static hm_row memory(const char *type, const char *text) {
  return help_row(HM_MEMORY, "m", type, "", text);
}

static hm_row written(const char *text, const char *when) {
  hm_row r = memory("knowledge", text);
  r.created_at = hm_str_c(when);
  return r;
}

static void test_ages_grow(void **state) {
  (void)state;
  hm_row rosa = written("Rosa is 41 years old.", "2024-01-10");
  assert_false(disagree(rosa, written("Rosa is 42 years old.", "2025-02-10")));
  assert_false(disagree(rosa, written("Rosa is 42 years old.", "2024-03-10")));
  assert_false(disagree(rosa, written("Rosa is 38 years old.", "2021-01-10")));
  assert_true(disagree(rosa, written("Rosa is 43 years old.", "2024-03-10")));
  assert_true(disagree(rosa, written("Rosa is 40 years old.", "2026-03-10")));
  assert_true(disagree(rosa, memory("knowledge", "Rosa is 42 years old.")));
  assert_false(disagree(written("My dog is 18 months old.", "2024-01-10"),
                        written("My dog is 2 years old.", "2024-06-10")));
  hm_row eight = written("Tim is 8 years old.", "2025-03-01T10:00:00Z");
  assert_false(disagree(eight, written("Tim is 9 years old.", "2026-04-01T10:00:00Z")));
  assert_false(disagree(eight, written("Tim is 9 years old.", "2025-09-01T10:00:00Z")));
  assert_true(disagree(eight, written("Tim is 12 years old.", "2026-04-01T10:00:00Z")));
  assert_true(disagree(eight, written("Tim is 7 years old.", "2026-04-01T10:00:00Z")));
  assert_true(disagree(eight, memory("knowledge", "Tim is 9 years old.")));
}

static void test_a_range_of_a_text(void **state) {
  (void)state;
  hm_row range = memory("knowledge", "The build takes 5 to 7 minutes.");
  static const struct { const char *text; bool differs; } others[] = {
    { "The build takes 6 minutes.", false }, { "The build takes 300 s.", false },
    { "The build takes 7 minutes.", false }, { "The build takes 8 minutes.", true },
    { "The build takes 4 minutes.", true }, { "The build takes 5 to 9 minutes.", true },
    { "The build takes about 6 minutes.", false }, { "The build takes about 12 minutes.", true },
  };
  hm_row about = memory("knowledge", "The build takes about 20 minutes.");
  assert_false(disagree(about, memory("knowledge", "The build takes 25 minutes.")));
  assert_false(disagree(about, memory("knowledge", "The build takes ~16 minutes.")));
  assert_true(disagree(about, memory("knowledge", "The build takes 26 minutes.")));
  about = memory("knowledge", "The oven temperature is about 20 °C.");
  assert_false(disagree(about, memory("knowledge", "The oven temperature is 22 °C.")));
  assert_true(disagree(about, memory("knowledge", "The oven temperature is 60 °C.")));
  assert_true(disagree(memory("knowledge", "The build takes 20 minutes."),
                       memory("knowledge", "The build takes 21 minutes.")));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(disagree(range, memory("knowledge", others[i].text)), others[i].differs);
  assert_false(disagree(range, fact("facts", "build_duration", "6 min")));
  assert_true(disagree(range, fact("facts", "build_duration", "12 min")));
  hm_row day = memory("knowledge", "The launch date is March 15.");
  assert_false(disagree(day, memory("knowledge", "The launch date is 15 March 2026.")));
  assert_true(disagree(day, memory("knowledge", "The launch date is March 16, 2026.")));
  assert_true(disagree(day, memory("knowledge", "The launch date is 15 May 2026.")));
  assert_false(disagree(day, fact("facts", "launch_date", "2026-03-15")));
  assert_false(disagree(memory("knowledge", "The freeze window is Dec 18 to Jan 4."),
                        memory("knowledge", "The freeze window is Dec 18 to Jan 4, 2027.")));
  assert_true(disagree(memory("knowledge", "Supported locales: en, de only"),
                       memory("knowledge", "Supported locales: en, de, fr")));
  assert_true(disagree(memory("knowledge", "The freeze window is Dec 18 to Jan 4."),
                       memory("knowledge", "The freeze window is Dec 18 to Jan 5, 2027.")));
  /* who names all of them leaves no room for more */
  hm_row all = memory("knowledge", "Supported locales: en, de only");
  assert_true(disagree(all, memory("knowledge", "Supported locales: en, de, fr")));
  assert_false(disagree(all, memory("knowledge", "Supported locales: de, en")));
  /* fields say what is: a range and a value are two */
  assert_true(disagree(fact("facts", "gap", "5-10 mm"),
                       entity("Parameter", "gap", "{\"value\":\"5 mm\"}")));
}

static void test_times_of_existence(void **state) {
  (void)state;
  static const struct { const char *x, *y; bool differs; } cases[] = {
    { "{\"born\":\"1340s\"}", "{\"born\":1345}", false },
    { "{\"born\":\"1340s\"}", "{\"born\":1355}", true },
    { "{\"born\":\"12th century\"}", "{\"born\":\"1150-03\"}", false },
    { "{\"born\":\"12th century\"}", "{\"born\":\"1201\"}", true },
    { "{\"died\":\"before 1340\"}", "{\"died\":\"1330\"}", false },
    { "{\"died\":\"before 1340\"}", "{\"died\":\"1350\"}", true },
    { "{\"died\":\"before 1340\"}", "{\"died\":\"after 1350\"}", true },
    { "{\"died\":\"c. 1340\"}", "{\"died\":\"1345\"}", false },
    { "{\"died\":\"c. 1340\"}", "{\"died\":\"1440\"}", true },
    { "{\"died\":\"1340\"}", "{\"died\":\"1341\"}", true },
    { "{\"mass\":\"1340s\"}", "{\"mass\":1345}", true },
    { "{\"born\":\"44 BC\"}", "{\"born\":\"-0043-03\"}", false },
    { "{\"born\":\"44 BC\"}", "{\"born\":\"44 AD\"}", true },
    { "{\"reigned\":\"AD 72\"}", "{\"reigned\":\"72 CE\"}", false },
    { "{\"seen\":\"12th century\"}", "{\"seen\":1150}", false },
    { "{\"seen\":\"12th century\"}", "{\"seen\":1250}", true },
    { "{\"seen\":\"c. 1200\"}", "{\"seen\":\"circa 1200\"}", false },
    { "{\"seen\":\"1200?\"}", "{\"seen\":\"1201\"}", true },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool differs =
        disagree(entity("Component", "Ada", cases[i].x), entity("Component", "Ada", cases[i].y));
    if (differs != cases[i].differs) print_message("%s %s\n", cases[i].x, cases[i].y);
    assert_int_equal(differs, cases[i].differs);
  }
  assert_false(disagree(fact("facts", "keep_built", "1340s"), fact("facts", "keep built", "1345")));
  assert_true(disagree(fact("facts", "keep_built", "1340s"), fact("facts", "keep built", "1339")));
}

/* Does any claim of one text disagree with one of the other? */
static bool texts_disagree(const char *x, const char *y) {
  hm_row rows[] = { memory("knowledge", x), memory("knowledge", y) };
  rows[0].id = HM_STR("a");
  rows[1].id = HM_STR("b");
  hm_snapshot s = help_snapshot(A, rows, 2);
  hm_claims *c = help_claims(&s, 1);
  bool any = false;
  assert_true(c->n > 1);
  for (size_t i = 0; i < c->n; i++)
    for (size_t k = 0; k < c->n; k++)
      any = any ||
          (hm_claims_share_slot(&c->claims[i], &c->claims[k]) &&
           hm_claim_disagree(&c->claims[i], &c->claims[k], hm_rules_default(), 3));
  hm_claims_free(c);
  return any;
}

static void test_one_of_several(void **state) {
  (void)state;
  const char *both = "We use pytest for unit tests and Playwright for browser tests.";
  assert_false(texts_disagree(both, "We use pytest."));
  assert_true(texts_disagree(both, "We use pytest for unit tests and Cypress for browser tests."));
  assert_true(texts_disagree("We use pytest.", "We use unittest for unit tests."));
  assert_false(disagree(fact("facts", "rivas_wrote", "El faro"),
                        fact("facts", "rivas_wrote", "Sal y arena")));
  assert_true(disagree(fact("facts", "faro_written_by", "Rivas"),
                       fact("facts", "faro_written_by", "Soler")));
}

static void test_a_firmware_and_its_version(void **state) {
  (void)state;
  hm_row version = fact("facts", "pump_firmware_version", "2.1.2");
  assert_false(disagree(fact("facts", "pump_firmware", "Marlin"), version));
  assert_true(disagree(fact("facts", "pump_firmware", "2.1.3"), version));
  assert_true(disagree(fact("facts", "pump_firmware", "Marlin"),
                       fact("facts", "pump_firmware", "Klipper")));
  assert_false(disagree(memory("knowledge", "The pump firmware is Marlin."),
                        memory("knowledge", "The pump firmware version is 2.1.2.")));
}

static void test_places_of_texts(void **state) {
  (void)state;
  static const struct { const char *x, *y; bool differs; } cases[] = {
    { "The user lives in Munich.", "The user lives in Germany.", false },
    { "The user lives in Munich.", "The user lives in Europe.", false },
    { "The user lives in Potsdam.", "The user lives in Germany.", false },
    { "The user lives in Austin, Texas.", "The user lives in Texas.", false },
    { "The user lives in Kreuzberg, Berlin.", "The user lives in Berlin.", false },
    { "The office is in Munich.", "The office is in Germany.", false },
    { "The user lives in Munich.", "The user lives in Berlin.", true },
    { "The user lives in Munich.", "The user lives in Potsdam.", true },
    { "The user lives in Munich.", "The user lives in France.", true },
    { "The user lives in Spain.", "The user lives in France.", true },
    { "The user lives in Kreuzberg, Berlin.", "The user lives in Munich.", true },
    { "The user lives in Graz.", "The user lives in Linz.", true },
    { "The supplier is Jordan.", "The supplier is Kim.", true },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool differs = disagree(memory("knowledge", cases[i].x), memory("knowledge", cases[i].y));
    if (differs != cases[i].differs) print_message("%s %s\n", cases[i].x, cases[i].y);
    assert_int_equal(differs, cases[i].differs);
  }
}

/* The search in the table needs its order, and each place that it names must be in it. */
static void test_table_of_places(void **state) {
  (void)state;
  const char *in, *name, *before = "";
  for (size_t i = 0; (name = hm_place_name(i, &in)); i++, before = name) {
    assert_true(strcmp(before, name) < 0);
    in += in[0] == '+' || in[0] == '=';
    bool known = !in[0];
    const char *other, *ignored;
    for (size_t k = 0; !known && (other = hm_place_name(k, &ignored)); k++)
      known = !strcmp(other, in);
    if (!known) fail_msg("%s lies in %s, which the table lacks", name, in);
  }
}

static void test_places_that_nest(void **state) {
  (void)state;
  static const struct { const char *x, *y; bool nest; } cases[] = {
    { "aarhus", "denmark", true },          { "abuja", "africa", true },
    { "the_uk", "united_kingdom", true },   { "london", "uk", true },
    { "zurich", "switzerland", true },      { "zurich", "zimbabwe", false },
    { "zurich", "the_eu", false },          { "lisbon", "europe", true },
    { "the_hague", "the_netherlands", true }, { "brooklyn", "united_states", true },
    { "malta", "valletta", true },          { "nairobi", "valletta", false },
    { "somewhere", "elsewhere", false },    { "london", "england", true },
    { "edinburgh", "scotland", true },      { "edinburgh", "england", false },
    { "nyc", "new_york_state", true },      { "manhattan", "new_york_state", true },
    { "bangalore", "bengaluru", true },     { "mountain_view", "bay_area", true },
    { "mountain_view", "california", true }, { "bath", "england", true },
    { "anchorage", "alaska", true },        { "cardiff", "wales", true },
    { "boston", "alaska", false },          { "leeds", "wales", false },
    { "leeds", "uk", true },                { "ohio", "united_states", true },
    { "ohio", "canada", false },            { "cardiff", "leeds", false },
    { "new_york", "brooklyn", true },       { "new_york", "boston", false },
    { "new_york", "nyc", true },            { "georgia", "atlanta", true },
    { "georgia", "boston", false },         { "georgia", "tbilisi", true },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_str x = hm_str_c(cases[i].x), y = hm_str_c(cases[i].y);
    if (hm_places_may_nest(x, y) != cases[i].nest) print_message("%s %s\n", x.p, y.p);
    assert_int_equal(hm_places_may_nest(x, y), cases[i].nest);
    assert_int_equal(hm_places_may_nest(y, x), cases[i].nest);
  }
}

#define PEEK                                                                                       \
  "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"PEEK\"}"
#define PTFE                                                                                       \
  "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"GF-PTFE\"}"

static void test_specification(void **state) {
  (void)state;
  assert_true(disagree(entity("Decision", "a", PEEK), entity("Decision", "b", PTFE)));
  assert_true(disagree(memory("preference", "prefers rebase workflow"),
                       memory("preference", "prefers merge-commit workflow")));
  assert_true(disagree(fact("decision", "lateral_support_material", "GF-PTFE"),
                       entity("Decision", "a", PEEK)));
  assert_true(disagree(memory("knowledge", "lateral support material is PTFE"),
                       entity("Decision", "a", PEEK)));
  assert_false(disagree(memory("preference", "prefers small diffs"),
                        memory("preference", "likes small diffs")));
  assert_false(disagree(entity("Requirement", "R", "{\"mass\":5}"),
                        entity("Requirement", "R", "{\"flux\":6}")));
}

static void test_comparable(void **state) {
  (void)state;
  hm_row x = entity("Subsystem", "lateral support material", "{\"a\":1}"),
         y = entity("Rig", "x", "{\"a\":1}");
  assert_false(disagree(x, y));
  /* one name, two types: each is compared with the state, not with the other */
  hm_row parameter = entity("Parameter", "lateral support material", "{\"value\":\"X\"}");
  assert_false(disagree(parameter, entity("Decision", "a", PEEK)));
  assert_true(disagree(parameter, fact("facts", "lateral_support_material", "GF")));
  /* unless its category names a type */
  assert_false(disagree(parameter, fact("decision", "lateral_support_material", "GF")));
  assert_true(disagree(parameter, fact("Parameter", "lateral_support_material", "GF")));
  assert_true(disagree(entity("Test Rig", "a", "{\"m\":1}"), fact("testrig", "test_rig_a_m", "2")));
  assert_false(disagree(entity("Rig", "a", "{\"m\":1}"), fact("decision", "rig_a_m", "2")));
  /* one name, other elements */
  assert_false(disagree(
      entity("Parameter", "x", "{\"parameter_scope\":\"a_b\",\"parameter\":\"c\",\"value\":1}"),
      entity("Parameter", "x", "{\"parameter_scope\":\"a\",\"parameter\":\"b_c\",\"value\":2}")));
  assert_false(
      disagree(entity("Parameter", "a", "{\"b\":1}"), entity("Parameter", "a_b", "{\"value\":2}")));
  /* texts are compared with texts */
  assert_true(disagree(memory("knowledge", "area is 1"), memory("knowledge", "area is 2")));
  assert_false(disagree(memory("identity", "role: a"), fact("", "role", "b")));
  /* a day of every year, however it is written */
  assert_false(disagree(memory("knowledge", "The user's birthday is on February 12th."),
                        memory("knowledge", "The user's birthday is 12 February.")));
  assert_true(disagree(memory("knowledge", "The user's birthday is on February 12th."),
                       memory("knowledge", "The user's birthday is 13 February.")));
  assert_true(disagree(memory("knowledge", "The user's birthday is on February 12th."),
                       memory("knowledge", "The user's birthday is 12 March.")));
  assert_true(disagree(memory("knowledge", "I have 3 cats"), memory("knowledge", "I have 4 cats")));
}

/* Names in several spellings: one value in every layer. */
static void test_spellings(void **state) {
  (void)state;
  static const struct { const char *key, *value, *text; bool disagree; } t[] = {
    { "database", "PostgreSQL", "We use Postgres as the database.", false },
    { "database", "PostgreSQL", "The database is MySQL.", true },
    { "database", "MySQL", "The database is MariaDB.", true },
    { "mirror_coating", "aluminum", "Mirror coating is aluminium.", false },
    { "mirror_coating", "aluminum", "Mirror coating is brass.", true },
    { "api_style", "RESTful", "The API style is REST.", false },
    { "orchestrator", "k8s", "The orchestrator is Kubernetes.", false },
    { "orchestrator", "k3s", "The orchestrator is Kubernetes.", true },
    { "runtime", "Node.js", "The runtime is Node.", false },
    { "editor", "VS Code", "The editor is Visual Studio Code.", false },
    { "license", "Apache-2.0", "The license is Apache License 2.0.", false },
    { "license", "BSD-2-Clause", "The license is BSD-3-Clause.", true },
    { "language", "C", "The language is C++.", true },
  };
  for (size_t i = 0; i < HM_COUNT(t); i++)
    if (disagree(fact("", t[i].key, t[i].value), memory("knowledge", t[i].text)) != t[i].disagree)
      fail_msg("%s = %s, and: %s", t[i].key, t[i].value, t[i].text);
  assert_false(disagree(fact("", "stores", "PostgreSQL, Redis and nginx"),
                        fact("", "stores", "Redis, nginx and Postgres")));
  assert_false(disagree(entity("component", "api", "{\"stores\":[\"pg\",\"Redis\"]}"),
                        entity("component", "api", "{\"stores\":[\"Redis\",\"Postgres\"]}")));
  assert_true(disagree(fact("", "stores", "PostgreSQL, Redis and nginx"),
                       fact("", "stores", "MySQL, Redis and nginx")));
}

/* A key in two categories is two slots among states; for entities and memories it is one. */
static void test_categories(void **state) {
  (void)state;
  assert_false(disagree(fact("a", "area", "1"), fact("b", "area", "2")));
  assert_false(disagree(fact("a", "area", "1"), fact("", "area", "2")));
  assert_true(disagree(fact("a b", "area", "1"), fact("A-B", "area", "2")));
  assert_true(disagree(fact("Analysis Model", "area", "1"), fact("analysismodel", "area", "2")));
  assert_false(disagree(fact("decision", "area", "1"), fact("parameter", "area", "2")));
  assert_true(disagree(fact("a", "area", "1"), memory("knowledge", "area is 2")));
  assert_true(disagree(fact("b", "area", "1"), entity("Parameter", "area", "{\"value\":2}")));
}

static hm_row with(hm_row r, const char *scope, int polarity) {
  r.scope = hm_str_c(scope);
  r.polarity = (signed char)polarity;
  return r;
}

static void test_scopes(void **state) {
  (void)state;
  hm_row x = memory("preference", "prefers rebase workflow"),
         y = memory("preference", "prefers merge workflow");
  assert_true(disagree(with(x, "Git", 0), with(y, "git.", 0)));
  assert_false(disagree(with(x, "git", 0), with(y, "", 0)));
  assert_false(disagree(with(x, "git", 0), with(y, "svn", 0)));
  assert_true(disagree(with(x, " ", 0), with(y, "", 0)));
  assert_false(disagree(with(memory("identity", "role: a"), "work", 0),
                        with(memory("identity", "role: b"), "home", 0)));
  /* of a text without a subject it is the subject */
  assert_true(disagree(with(memory("knowledge", "area is 1"), "x", 0), fact("a", "x_area", "2")));
  assert_false(disagree(with(memory("knowledge", "area is 1"), "x", 0), fact("a", "area", "2")));
  hm_row long_one = with(x, "", 0);
  char scope[2000];
  memset(scope, 'x', sizeof scope - 1);
  scope[sizeof scope - 1] = 0;
  long_one.scope = hm_str_c(scope);
  hm_claims *c = claims(&long_one, 1);
  assert_true(c->claims[0].name.n < 600);
  hm_claims_free(c);
}

static void test_polarities(void **state) {
  (void)state;
  hm_row x = memory("preference", "prefers rebase workflow"),
         y = memory("preference", "prefers merge workflow");
  hm_row z = memory("preference", "likes the Rebase workflow.");
  assert_true(disagree(with(x, "", 1), with(z, "", -1)));
  assert_true(disagree(with(x, "", 0), with(z, "", -1)));
  assert_true(disagree(with(x, "", 1), with(y, "", 1)));
  assert_false(disagree(with(x, "", -1), with(y, "", -1)));
  assert_false(disagree(with(x, "", 1), with(y, "", -1)));
  assert_false(disagree(with(x, "", -1), with(z, "", -1)));
  assert_false(disagree(with(x, "git", 1), with(z, "", -1)));
  /* what the grammar does not read, where both are marked */
  hm_row tabs = memory("preference", "prefers tabs"),
         tabs_too = memory("preference", "Prefers  tabs."), c = memory("preference", "prefers C++");
  assert_true(disagree(with(tabs, "", 1), with(tabs_too, "", -1)));
  assert_false(disagree(with(tabs, "", 1), with(tabs_too, "", 1)));
  assert_false(disagree(with(memory("preference", "prefers C"), "", 1), with(c, "", -1)));
  /* other memories that claim */
  hm_row area = memory("knowledge", "area is 30 s"), same = memory("project", "Area: 30000 ms"),
         other = memory("knowledge", "area is 31 s");
  assert_true(disagree(with(area, "", 0), with(area, "", -1)));
  assert_true(disagree(with(area, "", 1), with(same, "", -1)));
  assert_false(disagree(with(area, "", 1), with(other, "", -1)));
  assert_true(disagree(with(area, "", 1), with(other, "", 1)));
  assert_true(disagree(with(area, "", -1), fact("a", "area", "30 s")));
  assert_false(disagree(with(other, "", -1), fact("a", "area", "30 s")));
  hm_row rows[] = { with(x, "git", -1), with(tabs, "", -1), with(tabs, "", 0),
                    with(memory("knowledge", "prefers tabs"), "", 1) };
  rows[0].id = HM_STR("a");
  rows[1].id = HM_STR("b");
  hm_snapshot s = help_snapshot(A, rows, 4);
  hm_claims *told = help_claims(&s, 1);
  /* the two without a mark are read as prose: what is preferred, and which of two */
  assert_int_equal(told->n, 6);
  assert_true(hm_str_is(told->claims[3].name, "user_preferred_indentation"));
  assert_true(hm_str_is(told->claims[0].name, "workflow (git)") &&
              hm_str_is(told->claims[0].value.raw, "not: rebase") &&
              hm_str_is(told->claims[0].value.norm, "not:text:rebas"));
  assert_true(hm_str_is(told->claims[1].name, "\"prefers tabs\"") &&
              hm_str_is(told->claims[1].value.raw, "not: prefers tabs"));
  hm_str why =
      hm_value_describe_difference(A, &told->claims[0].value, &told->claims[1].value, NULL);
  assert_true(hm_str_ends(why, " can both hold"));
  hm_claims_free(told);
}

static void test_windows(void **state) {
  (void)state;
  hm_row x = fact("", "area", "1"), y = fact("", "area", "2");
  x.valid_until = HM_STR("2026-04-02");
  y.valid_from = HM_STR("2026-04-02T00:00:00Z");
  assert_false(disagree(x, y));
  y.valid_from = HM_STR("2026-04-01T23:59:59Z");
  assert_true(disagree(x, y));
  y.project = 2;
  assert_false(disagree(x, y));
}

static void test_tolerance(void **state) {
  (void)state;
  hm_row rows[] = { help_row(HM_STATE, "a", "", "frame mass", "4.8 kg"),
                    help_row(HM_STATE, "b", "", "frame mass", "4.82 kg") };
  hm_claims *c = claims(rows, 2);
  hm_tolerance tol[] = { { HM_STR("other"), 5, HM_EMPTY },
                         { HM_STR("frame_mass"), 0.05, HM_STR("kg") } };
  hm_rules rules = *hm_rules_default();
  assert_true(hm_claim_disagree(&c->claims[0], &c->claims[1], &rules, 2));
  rules.tolerances = tol;
  rules.n_tolerances = 1;
  assert_true(hm_claim_disagree(&c->claims[0], &c->claims[1], &rules, 2));
  rules.n_tolerances = 2;
  assert_false(hm_claim_disagree(&c->claims[0], &c->claims[1], &rules, 2));
  assert_ptr_equal(hm_rules_tolerance(&rules, HM_STR("frame_mass")), &tol[1]);
  hm_claims_free(c);
}

static void test_type_key(void **state) {
  (void)state;
  assert_true(hm_str_is(hm_entity_type_key(A, HM_STR("AnalysisModel")), "analysismodel"));
  assert_true(hm_str_is(hm_entity_type_key(A, HM_STR("analysis_model")), "analysismodel"));
  assert_true(hm_str_is(hm_entity_type_key(A, HM_STR(" Analysis  Model ")), "analysismodel"));
  assert_int_equal(hm_entity_type_key(A, HM_EMPTY).n, 0);
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

/* Behind a coating "material" says nothing more, in whatever layer; behind a mount it does. */
static void test_kinds_in_names(void **state) {
  (void)state;
  hm_row coating = memory("knowledge", "The mirror coating is aluminium");
  assert_true(disagree(fact("fact", "mirror_coating", "silver"), coating));
  assert_true(disagree(fact("fact", "mirror_coating_material", "silver"), coating));
  assert_false(disagree(fact("fact", "mirror coating material", "aluminium"), coating));
  assert_true(disagree(fact("fact", "stage_firmware", "2.1"),
                       memory("knowledge", "The stage firmware is v2.3")));
  assert_true(disagree(fact("fact", "stage_firmware", "2.1"),
                       memory("knowledge", "The stage runs firmware 2.3")));
  assert_false(disagree(fact("fact", "stage_firmware_version", "2.3"),
                        memory("knowledge", "The stage firmware is v2.3")));
  assert_true(disagree(fact("fact", "stage_firmware_version", "2.1"),
                       fact("fact", "stage_firmware", "2.3")));
  assert_false(disagree(fact("fact", "mount", "M1"), memory("knowledge", "The mount is PEEK")));
  assert_false(disagree(fact("fact", "stage_version", "2.1"),
                        memory("knowledge", "The stage firmware is v2.3")));
  hm_str same = HM_STR("coating_material");
  assert_int_equal(hm_slot_drop_redundant_word(same).n, same.n);
  assert_int_equal(hm_slot_drop_redundant_word(HM_STR("undercoating_material")).n, 21);
}

/* One attribute under two names is one slot; what only looks like it is another. */
static void test_names_of_attributes(void **state) {
  (void)state;
  static const struct {
    const char *a, *x, *b, *y;
    bool meet;
  } rows[] = {
    { "cache_ttl", "60 s", "cache_lifetime", "5 min", true },
    { "cache_ttl", "60", "cache_lifetime", "1 min", false }, /* 60 of a ttl are seconds */
    { "cache_ttl", "60", "cache_lifetime", "300", true },
    { "cache_ttl", "60 s", "session_lifetime", "5 min", false },
    { "ttl_cache", "60 s", "lifetime_cache", "5 min", false },
    { "card_expiry", "2027-05-01", "card_lifetime", "3 years", false },
    { "token_expiry", "1 h", "token_lifetime", "2 h", true },
    { "owner", "Kim", "maintainer", "Lee", true },
    { "repo_owner", "Kim", "repo_maintainer", "Kim", false },
    { "licence_expires", "2027-01-01", "licence_expiry", "2027-03-01", true },
    { "licence_expires", "2027-01-01", "licence_expiration_date", "1 January 2027", false },
    { "cache_expires", "60 s", "cache_ttl", "5 min", true },
    { "min_replicas", "2", "minimum_replicas", "3", true },
    { "max_size", "2", "size_maximum", "3", true },
    { "max_size", "2", "min_size", "3", false },
    { "max_size", "2", "size", "3", false },
    { "kim_birth_date", "1990-05-01", "kim_birthday", "1991-05-01", true },
    { "theme_colour", "red", "theme_color", "blue", true },
  };
  for (size_t i = 0; i < HM_COUNT(rows); i++) {
    bool met = disagree(fact("fact", rows[i].a, rows[i].x), fact("fact", rows[i].b, rows[i].y));
    if (met != rows[i].meet)
      fail_msg("%s and %s", rows[i].a, rows[i].b);
  }
  assert_true(disagree(fact("fact", "session_ttl", "60 s"),
                       memory("knowledge", "The session lifetime is 5 minutes.")));
  assert_true(disagree(entity("component", "api", "{\"minimum_replicas\":2}"),
                       entity("component", "api", "{\"min_replicas\":3}")));
  /* Who has both means two things by them. */
  hm_row both = entity("component", "api", "{\"owner\":\"Kim\",\"maintainer\":\"Lee\"}");
  hm_snapshot one = help_snapshot(A, &both, 1);
  hm_claims *c = help_claims(&one, 1);
  assert_int_equal(c->n, 2);
  assert_false(hm_claims_share_slot(&c->claims[0], &c->claims[1]));
  hm_claims_free(c);
  assert_true(hm_attribute_names_are_sorted());
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_names_of_attributes),
    cmocka_unit_test(test_specification),
    cmocka_unit_test(test_ages_grow),
    cmocka_unit_test(test_a_range_of_a_text), cmocka_unit_test(test_places_of_texts),
    cmocka_unit_test(test_times_of_existence),
    cmocka_unit_test(test_one_of_several),
    cmocka_unit_test(test_a_firmware_and_its_version),
    cmocka_unit_test(test_places_that_nest), cmocka_unit_test(test_table_of_places),
    cmocka_unit_test(test_kinds_in_names), cmocka_unit_test(test_comparable),
    cmocka_unit_test(test_spellings), cmocka_unit_test(test_categories),
    cmocka_unit_test(test_scopes), cmocka_unit_test(test_polarities),
    cmocka_unit_test(test_windows),
    cmocka_unit_test(test_tolerance),     cmocka_unit_test(test_type_key),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
