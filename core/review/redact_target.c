/* Finds the field of a row to redact, and all its current and former texts. */
#include "core/review/redact_target.h"

#include <string.h>

#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/value/rules.h"
#include "core/record/journal.h"
#include "core/record/record_edit.h"

static const hm_text_column of_memory[] = {
  { "content", HM_TEXT_PLAIN },     { "scope", HM_TEXT_PLAIN },  { "agent", HM_TEXT_PLAIN },
  { "slot_rule", HM_TEXT_PLAIN },   { "tags", HM_TEXT_STRINGS }, { "source_refs", HM_TEXT_STRINGS },
  { "memory_type", HM_TEXT_PLAIN }, { "via", HM_TEXT_PLAIN },    { 0 }
};
static const hm_text_column of_entity[] = { { "properties", HM_TEXT_OBJECT },
                                            { "name", HM_TEXT_PLAIN },
                                            { "description", HM_TEXT_PLAIN },
                                            { "source_refs", HM_TEXT_STRINGS },
                                            { "entity_type", HM_TEXT_PLAIN },
                                            { "via", HM_TEXT_PLAIN },
                                            { 0 } };
static const hm_text_column of_state[] = { { "value", HM_TEXT_VALUE },
                                           { "key", HM_TEXT_PLAIN },
                                           { "category", HM_TEXT_PLAIN },
                                           { "source", HM_TEXT_PLAIN },
                                           { 0 } };
static const hm_text_column of_relation[] = { { "properties", HM_TEXT_OBJECT },
                                              { "source_refs", HM_TEXT_STRINGS },
                                              { "type", HM_TEXT_PLAIN },
                                              { 0 } };

const hm_text_column *hm_text_columns(hm_layer layer) {
  static const hm_text_column *const all[] = { NULL, of_memory, of_entity, of_state, of_relation };
  return all[layer];
}

bool hm_redact_field_is_all(const hm_redact_field *f) {
  return (f->row.layer == HM_MEMORY || f->row.layer == HM_STATE) &&
      f->column == hm_text_columns(f->row.layer);
}

/* The text of a field: the column as stored, or the property as JSON. json: it is JSON. Empty if
 * there is none. */
static hm_str redact_field_text(const hm_redact_field *f, hm_str column, bool value_is_json,
                                bool *json, hm_arena *a) {
  hm_json *v;
  *json = f->column->kind == HM_TEXT_STRINGS || f->column->kind == HM_TEXT_OBJECT ||
      (f->column->kind == HM_TEXT_VALUE && value_is_json);
  if (!f->property.n)
    return column;
  const hm_json *p =
      hm_json_parse(a, column, &v, NULL) ? NULL : hm_json_get(v, hm_str_z(a, f->property));
  return p && p->type != HM_JSON_NULL ? hm_json_as_text(p, a) : HM_EMPTY;
}

/* --- which one ------------------------------------------------------------------ */

static int bad_field(const hm_named_row *row, const char *why, const char *fix, hm_arena *a,
                     hm_err *err) {
  enum { SHOWN = 120 };
  hm_fail(err, HM_E_INPUT, hm_str_fmt(a, "%.*s", HM_FMT(hm_text_cut(row->ref, SHOWN))).p, why, fix);
  return hm_err_at_field(err, HM_STR("field"));
}

/* "name one of decision_target, value, description by --field": names are not secret. */
static const char *list_of(const hm_json *props, const hm_text_column *columns, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "name one by --field:");
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    hm_buf_fmt(&b, " %.*s,", HM_FMT(hm_text_cut(p->key, 60)));
  for (; columns->column; columns++)
    if (columns->kind != HM_TEXT_OBJECT)
      hm_buf_fmt(&b, " %s%s", columns->column, columns[1].column ? "," : "");
  hm_str s = hm_buf_take(&b, a);
  return s.p;
}

/* Of an object whose names may have any byte. */
static const hm_json *member(const hm_json *object, hm_str name) {
  const hm_json *m = object && object->type == HM_JSON_OBJECT ? object->child : NULL;
  while (m && !hm_str_eq(m->key, name))
    m = m->next;
  return m;
}

typedef struct {
  hm_str name;
  bool found;
} property_search;

static void see_property(void *ctx, const hm_json *record, const hm_json *history) {
  property_search *p = ctx;
  const hm_json *fields = member(history, HM_STR("fields"));
  p->found |= member(member(record, HM_STR("properties")), p->name) != NULL;
  for (const hm_json *f = fields ? fields->child : NULL; f; f = f->next)
    p->found |= hm_str_starts(f->key, "properties.") &&
        hm_str_eq(hm_str_sub(f->key, sizeof "properties." - 1, f->key.n), p->name);
}

/* A property that the row has not, but one of its sources has or had. */
static int find_said_property(hm_store *s, hm_str name, hm_arena *a, hm_redact_field *f,
                              hm_err *err) {
  property_search p = { name, false };
  if (hm_said_records(s, f->row.ref, see_property, &p, a, err))
    return -1;
  if (p.found)
    f->property = name;
  return 0;
}

int hm_redact_find_field(hm_store *s, hm_str ref, hm_str name, hm_arena *a, hm_redact_field *f,
                         hm_err *err) {
  hm_json *props = NULL;
  *f = (hm_redact_field){ .property = HM_EMPTY };
  if (hm_named_row_find(s, ref, a, &f->row, err))
    return -1;
  const hm_text_column *columns = f->column = hm_text_columns(f->row.layer);
  if (columns->kind == HM_TEXT_OBJECT) {
    hm_column c = { .column = "properties" };
    bool found;
    if (hm_store_get_columns(s, f->row.ref, &c, 1, &found, a, err))
      return -1;
    props = hm_json_parse_as(a, c.value, HM_JSON_OBJECT);
  }
  if (!name.n) { /* what the row says, when that is one thing */
    if (columns->kind != HM_TEXT_OBJECT)
      return 0;
    if (!props || props->count != 1)
      return bad_field(&f->row, "it has several fields, or none", list_of(props, columns, a), a,
                       err);
    f->property = props->child->key;
    return 0;
  }
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    if (hm_str_eq(p->key, name)) {
      f->property = p->key;
      return 0;
    }
  if (f->row.layer == HM_ENTITY) {
    /* What a verdict took out of the row is still in the conflict and in the journal. */
    hm_removed_field *fields;
    size_t n;
    if (hm_removed_fields(s, f->row.id, a, &fields, &n, err))
      return -1;
    for (size_t i = 0; i < n; i++)
      if (hm_str_eq(fields[i].field, name))
        f->property = fields[i].field;
    if (f->property.n)
      return 0;
  }
  if (columns->kind == HM_TEXT_OBJECT && find_said_property(s, name, a, f, err))
    return -1;
  if (f->property.n)
    return 0;
  while (f->column->column && !hm_str_is(name, f->column->column))
    f->column++;
  return f->column->column
      ? 0
      : bad_field(&f->row, "it has no such field", list_of(props, columns, a), a, err);
}

/* --- what it says and said -------------------------------------------------------- */

typedef struct {
  hm_store *s;
  const hm_redact_field *f;
  const hm_families *families;
  bool earlier;    /* only what it said before */
  hm_needles now;  /* what it says now: the row, and each of its sources */
  hm_needles over; /* what a source says and a person judged */
  hm_needles *out;
  hm_arena *a;
} values;

static bool is_among(const hm_needles *texts, hm_str text) {
  size_t i = 0;
  while (i < texts->n && !hm_str_eq(texts->v[i], text))
    i++;
  return i < texts->n;
}

static bool is_now(const values *v, hm_str text) { return is_among(&v->now, text); }

static void add(values *v, hm_str text) {
  if (hm_is_redacted(text))
    return;
  hm_needles_add(v->out, text, v->a);
  hm_needles_add(v->out, hm_text_repair(v->a, text), v->a);
}

static void add_below(values *v, const hm_json *j) {
  if (j->type == HM_JSON_STRING || j->type == HM_JSON_NUMBER)
    add(v, j->text);
  for (const hm_json *c = j->child; c; c = c->next)
    add_below(v, c);
}

/* What the text states as prose, whatever is its subject: which one it is changes the slot and
 * perhaps whether it claims, never a value. */
static void add_stated(values *v, hm_str text) {
  static const hm_str subjects[] = { { "", 0 }, { "it", 2 } };
  for (size_t i = 0; i < HM_COUNT(subjects); i++) {
    hm_prose p;
    hm_prose_parse(&p, hm_str_trim(text), subjects[i], v->families, v->a);
    for (size_t k = 0; k < p.n; k++) {
      add(v, p.claims[k].value);
      add(v, p.claims[k].reading);
      if (p.claims[k].left.n)
        add(v, p.claims[k].left);
    }
    for (size_t k = 0; k < p.n_mentions; k++)
      add(v, p.mentions[k].value);
  }
}

/* "squash" of "prefers squash workflow", "30 s" of "the timeout is 30 s". */
static void add_claimed(values *v, hm_str type, hm_str slot_rule, hm_str content) {
  hm_memory_claim m;
  hm_row row = { .type = type, .slot_rule = slot_rule, .text = content };
  add_stated(v, content);
  if (v->f->row.layer != HM_MEMORY || !hm_redact_field_is_all(v->f))
    return;
  hm_memory_read(&m, &row, v->a);
  if (!hm_value_is_silence(m.value, NULL, v->a))
    add(v, m.value); /* "?" is nobody's secret */
}

/* --- now ------------------------------------------------------------------------ */

static hm_str value_of(const hm_column *c) { return c->value.n ? c->value : HM_EMPTY; }

static int read_now(values *v, hm_err *err) {
  hm_column c[] = { { .column = v->f->column->column },
                    { .column = "value_kind" },
                    { .column = "memory_type" },
                    { .column = "slot_rule" } };
  bool found, json;
  hm_json *tree;
  if (hm_store_get_columns(v->s, v->f->row.ref, c, 4, &found, v->a, err))
    return -1;
  hm_str now =
      redact_field_text(v->f, value_of(&c[0]), hm_str_is(value_of(&c[1]), "json"), &json, v->a);
  hm_needles_add(&v->now, now, v->a);
  if (v->earlier)
    return 0;
  if (json && now.n && hm_json_parse(v->a, now, &tree, NULL) == 0)
    add_below(v, tree);
  else
    add(v, now);
  add_claimed(v, value_of(&c[2]), value_of(&c[3]), now);
  return 0;
}

/* --- earlier --------------------------------------------------------------------- */

static const hm_json *field_in(const values *v, const hm_json *record) {
  const hm_json *column = member(record, hm_str_c(v->f->column->column));
  return v->f->property.n ? member(column, v->f->property) : column;
}

static hm_str text_at(const hm_json *record, const char *key) {
  const hm_json *j = hm_json_get(record, key);
  return j && j->type == HM_JSON_STRING ? j->text : HM_EMPTY;
}

static void add_said(values *v, const hm_json *record, const hm_json *j) {
  add_below(v, j);
  add_claimed(v, text_at(record, "memory_type"), text_at(record, "slot_rule"), j->text);
}

static void add_earlier(values *v, hm_str json) {
  const hm_json *record = hm_json_parse_as(v->a, json, HM_JSON_OBJECT);
  const hm_json *j = field_in(v, record);
  if (!j || is_now(v, hm_json_as_text(j, v->a)) ||
      (j->type == HM_JSON_STRING && is_now(v, j->text)))
    return;
  add_said(v, record, j);
}

static int see_line(void *ctx, const hm_journal_line *l, hm_err *err) {
  (void)err;
  add_earlier(ctx, l->before);
  add_earlier(ctx, l->after);
  return 0;
}

/* --- what its sources say and said ------------------------------------------------- */

/* "properties.mass": as a history names it. */
static hm_str history_name(const values *v) {
  return v->f->property.n ? HM_CAT(v->a, HM_STR("properties."), v->f->property)
                          : hm_str_c(v->f->column->column);
}

static void see_over(void *ctx, const hm_json *record, const hm_json *history) {
  values *v = ctx;
  const hm_json *over = member(member(history, HM_STR("over")), history_name(v));
  (void)record;
  for (const hm_json *o = over ? over->child : NULL; o; o = o->next)
    hm_needles_add(&v->over, o->text, v->a);
}

/* What a source says of the field now. */
static void see_said(void *ctx, const hm_json *record, const hm_json *history) {
  values *v = ctx;
  const hm_json *j = field_in(v, record);
  (void)history;
  if (!j)
    return;
  hm_str text = hm_json_as_text(j, v->a);
  if (!v->earlier)
    add_said(v, record, j);
  if (is_among(&v->over, text) || (j->type == HM_JSON_STRING && is_among(&v->over, j->text)))
    return;
  hm_needles_add(&v->now, text, v->a);
  if (j->type == HM_JSON_STRING)
    hm_needles_add(&v->now, j->text, v->a);
}

/* Of a property a history has JSON texts. */
static void add_past(values *v, const hm_json *value) {
  hm_json *tree;
  if (!value || value->type != HM_JSON_STRING || is_now(v, value->text))
    return;
  if (v->f->property.n && !hm_json_parse(v->a, value->text, &tree, NULL))
    add_below(v, tree);
  add(v, value->text);
  add_claimed(v, HM_EMPTY, HM_EMPTY, value->text);
}

/* What it said before, and what a person judged. */
static void see_history(void *ctx, const hm_json *record, const hm_json *history) {
  values *v = ctx;
  hm_str field = history_name(v);
  (void)record;
  const hm_json *past = member(member(member(history, HM_STR("fields")), field), HM_STR("past"));
  const hm_json *over = member(member(history, HM_STR("over")), field);
  for (const hm_json *p = past ? past->child : NULL; p; p = p->next)
    add_past(v, member(p, HM_STR("value")));
  for (const hm_json *o = over ? over->child : NULL; o; o = o->next)
    add_past(v, o);
}

int hm_redact_collect_values(hm_store *s, const hm_redact_field *f, bool earlier,
                             const hm_families *families, hm_needles *out, hm_arena *a,
                             hm_err *err) {
  values v = { .s = s, .f = f, .families = families, .earlier = earlier, .out = out, .a = a };
  if (read_now(&v, err) || hm_said_records(s, f->row.ref, see_over, &v, a, err) ||
      hm_said_records(s, f->row.ref, see_said, &v, a, err))
    return -1;
  if (!earlier)
    return 0;
  return hm_said_records(s, f->row.ref, see_history, &v, a, err) ||
          hm_journal_lines_of(s, f->row.ref, see_line, &v, err)
      ? -1
      : 0;
}
