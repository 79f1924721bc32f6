/* Dates as people write them, each a span of time, and times of day: value.h has the table.
 *
 *   ISO 8601          2026-04, 2026-04-02, 2026-04-02T09:00Z, 2026-W14, 2026-W14-3
 *   year first        2026/04/02, 2026.04.02, 2026/4; another order of three numbers is no date
 *   in words          2 April 2026, April 2nd, 2026, 2-Apr-2026, Thursday, 2 April 2026; months in
 *                     English, German, French, Spanish; 2026年4月2日
 *   weeks             2026-W14, W14 2026, week 14 of 2026, CW14 2026, KW 14/2026
 *   quarters, halves  Q2 2026, 2026Q2, Q2/2026, second quarter of 2026, H1 2026
 *   with a time       each of a day, and a time of day behind it
 *   times of day      9:00, 09:00:30, 9 am, 2:30 p.m., noon, midnight; a zone behind: Z, UTC,
 *                     +02:00, UTC+2, CET; but 08:00-12:00 is a range
 *
 * A day of the week must be correct. A text is split into numbers and words, which are compared
 * with patterns. Hours and minutes have two digits, so 16:9 and 3:2 are not times. A time without a
 * zone is UTC, as in a date; one with a zone is converted to UTC. 24:00 is not a time. Cost:
 * linear, for dates of at most 64 bytes and times of at most 32. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/value/value_impl.h"
#include "core/base/sort.h"

/* --- times of day ----------------------------------------------------------------------------- */

enum { CLOCK_LONGEST = 32, ZONE_MAX = 14 };

static const int64_t SECOND = 1000000, MINUTE = 60000000, HOUR = INT64_C(3600000000),
                     DAY = INT64_C(86400000000);

/* Minutes east of UTC. */
static const struct {
  const char *name;
  int minutes;
} zones[] = {
  { "z", 0 },      { "utc", 0 },    { "gmt", 0 },    { "cet", 60 },   { "cest", 120 },
  { "eet", 120 },  { "eest", 180 }, { "bst", 60 },   { "est", -300 }, { "edt", -240 },
  { "cst", -360 }, { "cdt", -300 }, { "mst", -420 }, { "mdt", -360 }, { "pst", -480 },
  { "pdt", -420 }, { "jst", 540 },
};

/* One or two digits at *i, at most max. */
static bool take_number(hm_str s, size_t *i, int max, int *out) {
  size_t from = *i;
  *out = 0;
  while (hm_digit_at(s, *i) && *i - from < 2)
    *out = *out * 10 + (s.p[(*i)++] - '0');
  return *i > from && !hm_digit_at(s, *i) && *out <= max;
}

/* "+02:00", "+0200", "+2" at i to the end. */
static bool read_offset(hm_str s, size_t i, int *minutes) {
  int h = 0, m = 0;
  bool west = s.p[i] == '-';
  size_t from = ++i;
  for (; hm_digit_at(s, i) && i - from < 2; i++)
    h = h * 10 + (s.p[i] - '0');
  if (i == from)
    return false;
  if (i < s.n && s.p[i] == ':')
    i++;
  size_t second = i;
  for (; hm_digit_at(s, i) && i - second < 2; i++)
    m = m * 10 + (s.p[i] - '0');
  if (i < s.n || (i > second && i - second < 2) || h > ZONE_MAX || m > 59)
    return false;
  *minutes = (west ? -1 : 1) * (h * 60 + m);
  return true;
}

/* All of s from i on is a zone, or nothing. */
static bool read_zone(hm_str s, size_t i, int *minutes) {
  *minutes = 0;
  i = hm_skip_spaces(s, i);
  if (i == s.n)
    return true;
  size_t end = i;
  char name[5] = { 0 };
  for (; end < s.n && hm_is_letter(s.p[end]); end++) {
    if (end - i == sizeof name - 1)
      return false;
    name[end - i] = (char)(s.p[end] | 0x20);
  }
  bool named = end == i;
  for (size_t k = 0; !named && k < HM_COUNT(zones); k++)
    if (!strcmp(zones[k].name, name))
      *minutes = zones[k].minutes, named = true;
  if (!named || end == s.n)
    return named;
  bool utc = end == i || !strcmp(name, "utc") || !strcmp(name, "gmt");
  return utc && (s.p[end] == '+' || s.p[end] == '-') && read_offset(s, end, minutes);
}

/* Reads "am", "p.m." at *i: sets *half to 0 or 12 hours; leaves *i if there is none. */
static bool take_half(hm_str s, size_t *i, int *half) {
  size_t at = hm_skip_spaces(s, *i);
  if (at >= s.n)
    return false;
  char c = (char)(s.p[at] | 0x20);
  if (c != 'a' && c != 'p')
    return false;
  at++;
  bool dotted = at < s.n && s.p[at] == '.';
  at += dotted;
  if (at >= s.n || (s.p[at] | 0x20) != 'm')
    return false;
  at++;
  if (dotted && at < s.n && s.p[at] == '.')
    at++;
  if (at < s.n && s.p[at] != ' ' && s.p[at] != '+')
    return false;
  *half = c == 'p' ? 12 : 0;
  *i = at;
  return true;
}

/* "9:00", "09:00:30.5", "9 am". */
static bool scan_digits(hm_str s, hm_time *t, hm_precision *p, size_t *end) {
  int h, m = 0, sec = 0, half = 0;
  int64_t fraction = 0;
  size_t i = 0;
  if (!take_number(s, &i, 23, &h))
    return false;
  bool minutes = i < s.n && s.p[i] == ':';
  if (minutes) {
    size_t from = ++i;
    if (!take_number(s, &i, 59, &m) || i - from != 2)
      return false;
    if (i < s.n && s.p[i] == ':') {
      from = ++i;
      if (!take_number(s, &i, 59, &sec) || i - from != 2)
        return false;
      *p = HM_P_SECOND;
      if (i < s.n && s.p[i] == '.' && hm_digit_at(s, i + 1)) {
        int64_t unit = SECOND;
        for (i++; hm_digit_at(s, i); i++)
          fraction += (s.p[i] - '0') * (unit /= 10);
        if (fraction)
          *p = HM_P_FRACTION;
      }
    }
  }
  bool halved = take_half(s, &i, &half);
  if ((!minutes && !halved) || (halved && (h < 1 || h > 12)))
    return false;
  if (halved)
    h = h % 12 + half;
  *t = h * HOUR + m * MINUTE + sec * SECOND + fraction;
  *end = i;
  return true;
}

/* time and precision of out: as stated; *shift: what makes it UTC. */
static bool scan_clock(hm_value *out, hm_str s, int64_t *shift) {
  size_t end;
  int minutes;
  out->precision = HM_P_MINUTE;
  if (!s.n || s.n > CLOCK_LONGEST)
    return false;
  if (!scan_digits(s, &out->time, &out->precision, &end))
    return false;
  if (!read_zone(s, end, &minutes))
    return false;
  *shift = -minutes * MINUTE;
  return true;
}

/* "08:00-12:00" is from then to then, and no zone to the west. */
static bool is_span_of_hours(hm_str s) {
  const char *colon = memchr(s.p, ':', s.n), *dash = memchr(s.p, '-', s.n);
  return colon && dash == colon + 3 && memchr(dash, ':', (size_t)(s.p + s.n - dash));
}

bool hm_value_read_clock(hm_value *out, hm_str s, hm_reader *r) {
  enum { DATE = sizeof "1970-01-01T" - 1, MINUTE_LEN = sizeof "09:00" - 1 };
  int64_t shift;
  if (is_span_of_hours(s) || !scan_clock(out, s, &shift))
    return false;
  out->time = ((out->time + shift) % DAY + DAY) % DAY;
  out->last = hm_time_last_instant(out->time, out->precision);
  hm_str iso = hm_time_iso(r->scratch, out->time);
  size_t end = out->precision == HM_P_MINUTE ? DATE + MINUTE_LEN : iso.n - 1;
  hm_str text = hm_str_sub(iso, DATE, end);
  hm_str norm = HM_CAT(r->a, HM_STR("time:"), text);
  hm_value_set_forms(out, HM_V_CLOCK, norm, norm);
  return true;
}

/* --- dates ------------------------------------------------------------------------------------ */

enum { DATE_LONGEST = 64, TOKENS_MAX = 12 };

/* What a word or a number of a date is; NOISE says nothing. */
typedef enum { NOISE, NUMBER, MONTH, WEEKDAY, WEEK, QUARTER, HALF, ORDINAL, SUFFIX } token_kind;
typedef struct {
  token_kind kind;
  int value;
  size_t digits;
} token;
typedef struct {
  const char *word;
  token_kind kind;
  int value;
} date_word;

/* Sorted. Sources: CLDR; of English Oxford, of German Duden, of French Larousse, of Spanish RAE. */
/* clang-format off */
static const date_word words[] = {
  { "abril", MONTH, 4 }, { "agosto", MONTH, 8 }, { "aout", MONTH, 8 }, { "ao\u00FBt", MONTH, 8 },
  { "apr", MONTH, 4 }, { "april", MONTH, 4 }, { "aug", MONTH, 8 }, { "august", MONTH, 8 },
  { "avril", MONTH, 4 }, { "calendar", NOISE, 0 }, { "cw", WEEK, 0 }, { "de", NOISE, 0 },
  { "dec", MONTH, 12 }, { "december", MONTH, 12 }, { "decembre", MONTH, 12 }, { "dez", MONTH, 12 },
  { "dezember", MONTH, 12 }, { "diciembre", MONTH, 12 }, { "d\u00E9cembre", MONTH, 12 },
  { "enero", MONTH, 1 }, { "er", SUFFIX, 1 }, { "feb", MONTH, 2 }, { "febrero", MONTH, 2 },
  { "februar", MONTH, 2 }, { "february", MONTH, 2 }, { "fevrier", MONTH, 2 },
  { "first", ORDINAL, 1 }, { "fourth", ORDINAL, 4 }, { "fri", WEEKDAY, 4 },
  { "friday", WEEKDAY, 4 }, { "f\u00E9vrier", MONTH, 2 }, { "h", HALF, 0 }, { "half", HALF, 0 },
  { "in", NOISE, 0 },
  { "jan", MONTH, 1 }, { "januar", MONTH, 1 }, { "january", MONTH, 1 }, { "janvier", MONTH, 1 },
  { "juillet", MONTH, 7 }, { "juin", MONTH, 6 }, { "jul", MONTH, 7 }, { "juli", MONTH, 7 },
  { "julio", MONTH, 7 }, { "july", MONTH, 7 }, { "jun", MONTH, 6 }, { "june", MONTH, 6 },
  { "juni", MONTH, 6 }, { "junio", MONTH, 6 }, { "kw", WEEK, 0 }, { "maerz", MONTH, 3 },
  { "mai", MONTH, 5 }, { "mar", MONTH, 3 }, { "march", MONTH, 3 }, { "mars", MONTH, 3 },
  { "marzo", MONTH, 3 }, { "may", MONTH, 5 }, { "mayo", MONTH, 5 }, { "mon", WEEKDAY, 0 },
  { "monday", WEEKDAY, 0 }, { "m\u00E4rz", MONTH, 3 }, { "nd", SUFFIX, 2 }, { "nov", MONTH, 11 },
  { "november", MONTH, 11 }, { "novembre", MONTH, 11 }, { "noviembre", MONTH, 11 },
  { "oct", MONTH, 10 }, { "october", MONTH, 10 }, { "octobre", MONTH, 10 },
  { "octubre", MONTH, 10 }, { "of", NOISE, 0 }, { "okt", MONTH, 10 }, { "oktober", MONTH, 10 },
  { "on", NOISE, 0 }, { "q", QUARTER, 0 }, { "quarter", QUARTER, 0 }, { "rd", SUFFIX, 3 },
  { "sat", WEEKDAY, 5 }, { "saturday", WEEKDAY, 5 }, { "second", ORDINAL, 2 }, { "sep", MONTH, 9 },
  { "sept", MONTH, 9 }, { "september", MONTH, 9 }, { "septembre", MONTH, 9 },
  { "septiembre", MONTH, 9 }, { "st", SUFFIX, 1 }, { "sun", WEEKDAY, 6 }, { "sunday", WEEKDAY, 6 },
  { "th", SUFFIX, 0 }, { "the", NOISE, 0 }, { "third", ORDINAL, 3 }, { "thu", WEEKDAY, 3 },
  { "thur", WEEKDAY, 3 }, { "thurs", WEEKDAY, 3 }, { "thursday", WEEKDAY, 3 },
  { "tue", WEEKDAY, 1 }, { "tues", WEEKDAY, 1 }, { "tuesday", WEEKDAY, 1 }, { "w", WEEK, 0 },
  { "wed", WEEKDAY, 2 }, { "wednesday", WEEKDAY, 2 }, { "week", WEEK, 0 }, { "wk", WEEK, 0 },
};
/* clang-format on */

static const date_word *word_of(hm_str w) {
  enum { WORD_MAX = 10 };
  char lowered[WORD_MAX];
  if (!w.n || w.n > WORD_MAX)
    return NULL;
  for (size_t i = 0; i < w.n; i++)
    lowered[i] = hm_ascii_lower(w.p[i]);
  hm_str key = { lowered, w.n };
  return bsearch(&key, words, HM_COUNT(words), sizeof *words, hm_order_word);
}

bool hm_value_is_date_word(hm_str word) { return word_of(word) != NULL; }

int hm_value_month_of(hm_str word) {
  const date_word *w = word_of(word);
  return !w ? -1 : w->kind == MONTH ? w->value : 0;
}

/* --- tokens ---------------------------------------------------------------------------- */

/* Of s all that says something; false: something in it belongs to no date. */
static bool read_tokens(hm_str s, token out[TOKENS_MAX], size_t *n) {
  *n = 0;
  for (size_t i = 0, end; i < s.n; i = end) {
    for (end = i; hm_digit_at(s, end);)
      end++;
    token t = { NUMBER, 0, end - i };
    for (size_t k = i; k < end && t.digits <= 4; k++)
      t.value = t.value * 10 + (s.p[k] - '0');
    if (end == i) {
      while (hm_letter_at(s, end) || (end < s.n && s.p[end] & 0x80))
        end++;
      const date_word *w = word_of(hm_str_sub(s, i, end));
      if (end > i && !w)
        return false;
      if (end == i && !memchr(" ,./-'", s.p[i], 6))
        return false;
      t = (token){ w ? w->kind : NOISE, w ? w->value : 0, 0 };
      end += end == i;
    }
    if (t.digits > 4 || *n == TOKENS_MAX)
      return false;
    if (t.kind == SUFFIX) {
      bool fits =
          *n && out[*n - 1].kind == NUMBER && out[*n - 1].digits <= 2 && hm_digit_at(s, i - 1);
      if (!fits)
        return false;
      if (t.value && out[*n - 1].value % 10 != t.value)
        return false;
      continue;
    }
    if (t.kind != NOISE)
      out[(*n)++] = t;
  }
  return true;
}

/* One letter a token: d a number of one or two digits, y a year. */
static void write_pattern(const token *t, size_t n, char out[TOKENS_MAX + 1]) {
  static const char letters[] = {
    [MONTH] = 'M', [WEEKDAY] = 'D', [WEEK] = 'W', [QUARTER] = 'Q', [HALF] = 'H', [ORDINAL] = 'o'
  };
  for (size_t i = 0; i < n; i++) {
    out[i] = t[i].kind != NUMBER ? letters[t[i].kind] : t[i].digits < 3 ? 'd' : '?';
    if (t[i].digits == 4 && t[i].value >= 1000)
      out[i] = 'y';
  }
  out[n] = 0;
}

/* --- spans ----------------------------------------------------------------------------- */

static void set_span(hm_value *out, hm_str norm, hm_time first, hm_time last, hm_precision p) {
  hm_value_set_forms(out, HM_V_DATE, norm, norm);
  out->time = first;
  out->last = last;
  out->precision = p;
}

/* The date that an ISO text states. */
static bool set_iso(hm_value *out, hm_str iso, hm_reader *r) {
  enum { MONTH_LEN = 7, DAY_LEN = 10, MINUTE_LEN = 16 };
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(iso, &t, &p) || p == HM_P_YEAR)
    return false;
  hm_str text = hm_time_iso(r->scratch, t);
  if (p == HM_P_FRACTION && !memchr(text.p, '.', text.n))
    p = HM_P_SECOND;
  if (p == HM_P_MONTH)
    text = hm_str_sub(text, 0, MONTH_LEN);
  if (p == HM_P_DAY)
    text = hm_str_sub(text, 0, DAY_LEN);
  if (p == HM_P_MINUTE)
    text = HM_CAT(r->scratch, hm_str_sub(text, 0, MINUTE_LEN), HM_STR("Z"));
  set_span(out, HM_CAT(r->a, HM_STR("date:"), text), t, hm_time_last_instant(t, p), p);
  return true;
}

static bool set_day(hm_value *out, int year, int month, int day, hm_reader *r) {
  return set_iso(out, hm_str_fmt(r->scratch, "%04d-%02d-%02d", year, month, day), r);
}

static bool set_month(hm_value *out, int year, int month, hm_reader *r) {
  return set_iso(out, hm_str_fmt(r->scratch, "%04d-%02d", year, month), r);
}

/* 0 is Monday. */
static int weekday_of(hm_time day) {
  int64_t n = day / DAY - (day % DAY < 0);
  return (int)(((n + 3) % 7 + 7) % 7);
}

/* A week of the ISO year: the one with its Thursday in it. day: 1 to 7, or 0: all of it. */
static bool set_week(hm_value *out, int year, int week, int day, hm_reader *r) {
  hm_value fourth;
  if (week < 1 || week > 53 || day > 7 || !set_day(&fourth, year, 1, 4, r))
    return false;
  hm_time monday = fourth.time - weekday_of(fourth.time) * DAY + (week - 1) * 7 * DAY;
  if (hm_time_year(monday + 3 * DAY) != year)
    return false;
  if (day) {
    hm_str iso = hm_time_iso(r->scratch, monday + (day - 1) * DAY);
    return set_iso(out, hm_str_sub(iso, 0, 10), r);
  }
  set_span(out, hm_str_fmt(r->a, "date:%04d-W%02d", year, week), monday, monday + 7 * DAY - 1,
           HM_P_MONTH);
  return true;
}

/* A part of n months of the year: quarters and halves. */
static bool set_part(hm_value *out, int year, int at, int months, char letter, hm_reader *r) {
  hm_value first, last;
  if (at < 1 || at > 12 / months || !set_month(&first, year, (at - 1) * months + 1, r) ||
      !set_month(&last, year, at * months, r))
    return false;
  set_span(out, hm_str_fmt(r->a, "date:%04d-%c%d", year, letter, at), first.time, last.last,
           HM_P_MONTH);
  return true;
}

/* --- patterns -------------------------------------------------------------------------- */

/* Where in the tokens year, month, day (or week, part) stand; -1: nowhere. */
static const struct {
  const char *pattern;
  signed char year, month, day;
} patterns[] = {
  { "dMy", 2, 1, 0 }, { "Mdy", 2, 0, 1 }, { "yMd", 0, 1, 2 }, { "My", 1, 0, -1 },
  { "yM", 0, 1, -1 }, { "Wdy", 2, 0, 1 }, { "yWd", 0, 1, 2 }, { "ydW", 0, 2, 1 },
  { "Qdy", 2, 0, 1 }, { "yQd", 0, 1, 2 }, { "dQy", 2, 1, 0 }, { "oQy", 2, 1, 0 },
  { "Hdy", 2, 0, 1 }, { "yHd", 0, 1, 2 }, { "dHy", 2, 1, 0 }, { "oHy", 2, 1, 0 },
};

static bool set_pattern(hm_value *out, const token *t, size_t at, hm_reader *r) {
  int year = t[patterns[at].year].value;
  const token *unit = &t[patterns[at].month];
  int n = patterns[at].day < 0 ? 0 : t[patterns[at].day].value;
  if (unit->kind == WEEK)
    return set_week(out, year, n, 0, r);
  if (unit->kind == QUARTER)
    return set_part(out, year, n, 3, 'Q', r);
  if (unit->kind == HALF)
    return set_part(out, year, n, 6, 'H', r);
  if (patterns[at].day < 0)
    return set_month(out, year, unit->value, r);
  return set_day(out, year, unit->value, n, r);
}

static bool read_words(hm_value *out, hm_str s, hm_reader *r) {
  token all[TOKENS_MAX], *t = all;
  size_t n;
  char pattern[TOKENS_MAX + 1];
  int weekday = -1;
  if (s.n > DATE_LONGEST || !read_tokens(s, all, &n) || n < 2)
    return false;
  if (t->kind == WEEKDAY)
    weekday = t++->value, n--;
  write_pattern(t, n, pattern);
  if (!strcmp(pattern, "yWdd"))
    return set_week(out, t[0].value, t[2].value, t[3].value, r);
  for (size_t i = 0; i < HM_COUNT(patterns); i++) {
    if (strcmp(pattern, patterns[i].pattern))
      continue;
    if (!set_pattern(out, t, i, r))
      return false;
    return weekday < 0 || (out->precision == HM_P_DAY && weekday_of(out->time) == weekday);
  }
  return false;
}

/* "2026/4/2", "2026.04.02", "2026/04": one separator, the day of two digits where it is a point. */
static bool read_year_first(hm_value *out, hm_str s, hm_reader *r) {
  int v[2] = { 0, 0 };
  size_t i = 4, n = 0;
  char separator = s.n > 6 ? s.p[4] : 0;
  if (!separator || !memchr("/.-", separator, 3))
    return false;
  for (size_t k = 0; k < 4; k++)
    if (!hm_digit_at(s, k))
      return false;
  while (n < 2 && i < s.n && s.p[i] == separator) {
    size_t from = ++i;
    for (; hm_digit_at(s, i) && i - from < 2; i++)
      v[n] = v[n] * 10 + (s.p[i] - '0');
    if (i == from || (separator == '.' && i - from < 2))
      return false;
    n++;
  }
  if (i < s.n || !n || (separator == '.' && n < 2))
    return false;
  int year = (s.p[0] - '0') * 1000 + (s.p[1] - '0') * 100 + (s.p[2] - '0') * 10 + (s.p[3] - '0');
  return n == 1 ? set_month(out, year, v[0], r) : set_day(out, year, v[0], v[1], r);
}

/* --- a day and a time ------------------------------------------------------------------ */

static bool read_day(hm_value *out, hm_str s, hm_reader *r) {
  return (s.n > 6 && s.p[4] == '-' && set_iso(out, s, r)) || read_year_first(out, s, r) ||
      read_words(out, s, r);
}

/* Where a time of day may begin behind a date, or 0. */
static size_t time_at(hm_str s) {
  ptrdiff_t at = hm_str_find(s, " at ");
  const char *colon = memchr(s.p, ':', s.n);
  if (at > 0)
    return (size_t)at;
  size_t i = colon ? (size_t)(colon - s.p) : 0;
  while (i && hm_digit_at(s, i - 1))
    i--;
  return i && memchr(" ,T", s.p[i - 1], 3) ? i - 1 : 0;
}

static bool read_day_and_time(hm_value *out, hm_str s, hm_reader *r) {
  hm_value day, clock;
  size_t at = s.n <= DATE_LONGEST ? time_at(s) : 0;
  if (!at)
    return false;
  hm_str date = hm_str_trim(hm_str_sub(s, 0, at)), time = hm_str_sub(s, at, s.n);
  if (hm_str_starts(time, " at "))
    time = hm_str_sub(time, 4, time.n);
  if (time.n && memchr(",T", time.p[0], 2))
    time = hm_str_sub(time, 1, time.n);
  if (hm_str_ends(date, ","))
    date.n--;
  int64_t shift;
  if (!read_day(&day, date, r) || day.precision != HM_P_DAY)
    return false;
  if (!scan_clock(&clock, hm_str_trim(time), &shift))
    return false;
  hm_time t = day.time + clock.time + shift;
  hm_str iso = hm_time_iso(r->scratch, t);
  hm_str cut = clock.precision == HM_P_MINUTE
      ? HM_CAT(r->scratch, hm_str_sub(iso, 0, sizeof "2026-04-02T09:00" - 1), HM_STR("Z"))
      : iso;
  set_span(out, HM_CAT(r->a, HM_STR("date:"), cut), t, hm_time_last_instant(t, clock.precision),
           clock.precision);
  return true;
}

/* Digits that begin a date: a year, or a day or a part with a word of dates behind it. */
static bool may_begin(hm_str s) {
  size_t i = 0, end;
  while (hm_digit_at(s, i))
    i++;
  if (!i || i == 4)
    return i == 4 || hm_letter_at(s, 0);
  while (i < s.n && memchr(" -./", s.p[i], 4))
    i++;
  for (end = i; hm_letter_at(s, end) || (end < s.n && s.p[end] & 0x80);)
    end++;
  return end - i > 1 ? word_of(hm_str_sub(s, i, end)) != NULL
                     : end > i && memchr("hqHQ", s.p[i], 4) != NULL;
}

bool hm_value_read_date(hm_value *out, hm_str s, hm_reader *r) {
  if (s.n < 6 || s.n > DATE_LONGEST || !may_begin(s))
    return false;
  return read_day(out, s, r) || read_day_and_time(out, s, r);
}
