/* Bytes as what a client of `hmirror mcp` writes, line by line, to a server with a store of its
 * own. Each request is answered with one line of JSON under its id; nothing else is answered. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/base/json.h"
#include "gen/mcp/mcp_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool holds) {
  if (!holds) abort();
}

/* The API of an empty store, which inputs fill; it is gone with the process. */
static hm_api *open_api(void) {
  static hm_store_source source;
  static char path[64] = "/tmp/hm-fuzz-mcp-XXXXXX";
  hm_store *s;
  hm_api *api;
  hm_err err = { 0 };
  int fd = mkstemp(path);
  check(fd >= 0 && !close(fd) && !unlink(path));
  check(!hm_store_open(&s, path, HM_STORE_CREATE, 1000, &err));
  hm_store_close(s);
  source.path = path;
  const hm_api_options opt = { .store = &source, .rules = hm_rules_default(),
                               .by = HM_STR("fuzz"), .busy_ms = 1000 };
  check(!hm_api_open(&opt, &api, &err));
  unlink(path);
  return api;
}

static const hm_json *parse(hm_str line, hm_arena *a) {
  hm_json *v;
  check(line.n && line.p[line.n - 1] == '\n' && !memchr(line.p, '\n', line.n - 1));
  check(!hm_json_parse(a, line, &v, NULL));
  check(hm_str_is(hm_json_get_text(v, "jsonrpc"), "2.0"));
  return v;
}

static void check_answer(hm_str line, hm_str id, hm_arena *a) {
  const hm_json *v = parse(line, a), *error = hm_json_get(v, "error"), *given;
  check(!error != !hm_json_get(v, "result"));
  if (error) check(hm_json_get(error, "code") && hm_json_get_text(error, "message").n);
  given = hm_json_get(v, "id");
  check(given != NULL);
  hm_json alone = *given;
  alone.key = HM_EMPTY;
  check(hm_str_eq(hm_json_as_text(&alone, a), id.n ? id : HM_STR("null")));
}

static void take_line(hm_mcp_session *s, hm_str line) {
  hm_arena *a = hm_arena_new();
  hm_mcp_message m;
  hm_mcp_fault fault;
  hm_buf out = { 0 };
  if (hm_mcp_parse_message(line, a, &m, &fault)) {
    check(fault.code < 0 && *fault.why);
    hm_mcp_write_error(&out, m.id, fault.code, hm_str_c(fault.why), HM_EMPTY);
    check_answer(hm_buf_view(&out), m.id, a);
  } else if (m.id.n && m.method.n) {
    hm_mcp_answer(s, &m, a, &out);
    check_answer(hm_buf_view(&out), m.id, a);
  }
  hm_buf_free(&out);
  hm_arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static hm_api *api;
  hm_str rest = { (const char *)data, n };
  if (!api) api = open_api();
  const hm_mcp_options opt = { .api = api, .agent = HM_EMPTY, .may_judge = n % 2 };
  hm_mcp_session *s = hm_mcp_session_new(&opt);
  while (rest.n) {
    const char *end = memchr(rest.p, '\n', rest.n);
    size_t length = end ? (size_t)(end - rest.p) : rest.n;
    take_line(s, hm_str_sub(rest, 0, length));
    rest = hm_str_sub(rest, length + (end != NULL), rest.n);
  }
  hm_mcp_session_free(s);
  return 0;
}
