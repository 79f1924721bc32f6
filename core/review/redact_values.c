/* What a field says and said. */
#include "core/claim/value.h"
#include "core/base/redacted.h"
#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/review/redact_field.h"
#include "core/store/journal.h"

typedef struct {
  hm_store *s;
  const hm_redact_field *f;
  hm_str now;                /* earlier: what it says now */
  hm_needles *out;
  hm_arena *a;
} values;

static void add(values *v, hm_str text) {
  if (hm_is_redacted(text)) return;
  hm_needles_add(v->out, text, v->a);
  hm_needles_add(v->out, hm_text_repair(v->a, text), v->a);
}

static void add_below(values *v, const hm_json *j) {
  if (j->type == HM_JSON_STRING || j->type == HM_JSON_NUMBER) add(v, j->text);
  for (const hm_json *c = j->child; c; c = c->next) add_below(v, c);
}

/* "squash" of "prefers squash workflow". What rows of other layers claim by a field is all of it.
 */
static void add_claimed(values *v, hm_str type, hm_str slot_rule, hm_str content) {
  hm_memory_claim m;
  hm_row row = { .type = type, .slot_rule = slot_rule, .text = content };
  if (v->f->row.layer != HM_MEMORY || !hm_redact_field_is_all(v->f)) return;
  hm_memory_read(&m, &row, v->a);
  if (!hm_value_is_silence(m.value, NULL, v->a)) add(v, m.value);   /* "?" is nobody's secret */
}

/* --- now ------------------------------------------------------------------------ */

static hm_str value_of(const hm_column *c) { return c->value.n ? c->value : HM_EMPTY; }

static int read_now(values *v, bool add_it, hm_err *err) {
  hm_column c[] = { { .column = v->f->column->column },
                    { .column = "value_kind" },
                    { .column = "memory_type" },
                    { .column = "slot_rule" } };
  bool found, json;
  hm_json *tree;
  if (hm_store_columns(v->s, v->f->row.ref, c, 4, &found, v->a, err)) return -1;
  v->now =
      hm_redact_field_text(v->f, value_of(&c[0]), hm_str_is(value_of(&c[1]), "json"), &json, v->a);
  if (!add_it) return 0;
  if (json && v->now.n && hm_json_parse(v->a, v->now, &tree, NULL) == 0) add_below(v, tree);
  else add(v, v->now);
  add_claimed(v, value_of(&c[2]), value_of(&c[3]), v->now);
  return 0;
}

/* --- earlier --------------------------------------------------------------------- */

static const hm_json *field_in(const values *v, const hm_json *record) {
  const hm_json *column = hm_json_get(record, v->f->column->column);
  return v->f->property.n ? hm_json_get(column, hm_str_z(v->a, v->f->property)) : column;
}

static hm_str text_at(const hm_json *record, const char *key) {
  const hm_json *j = hm_json_get(record, key);
  return j && j->type == HM_JSON_STRING ? j->text : HM_EMPTY;
}

static void add_earlier(values *v, hm_str json) {
  hm_json *record;
  if (!json.n || hm_json_parse(v->a, json, &record, NULL)) return;
  const hm_json *j = field_in(v, record);
  if (!j || hm_str_eq(hm_json_keep(j, v->a), v->now) ||
      (j->type == HM_JSON_STRING && hm_str_eq(j->text, v->now)))
    return;
  add_below(v, j);
  add_claimed(v, text_at(record, "memory_type"), text_at(record, "slot_rule"), j->text);
}

static int see_line(void *ctx, const hm_journal_line *l, hm_err *err) {
  (void)err;
  add_earlier(ctx, l->before);
  add_earlier(ctx, l->after);
  return 0;
}

int hm_redact_values(hm_store *s, const hm_redact_field *f, bool earlier, hm_needles *out,
                     hm_arena *a, hm_err *err) {
  values v = { .s = s, .f = f, .out = out, .a = a };
  if (read_now(&v, !earlier, err)) return -1;
  return earlier ? hm_journal_of(s, f->row.ref, see_line, &v, err) : 0;
}
