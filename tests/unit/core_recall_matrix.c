/* Products of a question with many rows, held to products one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/recall/vector.h"
#include "tests/unit/core_base_prng.h"

static void draw(int8_t *v, int dims, int zeros, uint64_t *seed) {
  for (int d = 0; d < dims; d++)
    v[d] = (int)(prng(seed) % 100) < zeros ? 0 : (int8_t)((int)(prng(seed) % 255) - 127);
}

static int32_t product_of(const int8_t *x, const int8_t *y, int dims) {
  int32_t sum = 0;
  for (int d = 0; d < dims; d++) sum += x[d] * y[d];
  return sum;
}

static void compare(const int8_t *rows, size_t n, int dims, const int8_t *q) {
  hm_arena *a = hm_arena_new();
  hm_matrix *m = hm_matrix_new(n, dims, a);
  int32_t out[HM_MATRIX_BLOCK];
  for (size_t i = n; i--;) hm_matrix_set(m, i, rows + i * (size_t)dims);
  for (size_t i = 0; i < n; i++) {
    const int8_t *row = rows + i * (size_t)dims;
    if (i % HM_MATRIX_BLOCK == 0) hm_matrix_products(m, i / HM_MATRIX_BLOCK, q, out);
    assert_int_equal(out[i % HM_MATRIX_BLOCK], product_of(row, q, dims));
    double length = sqrt(product_of(row, row, dims)), of_q = hm_matrix_length(q, dims);
    assert_float_equal(m->lengths[i], length, 1e-9);
    assert_float_equal(hm_matrix_cosine(m, i, out[i % HM_MATRIX_BLOCK], of_q),
                       length * of_q > 0 ? product_of(row, q, dims) / (length * of_q) : 0, 1e-12);
  }
  for (size_t i = n % HM_MATRIX_BLOCK; n && i && i < HM_MATRIX_BLOCK; i++)
    assert_int_equal(out[i], 0);
  hm_arena_free(a);
}

static void products_are_those_one_by_one(void **state) {
  static const size_t sizes[] = { 0, 1, 3, HM_MATRIX_BLOCK - 1, HM_MATRIX_BLOCK,
                                  HM_MATRIX_BLOCK + 1, 2 * HM_MATRIX_BLOCK + 17 };
  static const int dims[] = { 1, 2, 3, 4, 5, 7, 64, 100 };
  uint64_t seed = 20261123;
  (void)state;
  for (size_t s = 0; s < HM_COUNT(sizes); s++)
    for (size_t k = 0; k < HM_COUNT(dims); k++)
      for (int zeros = 0; zeros <= 100; zeros += 50) {
        int8_t *rows = malloc(sizes[s] * (size_t)dims[k] + 1), q[100];
        draw(rows, (int)(sizes[s] * (size_t)dims[k]), 10, &seed);
        draw(q, dims[k], zeros, &seed);
        compare(rows, sizes[s], dims[k], q);
        free(rows);
      }
}

/* The largest numbers that there are, and as many as there may be. */
static void nothing_overflows(void **state) {
  enum { DIMS = HM_MATRIX_DIMS_MAX };
  int8_t *v = malloc(2 * DIMS);
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    memset(v, 127, DIMS);
    memset(v + DIMS, sign * 127, DIMS);
    compare(v, 1, DIMS, v + DIMS);
  }
  hm_arena *a = hm_arena_new();
  hm_matrix *m = hm_matrix_new(1, 4, a);
  const int8_t low[4] = { -128, -128, -128, -128 }, q[4] = { -127, -127, -127, -127 };
  int32_t out[HM_MATRIX_BLOCK];
  hm_matrix_set(m, 0, low);   /* no packed vector has it, a damaged file may */
  hm_matrix_products(m, 0, q, out);
  assert_int_equal(out[0], 4 * 127 * 127);
  hm_arena_free(a);
  free(v);
}

static void packing_keeps_proportions(void **state) {
  const double numbers[] = { 0.5, -0.25, 0, 0.125 }, none[2] = { 0 };
  int8_t out[4];
  (void)state;
  hm_matrix_pack(numbers, 4, out);
  assert_int_equal(out[0], 127);
  assert_int_equal(out[1], -64);
  assert_int_equal(out[2], 0);
  assert_int_equal(out[3], 32);
  hm_matrix_pack(none, 2, out);
  assert_int_equal(out[0], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_are_those_one_by_one),
    cmocka_unit_test(nothing_overflows),
    cmocka_unit_test(packing_keeps_proportions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
