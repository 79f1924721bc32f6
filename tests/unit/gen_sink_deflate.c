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

static void check(size_t n, size_t step) {
  hm_buf text = { 0 }, out = { 0 };
  hm_str whole = some_text(n, &text);
  hm_git_zlib_begin(&out);
  for (size_t from = 0; from < n; from += step)
    assert_int_equal(hm_git_deflate_piece(whole, from, n - from > step ? from + step : n, &out), 0);
  hm_git_zlib_end(whole, &out);
  assert_true(out.n < n);
  char *back = malloc(n);
  struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
  assert_int_equal(libdeflate_zlib_decompress(d, out.p, out.n, back, n, NULL), LIBDEFLATE_SUCCESS);
  assert_memory_equal(back, whole.p, n);
  libdeflate_free_decompressor(d);
  free(back);
  hm_buf_free(&text);
  hm_buf_free(&out);
}

static void test_pieces(void **state) {
  (void)state;
  check(HM_PIECE / 2, HM_PIECE);
  check(HM_PIECE, HM_PIECE);
  check(HM_PIECE + 1, HM_PIECE);
  check(5 * HM_PIECE + 4321, HM_PIECE);
  check(100000, 999);   /* shorter than what a piece looks back at */
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_pieces) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
