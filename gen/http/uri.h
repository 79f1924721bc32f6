/* The target of a request, "/conflicts/c1%20x?status=open". Pure. */
#ifndef HM_URI_H
#define HM_URI_H
#include "gen/http/http.h"

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
#endif
