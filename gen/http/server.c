/* Starts, runs and stops the server: the listening socket and the daemon on it. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "gen/http/server_impl.h"

enum {
  BODY_LIMIT = 1 << 20,
  HEAD_MS = 2000,
  DEADLINE_MS = 10000,
  CONNECTIONS = 256,
  IDLE_S = 10,
  CONNECTION_BYTES = 128 << 10
};

/* An address to listen on, or of a client. */
typedef union {
  struct sockaddr any;
  struct sockaddr_in four;
  struct sockaddr_in6 six;
} socket_address;

static bool is_six(const socket_address *p) { return p->any.sa_family == AF_INET6; }

static int read_address(const hm_server_options *opt, socket_address *p, hm_err *err) {
  const char *z = strcmp(opt->address, "localhost") == 0 ? "127.0.0.1" : opt->address;
  in_port_t port = htons((uint16_t)opt->port);
  *p = (socket_address){ .four = { .sin_family = AF_INET, .sin_port = port } };
  if (inet_pton(AF_INET, z, &p->four.sin_addr) == 1)
    return 0;
  *p = (socket_address){ .six = { .sin6_family = AF_INET6, .sin6_port = port } };
  if (inet_pton(AF_INET6, z, &p->six.sin6_addr) == 1)
    return 0;
  return hm_fail(err, HM_E_USAGE, opt->address, "not a numeric address",
                 "give 127.0.0.1, ::1, 0.0.0.0 or an address of this machine");
}

static bool is_loopback(const socket_address *p) {
  if (is_six(p))
    return IN6_IS_ADDR_LOOPBACK(&p->six.sin6_addr);
  return ntohl(p->four.sin_addr.s_addr) >> 24 == 127;
}

static int fail_listen(const hm_server_options *opt, int e, hm_err *err) {
  char what[128];
  snprintf(what, sizeof what, "port %d of %.60s", opt->port, opt->address);
  if (e == EADDRINUSE)
    return hm_fail(err, HM_E_BUSY, what, "another program listens there",
                   "end that one, or give another --port (0: any)");
  if (e == EADDRNOTAVAIL)
    return hm_fail(err, HM_E_USAGE, what, "not an address of this machine",
                   "give one that `ip address` shows");
  if (e == EACCES)
    return hm_fail(err, HM_E_USAGE, what, "the system keeps it for root",
                   "give a --port above 1023");
  return hm_fail(err, HM_E_OUTPUT, what, strerror(e), hm_errno_suggest_fix(e));
}

/* Fills s->listen_fd, address and url, and *p with the port that it got. */
static int listen_at(hm_server *s, const hm_server_options *opt, socket_address *p, hm_err *err) {
  int on = 1, family = p->any.sa_family;
  bool six = is_six(p);
  socklen_t n = six ? sizeof p->six : sizeof p->four;
  int fd = s->listen_fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return fail_listen(opt, errno, err);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (six)
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(fd, &p->any, n) || listen(fd, SOMAXCONN) || getsockname(fd, &p->any, &n))
    return fail_listen(opt, errno, err);
  const void *address = six ? (const void *)&p->six.sin6_addr : &p->four.sin_addr;
  inet_ntop(family, address, s->address, sizeof s->address);
  snprintf(s->url, sizeof s->url, six ? "http://[%s]:%d/" : "http://%s:%d/", s->address,
           ntohs(six ? p->six.sin6_port : p->four.sin_port));
  return 0;
}

/* --- the daemon ------------------------------------------------------------------- */

static void on_connection(void *server, struct MHD_Connection *c, void **conn,
                          enum MHD_ConnectionNotificationCode code) {
  hm_server *s = server;
  if (code != MHD_CONNECTION_NOTIFY_STARTED) {
    hm_conns_remove(&s->conns, *conn);
    free(*conn);
    return;
  }
  hm_conn *new = *conn = hm_xmalloc(sizeof *new);
  *new =
      (hm_conn){ .fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd };
  const socket_address *from =
      (const socket_address *)MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
          ->client_addr;
  if (is_six(from))
    memcpy(new->address, &from->six.sin6_addr, sizeof from->six.sin6_addr);
  else
    memcpy(new->address, &from->four.sin_addr, sizeof from->four.sin_addr);
  hm_conns_add(&s->conns, new);
}

/* Escapes are read by request_head.c, which sees them all. */
static size_t leave_escaped(void *ctx, struct MHD_Connection *c, char *text) {
  (void)ctx, (void)c;
  return strlen(text);
}

/* Twice the places: connections that were closed count until their threads have ended. */
static int start_daemon(hm_server *s, hm_err *err) {
  unsigned connections = 2 * (unsigned)s->conns.places;
  s->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ITC,
      0, NULL, NULL, hm_exchange_step, s, MHD_OPTION_LISTEN_SOCKET, s->listen_fd,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_URI_LOG_CALLBACK, hm_exchange_begin, s, MHD_OPTION_UNESCAPE_CALLBACK,
      leave_escaped, s, MHD_OPTION_NOTIFY_COMPLETED, hm_exchange_end, s,
      MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_END);
  if (s->daemon)
    return 0;
  return hm_fail(err, HM_E_OUTPUT, s->url, "the server could not be started",
                 "check the limits on threads and open files");
}

static void free_server(hm_server *s) {
  if (s->listen_fd >= 0)
    close(s->listen_fd);
  hm_arena_free(s->names);
  free(s);
}

int hm_server_start(const hm_server_options *opt, hm_server **out, hm_err *err) {
  int deadline_ms = opt->deadline_ms ? opt->deadline_ms : DEADLINE_MS;
  socket_address p;
  if (read_address(opt, &p, err))
    return -1;
  if (!opt->token.n && !is_loopback(&p))
    return hm_fail(err, HM_E_USAGE, opt->address,
                   "others can reach this address, and there is no token",
                   "give --token-file FILE or set HMIRROR_TOKEN, or listen on 127.0.0.1");
  hm_server *s = hm_xmalloc(sizeof *s);
  *s = (hm_server){ .tables = opt->tables,
                    .n_tables = opt->n_tables,
                    .body_limit = opt->body_limit ? opt->body_limit : BODY_LIMIT,
                    .names = hm_arena_new() };
  s->guard = (hm_guard){ .host = hm_str_dup(s->names, opt->host),
                         .token = hm_str_dup(s->names, opt->token),
                         .any_address = is_six(&p) ? IN6_IS_ADDR_UNSPECIFIED(&p.six.sin6_addr)
                                                   : p.four.sin_addr.s_addr == htonl(INADDR_ANY) };
  if (listen_at(s, opt, &p, err))
    goto fail;
  s->guard.address = hm_str_c(s->address);
  if (hm_conns_start(&s->conns, deadline_ms < HEAD_MS ? deadline_ms : HEAD_MS, deadline_ms,
                     opt->connections ? (size_t)opt->connections : CONNECTIONS)) {
    hm_fail(err, HM_E_OUTPUT, s->url, "no thread could be made", "check the limit on threads");
    goto fail;
  }
  if (start_daemon(s, err)) {
    hm_conns_end(&s->conns);
    goto fail;
  }
  *out = s;
  return 0;
fail:
  free_server(s);
  return -1;
}

const char *hm_server_url(const hm_server *s) { return s->url; }

void hm_server_stop(hm_server *s) {
  if (atomic_exchange(&s->stopping, true))
    return;
  MHD_quiesce_daemon(s->daemon);
  hm_conns_drain(&s->conns);
}

void hm_server_free(hm_server *s) {
  if (!s)
    return;
  hm_server_stop(s);
  MHD_stop_daemon(s->daemon);
  hm_conns_end(&s->conns);
  free_server(s);
}

/* --- signals ---------------------------------------------------------------------- */

enum { EXIT_SECOND_SIGNAL = 130 };

static void ending_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

void hm_server_hold_signals(void) {
  sigset_t set;
  ending_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void *end_process(void *ctx) {
  sigset_t set;
  int signal;
  (void)ctx;
  ending_signals(&set);
  while (sigwait(&set, &signal)) {
  }
  _exit(EXIT_SECOND_SIGNAL);
}

void hm_server_run(hm_server *s) {
  sigset_t set;
  int signal;
  pthread_t second;
  ending_signals(&set);
  while (sigwait(&set, &signal)) {
  }
  if (pthread_create(&second, NULL, end_process, NULL) == 0)
    pthread_detach(second);
  hm_server_stop(s);
}
