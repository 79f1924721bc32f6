/* Sweeps that are asked for, and the rules that they run. */
#include "core/base/par.h"
#include "core/detect/explain.h"
#include "core/detect/rule_list.h"
#include "core/review/index_update.h"
#include "gen/api/api_impl.h"

enum { LISTED = 100 };   /* of each list of what a sweep found */

static void put_opened(hm_jw *j, const hm_plan *p) {
  size_t n = 0;
  hm_jw_arr(j, "opened");
  for (size_t i = 0; i < p->n && n < LISTED; i++)
    if (p->changes[i].kind == HM_CHANGE_OPEN) hm_jw_str(j, NULL, p->changes[i].rec.id), n++;
  hm_jw_end(j);
}

static void write_sweep(hm_api_call_state *c, const hm_sweep *w, hm_str scope) {
  hm_jw j;
  size_t disputed = 0, findings = 0;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_bool(&j, "recorded", !c->review.dry_run);
  hm_jw_str(&j, "scope", scope.n ? scope : HM_STR("all"));
  put_opened(&j, w->plan);
  hm_jw_arr(&j, "disputed");
  for (size_t i = 0; i < w->plan->n_conflicts; i++)
    if (w->plan->disputes[i] && disputed++ < LISTED)
      hm_jw_str(&j, NULL, w->plan->conflicts[i].id);
  hm_jw_end(&j);
  hm_jw_int(&j, "disputed_count", (int64_t)disputed);
  hm_jw_arr(&j, "findings");
  for (size_t i = 0; i < w->n_findings; i++)
    if (!w->findings[i].acked && findings++ < LISTED) hm_finding_json(&j, &w->findings[i]);
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)findings);
  hm_jw_int(&j, "acknowledged", (int64_t)w->n_acked);
  hm_jw_bool(&j, "cut", disputed > LISTED || findings > LISTED || w->plan->opened > LISTED);
  hm_jw_end(&j);
}

int hm_api_sweep(hm_api_call_state *c, hm_err *err) {
  bool given;
  hm_str scope = hm_pair_value(c->q->query, c->q->n_query, "scope", &given);
  hm_sweep w;
  hm_sweep_options opt = { .rules = c->api->opt.rules,
                           .threads = hm_par_cores(),
                           .record = !c->review.dry_run,
                           .who = c->review.who };
  if (given && hm_sweep_scope_check(scope, err)) return hm_err_at_field(err, HM_STR("scope"));
  if (given && !hm_str_is(scope, "all")) opt.scope = scope;
  int rc = opt.record ? hm_sweep_and_index(c->store, &opt, c->a, &w, err)
                      : hm_sweep_run_all(c->store, &opt, c->a, &w, err);
  if (rc) return opt.scope.n ? hm_err_at_field(err, HM_STR("scope")) : -1;
  write_sweep(c, &w, opt.scope);
  hm_sweep_free(&w);
  return 0;
}

int hm_api_list_rules(hm_api_call_state *c, hm_err *err) {
  const hm_rules *rules = c->api->opt.rules;
  hm_listed_rule *v;
  size_t n;
  hm_jw j;
  if (hm_rule_list(rules, c->store, c->a, &v, &n, err)) return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_arr(&j, "rules");
  for (size_t i = 0; i < n; i++) {
    hm_jw_obj(&j, NULL);
    hm_listed_rule_json(&j, rules, &v[i]);
    hm_jw_end(&j);
  }
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)n);
  hm_jw_end(&j);
  return 0;
}
