/* Gaps: each reason appears and vanishes with what is missing, and none is told where it would be
 * noise. */
#include "tests/unit/core_detect_help.h"

#include "core/detect/rule.h"
#include "tests/unit/manual_help.h"

static const char *const P[] = { "", "p", "q" };
static hm_arena *a;
static int begin(void **unused) {
  (void)unused;
  a = hm_arena_new();
  return 0;
}
static int end(void **unused) {
  (void)unused;
  hm_arena_free(a);
  return 0;
}

static hm_row tie(const char *type, const char *from, const char *to) {
  static int n;
  return (hm_row){ .layer = HM_RELATION,
                   .status = HM_ACTIVE,
                   .project = 1,
                   .id = hm_str_fmt(a, "r%d", n++),
                   .type = hm_str_c(type),
                   .from = hm_str_c(from),
                   .to = hm_str_c(to) };
}
static hm_row thing(const char *id, const char *type, const char *props) {
  return help_entity(id, type, 1, id, props);
}

/* The reasons of all orphans of these rows, one after another: "person: Person of ...; ". */
static const char *gaps_by(const hm_rules *rules, const hm_row *rows, size_t n) {
  const hm_snapshot *snap = help_snapshot(a, P, 3, rows, n);
  hm_claims *claims;
  hm_disputes *d;
  hm_err err;
  hm_buf b = { 0 };
  assert_int_equal(hm_claims_read(snap, rules, 1, &claims, &err), 0);
  assert_int_equal(hm_rules_run(snap, claims, rules, HM_RUN_ALL, 1, a, &d, &err), 0);
  for (size_t i = 0; i < d->n_findings; i++) {
    const hm_finding *f = &d->findings[i];
    if (!hm_str_starts(f->rule, "gap/")) continue;
    assert_true(hm_str_is(f->kind, "orphan") && hm_str_is(f->severity, "warn"));
    assert_true(hm_str_find(f->message, ": we do not know ") > 0);
    assert_true(f->expected.n && f->n_rows == 1);
    hm_buf_fmt(&b, "%.*s: %.*s; ", HM_FMT(f->rows[0]), HM_FMT(f->reason));
  }
  hm_claims_free(claims);
  return hm_str_z(a, hm_buf_take(&b, a));
}
#define GAPS(...)                                                                                  \
  gaps_by(hm_rules_default(), (const hm_row[]){ __VA_ARGS__ },                                     \
          sizeof((const hm_row[]){ __VA_ARGS__ }) / sizeof(hm_row))
#define NO_GAPS(...) assert_string_equal(GAPS(__VA_ARGS__), "")

/* --- the specification's ------------------------------------------------------------------ */

static void each_reason_appears_and_vanishes(void **unused) {
  (void)unused;
  static const struct {
    const char *type, *says, *relation, *from, *to, *other;
  } all[] = {
    { "Person", "entity:x: Person of unknown lineage; ", "PARENT_OF", "y", "x", "Person" },
    { "Person", "entity:x: Person of unknown lineage; ", "DESCENDED_FROM", "x", "y", "Person" },
    { "Faction", "entity:x: Faction of unknown origin; ", "FOUNDED", "y", "x", "Person" },
    { "Faction", "entity:x: Faction of unknown origin; ", "FOUNDED", "x", "y", "Founding" },
    { "Location", "entity:x: Unmapped location; ", "PART_OF", "x", "y", "Region" },
    { "Item", "entity:x: Unowned artifact; ", "POSSESSES", "y", "x", "Person" },
    { "Spell", "entity:x: Spell with no magic system; ", "PART_OF_SYSTEM", "x", "y", "System" },
  };
  for (size_t i = 0; i < HM_COUNT(all); i++) {
    hm_row x = thing("x", all[i].type, "{}");
    hm_row y = thing("y", all[i].other, "{\"birth\":\"0300\"}");
    assert_string_equal(GAPS(x), all[i].says);
    NO_GAPS(x, y, tie(all[i].relation, all[i].from, all[i].to));
    hm_row not_sure = tie(all[i].relation, all[i].from, all[i].to);
    not_sure.status = HM_CANDIDATE;
    assert_string_equal(GAPS(x, y, not_sure), all[i].says);
    x.type = hm_str_fmt(a, " %s ", all[i].type);
    assert_string_equal(GAPS(x, y, tie("KNOWS", "x", "y")), all[i].says);
    for (hm_status s = HM_CANDIDATE; s <= HM_STATUS_OTHER; s++) {
      x.status = s;
      if (s != HM_ACTIVE) NO_GAPS(x);
    }
  }
}

static void an_event_has_a_place_and_an_era(void **unused) {
  (void)unused;
  hm_row x = thing("x", "Event", "{}"), y = thing("y", "Location", "{\"region\":\"north\"}");
  hm_row era = thing("z", "Era", "{}");
  assert_string_equal(GAPS(x), "entity:x: Event with no era; entity:x: Event with no location; ");
  assert_string_equal(GAPS(x, y, tie("OCCURRED_AT", "x", "y")), "entity:x: Event with no era; ");
  assert_string_equal(GAPS(x, era, tie("occurred during", "x", "entity:z")),
                      "entity:x: Event with no location; ");
  NO_GAPS(x, y, era, tie("OCCURRED_AT", "x", "y"), tie("OCCURRED_DURING", "x", "z"));
}

/* A date is an answer where nobody speaks of eras. */
static void the_date_of_an_event(void **unused) {
  (void)unused;
  hm_row x = thing("x", "Event", "{\"date\":\"1066-10-14\",\"place\":\"Hastings\"}");
  NO_GAPS(x);
  assert_string_equal(GAPS(x, thing("z", "Era", "{}")), "entity:x: Event with no era; ");
  hm_row y = thing("y", "Event", "{\"place\":\"here\"}");
  assert_string_equal(GAPS(x, y, tie("OCCURRED_DURING", "y", "z")),
                      "entity:x: Event with no era; ");
  assert_string_equal(GAPS(thing("x", "Event", "{\"date\":\"unknown\",\"place\":[\"\"]}")),
                      "entity:x: Event with no era; entity:x: Event with no location; ");
}

static void a_birth_answers(void **unused) {
  (void)unused;
  NO_GAPS(thing("x", "Person", "{\"Birth\":\"3rd_age.year_280\"}"));
  NO_GAPS(thing("x", "Person", "{\"date of birth\":1066}"));
  assert_string_equal(GAPS(thing("x", "Person", "{\"birth\":null,\"death\":\"0300\"}")),
                      "entity:x: Person of unknown lineage; ");
  NO_GAPS(thing("x", "Person", "no object")); /* row/properties tells of it */
}

static void a_place_in_a_place_in_a_region(void **unused) {
  (void)unused;
  hm_row inn = thing("a", "Location", "{}"), town = thing("b", "Location", "{}");
  hm_row north = thing("c", "Region", "{}");
  assert_string_equal(GAPS(inn, town, tie("PART_OF", "a", "b")),
                      "entity:a: Unmapped location; entity:b: Unmapped location; ");
  NO_GAPS(inn, town, north, tie("PART_OF", "a", "b"), tie("LOCATED_IN", "b", "c"));
  assert_string_equal(GAPS(inn, town, north, tie("PART_OF", "b", "a"), tie("PART_OF", "b", "c")),
                      "entity:a: Unmapped location; ");
  assert_string_equal(GAPS(inn, town, tie("PART_OF", "a", "b"), tie("PART_OF", "b", "a")),
                      "entity:a: Unmapped location; entity:b: Unmapped location; ");
  assert_string_equal(
      GAPS(inn, thing("c", "Faction", "{\"founder\":\"x\"}"), tie("PART_OF", "a", "c")),
      "entity:a: Unmapped location; ");
  NO_GAPS(inn, tie("PART_OF", "a", "a place that is not stored"));
  assert_string_equal(GAPS(inn, tie("PART_OF", "a", " ")), "entity:a: Unmapped location; ");
  assert_string_equal(GAPS(inn, tie("PART_OF", "a", "a")), "entity:a: Unmapped location; ");
}

/* --- where gaps are of use ------------------------------------------------------------------ */

static void a_contact_in_an_engineering_project_has_no_lineage(void **unused) {
  (void)unused;
  hm_row x = thing("x", "person", "{\"email\":\"kim@example.org\"}");
  NO_GAPS(x, help_memory("m", "knowledge", 1, "the mass is 3 kg"));
  NO_GAPS(x, help_state("s", "people", 1, "owner", "Kim"));
  NO_GAPS(x, thing("c", "Component", "{\"subsystem\":\"frame\"}"));
  assert_string_equal(GAPS(x, help_memory("m", "knowledge", 2, "the mass is 3 kg")),
                      "entity:x: Person of unknown lineage; ");
  assert_string_equal(GAPS(x, help_memory("m", "knowledge", 1, "Kim is tall"),
                           thing("y", "Person", "{\"birth\":\"0300\"}"),
                           tie("SPOUSE_OF", "x", "y")),
                      "entity:x: Person of unknown lineage; ");
}

static void a_calendar_makes_a_world(void **unused) {
  (void)unused;
  hm_world_text world = { HM_STR("p"), HM_EMPTY, -1, -1, -1, false };
  hm_era_text era = { HM_STR("p"), HM_STR("3rd_age"), HM_EMPTY, HM_EMPTY, HM_EMPTY, HM_EMPTY };
  hm_worlds *worlds;
  hm_world_fault fault;
  hm_rules rules = *hm_rules_default();
  assert_true(hm_worlds_new(a, &world, 1, &era, 1, &worlds, &fault));
  rules.worlds = worlds;
  hm_row rows[] = { thing("x", "Person", "{}"), help_state("s", "people", 1, "owner", "Kim") };
  assert_string_equal(gaps_by(&rules, rows, 2), "entity:x: Person of unknown lineage; ");
  rows[0].project = 2;
  rows[1].project = 2;
  assert_string_equal(gaps_by(&rules, rows, 2), "");
  rows[0].props = HM_STR("{\"world\":\"p\"}");
  assert_string_equal(gaps_by(&rules, rows, 2), "entity:x: Person of unknown lineage; ");
  hm_row event = thing("x", "Event", "{\"date\":\"3rd_age.year_345\",\"place\":\"here\"}");
  assert_string_equal(gaps_by(&rules, &event, 1), "");
}

/* --- engineering ------------------------------------------------------------------------------ */

static void gaps_of_engineering(void **unused) {
  (void)unused;
  hm_row leg = thing("x", "Component", "{\"mass\":\"3 kg\"}");
  hm_row frame = thing("y", "Subsystem", "{}"), arm = thing("z", "Component", "{}");
  NO_GAPS(leg);
  NO_GAPS(leg, frame, tie("PART_OF", "x", "y"));
  assert_string_equal(GAPS(leg, frame, arm, tie("PART_OF", "x", "y")),
                      "entity:z: Component of an unknown whole; ");
  NO_GAPS(leg, frame, thing("z", "Component", "{\"subsystem_id\":\"y\"}"),
          tie("PART_OF", "x", "y"));
  hm_row steel = thing("s", "Material", "{\"material\":\"steel\"}"), peek = steel;
  peek.id = HM_STR("t");
  NO_GAPS(steel, peek);
  assert_string_equal(GAPS(leg, steel, peek, tie("USES_MATERIAL", "x", "t")),
                      "entity:s: Material with no use; ");
  assert_string_equal(
      GAPS(thing("x", "Parameter", "{\"parameter_name\":\"speed\",\"unit\":\"m\"}")),
      "entity:x: Parameter with no value; ");
  NO_GAPS(thing("x", "Parameter", "{\"parameter_name\":\"speed\",\"nominal\":3}"));
  assert_string_equal(GAPS(thing("x", "Constraint", "{\"constraint_kind\":\"mass\"}")),
                      "entity:x: Constraint with no limit; ");
  hm_row claim = thing("y", "ValidationClaim", "{}"), bare = thing("x", "Result", "{}");
  NO_GAPS(bare, claim);
  assert_string_equal(GAPS(bare, thing("w", "Result", "{}"), claim, tie("SUPPORTS", "w", "y")),
                      "entity:x: Result of an unknown test; ");
}

/* A chain that is longer than a search goes is no gap, and takes no time. */
static void a_very_long_way_up(void **unused) {
  (void)unused;
  enum { LONG = 20000 };
  hm_row *rows = hm_alloc_array(a, 2 * LONG, sizeof *rows);
  for (int i = 0; i < LONG; i++) {
    rows[i] = thing(hm_str_fmt(a, "l%d", i).p, "Location", "{}");
    rows[LONG + i] = tie("PART_OF", rows[i].id.p, hm_str_fmt(a, "l%d", i + 1 < LONG ? i + 1 : i).p);
  }
  const char *says = gaps_by(hm_rules_default(), rows, 2 * LONG);
  assert_non_null(strstr(says, "entity:l19999: Unmapped location; "));
  assert_null(strstr(says, "entity:l0: "));
}

/* The findings of a rule over n people, of whom the first `born` have a birth. */
static size_t lineages(size_t n, size_t born, const hm_finding **first) {
  hm_row *rows = hm_alloc_array(a, n, sizeof *rows);
  for (size_t i = 0; i < n; i++) {
    const char *id = hm_str_z(a, hm_str_fmt(a, "p%02zu", i));
    rows[i] = thing(id, "Person", i < born ? "{\"birth\":\"0300\"}" : "{}");
  }
  const hm_snapshot *snap = help_snapshot(a, P, 3, rows, n);
  hm_claims *claims;
  hm_disputes *d;
  hm_err err;
  size_t found = 0;
  assert_int_equal(hm_claims_read(snap, hm_rules_default(), 1, &claims, &err), 0);
  assert_int_equal(hm_rules_run(snap, claims, hm_rules_default(), HM_RUN_ALL, 1, a, &d, &err), 0);
  for (size_t i = 0; i < d->n_findings; i++)
    if (hm_str_is(d->findings[i].rule, "gap/person-lineage") && !found++) *first = &d->findings[i];
  hm_claims_free(claims);
  return found;
}

static void a_gap_of_a_whole_type_is_one(void **unused) {
  (void)unused;
  const hm_finding *f = NULL, *more = NULL;
  assert_int_equal(lineages(19, 0, &f), 19);
  assert_int_equal(lineages(25, 1, &f), 24);
  assert_int_equal(lineages(20, 0, &f), 1);
  assert_int_equal(f->n_rows, 20);
  assert_true(hm_str_is(f->rows[0], "entity:p00"));
  assert_true(hm_str_is(f->rows[19], "entity:p19"));
  assert_true(hm_str_is(f->message, "of none of the 20 rows of type Person do we know its lineage"));
  assert_int_equal(lineages(21, 0, &more), 1);
  assert_true(hm_str_eq(f->id, more->id)); /* a person more is no other finding */
}

/* By rule and reason. */
static void each_gap_is_in_the_manual(void **unused) {
  (void)unused;
  static manual_page manual;
  const hm_rule_table *t = hm_config_rule_table(NULL);
  size_t n = 0;
  assert_true(manual_read(&manual, "gen/cli/hmirror-facts.5"));
  for (size_t i = 0; i < t->n; i++) {
    const hm_rule *r = &t->rules[i];
    if (!r->gap) continue;
    assert_true(hm_str_starts(hm_str_c(r->name), "gap/") && r->reason && r->gap->unknown);
    if (!strstr(manual.text, r->name) || !strstr(manual.text, r->reason))
      fail_msg("%s is not in hmirror-facts(5)", r->name);
    n++;
  }
  assert_true(n >= 12 && n <= 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(each_reason_appears_and_vanishes, begin, end),
    cmocka_unit_test_setup_teardown(an_event_has_a_place_and_an_era, begin, end),
    cmocka_unit_test_setup_teardown(the_date_of_an_event, begin, end),
    cmocka_unit_test_setup_teardown(a_birth_answers, begin, end),
    cmocka_unit_test_setup_teardown(a_place_in_a_place_in_a_region, begin, end),
    cmocka_unit_test_setup_teardown(a_contact_in_an_engineering_project_has_no_lineage, begin, end),
    cmocka_unit_test_setup_teardown(a_calendar_makes_a_world, begin, end),
    cmocka_unit_test_setup_teardown(gaps_of_engineering, begin, end),
    cmocka_unit_test_setup_teardown(a_very_long_way_up, begin, end),
    cmocka_unit_test_setup_teardown(a_gap_of_a_whole_type_is_one, begin, end),
    cmocka_unit_test(each_gap_is_in_the_manual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
