/* One row, as export writes it, with the open conflicts that it is a member of. */
#include "core/base/text.h"
#include "core/store/journal.h"
#include "core/store/partial.h"
#include "gen/serve/api_impl.h"

static int no_row(hm_arena *a, hm_str ref, hm_err *err) {
  return hm_fail(err, HM_E_UNKNOWN, hm_str_fmt(a, "'%.*s'", HM_FMT(hm_text_cut(ref, 80))).p,
                 "there is none", "check the kind and the id");
}

/* Conflicts that are open and have the row as a member. */
static int put_memberships(const hm_api *api, hm_store *s, hm_layer layer, hm_str id, hm_buf *out,
                           hm_arena *a, hm_err *err) {
  hm_membership *m;
  size_t n, open = 0;
  if (hm_store_memberships(s, layer, id, a, &m, &n, err)) return -1;
  hm_conflict_place *places = hm_alloc_array(a, n + 1, sizeof *places);
  for (size_t i = 0; i < n; i++)
    if (m[i].status == HM_OPEN) places[open++] = (hm_conflict_place){ m[i].id, m[i].slot_key };
  return hm_api_put_conflicts(api, s, places, open, out, a, err);
}

static int read_row(const hm_api *api, hm_store *s, hm_layer layer, hm_str id, const hm_request *q,
                    hm_str *record, hm_buf *out, hm_err *err) {
  hm_str ref = hm_str_fmt(q->a, "%s:%.*s", hm_layer_kind(layer), HM_FMT(id));
  if (hm_journal_record(s, ref, q->a, record, err)) return -1;
  if (!record->n) return no_row(q->a, ref, err);
  hm_buf_str(out, hm_str_sub(*record, 0, record->n - 1));
  hm_buf_c(out, ",\"conflicts\":");
  if (put_memberships(api, s, layer, id, out, q->a, err)) return -1;
  hm_buf_ch(out, '}');
  return 0;
}

static int read_memory(const hm_api *api, hm_store *s, const hm_request *q, hm_buf *out,
                       hm_err *err) {
  hm_str record;
  return read_row(api, s, HM_MEMORY, q->params[0], q, &record, out, err);
}

static int read_state(const hm_api *api, hm_store *s, const hm_request *q, hm_buf *out,
                      hm_err *err) {
  hm_str record;
  return read_row(api, s, HM_STATE, q->params[0], q, &record, out, err);
}

/* The type is compared as slots compare names, so /entities/decision/e1 finds a Decision. */
static int read_entity(const hm_api *api, hm_store *s, const hm_request *q, hm_buf *out,
                       hm_err *err) {
  hm_str record;
  hm_json *v;
  if (read_row(api, s, HM_ENTITY, q->params[1], q, &record, out, err)) return -1;
  const hm_json *type = hm_json_parse(q->a, record, &v, err) ? NULL : hm_json_get(v, "entity_type");
  if (type && hm_str_eq(hm_text_name(q->a, type->text), hm_text_name(q->a, q->params[0]))) return 0;
  hm_str shown = type ? hm_text_cut(type->text, 60) : HM_STR("of no type");
  return hm_fail(err, HM_E_UNKNOWN,
                 hm_str_fmt(q->a, "entity '%.*s'", HM_FMT(hm_text_cut(q->params[1], 60))).p,
                 hm_str_fmt(q->a, "it is no '%.*s'", HM_FMT(hm_text_cut(q->params[0], 60))).p,
                 hm_str_fmt(q->a, "it is %.*s", HM_FMT(shown)).p);
}

int hm_api_get_memory(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return hm_api_read(ctx, false, q, r, read_memory, err);
}
int hm_api_get_entity(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return hm_api_read(ctx, false, q, r, read_entity, err);
}
int hm_api_get_state(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return hm_api_read(ctx, false, q, r, read_state, err);
}
