/* One request from its first line to the end of its answer, as libmicrohttpd calls. */
#include <stdlib.h>
#include <string.h>
#include "gen/serve/server_impl.h"

/* What a spare exchange may keep. */
enum { KEEP_BYTES = 1 << 18 };

static hm_exchange *take_spare(hm_server *s) {
  pthread_mutex_lock(&s->lock);
  hm_exchange *x = s->spare;
  if (x) s->spare = x->next;
  pthread_mutex_unlock(&s->lock);
  if (x) return x;
  x = hm_xmalloc(sizeof *x);
  *x = (hm_exchange){ .a = hm_arena_new() };
  return x;
}

static void free_exchange(hm_exchange *x) {
  hm_buf_free(&x->body);
  hm_arena_free(x->a);
  free(x);
}

static void give_spare(hm_server *s, hm_exchange *x) {
  if (x->body.cap > KEEP_BYTES || hm_arena_held(x->a) > KEEP_BYTES) {
    free_exchange(x);
    return;
  }
  hm_arena_reset(x->a);
  hm_buf_clear(&x->body);
  *x = (hm_exchange){ .a = x->a, .body = x->body };
  pthread_mutex_lock(&s->lock);
  x->next = s->spare;
  s->spare = x;
  pthread_mutex_unlock(&s->lock);
}

void hm_exchange_free_spare(hm_server *s) {
  for (hm_exchange *x = s->spare, *next; x; x = next) {
    next = x->next;
    free_exchange(x);
  }
}

/* The first line is there; target is NULL when it names none. */
void *hm_exchange_begin(void *server, const char *target, struct MHD_Connection *c) {
  hm_exchange *x = take_spare(server);
  x->conn = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
  x->q.target = hm_str_dup(x->a, hm_str_c(target));
  hm_conn_set(x->conn, HM_CONN_HEAD);
  return x;
}

static void take_body(hm_server *s, hm_exchange *x, const char *bytes, size_t n) {
  x->too_large = x->too_large || x->body.n + n > s->body_limit;
  if (!x->too_large && !x->refused) hm_buf_add(&x->body, bytes, n);
}

static void refuse_large(hm_server *s, hm_exchange *x) {
  hm_err err;
  hm_failf(&err, HM_E_INPUT, "the body", "send less at a time", "longer than %zu bytes",
           s->body_limit);
  hm_reply_error(&x->reply, 413, &err, x->a);
}

enum MHD_Result hm_exchange_step(void *server, struct MHD_Connection *c, const char *url,
                                 const char *method, const char *version, const char *upload,
                                 size_t *n_upload, void **exchange) {
  hm_server *s = server;
  hm_exchange *x = *exchange;
  (void)url, (void)version;
  if (!x->seen) {
    x->seen = true;
    hm_conn_set(x->conn, HM_CONN_BODY);
    x->refused = hm_exchange_head(s, x, c, method) != 0;
    return x->close ? hm_reply_send(s, x, c) : MHD_YES;
  }
  if (*n_upload) {
    take_body(s, x, upload, *n_upload);
    *n_upload = 0;
    return MHD_YES;
  }
  if (!hm_conn_set(x->conn, HM_CONN_WORKING)) return MHD_NO;   /* nobody would read the answer */
  if (!x->refused && x->too_large) refuse_large(s, x);
  else if (!x->refused) hm_exchange_answer(s, x);
  return hm_reply_send(s, x, c);
}

void hm_exchange_end(void *server, struct MHD_Connection *c, void **exchange,
                     enum MHD_RequestTerminationCode why) {
  hm_exchange *x = *exchange;
  (void)c, (void)why;
  if (!x) return;
  if (x->reply.events && x->reply.events->done) x->reply.events->done(x->reply.events->ctx);
  if (x->reply.release) x->reply.release(x->reply.owner);
  hm_conn_set(x->conn, HM_CONN_IDLE);
  *exchange = NULL;
  give_spare(server, x);
}
