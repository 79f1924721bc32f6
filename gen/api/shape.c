/* Shapes, types written in tables: checks values by them, and writes them as JSON Schema. Pure. */
#include "gen/api/api.h"
#include <stdio.h>
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/text.h"

/* Takes the part up to the first sep off the text, and what repeats of sep. */
static hm_str take_part(hm_str *rest, char sep) {
  const char *at = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
  hm_str part = hm_str_sub(*rest, 0, at ? (size_t)(at - rest->p) : rest->n);
  *rest = hm_str_sub(*rest, part.n, rest->n);
  while (rest->n && rest->p[0] == sep)
    *rest = hm_str_sub(*rest, 1, rest->n);
  return part;
}

bool hm_shape_next_field(hm_str *table, hm_shape_field *out) {
  if (!table->n)
    return false;
  hm_str line = take_part(table, '\n'), name = take_part(&line, ' ');
  bool optional = hm_str_ends(name, "?");
  *out = (hm_shape_field){ .name = hm_str_sub(name, 0, name.n - optional),
                           .type = take_part(&line, ' '),
                           .about = line,
                           .optional = optional };
  return true;
}

bool hm_shape_find_field(const char *table, hm_str name, hm_shape_field *out) {
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, out);)
    if (hm_str_eq(out->name, name))
      return true;
  return false;
}

static bool is_choice(hm_str type) { return type.n && memchr(type.p, '|', type.n) != NULL; }

static bool is_choice_of(hm_str choices, hm_str text) {
  while (choices.n)
    if (hm_str_eq(take_part(&choices, '|'), text))
      return true;
  return false;
}

/* Takes "or null" off a type. */
static bool take_null(hm_str *type) {
  bool or_null = hm_str_ends(*type, "?");
  type->n -= or_null;
  return or_null;
}

/* --- as JSON Schema ---------------------------------------------------------- */

void hm_shape_write_type(hm_jw *w, const char *key, hm_str type, hm_str about) {
  bool or_null = take_null(&type), list = hm_str_starts(type, "["), map = hm_str_starts(type, "{");
  hm_jw_obj(w, key);
  if (about.n)
    hm_jw_str(w, "description", about);
  if (hm_str_starts(type, "#") && is_choice(type)) {
    hm_jw_arr(w, "anyOf");
    while (type.n)
      hm_shape_write_type(w, NULL, take_part(&type, '|'), HM_EMPTY);
    hm_jw_end(w);
  } else if (!list && is_choice(type)) {
    hm_jw_arr(w, "enum");
    while (type.n)
      hm_jw_str(w, NULL, take_part(&type, '|'));
    if (or_null)
      hm_jw_null(w, NULL);
    hm_jw_end(w);
  } else if (hm_str_starts(type, "#")) {
    char path[100];
    snprintf(path, sizeof path, "#/components/schemas/%.*s", HM_FMT(hm_str_sub(type, 1, type.n)));
    if (or_null) {
      hm_jw_arr(w, "anyOf");
      hm_jw_obj(w, NULL);
    }
    hm_jw_str(w, "$ref", hm_str_c(path));
    if (or_null) {
      hm_jw_end(w);
      hm_shape_write_type(w, NULL, HM_STR("null"), HM_EMPTY);
      hm_jw_end(w);
    }
  } else if (!hm_str_is(type, "any")) {
    hm_str name = list ? HM_STR("array") : map ? HM_STR("object") : type;
    if (or_null)
      hm_jw_strs(w, "type", (const hm_str[]){ name, HM_STR("null") }, 2);
    else
      hm_jw_str(w, "type", name);
    if (list || map)
      hm_shape_write_type(w, list ? "items" : "additionalProperties",
                          hm_str_sub(type, 1, type.n - 1), HM_EMPTY);
  }
  hm_jw_end(w);
}

static void write_properties(hm_jw *w, const char *table) {
  hm_shape_field f;
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, &f);) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", HM_FMT(f.name));
    hm_shape_write_type(w, name, f.type, f.about);
  }
}

void hm_shape_write_schema(hm_jw *w, const hm_api_shape *s, const char *also) {
  hm_shape_field f;
  hm_jw_obj(w, s->name);
  hm_jw_str(w, "description", hm_str_c(s->about));
  hm_jw_str(w, "type", HM_STR("object"));
  if (s->base) {
    hm_jw_arr(w, "allOf");
    hm_shape_write_type(w, NULL, hm_str_c(s->base), HM_EMPTY);
    hm_jw_end(w);
  }
  hm_jw_arr(w, "required");
  for (hm_str rest = hm_str_c(s->fields); hm_shape_next_field(&rest, &f);)
    if (!f.optional)
      hm_jw_str(w, NULL, f.name);
  hm_jw_end(w);
  hm_jw_obj(w, "properties");
  write_properties(w, s->fields);
  write_properties(w, also);
  hm_jw_end(w);
  hm_jw_bool(w, s->base ? "unevaluatedProperties" : "additionalProperties", false);
  hm_jw_end(w);
}

/* --- checking ------------------------------------------------------------------ */

static const struct {
  const char *type, *text;
} PLAIN[] = {
  { "string", "a string" },
  { "boolean", "true or false" },
  { "integer", "a whole number of at most 9 digits" },
  { "[string]", "an array of strings" },
  { "number", "a number" },
};

static bool fits_type(hm_str type, const hm_json *v) {
  bool or_null = take_null(&type);
  if (v->type == HM_JSON_NULL)
    return or_null;
  if (hm_str_is(type, "any"))
    return true;
  if (hm_str_is(type, "string"))
    return v->type == HM_JSON_STRING;
  if (hm_str_is(type, "boolean"))
    return v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE;
  if (hm_str_is(type, "integer"))
    return v->type == HM_JSON_NUMBER && v->text.n < 10 && hm_str_find(v->text, ".") < 0;
  if (hm_str_is(type, "number"))
    return v->type == HM_JSON_NUMBER;
  if (is_choice(type))
    return v->type == HM_JSON_STRING && is_choice_of(type, v->text);
  bool list = hm_str_starts(type, "["), texts = hm_str_is(type, "[string]");
  const hm_json *item = v->child;
  while (texts && item && item->type == HM_JSON_STRING)
    item = item->next;
  return v->type == (list ? HM_JSON_ARRAY : HM_JSON_OBJECT) && !(texts && item);
}

int hm_request_refuse(hm_code code, const char *part, hm_str name, const char *why, const char *fix,
                      hm_err *err) {
  char what[128];
  snprintf(what, sizeof what, "%s%s%.*s", part, name.n ? ": " : "", HM_FMT(hm_text_cut(name, 60)));
  hm_fail(err, code, what, why, fix);
  if (err)
    err->of_request = true;
  return hm_err_at_field(err, name);
}

static int refuse_field(hm_str field, const char *why, const char *fix, hm_err *err) {
  return hm_request_refuse(HM_E_INPUT, "the body", field, why, fix, err);
}

static int refuse_type(hm_str field, hm_str type, hm_err *err) {
  char why[260];
  take_null(&type);
  snprintf(why, sizeof why, "must be %s", hm_str_starts(type, "[") ? "an array" : "an object");
  if (is_choice(type))
    snprintf(why, sizeof why, "must be one of %.*s", HM_FMT(type));
  for (size_t i = 0; i < HM_COUNT(PLAIN); i++)
    if (hm_str_is(type, PLAIN[i].type))
      snprintf(why, sizeof why, "must be %s", PLAIN[i].text);
  return refuse_field(field, why, NULL, err);
}

int hm_shape_check(const hm_api_shape *s, const hm_json *v, hm_err *err) {
  hm_shape_field f;
  if (v && v->type != HM_JSON_OBJECT)
    return refuse_field(HM_EMPTY, "must be a JSON object", "send one JSON object", err);
  for (const hm_json *m = v ? v->child : NULL; m; m = m->next) {
    if (!hm_shape_find_field(s->fields, m->key, &f))
      return refuse_field(m->key, "no such field", NULL, err);
    if (!fits_type(f.type, m))
      return refuse_type(m->key, f.type, err);
  }
  for (hm_str rest = hm_str_c(s->fields); hm_shape_next_field(&rest, &f);) {
    const hm_json *m = v ? v->child : NULL;
    while (m && !hm_str_eq(m->key, f.name))
      m = m->next;
    if (!f.optional && !m)
      return refuse_field(f.name, "is missing", "give it", err);
  }
  return 0;
}

bool hm_shape_fits_text(hm_str type, hm_str text) {
  take_null(&type);
  if (hm_str_is(type, "boolean"))
    return hm_str_is(text, "true") || hm_str_is(text, "false");
  if (!hm_str_is(type, "integer"))
    return !is_choice(type) || is_choice_of(type, text);
  for (size_t i = 0; i < text.n; i++)
    if (!hm_is_digit(text.p[i]))
      return false;
  return text.n > 0 && text.n < 10;
}
