/* The rules of a mirror: its files of SQL.
 *
 * A bad file is an error that names its line, as in mirror.yml. An error in a rule's SQL is
 * reported when the rule runs, and stops no other rule. */
#include <stdlib.h>
#include <string.h>

#include "core/detect/rule.h"
#include "core/detect/sql_rule.h"
#include "gen/mirror/config.h"
#include "gen/mirror/files.h"
#include "gen/render/builtin.h"

/* --- files of rules --------------------------------------------------------------------- */

static int by_id(const void *x, const void *y) {
  const hm_sql_rule *a = x, *b = y;
  int c = hm_str_cmp(a->id, b->id);
  return c ? c : a->shipped - b->shipped;
}

static int read_all(hm_arena *a, const hm_folder *own, hm_sql_rules *out, hm_err *err) {
  static const char folder[] = "site-example/rules/";
  out->rules = hm_alloc_array(a, hm_n_rule_files + own->n, sizeof *out->rules);
  for (size_t i = 0; i < own->n; i++) {
    if (!hm_str_ends(own->v[i].name, ".sql"))
      continue;
    const char *file = HM_CAT(a, HM_STR("rules/"), own->v[i].name).p;
    if (hm_sql_rule_parse(a, own->v[i].bytes, file, &out->rules[out->n++], err))
      return err->code = HM_E_USAGE, -1;
  }
  for (size_t i = 0; i < hm_n_rule_files; i++) {
    hm_str text = { hm_rule_files[i].bytes, hm_rule_files[i].n };
    hm_sql_rule *r = &out->rules[out->n++];
    if (hm_sql_rule_parse(a, text, hm_rule_files[i].path + sizeof folder - 1, r, err))
      return -1;
    r->shipped = true;
  }
  return 0;
}

/* Sorts by id and removes repeats: a file of the mirror replaces a shipped one. The id of a
 * built-in rule is an error. */
static int order(hm_sql_rules *rules, hm_err *err) {
  size_t kept = 0;
  for (size_t i = 0; i < rules->n; i++)
    if (hm_rule_named(hm_config_rule_table(NULL), rules->rules[i].id))
      return hm_failf(err, HM_E_USAGE, rules->rules[i].file, "give it another id",
                      "its id '%.64s' is that of a built-in rule", rules->rules[i].id.p);
  if (rules->n)
    qsort(rules->rules, rules->n, sizeof *rules->rules, by_id);
  for (size_t i = 0; i < rules->n; i++) {
    const hm_sql_rule *last = kept ? &rules->rules[kept - 1] : NULL;
    if (!last || !hm_str_eq(last->id, rules->rules[i].id))
      rules->rules[kept++] = rules->rules[i];
    else if (!rules->rules[i].shipped)
      return hm_failf(err, HM_E_USAGE, rules->rules[i].file, "give one of them another id",
                      "its id is that of %.300s, too", last->file);
  }
  rules->n = kept;
  return 0;
}

static int load(hm_arena *a, const hm_folder *own, const hm_rules *config, hm_sql_rules **out,
                hm_err *err) {
  hm_sql_rules *rules = hm_alloc(a, sizeof *rules);
  if (read_all(a, own, rules, err) || order(rules, err))
    return -1;
  for (size_t i = 0; i < rules->n && config; i++) {
    hm_sql_rule *r = &rules->rules[i];
    r->off = hm_rule_is_off(config, r->id);
    hm_severity_parse(hm_rules_severity(config, r->id), &r->severity);
  }
  *out = rules;
  return 0;
}

int hm_rule_files_load(hm_arena *a, const char *folder, const hm_rules *config, hm_sql_rules **out,
                       hm_err *err) {
  static const hm_folder_limits limits = { "rules", HM_SQL_RULES_MAX,
                                           HM_SQL_RULES_MAX * (size_t)HM_SQL_RULE_MAX };
  hm_folder own;
  if (hm_folder_read(a, folder, false, false, &limits, &own, err))
    return err->code = HM_E_USAGE, -1;
  return load(a, &own, config, out, err);
}

const char *hm_rule_file_path(hm_arena *a, const char *folder, hm_str id) {
  char *name = hm_str_z(a, HM_CAT(a, id, HM_STR(".sql")));
  for (char *p = name; *p; p++)
    if (*p == '/')
      *p = '-';
  return hm_path_join(a, folder, name);
}
