#include "gen/serve/api.h"
#include <stdlib.h>
#include "core/review/touch.h"
#include "gen/serve/api_impl.h"

/* So that the first reader does not have to sweep. */
static int make_index(hm_api *api, hm_err *err) {
  hm_store *s = NULL;
  hm_touch *t;
  if (hm_desk_take_writer(api->desk, &s, err)) return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_store_begin(s, true, err);
  if (!rc) rc = hm_touch_begin(s, api->rules, a, &t, err);
  if (!rc) hm_touch_free(t);
  if (!rc) rc = hm_store_commit(s, err);
  else hm_store_rollback(s);
  hm_arena_free(a);
  hm_desk_give_writer(api->desk);
  return rc;
}

int hm_api_open(const hm_api_options *opt, hm_api **out, hm_err *err) {
  hm_desk *desk;
  if (hm_desk_open(opt->store, opt->busy_ms, &desk, err)) return -1;
  hm_api *api = hm_xmalloc(sizeof *api);
  *api = (hm_api){ .a = hm_arena_new(),
                   .desk = desk,
                   .rules = opt->rules,
                   .trial = opt->trial,
                   .trial_ctx = opt->trial_ctx };
  api->by = hm_str_dup(api->a, opt->by);
  hm_route_table t = hm_api_routes(api);
  api->document = hm_openapi(&t, hm_api_schemas, opt->token, api->a);
  *out = api;
  if (!make_index(api, err)) return 0;
  hm_api_close(api);
  return -1;
}

void hm_api_close(hm_api *api) {
  if (!api) return;
  hm_desk_close(api->desk);
  hm_arena_free(api->a);
  free(api);
}

hm_route_table hm_api_routes(hm_api *api) {
  return (hm_route_table){ hm_api_table, hm_api_table_size, api };
}

int hm_api_put(const hm_request *q, hm_reply *r, hm_buf *b, hm_err *err) {
  hm_buf_ch(b, '\n');
  if (b->failed)
    return hm_fail(err, HM_E_INTERNAL, "the answer", "larger than 2 GB", "ask for less");
  r->body = hm_buf_keep(b, q->a);
  return HM_ANSWERED;
}

static int read_at(hm_api *api, hm_seat *seat, const hm_request *q, hm_reply *r,
                   hm_api_reader *read, hm_err *err) {
  hm_str kept;
  if (hm_seat_find(seat, q->target, &kept)) {
    r->body = hm_str_dup(q->a, kept);
    return HM_ANSWERED;
  }
  hm_buf b = { 0 };
  int rc = read(api, seat->store, q, &b, err) || hm_api_put(q, r, &b, err) ? -1 : HM_ANSWERED;
  if (!rc) hm_seat_keep(seat, q->target, r->body);
  hm_buf_free(&b);
  return rc;
}

int hm_api_read(hm_api *api, bool common, const hm_request *q, hm_reply *r, hm_api_reader *read,
                hm_err *err) {
  hm_seat *seat;
  if (hm_openapi_check_query(q, err) || hm_desk_take(api->desk, common, &seat, err)) return -1;
  int rc = read_at(api, seat, q, r, read, err);
  hm_desk_give(api->desk, seat);
  return rc;
}

int hm_api_document(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  const hm_api *api = ctx;
  if (hm_openapi_check_query(q, err)) return -1;
  r->body = api->document;
  return HM_ANSWERED;
}
