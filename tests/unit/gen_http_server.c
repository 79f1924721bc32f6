/* The server with routes of the test's own: answers, errors, events, an end that waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
#include "gen/http/http.h"

static atomic_int made, released, ended, told, at_slow;

static int echo(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  (void)err;
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "%s %.*s %s", (const char *)ctx, HM_FMT(q->params[0]), q->json ? "json" : "-");
  r->body = hm_buf_copy(&b, q->a);
  hm_buf_free(&b);
  r->type = "text/plain";
  return HM_ANSWERED;
}

static int fails(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  (void)ctx, (void)r;
  hm_fail(err, HM_E_STATE, "this", "settled", "");
  return hm_err_at_field(err, q->params[0]);
}

static int passes(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  (void)ctx, (void)q, (void)r, (void)err;
  return HM_PASS;
}

static void on_release(void *owner) { atomic_fetch_add((atomic_int *)owner, 1); }

static int big(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  (void)ctx, (void)err;
  char *p = hm_alloc(q->a, 3000000);
  memset(p, 'x', 3000000);
  atomic_fetch_add(&made, 1);
  r->body = (hm_str){ p, 3000000 };
  r->release = on_release;
  r->owner = &released;
  return HM_ANSWERED;
}

static ptrdiff_t next_event(void *ctx, char *out, size_t max) {
  (void)ctx;
  usleep(20000);
  atomic_fetch_add(&told, 1);
  return snprintf(out, max, "data: x\n\n");
}

static void end_event(void *ctx) { (void)ctx, atomic_fetch_add(&ended, 1); }

static int events(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  (void)ctx, (void)err;
  hm_event_stream *e = hm_alloc(q->a, sizeof *e);
  *e = (hm_event_stream){ .next = next_event, .done = end_event };
  r->events = e;
  return HM_ANSWERED;
}

static int slow(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  (void)ctx, (void)q, (void)err;
  atomic_store(&at_slow, 1);
  usleep(500000);
  r->body = HM_STR("slow");
  return HM_ANSWERED;
}

static const hm_route first[] = { { "/{path...}", HM_GET, 0, passes, NULL } };
static const hm_route second[] = {
  { "/big", HM_GET, 0, big, NULL },           { "/echo/{x}", HM_GET, 0, echo, NULL },
  { "/echo/{x}", HM_POST, HM_TAKES_JSON, echo, NULL }, { "/events", HM_GET, 0, events, NULL },
  { "/fail/{x}", HM_GET, 0, fails, NULL },    { "/post", HM_POST, HM_TAKES_JSON, echo, NULL },
  { "/slow", HM_GET, 0, slow, NULL },
};
static const hm_route_table tables[] = { { first, 1, NULL }, { second, 7, (void *)"ctx" } };

static hm_server *start(int deadline_ms) {
  hm_server_options opt = { .address = "127.0.0.1",
                            .tables = tables,
                            .n_tables = 2,
                            .deadline_ms = deadline_ms,
                            .body_limit = 1000 };
  hm_server *s;
  hm_err err;
  if (hm_server_start(&opt, &s, &err)) fail_msg("%s: %s", err.what, err.why);
  return s;
}

static int port_of(const hm_server *s) { return atoi(strrchr(hm_server_url(s), ':') + 1); }

static int dial(const hm_server *s) {
  struct sockaddr_in to = { .sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port_of(s)),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
  return fd;
}

/* Sends text and returns all that comes until the other side closes, to be freed. */
static char *ask_at(int fd, const char *text) {
  hm_buf b = { 0 };
  char part[65536];
  assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
  for (ssize_t n; (n = recv(fd, part, sizeof part, 0)) > 0;) hm_buf_add(&b, part, (size_t)n);
  close(fd);
  hm_buf_ch(&b, 0);
  return b.p;
}

static char *ask(const hm_server *s, const char *text) { return ask_at(dial(s), text); }

#define HEAD(line) line " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"

static void expect(const hm_server *s, const char *request, const char *status, const char *has) {
  char *got = ask(s, request);
  if (strncmp(got, "HTTP/1.1 ", 9) || strncmp(got + 9, status, 3) || !strstr(got, has))
    fail_msg("asked:\n%s\nwanted %s and %s, got:\n%.2000s", request, status, has, got);
  assert_non_null(strstr(got, "X-Content-Type-Options: nosniff"));
  assert_non_null(strstr(got, "Content-Security-Policy: default-src 'none'"));
  free(got);
}

static void test_routes(void **state) {
  (void)state;
  hm_server *s = start(0);
  expect(s, HEAD("GET /echo/a%2Fb") "\r\n", "200", "\r\n\r\nctx a/b -");
  expect(s, HEAD("POST /echo/1") "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
         "200", "ctx 1 json");
  expect(s, HEAD("POST /echo/1") "Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{",
         "400", "not valid JSON");
  expect(s, HEAD("POST /echo/1") "\r\n", "200", "ctx 1 -");
  expect(s, HEAD("POST /echo/1") "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", "415",
         "application/json");
  expect(s, HEAD("GET /fail/name") "\r\n", "409", "\"field\":\"name\"");
  expect(s, HEAD("GET /nothing") "\r\n", "404", "\"code\":\"unknown\"");
  expect(s, HEAD("GET /post") "\r\n", "405", "Allow: POST\r\n");
  expect(s, HEAD("DELETE /echo/1") "\r\n", "405", "Allow: GET, HEAD, POST\r\n");
  expect(s, HEAD("GET /echo/../fail/x") "\r\n", "400", "normal form");
  expect(s, "GET /echo/1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "421",
         "Host");
  expect(s, "GET /echo/1 HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "400",
         "sent twice");
  expect(s, HEAD("HEAD /echo/1") "\r\n", "200", "Content-Length: 7\r\n");
  hm_server_free(s);
}

static void test_limits(void **state) {
  (void)state;
  hm_server *s = start(0);
  hm_buf b = { 0 };
  hm_buf_c(&b,
           HEAD("POST /echo/1") "Content-Type: application/json\r\nContent-Length: 1001\r\n\r\n");
  for (int i = 0; i < 1001; i++) hm_buf_ch(&b, ' ');
  hm_buf_ch(&b, 0);
  expect(s, b.p, "413", "longer than 1000 bytes");
  expect(
      s,
      HEAD("POST /echo/1") "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n",
      "413", "longer");
  hm_buf_clear(&b);
  hm_buf_c(
      &b,
      HEAD("POST /echo/1") "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 101; i++) hm_buf_c(&b, "a\r\n          \r\n");
  hm_buf_c(&b, "0\r\n\r\n");
  hm_buf_ch(&b, 0);
  expect(s, b.p, "413", "longer than 1000 bytes");
  hm_buf_clear(&b);
  hm_buf_c(&b, HEAD("GET /echo/1") "X: ");
  for (int i = 0; i < 40000; i++) hm_buf_ch(&b, 'x');
  hm_buf_c(&b, "\r\n\r\n");
  hm_buf_ch(&b, 0);
  expect(s, b.p, "431", "too long");
  hm_buf_free(&b);
  hm_server_free(s);
}

static void test_big_body_is_released(void **state) {
  (void)state;
  hm_server *s = start(0);
  char *got = ask(s, HEAD("GET /big") "\r\n");
  assert_true(strlen(got) > 3000000);
  free(got);
  int fd = dial(s);   /* goes away in the middle */
  assert_true(send(fd, HEAD("GET /big") "\r\n", strlen(HEAD("GET /big") "\r\n"), 0) > 0);
  close(fd);
  hm_server_free(s);
  assert_true(atomic_load(&made) > 0);
  assert_int_equal(atomic_load(&released), atomic_load(&made));
}

static void test_slow_clients(void **state) {
  (void)state;
  enum {
    MOST = 1500
  }; /* half a minute: it is dropped after some fifteen, and later where the machine is busy */
  hm_server *s = start(300);
  static const char *const drips[] = {
    "GET /ec", "GET /echo/1 HTTP/1.1\r\nHost: lo",
    HEAD("POST /post") "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{ "
  };
  for (size_t i = 0; i < 3; i++) {
    int fd = dial(s), sent = 0;
    send(fd, drips[i], strlen(drips[i]), MSG_NOSIGNAL);
    char c = 0;
    while (sent < MOST && recv(fd, &c, 1, MSG_DONTWAIT) < 0 &&
           send(fd, " ", i == 2 ? 0 : 1, MSG_NOSIGNAL) >= 0) {
      sent++;
      usleep(20000);
    }
    assert_true(sent < MOST);
    close(fd);
  }
  hm_server_free(s);
}

/* As soon as both requests are being answered. */
static void *stop(void *s) {
  for (int i = 0; i < 3000 && !(atomic_load(&told) && atomic_load(&at_slow)); i++) usleep(10000);
  hm_server_stop(s);
  return NULL;
}

static void test_stop_finishes_what_runs(void **state) {
  (void)state;
  hm_server *s = start(0);
  pthread_t t;
  int idle = dial(s), stream = dial(s), late;
  assert_true(send(stream, HEAD("GET /events") "\r\n", strlen(HEAD("GET /events") "\r\n"), 0) > 0);
  pthread_create(&t, NULL, stop, s);
  char *got = ask(s, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert_non_null(strstr(got, "\r\n\r\nslow"));
  assert_non_null(strstr(got, "Connection: close"));
  free(got);
  pthread_join(t, NULL);
  char c;
  assert_int_equal(recv(idle, &c, 1, 0), 0);
  char *seen = ask_at(stream, "");
  assert_non_null(strstr(seen, "data: x"));
  free(seen);
  close(idle);
  struct sockaddr_in to = { .sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port_of(s)),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  late = socket(AF_INET, SOCK_STREAM, 0);
  hm_server_free(s);
  assert_int_equal(atomic_load(&ended), 1);
  assert_int_equal(connect(late, (struct sockaddr *)&to, sizeof to), -1);
  close(late);
}

static void test_addresses(void **state) {
  (void)state;
  hm_server *s = start(0), *t;
  hm_err err;
  hm_server_options opt = {
    .address = "127.0.0.1", .port = port_of(s), .tables = tables, .n_tables = 2
  };
  assert_int_equal(hm_server_start(&opt, &t, &err), -1);
  assert_int_equal(err.code, HM_E_BUSY);
  opt.address = "0.0.0.0";
  assert_int_equal(hm_server_start(&opt, &t, &err), -1);
  assert_int_equal(err.code, HM_E_USAGE);
  opt.address = "localhost.example";
  assert_int_equal(hm_server_start(&opt, &t, &err), -1);
  assert_int_equal(err.code, HM_E_USAGE);
  hm_server_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_routes),
    cmocka_unit_test(test_limits),
    cmocka_unit_test(test_big_body_is_released),
    cmocka_unit_test(test_slow_clients),
    cmocka_unit_test(test_stop_finishes_what_runs),
    cmocka_unit_test(test_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
