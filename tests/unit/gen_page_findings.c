/* The pages of findings: their order, what stands apart, and how long lists are cut. */
#include "tests/unit/gen_page_help.h"

#define ENTITY(id, name)                                                                           \
  "{\"kind\":\"entity\",\"id\":\"" id                                                              \
  "\",\"project\":\"p\",\"entity_type\":\"Lord\",\"name\":\"" name "\"}\n"
#define RELATION(id, from, more)                                                                   \
  "{\"kind\":\"relation\",\"id\":\"" id "\",\"project\":\"p\",\"type\":\"RULES\",\"from\":\"" from \
  "\",\"to\":\"a\"" more "}\n"

static help_site site_of(const char *lines, size_t limit, const hm_exclude *hides) {
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = limit };
  if (hides) opt.exclude = *hides;
  return help_site_of(hm_str_c(lines), &opt);
}

/* True if the texts stand in this order. */
static bool in_order(hm_str text, const char *const *parts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    ptrdiff_t at = hm_str_find(text, parts[i]);
    if (at < 0) return false;
    text = hm_str_sub(text, (size_t)at + 1, text.n);
  }
  return true;
}

static const char lines[] = ENTITY("a", "Ann") ENTITY("b", "<b>Bob</b> | [x](y)")
    RELATION("r1", "b", ",\"valid_from\":\"2020\",\"valid_until\":\"2010\"")
        RELATION("r2", "stranger", "") RELATION("r3", "str*anger*", "");

static void one_page_shows_all(void **state) {
  static const char *const order[] = { "## Warnings",
                                       "### A bound is no time, or a window ends before it begins\n",
                                       "](../projects/p/relations.md#relation-r1)",
                                       "- What to do: correct the row that is wrong, or `hmirror "
                                       "findings ack f",
                                       "By the rule row/window.",
                                       "## References that lead nowhere",
                                       "### A reference leads nowhere\n",
                                       "](../projects/p/relations.md#relation-r2)",
                                       "](../projects/p/relations.md#relation-r3)" };
  (void)state;
  help_site s = site_of(lines, 500, NULL);
  hm_str md = help_page(&s, "findings/README.md");
  if (!in_order(md, order, HM_COUNT(order))) fail_msg("not in order:\n%.*s", HM_FMT(md));
  assert_has(md, "str\\*anger\\*");
  assert_has_not(md, "All 2");
  assert_has(help_page(&s, "projects/p/README.md"), "## What we do not know\n\n- stranger RULES Ann: from names stranger");
  assert_has(help_everything(&s), "findings.json{\"findings\":[\n{\"id\":\"f");
  help_site_done(&s);
}

/* A finding says what it is about where its message does not. */
static void a_finding_has_a_subject(void **state) {
  static const char facts[] = ENTITY("a", "Ann") ENTITY("c", "Kim") RELATION("r2", "stranger", "")
      "{\"kind\":\"memory\",\"id\":\"m\",\"project\":\"p\",\"memory_type\":\"knowledge\","
      "\"content\":\"The keep is old.\",\"valid_from\":\"2020\",\"valid_until\":\"2010\"}\n"
      "{\"kind\":\"relation\",\"id\":\"r4\",\"project\":\"p\",\"type\":\"PARENT_OF\","
      "\"from\":\"c\",\"to\":\"c\"}\n";
  (void)state;
  help_site s = site_of(facts, 500, NULL);
  hm_str md = help_page(&s, "findings/README.md");
  assert_has(md, "</a>stranger RULES Ann: from names stranger, ");
  assert_has(md, "About: [stranger RULES Ann](../projects/p/relations.md#relation-r2)");
  assert_has_not(md, "relation:r2");
  assert_has_not(md, "relation\\:r2");
  assert_has(md, "</a>The keep is old: valid_until is not after valid_from");
  assert_has(md, "</a>Kim is its own ");
  help_site_done(&s);
}

static void a_long_list_is_cut_by_rule_and_name(void **state) {
  (void)state;
  help_site s = site_of(lines, 1, NULL);
  hm_str md = help_page(&s, "findings/README.md");
  assert_has(md, "- [All 1](row-window.md)");
  assert_has(md, "- [All 2](orphan-from.md)");
  assert_has_not(md, "relations.md#");
  assert_has(help_page(&s, "findings/row-window.md"), "#relation-r1");
  assert_has(help_page(&s, "findings/orphan-from.md"), "](orphan-from/r2.md): 1");
  md = help_page(&s, "findings/orphan-from/r3.md");
  assert_has(md, "Part of the list [Findings](../README.md).");
  assert_has(md, "#relation-r3");
  assert_has_not(md, "#relation-r2");
  help_site_done(&s);
}

/* A finding about a row that is left out tells of it. */
static void what_is_left_out_is_in_no_finding(void **state) {
  static const hm_str knows[] = { HM_STR("rules") };
  (void)state;
  help_site s = site_of(lines, 500, &(hm_exclude){ .types = knows, .n_types = 1 });
  hm_str all = help_everything(&s);
  assert_has_not(all, "stranger");
  assert_has(all, "findings.json{\"findings\":[],\"count\":0}");
  assert_has(help_page(&s, "findings/README.md"), "No rule found a gap.");
  help_site_done(&s);
}

/* A life told by more rows than a finding names: who hides one of the others hides the finding.
 * windows: the relations say when, else the eras that they lead to. */
static void add_long_life(hm_buf *b, bool windows) {
  enum { N = 60, SECRET = 50 };
  hm_buf_c(b, "{\"kind\":\"entity\",\"id\":\"a\",\"project\":\"p\",\"entity_type\":\"Place\","
              "\"name\":\"Keep\"}\n" ENTITY("x", "Xaver"));
  for (int i = 0; i < N; i++) {
    const char *project = i == SECRET ? "hidden" : "p";
    hm_buf_fmt(b,
               "{\"kind\":\"entity\",\"id\":\"e%d\",\"project\":\"%s\",\"entity_type\":\"Era\","
               "\"name\":\"Era %d\",\"properties\":{\"begins\":\"%d\",\"ends\":\"%d\"}}\n"
               "{\"kind\":\"relation\",\"id\":\"d%d\",\"project\":\"p\",\"type\":\"EXISTED_DURING\","
               "\"from\":\"x\",\"to\":\"e%d\"",
               i, project, i, 1000 + 10 * i, 1005 + 10 * i, i, i);
    if (windows)
      hm_buf_fmt(b, ",\"valid_from\":\"%d\",\"valid_until\":\"%d\"", 1000 + 10 * i, 1005 + 10 * i);
    hm_buf_c(b, "}\n");
  }
  hm_buf_c(b, "{\"kind\":\"relation\",\"id\":\"late\",\"project\":\"p\",\"type\":\"LOCATED_IN\","
              "\"from\":\"x\",\"to\":\"a\",\"valid_from\":\"2000\",\"valid_until\":\"2010\"}\n");
}

static void a_finding_of_many_rows_hides_with_each(void **state) {
  static const hm_str hidden[] = { HM_STR("hidden") };
  (void)state;
  for (int windows = 0; windows < 2; windows++) {
    hm_buf b = { 0 };
    add_long_life(&b, windows);
    hm_buf_ch(&b, 0);
    help_site s = site_of(hm_buf_view(&b).p, 500, NULL);
    const hm_finding *f = NULL;
    for (uint32_t i = 0; i < s.view->n_findings; i++)
      if (hm_str_is(s.view->findings[i]->reason, "EXISTED_AFTER")) f = s.view->findings[i];
    assert_non_null(f);
    assert_int_equal(f->n_rows, 40);
    assert_has(f->message, windows ? "(and 23 more rows)" : "(by begins, ends; and 83 more rows)");
    help_site_done(&s);
    s = site_of(hm_buf_view(&b).p, 500,
                &(hm_exclude){ .projects = hidden, .n_projects = 1 });
    assert_has_not(help_everything(&s), "existed-after");
    help_site_done(&s);
    hm_buf_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(one_page_shows_all),
                                      cmocka_unit_test(a_finding_has_a_subject),
                                      cmocka_unit_test(a_long_list_is_cut_by_rule_and_name),
                                      cmocka_unit_test(what_is_left_out_is_in_no_finding),
                                      cmocka_unit_test(a_finding_of_many_rows_hides_with_each) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
