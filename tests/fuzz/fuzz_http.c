/* Any bytes as a request: first line "METHOD TARGET", headers "Name: value" until an empty line,
 * the rest is the body. The target is refused or in normal form; the head is refused with a status
 * of its own or has one meaning; the body is held against the shapes of the API. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "gen/api/api_impl.h"
#include "gen/http/request_head.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADERS_MAX = 200, HEADER_LIMIT = 32 << 10 };

static void must(bool ok) {
  if (!ok) abort();
}

static hm_str line_of(hm_str *rest) {
  ptrdiff_t n = hm_str_find(*rest, "\n");
  hm_str line = hm_str_sub(*rest, 0, n < 0 ? rest->n : (size_t)n);
  *rest = hm_str_sub(*rest, n < 0 ? rest->n : (size_t)n + 1, rest->n);
  return line;
}

static void check_uri(hm_arena *a, hm_str target) {
  hm_uri u;
  hm_err err = { 0 };
  hm_str params[HM_PARAMS_MAX];
  if (hm_uri_parse(a, target, &u, &err)) {
    must(err.code == HM_E_INPUT && *err.why);
    return;
  }
  must(hm_str_starts(u.path, "/") && u.n <= HM_SEGMENTS_MAX && u.n_query <= HM_QUERY_MAX);
  must(!memchr(u.path.p, 0, u.path.n));
  for (size_t i = 0; i < u.n; i++)
    must(u.segments[i].n && !hm_str_is(u.segments[i], ".") && !hm_str_is(u.segments[i], ".."));
  size_t n;
  const hm_api_operation *all = hm_api_operations(&n);
  for (size_t i = 0; i < n; i++) hm_uri_matches(&u, all[i].path, params);
  if (!hm_uri_matches(&u, "/{rest...}", params)) return;
  must(hm_str_find(params[0], "../") < 0 || hm_str_find(params[0], "/../") < 0);
}

static void check_head(const hm_request *q) {
  hm_guard g = { .address = HM_STR("127.0.0.1"),
                 .host = HM_STR("facts.example"),
                 .token = HM_STR("0123456789abcdef") };
  hm_err err = { 0 };
  bool found;
  int status = hm_guard_header_syntax(q->headers, q->n_headers, HEADER_LIMIT, &err);
  must(status == 0 || status == 400 || status == 431);
  hm_str host = hm_request_header(q, "Host", &found);
  must(status || found);
  status = hm_guard_host(&g, host, &err);
  must(status == 0 || status == 421);
  status = hm_guard_token(&g, hm_request_header(q, "Authorization", NULL), &err);
  must(status == 0 || status == 401);
  status = hm_guard_origin(q, host, &err);
  must(status == 0 || (status == 403 && q->method != HM_GET));
  status = hm_guard_type(HM_TAKES_JSON | HM_TAKES_FORM, hm_request_header(q, "Content-Type", NULL),
                         &err);
  must(status == 0 || status == 415);
}

static void check_body(hm_arena *a, hm_str body) {
  hm_json *v = NULL;
  size_t n;
  hm_err err = { 0 };
  char *plain = hm_alloc(a, body.n + 1);
  must(hm_base64_decode(body, plain, body.n) <= body.n);
  if (hm_json_parse(a, body, &v, &err)) return;
  const hm_api_operation *all = hm_api_operations(&n);
  for (size_t i = 0; i < n; i++) {
    const hm_api_request q = { .operation = &all[i], .body = v };
    if (all[i].takes && hm_request_check_body(&q, &err)) must(err.code == HM_E_INPUT);
  }
  hm_shape_fits_text(HM_STR("a|b|integer"), body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_str rest = { (const char *)data, size }, first = line_of(&rest);
  ptrdiff_t space = hm_str_find(first, " ");
  hm_pair *h = hm_alloc_array(a, HEADERS_MAX, sizeof *h);
  hm_request q = { .headers = h, .method = hm_str_starts(first, "POST ") ? HM_POST : HM_GET };
  check_uri(a, hm_str_sub(first, space < 0 ? 0 : (size_t)space + 1, first.n));
  for (hm_str line; q.n_headers < HEADERS_MAX && (line = line_of(&rest)).n;) {
    ptrdiff_t colon = hm_str_find(line, ":");
    size_t at = colon < 0 ? line.n : (size_t)colon;
    h[q.n_headers++] = (hm_pair){ hm_str_sub(line, 0, at),
                                  hm_str_trim(hm_str_sub(line, at + (at < line.n), line.n)) };
  }
  check_head(&q);
  check_body(a, rest);
  hm_arena_free(a);
  return 0;
}
