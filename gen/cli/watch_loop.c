/* The loop of `publish --watch`: poll the inputs, wait until a change has come to rest, run, retry
 * what failed, end on a signal. A run does what a fresh process does; only its memory is reused. */
#include "gen/cli/watch_loop.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "gen/cli/out.h"
#include "gen/cli/work.h"

enum {
  POLL_MS = 100,
  SETTLE_MS = 30,
  PATIENCE_MS = 500,
  RETRY_MS = 500,
  RETRY_MAX_MS = 30000,
  EXIT_SECOND_SIGNAL = 130
};

/* --- one run ---------------------------------------------------------------------- */

hm_cli *hm_rerun_new(const hm_cli *first, hm_arena *a) {
  hm_cli *cli = hm_xmalloc(sizeof *cli);
  *cli = *first;
  cli->a = a;
  cli->err = (hm_err){ 0 };
  return cli;
}

void hm_rerun_free(hm_cli *cli) { free(cli); }

int hm_rerun_config(hm_cli *cli, const hm_cli *first, hm_inputs *in) {
  const char *config = hm_cli_option(cli, "config");
  hm_inputs_add(in, config ? config : "mirror.yml");
  if (hm_cli_read_config(cli)) return -1;
  if (strcmp(cli->mirror.store, first->mirror.store) != 0)
    return hm_failf(
        &cli->err, HM_E_USAGE,
        hm_str_fmt(cli->a, "%s: store", cli->mirror.config.file ? cli->mirror.config.file : "mirror.yml").p,
        hm_str_fmt(cli->a, "start `hmirror %s` again, or name that store again",
                   first->command->name)
            .p,
        "it names another store than the one that is looked at, %s", first->mirror.store);
  hm_inputs_add(in, cli->mirror.config.templates);
  hm_inputs_add(in, cli->mirror.config.theme);
  hm_inputs_add(in, cli->mirror.config.statics);
  return 0;
}

/* --- signals ------------------------------------------------------------------------ */

typedef struct {
  hm_cli *first;
  hm_arena *a; /* of one run after the other: memory in use already costs less than new one */
  int (*once)(void *ctx, hm_cli *cli);
  void *ctx;
  hm_inputs *in;
  char reported[2048];      /* the last error; empty: the last run went well */
  int retry_ms;             /* after which a failed run is retried; 0: it went well */
  pthread_t listener;
  atomic_bool ended;        /* a signal came */
} watch_loop;

static void ending_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

/* The first signal lets the running publication end; the second one does not. */
static void *wait_for_signals(void *ctx) {
  watch_loop *l = ctx;
  sigset_t set;
  int signal;
  ending_signals(&set);
  while (sigwait(&set, &signal)) {}
  atomic_store(&l->ended, true);
  while (sigwait(&set, &signal)) {}
  _exit(EXIT_SECOND_SIGNAL);
}

static int start_listener(watch_loop *l) {
  sigset_t set;
  ending_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  int rc = pthread_create(&l->listener, NULL, wait_for_signals, l);
  return rc ? hm_fail(&l->first->err, HM_E_INTERNAL, l->first->command->name, strerror(rc), NULL)
            : 0;
}

/* --- the loop ----------------------------------------------------------------------- */

static void report_error(watch_loop *l, hm_cli *cli) {
  char line[sizeof l->reported];
  hm_err_line(&cli->err, line, sizeof line);
  if (strcmp(line, l->reported) != 0) hm_complain(cli, &cli->err);
  memcpy(l->reported, line, sizeof line);
}

static int run_once(watch_loop *l, bool is_first) {
  hm_arena_reset(l->a);
  hm_cli *cli = hm_rerun_new(l->first, l->a);
  hm_inputs_take(l->in);
  cli->mirror.watches = true;
  cli->awaited = is_first || l->reported[0];
  int rc = hm_rerun_config(cli, l->first, l->in);
  if (!rc) rc = l->once(l->ctx, cli);
  l->first->mirror.review_told = cli->mirror.review_told;
  hm_progress_phase(cli->progress, NULL);
  hm_progress_clear(cli->progress);
  if (rc && is_first) l->first->err = cli->err;
  else if (rc) report_error(l, cli);
  else l->reported[0] = 0;
  hm_rerun_free(cli);
  return rc;
}

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* False when it is time to end. */
static bool sleep_ms(const watch_loop *l, int ms) {
  const struct timespec t = { 0, ms * 1000000L };
  nanosleep(&t, NULL);
  return !atomic_load(&l->ended);
}

/* Waits until a change has come to rest, or has gone on for PATIENCE_MS, or a retry is due. False
 * when it is time to end. */
static bool wait_for_change(watch_loop *l) {
  int64_t since = now_ms(), moving = -1;
  for (int pause = POLL_MS; sleep_ms(l, pause);) {
    hm_inputs_are is = hm_inputs_look(l->in);
    int64_t now = now_ms();
    if (is == HM_INPUTS_STILL) moving = -1;
    else if (moving < 0) moving = now;
    bool impatient = moving >= 0 && now - moving >= PATIENCE_MS;
    bool retry = l->retry_ms && now - since >= l->retry_ms;
    if (is == HM_INPUTS_CHANGED || impatient || retry) return true;
    pause = is == HM_INPUTS_MOVING ? SETTLE_MS : POLL_MS;
  }
  return false;
}

static int run_until_signal(watch_loop *l) {
  if (run_once(l, true)) return -1;
  while (!atomic_load(&l->ended) && wait_for_change(l)) {
    int longer = 2 * l->retry_ms < RETRY_MAX_MS ? 2 * l->retry_ms : RETRY_MAX_MS;
    if (run_once(l, false) >= 0) l->retry_ms = 0;
    else l->retry_ms = l->retry_ms ? longer : RETRY_MS;
  }
  return 0;
}

int hm_watch_loop(hm_cli *first, int (*once)(void *ctx, hm_cli *cli), void *ctx) {
  const hm_store_source store = hm_mirror_source(&first->mirror);
  watch_loop l = { .first = first, .once = once, .ctx = ctx };
  if (start_listener(&l)) return -1;
  l.a = hm_arena_new();
  l.in = hm_inputs_new();
  hm_inputs_store(l.in, &store);
  int rc = run_until_signal(&l);
  pthread_cancel(l.listener);
  pthread_join(l.listener, NULL);
  hm_inputs_free(l.in);
  hm_arena_free(l.a);
  return rc;
}
