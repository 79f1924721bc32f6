#include "core/base/par.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MAX = 64, CHUNKS_PER_THREAD = 256, CHUNK_MAX = 256 };

typedef struct {
  size_t n, chunk, chunks;
  size_t stripes;         /* as many as threads */
  int (*fn)(void *ctx, size_t i, int worker);
  void *ctx;
  atomic_size_t next;     /* how many chunks were taken */
  atomic_size_t failed;   /* the smallest that failed so far, or n */
} loop;

typedef struct { loop *l; int worker; } seat;

static void note_failure(loop *l, size_t i) {
  size_t old = atomic_load(&l->failed);
  while (i < old && !atomic_compare_exchange_weak(&l->failed, &old, i)) continue;
}

/* The k-th chunk that is taken: neighbours go to one thread after another, far apart, since what stands side by side is often
 * written side by side, and who writes into one folder waits for each other. */
static size_t chunk_at(const loop *l, size_t k) {
  size_t rows = l->chunks / l->stripes;
  if (k >= rows * l->stripes) return k;
  return k % l->stripes * rows + k / l->stripes;
}

/* One that was taken is skipped only when a smaller one has failed: so every index below the smallest failure is run. */
static void run(loop *l, int worker) {
  for (size_t k; (k = atomic_fetch_add(&l->next, 1)) < l->chunks;) {
    size_t from = chunk_at(l, k) * l->chunk, to = l->n - from < l->chunk ? l->n : from + l->chunk;
    for (size_t i = from; i < to && i <= atomic_load_explicit(&l->failed, memory_order_relaxed); i++)
      if (l->fn(l->ctx, i, worker)) note_failure(l, i);
  }
}

static void *run_thread(void *arg) {
  const seat *s = arg;
  run(s->l, s->worker);
  return NULL;
}

static void run_threads(loop *l, int threads) {
  pthread_t made[THREADS_MAX];
  seat seats[THREADS_MAX];
  int n = 0;
  for (int w = 1; w < threads; w++) {
    seats[n] = (seat){ l, w };
    if (pthread_create(&made[n], NULL, run_thread, &seats[n]) == 0) n++;
  }
  run(l, 0);
  for (int i = 0; i < n; i++) pthread_join(made[i], NULL);
}

int hm_par_for(size_t n, int threads, int (*fn)(void *ctx, size_t i, int worker), void *ctx, size_t *failed) {
  if (n == 0) return 0;
  if (threads > THREADS_MAX) threads = THREADS_MAX;
  if (threads < 1) threads = 1;
  if ((size_t)threads > n) threads = (int)n;
  size_t chunk = n / ((size_t)threads * CHUNKS_PER_THREAD);
  loop l = { .n = n, .chunk = chunk < 1 ? 1 : chunk > CHUNK_MAX ? CHUNK_MAX : chunk, .stripes = (size_t)threads, .fn = fn, .ctx = ctx };
  l.chunks = (n - 1) / l.chunk + 1;
  atomic_init(&l.next, 0);
  atomic_init(&l.failed, n);
  run_threads(&l, threads);
  size_t first = atomic_load(&l.failed);
  if (first == n) return 0;
  if (failed) *failed = first;
  return -1;
}

int hm_par_cores(void) {
  cpu_set_t set;
  long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (int)n;
}
