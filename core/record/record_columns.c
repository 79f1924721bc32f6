/* Changes single records by columns, looks up what a verdict needs of its conflict, and removes and
 * restores fields for verdicts: see record_edit.h. */
#include <stdio.h>

#include "core/base/text.h"
#include "core/record/journal.h"
#include "core/record/record_edit.h"
#include "core/record/records.h"

#define REMOVED_IN                                                                                 \
  " FROM conflict_members WHERE member_kind = 'entity' AND member_id = ?1 AND removed"
enum { CONFLICTS_FROM, RIVAL, SUPERSESSIONS, REMOVED_FIELDS, REMOVED_IN_CONFLICTS, END_REMOVAL };
static const char *const SQL[] = {
  [CONFLICTS_FROM] = "SELECT id FROM conflicts WHERE id >= ?1 ORDER BY id LIMIT 2",
  [RIVAL] =
      "SELECT c.id FROM conflicts c JOIN conflicts o ON o.id = ?1 AND c.slot_key = o.slot_key"
      " AND c.id <> o.id WHERE c.status = 'open'"
      " AND ((c.rule = o.rule AND c.anchor = o.anchor AND c.anchor <> '') OR EXISTS"
      " (SELECT 1 FROM conflict_members m JOIN conflict_members n"
      " USING (member_kind, member_id, field) WHERE m.conflict_id = c.id AND n.conflict_id = ?1))"
      " ORDER BY c.id LIMIT 1",
  [SUPERSESSIONS] = "SELECT id, type, from_id, to_id FROM relations WHERE status = 'active' AND"
                    " type LIKE '%supersede%' ORDER BY id",
  [REMOVED_FIELDS] =
      "SELECT field, max(value_detected)" REMOVED_IN " GROUP BY field ORDER BY field",
  [REMOVED_IN_CONFLICTS] = "SELECT conflict_id" REMOVED_IN " AND field = ?2 ORDER BY conflict_id",
  [END_REMOVAL] = "UPDATE conflict_members SET removed = 0 WHERE conflict_id = ?3"
                  " AND member_kind = 'entity' AND member_id = ?1 AND field = ?2",
};

/* --- columns ------------------------------------------------------------------- */

/* The cells of one record, before or after a change. */
typedef struct {
  hm_kind_index kind;
  hm_cell cells[HM_MAX_FIELDS + 1];
} record;

/* Splits the reference; false when its kind has no records that a reference can name. */
static bool begin_record(record *rec, hm_str ref) {
  *rec = (record){ .cells = { { HM_CELL_TEXT, HM_EMPTY } } };
  rec->kind = hm_kind_parse_ref(ref, &rec->cells[0].text);
  return rec->kind != HM_N_KINDS;
}

static int load_record(record *rec, hm_store *s, hm_str ref, bool *found, hm_arena *a,
                       hm_err *err) {
  *found = false;
  return begin_record(rec, ref) ? hm_record_load(s, rec->kind, rec->cells, found, a, err) : 0;
}

static int save_record(hm_store *s, const record *rec, hm_str ref, hm_str before, const char *verb,
                       const hm_actor *who, hm_arena *a, hm_err *err) {
  if (hm_record_save(s, rec->kind, rec->cells, !before.n, a, err))
    return -1;
  return hm_journal_add(s, who, verb, ref, before,
                        hm_record_json(&hm_kinds[rec->kind], rec->cells, a), err);
}

/* Returns true if any of them differs from the stored value. */
static bool set_columns(record *rec, const hm_column *columns, size_t n) {
  bool changed = false;
  for (size_t i = 0; i < n; i++) {
    int at = hm_field_of_column(&hm_kinds[rec->kind], columns[i].column);
    if (at < 0)
      continue;
    hm_str value = columns[i].value;
    hm_cell now = { value.p ? HM_CELL_TEXT : HM_CELL_NULL, value.p ? value : HM_EMPTY };
    changed |= now.state != rec->cells[at].state || !hm_str_eq(now.text, rec->cells[at].text);
    rec->cells[at] = now;
  }
  return changed;
}

int hm_store_get_columns(hm_store *s, hm_str ref, hm_column *columns, size_t n, bool *found,
                         hm_arena *a, hm_err *err) {
  record rec;
  if (load_record(&rec, s, ref, found, a, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    int at = *found ? hm_field_of_column(&hm_kinds[rec.kind], columns[i].column) : -1;
    bool text = at >= 0 && rec.cells[at].state == HM_CELL_TEXT;
    columns[i].value = text ? rec.cells[at].text : (hm_str){ NULL, 0 };
  }
  return 0;
}

int hm_store_successor(hm_store *s, hm_layer layer, hm_str by, hm_arena *a, hm_str *out,
                       hm_err *err) {
  hm_layer named;
  hm_str id;
  bool found = false;
  *out = HM_EMPTY;
  if (!by.n)
    return 0;
  if (hm_ref_parse(by, &named, &id) && hm_store_get_columns(s, by, NULL, 0, &found, a, err))
    return -1;
  *out = found ? by : hm_ref_text(a, layer, by);
  return 0;
}

static int unknown_row(hm_str ref, hm_err *err) {
  char what[96];
  snprintf(what, sizeof what, "%.*s", HM_FMT(hm_text_cut(ref, sizeof what - 1)));
  return hm_fail(err, HM_E_UNKNOWN, what, "there is no such row",
                 "give it as kind:id, for example entity:e1");
}

int hm_store_set_columns(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                         const char *verb, const hm_actor *who, hm_arena *a, hm_err *err) {
  record rec;
  bool found;
  if (load_record(&rec, s, ref, &found, a, err))
    return -1;
  if (!found)
    return unknown_row(ref, err);
  hm_str before = hm_record_json(&hm_kinds[rec.kind], rec.cells, a);
  if (!set_columns(&rec, columns, n))
    return 0;
  return save_record(s, &rec, ref, before, verb, who, a, err);
}

int hm_store_insert_record(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                           const char *verb, const hm_actor *who, hm_arena *a, hm_err *err) {
  record rec;
  if (!begin_record(&rec, ref))
    return unknown_row(ref, err);
  const hm_kind *k = &hm_kinds[rec.kind];
  for (int i = 1; i < k->n; i++)
    rec.cells[i] = hm_cell_default(&k->fields[i]);
  set_columns(&rec, columns, n);
  return save_record(s, &rec, ref, HM_EMPTY, verb, who, a, err);
}

/* --- conflicts --------------------------------------------------------------------- */

static bool begins(hm_str id, hm_str prefix) {
  return prefix.n && hm_str_eq(hm_str_sub(id, 0, prefix.n), prefix);
}

/* Ids are sorted, so the first one not before the prefix equals it, begins with it, or none
 * does. */
int hm_store_find_conflict(hm_store *s, hm_str prefix, hm_arena *a, hm_str *id, hm_err *err) {
  hm_stmt *st;
  hm_str *met;
  size_t n;
  char what[96];
  if (hm_sql_query(s, SQL[CONFLICTS_FROM], HM_ARGS(hm_arg_text(prefix)), &st, err) ||
      hm_sql_texts(s, st, a, &met, &n, err))
    return -1;
  *id = n ? met[0] : HM_EMPTY;
  if (n && hm_str_eq(met[0], prefix))
    return 0;
  snprintf(what, sizeof what, "conflict '%.*s'", HM_FMT(hm_text_cut(prefix, 60)));
  if (!n || !begins(met[0], prefix))
    return hm_fail(
        err, HM_E_UNKNOWN, what, "there is none",
        "see 'hmirror conflicts list --status all'; one that only a page shows is recorded by"
        " 'hmirror sweep'");
  if (n < 2 || !begins(met[1], prefix))
    return 0;
  return hm_fail(err, HM_E_INPUT, what, "several conflicts begin so", "give more of its id");
}

int hm_store_open_rival(hm_store *s, hm_str id, hm_arena *a, hm_str *rival, hm_err *err) {
  return hm_sql_one(s, SQL[RIVAL], HM_ARGS(hm_arg_text(id)), a, rival, err);
}

/* --- relations that say what superseded what --------------------------------- */

/* A bare end of a relation is an entity's id. */
static bool is_end(hm_str end, hm_str ref) {
  return hm_str_eq(end, ref) ||
      (hm_str_starts(ref, "entity:") && hm_str_eq(end, hm_str_sub(ref, 7, ref.n)));
}

static bool says(hm_str type, hm_str from, hm_str to, hm_str older, hm_str newer, hm_arena *a) {
  hm_str name = hm_text_fold_name(a, type);
  if (hm_str_is(name, "supersedes"))
    return is_end(from, newer) && is_end(to, older);
  return hm_str_is(name, "superseded_by") && is_end(from, older) && is_end(to, newer);
}

int hm_store_supersessions(hm_store *s, hm_str older, hm_str newer, hm_arena *a, hm_str **refs,
                           size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *refs = NULL;
  *n = 0;
  if (hm_sql_cached(s, SQL[SUPERSESSIONS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (!says(hm_sql_text(st, 1, a), hm_sql_text(st, 2, a), hm_sql_text(st, 3, a), older, newer, a))
      continue;
    const hm_str ref[] = { HM_STR("relation:"), hm_sql_text(st, 0, a) };
    *refs = hm_array_grow_in(a, *refs, *n, &cap, sizeof **refs);
    (*refs)[(*n)++] = hm_str_join(a, ref, 2);
  }
  return rc;
}

/* --- fields that leave their rows ------------------------------------------------------------ */

static hm_str ref_of(const char *kind, hm_str id, hm_arena *a) {
  return HM_CAT(a, hm_str_c(kind), HM_STR(":"), id);
}

/* Members by name, not by C string: a name may hold NUL. */
static const hm_json *member(const hm_json *object, hm_str name) {
  const hm_json *v = object && object->type == HM_JSON_OBJECT ? object->child : NULL;
  while (v && !hm_str_eq(v->key, name))
    v = v->next;
  return v;
}

static const hm_json *properties_in(hm_str row, hm_arena *a) {
  hm_json *v;
  return row.n && !hm_json_parse(a, row, &v, NULL) ? hm_json_get(v, "properties") : NULL;
}

typedef struct {
  hm_removed_field *fields;
  size_t n;
  hm_arena *a;
} recalling;

/* A line of the journal that took one of the fields out says what it was; the last one counts. */
static int recall(void *ctx, const hm_journal_line *l, hm_err *err) {
  recalling *r = ctx;
  hm_arena *tmp = hm_arena_new();
  const hm_json *before = properties_in(l->before, tmp), *after = properties_in(l->after, tmp);
  (void)err;
  for (size_t i = 0; i < r->n && l->after.n; i++) {
    const hm_json *was = member(before, r->fields[i].field);
    if (!was || member(after, r->fields[i].field))
      continue;
    hm_json alone = *was;
    alone.next = NULL;
    alone.key = HM_EMPTY;
    r->fields[i].value = hm_json_as_text(&alone, r->a);
  }
  hm_arena_free(tmp);
  return 0;
}

/* What a member quotes is a text, or a number, a boolean or an array as JSON. */
static hm_str as_json(hm_str value, hm_arena *a) {
  hm_buf b = { 0 };
  hm_json *v;
  if (!hm_json_parse(a, value, &v, NULL) && v->type != HM_JSON_STRING && v->type != HM_JSON_NULL)
    return value;
  hm_json_write_str(&b, value);
  return hm_buf_take(&b, a);
}

int hm_removed_fields(hm_store *s, hm_str id, hm_arena *a, hm_removed_field **out, size_t *n,
                      hm_err *err) {
  hm_stmt *st;
  hm_str row, ref = ref_of("entity", id, a);
  size_t cap = 0, kept = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[REMOVED_FIELDS], HM_ARGS(hm_arg_text(id)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (hm_removed_field){ hm_sql_copy(st, 0, a), as_json(hm_sql_copy(st, 1, a), a) };
  }
  if (rc || !*n)
    return rc;
  if (hm_journal_record_json(s, ref, a, &row, err))
    return -1;
  const hm_json *now = properties_in(row, a);
  for (size_t i = 0; i < *n && row.n; i++)
    if (!member(now, (*out)[i].field))
      (*out)[kept++] = (*out)[i];
  *n = kept;
  recalling r = { *out, *n, a };
  return kept ? hm_journal_lines_of(s, ref, recall, &r, err) : 0;
}

/* One object with these members, empty value: null. */
static int patch_properties(hm_store *s, hm_str id, const hm_removed_field *fields, size_t n,
                            const char *verb, const hm_actor *who, hm_arena *a, hm_err *err) {
  hm_buf b = { 0 };
  hm_json *patch;
  hm_row_edited put;
  hm_buf_c(&b, "{\"properties\":{");
  for (size_t i = 0; i < n; i++) {
    if (i)
      hm_buf_ch(&b, ',');
    hm_json_write_str(&b, fields[i].field);
    hm_buf_ch(&b, ':');
    hm_buf_str(&b, fields[i].value.n ? fields[i].value : HM_STR("null"));
  }
  hm_buf_c(&b, "}}");
  int rc = hm_json_parse(a, hm_buf_view(&b), &patch, err);
  hm_buf_free(&b);
  return rc ? -1 : hm_row_patch(s, HM_ENTITY, id, patch, verb, who, a, &put, err);
}

int hm_remove_fields(hm_store *s, hm_str conflict, const hm_member_rec *members, size_t n,
                     const hm_actor *who, hm_arena *a, hm_err *err) {
  hm_str before, after, ref = ref_of("conflict", conflict, a);
  hm_removed_field *fields = hm_alloc_array(a, n, sizeof *fields);
  if (hm_journal_record_json(s, ref, a, &before, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_member_rec m = members[i];
    m.removed = true;
    fields[i] = (hm_removed_field){ m.field, HM_EMPTY };
    if (hm_member_save(s, conflict, &m, err))
      return -1;
  }
  if (hm_journal_record_json(s, ref, a, &after, err))
    return -1;
  if (hm_journal_add(s, who, "remove", ref, before, after, err))
    return -1;
  return patch_properties(s, members[0].id, fields, n, "remove", who, a, err);
}

static int end_marks(hm_store *s, hm_str id, hm_str field, const hm_actor *who, hm_arena *a,
                     hm_err *err) {
  hm_stmt *st;
  hm_str *conflicts, before, after;
  size_t n;
  if (hm_sql_query(s, SQL[REMOVED_IN_CONFLICTS], HM_ARGS(hm_arg_text(id), hm_arg_text(field)), &st,
                   err) ||
      hm_sql_texts(s, st, a, &conflicts, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_str ref = ref_of("conflict", conflicts[i], a);
    if (hm_journal_record_json(s, ref, a, &before, err) ||
        hm_sql_do(s, SQL[END_REMOVAL],
                  HM_ARGS(hm_arg_text(id), hm_arg_text(field), hm_arg_text(conflicts[i])), err) ||
        hm_journal_record_json(s, ref, a, &after, err) ||
        hm_journal_add(s, who, "restore", ref, before, after, err))
      return -1;
  }
  return 0;
}

int hm_restore_fields(hm_store *s, hm_str id, const hm_removed_field *fields, size_t n,
                      const hm_actor *who, hm_arena *a, hm_err *err) {
  if (patch_properties(s, id, fields, n, "restore", who, a, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    if (end_marks(s, id, fields[i].field, who, a, err))
      return -1;
  return 0;
}
