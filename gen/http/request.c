/* One request from its first line to the end of its answer, as libmicrohttpd calls: its head is
 * checked before its body is read, and refused at once where that is enough. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "gen/http/server_impl.h"

enum {
  HEADER_LIMIT = 32 << 10,
  SWALLOW = 16               /* limits; what is longer is not even read to be dropped */
};

/* --- the head ----------------------------------------------------------------------- */

hm_str hm_request_header(const hm_request *q, const char *name, bool *found) {
  size_t i = 0, n = strlen(name);
  while (i < q->n_headers &&
         (q->headers[i].name.n != n || strncasecmp(q->headers[i].name.p, name, n) != 0))
    i++;
  if (found) *found = i < q->n_headers;
  return i < q->n_headers ? q->headers[i].value : HM_EMPTY;
}

typedef struct { hm_pair *v; size_t n, cap; } header_list;

static enum MHD_Result add_header(void *ctx, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
  header_list *l = ctx;
  (void)kind;
  if (l->n < l->cap) l->v[l->n++] = (hm_pair){ hm_str_c(name), hm_str_c(value) };
  return MHD_YES;
}

static bool has_body(const hm_request *q) {
  bool chunked, sized;
  hm_request_header(q, "Transfer-Encoding", &chunked);
  hm_str n = hm_request_header(q, "Content-Length", &sized);
  return chunked || (sized && !hm_str_is(n, "0"));
}

/* libmicrohttpd has refused what is no number. */
static bool is_longer(const hm_request *q, size_t limit) {
  hm_str n = hm_request_header(q, "Content-Length", NULL);
  size_t v = 0;
  for (size_t i = 0; i < n.n && v <= limit; i++) v = v * 10 + (size_t)(n.p[i] - '0');
  return v > limit;
}

static int fail_too_large(size_t limit, hm_err *err) {
  hm_failf(err, HM_E_INPUT, "the body", "send less at a time", "longer than %zu bytes", limit);
  return 413;
}

/* In the order in which a request gives itself away: framing, Host, token, address, origin, type,
 * length. 0, or the status of the refusal. */
static int check_head(hm_exchange *x, const char *method, hm_err *err) {
  const hm_server *s = x->server;
  const hm_request *q = &x->q;
  hm_str host = hm_request_header(q, "Host", NULL);
  int status = hm_guard_headers(q->headers, q->n_headers, HEADER_LIMIT, err);
  x->close = status != 0;
  if (status || (status = hm_guard_host(&s->guard, host, err))) return status;
  status = hm_guard_token(&s->guard, hm_request_header(q, "Authorization", NULL), err);
  if (status) {
    /* A header each: Chromium reads the first scheme of one only. */
    hm_reply_header(&x->reply, x->a, "WWW-Authenticate",
                    HM_STR("Basic realm=\"hmirror\", charset=\"UTF-8\""));
    hm_reply_header(&x->reply, x->a, "WWW-Authenticate", HM_STR("Bearer realm=\"hmirror\""));
    return status;
  }
  if ((status = hm_route_find(s, x, method, err)) || (status = hm_guard_origin(q, host, err)))
    return status;
  if (q->route->takes && has_body(q))
    status = hm_guard_type(q->route->takes, hm_request_header(q, "Content-Type", NULL), err);
  return !status && is_longer(q, s->body_limit) ? fail_too_large(s->body_limit, err) : status;
}

/* The headers are there. Returns false when the request is refused, which x->reply then says. */
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
  if (!status) return true;
  hm_reply_error(&x->reply, status, &err, x->a);
  hm_request_header(&x->q, "Expect", &expects);
  x->close = x->close || expects || is_longer(&x->q, x->server->body_limit * SWALLOW);
  return false;
}

/* --- the callbacks ------------------------------------------------------------------ */

/* The first line is there; target is NULL when it names none. */
void *hm_exchange_begin(void *server, const char *target, struct MHD_Connection *c) {
  hm_exchange *x = hm_xmalloc(sizeof *x);
  *x = (hm_exchange){
    .server = server,
    .a = hm_arena_new(),
    .conn = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context
  };
  x->q.target = hm_str_dup(x->a, hm_str_c(target));
  hm_conn_set(x->conn, HM_CONN_HEAD);
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
    hm_conn_set(x->conn, HM_CONN_BODY);
    x->refused = !read_head(x, c, method);
    return x->close ? hm_reply_send(x, c) : MHD_YES;
  }
  if (*n_upload) {
    x->too_large = x->too_large || x->body.n + *n_upload > s->body_limit;
    if (!x->too_large && !x->refused) hm_buf_add(&x->body, upload, *n_upload);
    *n_upload = 0;
    return MHD_YES;
  }
  if (!hm_conn_set(x->conn, HM_CONN_WORKING)) return MHD_NO;   /* nobody would read the answer */
  if (!x->refused && x->too_large) {
    hm_err err;
    int status = fail_too_large(s->body_limit, &err);
    hm_reply_error(&x->reply, status, &err, x->a);
  } else if (!x->refused) {
    hm_route_answer(s, x);
  }
  return hm_reply_send(x, c);
}

void hm_exchange_end(void *server, struct MHD_Connection *c, void **exchange,
                     enum MHD_RequestTerminationCode why) {
  hm_exchange *x = *exchange;
  (void)server, (void)c, (void)why;
  if (!x) return;
  if (x->reply.events && x->reply.events->done) x->reply.events->done(x->reply.events->ctx);
  if (x->reply.release) x->reply.release(x->reply.owner);
  hm_conn_set(x->conn, HM_CONN_IDLE);
  *exchange = NULL;
  hm_buf_free(&x->body);
  hm_arena_free(x->a);
  free(x);
}
