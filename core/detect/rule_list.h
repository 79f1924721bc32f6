/* The rules of a mirror as people see them: built in, shipped, or their own in SQL, each with what
 * people said of its conflicts. */
#ifndef HM_RULE_LIST_H
#define HM_RULE_LIST_H
#include "core/base/json.h"
#include "core/detect/sql_rule.h"

/* A rule of either sort. */
typedef struct {
  const hm_rule *built_in;
  const hm_sql_rule *sql;
  hm_str id;
  bool off;
  int64_t settled, dismissed;   /* of its conflicts, by people */
} hm_listed_rule;

/* All rules, built in ones first, in a; borrows from rules. s: the store whose verdicts are
 * counted; NULL: there is none. Errors: HM_E_STORE. */
int hm_rule_list(const hm_rules *rules, hm_store *s, hm_arena *a, hm_listed_rule **out, size_t *n,
                 hm_err *err);
/* "warn": as the config has it, else as the rule does. */
hm_str hm_listed_rule_severity(const hm_rules *rules, const hm_listed_rule *r);
/* "built in", "shipped", or its file. */
const char *hm_listed_rule_source(const hm_listed_rule *r);
hm_str hm_listed_rule_description(const hm_listed_rule *r);
/* "conflict" or "finding". */
const char *hm_listed_rule_yields(const hm_listed_rule *r);
/* Writes its members into an open object: id, severity, on, source, yields, kind, description,
 * settled, dismissed; of one in SQL also reads and section. */
void hm_listed_rule_json(hm_jw *j, const hm_rules *rules, const hm_listed_rule *r);

/* A question that engineers ask of a project, answered by a rule in SQL. */
typedef struct {
  const char *name, *rule, *question, *none;
} hm_sql_question;
extern const hm_sql_question hm_sql_questions[];
extern const size_t hm_n_sql_questions;
/* NULL: there is none of that name. */
const hm_sql_question *hm_sql_question_named(hm_str name);
/* Its rule alone, on, for a sweep that answers it; in a. NULL: the mirror has no such rule. */
const hm_sql_rules *hm_sql_question_rules(const hm_sql_question *q, const hm_sql_rules *rules,
                                          hm_arena *a, hm_err *err);
#endif
