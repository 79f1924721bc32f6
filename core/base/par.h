/* One loop on all cores, and waits of threads by a clock that nobody sets. */
#ifndef HM_PAR_H
#define HM_PAR_H
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Calls fn(ctx, i, worker) once for every i in [0, n), on at most `threads`
 * threads (<= 1: on the caller's own), in an order that is not defined;
 * worker is in [0, threads). Returns when all calls are done: 0, or -1 as soon
 * as every running call has ended after one of them returned non-zero; calls
 * with smaller i than the failed one have all been made, so the smallest i
 * that fails is the same on every run. *failed gets that i. A thread that
 * cannot be made is done without. */
int hm_par_for(size_t n, int threads, int (*fn)(void *ctx, size_t i, int worker), void *ctx,
               size_t *failed);
/* Cores this process may use, at least 1, at most 64. */
int hm_par_cores(void);

/* Milliseconds of the monotonic clock. */
int64_t hm_clock_ms(void);
/* A condition whose timed waits go by that clock. */
void hm_cond_init(pthread_cond_t *c);
/* ms from now, for pthread_cond_timedwait on such a condition. */
struct timespec hm_cond_deadline(int64_t ms);
#endif
