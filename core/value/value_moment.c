/* Days and times of day in two spellings, of which at least one is no date of value_date.c: "9:10
 * AM, Dec 04", "9:10aDec 4", "12/04/2011 09:10 AM", "2011-12-04 09:10AM CST".
 *
 * A text is scanned for what it states: a time of day, a zone, a day and a month, a year. Two are
 * one moment if they agree in all that both state; the year may miss beside a time of day. Beside
 * "AM" and "PM" the month comes first in 03/04/2026; else that is no moment, as it may be two days.
 * A time without a zone may be of one that has a name, CET. One other word, and the text is no
 * moment. Cost: linear, for texts of at most LONGEST. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"

enum { LONGEST = 64, NONE = -1 };

typedef struct {
  int minutes, seconds, year, month, day;
  bool unsure;  /* the month may be the day */
  bool halves;  /* AM or PM */
  bool weekday; /* or another word of dates */
  bool named;   /* the zone */
  hm_str zone;
} moment;

/* Reads a number of at most four digits; its digits in *n. */
static int take_number(hm_str s, size_t *i, size_t *n) {
  int v = 0;
  for (*n = 0; hm_digit_at(s, *i) && *n < 5; ++*i, ++*n)
    v = v * 10 + (s.p[*i] - '0');
  return v;
}

/* ":10", ":10:30", " am", "p.m.", "a" behind the hour. */
static bool take_clock(moment *m, hm_str s, size_t *i, int hour) {
  size_t n, at;
  ++*i;
  int minute = take_number(s, i, &n);
  if (n != 2 || hour > 23 || minute > 59 || m->minutes != NONE)
    return false;
  m->minutes = hour * 60 + minute;
  if (hm_char_at(s, *i, ':')) {
    ++*i;
    m->seconds = take_number(s, i, &n);
    if (n != 2)
      return false;
  }
  at = hm_skip_spaces(s, *i);
  char half = at < s.n ? hm_ascii_lower(s.p[at]) : 0;
  bool word = hm_is_lower(half) && at + 1 < s.n && hm_is_lower(s.p[at + 1]) && s.p[at + 1] != 'm';
  if ((half != 'a' && half != 'p') || word || hour > 12)
    return true;
  m->halves = true;
  m->minutes += (half == 'p') * 720 - (hour == 12) * 720;
  *i = at + 1;
  *i += hm_char_at(s, *i, '.');
  *i += hm_char_at(s, *i, 'm') || hm_char_at(s, *i, 'M');
  *i += hm_char_at(s, *i, '.');
  return true;
}

/* "/04/2011" behind the first number, of `digits`. */
static bool take_numeric(moment *m, hm_str s, size_t *i, int first, size_t digits) {
  char sign = s.p[(*i)++];
  size_t n, k = 0;
  int second = take_number(s, i, &n), third = NONE;
  bool year_first = digits == 4;
  if (n > 2 || digits > 4 || digits == 3 || m->month != NONE)
    return false;
  if (hm_char_at(s, *i, sign) && hm_digit_at(s, *i + 1)) {
    ++*i;
    third = take_number(s, i, &k);
  }
  if (third == NONE && (sign != '/' || year_first))
    return false;
  bool wrong = k && (year_first ? k > 2 : k != 2 && k != 4);
  if (wrong || (hm_char_at(s, *i, sign) && sign != '-'))
    return false;
  if (year_first)
    return m->year = first, m->month = second, m->day = third, true;
  if (k)
    m->year = k == 2 ? 2000 + third : third;
  bool day_first = sign == '.' || first > 12;
  m->month = day_first ? second : first;
  m->day = day_first ? first : second;
  m->unsure = sign != '.' && first <= 12 && second <= 12;
  return true;
}

static bool take_digits(moment *m, hm_str s, size_t *i) {
  size_t n;
  int v = take_number(s, i, &n);
  char next = *i < s.n ? s.p[*i] : 0;
  if (next == ':' && n <= 2)
    return take_clock(m, s, i, v);
  if (next && strchr("/-.", next) && hm_digit_at(s, *i + 1))
    return take_numeric(m, s, i, v, n);
  int *to = n == 4 ? &m->year : &m->day;
  if (n == 3 || n > 4 || *to != NONE)
    return false;
  *to = v;
  return true;
}

static bool take_word(moment *m, hm_str s, size_t *i) {
  enum { ZONE_MAX = 4 };
  size_t from = *i;
  while (hm_letter_at(s, *i))
    ++*i;
  hm_str word = hm_str_sub(s, from, *i);
  int month = hm_value_month_of(word);
  if (month > 0)
    return m->month == NONE && (m->month = month, true);
  m->weekday = m->weekday || month == 0;
  if (month == 0 || (word.n == 1 && hm_is_digit(*i < s.n ? s.p[*i] : 0)))
    return true; /* "Thu", "at", the T of ISO */
  if (hm_value_starts_folded(word, "noon"))
    return m->minutes == NONE || m->minutes == 720;
  for (size_t k = 0; k < word.n; k++)
    if (!hm_is_upper(word.p[k]))
      return false;
  m->zone = word;
  m->named = !hm_str_is(word, "UTC") && !hm_str_is(word, "GMT") && word.n > 1;
  return word.n <= ZONE_MAX && m->minutes != NONE;
}

static bool read_moment(moment *m, const hm_value *v) {
  hm_str s = hm_str_trim(v->raw);
  *m = (moment){ .minutes = NONE, .year = NONE, .month = NONE, .day = NONE, .zone = HM_EMPTY };
  if (s.n > LONGEST)
    return false;
  bool behind = false; /* the time of day, where its zone stands */
  for (size_t i = 0; i < s.n;) {
    size_t from = i;
    bool before = m->minutes == NONE;
    bool offset = behind && (s.p[i] == '-' || s.p[i] == '+') && hm_digit_at(s, i + 1);
    if (offset) {
      while (i < s.n && s.p[i] != ')' && s.p[i] != ' ')
        i++;
      m->zone = hm_str_sub(s, from, i);
    } else if (hm_is_digit(s.p[i])        ? !take_digits(m, s, &i)
                   : hm_is_letter(s.p[i]) ? !take_word(m, s, &i)
                                          : !strchr(" ,.()-/", s.p[i++])) {
      return false;
    }
    behind = (behind && strchr(" (", s.p[from])) || (before && m->minutes != NONE);
  }
  bool day = m->month >= 1 && m->month <= 12 && m->day >= 1 && m->day <= 31;
  if (m->minutes != NONE)
    return (day && (!m->unsure || m->halves)) || (m->month == NONE && m->day == NONE);
  return day && m->year != NONE && !m->unsure && !m->weekday;
}

static bool stated_alike(int x, int y) { return x == NONE || y == NONE || x == y; }

/* "-06:00", which may be that of a zone with a name. */
static bool is_offset(hm_str zone) { return zone.n && !hm_is_letter(zone.p[0]); }

bool hm_values_same_moment(const hm_value *a, const hm_value *b) {
  moment m, n;
  bool text = a->kind == HM_V_TEXT || b->kind == HM_V_TEXT;
  if (!read_moment(&m, a) || !read_moment(&n, b) || (m.minutes == NONE) != (n.minutes == NONE) ||
      (!text && a->kind == b->kind && m.named == n.named))
    return false;
  bool one_offset = (m.named && is_offset(n.zone)) || (n.named && is_offset(m.zone));
  bool zones = !m.zone.n || !n.zone.n || hm_str_eq(m.zone, n.zone) || one_offset;
  return zones && m.minutes == n.minutes && m.seconds == n.seconds &&
      stated_alike(m.year, n.year) && stated_alike(m.month, n.month) && stated_alike(m.day, n.day);
}
