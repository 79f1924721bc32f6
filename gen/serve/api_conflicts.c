/* Conflicts: shown by the engine of the sweep, on the slots that are asked for and no others. */
#include <stdlib.h>
#include "core/detect/explain.h"
#include "core/review/touch.h"
#include "gen/serve/api_impl.h"

enum { PAGE_MAX = 1000 };

static const hm_conflict_rec *find(const hm_sweep *w, hm_str id) {
  for (size_t i = 0; i < w->snap->n_conflicts; i++)
    if (hm_str_eq(w->snap->conflicts[i].id, id)) return &w->snap->conflicts[i];
  return NULL;
}

/* Both are by slot key and id, but w has what else is recorded on these slots too. */
static void put_all(const hm_sweep *w, const hm_conflict_place *places, size_t n, hm_buf *out,
                    hm_arena *a) {
  hm_map wanted;
  hm_map_init(&wanted, a, n);
  for (size_t i = 0; i < n; i++) hm_map_add(&wanted, places[i].id, 0);
  const char *sep = "";
  for (size_t i = 0; i < w->snap->n_conflicts; i++) {
    const hm_conflict_rec *rec = &w->snap->conflicts[i];
    if (hm_map_get(&wanted, rec->id) == HM_MAP_NONE) continue;
    hm_buf_c(out, sep);
    hm_conflict_json(out, w, rec, NULL, true, a);
    sep = ",";
  }
}

int hm_api_put_conflicts(const hm_api *api, hm_store *s, const hm_conflict_place *places, size_t n,
                         hm_buf *out, hm_arena *a, hm_err *err) {
  hm_sweep w;
  hm_str *keys = hm_alloc_array(a, n + 1, sizeof *keys);
  size_t n_keys = 0;
  hm_buf_ch(out, '[');
  for (size_t i = 0; i < n; i++)
    if (!i || !hm_str_eq(places[i].slot_key, places[i - 1].slot_key))
      keys[n_keys++] = places[i].slot_key;
  if (n) {
    if (hm_look(s, api->rules, keys, n_keys, a, &w, err)) return -1;
    put_all(&w, places, n, out, a);
    hm_sweep_free(&w);
  }
  hm_buf_ch(out, ']');
  return 0;
}

static int read_conflict(const hm_api *api, hm_store *s, const hm_request *q, hm_buf *out,
                         hm_err *err) {
  hm_conflict_place p;
  hm_sweep w;
  if (hm_lookup_conflict(s, q->params[0], q->a, &p, err) ||
      hm_look(s, api->rules, &p.slot_key, 1, q->a, &w, err))
    return -1;
  const hm_conflict_rec *rec = find(&w, p.id);
  if (rec) hm_conflict_json(out, &w, rec, NULL, true, q->a);
  hm_sweep_free(&w);
  return rec
      ? 0
      : hm_fail(err, HM_E_INTERNAL, "a conflict", "it was not read with its slot", "report it");
}

int hm_api_get_conflict(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return hm_api_read(ctx, false, q, r, read_conflict, err);
}

/* false: any status. */
static bool status_of(hm_str name, hm_verdict *out) {
  *out = HM_OPEN;
  for (hm_verdict v = HM_OPEN; v < HM_N_VERDICTS; v++)
    if (hm_str_is(name, hm_verdict_name(v))) *out = v;
  return !hm_str_is(name, "all");
}

/* Of all places, in their order, those of one page. */
typedef struct { const hm_conflict_place *first; size_t n; bool more; } page;

static int refuse_limit(hm_err *err) {
  hm_failf(err, HM_E_INPUT, "the address: limit", "give 1 to 1000, or none for all",
           "more than %d, or none at all", PAGE_MAX);
  return hm_err_at_field(err, HM_STR("limit"));
}

static bool is_after(const hm_conflict_place *p, const hm_conflict_place *last) {
  int d = hm_str_cmp(p->slot_key, last->slot_key);
  return d ? d > 0 : hm_str_cmp(p->id, last->id) > 0;
}

/* A conflict keeps its slot and its id and never goes, so the place after it is the same whatever
 * was opened or settled meanwhile. */
static int read_page(hm_store *s, const hm_request *q, const hm_conflict_place *all, size_t n,
                     page *out, hm_err *err) {
  bool limited, follows;
  hm_str limit = hm_request_query(q, "limit", &limited),
         after = hm_request_query(q, "after", &follows);
  long most = limited ? strtol(hm_str_z(q->a, limit), NULL, 10) : 0;
  size_t from = 0;
  hm_conflict_place last;
  if (limited && (most < 1 || most > PAGE_MAX)) return refuse_limit(err);
  if (follows && hm_lookup_conflict(s, after, q->a, &last, err))
    return hm_err_at_field(err, HM_STR("after"));
  while (follows && from < n && !is_after(&all[from], &last)) from++;
  *out = (page){ all + from, n - from, false };
  if (!limited || out->n <= (size_t)most) return 0;
  out->n = (size_t)most;
  out->more = true;
  return 0;
}

static int read_list(const hm_api *api, hm_store *s, const hm_request *q, hm_buf *out,
                     hm_err *err) {
  hm_verdict status;
  hm_conflict_place *places;
  size_t n;
  page here = { 0 };
  bool in_project, some = status_of(hm_request_query(q, "status", NULL), &status);
  hm_str project = hm_request_query(q, "project", &in_project);
  if (in_project && hm_lookup_project(s, project, q->a, &project, err))
    return hm_err_at_field(err, HM_STR("project"));
  if (hm_lookup_conflicts(s, some ? &status : NULL, in_project ? &project : NULL, q->a, &places, &n,
                          err))
    return -1;
  if (read_page(s, q, places, n, &here, err)) return -1;
  hm_buf_c(out, "{\"conflicts\":");
  if (hm_api_put_conflicts(api, s, here.first, here.n, out, q->a, err)) return -1;
  hm_buf_fmt(out, ",\"count\":%zu", n);
  if (here.more) hm_buf_c(out, ",\"next\":");
  if (here.more) hm_json_put_str(out, here.first[here.n - 1].id);
  hm_buf_ch(out, '}');
  return 0;
}

int hm_api_list_conflicts(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  return hm_api_read(ctx, true, q, r, read_list, err);
}
