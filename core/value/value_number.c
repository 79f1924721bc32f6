/* Numbers as people write them: value.h has the table.
 *
 *   digits    468, 1,000  1'000  1 000  1_000 (groups of three, one separator),
 *             1.234,56 (a point groups only before a decimal comma)
 *   decimals  4.8; a comma where no group is possible: 1,5  0,500  1 234,5
 *   powers    1.5e3, 10^3, 10**3, 2^10, 1.5 x 10^3. Digits, e, digits ("5E1") may be a name
 *   fractions 1/2, 1 1/2, 1-1/2: in lowest terms, over one of `parts`; 1/250 only with a unit
 *   words     zero to the trillions, "half", "a dozen", "one and a half", "three quarters"
 *   times     hundred to trillion, dozen, k, bn behind any of them: "1.5 million", "2 dozen"
 *
 * A number with leading zeros is not read. Cost: linear in the bytes. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"

/* --- digits ---------------------------------------------------------------------------- */

int hm_value_whole(hm_str s, size_t from, size_t end) {
  int v = 0;
  for (size_t i = from; i < end; i++)
    v = v * 10 + (s.p[i] - '0');
  return v;
}

/* Exactly n digits. */
static bool has_digits(hm_str s, size_t i, size_t n) { return hm_skip_digits(s, i) == i + n; }

/* Behind groups of three digits, each after a separator. */
static size_t skip_groups(hm_str s, size_t i, char separator) {
  while (hm_char_at(s, i, separator) && has_digits(s, i + 1, 3))
    i += 4;
  return i;
}

/* The end of the whole part whose first run of digits is [from, i); *separator: of its groups, 0
 * when it has none. */
static size_t whole_end(hm_str s, size_t from, size_t i, char *separator) {
  static const char separators[] = { ',', '\'', ' ', '_' };
  *separator = 0;
  if (i == from || i == s.n || i - from > 3 || s.p[from] == '0' || !hm_digit_at(s, i + 1))
    return i;
  for (size_t k = 0; k < sizeof separators; k++) {
    size_t end = skip_groups(s, i, separators[k]);
    if (end == i)
      continue;
    *separator = separators[k];
    return end;
  }
  size_t german = skip_groups(s, i, '.');
  bool decimals = hm_char_at(s, german, ',') && hm_digit_at(s, german + 1);
  bool several = german > i + 4 && german < s.n && s.p[german] != '.' && !hm_digit_at(s, german) &&
      s.p[german] != '-';
  if (german > i && (decimals || several)) {
    *separator = '.';
    return german;
  }
  return i;
}

/* The end of "e-12" at i, or i. */
static size_t exponent_end(hm_str s, size_t i, bool *sign) {
  if (!hm_char_at(s, i, 'e') && !hm_char_at(s, i, 'E'))
    return i;
  *sign = hm_char_at(s, i + 1, '-') || hm_char_at(s, i + 1, '+');
  size_t from = i + 1 + *sign, end = hm_skip_digits(s, from);
  return end > from ? end : i;
}

/* Without separators, with a decimal point. */
static hm_str plain_digits(hm_str s, size_t whole, size_t end, hm_arena *a) {
  char *p = hm_alloc(a, end + 1), *to = p;
  for (size_t i = 0; i < end; i++) {
    if (i < whole && s.p[i] != '-' && s.p[i] != '+' && !hm_digit_at(s, i))
      continue;
    *to++ = i == whole && s.p[i] == ',' ? '.' : s.p[i];
  }
  return (hm_str){ p, (size_t)(to - p) };
}

static size_t scan_decimal(hm_numeral *out, hm_str s, hm_arena *a) {
  size_t from = hm_char_at(s, 0, '-') || hm_char_at(s, 0, '+'), first = hm_skip_digits(s, from);
  char separator = 0;
  bool sign = false;
  if (first - from > 1 && s.p[from] == '0')
    return 0;
  size_t whole = whole_end(s, from, first, &separator), end = whole;
  bool comma = hm_char_at(s, whole, ',') && separator != ',' && whole > from;
  bool point = hm_char_at(s, whole, '.') && separator != '.';
  if ((comma || point) && hm_digit_at(s, whole + 1))
    end = hm_skip_digits(s, whole + 1);
  else
    comma = point = false;
  if (end == from ||
      ((hm_char_at(s, end, '.') || hm_char_at(s, end, ',')) && hm_digit_at(s, end + 1)))
    return 0;
  size_t used = exponent_end(s, end, &sign);
  hm_str digits = separator || comma ? plain_digits(s, whole, used, a) : hm_str_sub(s, 0, used);
  out->whole = end == whole && used == end;
  out->bare = out->whole && !separator;
  out->name = used > end && !sign && end == whole;
  return hm_number_scan(&out->n, digits, a) == digits.n ? used : 0;
}

/* --- powers and fractions -------------------------------------------------------------- */

/* "^3", "**-3" at i: the power in *e; its end, or i. */
static size_t scan_power(hm_str s, size_t i, int *e) {
  enum { DIGITS = 3 };
  size_t sign = hm_skip_spaces(s, i), at = i;
  if (hm_char_at(s, sign, '^'))
    at = hm_skip_spaces(s, sign + 1);
  else if (hm_str_starts(hm_str_sub(s, i, s.n), "**"))
    at = i + 2;
  bool minus = hm_char_at(s, at, '-');
  size_t from = at + (minus || hm_char_at(s, at, '+')), end = hm_skip_digits(s, from);
  if (at == i || end == from || end - from > DIGITS)
    return i;
  *e = hm_value_whole(s, from, end) * (minus ? -1 : 1);
  return end;
}

/* n to the power e: any power of ten, else a power of a small number. */
static bool raise_number(hm_number *n, int e, hm_arena *a) {
  enum { BASE_MAX = 1000, POWER_MAX = 64 };
  double base = hm_number_double(n);
  if (base == 10) {
    n->exp += e - 1;
    return true;
  }
  if (base < 2 || base > BASE_MAX || e < 0 || e > POWER_MAX)
    return false;
  *n = hm_number_of_double(1, 1, a);
  for (int i = 0; i < e; i++)
    hm_number_scale(n, n, (uint64_t)base, 0, a);
  return true;
}

/* The end of " x 10^3" behind a number that ends at i, or i. */
static size_t times_power_of_ten(hm_number *n, hm_str s, size_t i) {
  static const char *const signs[] = { "x", "X", "*", "\u00B7", "\u22C5" };
  size_t at = hm_skip_spaces(s, i), k = 0;
  int e = 0;
  while (k < HM_COUNT(signs) && !hm_str_starts(hm_str_sub(s, at, s.n), signs[k]))
    k++;
  if (k == HM_COUNT(signs))
    return i;
  at = hm_skip_spaces(s, at + strlen(signs[k]));
  if (!has_digits(s, at, 2) || hm_value_whole(s, at, at + 2) != 10)
    return i;
  size_t end = scan_power(s, at + 2, &e);
  if (end == at + 2)
    return i;
  if (n->digits.n)
    n->exp += e;
  return end;
}

/* By what rulers, drills and recipes divide. */
static const int parts[] = { 2, 3, 4, 5, 6, 8, 10, 16, 20, 32, 64, 100 };

static int common_divisor(int a, int b) { return b ? common_divisor(b, a % b) : a; }

static int small_number(hm_str s, size_t from, size_t end) {
  bool small = end > from && end - from <= 4 && s.p[from] != '0';
  return small ? hm_value_whole(s, from, end) : 0;
}

/* "3/4" at i: its end, or i. *odd: over another number than parts has. */
static size_t scan_fraction(hm_str s, size_t i, int *over, int *under, bool *odd) {
  size_t slash = hm_skip_digits(s, i),
         end = hm_char_at(s, slash, '/') ? hm_skip_digits(s, slash + 1) : i;
  if (end == i || hm_char_at(s, end, '/') || (hm_char_at(s, end, '.') && hm_digit_at(s, end + 1)))
    return i;
  *over = small_number(s, i, slash);
  *under = small_number(s, slash + 1, end);
  if (!*over || *over > 999 || !*under || common_divisor(*over, *under) != 1)
    return i;
  *odd = true;
  for (size_t k = 0; k < HM_COUNT(parts); k++)
    *odd = *odd && parts[k] != *under;
  return *odd && *over > *under ? i : end;
}

/* over / under, exact where it is a decimal. */
static hm_number divided(uint64_t over, int under, hm_arena *a) {
  enum { MILLION = 1000000 };
  hm_number n;
  if (MILLION % under)
    return hm_number_of_double((double)over / under, 15, a);
  hm_number one = hm_number_of_double(1, 1, a);
  hm_number_scale(&n, &one, over * (uint64_t)(MILLION / under), -6, a);
  return n;
}

/* "1/2", "1 1/2", "1-1/2"; 0 when s begins otherwise. */
static size_t scan_mixed(hm_numeral *out, hm_str s, hm_arena *a) {
  size_t from = hm_char_at(s, 0, '-') || hm_char_at(s, 0, '+'), first = hm_skip_digits(s, from);
  int over = 0, under = 0, whole = 0;
  bool odd = false;
  size_t end = scan_fraction(s, from, &over, &under, &odd);
  if (end == from) {
    size_t part = first + 1;
    if (hm_str_starts(hm_str_sub(s, first, s.n), " and "))
      part = first + 5;
    else if (first == from || (!hm_char_at(s, first, ' ') && !hm_char_at(s, first, '-')))
      return 0;
    whole = small_number(s, from, first);
    end = scan_fraction(s, part, &over, &under, &odd);
    if (end == part || !whole || over >= under || odd)
      return 0;
  }
  *out = (hm_numeral){ .n = divided((uint64_t)whole * (uint64_t)under + (uint64_t)over, under, a) };
  out->n.neg = hm_char_at(s, 0, '-');
  out->name = odd;
  return end;
}

/* --- words ----------------------------------------------------------------------------- */

typedef enum { ONES, TIMES, HALF, QUARTER, ARTICLE } word_kind;
typedef struct {
  const char *word;
  word_kind kind;
  uint64_t value;
} number_word;

/* Sorted. Sources: CLDR; Oxford English Dictionary. */
static const number_word words[] = {
  { "a", ARTICLE, 1 },
  { "an", ARTICLE, 1 },
  { "billion", TIMES, 1000000000 },
  { "bn", TIMES, 1000000000 },
  { "dozen", TIMES, 12 },
  { "eight", ONES, 8 },
  { "eighteen", ONES, 18 },
  { "eighty", ONES, 80 },
  { "eleven", ONES, 11 },
  { "fifteen", ONES, 15 },
  { "fifty", ONES, 50 },
  { "five", ONES, 5 },
  { "forty", ONES, 40 },
  { "four", ONES, 4 },
  { "fourteen", ONES, 14 },
  { "half", HALF, 50 },
  { "hundred", TIMES, 100 },
  { "million", TIMES, 1000000 },
  { "mln", TIMES, 1000000 },
  { "nine", ONES, 9 },
  { "nineteen", ONES, 19 },
  { "ninety", ONES, 90 },
  { "one", ONES, 1 },
  { "quarter", QUARTER, 25 },
  { "quarters", QUARTER, 25 },
  { "seven", ONES, 7 },
  { "seventeen", ONES, 17 },
  { "seventy", ONES, 70 },
  { "six", ONES, 6 },
  { "sixteen", ONES, 16 },
  { "sixty", ONES, 60 },
  { "ten", ONES, 10 },
  { "thirteen", ONES, 13 },
  { "thirty", ONES, 30 },
  { "thousand", TIMES, 1000 },
  { "three", ONES, 3 },
  { "trillion", TIMES, 1000000000000 },
  { "twelve", ONES, 12 },
  { "twenty", ONES, 20 },
  { "two", ONES, 2 },
  { "zero", ONES, 0 },
};

/* The word of letters at i, and where it ends. */
static const number_word *word_at(hm_str s, size_t i, size_t *end) {
  *end = i;
  while (hm_letter_at(s, *end))
    ++*end;
  return HM_FIND(hm_str_sub(s, i, *end), words);
}

bool hm_value_is_number_word(hm_str word) {
  size_t end;
  const number_word *w = word_at(word, 0, &end);
  return w && end == word.n;
}

/* A number in words while it is read, in hundredths. */
typedef struct {
  uint64_t total, current;
  bool any, small, tens, part, article;
} spoken;

/* Takes one word; false: it does not belong there. */
static bool take_word(spoken *n, const number_word *w) {
  uint64_t times = n->current ? n->current : 100;
  bool hundred = w->value == 100;
  switch (w->kind) {
    case ARTICLE:
      n->article = true;
      return !n->any;
    case ONES:
      if (n->article || n->part || n->small || (n->tens && (w->value > 9 || !w->value)))
        return false;
      n->current += w->value * 100;
      n->tens = w->value > 19;
      n->small = !n->tens;
      break;
    case TIMES:
      if ((n->any && !n->current) || (hundred && times > 9900))
        return false;
      n->current = hundred ? times * 100 : 0;
      n->total += hundred ? 0 : times * w->value;
      n->small = n->tens = n->part = false;
      break;
    case HALF:
      if (n->any)
        return false;
      n->current = w->value;
      n->part = true;
      break;
    case QUARTER:
      return false;
  }
  n->any = true;
  n->article = false;
  return n->total < UINT64_C(1000000000000000000);
}

/* "and" between numbers, "and a half", "half a": the begin of the next word, or 0. */
static size_t next_word(hm_str s, size_t i, const number_word **w, size_t *end, bool *half) {
  size_t at = hm_char_at(s, i, '-') ? i + 1 : hm_skip_spaces(s, i);
  *half = false;
  *w = word_at(s, at, end);
  if (at == i || *end == at)
    return 0;
  if (*w || !hm_value_is_word(hm_str_sub(s, at, *end), "and"))
    return *w ? at : 0;
  at = hm_skip_spaces(s, *end);
  *w = word_at(s, at, end);
  if (!*w || (*w)->kind != ARTICLE)
    return *w && (*w)->kind == ONES ? at : 0;
  at = hm_skip_spaces(s, *end);
  *w = word_at(s, at, end);
  *half = *w && ((*w)->kind == HALF || (*w)->kind == QUARTER);
  return *half ? at : 0;
}

/* "one half", "three quarters", "a third": 0 when s begins otherwise. */
static size_t scan_spoken_fraction(hm_numeral *out, hm_str s, hm_arena *a) {
  static const struct {
    const char *word;
    uint64_t under;
  } names[] = {
    { "eighth", 8 },   { "eighths", 8 }, { "fifth", 5 }, { "fifths", 5 }, { "half", 2 },
    { "quarter", 4 },  { "quarters", 4 }, { "sixth", 6 }, { "sixths", 6 }, { "tenth", 10 },
    { "tenths", 10 }, { "third", 3 },    { "thirds", 3 },
  }, *name;
  size_t end, last;
  const number_word *w = word_at(s, 0, &end);
  if (!w || (w->kind != ONES && w->kind != ARTICLE))
    return 0;
  size_t at = hm_char_at(s, end, '-') ? end + 1 : hm_skip_spaces(s, end);
  for (last = at; hm_letter_at(s, last);)
    last++;
  name = HM_FIND(hm_str_sub(s, at, last), names);
  if (!name || !w->value || w->value >= name->under)
    return 0;
  *out = (hm_numeral){ .n = divided(w->value, (int)name->under, a) };
  return last;
}

static size_t scan_words(hm_numeral *out, hm_str s, hm_arena *a) {
  spoken n = { 0 };
  size_t end, used = scan_spoken_fraction(out, s, a);
  if (used)
    return used;
  bool half = false;
  for (const number_word *w = word_at(s, 0, &end); w;) {
    if (half)
      n.current += w->value, n.part = true;
    else if (!(w->kind == ARTICLE && n.part) && !take_word(&n, w))
      break;
    if (w->kind != ARTICLE)
      used = end;
    if (!next_word(s, end, &w, &end, &half))
      break;
  }
  if (!n.any || !used || hm_digit_at(s, used))
    return 0;
  uint64_t hundredths = n.total + n.current;
  hm_number one = hm_number_of_double(1, 1, a);
  *out = (hm_numeral){ .whole = hundredths % 100 == 0 };
  hm_number_scale(&out->n, &one, hundredths, -2, a);
  return used;
}

/* --- all of it ------------------------------------------------------------------------- */

/* "million", " dozen", "k" behind a number that ends at i: the end, or i. */
static size_t scan_times(hm_numeral *n, hm_str s, size_t i, bool money, hm_arena *a) {
  static const struct {
    char c;
    uint64_t times;
    bool money;
  } letters[] = {
    { 'k', 1000, false },   { 'K', 1000, true },       { 'M', 1000000, false },
    { 'm', 1000000, true }, { 'B', 1000000000, true }, { 'b', 1000000000, true },
  };
  bool ends = i + 1 == s.n || hm_char_at(s, i + 1, ' ') || (money && hm_char_at(s, i + 1, '/'));
  for (size_t k = 0; ends && i && k < HM_COUNT(letters); k++)
    if (hm_digit_at(s, i - 1) && hm_char_at(s, i, letters[k].c) && (money || !letters[k].money)) {
      hm_number_scale(&n->n, &n->n, letters[k].times, 0, a);
      return i + 1;
    }
  size_t end;
  const number_word *w = word_at(s, hm_skip_spaces(s, i), &end);
  if (!w || w->kind != TIMES)
    return i;
  hm_number_scale(&n->n, &n->n, w->value, 0, a);
  n->name = n->bare = false;
  n->whole = true; /* "1.5 million" is one */
  return end;
}

size_t hm_numeral_scan(hm_numeral *out, hm_str s, bool money, hm_arena *a) {
  int e;
  *out = (hm_numeral){ 0 };
  if (hm_letter_at(s, 0))
    return scan_words(out, s, a);
  size_t used = memchr(s.p, '/', s.n) ? scan_mixed(out, s, a) : 0;
  if (used)
    return scan_times(out, s, used, money, a);
  used = scan_decimal(out, s, a);
  if (!used || used == s.n)
    return used;
  size_t end = out->bare ? scan_power(s, used, &e) : used;
  if (end > used) {
    if (!raise_number(&out->n, e, a))
      return 0;
    out->bare = false;
    return end;
  }
  end = times_power_of_ten(&out->n, s, used);
  if (end > used) {
    out->whole = out->bare = out->name = false;
    return end;
  }
  return scan_times(out, s, used, money, a);
}
