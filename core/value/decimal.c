/* Exact decimals: decimal.h. A number is its digits, without zeros at the ends, and an exponent, so
 * 468, 468.0 and 4.68e2 are equal. Cost: linear in the digits. */
#include "core/value/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without zeros at the ends, and with the exponent that goes with that. */
static hm_number trimmed(bool neg, hm_str digits, int64_t exp) {
  while (digits.n && digits.p[0] == '0')
    digits.p++, digits.n--, exp--;
  while (digits.n && digits.p[digits.n - 1] == '0')
    digits.n--;
  if (!digits.n)
    return (hm_number){ false, HM_EMPTY, 0 };
  return (hm_number){ neg, digits, exp };
}

size_t hm_number_scan(hm_number *out, hm_str s, hm_arena *a) {
  bool neg = hm_char_at(s, 0, '-') || hm_str_starts(s, "\u2212"), grouped = false;
  size_t whole = hm_char_at(s, 0, '-') || hm_char_at(s, 0, '+') ? 1 : neg ? 3 : 0;
  size_t point = hm_skip_digits(s, whole), n = point - whole;
  if (n > 1 && s.p[whole] == '0')
    return 0;
  if (hm_char_at(s, point, ',') && hm_digit_at(s, point + 1)) { /* "1,000,000" */
    if (n < 1 || n > 3 || s.p[whole] == '0')
      return 0;
    grouped = true;
    while (hm_char_at(s, point, ',') && hm_digit_at(s, point + 1)) {
      size_t group = hm_skip_digits(s, point + 1);
      if (group - point != 4)
        return 0;
      point = group;
    }
  }
  size_t frac = point, end = point;
  if (hm_char_at(s, point, '.') && (point > whole || hm_digit_at(s, point + 1)))
    end = hm_skip_digits(s, frac = point + 1);
  else if (point == whole)
    return 0;
  size_t frac_end = end, at = end + 1;
  int64_t e = 0;
  if (hm_char_at(s, end, 'e') || hm_char_at(s, end, 'E')) {
    bool minus = hm_char_at(s, at, '-');
    if (minus || hm_char_at(s, at, '+'))
      at++;
    /* An 'e' without digits after it is the beginning of a unit. */
    for (; hm_digit_at(s, at); end = ++at) {
      e = e * 10 + (s.p[at] - '0');
      if (e > HM_NUMBER_EXP_MAX)
        return 0;
    }
    if (minus)
      e = -e;
  }
  if (frac_end == frac && !grouped) {
    *out = trimmed(neg, hm_str_sub(s, whole, point), (int64_t)n + e);
    return end;
  }
  char *p = hm_alloc(a, frac_end - whole), *to = p;
  for (size_t i = whole; i < point; i++)
    if (s.p[i] != ',')
      *to++ = s.p[i];
  int64_t exp = to - p + e;
  to = (char *)mempcpy(to, s.p + frac, frac_end - frac);
  *out = trimmed(neg, (hm_str){ p, (size_t)(to - p) }, exp);
  return end;
}

bool hm_number_parse(hm_number *out, hm_str s, hm_arena *a) {
  return s.n && hm_number_scan(out, s, a) == s.n;
}

hm_str hm_number_text(hm_arena *a, const hm_number *v) {
  static const char zeros[] = "000000000000000000000000000000";
  enum { PLAIN_MAX = sizeof zeros - 1 };
  hm_str d = v->digits, sign = v->neg ? HM_STR("-") : HM_EMPTY;
  int64_t exp = v->exp, n = (int64_t)d.n;
  if (!n)
    return HM_STR("0");
  if (exp - 1 < -PLAIN_MAX || exp - 1 > PLAIN_MAX) {
    hm_str e = hm_str_fmt(a, "e%" PRId64, exp - 1), point = n > 1 ? HM_STR(".") : HM_EMPTY;
    hm_str parts[] = { sign, hm_str_sub(d, 0, 1), point, hm_str_sub(d, 1, d.n), e };
    return hm_str_join(a, parts, HM_COUNT(parts));
  }
  if (exp <= 0)
    return hm_str_join(a, (hm_str[]){ sign, HM_STR("0."), { zeros, (size_t)-exp }, d }, 4);
  if (exp >= n)
    return hm_str_join(a, (hm_str[]){ sign, d, { zeros, (size_t)(exp - n) } }, 3);
  hm_str whole = hm_str_sub(d, 0, (size_t)exp), rest = hm_str_sub(d, (size_t)exp, d.n);
  return hm_str_join(a, (hm_str[]){ sign, whole, HM_STR("."), rest }, 4);
}

static int cmp_magnitude(const hm_number *x, const hm_number *y) {
  if (!x->digits.n || !y->digits.n)
    return (x->digits.n > 0) - (y->digits.n > 0);
  if (x->exp != y->exp)
    return x->exp < y->exp ? -1 : 1;
  int d = hm_str_cmp(x->digits, y->digits);
  return (d > 0) - (d < 0);
}

int hm_number_cmp(const hm_number *x, const hm_number *y) {
  if (x->neg != y->neg)
    return x->neg ? -1 : 1;
  int d = cmp_magnitude(x, y);
  return x->neg ? -d : d;
}

/* Digit of v worth 10^(at-1). */
static int digit_at(const hm_number *v, int64_t at) {
  int64_t i = v->exp - at;
  return i >= 0 && i < (int64_t)v->digits.n ? v->digits.p[i] - '0' : 0;
}

/* |x| + sign |y|, where |x| >= |y| if sign is -1, with the sign of x. */
static bool combine(hm_number *out, const hm_number *x, const hm_number *y, int sign, hm_arena *a) {
  enum { GAP_MAX = 4096 };
  int64_t top = (x->exp > y->exp ? x->exp : y->exp) + 1;
  int64_t lowx = x->exp - (int64_t)x->digits.n, lowy = y->exp - (int64_t)y->digits.n;
  int64_t low = lowx < lowy ? lowx : lowy;
  if (top - low > (int64_t)(x->digits.n + y->digits.n) + GAP_MAX)
    return false;
  char *p = hm_alloc(a, (size_t)(top - low));
  int carry = 0;
  for (int64_t at = low + 1; at <= top; at++) {
    int d = digit_at(x, at) + sign * digit_at(y, at) + carry;
    carry = d < 0 ? -1 : d / 10;
    p[top - at] = (char)('0' + (d + 10) % 10);
  }
  *out = trimmed(x->neg, (hm_str){ p, (size_t)(top - low) }, top);
  return true;
}

bool hm_number_add(hm_number *out, const hm_number *x, const hm_number *y, hm_arena *a) {
  if (!x->digits.n || !y->digits.n)
    return *out = x->digits.n ? *x : *y, true;
  if (x->neg == y->neg)
    return combine(out, x, y, 1, a);
  return cmp_magnitude(x, y) >= 0 ? combine(out, x, y, -1, a) : combine(out, y, x, -1, a);
}

bool hm_number_sub(hm_number *out, const hm_number *x, const hm_number *y, hm_arena *a) {
  hm_number minus = *y;
  minus.neg = y->digits.n && !y->neg;
  return hm_number_add(out, x, &minus, a);
}

void hm_number_scale(hm_number *out, const hm_number *v, uint64_t m, int64_t e, hm_arena *a) {
  enum { MORE = 17 }; /* digits of m and of the last carry */
  size_t n = v->digits.n + MORE, i = n;
  char *p = hm_alloc(a, n);
  uint64_t carry = 0;
  while (i > MORE || (i && carry)) {
    if (i-- > MORE)
      carry += m * (uint64_t)(v->digits.p[i - MORE] - '0');
    p[i] = (char)('0' + carry % 10);
    carry /= 10;
  }
  *out = trimmed(v->neg, (hm_str){ p + i, n - i }, v->exp + e + MORE - (int64_t)i);
}

/* Up to 15 digits and 10^22 a double holds both exactly, and one operation on
 * them rounds once: that is the nearest double, without strtod. */
static bool quick_double(const hm_number *v, double *d) {
  static const double powers[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  };
  int64_t e = v->exp - (int64_t)v->digits.n;
  if (v->digits.n > 15 || e < -22 || e > 22)
    return false;
  int64_t m = 0;
  for (size_t i = 0; i < v->digits.n; i++)
    m = m * 10 + (v->digits.p[i] - '0');
  if (v->neg)
    m = -m;
  *d = e < 0 ? (double)m / powers[-e] : (double)m * powers[e];
  return true;
}

double hm_number_double(const hm_number *v) {
  enum { ENOUGH = 40 }; /* more digits than decide the nearest double of any sane number */
  double d;
  if (quick_double(v, &d))
    return d;
  char text[ENOUGH + 32];
  int n = v->digits.n > ENOUGH ? ENOUGH : (int)v->digits.n;
  snprintf(text, sizeof text, "%s0.%.*se%" PRId64, v->neg ? "-" : "", n, v->digits.p, v->exp);
  return strtod(text, NULL);
}

hm_number hm_number_of_double(double d, int significant, hm_arena *a) {
  char text[64];
  int n = snprintf(text, sizeof text, "%.*g", significant, d);
  hm_number v = { false, HM_EMPTY, 0 };
  hm_number_parse(&v, hm_str_dup(a, (hm_str){ text, (size_t)n }), a);
  return v;
}
