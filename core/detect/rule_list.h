/* The rules of a mirror for people: built in, shipped, or the user's own in SQL, each with the
 * number of verdicts on its conflicts. */
#ifndef HM_RULE_LIST_H
#define HM_RULE_LIST_H
#include "core/base/json.h"
#include "core/detect/sql_rule.h"

/* A built-in rule or a rule in SQL. */
typedef struct {
  const hm_rule *built_in;
  const hm_sql_rule *sql;
  hm_str id;
  bool off;
  int64_t settled, dismissed; /* number of its conflicts */
} hm_listed_rule;

/* All rules, built in ones first, in a; borrows from rules. s: the store whose verdicts are
 * counted, or NULL. Errors: HM_E_STORE. */
int hm_rule_list(const hm_rules *rules, hm_store *s, hm_arena *a, hm_listed_rule **out, size_t *n,
                 hm_err *err);
/* "warn": from the config, else the rule's. */
hm_str hm_listed_rule_severity(const hm_rules *rules, const hm_listed_rule *r);
/* "built in", "shipped", or its file. */
const char *hm_listed_rule_source(const hm_listed_rule *r);
hm_str hm_listed_rule_description(const hm_listed_rule *r);
/* "conflict" or "finding". */
const char *hm_listed_rule_yields(const hm_listed_rule *r);
/* Writes its members into an open object: id, severity, on, source, yields, kind, description,
 * settled, dismissed; for a rule in SQL also reads and section. */
void hm_listed_rule_json(hm_jw *j, const hm_rules *rules, const hm_listed_rule *r);

/* A question that engineers ask of a project, answered by a rule in SQL. */
typedef struct {
  const char *name, *rule, *question, *none;
} hm_sql_question;
extern const hm_sql_question hm_sql_questions[];
extern const size_t hm_n_sql_questions;
/* Returns NULL if there is none of that name. */
const hm_sql_question *hm_sql_question_named(hm_str name);
/* Only its rule, enabled, for a sweep that answers the question; in a. NULL if the mirror has no
 * such rule. */
const hm_sql_rules *hm_sql_question_rules(const hm_sql_question *q, const hm_sql_rules *rules,
                                          hm_arena *a, hm_err *err);
#endif
