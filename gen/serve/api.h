/* The HTTP API: conflicts and their verdicts, rows and their writes. Specification, "API shape";
 * design section 10. */
#ifndef HM_API_H
#define HM_API_H
#include "core/claim/rules.h"
#include "core/store/foreign.h"
#include "gen/site/trial.h"
#include "gen/serve/server.h"

typedef int hm_api_trial(void *ctx, hm_store *s, hm_trial_verdict *give, void *give_ctx,
                         hm_arena *a, hm_verdict_report *out, hm_err *err);

typedef struct {
  const hm_store_source *store;  /* must outlive the API */
  const hm_rules *rules;       /* must outlive the API */
  hm_str by;                   /* whom the journal names when a request does not say */
  int busy_ms;                 /* how long a store that another program writes is waited for */
  bool token;                  /* one is asked for: said in the document */
  /* Tries a verdict as hm_trial_run does, with the pages as they are shown; NULL: pages are not
   * known here. */
  hm_api_trial *trial; void *trial_ctx;
} hm_api_options;

typedef struct hm_api hm_api;

/* Opens the store for writing, which migrates it, and has the index of the claims made when it is
 * not there. Errors: those of hm_store_open and of hm_touch_begin. */
int hm_api_open(const hm_api_options *opt, hm_api **out, hm_err *err);
/* After the server has stopped. */
void hm_api_close(hm_api *api);
/* Its routes, as long as it is open. */
hm_route_table hm_api_routes(hm_api *api);
#endif
