/* Parses the target of a request, and refuses harmful requests by their heads. Pure. */
#ifndef HM_REQUEST_HEAD_H
#define HM_REQUEST_HEAD_H
#include "gen/http/http.h"

/* --- the target, "/conflicts/c1%20x?status=open" ---------------------------------------------- */

enum { HM_SEGMENTS_MAX = 64, HM_QUERY_MAX = 32 };

typedef struct {
  hm_str path; /* decoded, begins with '/' */
  hm_str *segments;
  size_t n;    /* decoded, between the slashes; "/" has none */
  bool folder; /* ends with '/' */
  hm_pair *query;
  size_t n_query;
} hm_uri;

/* Parses target. Fails with HM_E_INPUT when it does not begin with '/', is not in normal form (an
 * empty segment, "." or "..", however written), has a bad escape, a NUL, an unescaped control
 * character, invalid UTF-8 once decoded, or too many parts. In the query '+' is a space. */
int hm_uri_parse(hm_arena *a, hm_str target, hm_uri *out, hm_err *err);

/* True when the path matches the pattern (hm_route.pattern); fills params. "{name...}" does not
 * match a segment with an escaped slash or a backslash. */
bool hm_uri_matches(const hm_uri *u, const char *pattern, hm_str params[HM_PARAMS_MAX]);

/* --- checks of a request's head --------------------------------------------------------------- */

/* Each check returns 0, or the HTTP status for the reply, with err filled.
 * libmicrohttpd does not refuse a repeated Host, Content-Length beside Transfer-Encoding, or any
 * Origin, so these are checked here. */
typedef struct {
  hm_str address;   /* numeric, of the listening socket */
  hm_str host;      /* a further name, or empty */
  hm_str token;     /* empty: none required */
  bool any_address; /* listens on all addresses: any numeric Host is valid */
} hm_guard;

/* Checks that the headers are unambiguous: names are tokens; exactly one Host, at most one each of
 * Content-Length (digits), Transfer-Encoding ("chunked"), Content-Type, Origin and Authorization;
 * not both Content-Length and Transfer-Encoding. Else 400. At most 100 headers, with header_limit
 * bytes of names and values in all. Else 431. */
int hm_guard_header_syntax(const hm_pair *h, size_t n, size_t header_limit, hm_err *err);
/* Checks that the Host, with any port, is localhost, 127.0.0.1, [::1], the address or the given
 * name, against DNS rebinding. Else 421. */
int hm_guard_host(const hm_guard *g, hm_str host, hm_err *err);
/* Checks "Bearer TOKEN", or "Basic" with the token as password, which browsers can prompt for. Its
 * time does not depend on how much of the token is right. Else 401. */
int hm_guard_token(const hm_guard *g, hm_str authorization, hm_err *err);
/* Checks that a request that writes does not come from a page of another site: an Origin must be
 * http or https of this Host, a Sec-Fetch-Site same-origin or none. Else 403. */
int hm_guard_origin(const hm_request *q, hm_str host, hm_err *err);
/* Checks that Content-Type is one that the route takes: application/json; for forms
 * application/x-www-form-urlencoded. Else 415. */
int hm_guard_type(unsigned takes, hm_str content_type, hm_err *err);
/* Decodes base64 (RFC 4648, for the Basic scheme) into out. Returns the number of bytes; 0 when s
 * is not base64 or out is too small. */
size_t hm_base64_decode(hm_str s, char *out, size_t size);
#endif
