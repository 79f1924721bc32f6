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

/* Exactly n digits. */
static bool has_digits(hm_str s, size_t i, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (!hm_digit_at(s, i + k))
      return false;
  return !hm_digit_at(s, i + n);
}

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
  else if (hm_char_at(s, i, '*') && hm_char_at(s, i + 1, '*'))
    at = i + 2;
  if (at == i)
    return i;
  bool minus = hm_char_at(s, at, '-');
  size_t from = at + (minus || hm_char_at(s, at, '+')), end = hm_skip_digits(s, from);
  if (end == from || end - from > DIGITS)
    return i;
  *e = 0;
  for (size_t k = from; k < end; k++)
    *e = *e * 10 + (s.p[k] - '0');
  if (minus)
    *e = -*e;
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
  size_t at = hm_skip_spaces(s, i), dot = 0;
  hm_str rest = hm_str_sub(s, at, s.n);
  int e = 0;
  if (hm_str_starts(rest, "\u00B7"))
    dot = 2;
  if (hm_str_starts(rest, "\u22C5"))
    dot = 3;
  if (!dot && !hm_char_at(s, at, 'x') && !hm_char_at(s, at, 'X') && !hm_char_at(s, at, '*'))
    return i;
  at = hm_skip_spaces(s, at + (dot ? dot : 1));
  if (!has_digits(s, at, 2) || !hm_char_at(s, at, '1') || !hm_char_at(s, at + 1, '0'))
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
  int v = 0;
  if (end == from || end - from > 4 || s.p[from] == '0')
    return 0;
  for (size_t i = from; i < end; i++)
    v = v * 10 + (s.p[i] - '0');
  return v;
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

typedef enum { ONES, TENS, HUNDRED, TIMES, DOZEN, HALF, QUARTER, ARTICLE } word_kind;
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
  { "dozen", DOZEN, 12 },
  { "eight", ONES, 8 },
  { "eighteen", ONES, 18 },
  { "eighty", TENS, 80 },
  { "eleven", ONES, 11 },
  { "fifteen", ONES, 15 },
  { "fifty", TENS, 50 },
  { "five", ONES, 5 },
  { "forty", TENS, 40 },
  { "four", ONES, 4 },
  { "fourteen", ONES, 14 },
  { "half", HALF, 50 },
  { "hundred", HUNDRED, 100 },
  { "million", TIMES, 1000000 },
  { "mln", TIMES, 1000000 },
  { "nine", ONES, 9 },
  { "nineteen", ONES, 19 },
  { "ninety", TENS, 90 },
  { "one", ONES, 1 },
  { "quarter", QUARTER, 25 },
  { "quarters", QUARTER, 25 },
  { "seven", ONES, 7 },
  { "seventeen", ONES, 17 },
  { "seventy", TENS, 70 },
  { "six", ONES, 6 },
  { "sixteen", ONES, 16 },
  { "sixty", TENS, 60 },
  { "ten", ONES, 10 },
  { "thirteen", ONES, 13 },
  { "thirty", TENS, 30 },
  { "thousand", TIMES, 1000 },
  { "three", ONES, 3 },
  { "trillion", TIMES, 1000000000000 },
  { "twelve", ONES, 12 },
  { "twenty", TENS, 20 },
  { "two", ONES, 2 },
  { "zero", ONES, 0 },
};

static int cmp_word(const void *key, const void *row) {
  const hm_str *s = key;
  const char *word = ((const number_word *)row)->word;
  for (size_t i = 0; i < s->n; i++) {
    int d = (unsigned char)hm_ascii_lower(s->p[i]) - (unsigned char)word[i];
    if (d)
      return d;
  }
  return word[s->n] ? -1 : 0;
}

/* The word of letters at i, and where it ends. */
static const number_word *word_at(hm_str s, size_t i, size_t *end) {
  enum { LONGEST = 9 };
  *end = i;
  while (hm_letter_at(s, *end) && *end - i <= LONGEST)
    ++*end;
  hm_str w = hm_str_sub(s, i, *end);
  if (!w.n || w.n > LONGEST)
    return NULL;
  return bsearch(&w, words, HM_COUNT(words), sizeof *words, cmp_word);
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
  bool counts = w->kind != HALF && w->kind != QUARTER;
  if (n->part && w->kind != DOZEN && w->kind != TIMES)
    return false;
  switch (w->kind) {
    case ARTICLE:
      if (n->any)
        return false;
      n->article = true;
      return true;
    case ONES:
      if (n->article || n->small || (n->tens && (w->value > 9 || !w->value)))
        return false;
      n->current += w->value * 100;
      n->small = true;
      break;
    case TENS:
      if (n->article || n->small || n->tens)
        return false;
      n->current += w->value * 100;
      n->tens = true;
      break;
    case HUNDRED:
      if (n->current > 9900 || (!n->current && n->any))
        return false;
      n->current = (n->current ? n->current : 100) * 100;
      n->small = n->tens = false;
      break;
    case DOZEN:
    case TIMES:
      if (n->any && !n->current)
        return false;
      n->total += (n->current ? n->current : 100) * w->value;
      n->current = 0;
      n->small = n->tens = n->part = false;
      break;
    case HALF:
    case QUARTER:
      if (n->any || w->kind == QUARTER)
        return false;
      n->current = w->value;
      n->part = true;
      break;
  }
  n->any = n->any || counts || n->part;
  n->article = false;
  return n->total < UINT64_C(1000000000000000000);
}

/* "and" between numbers, "and a half", "half a": the begin of the next word, or 0. */
static size_t next_word(hm_str s, size_t i, const number_word **w, size_t *end, bool *half) {
  size_t at = i;
  *half = false;
  if (hm_char_at(s, i, '-'))
    at = i + 1;
  else if ((at = hm_skip_spaces(s, i)) == i)
    return 0;
  if (*(*w = word_at(s, at, end), end) == at)
    return 0;
  hm_str word = hm_str_sub(s, at, *end);
  if (!*w && word.n == 3 && hm_ascii_lower(word.p[0]) == 'a' && hm_ascii_lower(word.p[1]) == 'n' &&
      hm_ascii_lower(word.p[2]) == 'd') {
    at = hm_skip_spaces(s, *end);
    *w = word_at(s, at, end);
    if (*w && (*w)->kind == ARTICLE) {
      size_t after = hm_skip_spaces(s, *end);
      *w = word_at(s, after, end);
      *half = *w && ((*w)->kind == HALF || (*w)->kind == QUARTER);
      return *half ? after : 0;
    }
    return *w && ((*w)->kind == ONES || (*w)->kind == TENS) ? at : 0;
  }
  return *w ? at : 0;
}

/* "one half", "three quarters", "a third": 0 when s begins otherwise. */
static size_t scan_spoken_fraction(hm_numeral *out, hm_str s, hm_arena *a) {
  static const struct {
    const char *word;
    int under;
  } names[] = {
    { "half", 2 },    { "third", 3 },  { "thirds", 3 },  { "quarter", 4 }, { "quarters", 4 },
    { "fifth", 5 },   { "fifths", 5 }, { "sixth", 6 },   { "sixths", 6 },  { "eighth", 8 },
    { "eighths", 8 }, { "tenth", 10 }, { "tenths", 10 },
  };
  size_t end, last;
  const number_word *w = word_at(s, 0, &end);
  if (!w || (w->kind != ONES && w->kind != ARTICLE))
    return 0;
  size_t at = hm_char_at(s, end, '-') ? end + 1 : hm_skip_spaces(s, end);
  for (last = at; hm_letter_at(s, last);)
    last++;
  for (size_t i = 0; i < HM_COUNT(names); i++) {
    if (last - at != strlen(names[i].word))
      continue;
    if (!hm_value_starts_folded(hm_str_sub(s, at, last), names[i].word))
      continue;
    if (!w->value || w->value >= (uint64_t)names[i].under)
      return 0;
    *out = (hm_numeral){ .n = divided(w->value, names[i].under, a) };
    return last;
  }
  return 0;
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
  size_t end, at = hm_skip_spaces(s, i);
  if (at >= s.n || !memchr("bdhmt", s.p[at] | 0x20, 5))
    return i;
  const number_word *w = word_at(s, at, &end);
  if (!w || (w->kind != TIMES && w->kind != DOZEN && w->kind != HUNDRED))
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
