/* Rows added and changed. The answer is the row as it is now, with what it contradicts. */
#include "core/base/time.h"
#include "core/review/write.h"
#include "gen/serve/api_impl.h"

bool hm_api_is_dry(const hm_request *q) {
  return hm_str_is(hm_request_query(q, "dry_run", NULL), "true");
}

static int check_by(hm_str by, hm_err *err) {
  if (hm_actor_name(by)) return 0;
  hm_fail(err, HM_E_INPUT, "by", "not a name", "give 1 to 200 bytes without control characters");
  return hm_err_at_field(err, HM_STR("by"));
}

int hm_api_review(const hm_api *api, const hm_request *q, hm_review *out, hm_err *err) {
  bool in_query;
  hm_str by = hm_request_query(q, "by", &in_query);
  const hm_json *in_body = hm_json_get(q->json, "by");
  if (in_body && in_body->type == HM_JSON_STRING) by = in_body->text;
  else if (!in_query) by = api->by;
  by = hm_str_trim(by);
  if (check_by(by, err)) return -1;
  *out = (hm_review){ .rules = api->rules,
                      .dry_run = hm_api_is_dry(q),
                      .who = { .by = by,
                               .at = hm_time_iso(q->a, hm_time_now()),
                               .why = hm_str_trim(hm_request_query(q, "notes", NULL)) } };
  return 0;
}

/* --- the answer ---------------------------------------------------------------------- */

static void put_segment(hm_buf *b, hm_str s) {
  hm_buf_ch(b, '/');
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.p[i];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        c == '-' || c == '_' || (c == '.' && s.n > 2);
    if (plain) hm_buf_ch(b, (char)c);
    else hm_buf_fmt(b, "%%%02X", c);
  }
}

/* Where the row can be read. */
static void add_location(const hm_request *q, hm_reply *r, const hm_written *w) {
  hm_json *record;
  hm_buf b = { 0 };
  if (hm_json_parse(q->a, w->record, &record, NULL)) return;
  if (hm_str_starts(w->ref, "entity:")) {
    hm_buf_c(&b, "/entities");
    put_segment(&b, hm_shape_text(record, "entity_type"));
  } else {
    hm_buf_c(&b, hm_str_starts(w->ref, "memory:") ? "/memory" : "/project/state");
  }
  put_segment(&b, hm_shape_text(record, "id"));
  hm_reply_header(r, q->a, "Location", hm_buf_view(&b));
  hm_buf_free(&b);
}

/* --- the writes ------------------------------------------------------------------------ */

typedef int writer(hm_store *s, const hm_review *r, const hm_request *q, hm_layer layer,
                   hm_written *out, hm_err *err);

static int answer(const hm_request *q, hm_reply *r, const hm_written *w, hm_err *err) {
  hm_buf b = { 0 };
  hm_written_json(&b, w, hm_api_is_dry(q));
  int rc = hm_api_put(q, r, &b, err);
  hm_buf_free(&b);
  if (rc || !q->route->doc->creates || hm_api_is_dry(q)) return rc;
  r->status = 201;
  add_location(q, r, w);
  return rc;
}

static int write_row(hm_api *api, const hm_request *q, hm_reply *r, hm_layer layer, writer *what,
                     hm_err *err) {
  hm_review review;
  hm_store *s = NULL;
  hm_written w;
  if (hm_openapi_check_query(q, err) || hm_api_review(api, q, &review, err) ||
      hm_desk_take_writer(api->desk, &s, err))
    return -1;
  int rc = what(s, &review, q, layer, &w, err);
  hm_desk_give_writer(api->desk);
  return rc ? -1 : answer(q, r, &w, err);
}

static int need_object(const hm_request *q, hm_err *err) {
  if (q->json && q->json->type == HM_JSON_OBJECT) return 0;
  return hm_fail(err, HM_E_INPUT, "the body", q->json ? "must be a JSON object" : "is missing",
                 "send one JSON object");
}

static int add(hm_store *s, const hm_review *r, const hm_request *q, hm_layer layer,
               hm_written *out, hm_err *err) {
  bool replaces;
  hm_str older = hm_request_query(q, "supersedes", &replaces);
  if (need_object(q, err)) return -1;
  if (!replaces) return hm_review_add(s, r, layer, q->json, q->a, out, err);
  return hm_review_replace(s, r, layer, q->json, older, q->a, out, err);
}

static hm_str ref_of(const hm_request *q, hm_layer layer) {
  hm_buf b = { 0 };
  hm_buf_c(&b, hm_layer_kind(layer));
  hm_buf_ch(&b, ':');
  hm_buf_str(&b, q->params[0]);
  hm_str ref = hm_buf_keep(&b, q->a);
  hm_buf_free(&b);
  return ref;
}

static int edit(hm_store *s, const hm_review *r, const hm_request *q, hm_layer layer,
                hm_written *out, hm_err *err) {
  return need_object(q, err) ? -1 : hm_review_edit(s, r, ref_of(q, layer), q->json, q->a, out, err);
}

static int promote(hm_store *s, const hm_review *r, const hm_request *q, hm_layer layer,
                   hm_written *out, hm_err *err) {
  if (hm_shape_check(&hm_shape_nothing, q->json, err)) return -1;
  return hm_review_promote(s, r, ref_of(q, layer), q->a, out, err);
}

static int graduate(hm_store *s, const hm_review *r, const hm_request *q, hm_layer layer,
                    hm_written *out, hm_err *err) {
  return need_object(q, err) ? -1
                             : hm_review_graduate(s, r, ref_of(q, layer), q->json, q->a, out, err);
}

int hm_api_add_memory(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_MEMORY, add, err);
}
int hm_api_add_entity(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_ENTITY, add, err);
}
int hm_api_add_state(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_STATE, add, err);
}
int hm_api_edit_memory(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_MEMORY, edit, err);
}
int hm_api_edit_entity(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_ENTITY, edit, err);
}
int hm_api_promote_memory(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_MEMORY, promote, err);
}
int hm_api_promote_entity(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_ENTITY, promote, err);
}
int hm_api_graduate(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return write_row(ctx, q, r, HM_MEMORY, graduate, err);
}
