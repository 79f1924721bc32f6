/* What the files of the API share. Not for other folders. */
#ifndef HM_API_IMPL_H
#define HM_API_IMPL_H
#include "core/detect/sweep.h"
#include "core/review/review.h"
#include "core/store/lookup.h"
#include "gen/serve/api.h"
#include "gen/serve/desk.h"
#include "gen/serve/openapi.h"

struct hm_api {
  hm_arena *a;
  hm_desk *desk;
  const hm_rules *rules;
  hm_str by;
  hm_api_trial *trial; void *trial_ctx;
  hm_str document;             /* OpenAPI */
};

/* --- reading (api.c) ------------------------------------------------------------- */

/* Puts the answer's JSON object into out, from what the open transaction of s reads. */
typedef int hm_api_reader(const hm_api *api, hm_store *s, const hm_request *q, hm_buf *out,
                          hm_err *err);
/* Checks the query, then answers with what read puts, or with what it put for the same request when
 * the store was the same. common: it looks at much, so of all who ask at once one does. */
int hm_api_read(hm_api *api, bool common, const hm_request *q, hm_reply *r, hm_api_reader *read,
                hm_err *err);
/* Ends an answer: a line feed, and the bytes as r's body. -1 when the answer would be too large. */
int hm_api_put(const hm_request *q, hm_reply *r, hm_buf *b, hm_err *err);

/* --- conflicts (api_conflicts.c) --------------------------------------------------- */

/* Puts the conflicts of these places as a JSON array, in their order. Inside an open transaction.
 */
int hm_api_put_conflicts(const hm_api *api, hm_store *s, const hm_conflict_place *places, size_t n,
                         hm_buf *out, hm_arena *a, hm_err *err);

/* --- writing (api_write.c) ----------------------------------------------------------- */

/* Who writes: `by` of the body, else of the query, else the server's; when; and whether it is a dry
 * run. HM_E_INPUT at "by". */
int hm_api_review(const hm_api *api, const hm_request *q, hm_review *out, hm_err *err);
/* dry_run=true in the query. */
bool hm_api_is_dry(const hm_request *q);

hm_handler hm_api_get_conflict, hm_api_list_conflicts, hm_api_resolve, hm_api_dismiss,
    hm_api_reopen, hm_api_get_memory, hm_api_get_entity, hm_api_get_state, hm_api_add_memory,
    hm_api_add_entity, hm_api_add_state, hm_api_promote_memory, hm_api_promote_entity,
    hm_api_edit_memory, hm_api_edit_entity, hm_api_graduate, hm_api_health, hm_api_document;

/* The table, and the schemas of the document (api_routes.c, api_shapes.c). */
extern const hm_route hm_api_table[];
extern const size_t hm_api_table_size;
hm_openapi_schemas hm_api_schemas;
extern const hm_shape hm_shape_resolve, hm_shape_dismiss, hm_shape_reopen, hm_shape_nothing;
#endif
