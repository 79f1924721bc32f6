/* What a person decides about a conflict. */
#include "core/review/verdict.h"
#include "gen/serve/api_impl.h"

typedef int decide(hm_store *s, const hm_review *r, const hm_request *q, hm_verdict_report *out,
                   hm_err *err);

/* A verdict to be given. */
typedef struct { const hm_request *q; hm_review review; decide *what; } order;

static int answer(const hm_request *q, hm_reply *r, const hm_verdict_report *report, hm_err *err) {
  hm_buf b = { 0 };
  hm_verdict_json(&b, report, q->a);
  int rc = hm_api_put(q, r, &b, err);
  hm_buf_free(&b);
  return rc;
}

/* Everything happens in the request's arena. */
static int give(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  const order *o = ctx;
  (void)a;
  return o->what(s, &o->review, o->q, out, err);
}

static int carry_out(const hm_api *api, hm_store *s, order *o, hm_verdict_report *out,
                     hm_err *err) {
  bool pages = hm_str_is(hm_request_query(o->q, "pages", NULL), "true");
  if (pages && !o->review.dry_run) {
    hm_fail(err, HM_E_INPUT, "the address: pages",
            "only a dry run can tell what becomes of the pages", "add dry_run=true");
    return hm_err_at_field(err, HM_STR("pages"));
  }
  if (!pages) return give(o, s, o->q->a, out, err);
  if (api->trial) return api->trial(api->trial_ctx, s, give, o, o->q->a, out, err);
  return hm_fail(err, HM_E_STATE, "the address: pages", "this server shows no pages",
                 "start it without --api-only");
}

static int judge(hm_api *api, const hm_request *q, hm_reply *r, const hm_shape *shape, decide *what,
                 hm_err *err) {
  order o = { .q = q, .what = what };
  hm_store *s = NULL;
  hm_verdict_report report;
  if (hm_openapi_check_query(q, err) || hm_shape_check(shape, q->json, err) ||
      hm_api_review(api, q, &o.review, err) || hm_desk_take_writer(api->desk, &s, err))
    return -1;
  int rc = carry_out(api, s, &o, &report, err);
  hm_desk_give_writer(api->desk);
  return rc ? -1 : answer(q, r, &report, err);
}

/* Naming a winner means that what contradicts it gives way, unless it is said otherwise. */
static hm_action action_of(hm_str name, hm_str winner) {
  return !name.n && winner.n ? HM_SUPERSEDE_OPPONENTS : hm_action_of(name);
}

static int resolve(hm_store *s, const hm_review *r, const hm_request *q, hm_verdict_report *out,
                   hm_err *err) {
  const hm_json *link = hm_json_get(q->json, "link");
  hm_resolution how = { .winner = hm_shape_text(q->json, "winner_member_id"),
                        .link = link && link->type == HM_JSON_TRUE,
                        .scope = hm_verdict_scope_of(hm_shape_text(q->json, "scope")),
                        .notes = hm_shape_text(q->json, "resolution_notes") };
  how.action = action_of(hm_shape_text(q->json, "action"), how.winner);
  return hm_review_resolve(s, r, q->params[0], &how, q->a, out, err);
}

static int dismiss(hm_store *s, const hm_review *r, const hm_request *q, hm_verdict_report *out,
                   hm_err *err) {
  return hm_review_dismiss(s, r, q->params[0], hm_shape_text(q->json, "reason"), q->a, out, err);
}

static int reopen(hm_store *s, const hm_review *r, const hm_request *q, hm_verdict_report *out,
                  hm_err *err) {
  return hm_review_reopen(s, r, q->params[0], hm_shape_text(q->json, "reason"), q->a, out, err);
}

int hm_api_resolve(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return judge(ctx, q, r, &hm_shape_resolve, resolve, err);
}
int hm_api_dismiss(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return judge(ctx, q, r, &hm_shape_dismiss, dismiss, err);
}
int hm_api_reopen(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return judge(ctx, q, r, &hm_shape_reopen, reopen, err);
}
