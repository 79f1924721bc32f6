#include "gen/serve/server_impl.h"
#include <string.h>
#include "core/base/text.h"

static const char *const METHODS[] = { [HM_GET] = "GET", [HM_PATCH] = "PATCH", [HM_POST] = "POST" };

const char *hm_method_name(hm_method m) { return METHODS[m]; }

bool hm_route_next(const hm_server *s, hm_exchange *x, hm_method method, const hm_route *after) {
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

/* The methods that the path has, "GET, HEAD, POST". */
static hm_str allowed(const hm_server *s, hm_exchange *x, int without) {
  static const char *const shown[] = {
    [HM_GET] = "GET, HEAD", [HM_PATCH] = "PATCH", [HM_POST] = "POST"
  };
  hm_buf b = { 0 };
  for (hm_method m = HM_GET; m <= HM_POST; m++)
    if ((int)m != without && hm_route_next(s, x, m, NULL))
      hm_buf_fmt(&b, "%s%s", b.n ? ", " : "", shown[m]);
  hm_str all = hm_buf_keep(&b, x->a);
  hm_buf_free(&b);
  return all;
}

int hm_route_refuse(const hm_server *s, hm_exchange *x, const char *method, bool passed,
                    hm_err *err) {
  const char *path = hm_str_z(x->a, x->uri.path);
  hm_str methods = allowed(s, x, passed ? (int)x->q.method : -1);
  if (!methods.n) {
    hm_fail(err, HM_E_UNKNOWN, path, "there is nothing at this address",
            "see /openapi.json for what there is");
    return 404;
  }
  hm_reply_header(&x->reply, x->a, "Allow", methods);
  hm_failf(err, HM_E_INPUT, path, "use one that Allow names", "it does not take %.40s", method);
  return 405;
}

/* An empty body is none: some writes need no word. */
static int read_json(hm_exchange *x, hm_err *err) {
  hm_json *v = NULL;
  bool form = !(x->q.route->takes & HM_TAKES_JSON) ||
              ((x->q.route->takes & HM_TAKES_FORM) &&
               !hm_str_starts(hm_request_header(&x->q, "Content-Type", NULL), "application/json"));
  if (form || !hm_str_trim(x->q.body).n) return 0;
  if (hm_text_repair(x->a, x->q.body).p != x->q.body.p)
    return hm_fail(err, HM_E_INPUT, "the body", "not UTF-8",
                   "JSON is UTF-8, whatever Content-Type says");
  if (hm_json_parse(x->a, x->q.body, &v, err)) return hm_err_within(err, "the body");
  x->q.json = v;
  return 0;
}

void hm_exchange_answer(hm_server *s, hm_exchange *x) {
  hm_err err = { 0 };
  x->q.body = hm_buf_view(&x->body);
  if (read_json(x, &err)) {
    hm_reply_error(&x->reply, 400, &err, x->a);
    return;
  }
  int rc = HM_PASS;
  for (bool more = true; more && rc == HM_PASS;
       more = rc == HM_PASS && hm_route_next(s, x, x->q.method, x->q.route))
    rc = x->q.route->handle(x->table->ctx, &x->q, &x->reply, &err);
  if (rc < 0) hm_reply_error(&x->reply, hm_status_of_error(&err), &err, x->a);
  if (rc != HM_PASS) return;
  int status = hm_route_refuse(s, x, hm_method_name(x->q.method), true, &err);
  hm_reply_error(&x->reply, status, &err, x->a);
}
