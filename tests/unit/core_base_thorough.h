/* `make check THOROUGH=1`, which a release needs: more steps and larger inputs; and what is computed
 * is held to seconds of processor time, which `make check` never is. */
#ifndef CORE_BASE_THOROUGH_H
#define CORE_BASE_THOROUGH_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static inline bool thorough(void) {
  const char *z = getenv("THOROUGH");
  return z && strcmp(z, "1") == 0;
}

/* Seconds of processor time of this thread. */
static inline double computed(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* What was computed since a time took no more than so many seconds: held where the run is thorough,
 * and no tool watches it. */
static inline void expect_within(double limit, double since, const char *what) {
  double took = computed() - since;
  if (took > limit && thorough() && !getenv("HM_WATCHED"))
    fail_msg("%s: %.2f s of processor time, more than %.2f", what, took, limit);
}
#endif
