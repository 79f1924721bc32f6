/* A long object in pieces is one zlib stream that gives the bytes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "gen/sink/git_impl.h"
#include "tests/unit/core_base_prng.h"

/* Text that repeats itself now and then, across the pieces too. */
static hm_str some_text(size_t n, hm_buf *b) {
  uint64_t random = n;
  while (b->n < n) {
    if (b->n > 100 && prng(&random) % 3 == 0) {
      size_t from = prng(&random) % (b->n - 50);
      char again[50];
      memcpy(again, b->p + from, sizeof again);
      hm_buf_add(b, again, sizeof again);
    } else hm_buf_fmt(b, "%llx\n", (unsigned long long)prng(&random));
  }
  return (hm_str){ b->p, n };
}

static void check(size_t n) {
  hm_buf text = { 0 }, out = { 0 };
  hm_arena *a = hm_arena_new();
  hm_git_long *l = hm_git_long_new(some_text(n, &text), a);
  for (size_t i = l->n; i-- > 0;) assert_int_equal(hm_git_long_piece(l, i), 0);   /* in any order */
  assert_int_equal(hm_git_long_join(l, &out), 0);
  assert_true(out.n < n);
  char *back = malloc(n);
  struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
  assert_int_equal(libdeflate_zlib_decompress(d, out.p, out.n, back, n, NULL), LIBDEFLATE_SUCCESS);
  assert_memory_equal(back, l->bytes.p, n);
  libdeflate_free_decompressor(d);
  free(back);
  hm_git_long_free(l);
  hm_arena_free(a);
  hm_buf_free(&text);
  hm_buf_free(&out);
}

static void test_pieces(void **state) {
  static const size_t sizes[] = { 1000, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 3 << 18, 1234567 };
  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check(sizes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_pieces) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
