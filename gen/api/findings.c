/* Findings: lists, explanations, acknowledgements, flags. One sweep answers all
 * questions about findings until the store changes (pool.c). */
#include "core/detect/conflict.h"
#include "core/detect/explain.h"
#include "core/review/confirm.h"
#include "core/review/finding_review.h"
#include "gen/api/api_impl.h"

static hm_str asked(const hm_api_call_state *c, const char *name) {
  bool given;
  hm_str text = hm_pair_value(c->q->query, c->q->n_query, name, &given);
  return given ? text : HM_EMPTY;
}

int hm_api_list_findings(hm_api_call_state *c, hm_err *err) {
  hm_finding_filter f = { .kind = asked(c, "kind"),
                          .severity = asked(c, "severity"),
                          .rule = asked(c, "rule"),
                          .project = asked(c, "project"),
                          .all = hm_str_is(asked(c, "all"), "true") };
  const hm_sweep *w;
  hm_jw j;
  size_t n = 0;
  if (hm_pool_sweep(c->reader, c->api->opt.rules, &w, err)) return -1;
  int rc = hm_finding_filter_read(&f, w, c->a, err);
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_arr(&j, "findings");
  for (size_t i = 0; i < w->n_findings && !rc; i++) {
    if (!hm_finding_passes(&f, &w->findings[i])) continue;
    hm_finding_json(&j, &w->findings[i]);
    n++;
  }
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)n);
  hm_jw_int(&j, "acknowledged", (int64_t)w->n_acked);
  hm_jw_end(&j);
  return rc;
}

int hm_api_explain_finding(hm_api_call_state *c, hm_err *err) {
  const hm_finding *f;
  hm_explanation x;
  const hm_sweep *w;
  hm_jw j;
  if (hm_pool_sweep(c->reader, c->api->opt.rules, &w, err)) return -1;
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

typedef int say_fn(hm_store *s, const hm_review *r, hm_str about, hm_str reason, hm_arena *a,
                   hm_remark_report *out, hm_err *err);

static int say(hm_api_call_state *c, say_fn *fn, hm_err *err) {
  hm_remark_report report;
  if (fn(c->store, &c->review, c->q->params[0], hm_shape_text(c->q->body, "reason"), c->a, &report,
         err))
    return -1;
  hm_remark_json(&c->out, &report);
  return 0;
}

int hm_api_confirm(hm_api_call_state *c, hm_err *err) {
  hm_confirm_report report;
  if (hm_review_confirm(c->store, &c->review, c->q->params[0],
                        hm_shape_text(c->q->body, "reason"), c->a, &report, err))
    return -1;
  hm_confirm_json(&c->out, &report);
  return 0;
}

int hm_api_ack(hm_api_call_state *c, hm_err *err) { return say(c, hm_review_ack, err); }
int hm_api_unack(hm_api_call_state *c, hm_err *err) { return say(c, hm_review_unack, err); }
int hm_api_flag(hm_api_call_state *c, hm_err *err) { return say(c, hm_review_flag, err); }
int hm_api_unflag(hm_api_call_state *c, hm_err *err) { return say(c, hm_review_unflag, err); }
