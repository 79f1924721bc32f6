/* A parallel loop, and timed waits on the monotonic clock. */
#ifndef HM_PAR_H
#define HM_PAR_H
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Calls fn(ctx, i, worker) once for each i in [0, n), in no defined order, on at most `threads`
 * threads (<= 1: only the caller's). worker is in [0, threads). Returns 0 when all calls are done.
 * After a call returned non-zero, starts no call with a larger i, waits for the others and returns
 * -1 with the smallest failed i in *failed. All calls with a smaller i have been made, so *failed
 * is the same in each run. Continues with fewer threads if one cannot be created. */
int hm_par_for(size_t n, int threads, int (*fn)(void *ctx, size_t i, int worker), void *ctx,
               size_t *failed);
/* Cores this process may use, at least 1, at most 64. */
int hm_par_cores(void);

/* Milliseconds of the monotonic clock. */
int64_t hm_clock_ms(void);
/* Initializes a condition whose timed waits use that clock. */
void hm_cond_init(pthread_cond_t *c);
/* The time ms milliseconds from now, for pthread_cond_timedwait on such a condition. */
struct timespec hm_cond_deadline(int64_t ms);
#endif
