/* The head of a request: everything that can be said before its body is there. */
#include <string.h>
#include "gen/serve/server_impl.h"

/* Longer bodies are not even read to be dropped: the connection is closed with the answer. */
enum { SWALLOW = 16 };

typedef struct { hm_pair *v; size_t n, cap; } header_list;

static enum MHD_Result add_header(void *ctx, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
  header_list *l = ctx;
  (void)kind;
  if (l->n < l->cap) l->v[l->n++] = (hm_pair){ hm_str_c(name), hm_str_c(value) };
  return MHD_YES;
}

static void read_headers(hm_exchange *x, struct MHD_Connection *c) {
  int n = MHD_get_connection_values(c, MHD_HEADER_KIND, NULL, NULL);
  header_list l = { .cap = n > 0 ? (size_t)n : 0 };
  l.v = hm_alloc_array(x->a, l.cap + 1, sizeof *l.v);
  MHD_get_connection_values(c, MHD_HEADER_KIND, add_header, &l);
  x->q.headers = l.v;
  x->q.n_headers = l.n;
}

/* false: a method that no route has. */
static bool method_of(const char *name, hm_method *out) {
  if (strcmp(name, "HEAD") == 0) name = "GET";
  for (hm_method m = HM_GET; m <= HM_POST; m++)
    if (strcmp(name, hm_method_name(m)) == 0) { *out = m; return true; }
  return false;
}

static int check_route(hm_server *s, hm_exchange *x, const char *method, hm_err *err) {
  if (hm_uri_parse(x->a, x->q.target, &x->uri, err)) return 400;
  x->q.path = x->uri.path;
  x->q.query = x->uri.query;
  x->q.n_query = x->uri.n_query;
  if (method_of(method, &x->q.method) && hm_route_next(s, x, x->q.method, NULL)) return 0;
  return hm_route_refuse(s, x, method, false, err);
}

static bool has_body(const hm_exchange *x) {
  bool chunked, sized;
  hm_request_header(&x->q, "Transfer-Encoding", &chunked);
  hm_str n = hm_request_header(&x->q, "Content-Length", &sized);
  return chunked || (sized && !hm_str_is(n, "0"));
}

/* libmicrohttpd has refused what is no number. */
static bool is_longer(const hm_exchange *x, size_t limit) {
  hm_str n = hm_request_header(&x->q, "Content-Length", NULL);
  size_t v = 0;
  for (size_t i = 0; i < n.n && v <= limit; i++) v = v * 10 + (size_t)(n.p[i] - '0');
  return v > limit;
}

static int check(hm_server *s, hm_exchange *x, const char *method, hm_err *err) {
  const hm_request *q = &x->q;
  hm_str host = hm_request_header(q, "Host", NULL);
  int status = hm_guard_headers(q->headers, q->n_headers, HM_HEADER_LIMIT, err);
  if (status) { x->close = true; return status; }
  if ((status = hm_guard_host(&s->guard, host, err))) return status;
  status = hm_guard_token(&s->guard, hm_request_header(q, "Authorization", NULL), err);
  if (status) {
    /* A header each: Chromium reads the first scheme of one only. */
    hm_reply_header(&x->reply, x->a, "WWW-Authenticate",
                    HM_STR("Basic realm=\"hmirror\", charset=\"UTF-8\""));
    hm_reply_header(&x->reply, x->a, "WWW-Authenticate", HM_STR("Bearer realm=\"hmirror\""));
    return status;
  }
  if ((status = check_route(s, x, method, err)) || (status = hm_guard_origin(q, host, err)))
    return status;
  if (x->q.route->takes && has_body(x))
    status = hm_guard_type(x->q.route->takes, hm_request_header(q, "Content-Type", NULL), err);
  if (!status && is_longer(x, s->body_limit)) {
    hm_failf(err, HM_E_INPUT, "the body", "send less at a time", "longer than %zu bytes",
             s->body_limit);
    status = 413;
  }
  return status;
}

int hm_exchange_head(hm_server *s, hm_exchange *x, struct MHD_Connection *c, const char *method) {
  hm_err err;
  x->q.a = x->a;
  x->q.server = s;
  read_headers(x, c);
  int status = check(s, x, method, &err);
  if (!status) return 0;
  hm_reply_error(&x->reply, status, &err, x->a);
  bool expects;
  hm_request_header(&x->q, "Expect", &expects);
  x->close = x->close || expects || is_longer(x, s->body_limit * SWALLOW);
  return status;
}
