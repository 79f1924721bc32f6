/* What a sweep writes: conflicts with members, findings, its run. */
#include "core/base/json.h"
#include "core/store/journal.h"
#include "core/store/side.h"

/* --- conflicts -------------------------------------------------------------- */

static int insert_conflict(hm_store *s, const hm_conflict_rec *c, const hm_actor *who,
                           hm_err *err) {
  static const char sql[] =
      "INSERT INTO conflicts (id, detected_at, slot_kind, slot_key, project, status, resolved_at, resolution, rule,"
      " rule_version, action, winner, resolved_by, anchor, merged_into, window_from, window_until)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, c->id);
  hm_sql_bind(st, 2, c->detected_at.n ? c->detected_at : who->at);
  hm_sql_bind(st, 3, c->slot_kind);
  hm_sql_bind(st, 4, c->slot_key);
  hm_sql_bind(st, 5, c->project);
  hm_sql_bind(st, 6, hm_str_c(hm_verdict_name(c->status)));
  hm_sql_bind_or_null(st, 7, c->resolved_at);
  hm_sql_bind(st, 8, c->resolution);
  hm_sql_bind(st, 9, c->rule);
  sqlite3_bind_int(st, 10, c->rule_version);
  hm_sql_bind_or_null(st, 11, c->action);
  hm_sql_bind_or_null(st, 12, c->winner);
  hm_sql_bind_or_null(st, 13, c->resolved_by);
  hm_sql_bind(st, 14, c->anchor);
  hm_sql_bind_or_null(st, 15, c->merged_into);
  hm_sql_bind_or_null(st, 16, c->window_from);
  hm_sql_bind_or_null(st, 17, c->window_until);
  return hm_sql_run(s, st, err);
}

/* What a sweep may change of a recorded conflict; a verdict is none of it. */
static int update_conflict(hm_store *s, const hm_conflict_rec *c, hm_err *err) {
  static const char sql[] =
      "UPDATE conflicts SET slot_kind = ?2, slot_key = ?3, project = ?4, anchor = ?5, window_from = ?6,"
      " window_until = ?7 WHERE id = ?1 AND (slot_kind IS NOT ?2 OR slot_key IS NOT ?3 OR project IS NOT ?4"
      " OR anchor IS NOT ?5 OR window_from IS NOT ?6 OR window_until IS NOT ?7)";
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, c->id);
  hm_sql_bind(st, 2, c->slot_kind);
  hm_sql_bind(st, 3, c->slot_key);
  hm_sql_bind(st, 4, c->project);
  hm_sql_bind(st, 5, c->anchor);
  hm_sql_bind_or_null(st, 6, c->window_from);
  hm_sql_bind_or_null(st, 7, c->window_until);
  return hm_sql_run(s, st, err);
}

/* From open to merged and back. */
static int update_status(hm_store *s, const hm_conflict_rec *c, hm_err *err) {
  static const char sql[] =
      "UPDATE conflicts SET status = ?2, merged_into = ?3 WHERE id = ?1"
      " AND status IN ('open', 'merged') AND (status <> ?2 OR merged_into IS NOT ?3)";
  sqlite3_stmt *st;
  if (c->status != HM_OPEN && c->status != HM_MERGED) return 0;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, c->id);
  hm_sql_bind(st, 2, hm_str_c(hm_verdict_name(c->status)));
  hm_sql_bind_or_null(st, 3, c->merged_into);
  return hm_sql_run(s, st, err);
}

static int set_conflict(hm_store *s, const hm_conflict_rec *c, hm_err *err) {
  return update_conflict(s, c, err) || update_status(s, c, err) ? -1 : 0;
}

/* A member's key as one string: its layer, the length of its id, both texts. */
static hm_str member_key(hm_layer layer, hm_str id, hm_str field, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "%d:%zu:", (int)layer, id.n);
  hm_buf_str(&b, id);
  hm_buf_str(&b, field);
  hm_str key = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return key;
}

static bool has_member(const hm_map *members, hm_layer layer, hm_str id, hm_str field,
                       hm_arena *a) {
  return hm_map_get(members, member_key(layer, id, field, a)) != HM_MAP_NONE;
}

static int unflag(hm_store *s, int64_t rowid, hm_err *err) {
  static const char sql[] =
      "UPDATE conflict_members SET flagged = 0, conflicts_with = NULL WHERE rowid = ?1";
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  sqlite3_bind_int64(st, 1, rowid);
  return hm_sql_run(s, st, err);
}

/* Members that no longer disagree stay, as what was once seen, without a flag. */
static int unflag_others(hm_store *s, const hm_conflict_rec *c, hm_arena *a, hm_err *err) {
  static const char sql[] =
      "SELECT rowid, member_kind, member_id, field FROM conflict_members"
      " WHERE conflict_id = ?1 AND (flagged <> 0 OR conflicts_with IS NOT NULL)";
  hm_map now;
  sqlite3_stmt *st;
  int rc;
  hm_map_init(&now, a, c->n_members);
  for (size_t i = 0; i < c->n_members; i++)
    hm_map_add(&now, member_key(c->members[i].layer, c->members[i].id, c->members[i].field, a), 0);
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, c->id);
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_layer layer;
    hm_str kind = hm_sql_text(st, 1, a), id = hm_sql_text(st, 2, a), field = hm_sql_text(st, 3, a);
    if (hm_layer_of(kind, &layer) && has_member(&now, layer, id, field, a)) continue;
    if (unflag(s, sqlite3_column_int64(st, 0), err)) return -1;
  }
  return rc;
}

static int write_conflict(hm_store *s, const hm_conflict_rec *c, bool known, const hm_actor *who,
                          hm_arena *a, hm_err *err) {
  if (known ? set_conflict(s, c, err) || unflag_others(s, c, a, err)
            : insert_conflict(s, c, who, err))
    return -1;
  for (size_t i = 0; i < c->n_members; i++)
    if (hm_member_save(s, c->id, &c->members[i], err)) return -1;
  return 0;
}

static int put_and_journal(hm_store *s, const hm_conflict_rec *c, const hm_actor *who, hm_arena *a,
                           hm_err *err) {
  hm_str before, after;
  hm_buf b = { 0 };
  hm_buf_c(&b, "conflict:");
  hm_buf_str(&b, c->id);
  hm_str ref = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  if (hm_journal_record(s, ref, a, &before, err)) return -1;
  if (write_conflict(s, c, before.n > 0, who, a, err)) return -1;
  if (hm_journal_record(s, ref, a, &after, err)) return -1;
  if (hm_str_eq(before, after)) return 0;
  return hm_journal_add(s, who, before.n ? "update" : "open", ref, before, after, err);
}

int hm_store_put_conflict(hm_store *s, const hm_conflict_rec *c, const hm_actor *who, hm_err *err) {
  bool mine;
  if (hm_sql_txn(s, true, &mine, err)) return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_txn_end(s, mine, put_and_journal(s, c, who, a, err), err);
  hm_arena_free(a);
  return rc;
}

/* --- findings --------------------------------------------------------------- */

static hm_str refs_json(const hm_finding *f, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < f->n_rows; i++) hm_jw_str(&w, NULL, f->rows[i]);
  hm_jw_end(&w);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

enum { F_COLUMNS = 9 };

static void finding_columns(const hm_finding *f, hm_str *out, hm_arena *a) {
  const hm_str columns[F_COLUMNS] = { f->id,      f->kind,     f->severity,
                                      f->rule,    f->project,  refs_json(f, a),
                                      f->message, f->expected, f->actual };
  for (int i = 0; i < F_COLUMNS; i++) out[i] = columns[i];
}

/* Does the table hold exactly these, in this order? */
static int same_findings(hm_store *s, const hm_finding *f, size_t n, bool *same, hm_arena *a,
                         hm_err *err) {
  static const char sql[] =
      "SELECT id, kind, severity, rule, project, \"rows\", message, expected, actual"
      " FROM findings ORDER BY rowid";
  sqlite3_stmt *st;
  size_t i = 0;
  int rc;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  *same = true;
  while (*same && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_str columns[F_COLUMNS];
    hm_arena_reset(a);
    *same = i < n;
    if (*same) finding_columns(&f[i++], columns, a);
    for (int k = 0; k < F_COLUMNS && *same; k++)
      *same = hm_str_eq(columns[k], hm_sql_text(st, k, a));
  }
  sqlite3_reset(st);
  if (!*same) return 0;
  *same = i == n;
  return rc;
}

static int insert_finding(hm_store *s, const hm_finding *f, hm_arena *a, hm_err *err) {
  static const char sql[] =
      "INSERT INTO findings (id, kind, severity, rule, project, \"rows\", message, expected, actual)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
  sqlite3_stmt *st;
  hm_str columns[F_COLUMNS];
  hm_arena_reset(a);
  finding_columns(f, columns, a);
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  for (int i = 0; i < F_COLUMNS; i++) hm_sql_bind(st, i + 1, columns[i]);
  return hm_sql_run(s, st, err);
}

static int replace_findings(hm_store *s, const hm_finding *f, size_t n, hm_arena *a, hm_err *err) {
  bool same;
  if (same_findings(s, f, n, &same, a, err)) return -1;
  if (same) return 0;
  if (hm_sql_exec(s, "DELETE FROM findings", err)) return -1;
  for (size_t i = 0; i < n; i++)
    if (insert_finding(s, &f[i], a, err)) return -1;
  return 0;
}

int hm_store_put_findings(hm_store *s, const hm_finding *f, size_t n, hm_err *err) {
  bool mine;
  if (hm_sql_txn(s, true, &mine, err)) return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_txn_end(s, mine, replace_findings(s, f, n, a, err), err);
  hm_arena_free(a);
  return rc;
}

/* --- the run ---------------------------------------------------------------- */

int hm_store_put_run(hm_store *s, const hm_sweep_run *r, hm_err *err) {
  static const char sql[] =
      "INSERT INTO sweep_runs (started_at, finished_at, duration_us, \"rows\", claims, slots, opened,"
      " updated, findings) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
  const int64_t numbers[] = { r->duration_us, r->rows,    r->claims,  r->slots,
                              r->opened,      r->updated, r->findings };
  sqlite3_stmt *st;
  bool mine;
  if (hm_sql_txn(s, true, &mine, err)) return -1;
  int rc = hm_sql_cached(s, sql, &st, err);
  if (!rc) {
    hm_sql_bind(st, 1, r->started_at);
    hm_sql_bind(st, 2, r->finished_at);
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
      sqlite3_bind_int64(st, i + 3, numbers[i]);
    rc = hm_sql_run(s, st, err);
  }
  return hm_sql_txn_end(s, mine, rc, err);
}
