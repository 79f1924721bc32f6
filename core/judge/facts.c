/* Rows as facts for a model: which may be sent, what a fact says, its label, the order of facts.
 * For plan.c and neighbours.c, which choose them. */
#include <stdlib.h>

#include "core/base/credential.h"
#include "core/base/digest.h"
#include "core/judge/plan_impl.h"
#include "core/recall/alike.h"

/* --- rows ------------------------------------------------------------------------------ */

bool hm_judge_is_readable(hm_judge_planning *p, uint32_t row, hm_judged_row *out) {
  const hm_row *r = &p->opt->snap->rows[row];
  return r->status == HM_ACTIVE && hm_judged_row_read(r, p->scratch, out);
}

bool hm_judge_may_send(hm_judge_planning *p, uint32_t row, const hm_judged_row *j) {
  const hm_row *r = &p->opt->snap->rows[row];
  hm_credential secret;
  if (p->opt->may_send && !p->opt->may_send(p->opt->ctx, row, j->field)) {
    p->out->hidden++;
    return false;
  }
  bool live = hm_credential_find(HM_EMPTY, j->text, &secret) ||
      hm_credential_find(r->layer == HM_STATE ? r->name : j->field, j->value, &secret);
  p->out->secrets += live;
  return !live;
}

/* Who says it, where that may be sent. */
static hm_str from_of(hm_judge_planning *p, uint32_t row) {
  const hm_judge_options *opt = p->opt;
  const hm_row *r = &opt->snap->rows[row];
  bool agent = r->agent.n && !hm_row_file_line(r, p->scratch).n;
  hm_str field = hm_str_c(agent ? "agent" : "source_refs");
  bool may = !opt->may_send || opt->may_send(opt->ctx, row, field);
  return may ? hm_str_dup(p->a, hm_alike_said_by(opt->snap, row, p->scratch)) : HM_EMPTY;
}

hm_judge_fact hm_judge_fact_of(hm_judge_planning *p, uint32_t row, const hm_judged_row *j) {
  const hm_snapshot *snap = p->opt->snap;
  const hm_row *r = &snap->rows[row];
  hm_precision precision;
  hm_judge_fact f = { .ref = hm_row_ref(p->a, r),
                      .digest = hm_judged_digest(r, j, p->a),
                      .written = HM_TIME_MIN,
                      .scope = r->scope,
                      .type = r->type,
                      .from = from_of(p, row),
                      .text = hm_str_dup(p->a, j->text),
                      .conflicts = p->conflicts[row],
                      .trigger = p->new[row] };
  hm_time_parse(r->created_at, &f.written, &precision);
  return f;
}

/* --- the order ---------------------------------------------------------------------- */

static int by_time(const void *x, const void *y) {
  const hm_judge_fact *a = x, *b = y;
  if (a->written != b->written)
    return a->written < b->written ? -1 : 1;
  return hm_str_cmp(a->ref, b->ref);
}

int hm_judge_fact_order_at(const void *x, const void *y, void *facts) {
  const hm_judge_fact *v = facts;
  return by_time(&v[*(const uint32_t *)x], &v[*(const uint32_t *)y]);
}

void hm_judge_facts_label(hm_judge_fact *facts, size_t n) {
  hm_arena *a = hm_arena_new();
  hm_map taken;
  hm_map_init(&taken, a, n);
  for (size_t i = 0; i < n; i++) {
    size_t had = taken.n;
    for (uint32_t number = 0; taken.n == had; number++) {
      /* The label is made from the reference, so that a fact has the same in every story; the
       * number is raised where two would share one. */
      hm_str said = hm_str_fmt(a, "%.*s\n%u", HM_FMT(facts[i].ref), number);
      memcpy(facts[i].label, hm_str_digest_hex(a, said, HM_JUDGE_LABEL).p, HM_JUDGE_LABEL + 1);
      hm_map_add(&taken, hm_str_dup(a, hm_str_c(facts[i].label)), 0);
    }
  }
  hm_arena_free(a);
}

void hm_judge_facts_order(hm_judge_fact *facts, size_t n) {
  if (n)
    qsort(facts, n, sizeof *facts, by_time);
  hm_judge_facts_label(facts, n);
}
