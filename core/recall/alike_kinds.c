/* Which kinds of values a text has: a time of day, a day of the week, a part of the year, a span of
 * time, money. Two texts that share a word and a kind of value are more likely about one thing than
 * two that share a word: "The sprinklers run at noon", "Sprinklers run before six in the morning".
 */
#include "core/base/ascii.h"
#include "core/recall/alike_impl.h"

enum { CLOCK = 1, WEEKDAY = 2, SEASON = 4, SPAN = 8, MONEY = 16 };

/* Sorted. */
static const struct {
  const char *word;
  uint8_t kind;
} WORDS[] = {
  { "afternoon", CLOCK },   { "afternoons", CLOCK },   { "annual", SPAN },
  { "annually", SPAN },     { "april", SEASON },       { "august", SEASON },
  { "autumn", SEASON },     { "bill", MONEY },         { "billed", MONEY },
  { "cent", MONEY },        { "cents", MONEY },        { "charge", MONEY },
  { "charged", MONEY },     { "chf", MONEY },          { "christmas", SEASON },
  { "cost", MONEY },        { "costs", MONEY },        { "daily", SPAN },
  { "dawn", CLOCK },        { "day", SPAN },           { "days", SPAN },
  { "december", SEASON },   { "dollar", MONEY },       { "dollars", MONEY },
  { "dusk", CLOCK },        { "easter", SEASON },      { "eur", MONEY },
  { "euro", MONEY },        { "euros", MONEY },        { "evening", CLOCK },
  { "evenings", CLOCK },    { "february", SEASON },    { "fee", MONEY },
  { "fees", MONEY },        { "fortnight", SPAN },     { "free", MONEY },
  { "friday", WEEKDAY },    { "fridays", WEEKDAY },    { "gbp", MONEY },
  { "gratis", MONEY },      { "hour", SPAN },          { "hourly", SPAN },
  { "hours", SPAN },        { "invoiced", MONEY },     { "january", SEASON },
  { "july", SEASON },       { "june", SEASON },        { "march", SEASON },
  { "midday", CLOCK },      { "midnight", CLOCK },     { "minute", SPAN },
  { "minutes", SPAN },      { "monday", WEEKDAY },     { "mondays", WEEKDAY },
  { "month", SPAN },        { "monthly", SPAN },       { "months", SPAN },
  { "morning", CLOCK },     { "mornings", CLOCK },     { "night", CLOCK },
  { "nightly", CLOCK },     { "nights", CLOCK },       { "noon", CLOCK },
  { "november", SEASON },   { "o'clock", CLOCK },      { "october", SEASON },
  { "overnight", CLOCK },   { "paid", MONEY },         { "pay", MONEY },
  { "pays", MONEY },        { "pm", CLOCK },           { "pounds", MONEY },
  { "price", MONEY },       { "prices", MONEY },       { "quarterly", SPAN },
  { "refund", MONEY },      { "refunded", MONEY },     { "rent", MONEY },
  { "saturday", WEEKDAY },  { "saturdays", WEEKDAY },  { "seconds", SPAN },
  { "september", SEASON },  { "spring", SEASON },      { "summer", SEASON },
  { "sunday", WEEKDAY },    { "sundays", WEEKDAY },    { "sunrise", CLOCK },
  { "sunset", CLOCK },      { "thursday", WEEKDAY },   { "thursdays", WEEKDAY },
  { "tuesday", WEEKDAY },   { "tuesdays", WEEKDAY },   { "usd", MONEY },
  { "wednesday", WEEKDAY }, { "wednesdays", WEEKDAY }, { "week", SPAN },
  { "weekday", WEEKDAY },   { "weekdays", WEEKDAY },   { "weekend", WEEKDAY },
  { "weekends", WEEKDAY },  { "weekly", SPAN },        { "weeks", SPAN },
  { "winter", SEASON },     { "year", SPAN },          { "yearly", SPAN },
  { "years", SPAN },
};

unsigned hm_alike_kinds(hm_str text, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(text, scratch);
  unsigned kinds = 0;
  size_t from, to;
  for (hm_str word; hm_terms_next(&w, &word, &from, &to);) {
    size_t at = 0, end = HM_COUNT(WORDS);
    while (at < end) {
      size_t half = (at + end) / 2;
      if (hm_str_cmp_c(word, WORDS[half].word) > 0)
        at = half + 1;
      else
        end = half;
    }
    if (at < HM_COUNT(WORDS) && hm_str_is(word, WORDS[at].word))
      kinds |= WORDS[at].kind;
    if (hm_is_digit(word.p[0]) && to + 2 < text.n && text.p[to] == ':' &&
        hm_is_digit(text.p[to + 1]) && hm_is_digit(text.p[to + 2])) /* "22:00" */
      kinds |= CLOCK;
    if (from && hm_str_is(word, "may") && text.p[from] == 'M' && text.p[from - 1] == ' ')
      kinds |= SEASON;
  }
  if (hm_str_find(text, "$") >= 0 || hm_str_find(text, "\xE2\x82\xAC") >= 0 ||
      hm_str_find(text, "\xC2\xA3") >= 0)
    kinds |= MONEY;
  return kinds;
}
