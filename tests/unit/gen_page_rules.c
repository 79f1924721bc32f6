/* A conflict of a rule of another kind has a page, a title, a marker and an explanation. */
#include "tests/unit/core_detect_two_wholes.h"
#include "tests/unit/gen_page_help.h"

static const char FACTS[] =
    "{\"kind\":\"project\",\"id\":\"p\"}\n"
    "{\"kind\":\"entity\",\"id\":\"leg\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\"}\n"
    "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"PART_OF\",\"project\":\"p\",\"from\":\"leg\",\"to\":\"frame\"}\n"
    "{\"kind\":\"relation\",\"id\":\"r2\",\"type\":\"PART_OF\",\"project\":\"p\",\"from\":\"leg\",\"to\":\"base\"}\n";

static void has(hm_str page, const char *text) {
  if (hm_str_find(page, text) < 0) fail_msg("no '%s' in:\n%.*s", text, HM_FMT(page));
}

static void a_rule_of_another_kind_has_a_page(void **unused) {
  (void)unused;
  hm_rules r = rules();
  hm_view_options opt = { 0 };
  help_site s = help_site_by(hm_str_c(FACTS), &opt, &r);
  assert_int_equal(s.sweep->plan->n_conflicts, 1);
  hm_str path = hm_view_conflict_path(s.view, &s.sweep->plan->conflicts[0], s.a);
  hm_str page = help_page(&s, hm_str_z(s.a, path));
  has(page, "Rule two-wholes/3: a part has one whole.");
  has(page, "# Whole: leg\n");
  has(page, "- **frame**\n  - [Recorded relation](");
  has(page, "relation:r2 (trust 2) claims in its field to: \"base\"");
  has(page, "--winner relation:r1");
  hm_str relations = help_page(&s, "projects/p/relations.md");
  hm_str marker =
      hm_str_fmt(s.a, "**to:** base [⚠ disputed](../../%.*s)", HM_FMT(path));
  has(relations, hm_str_z(s.a, marker));
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_rule_of_another_kind_has_a_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
