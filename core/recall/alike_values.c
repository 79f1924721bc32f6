/* The values in two texts, by kind: what both have a value of they are likely about, and where
 * these differ, they may contradict each other.
 *
 * A kind is a time of day, a day of the week, a part of the year, a span of time, money, a colour,
 * by words; amounts are those of hm_sentence_amounts, and numbers in words are read as in digits.
 * Of each value there are bounds, so that "in the morning" meets "9:00". */
#include <stdlib.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/words/sentence.h"
#include "core/recall/alike_impl.h"

enum { CLOCK = 1, WEEKDAY = 2, SEASON = 4, SPAN = 8, MONEY = 16, COLOUR = 32 };

/* Sorted. Bounds: hours, days, months, numbers of colours; 0: it only says the kind. */
/* clang-format off */
typedef struct {
  const char *word;
  uint8_t kind, first, last;
} value_word;
static const value_word WORDS[] = {
  { "afternoon", CLOCK, 12, 18 },
  { "afternoons", CLOCK, 12, 18 },
  { "amber", COLOUR, 1, 1 },
  { "annual", SPAN, 0, 0 },
  { "annually", SPAN, 0, 0 },
  { "april", SEASON, 4, 4 },
  { "august", SEASON, 8, 8 },
  { "autumn", SEASON, 9, 11 },
  { "beige", COLOUR, 2, 2 },
  { "bill", MONEY, 0, 0 },
  { "billed", MONEY, 0, 0 },
  { "black", COLOUR, 3, 3 },
  { "blue", COLOUR, 4, 4 },
  { "bronze", COLOUR, 5, 5 },
  { "brown", COLOUR, 6, 6 },
  { "cent", MONEY, 0, 0 },
  { "cents", MONEY, 0, 0 },
  { "charge", MONEY, 0, 0 },
  { "charged", MONEY, 0, 0 },
  { "chf", MONEY, 0, 0 },
  { "christmas", SEASON, 12, 12 },
  { "cost", MONEY, 0, 0 },
  { "costs", MONEY, 0, 0 },
  { "cream", COLOUR, 7, 7 },
  { "crimson", COLOUR, 8, 8 },
  { "daily", SPAN, 0, 0 },
  { "dawn", CLOCK, 4, 8 },
  { "day", SPAN, 0, 0 },
  { "days", SPAN, 0, 0 },
  { "december", SEASON, 12, 12 },
  { "dollar", MONEY, 0, 0 },
  { "dollars", MONEY, 0, 0 },
  { "dusk", CLOCK, 16, 22 },
  { "easter", SEASON, 3, 4 },
  { "eur", MONEY, 0, 0 },
  { "euro", MONEY, 0, 0 },
  { "euros", MONEY, 0, 0 },
  { "evening", CLOCK, 17, 23 },
  { "evenings", CLOCK, 17, 23 },
  { "february", SEASON, 2, 2 },
  { "fee", MONEY, 0, 0 },
  { "fees", MONEY, 0, 0 },
  { "fortnight", SPAN, 0, 0 },
  { "free", MONEY, 0, 0 },
  { "friday", WEEKDAY, 5, 5 },
  { "fridays", WEEKDAY, 5, 5 },
  { "gbp", MONEY, 0, 0 },
  { "gold", COLOUR, 9, 9 },
  { "golden", COLOUR, 10, 10 },
  { "gratis", MONEY, 0, 0 },
  { "gray", COLOUR, 11, 11 },
  { "green", COLOUR, 12, 12 },
  { "grey", COLOUR, 11, 11 },
  { "hour", SPAN, 0, 0 },
  { "hourly", SPAN, 0, 0 },
  { "hours", SPAN, 0, 0 },
  { "invoiced", MONEY, 0, 0 },
  { "january", SEASON, 1, 1 },
  { "july", SEASON, 7, 7 },
  { "june", SEASON, 6, 6 },
  { "lilac", COLOUR, 14, 14 },
  { "march", SEASON, 3, 3 },
  { "midday", CLOCK, 12, 12 },
  { "midnight", CLOCK, 24, 24 },
  { "minute", SPAN, 0, 0 },
  { "minutes", SPAN, 0, 0 },
  { "monday", WEEKDAY, 1, 1 },
  { "mondays", WEEKDAY, 1, 1 },
  { "month", SPAN, 0, 0 },
  { "monthly", SPAN, 0, 0 },
  { "months", SPAN, 0, 0 },
  { "morning", CLOCK, 5, 12 },
  { "mornings", CLOCK, 5, 12 },
  { "night", CLOCK, 20, 30 },
  { "nightly", CLOCK, 20, 30 },
  { "nights", CLOCK, 20, 30 },
  { "noon", CLOCK, 12, 12 },
  { "november", SEASON, 11, 11 },
  { "o'clock", CLOCK, 0, 0 },
  { "october", SEASON, 10, 10 },
  { "orange", COLOUR, 15, 15 },
  { "overnight", CLOCK, 20, 30 },
  { "paid", MONEY, 0, 0 },
  { "pay", MONEY, 0, 0 },
  { "pays", MONEY, 0, 0 },
  { "pink", COLOUR, 16, 16 },
  { "pm", CLOCK, 0, 0 },
  { "pounds", MONEY, 0, 0 },
  { "price", MONEY, 0, 0 },
  { "prices", MONEY, 0, 0 },
  { "purple", COLOUR, 17, 17 },
  { "quarterly", SPAN, 0, 0 },
  { "red", COLOUR, 18, 18 },
  { "refund", MONEY, 0, 0 },
  { "refunded", MONEY, 0, 0 },
  { "rent", MONEY, 0, 0 },
  { "saturday", WEEKDAY, 6, 6 },
  { "saturdays", WEEKDAY, 6, 6 },
  { "seconds", SPAN, 0, 0 },
  { "september", SEASON, 9, 9 },
  { "silver", COLOUR, 19, 19 },
  { "spring", SEASON, 3, 5 },
  { "summer", SEASON, 6, 8 },
  { "sunday", WEEKDAY, 7, 7 },
  { "sundays", WEEKDAY, 7, 7 },
  { "sunrise", CLOCK, 4, 9 },
  { "sunset", CLOCK, 15, 22 },
  { "thursday", WEEKDAY, 4, 4 },
  { "thursdays", WEEKDAY, 4, 4 },
  { "tuesday", WEEKDAY, 2, 2 },
  { "tuesdays", WEEKDAY, 2, 2 },
  { "turquoise", COLOUR, 20, 20 },
  { "usd", MONEY, 0, 0 },
  { "violet", COLOUR, 21, 21 },
  { "wednesday", WEEKDAY, 3, 3 },
  { "wednesdays", WEEKDAY, 3, 3 },
  { "week", SPAN, 0, 0 },
  { "weekday", WEEKDAY, 1, 5 },
  { "weekdays", WEEKDAY, 1, 5 },
  { "weekend", WEEKDAY, 6, 7 },
  { "weekends", WEEKDAY, 6, 7 },
  { "weekly", SPAN, 0, 0 },
  { "weeks", SPAN, 0, 0 },
  { "white", COLOUR, 22, 22 },
  { "winter", SEASON, 12, 14 },
  { "year", SPAN, 0, 0 },
  { "yearly", SPAN, 0, 0 },
  { "years", SPAN, 0, 0 },
  { "yellow", COLOUR, 23, 23 },
};
/* clang-format on */

static const value_word *find_word(hm_str word) {
  return bsearch(&word, WORDS, HM_COUNT(WORDS), sizeof *WORDS, hm_order_word);
}

unsigned hm_alike_kind(hm_str word) {
  const value_word *known = find_word(word);
  return known && known->kind != COLOUR ? known->kind : 0;
}

/* "in May": the month, and not the verb. */
static bool is_may(hm_str text, size_t from, hm_str word) {
  return from && hm_str_is(word, "may") && text.p[from] == 'M' && text.p[from - 1] == ' ';
}

unsigned hm_alike_kinds(hm_str text, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(text, scratch);
  unsigned kinds = 0;
  size_t from, to;
  for (hm_str word; hm_terms_next(&w, &word, &from, &to);) {
    kinds |= hm_alike_kind(word);
    if (hm_is_digit(word.p[0]) && to + 2 < text.n && text.p[to] == ':' &&
        hm_is_digit(text.p[to + 1]) && hm_is_digit(text.p[to + 2])) /* "22:00" */
      kinds |= CLOCK;
    if (is_may(text, from, word))
      kinds |= SEASON;
  }
  if (hm_str_find(text, "$") >= 0 || hm_str_find(text, "\xE2\x82\xAC") >= 0 ||
      hm_str_find(text, "\xC2\xA3") >= 0)
    kinds |= MONEY;
  return kinds;
}

/* --- values -------------------------------------------------------------------------------------
 */

static void add(hm_alike_values *v, const char *kind, double first, double last, hm_str said) {
  if (v->n < HM_ALIKE_VALUES)
    v->v[v->n++] = (hm_alike_value){ kind, first, last, said };
}

/* The number that a word says, with the next one, "sixty", "twenty-four"; *to: where it ends. 0 of
 * "one", which is a pronoun too often. */
static unsigned number_said(hm_terms *w, hm_str word, size_t *to) {
  hm_str number = hm_str_is(word, "one") || hm_str_is(word, "half") || hm_str_is(word, "once") ||
          hm_str_is(word, "twice")
      ? HM_EMPTY
      : hm_term_number(word);
  unsigned n = number.n ? (unsigned)atoi(number.p) : 0;
  if (n < 20 || n > 90 || *to >= w->text.n || w->text.p[*to] != '-')
    return n;
  hm_terms ahead = *w;
  size_t end;
  hm_str next = hm_terms_next(&ahead, &word, NULL, &end) ? hm_term_number(word) : HM_EMPTY;
  if (next.n != 1)
    return n;
  *w = ahead;
  *to = end;
  return n + (unsigned)atoi(next.p);
}

/* The minutes of "half past seven", "a quarter past seven", "a quarter to seven", and its hour; 0:
 * there are none. *to: where it ends. */
static int minutes_said(hm_terms *w, hm_str word, unsigned *hour, size_t *to) {
  int minutes = hm_str_is(word, "half") ? 30 : hm_str_is(word, "quarter") ? 15 : 0;
  hm_terms ahead = *w;
  size_t end;
  hm_str next = minutes && hm_terms_next(&ahead, &word, NULL, NULL) ? word : HM_EMPTY;
  bool before = minutes == 15 && hm_str_is(next, "to");
  if (!before && !hm_str_is(next, "past"))
    return 0;
  hm_str number = hm_terms_next(&ahead, &word, NULL, &end) ? hm_term_number(word) : HM_EMPTY;
  *hour = number.n ? (unsigned)atoi(number.p) : 0;
  if (!*hour)
    return 0;
  *hour -= before;
  *w = ahead;
  *to = end;
  return before ? 45 : minutes;
}

/* The text with its numbers in digits, and "a full year" as "1 year". */
static hm_str in_digits(hm_str text, hm_arena *a) {
  hm_terms w = hm_terms_begin(text, a);
  hm_buf out = { 0 };
  size_t from, to, end = 0;
  bool spans = false; /* "for a", "a full": a span of time may follow */
  for (hm_str word; hm_terms_next(&w, &word, &from, &to); end = to) {
    const value_word *known = find_word(word);
    bool one = spans && known && known->kind == SPAN && !hm_str_ends(word, "s") &&
        !hm_str_ends(word, "ly");
    bool a_span = hm_str_is(word, "full") || hm_str_is(word, "whole") ||
        (hm_str_is(word, "a") && end > 3 &&
         (hm_str_ends(hm_str_sub(text, 0, end), " for") ||
          hm_str_ends(hm_str_sub(text, 0, end), " after") ||
          hm_str_ends(hm_str_sub(text, 0, end), " within") ||
          hm_str_ends(hm_str_sub(text, 0, end), " to")));
    unsigned number = number_said(&w, word, &to), hour;
    int minutes = number ? 0 : minutes_said(&w, word, &hour, &to);
    hm_buf_str(&out, hm_str_sub(text, end, from));
    if (minutes)
      hm_buf_fmt(&out, "%u:%d", hour, minutes);
    else if (number)
      hm_buf_fmt(&out, "%u", number);
    else
      hm_buf_fmt(&out, "%s%.*s", one ? "1 " : "", HM_FMT(hm_str_sub(text, from, to)));
    spans = a_span;
  }
  hm_buf_str(&out, hm_str_sub(text, end, text.n));
  return hm_buf_take(&out, a);
}

/* How many of the least unit of its dimension one of a unit is. */
static double factor_of(hm_str unit) {
  static const struct {
    const char *unit;
    double factor;
  } units[] = { { "minutes", 60 },     { "hours", 3600 },     { "days", 86400 },
                { "weeks", 604800 },   { "months", 2629800 }, { "quarters", 7889400 },
                { "years", 31557600 }, { "ms", 0.001 },       { "cm", 10 },
                { "m", 1000 },         { "km", 1e6 },         { "g", 1000 },
                { "kg", 1e6 },         { "t", 1e9 },          { "l", 1000 } };
  for (size_t i = 0; i < HM_COUNT(units); i++)
    if (hm_str_is(unit, units[i].unit))
      return units[i].factor;
  return 1;
}

/* 17.5 of "17:30". */
static double hours_of(const char *text) {
  char *rest;
  double hours = strtod(text, &rest);
  return *rest == ':' ? hours + strtod(rest + 1, NULL) / 60 : hours;
}

static void add_amount(hm_alike_values *v, const hm_sentence_amount *m, hm_arena *a) {
  static const char *const left_out[] = { "count", "number", "times", "port", "month", "weekday" };
  char *rest, *start = (char *)hm_str_z(a, m->value);
  double n = strtod(start, &rest);
  for (size_t i = 0; i < HM_COUNT(left_out); i++)
    if (hm_str_starts(hm_str_c(m->kind), left_out[i]))
      return;
  if (rest == start)
    return;
  if (!strcmp(m->kind, "hours")) { /* "22:00-5:00" is also each time within */
    const char *dash = strchr(start, '-');
    double last = dash ? hours_of(dash + 1) : n;
    n = hours_of(start);
    add(v, "hours", 100 * n + last, 100 * n + last, m->value);
    add(v, "time", n, last < n ? last + 24 : last, m->value);
    return;
  }
  n = !strcmp(m->kind, "time") ? hours_of(start) : n * factor_of(hm_str_trim(hm_str_c(rest)));
  bool one = hm_str_starts(m->value, "1 ") && hm_str_ends(m->value, "s");
  add(v, m->kind, n, n, hm_str_sub(m->value, 0, m->value.n - one)); /* "1 year" */
}

/* The numbers that are no part of an amount. */
static void add_numbers(hm_alike_values *v, hm_str digits, hm_arena *a) {
  hm_terms w = hm_terms_begin(digits, a);
  size_t from, to, amounts = v->n;
  for (hm_str word; hm_terms_next(&w, &word, &from, &to);) {
    hm_str number = hm_is_digit(word.p[0]) ? hm_str_dup(a, word)
        : hm_str_is(word, "single")        ? HM_STR("1")
                                           : hm_term_number(word);
    size_t k = 0;
    while (k < amounts && number.n && hm_str_find(v->v[k].said, hm_str_z(a, number)) < 0)
      k++;
    double n = number.n ? strtod(hm_str_z(a, number), NULL) : 0;
    if (number.n && k == amounts)
      add(v, "number", n, n, hm_str_sub(digits, from, to));
  }
}

/* "Tour 4" at the beginning is what the text is about; "Anna owns 4" is not. */
static void read_subject(hm_alike_values *v, hm_str text, hm_arena *a) {
  enum { SUBJECT = 4 /* words */ };
  hm_terms w = hm_terms_begin(text, a);
  hm_str word, before = HM_EMPTY;
  size_t from, end = 0;
  v->subject = HM_EMPTY;
  for (size_t i = 0, to; i < SUBJECT && hm_terms_next(&w, &word, &from, &to); i++, end = to) {
    bool noun = before.n && !hm_term_is_function(before) && !hm_term_is_light(before) &&
        !hm_str_ends(before, "s") && !hm_str_ends(before, "ed") && from == end + 1;
    if (noun && hm_is_digit(word.p[0])) {
      v->subject = before;
      v->subject_number = strtod(hm_str_z(a, word), NULL);
      return;
    }
    before = hm_str_dup(a, word);
  }
}

void hm_alike_values_read(hm_str text, hm_arena *a, hm_alike_values *v) {
  hm_sentence_amount amounts[HM_ALIKE_VALUES];
  hm_str digits = in_digits(text, a), word, before = HM_EMPTY;
  size_t n = hm_sentence_amounts(digits, a, amounts, HM_ALIKE_VALUES), from;
  static const char *const kinds[] = {
    [CLOCK] = "time", [WEEKDAY] = "weekday", [SEASON] = "month", [COLOUR] = "colour"
  };
  v->n = 0;
  for (size_t i = 0; i < n; i++)
    add_amount(v, &amounts[i], a);
  hm_terms w = hm_terms_begin(text, a);
  for (; hm_terms_next(&w, &word, &from, NULL); before = hm_str_dup(a, word)) {
    const value_word *known = find_word(word);
    if (is_may(text, from, word))
      add(v, "month", 5, 5, HM_STR("May"));
    if (!known || !known->last)
      continue;
    hm_str said = hm_str_sub(text, from, from + word.n);
    add(v, kinds[known->kind], known->first, known->last, said);
    if (known->kind == SEASON && (hm_str_is(before, "each") || hm_str_is(before, "every")))
      add(v, "interval", factor_of(HM_STR("years")), factor_of(HM_STR("years")), said);
  }
  add_numbers(v, digits, a);
  read_subject(v, text, a);
}
