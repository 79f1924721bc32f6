/* The OpenAPI 3.1 document of a table of routes: made from the very table that answers, so that it
 * cannot say anything else. Pure. */
#ifndef HM_OPENAPI_H
#define HM_OPENAPI_H
#include "gen/serve/server.h"
#include "gen/serve/shape.h"

/* What stands in the document about a route. */
struct hm_route_doc {
  const char *id;              /* operationId */
  const char *about;           /* one sentence */
  const hm_shape_field *query; size_t n_query;   /* parameters of the address; all are optional */
  const char *takes;           /* type of the JSON body (shape.h); NULL: none */
  bool body_optional;
  const char *gives;           /* type of the answer */
  bool creates;                /* it is then 201 with a Location; a dry run's is 200 */
};

/* Writes the schemas that types name by '#', one after another, into an open object. */
typedef void hm_openapi_schemas(hm_jw *w);

/* The document, in a. Routes without doc are not in it. token: says that one is asked for. */
hm_str hm_openapi(const hm_route_table *t, hm_openapi_schemas *schemas, bool token, hm_arena *a);

/* Checks the query of a request against its route's doc: each name known and given once, each value
 * of its type. HM_E_INPUT with the field. */
int hm_openapi_check_query(const hm_request *q, hm_err *err);
#endif
