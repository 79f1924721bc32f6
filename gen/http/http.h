/* HTTP: requests and replies as handlers see them, and the server that calls the handlers. */
#ifndef HM_HTTP_H
#define HM_HTTP_H
#include "gen/api/api.h"

enum { HM_PARAMS_MAX = 8 };

/* Everything in it lives until the answer has been sent. */
typedef struct {
  hm_method method;             /* HEAD is a GET whose body is not sent */
  hm_str target;                /* path and query as sent */
  hm_str path;                  /* decoded, in normal form, begins with '/' */
  hm_str params[HM_PARAMS_MAX]; /* values of the pattern's {names}, decoded, in their order */
  const hm_pair *query;
  size_t n_query; /* decoded, in the order of the address */
  const hm_pair *headers;
  size_t n_headers; /* names as sent */
  hm_str body;
  const hm_json *json;          /* the body, for a route that takes JSON; an empty body is NULL */
  hm_arena *a;                  /* for the answer too */
  const struct hm_route *route; /* the route of the called handler */
} hm_request;

/* Value of the first header of this name (in any case), empty when there is none; sets *found (may
 * be NULL). */
hm_str hm_request_header(const hm_request *q, const char *name, bool *found);

/* A long answer of server-sent events. */
typedef struct {
  /* Waits about a second at most for an event. Writes at most max bytes to out and returns how
   * many; 0: nothing yet (the server keeps the connection alive); -1: the end. Not called any more
   * once the server stops. */
  ptrdiff_t (*next)(void *ctx, char *out, size_t max);
  void (*done)(void *ctx); /* called once at the end, for whatever reason; may be NULL */
  void *ctx;
} hm_event_stream;

enum { HM_REPLY_HEADERS = 8 };

typedef struct {
  int status;       /* 200 unless set */
  const char *type; /* "application/json" unless set */
  hm_str body;      /* borrowed from the request's arena or `owner`, or constant */
  hm_pair headers[HM_REPLY_HEADERS];
  size_t n_headers;             /* name and value end with NUL */
  const char *csp;              /* Content-Security-Policy; allows nothing unless set */
  const char *cache;            /* Cache-Control; "no-store" unless set */
  void (*release)(void *owner); /* called once when the body is no longer needed; may be NULL */
  void *owner;
  const hm_event_stream *events; /* instead of body, in the request's arena or constant; type is
                                    then text/event-stream */
} hm_reply;

void hm_reply_header(hm_reply *r, hm_arena *a, const char *name, hm_str value);
/* Replies with the error as JSON (hm_api_error_json) and this status. */
void hm_reply_error(hm_reply *r, int status, const hm_err *err, hm_arena *a);

enum { HM_ANSWERED = 0, HM_PASS = 1 };
/* Fills *r and returns HM_ANSWERED; or returns HM_PASS for a request that it does not handle (the
 * server tries the next matching route), or -1 with *err (the server replies with JSON and the
 * status of hm_api_error_status). ctx: the table's. Called from any thread. */
typedef int hm_handler(void *ctx, const hm_request *q, hm_reply *r, hm_err *err);

/* A bit mask: what a POST or PATCH may send. */
typedef enum { HM_TAKES_NOTHING = 0, HM_TAKES_JSON = 1, HM_TAKES_FORM = 2 } hm_takes;

/* Pattern: "/", or segments that are literal, "{name}" (any segment that is not empty) or, last,
 * "{name...}" (the rest of the path, with its slashes; may be empty). */
typedef struct hm_route {
  const char *pattern;
  hm_method method;
  hm_takes takes;
  hm_handler *handle;
  const hm_api_operation *operation; /* the API's operation that it calls, or NULL */
} hm_route;

/* Routes, sorted by pattern and method (bytes), so that a literal segment comes before a name. */
typedef struct {
  const hm_route *v;
  size_t n;
  void *ctx;
} hm_route_table;

/* The routes of the API's operations; ctx is the API. The array lives in a. */
hm_route_table hm_api_routes(hm_api *api, hm_arena *a);

/* --- the server ------------------------------------------------------------------------------- */

/* An HTTP/1.1 server for the API and the preview (library: libmicrohttpd, whose header is included
 * in gen/http only).
 *
 * Order of calls: hm_server_hold_signals, then whatever makes threads; hm_server_start;
 * hm_server_run, which returns after SIGINT or SIGTERM; hm_server_free.
 *
 * Every connection has its own thread, so a handler may block, and runs on many threads at once.
 * Before a handler sees a request, the server has checked framing (one Host, not both
 * Content-Length and Transfer-Encoding), limits, Host, token, path, method, origin and content type
 * (request_head.h), and has read and parsed the body. */
typedef struct hm_server hm_server;

typedef struct {
  const char *address; /* numeric, or "localhost" */
  int port;            /* 0: any free port */
  hm_str token;        /* empty: none required, which only a loopback address may have */
  hm_str host;         /* a further host name of the server, or empty */
  const hm_route_table *tables;
  size_t n_tables;   /* tried in this order; must outlive the server */
  size_t body_limit; /* 0: 1 MB */
  int deadline_ms;   /* for a whole request, 0: 10 s; its head must arrive within 2 s */
  int connections;   /* at once, 0: 256; one address may have a quarter of them */
} hm_server_options;

/* Starts listening. Errors: HM_E_USAGE (bad address, a required token is missing), HM_E_BUSY (port
 * in use), HM_E_OUTPUT (the system refuses). */
int hm_server_start(const hm_server_options *opt, hm_server **out, hm_err *err);
/* "http://127.0.0.1:8080/" */
const char *hm_server_url(const hm_server *s);
/* Stops accepting connections, and returns when all running requests have finished. Not to be
 * called from a handler. Then call hm_server_free. */
void hm_server_stop(hm_server *s);
void hm_server_free(hm_server *s);

/* Blocks SIGINT and SIGTERM in this thread and those that it creates from now on. */
void hm_server_hold_signals(void);
/* Waits for SIGINT or SIGTERM, then stops the server. A second signal ends the process at once,
 * with exit code 130. */
void hm_server_run(hm_server *s);
#endif
