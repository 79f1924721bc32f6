/* Loads records from their tables and saves them, with the parts stored elsewhere: a project's
 * aliases, a conflict's members, its rule with the version.
 *
 * The statements of a kind are built from its table of fields, once per store. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/record/records.h"

enum {
  ALIASES,
  ALIAS_OWNER,
  ADD_ALIAS,
  CLEAR_ALIASES,
  MEMBERS,
  MEMBERS_V2,
  MEMBERS_V10,
  CLEAR_MEMBERS,
  SAVE_MEMBER,
  RULE,
  SAVE_RULE,
  SAVE_ANCHOR,
  INDEX_ROW,
  IS_KEPT,
  KEEP_SAID,
  JOIN_SAID
};
static const char *const SQL[] = {
  [ALIASES] = "SELECT alias FROM project_aliases WHERE project = ?1",
  [ALIAS_OWNER] = "SELECT project FROM project_aliases WHERE alias = ?1",
  [ADD_ALIAS] = "INSERT INTO project_aliases (alias, project) VALUES (?1, ?2)",
  [CLEAR_ALIASES] = "DELETE FROM project_aliases WHERE project = ?1",
  [MEMBERS] = "SELECT " HM_MEMBER_COLUMNS " FROM conflict_members WHERE conflict_id = ?1",
  [MEMBERS_V2] = "SELECT " HM_MEMBER_COLUMNS_V2 " FROM conflict_members WHERE conflict_id = ?1",
  [MEMBERS_V10] = "SELECT " HM_MEMBER_COLUMNS_V10 " FROM conflict_members WHERE conflict_id = ?1",
  [CLEAR_MEMBERS] = "DELETE FROM conflict_members WHERE conflict_id = ?1",
  /* The WHERE leaves a member alone that says the same already. */
  [SAVE_MEMBER] =
      "INSERT INTO conflict_members (conflict_id, member_kind, member_id, member_layer_trust,"
      " field, value_detected, value_normal, flagged, conflicts_with, removed, source)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
      " ON CONFLICT DO UPDATE SET member_layer_trust = ?4, value_detected = ?6, value_normal = ?7,"
      " flagged = ?8, conflicts_with = ?9, removed = max(removed, ?10)"
      " WHERE member_layer_trust IS NOT ?4 OR value_detected IS NOT ?6 OR value_normal IS NOT ?7"
      " OR flagged IS NOT ?8 OR conflicts_with IS NOT ?9 OR removed < ?10",
  [RULE] = "SELECT rule || '/' || rule_version FROM conflicts WHERE id = ?1",
  [SAVE_ANCHOR] = "UPDATE conflicts SET anchor = ?2 WHERE id = ?1 AND anchor <> ?2",
  [SAVE_RULE] = "UPDATE conflicts SET rule = ?2, rule_version = ?3 WHERE id = ?1",
  [IS_KEPT] = "SELECT 1 FROM evidence WHERE ref = ?1 LIMIT 1",
  [KEEP_SAID] = "UPDATE evidence SET record = ?2, digest = NULL"
                " WHERE ref = ?1 AND record IS NULL AND (digest IS NULL OR digest = ?3)",
  [JOIN_SAID] = "UPDATE evidence SET record = NULL, digest = ?3 WHERE ref = ?1 AND NOT EXISTS"
                " (SELECT 1 FROM evidence e WHERE e.ref = ?1 AND e.record IS NOT ?2)",
  [INDEX_ROW] = "INSERT OR IGNORE INTO proposal_rows (ref, proposal) VALUES (?1, ?2)",
};

hm_str hm_cell_text(const hm_kind *k, const hm_cell *cells, const char *name) {
  int i = hm_field_of_column(k, name);
  if (i < 0)
    i = hm_field_of_key(k, hm_str_c(name));
  return i >= 0 && cells[i].state == HM_CELL_TEXT ? cells[i].text : HM_EMPTY;
}

/* --- aliases --------------------------------------------------------------- */

static int load_aliases(hm_store *s, hm_str id, hm_cell *cell, hm_arena *a, hm_err *err) {
  hm_stmt *st;
  size_t n;
  hm_str *list;
  if (hm_sql_query(s, SQL[ALIASES], HM_ARGS(hm_arg_text(id)), &st, err) ||
      hm_sql_texts(s, st, a, &list, &n, err))
    return -1;
  *cell = (hm_cell){ n ? HM_CELL_TEXT : HM_CELL_NULL, n ? hm_aliases_text(list, n, a) : HM_EMPTY };
  return 0;
}

static int save_aliases(hm_store *s, hm_str id, const hm_cell *cell, hm_arena *a, hm_err *err) {
  hm_json *v = NULL;
  hm_cell before;
  if (load_aliases(s, id, &before, a, err))
    return -1;
  if (before.state == cell->state && hm_str_eq(before.text, cell->text))
    return 0;
  if (hm_sql_do(s, SQL[CLEAR_ALIASES], HM_ARGS(hm_arg_text(id)), err))
    return -1;
  if (cell->state != HM_CELL_TEXT)
    return 0;
  if (hm_json_parse(a, cell->text, &v, err))
    return -1;
  for (const hm_json *e = v->child; e; e = e->next) {
    hm_str owner;
    bool taken;
    const hm_arg *alias = HM_ARGS(hm_arg_text(e->text), hm_arg_text(id));
    if (hm_sql_has(s, SQL[ALIAS_OWNER], HM_ARGS(hm_arg_text(e->text)), &taken, err))
      return -1;
    if (!taken && hm_sql_do(s, SQL[ADD_ALIAS], alias, err))
      return -1;
    if (!taken)
      continue;
    if (hm_sql_one(s, SQL[ALIAS_OWNER], HM_ARGS(hm_arg_text(e->text)), a, &owner, err))
      return -1;
    return hm_failf(err, HM_E_INPUT, "", "give each alias to one project",
                    "\"%.*s\" is an alias of project \"%.*s\" already",
                    HM_FMT(hm_text_cut(e->text, 60)), HM_FMT(hm_text_cut(owner, 60)));
  }
  return 0;
}

/* --- members --------------------------------------------------------------- */

bool hm_member_from_row(hm_stmt *st, int first, hm_member_rec *m, hm_arena *a) {
  *m = (hm_member_rec){ .id = hm_sql_copy(st, first + 1, a),
                        .field = hm_sql_copy(st, first + 2, a),
                        .value = hm_sql_copy(st, first + 3, a),
                        .normal = hm_sql_copy(st, first + 4, a),
                        .flagged = hm_sql_number(st, first + 5) != 0,
                        .conflicts_with = hm_sql_copy(st, first + 6, a),
                        .removed = hm_sql_number(st, first + 7) != 0,
                        .source = hm_sql_copy(st, first + 8, a) };
  return hm_layer_parse(hm_sql_text(st, first, a), &m->layer);
}

int hm_conflict_members_load(hm_store *s, hm_str conflict, hm_member_rec **out, size_t *n,
                             hm_arena *a, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  int of = s->version < 3                      ? MEMBERS_V2
      : s->version < HM_STORE_EVIDENCE_VERSION ? MEMBERS_V10
                                               : MEMBERS;
  if (hm_sql_query(s, SQL[of], HM_ARGS(hm_arg_text(conflict)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    *n += hm_member_from_row(st, 0, &(*out)[*n], a);
  }
  if (*n)
    qsort(*out, *n, sizeof **out, hm_member_order);
  return rc;
}

int hm_member_save(hm_store *s, hm_str conflict, const hm_member_rec *m, hm_err *err) {
  return hm_sql_do(s, SQL[SAVE_MEMBER],
                   HM_ARGS(hm_arg_text(conflict), hm_arg_text(hm_str_c(hm_layer_name(m->layer))),
                           hm_arg_text(m->id), hm_arg_int(hm_layer_trust(m->layer)),
                           hm_arg_text(m->field), hm_arg_text(m->value), hm_arg_text(m->normal),
                           hm_arg_int(m->flagged), hm_arg_text_or_null(m->conflicts_with),
                           hm_arg_int(m->removed), hm_arg_text(m->source)),
                   err);
}

/* --- members in the journal ------------------------------------------------------------- */

static hm_json *members_of(const hm_json *record) {
  const hm_json *members = hm_json_get(record, "members");
  return members && members->type == HM_JSON_ARRAY ? (hm_json *)members : NULL;
}

/* The texts of the members, in order and by text. */
typedef struct {
  hm_str *v;
  hm_map map;
} member_texts;

static member_texts read_member_texts(const hm_json *members, hm_arena *a) {
  member_texts t = { .v = hm_alloc_array(a, members->count, sizeof *t.v) };
  uint32_t n = 0;
  hm_map_init(&t.map, a, members->count);
  for (const hm_json *m = members->child; m; m = m->next) {
    t.v[n] = hm_json_as_text(m, a);
    hm_map_add(&t.map, t.v[n], n);
    n++;
  }
  return t;
}

/* Takes out the members that are in `other`, too, and adds their texts to h. Returns their
 * number. */
static size_t take_out(hm_json *members, const member_texts *texts, const member_texts *other,
                       hm_sha256 *h) {
  hm_json **to = &members->child;
  size_t i = 0, n = 0;
  for (hm_json *m = members->child; m; m = m->next, i++) {
    if (hm_map_get(&other->map, texts->v[i]) == HM_MAP_NONE) {
      *to = m;
      to = &m->next;
      continue;
    }
    hm_sha256_field(h, texts->v[i]);
    n++;
  }
  *to = NULL;
  members->count -= n;
  return n;
}

void hm_conflict_line_shorten(hm_str *before, hm_str *after, hm_arena *a) {
  enum { WHOLE_MAX = 2048 }; /* bytes: a short record is easier to read whole */
  hm_sha256 h;
  if (before->n <= WHOLE_MAX || after->n <= WHOLE_MAX)
    return;
  hm_json *old = hm_json_parse_as(a, *before, HM_JSON_OBJECT),
          *new = hm_json_parse_as(a, *after, HM_JSON_OBJECT);
  if (!members_of(old) || !members_of(new))
    return;
  member_texts was = read_member_texts(members_of(old), a),
               now = read_member_texts(members_of(new), a);
  hm_sha256_init(&h);
  take_out(members_of(old), &was, &now, &h);
  hm_sha256_init(&h);
  size_t n = take_out(members_of(new), &now, &was, &h);
  hm_str rest =
      hm_str_fmt(a, "{\"members\":%zu,\"sha256\":\"%.*s\"}", n, HM_FMT(hm_sha256_hex(&h, a, 64)));
  hm_json *last = members_of(new);
  while (last->next)
    last = last->next;
  last->next = hm_json_parse_as(a, rest, HM_JSON_OBJECT);
  last->next->key = HM_STR("rest");
  *before = hm_json_as_text(old, a);
  *after = hm_json_as_text(new, a);
}

/* Its row and field. */
static hm_str member_key(const hm_json *m, hm_arena *a) {
  return HM_CAT(a, hm_json_get_text(m, "member_kind"), HM_STR(":"),
                hm_json_get_text(m, "member_id"), HM_STR("#"), hm_json_get_text(m, "field"),
                HM_STR("#"), hm_json_get_text(m, "source"));
}

hm_json *hm_conflict_line_read(hm_json *known, hm_str before, hm_str after, hm_arena *a) {
  hm_json *record = hm_json_parse_as(a, after, HM_JSON_OBJECT);
  const hm_json *rest = hm_json_get(record, "rest");
  hm_json *members = members_of(record), **at = record ? &record->child : NULL, *next;
  hm_map moved;
  if (!rest || !members)
    return record;
  hm_map_init(&moved, a, 0);
  const hm_json *old = hm_json_parse_as(a, before, HM_JSON_OBJECT);
  for (const hm_json *m = hm_json_get_items(old, "members"); m; m = m->next)
    hm_map_add(&moved, member_key(m, a), 0);
  for (hm_json *m = members_of(known) ? members_of(known)->child : NULL; m; m = next) {
    next = m->next;
    if (hm_map_get(&moved, member_key(m, a)) != HM_MAP_NONE)
      continue;
    m->next = members->child;
    members->child = m;
    members->count++;
  }
  while (*at != rest)
    at = &(*at)->next;
  *at = rest->next;
  return record;
}

static int save_members(hm_store *s, hm_str id, const hm_cell *cell, hm_arena *a, hm_err *err) {
  hm_member_rec *list;
  size_t n;
  if (hm_sql_do(s, SQL[CLEAR_MEMBERS], HM_ARGS(hm_arg_text(id)), err))
    return -1;
  if (cell->state != HM_CELL_TEXT)
    return 0;
  if (hm_members_parse_cell(cell->text, &list, &n, a, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    if (hm_member_save(s, id, &list[i], err))
      return -1;
  return 0;
}

/* --- rule and version --------------------------------------------------------- */

static int save_rule(hm_store *s, hm_str id, const hm_cell *cell, hm_err *err) {
  ptrdiff_t slash = hm_rule_slash(cell->text);
  if (slash < 0)
    return 0;
  return hm_sql_do(s, SQL[SAVE_RULE],
                   HM_ARGS(hm_arg_text(id), hm_arg_text(hm_str_sub(cell->text, 0, (size_t)slash)),
                           hm_arg_text(hm_str_sub(cell->text, (size_t)slash + 1, cell->text.n))),
                   err);
}

/* --- fields without a column ----------------------------------------------------------- */

static int load_elsewhere(hm_store *s, hm_field_type type, hm_str id, hm_cell *cell, hm_arena *a,
                          hm_err *err) {
  hm_member_rec *list;
  size_t n;
  if (type == HM_F_ALIASES)
    return load_aliases(s, id, cell, a, err);
  if (type == HM_F_RULE) {
    cell->state = HM_CELL_TEXT;
    return hm_sql_one(s, SQL[RULE], HM_ARGS(hm_arg_text(id)), a, &cell->text, err);
  }
  if (hm_conflict_members_load(s, id, &list, &n, a, err))
    return -1;
  *cell = (hm_cell){ n ? HM_CELL_TEXT : HM_CELL_NULL, n ? hm_members_text(list, n, a) : HM_EMPTY };
  return 0;
}

static int save_elsewhere(hm_store *s, hm_field_type type, hm_str id, const hm_cell *cell,
                          hm_arena *a, hm_err *err) {
  if (type == HM_F_ALIASES)
    return save_aliases(s, id, cell, a, err);
  return type == HM_F_RULE ? save_rule(s, id, cell, err) : save_members(s, id, cell, a, err);
}

/* --- statements ------------------------------------------------------------------- */

enum { LOAD, INSERT, UPDATE, ALL, ALL_REPAIRED, ANY_BAD };

/* Appends the fields that have a column and, in flags & mask, the value want, as `column` or
 * `column = ?N` or `?N`, N being the field's number from 1. A store of an older version is read as
 * it is: what it lacks is NULL. */
typedef enum { NAMES, VALUES, ASSIGNED, READ } column_form;
static void put_columns(hm_buf *b, const hm_kind *k, int mask, int want, column_form form,
                        int version) {
  const char *sep = "";
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    if (!f->column || (f->flags & mask) != want)
      continue;
    hm_buf_c(b, sep);
    if (form != VALUES)
      hm_buf_c(b, form == READ && f->since > version ? "NULL" : f->column);
    if (form == ASSIGNED)
      hm_buf_c(b, " = ");
    if (form == VALUES || form == ASSIGNED)
      hm_buf_fmt(b, "?%d", i + 1);
    sep = mask && want ? " AND " : ", ";
  }
}

static void put_statement(hm_buf *b, const hm_kind *k, int what, int version) {
  bool link = k == &hm_kinds[HM_K_LINK];
  if (what == LOAD || what == ALL || what == ALL_REPAIRED) {
    hm_buf_c(b, "SELECT ");
    put_columns(b, k, 0, 0, READ, version);
    hm_buf_fmt(b, " FROM %s", k->table);
  } else if (what == INSERT) {
    /* hmirror's links are in the review file, even if a view covers that table. */
    hm_buf_fmt(b, "INSERT INTO main.%s (", k->table);
    put_columns(b, k, 0, 0, NAMES, version);
    hm_buf_c(b, ") VALUES (");
    put_columns(b, k, 0, 0, VALUES, version);
    hm_buf_ch(b, ')');
  } else if (what == UPDATE) {
    hm_buf_fmt(b, "UPDATE %s SET ", k->table);
    put_columns(b, k, HM_F_KEY, 0, ASSIGNED, version);
  } else {
    hm_buf_fmt(b, "SELECT 1 FROM %s WHERE %s LIMIT 1", k->table,
               link ? "repaired(src) <> src OR repaired(dst) <> dst OR repaired(rel) <> rel"
                    : "repaired(id) <> id");
  }
  if (what == LOAD || what == UPDATE) {
    hm_buf_c(b, " WHERE ");
    put_columns(b, k, HM_F_KEY, HM_F_KEY, ASSIGNED, version);
  }
  if (what == ALL)
    hm_buf_c(b, link ? " ORDER BY src, rel, dst" : " ORDER BY id");
  /* As the keys will be written, which is not the order of their bytes when some are not UTF-8. */
  if (what == ALL_REPAIRED)
    hm_buf_c(b,
             link ? " ORDER BY repaired(src), repaired(rel), repaired(dst), src, rel, dst"
                  : " ORDER BY repaired(id), id");
  hm_buf_ch(b, '\0');
}

static int statement(hm_store *s, hm_kind_index k, int what, hm_stmt **out, hm_err *err) {
  char **text = &s->record_sql[what][k];
  if (!*text) {
    hm_buf b = { 0 };
    put_statement(&b, &hm_kinds[k], what, s->version);
    *text = b.p;
  }
  return hm_sql_cached(s, *text, out, err);
}

/* --- reading ------------------------------------------------------------------------ */

int hm_fail_duplicate_row(const hm_store *s, const char *layer, hm_str id, hm_err *err) {
  hm_str shown = hm_text_cut(id, 80);
  return hm_failf(err, HM_E_STORE, s->what, "select another column as id in mirror.yml: store.map",
                  "two rows of layer %s have the id \"%.*s\"", layer, HM_FMT(shown));
}

int hm_records_select_all(hm_store *s, hm_kind_index k, hm_stmt **out, hm_err *err) {
  hm_stmt *any;
  if (statement(s, k, ANY_BAD, &any, err))
    return -1;
  int bad = hm_sql_step(s, any, err);
  if (bad == 1)
    hm_sql_reset(any);
  return bad < 0 ? -1 : statement(s, k, bad ? ALL_REPAIRED : ALL, out, err);
}

int hm_records_read_row(hm_store *s, hm_kind_index k, hm_stmt *st, hm_cell *cells, hm_arena *a,
                        hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  int column = 0;
  for (int i = 0; i < kind->n; i++) {
    if (!kind->fields[i].column)
      continue;
    bool null = hm_sql_is_null(st, column);
    cells[i] = (hm_cell){ null ? HM_CELL_NULL : HM_CELL_TEXT,
                          null ? HM_EMPTY : hm_sql_copy(st, column, a) };
    column++;
  }
  for (int i = 0; i < kind->n; i++)
    if (!kind->fields[i].column &&
        load_elsewhere(s, kind->fields[i].type, cells[0].text, &cells[i], a, err))
      return -1;
  return 0;
}

int hm_record_load(hm_store *s, hm_kind_index k, hm_cell *cells, bool *found, hm_arena *a,
                   hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  hm_stmt *st;
  *found = false;
  if (statement(s, k, LOAD, &st, err))
    return -1;
  for (int i = 0; i < kind->n; i++)
    if (kind->fields[i].flags & HM_F_KEY)
      hm_sql_bind(st, i + 1, cells[i].text);
  int rc = hm_sql_step(s, st, err);
  *found = rc == 1;
  if (rc == 1)
    rc = hm_records_read_row(s, k, st, cells, a, err);
  hm_sql_reset(st);
  return rc;
}

/* --- writing ------------------------------------------------------------------------- */

/* A cell that is a decimal as a double: the store's own reading of decimals is not always the
 * nearest. */
static void bind_cell(hm_stmt *st, int i, hm_field_type type, const hm_cell *cell) {
  char digits[64], *end = digits;
  size_t n = cell->text.n;
  if (cell->state != HM_CELL_TEXT) {
    hm_sql_bind_null(st, i);
    return;
  }
  bool decimal = type == HM_F_UNIT && n && n < sizeof digits;
  for (size_t k = 0; decimal && k < n; k++)
    decimal = cell->text.p[k] && strchr("0123456789+-.eE", cell->text.p[k]);
  double d = 0;
  if (decimal) {
    memcpy(digits, cell->text.p, n);
    digits[n] = 0;
    d = strtod(digits, &end);
  }
  if (decimal && !*end)
    hm_sql_bind_real(st, i, d);
  else
    hm_sql_bind(st, i, cell->text);
}

hm_str hm_record_said_json(const hm_kind *k, const hm_cell *cells, hm_arena *a) {
  hm_cell said[HM_MAX_FIELDS + 1];
  int used = hm_field_of_column(k, "last_accessed_at");
  memcpy(said, cells, (size_t)k->n * sizeof *said);
  for (int i = 0; i < k->n; i++)
    if (said[i].state == HM_CELL_TEXT && k->fields[i].dflt && !(k->fields[i].flags & HM_F_KEY) &&
        hm_str_is(said[i].text, k->fields[i].dflt))
      said[i] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  if (used >= 0)
    said[used] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  return hm_record_json(k, said, a);
}

int64_t hm_record_digest(const hm_kind *k, const hm_cell *cells, hm_arena *a) {
  return (int64_t)hm_str_hash(hm_record_said_json(k, cells, a));
}

/* What sources say is a digest of the row while it has that (evidence.h). Before it has something
 * else, that becomes their record; when it has what they say again, a digest stands for it. */
static int keep_said(hm_store *s, hm_kind_index k, const hm_cell *cells, hm_arena *a, hm_err *err) {
  hm_cell old[HM_MAX_FIELDS + 1];
  bool kept, found;
  if (k > HM_K_RELATION || s->version < HM_STORE_EVIDENCE_VERSION || s->theirs)
    return 0;
  hm_str ref = HM_CAT(a, hm_str_c(hm_kinds[k].name), HM_STR(":"), cells[0].text);
  if (hm_sql_has(s, SQL[IS_KEPT], HM_ARGS(hm_arg_text(ref)), &kept, err))
    return -1;
  if (!kept)
    return 0;
  memcpy(old, cells, sizeof old);
  if (hm_record_load(s, k, old, &found, a, err))
    return -1;
  int64_t was = hm_record_digest(&hm_kinds[k], old, a),
          now = hm_record_digest(&hm_kinds[k], cells, a);
  if (!found || was == now)
    return 0;
  if (hm_sql_do(s, SQL[KEEP_SAID],
                HM_ARGS(hm_arg_text(ref), hm_arg_text(hm_record_said_json(&hm_kinds[k], old, a)),
                        hm_arg_int(was)),
                err))
    return -1;
  return hm_sql_do(s, SQL[JOIN_SAID],
                   HM_ARGS(hm_arg_text(ref),
                           hm_arg_text(hm_record_said_json(&hm_kinds[k], cells, a)),
                           hm_arg_int(now)),
                   err);
}

/* Indexes a stored proposal by its rows. members: JSON; names no rows if not a list. */
static int index_proposal(hm_store *s, hm_str id, hm_str members, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_str *rows;
  size_t n = hm_json_texts(hm_json_parse_as(a, members, HM_JSON_ARRAY), a, &rows);
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++)
    rc = hm_sql_do(s, SQL[INDEX_ROW], HM_ARGS(hm_arg_text(rows[i]), hm_arg_text(id)), err);
  hm_arena_free(a);
  return rc;
}

int hm_record_save(hm_store *s, hm_kind_index k, const hm_cell *cells, bool is_new, hm_arena *a,
                   hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  hm_stmt *st;
  s->refused = false;
  if (k < HM_K_LINK && hm_store_may_change(s, err))
    return -1;
  if (!is_new && keep_said(s, k, cells, a, err))
    return -1;
  if (statement(s, k, is_new ? INSERT : UPDATE, &st, err))
    return -1;
  for (int i = 0; i < kind->n; i++)
    if (kind->fields[i].column)
      bind_cell(st, i + 1, kind->fields[i].type, &cells[i]);
  /* An anchor is unique in its rule, which is stored after the row. */
  bool waits = is_new && k == HM_K_CONFLICT;
  int anchor = hm_field_of_column(kind, "anchor");
  if (waits)
    hm_sql_bind(st, anchor + 1, HM_EMPTY);
  if (hm_sql_run(s, st, err))
    return -1;
  for (int i = 0; i < kind->n; i++) {
    /* A new record has nothing elsewhere yet. */
    if (kind->fields[i].column || (is_new && cells[i].state != HM_CELL_TEXT))
      continue;
    if (save_elsewhere(s, kind->fields[i].type, cells[0].text, &cells[i], a, err))
      return err && !err->what[0] ? hm_err_within(err, "%s", kind->fields[i].key) : -1;
  }
  if (waits && cells[anchor].state == HM_CELL_TEXT &&
      hm_sql_do(s, SQL[SAVE_ANCHOR],
                HM_ARGS(hm_arg_text(cells[0].text), hm_arg_text(cells[anchor].text)), err))
    return -1;
  return k == HM_K_PROPOSAL ? index_proposal(s, cells[0].text, cells[1].text, err) : 0;
}
