/* Stores the results of a sweep: conflicts with their members, findings, the run itself, the
 * results of rules in SQL.
 *
 * A sweep never touches a verdict. Members that no longer disagree stay recorded, without a flag.
 * If another program deleted a conflict, its remaining members are kept likewise when it opens
 * again. Unchanged results are not written. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/record/journal.h"
#include "core/record/records.h"
#include "core/store/store.h"
#include "core/sqlite/sql.h"

#define FINDING_COLUMNS                                                                            \
  "id, kind, severity, rule, project, \"rows\", message, expected, actual,"                        \
  " reason, ack, acked"
enum {
  INSERT_CONFLICT,
  UPDATE_CONFLICT,
  UPDATE_STATUS,
  FINDINGS,
  COUNT_FINDINGS,
  DELETE_FINDINGS,
  INSERT_FINDING,
  INSERT_RUN,
  LAST_RUN,
  LAST_RUN_BEFORE
};
#define RUN_COLUMNS                                                                                \
  "started_at, finished_at, duration_us, \"rows\", claims, slots, opened,"                         \
  " updated, findings"
static const char *const SQL[] = {
  [INSERT_CONFLICT] =
      "INSERT INTO conflicts (id, detected_at, slot_kind, slot_key, project, status, resolved_at,"
      " resolution, rule, rule_version, action, winner, resolved_by, anchor, merged_into,"
      " window_from, window_until)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
  /* The columns of a recorded conflict that a sweep may change; never the verdict. */
  [UPDATE_CONFLICT] =
      "UPDATE conflicts SET slot_kind = ?2, slot_key = ?3, project = ?4, anchor = ?5,"
      " window_from = ?6, window_until = ?7 WHERE id = ?1 AND (slot_kind IS NOT ?2"
      " OR slot_key IS NOT ?3 OR project IS NOT ?4 OR anchor IS NOT ?5 OR window_from IS NOT ?6"
      " OR window_until IS NOT ?7)",
  /* From open to merged and back. */
  [UPDATE_STATUS] = "UPDATE conflicts SET status = ?2, merged_into = ?3 WHERE id = ?1"
                    " AND status IN ('open', 'merged') AND (status <> ?2 OR merged_into IS NOT ?3)",
  [FINDINGS] = "SELECT " FINDING_COLUMNS " FROM findings ORDER BY rowid",
  [COUNT_FINDINGS] =
      "SELECT count(*), count(*) FILTER (WHERE rule = ?1) FROM findings WHERE NOT acked",
  [DELETE_FINDINGS] = "DELETE FROM findings",
  [INSERT_FINDING] = "INSERT INTO findings (" FINDING_COLUMNS ")"
                     " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
  [INSERT_RUN] = "INSERT INTO sweep_runs (" RUN_COLUMNS ", rules, disputed, acknowledged, kinds)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
  [LAST_RUN] = "SELECT " RUN_COLUMNS ", rules, disputed, acknowledged, kinds"
               " FROM sweep_runs ORDER BY id DESC LIMIT 1",
  [LAST_RUN_BEFORE] = "SELECT " RUN_COLUMNS ", 0, 0, 0, '' FROM sweep_runs"
                      " ORDER BY id DESC LIMIT 1",
};

/* --- conflicts -------------------------------------------------------------- */

static int insert_conflict(hm_store *s, const hm_conflict_rec *c, const hm_actor *who,
                           hm_err *err) {
  return hm_sql_do(
      s, SQL[INSERT_CONFLICT],
      HM_ARGS(hm_arg_text(c->id), hm_arg_text(c->detected_at.n ? c->detected_at : who->at),
              hm_arg_text(c->slot_kind), hm_arg_text(c->slot_key), hm_arg_text(c->project),
              hm_arg_text(hm_str_c(hm_verdict_name(c->status))),
              hm_arg_text_or_null(c->resolved_at), hm_arg_text(c->resolution), hm_arg_text(c->rule),
              hm_arg_int(c->rule_version), hm_arg_text_or_null(c->action),
              hm_arg_text_or_null(c->winner), hm_arg_text_or_null(c->resolved_by),
              hm_arg_text(c->anchor), hm_arg_text_or_null(c->merged_into),
              hm_arg_text_or_null(c->window_from), hm_arg_text_or_null(c->window_until)),
      err);
}

static int update_conflict(hm_store *s, const hm_conflict_rec *c, hm_err *err) {
  if (hm_sql_do(s, SQL[UPDATE_CONFLICT],
                HM_ARGS(hm_arg_text(c->id), hm_arg_text(c->slot_kind), hm_arg_text(c->slot_key),
                        hm_arg_text(c->project), hm_arg_text(c->anchor),
                        hm_arg_text_or_null(c->window_from), hm_arg_text_or_null(c->window_until)),
                err))
    return -1;
  if (c->status != HM_OPEN && c->status != HM_MERGED)
    return 0;
  return hm_sql_do(s, SQL[UPDATE_STATUS],
                   HM_ARGS(hm_arg_text(c->id), hm_arg_text(hm_str_c(hm_verdict_name(c->status))),
                           hm_arg_text_or_null(c->merged_into)),
                   err);
}

static bool is_same_member(const hm_member_rec *a, const hm_member_rec *b) {
  return a->flagged == b->flagged && hm_str_eq(a->conflicts_with, b->conflicts_with) &&
      hm_str_eq(a->value, b->value) && hm_str_eq(a->normal, b->normal) && a->removed >= b->removed;
}

static hm_str member_key(const hm_member_rec *m, hm_arena *a) {
  return HM_CAT(a, hm_anchor_text(a, m->layer, m->id, m->field), HM_STR("#"), m->source);
}

/* Writes the members of c that differ from the recorded ones, and takes the flag from those that
 * are not among them. */
static int put_members(hm_store *s, const hm_conflict_rec *c, hm_arena *a, hm_err *err) {
  hm_member_rec *recorded;
  size_t n;
  hm_map now;
  hm_map_init(&now, a, c->n_members);
  for (size_t i = 0; i < c->n_members; i++)
    hm_map_add(&now, member_key(&c->members[i], a), (uint32_t)i);
  bool *same = hm_alloc_array(a, c->n_members, sizeof *same);
  memset(same, 0, c->n_members * sizeof *same);
  if (hm_conflict_members_load(s, c->id, &recorded, &n, a, err))
    return -1;
  for (size_t k = 0; k < n; k++) {
    hm_member_rec *m = &recorded[k];
    uint32_t i = hm_map_get(&now, member_key(m, a));
    if (i != HM_MAP_NONE) {
      same[i] = is_same_member(m, &c->members[i]);
      continue;
    }
    if (!m->flagged && !m->conflicts_with.n)
      continue;
    m->flagged = false;
    m->conflicts_with = HM_EMPTY;
    if (hm_member_save(s, c->id, m, err))
      return -1;
  }
  for (size_t i = 0; i < c->n_members; i++)
    if (!same[i] && hm_member_save(s, c->id, &c->members[i], err))
      return -1;
  return 0;
}

static int put_conflict(hm_store *s, const hm_conflict_rec *c, const hm_actor *who, hm_arena *a,
                        hm_err *err) {
  hm_str before, after;
  hm_str ref = HM_CAT(a, HM_STR("conflict:"), c->id);
  if (hm_journal_record_json(s, ref, a, &before, err))
    return -1;
  if ((before.n ? update_conflict(s, c, err) : insert_conflict(s, c, who, err)) ||
      put_members(s, c, a, err) || hm_journal_record_json(s, ref, a, &after, err))
    return -1;
  if (hm_str_eq(before, after))
    return 0;
  return hm_journal_add(s, who, before.n ? "update" : "open", ref, before, after, err);
}

int hm_store_put_conflict(hm_store *s, const hm_conflict_rec *c, const hm_actor *who, hm_err *err) {
  bool mine;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_store_txn_end(s, mine, put_conflict(s, c, who, a, err), err);
  hm_arena_free(a);
  return rc;
}

/* --- findings --------------------------------------------------------------- */

enum { N_COLUMNS = 12 };

static void finding_columns(const hm_finding *f, hm_str *out, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_strs(&w, NULL, f->rows, f->n_rows);
  const hm_str columns[N_COLUMNS] = { f->id,
                                      f->kind,
                                      f->severity,
                                      f->rule,
                                      f->project,
                                      hm_buf_take(&b, a),
                                      f->message,
                                      f->expected,
                                      f->actual,
                                      f->reason,
                                      f->ack ? f->ack->id : HM_EMPTY,
                                      f->acked ? HM_STR("1") : HM_STR("0") };
  memcpy(out, columns, sizeof columns);
}

/* Does the table hold exactly these, in this order? */
static int same_findings(hm_store *s, const hm_finding *f, size_t n, bool *same, hm_arena *a,
                         hm_err *err) {
  hm_stmt *st;
  size_t i = 0;
  int rc = 0;
  if (hm_sql_cached(s, SQL[FINDINGS], &st, err))
    return -1;
  *same = true;
  while (*same && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_str columns[N_COLUMNS];
    hm_arena_reset(a);
    *same = i < n;
    if (*same)
      finding_columns(&f[i++], columns, a);
    for (int k = 0; k < N_COLUMNS && *same; k++)
      *same = hm_str_eq(columns[k], hm_sql_text(st, k, a));
  }
  hm_sql_reset(st);
  *same = *same && i == n;
  return rc < 0 ? -1 : 0;
}

static int replace_findings(hm_store *s, const hm_finding *f, size_t n, hm_arena *a, hm_err *err) {
  bool same;
  if (same_findings(s, f, n, &same, a, err))
    return -1;
  if (same)
    return 0;
  if (hm_sql_exec(s, SQL[DELETE_FINDINGS], err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_stmt *st;
    hm_str columns[N_COLUMNS];
    hm_arena_reset(a);
    finding_columns(&f[i], columns, a);
    if (hm_sql_cached(s, SQL[INSERT_FINDING], &st, err))
      return -1;
    for (int k = 0; k < N_COLUMNS; k++)
      hm_sql_bind(st, k + 1, columns[k]);
    if (hm_sql_run(s, st, err))
      return -1;
  }
  return 0;
}

int hm_store_put_findings(hm_store *s, const hm_finding *f, size_t n, hm_err *err) {
  bool mine;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_store_txn_end(s, mine, replace_findings(s, f, n, a, err), err);
  hm_arena_free(a);
  return rc;
}

/* --- the run ---------------------------------------------------------------- */

int hm_store_put_run(hm_store *s, const hm_sweep_run *r, hm_err *err) {
  bool mine;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = hm_sql_do(s, SQL[INSERT_RUN],
                     HM_ARGS(hm_arg_text(r->started_at), hm_arg_text(r->finished_at),
                             hm_arg_int(r->duration_us), hm_arg_int(r->rows), hm_arg_int(r->claims),
                             hm_arg_int(r->slots), hm_arg_int(r->opened), hm_arg_int(r->updated),
                             hm_arg_int(r->findings), hm_arg_int(r->rules), hm_arg_int(r->disputed),
                             hm_arg_int(r->acknowledged),
                             hm_arg_text(r->kinds.n ? r->kinds : HM_STR("{}"))),
                     err);
  return hm_store_txn_end(s, mine, rc, err);
}

int hm_store_count_findings(hm_store *s, const char *rule, size_t *n, size_t *of_rule,
                            hm_err *err) {
  hm_stmt *st;
  if (hm_sql_query(s, SQL[COUNT_FINDINGS], HM_ARGS(hm_arg_text(hm_str_c(rule))), &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) {
    *n = (size_t)hm_sql_number(st, 0);
    *of_rule = (size_t)hm_sql_number(st, 1);
  }
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_store_last_run(hm_store *s, hm_arena *a, hm_sweep_run *out, bool *found, hm_err *err) {
  hm_stmt *st;
  *out = (hm_sweep_run){ .kinds = HM_EMPTY };
  *found = false;
  bool whole = hm_store_version(s) >= HM_STORE_RUNS_VERSION;
  if (hm_sql_cached(s, SQL[whole ? LAST_RUN : LAST_RUN_BEFORE], &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) {
    int64_t *numbers[] = { &out->duration_us, &out->rows,        &out->claims,   &out->slots,
                           &out->opened,      &out->updated,     &out->findings, &out->rules,
                           &out->disputed,    &out->acknowledged };
    out->started_at = hm_sql_copy(st, 0, a);
    out->finished_at = hm_sql_copy(st, 1, a);
    for (size_t i = 0; i < HM_COUNT(numbers); i++)
      *numbers[i] = hm_sql_number(st, (int)i + 2);
    out->kinds = hm_sql_copy(st, 2 + HM_COUNT(numbers), a);
    *found = true;
  }
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

/* Counts, which another program may have written: numbers, or nothing. */
static void kinds_json(hm_jw *w, hm_str kinds) {
  hm_arena *a = hm_arena_new();
  const hm_json *tree = hm_json_parse_as(a, kinds, HM_JSON_OBJECT);
  bool counts = tree;
  for (const hm_json *k = tree ? tree->child : NULL; k; k = k->next)
    counts = counts && k->type == HM_JSON_NUMBER;
  hm_jw_raw(w, "findings_by_kind", counts ? hm_json_as_text(tree, a) : HM_STR("{}"));
  hm_arena_free(a);
}

void hm_sweep_run_json(hm_jw *w, const char *key, const hm_sweep_run *r) {
  if (!r) {
    hm_jw_null(w, key);
    return;
  }
  hm_jw_obj(w, key);
  hm_jw_str_or_null(w, "started_at", r->started_at);
  hm_jw_str_or_null(w, "finished_at", r->finished_at);
  hm_jw_int(w, "duration_us", r->duration_us);
  hm_jw_int(w, "rules", r->rules);
  hm_jw_int(w, "rows", r->rows);
  hm_jw_int(w, "claims", r->claims);
  hm_jw_int(w, "slots", r->slots);
  hm_jw_int(w, "opened", r->opened);
  hm_jw_int(w, "updated", r->updated);
  hm_jw_int(w, "disputed_count", r->disputed);
  hm_jw_int(w, "findings", r->findings);
  hm_jw_int(w, "acknowledged", r->acknowledged);
  kinds_json(w, r->kinds);
  hm_jw_end(w);
}
