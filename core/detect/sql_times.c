/* Times in the tables of rules in SQL: when rows hold, when entities existed.
 *
 * Bounds are those of the built-in rules: a relation without an end ends with its ends, and
 * existence comes from relations and properties. So a rule that compares bounds of two relations
 * does not find two realms in one place if one was gone before the other came.
 * Cost: reads two bounds per cell and, if one of a relation is missing, its ends. */
#include "core/claim/relation.h"
#include "core/claim/world.h"
#include "core/detect/sql_times.h"

hm_sandbox_cell hm_sql_bound_cell(const hm_sql_facts *f, uint32_t row, hm_sql_bound which,
                                  hm_arena *scratch) {
  const hm_row *r = &f->snap->rows[row];
  hm_window w = {
    .from = HM_TIME_MAX, .until = HM_TIME_MIN, .may_from = HM_TIME_MAX, .may_until = HM_TIME_MIN
  };
  const hm_world *world = hm_world_find_by_row(f->snap, f->rules->worlds, row, scratch);
  hm_str from = r->valid_from, until = r->valid_until;
  if (r->layer == HM_RELATION)
    hm_relation_read_bounds(world, r, scratch, scratch, &from, &until);
  hm_window_fault fault = hm_window_parse(world, from, until, f->snap->now, &w);
  if (r->layer == HM_RELATION && f->lives && fault == HM_WINDOW_OK)
    hm_relation_read_window(f->lives, hm_config_relation_kinds(f->rules), row, &w);
  return hm_sandbox_cell_int(which == HM_SQL_CERTAIN_FROM        ? w.from
                                 : which == HM_SQL_CERTAIN_UNTIL ? w.until
                                 : which == HM_SQL_POSSIBLE_FROM ? w.may_from
                                                                 : w.may_until);
}

hm_sandbox_cell hm_sql_existence_cell(const hm_sql_facts *f, uint32_t row, bool until,
                                      hm_arena *a) {
  const hm_existence *x = f->lives ? hm_existence_find(f->lives, row) : NULL;
  const hm_bound *b = hm_existence_bound(x, until);
  if (!b)
    return (hm_sandbox_cell){ .type = HM_CELL_NULL };
  hm_sandbox_cell c = hm_sandbox_cell_text(hm_bound_text(a, b));
  c.temporary = true;
  return c;
}
