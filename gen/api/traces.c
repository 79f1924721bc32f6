/* What a change of a row touches, what a row rests on, and questions to a project. Each reads the
 * whole store: one snapshot, or one sweep with one rule in SQL. */
#include <stdlib.h>

#include "core/detect/question.h"
#include "core/detect/trace.h"
#include "gen/api/api_impl.h"

static int read_depth(const hm_api_call_state *c, int *depth, hm_err *err) {
  bool given;
  hm_str text = hm_pair_value(c->q->query, c->q->n_query, "depth", &given);
  long n = given ? strtol(hm_str_z(c->a, text), NULL, 10) : HM_TRACE_DEPTH;
  *depth = (int)n;
  if (n >= 1 && n <= HM_TRACE_DEPTH_MAX) return 0;
  hm_fail(err, HM_E_INPUT, "the address: depth", "out of range", "give 1 to 10");
  return hm_err_at_field(err, HM_STR("depth"));
}

static int write_trace(hm_api_call_state *c, bool evidence, hm_err *err) {
  hm_snapshot *snap;
  hm_trace t;
  hm_jw j;
  uint32_t row;
  int depth;
  if (read_depth(c, &depth, err) || hm_store_snapshot(c->store, c->a, true, &snap, err) ||
      hm_trace_row(snap, c->q->params[0], c->a, &row, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  if (evidence) {
    hm_trace_evidence(snap, row, depth, c->a, &t);
    hm_evidence_json(snap, &t, depth, &j, c->a);
  } else {
    hm_trace_impact(snap, row, depth, c->a, &t);
    hm_impact_json(snap, &t, depth, &j, c->a);
  }
  hm_jw_end(&j);
  return 0;
}

int hm_api_get_impact(hm_api_call_state *c, hm_err *err) { return write_trace(c, false, err); }
int hm_api_get_evidence(hm_api_call_state *c, hm_err *err) { return write_trace(c, true, err); }

static void write_answer(hm_api_call_state *c, const hm_sql_question *q,
                         const hm_sql_result *found) {
  hm_jw j;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "query", hm_str_c(q->name));
  hm_jw_str(&j, "question", hm_str_c(q->question));
  hm_jw_arr(&j, "findings");
  for (size_t i = 0; i < found->n; i++) hm_finding_json(&j, &found->findings[i]);
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)found->n);
  hm_jw_end(&j);
}

int hm_api_get_query(hm_api_call_state *c, hm_err *err) {
  const hm_sql_question *q = hm_sql_question_named(c->q->params[0]);
  hm_rules rules = *c->api->opt.rules;
  hm_sweep w;
  if (!q)
    return hm_fail(err, HM_E_UNKNOWN,
                   hm_str_fmt(c->a, "query '%.60s'", hm_str_z(c->a, c->q->params[0])).p,
                   "there is none", "ask for requirements, decisions or claims");
  rules.sql = hm_sql_question_rules(q, rules.sql, c->a, err);
  const hm_sweep_options opt = { .rules = &rules, .threads = 1, .details = true };
  if (!rules.sql || hm_sweep_run_all(c->store, &opt, c->a, &w, err)) return -1;
  bool failed = w.sql.runs[0].failed;
  if (failed) hm_fail(err, HM_E_STATE, w.sql.runs[0].why, "its rule did not run", "correct it");
  else write_answer(c, q, &w.sql);
  hm_sweep_free(&w);
  return failed ? -1 : 0;
}
