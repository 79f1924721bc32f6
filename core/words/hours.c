/* Times of day, days and telephone numbers in words of a note: "02:00 UTC", "8.30 Uhr",
 * "à 11 h 45", "9 am", "7:00 to 21:00", "8–13 Uhr", "0555 0142". Part of the amounts
 * (measure.c). */
#include <string.h>

#include "core/base/ascii.h"
#include "core/words/words.h"

typedef struct {
  unsigned hour, minute;
  bool sure; /* it can be no plain number */
  size_t to; /* the word behind */
} day_time;

static unsigned number_of(hm_str s, size_t from, size_t to) {
  unsigned n = 0;
  for (size_t i = from; i < to; i++)
    n = n * 10 + (unsigned)(s.p[i] - '0');
  return n;
}

/* "11:45", "8.30", "9", "9h30", "9am" at word i, with the words behind it that say of what kind the
 * number is. */
static bool read_time(const note_words *w, size_t i, day_time *t) {
  hm_str s = w->w[i].low;
  size_t n = hm_skip_digits(s, 0), end = n;
  if (!n || n > 2)
    return false;
  *t = (day_time){ .hour = number_of(s, 0, n), .to = i + 1 };
  bool colon = hm_char_at(s, n, ':') || hm_char_at(s, n, 'h'), dot = hm_char_at(s, n, '.');
  if ((colon || dot) && hm_skip_digits(s, n + 1) == n + 3) {
    t->minute = number_of(s, n + 1, n + 3);
    end = n + 3;
    t->sure = colon;
  }
  hm_str rest = hm_str_sub(s, end, s.n);
  bool next = !rest.n && t->to < w->n && w->w[t->to].joined;
  hm_str unit = next ? w->w[t->to].low : rest;
  if (note_word_in(unit, "am|pm|a.m|p.m|uhr")) {
    t->hour += unit.p[0] == 'p' && t->hour < 12 ? 12 : 0;
    t->sure = true;
    t->to += next;
  } else if (rest.n)
    return false;
  else if (dot && end > n)
    return false; /* a plain number */
  if (next && t->sure && note_word_in(unit, "utc|cet|gmt"))
    t->to++;
  return t->hour < 25 && t->minute < 60;
}

/* "11 h 45", "15 h" of a text in French, where what stands before says that it is no length. */
static bool read_french_time(const note_words *w, size_t i, day_time *t) {
  hm_str s = w->w[i].low;
  size_t n = hm_skip_digits(s, 0);
  bool short_form = n && n + 1 == s.n && s.p[n] == 'h';
  bool long_form =
      n == s.n && i + 1 < w->n && w->w[i + 1].joined && hm_str_is(w->w[i + 1].low, "h");
  if (!n || n > 2 || !(short_form || long_form))
    return false;
  *t = (day_time){ .hour = number_of(s, 0, n), .sure = true, .to = i + 1 + long_form };
  if (t->to < w->n && w->w[t->to].joined && w->w[t->to].low.n == 2 &&
      hm_skip_digits(w->w[t->to].low, 0) == 2) {
    t->minute = number_of(w->w[t->to].low, 0, 2);
    t->to++;
  }
  return t->hour < 25 && t->minute < 60;
}

static bool time_at(const note_words *w, size_t i, bool french, day_time *t) {
  return (french && read_french_time(w, i, t)) || read_time(w, i, t);
}

/* "9:00-17:00": where the second half begins; 0: it is no such word. */
static size_t cut_of(hm_str s) {
  const char *dash = s.n ? memchr(s.p, '-', s.n) : NULL;
  return dash && hm_digit_at(s, 0) && hm_digit_at(s, (size_t)(dash - s.p) + 1)
      ? (size_t)(dash - s.p) + 1
      : 0;
}

/* "7:00 to 21:00", "8–13 Uhr", "9:00-17:00". */
static bool read_hours(const note_words *w, size_t i, bool french, note_measure *m, hm_arena *a) {
  day_time from, to;
  size_t cut = cut_of(w->w[i].low);
  if (cut) {
    note_word halves[3] = { w->w[i], w->w[i] };
    note_words two = { halves, 2 };
    halves[0].low = hm_str_sub(w->w[i].low, 0, cut - 1);
    halves[1].low = hm_str_sub(w->w[i].low, cut, w->w[i].low.n);
    halves[1].joined = false;
    if (i + 1 < w->n)
      halves[2] = w->w[i + 1], two.n = 3;
    if (!read_time(&two, 0, &from) || !read_time(&two, 1, &to))
      return false;
    to.to += i - 1;
  } else {
    if (!time_at(w, i, french, &from))
      return false;
    size_t next = from.to;
    bool dash = next < w->n && w->w[next].before == '-';
    bool word = next + 1 < w->n && note_word_in(w->w[next].low, "a|bis|till|to|until|\u00E0");
    if (!(dash || word) || !time_at(w, next + !dash, french, &to))
      return false;
  }
  if (!to.sure)
    return false;
  hm_str value = hm_str_fmt(a, "%u:%02u-%u:%02u", from.hour, from.minute, to.hour, to.minute);
  *m = (note_measure){ value, "hours", i, to.to };
  return true;
}

/* "0555 0142", "+31 20 555 0142", "030/5550-142". */
static bool read_phone(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  enum { LEAST = 7, MOST = 15 };
  hm_str value = HM_EMPTY;
  size_t digits = 0, to = i;
  bool begins =
      hm_str_starts(w->w[i].low, "+") || (hm_str_starts(w->w[i].low, "0") && w->w[i].low.n > 2);
  for (; begins && digits <= MOST && to < w->n &&
       (to == i || w->w[to].joined || strchr("()-", w->w[to].before));
       to++) {
    hm_str s = w->w[to].low;
    size_t own = 0;
    for (size_t k = 0; k < s.n; k++) {
      bool sign = strchr("-/", s.p[k]) || (s.p[k] == '+' && !k && to == i);
      if (!hm_is_digit(s.p[k]) && !sign)
        own = s.n + 1;
      own += hm_is_digit(s.p[k]);
    }
    if (!own || own > s.n)
      break;
    digits += own;
    value = HM_CAT(a, value, value.n ? HM_STR(" ") : HM_EMPTY, s);
  }
  bool date =
      w->w[i].low.n == 10 && hm_char_at(w->w[i].low, 2, '/') && hm_char_at(w->w[i].low, 5, '/');
  if (!begins || date || digits < LEAST || digits > MOST)
    return false;
  *m = (note_measure){ value, "phone", i, to };
  return true;
}

bool note_hours_at(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  day_time t;
  bool french = i && note_word_in(w->w[i - 1].low, "de|d\u00E8s|entre|vers|\u00E0");
  if (read_phone(w, i, m, a) || read_hours(w, i, french, m, a))
    return true;
  if (!hm_digit_at(w->w[i].low, 0) || !time_at(w, i, french, &t) || !t.sure)
    return false;
  hm_str s = w->w[i].low; /* as it is written, where it is written in full */
  hm_str value = s.n > 3 && s.p[s.n - 3] == ':' ? s : hm_str_fmt(a, "%u:%02u", t.hour, t.minute);
  *m = (note_measure){ value, "time", i, t.to };
  return true;
}

/* --- days ------------------------------------------------------------------------------------- */

/* Of each what says it of every week, and what may say it of one. Sources: CLDR. */
static const struct {
  const char *name, *each, *one;
} weekdays[] = {
  { "monday", "mondays|montags", "monday|montag|lundi|lundis|lunes" },
  { "tuesday", "tuesdays|dienstags", "tuesday|dienstag|mardi|mardis|martes" },
  { "wednesday", "wednesdays|mittwochs", "wednesday|mittwoch|mercredi|mercredis|mi\u00E9rcoles" },
  { "thursday", "thursdays|donnerstags", "thursday|donnerstag|jeudi|jeudis|jueves" },
  { "friday", "fridays|freitags", "friday|freitag|vendredi|vendredis|viernes" },
  { "saturday", "saturdays|samstags", "saturday|samstag|samedi|samedis|s\u00E1bado|s\u00E1bados" },
  { "sunday", "sundays|sonntags", "sunday|sonntag|dimanche|dimanches|domingo|domingos" },
};

/* Sources: CLDR. */
static const struct {
  const char *name, *words;
} months[] = {
  { "january", "january|januar|janvier|enero" },
  { "february", "february|februar|f\u00E9vrier|febrero" },
  { "march", "march|m\u00E4rz|mars|marzo" },
  { "april", "april|avril|abril" },
  { "may", "may|mai|mayo" },
  { "june", "june|juni|juin|junio" },
  { "july", "july|juli|juillet|julio" },
  { "august", "august|ao\u00FBt|agosto" },
  { "september", "september|septembre|septiembre" },
  { "october", "october|oktober|octobre|octubre" },
  { "november", "november|novembre|noviembre" },
  { "december", "december|dezember|d\u00E9cembre|diciembre" },
};

/* "1st", "15th", "15." of a text: a number with the ending of an ordinal; 0: it is none. */
static unsigned ordinal_of(hm_str s) {
  size_t n = hm_skip_digits(s, 0);
  bool ends = n && n <= 2 && note_word_in(hm_str_sub(s, n, s.n), "st|nd|rd|th");
  return ends ? number_of(s, 0, n) : 0;
}

/* "of each month", "of the month", "every month" at word i: the word behind, or 0. */
static size_t behind_month(const note_words *w, size_t i) {
  i += i < w->n && note_word_in(w->w[i].low, "day");
  i += i < w->n && hm_str_is(w->w[i].low, "of");
  bool each = i + 1 < w->n && note_word_in(w->w[i].low, "each|every|a|the");
  return each && hm_str_is(w->w[i + 1].low, "month") ? i + 2 : 0;
}

/* "Mondays", "every Monday", "the first Monday of each month", "le lundi". */
static bool read_weekday(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  static const char each[] = "each|every|jeden|chaque|cada|le|les|los";
  static const char first[] = "first|second|third|fourth";
  size_t at = i + note_word_in(w->w[i].low, each);
  at += at + 1 < w->n && note_word_in(w->w[at].low, first);
  if (at == w->n)
    return false;
  for (size_t k = 0; k < HM_COUNT(weekdays); k++) {
    hm_str low = w->w[at].low;
    size_t month = at > i ? behind_month(w, at + 1) : 0;
    bool one = note_word_in(low, weekdays[k].one);
    if (one && month)
      *m = (note_measure){ HM_CAT(a, w->w[at - 1].low, HM_STR(" "), hm_str_c(weekdays[k].name)),
                           "weekday of month", i, month };
    else if (note_word_in(low, weekdays[k].each) ||
             (one && at == i + 1 && !note_word_in(w->w[i].low, first)))
      *m = (note_measure){ hm_str_c(weekdays[k].name), "weekday", i, at + 1 };
    else
      continue;
    return true;
  }
  return false;
}

bool note_day_at(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  if (read_weekday(w, i, m, a))
    return true;
  unsigned day = ordinal_of(w->w[i].low);
  size_t to = day ? behind_month(w, i + 1) : 0;
  if (to) {
    *m = (note_measure){ hm_str_fmt(a, "day %u", day), "day of month", i, to };
    return true;
  }
  if (i + 1 >= w->n || !note_word_in(w->w[i].low, "in|im|en|every|each"))
    return false;
  bool year = i + 2 < w->n && hm_digit_at(w->w[i + 2].low, 0);
  for (size_t k = 0; k < HM_COUNT(months) && !year; k++)
    if (note_word_in(w->w[i + 1].low, months[k].words)) {
      *m = (note_measure){ hm_str_c(months[k].name), "month", i, i + 2 };
      return true;
    }
  return false;
}
