/* Times in words: time_words.h has the forms. Each form is tried on the whole text, from what
 * stands at its front or its end; the date in it is read by the same few functions. Linear in the
 * text, which is short. English names only: those of other languages share none with them that
 * means another month. */
#include "core/base/time_words.h"

#include <stdio.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (unsigned char)((c | 32) - 'a') < 26; }

static bool is_word(hm_str s, hm_str low) {
  size_t i = 0;
  while (i < s.n && i < low.n && (s.p[i] | (is_letter(s.p[i]) ? 32 : 0)) == low.p[i]) i++;
  return i == s.n && i == low.n;
}

/* Takes a word off the front, if it is followed by something else than a letter. */
static bool take_word(hm_str *s, const char *word) {
  hm_str w = hm_str_c(word);
  if (s->n < w.n || !is_word(hm_str_sub(*s, 0, w.n), w)) return false;
  if (s->n > w.n && is_letter(s->p[w.n])) return false;
  *s = hm_str_trim(hm_str_sub(*s, w.n, s->n));
  return true;
}

/* Takes a whole number of at most max digits off the front; returns how many. */
static size_t take_number(hm_str *s, size_t max, int *out) {
  size_t n = 0;
  for (*out = 0; n < s->n && n < max && is_digit(s->p[n]); n++) *out = *out * 10 + (s->p[n] - '0');
  *s = hm_str_sub(*s, n, s->n);
  return n;
}

/* st, nd, rd or th. */
static bool take_ending(hm_str *s) {
  static const char *const endings[] = { "st", "nd", "rd", "th" };
  size_t i = 0;
  while (i < HM_COUNT(endings) && !take_word(s, endings[i])) i++;
  return i < HM_COUNT(endings);
}

/* --- a day or a month by its name ------------------------------------------------------- */

/* 1 to 12; 0: s does not begin with a month. Takes it off, and a dot behind it. */
static int take_month(hm_str *s) {
  static const struct {
    const char *word;
    int month;
  } words[] = {
    { "apr", 4 },      { "april", 4 },  { "aug", 8 },   { "august", 8 }, { "dec", 12 },
    { "december", 12 }, { "feb", 2 },   { "february", 2 }, { "jan", 1 }, { "january", 1 },
    { "jul", 7 },      { "july", 7 },   { "jun", 6 },   { "june", 6 },   { "mar", 3 },
    { "march", 3 },    { "may", 5 },    { "nov", 11 },  { "november", 11 }, { "oct", 10 },
    { "october", 10 }, { "sep", 9 },    { "sept", 9 },  { "september", 9 },
  };
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    if (!take_word(s, words[i].word)) continue;
    if (s->n && s->p[0] == '.') *s = hm_str_trim(hm_str_sub(*s, 1, s->n));
    return words[i].month;
  }
  return 0;
}

/* 1 to 31, as 3 or 3rd; 0: none. */
static int take_day(hm_str *s) {
  hm_str rest = *s;
  int day;
  size_t digits = take_number(&rest, 2, &day);
  bool joined = rest.n && (is_letter(rest.p[0]) || is_digit(rest.p[0]));
  if (!digits || day > 31 || (joined && !take_ending(&rest))) return 0;
  *s = hm_str_trim(rest);
  return day;
}

/* A year alone: 1340, 345, 44 BC, AD 9. */
static bool read_year(hm_str s, int *year) {
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(s, &t, &p) && !hm_time_parse_year(s, &t, &p)) return false;
  *year = hm_time_year(t);
  return p == HM_P_YEAR;
}

static bool read_iso(int year, int month, int day, hm_time *t, hm_precision *p) {
  char iso[40];
  int n = snprintf(iso, sizeof iso, "%+05d", year);
  if (month) n += snprintf(iso + n, sizeof iso - (size_t)n, "-%02d", month);
  if (day) n += snprintf(iso + n, sizeof iso - (size_t)n, "-%02d", day);
  return hm_time_parse_year((hm_str){ iso, (size_t)n }, t, p);
}

static void skip_comma(hm_str *s) {
  if (s->n && s->p[0] == ',') *s = hm_str_trim(hm_str_sub(*s, 1, s->n));
}

/* "3 January 1340", "January 3, 1340", "January 1340". The number behind a month is a day where a
 * year follows it. */
static bool read_named_day(hm_str s, hm_time *t, hm_precision *p) {
  int year, day = take_day(&s);
  take_word(&s, "of");
  int month = take_month(&s);
  if (!month) return false;
  hm_str rest = s;
  int behind = day ? 0 : take_day(&rest);
  skip_comma(&s);
  skip_comma(&rest);
  if (behind && read_year(rest, &year)) day = behind;
  else if (!read_year(s, &year)) return false;
  return read_iso(year, month, day, t, p);
}

/* Any date: its first and its last instant. */
static bool read_date(hm_str s, hm_time_worded *out) {
  hm_time t;
  hm_precision p;
  s = hm_str_trim(s);
  if (!hm_time_parse(s, &t, &p) && !hm_time_parse_year(s, &t, &p) && !read_named_day(s, &t, &p))
    return false;
  *out = (hm_time_worded){ t, p <= HM_P_DAY ? hm_time_last(t, p) : t, p, false };
  return true;
}

/* --- ranges ---------------------------------------------------------------------------- */

static bool set_years(hm_time_worded *out, int first, int last) {
  hm_time from, until;
  hm_precision p;
  if (!read_iso(first, 0, 0, &from, &p) || !read_iso(last, 0, 0, &until, &p)) return false;
  *out = (hm_time_worded){ from, hm_time_last(until, HM_P_YEAR), HM_P_YEAR, true };
  return true;
}

/* BC or BCE: true in *bc; AD or CE: false; nothing: false. Something else: returns false. */
static bool read_count(hm_str s, bool *bc) {
  hm_time t;
  hm_precision p;
  char text[16] = "1 ";
  *bc = false;
  if (!s.n) return true;
  if (s.n > 8) return false;
  memcpy(text + 2, s.p, s.n);
  if (!hm_time_parse_year((hm_str){ text, s.n + 2 }, &t, &p)) return false;
  *bc = hm_time_year(t) == 0;
  return true;
}

/* "1340s", "120s BC" */
static bool read_decade(hm_str s, hm_time_worded *out) {
  int year;
  bool bc;
  size_t digits = take_number(&s, 4, &year);
  if (digits < 3 || !year || year % 10 || !s.n) return false;
  if (s.p[0] == '\'') s = hm_str_sub(s, 1, s.n);
  if (!take_word(&s, "s") || !read_count(s, &bc)) return false;
  int last = year + (year % 100 ? 9 : 99);
  return bc ? set_years(out, 1 - last, 1 - year) : set_years(out, year, last);
}

/* "12th century", "5th c. BC" */
static bool read_century(hm_str s, hm_time_worded *out) {
  int n;
  bool bc;
  if (!take_number(&s, 2, &n) || !n || !take_ending(&s)) return false;
  if (s.n && s.p[0] == '-') s = hm_str_sub(s, 1, s.n);
  if (!take_word(&s, "century") && !take_word(&s, "cent.") && !take_word(&s, "c.")) return false;
  if (!read_count(s, &bc)) return false;
  return bc ? set_years(out, 1 - 100 * n, -100 * (n - 1)) : set_years(out, 100 * n - 99, 100 * n);
}

/* From the one to the other, which is later. */
static bool read_two(hm_str a, hm_str b, hm_time_worded *out) {
  hm_time_worded x, y;
  if (!read_date(a, &x) || !read_date(b, &y) || x.first > y.first || x.last >= y.last) return false;
  *out = (hm_time_worded){ x.first, y.last, x.precision < y.precision ? x.precision : y.precision,
                           true };
  return true;
}

static bool read_between(hm_str s, const char *word, hm_time_worded *out) {
  ptrdiff_t at = hm_str_find(s, word);
  hm_str w = hm_str_c(word);
  return at > 0 &&
      read_two(hm_str_sub(s, 0, (size_t)at), hm_str_sub(s, (size_t)at + w.n, s.n), out);
}

static bool read_limit(hm_str s, hm_time_worded *out) {
  static const struct {
    const char *word;
    bool before;
  } words[] = { { "aft", false },   { "aft.", false }, { "after", false }, { "bef", true },
                { "bef.", true },   { "before", true }, { "by", true } };
  hm_time_worded at;
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    hm_str rest = s;
    if (!take_word(&rest, words[i].word) || !read_date(rest, &at)) continue;
    at.is_range = true;
    if (words[i].before) at.first = HM_DATES_FIRST;
    else at.last = HM_DATES_LAST;
    *out = at;
    return at.first < at.last;
  }
  return false;
}

/* "Year 200": the word says that it is one, so it may have one or two digits. */
static bool read_called_year(hm_str s, hm_time_worded *out) {
  int year;
  if (!s.n || !take_word(&s, "year") || !s.n || s.n > 4 || take_number(&s, 4, &year) == 0 || s.n)
    return false;
  if (!set_years(out, year, year)) return false;
  out->is_range = false;
  return true;
}

static bool read_part(hm_str s, hm_time_worded *out) {
  static const char *const words[] = { "early", "late", "mid", "middle" };
  size_t i = 0;
  while (i < HM_COUNT(words) && !take_word(&s, words[i])) i++;
  if (i < HM_COUNT(words) && s.n && s.p[0] == '-') s = hm_str_trim(hm_str_sub(s, 1, s.n));
  take_word(&s, "the");
  return read_decade(s, out) || read_century(s, out);
}

bool hm_time_words_read(hm_str s, hm_time_worded *out) {
  s = hm_str_trim(s);
  hm_str rest = s;
  const char *slash = s.n ? memchr(s.p, '/', s.n) : NULL;
  hm_time t;
  hm_precision p;
  if (read_named_day(s, &t, &p)) {
    *out = (hm_time_worded){ t, hm_time_last(t, p), p, false };
    return true;
  }
  if (read_called_year(s, out) || read_part(s, out) || read_limit(s, out)) return true;
  if (read_between(s, " or ", out)) return true;
  if (take_word(&rest, "between") || take_word(&rest, "bet") || take_word(&rest, "bet."))
    return read_between(rest, " and ", out) || read_between(rest, " AND ", out);
  return slash && read_two(hm_str_sub(s, 0, (size_t)(slash - s.p)),
                           hm_str_sub(s, (size_t)(slash - s.p) + 1, s.n), out);
}
