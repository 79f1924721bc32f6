/* Whether a text has an answer of a kind, by words of grammar, numbers and the calendar:
 * answer_kind.h. */
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
  "after",        "always", "annual",    "annually", "before",  "biweekly",    "constantly",
  "continuously", "daily",  "day",       "each",     "every",   "fortnightly", "hour",
  "hourly",       "month",  "monthly",   "never",    "nightly", "often",       "once",
  "quarterly",    "rarely", "regularly", "seldom",   "thrice",  "times",       "twice",
  "week",         "weekly", "when",      "year",     "yearly",
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
  "day",   "days",   "h",       "hour",  "hours",  "min",  "minute", "minutes",
  "month", "months", "ms",      "night", "nights", "s",    "season", "seasons",
  "sec",   "second", "seconds", "week",  "weeks",  "year", "years",
};
static const char *const MASSES[] = {
  "g",     "gram",   "grams", "kg",    "kilo",   "kilogram", "kilograms", "kilos", "lb",     "lbs",
  "ounce", "ounces", "oz",    "pound", "pounds", "t",        "ton",       "tonne", "tonnes", "tons",
};
static const char *const SPEEDS[] = {
  "cm",     "day",     "days", "feet",  "fps", "hour",   "hours",   "kbit",   "kilometres", "km",
  "kmh",    "kn",      "knot", "knots", "kph", "m",      "mbit",    "meters", "metres",     "miles",
  "minute", "minutes", "mph",  "ms",    "rpm", "second", "seconds", "week",   "year",
};
static const char *const AGES[] = {
  "ago", "century", "day",  "days",  "month", "months",
  "old", "since",   "week", "weeks", "year",  "years",
};
/* What tells a reason. */
static const char *const REASONS[] = {
  "after", "against", "as",     "avoid",     "because", "cause",     "caused", "due",     "else",
  "for",   "if",      "lest",   "no",        "not",     "otherwise", "owing",  "prevent", "reason",
  "since", "so",      "thanks", "therefore", "to",      "too",       "until",  "when",    "without",
};
/* Where something is, begins with one of these; or it is a name. */
static const char *const PLACES[] = {
  "above",      "across",  "against", "along",   "among",    "around",   "at",
  "behind",     "below",   "beside",  "between", "beyond",   "by",       "downstairs",
  "everywhere", "from",    "here",    "in",      "inside",   "into",     "near",
  "next",       "nowhere", "on",      "onto",    "opposite", "outside",  "over",
  "past",       "there",   "through", "to",      "under",    "upstairs", "via",
};
/* Subjects that are nobody's name. */
static const char *const SUBJECTS[] = {
  "all",  "anybody", "anyone",   "each",    "everybody", "everyone", "he",  "i",       "nobody",
  "only", "she",     "somebody", "someone", "they",      "we",       "who", "whoever", "you",
};

static bool is_in(hm_str word, const char *const *list, size_t n) {
  return bsearch(&word, list, n, sizeof *list, hm_order_word) != NULL;
}

bool hm_answer_kind_is_time(hm_str word) { return is_in(word, TIMES, HM_COUNT(TIMES)); }

/* --- a text -------------------------------------------------------------------------------------
 */

/* A word of a text, and what stands around it. */
typedef struct {
  hm_str question, text, word, before; /* before: the word before it, or empty */
  size_t from, to;
  hm_terms rest;
  bool first, subject; /* subject: the first word that is none of grammar */
  bool suffers;        /* the subject has done to it what is asked: "is delivered" */
} place;

static bool is_asked(const place *p, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(p->question, scratch);
  hm_str other, stem = hm_str_dup(scratch, hm_term_stem(NULL, scratch, p->word));
  while (hm_terms_next(&w, &other, NULL, NULL))
    if (hm_str_eq(hm_term_stem(NULL, scratch, other), stem))
      return true;
  return false;
}

/* "depth: 2.4", of a state: its value */
static bool begins_value(const place *p) {
  return p->from > 1 && p->text.p[p->from - 1] == ' ' && p->text.p[p->from - 2] == ':';
}

/* "2031" */
static bool is_year(hm_str word) {
  return word.n == 4 && (hm_str_starts(word, "1") || hm_str_starts(word, "20")) &&
      hm_is_digit(word.p[1]) && hm_is_digit(word.p[2]) && hm_is_digit(word.p[3]);
}

/* Names of states whose value may be a year: "lease_ends". Sorted. */
static const char *const BEFORE_YEAR[] = {
  "begins", "built", "end",   "ends",   "expires", "expiry", "founded",
  "opened", "since", "start", "starts", "until",   "year",
};
static const char *const BEFORE_TIME[] = {
  "around", "at", "by", "from", "in", "on", "since", "till", "to", "until",
};

/* "6 tonnes", "58mm", "of 1380", "$5", and not the label "shed 1", "TM-02". */
static bool is_amount(const place *p) {
  hm_terms rest = p->rest;
  hm_str next;
  char before = p->from ? p->text.p[p->from - 1] : ' ',
       after = p->to < p->text.n ? p->text.p[p->to] : ' ';
  bool number = hm_term_number(p->word).n > 0;
  if ((after == ':' && p->to + 1 < p->text.n && hm_is_digit(p->text.p[p->to + 1])) ||
      (before == ':' && p->from > 1 && hm_is_digit(p->text.p[p->from - 2])))
    return false;                           /* "1:00" */
  if (number && hm_str_is(p->before, "at")) /* "at ten" */
    return hm_terms_next(&rest, &next, NULL, NULL) && !hm_term_is_function(next);
  if (is_year(p->word) &&
      (is_in(p->before, BEFORE_TIME, HM_COUNT(BEFORE_TIME)) ||
       is_in(p->before, BEFORE_YEAR, HM_COUNT(BEFORE_YEAR))))
    return false; /* "until 2031" */
  if (number || (hm_is_digit(p->word.p[0]) && begins_value(p)))
    return true;
  if (!hm_text_has_digit(p->word) || (p->word.p[0] == '0' && p->word.n > 1 && before != ',') ||
      before == '#' || before == '-' || before == '_')
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
  for (int i = 0; i < 2 && hm_terms_next(&rest, &next, NULL, NULL); i++) {
    if (hm_str_is(next, "square") || hm_str_is(next, "cubic"))
      return false;
    if (is_in(next, units, n))
      return true;
  }
  return false;
}

/* "2015", "10:30", "25th", "at ten", and neither "40 seats" nor "shed 1". */
static bool is_time(const place *p) {
  bool digits = hm_text_has_digit(p->word);
  if (is_in(p->word, TIMES, HM_COUNT(TIMES)))
    return true;
  if (p->first &&
      is_in(p->word, BEFORE_TIME, HM_COUNT(BEFORE_TIME))) /* "In fog the call is dropped" */
    return true;
  if (hm_str_is(p->word, "may"))
    return hm_is_upper(p->text.p[p->from]);
  if (!digits && !hm_term_number(p->word).n)
    return false;
  return is_in(p->before, BEFORE_TIME, HM_COUNT(BEFORE_TIME)) || begins_value(p) ||
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
  return ((p->subject && !p->suffers) || named) && !is_asked(p, scratch);
}

static bool is_name(const place *p, hm_arena *scratch) {
  return hm_str_is(p->word, "called") || hm_str_is(p->word, "named") ||
      hm_str_is(p->word, "name") ||
      (!p->first && (hm_is_upper(p->text.p[p->from]) || p->text.p[p->from - 1] == '"') &&
       !is_asked(p, scratch));
}

static bool is_place(const place *p, hm_arena *scratch) {
  hm_terms rest = p->rest;
  hm_str next;
  if (hm_str_is(p->word, "by") && hm_term_is_participle(p->before, scratch))
    return false;
  if (is_in(p->word, PLACES, HM_COUNT(PLACES))) /* and no "on Mondays" */
    return !hm_terms_next(&rest, &next, NULL, NULL) ||
        !(is_in(next, TIMES, HM_COUNT(TIMES)) || hm_term_number(next).n);
  return !p->first && hm_is_upper(p->text.p[p->from]) && !is_in(p->word, TIMES, HM_COUNT(TIMES)) &&
      !is_asked(p, scratch);
}

/* Says the text that it "is delivered", where who delivers is asked? */
static bool is_done(hm_str text, hm_str verb, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(text, scratch);
  hm_str word, stem = hm_str_dup(scratch, hm_term_stem(NULL, scratch, verb));
  size_t behind = 3;
  while (verb.n && hm_terms_next(&w, &word, NULL, NULL)) {
    if (behind < 2 && hm_str_eq(hm_term_stem(NULL, scratch, word), stem))
      return true;
    behind = hm_term_is_be(word) ? 0 : behind + 1;
  }
  return false;
}

static bool is_answer(hm_answer_kind kind, const place *p, hm_arena *scratch) {
  switch (kind) {
    case HM_ANSWER_ANY:
      return true;
    case HM_ANSWER_AMOUNT:
      return (is_in(p->word, AMOUNTS, HM_COUNT(AMOUNTS)) || is_amount(p)) && !is_asked(p, scratch);
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
      return is_in(p->word, AGES, HM_COUNT(AGES)) || is_year(p->word);
    case HM_ANSWER_NAME:
      return is_name(p, scratch);
    case HM_ANSWER_OFTEN:
      return is_in(p->word, OFTEN, HM_COUNT(OFTEN)) || begins_value(p) ||
          has_unit(p, DURATIONS, HM_COUNT(DURATIONS));
    case HM_ANSWER_COST:
      return is_in(p->word, COSTS, HM_COUNT(COSTS)) ||
          (hm_text_has_digit(p->word) && p->from && !hm_is_alnum(p->text.p[p->from - 1]) &&
           strchr("$\xac\xa3", p->text.p[p->from - 1]));
    case HM_ANSWER_TIME:
      return is_time(p);
    case HM_ANSWER_REASON:
      return is_in(p->word, REASONS, HM_COUNT(REASONS));
    case HM_ANSWER_PLACE:
      return is_place(p, scratch);
    case HM_ANSWER_AGENT:
      return is_agent(p, scratch);
    case HM_ANSWER_COLOUR:
      return is_colour(p) && !is_asked(p, scratch);
  }
  return true;
}

bool hm_answer_fits(const hm_answer_wanted *wanted, hm_str question, hm_str text,
                    hm_arena *scratch) {
  hm_terms w = hm_terms_begin(text, scratch);
  place p = { .question = question, .text = text, .before = HM_EMPTY, .first = true };
  hm_str word;
  bool content = false, fits = wanted->kind == HM_ANSWER_ANY;
  if (wanted->kind == HM_ANSWER_AGENT)
    p.suffers = is_done(text, wanted->key, scratch);
  while (!fits && hm_terms_next(&w, &word, &p.from, &p.to)) {
    p.word = hm_str_dup(scratch, word);
    p.rest = w;
    bool number = hm_term_number(word).n || hm_is_digit(word.p[0]); /* "two vans" */
    p.subject = !content && !number && !hm_term_is_function(word);
    content |= p.subject;
    fits = is_answer(wanted->kind, &p, scratch);
    p.before = p.word;
    p.first = false;
  }
  return fits;
}

bool hm_answer_names_agent(hm_str question, hm_str text, hm_arena *scratch) {
  static const char *const names[] = { "by", "from", "of", "to", "with" };
  hm_terms w = hm_terms_begin(text, scratch);
  place p = { .question = question, .text = text, .before = HM_EMPTY };
  hm_str word;
  bool is = false, done = false, named = false, is_named = false;
  size_t others = 0; /* words that say what is done */
  while (hm_terms_next(&w, &word, &p.from, &p.to)) {
    p.word = hm_str_dup(scratch, word);
    if (done && hm_str_is(p.word, "by"))
      return false;
    bool old = is_asked(&p, scratch) || hm_term_is_function(p.word);
    bool name = hm_is_upper(text.p[p.from]) && !is_in(p.word, TIMES, HM_COUNT(TIMES)) && !old;
    is_named |= name && (hm_term_is_be(p.before) || hm_str_is(p.before, "by"));
    named |= name && is_in(p.before, names, HM_COUNT(names));
    others += !old && !name && !hm_term_is_light(p.word);
    done |= is && hm_term_is_participle(p.word, scratch);
    is |= hm_term_is_be(p.word);
    p.before = p.word;
  }
  return is_named || (named && others < 2);
}
