/* See publish_time.h. */
#include "gen/mirror/publish_time.h"

static void take_newer(hm_time *t, hm_str time, hm_time limit) {
  hm_time at;
  hm_precision p;
  if (hm_time_parse(time, &at, &p) && at > *t && at <= limit) *t = at;
}

/* As now, of rows that are published: the time of a row that is left out is a fact about it. Rows
 * that lie ahead of the clock lie after now. */
static hm_time newest_row(const hm_snapshot *s, const bool *hidden) {
  hm_time t = HM_TIME_MIN;
  for (size_t i = 0; i < s->n_rows && s->now < HM_TIME_MAX; i++) {
    if (hidden[i]) continue;
    take_newer(&t, s->rows[i].created_at, s->now);
    take_newer(&t, s->details[i].updated_at, s->now);
    take_newer(&t, s->details[i].superseded_at, s->now);
  }
  return t;
}

static hm_time newest_verdict(const hm_view *view) {
  hm_time t = HM_TIME_MIN;
  size_t n;
  const hm_conflict_rec **c = hm_view_conflicts(view, &n);
  for (size_t i = 0; i < n; i++)
    if (c[i]->status != HM_OPEN) take_newer(&t, c[i]->resolved_at, HM_TIME_MAX);
  return t;
}

static bool leaves_out_rows(const hm_exclude *x) {
  return x->n_projects || x->n_types || x->n_statuses || x->n_tags || x->n_properties;
}

int64_t hm_publish_time(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view) {
  hm_time t = HM_TIME_MIN;
  if (leaves_out_rows(&m->config.exclude)) {
    hm_time verdict = newest_verdict(view);
    t = newest_row(sweep->snap, hm_view_hidden(view));
    if (verdict > t) t = verdict;
  } else {
    take_newer(&t, sweep->snap->newest, HM_TIME_MAX);
  }
  return t > 0 ? t / 1000000 : 0;
}

hm_str hm_publish_now(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view) {
  hm_time now = sweep->snap->now;
  bool of_facts = m->epoch < 0 && leaves_out_rows(&m->config.exclude);
  if (of_facts && newest_row(sweep->snap, hm_view_hidden(view)) != now) return HM_EMPTY;
  return hm_time_iso(m->a, now);
}
