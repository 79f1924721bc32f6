/* Records as JSON: values to the cells of columns, and back.
 *
 * A cell that holds several texts (a project's aliases, a conflict's members and winners, its rule
 * with the version) has one spelling whatever the order given. A value that import would refuse and
 * that another program stored all the same is written under "as_stored", by column, so that an
 * export read back gives the same store. */
#include <stdlib.h>
#include <string.h>

#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/time_text.h"
#include "core/record/records.h"

/* --- cells that hold several texts ------------------------------------------------------- */

static int bad(hm_err *err, const char *why, const char *fix) {
  return hm_fail(err, HM_E_INPUT, "", why, fix);
}

hm_str hm_aliases_text(hm_str *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_strs_sort(list, n);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < n; i++)
    if (!i || !hm_str_eq(list[i - 1], list[i]))
      hm_jw_str(&w, NULL, list[i]);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

typedef struct {
  const hm_record_field *field;
  hm_arena *a;
  hm_str *out;
  hm_err *err;
} reading;

static int read_aliases(const reading *r, const hm_json *v) {
  static const char why[] = "must be an array of strings, none of them empty";
  if (v->type != HM_JSON_ARRAY)
    return bad(r->err, why, "");
  hm_str *list = hm_alloc_array(r->a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n)
      return bad(r->err, why, "");
    list[n++] = e->text;
  }
  *r->out = hm_aliases_text(list, n, r->a);
  return 0;
}

static void put_text(hm_jw *w, const char *key, hm_str s) {
  if (s.n)
    hm_jw_str(w, key, s);
}

void hm_members_put(hm_jw *w, const hm_member_rec *list, size_t n, bool seen) {
  for (size_t k = 0; k < n; k++) {
    const hm_member_rec *m = &list[k];
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "member_kind", hm_str_c(hm_layer_name(m->layer)));
    hm_jw_str(w, "member_id", m->id);
    put_text(w, "field", m->field);
    put_text(w, "source", m->source);
    put_text(w, "value", m->value);
    put_text(w, "normal", m->normal);
    if (seen) {
      hm_jw_bool(w, "flagged", m->flagged);
      put_text(w, "conflicts_with", m->conflicts_with);
      if (m->removed)
        hm_jw_bool(w, "removed", true);
    }
    hm_jw_end(w);
  }
}

hm_str hm_members_text(hm_member_rec *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  if (n)
    qsort(list, n, sizeof *list, hm_member_order);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  hm_members_put(&w, list, n, true);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static int read_member_field(const hm_json *v, hm_member_rec *m, hm_err *err) {
  const struct {
    const char *key;
    hm_str *text;
    bool *flag;
  } keys[] = {
    { "member_id", &m->id, NULL },
    { "field", &m->field, NULL },
    { "value", &m->value, NULL },
    { "normal", &m->normal, NULL },
    { "source", &m->source, NULL },
    { "flagged", NULL, &m->flagged },
    { "conflicts_with", &m->conflicts_with, NULL },
    { "removed", NULL, &m->removed },
  };
  if (hm_str_is(v->key, "member_kind")) {
    if (v->type == HM_JSON_STRING && hm_layer_parse(v->text, &m->layer))
      return 0;
    return bad(err, "member_kind: unknown", "use one of: memory, entity, project_state, relation");
  }
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    if (!hm_str_is(v->key, keys[i].key))
      continue;
    if (keys[i].flag)
      *keys[i].flag = v->type == HM_JSON_TRUE;
    else
      *keys[i].text = v->text;
    bool fits = keys[i].flag ? v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE
                             : v->type == HM_JSON_STRING || v->type == HM_JSON_NULL;
    if (fits)
      return 0;
    return hm_failf(err, HM_E_INPUT, "", "", "%s: must be %s", keys[i].key,
                    keys[i].flag ? "true or false" : "a string");
  }
  return hm_failf(err, HM_E_INPUT, "",
                  "known keys: member_kind, member_id, field, source, value, normal, flagged,"
                  " conflicts_with, removed",
                  "unknown key \"%.*s\" in a member", HM_FMT(hm_text_cut(v->key, 60)));
}

static int read_member(const hm_json *v, hm_member_rec *m, hm_err *err) {
  *m = (hm_member_rec){ .id = HM_EMPTY,
                        .field = HM_EMPTY,
                        .value = HM_EMPTY,
                        .normal = HM_EMPTY,
                        .conflicts_with = HM_EMPTY,
                        .source = HM_EMPTY };
  if (v->type != HM_JSON_OBJECT)
    return bad(err, "each member must be an object", "");
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member_field(e, m, err))
      return -1;
  return m->layer && m->id.n ? 0 : bad(err, "a member lacks member_kind or member_id", "");
}

static int read_members(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_ARRAY)
    return bad(r->err, "must be an array of objects", "");
  hm_member_rec *list = hm_alloc_array(r->a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &list[n++], r->err))
      return -1;
  *r->out = hm_members_text(list, n, r->a);
  for (size_t i = 1; i < n; i++)
    if (!hm_member_order(&list[i - 1], &list[i]))
      return bad(r->err, "one field of one row is a member twice", "keep one of the two");
  return 0;
}

int hm_members_parse_cell(hm_str cell, hm_member_rec **out, size_t *n, hm_arena *a, hm_err *err) {
  hm_json *v;
  *out = NULL;
  *n = 0;
  if (!cell.n)
    return 0;
  if (hm_json_parse(a, cell, &v, err))
    return -1;
  *out = hm_alloc_array(a, v->count, sizeof **out);
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &(*out)[(*n)++], err))
      return -1;
  return 0;
}

static int read_winners(const reading *r, const hm_json *v) {
  size_t n = 0;
  if (v->type != HM_JSON_STRING && (v->type != HM_JSON_ARRAY || !v->count))
    return hm_fail(r->err, HM_E_INPUT, "", "must be a row, as kind:id, or an array of rows", "");
  if (v->count > HM_WINNERS_MAX)
    return hm_failf(r->err, HM_E_INPUT, "", "", "names more than %d rows", HM_WINNERS_MAX);
  hm_str *refs = hm_alloc_array(r->a, v->count + 1, sizeof *refs);
  if (v->type == HM_JSON_STRING)
    refs[n++] = v->text;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n)
      return hm_fail(r->err, HM_E_INPUT, "", "must be an array of rows, as kind:id", "");
    refs[n++] = e->text;
  }
  *r->out = hm_winners_text(r->a, refs, n);
  for (size_t i = 1; i < n; i++)
    if (hm_str_eq(refs[i - 1], refs[i]))
      return hm_failf(r->err, HM_E_INPUT, "", "name it once", "names \"%.*s\" twice",
                      HM_FMT(hm_text_cut(refs[i], 60)));
  return 0;
}

/* --- rule and version --------------------------------------------------------- */

ptrdiff_t hm_rule_slash(hm_str s) {
  ptrdiff_t i = (ptrdiff_t)s.n;
  while (i > 0 && hm_is_digit(s.p[i - 1]))
    i--;
  size_t digits = s.n - (size_t)i;
  return i > 1 && s.p[i - 1] == '/' && digits && digits <= 9 ? i - 1 : -1;
}

/* --- JSON to cells ----------------------------------------------------------- */

/* How messages name a JSON type. */
static const char *type_name(const hm_json *v) {
  static const char *const names[] = { "null",     "false",    "true",     "a number",
                                       "a string", "an array", "an object" };
  return names[v->type];
}

static int wrong_type(const hm_json *v, const char *wanted, hm_err *err) {
  return hm_failf(err, HM_E_INPUT, "", "", "must be %s, is %s", wanted, type_name(v));
}

static int read_text(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_STRING)
    return wrong_type(v, "a string", r->err);
  *r->out = v->text;
  if (v->text.n || !(r->field->flags & HM_F_KEY) || r->field->dflt)
    return 0;
  return hm_fail(r->err, HM_E_INPUT, "", "must not be empty",
                 "give it a text, or leave the key out where the format allows it");
}

/* Sets the error that text is not a time; returns -1. */
static int record_not_a_time(hm_str text, hm_err *err) {
  return hm_failf(err, HM_E_INPUT, "",
                  "write ISO 8601: 2026, 2026-04, 2026-04-02 or 2026-04-02T09:00:00Z",
                  "not a time: \"%.*s\"", HM_FMT(hm_text_cut(text, 60)));
}

static int read_time(const reading *r, const hm_json *v) {
  hm_time t;
  hm_precision p;
  if (v->type != HM_JSON_STRING)
    return wrong_type(v, "a time in quotes", r->err);
  *r->out = v->text;
  return hm_time_parse(v->text, &t, &p) ? 0 : record_not_a_time(v->text, r->err);
}

bool hm_bound_is_time(const hm_store *s, hm_str text) {
  hm_time_text t;
  if (hm_time_is_present(text))
    return true;
  if (!hm_time_text_parse(text, &t))
    return false;
  bool known = t.is_date || t.unit.n;
  for (size_t i = 0; s && !known && i < s->n_eras; i++)
    known = hm_era_name_eq(t.era, s->eras[i]);
  return known;
}

/* The bound of a window, except an era alone. A number is a year. */
static int read_bound(const reading *r, const hm_json *v) {
  char *end = NULL;
  long year = v->type == HM_JSON_NUMBER ? strtol(hm_str_z(r->a, v->text), &end, 10) : 0;
  bool is_year = end && !*end && year > -10000 && year < 10000;
  if (is_year)
    *r->out = hm_str_fmt(r->a, year < 0 ? "-%04ld" : "%04ld", labs(year));
  if (is_year)
    return 0;
  if (v->type != HM_JSON_STRING || !hm_bound_is_time(NULL, v->text))
    return read_time(r, v);
  *r->out = v->text;
  return 0;
}

static int read_choice(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_STRING)
    return wrong_type(v, "a string", r->err);
  *r->out = v->text;
  hm_str choices[16];
  size_t n = 0;
  for (const char *const *c = r->field->choices; *c && n < HM_COUNT(choices); c++) {
    if (hm_str_is(v->text, *c))
      return 0;
    choices[n++] = hm_str_c(*c);
  }
  return hm_failf(r->err, HM_E_INPUT, "", hm_hint_names(v->text, choices, n, "use one of: ", r->a),
                  "unknown: \"%.*s\"", HM_FMT(hm_text_cut(v->text, 60)));
}

/* wanted: the range, for messages. */
static int read_number(const reading *r, const hm_json *v, double *d, const char *wanted) {
  char digits[32];
  if (v->type != HM_JSON_NUMBER)
    return wrong_type(v, wanted, r->err);
  *d = strtod(hm_str_z(r->a, v->text), NULL);
  int n = hm_sql_format_real(*d == 0 ? 0 : *d, digits); /* no "-0" */
  *r->out = hm_str_dup(r->a, (hm_str){ digits, (size_t)n });
  return 0;
}

static int read_unit(const reading *r, const hm_json *v) {
  double d = 0;
  if (read_number(r, v, &d, "a number from 0 to 1"))
    return -1;
  if (d >= 0 && d <= 1)
    return 0;
  return hm_failf(r->err, HM_E_INPUT, "", "scale it", "must be from 0 to 1, is %.*s",
                  HM_FMT(hm_text_cut(v->text, 60)));
}

static int read_sign(const reading *r, const hm_json *v) {
  double d = 0;
  if (read_number(r, v, &d, "-1, 0 or 1"))
    return -1;
  if (d == -1 || d == 0 || d == 1)
    return 0;
  return hm_failf(r->err, HM_E_INPUT, "", "", "must be -1, 0 or 1, is %.*s",
                  HM_FMT(hm_text_cut(v->text, 60)));
}

static int read_bool(const reading *r, const hm_json *v) {
  if (v->type != HM_JSON_TRUE && v->type != HM_JSON_FALSE)
    return wrong_type(v, "true or false", r->err);
  *r->out = v->type == HM_JSON_TRUE ? HM_STR("1") : HM_STR("0");
  return 0;
}

static int keep_json(const reading *r, const hm_json *v) {
  hm_buf b = { 0 };
  hm_json_write(&b, v);
  bool failed = b.failed;
  *r->out = hm_buf_take(&b, r->a);
  return failed ? hm_fail(r->err, HM_E_INPUT, "", "larger than 2 GB", "split it") : 0;
}

static int read_strings(const reading *r, const hm_json *v) {
  if (v->type == HM_JSON_STRING && r->field->type == HM_F_STRINGS) {
    hm_json only = { .type = HM_JSON_STRING, .key = HM_EMPTY, .text = v->text };
    return keep_json(r, &(hm_json){ .type = HM_JSON_ARRAY, .child = &only, .count = 1 });
  }
  if (v->type != HM_JSON_ARRAY)
    return wrong_type(v, "an array of strings", r->err);
  if (!v->count && r->field->type == HM_F_SLOT_KEY)
    return hm_fail(r->err, HM_E_INPUT, "", "must not be empty", "");
  for (const hm_json *e = v->child; e; e = e->next)
    if (e->type != HM_JSON_STRING)
      return hm_failf(r->err, HM_E_INPUT, "", "", "must be an array of strings, has %s in it",
                      type_name(e));
  return keep_json(r, v);
}

static int read_object(const reading *r, const hm_json *v) {
  return v->type == HM_JSON_OBJECT ? keep_json(r, v) : wrong_type(v, "an object", r->err);
}

/* The spelling of a number or an array is part of the fact, so it is kept as JSON. */
static int read_value(const reading *r, const hm_json *v) {
  if (v->type == HM_JSON_OBJECT)
    return hm_fail(r->err, HM_E_INPUT, "",
                   "must be a string, number, boolean or array, is an object",
                   "store each of its members under a key of its own");
  if (v->type != HM_JSON_STRING)
    return keep_json(r, v);
  *r->out = v->text;
  return 0;
}

static int read_rule(const reading *r, const hm_json *v) {
  *r->out = v->text;
  if (v->type == HM_JSON_STRING && hm_rule_slash(v->text) > 0)
    return 0;
  return bad(r->err, "must be a rule and its version", "write it like \"slot/1\"");
}

static int (*const READ[])(const reading *, const hm_json *) = {
  [HM_F_TEXT] = read_text,        [HM_F_TIME] = read_time,       [HM_F_CHOICE] = read_choice,
  [HM_F_UNIT] = read_unit,        [HM_F_SIGN] = read_sign,       [HM_F_BOOL] = read_bool,
  [HM_F_STRINGS] = read_strings,  [HM_F_OBJECT] = read_object,   [HM_F_VALUE] = read_value,
  [HM_F_SLOT_KEY] = read_strings, [HM_F_ALIASES] = read_aliases, [HM_F_MEMBERS] = read_members,
  [HM_F_RULE] = read_rule,        [HM_F_BOUND] = read_bound,     [HM_F_WINNERS] = read_winners,
};

int hm_cell_parse(const hm_kind *k, int i, const hm_json *v, hm_cell *cells, hm_arena *a,
                  hm_err *err) {
  const hm_record_field *f = &k->fields[i];
  hm_cell *cell = &cells[i];
  if (v->type == HM_JSON_NULL && f->flags & HM_F_REQUIRED)
    return hm_fail(err, HM_E_INPUT, "", "must not be null", "give it a value");
  if (v->type == HM_JSON_NULL) {
    *cell = hm_cell_default(f);
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

/* Types whose columns hold JSON text. Columns of plain text are written as strings. */
static bool holds_json(hm_field_type t) {
  return t == HM_F_UNIT || t == HM_F_SIGN || t == HM_F_STRINGS || t == HM_F_OBJECT ||
      t == HM_F_SLOT_KEY || t == HM_F_ALIASES || t == HM_F_MEMBERS;
}

static bool parse_column(const hm_kind *k, int i, const hm_cell *cells, hm_json *plain,
                         const hm_json **out, hm_arena *a) {
  const hm_record_field *f = &k->fields[i];
  hm_str text = cells[i].text;
  hm_json *parsed;
  hm_str *refs;
  *out = plain;
  if (f->type == HM_F_BOOL) {
    plain->type = hm_str_is(text, "1") ? HM_JSON_TRUE : HM_JSON_FALSE;
    return hm_str_is(text, "1") || hm_str_is(text, "0");
  }
  if (holds_json(f->type) || (f->type == HM_F_VALUE && hm_str_is(cells[i + 1].text, "json"))) {
    if (hm_json_parse(a, text, &parsed, NULL))
      return false;
    *out = parsed;
    /* Read again these would become NULL, or text. */
    return parsed->type != HM_JSON_NULL &&
        !(f->type == HM_F_VALUE && parsed->type == HM_JSON_STRING) &&
        !(f->type == HM_F_STRINGS && parsed->type == HM_JSON_STRING);
  }
  *plain = (hm_json){ .type = HM_JSON_STRING, .key = HM_EMPTY, .text = text };
  if (f->type == HM_F_WINNERS && hm_winners_parse(a, text, &refs) > 1) {
    if (hm_json_parse(a, text, &parsed, NULL))
      return false;
    *out = parsed;
  }
  return true;
}

/* The value that import would read back as this cell, or false. */
static bool presentable(const hm_kind *k, int i, const hm_cell *cells, hm_json *plain,
                        const hm_json **out, hm_arena *a) {
  hm_cell again[HM_MAX_FIELDS + 1];
  if (cells[i].state == HM_CELL_NULL)
    return !(k->fields[i].flags & HM_F_REQUIRED) && !k->fields[i].dflt;
  /* The most frequent type needs no trial. */
  if (k->fields[i].type == HM_F_TEXT &&
      (cells[i].text.n || !(k->fields[i].flags & HM_F_KEY) || k->fields[i].dflt)) {
    *plain = (hm_json){ .type = HM_JSON_STRING, .key = HM_EMPTY, .text = cells[i].text };
    *out = plain;
    return true;
  }
  return parse_column(k, i, cells, plain, out, a) && !hm_cell_parse(k, i, *out, again, a, NULL) &&
      (k->fields[i].type != HM_F_WINNERS || hm_str_eq(again[i].text, cells[i].text));
}

static void put_as_stored(hm_buf *b, const hm_kind *k, const hm_cell *cells, const bool *odd) {
  hm_jw w;
  hm_buf_c(b, ",\"as_stored\":");
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  for (int i = 0; i < k->n; i++) {
    if (!odd[i])
      continue;
    if (cells[i].state == HM_CELL_TEXT)
      hm_jw_str(&w, k->fields[i].column, cells[i].text);
    else
      hm_jw_null(&w, k->fields[i].column);
  }
  hm_jw_end(&w);
}

void hm_record_put(hm_buf *b, const hm_kind *k, const hm_cell *cells, hm_arena *a) {
  bool odd[HM_MAX_FIELDS] = { false }, any = false;
  hm_buf_fmt(b, "{\"kind\":\"%s\"", k->name);
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    hm_json plain = { .type = HM_JSON_NULL };
    const hm_json *v = NULL;
    if (!f->key || cells[i].state == HM_CELL_ABSENT)
      continue;
    if (presentable(k, i, cells, &plain, &v, a)) {
      if (v)
        hm_buf_fmt(b, ",\"%s\":", f->key);
      if (v)
        hm_json_write(b, v);
      continue;
    }
    if (!f->column)
      continue;
    any = odd[i] = true;
    if (f->type == HM_F_VALUE)
      odd[i + 1] = true;
  }
  if (any)
    put_as_stored(b, k, cells, odd);
  hm_buf_ch(b, '}');
}

hm_str hm_record_json(const hm_kind *k, const hm_cell *cells, hm_arena *a) {
  hm_buf b = { 0 };
  hm_record_put(&b, k, cells, a);
  return hm_buf_take(&b, a);
}

int hm_as_stored_read(const hm_kind *k, const hm_json *v, hm_cell *cells, hm_err *err) {
  if (v->type != HM_JSON_OBJECT)
    return wrong_type(v, "an object", err);
  for (const hm_json *m = v->child; m; m = m->next) {
    int i = k->n;
    while (--i >= 0 && !(k->fields[i].column && hm_str_is(m->key, k->fields[i].column)))
      continue;
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

/* --- objects ------------------------------------------------------------------ */

static void put_member(hm_buf *object, const hm_json *v) {
  hm_json alone = *v;
  alone.next = NULL;
  if (object->p[object->n - 1] != '{')
    hm_buf_ch(object, ',');
  hm_json_write_str(object, v->key);
  hm_buf_ch(object, ':');
  hm_json_write(object, &alone);
}

hm_str hm_json_merge(const hm_json *old, const hm_json *patch,
                     const hm_json *(*choose)(void *, const hm_json *, const hm_json *), void *ctx,
                     hm_arena *a) {
  hm_map in_old, in_patch;
  const hm_json **members = hm_alloc_array(a, patch->count + 1, sizeof *members);
  hm_buf b = { 0 };
  uint32_t n = 0;
  hm_map_init(&in_old, a, old->count);
  hm_map_init(&in_patch, a, patch->count);
  for (const hm_json *v = patch->child; v; v = v->next)
    hm_map_add(&in_patch, v->key, n), members[n++] = v;
  hm_buf_ch(&b, '{');
  for (const hm_json *v = old->child; v; v = v->next) {
    uint32_t i = hm_map_get(&in_patch, v->key);
    const hm_json *chosen = choose(ctx, i == HM_MAP_NONE ? NULL : members[i], v);
    hm_map_add(&in_old, v->key, 0);
    if (chosen)
      put_member(&b, chosen);
  }
  for (const hm_json *v = patch->child; v; v = v->next) {
    if (hm_map_get(&in_old, v->key) != HM_MAP_NONE)
      continue;
    const hm_json *chosen = choose(ctx, v, NULL);
    if (chosen)
      put_member(&b, chosen);
  }
  hm_buf_ch(&b, '}');
  return hm_buf_take(&b, a);
}

static int by_key(const void *x, const void *y) {
  return hm_str_cmp((*(const hm_json *const *)x)->key, (*(const hm_json *const *)y)->key);
}

/* Depth is bounded by HM_JSON_MAX_DEPTH. */
static void put_sorted(hm_buf *b, const hm_json *v, bool top, hm_arena *a) {
  bool object = v->type == HM_JSON_OBJECT;
  if (!object && v->type != HM_JSON_ARRAY) {
    hm_json alone = *v;
    alone.next = NULL;
    hm_json_write(b, &alone);
    return;
  }
  const hm_json **list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next)
    if (!(top && e->type == HM_JSON_NULL))
      list[n++] = e;
  if (object && n)
    qsort(list, n, sizeof *list, by_key);
  hm_buf_ch(b, object ? '{' : '[');
  for (size_t i = 0; i < n; i++) {
    if (i)
      hm_buf_ch(b, ',');
    if (object)
      hm_json_write_str(b, list[i]->key);
    if (object)
      hm_buf_ch(b, ':');
    put_sorted(b, list[i], false, a);
  }
  hm_buf_ch(b, object ? '}' : ']');
}

hm_str hm_json_sorted(const hm_json *v, bool top, hm_arena *a) {
  hm_buf b = { 0 };
  put_sorted(&b, v, top, a);
  bool failed = b.failed;
  hm_str out = hm_buf_take(&b, a);
  return failed ? HM_EMPTY : out;
}
