/* What the API lets an agent do, whatever its door lets through: each operation, each field. */
#include "tests/unit/gen_api_help.h"

static hm_api_answer ask(world *w, const hm_api_operation *op, const char *query, const char *body,
                         bool may_judge) {
  hm_api_answer out;
  hm_json *json = NULL;
  const hm_str params[] = { HM_STR("m1"), HM_STR("m1") };
  const hm_pair pair = { hm_str_c(query), HM_STR("m1") };
  if (body) assert_int_equal(hm_json_parse(w->a, hm_str_c(body), &json, NULL), 0);
  const hm_api_request q = { .operation = op, .params = params,
                             .n_params = hm_api_count_path_params(op), .query = &pair,
                             .n_query = query != NULL, .body = json, .by = HM_STR("codex"),
                             .via = HM_STR("mcp"), .may_judge = may_judge };
  hm_api_call(w->api, &q, w->a, &out);
  return out;
}

/* A body that its shape takes, for the operations that have one. */
static const char *body_of(const char *type) {
  static const char *const bodies[][2] = {
    { "#Resolve", "{\"resolution_notes\":\"x\"}" }, { "#Dismiss", "{\"reason\":\"x\"}" },
    { "#Reopen", "{\"reason\":\"x\"}" }, { "#Reason", "{\"reason\":\"x\"}" },
    { "#Supersede", "{\"newer\":\"m2\"}" }, { "#Reflection", "{\"ids\":[],\"text\":\"x\"}" },
    { "#ReporterToDismiss", "{\"reporter\":\"x\",\"reason\":\"x\"}" },
  };
  for (size_t i = 0; i < HM_COUNT(bodies); i++)
    if (type && !strcmp(type, bodies[i][0])) return bodies[i][1];
  return "{}";
}

/* All that write and are not for agents. */
static void operations_of_people_are_refused(void **state) {
  static const char *const agents[] = { "addEntity", "addMemory", "addRelation", "editEntity",
                                        "editMemory", "editRelation", "flagRow", "linkRows",
                                        "notAContradiction", "reportContradiction", "sweep",
                                        "unlinkRows" };
  size_t n, refused = 0;
  const hm_api_operation *all = hm_api_operations(&n);
  for (size_t i = 0; i < n; i++) {
    if (!(all[i].flags & HM_API_WRITES)) continue;
    size_t k = 0;
    while (k < HM_COUNT(agents) && strcmp(agents[k], all[i].name)) k++;
    assert_int_equal(k < HM_COUNT(agents), (all[i].flags & HM_API_OF_AGENTS) != 0);
    bool edits = k < HM_COUNT(agents) && !strncmp(all[i].name, "edit", 4); /* it has no rows of its own */
    if (k < HM_COUNT(agents) && !edits) continue;
    hm_api_answer a = ask(*state, &all[i], NULL, body_of(all[i].takes), false);
    if (a.status != 409 || !strstr(a.err.why, edits ? "rows of its own" : "only a person")) fail_msg("%s: %s", all[i].name, a.err.why);
    refused++;
  }
  assert_true(refused >= 15);
}

static const struct { const char *operation, *query, *body; int status; const char *field; } CASES[] = {
#define MEMORY(more) "{\"memory_type\":\"knowledge\",\"content\":\"The lid is red.\"" more "}"
#define ENTITY(more) "{\"entity_type\":\"Decision\",\"name\":\"x\"" more "}"
  { "addMemory", NULL, MEMORY(""), 201, "" },
  { "addMemory", NULL, MEMORY(",\"id\":\"m9\""), 422, "id" },
  { "addMemory", NULL, MEMORY(",\"created_at\":\"2020\""), 422, "created_at" },
  { "addMemory", NULL, MEMORY(",\"slot_rule\":\"lid\""), 422, "slot_rule" },
  { "addMemory", NULL, MEMORY(",\"agent\":\"kim\""), 422, "agent" },
  { "addMemory", NULL, MEMORY(",\"via\":null"), 422, "via" },
  { "addMemory", NULL, MEMORY(",\"superseded_by\":\"m1\""), 422, "superseded_by" },
  { "addMemory", NULL, MEMORY(",\"status\":\"invalid\""), 422, "status" },
  { "addMemory", NULL, MEMORY(",\"by\":\"kim\""), 422, "by" },
  { "addMemory", "by", MEMORY(""), 422, "by" },
  { "addMemory", "supersedes", MEMORY(""), 409, "supersedes" },
  { "addEntity", NULL, ENTITY(""), 201, "" },
  { "addEntity", NULL, ENTITY(",\"id\":\"e9\""), 422, "id" },
  { "addEntity", NULL, ENTITY(",\"hand_authored\":true"), 422, "hand_authored" },
  { "addEntity", "supersedes", ENTITY(""), 409, "supersedes" },
  { "addEntity", NULL, "{\"entity_type\":\"Vow\",\"name\":\"x\"}", 409, "entity_type" },
#define RELATION(type, more) "{\"from\":\"a\",\"to\":\"b\",\"type\":\"" type "\"" more "}"
  { "addRelation", NULL, RELATION("KNOWS", ""), 201, "" },
  { "addRelation", NULL, RELATION("KNOWS", ",\"id\":\"r9\""), 422, "id" },
  { "addRelation", NULL, RELATION("KNOWS", ",\"status\":\"superseded\""), 422, "status" },
  { "addRelation", NULL, RELATION("Super-sedes", ""), 409, "type" },
  { "addRelation", NULL, RELATION("SUPERSEDED_BY", ""), 409, "type" },
  { "addRelation", NULL, RELATION("PARENT_OF", ""), 409, "type" },
  { "addRelation", "supersedes", RELATION("KNOWS", ""), 409, "supersedes" },
  { "linkRows", NULL, "{\"src\":\"a\",\"dst\":\"b\",\"rel\":\"superseded by\"}", 409, "rel" },
  { "linkRows", NULL, "{\"src\":\"a\",\"dst\":\"b\",\"rel\":\"super/sedes\"}", 409, "rel" },
  { "unlinkRows", NULL, "{\"src\":\"a\",\"dst\":\"b\"}", 409, "rel" },
  { "addMemory", "policy", MEMORY(""), 422, "policy" },
};

static void fields_of_people_are_refused(void **state) {
  for (size_t i = 0; i < HM_COUNT(CASES); i++) {
    hm_api_answer a =
        ask(*state, named(CASES[i].operation), CASES[i].query, CASES[i].body, false);
    if (a.status != CASES[i].status || strcmp(a.err.field, CASES[i].field))
      fail_msg("%s %s: %d, %s: %s", CASES[i].operation, CASES[i].body, a.status, a.err.field,
               a.err.why);
  }
}

static void rows_say_who_wrote_them(void **state) {
  static const bool may_judge[] = { false, true };
  for (size_t i = 0; i < HM_COUNT(may_judge); i++) {
    hm_api_answer a = ask(*state, named("addMemory"), NULL, MEMORY(""), may_judge[i]);
    assert_int_equal(a.status, 201);
    assert_true(hm_str_find(a.body, "\"agent\":\"codex\"") > 0);
    assert_true(hm_str_find(a.body, "\"via\":\"mcp\"") > 0);
  }
  /* With a person's leave it may do more, and not say that it was another. */
  hm_api_answer a = ask(*state, named("addMemory"), NULL, MEMORY(",\"id\":\"m9\",\"agent\":\"kim\",\"via\":\"hand\""), true);
  assert_int_equal(a.status, 201);
  assert_true(hm_str_find(a.body, "\"agent\":\"codex\"") > 0);
  assert_true(hm_str_find(a.body, "\"via\":\"mcp\"") > 0);
  assert_int_equal(ask(*state, named("addMemory"), "by", MEMORY(""), true).status, 422);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(operations_of_people_are_refused, begin, end),
    cmocka_unit_test_setup_teardown(fields_of_people_are_refused, begin, end),
    cmocka_unit_test_setup_teardown(rows_say_who_wrote_them, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
