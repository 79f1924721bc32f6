/* What the rules by row and by reference ask of rows of one layer and type.
 *
 * Which rules want a row hangs on its layer and type alone, and rows of one type mostly share its
 * text: so the table is read once for each type that comes by, not once a row. */
#include "core/detect/rule_asked.h"

#include "core/detect/rule_graph.h"

static bool are_asked_together(const hm_asked *last, const hm_rule *rule) {
  return last->rule + last->n == rule && rule->asked_together && last->rule->asked_together &&
      rule->find == last->rule->find;
}

static void read_table(const hm_askings *x, const hm_row *row, hm_asked_of_type *of) {
  if (!of->rules) of->rules = hm_alloc_array(x->a, x->table->n, sizeof *of->rules);
  of->layer = row->layer;
  of->type = row->type;
  of->n = 0;
  for (size_t i = 0; i < x->table->n; i++) {
    const hm_rule *rule = &x->table->rules[i];
    if (!x->wanted[i] || !hm_rule_wants(rule, row)) continue;
    if (of->n && are_asked_together(&of->rules[of->n - 1], rule)) of->rules[of->n - 1].n++;
    else
      of->rules[of->n++] =
          (hm_asked){ rule, 1, rule->by == HM_BY_REF, hm_rule_references(rule, row) };
  }
}

const hm_asked_of_type *hm_asked_of(hm_askings *x, const hm_row *row) {
  size_t at = ((uintptr_t)row->type.p >> 2 ^ (size_t)row->layer) % HM_TYPES_KEPT;
  hm_asked_of_type *of = &x->kept[at];
  if (!of->rules || of->layer != row->layer || of->type.p != row->type.p ||
      of->type.n != row->type.n)
    read_table(x, row, of);
  return of;
}
