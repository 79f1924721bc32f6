/* The API without a socket: requests are plain data, answers are JSON, also of errors. */
#include "tests/unit/gen_api_help.h"

/* Asks by the operation's name; param and body may be NULL. */
static hm_api_answer ask(world *w, const char *name, const char *param, const hm_pair *query,
                         size_t n_query, const char *body) {
  hm_api_answer out;
  hm_json *json = NULL;
  hm_str params[1] = { hm_str_c(param) };
  if (body) assert_int_equal(hm_json_parse(w->a, hm_str_c(body), &json, NULL), 0);
  const hm_api_request q = { .operation = named(name), .params = params, .n_params = param != NULL,
                             .query = query, .n_query = n_query, .body = json,
                             .by = HM_STR("agent") };
  hm_api_call(w->api, &q, w->a, &out);
  assert_true(out.body.n && out.body.p[out.body.n - 1] == '\n');
  assert_int_equal(out.status >= 400, out.err.code != HM_OK);
  return out;
}

static void has(hm_api_answer answer, int status, const char *text) {
  const char *body = answer.body.p, *wanted = text ? text : "any answer";
  if (answer.status != status || (text && hm_str_find(answer.body, text) < 0))
    fail_msg("wanted %d and %s, got %d: %s", status, wanted, answer.status, body);
}

#define ADD(id, value) "{\"id\":\"" id "\",\"content\":\"The bed temperature is " value ".\"," \
  "\"memory_type\":\"knowledge\",\"project\":\"p1\",\"status\":\"active\"}"

static void rows_are_added_read_and_edited(void **state) {
  world *w = *state;
  hm_api_answer made = ask(w, "addMemory", NULL, NULL, 0, ADD("m1", "60 C"));
  has(made, 201, "\"ref\":\"memory:m1\"");
  assert_true(hm_str_is(made.location, "/memory/m1"));
  has(ask(w, "getMemory", "m1", NULL, 0, NULL), 200, "60 C");
  has(ask(w, "editMemory", "m1", NULL, 0, "{\"content\":\"another word\"}"), 200, "another word");
  has(ask(w, "getMemory", "m1", NULL, 0, NULL), 200, "another word");
  has(ask(w, "getHealth", NULL, NULL, 0, NULL), 200, "\"status\":\"ok\"");
  has(ask(w, "getOpenapi", NULL, NULL, 0, NULL), 200, "\"openapi\":\"3.1.0\"");
}

static void dry_runs_store_nothing(void **state) {
  world *w = *state;
  const hm_pair dry[] = { { HM_STR("dry_run"), HM_STR("true") } };
  hm_api_answer made = ask(w, "addMemory", NULL, dry, 1, ADD("m2", "61 C"));
  has(made, 200, "\"dry_run\":true");
  assert_int_equal(made.location.n, 0);
  has(ask(w, "getMemory", "m2", NULL, 0, NULL), 404, "\"code\":\"unknown\"");
}

static void errors_say_what_why_and_what_to_do(void **state) {
  world *w = *state;
  const hm_pair twice[] = { { HM_STR("limit"), HM_STR("1") }, { HM_STR("limit"), HM_STR("2") } };
  const hm_pair bad[] = { { HM_STR("status"), HM_STR("half-open") } };
  hm_api_answer missing = ask(w, "getConflict", "c0", NULL, 0, NULL);
  has(missing, 404, "\"fix\":\"");
  assert_true(missing.err.what[0] && missing.err.why[0]);
  has(ask(w, "listConflicts", NULL, twice, 2, NULL), 422, "given twice");
  has(ask(w, "listConflicts", NULL, bad, 1, NULL), 422, "\"field\":\"status\"");
  has(ask(w, "getConflict", NULL, NULL, 0, NULL), 422, "too many or too few");
  has(ask(w, "addMemory", NULL, NULL, 0, NULL), 422, "is missing");
  has(ask(w, "addMemory", NULL, NULL, 0, "[]"), 422, "must be a JSON object");
  has(ask(w, "dismissConflict", "c0", NULL, 0, "{}"), 422, "\"field\":\"reason\"");
  has(ask(w, "dismissConflict", "c0", NULL, 0, "{\"reason\":\"x\",\"by\":\"a\\nb\"}"), 422,
      "\"field\":\"by\"");
  has(ask(w, "resolveConflict", "c0",
          (const hm_pair[]){ { HM_STR("pages"), HM_STR("true") },
                             { HM_STR("dry_run"), HM_STR("true") } },
          2, "{\"resolution_notes\":\"x\"}"),
      409, "shows no pages");
}

/* One sweep answers while the store is unchanged; a change by us or by others shows at once. */
static void findings_follow_each_change(void **state) {
  world *w = *state, other = *w;
  const hm_pair flags[] = { { HM_STR("kind"), HM_STR("review") } };
  const hm_pair rule[] = { { HM_STR("rule"), HM_STR("review/flagged") } };
  hm_api_options opt = options_of(w);
  hm_err err = { 0 };
  opt.by = HM_STR("another");
  assert_int_equal(hm_api_open(&opt, &other.api, &err), 0);
  has(ask(w, "addMemory", NULL, NULL, 0, ADD("m1", "60 C")), 201, NULL);
  has(ask(w, "listFindings", NULL, flags, 1, NULL), 200, "\"count\":0");
  has(ask(w, "flagRow", "memory:m1", NULL, 0, "{\"reason\":\"odd\"}"), 200, NULL);
  has(ask(w, "listFindings", NULL, rule, 1, NULL), 200, "\"count\":1");
  has(ask(w, "listFindings", NULL, NULL, 0, NULL), 200, "odd");
  has(ask(&other, "unflagRow", "memory:m1", NULL, 0, "{\"reason\":\"fine\"}"), 200, NULL);
  has(ask(w, "listFindings", NULL, rule, 1, NULL), 200, "\"count\":0");
  has(ask(&other, "flagRow", "memory:m1", NULL, 0, "{\"reason\":\"odd\"}"), 200, NULL);
  hm_api_answer listed = ask(w, "listFindings", NULL, flags, 1, NULL);
  has(listed, 200, "\"count\":1");
  size_t at = (size_t)hm_str_find(listed.body, "\"id\":\"f") + 6;
  const char *id = hm_str_z(w->a, hm_str_sub(listed.body, at, at + 13));
  has(ask(w, "explainFinding", id, NULL, 0, NULL), 200, "\"lines\"");
  hm_api_close(other.api);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(rows_are_added_read_and_edited),
    T(dry_runs_store_nothing),
    T(errors_say_what_why_and_what_to_do),
    T(findings_follow_each_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
