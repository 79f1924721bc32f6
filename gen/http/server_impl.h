/* Shared by the files of the server. Not for other folders. */
#ifndef HM_SERVER_IMPL_H
#define HM_SERVER_IMPL_H
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include "gen/http/request_head.h"
#include "gen/http/http.h"

/* --- connections and their deadlines (connections.c) -------------------------------- */

typedef enum {
  HM_CONN_NEW,  /* accepted; no first line yet */
  HM_CONN_IDLE, /* between two requests */
  HM_CONN_HEAD, /* the first line has arrived, the headers have not */
  HM_CONN_BODY,
  HM_CONN_WORKING, /* in a handler: never closed */
  HM_CONN_SENDING,
  HM_CONN_STREAMING, /* sends events until either side ends */
  HM_CONN_CLOSED     /* shut down for its deadline or to free a place; its thread will end */
} hm_conn_state;

typedef struct hm_conn {
  struct hm_conn *next, **link;
  int fd;
  unsigned char address[16]; /* of the client */
  bool served;               /* it had a request; only its own thread uses this */
  atomic_int state;
  _Atomic int64_t since; /* ms; the start of its deadline */
} hm_conn;

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pthread_t thread;
  hm_conn *all;
  int64_t head_ms, deadline_ms;
  size_t places; /* most connections; a quarter of them for one address */
  bool stopping, ending;
} hm_conn_table;

/* Starts a thread that closes each connection whose client does not send its request, or read the
 * reply, in time. head_ms: for a head; deadline_ms: for a whole request, and for the pause between
 * two. Returns an errno. */
int hm_conns_start(hm_conn_table *t, int head_ms, int deadline_ms, size_t places);
/* Adds a connection, with fd and address set. When its address then has more than a quarter of the
 * places, or all addresses together have too many, closes connections that wait for their client.
 * Closes c itself when its address has twice its share and none of them waits. */
void hm_conns_add(hm_conn_table *t, hm_conn *c);
/* Call it before closing the connection's descriptor. */
void hm_conns_remove(hm_conn_table *t, hm_conn *c);
/* Sets the state and restarts the deadline (HEAD and BODY continue the request's). Returns false
 * when the connection has been closed. */
bool hm_conn_set_state(hm_conn *c, hm_conn_state state);
/* Closes idle connections now and as they become idle, and returns when all others have ended. */
void hm_conns_drain(hm_conn_table *t);
void hm_conns_end(hm_conn_table *t);

/* --- one request and its answer ------------------------------------------------------ */

typedef struct {
  const hm_server *server;
  hm_arena *a;
  hm_conn *conn;
  hm_request q;
  hm_reply reply;
  const hm_route_table *table;
  hm_uri uri;
  hm_buf body;
  bool seen, refused, close, too_large;
} hm_exchange;

struct hm_server {
  struct MHD_Daemon *daemon;
  hm_guard guard;
  const hm_route_table *tables;
  size_t n_tables;
  size_t body_limit;
  char url[128], address[64];
  int listen_fd;
  hm_arena *names; /* of guard */
  hm_conn_table conns;
  atomic_bool stopping;
};

/* Callbacks of libmicrohttpd (request.c). */
void *hm_exchange_begin(void *server, const char *target, struct MHD_Connection *c);
enum MHD_Result hm_exchange_step(void *server, struct MHD_Connection *c, const char *url,
                                 const char *method, const char *version, const char *upload,
                                 size_t *n_upload, void **exchange);
void hm_exchange_end(void *server, struct MHD_Connection *c, void **exchange,
                     enum MHD_RequestTerminationCode why);
#endif
