/* Runs a session on two files: one thread reads lines, one answers requests in turn, one tells of
 * the progress of a request that lasts.
 *
 * Writes only whole messages to `out`, one write each under a lock. Skips and refuses a line longer
 * than HM_MCP_LINE_MAX. Stops reading while the queue of requests is full. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "core/base/par.h"
#include "gen/mcp/mcp_impl.h"

enum { WAITING = 32, CHUNK = 64 << 10 };

typedef struct request {
  struct request *next;
  hm_arena *a; /* of the message */
  hm_mcp_message m;
  int64_t began, told; /* on hm_clock_ms, once it runs; so many seconds of it were told */
  atomic_bool cancelled;
} request;

typedef struct {
  hm_mcp_session *session;
  int out;
  pthread_mutex_t lock; /* of all below */
  pthread_cond_t changed;
  request *first, **last, *running;
  size_t n;
  bool telling;       /* of the running one's progress */
  bool ended;         /* the input is at its end */
  bool output_closed; /* nobody reads `out` any more */
  pthread_mutex_t writing;
} server;

/* --- writing ----------------------------------------------------------------------------- */

/* A client may have made the pipe non-blocking: then a full pipe is no failure. */
static void write_all(server *s, hm_str text) {
  bool failed = false;
  pthread_mutex_lock(&s->writing);
  while (text.n && !failed) {
    ssize_t n = write(s->out, text.p, text.n);
    if (n > 0)
      text = hm_str_sub(text, (size_t)n, text.n);
    else if (n < 0 && errno == EAGAIN)
      poll(&(struct pollfd){ s->out, POLLOUT, 0 }, 1, -1);
    else
      failed = n < 0 && errno != EINTR;
  }
  pthread_mutex_unlock(&s->writing);
  if (!failed)
    return;
  pthread_mutex_lock(&s->lock);
  s->output_closed = true;
  pthread_mutex_unlock(&s->lock);
}

static void send_buf(server *s, hm_buf *b) {
  write_all(s, hm_buf_view(b));
  hm_buf_free(b);
}

/* --- the queue --------------------------------------------------------------------------- */

static void free_request(request *r) {
  if (r)
    hm_arena_free(r->a);
}

/* Waits for the next request; NULL when there will be no more. */
static request *next_request(server *s) {
  pthread_mutex_lock(&s->lock);
  while (!s->first && !s->ended)
    pthread_cond_wait(&s->changed, &s->lock);
  request *r = s->first;
  if (r) {
    s->first = r->next;
    if (!s->first)
      s->last = &s->first;
    s->n--;
  }
  if (r)
    r->began = hm_clock_ms();
  s->running = r;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  return r;
}

/* Ends the running request. True if its answer is still to be sent. */
static bool end_request(server *s, const request *r) {
  pthread_mutex_lock(&s->lock);
  while (s->telling)
    pthread_cond_wait(&s->changed, &s->lock);
  bool wanted = !r->cancelled && !s->output_closed;
  s->running = NULL;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  return wanted;
}

static void *answer_in_turn(void *ctx) {
  server *s = ctx;
  for (request *r; (r = next_request(s));) {
    hm_buf b = { 0 };
    hm_arena *a = hm_arena_new();
    pthread_mutex_lock(&s->lock);
    bool wanted = !r->cancelled && !s->output_closed;
    pthread_mutex_unlock(&s->lock);
    if (wanted)
      hm_mcp_answer(s->session, &r->m, a, &b);
    if (end_request(s, r))
      send_buf(s, &b);
    else
      hm_buf_free(&b);
    hm_arena_free(a);
    free_request(r);
  }
  return NULL;
}

/* Tells each second how long the running request has run, if its client gave a token. */
static void *tell_progress(void *ctx) {
  server *s = ctx;
  pthread_mutex_lock(&s->lock);
  while (!s->ended || s->first || s->running) {
    request *r = s->running;
    bool wanted = r && r->m.progress.n && !r->cancelled;
    int64_t seconds = wanted ? (hm_clock_ms() - r->began) / 1000 : 0;
    if (wanted && seconds > r->told) {
      hm_buf b = { 0 };
      r->told = seconds;
      hm_mcp_write_progress(&b, r->m.progress, seconds);
      s->telling = true; /* the answer waits, as nothing is told of a request after it */
      pthread_mutex_unlock(&s->lock);
      send_buf(s, &b);
      pthread_mutex_lock(&s->lock);
      s->telling = false;
      pthread_cond_broadcast(&s->changed);
    } else if (wanted) {
      const struct timespec then = hm_cond_deadline(1000);
      pthread_cond_timedwait(&s->changed, &s->lock, &then);
    } else {
      pthread_cond_wait(&s->changed, &s->lock);
    }
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

/* Waits while the queue is full. */
static void queue_request(server *s, request *r) {
  pthread_mutex_lock(&s->lock);
  while (s->n == WAITING)
    pthread_cond_wait(&s->changed, &s->lock);
  *s->last = r;
  s->last = &r->next;
  s->n++;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
}

/* Cancels the request that a notification names, running or queued. */
static void cancel_request(server *s, const hm_json *params, hm_arena *a) {
  const hm_json *given = hm_json_get(params, "requestId");
  if (!given)
    return;
  hm_json alone = *given;
  alone.key = HM_EMPTY;
  hm_str id = hm_json_as_text(&alone, a);
  pthread_mutex_lock(&s->lock);
  if (s->running && hm_str_eq(s->running->m.id, id))
    s->running->cancelled = true;
  for (request *r = s->first; r; r = r->next)
    if (hm_str_eq(r->m.id, id))
      r->cancelled = true;
  pthread_mutex_unlock(&s->lock);
}

/* --- reading ----------------------------------------------------------------------------- */

static void refuse_line(server *s, hm_str id, const hm_mcp_fault *f) {
  hm_buf b = { 0 };
  hm_mcp_write_error(&b, id, f->code, hm_str_c(f->why), HM_EMPTY);
  send_buf(s, &b);
}

static void take_line(server *s, hm_str line) {
  hm_mcp_fault fault;
  if (!hm_str_trim(line).n)
    return;
  hm_arena *a = hm_arena_new();
  request *r = hm_alloc(a, sizeof *r);
  *r = (request){ .a = a };
  int rc = hm_mcp_parse_message(line, a, &r->m, &fault);
  r->m.stop = &r->cancelled;
  if (rc) {
    refuse_line(s, r->m.id, &fault);
  } else if (r->m.id.n && r->m.method.n && hm_mcp_answers_at_once(s->session, &r->m)) {
    hm_buf b = { 0 };
    hm_mcp_answer(s->session, &r->m, a, &b);
    send_buf(s, &b);
  } else if (r->m.id.n && r->m.method.n) {
    queue_request(s, r);
    return;
  } else if (hm_str_is(r->m.method, "notifications/cancelled")) {
    cancel_request(s, r->m.params, a);
  }
  free_request(r);
}

static bool client_stopped_reading(server *s) {
  pthread_mutex_lock(&s->lock);
  bool is = s->output_closed;
  pthread_mutex_unlock(&s->lock);
  return is;
}

/* Handles the whole lines of b, looking for line feeds from `from` on, and moves the rest to the
 * front. *skips: inside a line that is too long, of which *search has read what b has no more. */
static void take_lines(server *s, hm_buf *b, size_t from, bool *skips, hm_mcp_id_search *search) {
  static const hm_mcp_fault too_long = { HM_RPC_REQUEST,
                                         "the line is longer than 1 MiB: send less at once" };
  size_t begin = 0;
  for (const char *end; (end = memchr(b->p + from, '\n', b->n - from));) {
    size_t at = (size_t)(end - b->p);
    hm_str line = hm_str_sub(hm_buf_view(b), begin, at);
    if (*skips || line.n > HM_MCP_LINE_MAX) {
      hm_mcp_id_search_add(search, line);
      refuse_line(s, hm_str_c(search->id), &too_long);
      *search = (hm_mcp_id_search){ 0 };
    } else {
      take_line(s, line);
    }
    *skips = false;
    begin = from = at + 1;
  }
  memmove(b->p, b->p + begin, b->n - begin);
  b->n -= begin;
  if (*skips || b->n > HM_MCP_LINE_MAX) {
    *skips = true;
    hm_mcp_id_search_add(search, hm_buf_view(b));
    hm_buf_clear(b);
  }
}

static void read_lines(server *s, int in) {
  hm_buf b = { 0 };
  bool skips = false;
  hm_mcp_id_search search = { 0 };
  while (!client_stopped_reading(s) && hm_buf_room(&b, CHUNK)) {
    ssize_t n = read(in, b.p + b.n, CHUNK);
    if (n < 0 && errno == EAGAIN) {
      poll(&(struct pollfd){ in, POLLIN, 0 }, 1, -1);
      continue;
    }
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    size_t from = b.n;
    b.n += (size_t)n;
    take_lines(s, &b, from, &skips, &search);
  }
  if (b.n && !skips)
    take_line(s, hm_buf_view(&b));
  hm_buf_free(&b);
}

int hm_mcp_serve(const hm_mcp_options *opt, int in, int out, hm_err *err) {
  server s = { .out = out, .session = hm_mcp_session_new(opt) };
  pthread_t thread, teller;
  s.last = &s.first;
  signal(SIGPIPE, SIG_IGN);
  pthread_mutex_init(&s.lock, NULL);
  pthread_mutex_init(&s.writing, NULL);
  hm_cond_init(&s.changed);
  bool runs = !pthread_create(&thread, NULL, answer_in_turn, &s),
       tells = runs && !pthread_create(&teller, NULL, tell_progress, &s);
  if (runs)
    read_lines(&s, in);
  pthread_mutex_lock(&s.lock);
  s.ended = true;
  pthread_cond_broadcast(&s.changed);
  pthread_mutex_unlock(&s.lock);
  if (runs)
    pthread_join(thread, NULL);
  if (tells)
    pthread_join(teller, NULL);
  pthread_cond_destroy(&s.changed);
  pthread_mutex_destroy(&s.writing);
  pthread_mutex_destroy(&s.lock);
  hm_mcp_session_free(s.session);
  if (!runs)
    return hm_fail(err, HM_E_INTERNAL, "a thread", "there is none to be had", "try again");
  if (!s.output_closed)
    return 0;
  return hm_fail(err, HM_E_OUTPUT, "standard output", "nobody reads it any more", "");
}
