/* One loop on all cores, and waits: par.h.
 *
 * Threads take chunks of the indexes from a counter. The loop belongs to the caller and to every
 * thread that was made for it; the last one frees it. */
#include "core/base/par.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/arena.h"

enum { THREADS_MAX = 64, CHUNKS_PER_THREAD = 256, CHUNK_MAX = 256 };

/* Shared by the caller and its threads. A thread that starts after the work is done finds it
 * closed. */
typedef struct {
  size_t n, chunk, chunks;
  size_t stripes; /* as many as threads */
  int (*fn)(void *ctx, size_t i, int worker);
  void *ctx;
  atomic_size_t next;   /* how many chunks were taken */
  atomic_size_t failed; /* the smallest that failed so far, or n */
  pthread_mutex_t lock; /* of the rest */
  pthread_cond_t left;
  int holders, seated, working;
  bool closed;
} loop;

/* The k-th chunk that is taken. Threads work in stripes far apart: neighbouring indexes are often
 * files of one folder, and writers to one folder wait for each other. */
static size_t chunk_at(const loop *l, size_t k) {
  size_t rows = l->chunks / l->stripes;
  if (k >= rows * l->stripes)
    return k;
  return k % l->stripes * rows + k / l->stripes;
}

/* A taken index is skipped only when a smaller one has failed, so every index below the smallest
 * failure runs. */
static void run_chunks(loop *l, int worker) {
  for (size_t k; (k = atomic_fetch_add(&l->next, 1)) < l->chunks;) {
    size_t from = chunk_at(l, k) * l->chunk, to = l->n - from < l->chunk ? l->n : from + l->chunk;
    for (size_t i = from; i < to && i <= atomic_load_explicit(&l->failed, memory_order_relaxed);
         i++)
      if (l->fn(l->ctx, i, worker)) {
        size_t old = atomic_load(&l->failed);
        while (i < old && !atomic_compare_exchange_weak(&l->failed, &old, i))
          continue;
      }
  }
}

/* Unlocks; the last holder frees the loop. */
static void release_loop(loop *l) {
  bool last = --l->holders == 0;
  pthread_mutex_unlock(&l->lock);
  if (!last)
    return;
  pthread_cond_destroy(&l->left);
  pthread_mutex_destroy(&l->lock);
  free(l);
}

static void *run_thread(void *arg) {
  loop *l = arg;
  pthread_mutex_lock(&l->lock);
  if (!l->closed) {
    int worker = ++l->seated;
    l->working++;
    pthread_mutex_unlock(&l->lock);
    run_chunks(l, worker);
    pthread_mutex_lock(&l->lock);
    if (--l->working == 0)
      pthread_cond_signal(&l->left);
  }
  release_loop(l);
  return NULL;
}

static void make_threads(loop *l, int n) {
  pthread_attr_t detached;
  pthread_t made;
  if (n < 1 || pthread_attr_init(&detached))
    return;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_mutex_lock(&l->lock);
  l->holders += n;
  pthread_mutex_unlock(&l->lock);
  int i = 0;
  while (i < n && pthread_create(&made, &detached, run_thread, l) == 0)
    i++;
  pthread_mutex_lock(&l->lock);
  l->holders -= n - i;
  pthread_mutex_unlock(&l->lock);
  pthread_attr_destroy(&detached);
}

/* The caller does not wait for threads that have not started: on a busy machine that takes longer
 * than many loops. */
int hm_par_for(size_t n, int threads, int (*fn)(void *ctx, size_t i, int worker), void *ctx,
               size_t *failed) {
  if (n == 0)
    return 0;
  if (threads > THREADS_MAX)
    threads = THREADS_MAX;
  if (threads < 1)
    threads = 1;
  if ((size_t)threads > n)
    threads = (int)n;
  size_t chunk = n / ((size_t)threads * CHUNKS_PER_THREAD);
  loop *l = hm_xmalloc(sizeof *l);
  if (chunk < 1)
    chunk = 1;
  if (chunk > CHUNK_MAX)
    chunk = CHUNK_MAX;
  *l = (loop){
    .n = n, .chunk = chunk, .stripes = (size_t)threads, .fn = fn, .ctx = ctx, .holders = 1
  };
  l->chunks = (n - 1) / l->chunk + 1;
  atomic_init(&l->next, 0);
  atomic_init(&l->failed, n);
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->left, NULL);
  make_threads(l, threads - 1);
  run_chunks(l, 0);
  pthread_mutex_lock(&l->lock);
  l->closed = true;
  while (l->working)
    pthread_cond_wait(&l->left, &l->lock);
  size_t first = atomic_load(&l->failed);
  release_loop(l);
  if (first == n)
    return 0;
  if (failed)
    *failed = first;
  return -1;
}

int hm_par_cores(void) {
  cpu_set_t set;
  long n =
      sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (int)n;
}

/* --- waits ------------------------------------------------------------------------------------ */

int64_t hm_clock_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void hm_cond_init(pthread_cond_t *c) {
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(c, &attr);
  pthread_condattr_destroy(&attr);
}

struct timespec hm_cond_deadline(int64_t ms) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  int64_t ns = t.tv_nsec + ms % 1000 * 1000000;
  t.tv_sec += (time_t)(ms / 1000 + ns / 1000000000);
  t.tv_nsec = (long)(ns % 1000000000);
  return t;
}
