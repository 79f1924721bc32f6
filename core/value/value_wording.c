/* Texts that are spelled in two ways and say one thing, whatever they are about:
 *
 *   joints     "double-blind" is "double blind", "RGH-22" is "RGH 22", "GF-PTFE" is "GF PTFE": a
 *              hyphen between words, parts of a name, or a letter and a digit, is a blank. Between
 *              letters of a code with digits, and between digits, it is a sign. "event_store" is
 *              "event-store", where the slot is no path and no code
 *   codes      "CS 101" is "CS101": a blank between a letter and a digit is none
 *   articles   "the main office" is "main office"
 *   crosses    "M6 x 20" is "M6x20"
 *   numbers    "every 15,000 km" is "every 15000 km"; "1 : 1" is "1:1"
 *   weekdays   "Mon" is "Monday" is "Mondays"; "Mon-Fri" is "Monday to Friday"
 *   compounds  "back-end" and "back end" are "backend", of the words in COMPOUNDS
 *   counted    "every two weeks" is "every 2 weeks", "Phase III" is "phase 3"; a lone V or X stays
 *              a letter
 *   order      "wheat (winter)" is "winter wheat"; "FOB, Oslo" is "FOB Oslo"
 *   short      "Op. 95" is "opus 95"
 *   glosses    "overall survival (OS)" is "overall survival": letters that the words begin with
 *   countries  "USA" is "United States", as containment.c has them
 *
 * Normal forms stay as they are: only the comparison of two texts asks. Cost: linear in the bytes
 * of both, for texts of at most LONGEST. */
#include <stdio.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/value/containment.h"
#include "core/value/value_impl.h"

enum { LONGEST = HM_WORDING_MAX / 2, WORDS_MAX = 24 };

/* --- glosses ---------------------------------------------------------------------------------- */

/* Do the words of text begin with these letters? */
static bool are_initials(hm_str letters, hm_str text) {
  size_t n = 0;
  for (size_t i = 0; i < text.n; i++) {
    bool begins = !i || text.p[i - 1] == ' ' || text.p[i - 1] == '-';
    if (!begins || text.p[i] == ' ')
      continue;
    if (n == letters.n || letters.p[n] != text.p[i])
      return false;
    n++;
  }
  return n > 1 && n == letters.n;
}

/* The words of "words (letters)" and of "letters (words)"; s itself where it is neither. */
static hm_str without_gloss(hm_str s) {
  const char *open = s.n > 2 && s.p[s.n - 1] == ')' ? memrchr(s.p, '(', s.n) : NULL;
  if (!open || open < s.p + 2 || open[-1] != ' ')
    return s;
  size_t at = (size_t)(open - s.p);
  hm_str before = hm_str_sub(s, 0, at - 1), inside = hm_str_sub(s, at + 1, s.n - 1);
  if (are_initials(inside, before))
    return before;
  return are_initials(before, inside) ? inside : s;
}

/* --- characters ------------------------------------------------------------------------------- */

/* The letters around i are a word, and no part of a designation. */
static bool is_word_at(hm_str s, size_t i) {
  static const char *const few[] = { "in", "on", "of", "to", "up", "by", "at", "no", "co",
                                     "e",  "mo", "di", "mi", "do", "fr", "sa", "so" };
  size_t from = i, to = i + 1;
  while (hm_any_letter_at(s, to))
    to++;
  while (from && hm_any_letter_at(s, from - 1))
    from--;
  hm_str word = hm_str_sub(s, from, to);
  return word.n > 2 || HM_IS_ANY(word, few);
}

/* "gf-ptfe", "usb-c": one word of letters and hyphens, with a part that is no word. */
static bool is_name_of_parts(hm_str s) {
  enum { LETTERS_MAX = 12 };
  size_t letters = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] != '-' && s.p[i] != ' ' && !hm_is_letter(s.p[i]))
      return false;
    letters += hm_is_letter(s.p[i]);
  }
  return letters > 2 && letters <= LETTERS_MAX;
}

/* Between a letter and a digit, or between two words. */
static bool is_joint(hm_str s, size_t i) {
  if (s.p[i] != '-' || !i)
    return false;
  bool before = hm_any_letter_at(s, i - 1), behind = hm_any_letter_at(s, i + 1);
  if (before && behind)
    return (is_word_at(s, i - 1) && is_word_at(s, i + 1)) || is_name_of_parts(s);
  return (before && hm_digit_at(s, i + 1)) || (behind && hm_digit_at(s, i - 1));
}

/* A comma before three digits and no more, behind one to three. */
static bool parts_digits(hm_str s, size_t i) {
  size_t from = i, to = i + 1;
  while (from && hm_digit_at(s, from - 1))
    from--;
  while (hm_digit_at(s, to))
    to++;
  bool alone = !from || s.p[from - 1] == ' ' || strchr(",$:", s.p[from - 1]);
  return s.p[i] == ',' && i - from >= 1 && i - from <= 3 && to - i == 4 && alone;
}

/* A blank beside the sign between two numbers: "1 : 1", "m6 x 20"; also in "size: 7". */
static bool is_beside_sign(hm_str s, size_t i) {
  if (s.p[i] != ' ' || !i || i + 1 == s.n)
    return false;
  size_t at = s.p[i + 1] == ':' || s.p[i + 1] == 'x' ? i + 1 : i - 1, before = at;
  while (before && s.p[before - 1] == ' ')
    before--;
  if (!before || !hm_digit_at(s, hm_skip_spaces(s, at + 1)))
    return false;
  char last = s.p[before - 1], sign = s.p[at];
  return sign == ':' ? last != ':' : sign == 'x' && hm_is_digit(last);
}

/* Without the article before it. */
static hm_str without_article(hm_str s) {
  static const char *const articles[] = { "the ", "an ", "a " };
  for (size_t i = 0; i < HM_COUNT(articles); i++) {
    size_t n = strlen(articles[i]);
    if (hm_str_starts(s, articles[i]) && hm_any_letter_at(s, n) && hm_any_letter_at(s, n + 1) &&
        hm_any_letter_at(s, n + 2))
      return hm_str_sub(s, n, s.n);
  }
  return s;
}

/* words: a '_' joins words as a hyphen does, and is no part of a name that a machine reads. */
static hm_str fold_characters(char *out, hm_str s, bool words) {
  size_t n = 0;
  words = words && !hm_text_has_digit(s) && !memchr(s.p, '/', s.n);
  for (size_t i = 0; i < s.n; i++) {
    if (parts_digits(s, i) || is_beside_sign(s, i))
      continue;
    bool hours = s.p[i] == '-' && i > 2 && s.p[i - 3] == ':' && hm_digit_at(s, i + 1);
    out[n++] = hours || is_joint(s, i) || (words && s.p[i] == '_') ? ' ' : s.p[i];
  }
  return (hm_str){ out, n };
}

/* --- words ------------------------------------------------------------------------------------ */

typedef struct {
  const char *other, *one;
} spelling;

/* Sources: CLDR; of English Oxford, of German Duden. */
static const spelling WEEKDAYS[] = {
  { "di", "tuesday" },         { "dienstag", "tuesday" },   { "donnerstag", "thursday" },
  { "fr", "friday" },          { "freitag", "friday" },     { "fri", "friday" },
  { "fridays", "friday" },     { "mi", "wednesday" },       { "mittwoch", "wednesday" },
  { "mo", "monday" },          { "mon", "monday" },         { "mondays", "monday" },
  { "montag", "monday" },      { "sa", "saturday" },        { "samstag", "saturday" },
  { "sat", "saturday" },       { "saturdays", "saturday" }, { "so", "sunday" },
  { "sonntag", "sunday" },     { "sun", "sunday" },         { "sundays", "sunday" },
  { "thu", "thursday" },       { "thur", "thursday" },      { "thurs", "thursday" },
  { "thursdays", "thursday" }, { "tue", "tuesday" },        { "tues", "tuesday" },
  { "tuesdays", "tuesday" },   { "wed", "wednesday" },      { "wednesdays", "wednesday" },
};
/* Without V and X, which are letters. Sources: Unicode number forms; Chicago Manual of Style. */
static const spelling ROMAN[] = {
  { "i", "1" },  { "ii", "2" },  { "iii", "3" },  { "iv", "4" },  { "ix", "9" },
  { "vi", "6" }, { "vii", "7" }, { "viii", "8" }, { "xi", "11" }, { "xii", "12" },
};
/* Sources: CLDR; Oxford English Dictionary; Chicago Manual of Style. */
static const spelling NUMBERS[] = {
  { "apt.", "apartment" }, { "bldg.", "building" }, { "ch.", "chapter" }, { "dept.", "department" },
  { "eight", "8" },        { "eighth", "8th" },     { "eleven", "11" },   { "eur", "euro" },
  { "euros", "euro" },     { "fifth", "5th" },      { "fig.", "figure" }, { "first", "1st" },
  { "five", "5" },         { "fl.", "floor" },      { "four", "4" },      { "fourth", "4th" },
  { "nine", "9" },         { "ninth", "9th" },      { "no.", "number" },  { "one", "1" },
  { "op.", "opus" },       { "rm.", "room" },       { "saint", "st." },   { "second", "2nd" },
  { "sec.", "section" },   { "seven", "7" },        { "seventh", "7th" }, { "six", "6" },
  { "sixth", "6th" },      { "ten", "10" },         { "tenth", "10th" },  { "third", "3rd" },
  { "three", "3" },        { "twelve", "12" },      { "two", "2" },       { "vol.", "volume" },
};
/* Written as one word, two, or with a hyphen. Sources: Merriam-Webster; Microsoft Style Guide. */
static const char *const COMPOUNDS[] = { "backend",  "frontend", "email",     "online",
                                         "offline",  "onsite",   "fullstack", "website",
                                         "database", "dataset",  "filename",  "username",
                                         "hostname", "wifi",     "healthcare" };
/* Before a number or a Roman one. Sources: Chicago Manual of Style; Oxford English Dictionary. */
static const char *const COUNTED[] = { "phase",    "type",  "class", "stage",     "grade",
                                       "category", "level", "part",  "volume",    "chapter",
                                       "tier",     "mark",  "act",   "generation" };
static const char *const UNTIL[] = { "-", "to", "through", "till", "until" };

/* "backend" of "back" and "end". */
static hm_str compound_of(hm_str before, hm_str word) {
  for (size_t i = 0; i < HM_COUNT(COMPOUNDS); i++) {
    hm_str whole = hm_str_c(COMPOUNDS[i]);
    bool fits = before.n && whole.n == before.n + word.n;
    if (fits && hm_str_eq(hm_str_sub(whole, 0, before.n), before) &&
        hm_str_eq(hm_str_sub(whole, before.n, whole.n), word))
      return whole;
  }
  return HM_EMPTY;
}

/* What the word says behind the one before it; it takes that one's place where *takes. */
static hm_str fold_word(hm_str before, hm_str word, bool *takes) {
  hm_str one =
      HM_LOOK_UP(hm_str_ends(word, ".") ? hm_str_sub(word, 0, word.n - 1) : word, WEEKDAYS);
  *takes = false;
  if (!one.n)
    one = HM_LOOK_UP(word, NUMBERS);
  if (!one.n && HM_IS_ANY(before, COUNTED))
    one = HM_LOOK_UP(word, ROMAN);
  if (one.n)
    return one;
  one = compound_of(before, word);
  *takes = one.n > 0;
  return one.n ? one : word;
}

/* "22:00", "8am". */
static bool is_clock(hm_str word) {
  return hm_digit_at(word, 0) &&
      (memchr(word.p, ':', word.n) || hm_str_ends(word, "am") || hm_str_ends(word, "pm"));
}

static size_t fold_words(hm_str words[WORDS_MAX], hm_str s) {
  size_t n = 0;
  while (s.n) {
    bool takes;
    hm_str word = hm_str_next_word(&s), before = n ? words[n - 1] : HM_EMPTY;
    bool until = HM_IS_ANY(word, UNTIL) && (hm_str_ends(before, "day") || is_clock(before));
    if (!word.n || until)
      continue;
    word = fold_word(before, word, &takes);
    if (n == WORDS_MAX)
      return 0;
    n -= takes;
    words[n++] = word;
  }
  return n;
}

hm_str hm_value_wording(const hm_value *v, char out[HM_WORDING_MAX]) {
  char line[LONGEST];
  hm_str words[WORDS_MAX];
  hm_str s = hm_value_without_class(hm_str_starts(v->key, "text:") ? v->key : v->norm);
  if (!s.n || s.n > LONGEST)
    return HM_EMPTY;
  bool read = v->supports & (HM_READ_PATH | HM_READ_CASED | HM_READ_CODE);
  s = fold_characters(line, without_article(without_gloss(s)), !read);
  size_t n = fold_words(words, s), at = 0;
  for (size_t i = 0; i < n; i++) {
    hm_moment m;
    hm_str word = words[i];
    char clock[sizeof "00:00:00"];
    if (is_clock(word) && hm_moment_scan(&m, word) && m.precision == HM_P_MINUTE && !m.zoned.n)
      word = (hm_str){ clock,
                       (size_t)snprintf(clock, sizeof clock, "%02d:%02d",
                                        (int)(m.clock / 3600000000) % 24,
                                        (int)(m.clock / 60000000 % 60)) };
    if (at + word.n + 2 > HM_WORDING_MAX)
      return HM_EMPTY;
    if (i)
      out[at++] = ' ';
    memcpy(out + at, word.p, word.n);
    at += word.n;
  }
  out[at] = 0;
  return (hm_str){ out, at };
}

hm_str hm_value_as_name(hm_str s, char out[HM_WORDING_MAX]) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] != '.')
      out[n++] = s.p[i] == ' ' ? '_' : s.p[i];
  return (hm_str){ out, n };
}

/* Is the blank at i between a letter and a digit, or a comma before a blank? */
static bool is_loose(hm_str s, size_t i) {
  if (hm_str_starts(hm_str_sub(s, i, s.n), ", "))
    return true;
  if (!hm_char_at(s, i, ' ') || !i || i + 1 == s.n)
    return false;
  char before = s.p[i - 1], behind = s.p[i + 1];
  return (hm_is_letter(before) && hm_is_digit(behind)) ||
      (hm_is_digit(before) && hm_is_letter(behind));
}

/* "cs 101" and "cs101". */
static bool same_but_for_blanks(hm_str x, hm_str y) {
  size_t i = 0, k = 0;
  while (i < x.n && k < y.n) {
    bool same = x.p[i] == y.p[k];
    if (!same && !is_loose(x, i) && !is_loose(y, k))
      return false;
    i += same || is_loose(x, i);
    k += same || is_loose(y, k);
  }
  return i == x.n && k == y.n;
}

/* "wheat (winter)", "wheat, winter" and "winter wheat"; "grey (RAL 7016)" and "RAL 7016". */
static bool is_inverted(hm_str x, hm_str y) {
  bool bracket = hm_str_ends(x, ")");
  ptrdiff_t at = hm_str_find(x, bracket ? " (" : ", ");
  size_t before = (size_t)at;
  hm_str more = at < 0 ? HM_EMPTY : hm_str_sub(x, before + 2, x.n - bracket);
  if (bracket && hm_text_has_digit(y) && hm_str_eq(more, y))
    return true;
  return more.n && y.n == before + more.n + 1 && y.p[more.n] == ' ' &&
      !memcmp(y.p, more.p, more.n) && !memcmp(y.p + more.n + 1, x.p, before);
}

bool hm_value_same_wording(const hm_value *a, const hm_value *b) {
  char x[HM_WORDING_MAX], y[HM_WORDING_MAX], in_x[HM_WORDING_MAX], in_y[HM_WORDING_MAX];
  hm_str s = hm_value_wording(a, x), t = s.n ? hm_value_wording(b, y) : HM_EMPTY;
  if (!s.n || !t.n)
    return false;
  return hm_str_eq(s, t) || is_inverted(s, t) || is_inverted(t, s) ||
      same_but_for_blanks(a->norm, b->norm) ||
      hm_places_are_one(hm_value_as_name(s, in_x), hm_value_as_name(t, in_y));
}
