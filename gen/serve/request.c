#include <string.h>
#include <strings.h>
#include "gen/serve/server.h"

hm_str hm_request_query(const hm_request *q, const char *name, bool *found) {
  size_t i = 0;
  while (i < q->n_query && !hm_str_is(q->query[i].name, name)) i++;
  if (found) *found = i < q->n_query;
  return i < q->n_query ? q->query[i].value : HM_EMPTY;
}

hm_str hm_request_header(const hm_request *q, const char *name, bool *found) {
  size_t i = 0, n = strlen(name);
  while (i < q->n_headers &&
         (q->headers[i].name.n != n || strncasecmp(q->headers[i].name.p, name, n) != 0))
    i++;
  if (found) *found = i < q->n_headers;
  return i < q->n_headers ? q->headers[i].value : HM_EMPTY;
}
