/* ISO 8601 times: time.h. Dates are counted in eras of 400 years, so no library, locale or zone of
 * the machine takes part. */
#include "core/base/time.h"

#include <string.h>
#include <time.h>
#include "core/base/ascii.h"

#define SECOND INT64_C(1000000)
#define DAY (INT64_C(86400) * SECOND)

/* Days since 1970-01-01 of a proleptic Gregorian date, counted in eras of 400
 * years that begin on the first of March. */
static int64_t days_of(int64_t y, int m, int d) {
  y -= m <= 2;
  int64_t era = (y >= 0 ? y : y - 399) / 400;
  int64_t yoe = y - era * 400;
  int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

typedef struct {
  int64_t year;
  int month, day;
} date;

static date date_of(int64_t days) {
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  int64_t doe = days - era * 146097;
  int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  int doy = (int)(doe - (365 * yoe + yoe / 4 - yoe / 100));
  int mp = (5 * doy + 2) / 153;
  int month = mp < 10 ? mp + 3 : mp - 9;
  return (date){ yoe + era * 400 + (month <= 2), month, doy - (153 * mp + 2) / 5 + 1 };
}

static int month_days(int y, int m) {
  static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
  return days[m - 1] + (m == 2 && leap);
}

/* Takes exactly n digits off the front. */
static bool take_digits(hm_str *s, size_t n, int *out) {
  if (s->n < n)
    return false;
  int v = 0;
  for (size_t i = 0; i < n; i++) {
    if (!hm_is_digit(s->p[i]))
      return false;
    v = v * 10 + (s->p[i] - '0');
  }
  *s = (hm_str){ s->p + n, s->n - n };
  *out = v;
  return true;
}

static bool take_char(hm_str *s, char c) {
  if (!s->n || s->p[0] != c)
    return false;
  *s = (hm_str){ s->p + 1, s->n - 1 };
  return true;
}

typedef struct {
  int year, month, day, hour, minute, second, micros, offset;
  hm_precision p;
} parts;

/* What follows the year. */
static bool read_day(hm_str *s, parts *v) {
  if (!take_char(s, '-'))
    return true;
  v->p = HM_P_MONTH;
  if (!take_digits(s, 2, &v->month) || v->month < 1 || v->month > 12)
    return false;
  if (!take_char(s, '-'))
    return true;
  v->p = HM_P_DAY;
  return take_digits(s, 2, &v->day) && v->day >= 1 && v->day <= month_days(v->year, v->month);
}

static bool read_clock(hm_str *s, parts *v) {
  v->p = HM_P_MINUTE;
  if (!take_digits(s, 2, &v->hour) || v->hour > 23)
    return false;
  if (!take_char(s, ':') || !take_digits(s, 2, &v->minute) || v->minute > 59)
    return false;
  if (!take_char(s, ':'))
    return true;
  v->p = HM_P_SECOND;
  if (!take_digits(s, 2, &v->second) || v->second > 59)
    return false;
  if (!take_char(s, '.'))
    return true;
  v->p = HM_P_FRACTION;
  int digit, unit = 1000000;
  while (take_digits(s, 1, &digit))
    v->micros += digit * (unit /= 10);
  return unit < 1000000;
}

static bool read_zone(hm_str *s, parts *v) {
  if (!s->n || take_char(s, 'Z') || take_char(s, 'z'))
    return true;
  int sign = take_char(s, '+') ? 1 : take_char(s, '-') ? -1 : 0, h, m = 0;
  if (!sign || !take_digits(s, 2, &h) || h > 23)
    return false;
  if (s->n && (take_char(s, ':'), !take_digits(s, 2, &m) || m > 59))
    return false;
  v->offset = sign * (h * 60 + m);
  return true;
}

static bool read_after_year(hm_str s, int year, hm_time *t, hm_precision *p) {
  parts v = { .year = year, .month = 1, .day = 1, .p = HM_P_YEAR };
  if (!read_day(&s, &v))
    return false;
  if (s.n) {
    if (v.p != HM_P_DAY || !(take_char(&s, 'T') || take_char(&s, 't') || take_char(&s, ' ')))
      return false;
    if (!read_clock(&s, &v) || !read_zone(&s, &v) || s.n)
      return false;
  }
  int64_t minutes = v.hour * 60 + v.minute - v.offset;
  *t = days_of(v.year, v.month, v.day) * DAY + (minutes * 60 + v.second) * SECOND + v.micros;
  *p = v.p;
  return true;
}

bool hm_time_parse(hm_str s, hm_time *t, hm_precision *p) {
  int year;
  s = hm_str_trim(s);
  return take_digits(&s, 4, &year) && read_after_year(s, year, t, p);
}

static const char date_form[] = "dddd-dd-dd";
enum { DATE_LENGTH = sizeof date_form - 1 };

bool hm_time_is_date(hm_str s) {
  hm_time t;
  hm_precision p;
  for (size_t i = 0; i < DATE_LENGTH; i++)
    if (date_form[i] == 'd' ? !hm_digit_at(s, i) : !hm_char_at(s, i, date_form[i]))
      return false;
  return !hm_digit_at(s, DATE_LENGTH) && hm_time_parse(hm_str_sub(s, 0, DATE_LENGTH), &t, &p);
}

hm_str hm_time_find_date(hm_str s) {
  for (size_t i = 0; i + DATE_LENGTH <= s.n; i++)
    if (!(i && hm_is_alnum(s.p[i - 1])) && hm_time_is_date(hm_str_sub(s, i, s.n)))
      return hm_str_sub(s, i, i + DATE_LENGTH);
  return HM_EMPTY;
}

/* --- other years ------------------------------------------------------------------- */

/* Takes one to five digits; returns how many. */
static int take_year(hm_str *s, int *year) {
  int n = 0, digit;
  for (*year = 0; n < 5 && take_digits(s, 1, &digit); n++)
    *year = *year * 10 + digit;
  return n;
}

/* Takes AD, BC, CE or BCE, in any case, with or without dots. 1, -1, or 0: it is none. */
static int take_era(hm_str *s) {
  static const struct {
    const char *word;
    int sign;
  } words[] = { { "ad", 1 }, { "bc", -1 }, { "bce", -1 }, { "ce", 1 } };
  char word[8];
  size_t n = 0, i = 0;
  for (; i < s->n && n < sizeof word - 1; i++) {
    if (s->p[i] == '.' && n)
      continue;
    if ((unsigned char)((s->p[i] | 32) - 'a') > 25)
      break;
    word[n++] = (char)(s->p[i] | 32);
  }
  word[n] = 0;
  for (size_t k = 0; k < HM_COUNT(words); k++)
    if (strcmp(word, words[k].word) == 0) {
      *s = hm_str_trim(hm_str_sub(*s, i, s->n));
      return words[k].sign;
    }
  return 0;
}

bool hm_time_parse_era_year(hm_str s, hm_time *t, hm_precision *p) {
  int year;
  s = hm_str_trim(s);
  int sign = take_char(&s, '-') ? -1 : take_char(&s, '+') ? 1 : 0;
  if (sign)
    return take_year(&s, &year) && read_after_year(s, sign * year, t, p);
  int era = take_era(&s), digits = take_year(&s, &year);
  hm_str after = hm_str_trim(s);
  if (!era)
    era = take_era(&after);
  if (!era)
    return digits == 3 && read_after_year(s, year, t, p);
  return digits && year && !after.n && read_after_year(after, era > 0 ? year : 1 - year, t, p);
}

/* Floor division: the day and what is left of it. */
static int64_t split_day(hm_time t, int64_t *rest) {
  int64_t day = t / DAY;
  *rest = t % DAY;
  if (*rest < 0)
    *rest += DAY, day--;
  return day;
}

/* v in n digits, and what follows them. */
static char *put_digits(char *p, int64_t v, int n, char after) {
  for (int i = n; i-- > 0; v /= 10)
    p[i] = (char)('0' + v % 10);
  p[n] = after;
  return p + n + 1;
}

/* ISO 8601 wants a sign before years that need more than four digits. */
static char *put_year(char *p, int64_t year) {
  int n = 4;
  int64_t y = year < 0 ? -year : year;
  if (year < 0 || year > 9999)
    *p++ = year < 0 ? '-' : '+';
  for (int64_t most = 9999; y > most; most = most * 10 + 9)
    n++;
  return put_digits(p, y, n, '-');
}

hm_time hm_time_last_instant(hm_time first, hm_precision p) {
  if (p == HM_P_FRACTION)
    return first;
  if (p > HM_P_DAY)
    return first + (p == HM_P_MINUTE ? 60 * SECOND : SECOND) - 1;
  int64_t rest, day = split_day(first, &rest);
  date d = date_of(day);
  int64_t next = p == HM_P_YEAR ? days_of(d.year + 1, 1, 1)
      : p == HM_P_MONTH         ? day + month_days((int)d.year, d.month)
                                : day + 1;
  return next * DAY - 1;
}

hm_time hm_time_shift(hm_time t, hm_precision unit, int64_t n) {
  static const hm_time lengths[] = {
    [HM_P_DAY] = DAY, [HM_P_MINUTE] = 60 * SECOND, [HM_P_SECOND] = SECOND, [HM_P_FRACTION] = 1
  };
  if (unit >= HM_P_DAY)
    return t + n * lengths[unit];
  int64_t rest;
  date d = date_of(split_day(t, &rest));
  int64_t months = d.year * 12 + d.month - 1 + n * (unit == HM_P_YEAR ? 12 : 1);
  int month = (int)(months % 12);
  if (month < 0)
    month += 12;
  int64_t year = (months - month) / 12;
  int longest = month_days((int)year, month + 1);
  return days_of(year, month + 1, d.day < longest ? d.day : longest) * DAY + rest;
}

hm_str hm_time_iso(hm_arena *a, hm_time t) {
  if (t == HM_TIME_MIN || t == HM_TIME_MAX)
    return HM_EMPTY;
  char text[48], *p = text;
  int64_t rest;
  date d = date_of(split_day(t, &rest));
  int64_t secs = rest / SECOND, micros = rest % SECOND;
  p = put_year(p, d.year);
  p = put_digits(p, d.month, 2, '-');
  p = put_digits(p, d.day, 2, 'T');
  p = put_digits(p, secs / 3600, 2, ':');
  p = put_digits(p, secs / 60 % 60, 2, ':');
  p = put_digits(p, secs % 60, 2, '.');
  if (micros)
    p = put_digits(p, micros, 6, '.');
  while (p[-1] == '.' || (micros && p[-1] == '0'))
    p--;
  *p++ = 'Z';
  return hm_str_dup(a, (hm_str){ text, (size_t)(p - text) });
}

hm_str hm_time_to_second(hm_arena *a, hm_str iso) {
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(iso, &t, &p))
    return iso;
  hm_time over = t % SECOND;
  return hm_time_iso(a, t - (over < 0 ? over + SECOND : over));
}

int hm_time_year(hm_time t) {
  int64_t rest;
  return (int)date_of(split_day(t, &rest)).year;
}

hm_time hm_time_now(void) {
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  return (int64_t)ts.tv_sec * SECOND + ts.tv_nsec / 1000;
}
