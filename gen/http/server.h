/* An HTTP/1.1 server for the API and the preview (library: libmicrohttpd, whose header is included
 * in gen/http only).
 *
 * Order of calls: hm_server_hold_signals, then whatever makes threads; hm_server_start;
 * hm_server_run, which returns after SIGINT or SIGTERM; hm_server_free.
 *
 * Every connection has a thread of its own, so a handler may block; it runs on many threads at
 * once. Before a handler sees a request, the server has checked framing (one Host, not both
 * Content-Length and Transfer-Encoding), limits, Host, token, path, method, origin and content type
 * (guard.h), and has read and parsed the body. */
#ifndef HM_SERVER_H
#define HM_SERVER_H
#include "gen/http/http.h"

typedef struct hm_server hm_server;

typedef struct {
  const char *address;          /* numeric, or "localhost" */
  int port;                     /* 0: one that is free */
  hm_str token;                 /* empty: none is asked for, which only a loopback address may */
  hm_str host;                  /* a further name by which it is reached, or empty */
  const hm_route_table *tables;
  size_t n_tables;              /* tried in this order; must outlive the server */
  size_t body_limit;            /* 0: 1 MB */
  int deadline_ms;              /* for a whole request, 0: 10 s; its head has 2 s of that */
  int connections;              /* at once, 0: 256; one address may hold a quarter of them */
} hm_server_options;

/* Listens. Errors: HM_E_USAGE (address, no token where one is needed), HM_E_BUSY (port in use),
 * HM_E_OUTPUT (the system refuses). */
int hm_server_start(const hm_server_options *opt, hm_server **out, hm_err *err);
/* "http://127.0.0.1:8080/" */
const char *hm_server_url(const hm_server *s);
/* From another thread than the handlers': accepts nothing more, lets what is running
 * finish, returns when it has. Then hm_server_free. */
void hm_server_stop(hm_server *s);
void hm_server_free(hm_server *s);

/* Keeps SIGINT and SIGTERM from this thread and those it makes from now on. */
void hm_server_hold_signals(void);
/* Waits for one of them and stops the server. A second one ends the process at once, with exit code
 * 130. */
void hm_server_run(hm_server *s);
#endif
