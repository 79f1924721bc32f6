#include "gen/serve/openapi.h"
#include <stdio.h>
#include <string.h>
#include "core/base/text.h"

static void put_parameter(hm_jw *w, hm_str name, const char *in, const hm_shape_field *f) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "name", name);
  hm_jw_str(w, "in", hm_str_c(in));
  hm_jw_bool(w, "required", !f);
  if (f && f->about) hm_jw_str(w, "description", hm_str_c(f->about));
  hm_shape_type(w, "schema", f ? f->type : "string", NULL);
  hm_jw_end(w);
}

/* The {names} of the pattern, then the query. */
static void put_parameters(hm_jw *w, const hm_route *r) {
  hm_jw_arr(w, "parameters");
  for (const char *p = strchr(r->pattern, '{'); p; p = strchr(p, '{')) {
    const char *end = strchr(p, '}');
    put_parameter(w, (hm_str){ p + 1, (size_t)(end - p - 1) }, "path", NULL);
    p = end;
  }
  for (size_t i = 0; i < r->doc->n_query; i++)
    put_parameter(w, hm_str_c(r->doc->query[i].name), "query", &r->doc->query[i]);
  hm_jw_end(w);
}

static void put_content(hm_jw *w, const char *type) {
  hm_jw_obj(w, "content");
  hm_jw_obj(w, "application/json");
  hm_shape_type(w, "schema", type, NULL);
  hm_jw_end(w);
  hm_jw_end(w);
}

static void put_body(hm_jw *w, const hm_route_doc *d) {
  if (!d->takes) return;
  hm_jw_obj(w, "requestBody");
  hm_jw_bool(w, "required", !d->body_optional);
  put_content(w, d->takes);
  hm_jw_end(w);
}

static void put_answer(hm_jw *w, const char *status, const char *about, const char *type) {
  hm_jw_obj(w, status);
  hm_jw_str(w, "description", hm_str_c(about));
  put_content(w, type);
  hm_jw_end(w);
}

static void put_created(hm_jw *w, const char *type) {
  static const char location[] =
      "{\"Location\":{\"required\":true,\"description\":\"where it is now\",\"schema\":{\"type\":\"string\"}}}";
  hm_jw_obj(w, "201");
  hm_jw_str(w, "description", HM_STR("made"));
  hm_jw_raw(w, "headers", hm_str_c(location));
  put_content(w, type);
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

static void put_answers(hm_jw *w, const hm_route *r) {
  bool has_name = strchr(r->pattern, '{') != NULL, writes = r->method != HM_GET;
  hm_jw_obj(w, "responses");
  put_answer(w, "200", r->doc->creates ? "a dry run: nothing was stored" : "done", r->doc->gives);
  if (r->doc->creates) put_created(w, r->doc->gives);
  for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
    if ((!ERRORS[i].of_path || has_name) && (!ERRORS[i].of_write || writes))
      put_answer(w, ERRORS[i].status, ERRORS[i].about, "#Error");
  put_answer(w, "default", "any other refusal", "#Error");
  hm_jw_end(w);
}

static void put_operation(hm_jw *w, const hm_route *r) {
  static const char *const key[] = { [HM_GET] = "get", [HM_PATCH] = "patch", [HM_POST] = "post" };
  hm_jw_obj(w, key[r->method]);
  hm_jw_str(w, "operationId", hm_str_c(r->doc->id));
  hm_jw_str(w, "summary", hm_str_c(r->doc->about));
  put_parameters(w, r);
  put_body(w, r->doc);
  put_answers(w, r);
  hm_jw_end(w);
}

/* The table is sorted, so the routes of one path stand together. */
static void put_paths(hm_jw *w, const hm_route_table *t) {
  const char *path = NULL;
  hm_jw_obj(w, "paths");
  for (size_t i = 0; i < t->n; i++) {
    const hm_route *r = &t->v[i];
    if (!r->doc) continue;
    bool same = path && strcmp(path, r->pattern) == 0;
    if (path && !same) hm_jw_end(w);
    if (!same) hm_jw_obj(w, r->pattern);
    path = r->pattern;
    put_operation(w, r);
  }
  if (path) hm_jw_end(w);
  hm_jw_end(w);
}

static void put_info(hm_jw *w) {
  hm_jw_obj(w, "info");
  hm_jw_str(w, "title", HM_STR("hmirror"));
  hm_jw_str(w, "version", HM_STR(HM_VERSION));
  hm_jw_str(
      w, "description",
      HM_STR("Facts, the contradictions between them, and the verdicts of people. A valid write is "
             "always stored; conflicts are reported beside it."));
  hm_jw_end(w);
}

static const char SECURITY[] =
    "{\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"},\"basic\":{\"type\":\"http\",\"scheme\":\"basic\"}}";

hm_str hm_openapi(const hm_route_table *t, hm_openapi_schemas *schemas, bool token, hm_arena *a) {
  hm_jw w;
  hm_buf b = { 0 };
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "openapi", HM_STR("3.1.0"));
  put_info(&w);
  put_paths(&w, t);
  hm_jw_obj(&w, "components");
  hm_jw_obj(&w, "schemas");
  schemas(&w);
  hm_jw_end(&w);
  if (token) hm_jw_raw(&w, "securitySchemes", HM_STR(SECURITY));
  hm_jw_end(&w);
  hm_jw_raw(&w, "security", token ? HM_STR("[{\"bearer\":[]},{\"basic\":[]}]") : HM_STR("[]"));
  hm_jw_end(&w);
  hm_buf_ch(&b, '\n');
  hm_str doc = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return doc;
}

static int refuse(hm_str name, const char *why, const char *fix, hm_err *err) {
  char what[128];
  snprintf(what, sizeof what, "the address: %.*s", HM_FMT(hm_text_cut(name, 60)));
  hm_fail(err, HM_E_INPUT, what, why, fix);
  return hm_err_at_field(err, name);
}

static const char *fitting(const hm_request *q, const char *type) {
  if (strchr(type, '|')) return hm_str_fmt(q->a, "give one of %s", type).p;
  return strcmp(type, "boolean") == 0 ? "give true or false" : "give a whole number";
}

int hm_openapi_check_query(const hm_request *q, hm_err *err) {
  const hm_route_doc *d = q->route->doc;
  for (size_t i = 0; i < q->n_query; i++) {
    const hm_shape_field *f = NULL;
    for (size_t k = 0; k < d->n_query && !f; k++)
      if (hm_str_is(q->query[i].name, d->query[k].name)) f = &d->query[k];
    if (!f)
      return refuse(q->query[i].name, "no such parameter",
                    "see /openapi.json for those that there are", err);
    for (size_t k = 0; k < i; k++)
      if (hm_str_eq(q->query[k].name, q->query[i].name))
        return refuse(q->query[i].name, "given twice", "give it once", err);
    if (!hm_shape_fits_text(f->type, q->query[i].value))
      return refuse(q->query[i].name, "not a value that it has", fitting(q, f->type), err);
  }
  return 0;
}
