/* Findings: lists, explanations, acknowledgements, flags; sweeps on request, and the rules that
 * they run. One sweep serves all requests about findings until the store changes (pool.c). */
#include <stdlib.h>
#include "core/base/par.h"
#include "core/claim/silence.h"
#include "core/detect/conflict.h"
#include "core/detect/explain.h"
#include "core/detect/rule_list.h"
#include "core/review/finding_review.h"
#include "core/review/report.h"
#include "core/review/supersede.h"
#include "gen/api/api_impl.h"

enum { PAGE_MAX = 1000 };

/* True when the finding is about this row, "kind:id" or an id. */
static bool is_about(const hm_finding *f, hm_str row) {
  bool is = !row.n;
  for (size_t i = 0; i < f->n_rows && !is; i++) {
    ptrdiff_t colon = hm_str_find(f->rows[i], ":");
    is = hm_str_eq(f->rows[i], row) ||
        hm_str_eq(hm_str_sub(f->rows[i], (size_t)colon + 1, f->rows[i].n), row);
  }
  return is;
}

/* Selects the findings that the request asks for, in their order. *acked: of all. */
static int select_findings(hm_api_call_state *c, const hm_answer_source *from,
                           const hm_finding ***out, size_t *n, size_t *acked, hm_err *err) {
  hm_finding_filter f = { .kind = hm_api_param(c, "kind", NULL),
                          .severity = hm_api_param(c, "severity", NULL),
                          .rule = hm_api_param(c, "rule", NULL),
                          .project = hm_api_param(c, "project", NULL),
                          .all = hm_str_is(hm_api_param(c, "all", NULL), "true") };
  hm_str row = hm_api_param(c, "row", NULL), reason = hm_api_param(c, "reason", NULL);
  const hm_finding *all, **v;
  size_t n_all;
  if (hm_answers_findings(from, c->a, &all, &n_all, err) ||
      hm_finding_filter_resolve(&f, c->store, from->rules, c->a, err))
    return -1;
  *out = v = hm_alloc_array(c->a, n_all, sizeof *v);
  *n = *acked = 0;
  for (size_t i = 0; i < n_all; i++) {
    *acked += all[i].acked;
    if (hm_finding_passes(&f, &all[i]) && is_about(&all[i], row) &&
        (!reason.n || hm_str_eq(reason, all[i].reason)))
      v[(*n)++] = &all[i];
  }
  /* Nothing about a row that is not there would read as nothing wrong with it. */
  hm_named_row named;
  bool unknown = row.n && !*n && hm_named_row_find(c->store, row, c->a, &named, err) &&
      err->code == HM_E_UNKNOWN;
  return unknown ? hm_err_at_field(err, HM_STR("row")) : 0;
}

/* Finds the part of n findings that `limit` and `after` ask for. */
static int page_of(const hm_api_call_state *c, const hm_finding *const *v, size_t n, size_t *from,
                   size_t *to, hm_err *err) {
  hm_str limit = hm_api_param(c, "limit", NULL), after = hm_api_param(c, "after", NULL);
  long most = limit.n ? strtol(hm_str_z(c->a, limit), NULL, 10) : 0;
  *from = 0;
  if (limit.n && (most < 1 || most > PAGE_MAX))
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("limit"), "out of range",
                             "give 1 to 1000, or none", err);
  for (size_t i = 0; i < n && after.n; i++)
    if (hm_str_eq(v[i]->id, after))
      *from = i + 1;
  if (after.n && !*from)
    return hm_request_refuse(HM_E_UNKNOWN, "the address", HM_STR("after"),
                             "no finding of the list has this id any more",
                             "begin with the first page again", err);
  *to = limit.n && n - *from > (size_t)most ? *from + (size_t)most : n;
  /* Two findings may share an id: they stay on one page. */
  while (*to > *from && *to < n && hm_str_eq(v[*to]->id, v[*to - 1]->id))
    ++*to;
  return 0;
}

int hm_api_list_findings(hm_api_call_state *c, hm_err *err) {
  hm_answer_source source;
  const hm_finding **v;
  hm_jw j;
  size_t n, acked, from, to = 0;
  bool pending;
  if (hm_api_answer_source(c, &source, &pending, err) ||
      select_findings(c, &source, &v, &n, &acked, err) || page_of(c, v, n, &from, &to, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_arr(&j, "findings");
  for (size_t i = from; i < to; i++) {
    hm_finding_json(&j, v[i]);
    if (c->q->most && c->out.n > 4 * c->q->most)
      to = i + 1; /* fit.c keeps those of one id together */
  }
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)n);
  hm_jw_int(&j, "acknowledged", (int64_t)acked);
  if (pending)
    hm_jw_str(&j, "sweep", HM_STR("pending"));
  if (to < n)
    hm_jw_str(&j, "next", v[to - 1]->id);
  hm_jw_end(&j);
  return 0;
}

int hm_api_explain_finding(hm_api_call_state *c, hm_err *err) {
  const hm_finding *f;
  hm_explanation x;
  const hm_sweep *w;
  hm_jw j;
  if (hm_pool_get_sweep(c->api->pool, c->reader, &w, err))
    return -1;
  int rc = hm_finding_named(w->findings, w->n_findings, c->q->params[0], c->a, &f, err);
  if (!rc) {
    hm_explain_finding(w, f, c->api->opt.rules, c->a, &x);
    hm_jw_init(&j, &c->out, 0);
    hm_jw_obj(&j, NULL);
    hm_jw_str(&j, "id", f->id);
    hm_jw_strs(&j, "lines", x.lines, x.n);
    hm_jw_arr(&j, "findings");
    hm_finding_json(&j, f);
    hm_jw_end(&j);
    hm_jw_end(&j);
  }
  return rc;
}

typedef int review_fn(hm_store *s, const hm_review *r, hm_str about, hm_str reason, hm_arena *a,
                      hm_remark_report *out, hm_err *err);

static int review_finding(hm_api_call_state *c, review_fn *fn, hm_err *err) {
  hm_remark_report report;
  if (fn(c->store, &c->review, c->q->params[0], hm_json_get_text(c->q->body, "reason"), c->a,
         &report, err))
    return -1;
  hm_remark_json(&c->out, &report);
  return 0;
}

int hm_api_confirm(hm_api_call_state *c, hm_err *err) {
  hm_confirm_report report;
  if (hm_review_confirm(c->store, &c->review, c->q->params[0],
                        hm_json_get_text(c->q->body, "reason"), c->a, &report, err))
    return -1;
  hm_confirm_json(&c->out, &report);
  return 0;
}

int hm_api_ack(hm_api_call_state *c, hm_err *err) { return review_finding(c, hm_review_ack, err); }
int hm_api_unack(hm_api_call_state *c, hm_err *err) {
  return review_finding(c, hm_review_unack, err);
}
int hm_api_flag(hm_api_call_state *c, hm_err *err) {
  return review_finding(c, hm_review_flag, err);
}
int hm_api_unflag(hm_api_call_state *c, hm_err *err) {
  return review_finding(c, hm_review_unflag, err);
}

/* --- reports ---------------------------------------------------------------------------------- */

typedef int report_fn(hm_store *s, const hm_review *r, const hm_report_order *o, hm_arena *a,
                      hm_reported *out, hm_err *err);

static int report(hm_api_call_state *c, report_fn *fn, hm_err *err) {
  const hm_json *body = c->q->body;
  hm_reported said;
  hm_str *rows;
  hm_report_order o = { .question = hm_json_get_text(body, "question"),
                        .why = hm_json_get_text(body, "why"),
                        .via = c->q->via,
                        .a_day = c->api->opt.reports_per_day };
  o.n = hm_json_texts(hm_json_get(body, "rows"), c->a, &rows);
  o.rows = rows;
  if (fn(c->store, &c->review, &o, c->a, &said, err))
    return -1;
  hm_reported_json(&c->out, &said);
  return 0;
}

int hm_api_report(hm_api_call_state *c, hm_err *err) { return report(c, hm_review_report, err); }
int hm_api_agree(hm_api_call_state *c, hm_err *err) { return report(c, hm_review_agree, err); }

int hm_api_withdraw(hm_api_call_state *c, hm_err *err) {
  hm_withdrawn said;
  if (hm_review_withdraw(c->store, &c->review, hm_json_get_text(c->q->body, "reporter"),
                         hm_json_get_text(c->q->body, "reason"), c->a, &said, err))
    return -1;
  hm_withdrawn_json(&c->out, &said);
  return 0;
}

/* --- sweeps and rules ------------------------------------------------------------------------- */

enum { LISTED = 100 }; /* of each list of what a sweep found */

static void write_opened(hm_jw *j, const hm_plan *p) {
  size_t n = 0;
  hm_jw_arr(j, "opened");
  for (size_t i = 0; i < p->n && n < LISTED; i++)
    if (p->changes[i].kind == HM_CHANGE_OPEN)
      hm_jw_str(j, NULL, p->changes[i].rec.id), n++;
  hm_jw_end(j);
}

static void write_sweep(hm_api_call_state *c, const hm_sweep *w, hm_str scope) {
  hm_jw j;
  size_t disputed = 0, findings = 0;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_bool(&j, "recorded", !c->review.dry_run);
  hm_jw_str(&j, "scope", scope.n ? scope : HM_STR("all"));
  write_opened(&j, w->plan);
  hm_jw_arr(&j, "disputed");
  for (size_t i = 0; i < w->plan->n_conflicts; i++)
    if (w->plan->disputes[i] && disputed++ < LISTED)
      hm_jw_str(&j, NULL, w->plan->conflicts[i].id);
  hm_jw_end(&j);
  hm_jw_int(&j, "disputed_count", (int64_t)disputed);
  hm_compared_json(
      &j, hm_compared_count(w->snap, w->claims, NULL, NULL, NULL, c->a) + w->snap->n_projects);
  hm_jw_arr(&j, "findings");
  for (size_t i = 0; i < w->n_findings; i++)
    if (!w->findings[i].acked && findings++ < LISTED)
      hm_finding_json(&j, &w->findings[i]);
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)findings);
  hm_jw_int(&j, "acknowledged", (int64_t)w->n_acked);
  hm_jw_bool(&j, "cut", disputed > LISTED || findings > LISTED || w->plan->opened > LISTED);
  hm_jw_end(&j);
}

int hm_api_sweep(hm_api_call_state *c, hm_err *err) {
  bool in_query;
  hm_str scope = hm_api_param(c, "scope", &in_query);
  const hm_json *in_body = hm_json_get(c->q->body, "scope");
  bool in_both = in_query && in_body;
  hm_sweep w;
  hm_sweep_options opt = { .rules = c->api->opt.rules,
                           .threads = hm_par_cores(),
                           .record = !c->review.dry_run,
                           .who = c->review.who };
  if (in_both)
    return hm_request_refuse(HM_E_INPUT, "the body", HM_STR("scope"), "the address has it, too",
                             "give it once", err);
  if (in_body && in_body->type == HM_JSON_STRING)
    scope = in_body->text;
  else if (!in_query)
    scope = HM_STR("all");
  if (hm_sweep_scope_check(scope, err))
    return hm_err_at_field(err, HM_STR("scope"));
  if (!hm_str_is(scope, "all"))
    opt.scope = scope;
  if (hm_sweep_run_all(c->store, &opt, c->a, &w, err))
    return opt.scope.n ? hm_err_at_field(err, HM_STR("scope")) : -1;
  hm_sweep_keep_scope(&w);
  write_sweep(c, &w, opt.scope);
  hm_sweep_free(&w);
  return 0;
}

int hm_api_list_rules(hm_api_call_state *c, hm_err *err) {
  const hm_rules *rules = c->api->opt.rules;
  hm_listed_rule *v;
  size_t n;
  hm_jw j;
  if (hm_rule_list(rules, c->store, c->a, &v, &n, err))
    return -1;
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
