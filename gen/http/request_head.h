/* The head of a request: its target is read, and what may do harm is refused, before anything acts
 * on it. Pure. */
#ifndef HM_REQUEST_HEAD_H
#define HM_REQUEST_HEAD_H
#include "gen/http/http.h"

/* --- the target, "/conflicts/c1%20x?status=open" ---------------------------------------------- */

enum { HM_SEGMENTS_MAX = 64, HM_QUERY_MAX = 32 };

typedef struct {
  hm_str path;                 /* decoded, begins with '/' */
  hm_str *segments; size_t n;  /* decoded, between the slashes; "/" has none */
  bool folder;                 /* ends with '/' */
  hm_pair *query; size_t n_query;
} hm_uri;

/* Reads target. Refused (HM_E_INPUT): what does not begin with '/', is not in normal form (an
 * empty segment, "." or "..", however written), has a bad escape, a NUL, a control
 * character that is not escaped or what is not UTF-8 once decoded, or too many parts. In the query
 * '+' is a space. */
int hm_uri_parse(hm_arena *a, hm_str target, hm_uri *out, hm_err *err);

/* Whether the path is of the pattern (hm_route.pattern); fills params. The rest
 * that "{name...}" stands for never has a segment with a slash or backslash in it. */
bool hm_uri_matches(const hm_uri *u, const char *pattern, hm_str params[HM_PARAMS_MAX]);

/* --- who may ask ------------------------------------------------------------------------------ */

/* Each check returns 0 when all is well, else the status to answer with, and fills err.
 * libmicrohttpd passes a repeated Host, Content-Length beside Transfer-Encoding,
 * and any Origin on to the program, so these are checked here. */
typedef struct {
  hm_str address;     /* numeric, as listened on */
  hm_str host;        /* a further name, or empty */
  hm_str token;       /* empty: none asked for */
  bool any_address;   /* listens on all of the machine's: any numeric Host is its own */
} hm_guard;

/* Names and values that mean one thing only: names are tokens; at most one each of Host (exactly
 * one), Content-Length (digits), Transfer-Encoding ("chunked"), Content-Type, Origin and
 * Authorization; not both of Content-Length and Transfer-Encoding. 400. All names and values
 * together at most header_limit bytes, at most 100 of them: 431. */
int hm_guard_header_syntax(const hm_pair *h, size_t n, size_t header_limit, hm_err *err);
/* The Host, with any port, is localhost, 127.0.0.1, [::1], the address or the given
 * name (a name that an attacker lets point here is not). 421. */
int hm_guard_host(const hm_guard *g, hm_str host, hm_err *err);
/* "Bearer TOKEN", or "Basic" with the token as password, which browsers can ask for. The time
 * that it takes does not tell how much of it is right. 401. */
int hm_guard_token(const hm_guard *g, hm_str authorization, hm_err *err);
/* A request that writes comes from no page of another site: an Origin that is sent is http or https
 * of this Host, a Sec-Fetch-Site same-origin or none. 403. */
int hm_guard_origin(const hm_request *q, hm_str host, hm_err *err);
/* Content-Type is one that the route takes: application/json; for forms
 * application/x-www-form-urlencoded. 415. */
int hm_guard_type(unsigned takes, hm_str content_type, hm_err *err);
/* Base64 of RFC 4648, as the Basic scheme has it. Decodes s into out and returns how many bytes; 0
 * when s is not base64 or out too small. */
size_t hm_base64_decode(hm_str s, char *out, size_t size);
#endif
