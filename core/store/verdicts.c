/* The table of verdicts that came from elsewhere, what the journal knows of verdicts given here,
 * and the export of both. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/journal.h"
#include "core/store/records.h"
#include "core/store/verdict_lines.h"

static const char *const states[] = { "waiting", "applied", "replaced" };

/* --- the table ------------------------------------------------------------------ */

static hm_str record_of(const hm_verdict_line *v, hm_arena *a) {
  hm_buf b = { 0 };
  hm_verdict_line_put(&b, v);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

int hm_verdicts_add(hm_store *s, const hm_verdict_line *v, const hm_actor *who, hm_arena *a,
                    bool *added, hm_err *err) {
  sqlite3_stmt *st;
  hm_str record = record_of(v, a);
  if (hm_sql_cached(s, "SELECT 1 FROM verdicts WHERE id = ?1", &st, err)) return -1;
  hm_sql_bind(st, 1, v->id);
  int rc = hm_sql_step(s, st, err);
  sqlite3_reset(st);
  *added = rc == 0;
  if (rc) return rc < 0 ? -1 : 0;
  if (hm_sql_cached(s, "INSERT INTO verdicts (id, record) VALUES (?1, ?2)", &st, err)) return -1;
  hm_sql_bind(st, 1, v->id);
  hm_sql_bind(st, 2, record);
  if (hm_sql_run(s, st, err)) return -1;
  hm_str ref = hm_str_join(a, (const hm_str[]){ HM_STR("verdict:"), v->id }, 2);
  return hm_journal_add(s, who, "import", ref, HM_EMPTY, record, err);
}

static hm_verdict_state state_of(hm_str text) {
  int i = 2;
  while (i && !hm_str_is(text, states[i])) i--;
  return (hm_verdict_state)i;
}

int hm_verdicts_all(hm_store *s, hm_arena *a, hm_known_verdict **out, size_t *n, hm_err *err) {
  static const char sql[] = "SELECT record, state, target, against, why FROM verdicts ORDER BY id";
  sqlite3_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < 3) return 0;
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_known_verdict v = { .record = hm_sql_copy(st, 0, a),
                           .state = state_of(hm_sql_text(st, 1, a)),
                           .target = hm_sql_copy(st, 2, a),
                           .against = hm_sql_copy(st, 3, a),
                           .why = hm_sql_copy(st, 4, a) };
    hm_json *json;
    hm_err unread = { 0 };
    if (hm_json_parse(a, v.record, &json, NULL) || hm_verdict_line_read(json, a, &v.line, &unread))
      continue;
    if (*n == cap) {
      hm_known_verdict *more = hm_alloc_array(a, cap = cap ? 2 * cap : 16, sizeof *more);
      if (*n) memcpy(more, *out, *n * sizeof *more);
      *out = more;
    }
    (*out)[(*n)++] = v;
  }
  sqlite3_finalize(st);
  return rc;
}

int hm_verdicts_waiting(hm_store *s, bool *any, hm_err *err) {
  sqlite3_stmt *st;
  *any = false;
  if (s->version < 3) return 0;
  if (hm_sql_cached(s, "SELECT 1 FROM verdicts WHERE state = 'waiting' LIMIT 1", &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  *any = rc == 1;
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_verdicts_mark(hm_store *s, const hm_known_verdict *v, hm_err *err) {
  static const char sql[] =
      "UPDATE verdicts SET state = ?2, target = ?3, against = ?4, why = ?5 WHERE id = ?1";
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, v->line.id);
  hm_sql_bind(st, 2, hm_str_c(states[v->state]));
  hm_sql_bind(st, 3, v->target);
  hm_sql_bind(st, 4, v->against);
  hm_sql_bind(st, 5, v->why);
  return hm_sql_run(s, st, err);
}

/* --- what was decided here -------------------------------------------------------- */

static hm_str member_text(const hm_json *v, const char *key) {
  const hm_json *m = hm_json_get(v, key);
  return m && m->type == HM_JSON_STRING ? m->text : HM_EMPTY;
}

/* The verdict that a conflict's record says, or what opened it again. */
static hm_verdict_line line_of(const hm_json *json, bool settled, hm_str by, hm_str at, hm_str why,
                               hm_arena *a) {
  const hm_json *key = hm_json_get(json, "slot_key");
  hm_verdict_line v = { .conflict = member_text(json, "id"),
                        .rule = member_text(json, "rule"),
                        .slot_key = key ? hm_json_keep(key, a) : HM_EMPTY,
                        .status = HM_STR("reopened"),
                        .action = HM_EMPTY,
                        .winner = HM_EMPTY,
                        .scope = HM_EMPTY,
                        .notes = why,
                        .by = by,
                        .at = at,
                        .window_from = HM_EMPTY,
                        .window_until = HM_EMPTY };
  if (!settled) return v;
  v.status = member_text(json, "status");
  v.action = member_text(json, "action");
  v.winner = member_text(json, "winner");
  v.scope = member_text(json, "scope");
  v.notes = member_text(json, "resolution");
  v.by = member_text(json, "resolved_by");
  v.at = member_text(json, "resolved_at");
  return v;
}

typedef struct {
  hm_verdict_line *v;
  size_t n, cap;
} lines;

static void add(lines *l, hm_verdict_line v, hm_arena *a) {
  v.id = hm_verdict_line_id(&v, a);
  if (l->n && hm_str_eq(l->v[l->n - 1].id, v.id)) return;
  if (l->n == l->cap) {
    hm_verdict_line *more = hm_alloc_array(a, l->cap = l->cap ? 2 * l->cap : 4, sizeof *more);
    if (l->n) memcpy(more, l->v, l->n * sizeof *more);
    l->v = more;
  }
  l->v[l->n++] = v;
}

int hm_verdict_history(hm_store *s, hm_str conflict, hm_arena *a, hm_verdict_line **out, size_t *n,
                       hm_err *err) {
  static const char sql[] =
      "SELECT verb, actor, at, after, why FROM journal"
      " WHERE ref = ?1 AND after IS NOT NULL ORDER BY seq";
  static const char of_version_1[] =
      "SELECT verb, actor, at, after, NULL FROM journal"
      " WHERE ref = ?1 AND after IS NOT NULL ORDER BY seq";
  sqlite3_stmt *st;
  lines l = { 0 };
  int rc;
  if (hm_sql_prepare(s, s->version < 2 ? of_version_1 : sql, &st, err)) return -1;
  hm_str ref = hm_str_join(a, (const hm_str[]){ HM_STR("conflict:"), conflict }, 2);
  hm_sql_bind(st, 1, ref);
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_json *json;
    if (hm_json_parse(a, hm_sql_text(st, 3, a), &json, NULL)) continue;
    hm_str status = member_text(json, "status");
    bool settled = hm_str_is(status, "resolved") || hm_str_is(status, "dismissed");
    if (!settled && !hm_str_is(status, "open")) continue;
    if (!settled && !hm_str_is(hm_sql_text(st, 0, a), "reopen")) continue;
    add(&l,
        line_of(json, settled, hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a), hm_sql_copy(st, 4, a),
                a),
        a);
  }
  sqlite3_finalize(st);
  *out = l.v;
  *n = l.n;
  return rc;
}

/* --- export ------------------------------------------------------------------------ */

typedef struct {
  hm_str slot_key, from, conflict, id, text;
} out_line;

typedef struct {
  hm_store *s;
  bool open_only; /* what the records of conflicts do not say */
  hm_arena *a;
  hm_known_verdict *known;
  size_t n_known;
  hm_map by_id;     /* of the known -> index */
  hm_map by_target; /* conflict -> the first of the known about it; next: the others */
  uint32_t *next;
  hm_map told;     /* ids of lines that are written */
  hm_map replaced; /* ids that some line names so */
  out_line *v;
  size_t n, cap;
  hm_err *err;
} exporting;

static void keep_line(exporting *x, const hm_verdict_line *v, hm_str text) {
  size_t had = x->told.n;
  hm_map_add(&x->told, v->id, 0);
  if (x->told.n == had) return;
  if (x->n == x->cap) x->v = hm_xrealloc(x->v, (x->cap = x->cap ? 2 * x->cap : 64) * sizeof *x->v);
  x->v[x->n++] = (out_line){ v->slot_key, v->window_from, v->conflict, v->id, text };
}

static void add_replaced(hm_verdict_line *v, hm_str id, size_t *cap, hm_arena *a) {
  if (hm_str_eq(id, v->id)) return;
  for (size_t i = 0; i < v->n_replaces; i++)
    if (hm_str_eq(v->replaces[i], id)) return;
  if (v->n_replaces == *cap) {
    hm_str *more = hm_alloc_array(a, *cap = *cap ? 2 * *cap : 4, sizeof *more);
    if (v->n_replaces) memcpy(more, v->replaces, v->n_replaces * sizeof *more);
    v->replaces = more;
  }
  v->replaces[v->n_replaces++] = id;
}

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

/* It came after what was decided here before, and after what an import brought and a person saw. */
static void complete(exporting *x, hm_verdict_line *v, const hm_verdict_line *past, size_t n_past,
                     hm_str conflict) {
  size_t cap = 0;
  for (size_t i = 0; i < n_past; i++) add_replaced(v, past[i].id, &cap, x->a);
  for (uint32_t i = hm_map_get(&x->by_target, conflict); i != HM_MAP_NONE; i = x->next[i]) {
    const hm_known_verdict *k = &x->known[i];
    if (hm_str_eq(k->against, v->id)) continue;
    add_replaced(v, k->line.id, &cap, x->a);
    for (size_t r = 0; r < k->line.n_replaces; r++)
      add_replaced(v, k->line.replaces[r], &cap, x->a);
  }
  if (v->n_replaces) qsort(v->replaces, v->n_replaces, sizeof *v->replaces, by_bytes);
}

/* The verdict that an import brought and that stands on this conflict now; or NULL. It is written
 * as it came, so that it is one line in every store. */
static const hm_known_verdict *as_it_came(const exporting *x, const hm_verdict_line *v) {
  uint32_t same = hm_map_get(&x->by_id, v->id);
  if (same != HM_MAP_NONE) return &x->known[same];
  for (uint32_t i = hm_map_get(&x->by_target, v->conflict); i != HM_MAP_NONE; i = x->next[i]) {
    const hm_known_verdict *k = &x->known[i];
    if (k->state == HM_VERDICT_APPLIED && hm_str_eq(k->line.by, v->by) &&
        hm_str_eq(k->line.at, v->at) && hm_str_eq(k->line.notes, v->notes) &&
        hm_verdict_lines_agree(&k->line, v))
      return k;
  }
  return NULL;
}

static int read_known(exporting *x) {
  if (hm_verdicts_all(x->s, x->a, &x->known, &x->n_known, x->err)) return -1;
  hm_map_init(&x->by_id, x->a, x->n_known);
  hm_map_init(&x->by_target, x->a, x->n_known);
  hm_map_init(&x->told, x->a, x->n_known);
  hm_map_init(&x->replaced, x->a, x->n_known);
  x->next = hm_alloc_array(x->a, x->n_known, sizeof *x->next);
  for (size_t i = x->n_known; i-- > 0;) {
    hm_map_add(&x->by_id, x->known[i].line.id, (uint32_t)i);
    x->next[i] = hm_map_get(&x->by_target, x->known[i].target);
    hm_map_set(&x->by_target, x->known[i].target, (uint32_t)i);
  }
  return 0;
}

static hm_str cell_text(const hm_cell *cells, const char *key) {
  int i = hm_field_of_key(&hm_kinds[HM_K_CONFLICT], hm_str_c(key));
  return i >= 0 && cells[i].state == HM_CELL_TEXT ? cells[i].text : HM_EMPTY;
}

static int export_conflict(exporting *x, const hm_cell *cells) {
  hm_verdict_line *past, v;
  size_t n;
  hm_str id = cells[0].text, status = cell_text(cells, "status");
  bool settled = hm_str_is(status, "resolved") || hm_str_is(status, "dismissed");
  if (settled ? x->open_only : !hm_str_is(status, "open")) return 0;
  if (hm_verdict_history(x->s, id, x->a, &past, &n, x->err)) return -1;
  bool reopened = n && hm_str_is(past[n - 1].status, "reopened");
  if (!settled && !reopened) return 0;
  if (settled)
    v = (hm_verdict_line){ .status = status,
                           .action = cell_text(cells, "action"),
                           .winner = cell_text(cells, "winner"),
                           .scope = cell_text(cells, "scope"),
                           .notes = cell_text(cells, "resolution"),
                           .by = cell_text(cells, "resolved_by"),
                           .at = cell_text(cells, "resolved_at") };
  else v = past[n - 1];
  v.conflict = id;
  v.rule = cell_text(cells, "rule");
  v.slot_key = cell_text(cells, "slot_key");
  v.window_from = cell_text(cells, "window_from");
  v.window_until = cell_text(cells, "window_until");
  v.id = hm_verdict_line_id(&v, x->a);
  if (hm_members_list(cell_text(cells, "members"), &v.members, &v.n_members, x->a, x->err))
    return -1;
  const hm_known_verdict *known = as_it_came(x, &v);
  if (known) {
    keep_line(x, &known->line, known->record);
    return 0;
  }
  complete(x, &v, past, n, id);
  for (size_t i = 0; i < v.n_replaces; i++) hm_map_add(&x->replaced, v.replaces[i], 0);
  hm_buf b = { 0 };
  hm_verdict_line_put(&b, &v);
  keep_line(x, &v, hm_buf_keep(&b, x->a));
  hm_buf_free(&b);
  return 0;
}

static int export_conflicts(exporting *x) {
  sqlite3_stmt *st;
  hm_cell cells[HM_MAX_FIELDS + 1];
  int rc = hm_records_all(x->s, HM_K_CONFLICT, &st, x->err);
  while (!rc && (rc = hm_sql_step(x->s, st, x->err)) == 1) {
    rc = hm_records_row(x->s, HM_K_CONFLICT, st, cells, x->a, x->err);
    if (!rc) rc = export_conflict(x, cells);
  }
  sqlite3_finalize(st);
  return rc;
}

/* What waits; and what opened a conflict again that was never settled here, which keeps older
 * lines from settling it elsewhere. */
static void keep_others(exporting *x) {
  for (size_t i = 0; i < x->n_known; i++)
    for (size_t k = 0; k < x->known[i].line.n_replaces; k++)
      hm_map_add(&x->replaced, x->known[i].line.replaces[k], 0);
  for (size_t i = 0; i < x->n_known; i++) {
    const hm_known_verdict *k = &x->known[i];
    bool reopened = k->state == HM_VERDICT_APPLIED && hm_str_is(k->line.status, "reopened");
    if ((k->state == HM_VERDICT_WAITS || reopened) &&
        hm_map_get(&x->replaced, k->line.id) == HM_MAP_NONE)
      keep_line(x, &k->line, k->record);
  }
}

static int by_slot(const void *x, const void *y) {
  const out_line *p = x, *q = y;
  int d = hm_str_cmp(p->slot_key, q->slot_key);
  if (!d) d = hm_str_cmp(p->from, q->from);
  if (!d) d = hm_str_cmp(p->conflict, q->conflict);
  return d ? d : hm_str_cmp(p->id, q->id);
}

static int write_lines(exporting *x, FILE *out) {
  if (x->n) qsort(x->v, x->n, sizeof *x->v, by_slot);
  for (size_t i = 0; i < x->n; i++)
    if (fwrite(x->v[i].text.p, 1, x->v[i].text.n, out) != x->v[i].text.n || fputc('\n', out) == EOF)
      break;
  if (!ferror(out) && !fflush(out)) return 0;
  return hm_fail(x->err, HM_E_OUTPUT, "export", strerror(errno), "make room and try again");
}

static int export_lines(hm_store *s, bool open_only, FILE *out, hm_err *err) {
  exporting x = { .s = s, .open_only = open_only, .a = hm_arena_new(), .err = err };
  bool mine;
  int rc = hm_sql_txn(s, false, &mine, err);
  if (!rc) {
    rc = read_known(&x);
    if (!rc) rc = export_conflicts(&x);
    if (!rc) keep_others(&x);
    if (!rc) rc = write_lines(&x, out);
    rc = hm_sql_txn_end(s, mine, rc, err);
  }
  free(x.v);
  hm_arena_free(x.a);
  return rc;
}

int hm_export_verdicts(hm_store *s, FILE *out, hm_err *err) {
  return export_lines(s, false, out, err);
}
int hm_export_open_verdicts(hm_store *s, FILE *out, hm_err *err) {
  return export_lines(s, true, out, err);
}
