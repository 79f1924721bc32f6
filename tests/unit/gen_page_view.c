/* From facts to pages: what is shown, marked and linked. */
#include "tests/unit/gen_page_view_help.h"

static void test_markers_beside_each_field(void **state) {
  (void)state;
  help_site s = site_of(FACTS);
  static const char *const at[] = { "projects/p05-interferometer/README.md",
                                    "projects/p05-interferometer/decisions.md",
                                    "projects/p05-interferometer/state.md",
                                    "projects/p05-interferometer/entities/decision.md",
                                    "projects/p05-interferometer/memories/2026.md" };
  for (size_t i = 0; i < 5; i++)
    assert_has(help_page(&s, at[i]), "[⚠ disputed](../");
  assert_has(help_page(&s, at[0]), "PEEK [⚠ disputed](../../conflicts/c");
  assert_has(help_page(&s, at[0]), "GF-PTFE [⚠ disputed](../../conflicts/c");
  assert_has(help_page(&s, at[3]), "**value:** PEEK [⚠ disputed](../../../conflicts/c");
  assert_has_not(help_page(&s, at[3]), "steel [⚠");
  assert_has_not(help_page(&s, at[3]), "material [⚠");
  assert_has_not(help_page(&s, "projects/p05-interferometer/memories/2025.md"), "⚠");
  help_site_done(&s);
}

static void test_conflict_page(void **state) {
  (void)state;
  help_site s = site_of(FACTS);
  size_t n;
  const hm_conflict_rec **c = hm_view_conflicts(s.view, &n);
  assert_int_equal(n, 1);
  hm_str md = help_page(&s, hm_str_z(s.a, hm_view_conflict_path(s.view, c[0], s.a)));
  assert_has(md, "# Lateral support: material\n");
  assert_has(md, "- **GF-PTFE**\n  - [Curated state](");
  assert_has(md, "- **PEEK**\n  - Recorded decision: [Support](");
  assert_has(md, "- **PTFE**\n  - An agent's memory: [");
  assert_has(md, "- Slot: p05-interferometer / lateral_support_material\n");
  assert_has(md, "--winner project_state:s1 --notes");
  assert_has(md, "steel"); /* history of the slot */
  help_site_done(&s);
}

static void test_history_and_candidates(void **state) {
  (void)state;
  help_site s = site_of(FACTS);
  hm_str log = help_page(&s, "projects/p05-interferometer/decisions.md");
  assert_has(log, "Superseded by: [Support](entities/decision.md#entity-d1)");
  assert_has(log, "Supersedes: [Old support](entities/decision.md#entity-d0)");
  hm_str all = help_everything(&s);
  assert_has(all, "[1 candidate](candidates.md) waits for review");
  assert_has(help_page(&s, "projects/p05-interferometer/candidates.md"), "frame mass is 4 kg");
  assert_has_not(help_page(&s, "projects/p05-interferometer/README.md"), "frame mass");
  assert_has_not(help_page(&s, "projects/p05-interferometer/memories/undated.md"), "frame mass");
  assert_has(all, "\"candidates\":1");
  help_site_done(&s);
}

static void test_tree_nests(void **state) {
  (void)state;
  help_site s = site_of(FACTS);
  assert_has(help_page(&s, "projects/p05-interferometer/README.md"),
             "- **[Frame](subsystems/frame.md)**\n  - **[Cell](subsystems/cell.md)**\n");
  assert_has(help_page(&s, "projects/p05-interferometer/subsystems/frame.md"), "- [Cell](cell.md)");
  help_site_done(&s);
}

static void test_cycle_of_parts(void **state) {
  (void)state;
  help_site s = site_of(LINE({
    "kind" : "entity",
    "id" : "a",
    "entity_type" : "Subsystem",
    "project" : "p",
    "name" : "A",
    "properties" : { "parent" : "C" }
  }) LINE({
    "kind" : "entity",
    "id" : "b",
    "entity_type" : "Subsystem",
    "project" : "p",
    "name" : "B",
    "properties" : { "parent" : "a" }
  }) LINE({
    "kind" : "entity",
    "id" : "c",
    "entity_type" : "Subsystem",
    "project" : "p",
    "name" : "C",
    "properties" : { "parent_id" : "b" }
  }) LINE({
    "kind" : "entity",
    "id" : "d",
    "entity_type" : "Subsystem",
    "project" : "p",
    "name" : "D",
    "properties" : { "parent" : "D" }
  }));
  hm_str md = help_page(&s, "projects/p/README.md");
  assert_has(
      md,
      "- **[A](subsystems/a.md)**\n  - **[B](subsystems/b.md)**\n    - **[C](subsystems/c.md)**\n- **[D](subsystems/d.md)**\n");
  help_site_done(&s);
}

static void test_empty_store(void **state) {
  (void)state;
  help_site s = site_of("");
  assert_int_equal(s.pages->n, 6);
  assert_has(help_page(&s, "index-a-z.md"), "Nothing has a name yet.");
  assert_has(help_page(&s, "glossary.md"), "**Disputed**");
  assert_has(help_page(&s, "README.md"), "No project is recorded yet.");
  assert_has(help_page(&s, "sources/README.md"), "None recorded.");
  assert_has(help_page(&s, "findings/README.md"), "No rule found an error.");
  assert_has(help_page(&s, "conflicts/README.md"), "Nothing is disputed.");
  assert_has(help_everything(&s), "{\"conflicts\":[],\"count\":0}");
  help_site_done(&s);
}

static void test_empty_sections_say_so(void **state) {
  (void)state;
  help_site s = site_of(LINE({ "kind" : "project", "id" : "p", "name" : "P" }));
  hm_str md = help_page(&s, "projects/p/README.md");
  assert_has(md, "Nothing is disputed. No value was compared. Recorded: nothing.");
  assert_has(md,
             "\n\nNothing recorded: subsystems, curated state, decisions, requirements and "
             "constraints, materials, parameters, results and validation, components, other "
             "entities, memories, sources.\n\n");
  assert_has_not(md, "##");
  help_site_done(&s);
}

static void test_long_value_has_a_file(void **state) {
  (void)state;
  hm_buf b = { 0 };
  hm_buf_c(&b,
           "{\"kind\":\"project_state\",\"id\":\"s\",\"project\":\"p\",\"key\":\"k\",\"value\":\"");
  for (int i = 0; i < 5000; i++)
    hm_buf_c(&b, "x");
  hm_buf_c(&b, "\"}\n");
  help_site s = help_site_of(hm_buf_view(&b), &plain);
  hm_str md = help_page(&s, "projects/p/state.md");
  assert_has(md, "([all 5,000 bytes](../../data/");
  assert_true(md.n < 3500);
  assert_int_equal(
      s.pages->n_raws,
      6); /* conflicts, findings, health, the value, data of the project and its state */
  hm_buf_free(&b);
  help_site_done(&s);
}

static void test_ids_that_fold_together(void **state) {
  (void)state;
  help_site s = site_of(LINE({
    "kind" : "project_state",
    "id" : "a-b",
    "project" : "p",
    "key" : "one",
    "value" : "1"
  }) LINE({ "kind" : "project_state", "id" : "A_b", "project" : "p", "key" : "two", "value" : "2" })
                            LINE({
                              "kind" : "project_state",
                              "id" : "a b",
                              "project" : "p",
                              "key" : "three",
                              "value" : "3"
                            }) LINE({
                              "kind" : "project_state",
                              "id" : "C_d",
                              "project" : "p",
                              "key" : "four",
                              "value" : "4"
                            }));
  hm_str md = help_page(&s, "projects/p/state.md");
  assert_has(md, "<a id=\"state-a-b\"></a>one");
  assert_has(md, "<a id=\"state-c-d\"></a>four");
  assert_has_not(md, "<a id=\"state-a-b\"></a>two");
  assert_has_not(md, "<a id=\"state-a-b\"></a>three");
  help_site_done(&s);
}

static void check_path(hm_str path) {
  hm_str stem = path;
  if (hm_str_ends(path, "README.md"))
    stem = hm_str_sub(path, 0, path.n - 9);
  for (size_t i = 0; i < stem.n; i++)
    assert_true((stem.p[i] >= 'a' && stem.p[i] <= 'z') || (stem.p[i] >= '0' && stem.p[i] <= '9') ||
                memchr("./-", stem.p[i], 3));
  assert_true(hm_str_find(path, "..") < 0 && hm_str_find(path, "//") < 0 && path.p[0] != '/');
}

static void test_hostile_names(void **state) {
  (void)state;
  static const char *const nasty[] = { "../../x",  "README",   "index",      "global",   "CON",
                                       "a/b\\\\c", "\\u202ex", "# h\\n## i", "|",        "<b>",
                                       "",         " ",        "⚠ disputed", "x\\u0000y" };
  hm_buf b = { 0 };
  for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++) {
    const char *t = nasty[i];
    hm_buf_fmt(
        &b,
        "{\"kind\":\"entity\",\"id\":\"%s%zu\",\"entity_type\":\"%s\",\"project\":\"%s\",\"name\":\"%s\",\"properties\":{\"%s\":\"%s\"}}\n",
        t, i, t, t, t, t, t);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"entity\",\"id\":\"%s%zus\",\"entity_type\":\"Subsystem\",\"project\":\"%s\",\"name\":\"%s\"}\n",
        t, i, t, t);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"project_state\",\"id\":\"%s%zu\",\"project\":\"%s\",\"category\":\"%s\",\"key\":\"%s\",\"value\":\"1%s\"}\n",
        t, i, t, t, t, t);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"project_state\",\"id\":\"%s%zub\",\"project\":\"%s\",\"category\":\"%s\",\"key\":\"%s\",\"value\":\"2%s\"}\n",
        t, i, t, t, t, t);
    hm_buf_fmt(
        &b,
        "{\"kind\":\"relation\",\"id\":\"%s%zu\",\"project\":\"%s\",\"type\":\"%s\",\"from\":\"%s%zu\",\"to\":\"%s\"}\n",
        t, i, t, t, t, i, t);
  }
  help_site s = help_site_of(hm_buf_view(&b), &plain);
  for (size_t i = 0; i < s.pages->n; i++)
    check_path(s.pages->pages[i].path);
  hm_str all = help_markdown(&s);
  assert_has_not(all, "<b>");
  assert_has_not(all, "\n## i\n");
  assert_has_not(all, "[⚠ disputed](#");
  assert_has_not(all, "[⚠ disputed](README");
  hm_buf_free(&b);
  help_site_done(&s);
}

/* Rows without a category come first, under one heading. */
static void test_state_without_a_category(void **state) {
  (void)state;
  help_site s = site_of(LINE(
      { "kind" : "project_state",
        "id" : "a",
        "project" : "p1",
        "key" : "area",
        "value" : 1 }) LINE({
    "kind" : "project_state",
    "id" : "b",
    "project" : "p1",
    "category" : "engine",
    "key" : "thrust",
    "value" : 2
  }) LINE({ "kind" : "project_state", "id" : "z", "project" : "p1", "key" : "zone", "value" : 3 }));
  hm_str md = help_page(&s, "projects/p1/state.md");
  int64_t none = hm_str_find(md, "## No category"), zone = hm_str_find(md, ">zone"),
          engine = hm_str_find(md, "## engine");
  assert_true(none >= 0 && none < zone && zone < engine);
  assert_true(hm_str_find(hm_str_sub(md, (size_t)none + 1, md.n), "## No category") < 0);
  help_site_done(&s);
}

/* A relation that names no project stands where the row stands that it comes from. */
static void test_relation_without_a_project(void **state) {
  (void)state;
  help_site s = site_of(LINE({
    "kind" : "entity",
    "id" : "e1",
    "entity_type" : "Component",
    "project" : "p1",
    "name" : "leg"
  }) LINE({
    "kind" : "relation",
    "id" : "r1",
    "type" : "REQUIRES",
    "from" : "e1",
    "to" : "nothing"
  }));
  assert_has(help_page(&s, "projects/p1/relations.md"), "REQUIRES");
  assert_has(help_page(&s, "projects/p1/README.md"), "which is not in the store");
  assert_has_not(help_page(&s, "README.md"), "Global facts");
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_markers_beside_each_field),
    cmocka_unit_test(test_conflict_page),
    cmocka_unit_test(test_history_and_candidates),
    cmocka_unit_test(test_tree_nests),
    cmocka_unit_test(test_cycle_of_parts),
    cmocka_unit_test(test_empty_store),
    cmocka_unit_test(test_empty_sections_say_so),
    cmocka_unit_test(test_long_value_has_a_file),
    cmocka_unit_test(test_ids_that_fold_together),
    cmocka_unit_test(test_hostile_names),
    cmocka_unit_test(test_state_without_a_category),
    cmocka_unit_test(test_relation_without_a_project),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
