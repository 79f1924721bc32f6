#include "gen/cli/again.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "gen/cli/out.h"
#include "gen/cli/work.h"

/* --- one run ---------------------------------------------------------------------- */

hm_cli *hm_again_new(const hm_cli *first, hm_arena *a) {
  hm_cli *cli = hm_xmalloc(sizeof *cli);
  *cli = *first;
  cli->a = a;
  cli->err = (hm_err){ 0 };
  return cli;
}

void hm_again_free(hm_cli *cli) { free(cli); }

static int same_store(hm_cli *now, const hm_cli *first) {
  if (strcmp(now->store, first->store) == 0) return 0;
  return hm_failf(&now->err, HM_E_USAGE, hm_str_fmt(now->a, "%s: store", now->config.file ? now->config.file : "mirror.yml").p,
                  hm_str_fmt(now->a, "start `hmirror %s` again, or name that store again", first->command->name).p,
                  "it names another store than the one that is looked at, %s", first->store);
}

int hm_again_config(hm_cli *cli, const hm_cli *first, hm_inputs *in) {
  const char *config = hm_cli_option(cli, "config");
  hm_inputs_add(in, config ? config : "mirror.yml");
  if (hm_cli_read_config(cli) || same_store(cli, first)) return -1;
  hm_inputs_add(in, cli->config.templates);
  hm_inputs_add(in, cli->config.theme);
  hm_inputs_add(in, cli->config.statics);
  return 0;
}

/* --- one after another -------------------------------------------------------------- */

enum { POLL_MS = 100, SETTLE_MS = 30, PATIENCE_MS = 500, RETRY_MS = 500, RETRY_MAX_MS = 30000, AT_ONCE = 130 };

typedef struct {
  hm_cli *first;
  hm_arena *a;              /* of one run after the other: memory that is in use already costs less than new one */
  int (*once)(void *ctx, hm_cli *cli);
  void *ctx;
  hm_inputs *in;
  char told[2048];          /* what went wrong last; empty: nothing */
  int retry_ms;             /* after which it is tried again; 0: it went well */
  pthread_t listener;
  atomic_bool ended;        /* a signal came */
} series;

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int run_once(series *s, hm_cli *cli) {
  if (hm_again_config(cli, s->first, s->in)) return -1;
  cli->watches = true;
  int rc = s->once(s->ctx, cli);
  s->first->review_told = cli->review_told;
  return rc;
}

static void tell(series *s, hm_cli *cli) {
  char line[sizeof s->told];
  hm_err_line(&cli->err, line, sizeof line);
  if (strcmp(line, s->told) != 0) hm_complain(cli, &cli->err);
  memcpy(s->told, line, sizeof line);
}

static int one(series *s, bool is_first) {
  hm_arena_reset(s->a);
  hm_cli *cli = hm_again_new(s->first, s->a);
  hm_inputs_take(s->in);
  cli->awaited = is_first || s->told[0];
  int rc = run_once(s, cli);
  hm_progress_phase(cli->progress, NULL);
  hm_progress_clear(cli->progress);
  if (rc && is_first) s->first->err = cli->err;
  else if (rc) tell(s, cli);
  else s->told[0] = 0;
  hm_again_free(cli);
  return rc;
}

/* --- its end ------------------------------------------------------------------------- */

static void ending_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

/* What is being made is made to its end, unless somebody insists. */
static void *listen_for_end(void *ctx) {
  series *s = ctx;
  sigset_t set;
  int signal;
  ending_signals(&set);
  while (sigwait(&set, &signal)) {}
  atomic_store(&s->ended, true);
  while (sigwait(&set, &signal)) {}
  _exit(AT_ONCE);
}

static int begin_listening(series *s) {
  sigset_t set;
  ending_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  int rc = pthread_create(&s->listener, NULL, listen_for_end, s);
  return rc ? hm_fail(&s->first->err, HM_E_INTERNAL, s->first->command->name, strerror(rc), NULL) : 0;
}

static void end_listening(series *s) {
  pthread_cancel(s->listener);
  pthread_join(s->listener, NULL);
}

/* --- the way of a series -------------------------------------------------------------- */

/* False when it is time to end. */
static bool sleep_ms(const series *s, int ms) {
  const struct timespec t = { 0, ms * 1000000L };
  nanosleep(&t, NULL);
  return !atomic_load(&s->ended);
}

/* False when it is time to end. A change is waited out, but not for ever. */
static bool wait_for_change(series *s) {
  int64_t since = now_ms(), moving = -1;
  for (int pause = POLL_MS; sleep_ms(s, pause);) {
    hm_inputs_are is = hm_inputs_look(s->in);
    int64_t now = now_ms();
    if (is == HM_INPUTS_STILL) moving = -1;
    else if (moving < 0) moving = now;
    if (is == HM_INPUTS_CHANGED || (moving >= 0 && now - moving >= PATIENCE_MS) || (s->retry_ms && now - since >= s->retry_ms)) return true;
    pause = is == HM_INPUTS_MOVING ? SETTLE_MS : POLL_MS;
  }
  return false;
}

/* What was in the way may go by itself, soon or late: a lock, a server, somebody else's commit. */
static void one_more(series *s) {
  int longer = 2 * s->retry_ms < RETRY_MAX_MS ? 2 * s->retry_ms : RETRY_MAX_MS;
  if (one(s, false) >= 0) s->retry_ms = 0;
  else s->retry_ms = s->retry_ms ? longer : RETRY_MS;
}

static int go_on(series *s) {
  if (one(s, true)) return -1;
  while (!atomic_load(&s->ended) && wait_for_change(s)) one_more(s);
  return 0;
}

int hm_again_run(hm_cli *first, int (*once)(void *ctx, hm_cli *cli), void *ctx) {
  const hm_store_source store = hm_cli_source(first);
  series s = { .first = first, .once = once, .ctx = ctx };
  if (begin_listening(&s)) return -1;
  s.a = hm_arena_new();
  s.in = hm_inputs_new();
  hm_inputs_store(s.in, &store);
  int rc = go_on(&s);
  end_listening(&s);
  hm_inputs_free(s.in);
  hm_arena_free(s.a);
  return rc;
}
