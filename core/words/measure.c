/* Amounts in words of a note: "15 minutes", "30s", "every quarter", "twice a day", "02:00 UTC",
 * "12,400 images". Each has a dimension, so that only amounts of one kind are ever compared. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/words/words.h"

typedef struct {
  const char *words, *dimension, *name;
} unit_row;

/* Of each the name under which it is compared. */
static const unit_row units[] = {
  { "ms|millisecond|milliseconds|msec", "duration", "ms" },
  { "s|sec|secs|second|seconds|sekunde|sekunden|segundo|segundos|seconde|secondes", "duration",
    "seconds" },
  { "min|mins|minute|minutes|minuten|minuto|minutos", "duration", "minutes" },
  { "h|hr|hrs|hour|hours|stunde|stunden|hora|horas|heure|heures", "duration", "hours" },
  { "d|day|days|night|nights|tag|tage|tagen|jour|jours|d\u00EDa|d\u00EDas|dia|dias", "duration",
    "days" },
  { "week|weeks|woche|wochen|semaine|semaines|semana|semanas", "duration", "weeks" },
  { "month|months|monat|monate|monaten|mois|mes|meses", "duration", "months" },
  { "quarter|quarters|quartal|quartale", "duration", "quarters" },
  { "year|years|jahr|jahre|jahren|an|ans|a\u00F1o|a\u00F1os", "duration", "years" },
  { "kb|kilobyte|kilobytes", "size", "KB" },
  { "mb|megabyte|megabytes", "size", "MB" },
  { "gb|gigabyte|gigabytes", "size", "GB" },
  { "tb|terabyte|terabytes", "size", "TB" },
  { "kib", "size", "KiB" },
  { "mib", "size", "MiB" },
  { "gib", "size", "GiB" },
  { "tib", "size", "TiB" },
  { "byte|bytes", "size", "bytes" },
  { "kbps|kbit/s", "bitrate", "kbit/s" },
  { "mbps|mbit/s", "bitrate", "Mbit/s" },
  { "gbps|gbit/s", "bitrate", "Gbit/s" },
  { "fps", "frame rate", "fps" },
  { "l/min", "flow", "l/min" },
  { "l/s", "flow", "l/s" },
  { "m\u00B3/h", "flow", "m3/h" },
  { "bar", "pressure", "bar" },
  { "psi", "pressure", "psi" },
  { "v|volt|volts", "voltage", "V" },
  { "w|watt|watts", "power", "W" },
  { "kw", "power", "kW" },
  { "mm|millimetre|millimetres|millimeter|millimeters", "length", "mm" },
  { "cm|centimetre|centimetres|centimeter|centimeters", "length", "cm" },
  { "km|kilometre|kilometres|kilometer|kilometers|kil\u00F3metro|kil\u00F3metros", "length", "km" },
  { "m|metre|metres|meter|meters|metern|m\u00E8tre|m\u00E8tres|metro|metros", "length", "m" },
  { "mg|milligram|milligrams", "mass", "mg" },
  { "g|gram|grams|gramm|gramme|grammes|gramo|gramos", "mass", "g" },
  { "kg|kilo|kilos", "mass", "kg" },
  { "tonne|tonnes|tonnen|tonelada|toneladas", "mass", "t" },
  { "l|litre|litres|liter|liters|litro|litros", "volume", "l" },
  { "ml", "volume", "ml" },
  { "m\u00B3", "volume", "m3" },
  { "m\u00B2", "area", "m2" },
  { "mg/l", "density", "mg/l" },
  { "g/l", "density", "g/l" },
  { "km/h|kph", "speed", "km/h" },
  { "mph", "speed", "mph" },
  { "m/s", "speed", "m/s" },
  { "mm/s", "speed", "mm/s" },
  { "req/s|rps", "request rate", "req/s" },
  { "ma", "current", "mA" },
  { "mah", "charge", "mAh" },
  { "kwh", "energy", "kWh" },
  { "db", "level", "dB" },
  { "lux", "light", "lux" },
  { "n\xC2\xB7m", "torque", "N\xC2\xB7m" },
  { "kn", "force", "kN" },
  { "hz", "rate", "Hz" },
  { "khz", "rate", "kHz" },
  { "mhz", "rate", "MHz" },
  { "ghz", "rate", "GHz" },
  { "rpm", "rate", "rpm" },
  { "baud", "baud", "baud" },
  { "px", "pixels", "px" },
  { "\xC2\xB0"
    "c",
    "temperature",
    "\xC2\xB0"
    "C" },
  { "\xC2\xB0"
    "f",
    "temperature",
    "\xC2\xB0"
    "F" },
  { "eur|euro|euros|\xE2\x82\xAC", "money", "EUR" },
  { "$|dollar|dollars|usd", "money", "USD" },
  { "pounds|gbp|\xC2\xA3", "money", "GBP" },
  { "chf", "money", "CHF" },
  { "sek", "money", "SEK" },
  { "%|percent|prozent", "percent", "%" },
};

static const unit_row *unit_of(hm_str word) {
  for (size_t i = 0; i < HM_COUNT(units); i++)
    if (note_word_in(word, units[i].words))
      return &units[i];
  return NULL;
}

/* The unit of a span of time at word i. */
static const unit_row *span_at(const note_words *w, size_t i) {
  const unit_row *u = i < w->n ? unit_of(w->w[i].low) : NULL;
  bool more = u && i + 1 < w->n && w->w[i + 1].joined;
  if (more && hm_str_is(w->w[i].low, "second") && /* "a second set", "every second Wednesday" */
      (!note_is_grammar(w->w[i + 1].low) || hm_str_is(w->w[i + 1].low, "with")))
    return NULL;
  return u && !strcmp(u->dimension, "duration") && w->w[i].low.n > 1 ? u : NULL;
}

/* Words that say "a" in their language are no numbers. */
typedef struct {
  const char *word;
  unsigned n;
} number_word;

unsigned note_number_word(hm_str word) {
  static const number_word words[] = /* sorted by strcmp */
      { { "acht", 8 },      { "cinco", 5 },      { "cinq", 5 },      { "cuatro", 4 },
        { "deux", 2 },      { "diez", 10 },      { "dix", 10 },      { "dos", 2 },
        { "drei", 3 },      { "eight", 8 },      { "eighteen", 18 }, { "eleven", 11 },
        { "fifteen", 15 },  { "five", 5 },       { "four", 4 },      { "fourteen", 14 },
        { "f\u00FCnf", 5 }, { "huit", 8 },       { "neun", 9 },      { "nine", 9 },
        { "nineteen", 19 }, { "nueve", 9 },      { "ocho", 8 },      { "one", 1 },
        { "quatre", 4 },    { "sechs", 6 },      { "seis", 6 },      { "sept", 7 },
        { "seven", 7 },     { "seventeen", 17 }, { "sieben", 7 },    { "siete", 7 },
        { "six", 6 },       { "sixteen", 16 },   { "ten", 10 },      { "thirteen", 13 },
        { "three", 3 },     { "tres", 3 },       { "trois", 3 },     { "twelve", 12 },
        { "twenty", 20 },   { "two", 2 },        { "vier", 4 },      { "zehn", 10 },
        { "zwei", 2 } };
  const number_word *found = bsearch(&word, words, HM_COUNT(words), sizeof *words, hm_order_word);
  return found ? found->n : 0;
}

/* "3,80": does word i + 1 hold decimals, in a text where a comma stands before them? A unit
 * follows.
 */
static bool has_decimals(const note_words *w, size_t i) {
  if (i + 1 >= w->n || w->w[i + 1].before != ',' || w->w[i + 1].at != w->w[i].at + w->w[i].s.n + 1)
    return false;
  hm_str s = w->w[i + 1].low;
  size_t n = hm_skip_digits(s, 0);
  if (!n || n > 2)
    return false;
  hm_str unit = n < s.n ? hm_str_sub(s, n, s.n) : i + 2 < w->n ? w->w[i + 2].low : HM_EMPTY;
  return unit_of(unit) != NULL;
}

/* "246" of "~10,246", "2" of "1.5–2 hours". */
static bool is_tail_of_number(const note_words *w, size_t i) {
  enum { DASH = 3 };
  const note_word *before = i ? &w->w[i - 1] : NULL;
  return before && strchr(",-", w->w[i].before) && w->w[i].at <= before->at + before->s.n + DASH &&
      hm_is_digit(before->s.p[before->s.n - 1]) &&
      (w->w[i].before == '-' || w->w[i].at == before->at + before->s.n + 1);
}

/* The digits at word i, joined where commas stand between thousands; *next: the word behind; *unit:
 * letters that stand behind them in the same word. Empty: no number, or one that is a name. */
static hm_str number_at(const note_words *w, size_t i, size_t *next, hm_str *unit, hm_arena *a) {
  hm_str s = w->w[i].low, rest;
  size_t n = hm_skip_digits(s, 0);
  *unit = HM_EMPTY;
  *next = i + 1;
  if (!n || (n > 1 && s.p[0] == '0'))
    return HM_EMPTY;
  if (hm_char_at(s, n, '.') && hm_digit_at(s, n + 1))
    n = hm_skip_digits(s, n + 1);
  rest = hm_str_sub(s, n, s.n);
  s = hm_str_sub(s, 0, n);
  if (!rest.n && has_decimals(w, i)) {
    hm_str decimals = w->w[(*next)++].low;
    size_t digits = hm_skip_digits(decimals, 0);
    rest = hm_str_sub(decimals, digits, decimals.n);
    s = HM_CAT(a, s, HM_STR("."), hm_str_sub(decimals, 0, digits));
  }
  bool zero = hm_str_is(s, "0"); /* "0,456": no thousands */
  while (!rest.n && n <= 3 && *next < w->n && w->w[*next].before == ',' &&
         w->w[*next].at == w->w[*next - 1].at + w->w[*next - 1].s.n + 1 &&
         hm_skip_digits(w->w[*next].low, 0) == 3) {
    hm_str part = w->w[*next].low;
    rest = hm_str_sub(part, 3, part.n);
    s = HM_CAT(a, s, zero ? HM_STR(".") : HM_EMPTY, hm_str_sub(part, 0, 3));
    ++*next;
    if (zero)
      break;
  }
  if (hm_str_is(rest, "k") && !memchr(s.p, '.', s.n)) {
    *unit = HM_EMPTY;
    return HM_CAT(a, s, HM_STR("000"));
  }
  if (hm_str_starts(rest, "-")) /* "30-day" */
    rest = hm_str_sub(rest, 1, rest.n);
  /* "1M tokens", "a 3D map" */
  if (note_word_in(rest, "d|m") && hm_is_upper(w->w[i].s.p[w->w[i].s.n - 1]))
    return HM_EMPTY;
  if (hm_str_is(rest, "m"))
    rest = HM_STR("min");
  if (rest.n && !unit_of(rest))
    return HM_EMPTY;
  *unit = rest;
  return s;
}

/* A number of something that it only names: "step 3", "port 8080", "version 2". */
static bool is_label(const note_words *w, size_t i, hm_str number) {
  static const char names[] =
      "adr|appendix|bug|build|chapter|class|code|day|decision|demo|din|error|example|exit|"
      "exits|figure|"
      "fport|grade|http|"
      "ieee|iso|issue|item|july|june|level|line|lines|march|may|no|node|number|option|page|part|"
      "pep|phase|point|"
      "port|pr|priority|question|release|rev|revision|rfc|rule|scenario|section|soc|sprint|"
      "stage|status|"
      "step|table|task|tier|uart|udp|v|version|versions|week|year";
  static const char months[] =
      "january|february|march|april|may|june|july|august|september|october|november|december";
  bool year = number.n == 4 && (hm_str_starts(number, "19") || hm_str_starts(number, "20"));
  bool since = i && number.n == 4 && number.p[0] == '1' &&
      note_word_in(w->w[i - 1].low, "about|from|in|of|since|until");
  bool date = i + 1 < w->n && note_word_in(w->w[i + 1].low, months);
  return year || since || date || (i && note_word_in(w->w[i - 1].low, names));
}

/* "gets a 403", "401 Wrong key", "no ticket: 409": the status of an answer of HTTP, and no number
 * of anything. */
static bool is_status(const note_words *w, size_t i, hm_str number) {
  static const char before[] = "a|an|get|gets|return|returned|returning|returns|with";
  static const char codes[] = /* of those that are not round */
      "201|202|204|301|302|304|307|308|401|403|404|405|409|410|413|415|422|429|502|503|504";
  bool code = note_word_in(number, codes), last = i + 1 == w->n || !w->w[i + 1].joined;
  bool named = !i && i + 1 < w->n && hm_is_upper(w->w[i + 1].s.p[0]);
  bool given = i && note_word_in(w->w[i - 1].low, before) && note_word_in(number, "400|500");
  return (code && (last || named)) || (given && last);
}

/* "PostgreSQL 14", "Shop 9", "OpenSearch 2.11": a version, or one of several. */
static bool is_name_before(const note_words *w, size_t i, hm_str number) {
  /* "defaults to 0.01" is no version */
  bool plain = i && note_word_in(w->w[i - 1].low, "by|default|is|of|to");
  bool name = i && w->w[i].joined && !hm_str_eq(w->w[i - 1].s, w->w[i - 1].low);
  bool first = name && i == 1 && (i + 1 == w->n || !w->w[i + 1].joined); /* "Scenario 5 - ..." */
  /* "i9 14900K", "ports 80 and 443" */
  bool coded =
      i && w->w[i].joined && hm_text_has_digit(w->w[i - 1].s) && !hm_digit_at(w->w[i - 1].s, 0);
  bool second = i > 1 && note_word_in(w->w[i - 1].low, "and|or") && hm_digit_at(w->w[i - 2].s, 0);
  return (name && i > 1) || first || coded || second ||
      (i && !plain && memchr(number.p, '.', number.n));
}

/* "twice a year", "3 times per week", as the time from one to the next. */
static bool read_times_per(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  static const struct {
    const char *unit, *part;
    double n;
  } parts[] = { { "years", "months", 12 },   { "quarters", "months", 3 },
                { "months", "months", 1 },   { "weeks", "days", 7 },
                { "days", "hours", 24 },     { "hours", "minutes", 60 },
                { "minutes", "seconds", 60 } };
  size_t next = i + 1;
  hm_str unit, times = HM_EMPTY;
  if (note_word_in(w->w[i].low, "once|twice"))
    times = hm_str_is(w->w[i].low, "once") ? HM_STR("1") : HM_STR("2");
  else if (next < w->n && hm_str_is(w->w[next].low, "times")) {
    times = number_at(w, i, &next, &unit, a);
    next = i + 2;
  }
  bool per = next + 1 < w->n && note_word_in(w->w[next].low, "a|an|per|each|every");
  const unit_row *u = per ? span_at(w, next + 1) : NULL;
  unsigned n = 0;
  for (size_t k = 0; k < times.n; k++)
    n = n * 10 + (unsigned)(times.p[k] - '0');
  if (!u || !n || times.n > 2)
    return false;
  for (size_t k = 0; k < HM_COUNT(parts); k++)
    if (!strcmp(parts[k].unit, u->name)) {
      hm_str value = hm_str_fmt(a, "%g %s", parts[k].n / n, parts[k].part);
      *m = (note_measure){ value, "interval", i, next + 2 };
      return true;
    }
  return false;
}

/* "nightly", "on Sundays", "every Monday", "montags". */
static bool read_rhythm(const note_words *w, size_t i, note_measure *m) {
  static const struct {
    const char *words, *value;
  } rhythms[] = { { "hourly|st\u00FCndlich", "1 hours" },
                  { "daily|nightly|t\u00E4glich", "1 days" },
                  { "weekly|w\u00F6chentlich", "1 weeks" },
                  { "monthly|monatlich", "1 months" },
                  { "quarterly", "3 months" },
                  { "yearly|annually|j\u00E4hrlich", "1 years" } };
  static const char days[] = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
  static const char plurals[] =
      "mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|montags|dienstags|"
      "mittwochs|donnerstags|freitags|samstags|sonntags";
  const char *value = NULL;
  size_t words = 0, to = i + 1;
  hm_str low = w->w[i].low, next = to < w->n ? w->w[to].low : HM_EMPTY;
  if (note_word_in(next, days) && note_word_in(low, "each|every")) {
    value = "1 weeks";
    to++;
  } else if (note_word_in(low, plurals)) {
    value = to + 1 < w->n && note_word_in(w->w[to + 1].low, plurals) ? NULL : "1 weeks";
  } else {
    for (size_t k = 0; k < HM_COUNT(rhythms); k++)
      if (note_word_in(low, rhythms[k].words))
        value = rhythms[k].value;
    if (value && to < w->n && w->w[to].joined && !note_is_grammar(next))
      return false; /* "the monthly fee" */
  }
  for (size_t k = 0; value && k < i; k++) /* "Run it daily" says not what */
    words += !note_is_grammar(w->w[k].low);
  if (words < 2)
    return false;
  *m = (note_measure){ hm_str_c(value), "interval", i, to };
  return true;
}

/* "every 15 minutes", "each quarter", "once in 5 minutes", "toutes les 24 heures". */
static bool read_every(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  size_t next = i + 1, behind;
  hm_str unit = HM_EMPTY, number = HM_STR("1");
  bool counted = note_word_in(w->w[i].low, "alle|cada|once|toutes");
  next += counted && next < w->n && note_word_in(w->w[next].low, "each|every|in|les|per");
  behind = next + 1;
  if ((!counted && !note_word_in(w->w[i].low, "every|each")) || next >= w->n)
    return false;
  unsigned named = note_number_word(w->w[next].low);
  const unit_row *u;
  if (named) {
    number = hm_str_fmt(a, "%u", named);
    u = span_at(w, behind++);
  } else if (hm_digit_at(w->w[next].low, 0)) {
    number = number_at(w, next, &behind, &unit, a);
    u = unit.n ? unit_of(unit) : behind < w->n ? unit_of(w->w[behind++].low) : NULL;
  } else
    u = counted ? NULL : span_at(w, next);
  if (!number.n || !u || strcmp(u->dimension, "duration"))
    return false;
  bool quarter = !strcmp(u->name, "quarters") && hm_str_is(number, "1");
  hm_str value = HM_CAT(a, number, HM_STR(" "), hm_str_c(u->name));
  *m = (note_measure){ quarter ? HM_STR("3 months") : value, "interval", i, behind };
  return true;
}

/* The number at word i, also in letters; *next: the word behind; *unit: as in number_at. */
static hm_str any_number_at(const note_words *w, size_t i, size_t *next, hm_str *unit,
                            hm_arena *a) {
  unsigned named = note_number_word(w->w[i].low);
  if (!named)
    return number_at(w, i, next, unit, a);
  *next = i + 1;
  *unit = HM_EMPTY;
  return hm_str_fmt(a, "%u", named);
}

/* "$40", "\xE2\x82\xAC" before the number. */
static bool read_price(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  static const char *const signs[] = { "$", "\xE2\x82\xAC", "\xC2\xA3" };
  for (size_t k = 0; k < HM_COUNT(signs); k++) {
    hm_str s = w->w[i].low;
    if (!hm_str_starts(s, signs[k]))
      continue;
    note_word words[3] = { w->w[i] };
    note_words rest = { words, 1 };
    size_t n = strlen(signs[k]), next;
    words[0].s = words[0].low = hm_str_sub(s, n, s.n);
    words[0].at += (uint32_t)n;
    while (rest.n < HM_COUNT(words) && i + rest.n < w->n)
      words[rest.n] = w->w[i + rest.n], rest.n++;
    hm_str more, number = number_at(&rest, 0, &next, &more, a);
    if (!number.n || more.n)
      return false;
    hm_str unit = hm_str_c(unit_of(hm_str_c(signs[k]))->name);
    *m = (note_measure){ HM_CAT(a, number, HM_STR(" "), unit), "money", i, i + next };
    return true;
  }
  return false;
}

/* "A week" behind "after": one of it. */
static bool read_single(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  const unit_row *u = i && note_word_in(w->w[i].low, "a|an") ? span_at(w, i + 1) : NULL;
  if (!u || !note_word_in(w->w[i - 1].low, "after|for|is|lasts|of|takes|within"))
    return false;
  *m = (note_measure){ HM_CAT(a, HM_STR("1 "), hm_str_c(u->name)), u->dimension, i, i + 2 };
  return true;
}

/* A number with a unit. */
static bool read_quantity(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  size_t next;
  hm_str unit, number = any_number_at(w, i, &next, &unit, a);
  const unit_row *u = unit.n ? unit_of(unit) : NULL;
  if (!number.n)
    return false;
  if (!unit.n && next + 1 < w->n && note_word_in(w->w[next].low, "business|calendar|working"))
    next++;
  if (!unit.n && next < w->n && w->w[next].joined && !hm_str_is(w->w[next].s, "M"))
    u = hm_str_is(w->w[next++].s, "Nm") ? unit_of(HM_STR("n\xC2\xB7m"))
                                        : unit_of(w->w[next - 1].low);
  if (!u)
    return false;
  bool percent = !strcmp(u->dimension, "percent");
  hm_str space = percent ? HM_EMPTY : HM_STR(" ");
  *m = (note_measure){ HM_CAT(a, number, space, hm_str_c(u->name)), u->dimension, i, next };
  return true;
}

/* "-18 °C". */
static bool read_below_zero(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  hm_str s = w->w[i].low;
  size_t sign = hm_str_starts(s, "-") ? 1 : hm_str_starts(s, "\xE2\x88\x92") ? 3 : 0;
  if (!sign || !hm_digit_at(s, sign))
    return false;
  note_word words[3] = { w->w[i] };
  note_words rest = { words, 1 };
  words[0].low = hm_str_sub(s, sign, s.n);
  while (rest.n < HM_COUNT(words) && i + rest.n < w->n)
    words[rest.n] = w->w[i + rest.n], rest.n++;
  if (!read_quantity(&rest, 0, m, a) || strcmp(m->dimension, "temperature"))
    return false;
  *m = (note_measure){ HM_CAT(a, HM_STR("-"), m->value), m->dimension, i, i + m->to };
  return true;
}

/* A number of things, of times, or by itself. */
static bool read_count(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  static const char no_nouns[] =
      "and|are|as|at|by|for|from|has|have|in|is|needs|of|on|or|requires|supports|to|with";
  size_t next;
  hm_str unit, number = any_number_at(w, i, &next, &unit, a);
  if (!number.n || is_label(w, i, number) || is_name_before(w, i, number) ||
      is_status(w, i, number))
    return false;
  if (i && note_word_in(w->w[i - 1].low, "first|last|next|other|top"))
    return false;
  if (i > 1 && note_word_in(w->w[i - 1].low, "through|to") && hm_text_has_digit(w->w[i - 2].low))
    return false; /* "-8 to 7" */
  if (next + 1 < w->n && note_word_in(w->w[next].low, "through|to") &&
      hm_digit_at(w->w[next + 1].low, 0))
    return false;
  /* "Trois Frères" is a name */
  if (i && next < w->n && hm_is_upper(w->w[i].s.p[0]) && hm_is_upper(w->w[next].s.p[0]))
    return false;
  bool joined = next < w->n && w->w[next].joined;
  if (joined && hm_str_is(w->w[next].low, "times")) {
    *m = (note_measure){ number, "times", i, next + 1 };
    return true;
  }
  bool one = hm_str_is(w->w[i].low, "one"); /* "in one commit": no count */
  bool things =
      !one && joined && hm_letter_at(w->w[next].low, 0) && !note_word_in(w->w[next].low, no_nouns);
  if (things && memchr(number.p, '.', number.n)) /* "5.13 Watchdog": a section */
    return false;
  /* "10 requests per minute" */
  bool rate = things && next + 2 < w->n && w->w[next + 1].joined &&
      note_word_in(w->w[next + 1].low, "a|an|each|every|per") && span_at(w, next + 2);
  *m = (note_measure){ number, rate ? "rate" : things ? "count" : "number", i, next };
  return things || hm_digit_at(w->w[i].low, 0);
}

/* "port 8080"; "Postgres on 5432". */
static bool read_port(const note_words *w, size_t i, note_measure *m) {
  hm_str number = w->w[i].low;
  bool last = i + 1 == w->n || !w->w[i + 1].joined, four = number.n == 4 || number.n == 5;
  if (i > 1 && last && four && hm_skip_digits(number, 0) == number.n && w->w[i].joined &&
      hm_str_is(w->w[i - 1].low, "on") && !is_label(w, i, number)) {
    *m = (note_measure){ number, "port", i, i + 1 };
    return true;
  }
  bool named = note_word_in(w->w[i].low, "port|puerto") && i + 1 < w->n && w->w[i + 1].joined;
  hm_str s = named ? w->w[i + 1].low : HM_EMPTY;
  if (s.n < 2 || s.n > 5 || hm_skip_digits(s, 0) != s.n)
    return false;
  *m = (note_measure){ s, "port", i, i + 2 };
  return true;
}

/* "In Nautobot 2.0, ...", "as of Nautobot 2.4.0", "Nautobot 2.0 and later": of what changed then.
 */
static bool tells_of_release(const note_words *w, size_t i) {
  static const char before[] =
      "after|as|at|before|between|by|for|from|in|of|on|since|than|to|until|with";
  static const char behind[] = "adds|and|introduced|introduces|onward|onwards|or|to";
  size_t name = i;
  if (note_word_in(w->w[i - 1].low, "release|releases|starting|version|versions"))
    return true;
  while (name && i - name < 4 && !note_is_grammar(w->w[name - 1].low) &&
         (name == i || w->w[name].joined))
    name--;
  return (name && note_word_in(w->w[name - 1].low, before)) ||
      (i + 1 < w->n && note_word_in(w->w[i + 1].low, behind));
}

/* "1.14.2", "v3.1" behind a name, or alone in a cell: a release. */
static bool read_release(const note_words *w, size_t i, note_measure *m) {
  static const char no_names[] = "after|and|at|before|by|from|in|of|on|or|since|than|to|until|with";
  hm_str s = w->w[i].low;
  bool v = hm_str_starts(s, "v");
  size_t n = v, dots = 0, year = 0;
  for (size_t next; (next = hm_skip_digits(s, n)) > n; n = next + 1, dots++) {
    year += next == n + 4;
    if (!hm_char_at(s, next, '.')) {
      n = next;
      break;
    }
  }
  bool name = !i ||
      (w->w[i].joined && hm_letter_at(w->w[i - 1].low, 0) &&
       !note_word_in(w->w[i - 1].low, no_names));
  /* "CUDA 12.4" */
  bool proper = i && i < 3 && w->w[i - 1].s.p[0] >= 'A' && w->w[i - 1].s.p[0] <= 'Z';
  proper |= i > 2 && w->w[i - 1].s.n > 2 && w->w[i - 1].s.p[1] >= 'A' && w->w[i - 1].s.p[1] <= 'Z';
  bool goes_on = i + 1 < w->n && w->w[i + 1].joined && w->w[i + 1].s.p[0] >= 'A' &&
      w->w[i + 1].s.p[0] <= 'Z'; /* "Gemini 2.0 Flash" */
  if (year || !name || goes_on || n < s.n || (dots != 2 && !((v || proper) && dots == 1)) ||
      is_label(w, i, s) || (i && tells_of_release(w, i)))
    return false;
  *m = (note_measure){ hm_str_sub(s, v, s.n), "version", i, i + 1 };
  return true;
}

/* "256 x 512 pixels", "256x512"; "0x81" is a number of another base. */
static bool read_area(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  hm_str s = w->w[i].low;
  size_t n = hm_skip_digits(s, 0);
  bool one =
      n && s.p[0] != '0' && hm_char_at(s, n, 'x') && n + 1 < s.n && hm_skip_digits(s, n + 1) == s.n;
  bool three = n && n == s.n && i + 2 < w->n && hm_str_is(w->w[i + 1].low, "x") &&
      hm_skip_digits(w->w[i + 2].low, 0) == w->w[i + 2].low.n;
  size_t to = i + (three ? 3 : 1);
  if ((!one && !three) || s.p[0] == '0')
    return false;
  hm_str value = one ? s : HM_CAT(a, s, HM_STR("x"), w->w[i + 2].low);
  to += to < w->n && note_word_in(w->w[to].low, "pixel|pixels|px");
  *m = (note_measure){ value, "pixels", i, to };
  return true;
}

/* "480 per 100 ml", "two thirds": of how much, and how large a part. */
static bool is_part(const note_words *w, size_t i) {
  bool per = i && note_word_in(w->w[i - 1].low, "par|per|por|pro");
  return per || (i + 1 < w->n && note_word_in(w->w[i + 1].low, "fifths|quarters|thirds"));
}

bool note_measure_at(const note_words *w, size_t i, note_measure *m, hm_arena *a) {
  static const char first_words[] =
      "alle|cada|toutes|each|every|once|twice|one|two|three|four|five|six|seven|eight|"
      "nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
      "seventeen|eighteen|nineteen|twenty";
  if (read_price(w, i, m, a) || read_single(w, i, m, a) || note_hours_at(w, i, m, a) ||
      read_below_zero(w, i, m, a) || read_release(w, i, m) || read_rhythm(w, i, m) ||
      read_port(w, i, m))
    return true;
  if (is_tail_of_number(w, i) || is_part(w, i) ||
      (!hm_digit_at(w->w[i].low, 0) && !note_word_in(w->w[i].low, first_words) &&
       !note_number_word(w->w[i].low)))
    return false;
  return read_area(w, i, m, a) || read_times_per(w, i, m, a) || read_every(w, i, m, a) ||
      read_quantity(w, i, m, a) || read_count(w, i, m, a);
}

const char *note_unit_of_word(hm_str word, const char **dimension) {
  const unit_row *u = unit_of(word);
  if (u)
    *dimension = u->dimension;
  return u ? u->name : NULL;
}
