/* The newest of many times, and what is now: see snapshot_impl.h. Odd times of rows. */
#include <string.h>
#include "core/record/records.h"
#include "core/store/snapshot_impl.h"

hm_time hm_now_of(const hm_store *s, hm_time newest) {
  if (s->dated)
    return s->epoch;
  return newest == HM_TIME_MIN ? HM_TIME_MAX : newest;
}

/* --- the newest of many times ----------------------------------------------------- */

hm_newest hm_newest_before(hm_time limit) {
  return (hm_newest){ .t = HM_TIME_MIN, .limit = limit, .ahead = HM_TIME_MAX };
}

/* "2026-04-02T09:00:00Z": in this form later times are greater strings. */
static bool is_plain(hm_str s) { return s.n == 20 && s.p[19] == 'Z' && s.p[10] == 'T'; }

void hm_newest_add(hm_newest *n, hm_str time) {
  hm_time t;
  hm_precision p;
  if (!time.n)
    return;
  if (n->is_plain && is_plain(time) && memcmp(time.p, n->plain, 20) <= 0)
    return;
  if (!hm_time_parse(time, &t, &p) || t <= n->t)
    return;
  if (t > n->limit) {
    if (t < n->ahead)
      n->ahead = t;
    return;
  }
  n->t = t;
  n->is_plain = is_plain(time);
  if (n->is_plain)
    memcpy(n->plain, time.p, 20);
}

void hm_newest_merge(hm_newest *to, const hm_newest *from) {
  hm_time ahead = from->ahead < to->ahead ? from->ahead : to->ahead;
  if (from->t > to->t)
    *to = *from;
  to->ahead = ahead;
}

/* --- times ahead of the clock, and invalid times ------------------------------------------ */

/* A time of a row, and whether it counts for now. */
typedef struct {
  const char *column;
  hm_str text;
  bool written;
} row_time;

/* Records a time of a row if it is ahead or invalid. */
static void add_odd(const hm_store *s, const hm_row *r, const row_time *v, hm_odd_times *out) {
  hm_time t;
  hm_precision p;
  if (!v->text.n || (!v->written && hm_bound_is_time(s, v->text)))
    return;
  if (!hm_time_parse(v->text, &t, &p)) {
    size_t i = 0;
    while (i < out->n_unread &&
           !(out->unread[i].layer == r->layer && out->unread[i].column == v->column))
      i++;
    if (i == out->n_unread)
      out->unread[out->n_unread++] = (hm_unread){ r->layer, v->column, 0, r->id, v->text };
    out->unread[i].rows++;
  } else if (v->written && t > hm_clock_limit(s) && out->n_ahead++ < HM_AHEAD_MAX) {
    out->ahead[out->n_ahead - 1] = (hm_ahead){ r->layer, r->id, v->column, v->text };
  }
}

void hm_snapshot_odd_times(const hm_snapshot *snap, const hm_store *s, hm_odd_times *out) {
  *out = (hm_odd_times){ .n_ahead = 0 };
  for (size_t i = 0; i < snap->n_rows; i++) {
    const hm_row *r = &snap->rows[i];
    const row_time times[] = { { "created_at", r->created_at, true },
                               { "updated_at", r->updated_at, true },
                               { "superseded_at", snap->details[i].superseded_at, true },
                               { "valid_from", r->valid_from, false },
                               { "valid_until", r->valid_until, false } };
    for (size_t k = 0; k < HM_COUNT(times); k++)
      add_odd(s, r, &times[k], out);
  }
}
