/* Times in the tables of rules in SQL: when a row holds, and when an entity existed. */
#ifndef HM_SQL_TIMES_H
#define HM_SQL_TIMES_H
#include "core/detect/sql_functions.h"

typedef enum {
  HM_SQL_CERTAIN_FROM,
  HM_SQL_CERTAIN_UNTIL,
  HM_SQL_POSSIBLE_FROM,
  HM_SQL_POSSIBLE_UNTIL
} hm_sql_bound;

/* One bound of a row's window, of a relation with its end (core/claim/relation.h). */
hm_sandbox_cell hm_sql_bound_cell(const hm_sql_facts *f, uint32_t row, hm_sql_bound which,
                                  hm_arena *scratch);
/* When an entity's existence begins or ends, as text in a; NULL where nobody says. */
hm_sandbox_cell hm_sql_existed_cell(const hm_sql_facts *f, uint32_t row, bool until, hm_arena *a);
/* Appends what the bounds of a row are read from, besides now, the kinds of relations and the
 * calendars: equal bytes, equal bounds. */
void hm_sql_bound_bytes(const hm_sql_facts *f, uint32_t row, hm_arena *scratch, hm_buf *out);
#endif
