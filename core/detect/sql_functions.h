/* Functions that rules in SQL may call. */
#ifndef HM_SQL_FUNCTIONS_H
#define HM_SQL_FUNCTIONS_H
#include "core/store/row.h"
#include "core/store/sandbox.h"

/* Their ctx is an hm_sql_facts. */
const hm_sandbox_function *hm_sql_functions(size_t *n);
const char *hm_sql_function_name(size_t i);   /* NULL after the last */
#endif
