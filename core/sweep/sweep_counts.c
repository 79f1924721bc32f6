/* What a sweep counts of the rows that it read: see answer.h. Cost: linear in the rows; a store
 * with an unknown status is read once more. */
#include "core/claim/silence.h"
#include "core/sweep/answer.h"

static void put_rows(hm_jw *j, const int64_t rows[5][6]) {
  hm_jw_obj(j, "rows");
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_jw_obj(j, hm_layer_name(l));
    for (hm_status s = HM_CANDIDATE; s <= HM_STATUS_OTHER; s++)
      hm_jw_int(j, hm_status_name(s), rows[l][s]);
    hm_jw_end(j);
  }
  hm_jw_end(j);
}

static void put_unread(hm_jw *j, const char *key, const hm_unread *v, size_t n) {
  hm_jw_arr(j, key);
  for (size_t i = 0; i < n; i++) {
    const hm_unread *u = &v[i];
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "kind", hm_str_c(hm_layer_name(u->layer)));
    hm_jw_str(j, "column", hm_str_c(u->column));
    hm_jw_str(j, "value", u->value);
    hm_jw_int(j, "rows", u->rows);
    if (u->id.n)
      hm_jw_str(j, "id", u->id);
    hm_jw_end(j);
  }
  hm_jw_end(j);
}

static void put_ahead(hm_jw *j, const hm_odd_times *times, hm_arena *a) {
  int64_t n = times->n_ahead < HM_AHEAD_MAX ? times->n_ahead : HM_AHEAD_MAX;
  hm_jw_obj(j, "ahead_of_clock");
  hm_jw_int(j, "count", times->n_ahead);
  hm_jw_arr(j, "times");
  for (int64_t i = 0; i < n; i++) {
    const hm_ahead *t = &times->ahead[i];
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "row", hm_ref_text(a, t->layer, t->id));
    hm_jw_str(j, "column", hm_str_c(t->column));
    hm_jw_str(j, "at", t->at);
    hm_jw_end(j);
  }
  hm_jw_end(j);
  hm_jw_end(j);
}

int hm_sweep_counts(hm_store *s, const hm_sweep *w, hm_arena *a, hm_str *out, hm_err *err) {
  const hm_snapshot *snap = w->snap;
  int64_t rows[5][6] = { 0 }, other = 0;
  hm_store_counts counts = { .n_statuses = 0 };
  hm_odd_times times;
  hm_silence silence;
  hm_gap *gaps;
  size_t n_gaps;
  hm_buf b = { 0 };
  hm_jw j;
  for (size_t i = 0; i < snap->n_rows; i++) {
    rows[snap->rows[i].layer][snap->rows[i].status]++;
    other += snap->rows[i].status == HM_STATUS_OTHER;
  }
  if (other && hm_store_count(s, a, &counts, err))
    return -1;
  hm_snapshot_odd_times(snap, s, &times);
  hm_silence_collect(snap, w->claims, a, &silence);
  const hm_compared *compared = hm_compared_count(snap, w->claims, NULL, NULL, NULL, a);
  hm_gaps_collect(snap, w->claims, NULL, NULL, a, &gaps, &n_gaps);
  hm_jw_init(&j, &b, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_int(&j, "projects", (int64_t)snap->n_projects);
  put_rows(&j, rows);
  hm_jw_int(&j, "links", (int64_t)snap->n_links);
  hm_jw_int(&j, "gaps", (int64_t)n_gaps);
  hm_silence_json(&j, &silence);
  hm_compared_json(&j, &compared[snap->n_projects]);
  put_ahead(&j, &times, a);
  put_unread(&j, "unread_times", times.unread, times.n_unread);
  put_unread(&j, "unread_statuses", counts.statuses, counts.n_statuses);
  hm_jw_end(&j);
  *out = hm_buf_take(&b, a);
  return 0;
}
