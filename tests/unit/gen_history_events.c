/* From two states of the mirror to what happened between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/history/event.h"

static hm_arena *a;

static int begin(void **state) {
  (void)state;
  a = hm_arena_new();
  return 0;
}

static int end(void **state) {
  (void)state;
  hm_arena_free(a);
  return 0;
}

/* Subject and words of all events, a line each. */
static const char *lines(hm_events *l) {
  hm_buf b = { 0 };
  hm_events_sort(l);
  for (size_t i = 0; i < l->n; i++) {
    hm_buf_str(&b, hm_event_subject(&l->v[i], a));
    hm_buf_c(&b, ": ");
    hm_buf_str(&b, hm_event_format_text(&l->v[i], a));
    hm_buf_ch(&b, '\n');
  }
  hm_events_free(l);
  const char *z = hm_str_z(a, hm_buf_view(&b));
  hm_buf_free(&b);
  return z;
}

/* --- conflicts ------------------------------------------------------------------ */

#define M(kind, id, value)                                                                         \
  "{\"member_kind\":\"" kind "\",\"member_id\":\"" id "\",\"field\":\"value\",\"value\":\"" value  \
  "\"}"
#define S1 M("project_state", "s1", "GF-PTFE")
#define E1 M("entity", "e1", "PEEK")
#define E2 M("entity", "e2", "PTFE")
#define C(id, status, disputed, verdict, members)                                                  \
  "{\"id\":\"" id "\",\"status\":\"" status "\",\"disputed\":" disputed "," verdict                \
  ",\"slot_key\":[\"p05\",\"material\"],\"project\":\"p05\",\"members\":[" members "]}"
#define NO "\"resolution\":\"\",\"action\":null,\"winner\":null,\"resolved_by\":null"
#define OPEN C("c1", "open", "true", NO, S1 "," E1)
#define QUIET C("c1", "open", "false", NO, S1 "," E1)
#define WON                                                                                        \
  C("c1", "resolved", "false",                                                                     \
    "\"resolved_at\":\"2026-06-01\",\"resolution\":\"Tested.\",\"action\":\"supersede_others\","   \
    "\"winner\":\"project_state:s1\",\"resolved_by\":\"kim\"",                                     \
    S1 "," E1)
#define AWAY                                                                                       \
  C("c1", "dismissed", "false",                                                                    \
    "\"resolution\":\"Two parts.\",\"action\":null,\"winner\":null,\"resolved_by\":null",          \
    S1 "," E1)
#define LIST(x) "{\"conflicts\":[\n" x "\n],\"count\":1}\n"

static const char *between(const char *before, const char *after) {
  hm_events l = { 0 };
  hm_collect_conflict_events(hm_str_c(before), hm_str_c(after), a, &l);
  return lines(&l);
}

static void conflicts(void **state) {
  (void)state;
  static const struct { const char *before, *after, *words;
  } cases[] = {
    { "", LIST(OPEN), "became disputed (c1): GF-PTFE | PEEK" },
    { LIST(""), LIST(OPEN), "became disputed (c1): GF-PTFE | PEEK" },
    { LIST(OPEN), LIST(QUIET), "no longer disputed, awaits sign-off (c1): GF-PTFE | PEEK" },
    { "", LIST(QUIET), "no longer disputed, awaits sign-off (c1): GF-PTFE | PEEK" },
    { LIST(QUIET), LIST(OPEN), "disputed again (c1): GF-PTFE | PEEK" },
    { LIST(OPEN), LIST(C("c1", "open", "true", NO, S1 "," E1 "," E2)),
      "still disputed (c1), joined by entity:e2: GF-PTFE | PEEK | PTFE" },
    { LIST(OPEN), LIST(C("c1", "open", "true", NO, S1 "," E2)),
      "still disputed (c1), joined by entity:e2 and left by entity:e1: GF-PTFE | PTFE" },
    { LIST(OPEN), LIST(C("c1", "open", "true", NO, S1 "," M("entity", "e1", "PTFE"))),
      "still disputed (c1): GF-PTFE | PTFE" },
    { LIST(OPEN), LIST(WON),
      "settled (c1): GF-PTFE stands (project_state:s1), the others are superseded, by kim on 2026-06-01: Tested." },
    { LIST(OPEN), LIST(AWAY), "dismissed (c1): Two parts." },
    { LIST(WON), LIST(OPEN), "reopened (c1): GF-PTFE | PEEK" },
    { LIST(WON), LIST(AWAY), "dismissed (c1): Two parts." },
    { LIST(OPEN), LIST(""), "the conflict left the mirror (c1)" },
    { LIST(OPEN), LIST(C("c1", "open", "true", NO, S1)),
      "still disputed (c1), left by entity:e1: GF-PTFE" }
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(between(cases[i].before, cases[i].after),
                        hm_str_fmt(a, "p05 / material: %s\n", cases[i].words).p);
}

static void what_says_nothing_new(void **state) {
  (void)state;
  assert_string_equal(between(LIST(OPEN), LIST(OPEN)), "");
  /* a flag, a source: nobody joined and nothing else is said */
  assert_string_equal(
      between(LIST(OPEN), LIST(C("c1", "open", "true", NO ",\"since\":\"2026\"", S1 "," E1))), "");
  assert_string_equal(
      between(LIST(WON),
              LIST(C("c1", "resolved", "false",
                     "\"resolution\":\"Tested.\",\"winner\":\"project_state:s1\"", S1))),
      "");
  assert_string_equal(between("no JSON at all\n{\"id\":broken}\n", ""), "");
  assert_string_equal(between("", LIST("{\"id\":\"c1\"}")), "");
}

static void settled_before_it_was_published(void **state) {
  (void)state;
  assert_string_equal(
      between("", LIST(AWAY)),
      "p05 / material: became disputed (c1): GF-PTFE | PEEK\np05 / material: dismissed (c1): Two parts.\n");
}

static void withheld_names_and_members(void **state) {
  (void)state;
  static const char one[] = LIST(
      "{\"id\":\"c2\",\"status\":\"open\",\"disputed\":true,\"slot_key\":[\"p05\",null],\"project\":\"p05\",\"members\":[" S1
      "],\"withheld\":12}");
  assert_string_equal(between("", one),
                      "p05 / (name withheld): became disputed (c2): GF-PTFE, 12 withheld\n");
}

/* --- rows ----------------------------------------------------------------------- */

static hm_str same_folder(void *ctx, hm_str folder) {
  (void)ctx;
  return folder;
}

static hm_fact *fact(const char *line) {
  if (!line) return NULL;
  hm_fact *f = hm_alloc(a, sizeof *f);
  if (!hm_fact_parse_line(hm_str_c(line), HM_STR("p05"), a, f)) fail_msg("no row: %s", line);
  return f;
}

static const char *rows(const char *before, const char *after) {
  hm_fact_pair p = { fact(before), fact(after) };
  hm_folders folders = { same_folder, NULL };
  hm_events l = { 0 };
  hm_err err = { 0 };
  assert_int_equal(hm_collect_fact_events(&p, 1, &folders, hm_rules_default(), a, &l, &err), 0);
  return lines(&l);
}

#define STATE(value, rest)                                                                         \
  "{\"kind\":\"project_state\",\"id\":\"s1\",\"category\":\"optics\",\"key\":\"clear aperture\","  \
  "\"value\":\"" value "\",\"status\":" rest "}"
#define ACTIVE(source) "\"active\",\"sources\":[" source "]"
#define PAST(status)                                                                               \
  "\"" status                                                                                      \
  "\",\"sources\":[\"spec\"],\"superseded_by\":[{\"row\":\"project_state:s2\",\"why\":\"new\"}]"
#define MARKED ",\"conflicts\":[{\"id\":\"c1\",\"disputed\":true,\"field\":\"value\"}]"
#define P(name, value) "{\"name\":\"" name "\",\"value\":\"" value "\"}"
#define ENTITY(props)                                                                                 \
  "{\"kind\":\"entity\",\"id\":\"e1\",\"type\":\"Decision\",\"name\":\"Support\",\"properties\":[" P( \
      "decision_target", "support") "," P("decision_field", "material") props                         \
      "],\"status\":\"active\"}"
#define MEMORY(text)                                                                               \
  "{\"kind\":\"memory\",\"id\":\"m1\",\"type\":\"knowledge\",\"content\":\"" text                  \
  "\",\"status\":\"active\","                                                                      \
  "\"created_at\":\"2026-03-20T10:00:00Z\"}"

static void states(void **state) {
  (void)state;
  static const char spec[] = STATE("300 mm", ACTIVE("\"spec\""));
  assert_string_equal(rows(NULL, spec),
                      "p05 / clear_aperture: appeared: 300 mm (project_state:s1)\n");
  assert_string_equal(rows(spec, NULL),
                      "p05 / clear_aperture: left the mirror: was 300 mm (project_state:s1)\n");
  assert_string_equal(rows(spec, STATE("310 mm", ACTIVE("\"spec\"") MARKED)),
                      "p05 / clear_aperture: changed: 300 mm -> 310 mm (project_state:s1)\n");
  assert_string_equal(rows(spec, STATE("300 mm", ACTIVE("\"spec\"") MARKED)), "");
  assert_string_equal(rows(spec, STATE("300 mm", ACTIVE("\"spec 2\""))),
                      "p05 / project_state:s1 (clear aperture): source changed: spec -> spec 2\n");
  assert_string_equal(
      rows(spec, STATE("300 mm", ACTIVE("\"spec\",\"test\""))),
      "p05 / project_state:s1 (clear aperture): source changed: spec -> spec; test\n");
  assert_string_equal(
      rows(spec, STATE("300 mm", PAST("superseded"))),
      "p05 / clear_aperture: superseded by project_state:s2: 300 mm (project_state:s1)\n");
  assert_string_equal(rows(STATE("300 mm", PAST("superseded")), spec),
                      "p05 / clear_aperture: active again: 300 mm (project_state:s1)\n");
  assert_string_equal(rows(NULL, STATE("300 mm", PAST("invalid"))),
                      "p05 / clear_aperture: appeared as invalid: 300 mm (project_state:s1)\n");
}

static void entities(void **state) {
  (void)state;
  static const char peek[] = ENTITY("," P("value", "PEEK"));
  assert_string_equal(rows(NULL, peek), "p05 / support_material: appeared: PEEK (entity:e1)\n");
  assert_string_equal(rows(peek, ENTITY("," P("value", "PEEK") "," P("rationale", "creep"))),
                      "p05 / entity:e1 (Support): rationale added: creep\n");
  assert_string_equal(rows(ENTITY("," P("rationale", "creep") "," P("value", "PEEK")),
                           ENTITY("," P("value", "PEEK") "," P("rationale", ""))),
                      "p05 / entity:e1 (Support): rationale removed: was creep\n");
  /* the end of a long value stands elsewhere */
  assert_string_equal(
      rows(ENTITY(",{\"name\":\"rationale\",\"value\":\"long…\",\"value_whole\":\"data/a.txt\"}"),
           ENTITY(",{\"name\":\"rationale\",\"value\":\"long…\",\"value_whole\":\"data/b.txt\"}")),
      "p05 / entity:e1 (Support): rationale changed: long… -> long…\n");
}

static void memories(void **state) {
  (void)state;
  assert_string_equal(rows(NULL, MEMORY("the support material is PTFE")),
                      "p05 / support_material: appeared: PTFE (memory:m1)\n");
  assert_string_equal(
      rows(MEMORY("the support material is PTFE"), MEMORY("the pad material is PTFE")),
      "p05 / pad_material: appeared: PTFE (memory:m1)\np05 / support_material: no longer said: was PTFE (memory:m1)\n");
  assert_string_equal(
      rows(MEMORY("the support material is PTFE"), MEMORY("the support material = PTFE")),
      "p05 / memory:m1: content changed: the support material is PTFE -> the support material = PTFE\n");
  assert_string_equal(
      rows(NULL, MEMORY("The night was cold and the fringes wandered about.")),
      "p05 / memory:m1: appeared: The night was cold and the fringes wandered about.\n");
}

#define RELATION(type)                                                                             \
  "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"" type "\",\"from\":\"entity:e5\","                 \
  "\"from_name\":\"Leg\",\"to\":\"Frame\",\"status\":\"active\"}"

/* Under their slot where they claim something. */
static void relations(void **state) {
  (void)state;
  assert_string_equal(rows(NULL, RELATION("USES_MATERIAL")),
                      "p05 / USES_MATERIAL: e5: appeared: Leg USES_MATERIAL Frame (relation:r1)\n");
  assert_string_equal(rows(NULL, RELATION("AFFECTS")),
                      "p05 / relation:r1: appeared: Leg AFFECTS Frame\n");
}

/* A fact cannot write a line of its own. */
static void words_are_one_line(void **state) {
  (void)state;
  hm_events l = { 0 };
  hm_event *e = hm_event_add(&l, HM_EV_APPEARED);
  e->row = HM_STR("memory:m\n1");
  e->after = HM_STR("a\nb\x1b[31m\u202e");
  assert_string_equal(lines(&l), "global / memory:m 1: appeared: a b⟦U+001B⟧[31m⟦U+202E⟧\n");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
  const struct CMUnitTest tests[] = {
    T(conflicts),
    T(what_says_nothing_new),
    T(settled_before_it_was_published),
    T(withheld_names_and_members),
    T(states),
    T(entities),
    T(memories),
    T(relations),
    T(words_are_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
