/* The forms of times: time_text.h has them. A text is taken apart from its ends: what makes it
 * approximate, then the tolerance, then the time itself. Linear in the text, which is short. */
#include "core/base/time_text.h"

#include <string.h>

#include "core/base/time_words.h"

enum { ERA_NAME_MAX = 64, UNIT_DIGITS_MAX = 7 };

static char folded(char c) {
  if (c >= 'A' && c <= 'Z') return (char)(c | 32);
  return c == ' ' || c == '-' ? '_' : c;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (unsigned char)((c | 32) - 'a') < 26 || (c & 0x80); }

bool hm_era_name_eq(hm_str a, hm_str b) {
  size_t i = 0;
  while (i < a.n && i < b.n && folded(a.p[i]) == folded(b.p[i])) i++;
  return i == a.n && i == b.n;
}

bool hm_era_name_ok(hm_str s) {
  bool letter = false;
  for (size_t i = 0; i < s.n; i++) {
    bool inner_space = s.p[i] == ' ' && i && i + 1 < s.n && s.p[i - 1] != ' ';
    if (!is_letter(s.p[i]) && !is_digit(s.p[i]) && s.p[i] != '_' && s.p[i] != '-' && !inner_space)
      return false;
    letter = letter || is_letter(s.p[i]);
  }
  return letter && s.n <= ERA_NAME_MAX && !hm_era_name_eq(s, HM_STR("current"));
}

bool hm_time_is_present(hm_str s) {
  static const char *const words[] = { "current", "now", "ongoing", "present" };
  s = hm_str_trim(s);
  size_t i = 0;
  while (i < HM_COUNT(words) && !hm_era_name_eq(s, hm_str_c(words[i]))) i++;
  return i < HM_COUNT(words);
}

bool hm_precision_of_word(hm_str word, hm_precision *out) {
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
    if (!many && !hm_era_name_eq(word, one)) continue;
    *out = words[i].p;
    return true;
  }
  return false;
}

/* Takes a whole number of at most max digits off the front. */
static bool take_number(hm_str *s, size_t max, int *out) {
  size_t n = 0;
  int v = 0;
  for (; n < s->n && n < max && is_digit(s->p[n]); n++) v = v * 10 + (s->p[n] - '0');
  *s = hm_str_sub(*s, n, s->n);
  *out = v;
  return n && !(s->n && is_digit(s->p[0]));
}

bool hm_time_unit_number(hm_str s, hm_str *unit, int *number) {
  size_t n = 0;
  int v;
  while (n < s.n && is_letter(s.p[n])) n++;
  bool joined = n < s.n && folded(s.p[n]) == '_';
  hm_str rest = hm_str_sub(s, n + joined, s.n);
  if (!n || n > ERA_NAME_MAX || !take_number(&rest, UNIT_DIGITS_MAX, &v) || rest.n) return false;
  *unit = hm_str_sub(s, 0, n);
  *number = v;
  return true;
}

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
  while (n < s->n && is_letter(s->p[n])) n++;
  hm_str word = hm_str_sub(*s, 0, n), rest = hm_str_sub(*s, n, s->n);
  if (rest.n && rest.p[0] == '.') rest = hm_str_sub(rest, 1, rest.n);
  if (!rest.n || !(rest.p[0] == ' ' || rest.p[0] == '+' || rest.p[0] == '-' || is_digit(rest.p[0])))
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
  while (i < HM_COUNT(signs) && (at = hm_str_find(*s, signs[i])) < 0) i++;
  if (at < 0) return true;
  hm_str rest = hm_str_trim(hm_str_sub(*s, (size_t)at + strlen(signs[i]), s->n));
  if (!take_number(&rest, 5, &out->tolerance)) return false;
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
  if (at < 0 || !is_digit(s.p[at])) return s;
  hm_str end = hm_str_sub(s, (size_t)at + 1, s.n);
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_is(end, ends[i])) return hm_str_sub(s, 0, (size_t)at + 1);
  return s;
}

static bool read_era(hm_str s, hm_time_text *out) {
  const char *dot = s.n ? memchr(s.p, '.', s.n) : NULL;
  out->era = dot ? hm_str_trim(hm_str_sub(s, 0, (size_t)(dot - s.p))) : s;
  if (!dot) return hm_era_name_ok(s) || hm_era_name_eq(s, HM_STR("current"));
  hm_str unit = hm_str_trim(hm_str_sub(s, (size_t)(dot - s.p) + 1, s.n));
  return hm_era_name_ok(out->era) && hm_time_unit_number(unit, &out->unit, &out->number);
}

bool hm_time_text_read(hm_str s, hm_time_text *out) {
  hm_time_text t = { 0 };
  if (s.n > HM_TIME_TEXT_MAX) return false;
  s = hm_str_trim(s);
  t.about = take_about(&s);
  if (!take_tolerance(&s, &t)) return false;
  while (s.n && (s.p[s.n - 1] == '~' || s.p[s.n - 1] == '?')) {
    t.about = true;
    s = hm_str_trim(hm_str_sub(s, 0, s.n - 1));
  }
  s = cut_unknown_parts(s);
  t.is_date =
      hm_time_parse(s, &t.first, &t.precision) || hm_time_parse_year(s, &t.first, &t.precision);
  hm_time_worded worded;
  if (!t.is_date && hm_time_words_read(s, &worded)) {
    t.is_date = true;
    t.first = worded.first;
    t.precision = worded.precision;
    t.is_range = worded.is_range;
    t.last = worded.last;
    t.era = s;
  }
  if (!t.is_date && !read_era(s, &t)) return false;
  *out = t;
  return true;
}
