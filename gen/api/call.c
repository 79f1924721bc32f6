/* Runs a call: takes the right connection, and writes errors as JSON. */
#include <stdlib.h>
#include <string.h>
#include "gen/api/api_impl.h"

static void begin_sweep(void *background) { hm_background_tell(background); }

int hm_api_open(const hm_api_options *opt, hm_api **out, hm_err *err) {
  hm_queue *queue;
  hm_pool *pool;
  size_t n;
  if (hm_queue_open(opt->store, opt->busy_ms, opt->queue, &queue, err))
    return -1;
  if (hm_pool_open(opt->store, opt->busy_ms, opt->rules, &pool, err)) {
    hm_queue_close(queue);
    return -1;
  }
  hm_api *api = hm_xmalloc(sizeof *api);
  *api = (hm_api){ .a = hm_arena_new(), .queue = queue, .pool = pool, .opt = *opt };
  api->opt.by = hm_str_dup(api->a, opt->by);
  api->background = hm_background_new(&api->opt, queue);
  hm_queue_hold(queue, hm_pool_held(pool), opt->rules, HM_API_SWEPT_AT_ONCE, begin_sweep,
                api->background);
  api->recall = hm_alloc(api->a, sizeof *api->recall);
  const hm_api_operation *all = hm_api_operations(&n);
  api->document = hm_openapi_document(all, n, opt->token, api->a);
  *out = api;
  return 0;
}

void hm_api_close(hm_api *api) {
  if (!api)
    return;
  hm_api_recall_free(api->recall);
  hm_background_end(api->background);
  hm_queue_close(api->queue);
  hm_pool_close(api->pool);
  hm_arena_free(api->a);
  free(api);
}

int hm_api_take_writer(hm_api *api, hm_store **out, hm_err *err) {
  return hm_queue_take_writer(api->queue, out, err);
}

void hm_api_return_writer(hm_api *api) { hm_queue_return_writer(api->queue); }

/* --- errors ------------------------------------------------------------------------ */

/* Name and status of each error, and the fix when the error has none. */
static const struct {
  hm_code code;
  int status;
  const char *name, *fix;
} ERRORS[] = {
  { HM_E_USAGE, 422, "usage", "see /openapi.json for what is taken" },
  { HM_E_INPUT, 422, "input", "see /openapi.json for what is taken" },
  { HM_E_STORE, 500, "store", "have 'hmirror health' look at the store" },
  { HM_E_BUSY, 503, "busy", "ask again in a second" },
  { HM_E_OUTPUT, 500, "output", "look at what hmirror serve says on its terminal" },
  { HM_E_MOVED, 409, "moved", "ask again" },
  { HM_E_UNKNOWN, 404, "unknown", "check the id" },
  { HM_E_STATE, 409, "state", "read it as it is now, and decide again" },
  { HM_E_INTERNAL, 500, "internal", "it is a mistake of hmirror's: report it" },
};

static size_t find_error(hm_code code) {
  size_t i = 0;
  while (i + 1 < HM_COUNT(ERRORS) && ERRORS[i].code != code)
    i++;
  return i;
}

int hm_api_error_status(const hm_err *err) { return ERRORS[find_error(err->code)].status; }

hm_str hm_api_error_json(const hm_err *err, hm_arena *a) {
  size_t i = find_error(err->code);
  hm_jw j;
  hm_buf b = { 0 };
  hm_jw_init(&j, &b, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_obj(&j, "error");
  hm_jw_str(&j, "code", hm_str_c(ERRORS[i].name));
  hm_jw_str(&j, "what", hm_str_c(*err->what ? err->what : "the request"));
  hm_jw_str(&j, "why", hm_str_c(*err->why ? err->why : "it could not be done"));
  hm_jw_str(&j, "fix", hm_str_c(*err->fix ? err->fix : ERRORS[i].fix));
  hm_jw_str_or_null(&j, "field", hm_str_c(err->field));
  hm_jw_end(&j);
  hm_jw_end(&j);
  hm_buf_ch(&b, '\n');
  return hm_buf_take(&b, a);
}

/* --- a call ------------------------------------------------------------------------ */

static int fit_answer(const hm_api_request *q, hm_str *body, hm_arena *a, hm_err *err) {
  hm_shape_field f;
  bool by_id = hm_shape_find_field(q->operation->query, HM_STR("after"), &f);
  const hm_answer_bounds o = { .most = q->most,
                               .quoted = q->quoted,
                               .by_id = by_id,
                               .goes_on = q->operation->method == HM_GET,
                               .after = hm_find_pair_value(q->query, q->n_query, "after", NULL) };
  return hm_answer_fit(&o, body, a, err);
}

/* Ends the answer's JSON. */
static int finish_body(hm_api_call_state *c, hm_str *body, hm_err *err) {
  hm_buf_ch(&c->out, '\n');
  if (c->out.failed)
    return hm_fail(err, HM_E_INTERNAL, "the answer", "larger than 2 GB", "ask for less");
  *body = hm_buf_copy(&c->out, c->a);
  return 0;
}

static int read_answer(hm_api *api, hm_api_call_state *c, hm_str *body, hm_err *err) {
  hm_pool_reader *r;
  bool shared = c->q->operation->flags & HM_API_READS_MUCH;
  if (hm_pool_take_reader(api->pool, shared, &r, err))
    return -1;
  c->store = r->store;
  c->reader = r;
  hm_store_stop_when(c->store, c->q->stop);
  int rc = c->q->operation->run(c, err) || finish_body(c, body, err) ? -1 : 0;
  hm_store_stop_when(c->store, NULL);
  hm_pool_return_reader(api->pool, r);
  return rc;
}

/* Its answer does not decide whether or how it is stored. */
static bool may_share(const hm_api_call_state *c) {
  hm_str policy = hm_api_param(c, "policy", NULL);
  return c->q->operation->flags & HM_API_SHARES && !c->review.dry_run &&
      !hm_str_is(policy, "raise") && !hm_str_is(policy, "supersede");
}

/* People's rules in SQL run outside transactions, so where there are some, what finds for itself
 * runs alone. */
static bool runs_alone(const hm_api_call_state *c) {
  return c->q->operation->flags & HM_API_ALONE ||
      hm_str_is(hm_api_param(c, "pages", NULL), "true") ||
      (!c->shares && hm_sql_any_rule_on(c->api->opt.rules->sql));
}

static int write_answer(hm_api *api, hm_api_call_state *c, hm_str *body, hm_err *err) {
  const hm_api_request *q = c->q;
  if (hm_request_check_body(q, err) || hm_request_read_review(q, &api->opt, c->a, &c->review, err))
    return -1;
  c->review.who.agent = q->via.n > 0;
  c->shares = may_share(c);
  int rc;
  if (!runs_alone(c)) {
    rc = hm_queue_run(api->queue, c, err);
  } else if ((rc = hm_queue_take_writer(api->queue, &c->store, err)) == 0) {
    hm_store_stop_when(c->store, c->q->stop);
    rc = hm_api_run_write(c, err) || hm_api_finish_write(c, err) ? -1 : 0;
    hm_store_stop_when(c->store, NULL);
    hm_queue_return_writer(api->queue);
  }
  return rc || finish_body(c, body, err) ? -1 : 0;
}

void hm_api_call(hm_api *api, const hm_api_request *q, hm_arena *a, hm_api_answer *out) {
  hm_api_call_state c = { .api = api, .q = q, .a = a };
  hm_err err = { 0 }; /* what succeeds in the end may have filled it */
  unsigned flags = q->operation->flags;
  *out = (hm_api_answer){ .status = 200 };
  int rc = hm_request_check_query(q, a, &err);
  if (!rc && flags & HM_API_WRITES)
    rc = write_answer(api, &c, &out->body, &err);
  else if (!rc && flags)
    rc = read_answer(api, &c, &out->body, &err);
  else if (!rc)
    out->body = api->document;
  if (!rc && flags)
    rc = fit_answer(q, &out->body, a, &err);
  hm_str besides = c.rejected ? hm_buf_copy(&c.out, a) : HM_EMPTY;
  hm_buf_free(&c.out);
  out->location = c.location;
  if (flags & HM_API_CREATES && !c.review.dry_run)
    out->status = 201;
  if (!rc) {
    out->body = hm_json_escape_directions(a, out->body);
    return;
  }
  if (hm_str_starts(hm_str_c(err.what), "--")) /* an option of a command */
    memmove(err.what, err.what + 2, strlen(err.what) - 1);
  out->err = err;
  out->status = hm_api_error_status(&err);
  out->body = hm_api_error_json(&err, a);
  out->says_more = besides.n > 2;
  if (out->says_more) /* one object of both: "{...}\n" and "{...}" */
    out->body = HM_CAT(a, hm_str_sub(out->body, 0, out->body.n - 2), HM_STR(","),
                       hm_str_sub(besides, 1, besides.n), HM_STR("\n"));
  if (out->says_more && fit_answer(q, &out->body, a, &err))
    out->body = hm_api_error_json(&out->err, a);
}
