/* From facts to pages: what is left out, and lists that are longer than a page. */
#include "tests/unit/gen_page_view_help.h"

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

/* A long file is whole. */
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
    f->bytes(s.view, f, s.a, &out);
    assert_int_equal(hm_json_parse(s.a, hm_buf_view(&out), &tree, &err), 0);
    assert_int_equal(hm_json_get(tree, "conflicts")->count, N);
    assert_true(hm_str_is(hm_json_get(tree, "count")->text, "150"));
    hm_buf_free(&out);
    help_site_done(&s);
  }
  hm_buf_free(&b);
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

/* A part of a list stays as it was when no project of it changed. What differs: the overview, and
 * the lists of conflicts that show it: by project, by date, by layer, the newest. */
static void test_lists_that_stay(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  help_site x = many_projects(a, "1 kg"), y = many_projects(a, "5 kg");
  int same = 0, differ = 0;
  assert_int_equal(x.pages->n, y.pages->n);
  for (size_t i = 0; i < x.pages->n; i++) {
    const hm_page *p = &x.pages->pages[i], *q = &y.pages->pages[i];
    if (!p->data) continue;
    assert_true(hm_str_eq(p->path, q->path));
    hm_str path = { hm_str_z(a, p->path), p->path.n };
    bool alike = hm_str_eq(help_page(&x, path.p), help_page(&y, path.p));
    same += alike;
    differ += !alike;
  }
  assert_int_equal(differ, 6);
  assert_true(same > 4);
  help_site_done(&x);
  help_site_done(&y);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_exclude),
    cmocka_unit_test(test_exclude_nothing_shows_all),
    cmocka_unit_test(test_exclude_status),
    cmocka_unit_test(test_split_lists_hold_every_row),
    cmocka_unit_test(test_many_conflicts_are_one_json),
    cmocka_unit_test(test_lists_that_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
