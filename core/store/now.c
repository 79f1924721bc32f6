#include "core/store/now.h"
#include <string.h>
#include "core/store/sql.h"

#define DAY (INT64_C(86400) * 1000000)

hm_time hm_clock_limit(const hm_store *s) { return (s->dated ? s->epoch : s->clock) + DAY; }

hm_time hm_now_of(const hm_store *s, hm_time newest) {
  if (s->dated) return s->epoch;
  return newest == HM_TIME_MIN ? HM_TIME_MAX : newest;
}

/* --- the newest of many times ----------------------------------------------------- */

hm_newest hm_newest_before(hm_time limit) {
  return (hm_newest){ .t = HM_TIME_MIN, .limit = limit, .ahead = HM_TIME_MAX };
}

/* "2026-04-02T09:00:00Z": in this form later times are greater strings. */
static bool is_plain(hm_str s) {
  return s.n == 20 && s.p[19] == 'Z' && s.p[10] == 'T';
}

void hm_newest_add(hm_newest *n, hm_str time) {
  hm_time t;
  hm_precision p;
  if (!time.n) return;
  if (n->is_plain && is_plain(time) && memcmp(time.p, n->plain, 20) <= 0) return;
  if (!hm_time_parse(time, &t, &p) || t <= n->t) return;
  if (t > n->limit) {
    if (t < n->ahead) n->ahead = t;
    return;
  }
  n->t = t;
  n->is_plain = is_plain(time);
  if (n->is_plain) memcpy(n->plain, time.p, 20);
}

void hm_newest_merge(hm_newest *to, const hm_newest *from) {
  hm_time ahead = from->ahead < to->ahead ? from->ahead : to->ahead;
  if (from->t > to->t) *to = *from;
  to->ahead = ahead;
}

/* --- of all rows --------------------------------------------------------------------- */

int hm_store_now(hm_store *s, hm_time *now, hm_err *err) {
  static const char *const sql[] = {
    "SELECT created_at, updated_at, superseded_at FROM memories",
    "SELECT created_at, updated_at, superseded_at FROM entities",
    "SELECT created_at, updated_at, superseded_at FROM project_state",
    "SELECT created_at, updated_at, superseded_at FROM relations",
  };
  hm_newest n = hm_newest_before(hm_clock_limit(s));
  hm_arena *a = hm_arena_new();   /* of the few times that are numbers */
  int rc = 0;
  for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) {
    sqlite3_stmt *st;
    if (rc || hm_sql_cached(s, sql[i], &st, err)) break;
    while ((rc = hm_sql_step(s, st, err)) == 1)
      for (int c = 0; c < 3; c++) hm_newest_add(&n, hm_sql_text(st, c, a));
  }
  *now = hm_now_of(s, n.t);
  hm_arena_free(a);
  return rc;
}
