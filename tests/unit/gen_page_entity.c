/* Pages of entities: who has one, what it shows, where rows lead, and how far a hub goes. */
#include "tests/unit/gen_page_help.h"

#define ENTITY(id, type, name, more)                                                               \
  "{\"kind\":\"entity\",\"id\":\"" id "\",\"project\":\"p\",\"entity_type\":\"" type               \
  "\",\"name\":\"" name "\"" more "}\n"
#define RELATION(id, type, from, to, more)                                                         \
  "{\"kind\":\"relation\",\"id\":\"" id "\",\"project\":\"p\",\"type\":\"" type                    \
  "\",\"from\":\"" from "\",\"to\":\"" to "\"" more "}\n"
#define FROM(time) ",\"valid_from\":\"" time "\""
#define UNTIL(from, until) FROM(from) ",\"valid_until\":\"" until "\""

static const hm_view_options plain = { .title = HM_STR("M"), .list_limit = 500 };

static const char realm[] =
    ENTITY("a", "Person", "Aldric", ",\"properties\":{\"eye_color\":\"grey\"}")
        ENTITY("b", "Person", "Brenna", "") ENTITY("k", "Location", "Keep", "")
            ENTITY("alone", "Person", "Alone", "") ENTITY("s", "Subsystem", "Drive", "")
                RELATION("r1", "RULES", "a", "k", UNTIL("1300", "1340"))
                    RELATION("r2", "RULES", "b", "k", UNTIL("1330", "1350"))
                        RELATION("r3", "PART_OF", "k", "s", "")
                            RELATION("r4", "KNOWS", "a", "stranger", "");

static bool has_page(const help_site *s, const char *path) {
  for (size_t i = 0; i < s->pages->n; i++)
    if (hm_str_is(s->pages->pages[i].path, path)) return true;
  return false;
}

static void what_has_relations_has_a_page(void **state) {
  (void)state;
  help_site s = help_site_of(hm_str_c(realm), &plain);
  assert_int_equal(s.view->n_entities, 3);
  assert_false(has_page(&s, "projects/p/entities/person/alone.md"));
  assert_false(has_page(&s, "projects/p/entities/subsystem/drive.md"));
  hm_str md = help_page(&s, "projects/p/entities/location/keep.md");
  assert_has(
      md,
      "# Keep\n\n[Location](../location.md#entity-k). \n\n## Disputed\n\nWhat to do: open one and say which value "
      "stands, or that it is no contradiction.\n\n| Conflict | Who says what | Since |\n| --- | --- | --- |\n"
      "| [Keep: ruled by](../../../../conflicts/c");
  assert_has(md, "- **disputed:** Keep: ruled by [⚠ disputed](../../../../conflicts/c");
  assert_has(md, "### PART_OF →\n\n| To |");
  assert_has(md, "### ← RULES\n\n| From |");
  /* by time, each with its marker and the way to its row */
  ptrdiff_t first = hm_str_find(md, "| [Aldric](../person/aldric.md) [⚠ disputed](");
  ptrdiff_t second = hm_str_find(md, "| [Brenna](../person/brenna.md) [⚠ disputed](");
  assert_true(first > 0 && second > first);
  assert_has(md, "| 1300 to 1340 | [r1](../../relations.md#relation-r1) |");
  /* no column and no section without an entry; what is recorded comes first */
  assert_has(md, "### PART_OF →\n\n| To | Relation |\n");
  assert_has(md, "### ← RULES\n\n| From | When | Relation |\n");
  assert_has_not(md, "## Findings");
  assert_true(hm_str_find(md, "## What is recorded") < hm_str_find(md, "## Relations"));
  md = help_page(&s, "projects/p/entities/person/aldric.md");
  assert_has(md, "**eye color:** grey");
  assert_has(md, "| stranger |");
  assert_has(md, "to names stranger");
  /* rows elsewhere lead to it, and the list keeps its permalink */
  assert_has(help_page(&s, "projects/p/relations.md"),
             "[Aldric](entities/person/aldric.md) → RULES");
  assert_has(help_page(&s, "projects/p/entities/person.md"),
             "### <a id=\"entity-a\"></a>[Aldric](person/aldric.md)");
  assert_has(help_page(&s, "projects/p/entities/person.md"),
             "### <a id=\"entity-alone\"></a>Alone\n");
  help_site_done(&s);
}

/* Names that fold to one, names that are paths, and one that is a marker. */
static void hostile_names_are_slugs(void **state) {
  static const char lines[] =
      ENTITY("a", "../Type", "../../../etc/passwd", "") ENTITY("b", "../Type", "X", "")
          ENTITY("c", "../Type", "x", "") ENTITY("d", "../Type", "readme", "")
              RELATION("r", "</td> | RULES", "a", "b", "") RELATION("r2", "RULES", "c", "d", "");
  (void)state;
  help_site s = help_site_of(hm_str_c(lines), &plain);
  assert_int_equal(s.view->n_entities, 4);
  for (uint32_t i = 0; i < 4; i++) {
    hm_str path = s.view->entities[i].path;
    assert_true(hm_str_starts(path, "projects/p/entities/"));
    assert_true(hm_str_find(path, "..") < 0 && hm_str_find(path, "readme.md") < 0);
    hm_str md = help_page(&s, hm_str_z(s.a, path));
    assert_has_not(md, "</td>");
  }
  help_site_done(&s);
}

static void a_hub_is_cut(void **state) {
  enum { N = 3000 };
  hm_buf b = { 0 };
  (void)state;
  hm_buf_c(&b, ENTITY("hub", "Person", "Hub", ""));
  for (int i = 0; i < N; i++)
    hm_buf_fmt(
        &b,
        "{\"kind\":\"relation\",\"id\":\"r%d\",\"project\":\"p\",\"type\":\"KNOWS\",\"from\":"
        "\"hub\",\"to\":\"hub\",\"valid_from\":\"%d\"}\n",
        i, 1000 + i);
  help_site s = help_site_of(hm_buf_view(&b), &plain);
  hm_str md = help_page(&s, "projects/p/entities/person/hub.md");
  assert_has(md, "2,900 more stand in [the list of relations](../../relations.md)");
  assert_has(md, "[r99](");
  assert_has_not(md, "[r100](");
  assert_true(md.n < 60000);
  /* 60 lines are drawn, one of them a heading; what is left out is counted, both ways */
  hm_str all = help_everything(&s);
  assert_has(all, "class=\"h\">and 5941 more</text>");
  help_site_done(&s);
  hm_buf_free(&b);
}

/* Pages of conflicts name the nearest others of their slot, so thousands in one slot stay linear. */
static void a_slot_of_many_conflicts_is_cut(void **state) {
  enum { N = 50 };
  hm_buf b = { 0 };
  (void)state;
  hm_buf_c(&b, ENTITY("k", "Location", "Keep", ""));
  for (int i = 0; i < 2 * N; i++)
    hm_buf_fmt(&b,
               ENTITY("p%d", "Person", "Person %d", "")
                   RELATION("r%d", "RULES", "p%d", "k", UNTIL("%d", "%d")),
               i, i, i, i, 1000 + 10 * (i / 2), 1005 + 10 * (i / 2));
  help_site s = help_site_of(hm_buf_view(&b), &plain);
  assert_int_equal(s.view->n_conflicts, N);
  for (uint32_t i = 0; i < N; i++) {
    hm_str md = help_page(&s, hm_str_z(s.a, s.view->conflicts[i].path));
    ptrdiff_t from = hm_str_find(md, "## Other conflicts of this slot");
    assert_true(from > 0);
    md = hm_str_sub(md, (size_t)from, md.n);
    size_t others = 0;
    for (size_t k = 0; k + 2 < md.n; k++) others += memcmp(md.p + k, "\n- [", 4) == 0;
    assert_in_range(others, 10, 20);
    assert_has(md, "\n\nThere are more: [all conflicts](README.md).\n");
  }
  help_site_done(&s);
  hm_buf_free(&b);
}

/* A time is told by its property, a line, a bar: by none of them where it is left out. */
static void a_life_that_is_left_out_is_not_drawn(void **state) {
  static const char lines[] =
      ENTITY("a", "Person", "Aldric", ",\"properties\":{\"birth\":\"1280\",\"death\":\"1345\"}")
          ENTITY("k", "Location", "Keep", "")
              RELATION("r1", "RULES", "a", "k", UNTIL("1300", "1340"));
  static const hm_str birth[] = { HM_STR("birth") };
  (void)state;
  help_site s = help_site_of(hm_str_c(lines), &plain);
  hm_str all = help_everything(&s);
  assert_has(all, "- Existed: 1280 to 1345");
  assert_has(all, "projects/p/entities/person/aldric.svg<svg ");
  assert_has(all, "class=\"l\"");
  assert_has(help_page(&s, "projects/p/entities/person/aldric.md"), "](aldric.svg \"");
  help_site_done(&s);
  hm_view_options opt = { .title = HM_STR("M"),
                          .exclude = { .properties = birth, .n_properties = 1 } };
  s = help_site_of(hm_str_c(lines), &opt);
  all = help_everything(&s);
  assert_has_not(all, "1280");
  assert_has_not(all, "- Existed:");
  assert_has_not(all, "class=\"l\"");
  assert_has(all, "class=\"b\"");
  help_site_done(&s);
}

static void what_is_believed_says_so(void **state) {
  static const char lines[] = ENTITY("a", "Person", "Ann", "")
      ENTITY("k", "Location", "Keep", ",\"properties\":{\"claim_kind\":\"Prophetic\"}")
          RELATION("r1", "RULES", "a", "k",
                   UNTIL("1300", "1340") ",\"properties\":{\"claim_kind\":\"subjective\"}");
  static const hm_str kind[] = { HM_STR("claim_kind") };
  (void)state;
  help_site s = help_site_of(hm_str_c(lines), &plain);
  assert_has(help_page(&s, "projects/p/entities/location/keep.md"),
             "[Location](../location.md#entity-k) (prophetic statement). Nothing about it is disputed.\n");
  assert_has(help_page(&s, "projects/p/entities/location/keep.md"),
             "| [Ann](../person/ann.md) (subjective statement) |");
  assert_has(help_page(&s, "projects/p/entities/location.md"),
             "[Keep](location/keep.md) (prophetic statement)\n");
  assert_has(help_page(&s, "projects/p/entities/person.md"), "(subjective statement)\n");
  assert_has(help_page(&s, "projects/p/relations.md"), "Keep](entities/location/keep.md) (subj");
  assert_has(help_everything(&s), ">Keep (subjective)</text>");
  help_site_done(&s);
  hm_view_options opt = { .title = HM_STR("M"),
                          .exclude = { .properties = kind, .n_properties = 1 } };
  s = help_site_of(hm_str_c(lines), &opt);
  assert_has_not(help_everything(&s), "subjective");
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(what_has_relations_has_a_page),
                                      cmocka_unit_test(hostile_names_are_slugs),
                                      cmocka_unit_test(a_hub_is_cut),
                                      cmocka_unit_test(a_slot_of_many_conflicts_is_cut),
                                      cmocka_unit_test(what_is_believed_says_so),
                                      cmocka_unit_test(a_life_that_is_left_out_is_not_drawn) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
