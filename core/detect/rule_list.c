/* Lists the rules of a mirror for people, and the questions that rules answer: rule_list.h. Source
 * of the questions: AtoCore's queries. */
#include "core/detect/rule_list.h"
#include "core/store/store.h"

static int add_verdicts(hm_store *s, hm_listed_rule *v, size_t n, hm_arena *a, hm_err *err) {
  hm_rule_verdicts *said;
  size_t n_said;
  if (hm_store_rule_verdicts(s, a, &said, &n_said, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n_said; k++)
      if (hm_str_eq(v[i].id, said[k].rule)) {
        v[i].settled = said[k].settled;
        v[i].dismissed = said[k].dismissed;
      }
  return 0;
}

int hm_rule_list(const hm_rules *rules, hm_store *s, hm_arena *a, hm_listed_rule **out, size_t *n,
                 hm_err *err) {
  const hm_rule_table *t = hm_config_rule_table(rules);
  size_t n_sql = rules->sql ? rules->sql->n : 0;
  hm_listed_rule *v = hm_alloc_array(a, t->n + n_sql, sizeof *v);
  *n = 0;
  for (size_t i = 0; i < t->n; i++)
    v[(*n)++] = (hm_listed_rule){ .built_in = &t->rules[i], .id = hm_str_c(t->rules[i].name) };
  for (size_t i = 0; i < n_sql; i++)
    v[(*n)++] = (hm_listed_rule){ .sql = &rules->sql->rules[i], .id = rules->sql->rules[i].id };
  for (size_t i = 0; i < *n; i++)
    v[i].off = hm_rule_is_off(rules, v[i].id);
  *out = v;
  return s ? add_verdicts(s, v, *n, a, err) : 0;
}

hm_str hm_listed_rule_severity(const hm_rules *rules, const hm_listed_rule *r) {
  hm_str set = hm_rules_severity(rules, r->id);
  if (set.n)
    return set;
  return hm_str_c(hm_severity_name(r->sql ? r->sql->severity : r->built_in->severity));
}

const char *hm_listed_rule_source(const hm_listed_rule *r) {
  return r->built_in ? "built in" : r->sql->shipped ? "shipped" : r->sql->file;
}

hm_str hm_listed_rule_description(const hm_listed_rule *r) {
  return r->sql ? r->sql->description : hm_str_c(r->built_in->says);
}

const char *hm_listed_rule_yields(const hm_listed_rule *r) {
  return r->built_in && r->built_in->yields == HM_YIELDS_CONFLICT ? "conflict" : "finding";
}

void hm_listed_rule_json(hm_jw *j, const hm_rules *rules, const hm_listed_rule *r) {
  hm_jw_str(j, "id", r->id);
  hm_jw_str(j, "severity", hm_listed_rule_severity(rules, r));
  hm_jw_bool(j, "on", !r->off);
  hm_jw_str(j, "source", hm_str_c(hm_listed_rule_source(r)));
  hm_jw_str(j, "yields", hm_str_c(hm_listed_rule_yields(r)));
  hm_jw_str(j, "kind", hm_str_c(r->sql ? r->sql->kind : r->built_in->kind));
  hm_jw_str(j, "description", hm_listed_rule_description(r));
  hm_jw_int(j, "settled", r->settled);
  hm_jw_int(j, "dismissed", r->dismissed);
  if (!r->sql)
    return;
  hm_jw_arr(j, "reads");
  for (size_t i = 0; i < HM_SQL_TABLES; i++)
    if (r->sql->reads >> i & 1)
      hm_jw_str(j, NULL, hm_str_c(hm_sql_table_name(i)));
  hm_jw_end(j);
  hm_jw_str_or_null(j, "section", r->sql->section);
}

/* --- questions that rules answer ------------------------------------------------------- */

const hm_sql_question hm_sql_questions[] = {
  { "claims", "engineering/claim-unsupported", "Which validation claims does nothing support?",
    "No validation claim is without support." },
  { "decisions", "engineering/decision-on-fallen-assumption",
    "Which decisions rest on an assumption that is superseded, invalid, disputed or flagged?",
    "No decision rests on an assumption that fell." },
  { "requirements", "engineering/requirement-unmet",
    "Which requirements does no component satisfy?", "No requirement is unmet." },
};
const size_t hm_n_sql_questions = HM_COUNT(hm_sql_questions);

const hm_sql_question *hm_sql_question_named(hm_str name) {
  for (size_t i = 0; i < hm_n_sql_questions; i++)
    if (hm_str_is(name, hm_sql_questions[i].name))
      return &hm_sql_questions[i];
  return NULL;
}

const hm_sql_rules *hm_sql_question_rules(const hm_sql_question *q, const hm_sql_rules *rules,
                                          hm_arena *a, hm_err *err) {
  const hm_sql_rule *r = hm_sql_rule_named(rules, hm_str_c(q->rule));
  if (!r) {
    hm_fail(err, HM_E_STATE, q->name, "the rule that answers it is not there", q->rule);
    return NULL;
  }
  hm_sql_rules *one = hm_alloc(a, sizeof *one);
  one->rules = hm_alloc(a, sizeof *one->rules);
  one->rules[one->n++] = *r;
  one->rules->off = false;
  return one;
}
