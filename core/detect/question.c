/* The table of questions: question.h. Source: AtoCore's queries. */
#include "core/detect/question.h"

const hm_sql_question hm_sql_questions[] = {
  { "claims", "engineering/claim-unsupported", "Which validation claims does nothing support?",
    "No validation claim is without support." },
  { "decisions", "engineering/decision-on-fallen-assumption",
    "Which decisions rest on an assumption that is superseded, invalid or disputed?",
    "No decision rests on an assumption that fell." },
  { "requirements", "engineering/requirement-unmet",
    "Which requirements does no component satisfy?", "No requirement is unmet." },
};
const size_t hm_n_sql_questions = HM_COUNT(hm_sql_questions);

const hm_sql_question *hm_sql_question_named(hm_str name) {
  for (size_t i = 0; i < hm_n_sql_questions; i++)
    if (hm_str_is(name, hm_sql_questions[i].name)) return &hm_sql_questions[i];
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
