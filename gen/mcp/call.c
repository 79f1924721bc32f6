/* Calls a tool: turns its arguments into a request to the API, and the answer into a result.
 *
 * By the operation's names, an argument becomes a parameter of the path or the query, else a member
 * of the body. A null argument counts as absent. Each text is sent once: as structuredContent, to a
 * client of an older protocol as text. A refusal is a result with isError: the error as JSON, so
 * that an agent can mend its call. */
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
static void write_result(const hm_tool_caller *c, const hm_tool *t, hm_str json, hm_buf *out) {
  hm_jw w;
  bool structured = c->structured;
  hm_str next = hm_next_step(t, json, c->a);
  json = hm_str_trim(json);
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_arr(&w, "content");
  if (!structured)
    add_text(&w, json);
  if (structured)
    next =
        HM_CAT(c->a, next, hm_str_c(next.n ? " " : ""), HM_STR("The answer is structuredContent."));
  if (next.n)
    add_text(&w, next);
  hm_jw_end(&w);
  if (structured)
    hm_jw_raw(&w, "structuredContent", json);
  hm_jw_bool(&w, "isError", false);
  hm_jw_end(&w);
}

/* A failed call: by which tool in the end, and by which ways it came there. */
typedef struct {
  hm_err err;
  const hm_tool *tool;        /* whose argument err.field is; NULL: the front's */
  bool of_api;                /* the error is the API's, so err.field is its parameter */
  const hm_tool_route *route; /* by which that tool was reached, or NULL */
} failure;

/* Replaces the API's addresses, bodies and parameters, and commands, in an error by the
 * tool and its arguments. */
static void rename_fields_in_error(const hm_tool *front, failure *f, hm_arena *a) {
  hm_err *err = &f->err;
  hm_str field = hm_str_dup(a, hm_str_c(err->field));
  if (f->of_api)
    field = hm_str_is(field, "after") ? HM_STR("cursor") : hm_tool_renamed_back(f->tool->as, field);
  if (f->route)
    field = hm_tool_renamed_back(f->route->as, field);
  if (err->of_request || !*err->what)
    snprintf(err->what, sizeof err->what, "%s%s%.*s", front->name, field.n ? ": " : "",
             HM_FMT(hm_text_cut(field, 60)));
  if (!*err->fix || hm_str_starts(hm_str_c(err->fix), "see 'hmirror ")) /* an agent has no shell */
    snprintf(err->fix, sizeof err->fix, "%s",
             err->code == HM_E_INPUT       ? "see the tool's inputSchema"
                 : err->code == HM_E_BUSY  ? "ask again in a second"
                 : err->code == HM_E_STATE ? "read it as it is now"
                                           : "check the id");
  hm_err_at_field(err, field);
}

/* more: the API's answer when it has further data besides the error; else empty. */
static void write_refusal(const hm_tool *front, failure *f, hm_str more, hm_arena *a, hm_buf *out) {
  hm_jw w;
  rename_fields_in_error(front, f, a);
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_arr(&w, "content");
  add_text(&w, hm_str_trim(more.n ? more : hm_api_error_json(&f->err, a)));
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
  bool cursor = hm_str_is(v->key, "cursor");
  hm_str name = cursor ? HM_STR("after") : hm_tool_renamed(k->tool->as, v->key), text;
  int i = param_of(op, name);
  if (i < 0 && !cursor && !hm_shape_find_field(op->query, name, &f)) {
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

/* What a call says that the route is for. */
static const char *words_of_route(const hm_tool_route *r, hm_arena *a) {
  size_t n = strcspn(r->when, ":");
  if (!strcmp(r->when + n, ":1"))
    return hm_str_fmt(a, "one of %.*s alone", (int)n, r->when).p;
  return *r->when ? r->when : "the other arguments";
}

/* Checks that the tool has this argument; the hint also knows the API's names of its arguments.
 * route: by which the tool was reached, or NULL. */
static int check_argument_name(const hm_tool *t, const hm_tool_route *route, hm_str name,
                               hm_arena *a, hm_err *err) {
  hm_shape_field f;
  hm_str names[40], meant = hm_tool_renamed_back(t->as, name);
  size_t n = 0;
  const char *table = hm_tool_table(t, a);
  if (hm_shape_find_field(table, name, &f))
    return 0;
  if (route)
    return fail_argument(name, hm_str_fmt(a, "does not go with %s", words_of_route(route, a)).p,
                         "leave it out", err);
  for (hm_str rest = hm_str_c(table); n < HM_COUNT(names) && hm_shape_next_field(&rest, &f);)
    names[n++] = f.name;
  return fail_argument(name, "no such argument",
                       hm_hint_names(meant, names, n, n ? "its arguments: " : NULL, a), err);
}

static void append_argument(hm_json *out, const hm_json *m, hm_str name, hm_arena *a) {
  hm_json **end = &out->child;
  while (*end)
    end = &(*end)->next;
  *end = hm_alloc(a, sizeof **end);
  **end = *m;
  (*end)->key = name;
  (*end)->next = NULL;
  out->count++;
}

/* Copies the arguments that are not null, and checks them by the tool's table. */
static int read_arguments(const hm_tool *t, const hm_tool_route *route, const hm_json *given,
                          hm_arena *a, hm_json *out, hm_err *err) {
  const hm_api_shape shape = { t->name, NULL, t->about, hm_tool_table(t, a) };
  *out = (hm_json){ .type = HM_JSON_OBJECT, .key = HM_EMPTY, .text = HM_EMPTY };
  if (given && given->type != HM_JSON_OBJECT)
    return fail_argument(HM_EMPTY, "arguments must be an object", "send one", err);
  for (const hm_json *m = given ? given->child : NULL; m; m = m->next) {
    if (m->type == HM_JSON_NULL)
      continue;
    if (check_argument_name(t, route, m->key, a, err))
      return -1;
    append_argument(out, m, m->key, a);
  }
  return hm_shape_check(&shape, out, err);
}

/* --- routes ------------------------------------------------------------------------------- */

/* Parts "a=b*" into the argument and what is asked of it. */
static hm_str route_argument(const hm_tool_route *r, hm_str *rest) {
  size_t n = strcspn(r->when, "=:");
  *rest = hm_str_c(r->when + n);
  return (hm_str){ r->when, n };
}

static bool route_fits(const hm_tool_route *r, const hm_json *arguments) {
  hm_str rest, name = route_argument(r, &rest);
  const hm_json *v = arguments->child;
  while (v && !hm_str_eq(v->key, name))
    v = v->next;
  if (!v)
    return !name.n;
  if (!rest.n)
    return v->type != HM_JSON_FALSE;
  if (*rest.p == ':')
    return v->type == HM_JSON_ARRAY && v->count == 1;
  hm_str wanted = hm_str_sub(rest, 1, rest.n);
  bool begins = hm_str_ends(wanted, "*");
  wanted.n -= begins;
  return hm_str_eq(begins ? hm_str_sub(v->text, 0, wanted.n) : v->text, wanted);
}

/* The arguments as the tool of the route has them. */
static void follow_route(const hm_tool_route *r, const hm_json *arguments, hm_arena *a,
                         hm_json *out) {
  hm_str rest, name = route_argument(r, &rest);
  *out = (hm_json){ .type = HM_JSON_OBJECT, .key = HM_EMPTY, .text = HM_EMPTY };
  for (const hm_json *m = arguments->child; m; m = m->next) {
    bool asked = hm_str_eq(m->key, name),
         spent = m->type == HM_JSON_TRUE ? asked : m->type == HM_JSON_FALSE;
    if (spent || (asked && rest.n && *rest.p == '=' && !hm_str_ends(rest, "*")))
      continue;
    hm_json passed = asked && rest.n && *rest.p == ':' ? *m->child : *m;
    if (asked && hm_str_ends(rest, ":*"))
      passed.text = hm_str_sub(passed.text, rest.n - 2, passed.text.n);
    append_argument(out, &passed, hm_tool_renamed(r->as, m->key), a);
  }
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
                           .may_judge = c->opt->may_judge,
                           .named = c->opt->agent.n > 0,
                           .stop = c->stop,
                           .most = t->operation ? HM_MCP_ANSWER_ROOM : 0,
                           .quoted = true };
  k->q.n_params = hm_api_count_path_params(k->q.operation);
}

/* Takes a member out of the body. */
static const hm_json *take_member(call *k, const char *key) {
  for (hm_json **m = &k->body.child; *m; m = &(*m)->next) {
    if (!hm_str_is((*m)->key, key))
      continue;
    const hm_json *taken = *m;
    *m = (*m)->next;
    k->body.count--;
    return taken;
  }
  return NULL;
}

/* An end of a relation is an id; agents know rows as kind:id. */
static void shorten_end(call *k, const char *key) {
  for (hm_json *m = k->body.child; m; m = m->next)
    if (hm_str_is(m->key, key) && hm_str_starts(m->text, "entity:"))
      m->text = hm_str_sub(m->text, strlen("entity:"), m->text.n);
}

/* Adds the default type of a memory, and turns `source` into a list of one, `withdraw` into a
 * status, an entity into its id. */
static void complete_row(call *k, const hm_json *arguments) {
  hm_shape_field f;
  const char *table = hm_tool_table(k->tool, k->c->a);
  if (hm_str_is(hm_str_c(k->q.operation->name), "addMemory") && !hm_json_get(arguments, "type"))
    add_member(k, HM_STR("memory_type"),
               &(hm_json){ .type = HM_JSON_STRING, .text = HM_STR("knowledge") });
  if (hm_shape_find_field(table, HM_STR("withdraw"), &f) && take_member(k, "withdraw"))
    add_member(k, HM_STR("status"),
               &(hm_json){ .type = HM_JSON_STRING, .text = HM_STR("invalid") });
  if (hm_str_is(hm_str_c(k->q.operation->name), "addRelation")) {
    shorten_end(k, "from");
    shorten_end(k, "to");
  }
  const hm_json *source =
      hm_shape_find_field(table, HM_STR("source"), &f) ? take_member(k, "source") : NULL;
  if (!source)
    return;
  hm_json *one = hm_alloc(k->c->a, sizeof *one), list = { .type = HM_JSON_ARRAY, .count = 1 };
  *one = *source;
  one->key = HM_EMPTY;
  one->next = NULL;
  list.child = one;
  list.key = list.text = HM_EMPTY;
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
  if (!limited && hm_shape_find_field(k->q.operation->query, HM_STR("limit"), &f) &&
      hm_shape_find_field(k->q.operation->query, HM_STR("after"), &f))
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
    return fail_argument(HM_STR("text"), row ? "given together with a row" : "nothing was given",
                         "give a text or a row; check takes a scope, too", err);
  if (text)
    return find_of_text(c, t, arguments, threshold, json, err);
  if (arguments->count > 1)
    return fail_argument(HM_STR("memory_id"), "a row goes with no argument but threshold",
                         "leave the others out", err);
  return find_of_row(c, t, row->text, threshold, json, err);
}

/* Takes the cursor out of the arguments. */
static hm_str take_cursor(hm_json *arguments) {
  for (hm_json **m = &arguments->child; *m; m = &(*m)->next) {
    if (!hm_str_is((*m)->key, "cursor"))
      continue;
    hm_str cursor = (*m)->text;
    *m = (*m)->next;
    arguments->count--;
    return cursor;
  }
  return HM_EMPTY;
}

/* A tool of several operations. */
static int call_several(const hm_tool_caller *c, const hm_tool *t, hm_json *arguments, hm_str *json,
                        hm_err *err) {
  const hm_answer_bounds bounds = {
    .most = HM_MCP_ANSWER_ROOM, .quoted = true, .goes_on = true, .after = take_cursor(arguments)
  };
  int rc = !strcmp(t->name, "find_conflicts") ? find_conflicts(c, t, arguments, json, err)
                                              : explain(c, t, arguments, json, err);
  return rc ? -1 : hm_answer_fit(&bounds, json, c->a, err);
}

/* Gives the row its kind, which decides where the call goes. */
static int name_kind(const hm_tool_caller *c, const hm_tool *t, hm_json *arguments, failure *f) {
  hm_json *row = arguments->child, *v;
  hm_str json;
  while (!hm_str_is(row->key, "row"))
    row = row->next;
  f->of_api = true;
  if (call_operation_about(c, t, "getRow", row->text, NULL, 0, &v, &json, &f->err))
    return -1;
  row->text = HM_CAT(c->a, hm_json_get_text(v, "kind"), HM_STR(":"), hm_json_get_text(v, "id"));
  return 0;
}

static int run_tool(const hm_tool_caller *c, const hm_tool *t, const hm_tool_route *by,
                    const hm_json *given, hm_str *json, failure *f) {
  hm_json arguments, routed;
  f->tool = t;
  f->route = by;
  if (read_arguments(t, by, given, c->a, &arguments, &f->err))
    return -1;
  if (t->flags & HM_TOOL_OWN && t->routes && name_kind(c, t, &arguments, f))
    return -1;
  for (const hm_tool_route *r = t->routes; r && r->tool; r++) {
    if (!route_fits(r, &arguments))
      continue;
    follow_route(r, &arguments, c->a, &routed);
    return run_tool(c, hm_find_tool(hm_str_c(r->tool)), r, &routed, json, f);
  }
  if (t->routes && !t->operation)
    return fail_argument(HM_STR("row"), "an agent has no rows of this kind",
                         "report_contradiction tells people of it", &f->err);
  f->of_api = true;
  return t->operation ? call_operation_with(c, t, t->operation, &arguments, json, &f->err)
                      : call_several(c, t, &arguments, json, &f->err);
}

void hm_tool_call(const hm_tool_caller *c, const hm_tool *t, const hm_json *given, hm_buf *out) {
  hm_str json = HM_EMPTY;
  failure f = { 0 };
  if (run_tool(c, t, NULL, given, &json, &f))
    write_refusal(t, &f, f.tool->operation ? json : HM_EMPTY, c->a, out);
  else
    write_result(c, t, json, out);
}
