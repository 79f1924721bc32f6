/* The facts of a sweep that rules in SQL read, and times of their rows: when a row holds, when an
 * entity existed. */
#ifndef HM_SQL_TIMES_H
#define HM_SQL_TIMES_H
#include "core/claim/existence.h"
#include "core/record/row.h"
#include "core/sqlite/sandbox.h"

/* The facts of one sweep. */
typedef struct {
  const hm_snapshot *snap;
  const hm_rules *rules;
  const hm_conflict_rec **conflicts;
  size_t n_conflicts; /* open ones */
  const hm_finding *findings;
  size_t n_findings;          /* of other rules */
  const hm_existences *lives; /* NULL: unknown */
} hm_sql_facts;

typedef enum {
  HM_SQL_CERTAIN_FROM,
  HM_SQL_CERTAIN_UNTIL,
  HM_SQL_POSSIBLE_FROM,
  HM_SQL_POSSIBLE_UNTIL
} hm_sql_bound;

/* One bound of a row's window; a relation's is limited by its ends (core/claim/relation.h). */
hm_sandbox_cell hm_sql_bound_cell(const hm_sql_facts *f, uint32_t row, hm_sql_bound which,
                                  hm_arena *scratch);
/* When an entity's existence begins or ends, as text in a; NULL if not known. */
hm_sandbox_cell hm_sql_existence_cell(const hm_sql_facts *f, uint32_t row, bool until, hm_arena *a);
#endif
