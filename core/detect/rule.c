/* Rules and severities by their names: rule.h. */
#include "core/detect/rule.h"

static const char *const SEVERITIES[] = { "info", "warn", "error" };

const char *hm_severity_name(hm_severity s) { return SEVERITIES[s]; }

bool hm_severity_parse(hm_str name, hm_severity *out) {
  for (int s = HM_SEVERITY_INFO; s <= HM_SEVERITY_ERROR; s++)
    if (hm_str_is(name, SEVERITIES[s])) return *out = (hm_severity)s, true;
  return false;
}

const hm_rule *hm_rule_named(const hm_rule_table *t, hm_str name) {
  for (size_t i = 0; i < t->n; i++)
    if (hm_str_is(name, t->rules[i].name)) return &t->rules[i];
  return NULL;
}
