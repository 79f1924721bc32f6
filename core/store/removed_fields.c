#include "core/store/removed_fields.h"

#include "core/store/change.h"
#include "core/store/journal.h"
#include "core/store/put.h"
#include "core/store/side.h"

static hm_str ref_of(const char *kind, hm_str id, hm_arena *a) {
  return hm_str_join(a, (const hm_str[]){ hm_str_c(kind), HM_STR(":"), id }, 3);
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
  return hm_json_keep(&copy, a);
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
  hm_json_put_str(&b, value);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static int marked_fields(hm_store *s, hm_str id, hm_arena *a, hm_removed_field **out, size_t *n,
                         hm_err *err) {
  static const char sql[] =
      "SELECT field, max(value_detected) FROM conflict_members WHERE member_kind = 'entity'"
      " AND member_id = ?1 AND removed GROUP BY field ORDER BY field";
  sqlite3_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (*n == cap) {
      hm_removed_field *more = hm_alloc_array(a, cap = cap ? 2 * cap : 4, sizeof *more);
      for (size_t i = 0; i < *n; i++) more[i] = (*out)[i];
      *out = more;
    }
    (*out)[(*n)++] = (hm_removed_field){ hm_sql_copy(st, 0, a), as_json(hm_sql_copy(st, 1, a), a) };
  }
  return rc;
}

int hm_removed_fields(hm_store *s, hm_str id, hm_arena *a, hm_removed_field **out, size_t *n,
                      hm_err *err) {
  hm_str record, ref = ref_of("entity", id, a);
  size_t kept = 0;
  if (marked_fields(s, id, a, out, n, err)) return -1;
  if (!*n) return 0;
  if (hm_journal_record(s, ref, a, &record, err)) return -1;
  const hm_json *now = properties_in(record, a);
  for (size_t i = 0; i < *n && record.n; i++)
    if (!member(now, (*out)[i].field)) (*out)[kept++] = (*out)[i];
  *n = kept;
  recalling r = { *out, *n, a };
  return kept ? hm_journal_of(s, ref, recall, &r, err) : 0;
}

int hm_removed_was(hm_store *s, hm_str id, hm_str field, const hm_json *value, bool *is,
                   hm_arena *a, hm_err *err) {
  static const char sql[] =
      "SELECT value_detected FROM conflict_members WHERE member_kind = 'entity' AND member_id = ?1"
      " AND field = ?2 AND removed";
  sqlite3_stmt *st;
  int rc;
  hm_str said = value->type == HM_JSON_STRING || value->type == HM_JSON_NUMBER ? value->text
                                                                               : alone(value, a);
  *is = false;
  if (s->version < 3) return 0;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  hm_sql_bind(st, 2, field);
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
  hm_put put;
  hm_buf_c(&b, "{\"properties\":{");
  for (size_t i = 0; i < n; i++) {
    if (i) hm_buf_ch(&b, ',');
    hm_json_put_str(&b, fields[i].field);
    hm_buf_ch(&b, ':');
    hm_buf_str(&b, fields[i].value.n ? fields[i].value : HM_STR("null"));
  }
  hm_buf_c(&b, "}}");
  int rc = hm_json_parse(a, hm_buf_view(&b), &patch, err);
  hm_buf_free(&b);
  return rc ? -1 : hm_put_patch(s, HM_ENTITY, id, patch, verb, who, a, &put, err);
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

static int end_mark(hm_store *s, hm_str conflict, hm_str id, hm_str field, const hm_actor *who,
                    hm_arena *a, hm_err *err) {
  static const char sql[] = "UPDATE conflict_members SET removed = 0 WHERE conflict_id = ?1"
                            " AND member_kind = 'entity' AND member_id = ?2 AND field = ?3";
  hm_str before, after, ref = ref_of("conflict", conflict, a);
  sqlite3_stmt *st;
  if (hm_journal_record(s, ref, a, &before, err) || hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, conflict);
  hm_sql_bind(st, 2, id);
  hm_sql_bind(st, 3, field);
  if (hm_sql_run(s, st, err) || hm_journal_record(s, ref, a, &after, err)) return -1;
  return hm_journal_add(s, who, "restore", ref, before, after, err);
}

static int end_marks(hm_store *s, hm_str id, hm_str field, const hm_actor *who, hm_arena *a,
                     hm_err *err) {
  static const char sql[] =
      "SELECT conflict_id FROM conflict_members WHERE member_kind = 'entity' AND member_id = ?1"
      " AND field = ?2 AND removed ORDER BY conflict_id";
  sqlite3_stmt *st;
  hm_str *ids;
  size_t n;
  if (hm_sql_prepare(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  hm_sql_bind(st, 2, field);
  int rc = hm_sql_texts(s, st, a, &ids, &n, err);
  sqlite3_finalize(st);
  for (size_t i = 0; i < n && !rc; i++) rc = end_mark(s, ids[i], id, field, who, a, err);
  return rc;
}

int hm_restore_fields(hm_store *s, hm_str id, const hm_removed_field *fields, size_t n,
                      const hm_actor *who, hm_arena *a, hm_err *err) {
  if (patch_properties(s, id, fields, n, "restore", who, a, err)) return -1;
  for (size_t i = 0; i < n; i++)
    if (end_marks(s, id, fields[i].field, who, a, err)) return -1;
  return 0;
}
