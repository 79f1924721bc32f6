#include "core/store/side.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"
#include "core/store/changes.h"

static int bad(hm_err *err, const char *why, const char *fix) {
  return hm_fail(err, HM_E_INPUT, "", why, fix);
}

/* --- aliases --------------------------------------------------------------- */

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

static hm_str put_aliases(hm_str *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  if (n) qsort(list, n, sizeof *list, by_bytes);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < n; i++)
    if (!i || !hm_str_eq(list[i - 1], list[i])) hm_jw_str(&w, NULL, list[i]);
  hm_jw_end(&w);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

int hm_aliases_read(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  static const char why[] = "must be an array of strings, none of them empty";
  if (v->type != HM_JSON_ARRAY) return bad(err, why, "");
  hm_str *list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n) return bad(err, why, "");
    list[n++] = e->text;
  }
  *out = put_aliases(list, n, a);
  return 0;
}

static int load_aliases(hm_store *s, hm_str id, hm_cell *cell, hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  size_t n = 0, cap = 0;
  hm_str *list = NULL;
  int rc;
  if (hm_sql_cached(s, "SELECT alias FROM project_aliases WHERE project = ?1", &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (n == cap) list = hm_xrealloc(list, (cap = cap ? 2 * cap : 8) * sizeof *list);
    list[n++] = hm_sql_copy(st, 0, a);
  }
  *cell =
      n ? (hm_cell){ HM_CELL_TEXT, put_aliases(list, n, a) } : (hm_cell){ HM_CELL_NULL, HM_EMPTY };
  free(list);
  return rc;
}

static int save_alias(hm_store *s, hm_str id, hm_str alias, hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT project FROM project_aliases WHERE alias = ?1", &st, err)) return -1;
  hm_sql_bind(st, 1, alias);
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) {
    hm_str owner = hm_text_cut(hm_sql_text(st, 0, a), 60), shown = hm_text_cut(alias, 60);
    return hm_failf(err, HM_E_INPUT, "", "give each alias to one project",
                    "\"%.*s\" is an alias of project \"%.*s\" already", HM_FMT(shown),
                    HM_FMT(owner));
  }
  if (rc ||
      hm_sql_cached(s, "INSERT INTO project_aliases (alias, project) VALUES (?1, ?2)", &st, err))
    return -1;
  hm_sql_bind(st, 1, alias);
  hm_sql_bind(st, 2, id);
  return hm_sql_run(s, st, err);
}

static int save_aliases(hm_store *s, hm_str id, const hm_cell *cell, hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  hm_json *v = NULL;
  hm_cell before;
  if (load_aliases(s, id, &before, a, err)) return -1;
  if (before.state == cell->state && hm_str_eq(before.text, cell->text)) return 0;
  if (hm_log_add(s, HM_LOG_PROJECT_NAMES, id, err)) return -1;
  if (hm_sql_cached(s, "DELETE FROM project_aliases WHERE project = ?1", &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  if (hm_sql_run(s, st, err)) return -1;
  if (cell->state != HM_CELL_TEXT) return 0;
  if (hm_json_parse(a, cell->text, &v, err)) return -1;
  for (const hm_json *e = v->child; e; e = e->next)
    if (save_alias(s, id, e->text, a, err)) return -1;
  return 0;
}

/* --- members --------------------------------------------------------------- */

static void put_text(hm_jw *w, const char *key, hm_str s) {
  if (s.n) hm_jw_str(w, key, s);
}

static hm_str put_members(hm_member_rec *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  if (n) qsort(list, n, sizeof *list, hm_member_order);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (const hm_member_rec *m = list; m < list + n; m++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "member_kind", hm_str_c(hm_layer_kind(m->layer)));
    hm_jw_str(&w, "member_id", m->id);
    put_text(&w, "field", m->field);
    put_text(&w, "value", m->value);
    put_text(&w, "normal", m->normal);
    hm_jw_bool(&w, "flagged", m->flagged);
    put_text(&w, "conflicts_with", m->conflicts_with);
    if (m->removed) hm_jw_bool(&w, "removed", true);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static int read_member_kind(const hm_json *v, hm_member_rec *m, hm_err *err) {
  if (v->type == HM_JSON_STRING && hm_layer_of(v->text, &m->layer)) return 0;
  return bad(err, "member_kind: unknown", "use one of: memory, entity, project_state, relation");
}

static int read_member_field(const hm_json *v, hm_member_rec *m, hm_err *err) {
  const struct { const char *key; hm_str *to;
  } texts[] = {
    { "member_id", &m->id },
    { "field", &m->field },
    { "value", &m->value },
    { "normal", &m->normal },
    { "conflicts_with", &m->conflicts_with },
  };
  if (hm_str_is(v->key, "member_kind")) return read_member_kind(v, m, err);
  if (hm_str_is(v->key, "flagged")) {
    m->flagged = v->type == HM_JSON_TRUE;
    return v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE
        ? 0
        : bad(err, "flagged: must be true or false", "");
  }
  if (hm_str_is(v->key, "removed")) {
    m->removed = v->type == HM_JSON_TRUE;
    return v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE
        ? 0
        : bad(err, "removed: must be true or false", "");
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (!hm_str_is(v->key, texts[i].key)) continue;
    *texts[i].to = v->text;
    if (v->type == HM_JSON_STRING || v->type == HM_JSON_NULL) return 0;
    return hm_failf(err, HM_E_INPUT, "", "", "%s: must be a string", texts[i].key);
  }
  return hm_failf(
      err, HM_E_INPUT, "",
      "known keys: member_kind, member_id, field, value, normal, flagged, conflicts_with, removed",
      "unknown key \"%.*s\" in a member", HM_FMT(hm_text_cut(v->key, 60)));
}

static int read_member(const hm_json *v, hm_member_rec *m, hm_err *err) {
  *m = (hm_member_rec){ .layer = 0,
                        .id = HM_EMPTY,
                        .field = HM_EMPTY,
                        .value = HM_EMPTY,
                        .normal = HM_EMPTY,
                        .conflicts_with = HM_EMPTY };
  if (v->type != HM_JSON_OBJECT) return bad(err, "each member must be an object", "");
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member_field(e, m, err)) return -1;
  return m->layer && m->id.n ? 0 : bad(err, "a member lacks member_kind or member_id", "");
}

int hm_members_read(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  if (v->type != HM_JSON_ARRAY) return bad(err, "must be an array of objects", "");
  hm_member_rec *list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &list[n++], err)) return -1;
  *out = put_members(list, n, a);
  for (size_t i = 1; i < n; i++)
    if (!hm_member_order(&list[i - 1], &list[i]))
      return bad(err, "one field of one row is a member twice", "keep one of the two");
  return 0;
}

int hm_members_list(hm_str cell, hm_member_rec **out, size_t *n, hm_arena *a, hm_err *err) {
  hm_json *v;
  *out = NULL;
  *n = 0;
  if (!cell.n) return 0;
  if (hm_json_parse(a, cell, &v, err)) return -1;
  *out = hm_alloc_array(a, v->count, sizeof **out);
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &(*out)[(*n)++], err)) return -1;
  return 0;
}

static int load_members(hm_store *s, hm_str id, hm_cell *cell, hm_arena *a, hm_err *err) {
  static const char sql
      [] =
          "SELECT member_kind, member_id, field, value_detected, value_normal, flagged, conflicts_with,"
          " removed FROM conflict_members WHERE conflict_id = ?1",
   v2[] =
       "SELECT member_kind, member_id, field, value_detected, value_normal, flagged, conflicts_with,"
       " 0 FROM conflict_members WHERE conflict_id = ?1";
  sqlite3_stmt *st;
  size_t n = 0, cap = 0;
  hm_member_rec *list = NULL;
  int rc;
  if (hm_sql_cached(s, s->version < 3 ? v2 : sql, &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_layer layer;
    if (!hm_layer_of(hm_sql_text(st, 0, a), &layer)) continue;
    if (n == cap) list = hm_xrealloc(list, (cap = cap ? 2 * cap : 8) * sizeof *list);
    hm_str text[7];
    for (int i = 1; i < 7; i++) text[i] = hm_sql_copy(st, i, a);
    list[n++] = (hm_member_rec){ .layer = layer,
                                 .id = text[1],
                                 .field = text[2],
                                 .value = text[3],
                                 .normal = text[4],
                                 .flagged = sqlite3_column_int(st, 5) != 0,
                                 .conflicts_with = text[6],
                                 .removed = sqlite3_column_int(st, 7) != 0 };
  }
  *cell =
      n ? (hm_cell){ HM_CELL_TEXT, put_members(list, n, a) } : (hm_cell){ HM_CELL_NULL, HM_EMPTY };
  free(list);
  return rc;
}

static int save_members(hm_store *s, hm_str id, const hm_cell *cell, hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  hm_json *v = NULL;
  if (hm_sql_cached(s, "DELETE FROM conflict_members WHERE conflict_id = ?1", &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  if (hm_sql_run(s, st, err)) return -1;
  if (cell->state != HM_CELL_TEXT) return 0;
  if (hm_json_parse(a, cell->text, &v, err)) return -1;
  for (const hm_json *e = v->child; e; e = e->next) {
    hm_member_rec m;
    if (read_member(e, &m, err) || hm_member_save(s, id, &m, err)) return -1;
  }
  return 0;
}

int hm_member_save(hm_store *s, hm_str conflict, const hm_member_rec *m, hm_err *err) {
  /* The WHERE leaves a member alone that says the same already. */
  static const char sql[] =
      "INSERT INTO conflict_members (conflict_id, member_kind, member_id, member_layer_trust, field, value_detected,"
      " value_normal, flagged, conflicts_with, removed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
      " ON CONFLICT DO UPDATE SET member_layer_trust = ?4, value_detected = ?6, value_normal = ?7, flagged = ?8,"
      " conflicts_with = ?9, removed = max(removed, ?10) WHERE member_layer_trust IS NOT ?4 OR value_detected IS NOT ?6 OR value_normal IS NOT ?7"
      " OR flagged IS NOT ?8 OR conflicts_with IS NOT ?9 OR removed < ?10";
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, conflict);
  hm_sql_bind(st, 2, hm_str_c(hm_layer_kind(m->layer)));
  hm_sql_bind(st, 3, m->id);
  sqlite3_bind_int(st, 4, m->layer);
  hm_sql_bind(st, 5, m->field);
  hm_sql_bind(st, 6, m->value);
  hm_sql_bind(st, 7, m->normal);
  sqlite3_bind_int(st, 8, m->flagged);
  hm_sql_bind_or_null(st, 9, m->conflicts_with);
  sqlite3_bind_int(st, 10, m->removed);
  return hm_sql_run(s, st, err);
}

/* --- rule and version --------------------------------------------------------- */

/* "slot/1": a name, a slash, digits. The offset of the slash, or -1. */
static ptrdiff_t rule_slash(hm_str s) {
  ptrdiff_t i = (ptrdiff_t)s.n;
  while (i > 0 && s.p[i - 1] >= '0' && s.p[i - 1] <= '9') i--;
  size_t digits = s.n - (size_t)i;
  return i > 1 && s.p[i - 1] == '/' && digits && digits <= 9 ? i - 1 : -1;
}

int hm_rule_read(const hm_json *v, hm_str *out, hm_err *err) {
  *out = v->text;
  if (v->type == HM_JSON_STRING && rule_slash(v->text) > 0) return 0;
  return bad(err, "must be a rule and its version", "write it like \"slot/1\"");
}

static int load_rule(hm_store *s, hm_str id, hm_cell *cell, hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT rule, rule_version FROM conflicts WHERE id = ?1", &st, err))
    return -1;
  hm_sql_bind(st, 1, id);
  int rc = hm_sql_step(s, st, err);
  if (rc != 1) return rc;
  hm_str rule = hm_sql_text(st, 0, a), version = hm_sql_text(st, 1, a);
  *cell = (hm_cell){ HM_CELL_TEXT, hm_str_fmt(a, "%.*s/%.*s", HM_FMT(rule), HM_FMT(version)) };
  sqlite3_reset(st);
  return 0;
}

static int save_rule(hm_store *s, hm_str id, const hm_cell *cell, hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  ptrdiff_t slash = rule_slash(cell->text);
  (void)a;
  if (slash < 0) return 0;
  if (hm_sql_cached(s, "UPDATE conflicts SET rule = ?2, rule_version = ?3 WHERE id = ?1", &st, err))
    return -1;
  hm_sql_bind(st, 1, id);
  hm_sql_bind(st, 2, hm_str_sub(cell->text, 0, (size_t)slash));
  hm_sql_bind(st, 3, hm_str_sub(cell->text, (size_t)slash + 1, cell->text.n));
  return hm_sql_run(s, st, err);
}

/* --- by type --------------------------------------------------------------- */

typedef struct {
  int (*load)(hm_store *, hm_str, hm_cell *, hm_arena *, hm_err *);
  int (*save)(hm_store *, hm_str, const hm_cell *, hm_arena *, hm_err *);
} side;

static const side SIDES[] = {
  [HM_F_ALIASES] = { load_aliases, save_aliases },
  [HM_F_MEMBERS] = { load_members, save_members },
  [HM_F_RULE] = { load_rule, save_rule },
};

int hm_side_load(hm_store *s, hm_field_type type, hm_str id, hm_cell *cell, hm_arena *a,
                 hm_err *err) {
  return SIDES[type].load(s, id, cell, a, err);
}

int hm_side_save(hm_store *s, hm_field_type type, hm_str id, const hm_cell *cell, hm_arena *a,
                 hm_err *err) {
  return SIDES[type].save(s, id, cell, a, err);
}
