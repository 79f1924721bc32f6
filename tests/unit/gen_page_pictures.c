/* Pictures of a project: which edges a drawing has, what is left out, how large it may be; links and
 * their markers in entries; conflicts by time. */
#include "tests/unit/gen_page_help.h"
#include "gen/draw/draw.h"

static const hm_view_options plain = { .title = HM_STR("M") };

#define ENTITY(id, type, more)                                                                     \
  "{\"kind\":\"entity\",\"id\":\"" id "\",\"project\":\"p\",\"entity_type\":\"" type               \
  "\",\"name\":\"The " id "\"" more "}\n"
#define RELATION(id, type, from, to)                                                               \
  "{\"kind\":\"relation\",\"id\":\"" id "\",\"project\":\"p\",\"type\":\"" type "\",\"from\":\"" from \
  "\",\"to\":\"" to "\"}\n"
#define LINK(src, rel, dst)                                                                        \
  "{\"kind\":\"link\",\"src\":\"" src "\",\"dst\":\"" dst "\",\"rel\":\"" rel "\"}\n"
#define STATE(id, key, value, at)                                                                  \
  "{\"kind\":\"project_state\",\"id\":\"" id "\",\"project\":\"p\",\"category\":\"c\",\"key\":\"" key \
  "\",\"value\":\"" value "\",\"created_at\":\"" at "\"}\n"
#define UNDATED(id, value)                                                                         \
  "{\"kind\":\"project_state\",\"id\":\"" id "\",\"project\":\"p\",\"category\":\"c\","             \
  "\"key\":\"depth\",\"value\":\"" value "\"}\n"
#define TOLD(id, text, at)                                                                         \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"project\":\"p\",\"memory_type\":\"knowledge\","         \
  "\"content\":\"" text "\",\"created_at\":\"" at "\"}\n"

/* The raw file of this path; empty when there is none. */
static hm_str raw(help_site *s, const char *path) {
  for (size_t i = 0; i < s->pages->n_raws; i++) {
    hm_buf b = { 0 };
    if (!hm_str_is(s->pages->raws[i].path, path)) continue;
    s->pages->raws[i].bytes(s->view, &s->pages->raws[i], s->a, &b);
    hm_str out = hm_buf_copy(&b, s->a);
    hm_buf_free(&b);
    return out;
  }
  return HM_EMPTY;
}

static bool has_page(help_site *s, const char *path) {
  for (size_t i = 0; i < s->pages->n; i++)
    if (hm_str_is(s->pages->pages[i].path, path)) return true;
  return false;
}

#define PICTURES "projects/p/pictures/"
static const char parts[] = ENTITY("frame", "Subsystem", "") ENTITY("optics", "Subsystem", "")
    ENTITY("leg", "Component", ",\"properties\":{\"subsystem_id\":\"frame\"}")
        ENTITY("old", "Component", ",\"status\":\"superseded\",\"superseded_by\":\"leg\"")
            ENTITY("rule", "Decision", "") RELATION("r1", "AFFECTS", "rule", "frame")
                RELATION("r2", "PART_OF", "leg", "frame") RELATION("r3", "PART_OF", "old", "frame")
                    LINK("entity:rule", "refines", "entity:old");

static void edges_of_each_kind(void **state) {
  (void)state;
  help_site s = help_site_of(hm_str_c(parts), &plain);
  hm_str md = help_page(&s, PICTURES "relations.md"), svg = raw(&s, PICTURES "relations.svg");
  /* of active rows; a property that a relation says already is no edge; subsystems stand alone */
  assert_has(md, "4 rows, 2 relations.");
  assert_has(md, "| AFFECTS | [The frame]");
  assert_has(md, "| PART_OF | [The frame]");
  assert_has_not(md, "The old");
  assert_has_not(md, "| part of |");
  assert_has(svg, ">The optics</text>");
  assert_has(svg, ">PART_OF</text>");
  assert_has(svg, "4 rows, 2 relations. The list of the page says the same.");
  md = help_page(&s, PICTURES "links.md");
  assert_has(md, "| refines | [The old]");
  svg = raw(&s, PICTURES "links.svg");
  assert_has(svg, "<rect class=\"n o\"");
  md = help_page(&s, PICTURES "supersession.md");
  assert_has(md, "| [The old](../entities/component/the-old.md) | [The leg]");
  assert_has(md, "| Gave way | To |\n| --- | --- |\n");   /* nobody says why */
  md = help_page(&s, PICTURES "README.md");
  assert_has(md, "](relations.svg \"A wide drawing scrolls; ");
  assert_has(md, "](links.svg \"A wide drawing scrolls; ");
  assert_has(md, "](supersession.svg \"A wide drawing scrolls; ");
  assert_has(help_page(&s, "projects/p/README.md"), "[Pictures](pictures/README.md)");
  assert_has(help_page(&s, "projects/p/README.md"), "](pictures/relations.svg \"A wide drawing scrolls; ");
  help_site_done(&s);
}

/* An edge of two projects stands in both. */
static void edges_between_projects(void **state) {
  (void)state;
  help_site s = help_site_of(
      HM_STR(ENTITY("a", "Part", "") "{\"kind\":\"entity\",\"id\":\"b\",\"project\":\"q\",\"entity_type\":\"Part\",\"name\":\"B\"}\n"
                                     RELATION("r", "USES", "a", "b")
                                         LINK("entity:b", "refines", "entity:a")),
      &plain);
  static const char *const paths[] = { PICTURES "relations.md", "projects/q/pictures/relations.md",
                                       PICTURES "links.md", "projects/q/pictures/links.md" };
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    assert_has(help_page(&s, paths[i]), i < 2 ? "2 rows, 1 relation." : "2 rows, 1 link.");
  help_site_done(&s);
}

static void what_is_left_out_is_neither_drawn_nor_counted(void **state) {
  static const hm_str types[] = { HM_STR("decision") }, superseded[] = { HM_STR("superseded") };
  hm_view_options opt = { .title = HM_STR("M"), .exclude = { .types = types, .n_types = 1 } };
  (void)state;
  help_site s = help_site_of(hm_str_c(parts), &opt);
  assert_has(help_page(&s, PICTURES "relations.md"), "3 rows, 1 relation.");
  assert_has_not(raw(&s, PICTURES "relations.svg"), "rule");
  assert_false(has_page(&s, PICTURES "links.md"));
  assert_int_equal(raw(&s, PICTURES "links.svg").n, 0);
  assert_has_not(help_page(&s, "projects/p/entities/component.md"), "Linked");
  help_site_done(&s);
  opt.exclude = (hm_exclude){ .statuses = superseded, .n_statuses = 1 };
  s = help_site_of(hm_str_c(parts), &opt);
  assert_false(has_page(&s, PICTURES "links.md"));
  assert_false(has_page(&s, PICTURES "supersession.md"));
  help_site_done(&s);
}

/* Over the bounds the list stands alone, and has the first of them. */
static void what_is_too_large_is_a_list(void **state) {
  hm_buf b = { 0 };
  (void)state;
  for (int i = 0; i <= HM_GRAPH_NODES_MAX; i++)
    hm_buf_fmt(&b, ENTITY("e%d", "Part", ""), i, i);
  for (int i = 0; i < HM_GRAPH_NODES_MAX; i++)
    hm_buf_fmt(&b, RELATION("r%d", "USES", "e%d", "e%d"), i, i, i + 1);
  for (int i = 0; i <= HM_GRAPH_EDGES_MAX; i++)
    hm_buf_fmt(&b, LINK("entity:e%d", "x%d", "entity:e%d"), i % 20, 30 + i % 31, i);
  help_site s = help_site_of(hm_buf_view(&b), &plain);
  hm_str md = help_page(&s, PICTURES "relations.md");
  assert_has(md, "151 rows, 150 relations: too many for a drawing.");
  assert_has(md, "| [The e149]");
  assert_has_not(md, ".svg");
  assert_int_equal(raw(&s, PICTURES "relations.svg").n, 0);
  md = help_page(&s, PICTURES "links.md");
  assert_has(md, "251 links: too many for a drawing.");
  assert_has(md, "Not listed: 1 more.");
  assert_has_not(help_page(&s, PICTURES "README.md"), "relations.svg");
  help_site_done(&s);
  hm_buf_free(&b);
}

/* An entry says what links to it, by which name, and whether that is in dispute. */
static void links_from_other_rows_stand_in_entries(void **state) {
  (void)state;
  help_site s = help_site_of(
      HM_STR(TOLD("m1", "Oven gain is 2.", "2026-01-02") STATE("s1", "oven_gain", "3", "2026-02-02")
                 ENTITY("n", "Note", "") LINK("memory:m1", "refines", "entity:n")
                     LINK("entity:n", "supports", "project_state:s1")),
      &plain);
  assert_int_equal(s.view->n_conflicts, 1);
  hm_str note = help_page(&s, "projects/p/entities/note.md"),
         told = help_page(&s, "projects/p/memories/2026.md");
  assert_has(note, "- Linked from (refines): [Oven gain is 2.](../memories/2026.md#memory-m1) "
                   "— disputed\n");
  assert_has(note, "- Linked to (supports): [oven_gain](../state.md#state-s1) — disputed\n");
  assert_has(told, "- Linked to (refines): [The n](../entities/note.md#entity-n)\n");
  hm_str svg = raw(&s, PICTURES "links.svg");
  assert_has(svg, "<rect class=\"n d\"");
  assert_has(help_page(&s, PICTURES "links.md"), ") [⚠ disputed](../../../conflicts/c");
  help_site_done(&s);
}

/* By facts alone: since both sides stood, until the verdict; what has no time is counted apart. */
static void disputes_by_time(void **state) {
  (void)state;
  static const char lines[] = TOLD("m1", "Oven gain is 2.", "2025-11-02")
      STATE("s1", "oven_gain", "3", "2026-02-02") STATE("s2", "width", "3", "2026-01-02")
          STATE("s3", "width", "4", "2026-04-02") UNDATED("s4", "3") UNDATED("s5", "4");
  help_site s = help_site_of(hm_str_c(lines), &plain);
  assert_int_equal(s.view->n_conflicts, 3);
  hm_str md = help_page(&s, "pictures/README.md");
  assert_has(md, "| Feb 2026 | 1: curated state 1 |\n| Mar 2026 | 1: curated state 1 |\n"
                 "| Apr 2026 | 2: curated state 2 |\n\nNot counted, since nobody says when: 1.");
  assert_has(md, "| Feb 2026 | 1: curated state 1 |\n| Apr 2026 | 1: curated state 1 |\n");
  assert_has(raw(&s, "pictures/stood.svg"), "Mar 2026<tspan");
  assert_has_not(raw(&s, "pictures/open.svg"), "Mar 2026<tspan");
  assert_has(help_page(&s, "README.md"), "[Disputes over time](pictures/README.md)");
  assert_has(help_page(&s, "conflicts/README.md"), "[Disputes over time](../pictures/README.md)");
  assert_has(help_page(&s, PICTURES "README.md"), "](open.svg \"92 pixels high\")");
  help_site_done(&s);
  s = help_site_of(HM_STR(ENTITY("a", "Part", "")), &plain);
  assert_false(has_page(&s, "pictures/README.md"));
  assert_false(has_page(&s, PICTURES "README.md"));
  assert_has_not(help_page(&s, "README.md"), "pictures");
  help_site_done(&s);
}

/* Over two years, years stand for months; the first row has all that is older. */
static void long_times_are_years(void **state) {
  (void)state;
  help_site s = help_site_of(
      HM_STR(STATE("s1", "a", "1", "2022-11-02") STATE("s2", "a", "2", "2022-11-02")
                 STATE("s3", "b", "1", "2025-01-01") STATE("s4", "b", "2", "2025-01-01")),
      &plain);
  hm_str md = help_page(&s, "pictures/README.md");
  assert_has(md, "| 2022 | 1: curated state 1 |\n| 2025 | 1: curated state 1 |\n");
  assert_has(md, "| 2022 to 2024 | 1: curated state 1 |\n");
  assert_has(md, "| 2025 | 2: curated state 2 |\n");
  help_site_done(&s);
  s = help_site_of(HM_STR(STATE("s1", "a", "1", "1066-11-02") STATE("s2", "a", "2", "1066-11-02")
                              STATE("s3", "b", "1", "2025-01-01") STATE("s4", "b", "2", "2025-01-01")),
                   &plain);
  md = help_page(&s, "pictures/README.md");
  assert_has(md, "| until 2024 | 1: curated state 1 |\n| 2025 |");
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(edges_of_each_kind),
    cmocka_unit_test(edges_between_projects),
    cmocka_unit_test(what_is_left_out_is_neither_drawn_nor_counted),
    cmocka_unit_test(what_is_too_large_is_a_list),
    cmocka_unit_test(links_from_other_rows_stand_in_entries),
    cmocka_unit_test(disputes_by_time),
    cmocka_unit_test(long_times_are_years),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
