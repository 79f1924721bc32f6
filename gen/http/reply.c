/* An answer: its headers, its body or its stream of events, handed to libmicrohttpd. */
#include <string.h>
#include "gen/http/server_impl.h"

/* How often an events answer says that it is still there. */
#define ALIVE ":\n\n"

void hm_reply_header(hm_reply *r, hm_arena *a, const char *name, hm_str value) {
  if (r->n_headers == HM_REPLY_HEADERS) return;
  r->headers[r->n_headers++] = (hm_pair){ hm_str_c(name), hm_str_dup(a, value) };
}

void hm_reply_error(hm_reply *r, int status, const hm_err *err, hm_arena *a) {
  r->status = status;
  r->type = NULL;
  r->body = hm_api_error_json(err, a);
  if (status == 503) hm_reply_header(r, a, "Retry-After", HM_STR("1"));
}

/* --- events ---------------------------------------------------------------- */

static ssize_t read_events(void *ctx, uint64_t at, char *out, size_t max) {
  const hm_exchange *x = ctx;
  (void)at;
  if (atomic_load(&x->server->stopping)) return MHD_CONTENT_READER_END_OF_STREAM;
  ptrdiff_t n = x->reply.events->next(x->reply.events->ctx, out, max);
  if (n < 0) return MHD_CONTENT_READER_END_OF_STREAM;
  if (n > 0) return n;
  memcpy(out, ALIVE, sizeof ALIVE - 1);
  return sizeof ALIVE - 1;
}

/* --- sending ------------------------------------------------------------------ */

enum MHD_Result hm_reply_send(hm_exchange *x, struct MHD_Connection *c) {
  const hm_reply *r = &x->reply;
  const char *type = r->events ? "text/event-stream" : r->type ? r->type : "application/json",
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
  if (!m) return MHD_NO;
  for (size_t i = 0; i < HM_COUNT(always); i++)
    MHD_add_response_header(m, always[i].name.p, always[i].value.p);
  for (size_t i = 0; i < r->n_headers; i++)
    MHD_add_response_header(m, r->headers[i].name.p, r->headers[i].value.p);
  if (atomic_load(&x->server->stopping)) MHD_add_response_header(m, "Connection", "close");
  hm_conn_set(x->conn, r->events ? HM_CONN_STREAMING : HM_CONN_SENDING);
  enum MHD_Result ok = MHD_queue_response(c, r->status ? (unsigned)r->status : 200, m);
  MHD_destroy_response(m);
  return ok;
}
