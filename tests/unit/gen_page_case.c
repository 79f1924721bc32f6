/* The page of a conflict as a case: title, lead, cards, what differs, and dates for people. */
#include "tests/unit/gen_page_help.h"
#include "gen/page/model.h"

#define STATE(id, day, key, value, more)                                                           \
  "{\"kind\":\"project_state\",\"id\":\"" id "\",\"project\":\"p\",\"key\":\"" key                 \
  "\",\"value\":\"" value "\",\"created_at\":\"2026-" day "\"" more "}\n"
#define MEMORY(id, day, text, more)                                                                \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"project\":\"p\",\"memory_type\":\"knowledge\","        \
  "\"created_at\":\"2026-" day "\",\"content\":\"" text "\"" more "}\n"
#define ENTITY(id, type, day, name, props, more)                                                   \
  "{\"kind\":\"entity\",\"id\":\"" id "\",\"entity_type\":\"" type "\",\"project\":\"p\","         \
  "\"created_at\":\"2026-" day "\",\"name\":\"" name "\",\"properties\":{" props "}" more "}\n"
#define DECISION(id, day, value, more)                                                             \
  ENTITY(id, "Decision", day, "Support",                                                           \
         "\"decision_target\":\"Lateral support\",\"decision_field\":\"material\",\"value\":\""    \
         value "\"" more, "")
#define SOURCE(s) ",\"source\":\"" s "\""
#define HIDE ",\"tags\":[\"private\"]"

static hm_str page_of(help_site *s) {
  assert_int_equal(s->view->n_conflicts, 1);
  return help_page(s, hm_str_z(s->a, s->view->conflicts[0].path));
}

/* The only conflict of these facts has all of that on its page. */
static void has(const char *lines, const char *const *parts, size_t n) {
  help_site s = help_site_excluding(lines, false);
  hm_str md = page_of(&s);
  for (size_t i = 0; i < n; i++) assert_has(md, parts[i]);
  help_site_done(&s);
}
#define HAS(lines, ...) has(lines, (const char *const[]){ __VA_ARGS__ },                           \
      sizeof (const char *const[]){ __VA_ARGS__ } / sizeof(char *))

#define DAY(iso, words) "<time datetime=\"" iso "\">" words "</time>"

#define TEN(x) x x x x x x x x x x
#define LONG(x) TEN(TEN(x)) TEN(TEN(x)) "e"

/* A long value is text, not the title of its card. */
static void a_long_value_is_no_title(void **state) {
  (void)state;
  HAS(STATE("s1", "04-02", "k", "4 mm", "") STATE("s2", "04-03", "k", LONG("x"), ""),
      "\n- **4 mm**\n", "\n- " LONG("x") "\n");
}

static void the_lead_says_who_says_what_since_when(void **state) {
  (void)state;
  HAS(STATE("s1", "04-02", "lateral_support_material", "GF-PTFE", SOURCE("design review 3"))
          DECISION("d1", "04-02T15:00:00Z", "PEEK", ",\"rationale\":\"Creeps less.\"")
              DECISION("d2", "03-28", "GF-PTFE", "")
                  MEMORY("m1", "03-20", "lateral support material is PTFE",
                         ",\"source_refs\":[\"chat 118\"],\"agent\":\"claude\",\"confidence\":0.6"),
      "# Lateral support: material\n",
      "The curated state (design review 3, " DAY("2026-04-02", "2 Apr 2026") ") says **GF-PTFE**; a "
      "recorded decision agrees. Another recorded decision (" DAY("2026-04-02T15:00:00Z",
      "2 Apr 2026 15:00") ") says **PEEK**, an agent's memory (chat 118, " DAY("2026-03-20",
      "20 Mar 2026") ") says **PTFE**.\n",
      "- **PEEK**\n  - Recorded decision: [Support (d1)](", "    - Reason: Creeps less.\n",
      "    - Source: chat 118, noted by claude\n    - Recorded: " DAY("2026-03-20", "20 Mar 2026")
      "\n    - Confidence: 0.6\n",
      "If **PEEK** stands:\n\n```\nhmirror conflicts resolve ");
}

static void rows_that_say_the_same_share_a_card(void **state) {
  (void)state;
  HAS(STATE("s1", "01-01", "exposure", "30 s", "") STATE("s2", "01-02", "exposure", "30000 ms", "")
          STATE("s3", "01-03", "exposure", "31 s", "") STATE("s4", "01-04", "exposure", "30 s", ""),
      "# Exposure\n",
      "If **31 s** stands:\n\n```\nhmirror conflicts resolve ",
      " says **30 s**; another row of the curated state and 1 more row agree. Another row of the "
      "curated state (" DAY("2026-01-03", "3 Jan 2026") ") says **31 s**.\n",
      ", as “30000 ms”", "## What differs\n\n- 31 s: **+1 s (3.3 %)** against 30 s\n");
}

static void many_values_are_counted(void **state) {
  (void)state;
  HAS(STATE("s1", "01-01", "k", "a", "") STATE("s2", "01-02", "k", "b", "")
          STATE("s3", "01-03", "k", "c", "") STATE("s4", "01-04", "k", "d", "")
              STATE("s5", "01-05", "k", "e", "") STATE("s6", "01-06", "k", "f", ""),
      " says **d**, and there are 2 more values.\n", "- **f**\n");
}

static void windows_are_told_and_drawn(void **state) {
  (void)state;
  HAS(STATE("s1", "01-01", "lead", "kim", ",\"valid_from\":\"2026-01\"")
          STATE("s2", "06-02", "lead", "lee",
                ",\"valid_from\":\"2026-02-03\",\"valid_until\":\"2026-05\""),
      "The curated state (since " DAY("2026-01", "Jan 2026") ") says **kim**. Another row of the "
      "curated state (" DAY("2026-02-03", "3 Feb 2026") " to " DAY("2026-05", "May 2026")
      ") says **lee**.\n",
      "    - Holds: since " DAY("2026-01", "Jan 2026") "\n", "![Timeline of the claims](");
}

static void nothing_empty_is_shown(void **state) {
  static const char *const parts[] = { "## What differs", "## When",       "## What else",
                                       "## Other",        "Confidence",    "Reason",
                                       "None recorded",   "## The story",  "Source:" };
  (void)state;
  help_site s = help_site_excluding(
      STATE("s1", "01-01", "k", "a", "") STATE("s2", "01-02", "k", "b", ""), false);
  hm_str md = page_of(&s);
  for (size_t i = 0; i < HM_COUNT(parts); i++) assert_has_not(md, parts[i]);
  help_site_done(&s);
}

static void a_withheld_side_is_counted_and_no_more(void **state) {
  (void)state;
  help_site s = help_site_excluding(STATE("s1", "01-01", "colour", "red", "")
                            MEMORY("m1", "01-02", "colour is bbbb", HIDE)
                                STATE("m2", "01-03", "colour", "blue", ""), true);
  hm_str md = page_of(&s);
  assert_has(md, " says **red**. 1 claim withheld.\n");
  assert_has_not(help_everything(&s), "bbbb");
  help_site_done(&s);
}

static void titles_are_words(void **state) {
  (void)state;
  HAS(ENTITY("c1", "Component", "01-01", "Leg", "\"subsystem\":\"Frame\",\"mass\":\"4.8 kg\"", "")
          ENTITY("c2", "Component", "01-02", "Leg", "\"subsystem\":\"Frame\",\"mass\":\"4.82 kg\"", ""),
      "# Frame Leg: mass\n", "- 4.82 kg: **+0.02 kg (0.4 %)** against 4.8 kg\n");
  HAS(ENTITY("g1", "Gadget", "01-01", "Lamp", "\"colour\":\"red\"", "")
          STATE("s2", "01-02", "gadget_lamp_colour", "blue", ""),
      "A recorded Gadget (");
}

static void titles_write_abbreviations_in_capitals(void **state) {
  (void)state;
  static const struct { const char *key, *title; } table[] = {
    { "api_style", "# API style\n" },
    { "default http_port", "# Default HTTP port\n" },
    { "id", "# ID\n" },
    { "apiary", "# Apiary\n" },
    { "ram", "# Ram\n" },
    { "log csv", "# Log CSV\n" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(table); i++) {
    const char *line = "{\"kind\":\"project_state\",\"id\":\"s%d\",\"project\":\"p\","
                       "\"key\":\"%s\",\"value\":\"%s\"}\n";
    hm_str lines = HM_CAT(a, hm_str_fmt(a, line, 1, table[i].key, "red"),
                          hm_str_fmt(a, line, 2, table[i].key, "blue"));
    HAS(hm_str_z(a, lines), table[i].title);
  }
  HAS(ENTITY("c1", "Component", "01-01", "Ui", "\"subsystem\":\"Frame\",\"mass\":\"4 kg\"", "")
          ENTITY("c2", "Component", "01-02", "Ui", "\"subsystem\":\"Frame\",\"mass\":\"5 kg\"", ""),
      "# Frame Ui: mass\n");
  hm_arena_free(a);
}

static void facts_cannot_act(void **state) {
  (void)state;
  HAS(STATE("s1", "01-01", "k", "*x* <b>", SOURCE("<!-- end case --> | **y**"))
          STATE("s2", "01-02", "k", "[a](b)", ""),
      "says **\\*x\\* &lt;b&gt;**", "&lt;!-- end case --&gt; \\| \\*\\*y\\*\\*");
}

static void dates_are_for_people(void **state) {
  static const struct { const char *text, *exact, *words; } table[] = {
    { "2026-04-02T09:00:00Z", "2026-04-02T09:00:00Z", "2 Apr 2026" },
    { "2026-04-02 23:30:00+02:00", "2026-04-02T21:30:00Z", "2 Apr 2026" },
    { "2026-04-02T09:00:00.123456Z", "2026-04-02T09:00:00Z", "2 Apr 2026" },
    { "2026-12-31", "2026-12-31", "31 Dec 2026" },
    { "2026-04", "2026-04", "Apr 2026" },
    { "2026", "", "2026" },
    { "2026-02-30", "", "2026-02-30" },
    { "0000-01-01", "", "0000-01-01" },
    { "3rd_age.year_300", "", "3rd_age.year_300" },
    { "yesterday", "", "yesterday" },
  };
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(table); i++) {
    hm_model m = { .a = a };
    hm_node *o = hm_node_new_obj(a);
    hm_model_set_date(&m, o, "d", hm_str_c(table[i].text));
    hm_str exact = hm_node_str(hm_node_at(hm_node_at(o, "d"), "exact"));
    hm_str words = hm_node_str(hm_node_at(hm_node_at(o, "d"), "words"));
    if (!hm_str_is(exact, table[i].exact) || !hm_str_is(words, table[i].words))
      fail_msg("%s: \"%.*s\", \"%.*s\"", table[i].text, HM_FMT(exact), HM_FMT(words));
  }
  assert_true(hm_str_is(hm_format_count_phrase(a, 1, "claim", "claims"), "1 claim"));
  assert_true(hm_str_is(hm_format_count_phrase(a, 0, "claim", "claims"), "0 claims"));
  assert_true(hm_str_is(hm_format_count_phrase(a, 1234567, "claim", "claims"), "1,234,567 claims"));
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_long_value_is_no_title),
    cmocka_unit_test(the_lead_says_who_says_what_since_when),
    cmocka_unit_test(rows_that_say_the_same_share_a_card),
    cmocka_unit_test(many_values_are_counted),
    cmocka_unit_test(windows_are_told_and_drawn),
    cmocka_unit_test(nothing_empty_is_shown),
    cmocka_unit_test(a_withheld_side_is_counted_and_no_more),
    cmocka_unit_test(titles_are_words),
    cmocka_unit_test(titles_write_abbreviations_in_capitals),
    cmocka_unit_test(facts_cannot_act),
    cmocka_unit_test(dates_are_for_people)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
