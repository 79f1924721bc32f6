/* What the files share that choose facts for a model. Floors, lowest first: facts.c, neighbours.c,
 * plan.c. */
#ifndef HM_JUDGE_PLAN_IMPL_H
#define HM_JUDGE_PLAN_IMPL_H
#include "core/claim/judged.h"
#include "core/judge/judge.h"

/* A plan in the making. */
typedef struct {
  const hm_judge_options *opt;
  hm_arena *a, *scratch;
  bool *new;           /* by row */
  uint32_t *conflicts; /* by row: how many it was in */
  bool *told;          /* by project: has a new row */
  hm_judge_plan *out;
} hm_judge_planning;

/* Is it an active row that a judge reads? Texts in p->scratch or the row. */
bool hm_judge_is_readable(hm_judge_planning *p, uint32_t row, hm_judged_row *out);
/* May it be sent? Else counts it as hidden, or as a secret. */
bool hm_judge_may_send(hm_judge_planning *p, uint32_t row, const hm_judged_row *j);
/* The fact of a row, with its digest, in p->a. */
hm_judge_fact hm_judge_fact_of(hm_judge_planning *p, uint32_t row, const hm_judged_row *j);
/* Gives each a unique label, without moving them. */
void hm_judge_facts_label(hm_judge_fact *facts, size_t n);

/* Adds the stories of neighbours.c to the plan. */
void hm_judge_plan_neighbours(hm_judge_planning *p);
#endif
