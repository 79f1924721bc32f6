/* The forms of times: time_text.h has them. A text is taken apart from its ends: what makes it
 * approximate, then the tolerance, then the time itself. A form in words is tried on the whole
 * text, from its front or its end; the date in it is read by the same few functions.
 * English names only: those of other languages share none with them that means another month.
 * Linear in the text, which is short. */
#include "core/base/time_text.h"

#include <stdio.h>
#include <string.h>
#include "core/base/ascii.h"

enum { ERA_NAME_MAX = 64, UNIT_DIGITS_MAX = 7 };

static char folded(char c) { return c == ' ' || c == '-' ? '_' : hm_ascii_lower(c); }

static bool is_letter(char c) { return hm_is_letter(c) || (c & 0x80); }

bool hm_era_name_eq(hm_str a, hm_str b) {
  size_t i = 0;
  while (i < a.n && i < b.n && folded(a.p[i]) == folded(b.p[i]))
    i++;
  return i == a.n && i == b.n;
}

bool hm_era_name_ok(hm_str s) {
  bool letter = false;
  for (size_t i = 0; i < s.n; i++) {
    bool inner_space = s.p[i] == ' ' && i && i + 1 < s.n && s.p[i - 1] != ' ';
    char c = s.p[i];
    if (!is_letter(c) && !hm_is_digit(c) && c != '_' && c != '-' && !inner_space)
      return false;
    letter = letter || is_letter(c);
  }
  return letter && s.n <= ERA_NAME_MAX && !hm_era_name_eq(s, HM_STR("current"));
}

bool hm_time_is_present(hm_str s) {
  static const char *const words[] = { "current", "now", "ongoing", "present" };
  s = hm_str_trim(s);
  size_t i = 0;
  while (i < HM_COUNT(words) && !hm_era_name_eq(s, hm_str_c(words[i])))
    i++;
  return i < HM_COUNT(words);
}

bool hm_precision_parse(hm_str word, hm_precision *out) {
  static const struct {
    const char *word;
    hm_precision p;
  } words[] = { { "day", HM_P_DAY },
                { "minute", HM_P_MINUTE },
                { "month", HM_P_MONTH },
                { "second", HM_P_SECOND },
                { "year", HM_P_YEAR } };
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    hm_str one = hm_str_c(words[i].word), plural = hm_str_sub(word, 0, one.n);
    bool many = word.n == one.n + 1 && (word.p[one.n] | 32) == 's' && hm_era_name_eq(plural, one);
    if (!many && !hm_era_name_eq(word, one))
      continue;
    *out = words[i].p;
    return true;
  }
  return false;
}

/* Takes a whole number of at most max digits off the front; returns how many. */
static size_t take_digits(hm_str *s, size_t max, int *out) {
  size_t n = 0;
  for (*out = 0; n < s->n && n < max && hm_is_digit(s->p[n]); n++)
    *out = *out * 10 + (s->p[n] - '0');
  *s = hm_str_sub(*s, n, s->n);
  return n;
}

/* The same of a number that ends there. */
static bool take_number(hm_str *s, size_t max, int *out) {
  return take_digits(s, max, out) && !(s->n && hm_is_digit(s->p[0]));
}

bool hm_era_unit_parse(hm_str s, hm_str *unit, int *number) {
  size_t n = 0;
  int v;
  while (n < s.n && is_letter(s.p[n]))
    n++;
  bool joined = n < s.n && folded(s.p[n]) == '_';
  hm_str rest = hm_str_sub(s, n + joined, s.n);
  if (!n || n > ERA_NAME_MAX || !take_number(&rest, UNIT_DIGITS_MAX, &v) || rest.n)
    return false;
  *unit = hm_str_sub(s, 0, n);
  *number = v;
  return true;
}

/* --- in words ---------------------------------------------------------------------------- */

typedef struct {
  hm_time first, last; /* every instant that it may be */
  hm_precision precision;
  bool is_range; /* some time between them; else the year, month or day that begins at first */
} worded_time;

/* Takes a word off the front, if it is followed by something else than a letter. */
static bool take_word(hm_str *s, const char *word) {
  size_t n = 0;
  while (word[n] && n < s->n && hm_ascii_lower(s->p[n]) == word[n])
    n++;
  if (word[n] || (s->n > n && hm_is_letter(s->p[n])))
    return false;
  *s = hm_str_trim(hm_str_sub(*s, n, s->n));
  return true;
}

/* st, nd, rd or th. */
static bool take_ending(hm_str *s) {
  static const char *const endings[] = { "st", "nd", "rd", "th" };
  size_t i = 0;
  while (i < HM_COUNT(endings) && !take_word(s, endings[i]))
    i++;
  return i < HM_COUNT(endings);
}

/* 1 to 12; 0: s does not begin with a month. Takes it off, and a dot behind it. */
static int take_month(hm_str *s) {
  static const struct {
    const char *word;
    int month;
  } words[] = {
    { "apr", 4 },       { "april", 4 }, { "aug", 8 },      { "august", 8 },    { "dec", 12 },
    { "december", 12 }, { "feb", 2 },   { "february", 2 }, { "jan", 1 },       { "january", 1 },
    { "jul", 7 },       { "july", 7 },  { "jun", 6 },      { "june", 6 },      { "mar", 3 },
    { "march", 3 },     { "may", 5 },   { "nov", 11 },     { "november", 11 }, { "oct", 10 },
    { "october", 10 },  { "sep", 9 },   { "sept", 9 },     { "september", 9 },
  };
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    if (!take_word(s, words[i].word))
      continue;
    if (s->n && s->p[0] == '.')
      *s = hm_str_trim(hm_str_sub(*s, 1, s->n));
    return words[i].month;
  }
  return 0;
}

/* 1 to 31, as 3 or 3rd; 0: none. */
static int take_day(hm_str *s) {
  hm_str rest = *s;
  int day;
  size_t digits = take_digits(&rest, 2, &day);
  bool joined = rest.n && hm_is_alnum(rest.p[0]);
  if (!digits || day > 31 || (joined && !take_ending(&rest)))
    return 0;
  *s = hm_str_trim(rest);
  return day;
}

/* A year alone: 1340, 345, 44 BC, AD 9. */
static bool read_year(hm_str s, int *year) {
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(s, &t, &p) && !hm_time_parse_era_year(s, &t, &p))
    return false;
  *year = hm_time_year(t);
  return p == HM_P_YEAR;
}

static bool read_iso(int year, int month, int day, hm_time *t, hm_precision *p) {
  char iso[40];
  int n = snprintf(iso, sizeof iso, "%+05d", year);
  if (month)
    n += snprintf(iso + n, sizeof iso - (size_t)n, "-%02d", month);
  if (day)
    n += snprintf(iso + n, sizeof iso - (size_t)n, "-%02d", day);
  return hm_time_parse_era_year((hm_str){ iso, (size_t)n }, t, p);
}

static void skip_comma(hm_str *s) {
  if (s->n && s->p[0] == ',')
    *s = hm_str_trim(hm_str_sub(*s, 1, s->n));
}

/* "3 January 1340", "January 3, 1340", "January 1340". A number after a month is a day if a year
 * follows it. */
static bool read_named_day(hm_str s, hm_time *t, hm_precision *p) {
  int year, day = take_day(&s);
  take_word(&s, "of");
  int month = take_month(&s);
  if (!month)
    return false;
  hm_str rest = s;
  int behind = day ? 0 : take_day(&rest);
  skip_comma(&s);
  skip_comma(&rest);
  if (behind && read_year(rest, &year))
    day = behind;
  else if (!read_year(s, &year))
    return false;
  return read_iso(year, month, day, t, p);
}

/* Any date: its first and its last instant. */
static bool read_date(hm_str s, worded_time *out) {
  hm_time t;
  hm_precision p;
  s = hm_str_trim(s);
  if (!hm_time_parse(s, &t, &p) && !hm_time_parse_era_year(s, &t, &p) && !read_named_day(s, &t, &p))
    return false;
  *out = (worded_time){ t, p <= HM_P_DAY ? hm_time_last_instant(t, p) : t, p, false };
  return true;
}

static bool set_years(worded_time *out, int first, int last) {
  hm_time from, until;
  hm_precision p;
  if (!read_iso(first, 0, 0, &from, &p) || !read_iso(last, 0, 0, &until, &p))
    return false;
  *out = (worded_time){ from, hm_time_last_instant(until, HM_P_YEAR), HM_P_YEAR, true };
  return true;
}

/* BC or BCE: true in *bc; AD or CE: false; nothing: false. Something else: returns false. */
static bool read_count(hm_str s, bool *bc) {
  hm_time t;
  hm_precision p;
  char text[16] = "1 ";
  *bc = false;
  if (!s.n)
    return true;
  if (s.n > 8)
    return false;
  memcpy(text + 2, s.p, s.n);
  if (!hm_time_parse_era_year((hm_str){ text, s.n + 2 }, &t, &p))
    return false;
  *bc = hm_time_year(t) == 0;
  return true;
}

/* "1340s", "120s BC" */
static bool read_decade(hm_str s, worded_time *out) {
  int year;
  bool bc;
  size_t digits = take_digits(&s, 4, &year);
  if (digits < 3 || !year || year % 10 || !s.n)
    return false;
  if (s.p[0] == '\'')
    s = hm_str_sub(s, 1, s.n);
  if (!take_word(&s, "s") || !read_count(s, &bc))
    return false;
  int last = year + (year % 100 ? 9 : 99);
  return bc ? set_years(out, 1 - last, 1 - year) : set_years(out, year, last);
}

/* "12th century", "5th c. BC" */
static bool read_century(hm_str s, worded_time *out) {
  int n;
  bool bc;
  if (!take_digits(&s, 2, &n) || !n || !take_ending(&s))
    return false;
  if (s.n && s.p[0] == '-')
    s = hm_str_sub(s, 1, s.n);
  if (!take_word(&s, "century") && !take_word(&s, "cent.") && !take_word(&s, "c."))
    return false;
  if (!read_count(s, &bc))
    return false;
  return bc ? set_years(out, 1 - 100 * n, -100 * (n - 1)) : set_years(out, 100 * n - 99, 100 * n);
}

/* From the one to the other, which is later. */
static bool read_two(hm_str a, hm_str b, worded_time *out) {
  worded_time x, y;
  if (!read_date(a, &x) || !read_date(b, &y) || x.first > y.first || x.last >= y.last)
    return false;
  *out =
      (worded_time){ x.first, y.last, x.precision < y.precision ? x.precision : y.precision, true };
  return true;
}

static bool read_between(hm_str s, const char *word, worded_time *out) {
  ptrdiff_t at = hm_str_find(s, word);
  hm_str w = hm_str_c(word);
  return at > 0 &&
      read_two(hm_str_sub(s, 0, (size_t)at), hm_str_sub(s, (size_t)at + w.n, s.n), out);
}

static bool read_limit(hm_str s, worded_time *out) {
  static const struct {
    const char *word;
    bool before;
  } words[] = { { "aft", false }, { "aft.", false },  { "after", false }, { "bef", true },
                { "bef.", true }, { "before", true }, { "by", true } };
  worded_time at;
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    hm_str rest = s;
    if (!take_word(&rest, words[i].word) || !read_date(rest, &at))
      continue;
    at.is_range = true;
    if (words[i].before)
      at.first = HM_DATES_FIRST;
    else
      at.last = HM_DATES_LAST;
    *out = at;
    return at.first < at.last;
  }
  return false;
}

/* "Year 200": the word says that it is one, so it may have one or two digits. */
static bool read_called_year(hm_str s, worded_time *out) {
  int year;
  if (!s.n || !take_word(&s, "year") || !s.n || s.n > 4 || take_digits(&s, 4, &year) == 0 || s.n)
    return false;
  if (!set_years(out, year, year))
    return false;
  out->is_range = false;
  return true;
}

static bool read_part(hm_str s, worded_time *out) {
  static const char *const words[] = { "beginning of",   "early",       "end of",
                                       "first half of",  "1st half of", "late",
                                       "middle of",      "mid",         "middle",
                                       "second half of", "2nd half of" };
  size_t i = 0;
  while (i < HM_COUNT(words) && !take_word(&s, words[i]))
    i++;
  if (i < HM_COUNT(words) && s.n && s.p[0] == '-')
    s = hm_str_trim(hm_str_sub(s, 1, s.n));
  take_word(&s, "the");
  return read_decade(s, out) || read_century(s, out);
}

/* "1340-1345", also with a dash. */
static bool read_years(hm_str s, worded_time *out) {
  int first, last;
  if (take_digits(&s, 4, &first) < 4)
    return false;
  size_t sign = s.n && s.p[0] == '-' ? 1 : hm_str_starts(s, "\u2013") ? 3 : 0;
  s = hm_str_sub(s, sign, s.n);
  return sign && take_digits(&s, 4, &last) == 4 && !s.n && first < last &&
      set_years(out, first, last);
}

static bool read_words(hm_str s, worded_time *out) {
  s = hm_str_trim(s);
  hm_str rest = s;
  const char *slash = s.n ? memchr(s.p, '/', s.n) : NULL;
  hm_time t;
  hm_precision p;
  if (read_named_day(s, &t, &p)) {
    *out = (worded_time){ t, hm_time_last_instant(t, p), p, false };
    return true;
  }
  if (read_called_year(s, out) || read_part(s, out) || read_limit(s, out))
    return true;
  if (read_between(s, " or ", out) || read_years(s, out))
    return true;
  if (take_word(&rest, "between") || take_word(&rest, "bet") || take_word(&rest, "bet."))
    return read_between(rest, " and ", out) || read_between(rest, " AND ", out);
  return slash &&
      read_two(hm_str_sub(s, 0, (size_t)(slash - s.p)),
               hm_str_sub(s, (size_t)(slash - s.p) + 1, s.n), out);
}

/* --- the whole text ---------------------------------------------------------------------- */

/* "about ", "c.", "~": takes it off the front. What follows a word is a space, a digit or a sign,
 * so that "c.year_5" stays a unit of an era c. */
static bool take_about(hm_str *s) {
  static const char *const words[] = { "about",  "abt", "approx", "approximately",
                                       "around", "c",   "ca",     "circa" };
  size_t n = 0;
  if (s->n && s->p[0] == '~') {
    *s = hm_str_trim(hm_str_sub(*s, 1, s->n));
    return true;
  }
  while (n < s->n && is_letter(s->p[n]))
    n++;
  hm_str word = hm_str_sub(*s, 0, n), rest = hm_str_sub(*s, n, s->n);
  if (rest.n && rest.p[0] == '.')
    rest = hm_str_sub(rest, 1, rest.n);
  if (!rest.n || !(memchr(" +-", rest.p[0], 3) || hm_is_digit(rest.p[0])))
    return false;
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_era_name_eq(word, hm_str_c(words[i]))) {
      *s = hm_str_trim(rest);
      return true;
    }
  return false;
}

/* "± 5 years": takes it off the end. false: something that is no tolerance follows the sign. */
static bool take_tolerance(hm_str *s, hm_time_text *out) {
  static const char *const signs[] = { "±", "+/-", "+-" };
  ptrdiff_t at = -1;
  size_t i = 0;
  while (i < HM_COUNT(signs) && (at = hm_str_find(*s, signs[i])) < 0)
    i++;
  if (at < 0)
    return true;
  hm_str rest = hm_str_trim(hm_str_sub(*s, (size_t)at + strlen(signs[i]), s->n));
  if (!take_number(&rest, 5, &out->tolerance))
    return false;
  out->has_tolerance = out->about = true;
  out->tolerance_unit = hm_str_trim(rest);
  *s = hm_str_trim(hm_str_sub(*s, 0, (size_t)at));
  return true;
}

/* "1340-00-00T00:00:00Z", "1340-05-00": a month or day of 00 is one that is not known. Takes it off
 * the end, with the midnight behind it. */
static hm_str cut_unknown_parts(hm_str s) {
  static const char *const ends[] = { "-00", "-00-00", "-00-00T00:00:00Z", "-00T00:00:00Z" };
  ptrdiff_t at = hm_str_find(hm_str_sub(s, 1, s.n), "-00");
  if (at < 0 || !hm_is_digit(s.p[at]))
    return s;
  hm_str end = hm_str_sub(s, (size_t)at + 1, s.n);
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_is(end, ends[i]))
      return hm_str_sub(s, 0, (size_t)at + 1);
  return s;
}

static bool read_era(hm_str s, hm_time_text *out) {
  const char *dot = s.n ? memchr(s.p, '.', s.n) : NULL;
  out->era = dot ? hm_str_trim(hm_str_sub(s, 0, (size_t)(dot - s.p))) : s;
  if (!dot)
    return hm_era_name_ok(s) || hm_era_name_eq(s, HM_STR("current"));
  hm_str unit = hm_str_trim(hm_str_sub(s, (size_t)(dot - s.p) + 1, s.n));
  return hm_era_name_ok(out->era) && hm_era_unit_parse(unit, &out->unit, &out->number);
}

bool hm_time_text_parse(hm_str s, hm_time_text *out) {
  hm_time_text t = { 0 };
  if (s.n > HM_TIME_TEXT_MAX)
    return false;
  s = hm_str_trim(s);
  t.about = take_about(&s);
  if (!take_tolerance(&s, &t))
    return false;
  while (s.n && (s.p[s.n - 1] == '~' || s.p[s.n - 1] == '?' || hm_str_ends(s, "(?)"))) {
    t.about = true;
    s = hm_str_trim(hm_str_sub(s, 0, s.n - (hm_str_ends(s, "(?)") ? 3 : 1)));
  }
  s = cut_unknown_parts(s);
  t.is_date =
      hm_time_parse(s, &t.first, &t.precision) || hm_time_parse_era_year(s, &t.first, &t.precision);
  worded_time worded;
  if (!t.is_date && read_words(s, &worded)) {
    t.is_date = true;
    t.first = worded.first;
    t.precision = worded.precision;
    t.is_range = worded.is_range;
    t.last = worded.last;
    t.era = s;
  }
  if (!t.is_date && !read_era(s, &t))
    return false;
  *out = t;
  return true;
}
