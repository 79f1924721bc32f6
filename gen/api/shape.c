/* Shapes, types as they are written in tables: as checks of what comes in, as JSON Schema, and
 * as the OpenAPI document, which is made from the very table of operations that answers, so that
 * the two cannot differ. Pure. */
#include "gen/api/api.h"
#include <stdio.h>
#include <string.h>
#include "core/base/text.h"
#include "core/store/record_edit.h"
#include "gen/api/api_impl.h"

/* Takes the part up to the first sep off the text, and what repeats of sep. */
static hm_str take_part(hm_str *rest, char sep) {
  const char *at = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
  hm_str part = hm_str_sub(*rest, 0, at ? (size_t)(at - rest->p) : rest->n);
  *rest = hm_str_sub(*rest, part.n, rest->n);
  while (rest->n && rest->p[0] == sep) *rest = hm_str_sub(*rest, 1, rest->n);
  return part;
}

bool hm_shape_next_field(hm_str *table, hm_shape_field *out) {
  if (!table->n) return false;
  hm_str line = take_part(table, '\n'), name = take_part(&line, ' ');
  bool optional = hm_str_ends(name, "?");
  *out = (hm_shape_field){ .name = hm_str_sub(name, 0, name.n - optional),
                           .type = take_part(&line, ' '), .about = line, .optional = optional };
  return true;
}

bool hm_shape_find_field(const char *table, hm_str name, hm_shape_field *out) {
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, out);)
    if (hm_str_eq(out->name, name)) return true;
  return false;
}

static bool is_choice(hm_str type) { return type.n && memchr(type.p, '|', type.n) != NULL; }

static bool is_choice_of(hm_str choices, hm_str text) {
  while (choices.n)
    if (hm_str_eq(take_part(&choices, '|'), text)) return true;
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
  bool or_null = take_null(&type), list = hm_str_starts(type, "[");
  hm_jw_obj(w, key);
  if (about.n) hm_jw_str(w, "description", about);
  if (is_choice(type)) {
    hm_jw_arr(w, "enum");
    while (type.n) hm_jw_str(w, NULL, take_part(&type, '|'));
    if (or_null) hm_jw_null(w, NULL);
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
    hm_str name = list ? HM_STR("array") : type;
    if (or_null) hm_jw_strs(w, "type", (const hm_str[]){ name, HM_STR("null") }, 2);
    else hm_jw_str(w, "type", name);
    if (list) hm_shape_write_type(w, "items", hm_str_sub(type, 1, type.n - 1), HM_EMPTY);
  }
  hm_jw_end(w);
}

void hm_shape_write_schema(hm_jw *w, const hm_api_shape *s) {
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
    if (!f.optional) hm_jw_str(w, NULL, f.name);
  hm_jw_end(w);
  hm_jw_obj(w, "properties");
  for (hm_str rest = hm_str_c(s->fields); hm_shape_next_field(&rest, &f);) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", HM_FMT(f.name));
    hm_shape_write_type(w, name, f.type, f.about);
  }
  hm_jw_end(w);
  hm_jw_bool(w, s->base ? "unevaluatedProperties" : "additionalProperties", false);
  hm_jw_end(w);
}

/* --- checking ------------------------------------------------------------------ */

static const struct { const char *type, *text; } PLAIN[] = {
  { "string", "a string" }, { "boolean", "true or false" }, { "integer", "a whole number" },
  { "number", "a number" },
};

static bool fits_type(hm_str type, const hm_json *v) {
  bool or_null = take_null(&type);
  if (v->type == HM_JSON_NULL) return or_null;
  if (hm_str_is(type, "any")) return true;
  if (hm_str_is(type, "string")) return v->type == HM_JSON_STRING;
  if (hm_str_is(type, "boolean")) return v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE;
  if (hm_str_is(type, "integer"))
    return v->type == HM_JSON_NUMBER && v->text.n < 10 && hm_str_find(v->text, ".") < 0;
  if (hm_str_is(type, "number")) return v->type == HM_JSON_NUMBER;
  if (is_choice(type)) return v->type == HM_JSON_STRING && is_choice_of(type, v->text);
  return v->type == (hm_str_starts(type, "[") ? HM_JSON_ARRAY : HM_JSON_OBJECT);
}

static int refuse_field(hm_str field, const char *why, const char *fix, hm_err *err) {
  char what[128];
  snprintf(what, sizeof what, "the body: %.*s", HM_FMT(hm_text_cut(field, 60)));
  hm_fail(err, HM_E_INPUT, what, why, fix);
  return hm_err_at_field(err, field);
}

static int refuse_type(hm_str field, hm_str type, hm_err *err) {
  char why[260];
  take_null(&type);
  snprintf(why, sizeof why, "must be %s", hm_str_starts(type, "[") ? "an array" : "an object");
  if (is_choice(type)) snprintf(why, sizeof why, "must be one of %.*s", HM_FMT(type));
  for (size_t i = 0; i < HM_COUNT(PLAIN); i++)
    if (hm_str_is(type, PLAIN[i].type)) snprintf(why, sizeof why, "must be %s", PLAIN[i].text);
  return refuse_field(field, why, "see /openapi.json for what it takes", err);
}

int hm_shape_check(const hm_api_shape *s, const hm_json *v, hm_err *err) {
  hm_shape_field f;
  if (v && v->type != HM_JSON_OBJECT)
    return hm_fail(err, HM_E_INPUT, "the body", "must be a JSON object", "send one JSON object");
  for (const hm_json *m = v ? v->child : NULL; m; m = m->next) {
    if (!hm_shape_find_field(s->fields, m->key, &f))
      return refuse_field(m->key, "no such field", "see /openapi.json for those that there are",
                          err);
    if (!fits_type(f.type, m)) return refuse_type(m->key, f.type, err);
  }
  for (hm_str rest = hm_str_c(s->fields); hm_shape_next_field(&rest, &f);) {
    const hm_json *m = v ? v->child : NULL;
    while (m && !hm_str_eq(m->key, f.name)) m = m->next;
    if (!f.optional && !m) return refuse_field(f.name, "is missing", "give it", err);
  }
  return 0;
}

hm_str hm_shape_text(const hm_json *v, const char *name) {
  const hm_json *m = hm_json_get(v, name);
  return m && m->type == HM_JSON_STRING ? m->text : HM_EMPTY;
}

bool hm_shape_fits_text(hm_str type, hm_str text) {
  take_null(&type);
  if (hm_str_is(type, "boolean")) return hm_str_is(text, "true") || hm_str_is(text, "false");
  if (!hm_str_is(type, "integer")) return !is_choice(type) || is_choice_of(type, text);
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] < '0' || text.p[i] > '9') return false;
  return text.n > 0 && text.n < 10;
}

/* --- bodies: what goes in is checked by these ------------------------------------------------- */

static const char RESOLVE[] =
    "resolution_notes   string   why\n"
    "winner_member_id?  string?  a member that stands: its id, or kind:id\n"
    "winner_member_ids?  [string]  several that stand together, where several values may hold at "
    "once\n"
    "action?            supersede_opponents|supersede_others|no_action?  supersede_opponents: what "
    "contradicts the winner gives way (absent: this, where a winner is named); supersede_others: "
    "every other member does\n"
    "scope?             whole_row|field_only?  of a row that gives way and also says other things: "
    "needed where there is one\n"
    "link?              boolean  with no_action: link the sides as contradicts\n"
    "by?                string?  who decides; else the server's name for writers\n";
static const char REASON[] =
  "reason  string   why\n"
  "by?     string?  who decides; else the server's name for writers\n";
static const char SUPERSEDE[] =
  "newer   string   the row that stands: kind:id, or an id that one row alone has\n"
  "notes?  string?  why\n"
  "by?     string?  who decides; else the server's name for writers\n";
static const char RESTORE[] =
  "field?  string?  give an entity back only this, which a verdict took out of it\n"
  "notes?  string?  why\n"
  "by?     string?  who decides; else the server's name for writers\n";
static const char BECAUSE[] =
  "reason?  string?  why\n"
  "by?      string?  who decides; else the server's name for writers\n";
static const char NEW_LINK[] =
    "src   string   the row that it leads from: kind:id, or an id that one row alone has\n"
    "dst   string   the row that it leads to\n"
    "rel?  string?  refines, derived_from, example_of, contradicts, supersedes, related, or any "
    "other; absent: related, of a removal all\n";
static const char REFLECTION[] =
    "ids       [string]  the memories: kind:id, or an id that one row alone has\n"
    "text      string    what they come to\n"
    "type?     string?   memory_type of the summary; knowledge\n"
    "project?  string?   of the summary; that of the memories\n"
    "id?       string?   of the summary; made from it\n"
    "hard?     boolean   also take what the memories say out of the store; notes say why\n";
static const hm_api_shape BODIES[] = {
  { "Resolve", NULL, "How a conflict is resolved.", RESOLVE },
  { "Dismiss", NULL, "Why it is no conflict.", REASON },
  { "Reopen", NULL, "Why a verdict does not hold.", REASON },
  { "Reason", NULL, "Why somebody says so.", REASON },
  { "Because", NULL, "Why, where there is more to say.", BECAUSE },
  { "NewLink", NULL, "A link between two rows.", NEW_LINK },
  { "Reflection", NULL, "Memories, and what they come to.", REFLECTION },
  { "Restore", NULL, "What comes back, and why.", RESTORE },
  { "Supersede", NULL, "Which row stands, and why.", SUPERSEDE },
  { "Nothing", NULL, "No body is needed; an empty object will do.", "" },
};
enum { N_BODIES = HM_COUNT(BODIES) };

const hm_api_shape *hm_api_body_shape(const char *type) {
  for (size_t i = 0; i < N_BODIES; i++)
    if (strcmp(type + 1, BODIES[i].name) == 0) return &BODIES[i];
  return NULL;
}

void hm_api_write_body_schemas(hm_jw *w) {
  for (size_t i = 0; i < N_BODIES; i++) hm_shape_write_schema(w, &BODIES[i]);
}

/* --- the OpenAPI 3.1 document ----------------------------------------------------------------- */

static void write_parameter(hm_jw *w, const char *in, const hm_shape_field *f) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "name", f->name);
  hm_jw_str(w, "in", hm_str_c(in));
  hm_jw_bool(w, "required", !f->optional);
  if (f->about.n) hm_jw_str(w, "description", f->about);
  hm_shape_write_type(w, "schema", f->type, HM_EMPTY);
  hm_jw_end(w);
}

static void write_content(hm_jw *w, const char *type) {
  hm_jw_obj(w, "content");
  hm_jw_obj(w, "application/json");
  hm_shape_write_type(w, "schema", hm_str_c(type), HM_EMPTY);
  hm_jw_end(w);
  hm_jw_end(w);
}

static void write_answer(hm_jw *w, const char *status, const char *about, const char *type) {
  hm_jw_obj(w, status);
  hm_jw_str(w, "description", hm_str_c(about));
  write_content(w, type);
  hm_jw_end(w);
}

static const struct { const char *status, *about; bool of_path, of_write;
} ERRORS[] = {
  { "404", "there is none", true, false },
  { "409", "it is there, but not in the state for this", false, true },
  { "422", "a value that cannot be taken; field says which", false, false },
  { "503", "the store is in use by another program; Retry-After says when to ask again", false,
    false },
};

static const char LOCATION[] =
    "{\"Location\":{\"required\":true,\"description\":\"where it is now\","
    "\"schema\":{\"type\":\"string\"}}}";

static void write_answers(hm_jw *w, const hm_api_operation *op) {
  bool creates = op->flags & HM_API_CREATES;
  bool has_name = strchr(op->path, '{') != NULL,
       refused = op->method != HM_GET && !(op->flags & HM_API_REPEATABLE);
  hm_jw_obj(w, "responses");
  write_answer(w, "200", creates ? "a dry run: nothing was stored" : "done", op->gives);
  if (creates) {
    hm_jw_obj(w, "201");
    hm_jw_str(w, "description", HM_STR("made"));
    hm_jw_raw(w, "headers", hm_str_c(LOCATION));
    write_content(w, op->gives);
    hm_jw_end(w);
  }
  for (size_t i = 0; i < HM_COUNT(ERRORS); i++)
    if ((!ERRORS[i].of_path || has_name) && (!ERRORS[i].of_write || refused))
      write_answer(w, ERRORS[i].status, ERRORS[i].about, "#Error");
  write_answer(w, "default", "any other refusal", "#Error");
  hm_jw_end(w);
}

static void write_operation(hm_jw *w, const hm_api_operation *op) {
  static const char *const key[] = { [HM_GET] = "get", [HM_PATCH] = "patch", [HM_POST] = "post" };
  hm_shape_field f;
  hm_jw_obj(w, key[op->method]);
  hm_jw_str(w, "operationId", hm_str_c(op->name));
  hm_jw_str(w, "summary", hm_str_c(op->about));
  hm_jw_arr(w, "parameters");
  for (const char *p = strchr(op->path, '{'); p; p = strchr(p, '{')) {
    f = (hm_shape_field){ .name = { p + 1, (size_t)(strchr(p, '}') - p - 1) },
                          .type = HM_STR("string"), .about = HM_EMPTY };
    write_parameter(w, "path", &f);
    p += f.name.n;
  }
  for (hm_str rest = hm_str_c(op->query); hm_shape_next_field(&rest, &f);)
    write_parameter(w, "query", &f);
  hm_jw_end(w);
  if (op->takes) {
    hm_jw_obj(w, "requestBody");
    hm_jw_bool(w, "required", !(op->flags & HM_API_BODY_OPTIONAL));
    write_content(w, op->takes);
    hm_jw_end(w);
  }
  write_answers(w, op);
  hm_jw_end(w);
}

static const char SECURITY[] = "{\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"},"
                               "\"basic\":{\"type\":\"http\",\"scheme\":\"basic\"}}";

hm_str hm_openapi_document(const hm_api_operation *v, size_t n, bool token, hm_arena *a) {
  hm_jw w;
  hm_buf b = { 0 };
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "openapi", HM_STR("3.1.0"));
  hm_jw_obj(&w, "info");
  hm_jw_str(&w, "title", HM_STR("hmirror"));
  hm_jw_str(&w, "version", HM_STR(HM_VERSION));
  hm_jw_str(&w, "description",
            HM_STR("Facts, the contradictions between them, and the verdicts of people. A valid "
                   "write is always stored; conflicts are reported beside it."));
  hm_jw_end(&w);
  hm_jw_obj(&w, "paths");
  for (size_t i = 0; i < n; i++) {   /* those of one path stand together */
    bool first = !i || strcmp(v[i].path, v[i - 1].path) != 0;
    if (first && i) hm_jw_end(&w);
    if (first) hm_jw_obj(&w, v[i].path);
    write_operation(&w, &v[i]);
  }
  hm_jw_end(&w);
  hm_jw_end(&w);
  hm_jw_obj(&w, "components");
  hm_jw_obj(&w, "schemas");
  hm_api_write_schemas(&w);
  hm_jw_end(&w);
  if (token) hm_jw_raw(&w, "securitySchemes", HM_STR(SECURITY));
  hm_jw_end(&w);
  hm_jw_raw(&w, "security", token ? HM_STR("[{\"bearer\":[]},{\"basic\":[]}]") : HM_STR("[]"));
  hm_jw_end(&w);
  hm_buf_ch(&b, '\n');
  return hm_buf_take(&b, a);
}
