#include "core/claim/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the parts of a number stand in its text. */
typedef struct {
  bool neg, grouped;
  size_t whole, whole_end;   /* digits and commas before the point */
  size_t frac, frac_end;     /* digits after it */
  int64_t e;
} layout;

static bool is_digit(hm_str s, size_t i) { return i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; }
static bool is_at(hm_str s, size_t i, char c) { return i < s.n && s.p[i] == c; }

static size_t skip_digits(hm_str s, size_t i) {
  while (is_digit(s, i)) i++;
  return i;
}

static size_t scan_sign(hm_str s, bool *neg) {
  *neg = is_at(s, 0, '-');
  if (*neg || is_at(s, 0, '+')) return 1;
  *neg = s.n >= 3 && memcmp(s.p, "\xE2\x88\x92", 3) == 0;
  return *neg ? 3 : 0;
}

/* "1,000,000": the end of the groups, or 0 when they are not by threes. */
static size_t scan_groups(hm_str s, size_t from, size_t i) {
  if (i - from > 3 || i == from) return 0;
  while (is_at(s, i, ',') && is_digit(s, i + 1)) {
    size_t end = skip_digits(s, i + 1);
    if (end - i != 4) return 0;
    i = end;
  }
  return i;
}

static size_t scan_whole(hm_str s, size_t i, layout *l) {
  l->whole = i;
  i = skip_digits(s, i);
  if (i - l->whole > 1 && s.p[l->whole] == '0') return SIZE_MAX;
  if (is_at(s, i, ',') && is_digit(s, i + 1)) {
    size_t end = s.p[l->whole] == '0' ? 0 : scan_groups(s, l->whole, i);
    if (!end) return SIZE_MAX;
    l->grouped = true;
    i = end;
  }
  return l->whole_end = i;
}

static size_t scan_fraction(hm_str s, size_t i, layout *l) {
  l->frac = l->frac_end = i;
  bool some = l->whole_end > l->whole;
  if (!is_at(s, i, '.') || !(some || is_digit(s, i + 1))) return some ? i : SIZE_MAX;
  l->frac = i + 1;
  return l->frac_end = skip_digits(s, i + 1);
}

/* An 'e' without digits after it is the beginning of a unit. */
static size_t scan_exponent(hm_str s, size_t i, layout *l) {
  if (!is_at(s, i, 'e') && !is_at(s, i, 'E')) return i;
  size_t at = i + 1;
  bool neg = is_at(s, at, '-');
  if (neg || is_at(s, at, '+')) at++;
  if (!is_digit(s, at)) return i;
  int64_t e = 0;
  for (; is_digit(s, at); at++) {
    e = e * 10 + (s.p[at] - '0');
    if (e > HM_NUMBER_EXP_MAX) return SIZE_MAX;
  }
  l->e = neg ? -e : e;
  return at;
}

/* Without zeros at the ends, and with the exponent that goes with that. */
static hm_number trimmed(bool neg, hm_str digits, int64_t exp) {
  while (digits.n && digits.p[0] == '0') digits.p++, digits.n--, exp--;
  while (digits.n && digits.p[digits.n - 1] == '0') digits.n--;
  if (!digits.n) return (hm_number){ false, HM_EMPTY, 0 };
  return (hm_number){ neg, digits, exp };
}

static size_t copy_digits(char *to, size_t n, hm_str s, size_t from, size_t end) {
  for (size_t i = from; i < end; i++)
    if (s.p[i] != ',') to[n++] = s.p[i];
  return n;
}

static hm_number number_of(hm_str s, const layout *l, hm_arena *a) {
  if (l->frac_end == l->frac && !l->grouped) {
    hm_str whole = hm_str_sub(s, l->whole, l->whole_end);
    return trimmed(l->neg, whole, (int64_t)whole.n + l->e);
  }
  char *p = hm_alloc(a, l->frac_end - l->whole);
  size_t point = copy_digits(p, 0, s, l->whole, l->whole_end);
  size_t n = copy_digits(p, point, s, l->frac, l->frac_end);
  return trimmed(l->neg, (hm_str){ p, n }, (int64_t)point + l->e);
}

size_t hm_number_scan(hm_number *out, hm_str s, hm_arena *a) {
  layout l = { 0 };
  size_t i = scan_whole(s, scan_sign(s, &l.neg), &l);
  if (i != SIZE_MAX) i = scan_fraction(s, i, &l);
  if (i != SIZE_MAX) i = scan_exponent(s, i, &l);
  if (i == SIZE_MAX) return 0;
  *out = number_of(s, &l, a);
  return i;
}

bool hm_number_parse(hm_number *out, hm_str s, hm_arena *a) {
  return s.n && hm_number_scan(out, s, a) == s.n;
}

static char *put(char *p, hm_str s) {
  memcpy(p, s.p, s.n);
  return p + s.n;
}

static char *put_zeros(char *p, int64_t n) {
  memset(p, '0', (size_t)n);
  return p + n;
}

static char *put_plain(char *p, hm_str d, int64_t exp) {
  int64_t n = (int64_t)d.n;
  if (exp <= 0) return put(put_zeros(put(p, HM_STR("0.")), -exp), d);
  if (exp >= n) return put_zeros(put(p, d), exp - n);
  p = put(p, hm_str_sub(d, 0, (size_t)exp));
  *p++ = '.';
  return put(p, hm_str_sub(d, (size_t)exp, d.n));
}

static char *put_scientific(char *p, hm_str d, int64_t exp) {
  *p++ = d.p[0];
  if (d.n > 1) *p++ = '.';
  p = put(p, hm_str_sub(d, 1, d.n));
  return p + sprintf(p, "e%" PRId64, exp - 1);
}

hm_str hm_number_text(hm_arena *a, const hm_number *v) {
  enum { PLAIN_MAX = 30, REST = 64 };
  if (!v->digits.n) return HM_STR("0");
  char *p = hm_alloc(a, v->digits.n + REST), *at = p;
  if (v->neg) *at++ = '-';
  bool plain = v->exp - 1 >= -PLAIN_MAX && v->exp - 1 <= PLAIN_MAX;
  at = (plain ? put_plain : put_scientific)(at, v->digits, v->exp);
  return (hm_str){ p, (size_t)(at - p) };
}

static int cmp_magnitude(const hm_number *x, const hm_number *y) {
  if (!x->digits.n || !y->digits.n) return (x->digits.n > 0) - (y->digits.n > 0);
  if (x->exp != y->exp) return x->exp < y->exp ? -1 : 1;
  int d = hm_str_cmp(x->digits, y->digits);
  return (d > 0) - (d < 0);
}

int hm_number_cmp(const hm_number *x, const hm_number *y) {
  if (x->neg != y->neg) return x->neg ? -1 : 1;
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
  if (top - low > (int64_t)(x->digits.n + y->digits.n) + GAP_MAX) return false;
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
  if (!x->digits.n || !y->digits.n) return *out = x->digits.n ? *x : *y, true;
  if (x->neg == y->neg) return combine(out, x, y, 1, a);
  return cmp_magnitude(x, y) >= 0 ? combine(out, x, y, -1, a) : combine(out, y, x, -1, a);
}

bool hm_number_sub(hm_number *out, const hm_number *x, const hm_number *y, hm_arena *a) {
  hm_number minus = *y;
  minus.neg = y->digits.n && !y->neg;
  return hm_number_add(out, x, &minus, a);
}

void hm_number_scale(hm_number *out, const hm_number *v, uint64_t m, int64_t e, hm_arena *a) {
  enum { MORE = 17 };   /* digits of m and of the last carry */
  size_t n = v->digits.n + MORE;
  char *p = hm_alloc(a, n);
  uint64_t carry = 0;
  for (size_t i = n; i-- > 0;) {
    if (i >= MORE) carry += m * (uint64_t)(v->digits.p[i - MORE] - '0');
    p[i] = (char)('0' + carry % 10);
    carry /= 10;
  }
  *out = trimmed(v->neg, (hm_str){ p, n }, v->exp + e + MORE);
}

/* Up to 15 digits and 10^22 a double holds both exactly, and one operation on
 * them rounds once: that is the nearest double, without strtod. */
static bool quick_double(const hm_number *v, double *d) {
  static const double powers[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  };
  int64_t e = v->exp - (int64_t)v->digits.n;
  if (v->digits.n > 15 || e < -22 || e > 22) return false;
  int64_t m = 0;
  for (size_t i = 0; i < v->digits.n; i++) m = m * 10 + (v->digits.p[i] - '0');
  if (v->neg) m = -m;
  *d = e < 0 ? (double)m / powers[-e] : (double)m * powers[e];
  return true;
}

double hm_number_double(const hm_number *v) {
  enum { ENOUGH = 40 };   /* more digits than decide the nearest double of any sane number */
  double d;
  if (quick_double(v, &d)) return d;
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
