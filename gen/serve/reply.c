#include <string.h>
#include "gen/serve/server_impl.h"

/* How often an events answer says that it is still there. */
#define ALIVE ":\n\n"

void hm_reply_header(hm_reply *r, hm_arena *a, const char *name, hm_str value) {
  if (r->n_headers == HM_REPLY_HEADERS) return;
  r->headers[r->n_headers++] = (hm_pair){ hm_str_c(name), hm_str_dup(a, value) };
}

/* What an error is called and answered with, and what to do where nobody said so. */
static const struct { hm_code code; int status; const char *name, *fix; } ERRORS[] = {
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
  while (i + 1 < sizeof ERRORS / sizeof *ERRORS && ERRORS[i].code != code) i++;
  return i;
}

int hm_status_of_error(const hm_err *err) { return ERRORS[find_error(err->code)].status; }

void hm_reply_error(hm_reply *r, int status, const hm_err *err, hm_arena *a) {
  hm_jw j;
  hm_buf b = { 0 };
  hm_jw_init(&j, &b, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_obj(&j, "error");
  hm_jw_str(&j, "code", hm_str_c(ERRORS[find_error(err->code)].name));
  hm_jw_str(&j, "what", hm_str_c(*err->what ? err->what : "the request"));
  hm_jw_str(&j, "why", hm_str_c(*err->why ? err->why : "it could not be done"));
  hm_jw_str(&j, "fix", hm_str_c(*err->fix ? err->fix : ERRORS[find_error(err->code)].fix));
  hm_jw_str_or_null(&j, "field", hm_str_c(err->field));
  hm_jw_end(&j);
  hm_jw_end(&j);
  hm_buf_ch(&b, '\n');
  r->status = status;
  r->type = NULL;
  r->body = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  if (status == 503) hm_reply_header(r, a, "Retry-After", HM_STR("1"));
}

/* --- events ---------------------------------------------------------------- */

static ssize_t read_events(void *ctx, uint64_t at, char *out, size_t max) {
  const hm_exchange *x = ctx;
  (void)at;
  if (hm_server_stopping(x->q.server)) return MHD_CONTENT_READER_END_OF_STREAM;
  ptrdiff_t n = x->reply.events->next(x->reply.events->ctx, out, max);
  if (n < 0) return MHD_CONTENT_READER_END_OF_STREAM;
  if (n > 0) return n;
  memcpy(out, ALIVE, sizeof ALIVE - 1);
  return sizeof ALIVE - 1;
}

/* --- sending ------------------------------------------------------------------ */

static struct MHD_Response *make_response(hm_exchange *x) {
  const hm_reply *r = &x->reply;
  if (!r->events)
    return MHD_create_response_from_buffer(r->body.n, (void *)r->body.p, MHD_RESPMEM_PERSISTENT);
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_events, x, NULL);
}

static void add_headers(struct MHD_Response *m, const hm_reply *r) {
  const hm_pair always[] = {
    { HM_STR("Content-Type"),
      hm_str_c(r->events     ? "text/event-stream"
                   : r->type ? r->type
                             : "application/json") },
    { HM_STR("Cache-Control"), hm_str_c(r->cache ? r->cache : "no-store") },
    { HM_STR("Content-Security-Policy"),
      hm_str_c(r->csp ? r->csp : "default-src 'none'; frame-ancestors 'none'") },
    { HM_STR("X-Content-Type-Options"), HM_STR("nosniff") },
    { HM_STR("X-Frame-Options"), HM_STR("DENY") },
    { HM_STR("Referrer-Policy"), HM_STR("no-referrer") },
    { HM_STR("Cross-Origin-Resource-Policy"), HM_STR("same-origin") },
  };
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    MHD_add_response_header(m, always[i].name.p, always[i].value.p);
  for (size_t i = 0; i < r->n_headers; i++)
    MHD_add_response_header(m, r->headers[i].name.p, r->headers[i].value.p);
}

enum MHD_Result hm_reply_send(hm_server *s, hm_exchange *x, struct MHD_Connection *c) {
  hm_reply *r = &x->reply;
  struct MHD_Response *m = make_response(x);
  if (!m) return MHD_NO;
  add_headers(m, r);
  if (hm_server_stopping(s)) MHD_add_response_header(m, "Connection", "close");
  hm_conn_set(x->conn, r->events ? HM_CONN_STREAMING : HM_CONN_SENDING);
  enum MHD_Result ok = MHD_queue_response(c, r->status ? (unsigned)r->status : 200, m);
  MHD_destroy_response(m);
  return ok;
}
