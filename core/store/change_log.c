/* The tables changes and judge_queue: see change_log.h. */
#include "core/store/change_log.h"

#include "core/store/sql_impl.h"

enum {
  INSERT_LINE,
  LAST_LINE,
  STAMP_HOLDS,
  PRUNE,
  CLEAR,
  MEMBERS,
  ADD_WAITING,
  COUNT_WAITING,
  FIRST_WAITING,
  COUNT_TRY,
  REMOVE_WAITING
};
static const char *const SQL[] = {
  [INSERT_LINE] = "INSERT INTO changes (layer, id) VALUES (?1, ?2)",
  [LAST_LINE] = "SELECT seq, nonce FROM changes ORDER BY seq DESC LIMIT 1",
  [STAMP_HOLDS] = "SELECT 1 FROM changes WHERE seq = ?1 AND nonce = ?2 AND NOT EXISTS"
                  " (SELECT 1 FROM changes WHERE seq > ?1 AND layer = 0)",
  [PRUNE] = "DELETE FROM changes WHERE seq <= (SELECT max(seq) FROM changes) - ?1",
  [CLEAR] = "DELETE FROM changes",
  [MEMBERS] = "SELECT DISTINCT member_kind, member_id FROM conflict_members WHERE conflict_id = ?1",
  [ADD_WAITING] = "INSERT OR REPLACE INTO judge_queue (ref) VALUES (?1)",
  [COUNT_WAITING] = "SELECT count(*) FROM judge_queue",
  [FIRST_WAITING] = "SELECT seq, ref FROM judge_queue ORDER BY seq LIMIT ?1",
  [COUNT_TRY] = "UPDATE judge_queue SET tries = tries + 1 WHERE seq = ?1 AND tries + 1 < ?2"
                " RETURNING 1",
  [REMOVE_WAITING] = "DELETE FROM judge_queue WHERE seq = ?1 RETURNING 1",
};

static int log_all(hm_store *s, hm_err *err) {
  return hm_sql_do(s, SQL[INSERT_LINE], HM_ARGS(hm_arg_int(HM_LOG_ALL), hm_arg_text(HM_EMPTY)),
                   err);
}

int hm_log_add(hm_store *s, hm_log_layer layer, hm_str id, hm_err *err) {
  if (s->logged > HM_LOG_LINES_MAX)
    return 0;
  if (s->logged++ == HM_LOG_LINES_MAX)
    return log_all(s, err);
  return hm_sql_do(s, SQL[INSERT_LINE], HM_ARGS(hm_arg_int(layer), hm_arg_text(id)), err);
}

int hm_log_add_conflict(hm_store *s, hm_str id, hm_str slot_key, hm_err *err) {
  hm_stmt *st;
  int rc = hm_log_add(s, HM_LOG_SLOT, slot_key, err);
  if (rc || hm_sql_query(s, SQL[MEMBERS], HM_ARGS(hm_arg_text(id)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_layer layer;
    if (hm_layer_parse(hm_sql_text(st, 0, NULL), &layer) &&
        hm_log_add(s, (hm_log_layer)layer, hm_sql_text(st, 1, NULL), err)) {
      hm_sql_reset(st);
      return -1;
    }
  }
  return rc;
}

int hm_log_read_stamp(hm_store *s, hm_log_stamp *out, bool *there, hm_err *err) {
  hm_stmt *st;
  *out = (hm_log_stamp){ 0 };
  if (hm_sql_cached(s, SQL[LAST_LINE], &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  *there = rc == 1;
  if (*there)
    *out = (hm_log_stamp){ hm_sql_number(st, 0), hm_sql_number(st, 1), 0 };
  hm_sql_reset(st);
  return rc < 0 ? -1 : hm_sql_schema_version(s, &out->schema, err);
}

int hm_log_make_stamp(hm_store *s, hm_log_stamp *out, hm_err *err) {
  bool there = false;
  for (int tries = 0; tries < 2 && !there; tries++)
    if ((tries && log_all(s, err)) || hm_log_read_stamp(s, out, &there, err))
      return -1;
  s->logged = 0; /* lines before the stamp say nothing of what the transaction changes after it */
  return 0;
}

int hm_log_stamp_holds(hm_store *s, const hm_log_stamp *stamp, bool *holds, hm_err *err) {
  int64_t schema;
  *holds = false;
  if (hm_sql_schema_version(s, &schema, err))
    return -1;
  if (schema != stamp->schema)
    return 0;
  return hm_sql_has(s, SQL[STAMP_HOLDS], HM_ARGS(hm_arg_int(stamp->seq), hm_arg_int(stamp->nonce)),
                    holds, err);
}

int hm_log_prune(hm_store *s, hm_err *err) {
  return hm_sql_do(s, SQL[PRUNE], HM_ARGS(hm_arg_int(HM_LOG_LINES_MAX)), err);
}

int hm_log_clear(hm_store *s, hm_err *err) {
  return hm_sql_exec(s, SQL[CLEAR], err) ? -1 : log_all(s, err);
}

/* --- rows that wait for a judge -------------------------------------------------------------- */

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
