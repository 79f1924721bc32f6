/* ISO 8601 times, partial ones too. */
#ifndef HM_TIME_H
#define HM_TIME_H
#include "str.h"

/* Microseconds since 1970-01-01T00:00:00Z, proleptic Gregorian. */
typedef int64_t hm_time;
#define HM_TIME_MIN INT64_MIN /* open start */
#define HM_TIME_MAX INT64_MAX /* open end */
/* The first and last instant that an approximate time or an open era can cover. */
#define HM_DATES_FIRST (-INT64_C(3900000000000000000))
#define HM_DATES_LAST INT64_C(3900000000000000000)

typedef enum {
  HM_P_YEAR,
  HM_P_MONTH,
  HM_P_DAY,
  HM_P_MINUTE,
  HM_P_SECOND,
  HM_P_FRACTION
} hm_precision;

/* Reads YYYY, YYYY-MM, YYYY-MM-DD, and a day followed by 'T', 't' or one space and
 * hh:mm[:ss[.fraction]] with an optional Z, z or +hh:mm, -hhmm, +hh. The year has exactly four
 * digits and the date must exist; refuses 24:00 and leap seconds (:60). No zone means UTC. Ignores
 * white space around s. *t is the first instant; fractions past a microsecond are cut. Returns
 * false and leaves *t and *p alone if s is anything else. */
bool hm_time_parse(hm_str s, hm_time *t, hm_precision *p);
/* Does s begin with a date that exists, "2026-03-01", and no digit behind it? */
bool hm_time_is_date(hm_str s);
/* The first such date in s, not behind a letter or a digit; empty: none. */
hm_str hm_time_find_date(hm_str s);
/* Reads years that hm_time_parse refuses: a sign and one to five digits ("-44", "-0044", "+10191"),
 * three digits ("345"), a word ("44 BC", "44 BCE", "AD 9", "9 CE", "44 b.c."). All but those with a
 * word may be followed by -MM, -MM-DD and a clock time. A sign counts as in ISO 8601 and astronomy,
 * with a year 0: -0043 is 44 BC, -0044 is 45 BC. A word counts as in history: AD 1 follows 1 BC.
 * Refuses one or two digits without either: 26 may be 2026. */
bool hm_time_parse_era_year(hm_str s, hm_time *t, hm_precision *p);
/* t plus n years, months, days, minutes, seconds or microseconds (HM_P_FRACTION). Years and months
 * keep the day of the month, or use the last day of a shorter month. */
hm_time hm_time_shift(hm_time t, hm_precision unit, int64_t n);
/* The last instant of the year, month, day, minute or second that begins at first; with
 * HM_P_FRACTION first itself. */
hm_time hm_time_last_instant(hm_time first, hm_precision p);
/* "2026-04-02T09:00:00Z" (fraction only when not 0), in a. MIN and MAX give "". */
hm_str hm_time_iso(hm_arena *a, hm_time t);
/* iso cut to its second, in a. Returns iso itself if it is not a time. */
hm_str hm_time_to_second(hm_arena *a, hm_str iso);
/* Year of t. */
int hm_time_year(hm_time t);
/* The clock, for detected_at, sweep_runs and journal only. */
hm_time hm_time_now(void);
#endif
