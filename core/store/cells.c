/* JSON values to columns and back. */
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/store/side.h"

/* How messages name a JSON type. */
static const char *type_name(const hm_json *v) {
  static const char *const names[] = { "null",     "false",    "true",     "a number",
                                       "a string", "an array", "an object" };
  return names[v->type];
}

static int wrong_type(const hm_json *v, const char *wanted, hm_err *err) {
  return hm_failf(err, HM_E_INPUT, "", "", "must be %s, is %s", wanted, type_name(v));
}

typedef struct { const hm_field *field; hm_arena *a; hm_str *out; hm_err *err; } reading;

static int read_text(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_STRING) return wrong_type(v, "a string", r->err);
  *r->out = v->text;
  if (v->text.n || !(r->field->flags & HM_F_KEY)) return 0;
  return hm_fail(r->err, HM_E_INPUT, "", "must not be empty",
                 "give it a text, or leave the key out where the format allows it");
}

static int read_time(const reading *r, const hm_json *v) {
  hm_time t;
  hm_precision p;
  if (v->type != HM_JSON_STRING) return wrong_type(v, "a time in quotes", r->err);
  *r->out = v->text;
  if (hm_time_parse(v->text, &t, &p)) return 0;
  return hm_failf(r->err, HM_E_INPUT, "",
                  "write ISO 8601: 2026, 2026-04, 2026-04-02 or 2026-04-02T09:00:00Z",
                  "not a time: \"%.*s\"", HM_FMT(hm_text_cut(v->text, 60)));
}

static bool is_choice(const hm_field *f, hm_str text) {
  for (const char *const *c = f->choices; *c; c++)
    if (hm_str_is(text, *c)) return true;
  return false;
}

static int read_choice(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_STRING) return wrong_type(v, "a string", r->err);
  *r->out = v->text;
  if (is_choice(r->field, v->text)) return 0;
  hm_buf b = { 0 };
  hm_buf_c(&b, "use one of: ");
  for (const char *const *c = r->field->choices; *c; c++) {
    if (c != r->field->choices) hm_buf_c(&b, ", ");
    hm_buf_c(&b, *c);
  }
  char *fix = hm_str_z(r->a, hm_buf_view(&b));
  hm_buf_free(&b);
  return hm_failf(r->err, HM_E_INPUT, "", fix, "unknown: \"%.*s\"",
                  HM_FMT(hm_text_cut(v->text, 60)));
}

static int read_number(const reading *r, const hm_json *v, double *d, const char *wanted) {
  if (v->type != HM_JSON_NUMBER) return wrong_type(v, wanted, r->err);
  *d = strtod(hm_str_z(r->a, v->text), NULL);
  char digits[32];
  int n = hm_sql_real(*d == 0 ? 0 : *d, digits);   /* no "-0" */
  *r->out = hm_str_dup(r->a, (hm_str){ digits, (size_t)n });
  return 0;
}

static int read_unit(const reading *r, const hm_json *v) {
  double d = 0;
  if (read_number(r, v, &d, "a number from 0 to 1")) return -1;
  if (d >= 0 && d <= 1) return 0;
  return hm_failf(r->err, HM_E_INPUT, "", "scale it", "must be from 0 to 1, is %.*s",
                  HM_FMT(hm_text_cut(v->text, 60)));
}

static int read_sign(const reading *r, const hm_json *v) {
  double d = 0;
  if (read_number(r, v, &d, "-1, 0 or 1")) return -1;
  if (d == -1 || d == 0 || d == 1) return 0;
  return hm_failf(r->err, HM_E_INPUT, "", "", "must be -1, 0 or 1, is %.*s",
                  HM_FMT(hm_text_cut(v->text, 60)));
}

static int read_bool(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_TRUE && v->type != HM_JSON_FALSE)
    return wrong_type(v, "true or false", r->err);
  *r->out = v->type == HM_JSON_TRUE ? HM_STR("1") : HM_STR("0");
  return 0;
}

static int put(const reading *r, const hm_json *v) {
  hm_buf b = { 0 };
  hm_json_put(&b, v);
  *r->out = hm_buf_keep(&b, r->a);
  bool failed = b.failed;
  hm_buf_free(&b);
  return failed ? hm_fail(r->err, HM_E_INPUT, "", "larger than 2 GB", "split it") : 0;
}

static int all_strings(const hm_json *v, hm_err *err) {
  for (const hm_json *e = v->child; e; e = e->next)
    if (e->type != HM_JSON_STRING)
      return hm_failf(err, HM_E_INPUT, "", "", "must be an array of strings, has %s in it",
                      type_name(e));
  return 0;
}

static int read_strings(const reading *r, const hm_json *v) {
  if (v->type == HM_JSON_STRING) {
    hm_json only = { .type = HM_JSON_STRING, .key = HM_EMPTY, .text = v->text };
    return put(r, &(hm_json){ .type = HM_JSON_ARRAY, .child = &only, .count = 1 });
  }
  if (v->type != HM_JSON_ARRAY) return wrong_type(v, "an array of strings", r->err);
  return all_strings(v, r->err) ? -1 : put(r, v);
}

static int read_object(const reading *r, const hm_json *v) {
  return v->type == HM_JSON_OBJECT ? put(r, v) : wrong_type(v, "an object", r->err);
}

static int read_slot_key(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_ARRAY) return wrong_type(v, "an array of strings", r->err);
  if (!v->count) return hm_fail(r->err, HM_E_INPUT, "", "must not be empty", "");
  return all_strings(v, r->err) ? -1 : put(r, v);
}

/* The spelling of a number or an array is part of the fact, so it is kept as JSON. */
static int read_value(const reading *r, const hm_json *v) {
  if (v->type == HM_JSON_OBJECT)
    return hm_fail(r->err, HM_E_INPUT, "",
                   "must be a string, number, boolean or array, is an object",
                   "store each of its members under a key of its own");
  if (v->type != HM_JSON_STRING) return put(r, v);
  *r->out = v->text;
  return 0;
}

static int read_aliases(const reading *r, const hm_json *v) {
  return hm_aliases_read(v, r->out, r->a, r->err);
}
static int read_members(const reading *r, const hm_json *v) {
  return hm_members_read(v, r->out, r->a, r->err);
}
static int read_rule(const reading *r, const hm_json *v) { return hm_rule_read(v, r->out, r->err); }

static int (*const READ[])(const reading *, const hm_json *) = {
  [HM_F_TEXT] = read_text,         [HM_F_TIME] = read_time,       [HM_F_CHOICE] = read_choice,
  [HM_F_UNIT] = read_unit,         [HM_F_SIGN] = read_sign,       [HM_F_BOOL] = read_bool,
  [HM_F_STRINGS] = read_strings,   [HM_F_OBJECT] = read_object,   [HM_F_VALUE] = read_value,
  [HM_F_SLOT_KEY] = read_slot_key, [HM_F_ALIASES] = read_aliases, [HM_F_MEMBERS] = read_members,
  [HM_F_RULE] = read_rule,
};

static void set_null(const hm_field *f, hm_cell *cell) {
  *cell =
      f->dflt ? (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) } : (hm_cell){ HM_CELL_NULL, HM_EMPTY };
}

int hm_cell_read(const hm_kind *k, int i, const hm_json *v, hm_cell *cells, hm_arena *a,
                 hm_err *err) {
  const hm_field *f = &k->fields[i];
  hm_cell *cell = &cells[i];
  if (v->type == HM_JSON_NULL && f->flags & HM_F_REQUIRED)
    return hm_fail(err, HM_E_INPUT, "", "must not be null", "give it a value");
  if (v->type == HM_JSON_NULL) {
    set_null(f, cell);
    return 0;
  }
  reading r = { f, a, &cell->text, err };
  cell->state = HM_CELL_TEXT;
  if (f->type == HM_F_VALUE)
    cells[i + 1] =
        (hm_cell){ HM_CELL_TEXT, v->type == HM_JSON_STRING ? HM_STR("text") : HM_STR("json") };
  return READ[f->type](&r, v);
}

/* --- columns to JSON ------------------------------------------------------ */

/* Types whose columns hold JSON text; those that hold plain text are written as strings. */
static bool holds_json(hm_field_type t) {
  return t == HM_F_UNIT || t == HM_F_SIGN || t == HM_F_STRINGS || t == HM_F_OBJECT ||
      t == HM_F_SLOT_KEY || t == HM_F_ALIASES || t == HM_F_MEMBERS;
}

static bool parse_column(const hm_kind *k, int i, const hm_cell *cells, hm_json *plain,
                         const hm_json **out, hm_arena *a) {
  const hm_field *f = &k->fields[i];
  hm_str text = cells[i].text;
  hm_json *parsed;
  *out = plain;
  if (f->type == HM_F_BOOL) {
    plain->type = hm_str_is(text, "1") ? HM_JSON_TRUE : HM_JSON_FALSE;
    return hm_str_is(text, "1") || hm_str_is(text, "0");
  }
  if (holds_json(f->type) || (f->type == HM_F_VALUE && hm_str_is(cells[i + 1].text, "json"))) {
    if (hm_json_parse(a, text, &parsed, NULL)) return false;
    *out = parsed;
    /* Read again these would become NULL, or text. */
    return parsed->type != HM_JSON_NULL &&
        !(f->type == HM_F_VALUE && parsed->type == HM_JSON_STRING) &&
        !(f->type == HM_F_STRINGS && parsed->type == HM_JSON_STRING);
  }
  *plain = (hm_json){ .type = HM_JSON_STRING, .key = HM_EMPTY, .text = text };
  return true;
}

/* The value that import would read back as this cell, or false. */
static bool presentable(const hm_kind *k, int i, const hm_cell *cells, hm_json *plain,
                        const hm_json **out, hm_arena *a) {
  hm_cell again[HM_MAX_FIELDS + 1];
  if (cells[i].state == HM_CELL_NULL)
    return !(k->fields[i].flags & HM_F_REQUIRED) && !k->fields[i].dflt;
  /* The most frequent type needs no trial. */
  if (k->fields[i].type == HM_F_TEXT && (cells[i].text.n || !(k->fields[i].flags & HM_F_KEY))) {
    *plain = (hm_json){ .type = HM_JSON_STRING, .key = HM_EMPTY, .text = cells[i].text };
    *out = plain;
    return true;
  }
  return parse_column(k, i, cells, plain, out, a) && !hm_cell_read(k, i, *out, again, a, NULL);
}

static void put_cell(hm_buf *b, const char *key, const hm_json *v) {
  hm_buf_c(b, ",\"");
  hm_buf_c(b, key);
  hm_buf_c(b, "\":");
  hm_json_put(b, v);
}

static void put_as_stored(hm_buf *b, const hm_kind *k, const hm_cell *cells, const bool *odd) {
  hm_jw w;
  hm_buf_c(b, ",\"as_stored\":");
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  for (int i = 0; i < k->n; i++) {
    if (!odd[i]) continue;
    if (cells[i].state == HM_CELL_TEXT) hm_jw_str(&w, k->fields[i].column, cells[i].text);
    else hm_jw_null(&w, k->fields[i].column);
  }
  hm_jw_end(&w);
}

void hm_record_put(hm_buf *b, const hm_kind *k, const hm_cell *cells, hm_arena *a) {
  bool odd[HM_MAX_FIELDS] = { false }, any = false;
  hm_buf_c(b, "{\"kind\":\"");
  hm_buf_c(b, k->name);
  hm_buf_ch(b, '"');
  for (int i = 0; i < k->n; i++) {
    const hm_field *f = &k->fields[i];
    hm_json plain = { .type = HM_JSON_NULL };
    const hm_json *v = NULL;
    if (!f->key || cells[i].state == HM_CELL_ABSENT) continue;
    if (presentable(k, i, cells, &plain, &v, a)) {
      if (v) put_cell(b, f->key, v);
      continue;
    }
    if (!f->column) continue;
    any = odd[i] = true;
    if (f->type == HM_F_VALUE) odd[i + 1] = true;
  }
  if (any) put_as_stored(b, k, cells, odd);
  hm_buf_ch(b, '}');
}

int hm_as_stored_read(const hm_kind *k, const hm_json *v, hm_cell *cells, hm_err *err) {
  if (v->type != HM_JSON_OBJECT) return wrong_type(v, "an object", err);
  for (const hm_json *m = v->child; m; m = m->next) {
    int i = hm_field_of_column(k, m->key);
    if (i < 0 || k->fields[i].flags & HM_F_KEY)
      return hm_failf(err, HM_E_INPUT, "", "", "no column \"%.*s\"",
                      HM_FMT(hm_text_cut(m->key, 60)));
    if (cells[i].state != HM_CELL_ABSENT && k->fields[i].type != HM_F_VALUE_KIND)
      return hm_failf(err, HM_E_INPUT, "", "keep one of the two", "\"%s\" is given beside it too",
                      k->fields[i].column);
    if (m->type != HM_JSON_STRING && m->type != HM_JSON_NULL)
      return hm_failf(err, HM_E_INPUT, "", "", "holds strings and nulls only, has %s in it",
                      type_name(m));
    cells[i] = (hm_cell){ m->type == HM_JSON_NULL ? HM_CELL_NULL : HM_CELL_TEXT, m->text };
  }
  return 0;
}
