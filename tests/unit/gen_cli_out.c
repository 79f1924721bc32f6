/* What is lost on the way out is told, and once. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "gen/cli/cli.h"

typedef struct { int real; } world;

static int to_a_full_disk(void **state) {
  static world w;
  fflush(stdout);
  w.real = dup(STDOUT_FILENO);
  int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  *state = &w;
  return w.real < 0 || full < 0 || dup2(full, STDOUT_FILENO) < 0 || close(full) < 0 ? -1 : 0;
}

static int back(void **state) {
  const world *w = *state;
  return dup2(w->real, STDOUT_FILENO) < 0 || close(w->real) < 0 ? -1 : 0;
}

static void say(const char *words) { fwrite(words, 1, strlen(words), stdout); }

/* A program that goes on has said it, and what it could not say is not said later. */
static void what_is_lost_is_told_once(void **state) {
  (void)state;
  hm_err err = { 0 };
  assert_int_equal(hm_flush_stdout(&err), 0);
  for (int i = 0; i < 2; i++) {
    say("published\n");
    assert_int_equal(hm_flush_stdout(&err), -1);
    assert_string_equal(err.what, "standard output");
    assert_string_equal(err.why, "No space left on device");
    assert_int_equal(hm_flush_stdout(&err), 0);
  }
}

/* The buffer may have been written, and lost, before. */
static void what_was_lost_before_is_told_too(void **state) {
  (void)state;
  hm_err err = { 0 };
  static char much[1 << 16];
  memset(much, 'x', sizeof much - 1);
  for (int i = 0; i < 4; i++) say(much);
  assert_int_equal(hm_flush_stdout(&err), -1);
  assert_int_equal(hm_flush_stdout(&err), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(what_is_lost_is_told_once, to_a_full_disk, back),
    cmocka_unit_test_setup_teardown(what_was_lost_before_is_told_too, to_a_full_disk, back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
