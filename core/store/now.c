/* The newest time of all rows, and what is now: see snapshot_impl.h. */
#include <stdlib.h>
#include <string.h>
#include "core/store/claim_index.h"
#include "core/store/snapshot_impl.h"

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

/* --- the newest time of all rows --------------------------------------------------- */

/* And the row that has it: where that row changes, the time may be gone. layer 0: no row has one.
 */
typedef struct { hm_newest newest; int layer; hm_str id; } holder;

#define TIMES "SELECT id, created_at, updated_at, superseded_at FROM "
static const char *const ALL[] = {
  [HM_MEMORY] = TIMES "memories", [HM_ENTITY] = TIMES "entities",
  [HM_STATE] = TIMES "project_state", [HM_RELATION] = TIMES "relations",
};
static const char *const ONE[] = {
  [HM_MEMORY] = TIMES "memories WHERE id = ?1", [HM_ENTITY] = TIMES "entities WHERE id = ?1",
  [HM_STATE] = TIMES "project_state WHERE id = ?1", [HM_RELATION] = TIMES "relations WHERE id = ?1",
};

/* Takes note of the times of all rows that st gives. a: for texts that are kept. */
static int add_rows(hm_store *s, hm_stmt *st, int layer, holder *h, hm_arena *a, hm_err *err) {
  int rc;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_time before = h->newest.t;
    for (int c = 1; c <= 3; c++) hm_newest_add(&h->newest, hm_sql_text(st, c, a));
    if (h->newest.t == before) continue;
    h->layer = layer;
    h->id = hm_sql_copy(st, 0, a);
  }
  return rc;
}

static int read_all(hm_store *s, holder *h, hm_arena *a, hm_err *err) {
  *h = (holder){ hm_newest_before(hm_clock_limit(s)), 0, HM_EMPTY };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_stmt *st;
    if (hm_sql_cached(s, ALL[l], &st, err) || add_rows(s, st, l, h, a, err)) return -1;
  }
  return 0;
}

/* Adds those of the rows that st gives. */
static int add_ahead(hm_store *s, hm_stmt *st, hm_layer layer, hm_arena *a, size_t max,
                     hm_ahead *out, int64_t *n, hm_err *err) {
  static const char *const columns[] = { "", "created_at", "updated_at", "superseded_at" };
  int rc;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    for (int c = 1; c <= 3; c++) {
      hm_newest one = hm_newest_before(hm_clock_limit(s));
      hm_newest_add(&one, hm_sql_text(st, c, a));
      if (one.ahead == HM_TIME_MAX || (uint64_t)(*n)++ >= max) continue;
      out[*n - 1] = (hm_ahead){ layer, hm_sql_copy(st, 0, a), columns[c], hm_sql_copy(st, c, a) };
    }
  return rc;
}

static int read_ahead(hm_store *s, hm_arena *a, size_t max, hm_ahead *out, int64_t *n,
                      hm_err *err) {
  static const char *const sql[] = {
    [HM_MEMORY] = TIMES "memories ORDER BY id", [HM_ENTITY] = TIMES "entities ORDER BY id",
    [HM_STATE] = TIMES "project_state ORDER BY id", [HM_RELATION] = TIMES "relations ORDER BY id",
  };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_stmt *st;
    if (hm_sql_cached(s, sql[l], &st, err) || add_ahead(s, st, (hm_layer)l, a, max, out, n, err))
      return -1;
  }
  return 0;
}

int hm_store_ahead(hm_store *s, hm_arena *a, size_t max, hm_ahead *out, int64_t *n, hm_err *err) {
  bool mine;
  *n = 0;
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  return hm_sql_txn_end(s, mine, read_ahead(s, a, max, out, n, err), err);
}

/* --- as the index of the claims has it ------------------------------------------------ */

enum { NOTED_MAX = 10000 };   /* past this many changed rows all are read */

typedef struct { holder h; hm_time now; bool has_now; } kept;

/* *known: the index has it, and the clock has not passed anything since. */
static int read_kept(hm_store *s, kept *k, bool *known, hm_arena *a, hm_err *err) {
  hm_stmt *st;
  *known = false;
  bool current;
  if (hm_index_current(s, (hm_str){ NULL, 0 }, &current, err)) return -1;
  if (!current) return 0;
  if (hm_sql_cached(
          s, "SELECT newest, newest_layer, newest_id, ahead, now FROM claim_index", &st,
          err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc != 1) return rc;
  k->h.newest = hm_newest_before(hm_clock_limit(s));
  *known = hm_sql_is_int(st, 1);
  k->h.newest.t = hm_sql_number(st, 0);
  k->h.layer = (int)hm_sql_number(st, 1);
  k->h.id = hm_sql_copy(st, 2, a);
  k->h.newest.ahead = hm_sql_number(st, 3);
  k->now = hm_sql_number(st, 4);
  k->has_now = hm_sql_is_int(st, 4);
  hm_sql_reset(st);
  if (k->h.newest.t > k->h.newest.limit || k->h.newest.ahead <= k->h.newest.limit) *known = false;
  return 0;
}

/* Takes in the noted rows. *known becomes false when the row that had the newest time has it no
 * more. */
static int add_noted(hm_store *s, holder *h, bool *known, hm_arena *a, hm_err *err) {
  hm_row_keys noted = { 0 };
  int rc = hm_index_changed(s, NOTED_MAX + 1, a, &noted, err);
  hm_time newest = h->newest.t;
  int layer = h->layer;
  hm_str id = h->id;
  if (noted.n > NOTED_MAX) *known = false;
  for (size_t i = 0; i < noted.n && !rc && *known; i++) {
    hm_row_key k = noted.v[i];
    hm_stmt *st;
    holder one = { hm_newest_before(h->newest.limit), 0, HM_EMPTY };
    if (!k.layer) continue;
    rc = hm_sql_cached(s, ONE[k.layer], &st, err);
    if (rc) break;
    hm_sql_bind(st, 1, k.id);
    rc = add_rows(s, st, (int)k.layer, &one, a, err);
    if ((int)k.layer == layer && hm_str_eq(k.id, id) && one.newest.t < newest) *known = false;
    if (one.newest.t > h->newest.t) h->layer = one.layer, h->id = one.id;
    hm_newest_merge(&h->newest, &one.newest);
  }
  free(noted.v);
  return rc;
}

static int read_newest(hm_store *s, kept *k, hm_arena *a, hm_err *err) {
  bool known;
  *k = (kept){ .now = HM_TIME_MAX };
  if (read_kept(s, k, &known, a, err)) return -1;
  if (known && add_noted(s, &k->h, &known, a, err)) return -1;
  return known ? 0 : read_all(s, &k->h, a, err);
}

int hm_store_now(hm_store *s, hm_time *now, hm_err *err) {
  kept k;
  int rc = 0;
  if (!s->dated) {
    hm_arena *a = hm_arena_new();
    rc = read_newest(s, &k, a, err);
    hm_arena_free(a);
  }
  *now = hm_now_of(s, s->dated || rc ? HM_TIME_MIN : k.h.newest.t);
  return rc;
}

static int write_kept(hm_store *s, const kept *k, hm_time now, hm_err *err) {
  static const char sql[] = "UPDATE claim_index SET newest = ?1, newest_layer = ?2, newest_id = ?3,"
                            " ahead = ?4, now = ?5";
  return hm_sql_do(s, sql,
                   HM_ARGS(hm_arg_int(k->h.newest.t), hm_arg_int(k->h.layer), hm_arg_text(k->h.id),
                           hm_arg_int(k->h.newest.ahead), hm_arg_int(now)),
                   err);
}

int hm_now_passed(hm_store *s, hm_time *before, hm_time *now, hm_err *err) {
  hm_arena *a = hm_arena_new();
  kept k;
  int rc = read_newest(s, &k, a, err);
  *before = rc || !k.has_now ? HM_TIME_MIN : k.now;
  *now = rc ? HM_TIME_MAX : hm_now_of(s, k.h.newest.t);
  hm_arena_free(a);
  return rc;
}

int hm_now_take_in(hm_store *s, hm_time *before, hm_time *now, hm_err *err) {
  hm_arena *a = hm_arena_new();
  kept k;
  int rc = read_newest(s, &k, a, err);
  hm_time is = rc ? HM_TIME_MAX : hm_now_of(s, k.h.newest.t);
  if (before) *before = k.has_now ? k.now : HM_TIME_MIN;
  if (now) *now = is;
  if (!rc) rc = write_kept(s, &k, is, err);
  hm_arena_free(a);
  return rc;
}
