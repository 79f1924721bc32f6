/* Vectors of many rows: matrix.h says how they lie. */
#include "core/recall/matrix.h"

#include <math.h>

hm_matrix *hm_matrix_new(size_t n, int dims, hm_arena *a) {
  hm_matrix *m = hm_alloc(a, sizeof *m);
  size_t blocks = (n + HM_MATRIX_BLOCK - 1) / HM_MATRIX_BLOCK;
  *m = (hm_matrix){ .n = n, .dims = dims };
  m->v = hm_alloc_array(a, blocks * HM_MATRIX_BLOCK + 1, (size_t)dims);
  m->lengths = hm_alloc_array(a, n + 1, sizeof *m->lengths);
  return m;
}

/* The first number of the first row of a block. */
static int8_t *block_of(const hm_matrix *m, size_t block) {
  return m->v + block * HM_MATRIX_BLOCK * (size_t)m->dims;
}

void hm_matrix_set(hm_matrix *m, size_t row, const int8_t *v) {
  int8_t *to = block_of(m, row / HM_MATRIX_BLOCK) + row % HM_MATRIX_BLOCK;
  for (int d = 0; d < m->dims; d++) to[(size_t)d * HM_MATRIX_BLOCK] = v[d] < -127 ? -127 : v[d];
  m->lengths[row] = hm_matrix_length(v, m->dims);
}

/* Adds four numbers of the question. Two products fit into 16 bits (2 * 127 * 127 < 2^15), so the
 * compiler multiplies eight at a time or more. */
static void add_four(const int8_t *const col[4], const int8_t q[4], int32_t *restrict out) {
  const int8_t *restrict c0 = col[0], *restrict c1 = col[1], *restrict c2 = col[2],
                         *restrict c3 = col[3];
  const int16_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
  for (int i = 0; i < HM_MATRIX_BLOCK; i++) {
    int16_t x = (int16_t)(q0 * c0[i] + q1 * c1[i]), y = (int16_t)(q2 * c2[i] + q3 * c3[i]);
    out[i] += x + y;
  }
}

void hm_matrix_products(const hm_matrix *m, size_t block, const int8_t *v, int32_t *out) {
  const int8_t *first = block_of(m, block), *col[4] = { first, first, first, first };
  int8_t q[4] = { 0 };
  int n = 0;
  memset(out, 0, HM_MATRIX_BLOCK * sizeof *out);
  for (int d = 0; d < m->dims; d++) {
    if (!v[d]) continue;
    col[n] = first + (size_t)d * HM_MATRIX_BLOCK;
    q[n++] = v[d];
    if (n < 4) continue;
    add_four(col, q, out);
    n = 0;
  }
  for (int i = n; i < 4; i++) q[i] = 0;
  if (n) add_four(col, q, out);
}

double hm_matrix_length(const int8_t *v, int dims) {
  int64_t sum = 0;
  for (int d = 0; d < dims; d++) sum += v[d] * v[d];
  return sqrt((double)sum);
}

double hm_matrix_cosine(const hm_matrix *m, size_t row, int32_t product, double length) {
  double lengths = m->lengths[row] * length;
  return lengths > 0 ? product / lengths : 0;
}

void hm_matrix_pack(const double *numbers, int dims, int8_t *out) {
  double most = 0;
  for (int i = 0; i < dims; i++) most = fabs(numbers[i]) > most ? fabs(numbers[i]) : most;
  for (int i = 0; i < dims; i++)
    out[i] = (int8_t)(most > 0 ? lrint(numbers[i] / most * 127) : 0);
}
