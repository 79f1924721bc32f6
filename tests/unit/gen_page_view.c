/* From facts to pages: what is shown, marked, linked, left out. */
#include "gen_page_help.h"

#define LINE(...) #__VA_ARGS__ "\n"

static const hm_view_options plain = { .title = HM_STR("Mirror"), .tool = HM_STR("t") };

static const char FACTS[] = LINE({
  "kind" : "project",
  "id" : "p05-interferometer",
  "name" : "Interferometer",
  "aliases" : ["p05"],
  "description" : "A bench."
}) LINE({
  "kind" : "entity",
  "id" : "sub1",
  "entity_type" : "Subsystem",
  "project" : "p05",
  "name" : "Frame",
  "properties" : { "subsystem_name" : "frame" },
  "created_at" : "2026-01-01"
}) LINE({
  "kind" : "entity",
  "id" : "sub2",
  "entity_type" : "Subsystem",
  "project" : "p05",
  "name" : "Cell",
  "properties" : { "subsystem_name" : "cell" },
  "created_at" : "2026-01-01"
}) LINE({
  "kind" : "relation",
  "id" : "r1",
  "type" : "PART_OF",
  "project" : "p05",
  "from" : "sub2",
  "to" : "sub1"
}) LINE({
  "kind" : "entity",
  "id" : "d1",
  "entity_type" : "Decision",
  "project" : "p05",
  "name" : "Support",
  "properties" :
      { "decision_target" : "lateral support", "decision_field" : "material", "value" : "PEEK" },
  "source_refs" : ["meeting"],
  "created_at" : "2026-04-02"
}) LINE({
  "kind" : "entity",
  "id" : "d0",
  "entity_type" : "Decision",
  "project" : "p05",
  "name" : "Old support",
  "status" : "superseded",
  "superseded_by" : "d1",
  "properties" :
      { "decision_target" : "lateral support", "decision_field" : "material", "value" : "steel" },
  "created_at" : "2026-01-02"
}) LINE({
  "kind" : "project_state",
  "id" : "s1",
  "project" : "p05",
  "category" : "decision",
  "key" : "lateral_support_material",
  "value" : "GF-PTFE",
  "source" : "review",
  "created_at" : "2026-04-01"
}) LINE({
  "kind" : "memory",
  "id" : "m1",
  "memory_type" : "knowledge",
  "project" : "p05",
  "content" : "lateral support material is PTFE",
  "created_at" : "2026-03-01"
}) LINE({
  "kind" : "memory",
  "id" : "m2",
  "memory_type" : "episodic",
  "project" : "p05",
  "content" : "It rained.",
  "created_at" : "2025-03-01"
}) LINE({
  "kind" : "memory",
  "id" : "m3",
  "memory_type" : "knowledge",
  "project" : "p05",
  "content" : "frame mass is 4 kg",
  "status" : "candidate"
});

static help_site site_of(const char *facts) { return help_site_of(hm_str_c(facts), &plain); }

static void test_markers_beside_each_field(void **state) {
  (void)state;
  help_site s = site_of(FACTS);
  static const char *const at[] = { "projects/p05-interferometer/README.md",
                                    "projects/p05-interferometer/decisions.md",
                                    "projects/p05-interferometer/state.md",
                                    "projects/p05-interferometer/entities/decision.md",
                                    "projects/p05-interferometer/memories/2026.md" };
  for (size_t i = 0; i < 5; i++) assert_has(help_page(&s, at[i]), "[⚠ disputed](../");
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
  assert_has(md, "steel");                        /* history of the slot */
  help_site_done(&s);
}

static void test_history_and_candidates(void **state) {
  (void)state;
  help_site s = site_of(FACTS);
  hm_str log = help_page(&s, "projects/p05-interferometer/decisions.md");
  assert_has(log, "Superseded by: [Support](entities/decision.md#entity-d1)");
  assert_has(log, "Supersedes: [Old support](entities/decision.md#entity-d0)");
  hm_str all = help_everything(&s);
  assert_has(all, "1 candidate waits for review");
  assert_has_not(all, "frame mass");
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
  help_site s = site_of(LINE({"kind":"project","id":"p","name":"P"}));
  hm_str md = help_page(&s, "projects/p/README.md");
  assert_has(md, "Nothing is disputed. Recorded: nothing.");
  assert_has(md, "\n\nNothing recorded: subsystems, trusted state, decisions, requirements and "
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
  for (int i = 0; i < 5000; i++) hm_buf_c(&b, "x");
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

/* --- left out ------------------------------------------------------------- */

static help_site site_without(const char *facts, hm_exclude x) {
  hm_view_options o = plain;
  o.exclude = x;
  return help_site_of(hm_str_c(facts), &o);
}

static const char SECRETS[] = LINE(
    { "kind" : "project",
      "id" : "secret-project",
      "name" : "ZULUNAME",
      "aliases" : ["p99"] }) LINE({
  "kind" : "project_state",
  "id" : "z1",
  "project" : "p99",
  "category" : "c",
  "key" : "ZULUKEY",
  "value" : "ZULUVALUE"
}) LINE({
  "kind" : "project_state",
  "id" : "s1",
  "project" : "p1",
  "category" : "c",
  "key" : "colour",
  "value" : "blue"
}) LINE({
  "kind" : "memory",
  "id" : "m1",
  "memory_type" : "knowledge",
  "project" : "p1",
  "content" : "colour is ZULURED",
  "tags" : ["private"],
  "source_refs" : ["ZULUSOURCE"]
}) LINE({
  "kind" : "memory",
  "id" : "m2",
  "memory_type" : "identity",
  "project" : "p1",
  "content" : "role: ZULUROLE"
}) LINE({
  "kind" : "entity",
  "id" : "e1",
  "entity_type" : "Component",
  "project" : "p1",
  "name" : "leg",
  "properties" :
      { "component_name" : "leg", "cost" : "ZULU1", "mass" : "5 kg", "box" : { "cost" : "ZULU3" } }
}) LINE({
  "kind" : "entity",
  "id" : "e2",
  "entity_type" : "Component",
  "project" : "p1",
  "name" : "leg",
  "properties" : { "component_name" : "leg", "cost" : "ZULU2" }
}) LINE({
  "kind" : "project_state",
  "id" : "s2",
  "project" : "p1",
  "category" : "c",
  "key" : "cost",
  "value" : "ZULU4"
}) LINE({
  "kind" : "entity",
  "id" : "zuluid",
  "entity_type" : "Salary",
  "project" : "p1",
  "name" : "ZULUTHING"
}) LINE({
  "kind" : "entity",
  "id" : "e3",
  "entity_type" : "Material",
  "project" : "p1",
  "name" : "one",
  "properties" : { "component_id" : "zuluid", "material" : "a" }
}) LINE({
  "kind" : "entity",
  "id" : "e4",
  "entity_type" : "Material",
  "project" : "p1",
  "name" : "one",
  "properties" : { "component_id" : "zuluid", "material" : "b" }
}) LINE({
  "kind" : "entity",
  "id" : "e6",
  "entity_type" : "Result",
  "project" : "p1",
  "name" : "of it",
  "properties" : { "analysis_model_id" : "zuluid", "value" : "7" }
}) LINE({
  "kind" : "entity",
  "id" : "e5",
  "entity_type" : "Decision",
  "project" : "p1",
  "name" : "kept",
  "status" : "superseded",
  "superseded_by" : "zuluid"
}) LINE({
  "kind" : "relation",
  "id" : "r1",
  "type" : "ZULUREL",
  "project" : "p1",
  "from" : "zuluid",
  "to" : "e1"
});

static void test_exclude(void **state) {
  (void)state;
  static const hm_str projects[] = { HM_STR("P99") },
                      types[] = { HM_STR("identity"), HM_STR("salary") },
                      tags[] = { HM_STR("Private") },
                      props[] = { HM_STR("Cost"), HM_STR("component_id") };
  help_site s = site_without(SECRETS,
                             (hm_exclude){ .projects = projects,
                                           .n_projects = 1,
                                           .types = types,
                                           .n_types = 2,
                                           .tags = tags,
                                           .n_tags = 1,
                                           .properties = props,
                                           .n_properties = 2 });
  hm_str all = help_everything(&s);
  hm_buf b = { 0 };
  for (size_t i = 0; i < all.n; i++)
    hm_buf_ch(&b, all.p[i] >= 'A' && all.p[i] <= 'Z' ? (char)(all.p[i] + 32) : all.p[i]);
  assert_has_not(hm_buf_view(&b), "zulu");
  assert_has_not(hm_buf_view(&b), "p99");
  assert_has_not(hm_buf_view(&b), "secret");
  assert_has(all, "5 kg");
  assert_has(all, "1 claim withheld");
  assert_has(all, "(name withheld)");
  assert_has(all, "Superseded by: withheld");
  hm_buf_free(&b);
  help_site_done(&s);
}

static void test_exclude_nothing_shows_all(void **state) {
  (void)state;
  help_site s = site_without(SECRETS, (hm_exclude){ 0 });
  hm_str all = help_everything(&s);
  static const char *const words[] = { "ZULUNAME",   "ZULUKEY",  "ZULUVALUE", "ZULURED",
                                       "ZULUSOURCE", "ZULUROLE", "ZULU1",     "ZULU2",
                                       "ZULU3",      "ZULU4",    "ZULUTHING", "ZULUREL" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) assert_has(all, words[i]);
  assert_has_not(all, "withheld");
  help_site_done(&s);
}

static void test_exclude_status(void **state) {
  (void)state;
  static const hm_str statuses[] = { HM_STR("superseded") };
  help_site s = site_without(FACTS, (hm_exclude){ .statuses = statuses, .n_statuses = 1 });
  hm_str all = help_everything(&s);
  assert_has_not(all, "steel");
  assert_has_not(all, "Old support");
  help_site_done(&s);
}

/* --- lists ----------------------------------------------------------------- */

static hm_str many(int n, hm_buf *b) {
  for (int i = 0; i < n; i++)
    hm_buf_fmt(
        b,
        "{\"kind\":\"entity\",\"id\":\"d%d\",\"entity_type\":\"Decision\",\"project\":\"p\",\"name\":\"%c name %d\",\"properties\":{\"value\":%d}}\n",
        i, 'a' + i % 26, i, i);
  return hm_buf_view(b);
}

static void test_split_lists_hold_every_row(void **state) {
  (void)state;
  hm_buf b = { 0 };
  hm_view_options o = plain;
  o.list_limit = 30;
  help_site s = help_site_of(many(200, &b), &o);
  hm_str all = help_everything(&s);
  assert_has(help_page(&s, "projects/p/entities/decision.md"), "[a-c](decision-a-c.md)");
  assert_has(help_page(&s, "projects/p/decisions.md"), "[d-f](decisions-d-f.md)");
  for (int i = 0; i < 200; i++) assert_has(all, hm_str_fmt(s.a, "<a id=\"entity-d%d\">", i).p);
  hm_buf_free(&b);
  help_site_done(&s);
}

/* A file that is made in pieces is as whole as one that is not. */
static void test_many_conflicts_are_one_json(void **state) {
  (void)state;
  enum { N = 150 };
  static const hm_str hidden[] = { HM_STR("shade") };
  hm_buf b = { 0 };
  hm_buf_c(
      &b,
      "{\"kind\":\"entity\",\"id\":\"h\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"H\",\"properties\":{\"shade\":1}}\n");
  for (int i = 0; i < 2 * N; i++)
    hm_buf_fmt(
        &b,
        "{\"kind\":\"project_state\",\"id\":\"s%d\",\"project\":\"p\",\"category\":\"c\",\"key\":\"k%d\",\"value\":\"%d\"}\n",
        i, i / 2, i);
  for (int withheld = 0; withheld < 2; withheld++) {
    hm_view_options o = plain;
    o.exclude.properties = hidden;
    o.exclude.n_properties = (size_t)withheld;
    help_site s = help_site_of(hm_buf_view(&b), &o);
    hm_buf out = { 0 };
    hm_err err;
    hm_json *tree;
    const hm_raw_file *f = s.pages->raws;
    assert_true(hm_str_is(f->path, "conflicts.json"));
    assert_true(f->pieces > 1);
    for (uint32_t k = 0; k < f->pieces; k++)
      assert_int_equal(f->bytes(s.view, f, k, s.a, &out, &err), 0);
    assert_int_equal(hm_json_parse(s.a, hm_buf_view(&out), &tree, &err), 0);
    assert_int_equal(hm_json_get(tree, "conflicts")->count, N);
    assert_true(hm_str_is(hm_json_get(tree, "count")->text, "150"));
    hm_buf_free(&out);
    help_site_done(&s);
  }
  hm_buf_free(&b);
}

static void test_ids_that_fold_together(void **state) {
  (void)state;
  help_site s = site_of(
    LINE({"kind":"project_state","id":"a-b","project":"p","key":"one","value":"1"})
    LINE({"kind":"project_state","id":"A_b","project":"p","key":"two","value":"2"})
    LINE({"kind":"project_state","id":"a b","project":"p","key":"three","value":"3"})
    LINE({"kind":"project_state","id":"C_d","project":"p","key":"four","value":"4"}));
  hm_str md = help_page(&s, "projects/p/state.md");
  assert_has(md, "<a id=\"state-a-b\"></a>one");
  assert_has(md, "<a id=\"state-c-d\"></a>four");
  assert_has_not(md, "<a id=\"state-a-b\"></a>two");
  assert_has_not(md, "<a id=\"state-a-b\"></a>three");
  help_site_done(&s);
}

static void check_path(hm_str path) {
  hm_str stem = path;
  if (hm_str_ends(path, "README.md")) stem = hm_str_sub(path, 0, path.n - 9);
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
  for (size_t i = 0; i < s.pages->n; i++) check_path(s.pages->pages[i].path);
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
  help_site s = site_of(
    LINE({"kind":"entity","id":"e1","entity_type":"Component","project":"p1","name":"leg"})
    LINE({"kind":"relation","id":"r1","type":"REQUIRES","from":"e1","to":"nothing"}));
  assert_has(help_page(&s, "projects/p1/relations.md"), "REQUIRES");
  assert_has(help_page(&s, "projects/p1/README.md"), "which is not in the store");
  assert_has_not(help_page(&s, "README.md"), "Global facts");
  help_site_done(&s);
}

/* A banner changes when something on its page does, and only then. */
static help_site many_projects(hm_arena *a, const char *value) {
  hm_buf b = { 0 };
  for (int p = 0; p < 12; p++)
    for (int i = 0; i < 2; i++)
      hm_buf_fmt(
          &b,
          "{\"kind\":\"project_state\",\"id\":\"s%d-%d\",\"project\":\"%c%d\",\"category\":\"c\",\"key\":\"mass\",\"value\":\"%s\"}\n",
          p, i, 'a' + p * 2, p,
          p == 3 && i ? value
              : i     ? "1 kg"
                      : "2 kg");
  hm_view_options o = plain;
  o.list_limit = 4;
  hm_str facts = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return help_site_of(facts, &o);
}

/* A part of a list is known to be as it was when no project of it changed, and only then. What
 * differs: the overview, and the lists of conflicts that show it: by project, by date, by layer, the
 * newest. */
static void test_inputs_of_lists(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  help_site x = many_projects(a, "1 kg"), y = many_projects(a, "5 kg");
  const hm_page_inputs *of_x = hm_page_inputs_new(x.view, 9, 2, a),
                       *of_y = hm_page_inputs_new(y.view, 9, 1, a);
  hm_buf b = { 0 };
  int same = 0, differ = 0;
  assert_int_equal(x.pages->n, y.pages->n);
  for (size_t i = 0; i < x.pages->n; i++) {
    const hm_page *p = &x.pages->pages[i], *q = &y.pages->pages[i];
    if (!p->data) continue;
    assert_true(hm_str_eq(p->path, q->path));
    hm_hash128 hx = hm_page_digest(of_x, p, a, &b), hy = hm_page_digest(of_y, q, a, &b);
    bool alike = hx.hi == hy.hi && hx.lo == hy.lo;
    hm_str path = { hm_str_z(a, p->path), p->path.n };
    assert_int_equal(alike, hm_str_eq(help_page(&x, path.p), help_page(&y, path.p)));
    same += alike;
    differ += !alike;
  }
  assert_int_equal(differ, 6);
  assert_true(same > 4);
  hm_buf_free(&b);
  help_site_done(&x);
  help_site_done(&y);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_markers_beside_each_field),
                                      cmocka_unit_test(test_conflict_page),
                                      cmocka_unit_test(test_history_and_candidates),
                                      cmocka_unit_test(test_tree_nests),
                                      cmocka_unit_test(test_cycle_of_parts),
                                      cmocka_unit_test(test_empty_store),
                                      cmocka_unit_test(test_empty_sections_say_so),
                                      cmocka_unit_test(test_long_value_has_a_file),
                                      cmocka_unit_test(test_exclude),
                                      cmocka_unit_test(test_exclude_nothing_shows_all),
                                      cmocka_unit_test(test_exclude_status),
                                      cmocka_unit_test(test_split_lists_hold_every_row),
                                      cmocka_unit_test(test_ids_that_fold_together),
                                      cmocka_unit_test(test_many_conflicts_are_one_json),
                                      cmocka_unit_test(test_hostile_names),
                                      cmocka_unit_test(test_inputs_of_lists),
                                      cmocka_unit_test(test_state_without_a_category),
                                      cmocka_unit_test(test_relation_without_a_project) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
