/* A rule that no table ships: its claims are its own, of relations, under another key, of another
 * kind. */
#ifndef CORE_DETECT_TWO_WHOLES_H
#define CORE_DETECT_TWO_WHOLES_H
#include "core/detect/conflict.h"
#include "core/detect/rule.h"

static const hm_window ALWAYS = { .from = HM_TIME_MIN, .until = HM_TIME_MAX };

static bool is_part(const hm_row *r) { return hm_str_is(r->type, "PART_OF"); }

static void find_two_wholes(const hm_scope *s, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  bool *done = hm_alloc_array(s->scratch, s->n_rows, sizeof *done);
  for (size_t i = 0; i < s->n_rows; i++) {
    const hm_row *first = &s->snap->rows[s->rows[i]];
    const hm_claim **claims = hm_alloc_array(s->scratch, s->n_rows, sizeof *claims);
    hm_party_pair *pairs = hm_alloc_array(s->scratch, s->n_rows * s->n_rows, sizeof *pairs);
    size_t n = 0, n_pairs = 0;
    for (size_t k = i; k < s->n_rows && !done[i] && is_part(first); k++) {
      const hm_row *r = &s->snap->rows[s->rows[k]];
      if (!is_part(r) || r->status != HM_ACTIVE || !hm_str_eq(r->from, first->from)) continue;
      done[k] = k > i;
      hm_claim *c = hm_alloc(a, sizeof *c);
      *c = (hm_claim){ .row = s->rows[k], .project = r->project, .layer = r->layer,
                       .space = HM_EMPTY, .name = HM_EMPTY, .field = HM_STR("to"),
                       .compare = HM_EMPTY, .stands = HM_TIME_MIN,
                       .value = { .kind = HM_V_TEXT, .raw = r->to, .norm = r->to, .key = r->to },
                       .when = &ALWAYS };
      for (uint32_t j = 0; j < n; j++)
        if (!hm_str_eq(claims[j]->value.raw, r->to))
          pairs[n_pairs++] = (hm_party_pair){ j, (uint32_t)n };
      claims[n++] = c;
    }
    hm_str key = hm_str_fmt(a, "[\"%.*s\",\"whole\",\"%.*s\"]",
                            HM_FMT(s->snap->projects[first->project].id), HM_FMT(first->from));
    hm_found_add_conflict(out, s, key, claims, n, pairs, n_pairs);
  }
}

static const hm_rule RULES[] = {
  { .name = "two-wholes", .version = 3, .yields = HM_YIELDS_CONFLICT,
    .severity = HM_SEVERITY_WARN, .kind = "two_wholes", .says = "a part has one whole.",
    .by = HM_BY_WORLD, .layers = HM_IN(HM_RELATION), .world = "any two relations may share a part",
    .columns = HM_COL_FROM | HM_COL_TO | HM_COL_CREATED, .find = find_two_wholes },
};
static const hm_rule_table TABLE = { RULES, 1 };

static hm_rules rules(void) {
  hm_rules r = *hm_rules_default();
  r.table = &TABLE;
  return r;
}
#endif
