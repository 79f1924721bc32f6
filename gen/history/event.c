#include "gen/history/event.h"

#include <stdlib.h>
#include <string.h>

hm_event *hm_event_add(hm_events *l, hm_event_kind kind) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 64;
    l->v = hm_xrealloc(l->v, l->cap * sizeof *l->v);
  }
  hm_event *e = &l->v[l->n++];
  *e = (hm_event){ .kind = kind,
                   .project = HM_EMPTY,
                   .slot = HM_EMPTY,
                   .row = HM_EMPTY,
                   .name = HM_EMPTY,
                   .field = HM_EMPTY,
                   .before = HM_EMPTY,
                   .after = HM_EMPTY,
                   .said = HM_EMPTY,
                   .by = HM_EMPTY,
                   .conflict = HM_EMPTY,
                   .status = HM_EMPTY,
                   .action = HM_EMPTY,
                   .winner = HM_EMPTY,
                   .notes = HM_EMPTY,
                   .at = HM_EMPTY };
  return e;
}

void hm_events_free(hm_events *l) {
  free(l->v);
  *l = (hm_events){ 0 };
}

static int order(const void *x, const void *y) {
  const hm_event *a = x, *b = y;
  int c = hm_str_cmp(a->project, b->project);
  if (c == 0) c = (a->slot.n == 0) - (b->slot.n == 0);
  if (c == 0) c = hm_str_cmp(a->slot, b->slot);
  if (c == 0) c = (a->conflict.n > 0) - (b->conflict.n > 0);
  if (c == 0) c = hm_str_cmp(a->row, b->row);
  if (c == 0) c = hm_str_cmp(a->conflict, b->conflict);
  if (c == 0) c = (int)a->kind - (int)b->kind;
  return c ? c : hm_str_cmp(a->field, b->field);
}

void hm_events_sort(hm_events *l) {
  if (l->n) qsort(l->v, l->n, sizeof *l->v, order);
}

static const char *const names[] = { "appeared", "changed",  "gone",    "status",
                                     "known",    "disputed", "members", "quiet",
                                     "settled",  "reopened", "dropped" };

const char *hm_event_name(hm_event_kind kind) { return names[kind]; }

/* --- JSON ------------------------------------------------------------------- */

static void put(hm_jw *w, const char *key, hm_str s) {
  if (s.n) hm_jw_str(w, key, s);
}

static void put_list(hm_jw *w, const char *key, const hm_str *s, size_t n) {
  if (n == 0) return;
  hm_jw_arr(w, key);
  for (size_t i = 0; i < n; i++) hm_jw_str(w, NULL, s[i]);
  hm_jw_end(w);
}

static void row_json(hm_jw *w, const hm_event *e) {
  hm_jw_str(w, "row", e->row);
  put(w, "name", e->name);
  put(w, "field", e->field);
  if (e->kind != HM_EV_APPEARED) hm_jw_str(w, "before", e->before);
  if (e->kind != HM_EV_GONE) hm_jw_str(w, "after", e->after);
  put(w, "value", e->said);
  put(w, "status", e->status);
  put(w, "by", e->by);
}

static void conflict_json(hm_jw *w, const hm_event *e) {
  hm_jw_str(w, "conflict", e->conflict);
  hm_jw_str(w, "status", e->status);
  hm_jw_arr(w, "values");
  for (size_t i = 0; i < e->n_values; i++) hm_jw_str(w, NULL, e->values[i]);
  hm_jw_end(w);
  put_list(w, "added", e->added, e->n_added);
  put_list(w, "removed", e->removed, e->n_removed);
  if (e->withheld) hm_jw_int(w, "withheld", e->withheld);
  if (e->kind == HM_EV_DISPUTED) hm_jw_bool(w, "again", e->again);
  if (e->kind != HM_EV_SETTLED) return;
  hm_jw_str_or_null(w, "action", e->action);
  hm_jw_str_or_null(w, "winner", e->winner);
  hm_jw_str_or_null(w, "value", e->said);
  hm_jw_str_or_null(w, "resolved_by", e->by);
  hm_jw_str_or_null(w, "resolved_at", e->at);
  hm_jw_str(w, "resolution", e->notes);
}

void hm_event_json(hm_jw *w, const hm_event *e) {
  hm_jw_str(w, "event", hm_str_c(names[e->kind]));
  hm_jw_str(w, "project", e->project);
  if (e->slot.n) hm_jw_raw(w, "slot_key", e->slot);
  else hm_jw_null(w, "slot_key");
  if (e->conflict.n) conflict_json(w, e);
  else row_json(w, e);
}
