/* HTTP: requests and answers as handlers see them, and the server that calls the handlers. */
#ifndef HM_HTTP_H
#define HM_HTTP_H
#include "gen/api/api.h"

enum { HM_PARAMS_MAX = 8 };

/* Everything in it lives until the answer has been sent. */
typedef struct {
  hm_method method;             /* HEAD is GET whose body is not sent */
  hm_str target;                /* path and query as sent */
  hm_str path;                  /* decoded, in normal form, begins with '/' */
  hm_str params[HM_PARAMS_MAX]; /* what stood for the pattern's {names}, decoded, in their order */
  const hm_pair *query; size_t n_query;       /* decoded, in the order of the address */
  const hm_pair *headers; size_t n_headers;   /* names as sent */
  hm_str body;
  const hm_json *json;          /* the body, for a route that takes JSON; an empty body is NULL */
  hm_arena *a;                  /* for the answer too */
  const struct hm_route *route; /* the one whose handler it is given to */
} hm_request;

/* Value of the first header of this name (whatever the case of its letters); *found (may be NULL)
 * whether there is one. Empty when not. */
hm_str hm_request_header(const hm_request *q, const char *name, bool *found);

/* A long answer of server-sent events. */
typedef struct {
  /* Waits at most about a second for something to say. Puts at most max bytes into out and returns
   * how many; 0: nothing yet (the server keeps the line alive); -1: the end. Asked no more once the
   * server stops. */
  ptrdiff_t (*next)(void *ctx, char *out, size_t max);
  void (*done)(void *ctx);      /* once, whatever ends the answer; may be NULL */
  void *ctx;
} hm_event_stream;

enum { HM_REPLY_HEADERS = 8 };

typedef struct {
  int status;                   /* 200 unless set */
  const char *type;             /* "application/json" unless set */
  hm_str body;                  /* borrowed: of the request's arena, of `owner`, or constant */
  hm_pair headers[HM_REPLY_HEADERS]; size_t n_headers;   /* name and value end with NUL */
  const char *csp;              /* content security policy; one that allows nothing unless set */
  const char *cache;            /* Cache-Control; "no-store" unless set */
  void (*release)(void *owner); /* called once when the body is no longer needed; may be NULL */
  void *owner;
  const hm_event_stream *events;   /* instead of body, in the request's arena or constant; type is
                                      then text/event-stream */
} hm_reply;

void hm_reply_header(hm_reply *r, hm_arena *a, const char *name, hm_str value);
/* The error as JSON (hm_api_error_json), with this status. */
void hm_reply_error(hm_reply *r, int status, const hm_err *err, hm_arena *a);

enum { HM_ANSWERED = 0, HM_PASS = 1 };
/* Fills *r. HM_ANSWERED; HM_PASS: not mine, the next route that matches is tried; -1 with *err:
 * answered as JSON, with the status of hm_api_error_status. ctx: the table's. From any thread. */
typedef int hm_handler(void *ctx, const hm_request *q, hm_reply *r, hm_err *err);

/* A bit mask: what a POST or PATCH may send. */
typedef enum { HM_TAKES_NOTHING = 0, HM_TAKES_JSON = 1, HM_TAKES_FORM = 2 } hm_takes;

/* Pattern: "/", or segments that are literal, "{name}" (any one segment that is not empty) or,
 * last, "{name...}" (the rest of the path, with its slashes, maybe none: then empty). */
typedef struct hm_route {
  const char *pattern;
  hm_method method;
  hm_takes takes;
  hm_handler *handle;
  const hm_api_operation *operation;   /* what it asks of the API; NULL: nothing */
} hm_route;

/* Routes, sorted by pattern and method (bytes), so that a literal segment comes before a name. */
typedef struct { const hm_route *v; size_t n; void *ctx; } hm_route_table;

/* The routes of the API's operations; ctx is the API. The array lives in a. */
hm_route_table hm_api_routes(hm_api *api, hm_arena *a);

/* --- the server ------------------------------------------------------------------------------- */

/* An HTTP/1.1 server for the API and the preview (library: libmicrohttpd, whose header is included
 * in gen/http only).
 *
 * Order of calls: hm_server_hold_signals, then whatever makes threads; hm_server_start;
 * hm_server_run, which returns after SIGINT or SIGTERM; hm_server_free.
 *
 * Every connection has a thread of its own, so a handler may block; it runs on many threads at
 * once. Before a handler sees a request, the server has checked framing (one Host, not both
 * Content-Length and Transfer-Encoding), limits, Host, token, path, method, origin and content type
 * (request_head.h), and has read and parsed the body. */
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
