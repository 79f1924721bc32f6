/* The change log: see changes.h. */
#include "core/store/changes.h"
#include "core/store/sql.h"

static int log_insert(hm_store *s, hm_log_layer layer, hm_str id, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "INSERT INTO changes (layer, id) VALUES (?1, ?2)", &st, err)) return -1;
  sqlite3_bind_int(st, 1, (int)layer);
  hm_sql_bind(st, 2, id);
  return hm_sql_run(s, st, err);
}

int hm_log_add(hm_store *s, hm_log_layer layer, hm_str id, hm_err *err) {
  if (s->logged > HM_LOG_LINES_MAX) return 0;
  if (s->logged++ == HM_LOG_LINES_MAX || layer == HM_LOG_ALL) {
    s->logged = HM_LOG_LINES_MAX + 1;
    return log_insert(s, HM_LOG_ALL, HM_EMPTY, err);
  }
  return log_insert(s, layer, id, err);
}

int hm_log_add_conflict(hm_store *s, hm_str id, hm_str slot_key, hm_err *err) {
  static const char sql[] =
      "SELECT DISTINCT member_kind, member_id FROM conflict_members WHERE conflict_id = ?1";
  sqlite3_stmt *st;
  int rc = hm_log_add(s, HM_LOG_SLOT, slot_key, err);
  if (rc || hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_layer layer;
    if (hm_layer_of(hm_sql_text(st, 0, NULL), &layer) &&
        hm_log_add(s, (hm_log_layer)layer, hm_sql_text(st, 1, NULL), err)) {
      sqlite3_reset(st);
      return -1;
    }
  }
  return rc;
}

int hm_log_end(hm_store *s, hm_log_stamp *out, hm_err *err) {
  sqlite3_stmt *st;
  int rc = 0;
  for (int tries = 0; tries < 2 && rc == 0; tries++) {
    if (tries && log_insert(s, HM_LOG_ALL, HM_EMPTY, err)) return -1;
    if (hm_sql_cached(s, "SELECT seq, nonce FROM changes ORDER BY seq DESC LIMIT 1", &st, err))
      return -1;
    rc = hm_sql_step(s, st, err);
    if (rc == 1)
      *out = (hm_log_stamp){ sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1), 0 };
    sqlite3_reset(st);
  }
  return rc < 0 ? -1 : hm_sql_int(s, "PRAGMA schema_version", &out->schema, err);
}

int hm_log_stamp_holds(hm_store *s, const hm_log_stamp *stamp, bool *holds, hm_err *err) {
  sqlite3_stmt *st;
  int64_t schema;
  *holds = false;
  if (hm_sql_int(s, "PRAGMA schema_version", &schema, err)) return -1;
  if (schema != stamp->schema) return 0;
  if (hm_sql_cached(s,
                    "SELECT 1 FROM changes WHERE seq = ?1 AND nonce = ?2 AND NOT EXISTS"
                    " (SELECT 1 FROM changes WHERE seq > ?1 AND layer = 0)",
                    &st, err))
    return -1;
  sqlite3_bind_int64(st, 1, stamp->seq);
  sqlite3_bind_int64(st, 2, stamp->nonce);
  int rc = hm_sql_step(s, st, err);
  sqlite3_reset(st);
  *holds = rc == 1;
  return rc < 0 ? -1 : 0;
}

int hm_log_prune(hm_store *s, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "DELETE FROM changes WHERE seq <= (SELECT max(seq) FROM changes) - ?1", &st,
                    err))
    return -1;
  sqlite3_bind_int64(st, 1, HM_LOG_LINES_MAX);
  return hm_sql_run(s, st, err);
}

int hm_log_clear(hm_store *s, hm_err *err) {
  if (hm_sql_exec(s, "DELETE FROM changes", err)) return -1;
  return log_insert(s, HM_LOG_ALL, HM_EMPTY, err);
}
