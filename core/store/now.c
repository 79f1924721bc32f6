/* The newest time of all rows, and what is now: see snapshot_impl.h.
 *
 * The index of the claims has the newest time and its row; changed rows are added. If that row no
 * longer has the time, or a time ahead of the clock has come within reach, all rows are read. */
#include <stdlib.h>
#include <string.h>
#include "core/store/claim_index.h"
#include "core/store/records_impl.h"
#include "core/store/snapshot_impl.h"

#define DAY (INT64_C(86400) * 1000000)

hm_time hm_clock_limit(const hm_store *s) { return (s->dated ? s->epoch : s->clock) + DAY; }

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

/* --- the newest time of all rows --------------------------------------------------- */

enum { CHANGED_MAX = 10000 }; /* past this many changed rows all are read */
enum { N_WRITTEN = 3 };       /* the columns that count for now come first */

#define TIMES "SELECT id, created_at, updated_at, superseded_at, valid_from, valid_until FROM "
#define LAYERS(rest)                                                                               \
  {                                                                                                \
    [HM_MEMORY] = TIMES "memories" rest, [HM_ENTITY] = TIMES "entities" rest,                      \
    [HM_STATE] = TIMES "project_state" rest, [HM_RELATION] = TIMES "relations" rest                \
  }
static const char *const ALL[] = LAYERS("");
static const char *const ONE[] = LAYERS(" WHERE id = ?1");
static const char *const SORTED[] = LAYERS(" ORDER BY id");
static const char KEPT[] = "SELECT newest, newest_layer, newest_id, ahead, now FROM claim_index";
static const char KEEP[] = "UPDATE claim_index SET newest = ?1, newest_layer = ?2, newest_id = ?3,"
                           " ahead = ?4, now = ?5";

/* The newest time and its row; if that row changes, the time may be gone. layer 0: no row has a
 * time. now: of the last update of the index. */
typedef struct {
  hm_newest newest;
  int layer;
  hm_str id;
  hm_time now;
} newest_row;

/* Adds the times of all rows that the statement gives. a: for texts that are kept. */
static int add_times(hm_store *s, const char *sql, const hm_arg *args, int layer, newest_row *k,
                     hm_arena *a, hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_query(s, sql, args, &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_time before = k->newest.t;
    for (int c = 1; c <= N_WRITTEN; c++)
      hm_newest_add(&k->newest, hm_sql_text(st, c, a));
    if (k->newest.t == before)
      continue;
    k->layer = layer;
    k->id = hm_sql_copy(st, 0, a);
  }
  return rc;
}

/* *known: the index has it, and the clock has not passed anything since. */
static int read_kept(hm_store *s, newest_row *k, bool *known, hm_arena *a, hm_err *err) {
  hm_stmt *st;
  if (hm_index_is_current(s, (hm_str){ NULL, 0 }, known, err))
    return -1;
  if (!*known)
    return 0;
  if (hm_sql_cached(s, KEPT, &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  *known = rc == 1 && hm_sql_is_int(st, 1);
  if (rc != 1)
    return rc;
  k->newest.t = hm_sql_number(st, 0);
  k->layer = (int)hm_sql_number(st, 1);
  k->id = hm_sql_copy(st, 2, a);
  k->newest.ahead = hm_sql_number(st, 3);
  if (hm_sql_is_int(st, 4))
    k->now = hm_sql_number(st, 4);
  hm_sql_reset(st);
  *known = *known && k->newest.t <= k->newest.limit && k->newest.ahead > k->newest.limit;
  return 0;
}

/* Adds the changed rows. Sets *known to false if the row with the newest time no longer has it. */
static int add_changed(hm_store *s, newest_row *k, bool *known, hm_arena *a, hm_err *err) {
  hm_row_keys changed = { 0 };
  const newest_row was = *k;
  int rc = hm_index_read_changed_rows(s, CHANGED_MAX + 1, a, &changed, err);
  *known = changed.n <= CHANGED_MAX;
  for (size_t i = 0; i < changed.n && !rc && *known; i++) {
    hm_row_key key = changed.v[i];
    newest_row one = { .newest = hm_newest_before(k->newest.limit), .id = HM_EMPTY };
    if (!key.layer)
      continue;
    rc = add_times(s, ONE[key.layer], HM_ARGS(hm_arg_text(key.id)), (int)key.layer, &one, a, err);
    if ((int)key.layer == was.layer && hm_str_eq(key.id, was.id) && one.newest.t < was.newest.t)
      *known = false;
    if (one.newest.t > k->newest.t)
      k->layer = one.layer, k->id = one.id;
    hm_newest_merge(&k->newest, &one.newest);
  }
  free(changed.v);
  return rc;
}

static int read_newest(hm_store *s, newest_row *k, hm_arena *a, hm_err *err) {
  const hm_newest none = hm_newest_before(hm_clock_limit(s));
  bool known;
  *k = (newest_row){ .newest = none, .id = HM_EMPTY, .now = HM_TIME_MIN };
  if (read_kept(s, k, &known, a, err) || (known && add_changed(s, k, &known, a, err)))
    return -1;
  if (known)
    return 0;
  k->newest = none;
  k->layer = 0;
  k->id = HM_EMPTY;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    if (add_times(s, ALL[l], NULL, l, k, a, err))
      return -1;
  return 0;
}

int hm_store_now(hm_store *s, hm_time *now, hm_err *err) {
  newest_row k = { .newest.t = HM_TIME_MIN };
  hm_arena *a = hm_arena_new();
  int rc = s->dated ? 0 : read_newest(s, &k, a, err);
  hm_arena_free(a);
  *now = hm_now_of(s, rc ? HM_TIME_MIN : k.newest.t);
  return rc;
}

/* Reads them, and for `keep` has the index keep them. */
static int pass_now(hm_store *s, bool keep, hm_time *before, hm_time *now, hm_err *err) {
  hm_arena *a = hm_arena_new();
  newest_row k;
  int rc = read_newest(s, &k, a, err);
  hm_time is = rc ? HM_TIME_MAX : hm_now_of(s, k.newest.t);
  if (before)
    *before = rc ? HM_TIME_MIN : k.now;
  if (now)
    *now = is;
  if (!rc && keep)
    rc = hm_sql_do(s, KEEP,
                   HM_ARGS(hm_arg_int(k.newest.t), hm_arg_int(k.layer), hm_arg_text(k.id),
                           hm_arg_int(k.newest.ahead), hm_arg_int(is)),
                   err);
  hm_arena_free(a);
  return rc;
}

int hm_now_passed(hm_store *s, hm_time *before, hm_time *now, hm_err *err) {
  return pass_now(s, false, before, now, err);
}

int hm_now_update(hm_store *s, hm_time *before, hm_time *now, hm_err *err) {
  return pass_now(s, true, before, now, err);
}

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
