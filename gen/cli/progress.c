#include "gen/cli/progress.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "core/base/arena.h"

enum { TICK_MS = 100, QUIET_TICKS = 10 };   /* nothing is shown in the first second */

struct hm_progress {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool stop, shown;
  const char *phase;
  atomic_size_t done, all;
};

static void erase(hm_progress *p) {
  if (p->shown) fputs("\r\033[K", stderr);
  p->shown = false;
}

static void paint(hm_progress *p, int ticks) {
  size_t done = atomic_load(&p->done), all = atomic_load(&p->all);
  fputs("\r\033[K", stderr);
  if (all) fprintf(stderr, "%s: %zu of %zu (%d s)", p->phase, done, all, ticks * TICK_MS / 1000);
  else fprintf(stderr, "%s (%d s)", p->phase, ticks * TICK_MS / 1000);
  fflush(stderr);
  p->shown = true;
}

static struct timespec in_a_tick(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_nsec += TICK_MS * 1000000L;
  if (t.tv_nsec >= 1000000000L) { t.tv_sec++; t.tv_nsec -= 1000000000L; }
  return t;
}

/* A signal is for the thread that works, which may wait for it. */
static void *painter(void *ctx) {
  hm_progress *p = ctx;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_mutex_lock(&p->lock);
  for (int ticks = 0; !p->stop; ) {
    struct timespec until = in_a_tick();
    if (pthread_cond_timedwait(&p->wake, &p->lock, &until) == 0) continue;
    if (++ticks >= QUIET_TICKS && p->phase && !p->stop) paint(p, ticks);
  }
  erase(p);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

hm_progress *hm_progress_new(bool on) {
  if (!on || !isatty(STDERR_FILENO)) return NULL;
  hm_progress *p = hm_xmalloc(sizeof *p);
  *p = (hm_progress){ 0 };
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&p->wake, &attr);
  pthread_condattr_destroy(&attr);
  pthread_mutex_init(&p->lock, NULL);
  if (pthread_create(&p->thread, NULL, painter, p) == 0) return p;
  free(p);
  return NULL;
}

void hm_progress_free(hm_progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  pthread_cond_signal(&p->wake);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

void hm_progress_phase(hm_progress *p, const char *text) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  p->phase = text;
  atomic_store(&p->all, 0);
  atomic_store(&p->done, 0);
  pthread_mutex_unlock(&p->lock);
}

void hm_progress_count(void *ctx, size_t done, size_t all) {
  hm_progress *p = ctx;
  if (!p) return;
  atomic_store(&p->all, all);
  atomic_store(&p->done, done);
}

void hm_progress_clear(hm_progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  erase(p);
  fflush(stderr);
  pthread_mutex_unlock(&p->lock);
}
