/* The output of a run: cli.h. One thread draws the line of progress; every other line erases it
 * first. */
#include "gen/cli/cli.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/base/credential.h"
#include "core/base/par.h"

/* --- progress --------------------------------------------------------------------- */

enum { TICK_MS = 100, QUIET_TICKS = 10 }; /* nothing is shown in the first second */

struct hm_progress {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool stop, shown;
  const char *phase;
  atomic_size_t done, all;
};

static void erase(hm_progress *p) {
  if (p->shown)
    fputs("\r\033[K", stderr);
  p->shown = false;
}

static void paint_progress(hm_progress *p, int ticks) {
  size_t done = atomic_load(&p->done), all = atomic_load(&p->all);
  fputs("\r\033[K", stderr);
  if (all)
    fprintf(stderr, "%s: %zu of %zu (%d s)", p->phase, done, all, ticks * TICK_MS / 1000);
  else if (done)
    fprintf(stderr, "%s: %zu (%d s)", p->phase, done, ticks * TICK_MS / 1000);
  else
    fprintf(stderr, "%s (%d s)", p->phase, ticks * TICK_MS / 1000);
  fflush(stderr);
  p->shown = true;
}

/* A signal is for the thread that works, which may wait for it. */
static void *paint_until_stopped(void *ctx) {
  hm_progress *p = ctx;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_mutex_lock(&p->lock);
  for (int ticks = 0; !p->stop;) {
    const struct timespec until = hm_cond_deadline(TICK_MS);
    if (pthread_cond_timedwait(&p->wake, &p->lock, &until) == 0)
      continue;
    if (++ticks >= QUIET_TICKS && p->phase && !p->stop)
      paint_progress(p, ticks);
  }
  erase(p);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

hm_progress *hm_progress_new(bool on) {
  if (!on || !isatty(STDERR_FILENO))
    return NULL;
  hm_progress *p = hm_xmalloc(sizeof *p);
  *p = (hm_progress){ 0 };
  hm_cond_init(&p->wake);
  pthread_mutex_init(&p->lock, NULL);
  if (pthread_create(&p->thread, NULL, paint_until_stopped, p) == 0)
    return p;
  free(p);
  return NULL;
}

void hm_progress_free(hm_progress *p) {
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  pthread_cond_signal(&p->wake);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

void hm_progress_set_count(void *ctx, size_t done, size_t all) {
  hm_progress *p = ctx;
  if (!p)
    return;
  atomic_store(&p->all, all);
  atomic_store(&p->done, done);
}

void hm_progress_phase(hm_cli *cli, const char *text) {
  hm_progress *p = cli->progress;
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  p->phase = text;
  atomic_store(&p->all, 0);
  atomic_store(&p->done, 0);
  pthread_mutex_unlock(&p->lock);
}

/* The phase goes on: what is said now stands before its line. */
static void clear_line(hm_progress *p) {
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  erase(p);
  fflush(stderr);
  pthread_mutex_unlock(&p->lock);
}

void hm_progress_end_phase(hm_cli *cli) {
  hm_progress_phase(cli, NULL);
  clear_line(cli->progress);
}

/* --- lines ------------------------------------------------------------------------ */

static void print_message(hm_cli *cli, const char *fmt, va_list ap) {
  hm_buf b = { 0 };
  hm_buf_vfmt(&b, fmt, ap);
  clear_line(cli->progress);
  fprintf(stderr, "hmirror: %.*s\n", HM_FMT(hm_credential_hide(hm_buf_view(&b), cli->a)));
  hm_buf_free(&b);
}

void hm_cli_warn(hm_cli *cli, const char *fmt, ...) {
  if (cli->silent)
    return;
  va_list ap;
  va_start(ap, fmt);
  print_message(cli, fmt, ap);
  va_end(ap);
}

void hm_note(hm_cli *cli, const char *fmt, ...) {
  if (cli->quiet || cli->silent)
    return;
  va_list ap;
  va_start(ap, fmt);
  print_message(cli, fmt, ap);
  va_end(ap);
}

void hm_note_verbose(hm_cli *cli, const char *fmt, ...) {
  if (!cli->verbose || cli->quiet || cli->silent)
    return;
  va_list ap;
  va_start(ap, fmt);
  print_message(cli, fmt, ap);
  va_end(ap);
}

void hm_print_error(hm_cli *cli, const hm_err *err) {
  char line[2048];
  hm_err shown = *err;
  if (err->code == HM_E_INTERNAL && !err->fix[0])
    hm_fail(&shown, err->code, err->what, err->why, "please report this");
  hm_err_format_line(&shown, line, sizeof line);
  clear_line(cli->progress);
  fprintf(stderr, "hmirror: %.*s\n", HM_FMT(hm_credential_hide(hm_str_c(line), cli->a)));
}

int hm_fail_usage(hm_cli *cli, const char *what, const char *why, const char *fix) {
  return hm_fail(&cli->err, HM_E_USAGE, what, why, fix);
}

/* --- JSON ------------------------------------------------------------------------- */

hm_jw *hm_cli_json_begin(hm_cli *cli) {
  cli->json_bytes = (hm_buf){ 0 };
  hm_jw_init(&cli->json_out, &cli->json_bytes, 0);
  hm_jw_obj(&cli->json_out, NULL);
  return &cli->json_out;
}

int hm_cli_print_json(hm_cli *cli, hm_buf *b) {
  hm_buf_ch(b, '\n');
  int rc = b->failed ? hm_fail(&cli->err, HM_E_OUTPUT, "standard output",
                               "the result is over 2 GiB", "ask for a part of it")
                     : 0;
  hm_str text = hm_json_escape_directions(cli->a, hm_buf_view(b));
  if (!rc)
    fwrite(text.p, 1, text.n, stdout);
  hm_buf_free(b);
  return rc;
}

int hm_cli_json_end(hm_cli *cli) {
  hm_jw_end(&cli->json_out);
  return hm_cli_print_json(cli, &cli->json_bytes);
}

int hm_flush_stdout(hm_err *err) {
  errno = 0;
  bool lost = ferror(stdout) != 0;
  if (fflush(stdout) == 0 && !lost)
    return 0;
  __fpurge(stdout);
  clearerr(stdout);
  return hm_fail(err, HM_E_OUTPUT, "standard output", errno ? strerror(errno) : "a write failed",
                 hm_errno_suggest_fix(errno));
}
