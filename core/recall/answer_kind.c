/* Kinds of answers by words of grammar, numbers and the calendar: answer_kind.h. */
#include "core/recall/answer_kind.h"

#include <stdlib.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"

/* Words that are such an answer without a number; of costs also beside one. Sorted. */
static const char *const AMOUNTS[] = {
  "all",      "always", "any",   "both",    "day",       "double",    "few",         "hour",
  "infinite", "least",  "many",  "maximum", "minimum",   "minute",    "month",       "most",
  "never",    "no",     "none",  "nothing", "overnight", "permanent", "permanently", "quarter",
  "several",  "shift",  "third", "triple",  "unlimited", "week",      "whole",       "year",
};
static const char *const OFTEN[] = {
  "always",  "annual", "annually", "biweekly",    "constantly", "continuously", "daily",
  "day",     "each",   "every",    "fortnightly", "hour",       "hourly",       "month",
  "monthly", "never",  "nightly",  "often",       "quarterly",  "rarely",       "regularly",
  "seldom",  "week",   "weekly",   "year",        "yearly",
};
static const char *const COSTS[] = {
  "bill",   "billed", "cent",    "cents", "charge", "charged", "cost",      "costs",  "crown",
  "crowns", "dollar", "dollars", "eur",   "euro",   "euros",   "expensive", "fare",   "fee",
  "fees",   "franc",  "francs",  "free",  "gbp",    "gratis",  "kr",        "krona",  "krone",
  "kroner", "kronor", "paid",    "pay",   "pays",   "pence",   "pound",     "pounds", "price",
  "priced", "prices", "usd",     "worth", "yen",    "zloty",
};
static const char *const TIMES[] = {
  "after",   "afternoon", "afternoons", "always",    "april",    "as",        "august",
  "autumn",  "before",    "christmas",  "daily",     "day",      "days",      "december",
  "during",  "each",      "easter",     "evening",   "evenings", "every",     "february",
  "friday",  "fridays",   "holiday",    "holidays",  "hour",     "hours",     "if",
  "january", "july",      "june",       "march",     "midnight", "monday",    "mondays",
  "month",   "monthly",   "months",     "morning",   "mornings", "never",     "night",
  "nights",  "noon",      "november",   "now",       "october",  "once",      "overnight",
  "quarter", "quarterly", "saturday",   "saturdays", "season",   "september", "since",
  "spring",  "summer",    "sunday",     "sundays",   "thursday", "thursdays", "till",
  "today",   "tomorrow",  "tuesday",    "tuesdays",  "until",    "wednesday", "wednesdays",
  "week",    "weekend",   "weekends",   "weekly",    "weeks",    "when",      "whenever",
  "while",   "winter",    "year",       "yearly",    "years",    "yesterday",
};
static const char *const COLOURS[] = {
  "amber",       "aqua",       "beige",  "black",   "blue",   "bright", "bronze", "brown",
  "coloured",    "colourless", "cream",  "crimson", "cyan",   "dark",   "gold",   "golden",
  "gray",        "green",      "grey",   "indigo",  "ivory",  "khaki",  "light",  "lilac",
  "lime",        "magenta",    "maroon", "mauve",   "navy",   "ochre",  "olive",  "orange",
  "pale",        "pink",       "purple", "red",     "rose",   "silver", "tan",    "teal",
  "transparent", "turquoise",  "violet", "white",   "yellow",
};
/* Units of lengths, durations, masses, speeds and ages. */
static const char *const LENGTHS[] = {
  "centimeter",  "centimeters", "centimetre", "centimetres", "cm",        "feet",
  "foot",        "ft",          "inch",       "inches",      "kilometer", "kilometers",
  "kilometre",   "kilometres",  "km",         "m",           "meter",     "meters",
  "metre",       "metres",      "mi",         "mile",        "miles",     "millimetre",
  "millimetres", "mm",          "storey",     "storeys",     "yard",      "yards",
};
static const char *const DURATIONS[] = {
  "day",    "days",    "hour",  "hours",  "min",    "minute",  "minutes",
  "month",  "months",  "night", "nights", "season", "seasons", "sec",
  "second", "seconds", "week",  "weeks",  "year",   "years",
};
static const char *const MASSES[] = {
  "g",     "gram",   "grams", "kg",    "kilo",   "kilogram", "kilograms", "kilos", "lb",     "lbs",
  "ounce", "ounces", "oz",    "pound", "pounds", "t",        "ton",       "tonne", "tonnes", "tons",
};
static const char *const SPEEDS[] = {
  "day", "days", "fps",  "hour",   "hours",   "kbit", "km", "kmh", "kn",     "knot",    "knots",
  "kph", "m",    "mbit", "minute", "minutes", "mph",  "ms", "rpm", "second", "seconds",
};
static const char *const AGES[] = {
  "ago", "century", "day",  "days",  "month", "months",
  "old", "since",   "week", "weeks", "year",  "years",
};
/* Who is asked for by these behind "which", and what by these behind "how". */
static const char *const ASK_AGENT[] = {
  "brand", "company", "firm", "make", "manufacturer", "person",
};
static const struct {
  const char *word;
  hm_answer_kind kind;
} ASK_MEASURE[] = {
  { "deep", HM_ANSWER_LENGTH }, { "far", HM_ANSWER_LONG },    { "fast", HM_ANSWER_SPEED },
  { "heavy", HM_ANSWER_MASS },  { "long", HM_ANSWER_LONG },   { "often", HM_ANSWER_OFTEN },
  { "old", HM_ANSWER_AGE },     { "tall", HM_ANSWER_LENGTH }, { "thick", HM_ANSWER_LENGTH },
  { "wide", HM_ANSWER_LENGTH },
};
/* Subjects that are nobody's name. */
static const char *const SUBJECTS[] = {
  "all",  "anybody", "anyone",   "each",    "everybody", "everyone", "he",  "i",       "nobody",
  "only", "she",     "somebody", "someone", "they",      "we",       "who", "whoever", "you",
};
static const char *const ASK_COST[] = { "cost", "costs", "fee", "price" };
static const char *const ASK_TIME[] = {
  "date", "day", "hour", "month", "season", "time", "weekday", "year",
};
/* Behind "how" these ask in what way. */
static const char *const ASK_WAY[] = {
  "about", "best", "else", "exactly", "quickly", "to", "well",
};

static bool is_in(hm_str word, const char *const *list, size_t n) {
  return bsearch(&word, list, n, sizeof *list, hm_order_word) != NULL;
}

bool hm_answer_kind_is_word(hm_str word) {
  return is_in(word, ASK_COST, HM_COUNT(ASK_COST)) || hm_str_is(word, "colour") ||
      hm_str_is(word, "color");
}

bool hm_answer_kind_is_time(hm_str word) { return is_in(word, TIMES, HM_COUNT(TIMES)); }

/* What is wanted by this word behind "how". */
static hm_answer_kind measure_of(hm_str word) {
  size_t i = 0;
  while (i < HM_COUNT(ASK_MEASURE) && !hm_str_is(word, ASK_MEASURE[i].word))
    i++;
  return i < HM_COUNT(ASK_MEASURE) ? ASK_MEASURE[i].kind : HM_ANSWER_AMOUNT;
}

/* What is wanted by this word alone, or behind "which" or "what" or "how" of before. */
static hm_answer_kind kind_of_word(hm_str word, bool what) {
  if (hm_str_is(word, "when") || (what && is_in(word, ASK_TIME, HM_COUNT(ASK_TIME))))
    return HM_ANSWER_TIME;
  if (hm_str_is(word, "who") || hm_str_is(word, "whom") ||
      (what && is_in(word, ASK_AGENT, HM_COUNT(ASK_AGENT))))
    return HM_ANSWER_AGENT;
  if (what && (hm_str_is(word, "called") || hm_str_is(word, "named") || hm_str_is(word, "name")))
    return HM_ANSWER_NAME;
  if (hm_str_is(word, "colour") || hm_str_is(word, "color"))
    return HM_ANSWER_COLOUR;
  return HM_ANSWER_ANY;
}

hm_answer_kind hm_answer_kind_of(hm_str question, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(question, scratch);
  hm_str word, trimmed = hm_str_trim(question);
  bool how = false, what = false, first = true;
  bool marked = trimmed.n && trimmed.p[trimmed.n - 1] == '?';
  hm_answer_kind kind = HM_ANSWER_ANY;
  for (; hm_terms_next(&w, &word, NULL, NULL); first = false) {
    /* "those who come in": it does not ask. */
    if (first && !hm_term_asks(word, false) && (!marked || hm_term_asks(word, true)))
      return HM_ANSWER_ANY;
    if (is_in(word, ASK_COST, HM_COUNT(ASK_COST)))
      return what || kind == HM_ANSWER_AMOUNT ? HM_ANSWER_COST : kind;
    if (kind != HM_ANSWER_ANY)
      continue;
    if (how && !hm_term_asks(word, true) && !is_in(word, ASK_WAY, HM_COUNT(ASK_WAY)))
      kind = measure_of(word);
    else
      kind = kind_of_word(word, what);
    how = hm_str_is(word, "how");
    what = what || how || hm_str_is(word, "which") || hm_str_is(word, "what");
  }
  return kind;
}

/* --- a text -------------------------------------------------------------------------------------
 */

/* A word of a text, and what stands around it. */
typedef struct {
  hm_str question, text, word, before; /* before: the word before it, or empty */
  size_t from, to;
  hm_terms rest;
  bool first, subject; /* subject: the first word that is none of grammar */
  bool told;           /* behind its "is", "has" or "must", or there is none */
} place;

static bool is_asked(const place *p, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(p->question, scratch);
  hm_str other, stem = hm_str_dup(scratch, hm_term_stem(NULL, scratch, p->word));
  while (hm_terms_next(&w, &other, NULL, NULL))
    if (hm_str_eq(hm_term_stem(NULL, scratch, other), stem))
      return true;
  return false;
}

/* "6 tonnes", "58mm", "of 1380", "$5", and not the label "shed 1", "TM-02". */
static bool is_amount(const place *p) {
  hm_terms rest = p->rest;
  hm_str next;
  char before = p->from ? p->text.p[p->from - 1] : ' ',
       after = p->to < p->text.n ? p->text.p[p->to] : ' ';
  if (hm_term_number(p->word).n)
    return true;
  if (!hm_text_has_digit(p->word) || before == '#' || before == '-' || before == '_')
    return false;
  if (hm_is_letter(p->word.p[p->word.n - 1]) || (before != ' ' && before != '(') ||
      (after != ' ' && after != '.' && after != ',' && after != ';' && after != ')'))
    return hm_is_digit(p->word.p[0]);
  if (!p->before.n || hm_term_is_function(p->before))
    return true;
  return after == ' ' && hm_terms_next(&rest, &next, NULL, NULL) && !hm_term_is_function(next);
}

/* Has the number one of these units, as in "97.1 m", "ten working days", "58mm"? */
static bool has_unit(const place *p, const char *const *units, size_t n) {
  hm_terms rest = p->rest;
  hm_str next;
  size_t digits = 0;
  while (digits < p->word.n && hm_is_digit(p->word.p[digits]))
    digits++;
  if (!hm_term_number(p->word).n && !digits)
    return false;
  if (digits && digits < p->word.n)
    return is_in(hm_str_sub(p->word, digits, p->word.n), units, n);
  for (int i = 0; i < 2 && hm_terms_next(&rest, &next, NULL, NULL); i++)
    if (is_in(next, units, n))
      return true;
  return false;
}

/* "2015", "10:30", "25th", "at ten", and neither "40 seats" nor "shed 1". */
static bool is_time(const place *p) {
  static const char *const before[] = { "around", "at",   "by", "from", "in",
                                        "on",     "till", "to", "until" };
  bool digits = hm_text_has_digit(p->word);
  if (is_in(p->word, TIMES, HM_COUNT(TIMES)))
    return true;
  if (p->first && is_in(p->word, before, HM_COUNT(before))) /* "In fog the call is dropped" */
    return true;
  if (hm_str_is(p->word, "may"))
    return hm_is_upper(p->text.p[p->from]);
  if (!digits && !hm_term_number(p->word).n)
    return false;
  return is_in(p->before, before, HM_COUNT(before)) ||
      (digits &&
       (p->word.n >= 4 || hm_is_letter(p->word.p[p->word.n - 1]) ||
        (p->to < p->text.n && p->text.p[p->to] == ':')));
}

/* "until July", "for years": so long. */
static bool is_until(const place *p) {
  return hm_str_is(p->word, "until") || hm_str_is(p->word, "till") || hm_str_is(p->word, "since") ||
      hm_str_is(p->word, "forever");
}

static bool is_colour(const place *p) {
  return is_in(p->word, COLOURS, HM_COUNT(COLOURS)) || hm_str_is(p->word, "colour") ||
      hm_str_is(p->word, "color") ||
      (p->from && p->text.p[p->from - 1] == '#' && hm_text_has_digit(p->word));
}

/* "Who prefers it" is answered by "prefers it": whose row it is. */
static bool begins_with_verb(const place *p, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(p->question, scratch);
  hm_str word;
  while (hm_terms_next(&w, &word, NULL, NULL))
    if (hm_str_is(word, "who") && hm_terms_next(&w, &word, NULL, NULL))
      return hm_str_eq(hm_str_dup(scratch, hm_term_stem(NULL, scratch, word)),
                       hm_term_stem(NULL, scratch, p->word));
  return false;
}

static bool is_agent(const place *p, hm_arena *scratch) {
  if (hm_str_is(p->word, "by") || hm_str_is(p->word, "from"))
    return true;
  if (p->first && (is_in(p->word, SUBJECTS, HM_COUNT(SUBJECTS)) || begins_with_verb(p, scratch)))
    return true;
  bool named =
      !p->first && hm_is_upper(p->text.p[p->from]) && !is_in(p->word, TIMES, HM_COUNT(TIMES));
  return (p->subject || named) && !is_asked(p, scratch);
}

static bool is_name(const place *p, hm_arena *scratch) {
  return hm_str_is(p->word, "called") || hm_str_is(p->word, "named") ||
      hm_str_is(p->word, "name") ||
      (!p->first && (hm_is_upper(p->text.p[p->from]) || p->text.p[p->from - 1] == '"') &&
       !is_asked(p, scratch));
}

static bool is_answer(hm_answer_kind kind, const place *p, hm_arena *scratch) {
  switch (kind) {
    case HM_ANSWER_ANY:
      return true;
    case HM_ANSWER_AMOUNT:
      return is_in(p->word, AMOUNTS, HM_COUNT(AMOUNTS)) || (is_amount(p) && !is_asked(p, scratch));
    case HM_ANSWER_LENGTH:
      return has_unit(p, LENGTHS, HM_COUNT(LENGTHS));
    case HM_ANSWER_LONG:
      return is_in(p->word, AMOUNTS, HM_COUNT(AMOUNTS)) || is_until(p) ||
          has_unit(p, LENGTHS, HM_COUNT(LENGTHS)) || has_unit(p, DURATIONS, HM_COUNT(DURATIONS));
    case HM_ANSWER_MASS:
      return has_unit(p, MASSES, HM_COUNT(MASSES));
    case HM_ANSWER_SPEED:
      return has_unit(p, SPEEDS, HM_COUNT(SPEEDS));
    case HM_ANSWER_AGE:
      return is_in(p->word, AGES, HM_COUNT(AGES)) || (hm_text_has_digit(p->word) && p->word.n == 4);
    case HM_ANSWER_NAME:
      return is_name(p, scratch);
    case HM_ANSWER_OFTEN:
      return is_in(p->word, OFTEN, HM_COUNT(OFTEN)) || is_amount(p);
    case HM_ANSWER_COST:
      return is_in(p->word, COSTS, HM_COUNT(COSTS)) ||
          (hm_text_has_digit(p->word) && p->from && !hm_is_alnum(p->text.p[p->from - 1]) &&
           strchr("$\xac\xa3", p->text.p[p->from - 1]));
    case HM_ANSWER_TIME:
      return is_time(p);
    case HM_ANSWER_AGENT:
      return is_agent(p, scratch);
    case HM_ANSWER_COLOUR:
      return is_colour(p);
  }
  return true;
}

static bool has_auxiliary(hm_str text, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(text, scratch);
  hm_str word;
  while (hm_terms_next(&w, &word, NULL, NULL))
    if (hm_term_asks(word, true))
      return true;
  return false;
}

bool hm_answer_kind_fits(hm_answer_kind kind, hm_str question, hm_str text, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(text, scratch);
  place p = { .question = question, .text = text, .before = HM_EMPTY, .first = true };
  hm_str word;
  bool content = false, fits = kind == HM_ANSWER_ANY;
  p.told = !has_auxiliary(text, scratch);
  while (!fits && hm_terms_next(&w, &word, &p.from, &p.to)) {
    p.word = hm_str_dup(scratch, word);
    p.rest = w;
    p.subject = !content && !hm_term_is_function(word);
    content |= p.subject;
    fits = is_answer(kind, &p, scratch);
    p.told |= hm_term_asks(p.word, true);
    p.before = p.word;
    p.first = false;
  }
  return fits;
}
