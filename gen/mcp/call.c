/* Calls a tool: turns its arguments into a request to the API, and the answer into a result.
 *
 * By the operation's names, an argument becomes a parameter of the path or the query, else a member
 * of the body. A null argument counts as absent. A refusal is a result with isError: a sentence,
 * then the error as JSON, so that an agent can mend its call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/recall/text_similarity.h"
#include "gen/mcp/mcp_impl.h"

enum { PARAMS = 4, QUERY = 32 };
static const hm_str PAGE = { "50", 2 }; /* rows of a list without the argument limit */

typedef struct {
  const hm_tool_caller *c;
  const hm_tool *tool;
  hm_api_request q;
  hm_str params[PARAMS];
  hm_pair query[QUERY];
  hm_json body;
} call;

/* --- results ----------------------------------------------------------------------------- */

static void add_text(hm_jw *w, hm_str text) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "type", HM_STR("text"));
  hm_jw_str(w, "text", text);
  hm_jw_end(w);
}

/* json: an object, with or without the API's line feed. */
static void write_result(hm_buf *out, hm_str json) {
  hm_jw w;
  json = hm_str_trim(json);
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_arr(&w, "content");
  add_text(&w, json);
  hm_jw_end(&w);
  hm_jw_raw(&w, "structuredContent", json);
  hm_jw_bool(&w, "isError", false);
  hm_jw_end(&w);
}

/* Replaces the API's addresses, bodies and parameters in an error by the tool and its arguments.
 * of_api: the error is the API's; else its field is an argument already. */
static void rename_fields_in_error(const hm_tool *t, bool of_api, hm_err *err, hm_arena *a) {
  hm_str given = hm_str_c(err->field),
         field = hm_str_dup(a, of_api ? hm_tool_argument_of_param(t, given) : given);
  if (err->of_request || !*err->what)
    snprintf(err->what, sizeof err->what, "%s%s%.*s", t->name, field.n ? ": " : "",
             HM_FMT(hm_text_cut(field, 60)));
  if (!*err->fix)
    snprintf(err->fix, sizeof err->fix, "%s",
             err->code == HM_E_INPUT       ? "see the tool's inputSchema"
                 : err->code == HM_E_BUSY  ? "ask again in a second"
                 : err->code == HM_E_STATE ? "read it as it is now"
                                           : "check the id");
  hm_err_at_field(err, field);
}

/* more: the API's answer when it has further data besides the error; else empty. */
static void write_refusal(const hm_tool *t, bool of_api, hm_err *err, hm_str more, hm_arena *a,
                          hm_buf *out) {
  hm_jw w;
  char line[2048];
  rename_fields_in_error(t, of_api, err, a);
  hm_err_format_line(err, line, sizeof line);
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_arr(&w, "content");
  add_text(&w, hm_str_c(line));
  add_text(&w, hm_str_trim(more.n ? more : hm_api_error_json(err, a)));
  hm_jw_end(&w);
  hm_jw_bool(&w, "isError", true);
  hm_jw_end(&w);
}

/* --- arguments --------------------------------------------------------------------------- */

static int fail_argument(hm_str name, const char *why, const char *fix, hm_err *err) {
  hm_fail(err, HM_E_INPUT, "", why, fix);
  return hm_err_at_field(err, name);
}

/* The text of an argument: an array of texts joined by commas, another value as it is written. */
static int argument_text(const hm_json *v, hm_str name, hm_arena *a, hm_str *out, hm_err *err) {
  hm_buf b = { 0 };
  *out = v->text;
  if (v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE)
    *out = v->type == HM_JSON_TRUE ? HM_STR("true") : HM_STR("false");
  if (v->type != HM_JSON_ARRAY)
    return 0;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || hm_str_find(e->text, ",") >= 0) {
      hm_buf_free(&b);
      return fail_argument(name, "not all of it is text without commas", "give texts", err);
    }
    if (e != v->child)
      hm_buf_ch(&b, ',');
    hm_buf_str(&b, e->text);
  }
  *out = hm_buf_take(&b, a);
  return 0;
}

/* The index of the name among the {names} of the operation's path, or -1. */
static int param_of(const hm_api_operation *op, hm_str name) {
  int i = 0;
  for (const char *p = strchr(op->path, '{'); p; p = strchr(p + 1, '{'), i++)
    if (!strncmp(p + 1, name.p, name.n) && p[1 + name.n] == '}')
      return i;
  return -1;
}

static void add_member(call *k, hm_str key, const hm_json *value) {
  hm_json *m = hm_alloc(k->c->a, sizeof *m), **end = &k->body.child;
  *m = *value;
  m->key = key;
  m->next = NULL;
  while (*end)
    end = &(*end)->next;
  *end = m;
  k->body.count++;
  k->q.body = &k->body;
}

static int put_argument(call *k, const hm_json *v, hm_err *err) {
  const hm_api_operation *op = k->q.operation;
  hm_shape_field f;
  hm_str name = hm_tool_param_of_argument(k->tool, v->key), text;
  int i = param_of(op, name);
  if (i < 0 && !hm_shape_find_field(op->query, name, &f)) {
    add_member(k, name, v);
    return 0;
  }
  if (argument_text(v, v->key, k->c->a, &text, err))
    return -1;
  if (i >= 0)
    k->params[i] = text;
  else
    k->query[k->q.n_query++] = (hm_pair){ name, text };
  return 0;
}

/* Checks that the tool has this argument; the hint also knows the API's names of its arguments. */
static int check_argument_name(const hm_tool *t, hm_str name, hm_arena *a, hm_err *err) {
  hm_shape_field f;
  hm_str names[32], meant = hm_tool_argument_of_param(t, name);
  size_t n = 0;
  if (hm_shape_find_field(t->takes, name, &f))
    return 0;
  for (hm_str rest = hm_str_c(t->takes); n < HM_COUNT(names) && hm_shape_next_field(&rest, &f);)
    names[n++] = f.name;
  return fail_argument(name, "no such argument",
                       hm_hint_names(meant, names, n, n ? "its arguments: " : NULL, a), err);
}

/* Copies the arguments that are not null, and checks them by the tool's table. */
static int read_arguments(const hm_tool *t, const hm_json *given, hm_arena *a, hm_json *out,
                          hm_err *err) {
  const hm_api_shape shape = { t->name, NULL, t->about, t->takes };
  hm_json **end = &out->child;
  *out = (hm_json){ .type = HM_JSON_OBJECT, .key = HM_EMPTY, .text = HM_EMPTY };
  if (given && given->type != HM_JSON_OBJECT)
    return fail_argument(HM_EMPTY, "arguments must be an object", "send one", err);
  for (const hm_json *m = given ? given->child : NULL; m; m = m->next) {
    if (m->type == HM_JSON_NULL)
      continue;
    if (check_argument_name(t, m->key, a, err))
      return -1;
    *end = hm_alloc(a, sizeof **end);
    **end = *m;
    (*end)->next = NULL;
    end = &(*end)->next;
    out->count++;
  }
  return hm_shape_check(&shape, out, err);
}

/* --- calls of one operation ---------------------------------------------------------------- */

static void begin_call(call *k, const hm_tool_caller *c, const hm_tool *t, const char *operation) {
  *k = (call){ .c = c, .tool = t };
  k->body = (hm_json){ .type = HM_JSON_OBJECT, .key = HM_EMPTY, .text = HM_EMPTY };
  k->q = (hm_api_request){ .operation = hm_api_find_operation(hm_str_c(operation)),
                           .params = k->params,
                           .query = k->query,
                           .by = c->agent,
                           .via = HM_STR("mcp"),
                           .may_judge = c->opt->may_judge };
  k->q.n_params = hm_api_count_path_params(k->q.operation);
}

/* Adds the default type of a memory, and turns `source` into a list of one. */
static void complete_row(call *k, const hm_json *arguments) {
  hm_shape_field f;
  const hm_json *source = hm_json_get(&k->body, "source");
  if (hm_str_is(hm_str_c(k->q.operation->name), "addMemory") && !hm_json_get(arguments, "type"))
    add_member(k, HM_STR("memory_type"),
               &(hm_json){ .type = HM_JSON_STRING, .text = HM_STR("knowledge") });
  if (!source || !hm_shape_find_field(k->tool->takes, HM_STR("source"), &f))
    return;
  hm_json *one = hm_alloc(k->c->a, sizeof *one), list = { .type = HM_JSON_ARRAY, .count = 1 };
  *one = *source;
  one->key = HM_EMPTY;
  one->next = NULL;
  list.child = one;
  list.key = list.text = HM_EMPTY;
  for (hm_json **m = &k->body.child; *m; m = &(*m)->next)
    if (*m == source) {
      *m = source->next;
      k->body.count--;
      break;
    }
  if (!hm_json_get(&k->body, "source_refs"))
    add_member(k, HM_STR("source_refs"), &list);
}

static int set_arguments(call *k, const hm_json *arguments, hm_err *err) {
  hm_shape_field f;
  bool limited = false;
  for (const hm_json *m = arguments->child; m; m = m->next) {
    limited = limited || hm_str_is(m->key, "limit");
    if (k->q.n_query == QUERY || put_argument(k, m, err))
      return -1;
  }
  k->q.n_query += hm_tool_fixed_query(k->tool, k->query + k->q.n_query, QUERY - k->q.n_query);
  if (!limited && hm_shape_find_field(k->tool->takes, HM_STR("limit"), &f))
    k->query[k->q.n_query++] = (hm_pair){ HM_STR("limit"), PAGE };
  complete_row(k, arguments);
  if (k->q.operation->takes && !(k->q.operation->flags & HM_API_BODY_OPTIONAL))
    k->q.body = &k->body;
  return 0;
}

static int call_operation(call *k, hm_api_answer *answer, hm_err *err) {
  hm_api_call(k->c->opt->api, &k->q, k->c->a, answer);
  if (answer->err.code == HM_OK)
    return 0;
  *err = answer->err;
  return -1;
}

/* *json: the answer; after a refusal only if it has more than the error. */
static int call_operation_with(const hm_tool_caller *c, const hm_tool *t, const char *operation,
                               const hm_json *arguments, hm_str *json, hm_err *err) {
  call k;
  hm_api_answer answer;
  begin_call(&k, c, t, operation);
  if (set_arguments(&k, arguments, err))
    return -1;
  int rc = call_operation(&k, &answer, err);
  if (!rc || answer.says_more)
    *json = answer.body;
  return rc;
}

/* --- calls of several operations ----------------------------------------------------------- */

/* Calls an operation with one parameter in its path and n in its query, and parses its answer. */
static int call_operation_about(const hm_tool_caller *c, const hm_tool *t, const char *operation,
                                hm_str param, const hm_pair *query, size_t n, hm_json **out,
                                hm_str *json, hm_err *err) {
  call k;
  hm_api_answer answer;
  begin_call(&k, c, t, operation);
  k.params[0] = param;
  for (size_t i = 0; i < n; i++)
    k.query[k.q.n_query++] = query[i];
  if (call_operation(&k, &answer, err))
    return -1;
  *json = answer.body;
  return hm_json_parse(c->a, answer.body, out, err);
}

static int explain(const hm_tool_caller *c, const hm_tool *t, const hm_json *arguments,
                   hm_str *json, hm_err *err) {
  hm_json *v;
  hm_str id = hm_json_get_text(arguments, "node_id");
  const char *operation = hm_str_starts(id, "c") ? "explainConflict" : "explainFinding";
  return call_operation_about(c, t, operation, id, NULL, 0, &v, json, err);
}

/* The cosine that a finding on similar texts has ("cosine 0.93"); 1 for other findings. */
static double finding_similarity(const hm_json *finding) {
  static const char cosine[] = "cosine ";
  hm_str actual = hm_json_get_text(finding, "actual");
  bool alike = hm_str_starts(hm_json_get_text(finding, "rule"), "similar");
  return alike && hm_str_starts(actual, cosine) ? strtod(actual.p + sizeof cosine - 1, NULL) : 1;
}

/* True if the row is a member of the conflict, or ref is empty. */
static bool has_member(const hm_json *conflict, hm_str ref, hm_arena *a) {
  bool has = !ref.n;
  for (const hm_json *m = hm_json_get_items(conflict, "members"); m && !has; m = m->next)
    has = hm_str_eq(ref,
                    HM_CAT(a, hm_json_get_text(m, "member_kind"), HM_STR(":"),
                           hm_json_get_text(m, "member_id")));
  return has;
}

static void put_member(hm_jw *w, const char *key, const hm_json *v, hm_arena *a) {
  if (v)
    hm_jw_raw(w, key, hm_json_as_text(v, a));
}

/* The result of find_conflicts: conflicts and warnings of one answer, findings and rows that are
 * alike of others. */
static hm_str found_json(hm_str row, const hm_json *conflicts, const hm_json *findings,
                         const hm_json *alike, double threshold, hm_arena *a) {
  hm_jw w;
  hm_buf b = { 0 };
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str_or_null(&w, "row", row);
  put_member(&w, "read", hm_json_get(conflicts, "read"), a);
  put_member(&w, "unread", hm_json_get(conflicts, "unread"), a);
  hm_jw_arr(&w, "conflicts");
  for (const hm_json *x = hm_json_get_items(conflicts, "conflicts"); x; x = x->next)
    if (has_member(x, row, a))
      hm_jw_raw(&w, NULL, hm_json_as_text(x, a));
  hm_jw_end(&w);
  hm_jw_arr(&w, "findings");
  for (const hm_json *x = hm_json_get_items(findings, "findings"); x; x = x->next)
    if (finding_similarity(x) >= threshold)
      hm_jw_raw(&w, NULL, hm_json_as_text(x, a));
  hm_jw_end(&w);
  put_member(&w, "alike", hm_json_get(alike, "alike"), a);
  put_member(&w, "alike_advice", hm_json_get(alike, "alike_advice"), a);
  const hm_json *v = hm_json_get(conflicts, "warnings");
  hm_jw_raw(&w, "warnings", v ? hm_json_as_text(v, a) : HM_STR("[]"));
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

/* Finds the open conflicts of a row, and the findings about it. */
static int find_of_row(const hm_tool_caller *c, const hm_tool *t, hm_str row, double threshold,
                       hm_str *json, hm_err *err) {
  hm_json *conflicts, *findings, *known, *alike;
  hm_str ref = hm_str_find(row, ":") >= 0 ? row : HM_CAT(c->a, HM_STR("memory:"), row);
  const hm_pair subject[] = { { HM_STR("subject"), ref } }, about[] = { { HM_STR("row"), ref } };
  /* Refuses a row that is not there. */
  if (call_operation_about(c, t, "getNeighbors", ref, NULL, 0, &known, json, err) ||
      call_operation_about(c, t, "listConflicts", HM_EMPTY, subject, 1, &conflicts, json, err) ||
      call_operation_about(c, t, "listFindings", HM_EMPTY, about, 1, &findings, json, err) ||
      call_operation_about(c, t, "getAlike", HM_EMPTY, about, 1, &alike, json, err))
    return -1;
  *json = found_json(ref, conflicts, findings, alike, threshold, c->a);
  return 0;
}

/* Finds what the text would contradict, by a dry run of addMemory. */
static int find_of_text(const hm_tool_caller *c, const hm_tool *t, const hm_json *arguments,
                        double threshold, hm_str *json, hm_err *err) {
  hm_json *v;
  call k;
  hm_api_answer answer;
  begin_call(&k, c, t, "addMemory");
  if (set_arguments(&k, arguments, err))
    return -1;
  k.query[k.q.n_query++] = (hm_pair){ HM_STR("dry_run"), HM_STR("true") };
  if (call_operation(&k, &answer, err) || hm_json_parse(c->a, answer.body, &v, err))
    return -1;
  *json = found_json(HM_EMPTY, v, v, v, threshold, c->a);
  return 0;
}

/* Removes the threshold from the arguments. A lower one than the default would find no more. */
static int take_threshold(hm_json *arguments, double *out, hm_err *err) {
  *out = HM_SIMILAR_LEAST;
  for (hm_json **m = &arguments->child; *m; m = &(*m)->next) {
    if (!hm_str_is((*m)->key, "threshold"))
      continue;
    *out = strtod((*m)->text.p, NULL);
    *m = (*m)->next;
    arguments->count--;
    break;
  }
  return *out >= HM_SIMILAR_LEAST && *out <= 1
      ? 0
      : fail_argument(HM_STR("threshold"), "out of range", "give 0.80 to 1, or none", err);
}

static int find_conflicts(const hm_tool_caller *c, const hm_tool *t, hm_json *arguments,
                          hm_str *json, hm_err *err) {
  double threshold;
  const hm_json *row = hm_json_get(arguments, "memory_id"), *text = hm_json_get(arguments, "text");
  if (take_threshold(arguments, &threshold, err))
    return -1;
  if (!row == !text)
    return fail_argument(HM_STR("text"),
                         row ? "given together with memory_id" : "nothing was given",
                         "give one of text and memory_id", err);
  if (text)
    return find_of_text(c, t, arguments, threshold, json, err);
  if (arguments->count > 1)
    return fail_argument(HM_STR("memory_id"), "goes with no argument but threshold",
                         "leave the others out", err);
  return find_of_row(c, t, row->text, threshold, json, err);
}

void hm_tool_call(const hm_tool_caller *c, const hm_tool *t, const hm_json *given, hm_buf *out) {
  hm_err err = { 0 };
  hm_json arguments;
  hm_str json = HM_EMPTY;
  int rc = read_arguments(t, given, c->a, &arguments, &err);
  bool of_api = !rc;
  if (!rc && t->operation)
    rc = call_operation_with(c, t, t->operation, &arguments, &json, &err);
  else if (!rc && !strcmp(t->name, "find_conflicts"))
    rc = find_conflicts(c, t, &arguments, &json, &err);
  else if (!rc)
    rc = explain(c, t, &arguments, &json, &err);
  if (rc)
    write_refusal(t, of_api, &err, t->operation ? json : HM_EMPTY, c->a, out);
  else
    write_result(out, json);
}
