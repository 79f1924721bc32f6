/* Dates and times of day as values: value.h has the table. What a text states is scanned by
 * value_moment.c; here it becomes a span of time.
 *
 *   dates             ISO 8601 (2026-04, 2026-04-02T09:00Z), and what states a year and a month, a
 *                     week (W14 2026), a quarter or a half (Q2 2026, H1 2026), or a part of one
 *                     (early 2026, mid-March 2026)
 *   with a time       each of a day, and a time of day behind it
 *   times of day      9:00, 09:00:30, 2:30 p.m.; a zone behind: Z, UTC+2, CET; but 08:00-12:00 is a
 *                     range
 *
 * A day of the week must be correct. A time without a zone is UTC, as in a date; one with a zone is
 * converted to UTC. 24:00 is not a time. Cost: linear in a short text. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/value/value_impl.h"

enum { NONE = HM_NOT_STATED };

static const int64_t MINUTE = 60000000, DAY = INT64_C(86400000000);

/* --- times of day ----------------------------------------------------------------------------- */

/* "08:00-12:00" is from then to then, and no zone to the west. */
static bool is_span_of_hours(hm_str s) {
  const char *colon = memchr(s.p, ':', s.n), *dash = memchr(s.p, '-', s.n);
  return colon && dash == colon + 3 && memchr(dash, ':', (size_t)(s.p + s.n - dash));
}

bool hm_value_read_clock(hm_value *out, hm_str s, hm_reader *r) {
  enum { LONGEST = 32, DATE = sizeof "1970-01-01T" - 1, MINUTE_LEN = sizeof "09:00" - 1 };
  hm_moment m;
  if (s.n > LONGEST || is_span_of_hours(s) || !hm_moment_scan(&m, s) || m.clock == NONE ||
      m.unknown || m.year != NONE || m.month != NONE || m.day != NONE || m.weekday != NONE ||
      m.months != NONE)
    return false;
  out->precision = m.precision;
  out->time = ((m.clock - m.zone * MINUTE) % DAY + DAY) % DAY;
  out->last = hm_time_last_instant(out->time, out->precision);
  hm_str iso = hm_time_iso(r->scratch, out->time);
  size_t end = out->precision == HM_P_MINUTE ? DATE + MINUTE_LEN : iso.n - 1;
  hm_str text = hm_str_sub(iso, DATE, end);
  hm_str norm = HM_CAT(r->a, HM_STR("time:"), text);
  hm_value_set_forms(out, HM_V_CLOCK, norm, norm);
  return true;
}

/* --- spans ------------------------------------------------------------------------------------ */

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
static bool set_part(hm_value *out, int year, int at, int months, hm_reader *r) {
  hm_value first, last;
  if (at < 1 || at > 12 / months || !set_month(&first, year, (at - 1) * months + 1, r) ||
      !set_month(&last, year, at * months, r))
    return false;
  set_span(out, hm_str_fmt(r->a, "date:%04d-%c%d", year, months == 3 ? 'Q' : 'H', at), first.time,
           last.last, HM_P_MONTH);
  return true;
}

/* The day, month, week or part of a year that a moment states. */
static bool set_date(hm_value *out, const hm_moment *m, hm_reader *r) {
  int day = m->day == NONE ? 0 : m->day;
  bool read;
  if (m->year == NONE || m->short_year || m->unknown || m->unsure)
    return false;
  if (m->months == 0)
    read = set_week(out, m->year, m->number, day, r);
  else if (m->months != NONE)
    read = !day && set_part(out, m->year, m->number, m->months, r);
  else
    read = m->month != NONE &&
        (m->day == NONE ? set_month(out, m->year, m->month, r)
                        : set_day(out, m->year, m->month, day, r));
  bool weekday = m->weekday == NONE ||
      (read && out->precision == HM_P_DAY && weekday_of(out->time) == m->weekday);
  return read && weekday;
}

/* "early 2026", "mid-March 2026": a half of it, or what is between the outer quarters. */
static bool set_part_of_span(hm_value *out, hm_str s, hm_reader *r) {
  static const struct {
    const char *word;
    int from;
  } parts[] = { { "early", 0 }, { "mid", 1 }, { "late", 2 } };
  hm_value all;
  hm_moment m;
  for (size_t i = 0; i < HM_COUNT(parts); i++) {
    if (!hm_value_starts_folded(s, parts[i].word) ||
        !hm_moment_scan(&m, hm_str_sub(s, strlen(parts[i].word) + 1, s.n)) ||
        !(m.month == NONE && m.months == NONE ? set_part(&all, m.year, 1, 12, r)
                                              : set_date(&all, &m, r)))
      continue;
    hm_time quarter = (all.last + 1 - all.time) / 4, first = all.time + parts[i].from * quarter;
    set_span(out, HM_CAT(r->a, all.norm, hm_str_c(parts[i].word)), first, first + 2 * quarter - 1,
             HM_P_MONTH);
    return true;
  }
  return false;
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
  for (end = i; hm_any_letter_at(s, end);)
    end++;
  return end - i > 1 ? hm_value_is_date_word(hm_str_sub(s, i, end))
                     : end > i && memchr("hqHQ", s.p[i], 4) != NULL;
}

bool hm_value_read_date(hm_value *out, hm_str s, hm_reader *r) {
  enum { LONGEST = 64 };
  hm_moment m;
  hm_value day;
  if (s.n < 6 || s.n > LONGEST || !may_begin(s))
    return false;
  if (s.n > 6 && s.p[4] == '-' && set_iso(out, s, r))
    return true;
  if (set_part_of_span(out, s, r))
    return true;
  if (!hm_moment_scan(&m, s))
    return false;
  if (m.clock == NONE)
    return set_date(out, &m, r);
  if (!set_date(&day, &m, r) || day.precision != HM_P_DAY)
    return false;
  hm_time t = day.time + m.clock - m.zone * MINUTE;
  hm_str iso = hm_time_iso(r->scratch, t);
  hm_str cut = m.precision == HM_P_MINUTE
      ? HM_CAT(r->scratch, hm_str_sub(iso, 0, sizeof "2026-04-02T09:00" - 1), HM_STR("Z"))
      : iso;
  set_span(out, HM_CAT(r->a, HM_STR("date:"), cut), t, hm_time_last_instant(t, m.precision),
           m.precision);
  return true;
}
