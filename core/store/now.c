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

enum { N_WRITTEN = 3 }; /* the columns that count for now come first */

#define TIMES(table)                                                                               \
  "SELECT id, created_at, updated_at, superseded_at, valid_from, valid_until FROM " table          \
  " ORDER BY id"
static const char *const SORTED[] = { [HM_MEMORY] = TIMES("memories"),
                                      [HM_ENTITY] = TIMES("entities"),
                                      [HM_STATE] = TIMES("project_state"),
                                      [HM_RELATION] = TIMES("relations") };

/* --- times ahead of the clock, and invalid times ------------------------------------------ */

/* Records a time of a row if it is ahead or invalid. */
static void add_odd(const hm_store *s, hm_odd_times *out, hm_newest none, hm_layer l,
                    const char *column, hm_stmt *st, int c, hm_arena *a) {
  hm_str text = hm_sql_text(st, c, a);
  hm_time t;
  hm_precision p;
  if (!text.n || (c > N_WRITTEN && hm_bound_is_time(s, text)))
    return;
  if (!hm_time_parse(text, &t, &p)) {
    size_t i = 0;
    while (i < out->n_unread && !(out->unread[i].layer == l && out->unread[i].column == column))
      i++;
    if (i == out->n_unread)
      out->unread[out->n_unread++] =
          (hm_unread){ l, column, 0, hm_sql_copy(st, 0, a), hm_sql_copy(st, c, a) };
    out->unread[i].rows++;
  } else if (c <= N_WRITTEN && t > none.limit && out->n_ahead++ < HM_AHEAD_MAX) {
    out->ahead[out->n_ahead - 1] =
        (hm_ahead){ l, hm_sql_copy(st, 0, a), column, hm_sql_copy(st, c, a) };
  }
}

int hm_store_odd_times(hm_store *s, hm_arena *a, hm_odd_times *out, hm_err *err) {
  static const char *const columns[] = { "",           "created_at", "updated_at", "superseded_at",
                                         "valid_from", "valid_until" };
  bool mine;
  int rc = 0;
  *out = (hm_odd_times){ .n_ahead = 0 };
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  const hm_newest none = hm_newest_before(hm_clock_limit(s));
  for (int l = HM_MEMORY; l <= HM_RELATION && !rc; l++) {
    hm_stmt *st;
    if ((rc = hm_sql_cached(s, SORTED[l], &st, err)) != 0)
      break;
    while ((rc = hm_sql_step(s, st, err)) == 1)
      for (int c = 1; c < (int)HM_COUNT(columns); c++)
        add_odd(s, out, none, (hm_layer)l, columns[c], st, c, a);
  }
  return hm_store_txn_end(s, mine, rc, err);
}
