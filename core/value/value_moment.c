/* What a text states of a day and a time of day, in any order and spelling: "2 April 2026",
 * "Thursday, April 2nd, 2026", "2-Apr-2026", "13.04.2026", "W14 2026", "Q2/2026", "9:10 AM, Dec
 * 04", "9:10aDec 4", "2011-12-04 09:10AM CST"; months in English, German, French, Spanish.
 *
 * A text is scanned for numbers and words; with one other word it states no moment. Two moments are
 * one if they agree in all that both state; the year may miss beside a time of day. Beside "AM" and
 * "PM" the month comes first in 03/04/2026; else that may be two days, and states none. A time
 * without a zone may be of one that has a name, CET. Hours and minutes have two digits, so 16:9 is
 * no time. Cost: linear, for texts of at most LONGEST. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/value/value_impl.h"

enum { LONGEST = 64, NONE = HM_NOT_STATED };

static const int64_t SECOND = 1000000, MINUTE = 60000000, HOUR = INT64_C(3600000000);

/* --- words ------------------------------------------------------------------------------------ */

/* NOISE says nothing; a UNIT is a week (0), or a part of so many months. */
typedef enum { NOISE, MONTH, WEEKDAY, UNIT, ORDINAL, SUFFIX } word_kind;
typedef struct {
  const char *word;
  word_kind kind;
  int value;
} date_word;

/* Sorted. Sources: CLDR; of English Oxford, of German Duden, of French Larousse, of Spanish RAE. */
/* clang-format off */
static const date_word words[] = {
  { "abril", MONTH, 4 }, { "agosto", MONTH, 8 }, { "aout", MONTH, 8 }, { "ao\u00FBt", MONTH, 8 },
  { "apr", MONTH, 4 }, { "april", MONTH, 4 }, { "at", NOISE, 0 }, { "aug", MONTH, 8 },
  { "august", MONTH, 8 }, { "avril", MONTH, 4 }, { "calendar", NOISE, 0 }, { "cw", UNIT, 0 },
  { "de", NOISE, 0 }, { "dec", MONTH, 12 }, { "december", MONTH, 12 }, { "decembre", MONTH, 12 },
  { "delayed", NOISE, 0 }, { "dez", MONTH, 12 }, { "dezember", MONTH, 12 },
  { "diciembre", MONTH, 12 }, { "d\u00E9cembre", MONTH, 12 }, { "enero", MONTH, 1 },
  { "er", SUFFIX, 1 }, { "estimated", NOISE, 0 }, { "feb", MONTH, 2 }, { "febrero", MONTH, 2 },
  { "februar", MONTH, 2 }, { "february", MONTH, 2 }, { "fevrier", MONTH, 2 },
  { "first", ORDINAL, 1 }, { "fourth", ORDINAL, 4 }, { "fri", WEEKDAY, 4 },
  { "friday", WEEKDAY, 4 }, { "f\u00E9vrier", MONTH, 2 }, { "h", UNIT, 6 }, { "half", UNIT, 6 },
  { "in", NOISE, 0 }, { "jan", MONTH, 1 }, { "januar", MONTH, 1 }, { "january", MONTH, 1 },
  { "janvier", MONTH, 1 }, { "juillet", MONTH, 7 }, { "juin", MONTH, 6 }, { "jul", MONTH, 7 },
  { "juli", MONTH, 7 }, { "julio", MONTH, 7 }, { "july", MONTH, 7 }, { "jun", MONTH, 6 },
  { "june", MONTH, 6 }, { "juni", MONTH, 6 }, { "junio", MONTH, 6 }, { "kw", UNIT, 0 },
  { "maerz", MONTH, 3 }, { "mai", MONTH, 5 }, { "mar", MONTH, 3 }, { "march", MONTH, 3 },
  { "mars", MONTH, 3 }, { "marzo", MONTH, 3 }, { "may", MONTH, 5 }, { "mayo", MONTH, 5 },
  { "mon", WEEKDAY, 0 }, { "monday", WEEKDAY, 0 }, { "m\u00E4rz", MONTH, 3 }, { "nd", SUFFIX, 2 },
  { "nov", MONTH, 11 }, { "november", MONTH, 11 }, { "novembre", MONTH, 11 },
  { "noviembre", MONTH, 11 }, { "oct", MONTH, 10 }, { "october", MONTH, 10 },
  { "octobre", MONTH, 10 }, { "octubre", MONTH, 10 }, { "of", NOISE, 0 }, { "okt", MONTH, 10 },
  { "oktober", MONTH, 10 }, { "on", NOISE, 0 }, { "q", UNIT, 3 }, { "quarter", UNIT, 3 },
  { "rd", SUFFIX, 3 }, { "runway", NOISE, 0 }, { "sat", WEEKDAY, 5 }, { "saturday", WEEKDAY, 5 },
  { "second", ORDINAL, 2 }, { "sep", MONTH, 9 }, { "sept", MONTH, 9 }, { "september", MONTH, 9 },
  { "septembre", MONTH, 9 }, { "septiembre", MONTH, 9 }, { "st", SUFFIX, 1 },
  { "sun", WEEKDAY, 6 }, { "sunday", WEEKDAY, 6 }, { "th", SUFFIX, 0 }, { "the", NOISE, 0 },
  { "third", ORDINAL, 3 }, { "thu", WEEKDAY, 3 }, { "thur", WEEKDAY, 3 }, { "thurs", WEEKDAY, 3 },
  { "thursday", WEEKDAY, 3 }, { "time", NOISE, 0 }, { "tue", WEEKDAY, 1 }, { "tues", WEEKDAY, 1 },
  { "tuesday", WEEKDAY, 1 }, { "w", UNIT, 0 }, { "wed", WEEKDAY, 2 }, { "wednesday", WEEKDAY, 2 },
  { "week", UNIT, 0 }, { "wk", UNIT, 0 },
};
/* clang-format on */

bool hm_value_is_date_word(hm_str word) { return HM_FIND(word, words) != NULL; }

/* --- zones ------------------------------------------------------------------------------------ */

/* Minutes east of UTC; sorted. */
static const struct zone {
  const char *name;
  int minutes;
} zones[] = {
  { "bst", 60 },   { "cdt", -300 }, { "cest", 120 }, { "cet", 60 },   { "cst", -360 },
  { "edt", -240 }, { "eest", 180 }, { "eet", 120 },  { "est", -300 }, { "gmt", 0 },
  { "jst", 540 },  { "mdt", -360 }, { "mst", -420 }, { "pdt", -420 }, { "pst", -480 },
  { "utc", 0 },    { "z", 0 },
};

/* Minutes of "+02:00", "+0200", "+2". */
static bool read_offset(hm_str s, int *minutes) {
  enum { HOURS_MAX = 14 };
  hm_str digits = hm_str_sub(s, 1, s.n);
  char all[4];
  size_t n = 0;
  bool colon = s.n > 4 && s.p[s.n - 3] == ':';
  for (size_t i = 0; i < digits.n; i++)
    if (n < sizeof all && hm_is_digit(digits.p[i]))
      all[n++] = digits.p[i];
  int v = hm_value_whole((hm_str){ all, n }, 0, n), h = n > 2 ? v / 100 : v,
      m = n > 2 ? v % 100 : 0;
  *minutes = (s.p[0] == '-' ? -1 : 1) * (h * 60 + m);
  return n && (colon || n != 3) && h <= HOURS_MAX && m < 60 && s.n == 1 + n + colon;
}

/* --- a text ----------------------------------------------------------------------------------- */

/* A text that is scanned: where, and the unit whose number comes. */
typedef struct {
  hm_str s;
  size_t at;
  bool unit, behind_clock;
} scan;

/* Reads a number of at most five digits; how many in *n. */
static int take_number(scan *t, size_t *n) {
  size_t from = t->at, end = hm_skip_digits(t->s, from);
  *n = end - from < 5 ? end - from : 5;
  t->at += *n;
  return hm_value_whole(t->s, from, t->at);
}

/* " am", "p.m.", behind minutes also "a": of an hour at the place. */
static bool take_half(hm_moment *m, scan *t, int *hour, bool minutes) {
  size_t at = hm_skip_spaces(t->s, t->at);
  char c = at < t->s.n ? hm_ascii_lower(t->s.p[at]) : 0;
  size_t dot = hm_char_at(t->s, at + 1, '.'), end = at + 1 + dot;
  bool whole = hm_char_at(t->s, end, 'm') || hm_char_at(t->s, end, 'M');
  bool bare = minutes && !dot && !(end < t->s.n && hm_is_lower(t->s.p[end]));
  if ((c != 'a' && c != 'p') || (!whole && !bare) || *hour < 1 || *hour > 12)
    return false;
  end += whole;
  *hour = *hour % 12 + (c == 'p') * 12;
  t->at = end + (dot && hm_char_at(t->s, end, '.'));
  m->halves = true;
  return true;
}

/* ":10", ":10:30.5", " am" behind the hour. */
static bool take_clock(hm_moment *m, scan *t, int hour) {
  size_t n;
  int minute = 0;
  int64_t rest = 0;
  bool minutes = hm_char_at(t->s, t->at, ':');
  if (m->clock != NONE || hour > 23)
    return false;
  m->precision = HM_P_MINUTE;
  if (minutes) {
    t->at++;
    minute = take_number(t, &n);
    if (n != 2 || minute > 59)
      return false;
  }
  if (minutes && hm_char_at(t->s, t->at, ':')) {
    t->at++;
    rest = take_number(t, &n) * SECOND;
    if (n != 2 || rest >= MINUTE)
      return false;
    m->precision = HM_P_SECOND;
    int64_t unit = SECOND;
    if (hm_char_at(t->s, t->at, '.') && hm_digit_at(t->s, t->at + 1))
      for (t->at++; hm_digit_at(t->s, t->at); t->at++)
        rest += (t->s.p[t->at] - '0') * (unit /= 10);
    if (rest % SECOND)
      m->precision = HM_P_FRACTION;
  }
  if (!take_half(m, t, &hour, minutes) && !minutes)
    return false;
  m->clock = hour * HOUR + minute * MINUTE + rest;
  t->behind_clock = true;
  return true;
}

/* "/04/2011" behind the first number, of `digits`. */
static bool take_numeric(hm_moment *m, scan *t, int first, size_t digits) {
  char sign = t->s.p[t->at++];
  size_t n, k = 0;
  int second = take_number(t, &n), third = NONE;
  bool year_first = digits == 4;
  if (n > 2 || digits > 4 || digits == 3 || m->month != NONE)
    return false;
  if (hm_char_at(t->s, t->at, sign) && hm_digit_at(t->s, t->at + 1)) {
    t->at++;
    third = take_number(t, &k);
  }
  bool pairs = sign != '.' || (n == 2 && k == 2);
  if (year_first && pairs && k <= 2 && (k || sign != '.'))
    return m->year = first, m->month = second, m->day = third, true;
  if (year_first || (third == NONE && sign != '/') || (k && k != 2 && k != 4))
    return false;
  if (k)
    m->year = k == 2 ? 2000 + third : third;
  m->short_year = k == 2;
  bool day_first = sign == '.' || first > 12;
  m->month = day_first ? second : first;
  m->day = day_first ? first : second;
  m->unsure = sign != '.' && first <= 12 && second <= 12;
  return true;
}

static bool take_digits(hm_moment *m, scan *t) {
  size_t n;
  int v = take_number(t, &n), hour = v;
  char next = t->at < t->s.n ? t->s.p[t->at] : 0;
  size_t after = t->at;
  if (n <= 2 && (next == ':' || take_half(&(hm_moment){ 0 }, t, &hour, false))) {
    t->at = after;
    return take_clock(m, t, v);
  }
  if (t->unit && n <= 2)
    return t->unit = false, m->number = v, true;
  if (next && strchr("/-.", next) && hm_digit_at(t->s, t->at + 1) && m->year == NONE)
    return take_numeric(m, t, v, n);
  int *to = n == 4 ? &m->year : &m->day;
  if (n == 3 || n > 4 || *to != NONE || (n == 4 && v < 1000))
    return false;
  *to = v;
  return true;
}

static bool take_unit(hm_moment *m, scan *t, int months) {
  if (m->months != NONE || m->month != NONE)
    return false;
  m->months = months;
  m->number = m->day; /* "2nd quarter" */
  t->unit = m->day == NONE;
  m->day = NONE;
  return true;
}

/* "EST", "UTC+2", "(-05:00)" behind a time of day. */
static bool take_zone(hm_moment *m, scan *t) {
  enum { ZONE_MAX = 4 };
  size_t from = t->at, end = from, digits;
  bool upper = true;
  for (; hm_letter_at(t->s, end); end++)
    upper = upper && hm_is_upper(t->s.p[end]);
  hm_str name = hm_str_sub(t->s, from, end);
  const struct zone *known = HM_FIND(name, zones);
  if (!t->behind_clock || (!known && !upper) || name.n > ZONE_MAX || m->zoned.n)
    return false;
  bool utc = hm_value_is_word(name, "utc") || hm_value_is_word(name, "gmt");
  bool sign = hm_char_at(t->s, end, '+') || hm_char_at(t->s, end, '-');
  digits = end;
  if ((!name.n || utc) && sign)
    for (digits++; hm_digit_at(t->s, digits) || hm_char_at(t->s, digits, ':');)
      digits++;
  m->zone = known ? known->minutes : m->zone;
  if (digits > end && !read_offset(hm_str_sub(t->s, end, digits), &m->zone))
    return false;
  t->at = digits;
  m->zoned = hm_str_sub(t->s, from, digits);
  m->unknown = name.n && !known;
  m->named = name.n > 1 && !utc;
  return m->zoned.n > 0;
}

static bool take_word(hm_moment *m, scan *t) {
  size_t from = t->at, end = from;
  while (hm_any_letter_at(t->s, end))
    end++;
  hm_str word = hm_str_sub(t->s, from, end);
  const date_word *w = HM_FIND(word, words);
  bool separator = hm_value_is_word(word, "t") && from && hm_digit_at(t->s, end);
  if (!w && !separator)
    return take_zone(m, t);
  t->at = end;
  switch (w ? w->kind : NOISE) {
    case NOISE:
      return true;
    case MONTH:
      return m->month == NONE && m->months == NONE && (m->month = w->value, true);
    case WEEKDAY:
      return m->weekday == NONE && (m->weekday = w->value, true);
    case UNIT:
      return take_unit(m, t, w->value);
    case ORDINAL:
      return m->day == NONE && (m->day = w->value, true);
    case SUFFIX:
      return from && hm_digit_at(t->s, from - 1) && m->day != NONE &&
          (!w->value || m->day % 10 == w->value);
  }
  return false;
}

bool hm_moment_scan(hm_moment *m, hm_str s) {
  scan t = { .s = s };
  *m = (hm_moment){ .year = NONE,
                    .month = NONE,
                    .day = NONE,
                    .weekday = NONE,
                    .months = NONE,
                    .number = NONE,
                    .clock = NONE,
                    .zoned = HM_EMPTY };
  if (!s.n || s.n > LONGEST)
    return false;
  while (t.at < s.n) {
    char c = s.p[t.at];
    bool behind = t.behind_clock, sign = c == '+' || c == '-';
    bool taken = hm_is_digit(c)                      ? take_digits(m, &t)
        : hm_is_letter(c) || c & 0x80                ? take_word(m, &t)
        : behind && sign && hm_digit_at(s, t.at + 1) ? take_zone(m, &t)
                                                     : strchr(" ,.()-/'", s.p[t.at++]) != NULL;
    if (!taken)
      return false;
    t.behind_clock = t.behind_clock && (!behind || c == ' ' || c == '(');
  }
  return !t.unit;
}

/* --- two of them ------------------------------------------------------------------------------ */

static bool stated_alike(int x, int y) { return x == NONE || y == NONE || x == y; }

/* Is it certain which day, or which time of any day, it is? */
static bool is_certain(const hm_moment *m) {
  bool day = m->month >= 1 && m->month <= 12 && m->day >= 1 && m->day <= 31;
  if (m->months != NONE || (m->unsure && !m->halves))
    return false;
  if (m->clock != NONE)
    return day || (m->month == NONE && m->day == NONE);
  return day && m->weekday == NONE;
}

/* Of a text also as a pattern reads it: "Dec 04 - not available". */
static bool read_moment(hm_moment *m, const hm_value *v) {
  hm_str read = v->kind == HM_V_TEXT ? hm_str_sub(v->norm, sizeof "text:" - 1, v->norm.n) : v->raw;
  return (hm_moment_scan(m, hm_str_trim(v->raw)) || hm_moment_scan(m, read)) && is_certain(m);
}

/* "-06:00", which may be that of a zone with a name. */
static bool is_offset(const hm_moment *m) { return m->zoned.n && !hm_is_letter(m->zoned.p[0]); }

bool hm_values_same_moment(const hm_value *a, const hm_value *b) {
  hm_moment m, n;
  bool text = a->kind == HM_V_TEXT || b->kind == HM_V_TEXT;
  if (!read_moment(&m, a) || !read_moment(&n, b) ||
      (!text && a->kind == b->kind && m.named == n.named))
    return false;
  bool dated = m.month != NONE || n.month != NONE;
  bool zone = !m.zoned.n || !n.zoned.n || hm_str_eq(m.zoned, n.zoned) ||
      (m.named && is_offset(&n)) || (n.named && is_offset(&m));
  /* a day, and a time on it */
  bool years = (m.year != NONE && n.year != NONE) || (a->supports | b->supports) & HM_READ_DATE;
  bool clocks = m.clock == n.clock ? m.clock != NONE || years
                                   : m.day > 0 && n.day > 0 && (m.clock == NONE || n.clock == NONE);
  return zone && clocks && (dated || !m.zoned.n == !n.zoned.n) && stated_alike(m.year, n.year) &&
      stated_alike(m.month, n.month) && stated_alike(m.day, n.day);
}
