/* Verdicts as lines, the table of imported verdicts, and the journal's record of verdicts given in
 * this store; see verdict_lines.h. */
#include "core/store/verdict_lines.h"

#include "core/base/digest.h"
#include "core/base/time.h"
#include "core/record/journal.h"
#include "core/record/records.h"

enum { HAS, ADD, ALL, WAITING, MARK, HISTORY, HISTORY_V1 };
static const char *const SQL[] = {
  [HAS] = "SELECT 1 FROM verdicts WHERE id = ?1",
  [ADD] = "INSERT INTO verdicts (id, record) VALUES (?1, ?2)",
  [ALL] = "SELECT record, state, target, against, why FROM verdicts ORDER BY id",
  [WAITING] = "SELECT 1 FROM verdicts WHERE state = 'waiting' LIMIT 1",
  [MARK] = "UPDATE verdicts SET state = ?2, target = ?3, against = ?4, why = ?5 WHERE id = ?1",
  [HISTORY] = "SELECT verb, actor, at, after, why FROM journal"
              " WHERE ref = ?1 AND after IS NOT NULL ORDER BY seq",
  [HISTORY_V1] = "SELECT verb, actor, at, after, NULL FROM journal"
                 " WHERE ref = ?1 AND after IS NOT NULL ORDER BY seq",
};
static const char *const STATES[] = { "waiting", "applied", "replaced" };

/* --- identity ----------------------------------------------------------------- */

hm_str hm_verdict_rule_name(hm_str rule) {
  size_t i = rule.n;
  while (i && rule.p[i - 1] != '/')
    i--;
  return i ? hm_str_sub(rule, 0, i - 1) : rule;
}

hm_str hm_verdict_line_id(const hm_verdict_line *v, hm_arena *a) {
  const hm_str parts[] = { v->slot_key.n ? hm_verdict_rule_name(v->rule) : HM_EMPTY,
                           v->slot_key.n ? v->slot_key : v->conflict,
                           v->status,
                           v->action,
                           v->winner,
                           v->by,
                           v->at,
                           v->notes };
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(parts); i++)
    hm_sha256_field(&h, parts[i]);
  if (v->scope.n)
    hm_sha256_field(&h, v->scope);
  if (v->winner_source.n)
    hm_sha256_field(&h, v->winner_source);
  return hm_str_fmt(a, "v%.*s", HM_FMT(hm_sha256_hex(&h, a, 16)));
}

bool hm_verdict_line_supersedes(const hm_verdict_line *v) {
  return hm_str_is(v->action, "supersede_others") || hm_str_is(v->action, "supersede_opponents");
}

const hm_member_rec *hm_verdict_line_member(const hm_verdict_line *v, hm_str ref) {
  hm_layer layer;
  hm_str id;
  bool is_row = hm_ref_parse(ref, &layer, &id);
  for (size_t i = 0; i < v->n_members && is_row; i++)
    if (v->members[i].layer == layer && hm_str_eq(v->members[i].id, id))
      return &v->members[i];
  return NULL;
}

hm_str hm_verdict_line_value(const hm_verdict_line *v, hm_str winner) {
  const hm_member_rec *m = hm_verdict_line_member(v, winner);
  return m ? m->normal : HM_EMPTY;
}

/* Is each winner of x one of y, or does one say the same? */
static bool winners_stand_in(const hm_verdict_line *x, const hm_verdict_line *y, hm_arena *a) {
  hm_str *ours, *theirs;
  size_t n = hm_winners_parse(a, x->winner, &ours), m = hm_winners_parse(a, y->winner, &theirs);
  for (size_t i = 0; i < n; i++) {
    hm_str value = hm_verdict_line_value(x, ours[i]);
    size_t k = 0;
    while (k < m && !hm_str_eq(ours[i], theirs[k]) &&
           !(value.n && hm_str_eq(value, hm_verdict_line_value(y, theirs[k]))))
      k++;
    if (k == m)
      return false;
  }
  return true;
}

bool hm_verdict_lines_agree(const hm_verdict_line *x, const hm_verdict_line *y, hm_arena *a) {
  if (!hm_str_eq(x->status, y->status))
    return false;
  if (!hm_str_is(x->status, "resolved"))
    return true;
  bool supersede = hm_verdict_line_supersedes(x);
  if (supersede != hm_verdict_line_supersedes(y))
    return false;
  if (supersede &&
      !(hm_str_eq(x->action, y->action) && hm_str_eq(x->scope, y->scope) &&
        hm_str_eq(x->winner_source, y->winner_source)))
    return false;
  return !supersede || (winners_stand_in(x, y, a) && winners_stand_in(y, x, a));
}

/* --- writing --------------------------------------------------------------------- */

static void put_text(hm_jw *w, const char *key, hm_str text) {
  if (text.n)
    hm_jw_str(w, key, text);
}

/* What was decided, why, by whom and when. */
static void put_decision(hm_jw *w, const hm_verdict_line *v, hm_arena *a) {
  hm_jw_str(w, "status", v->status);
  put_text(w, "action", v->action);
  hm_str *winners;
  size_t n_winners = hm_winners_parse(a, v->winner, &winners);
  if (n_winners > 1)
    hm_jw_strs(w, "winner", winners, n_winners);
  else
    put_text(w, "winner", v->winner);
  put_text(w, "winner_source", v->winner_source);
  put_text(w, "scope", v->scope);
  put_text(w, "resolution", v->notes);
  put_text(w, "resolved_by", v->by);
  put_text(w, "resolved_at", v->at);
}

void hm_verdict_line_json(hm_buf *b, const hm_verdict_line *v, hm_arena *a) {
  hm_jw w;
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("verdict"));
  hm_jw_str(&w, "id", v->id);
  put_text(&w, "conflict", v->conflict);
  put_text(&w, "rule", v->rule);
  if (v->slot_key.n)
    hm_jw_raw(&w, "slot_key", v->slot_key);
  if (v->window_from.n || v->window_until.n) {
    hm_jw_arr(&w, "window");
    hm_jw_str_or_null(&w, NULL, v->window_from);
    hm_jw_str_or_null(&w, NULL, v->window_until);
    hm_jw_end(&w);
  }
  put_decision(&w, v, a);
  if (v->n_members) {
    hm_jw_arr(&w, "members");
    hm_members_put(&w, v->members, v->n_members, false);
    hm_jw_end(&w);
  }
  if (v->n_replaces)
    hm_jw_strs(&w, "replaces", v->replaces, v->n_replaces);
  if (v->taken_back) {
    hm_jw_obj(&w, "taken_back");
    put_decision(&w, v->taken_back, a);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
}

/* --- reading ---------------------------------------------------------------------- */

static int bad(hm_err *err, hm_str field, const char *why, const char *fix) {
  hm_fail(err, HM_E_INPUT, "", why, fix);
  return hm_err_at_field(err, field);
}

static int read_texts(const hm_json *v, hm_str **out, size_t *n, hm_arena *a, hm_err *err) {
  if (v->type != HM_JSON_ARRAY)
    return bad(err, v->key, "must be an array of strings", "");
  *out = hm_alloc_array(a, v->count + 1, sizeof **out);
  *n = 0;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n)
      return bad(err, v->key, "must be an array of strings", "");
    (*out)[(*n)++] = e->text;
  }
  return 0;
}

static int read_bound(const hm_json *v, hm_str key, hm_str *out, hm_err *err) {
  hm_time t;
  hm_precision p;
  if (v->type == HM_JSON_NULL)
    return 0;
  *out = v->text;
  if (v->type == HM_JSON_STRING && hm_time_parse(v->text, &t, &p))
    return 0;
  return bad(err, key, "not a pair of times", "write ISO 8601, or null where a bound is open");
}

static int read_window(const hm_json *v, hm_verdict_line *out, hm_err *err) {
  if (v->type == HM_JSON_NULL)
    return 0;
  if (v->type != HM_JSON_ARRAY || v->count != 2)
    return bad(err, v->key, "not a pair of times", "write [from, until]");
  return read_bound(v->child, v->key, &out->window_from, err) ||
          read_bound(v->child->next, v->key, &out->window_until, err)
      ? -1
      : 0;
}

static int read_status(const hm_json *v, hm_verdict_line *out, hm_err *err) {
  static const char *const words[] = { "resolved", "dismissed", "reopened" };
  out->status = v->text;
  for (size_t i = 0; i < 3; i++)
    if (v->type == HM_JSON_STRING && hm_str_is(v->text, words[i]))
      return 0;
  return bad(err, v->key, "unknown", "use one of: resolved, dismissed, reopened");
}

/* Those that a conflict's record has too. */
static int read_as_conflict(const hm_json *v, hm_cell *cells, hm_arena *a, hm_err *err) {
  static const char *const keys[] = { "slot_key",      "rule",   "action",     "winner",
                                      "winner_source", "scope",  "resolution", "resolved_by",
                                      "resolved_at",   "members" };
  const hm_kind *k = &hm_kinds[HM_K_CONFLICT];
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    if (!hm_str_is(v->key, keys[i]))
      continue;
    if (!hm_cell_parse(k, hm_field_of_key(k, v->key), v, cells, a, err))
      return 0;
    return hm_err_at_field(err, v->key);
  }
  return bad(err, v->key, "unknown key of a verdict",
             "known keys: kind, id, conflict, rule, slot_key, window, status, action, winner,"
             " winner_source, scope, resolution, resolved_by, resolved_at, members, replaces,"
             " taken_back");
}

static int read_taken_back(const hm_json *v, hm_verdict_line *out, hm_arena *a, hm_err *err);

static int read_key(const hm_json *v, hm_verdict_line *out, hm_cell *cells, hm_arena *a,
                    hm_err *err) {
  if (hm_str_is(v->key, "kind") || hm_str_is(v->key, "id"))
    return 0;
  if (hm_str_is(v->key, "window"))
    return read_window(v, out, err);
  if (hm_str_is(v->key, "status"))
    return read_status(v, out, err);
  if (hm_str_is(v->key, "taken_back"))
    return read_taken_back(v, out, a, err);
  if (hm_str_is(v->key, "replaces"))
    return read_texts(v, &out->replaces, &out->n_replaces, a, err);
  if (!hm_str_is(v->key, "conflict"))
    return read_as_conflict(v, cells, a, err);
  out->conflict = v->text;
  return v->type == HM_JSON_STRING && v->text.n
      ? 0
      : bad(err, v->key, "must be the id of a conflict", "");
}

static hm_str text_of(const hm_cell *cells, const char *key) {
  return hm_cell_text(&hm_kinds[HM_K_CONFLICT], cells, key);
}

void hm_verdict_from_cells(const hm_cell *cells, hm_verdict_line *out) {
  *out = (hm_verdict_line){
    .conflict = text_of(cells, "id"),
    .rule = text_of(cells, "rule"),
    .slot_key = text_of(cells, "slot_key"),
    .window_from = text_of(cells, "window_from"),
    .window_until = text_of(cells, "window_until"),
    .status = text_of(cells, "status"),
    .action = text_of(cells, "action"),
    .winner = text_of(cells, "winner"),
    .winner_source = text_of(cells, "winner_source"),
    .scope = text_of(cells, "scope"),
    .notes = text_of(cells, "resolution"),
    .by = text_of(cells, "resolved_by"),
    .at = text_of(cells, "resolved_at"),
  };
}

static int read_taken_back(const hm_json *v, hm_verdict_line *out, hm_arena *a, hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1] = { { HM_CELL_ABSENT, HM_EMPTY } };
  hm_verdict_line own = { .status = HM_EMPTY }, *was = hm_alloc(a, sizeof *was);
  if (v->type != HM_JSON_OBJECT)
    return bad(err, v->key, "must be an object", "");
  for (const hm_json *m = v->child; m; m = m->next)
    if (hm_str_is(m->key, "status") ? read_status(m, &own, err)
                                    : read_as_conflict(m, cells, a, err))
      return -1;
  hm_verdict_from_cells(cells, was);
  was->status = own.status;
  out->taken_back = was;
  return 0;
}

int hm_verdict_line_parse(const hm_json *v, hm_arena *a, hm_verdict_line *out, hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1] = { { HM_CELL_ABSENT, HM_EMPTY } };
  hm_verdict_line own = {
    .conflict = HM_EMPTY, .window_from = HM_EMPTY, .window_until = HM_EMPTY, .status = HM_EMPTY
  };
  for (const hm_json *m = v->child; m; m = m->next)
    if (read_key(m, &own, cells, a, err))
      return -1;
  hm_verdict_from_cells(cells, out);
  out->conflict = own.conflict;
  out->window_from = own.window_from;
  out->window_until = own.window_until;
  out->status = own.status;
  out->replaces = own.replaces;
  out->n_replaces = own.n_replaces;
  out->taken_back = own.taken_back;
  if (!out->rule.n && out->slot_key.n)
    out->rule = HM_STR("slot/1");
  if (hm_members_parse_cell(text_of(cells, "members"), &out->members, &out->n_members, a, err))
    return hm_err_at_field(err, HM_STR("members"));
  hm_strs_sort(out->replaces, out->n_replaces);
  if (!out->status.n)
    return bad(err, HM_STR("status"), "missing", "use one of: resolved, dismissed, reopened");
  if (!out->conflict.n && !(out->slot_key.n && out->n_members))
    return bad(err, HM_STR("conflict"), "missing",
               "name the conflict, or its slot_key and members");
  if (hm_verdict_line_supersedes(out) && !out->winner.n)
    return bad(err, HM_STR("winner"), "missing", "name the row that stands, as kind:id");
  out->id = hm_verdict_line_id(out, a);
  return 0;
}

/* --- the table ------------------------------------------------------------------ */

int hm_store_add_verdict(hm_store *s, const hm_verdict_line *v, const hm_actor *who, hm_arena *a,
                         bool *added, hm_err *err) {
  bool known;
  *added = false;
  if (hm_sql_has(s, SQL[HAS], HM_ARGS(hm_arg_text(v->id)), &known, err))
    return -1;
  if (known)
    return 0;
  hm_buf b = { 0 };
  hm_verdict_line_json(&b, v, a);
  hm_str record = hm_buf_take(&b, a);
  if (hm_sql_do(s, SQL[ADD], HM_ARGS(hm_arg_text(v->id), hm_arg_text(record)), err))
    return -1;
  *added = true;
  hm_str ref = HM_CAT(a, HM_STR("verdict:"), v->id);
  return hm_journal_add(s, who, "import", ref, HM_EMPTY, record, err);
}

int hm_verdicts_all(hm_store *s, hm_arena *a, hm_known_verdict **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < 3)
    return 0;
  if (hm_sql_cached(s, SQL[ALL], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_str state = hm_sql_text(st, 1, a);
    hm_known_verdict v = { .record = hm_sql_copy(st, 0, a),
                           .state = HM_VERDICT_REPLACED,
                           .target = hm_sql_copy(st, 2, a),
                           .against = hm_sql_copy(st, 3, a),
                           .why = hm_sql_copy(st, 4, a) };
    hm_json *json;
    hm_err unread = { 0 };
    while (v.state && !hm_str_is(state, STATES[v.state]))
      v.state--;
    if (hm_json_parse(a, v.record, &json, NULL) || hm_verdict_line_parse(json, a, &v.line, &unread))
      continue;
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = v;
  }
  return rc;
}

int hm_verdicts_waiting(hm_store *s, bool *any, hm_err *err) {
  *any = false;
  return s->version < 3 ? 0 : hm_sql_has(s, SQL[WAITING], NULL, any, err);
}

int hm_verdicts_mark(hm_store *s, const hm_known_verdict *v, hm_err *err) {
  return hm_sql_do(s, SQL[MARK],
                   HM_ARGS(hm_arg_text(v->line.id), hm_arg_text(hm_str_c(STATES[v->state])),
                           hm_arg_text(v->target), hm_arg_text(v->against), hm_arg_text(v->why)),
                   err);
}

/* --- what was decided here -------------------------------------------------------- */

/* The verdict that a conflict's record says, or what opened it again; false: neither. why, by, at:
 * of the journal's line. */
static bool verdict_in(const hm_json *record, bool reopened, hm_verdict_line *v, hm_arena *a) {
  const hm_kind *k = &hm_kinds[HM_K_CONFLICT];
  hm_cell cells[HM_MAX_FIELDS + 1] = { { HM_CELL_ABSENT, HM_EMPTY } };
  for (const hm_json *f = record->child; f; f = f->next) {
    int i = hm_field_of_key(k, f->key);
    if (i >= 0 && k->fields[i].type != HM_F_MEMBERS && f->type != HM_JSON_NULL)
      hm_cell_parse(k, i, f, cells, a, NULL);
  }
  hm_str by = v->by, at = v->at, why = v->notes;
  hm_verdict_from_cells(cells, v);
  v->window_from = v->window_until = HM_EMPTY;
  if (hm_str_is(v->status, "resolved") || hm_str_is(v->status, "dismissed"))
    return true;
  if (!reopened || !hm_str_is(v->status, "open"))
    return false;
  *v = (hm_verdict_line){ .conflict = v->conflict,
                          .rule = v->rule,
                          .slot_key = v->slot_key,
                          .status = HM_STR("reopened"),
                          .action = HM_EMPTY,
                          .winner = HM_EMPTY,
                          .winner_source = HM_EMPTY,
                          .scope = HM_EMPTY,
                          .notes = why,
                          .by = by,
                          .at = at,
                          .window_from = HM_EMPTY,
                          .window_until = HM_EMPTY };
  return true;
}

int hm_verdict_history(hm_store *s, hm_str conflict, hm_arena *a, hm_verdict_line **out, size_t *n,
                       hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  hm_str ref = HM_CAT(a, HM_STR("conflict:"), conflict);
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[s->version < 2 ? HISTORY_V1 : HISTORY], HM_ARGS(hm_arg_text(ref)), &st,
                   err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_json *json;
    hm_verdict_line v = { .by = hm_sql_copy(st, 1, a),
                          .at = hm_sql_copy(st, 2, a),
                          .notes = hm_sql_copy(st, 4, a) };
    if (hm_json_parse(a, hm_sql_text(st, 3, a), &json, NULL) ||
        !verdict_in(json, hm_str_is(hm_sql_text(st, 0, a), "reopen"), &v, a))
      continue;
    v.id = hm_verdict_line_id(&v, a);
    if (*n && hm_str_eq((*out)[*n - 1].id, v.id))
      continue;
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = v;
  }
  return rc;
}
