/* Fields that verdicts took out of their rows, and put back; see removed_fields.h. */
#include "core/store/record_edit.h"

#include "core/store/journal.h"
#include "core/store/records_impl.h"

#define MARKED " FROM conflict_members WHERE member_kind = 'entity' AND member_id = ?1 AND removed"
enum { MARKED_FIELDS, MARKED_VALUES, MARKED_CONFLICTS, END_MARK };
static const char *const SQL[] = {
  [MARKED_FIELDS] = "SELECT field, max(value_detected)" MARKED " GROUP BY field ORDER BY field",
  [MARKED_VALUES] = "SELECT value_detected" MARKED " AND field = ?2",
  [MARKED_CONFLICTS] = "SELECT conflict_id" MARKED " AND field = ?2 ORDER BY conflict_id",
  [END_MARK] = "UPDATE conflict_members SET removed = 0 WHERE conflict_id = ?3"
      " AND member_kind = 'entity' AND member_id = ?1 AND field = ?2",
};

static hm_str ref_of(const char *kind, hm_str id, hm_arena *a) {
  return HM_CAT(a, hm_str_c(kind), HM_STR(":"), id);
}

/* Members by name, not by C string: a name may hold NUL. */
static const hm_json *member(const hm_json *object, hm_str name) {
  const hm_json *v = object && object->type == HM_JSON_OBJECT ? object->child : NULL;
  while (v && !hm_str_eq(v->key, name)) v = v->next;
  return v;
}

static const hm_json *properties_in(hm_str record, hm_arena *a) {
  hm_json *v;
  return record.n && !hm_json_parse(a, record, &v, NULL) ? hm_json_get(v, "properties") : NULL;
}

static hm_str alone(const hm_json *v, hm_arena *a) {
  hm_json copy = *v;
  copy.next = NULL;
  copy.key = HM_EMPTY;
  return hm_json_as_text(&copy, a);
}

/* --- what was removed ------------------------------------------------------------- */

typedef struct { hm_removed_field *fields; size_t n; hm_arena *a; } recalling;

/* A line of the journal that took one of the fields out says what it was; the last one counts. */
static int recall(void *ctx, const hm_journal_line *l, hm_err *err) {
  recalling *r = ctx;
  hm_arena *tmp = hm_arena_new();
  const hm_json *before = properties_in(l->before, tmp), *after = properties_in(l->after, tmp);
  (void)err;
  for (size_t i = 0; i < r->n && l->after.n; i++) {
    const hm_json *was = member(before, r->fields[i].field);
    if (was && !member(after, r->fields[i].field)) r->fields[i].value = alone(was, r->a);
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
  hm_str record, ref = ref_of("entity", id, a);
  size_t cap = 0, kept = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[MARKED_FIELDS], HM_ARGS(hm_arg_text(id)), &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (hm_removed_field){ hm_sql_copy(st, 0, a), as_json(hm_sql_copy(st, 1, a), a) };
  }
  if (rc || !*n) return rc;
  if (hm_journal_record(s, ref, a, &record, err)) return -1;
  const hm_json *now = properties_in(record, a);
  for (size_t i = 0; i < *n && record.n; i++)
    if (!member(now, (*out)[i].field)) (*out)[kept++] = (*out)[i];
  *n = kept;
  recalling r = { *out, *n, a };
  return kept ? hm_journal_of(s, ref, recall, &r, err) : 0;
}

int hm_removed_field_was(hm_store *s, hm_str id, hm_str field, const hm_json *value, bool *is,
                   hm_arena *a, hm_err *err) {
  hm_stmt *st;
  int rc;
  hm_str said = value->type == HM_JSON_STRING || value->type == HM_JSON_NUMBER ? value->text
                                                                               : alone(value, a);
  *is = false;
  if (s->version < 3) return 0;
  if (hm_sql_query(s, SQL[MARKED_VALUES], HM_ARGS(hm_arg_text(id), hm_arg_text(field)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    if (hm_str_eq(hm_sql_text(st, 0, a), said)) *is = true;
  return rc;
}

/* --- out, and back ------------------------------------------------------------------ */

/* One object with these members, empty value: null. */
static int patch_properties(hm_store *s, hm_str id, const hm_removed_field *fields, size_t n,
                            const char *verb, const hm_actor *who, hm_arena *a, hm_err *err) {
  hm_buf b = { 0 };
  hm_json *patch;
  hm_row_edited put;
  hm_buf_c(&b, "{\"properties\":{");
  for (size_t i = 0; i < n; i++) {
    if (i) hm_buf_ch(&b, ',');
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
  if (hm_journal_record(s, ref, a, &before, err)) return -1;
  for (size_t i = 0; i < n; i++) {
    hm_member_rec m = members[i];
    m.removed = true;
    fields[i] = (hm_removed_field){ m.field, HM_EMPTY };
    if (hm_member_save(s, conflict, &m, err)) return -1;
  }
  if (hm_journal_record(s, ref, a, &after, err)) return -1;
  if (hm_journal_add(s, who, "remove", ref, before, after, err)) return -1;
  return patch_properties(s, members[0].id, fields, n, "remove", who, a, err);
}

static int end_marks(hm_store *s, hm_str id, hm_str field, const hm_actor *who, hm_arena *a,
                     hm_err *err) {
  hm_stmt *st;
  hm_str *conflicts, before, after;
  size_t n;
  if (hm_sql_query(s, SQL[MARKED_CONFLICTS], HM_ARGS(hm_arg_text(id), hm_arg_text(field)), &st,
                   err) ||
      hm_sql_texts(s, st, a, &conflicts, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_str ref = ref_of("conflict", conflicts[i], a);
    if (hm_journal_record(s, ref, a, &before, err) ||
        hm_sql_do(s, SQL[END_MARK],
                  HM_ARGS(hm_arg_text(id), hm_arg_text(field), hm_arg_text(conflicts[i])), err) ||
        hm_journal_record(s, ref, a, &after, err) ||
        hm_journal_add(s, who, "restore", ref, before, after, err))
      return -1;
  }
  return 0;
}

int hm_restore_fields(hm_store *s, hm_str id, const hm_removed_field *fields, size_t n,
                      const hm_actor *who, hm_arena *a, hm_err *err) {
  if (patch_properties(s, id, fields, n, "restore", who, a, err)) return -1;
  for (size_t i = 0; i < n; i++)
    if (end_marks(s, id, fields[i].field, who, a, err)) return -1;
  return 0;
}
