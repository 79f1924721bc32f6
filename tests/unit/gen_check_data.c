/* Data files: the rows of each list page, with what the page shows of them and nothing else. */
#include "core/base/json.h"
#include "gen/check/withheld.h"
#include "tests/unit/gen_page_help.h"

#define LINE(...) #__VA_ARGS__ "\n"
#define FIRST "{\"kind\":\"mirror-data\",\"format\":1}\n"

static const hm_view_options plain = {
  .title = { "T", 1 }, .list_limit = 8, .value_limit = 300, .tool = { "hmirror", 7 }
};

static hm_str bytes_of(help_site *s, const hm_raw_file *f) {
  hm_buf b = { 0 };
  f->bytes(s->view, f, s->a, &b);
  hm_str bytes = hm_buf_copy(&b, s->a);
  hm_buf_free(&b);
  return bytes;
}

static hm_str file_at(help_site *s, const char *path) {
  for (size_t i = 0; i < s->pages->n_raws; i++)
    if (hm_str_is(s->pages->raws[i].path, path)) return bytes_of(s, &s->pages->raws[i]);
  fail_msg("no file %s", path);
  return HM_EMPTY;
}

#define assert_file(s, path, want) do { \
    hm_str got_ = file_at((s), (path)); \
    if (!hm_str_is(got_, (want))) fail_msg("%s is\n%.*snot\n%s", (path), HM_FMT(got_), (want)); \
  } while (0)

/* --- lines --------------------------------------------------------------------- */

static const char FACTS[] = LINE({
  "kind" : "project",
  "id" : "p05-x",
  "name" : "Tester",
  "aliases" : ["p05"],
  "description" : "A\nbench."
}) LINE({
  "kind" : "entity",
  "id" : "e1",
  "project" : "p05",
  "entity_type" : "Decision",
  "name" : "Support",
  "properties" : { "decision_target" : "support", "value" : "e3" },
  "created_at" : "2026-04-02T09:00:00Z",
  "source_refs" : [ "meeting", "call" ],
  "confidence" : 0.5
}) LINE({
  "kind" : "entity",
  "id" : "e2",
  "project" : "p05",
  "entity_type" : "Decision",
  "name" : "Old support",
  "properties" : { "decision_target" : "pad", "value" : "x" },
  "status" : "superseded",
  "superseded_by" : "e1",
  "superseded_at" : "2026-04-02T09:00:00Z"
}) LINE({
  "kind" : "entity",
  "id" : "e3",
  "project" : "p05",
  "entity_type" : "Lens",
  "name" : "Lens 3"
}) LINE({
  "kind" : "project_state",
  "id" : "s1",
  "project" : "p05",
  "category" : "optics",
  "key" : "focal length",
  "value" : "300 mm",
  "source" : "spec",
  "valid_from" : "2026-01",
  "created_at" : "2026-01-02T00:00:00Z"
}) LINE({
  "kind" : "memory",
  "id" : "m1",
  "project" : "p05",
  "memory_type" : "knowledge",
  "content" : "focal length is  310 mm",
  "created_at" : "2026-03-20T10:00:00Z",
  "scope" : "lab",
  "tags" : [ "a", "b" ]
}) LINE({
  "kind" : "relation",
  "id" : "r1",
  "project" : "p05",
  "type" : "USES",
  "from" : "e1",
  "to" : "e3"
}) LINE({
  "kind" : "relation",
  "id" : "r2",
  "project" : "p05",
  "type" : "USES",
  "from" : "e1",
  "to" : "nowhere"
});

static void lines_of_each_kind(void **state) {
  (void)state;
  help_site s = help_site_of(hm_str_c(FACTS), &plain);
  assert_file(
      &s, "data/p05-x/project.jsonl",
      FIRST
      "{\"kind\":\"project\",\"id\":\"p05-x\",\"name\":\"Tester\",\"aliases\":[\"p05\"],\"description\":\"A bench.\"}\n");
  assert_file(
      &s, "data/p05-x/entities/decision.jsonl",
      FIRST
      "{\"kind\":\"entity\",\"id\":\"e2\",\"type\":\"Decision\",\"name\":\"Old support\",\"properties\":[{\"name\":\"decision_target\",\"value\":\"pad\"},"
      "{\"name\":\"value\",\"value\":\"x\"}],\"status\":\"superseded\",\"superseded_at\":\"2026-04-02T09:00:00Z\",\"superseded_by\":[{\"row\":\"entity:e1\"}]}\n"
      "{\"kind\":\"entity\",\"id\":\"e1\",\"type\":\"Decision\",\"name\":\"Support\",\"properties\":[{\"name\":\"decision_target\",\"value\":\"support\"},"
      "{\"name\":\"value\",\"value\":\"e3\",\"refers_to\":\"Lens 3\"}],\"status\":\"active\",\"confidence\":\"0.5\","
      "\"created_at\":\"2026-04-02T09:00:00Z\",\"sources\":[\"meeting\",\"call\"],\"supersedes\":[{\"row\":\"entity:e2\"}]}\n");
  hm_str st = file_at(&s, "data/p05-x/state.jsonl"),
         mem = file_at(&s, "data/p05-x/memories/2026.jsonl");
  assert_has(
      st,
      FIRST
      "{\"kind\":\"project_state\",\"id\":\"s1\",\"category\":\"optics\",\"key\":\"focal length\",\"value\":\"300 mm\",\"status\":\"active\","
      "\"valid_from\":\"2026-01\",\"created_at\":\"2026-01-02T00:00:00Z\",\"sources\":[\"spec\"],\"disputed\":true,\"conflicts\":[{\"id\":\"c");
  assert_has(st, "\",\"disputed\":true,\"field\":\"value\"}]}\n");
  assert_has(
      mem,
      FIRST
      "{\"kind\":\"memory\",\"id\":\"m1\",\"type\":\"knowledge\",\"content\":\"focal length is 310 mm\",\"status\":\"active\",\"scope\":\"lab\",\"tags\":[\"a\",\"b\"],"
      "\"created_at\":\"2026-03-20T10:00:00Z\",\"disputed\":true,\"conflicts\":[{\"id\":\"c");
  assert_file(
      &s, "data/p05-x/relations.jsonl",
      FIRST
      "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"USES\",\"from\":\"entity:e1\",\"from_name\":\"Support\",\"to\":\"entity:e3\",\"to_name\":\"Lens 3\",\"status\":\"active\",\"is_disputed\":false}\n"
      "{\"kind\":\"relation\",\"id\":\"r2\",\"type\":\"USES\",\"from\":\"entity:e1\",\"from_name\":\"Support\",\"to\":\"nowhere\",\"status\":\"active\",\"is_disputed\":false,\"findings\":[\"f5a0e16016978\"]}\n");
  help_site_done(&s);
}

/* One holds until some day in April, the other from the tenth on. */
static void what_may_overlap_is_told(void **state) {
  (void)state;
  help_site s = help_site_of(HM_STR(LINE({
                               "kind" : "project_state",
                               "id" : "s1",
                               "project" : "p",
                               "category" : "people",
                               "key" : "owner",
                               "value" : "Ann",
                               "valid_from" : "2026-01-01",
                               "valid_until" : "2026-04"
                             }) LINE({
                               "kind" : "project_state",
                               "id" : "s2",
                               "project" : "p",
                               "category" : "people",
                               "key" : "owner",
                               "value" : "Bob",
                               "valid_from" : "2026-04-10"
                             }) LINE({
                               "kind" : "project_state",
                               "id" : "s3",
                               "project" : "p",
                               "category" : "people",
                               "key" : "desk",
                               "value" : "4"
                             })),
                             &plain);
  assert_file(
      &s, "data/p/state.jsonl",
      FIRST
      "{\"kind\":\"project_state\",\"id\":\"s3\",\"category\":\"people\",\"key\":\"desk\",\"value\":\"4\",\"status\":\"active\"}\n"
      "{\"kind\":\"project_state\",\"id\":\"s1\",\"category\":\"people\",\"key\":\"owner\",\"value\":\"Ann\",\"status\":\"active\","
      "\"valid_from\":\"2026-01-01\",\"valid_until\":\"2026-04\",\"may_overlap\":[\"value\"],\"findings\":[\"f6a8117302641\"]}\n"
      "{\"kind\":\"project_state\",\"id\":\"s2\",\"category\":\"people\",\"key\":\"owner\",\"value\":\"Bob\",\"status\":\"active\","
      "\"valid_from\":\"2026-04-10\",\"may_overlap\":[\"value\"],\"findings\":[\"f6a8117302641\"]}\n");
  help_site_done(&s);
}

static hm_str repeated(hm_arena *a, const char *z, int n) {
  hm_buf b = { 0 };
  for (int i = 0; i < n; i++) hm_buf_c(&b, z);
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

/* Ids that begin alike have one file each, by which they are told apart. */
static void long_values_are_cut_as_on_the_page(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str x = repeated(a, "x", 301);
  help_site s = help_site_of(
      hm_str_fmt(
          a,
          "{\"kind\":\"project_state\",\"id\":\"%.*sa\",\"project\":\"p\",\"key\":\"k\",\"value\":\"%.*s\"}\n"
          "{\"kind\":\"project_state\",\"id\":\"%.*sb\",\"project\":\"p\",\"key\":\"l\",\"value\":\"%.*s\"}\n",
          HM_FMT(x), HM_FMT(x), HM_FMT(x), HM_FMT(hm_str_sub(x, 0, 300))),
      &plain);
  hm_str st = file_at(&s, "data/p/state.jsonl"),
         value = hm_str_fmt(a, "\"value\":\"%.*s…\",\"value_whole\":\"data/",
                            HM_FMT(hm_str_sub(x, 0, 300)));
  assert_has(st, value.p);
  assert_has(st, hm_str_fmt(a, "\"value\":\"%.*s\",\"status\"", HM_FMT(hm_str_sub(x, 0, 300))).p);
  size_t ids = 0;
  for (hm_str rest = st; help_has(rest, "\"id_whole\":\"data/"); ids++)
    rest = hm_str_sub(rest, (size_t)hm_str_find(rest, "\"id_whole\"") + 1, rest.n);
  assert_int_equal(ids, 2);
  ptrdiff_t at = hm_str_find(st, "\"value_whole\":\"");
  assert_file(
      &s,
      hm_str_z(a, hm_str_sub(st, (size_t)at + 15, (size_t)at + 15 + sizeof "data/.txt" - 1 + 32)),
      x.p);
  help_site_done(&s);
  hm_arena_free(a);
}

/* --- the same as the page ---------------------------------------------------------- */

/* Facts that the page says in other words or at another place: in a heading, in a marker, of a
 * conflict, as a link to the page of an entity. */
static bool is_elsewhere(hm_str key) {
  static const char *const keys[] = { "kind",     "type",        "status", "field",
                                      "withheld", "may_overlap", "from",   "to",
                                      "row",      "graduated_to", "findings" };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (hm_str_is(key, keys[i])) return true;
  return false;
}

static size_t assert_on_page(const hm_json *v, hm_str key, hm_str page, hm_arena *a) {
  size_t n = 0;
  for (const hm_json *c = v->child; c; c = c->next)
    n += assert_on_page(c, c->key.n ? c->key : key, page, a);
  if (v->type != HM_JSON_STRING || is_elsewhere(key)) return n;
  hm_str words = hm_copy_as_words(
      a, hm_str_ends(v->text, "…") ? hm_str_sub(v->text, 0, v->text.n - 3) : v->text,
      HM_WORDS_PLAIN);
  if (words.n && hm_str_find(page, hm_str_z(a, words)) < 0)
    fail_msg("%.*s \"%.*s\" is not on the page:\n%.*s", HM_FMT(key), HM_FMT(v->text), HM_FMT(page));
  return n + 1;
}

/* Every list page has its file, with a line for each of its rows in their order, and no word that
 * it does not show. */
static size_t compare_pages(help_site *s) {
  size_t n = 0, rows = 0, listed = 0;
  for (uint32_t i = 0; i < s->view->n_parts; i++) {
    const hm_list_part *p = &s->view->parts[i];
    hm_str md = help_page(s, hm_str_z(s->a, p->path)),
           page = hm_copy_as_words(s->a, md, HM_WORDS_MARKDOWN);
    hm_str rest = file_at(
        s, hm_str_fmt(s->a, "data%.*s.jsonl", HM_FMT(hm_str_sub(p->path, 8, p->path.n - 3))).p);
    assert_true(hm_str_starts(rest, FIRST));
    rest = hm_str_sub(rest, sizeof FIRST - 1, rest.n);
    for (uint32_t k = p->from; k < p->to; k++) {
      hm_json *v;
      hm_err err = { 0 };
      ptrdiff_t nl = hm_str_find(rest, "\n");
      const hm_row *r = &s->view->snap->rows[s->view->by_bytes[k]];
      assert_true(nl > 0);
      if (hm_json_parse(s->a, hm_str_sub(rest, 0, (size_t)nl), &v, &err))
        fail_msg("%s: %.*s", err.why, (int)nl, rest.p);
      assert_true(hm_str_eq(hm_json_get(v, "id")->text, r->id));
      n += assert_on_page(v, HM_EMPTY, page, s->a);
      rest = hm_str_sub(rest, (size_t)nl + 1, rest.n);
      rows++;
    }
    assert_int_equal(rest.n, 0);
  }
  for (uint32_t i = 0; i < s->view->snap->n_rows; i++) listed += hm_view_listed(s->view, i);
  assert_int_equal(rows, listed);
  return n;
}

static hm_str example(hm_arena *a) {
  static const char *const files[] = { "1-projects", "2-interferometer", "3-gigalink", "4-polisher",
                                       "5-people" };
  hm_buf b = { 0 };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    FILE *f = fopen(hm_str_fmt(a, "site-example/facts/%s.jsonl", files[i]).p, "r");
    assert_non_null(f);
    for (int c; (c = getc(f)) != EOF;) hm_buf_ch(&b, (char)c);
    fclose(f);
  }
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

static void what_pages_show_and_nothing_else(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_view_options cut = plain;
  cut.list_limit = 2;
  cut.value_limit = 20;
  help_site s = help_site_of(hm_str_c(FACTS), &plain), e = help_site_of(example(a), &plain),
            c = help_site_of(example(a), &cut);
  assert_true(compare_pages(&s) > 30);
  assert_true(compare_pages(&e) > 300);
  assert_true(compare_pages(&c) > 300);
  help_site_done(&s);
  help_site_done(&e);
  help_site_done(&c);
  hm_arena_free(a);
}

/* --- left out ------------------------------------------------------------------------ */

static const char SECRETS[] = LINE({ "kind" : "project", "id" : "p1" })
    LINE({ "kind" : "project", "id" : "zulu", "name" : "ZULUNAME" }) LINE({
      "kind" : "project_state",
      "id" : "z1",
      "project" : "zulu",
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
      "id" : "zulum1",
      "memory_type" : "knowledge",
      "project" : "p1",
      "content" : "colour is ZULURED",
      "tags" : ["private"],
      "source_refs" : ["ZULUSOURCE"]
    }) LINE({
      "kind" : "entity",
      "id" : "e1",
      "project" : "p1",
      "entity_type" : "Lens",
      "name" : "lens",
      "properties" : { "cost" : "ZULUCOST", "mass" : "1 kg" },
      "status" : "superseded",
      "superseded_by" : "zulue2"
    }) LINE({
      "kind" : "entity",
      "id" : "zulue2",
      "project" : "p1",
      "entity_type" : "Zulu",
      "name" : "ZULULENS"
    }) LINE({
      "kind" : "entity",
      "id" : "e3",
      "project" : "p1",
      "entity_type" : "Lens",
      "name" : "candidate",
      "status" : "candidate"
    }) LINE({
      "kind" : "relation",
      "id" : "zulur1",
      "project" : "p1",
      "type" : "USES",
      "from" : "e1",
      "to" : "zulue2"
    }) LINE({
      "kind" : "memory",
      "id" : "m2",
      "memory_type" : "knowledge",
      "project" : "p1",
      "content" : "it became a lens",
      "status" : "graduated",
      "graduated_to" : "entity:zulue2"
    });

static void what_is_left_out_is_in_no_file(void **state) {
  (void)state;
  static const hm_str projects[] = { { "zulu", 4 } }, tags[] = { { "private", 7 } },
                      types[] = { { "Zulu", 4 } }, properties[] = { { "cost", 4 } };
  hm_view_options o = plain;
  o.exclude = (hm_exclude){ .projects = projects,
                            .n_projects = 1,
                            .tags = tags,
                            .n_tags = 1,
                            .types = types,
                            .n_types = 1,
                            .properties = properties,
                            .n_properties = 1 };
  help_site s = help_site_of(hm_str_c(SECRETS), &o);
  hm_str all = help_everything(&s);
  assert_has_not(all, "ZULU");
  assert_has_not(all, "zulu");
  hm_str st = file_at(&s, "data/p1/state.jsonl");
  assert_has(st, "\"disputed\":true,\"field\":\"value\",\"withheld\":\"1 claim withheld\"}]}\n");
  assert_file(
      &s, "data/p1/entities/lens.jsonl",
      FIRST
      "{\"kind\":\"entity\",\"id\":\"e1\",\"type\":\"Lens\",\"name\":\"lens\",\"properties\":[{\"name\":\"mass\",\"value\":\"1 kg\"}],\"status\":\"superseded\","
      "\"superseded_by\":[{\"row\":\"withheld\"}]}\n");
  assert_has(file_at(&s, "data/p1/memories/undated.jsonl"),
             "\"status\":\"graduated\",\"graduated_to\":\"withheld\"}\n");
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_of_each_kind),
    cmocka_unit_test(what_may_overlap_is_told),
    cmocka_unit_test(long_values_are_cut_as_on_the_page),
    cmocka_unit_test(what_pages_show_and_nothing_else),
    cmocka_unit_test(what_is_left_out_is_in_no_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
