/* The sweep that follows writes which were found beside the held one: in a thread of its own, one
 * for all that was written meanwhile. It begins at the earliest four times its own duration after
 * the last one ended, so it takes a fifth of one's time; writers wait for it only while it reads
 * the rows, and while it is recorded. */
#include <pthread.h>
#include <stdlib.h>
#include "core/base/par.h"
#include "core/base/time.h"
#include "core/recall/alike.h"
#include "core/store/swept.h"
#include "gen/api/api_impl.h"

enum { REST = 4 }; /* times its own duration */

struct hm_background {
  const hm_api_options *opt;
  hm_queue *queue;
  hm_store *reader; /* of the thread */
  pthread_mutex_t lock;
  pthread_cond_t told;
  pthread_t thread;
  bool started, pending, ends; /* under the lock */
};

hm_background *hm_background_new(const hm_api_options *opt, hm_queue *queue) {
  hm_background *b = hm_xmalloc(sizeof *b);
  *b = (hm_background){ .opt = opt, .queue = queue };
  pthread_mutex_init(&b->lock, NULL);
  hm_cond_init(&b->told);
  return b;
}

/* Waits until there is something to sweep and it is time; false: the end. */
static bool wait_for_work(hm_background *b, int64_t from) {
  pthread_mutex_lock(&b->lock);
  while (!b->ends && !b->pending)
    pthread_cond_wait(&b->told, &b->lock);
  for (int64_t rest; !b->ends && (rest = from - hm_clock_ms()) > 0;) {
    const struct timespec until = hm_cond_deadline(rest);
    pthread_cond_timedwait(&b->told, &b->lock, &until);
  }
  b->pending = false;
  bool goes_on = !b->ends;
  pthread_mutex_unlock(&b->lock);
  return goes_on;
}

static int is_due(hm_background *b, bool *due, hm_err *err) {
  hm_swept holds;
  hm_arena *a = hm_arena_new();
  int rc = hm_store_begin(b->reader, false, err);
  if (!rc)
    rc = hm_swept_read(b->reader, hm_sweep_decided(b->opt->rules, a), &holds, err);
  *due = !rc && holds != HM_SWEPT_WHOLE;
  hm_store_rollback(b->reader);
  hm_arena_free(a);
  return rc;
}

/* *more: it was not recorded, or writes came meanwhile. */
static int sweep(hm_background *b, bool *more, hm_err *err) {
  hm_arena *a;
  hm_sweep w;
  if (!b->reader &&
      hm_store_open_source(&b->reader, b->opt->store, HM_STORE_READ, b->opt->busy_ms, err))
    return -1;
  if (is_due(b, more, err) || !*more)
    return *more ? -1 : 0;
  a = hm_arena_new();
  const hm_sweep_options opt = { .rules = b->opt->rules,
                                 .threads = hm_par_cores(),
                                 .details = true,
                                 .lets_go = true,
                                 .who = { .by = b->opt->by, .at = hm_time_iso(a, hm_time_now()) } };
  if (hm_sweep_run_all(b->reader, &opt, a, &w, err)) {
    hm_arena_free(a);
    return -1;
  }
  w.alike = hm_alike_index_new(w.snap, opt.threads, a);
  return hm_queue_record_sweep(b->queue, &opt, &w, a, err);
}

static void *sweep_again_and_again(void *ctx) {
  hm_background *b = ctx;
  int64_t from = 0;
  while (wait_for_work(b, from)) {
    hm_err unheard = { 0 }; /* the next one tries again */
    bool more = true;
    int64_t began = hm_clock_ms();
    bool failed = sweep(b, &more, &unheard) != 0;
    int64_t took = hm_clock_ms() - began;
    from = began + took + (failed && took < 1000 ? 1000 : took) * REST;
    if (more || failed)
      hm_background_tell(b);
  }
  hm_store_close(b->reader);
  return NULL;
}

void hm_background_tell(hm_background *b) {
  pthread_mutex_lock(&b->lock);
  b->pending = true;
  if (!b->started && !b->ends)
    b->started = pthread_create(&b->thread, NULL, sweep_again_and_again, b) == 0;
  pthread_cond_signal(&b->told);
  pthread_mutex_unlock(&b->lock);
}

void hm_background_end(hm_background *b) {
  if (!b)
    return;
  pthread_mutex_lock(&b->lock);
  b->ends = true;
  pthread_cond_signal(&b->told);
  pthread_mutex_unlock(&b->lock);
  if (b->started)
    pthread_join(b->thread, NULL);
  pthread_cond_destroy(&b->told);
  pthread_mutex_destroy(&b->lock);
  free(b);
}
