#include "core/detect/sweep.h"
#include "core/review/touch.h"
#include "gen/serve/api_impl.h"

/* Of the open conflicts, those that still disagree. */
static int count_disputed(const hm_api *api, hm_store *s, hm_arena *a, int64_t *out, hm_err *err) {
  hm_verdict open = HM_OPEN;
  hm_conflict_place *places;
  size_t n, disputed;
  if (hm_lookup_conflicts(s, &open, NULL, a, &places, &n, err)) return -1;
  hm_str *keys = hm_alloc_array(a, n, sizeof *keys);
  for (size_t i = 0; i < n; i++) keys[i] = places[i].slot_key;
  if (hm_look_disputed(s, api->rules, keys, n, a, &disputed, err)) return -1;
  *out = (int64_t)disputed;
  return 0;
}

static int read_health(const hm_api *api, hm_store *s, const hm_request *q, hm_buf *out,
                       hm_err *err) {
  int64_t counts[HM_N_VERDICTS], disputed;
  hm_jw j;
  if (hm_lookup_verdicts(s, counts, err) || count_disputed(api, s, q->a, &disputed, err)) return -1;
  hm_jw_init(&j, out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "status", HM_STR("ok"));
  hm_jw_str(&j, "version", HM_STR(HM_VERSION));
  hm_jw_int(&j, "open_conflicts_count", counts[HM_OPEN]);
  hm_jw_int(&j, "disputed_count", disputed);
  hm_jw_int(&j, "signoff", counts[HM_OPEN] - disputed);
  hm_jw_int(&j, "resolved", counts[HM_RESOLVED]);
  hm_jw_int(&j, "dismissed", counts[HM_DISMISSED]);
  hm_jw_end(&j);
  return 0;
}

int hm_api_health(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return hm_api_read(ctx, true, q, r, read_health, err);
}
