/* Handles one request in the callbacks of libmicrohttpd: checks the head, and refuses a bad request
 * before its body is read; then the handler of its route fills the reply. */
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"
#include "gen/http/server_impl.h"

/* --- the answer ------------------------------------------------------------------------------- */

/* How often a stream of events sends a sign of life. */
#define ALIVE ":\n\n"

void hm_reply_header(hm_reply *r, hm_arena *a, const char *name, hm_str value) {
  if (r->n_headers == HM_REPLY_HEADERS)
    return;
  r->headers[r->n_headers++] = (hm_pair){ hm_str_c(name), hm_str_dup(a, value) };
}

void hm_reply_error(hm_reply *r, int status, const hm_err *err, hm_arena *a) {
  r->status = status;
  r->type = NULL;
  r->body = hm_api_error_json(err, a);
  if (status == 503)
    hm_reply_header(r, a, "Retry-After", HM_STR("1"));
}

static ssize_t read_events(void *ctx, uint64_t at, char *out, size_t max) {
  const hm_exchange *x = ctx;
  (void)at;
  if (atomic_load(&x->server->stopping))
    return MHD_CONTENT_READER_END_OF_STREAM;
  ptrdiff_t n = x->reply.events->next(x->reply.events->ctx, out, max);
  if (n < 0)
    return MHD_CONTENT_READER_END_OF_STREAM;
  if (n > 0)
    return n;
  memcpy(out, ALIVE, sizeof ALIVE - 1);
  return sizeof ALIVE - 1;
}

/* Hands x->reply to libmicrohttpd. */
static enum MHD_Result send_reply(hm_exchange *x, struct MHD_Connection *c) {
  const hm_reply *r = &x->reply;
  const char *type = r->events ? "text/event-stream"
      : r->type                ? r->type
                               : "application/json",
             *csp = r->csp ? r->csp : "default-src 'none'; frame-ancestors 'none'";
  const hm_pair always[] = {
    { HM_STR("Content-Type"), hm_str_c(type) },
    { HM_STR("Cache-Control"), hm_str_c(r->cache ? r->cache : "no-store") },
    { HM_STR("Content-Security-Policy"), hm_str_c(csp) },
    { HM_STR("X-Content-Type-Options"), HM_STR("nosniff") },
    { HM_STR("X-Frame-Options"), HM_STR("DENY") },
    { HM_STR("Referrer-Policy"), HM_STR("no-referrer") },
    { HM_STR("Cross-Origin-Resource-Policy"), HM_STR("same-origin") },
  };
  struct MHD_Response *m = r->events
      ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_events, x, NULL)
      : MHD_create_response_from_buffer(r->body.n, (void *)r->body.p, MHD_RESPMEM_PERSISTENT);
  if (!m)
    return MHD_NO;
  for (size_t i = 0; i < HM_COUNT(always); i++)
    MHD_add_response_header(m, always[i].name.p, always[i].value.p);
  for (size_t i = 0; i < r->n_headers; i++)
    MHD_add_response_header(m, r->headers[i].name.p, r->headers[i].value.p);
  if (atomic_load(&x->server->stopping))
    MHD_add_response_header(m, "Connection", "close");
  hm_conn_set_state(x->conn, r->events ? HM_CONN_STREAMING : HM_CONN_SENDING);
  enum MHD_Result ok = MHD_queue_response(c, r->status ? (unsigned)r->status : 200, m);
  MHD_destroy_response(m);
  return ok;
}

/* --- the routes ------------------------------------------------------------------------------- */

static const struct {
  const char *name, *shown;
} METHODS[] = {
  [HM_GET] = { "GET", "GET, HEAD" },
  [HM_PATCH] = { "PATCH", "PATCH" },
  [HM_POST] = { "POST", "POST" },
};

/* Finds the first route after `after` (NULL: from the beginning) for this method and the request's
 * path; fills x->table, x->q.route and x->q.params. Returns false when there is none. */
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
      if (r->method != method || !hm_uri_matches(&x->uri, r->pattern, x->q.params))
        continue;
      x->table = &s->tables[t];
      x->q.route = r;
      return true;
    }
  }
  return false;
}

/* Refuses an unknown path (404), or a method that the path does not have (405, with its methods).
 * without: a method whose routes all passed, or -1. */
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

/* Finds the route for the request's address and method; 0, or the status of the refusal with
 * *err. */
static int find_route(const hm_server *s, hm_exchange *x, const char *method, hm_err *err) {
  hm_request *q = &x->q;
  if (hm_uri_parse(x->a, q->target, &x->uri, err))
    return 400;
  q->path = x->uri.path;
  q->query = x->uri.query;
  q->n_query = x->uri.n_query;
  for (hm_method m = HM_GET; m <= HM_POST; m++) {
    if (strcmp(METHODS[m].name, strcmp(method, "HEAD") == 0 ? "GET" : method) != 0)
      continue;
    q->method = m;
    if (next_route(s, x, m, NULL))
      return 0;
  }
  return refuse_route(s, x, method, -1, err);
}

/* An empty body counts as none: some writes need no data. */
static int read_json(hm_exchange *x, hm_err *err) {
  hm_request *q = &x->q;
  hm_json *v = NULL;
  bool is_json = q->route->takes & HM_TAKES_JSON &&
      (!(q->route->takes & HM_TAKES_FORM) ||
       hm_str_starts(hm_request_header(q, "Content-Type", NULL), "application/json"));
  if (!is_json || !hm_str_trim(q->body).n)
    return 0;
  if (hm_text_repair(x->a, q->body).p != q->body.p)
    return hm_fail(err, HM_E_INPUT, "the body", "not UTF-8",
                   "JSON is UTF-8, whatever Content-Type says");
  if (hm_json_parse(x->a, q->body, &v, err))
    return hm_err_within(err, "the body");
  q->json = v;
  return 0;
}

/* Calls the handlers of matching routes, until one fills x->reply. */
static void call_handlers(const hm_server *s, hm_exchange *x) {
  hm_err err = { 0 };
  hm_method method = x->q.method;
  x->q.body = hm_buf_view(&x->body);
  int status = read_json(x, &err) ? 400 : 0, rc = HM_PASS;
  for (bool more = !status; more && rc == HM_PASS;
       more = rc == HM_PASS && next_route(s, x, method, x->q.route))
    rc = x->q.route->handle(x->table->ctx, &x->q, &x->reply, &err);
  if (rc < 0)
    status = hm_api_error_status(&err);
  else if (rc == HM_PASS && !status)
    status = refuse_route(s, x, METHODS[method].name, (int)method, &err);
  if (status)
    hm_reply_error(&x->reply, status, &err, x->a);
}

/* --- the head --------------------------------------------------------------------------------- */

enum {
  HEADER_LIMIT = 32 << 10,
  SWALLOW = 16 /* limits; what is longer is not even read to be dropped */
};

typedef struct {
  hm_pair *v;
  size_t n, cap;
} header_list;

static enum MHD_Result add_header(void *ctx, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
  header_list *l = ctx;
  (void)kind;
  if (l->n < l->cap)
    l->v[l->n++] = (hm_pair){ hm_str_c(name), hm_str_c(value) };
  return MHD_YES;
}

static bool has_body(const hm_request *q) {
  bool chunked, sized;
  hm_request_header(q, "Transfer-Encoding", &chunked);
  hm_str n = hm_request_header(q, "Content-Length", &sized);
  return chunked || (sized && !hm_str_is(n, "0"));
}

/* libmicrohttpd has already refused a length that is no number. */
static bool is_longer(const hm_request *q, size_t limit) {
  hm_str n = hm_request_header(q, "Content-Length", NULL);
  size_t v = 0;
  for (size_t i = 0; i < n.n && v <= limit; i++)
    v = v * 10 + (size_t)(n.p[i] - '0');
  return v > limit;
}

static int fail_too_large(size_t limit, hm_err *err) {
  hm_failf(err, HM_E_INPUT, "the body", "send less at a time", "longer than %zu bytes", limit);
  return 413;
}

/* Checks framing, Host, token, address, origin, type and length, in this order. Returns 0, or the
 * status of the refusal. */
static int check_head(hm_exchange *x, const char *method, hm_err *err) {
  const hm_server *s = x->server;
  const hm_request *q = &x->q;
  hm_str host = hm_request_header(q, "Host", NULL);
  int status = hm_guard_header_syntax(q->headers, q->n_headers, HEADER_LIMIT, err);
  x->close = status != 0;
  if (status || (status = hm_guard_host(&s->guard, host, err)))
    return status;
  status = hm_guard_token(&s->guard, hm_request_header(q, "Authorization", NULL), err);
  if (status) {
    /* A header each: Chromium reads the first scheme of one only. */
    hm_reply_header(&x->reply, x->a, "WWW-Authenticate",
                    HM_STR("Basic realm=\"hmirror\", charset=\"UTF-8\""));
    hm_reply_header(&x->reply, x->a, "WWW-Authenticate", HM_STR("Bearer realm=\"hmirror\""));
    return status;
  }
  if ((status = find_route(s, x, method, err)) || (status = hm_guard_origin(q, host, err)))
    return status;
  if (q->route->takes && has_body(q))
    status = hm_guard_type(q->route->takes, hm_request_header(q, "Content-Type", NULL), err);
  return !status && is_longer(q, s->body_limit) ? fail_too_large(s->body_limit, err) : status;
}

/* Called when the headers have arrived. Returns false when the request is refused, with the reply
 * in x->reply. */
static bool read_head(hm_exchange *x, struct MHD_Connection *c, const char *method) {
  hm_err err;
  bool expects;
  int n = MHD_get_connection_values(c, MHD_HEADER_KIND, NULL, NULL);
  header_list l = { .cap = n > 0 ? (size_t)n : 0 };
  l.v = hm_alloc_array(x->a, l.cap + 1, sizeof *l.v);
  MHD_get_connection_values(c, MHD_HEADER_KIND, add_header, &l);
  x->q.a = x->a;
  x->q.headers = l.v;
  x->q.n_headers = l.n;
  int status = check_head(x, method, &err);
  if (!status)
    return true;
  hm_reply_error(&x->reply, status, &err, x->a);
  hm_request_header(&x->q, "Expect", &expects);
  x->close = x->close || expects || is_longer(&x->q, x->server->body_limit * SWALLOW);
  return false;
}

/* --- the callbacks ---------------------------------------------------------------------------- */

/* Called when the first line has arrived; target is NULL when it has none. */
void *hm_exchange_begin(void *server, const char *target, struct MHD_Connection *c) {
  hm_exchange *x = hm_xmalloc(sizeof *x);
  *x = (hm_exchange){
    .server = server,
    .a = hm_arena_new(),
    .conn = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context
  };
  x->q.target = hm_str_dup(x->a, hm_str_c(target));
  hm_conn_set_state(x->conn, HM_CONN_HEAD);
  return x;
}

/* Called once with the head, then with each part of the body, then once more. */
enum MHD_Result hm_exchange_step(void *server, struct MHD_Connection *c, const char *url,
                                 const char *method, const char *version, const char *upload,
                                 size_t *n_upload, void **exchange) {
  const hm_server *s = server;
  hm_exchange *x = *exchange;
  (void)url, (void)version;
  if (!x->seen) {
    x->seen = true;
    hm_conn_set_state(x->conn, HM_CONN_BODY);
    x->refused = !read_head(x, c, method);
    return x->close ? send_reply(x, c) : MHD_YES;
  }
  if (*n_upload) {
    x->too_large = x->too_large || x->body.n + *n_upload > s->body_limit;
    if (!x->too_large && !x->refused)
      hm_buf_add(&x->body, upload, *n_upload);
    *n_upload = 0;
    return MHD_YES;
  }
  if (!hm_conn_set_state(x->conn, HM_CONN_WORKING))
    return MHD_NO; /* nobody would read the answer */
  if (!x->refused && x->too_large) {
    hm_err err;
    int status = fail_too_large(s->body_limit, &err);
    hm_reply_error(&x->reply, status, &err, x->a);
  } else if (!x->refused) {
    call_handlers(s, x);
  }
  return send_reply(x, c);
}

void hm_exchange_end(void *server, struct MHD_Connection *c, void **exchange,
                     enum MHD_RequestTerminationCode why) {
  hm_exchange *x = *exchange;
  (void)server, (void)c, (void)why;
  if (!x)
    return;
  if (x->reply.events && x->reply.events->done)
    x->reply.events->done(x->reply.events->ctx);
  if (x->reply.release)
    x->reply.release(x->reply.owner);
  hm_conn_set_state(x->conn, HM_CONN_IDLE);
  *exchange = NULL;
  hm_buf_free(&x->body);
  hm_arena_free(x->a);
  free(x);
}

/* --- the routes of the API -------------------------------------------------------------------- */

enum { ANSWER_MAX = 1 << 20 }; /* bytes */

static int call_api(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  const hm_api_operation *op = q->route->operation;
  const hm_api_request call = { .operation = op,
                                .most = ANSWER_MAX,
                                .params = q->params,
                                .n_params = hm_api_count_path_params(op),
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
  if (answer.location.n)
    hm_reply_header(r, q->a, "Location", answer.location);
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
