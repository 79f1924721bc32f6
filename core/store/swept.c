/* The tables swept, conflict_answers and conflict_rows: see swept.h. */
#include "core/store/swept.h"

#include "core/base/json.h"
#include "core/store/snapshot_impl.h"
#include "core/sqlite/sql.h"

#define ANSWER "c.id, c.slot_key, c.rule, a.project, a.disputed, a.settled, a.json, a.shown"
#define ANSWERS                                                                                    \
  "SELECT " ANSWER " FROM conflicts c JOIN conflict_answers a ON a.conflict_id = c.id WHERE "
enum {
  NUMBER,
  READ,
  TOLD,
  PUT,
  PUT_PENDING,
  KNOWN,
  SAVE,
  CLEAR,
  SAVE_ROW,
  CLEAR_ROWS,
  LISTED,
  OF_PROJECT,
  OF_ROWS,
  FROM,
  COUNT_DISPUTED,
  DISPUTED,
  SETTLED
};
static const char *const SQL[] = {
  [NUMBER] = "SELECT number FROM swept",
  [READ] = "SELECT number, version, pending, schema, decided, dated, now, ahead FROM swept",
  [TOLD] = "SELECT told FROM swept",
  [PUT] = "UPDATE swept SET version = number, pending = NULL, schema = ?1, decided = ?2,"
          " dated = ?3, now = ?4, ahead = ?5, told = ?6",
  [PUT_PENDING] = "UPDATE swept SET pending = number WHERE version IS NOT NULL",
  [KNOWN] = "SELECT conflict_id FROM conflict_answers",
  [SAVE] =
      "INSERT INTO conflict_answers (conflict_id, disputed, settled, json, shown, project)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE"
      " SET disputed = ?2, settled = ?3, json = ?4, shown = ?5, project = ?6"
      " WHERE disputed <> ?2 OR settled <> ?3 OR json <> ?4 OR shown IS NOT ?5 OR project <> ?6"
      " RETURNING 1",
  [CLEAR] = "DELETE FROM conflict_answers WHERE conflict_id = ?1",
  [SAVE_ROW] = "INSERT OR IGNORE INTO conflict_rows (conflict_id, ref) VALUES (?1, ?2)",
  [CLEAR_ROWS] = "DELETE FROM conflict_rows WHERE conflict_id = ?1",
  [LISTED] = ANSWERS "(?1 IS NULL OR status = ?1) AND slot_key >= ?3 AND (slot_key, id) > (?3, ?4)"
                     " ORDER BY slot_key, id",
  [OF_PROJECT] = ANSWERS "a.project = ?2 AND (?1 IS NULL OR status = ?1) AND slot_key >= ?3 AND"
                         " (slot_key, id) > (?3, ?4) ORDER BY slot_key, id",
  [OF_ROWS] = ANSWERS "id IN (SELECT conflict_id FROM conflict_rows WHERE ref IN"
                      " (SELECT value FROM json_each(?1))) ORDER BY slot_key, id",
  [FROM] = ANSWERS "id >= ?1 ORDER BY id",
  [COUNT_DISPUTED] = "SELECT count(*) FROM conflict_answers WHERE disputed",
  [DISPUTED] = "SELECT conflict_id FROM conflict_answers WHERE disputed",
  [SETTLED] = "SELECT id FROM conflicts JOIN conflict_answers ON conflict_id = id WHERE settled"
              " ORDER BY slot_key, id",
};

/* --- whether it holds ---------------------------------------------------------------------- */

int hm_facts_version(hm_store *s, uint64_t *out, hm_err *err) {
  int64_t n = 0;
  if (!hm_facts_are_counted(s))
    return hm_store_data_version(s, out, err);
  if (hm_facts_move(s, err) || hm_sql_int(s, SQL[NUMBER], &n, err))
    return -1;
  *out = (uint64_t)n;
  return 0;
}

/* Is now what it was? Without an epoch it is the newest time of a row; the clock may have passed a
 * time that lay ahead, or gone back behind the newest. */
static bool same_now(const hm_store *s, bool dated, hm_time now, hm_time ahead) {
  hm_time limit = hm_clock_limit(s);
  if (dated || s->dated)
    return dated == s->dated && now == s->epoch;
  return (now <= limit || now == HM_TIME_MAX) && ahead > limit;
}

bool hm_now_holds(const hm_store *s, const hm_snapshot *snap) {
  return same_now(s, s->dated, snap->now, snap->ahead);
}

int hm_swept_read(hm_store *s, hm_str decided, hm_swept *out, hm_err *err) {
  hm_stmt *st;
  int64_t schema;
  *out = HM_SWEPT_NOT;
  if (!hm_facts_are_counted(s))
    return 0;
  if (hm_facts_move(s, err) || hm_sql_schema_version(s, &schema, err) ||
      hm_sql_cached(s, SQL[READ], &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1 && !hm_sql_is_null(st, 1) && hm_sql_number(st, 3) == schema &&
      hm_str_eq(hm_sql_text(st, 4, NULL), decided) &&
      same_now(s, hm_sql_number(st, 5) != 0, hm_sql_number(st, 6), hm_sql_number(st, 7))) {
    int64_t number = hm_sql_number(st, 0);
    if (hm_sql_number(st, 1) == number)
      *out = HM_SWEPT_WHOLE;
    else if (!hm_sql_is_null(st, 2) && hm_sql_number(st, 2) == number)
      *out = HM_SWEPT_PENDING;
  }
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_swept_put(hm_store *s, hm_str decided, const hm_snapshot *snap, hm_str told, hm_err *err) {
  int64_t schema;
  bool complete;
  if (!hm_facts_are_counted(s))
    return 0;
  if (hm_sql_restore_triggers(s, &complete, err) || hm_facts_move(s, err) ||
      hm_sql_schema_version(s, &schema, err))
    return -1;
  if (!complete)
    return 0;
  return hm_sql_do(s, SQL[PUT],
                   HM_ARGS(hm_arg_int(schema), hm_arg_text(decided), hm_arg_int(s->dated),
                           hm_arg_int(snap->now), hm_arg_int(snap->ahead), hm_arg_text(told)),
                   err);
}

int hm_swept_told(hm_store *s, hm_arena *a, hm_str *out, hm_err *err) {
  return hm_sql_one(s, SQL[TOLD], NULL, a, out, err);
}

int hm_swept_put_pending(hm_store *s, hm_err *err) {
  if (!hm_facts_are_counted(s))
    return 0;
  return hm_facts_move(s, err) ? -1 : hm_sql_do(s, SQL[PUT_PENDING], NULL, err);
}

int hm_swept_forget(hm_store *s, hm_err *err) {
  return hm_facts_are_counted(s)
      ? hm_sql_exec(s,
                    "DELETE FROM conflict_answers; DELETE FROM conflict_rows;"
                    "UPDATE swept SET version = NULL, told = NULL",
                    err)
      : 0;
}

/* --- answers --------------------------------------------------------------------------------- */

/* The rows that the answer names (core/detect/conflict_json.c), as "kind:id". */
static int put_rows(hm_store *s, const hm_conflict_answer *x, hm_err *err) {
  static const char *const lists[] = { "about", "inside" };
  hm_arena *a = hm_arena_new();
  const hm_json *v = x->disputed ? hm_json_parse_as(a, x->json, HM_JSON_OBJECT) : NULL;
  int rc = hm_sql_do(s, SQL[CLEAR_ROWS], HM_ARGS(hm_arg_text(x->id)), err);
  for (const hm_json *m = hm_json_get_items(v, "members"); m && !rc; m = m->next) {
    hm_str ref = HM_CAT(a, hm_json_get_text(m, "member_kind"), HM_STR(":"),
                        hm_json_get_text(m, "member_id"));
    rc = hm_sql_do(s, SQL[SAVE_ROW], HM_ARGS(hm_arg_text(x->id), hm_arg_text(ref)), err);
  }
  for (size_t i = 0; i < HM_COUNT(lists); i++)
    for (const hm_json *r = hm_json_get_items(v, lists[i]); r && !rc; r = r->next)
      rc = hm_sql_do(s, SQL[SAVE_ROW], HM_ARGS(hm_arg_text(x->id), hm_arg_text(r->text)), err);
  hm_arena_free(a);
  return rc;
}

static int put_answer(hm_store *s, const hm_conflict_answer *x, hm_err *err) {
  bool differs;
  if (hm_sql_has(s, SQL[SAVE],
                 HM_ARGS(hm_arg_text(x->id), hm_arg_int(x->disputed), hm_arg_int(x->settled),
                         hm_arg_text(x->json), hm_arg_text_or_null(x->shown),
                         hm_arg_text(x->project)),
                 &differs, err))
    return -1;
  return differs ? put_rows(s, x, err) : 0;
}

int hm_answers_put(hm_store *s, const hm_conflict_answer *v, size_t n, hm_err *err) {
  int rc = 0;
  if (!hm_facts_are_counted(s))
    return 0;
  for (size_t i = 0; i < n && !rc; i++)
    rc = put_answer(s, &v[i], err);
  return rc;
}

int hm_answers_remove_others(hm_store *s, const hm_str *ids, size_t n, hm_err *err) {
  hm_map kept;
  hm_str *known;
  size_t n_known;
  hm_stmt *st;
  if (!hm_facts_are_counted(s))
    return 0;
  hm_arena *a = hm_arena_new();
  hm_map_init(&kept, a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&kept, ids[i], 0);
  int rc = hm_sql_cached(s, SQL[KNOWN], &st, err) || hm_sql_texts(s, st, a, &known, &n_known, err);
  for (size_t i = 0; !rc && i < n_known; i++)
    if (hm_map_get(&kept, known[i]) == HM_MAP_NONE)
      rc = hm_sql_do(s, SQL[CLEAR], HM_ARGS(hm_arg_text(known[i])), err) ||
          hm_sql_do(s, SQL[CLEAR_ROWS], HM_ARGS(hm_arg_text(known[i])), err);
  hm_arena_free(a);
  return rc ? -1 : 0;
}

static hm_conflict_answer read_answer(hm_stmt *st, hm_arena *a) {
  return (hm_conflict_answer){ .id = hm_sql_copy(st, 0, a),
                               .slot_key = hm_sql_copy(st, 1, a),
                               .rule = hm_sql_copy(st, 2, a),
                               .project = hm_sql_copy(st, 3, a),
                               .disputed = hm_sql_number(st, 4) != 0,
                               .settled = hm_sql_number(st, 5) != 0,
                               .json = hm_sql_copy(st, 6, a),
                               .shown = hm_sql_copy(st, 7, a) };
}

static int visit_answers(hm_store *s, const char *sql, const hm_arg *args, hm_answer_visit *visit,
                         void *ctx, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_stmt *st;
  int rc = hm_sql_query(s, sql, args, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_conflict_answer x = read_answer(st, a);
    rc = visit(ctx, &x, err);
    if (rc)
      hm_sql_reset(st);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
  return rc;
}

int hm_answers_each(hm_store *s, const hm_verdict *status, const hm_str *project,
                    const hm_conflict_place *behind, hm_answer_visit *visit, void *ctx,
                    hm_err *err) {
  hm_str name = status ? hm_str_c(hm_verdict_name(*status)) : HM_EMPTY;
  return visit_answers(s, SQL[project ? OF_PROJECT : LISTED],
                       HM_ARGS(hm_arg_text_or_null(name), hm_arg_text(project ? *project : name),
                               hm_arg_text(behind->slot_key), hm_arg_text(behind->id)),
                       visit, ctx, err);
}

int hm_answers_of_rows(hm_store *s, const hm_str *refs, size_t n, hm_answer_visit *visit, void *ctx,
                       hm_err *err) {
  hm_jw w;
  hm_buf b = { 0 };
  hm_arena *a = hm_arena_new();
  hm_jw_init(&w, &b, 0);
  hm_jw_strs(&w, NULL, refs, n);
  int rc =
      visit_answers(s, SQL[OF_ROWS], HM_ARGS(hm_arg_text(hm_buf_take(&b, a))), visit, ctx, err);
  hm_arena_free(a);
  return rc;
}

int hm_answers_starting(hm_store *s, hm_str prefix, size_t max, hm_arena *a,
                        hm_conflict_answer **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  int rc = 0;
  *n = 0;
  *out = hm_alloc_array(a, max, sizeof **out);
  if (hm_sql_query(s, SQL[FROM], HM_ARGS(hm_arg_text(prefix)), &st, err))
    return -1;
  while (*n < max && (rc = hm_sql_step(s, st, err)) == 1 &&
         hm_str_starts(hm_sql_text(st, 0, a), hm_str_z(a, prefix)))
    (*out)[(*n)++] = read_answer(st, a);
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_answers_count_disputed(hm_store *s, size_t *out, hm_err *err) {
  int64_t n;
  if (hm_sql_int(s, SQL[COUNT_DISPUTED], &n, err))
    return -1;
  *out = (size_t)n;
  return 0;
}

int hm_answers_disputed(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  return hm_sql_cached(s, SQL[DISPUTED], &st, err) || hm_sql_texts(s, st, a, out, n, err) ? -1 : 0;
}

int hm_answers_settled(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  return hm_sql_cached(s, SQL[SETTLED], &st, err) || hm_sql_texts(s, st, a, out, n, err) ? -1 : 0;
}
