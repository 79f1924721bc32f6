/* Lines as messages of the protocol: what is one, what is not and why, and ids that come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "gen/mcp/mcp_impl.h"

static hm_arena *A;

/* code 0: it is a message; id and method NULL: it has none. */
static const struct { const char *line; int code; const char *id, *method; } CASES[] = {
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", 0, "1", "ping" },
  { "{\"jsonrpc\":\"2.0\",\"id\":-5,\"method\":\"ping\",\"params\":{}}", 0, "-5", "ping" },
  { "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u00e4\\\"\",\"method\":\"x/y\"}", 0, "\"a\xc3\xa4\\\"\"", "x/y" },
  { "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}", 0, "", "notifications/cancelled" },
  { "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}", 0, "4", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{}}", 0, "4", "" },
  { "", HM_RPC_PARSE, "", "" },
  { "{\"jsonrpc\":\"2.0\",", HM_RPC_PARSE, "", "" },
  { "{\"jsonrpc\":\"2.0\"} {}", HM_RPC_PARSE, "", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", HM_RPC_PARSE, "", "" },
  { "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", HM_RPC_REQUEST, "", "" },
  { "\"ping\"", HM_RPC_REQUEST, "", "" },
  { "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", HM_RPC_REQUEST, "1", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"ping\"}", HM_RPC_REQUEST, "", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1e2,\"method\":\"ping\"}", HM_RPC_REQUEST, "", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", HM_RPC_REQUEST, "", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", HM_RPC_REQUEST, "", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1}", HM_RPC_REQUEST, "1", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\"}", HM_RPC_REQUEST, "1", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", HM_RPC_PARAMS, "1", "" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}", HM_RPC_PARAMS, "1", "" },
};

static void lines_are_read(void **state) {
  (void)state;
  for (size_t i = 0; i < HM_COUNT(CASES); i++) {
    hm_mcp_message m;
    hm_mcp_fault fault = { 0, "" };
    int rc = hm_mcp_parse_message(hm_str_c(CASES[i].line), A, &m, &fault);
    if (rc != (CASES[i].code ? -1 : 0) || fault.code != CASES[i].code ||
        !hm_str_is(m.id, CASES[i].id) || !hm_str_is(m.method, CASES[i].method))
      fail_msg("%s: %d, id %.*s, method %.*s", CASES[i].line, fault.code, HM_FMT(m.id),
               HM_FMT(m.method));
    assert_true(!rc || *fault.why);
  }
}

static void long_ids_are_refused(void **state) {
  (void)state;
  static const struct { size_t n; int rc; } cases[] = { { HM_MCP_ID_MAX - 2, 0 },
                                                        { HM_MCP_ID_MAX - 1, -1 } };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_mcp_message m;
    hm_mcp_fault fault;
    char id[HM_MCP_ID_MAX + 1] = { 0 };
    memset(id, 'x', cases[i].n);
    hm_str line = hm_str_fmt(A, "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"ping\"}", id);
    assert_int_equal(hm_mcp_parse_message(line, A, &m, &fault), cases[i].rc);
  }
}

static void answers_are_lines(void **state) {
  (void)state;
  hm_buf b = { 0 };
  hm_mcp_write_result(&b, HM_STR("\"a\""), HM_STR("{}"));
  hm_mcp_write_error(&b, HM_EMPTY, -32700, HM_STR("a \"b\"\n"), HM_EMPTY);
  hm_mcp_write_error(&b, HM_STR("7"), -32002, HM_STR("c"), HM_STR("{\"x\":1}"));
  assert_true(hm_str_is(hm_buf_view(&b),
    "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"a \\\"b\\\"\\n\"}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32002,\"message\":\"c\",\"data\":{\"x\":1}}}\n"));
  hm_buf_free(&b);
}

/* Every argument has a place in an operation, every fixed pair is a parameter of it. */
static void argument_fits(const hm_tool *t, const hm_api_operation *op, hm_str name) {
  hm_shape_field other;
  hm_str called = hm_tool_renamed(t->as, name);
  assert_true(hm_str_eq(hm_tool_renamed_back(t->as, called), name));
  bool of_path = hm_str_find(hm_str_c(op->path), hm_str_fmt(A, "{%.*s}", HM_FMT(called)).p) >= 0;
  if (of_path || op->takes || hm_str_is(name, "cursor")) return;
  if (!hm_shape_find_field(op->query, called, &other)) fail_msg("%s: %.*s has no place", t->name, HM_FMT(name));
}

/* Each route leads to a tool without routes, and each argument of its front somewhere. */
static void routes_lead_somewhere(const hm_tool *t) {
  hm_shape_field f, other;
  for (const hm_tool_route *r = t->routes; r->tool; r++) {
    const hm_tool *to = hm_find_tool(hm_str_c(r->tool));
    if (!to || to->routes) fail_msg("%s: %s is no end of a route", t->name, r->tool);
  }
  const char *table = hm_tool_table(t, A);
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, &f);) {
    bool placed = t->operation != NULL;
    for (const hm_tool_route *r = t->routes; r->tool && !placed; r++) {
      hm_str name = hm_tool_renamed(r->as, f.name);
      placed = hm_str_starts(hm_str_c(r->when), hm_str_z(A, f.name)) ||
          hm_shape_find_field(hm_tool_table(hm_find_tool(hm_str_c(r->tool)), A), name, &other);
    }
    if (!placed) fail_msg("%s: %.*s goes nowhere", t->name, HM_FMT(f.name));
  }
}

static void tools_fit_their_operations(void **state) {
  (void)state;
  size_t n;
  const hm_tool *tools = hm_tools(&n);
  for (size_t i = 0; i < n; i++) {
    const hm_tool *t = &tools[i];
    hm_shape_field f;
    hm_pair with[4];
    for (size_t k = 0; k < i; k++) assert_string_not_equal(t->name, tools[k].name);
    if (t->routes) routes_lead_somewhere(t);
    if (!t->operation) continue;
    const hm_api_operation *op = hm_api_find_operation(hm_str_c(t->operation));
    if (!op) fail_msg("%s: no operation %s", t->name, t->operation);
    assert_true(hm_str_is(hm_str_c(t->gives), op->gives));
    for (size_t k = hm_tool_fixed_query(t, with, 4); k-- > 0;)
      if (!hm_shape_find_field(op->query, with[k].name, &f)) fail_msg("%s: %s", t->name, t->with);
    const char *table = hm_tool_table(t, A);
    for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, &f);)
      argument_fits(t, op, f.name);
    bool writes = op->flags & HM_API_WRITES;
    assert_int_equal(writes, (t->flags & HM_TOOL_WRITES) != 0);
    /* What the table calls a verdict is one to the API. */
    if (writes) assert_int_equal(!(op->flags & HM_API_OF_AGENTS), (t->flags & HM_TOOL_JUDGES) != 0);
  }
}

static int begin(void **state) {
  (void)state;
  A = hm_arena_new();
  return 0;
}
static int end(void **state) {
  (void)state;
  hm_arena_free(A);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_are_read), cmocka_unit_test(long_ids_are_refused),
    cmocka_unit_test(answers_are_lines), cmocka_unit_test(tools_fit_their_operations),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
