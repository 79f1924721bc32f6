/* Exact decimals of any length. */
#ifndef HM_DECIMAL_H
#define HM_DECIMAL_H
#include "core/base/str.h"

/* ±0.D1D2D3... × 10^exp. */
typedef struct {
  bool neg;      /* never for zero */
  hm_str digits; /* '0' to '9', no '0' at either end; empty: zero */
  int64_t exp;
} hm_number;

/* A number written with a greater exponent is read as text. */
#define HM_NUMBER_EXP_MAX INT64_C(1000000000000000)

/* Reads the longest number at the beginning of s: [+|-|U+2212] digits, with ','
 * only between whole groups of three, [. digits] [e [sign] digits]. Returns its
 * length in bytes, or 0 if s does not begin with a number, or has leading zeros ("007"), wrong
 * groups ("1,00") or too great an exponent. Digits are in s or in a. */
size_t hm_number_scan(hm_number *out, hm_str s, hm_arena *a);
/* The same for the whole of s. */
bool hm_number_parse(hm_number *out, hm_str s, hm_arena *a);
/* Canonical form (see value.h); hm_number_parse reads it back as the same number. */
hm_str hm_number_text(hm_arena *a, const hm_number *v);
/* -1, 0, 1. */
int hm_number_cmp(const hm_number *x, const hm_number *y);
/* x + y, or x - y, exact. False if the result would have many more digits than both together
 * (1e9000000 + 1). */
bool hm_number_add(hm_number *out, const hm_number *x, const hm_number *y, hm_arena *a);
bool hm_number_sub(hm_number *out, const hm_number *x, const hm_number *y, hm_arena *a);
/* v × m × 10^e; m below 2^53. */
void hm_number_scale(hm_number *out, const hm_number *v, uint64_t m, int64_t e, hm_arena *a);
/* Nearest double; ±inf when too great. */
double hm_number_double(const hm_number *v);
/* The decimal that prints as %.*g. d must be finite. */
hm_number hm_number_of_double(double d, int significant, hm_arena *a);
#endif
