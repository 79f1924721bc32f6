/* Vectors of many rows, laid out so that one question is compared with all of them.
 *
 * The rows are cut into blocks of HM_MATRIX_BLOCK; in a block the first number of all its rows
 * comes first, then the second of all, and so on. A question of a few words is zero in most of its
 * numbers, and what it is zero in is not read at all. Numbers are bytes, products exact: the same
 * on every machine. Cost: for 10^5 rows and a question with 150 numbers that are not zero, 15 MB
 * read and about 2 ms on one core. */
#ifndef HM_MATRIX_H
#define HM_MATRIX_H
#include "core/base/str.h"

enum { HM_MATRIX_BLOCK = 1024, HM_MATRIX_DIMS_MAX = 8192 };

typedef struct {
  size_t n;                    /* rows */
  int dims;                    /* numbers of a vector */
  int8_t *v;
  double *lengths;             /* of each row's vector; 0 of one that has none */
} hm_matrix;

/* n rows of zeros, in a. */
hm_matrix *hm_matrix_new(size_t n, int dims, hm_arena *a);
/* v: dims bytes, copied. Different blocks may be filled by different threads. */
void hm_matrix_set(hm_matrix *m, size_t row, const int8_t *v);
/* The products of a vector with the rows of one block, into out[0] to out[HM_MATRIX_BLOCK - 1];
 * rows that are not there have 0. */
void hm_matrix_products(const hm_matrix *m, size_t block, const int8_t *v, int32_t *out);
/* The length of a vector; its cosine with a row by their product, 0 where one has no length. */
double hm_matrix_length(const int8_t *v, int dims);
double hm_matrix_cosine(const hm_matrix *m, size_t row, int32_t product, double length);
/* Numbers to bytes, in proportion to the largest; all zero where there is none. */
void hm_matrix_pack(const double *numbers, int dims, int8_t *out);
#endif
