/* Bytes as the file of a rule in SQL: header, compilation and a run in the sandbox; and as a
 * mirror.yml in which a rule is switched off and on again. */
#include "core/value/rules.h"
#include "core/detect/sql_rule.h"
#include "gen/mirror/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void run_rule(hm_str text, hm_arena *a) {
  hm_sql_rule r;
  hm_err err;
  hm_project project = { .id = HM_STR("p") };
  hm_row row = { .layer = HM_ENTITY, .status = HM_ACTIVE, .id = HM_STR("e"), .name = HM_STR("n") };
  hm_snapshot snap = { .projects = &project, .n_projects = 1, .rows = &row, .n_rows = 1,
                       .first = { 0, 0, 0, 1, 1, 1 } };
  for (int l = 1; l < 5; l++) hm_row_index_init(&snap.by_id[l], a, 1);
  hm_row_index_add(&snap.by_id[HM_ENTITY], row.id, 0);
  hm_sql_facts facts = { .snap = &snap, .rules = hm_rules_default() };
  hm_sql_result result;
  if (hm_sql_rule_parse(a, text, "rules/x.sql", &r, &err)) return;
  hm_sql_rules rules = { &r, 1 };
  hm_sql_rules_run(&rules, &facts, 1, a, &result);
}

static void switch_rule(hm_str text, hm_arena *a) {
  hm_str off, on;
  hm_err err;
  if (hm_switch_rule_in_config(a, text, "mirror.yml", HM_STR("a/b"), false, &off, &err)) return;
  hm_switch_rule_in_config(a, off, "mirror.yml", HM_STR("a/b"), true, &on, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  hm_arena *a = hm_arena_new();
  hm_str text = hm_str_dup(a, (hm_str){ (const char *)data, n });
  run_rule(text, a);
  switch_rule(text, a);
  hm_arena_free(a);
  return 0;
}
