/* Projects, as rows and files of facts name them. */
#include "core/review/candidates.h"
#include "gen/api/api_impl.h"

int hm_api_list_projects(hm_api_call_state *c, hm_err *err) {
  const hm_sweep *w;
  hm_jw j;
  if (hm_pool_get_sweep(c->api->pool, c->reader, &w, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_projects_json(&j, w->snap, c->a);
  hm_jw_end(&j);
  return 0;
}
