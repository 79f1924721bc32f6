#include "core/review/redact_field.h"

#include <string.h>

#include "core/base/text.h"
#include "core/store/removed_fields.h"

static const hm_text_column of_memory[] = { { "content", HM_TEXT_PLAIN },
                                            { "scope", HM_TEXT_PLAIN },
                                            { "agent", HM_TEXT_PLAIN },
                                            { "slot_rule", HM_TEXT_PLAIN },
                                            { "tags", HM_TEXT_STRINGS },
                                            { "source_refs", HM_TEXT_STRINGS },
                                            { 0 } };
static const hm_text_column of_entity[] = { { "properties", HM_TEXT_OBJECT },
                                            { "name", HM_TEXT_PLAIN },
                                            { "description", HM_TEXT_PLAIN },
                                            { "source_refs", HM_TEXT_STRINGS },
                                            { 0 } };
static const hm_text_column of_state[] = { { "value", HM_TEXT_VALUE },
                                           { "key", HM_TEXT_PLAIN },
                                           { "category", HM_TEXT_PLAIN },
                                           { "source", HM_TEXT_PLAIN },
                                           { 0 } };
static const hm_text_column of_relation[] = { { "properties", HM_TEXT_OBJECT },
                                              { "source_refs", HM_TEXT_STRINGS },
                                              { 0 } };

const hm_text_column *hm_text_columns(hm_layer layer) {
  static const hm_text_column *const all[] = { NULL, of_memory, of_entity, of_state, of_relation };
  return all[layer];
}

bool hm_redact_field_is_all(const hm_redact_field *f) {
  return (f->row.layer == HM_MEMORY || f->row.layer == HM_STATE) &&
      f->column == hm_text_columns(f->row.layer);
}

hm_str hm_redact_field_text(const hm_redact_field *f, hm_str column, bool value_is_json, bool *json,
                            hm_arena *a) {
  hm_json *v;
  *json = f->column->kind == HM_TEXT_STRINGS || f->column->kind == HM_TEXT_OBJECT ||
      (f->column->kind == HM_TEXT_VALUE && value_is_json);
  if (!f->property.n) return column;
  const hm_json *p =
      hm_json_parse(a, column, &v, NULL) ? NULL : hm_json_get(v, hm_str_z(a, f->property));
  return p && p->type != HM_JSON_NULL ? hm_json_keep(p, a) : HM_EMPTY;
}

/* --- which one ------------------------------------------------------------------ */

static int bad_field(const hm_standing *row, const char *why, const char *fix, hm_arena *a,
                     hm_err *err) {
  enum { SHOWN = 120 };
  hm_fail(err, HM_E_INPUT, hm_str_fmt(a, "%.*s", HM_FMT(hm_text_cut(row->ref, SHOWN))).p, why, fix);
  return hm_err_at_field(err, HM_STR("field"));
}

/* "name one of decision_target, value, description by --field": names are no secrets. */
static const char *list_of(const hm_json *props, const hm_text_column *columns, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "name one by --field:");
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    hm_buf_fmt(&b, " %.*s,", HM_FMT(hm_text_cut(p->key, 60)));
  for (; columns->column; columns++)
    if (columns->kind != HM_TEXT_OBJECT)
      hm_buf_fmt(&b, " %s%s", columns->column, columns[1].column ? "," : "");
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s.p;
}

static int properties_of(hm_store *s, const hm_standing *row, hm_json **out, hm_arena *a,
                         hm_err *err) {
  hm_column c = { .column = "properties" };
  bool found;
  *out = NULL;
  if (row->layer != HM_ENTITY && row->layer != HM_RELATION) return 0;
  if (hm_store_columns(s, row->ref, &c, 1, &found, a, err)) return -1;
  if (!c.value.n || hm_json_parse(a, c.value, out, NULL) || (*out)->type != HM_JSON_OBJECT)
    *out = NULL;
  return 0;
}

/* What a row says, when that is one thing. */
static int choose(hm_redact_field *f, const hm_json *props, hm_arena *a, hm_err *err) {
  const hm_text_column *columns = hm_text_columns(f->row.layer);
  f->column = columns;
  if (columns->kind != HM_TEXT_OBJECT) return 0;
  if (!props || props->count != 1)
    return bad_field(&f->row, "it has several fields, or none", list_of(props, columns, a), a, err);
  f->property = props->child->key;
  return 0;
}

/* A field that a verdict took out of the row: the conflict and the journal hold what it said. */
static int find_removed(hm_store *s, hm_str name, hm_arena *a, hm_redact_field *f, hm_err *err) {
  hm_removed_field *fields;
  size_t n;
  if (f->row.layer != HM_ENTITY) return 0;
  if (hm_removed_fields(s, f->row.id, a, &fields, &n, err)) return -1;
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(fields[i].field, name)) f->property = fields[i].field;
  return 0;
}

int hm_redact_field_of(hm_store *s, hm_str ref, hm_str name, hm_arena *a, hm_redact_field *f,
                       hm_err *err) {
  hm_json *props;
  *f = (hm_redact_field){ .property = HM_EMPTY };
  if (hm_standing_of(s, ref, a, &f->row, err)) return -1;
  if (properties_of(s, &f->row, &props, a, err)) return -1;
  if (!name.n) return choose(f, props, a, err);
  const hm_text_column *columns = f->column = hm_text_columns(f->row.layer);
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    if (hm_str_eq(p->key, name)) {
      f->property = p->key;
      return 0;
    }
  if (find_removed(s, name, a, f, err)) return -1;
  if (f->property.n) return 0;
  while (f->column->column && !hm_str_is(name, f->column->column)) f->column++;
  return f->column->column
      ? 0
      : bad_field(&f->row, "it has no such field", list_of(props, columns, a), a, err);
}
