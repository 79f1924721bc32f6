/* The table judge_queue: see judge_queue.h. */
#include "core/record/judge_queue.h"

#include "core/sqlite/sql.h"

enum { ADD_WAITING, COUNT_WAITING, FIRST_WAITING, COUNT_TRY, REMOVE_WAITING };
static const char *const SQL[] = {
  [ADD_WAITING] = "INSERT OR REPLACE INTO judge_queue (ref) VALUES (?1)",
  [COUNT_WAITING] = "SELECT count(*) FROM judge_queue",
  [FIRST_WAITING] = "SELECT seq, ref FROM judge_queue ORDER BY seq LIMIT ?1",
  [COUNT_TRY] = "UPDATE judge_queue SET tries = tries + 1 WHERE seq = ?1 AND tries + 1 < ?2"
                " RETURNING 1",
  [REMOVE_WAITING] = "DELETE FROM judge_queue WHERE seq = ?1 RETURNING 1",
};

int hm_judge_queue_add(hm_store *s, hm_str ref, hm_err *err) {
  return s->judged ? hm_sql_do(s, SQL[ADD_WAITING], HM_ARGS(hm_arg_text(ref)), err) : 0;
}

int hm_judge_queue_count(hm_store *s, int64_t *n, hm_err *err) {
  *n = 0;
  return s->version < HM_STORE_JUDGE_VERSION ? 0 : hm_sql_int(s, SQL[COUNT_WAITING], n, err);
}

int hm_judge_queue_read(hm_store *s, size_t max, hm_arena *a, hm_queued **out, size_t *n,
                        hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < HM_STORE_JUDGE_VERSION)
    return 0;
  if (hm_sql_query(s, SQL[FIRST_WAITING], HM_ARGS(hm_arg_int((int64_t)max)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (hm_queued){ hm_sql_number(st, 0), hm_sql_copy(st, 1, a) };
  }
  return rc;
}

int hm_judge_queue_done(hm_store *s, const hm_queued *q, bool failed, bool *left, hm_err *err) {
  bool stays = false;
  *left = false;
  if (failed &&
      hm_sql_has(s, SQL[COUNT_TRY], HM_ARGS(hm_arg_int(q->seq), hm_arg_int(HM_JUDGE_TRIES)), &stays,
                 err))
    return -1;
  return stays ? 0 : hm_sql_has(s, SQL[REMOVE_WAITING], HM_ARGS(hm_arg_int(q->seq)), left, err);
}
