/* Quantities: "30 s", "about 4 hours", "up to 5", "1,000 req/s per IP", "$49 per seat per month",
 * "unlimited"; and versions.
 *
 * A word after a number that is not a unit is left to the caller, which reads what is counted. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_grammar.h"

static prose_unit unit_of(const prose *p, hm_str low) {
  const prose_entry *e = prose_find_word(p->f, low);
  return e ? e->unit : UNIT_NONE;
}

bool prose_is_unit_word(const prose *p, size_t i) { return unit_of(p, p->t[i].low) != UNIT_NONE; }

/* Bytes of a number at p: 1,000 3.5 50-75 4,5; 0: none. *range: two numbers. */
static size_t number_at(hm_str s, size_t from, bool *range) {
  size_t i = from;
  while (i < s.n) {
    char c = s.p[i];
    bool more = i + 1 < s.n && hm_is_digit(s.p[i + 1]);
    if (hm_is_digit(c) || (i > from && (c == ',' || c == '.') && more))
      i++;
    else if (i > from && c == '-' && (more || (i + 2 < s.n && s.p[i + 1] == '$')))
      *range = true, i++;
    else if (i > from && *range && c == '$')
      i++;
    else if (i > from && more == false && i + 3 < s.n && (unsigned char)c == 0xe2 &&
             (unsigned char)s.p[i + 1] == 0x80 && hm_is_digit(s.p[i + 3]))
      *range = true, i += 3;
    else
      break;
  }
  if (i > from && i + 2 < s.n && (s.p[i] == 'e' || s.p[i] == 'E') && s.p[i + 1] == '-') /* 3e-4 */
    for (i += 2; i < s.n && hm_is_digit(s.p[i]); i++)
      continue;
  return i - from;
}

static size_t currency_at(hm_str s) {
  if (hm_str_starts(s, "$"))
    return 1;
  if (hm_str_starts(s, "\xc2\xa3"))
    return 2;
  return hm_str_starts(s, "\xe2\x82\xac") ? 3 : 0;
}

/* Words in front of the number: "up to", "at most", "about". */
static size_t read_bound(const prose *p, prose_quantity *q, size_t i, size_t end) {
  static const char most[] =
      "a maximum of|a max of|at most|below|maximum of|no more than|not more than|under|up to|<|<=|"
      "\xe2\x89\xa4";
  size_t max = prose_one_of(p, i, end, most);
  size_t min = prose_one_of(p, i, end, "a minimum of|at least|no less than|>=|\xe2\x89\xa5");
  size_t n = max + min ? max + min : prose_one_of(p, i, end, "a total of|a limit of|a|only");
  bool number = prose_has(p, i + 1, end, C_NUMBER) || (i + 1 < end && p->t[i + 1].digit);
  if (n && (n > 1 || number)) {
    q->limit = max ? LIMIT_MAX : min ? LIMIT_MIN : LIMIT_NONE;
    i += n;
  }
  while (prose_has(p, i, end, C_APPROX))
    q->approximate = true, i++;
  /* "over 20", "more than 1,000": no certain number */
  return i;
}

/* "per IP", "per seat per month", "a month", "each way", "each day". */
static size_t read_per(prose *p, prose_quantity *q, size_t i, size_t end) {
  static const char periods[] =
      "second|minute|hour|day|week|month|year|night|pack|dozen|seat|person|piece|person|user|"
      "session";
  static const struct {
    const char *word, *period;
  } regular[] = {
    { "annually", "year" }, { "monthly", "month" }, { "weekly", "week" }, { "yearly", "year" }
  };
  for (size_t k = 0; q->unit == UNIT_MONEY && k < HM_COUNT(regular); k++)
    if (prose_is(p, i, end, regular[k].word) && !p->t[i - 1].stop) {
      prose_add_words(&q->per, "per");
      prose_add_words(&q->per, regular[k].period);
      return i + 1;
    }
  while (i + 1 < end && !p->t[i - 1].stop) {
    bool per = prose_is(p, i, end, "per"), each = prose_is(p, i, end, "each");
    bool period = prose_one_of(p, i + 1, end, periods) || prose_is(p, i + 1, end, "way");
    if (!per && !(period && (each || prose_one_of(p, i, end, "a|an|every"))))
      break;
    size_t at = i + 1;
    if (prose_has(p, at, end, C_ARTICLE) && at + 1 < end)
      at++;
    if (p->t[at].cls & (C_PRONOUN | C_COND))
      break;
    prose_add_words(&q->per, "per");
    if (prose_is(p, at, end, "half") && at + 1 < end)
      prose_add_word(&q->per, p->t[at++].low);
    prose_add_word(&q->per, p->t[at].low);
    if (per && at + 1 < end && !p->t[at].stop && prose_one_of(p, at, end, "api|ip") &&
        prose_one_of(p, at + 1, end, "key|address"))
      at++;
    i = at + 1;
  }
  return i;
}

/* "requests per second", "req per minute": a rate in words. */
static size_t read_rate_words(const prose *p, size_t i, size_t end) {
  static const char what[] =
      "requests|req|reqs|calls|queries|messages|events|writes|reads|transactions";
  bool rate = prose_one_of(p, i, end, what) && prose_one_of(p, i + 1, end, "per|a|/") &&
      prose_one_of(p, i + 2, end, "second|sec|s|minute|min|hour|day");
  return rate ? 3 : 0;
}

/* The unit behind the number, in its word or the next; *i is stepped on. */
static void read_unit(prose *p, prose_quantity *q, hm_str rest, size_t *i, size_t end) {
  prose_word *t = &p->t[*i - 1];
  if (rest.n) {
    q->unit = unit_of(p, hm_str_sub(t->low, t->low.n - rest.n, t->low.n));
    hm_str next = *i < end ? p->t[*i].low : HM_EMPTY; /* "2h 15m" */
    if (hm_str_is(rest, "h") && !t->stop && next.n && hm_is_digit(next.p[0]) && next.n < 6 &&
        prose_ends_in(next, "m|min"))
      ++*i;
    return;
  }
  if (t->stop && t->stop != '.')
    return;
  size_t n = read_rate_words(p, *i, end);
  if (n) {
    q->unit = UNIT_RATE;
    *i += n;
    return;
  }
  if (*i >= end)
    return;
  bool area = prose_one_of(p, *i, end, "square|cubic") && *i + 1 < end;
  prose_unit u = unit_of(p, p->t[area ? *i + 1 : *i].low);
  hm_str low = p->t[*i].low; /* "0.31 EUR/kWh" */
  const char *per = memchr(low.p, '/', low.n);
  if (per && u == UNIT_NONE && !q->per.n &&
      unit_of(p, (hm_str){ low.p, (size_t)(per - low.p) }) == UNIT_MONEY &&
      per + 1 < low.p + low.n) {
    q->unit = UNIT_MONEY;
    ++*i;
    return;
  }
  if (area) {
    if (u != UNIT_OTHER)
      return;
    q->unit = u;
    *i += 2;
    return;
  }
  if (prose_one_of(p, *i, end, "times|time")) {
    q->times = true;
    ++*i;
    return;
  }
  /* "5 a", "5 us": words, unless written as units */
  if (u == UNIT_NONE || (prose_is(p, *i, end, "a") && p->t[*i].s.p[0] != 'A'))
    return;
  q->unit = u;
  ++*i;
  if (u == UNIT_OTHER && !p->t[*i - 1].stop && /* "24 V DC" */
      prose_one_of(p, *i, end, "dc|ac|rms"))
    ++*i;
  /* "5 feet 9 inches" */
  if (prose_one_of(p, *i - 1, end, "feet|foot") && *i + 1 < end && p->t[*i].digit &&
      prose_one_of(p, *i + 1, end, "inches|inch"))
    *i += 2;
  /* "2 hours and 15 minutes" */
  if (u == UNIT_TIME && prose_is(p, *i, end, "and") && *i + 2 < end && p->t[*i + 1].digit &&
      unit_of(p, p->t[*i + 2].low) == UNIT_TIME)
    *i += 3;
  else if (u == UNIT_TIME && *i + 1 < end && p->t[*i].digit &&
           unit_of(p, p->t[*i + 1].low) == UNIT_TIME)
    *i += 2;
}

/* "three", "an hour", "two weeks", "twice". */
static bool read_number_word(prose *p, prose_quantity *q, size_t i, size_t end) {
  size_t from = i;
  int number = 0;
  if (prose_one_of(p, i, end, "twice|once")) {
    q->times = true;
    q->value = prose_span(p, i, i + 1);
    q->reading = prose_is(p, i, end, "once") ? HM_STR("1") : HM_STR("2");
    q->to = i + 1;
    return true;
  }
  if (prose_is(p, i, end, "half"))
    return false;
  if (prose_has(p, i, end, C_NUMBER)) {
    number = p->t[i].number;
    if (number >= 20 && number % 10 == 0 && prose_has(p, i + 1, end, C_NUMBER) &&
        p->t[i + 1].number < 10 && !p->t[i].stop)
      number += p->t[++i].number;
  } else if (prose_one_of(p, i, end, "an|a") && i + 1 < end &&
             unit_of(p, p->t[i + 1].low) == UNIT_TIME && p->t[i + 1].low.n > 2) {
    number = 1;
  } else {
    return false;
  }
  if (prose_has(p, i, end, C_NUMBER) && prose_is(p, i + 1, end, "of"))
    return false;
  bool half = prose_has(p, i, end, C_NUMBER) && prose_are(p, i + 1, end, "and a half");
  if (half)
    i += 3;
  q->to = i + 1;
  read_unit(p, q, HM_EMPTY, &q->to, end);
  q->value = prose_span(p, from, q->unit == UNIT_NONE ? i + 1 : q->to);
  hm_str unit = q->unit == UNIT_NONE ? HM_EMPTY : prose_span(p, i + 1, q->to);
  q->reading =
      hm_str_fmt(p->a, "%d%s%s%.*s", number, half ? ".5" : "", unit.n ? " " : "", HM_FMT(unit));
  return true;
}

/* "$20/mo": of a month */
static void add_slash(prose_quantity *q, hm_str per) {
  if (hm_str_is(per, "mo"))
    per = HM_STR("month");
  if (hm_str_is(per, "yr"))
    per = HM_STR("year");
  prose_add_words(&q->per, "per");
  prose_add_word(&q->per, per);
}

static const struct {
  const char *word;
  double by;
} many[] = { { "thousand", 1e3 }, { "million", 1e6 }, { "billion", 1e9 } };

/* "512Mi", as containers have it, and "100/min": a number and its unit in one word. */
static prose_unit unit_of_word(const prose *p, const prose_word *t, hm_str rest) {
  if (prose_word_in(rest, "Ki|Mi|Gi"))
    return UNIT_BYTES;
  if (rest.n < 2 || rest.p[0] != '/')
    return UNIT_NONE;
  hm_str per = hm_str_sub(t->low, t->low.n - rest.n + 1, t->low.n);
  return unit_of(p, per) == UNIT_TIME ? UNIT_RATE : UNIT_NONE;
}

/* "250,00", "250": the end of a number in groups, with its unit behind it. */
static bool is_group(const prose *p, size_t i, size_t end) {
  enum { GROUP = 3 };
  size_t n = 0;
  if (i + 1 >= end || p->t[i].stop || unit_of(p, p->t[i + 1].low) == UNIT_NONE)
    return false;
  hm_str s = p->t[i].s;
  while (n < s.n && hm_is_digit(s.p[n]))
    n++;
  if (n == GROUP && n < s.n && (s.p[n] == ',' || s.p[n] == '.'))
    for (n++; n < s.n && hm_is_digit(s.p[n]);)
      n++;
  return n == s.n && n >= GROUP;
}

static bool read_figure(prose *p, prose_quantity *q, size_t i, size_t end) {
  prose_word *t = &p->t[i];
  size_t money = currency_at(t->s), at = money;
  if (hm_str_starts(t->s, "~"))
    q->approximate = true, at = 1;
  if (at == 0 && t->s.n > 1 && (t->s.p[0] == '-' || t->s.p[0] == '+'))
    at = 1;
  if (hm_str_starts(t->s, "\xc2\xb1"))
    at = 2; /* plus or minus */
  bool range = false;
  size_t n = number_at(t->s, at, &range);
  if (!n)
    return false;
  hm_str rest = hm_str_sub(t->s, at + n, t->s.n);
  if (hm_str_is(rest, "+"))
    return false;
  q->unit = money ? UNIT_NONE : unit_of_word(p, t, rest);
  if (q->unit != UNIT_NONE) {
    q->to = i + 1;
    q->value = q->reading = t->s;
    return true;
  }
  bool billions =
      hm_str_is(rest, "B") && (money || prose_one_of(p, i + 1, end, "parameters|params|tokens"));
  if (prose_word_in(rest, "k|M|K") || billions) {
    if (hm_str_is(rest, "K") && !money)
      return false;
    q->to = i + 1; /* 20k, $2M: the number goes on */
    if (!money && i + 1 < end && !t->stop && unit_of(p, p->t[i + 1].low) == UNIT_MONEY)
      q->to++;
    q->value = q->reading = prose_span(p, i, q->to);
    q->unit = money || q->to > i + 1 ? UNIT_MONEY : UNIT_NONE;
    return true;
  }
  if (money && rest.n > 2 && rest.p[0] == '/') { /* $20/month */
    add_slash(q, hm_str_sub(t->low, t->low.n - rest.n + 1, t->low.n));
    q->to = i + 1;
    q->unit = UNIT_MONEY;
    q->value = q->reading = hm_str_sub(t->s, 0, at + n);
    return true;
  }
  for (size_t k = 0; k < HM_COUNT(many) && !rest.n && !range && !t->stop; k++) {
    if (!prose_is(p, i + 1, end, many[k].word))
      continue;
    double number = strtod(hm_str_z(p->a, hm_str_sub(t->s, at, t->s.n)), NULL) * many[k].by;
    q->to = i + 2;
    q->value = prose_span(p, i, q->to);
    q->unit = money ? UNIT_MONEY : UNIT_NONE;
    q->reading = hm_str_fmt(p->a, "%.*s%.0f", (int)money, t->s.p, number);
    return true;
  }
  q->range = range;
  q->to = i + 1;
  if (!rest.n && !range && at == 0 && n <= 3 && !t->stop && is_group(p, i + 1, end))
    q->to++; /* "1 250,00 EUR" */
  read_unit(p, q, rest, &q->to, end);
  if (rest.n && q->unit == UNIT_NONE)
    return false; /* 3rd, 4x, 12:30, 1.2.3 */
  if (money) {
    if (q->unit != UNIT_NONE)
      return false;
    q->unit = UNIT_MONEY;
  }
  /* "10 to 12 minutes" */
  if (q->unit == UNIT_NONE && !range && prose_one_of(p, i + 1, end, "to|or") && i + 2 < end &&
      p->t[i + 2].digit)
    return false;
  hm_str whole = prose_span(p, i, q->unit == UNIT_NONE || q->times ? i + 1 : q->to);
  q->value = q->reading = whole;
  if (hm_str_starts(whole, "~"))
    q->value = q->reading = hm_str_sub(whole, 1, whole.n);
  return true;
}

/* "between 3 and 12 replicas", "-10 to +40 C", at i: both ends and their unit. */
static bool read_range(prose *p, prose_quantity *q, size_t i, size_t end) {
  bool between = prose_is(p, i, end, "between");
  size_t from = between ? i + 1 : i;
  prose_quantity high = { 0 };
  bool ignored = false;
  if (from + 2 >= end || !p->t[from].digit || !p->t[from + 2].digit || p->t[from].stop ||
      !prose_is(p, from + 1, end, between ? "and" : "to"))
    return false;
  hm_str s = p->t[from].s;
  size_t sign = s.p[0] == '-' || s.p[0] == '+' || s.p[0] == '~';
  if (sign + number_at(s, sign, &ignored) != s.n || ignored)
    return false;
  if (!read_figure(p, &high, from + 2, end) || high.range || high.times ||
      (!between && high.unit == UNIT_NONE))
    return false;
  q->unit = high.unit;
  q->range = true;
  q->to = high.to;
  q->value = prose_span(p, from, high.unit == UNIT_NONE ? from + 3 : high.to);
  q->reading = q->value;
  if (between)
    q->reading = HM_CAT(p->a, s, HM_STR(" to "),
                        prose_span(p, from + 2, high.unit == UNIT_NONE ? from + 3 : high.to));
  return true;
}

bool prose_read_quantity(prose *p, prose_quantity *q, size_t i, size_t end) {
  *q = (prose_quantity){ .from = i };
  if (i >= end)
    return false;
  if (prose_one_of(p, i, end, "unlimited|infinite")) {
    q->unlimited = true;
    q->value = prose_span(p, i, i + 1);
    q->reading = HM_STR("unlimited");
    q->to = i + 1;
    return true;
  }
  size_t at = read_bound(p, q, i, end);
  if (at >= end)
    return false;
  bool read = read_range(p, q, at, end) ||
      (p->t[at].digit ? read_figure(p, q, at, end) : read_number_word(p, q, at, end));
  if (!read)
    return false;
  q->plain = q->unit == UNIT_NONE;
  q->to = read_per(p, q, q->to, end);
  return true;
}

/* 14, 3.11, v2, 1.0.0-rc1 */
bool prose_is_version(hm_str s) {
  size_t i = s.n > 1 && (s.p[0] == 'v' || s.p[0] == 'V') && hm_is_digit(s.p[1]) ? 1 : 0;
  if (i >= s.n || !hm_is_digit(s.p[i]) || s.n > 24)
    return false;
  bool dot = false;
  for (; i < s.n; i++) {
    char c = s.p[i];
    if (c == '.')
      dot = true;
    else if (c == '-' || c == '+')
      return dot && i + 1 < s.n;
    else if (!hm_is_digit(c) && !(c == 'x' && i && s.p[i - 1] == '.'))
      return dot && i + 3 >= s.n;
  }
  return true;
}
