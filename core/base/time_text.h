/* The forms in which people write times. Does not know the calendars of eras.
 *
 *   date        2026-04          what hm_time_parse and hm_time_parse_era_year read
 *               1340-00-00       a month or day of 00 is not known, also with T00:00:00Z behind it
 *   in words    3 January 1340   and decades, centuries, limits: below
 *   unit        3rd_age.year_345 {era}.{unit}: an era, a dot, the name of a unit and its number
 *   era         3rd_age          some time in it; also the word `current`
 *   about       about 1066       before any of these: about, around, circa, approximately, approx.,
 *                                abt., ca., c., ~, in any case; or ~ or ? after it
 *   tolerance   1066 ± 5         after any of these: ± (or +/-, +-), a whole number, and its unit
 *                                (years, months, days, minutes, seconds; of an era its own), else
 *                                the smallest that the time states
 *
 * So "about 1066", "c. 1066-10 ± 2 months", "~3rd_age.year_345", "44 BC ± 1".
 *
 * In words, in any case:
 *
 *   a day or month    3 January 1340, January 3rd, 1340, Jan. 1340; also of 44 BC
 *   a year            year 200; also of one or two digits
 *   a decade          1340s; of a year that ends in 00 the hundred years (1300s)
 *   a century         12th century, 5th c. BC; the 12th ends with the year 1200
 *   a part of these   early, mid, late 1340s: some time in all of it
 *   limits            between 1340 and 1345, 1340/1345, 1340 or 1341: from the first instant of
 *                     the one to the last of the other; before, by and after 1340, the year itself
 *                     included: to or from HM_DATES_FIRST or HM_DATES_LAST
 *
 * where 1340 is a date as hm_time_parse and hm_time_parse_era_year read it, or one of the first
 * line. Also bet, bef and aft, as genealogies write. 03/04/1340 is not a time: the order of day and
 * month is unknown. */
#ifndef HM_TIME_TEXT_H
#define HM_TIME_TEXT_H
#include "core/base/time.h"

enum { HM_TIME_TEXT_MAX = 200 };

typedef struct {
  bool about; /* marked as approximate, or with a tolerance */
  bool has_tolerance;
  int tolerance;         /* in tolerance_unit; 0 to 99999 */
  hm_str tolerance_unit; /* as written; empty: the unit of the time */
  bool is_date;
  hm_time first;
  hm_precision precision; /* of a date: its first instant */
  bool is_range;          /* some time from first to last */
  hm_time last;
  hm_str era; /* if no date; as written. Also set for a date in words that may name an era */
  hm_str unit;
  int number; /* "year", 345; unit is empty if only the era is named */
} hm_time_text;

/* Reads s; *out borrows from it. Returns false and leaves *out alone if s has none of these forms
 * or is longer than HM_TIME_TEXT_MAX. Does not look up the era: "soon" is read as one. */
bool hm_time_text_parse(hm_str s, hm_time_text *out);
/* Are two names of eras, worlds or units equal? Ignores ASCII case; '-' and ' ' count as '_'. */
bool hm_era_name_eq(hm_str a, hm_str b);
/* Can this be the name of an era? Letters, digits, '_', '-' and single spaces, at least one letter,
 * at most 64 bytes; not the word `current`. */
bool hm_era_name_ok(hm_str s);
/* Does the end of a window say that it is still open: current, present, now, ongoing? Ignores white
 * space around s. */
bool hm_time_is_present(hm_str s);
/* Reads the name of a precision, singular or plural: year, month, day, minute, second. */
bool hm_precision_parse(hm_str word, hm_precision *out);
/* Reads "year_345": a unit and its number of up to seven digits. On false, *unit and *number are
 * left alone. */
bool hm_era_unit_parse(hm_str s, hm_str *unit, int *number);
#endif
