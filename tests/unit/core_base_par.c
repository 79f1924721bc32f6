#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/par.h"
#include "tests/unit/core_base_prng.h"

typedef struct {
  atomic_int *calls;
  const unsigned char *fails;   /* NULL: none */
  int threads;
  atomic_int bad_worker, running;
} work;

static int call(void *ctx, size_t i, int worker) {
  work *w = ctx;
  if (worker < 0 || worker >= w->threads) atomic_store(&w->bad_worker, 1);
  atomic_fetch_add(&w->running, 1);
  atomic_fetch_add(&w->calls[i], 1);
  if (i % 1000 == 0) usleep(50);
  atomic_fetch_sub(&w->running, 1);
  return w->fails && w->fails[i];
}

static void every_index_once(void **unused) {
  (void)unused;
  const size_t sizes[] = { 0, 1, 2, 3, 63, 64, 65, 1000, 30011 };
  const int threads[] = { -1, 0, 1, 2, 3, 4, 64, 1000 };
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
      atomic_int *calls = calloc(sizes[s] + 1, sizeof *calls);
      work w = { .calls = calls, .threads = threads[t] < 1 ? 1 : threads[t] };
      size_t failed = 77;
      assert_int_equal(hm_par_for(sizes[s], threads[t], call, &w, &failed), 0);
      assert_int_equal(failed, 77);
      for (size_t i = 0; i < sizes[s]; i++) assert_int_equal(calls[i], 1);
      assert_int_equal(calls[sizes[s]], 0);
      assert_int_equal(w.bad_worker, 0);
      free(calls);
    }
}

static void the_smallest_failure_is_reported_always(void **unused) {
  (void)unused;
  enum { N = 2000 };
  uint64_t seed = 19;
  unsigned char fails[N];
  for (int round = 0; round < 300; round++) {
    memset(fails, 0, sizeof fails);
    size_t first = N;
    for (int k = 0; k < 1 + round % 20; k++) {
      size_t i = prng(&seed) % N;
      fails[i] = 1;
      if (i < first) first = i;
    }
    for (int threads = 1; threads <= 8; threads++) {
      atomic_int calls[N] = { 0 };
      work w = { .calls = calls, .fails = fails, .threads = threads };
      size_t failed = 0;
      assert_int_equal(hm_par_for(N, threads, call, &w, round % 2 ? &failed : NULL), -1);
      if (round % 2) assert_int_equal(failed, first);
      assert_int_equal(w.running, 0);
      for (size_t i = 0; i < N; i++) {
        assert_true(calls[i] <= 1);
        if (i <= first) assert_int_equal(calls[i], 1);
      }
    }
  }
}

static int fails_at_once(void *ctx, size_t i, int worker) {
  (void)worker;
  (void)i;
  atomic_fetch_add((atomic_int *)ctx, 1);
  return -1;
}

static void a_failure_ends_the_loop(void **unused) {
  (void)unused;
  atomic_int calls = 0;
  size_t failed = 9;
  assert_int_equal(hm_par_for(1000000, 4, fails_at_once, &calls, &failed), -1);
  assert_int_equal(failed, 0);
  assert_true(calls <= 4);
  calls = 0;
  assert_int_equal(hm_par_for(1000000, 1, fails_at_once, &calls, &failed), -1);
  assert_int_equal(calls, 1);
}

typedef struct { atomic_int seats[8]; atomic_int shared, calls; } seating;

static int sit(void *ctx, size_t i, int worker) {
  seating *s = ctx;
  (void)i;
  if (atomic_fetch_add(&s->seats[worker], 1)) atomic_store(&s->shared, 1);
  atomic_fetch_add(&s->calls, 1);
  atomic_fetch_sub(&s->seats[worker], 1);
  return 0;
}

/* A loop leaves threads behind that had not begun when it was done: they must not touch it, nor the
 * next one. */
static void short_loops_follow_each_other(void **unused) {
  (void)unused;
  for (int i = 0; i < 2000; i++) {
    seating *s = calloc(1, sizeof *s);
    assert_int_equal(hm_par_for(9, 8, sit, s, NULL), 0);
    assert_int_equal(s->calls, 9);
    assert_int_equal(s->shared, 0);
    free(s);
  }
}

static void cores_are_within_bounds(void **unused) {
  (void)unused;
  assert_in_range(hm_par_cores(), 1, 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_index_once),
    cmocka_unit_test(the_smallest_failure_is_reported_always),
    cmocka_unit_test(a_failure_ends_the_loop),
    cmocka_unit_test(short_loops_follow_each_other),
    cmocka_unit_test(cores_are_within_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
