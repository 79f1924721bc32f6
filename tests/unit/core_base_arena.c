#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/str.h"
#include "tests/unit/core_base_prng.h"

static int all_zero(const unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (p[i]) return 0;
  return 1;
}

static void memory_is_zeroed_aligned_and_apart(void **unused) {
  (void)unused;
  enum { N = 3000 };
  unsigned char *p[N];
  size_t size[N];
  uint64_t seed = 1;
  hm_arena *a = hm_arena_new();
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < N; i++) {
      size[i] = i % 100 == 0 ? prng(&seed) % 300000 : prng(&seed) % 200;
      p[i] = hm_alloc(a, size[i]);
      assert_int_equal((uintptr_t)p[i] % _Alignof(max_align_t), 0);
      assert_true(all_zero(p[i], size[i]));
      memset(p[i], 1 + i % 255, size[i]);
    }
    for (int i = 0; i < N; i++)
      for (size_t k = 0; k < size[i]; k++) assert_int_equal(p[i][k], 1 + i % 255);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

static void nothing_is_not_null(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  assert_non_null(hm_alloc(a, 0));
  assert_non_null(hm_alloc_array(a, 0, 100));
  hm_arena_free(a);
  hm_arena_free(NULL);
}

static void reset_keeps_only_the_largest_block(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  assert_int_equal(hm_arena_held(a), 0);
  hm_arena_reset(a);
  hm_alloc(a, 10);
  hm_alloc(a, 10 << 20);
  size_t before = hm_arena_held(a);
  assert_true(before >= 10 << 20);
  hm_arena_reset(a);
  size_t kept = hm_arena_held(a);
  assert_true(kept < before);
#ifndef __SANITIZE_ADDRESS__
  assert_true(kept >= 10 << 20);
  for (int i = 0; i < 1000; i++) hm_alloc(a, 10000);
  assert_int_equal(hm_arena_held(a), kept);
#endif
  hm_arena_free(a);
}

static void one_takes_what_others_have(void **unused) {
  (void)unused;
  static const size_t sizes[] = { 0, 1, 100, 5000, 3 << 20 };
  enum { SIZES = sizeof sizes / sizeof *sizes };
  for (size_t i = 0; i < SIZES; i++)
    for (size_t k = 0; k < SIZES; k++) {
      hm_arena *a = hm_arena_new(), *b = hm_arena_new();
      char *in_a = sizes[i] ? memset(hm_alloc(a, sizes[i]), 'a', sizes[i]) : NULL;
      char *in_b = sizes[k] ? memset(hm_alloc(b, sizes[k]), 'b', sizes[k]) : NULL;
      size_t held = hm_arena_held(a) + hm_arena_held(b);
      hm_arena_merge(a, b);
      assert_int_equal(hm_arena_held(a), held);
      for (size_t n = 0; n < 3; n++)
        assert_int_equal(*(char *)hm_alloc(a, 2000), 0); /* not in the middle of what was taken */
      for (size_t n = 0; n < sizes[i]; n++) assert_int_equal(in_a[n], 'a');
      for (size_t n = 0; n < sizes[k]; n++) assert_int_equal(in_b[n], 'b');
      hm_arena_reset(a);
      char *again = hm_alloc(a, 5000);
      for (size_t n = 0; n < 5000; n++) assert_int_equal(again[n], 0);
      hm_arena_free(a);
    }
}

static void small_requests_share_blocks(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  for (int i = 0; i < 1000000; i++) hm_alloc(a, 16);
#ifndef __SANITIZE_ADDRESS__
  assert_in_range(hm_arena_held(a), 16000000, 24000000);
#endif
  hm_arena_free(a);
}

static void random_numbers_do_not_repeat(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new(), *b = hm_arena_new();
  uint64_t seen[200];
  for (int i = 0; i < 200; i++) {
    seen[i] = hm_arena_random(i % 2 ? a : b);
    for (int k = 0; k < i; k++) assert_true(seen[k] != seen[i]);
    if (i == 100) hm_arena_reset(a);
  }
  hm_arena_free(a);
  hm_arena_free(b);
}

static hm_arena *victim;
static void too_much(void) { hm_alloc(victim, SIZE_MAX); }
static void too_many(void) { hm_alloc_array(victim, SIZE_MAX / 2, 3); }

/* The first line of what f writes to standard error, and its exit code. */
static int dies(void (*f)(void), char *line, size_t n) {
  int fd[2], status;
  assert_int_equal(pipe(fd), 0);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(fd[1], STDERR_FILENO);
    f();
    _exit(0);
  }
  close(fd[1]);
  ssize_t got = read(fd[0], line, n - 1);
  line[got > 0 ? got : 0] = 0;
  close(fd[0]);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void running_out_ends_with_one_line_and_2(void **unused) {
  (void)unused;
  char line[300];
  victim = hm_arena_new();
  void (*const cases[])(void) = { too_much, too_many };
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(dies(cases[i], line, sizeof line), 2);
    assert_non_null(strstr(line, "hmirror: out of memory"));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
  }
  hm_arena_free(victim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
    cmocka_unit_test(nothing_is_not_null),
    cmocka_unit_test(reset_keeps_only_the_largest_block),
    cmocka_unit_test(small_requests_share_blocks),
    cmocka_unit_test(one_takes_what_others_have),
    cmocka_unit_test(random_numbers_do_not_repeat),
    cmocka_unit_test(running_out_ends_with_one_line_and_2),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
