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
                                       "### row/window",
                                       "A bound is no time, or a window ends before it begins.",
                                       "[r1](../projects/p/relations.md#relation-r1)",
                                       "## What we do not know",
                                       "### orphan/from",
                                       "[r2](../projects/p/relations.md#relation-r2)",
                                       "[r3](../projects/p/relations.md#relation-r3)" };
  (void)state;
  help_site s = site_of(lines, 500, NULL);
  hm_str md = help_page(&s, "findings/README.md");
  if (!in_order(md, order, HM_COUNT(order))) fail_msg("not in order:\n%.*s", HM_FMT(md));
  assert_has(md, "str\\*anger\\*");
  assert_has_not(md, "All 2");
  assert_has(help_page(&s, "projects/p/README.md"), "### What we do not know\n\n- relation\\:r2");
  assert_has(help_everything(&s), "findings.json{\"findings\":[\n{\"id\":\"f");
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

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(one_page_shows_all),
                                      cmocka_unit_test(a_long_list_is_cut_by_rule_and_name),
                                      cmocka_unit_test(what_is_left_out_is_in_no_finding) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
