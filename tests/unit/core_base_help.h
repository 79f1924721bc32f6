/* An arena for each test of a file, whose tests stand in its list as T(name). */
#ifndef CORE_BASE_HELP_H
#define CORE_BASE_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/base/arena.h"

#define COUNT(x) (sizeof(x) / sizeof *(x))

static hm_arena *arena;

static int setup(void **unused) {
  (void)unused;
  arena = hm_arena_new();
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  hm_arena_free(arena);
  return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
#endif
