/* Types as they are written in tables ("a|b?", "[#Name]"): as JSON Schema, and as checks of what
 * comes in. */
#include "gen/api/shape.h"
#include <stdio.h>
#include <string.h>
#include "core/base/text.h"

/* A type taken apart. */
typedef struct { hm_str core; bool or_null; } type_parts;

static type_parts parse_type(hm_str type) {
  bool or_null = hm_str_ends(type, "?");
  return (type_parts){ hm_str_sub(type, 0, type.n - or_null), or_null };
}

static bool is_choice(hm_str core) { return core.n && memchr(core.p, '|', core.n) != NULL; }

/* Is text one of "a|b|c"? */
static bool is_choice_of(hm_str choices, hm_str text) {
  while (choices.n) {
    const char *bar = memchr(choices.p, '|', choices.n);
    size_t n = bar ? (size_t)(bar - choices.p) : choices.n;
    if (hm_str_eq(hm_str_sub(choices, 0, n), text)) return true;
    choices = hm_str_sub(choices, bar ? n + 1 : n, choices.n);
  }
  return false;
}

/* --- as JSON Schema ---------------------------------------------------------- */

static void write_choices(hm_jw *w, type_parts t) {
  hm_jw_arr(w, "enum");
  for (hm_str rest = t.core; rest.n;) {
    const char *bar = memchr(rest.p, '|', rest.n);
    size_t n = bar ? (size_t)(bar - rest.p) : rest.n;
    hm_jw_str(w, NULL, hm_str_sub(rest, 0, n));
    rest = hm_str_sub(rest, bar ? n + 1 : n, rest.n);
  }
  if (t.or_null) hm_jw_null(w, NULL);
  hm_jw_end(w);
}

static void write_ref(hm_jw *w, hm_str name) {
  char path[100];
  int n = snprintf(path, sizeof path, "#/components/schemas/%.*s", HM_FMT(name));
  hm_jw_str(w, "$ref", (hm_str){ path, (size_t)n });
}

static void write_plain(hm_jw *w, type_parts t) {
  if (hm_str_is(t.core, "any")) return;
  if (!t.or_null) {
    hm_jw_str(w, "type", t.core);
    return;
  }
  hm_jw_arr(w, "type");
  hm_jw_str(w, NULL, t.core);
  hm_jw_str(w, NULL, HM_STR("null"));
  hm_jw_end(w);
}

static void write_type(hm_jw *w, const char *key, hm_str type, const char *about) {
  type_parts t = parse_type(type);
  hm_jw_obj(w, key);
  if (about) hm_jw_str(w, "description", hm_str_c(about));
  if (is_choice(t.core)) write_choices(w, t);
  else if (hm_str_starts(t.core, "#")) write_ref(w, hm_str_sub(t.core, 1, t.core.n));
  else if (hm_str_starts(t.core, "[")) {
    write_plain(w, (type_parts){ HM_STR("array"), t.or_null });
    write_type(w, "items", hm_str_sub(t.core, 1, t.core.n - 1), NULL);
  } else write_plain(w, t);
  hm_jw_end(w);
}

void hm_shape_type(hm_jw *w, const char *key, const char *type, const char *about) {
  write_type(w, key, hm_str_c(type), about);
}

void hm_shape_schema(hm_jw *w, const hm_shape *s) {
  hm_jw_obj(w, s->name);
  hm_jw_str(w, "description", hm_str_c(s->about));
  hm_jw_str(w, "type", HM_STR("object"));
  if (s->base) {
    hm_jw_arr(w, "allOf");
    hm_shape_type(w, NULL, s->base, NULL);
    hm_jw_end(w);
  }
  hm_jw_arr(w, "required");
  for (size_t i = 0; i < s->n; i++)
    if (!s->v[i].optional) hm_jw_str(w, NULL, hm_str_c(s->v[i].name));
  hm_jw_end(w);
  hm_jw_obj(w, "properties");
  for (size_t i = 0; i < s->n; i++) hm_shape_type(w, s->v[i].name, s->v[i].type, s->v[i].about);
  hm_jw_end(w);
  hm_jw_bool(w, s->base ? "unevaluatedProperties" : "additionalProperties", false);
  hm_jw_end(w);
}

/* --- checking ------------------------------------------------------------------ */

static const char *type_text(type_parts t, char *out, size_t n) {
  static const struct { const char *core, *says; } plain[] = {
    { "string", "a string" }, { "boolean", "true or false" }, { "integer", "a whole number" },
  };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (hm_str_is(t.core, plain[i].core)) return plain[i].says;
  if (is_choice(t.core)) snprintf(out, n, "one of %.*s", HM_FMT(t.core));
  else snprintf(out, n, "%s", hm_str_starts(t.core, "[") ? "an array" : "an object");
  return out;
}

static bool fits_type(type_parts t, const hm_json *v) {
  if (v->type == HM_JSON_NULL) return t.or_null;
  if (hm_str_is(t.core, "any")) return true;
  if (hm_str_is(t.core, "string")) return v->type == HM_JSON_STRING;
  if (hm_str_is(t.core, "boolean")) return v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE;
  if (hm_str_is(t.core, "integer"))
    return v->type == HM_JSON_NUMBER && v->text.n < 10 && hm_str_find(v->text, ".") < 0;
  if (is_choice(t.core)) return v->type == HM_JSON_STRING && is_choice_of(t.core, v->text);
  return v->type == (hm_str_starts(t.core, "[") ? HM_JSON_ARRAY : HM_JSON_OBJECT);
}

static int refuse_field(hm_str field, const char *why, const char *fix, hm_err *err) {
  char what[128];
  snprintf(what, sizeof what, "the body: %.*s", HM_FMT(hm_text_cut(field, 60)));
  hm_fail(err, HM_E_INPUT, what, why, fix);
  return hm_err_at_field(err, field);
}

static const hm_shape_field *find_field(const hm_shape *s, hm_str name) {
  for (size_t i = 0; i < s->n; i++)
    if (hm_str_is(name, s->v[i].name)) return &s->v[i];
  return NULL;
}

static int check_member(const hm_shape *s, const hm_json *m, hm_err *err) {
  char text[200], why[260];
  const hm_shape_field *f = find_field(s, m->key);
  if (!f) return refuse_field(m->key, "no such field", "see /openapi.json for those that there are", err);
  type_parts t = parse_type(hm_str_c(f->type));
  if (fits_type(t, m)) return 0;
  snprintf(why, sizeof why, "must be %s", type_text(t, text, sizeof text));
  return refuse_field(m->key, why, "see /openapi.json for what it takes", err);
}

int hm_shape_check(const hm_shape *s, const hm_json *v, hm_err *err) {
  if (v && v->type != HM_JSON_OBJECT)
    return hm_fail(err, HM_E_INPUT, "the body", "must be a JSON object", "send one JSON object");
  for (const hm_json *m = v ? v->child : NULL; m; m = m->next)
    if (check_member(s, m, err)) return -1;
  for (size_t i = 0; i < s->n; i++)
    if (!s->v[i].optional && !hm_json_get(v, s->v[i].name))
      return refuse_field(hm_str_c(s->v[i].name), "is missing", "give it", err);
  return 0;
}

hm_str hm_shape_text(const hm_json *v, const char *name) {
  const hm_json *m = hm_json_get(v, name);
  return m && m->type == HM_JSON_STRING ? m->text : HM_EMPTY;
}

bool hm_shape_fits_text(const char *type, hm_str text) {
  type_parts t = parse_type(hm_str_c(type));
  if (hm_str_is(t.core, "boolean")) return hm_str_is(text, "true") || hm_str_is(text, "false");
  if (!hm_str_is(t.core, "integer")) return !is_choice(t.core) || is_choice_of(t.core, text);
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] < '0' || text.p[i] > '9') return false;
  return text.n > 0 && text.n < 10;
}
