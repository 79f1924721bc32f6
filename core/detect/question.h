/* Questions that engineers ask of a project, each answered by a rule in SQL. */
#ifndef HM_QUESTION_H
#define HM_QUESTION_H
#include "core/detect/sql_rule.h"

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
