/* Writes the OpenAPI 3.1 document from the table of operations that the API runs and the shapes by
 * which it checks bodies, so that they cannot differ. Pure. */
#include <string.h>
#include "gen/api/api_impl.h"

static void write_parameter(hm_jw *w, const char *in, const hm_shape_field *f) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "name", f->name);
  hm_jw_str(w, "in", hm_str_c(in));
  hm_jw_bool(w, "required", !f->optional);
  if (f->about.n)
    hm_jw_str(w, "description", f->about);
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

static const struct {
  const char *status, *about;
  bool of_path, of_write;
} ERRORS[] = {
  { "404", "there is none", true, false },
  { "409", "it is there, but not in the state for this", false, true },
  { "422", "a value that cannot be taken; field says which", false, false },
  { "503",
    "another program uses the store, or too many writes wait; Retry-After says when to ask again",
    false, false },
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
                          .type = HM_STR("string"),
                          .about = HM_EMPTY };
    write_parameter(w, "path", &f);
    p += f.name.n;
  }
  for (hm_str rest = hm_str_c(op->query); hm_shape_next_field(&rest, &f);)
    write_parameter(w, "query", &f);
  if (op->method == HM_GET && op->flags && !hm_shape_find_field(op->query, HM_STR("after"), &f)) {
    f = (hm_shape_field){ .name = HM_STR("after"),
                          .type = HM_STR("string"),
                          .about = HM_STR("the next of the answer before, for the rest of it"),
                          .optional = true };
    write_parameter(w, "query", &f);
  }
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

static const char ANY_ROW[] =
    "{\"description\":\"A row of any kind, and its conflicts.\",\"type\":\"object\",\"anyOf\":["
    "{\"$ref\":\"#/components/schemas/MemoryRow\"},"
    "{\"$ref\":\"#/components/schemas/EntityRow\"},"
    "{\"$ref\":\"#/components/schemas/StateRow\"},"
    "{\"$ref\":\"#/components/schemas/RelationRow\"}]}";

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
  hm_jw_raw(&w, "servers", HM_STR("[{\"url\":\"/\",\"description\":\"where this document is\"}]"));
  hm_jw_obj(&w, "paths");
  for (size_t i = 0; i < n; i++) { /* those of one path stand together */
    bool first = !i || strcmp(v[i].path, v[i - 1].path) != 0;
    if (first && i)
      hm_jw_end(&w);
    if (first)
      hm_jw_obj(&w, v[i].path);
    write_operation(&w, &v[i]);
  }
  hm_jw_end(&w);
  hm_jw_end(&w);
  hm_jw_obj(&w, "components");
  hm_jw_obj(&w, "schemas");
  hm_api_write_schemas(&w);
  hm_jw_raw(&w, "AnyRow", HM_STR(ANY_ROW));
  hm_jw_end(&w);
  hm_jw_raw(&w, "securitySchemes", HM_STR(SECURITY));
  hm_jw_end(&w);
  hm_jw_raw(&w, "security", token ? HM_STR("[{\"bearer\":[]},{\"basic\":[]}]") : HM_STR("[]"));
  hm_jw_end(&w);
  hm_buf_ch(&b, '\n');
  return hm_buf_take(&b, a);
}
