#include <string.h>
#include "core/store/sql.h"

static int count_rows(hm_store *s, hm_arena *a, hm_store_counts *out, hm_err *err) {
  static const char *const sql[] = {
    [HM_MEMORY] = "SELECT status, count(*) FROM memories GROUP BY status",
    [HM_ENTITY] = "SELECT status, count(*) FROM entities GROUP BY status",
    [HM_STATE] = "SELECT status, count(*) FROM project_state GROUP BY status",
    [HM_RELATION] = "SELECT status, count(*) FROM relations GROUP BY status",
  };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    sqlite3_stmt *st;
    int rc;
    if (hm_sql_cached(s, sql[l], &st, err)) return -1;
    while ((rc = hm_sql_step(s, st, err)) == 1)
      out->rows[l][hm_status_of(hm_sql_text(st, 0, a))] += sqlite3_column_int64(st, 1);
    if (rc) return -1;
  }
  return 0;
}

static int count_tables(hm_store *s, hm_store_counts *out, hm_err *err) {
  const struct { const char *sql; int64_t *to; } counts[] = {
    { "SELECT count(1) FROM projects", &out->projects },
    { "SELECT count(1) FROM links", &out->links },
    { "SELECT count(*) FROM conflicts WHERE status = 'open'", &out->conflicts[HM_OPEN] },
    { "SELECT count(*) FROM conflicts WHERE status = 'resolved'", &out->conflicts[HM_RESOLVED] },
    { "SELECT count(*) FROM conflicts WHERE status = 'dismissed'", &out->conflicts[HM_DISMISSED] },
    { "SELECT count(*) FROM conflicts WHERE status = 'merged'", &out->conflicts[HM_MERGED] },
    { "SELECT count(1) FROM findings", &out->findings },
    { "SELECT count(1) FROM sweep_runs", &out->sweeps },
    { "SELECT count(1) FROM journal", &out->journal },
  };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (hm_sql_int(s, counts[i].sql, counts[i].to, err)) return -1;
  return 0;
}

/* The first column of the first row as text in a, or empty. */
static int one_text(hm_store *s, const char *sql, hm_arena *a, hm_str *out, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  *out = rc == 1 ? hm_sql_copy(st, 0, a) : HM_EMPTY;
  sqlite3_finalize(st);
  return rc < 0 ? -1 : 0;
}

static int count_all(hm_store *s, hm_arena *a, bool integrity, hm_store_counts *out, hm_err *err) {
  if (count_rows(s, a, out, err) || count_tables(s, out, err)) return -1;
  if (one_text(s,
               "SELECT coalesce(finished_at, started_at) FROM sweep_runs ORDER BY id DESC LIMIT 1",
               a, &out->last_sweep, err))
    return -1;
  return integrity ? hm_store_check(s, a, &out->integrity_ok, err) : 0;
}

int hm_store_count(hm_store *s, hm_arena *a, bool integrity, hm_store_counts *out, hm_err *err) {
  bool mine;
  memset(out, 0, sizeof *out);
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  return hm_sql_txn_end(s, mine, count_all(s, a, integrity, out, err), err);
}
