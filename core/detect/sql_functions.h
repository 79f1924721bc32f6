/* Functions that rules in SQL may call. */
#ifndef HM_SQL_FUNCTIONS_H
#define HM_SQL_FUNCTIONS_H
#include "core/claim/existence.h"
#include "core/store/row.h"
#include "core/store/sandbox.h"

/* Of one sweep. */
typedef struct {
  const hm_snapshot *snap;
  const hm_rules *rules;
  const hm_conflict_rec **conflicts;
  size_t n_conflicts; /* those that are open */
  const hm_finding *findings;
  size_t n_findings; /* of other rules */
  const hm_existences *lives; /* NULL: read where a rule asks for them */
  const hm_sandbox_lookups *lookups; /* snap has some rows only, and asks for more; NULL: all */
} hm_sql_facts;

/* Their ctx is an hm_sql_facts. */
const hm_sandbox_function *hm_sql_functions(size_t *n);
const char *hm_sql_function_name(size_t i); /* NULL after the last */
#endif
