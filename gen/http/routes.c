/* Which handler answers a request, and the routes that lead to the API. */
#include <string.h>
#include "core/base/text.h"
#include "gen/http/server_impl.h"

static const struct { const char *name, *shown; } METHODS[] = {
  [HM_GET] = { "GET", "GET, HEAD" },
  [HM_PATCH] = { "PATCH", "PATCH" },
  [HM_POST] = { "POST", "POST" },
};

/* Steps to the first route, from `after` on (NULL: from the beginning), for this method and the
 * request's path; fills x->table, x->q.route and x->q.params. False: there is none. */
static bool next_route(const hm_server *s, hm_exchange *x, hm_method method,
                       const hm_route *after) {
  bool skip = after != NULL;
  for (size_t t = 0; t < s->n_tables; t++) {
    for (size_t i = 0; i < s->tables[t].n; i++) {
      const hm_route *r = &s->tables[t].v[i];
      if (skip) {
        skip = r != after;
        continue;
      }
      if (r->method != method || !hm_uri_matches(&x->uri, r->pattern, x->q.params)) continue;
      x->table = &s->tables[t];
      x->q.route = r;
      return true;
    }
  }
  return false;
}

/* There is no such path (404), or no such method there (405, with those that there are). without:
 * a method whose routes have said that it is not theirs, or -1. */
static int refuse_route(const hm_server *s, hm_exchange *x, const char *method, int without,
                        hm_err *err) {
  const char *path = hm_str_z(x->a, x->uri.path);
  hm_buf b = { 0 };
  for (hm_method m = HM_GET; m <= HM_POST; m++)
    if ((int)m != without && next_route(s, x, m, NULL))
      hm_buf_fmt(&b, "%s%s", b.n ? ", " : "", METHODS[m].shown);
  hm_str allowed = hm_buf_take(&b, x->a);
  if (!allowed.n) {
    hm_fail(err, HM_E_UNKNOWN, path, "there is nothing at this address",
            "see /openapi.json for what there is");
    return 404;
  }
  hm_reply_header(&x->reply, x->a, "Allow", allowed);
  hm_failf(err, HM_E_INPUT, path, "use one that Allow names", "it does not take %.40s", method);
  return 405;
}

int hm_route_find(const hm_server *s, hm_exchange *x, const char *method, hm_err *err) {
  hm_request *q = &x->q;
  if (hm_uri_parse(x->a, q->target, &x->uri, err)) return 400;
  q->path = x->uri.path;
  q->query = x->uri.query;
  q->n_query = x->uri.n_query;
  for (hm_method m = HM_GET; m <= HM_POST; m++) {
    if (strcmp(METHODS[m].name, strcmp(method, "HEAD") == 0 ? "GET" : method) != 0) continue;
    q->method = m;
    if (next_route(s, x, m, NULL)) return 0;
  }
  return refuse_route(s, x, method, -1, err);
}

/* An empty body is none: some writes need no word. */
static int read_json(hm_exchange *x, hm_err *err) {
  hm_request *q = &x->q;
  hm_json *v = NULL;
  bool is_json = q->route->takes & HM_TAKES_JSON &&
      (!(q->route->takes & HM_TAKES_FORM) ||
       hm_str_starts(hm_request_header(q, "Content-Type", NULL), "application/json"));
  if (!is_json || !hm_str_trim(q->body).n) return 0;
  if (hm_text_repair(x->a, q->body).p != q->body.p)
    return hm_fail(err, HM_E_INPUT, "the body", "not UTF-8",
                   "JSON is UTF-8, whatever Content-Type says");
  if (hm_json_parse(x->a, q->body, &v, err)) return hm_err_within(err, "the body");
  q->json = v;
  return 0;
}

void hm_route_answer(const hm_server *s, hm_exchange *x) {
  hm_err err = { 0 };
  hm_method method = x->q.method;
  x->q.body = hm_buf_view(&x->body);
  int status = read_json(x, &err) ? 400 : 0, rc = HM_PASS;
  for (bool more = !status; more && rc == HM_PASS;
       more = rc == HM_PASS && next_route(s, x, method, x->q.route))
    rc = x->q.route->handle(x->table->ctx, &x->q, &x->reply, &err);
  if (rc < 0) status = hm_api_error_status(&err);
  else if (rc == HM_PASS && !status)
    status = refuse_route(s, x, METHODS[method].name, (int)method, &err);
  if (status) hm_reply_error(&x->reply, status, &err, x->a);
}

/* --- the API ------------------------------------------------------------------------- */

static int call_api(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  const hm_api_operation *op = q->route->operation;
  const hm_api_request call = { .operation = op,
                                .params = q->params,
                                .n_params = hm_api_count_params(op),
                                .query = q->query,
                                .n_query = q->n_query,
                                .body = q->json };
  hm_api_answer answer;
  hm_api_call(ctx, &call, q->a, &answer);
  if (answer.err.code && !answer.says_more) {
    *err = answer.err;
    return -1;
  }
  r->status = answer.status;
  r->body = answer.body;
  if (answer.location.n) hm_reply_header(r, q->a, "Location", answer.location);
  return HM_ANSWERED;
}

hm_route_table hm_api_routes(hm_api *api, hm_arena *a) {
  hm_route_table t = { .ctx = api };
  const hm_api_operation *op = hm_api_operations(&t.n);
  hm_route *v = hm_alloc_array(a, t.n, sizeof *v);
  for (size_t i = 0; i < t.n; i++)
    v[i] = (hm_route){ op[i].path, op[i].method, op[i].takes ? HM_TAKES_JSON : HM_TAKES_NOTHING,
                       call_api, &op[i] };
  t.v = v;
  return t;
}
