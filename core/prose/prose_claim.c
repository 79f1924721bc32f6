/* Makes a claim: its slot from the subject, its value, and the words after it: qualifiers ("in
 * production", "for beta users"), denied values ("not 128", "instead of Moore"), and tails without
 * meaning for it ("because 128 ran out"). A tail that is not understood makes the statement unsure:
 * "the timeout is 30 s in half of the cases". */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/attribute_names.h"
#include "core/prose/prose_grammar.h"

hm_str hm_shape_name(hm_prose_shape s) {
  static const hm_str names[HM_N_SHAPES] = {
    { "quantity", 8 }, { "switch", 6 },    { "version", 7 }, { "choice", 6 },  { "key", 3 },
    { "set", 3 },      { "attribute", 9 }, { "status", 6 },  { "sentence", 8 }
  };
  return (unsigned)s < HM_N_SHAPES ? names[s] : HM_EMPTY;
}

/* The word in a slot's name, by prose_limit. */
static const char *const limits[] = { "", "max", "min", "default" };

/* subject and attribute, which may begin with the subject's last word: "api" and "api_style". */
static hm_str slot_of(prose *p, const prose_np *np, hm_str subject) {
  prose_name name = { .n = 0 };
  prose_add_words(&name, limits[np->limit]);
  hm_str attribute = prose_fold_name(p, &np->attribute);
  bool said = hm_str_eq(attribute, subject) ||
      (attribute.n > subject.n && attribute.p[subject.n] == '_' &&
       memcmp(attribute.p, subject.p, subject.n) == 0);
  if (!said && np->subject.n > 1 && np->attribute.n > 1 &&
      hm_str_eq(np->subject.w[np->subject.n - 1], np->attribute.w[0])) {
    for (size_t i = 0; i + 1 < np->subject.n; i++)
      prose_add_word(&name, np->subject.w[i]);
  } else if (!said) {
    prose_add_word(&name, subject);
  }
  prose_add_word(&name, attribute);
  return prose_fold_name(p, &name);
}

/* The slot's name in the words of the text: "payments_timeout", where the slot is
 * "payment_timeout"; empty if the statement has other words than its phrase ("the launch is on
 * 2026-10-14"), or that is the slot. */
static hm_str written_slot(prose *p, const prose_np *np, const prose_value *v, hm_str slot) {
  size_t parts = np->subject.n + np->attribute.n;
  bool named = prose_name_ends(&np->attribute, "name");
  if (!np->written.n || np->limit != np->written_limit || v->shape == HM_SHAPE_STATUS ||
      (parts != np->parts && !(named && parts == np->parts + 1)))
    return HM_EMPTY;
  prose_name name = { .n = 0 };
  prose_add_words(&name, limits[np->limit]);
  prose_add_name(&name, &np->written);
  hm_str written = prose_fold_name(p, &name);
  return hm_str_eq(written, slot) ? HM_EMPTY : written;
}

static void add_environment_word(prose_name *to, hm_str word) {
  prose_add_word(to, hm_str_is(word, "prod") ? HM_STR("production") : word);
}

/* "The staging API timeout" is that of the API in staging. */
static void move_environment(prose_np *np, bool version) {
  if (!np->subject.n || (np->subject.n < 2 && !version) || np->qualifier.n)
    return;
  if (!prose_word_in(np->subject.w[0], "production|prod|staging"))
    return;
  add_environment_word(&np->qualifier, np->subject.w[0]);
  np->subject.n--;
  for (size_t k = 0; k < np->subject.n; k++)
    np->subject.w[k] = np->subject.w[k + 1];
}

/* What holds on Fridays is no value of the other days: the day is a part of the attribute. */
static void move_days(const prose *p, prose_np *np) {
  size_t kept = 0, n = np->qualifier.n;
  bool any = false;
  for (size_t k = 0; k < n; k++) {
    hm_str w = np->qualifier.w[k];
    if (!prose_is_weekday(p, w)) {
      np->qualifier.w[kept++] = w;
      continue;
    }
    if (!any)
      prose_add_words(&np->attribute, "on");
    prose_add_word(&np->attribute, w);
    any = true;
  }
  np->qualifier.n = kept;
}

/* "The user's cousin's name": there may be another cousin; "Endpoint: /pay" of a service. */
static bool is_one_of_several(const prose_np *np) {
  if (!np->subject.n && np->attribute.n == 1 && prose_word_in(np->attribute.w[0], "endpoint|route"))
    return true;
  static const char words[] =
      "aunt|brother|cat|child|colleague|cousin|coworker|daughter|dog|friend|kid|neighbor|"
      "neighbour|pet|roommate|sister|son|uncle";
  if (np->attribute.n != 1 || !hm_str_is(np->attribute.w[0], "name") || !np->subject.n)
    return false;
  hm_str last = np->subject.w[np->subject.n - 1];
  return prose_word_in(last, words);
}

/* The last n words of subject and attribute. */
static hm_str last_words(prose *p, const prose_np *np, size_t n) {
  prose_name name = { .n = 0 };
  size_t own = np->attribute.n < n ? np->attribute.n : n, before = n - own;
  for (size_t i = np->subject.n - before; i < np->subject.n; i++)
    prose_add_word(&name, np->subject.w[i]);
  for (size_t i = np->attribute.n - own; i < np->attribute.n; i++)
    prose_add_word(&name, np->attribute.w[i]);
  return prose_fold_name(p, &name);
}

/* "expiry" is "lifetime", "maintainer" is "owner": one name for what has several. Returns the words
 * that it stands for; empty: none. */
static hm_str name_attribute(prose *p, prose_np *np, const prose_value *v) {
  enum { LONGEST = 3 };
  size_t all = np->subject.n + np->attribute.n, bytes = v->value.n;
  bool time = v->shape == HM_SHAPE_QUANTITY && bytes && hm_is_letter(v->value.p[bytes - 1]);
  hm_attribute_of of = time ? HM_OF_TIME : HM_OF_OTHER;
  for (size_t n = all < LONGEST ? all : LONGEST; n; n--) {
    hm_str words = last_words(p, np, n), name = hm_attribute_synonym(words, of);
    if (!name.n)
      continue;
    size_t own = np->attribute.n < n ? np->attribute.n : n;
    np->attribute.n -= own;
    np->subject.n -= n - own;
    prose_add_word(&np->attribute, name);
    if (np->parts)
      np->parts = np->parts - all + np->subject.n + np->attribute.n;
    return words;
  }
  return HM_EMPTY;
}

/* "cache_ttl" of the slot "cache_lifetime", where the text says "ttl". */
static hm_str called(prose *p, hm_str slot, hm_str words) {
  hm_str one = words.n ? hm_attribute_synonym(words, HM_OF_TIME) : HM_EMPTY;
  return one.n && hm_str_ends(slot, one.p)
      ? HM_CAT(p->a, hm_str_sub(slot, 0, slot.n - one.n), words)
      : HM_EMPTY;
}

/* A link, a call without its end ("hash(0"), one of several ("a|b"), a command with options: pieces
 * of what stands there. */
static bool is_piece(hm_str s) {
  static const char *const signs[] = {
    "](", "][", "**", "<br", " -", "\\", "()", "\u2705", "\u274C"
  };
  int open = 0, quotes = 0;
  for (size_t i = 0; i < s.n; i++) {
    open += (s.p[i] == '(') - (s.p[i] == ')');
    quotes += s.p[i] == '`';
    if (s.p[i] == '|' && i && i + 1 < s.n)
      return true;
  }
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_find(s, signs[i]) >= 0)
      return true;
  return open || quotes % 2 || (s.n && strchr(",;{", s.p[s.n - 1]));
}

/* "Book the crane. Owner is Nadja", "The van comes at two, the driver is Nadja": of what, only the
 * clause before says. "In pen 3, where the trout are, the alarm is at 6": so is where. */
static bool rests_on_before(const prose *p, const prose_np *np, const prose_value *v) {
  const prose_word *t = &p->t[v->from];
  char stop = v->from ? p->t[v->from - 1].stop : 0;
  size_t before = v->from ? v->from - 1 : 0; /* the clause before; the sentence */
  while (before && !p->t[before - 1].stop)
    before--;
  size_t first = before;
  while (first && (!p->t[first - 1].stop || p->t[first - 1].stop == ','))
    first--;
  bool leads = p->t[first].cls & C_PREP;
  if (stop == ',' && leads && prose_word_in(p->t[before].low, "where|which|who|whose"))
    return true;
  unsigned own = stop == ',' && !leads ? C_OWNER : C_ARTICLE | C_OWNER;
  return !p->about.n && stop && !t->line && t->stop != ':' && !t->upper && !np->subject.n &&
      np->attribute.n == 1 && v->shape != HM_SHAPE_KEY && !(t->cls & own);
}

void prose_claim(prose *p, const prose_np *of, const prose_value *v) {
  prose_np whole = *of;
  /* "9. August 1970", of which a stop leaves "9", is not read */
  if (v->value.n < 3 && of->attribute.n == 1 && hm_str_is(of->attribute.w[0], "birthday"))
    return;
  hm_str words = name_attribute(p, &whole, v);
  move_environment(&whole, v->shape == HM_SHAPE_VERSION);
  const prose_np *np = &whole;
  if (p->lead && p->lead->limit && !whole.limit)
    whole.limit = p->lead->limit;
  for (size_t i = 0; p->lead && i < p->lead->qualifier.n; i++)
    prose_add_word(&whole.qualifier, p->lead->qualifier.w[i]);
  move_days(p, &whole);
  hm_str subject = prose_fold_name(p, &np->subject);
  hm_str bare = slot_of(p, np, subject), slot = bare;
  if (!subject.n && p->about.n) {
    prose_word last = { .low = p->about };
    subject = prose_singular(p, &last);
    slot = slot_of(p, np, subject);
  }
  if (p->part.n && slot.n && !hm_str_starts(slot, p->part.p))
    slot = bare = HM_CAT(p->a, p->part, slot);
  hm_str attribute = prose_fold_name(p, &np->attribute);
  if (!attribute.n || !slot.n || !bare.n || !v->value.n || rests_on_before(p, np, v))
    return;
  /* A key says where its value ends, and a password may have any sign */
  hm_str last = np->attribute.n ? np->attribute.w[np->attribute.n - 1] : HM_EMPTY;
  if (v->shape != HM_SHAPE_KEY && !prose_word_in(last, "code|passphrase|password|pin|secret") &&
      is_piece(v->value))
    return;
  if (!p->cap)
    p->out->claims = hm_alloc_array(p->a, p->cap = 2, sizeof(hm_prose_claim));
  p->out->claims =
      hm_array_grow_in(p->a, p->out->claims, p->out->n, &p->cap, sizeof(hm_prose_claim));
  p->out->claims[p->out->n++] = (hm_prose_claim){
    .shape = v->shape,
    .slot = slot,
    .bare = bare,
    .written = !p->part.n && (whole.subject.n || !p->about.n) ? written_slot(p, &whole, v, slot)
                                                              : HM_EMPTY,
    .called = called(p, slot, words),
    .subject = subject,
    .attribute = attribute,
    .qualifier = prose_fold_name(p, &np->qualifier),
    .value = v->value,
    .reading = v->reading.n ? v->reading : v->value,
    .left = v->left,
    .dated = v->dated,
    .words = prose_span(p, v->from, v->to),
    .denied = v->denied,
    .only = v->only,
    .also = v->also || is_one_of_several(np),
    .family = v->family,
    .curated = v->curated,
  };
}

/* --- what stands behind a value --------------------------------------------------------------- */

/* "not X", "instead of X": the word behind the opening words, or 0. */
static size_t opens_left(const prose *p, size_t i, size_t end) {
  size_t n = prose_are(p, i, end, "instead of");
  if (!n)
    n = prose_are(p, i, end, "rather than");
  if (!n)
    n = prose_are(p, i, end, "and not");
  if (!n && prose_one_of(p, i, end, "not|over"))
    n = 1;
  return n && i + n < end ? i + n : 0;
}

size_t prose_tail_start(const prose *p, size_t i, size_t end) {
  for (size_t k = i; k < end; k++) {
    if (k > i && (p->t[k - 1].stop || (p->t[k].aside && !p->t[k - 1].aside)))
      return k;
    if (k > i && ((p->t[k].cls & (C_TAIL | C_COND | C_AND)) || opens_left(p, k, end)))
      return k;
    if (k > i && (p->t[k].cls & C_PREP) && !p->t[k].capital && !prose_is(p, k, end, "of"))
      return k;
    if (k > i && (p->t[k].cls & C_LATELY) && !p->t[k].capital)
      return k;
    if (k > i && prose_one_of(p, k, end, "every|by default"))
      return k;
  }
  return end;
}

static bool is_qualifier_word(const prose *p, size_t i) {
  const uint64_t refused =
      C_PRONOUN | C_COND | C_NOT | C_BE | C_WAS | C_HAVE | C_SEVERAL | C_UNSURE;
  return !(p->t[i].cls & refused) || (p->t[i].capital && p->t[i].upper) ||
      prose_is(p, i, i + 1, "all");
}

/* Words of a qualifier from i on. 0: not understood. */
static size_t qualifier_words(const prose *p, size_t i, size_t end) {
  size_t k = i;
  for (; k < end; k++) {
    if (k > i && (p->t[k - 1].stop || (p->t[k].cls & (C_TAIL | C_AND))))
      break;
    if (k > i && (p->t[k].cls & C_PREP) && !prose_is(p, k, end, "of"))
      break;
    if (k > i && (p->t[k].cls & C_LATELY))
      break;
    if (!is_qualifier_word(p, k))
      return 0;
  }
  return k - i <= 5 ? k - i : 0;
}

static bool is_time(const prose *p, size_t i, size_t end) {
  size_t to;
  if (prose_is_date(p, i, end, &to) || prose_has(p, i, end, C_LATELY))
    return true;
  hm_str s = p->t[i].s;
  if (s.n == 4 && p->t[i].digit && (s.p[0] == '1' || s.p[0] == '2'))
    return true; /* a year */
  return prose_has(p, i, end, C_DAY) && p->t[i].capital && !hm_str_ends(p->t[i].low, "days");
}

/* A preposition and its words at i: the word behind them, or 0. */
static size_t read_place(prose *p, prose_np *np, size_t i, size_t end, bool at_time) {
  bool by = prose_one_of(p, i, end, "by|during");
  bool from_place = prose_is(p, i, end, "from") && i + 1 < end && at_time &&
      !p->t[i + 1].digit; /* "departs at 16:40 from Heathrow" */
  bool in = prose_one_of(p, i, end, "in|on|at|for|per|under|across|inside|within|behind");
  if ((!in && !by && !from_place) || i + 1 >= end || p->t[i].stop)
    return 0;
  bool article = prose_has(p, i + 1, end, C_ARTICLE);
  size_t from = article || prose_has(p, i + 1, end, C_OWNER) ? i + 2 : i + 1;
  if (prose_one_of(p, i + 1, end, "her|his|its|their|your"))
    from = i + 2;
  prose_quantity q;
  if (from >= end || is_time(p, from, end) || (by && p->t[from].digit))
    return 0;
  bool one = prose_one_of(p, i + 1, end, "a|an");
  if (one && (p->t[from].cls & C_STATE))
    return 0; /* "on a bad day" */
  if (prose_one_of(p, from, end, "past|last|next|this|moment"))
    return 0;
  if (prose_read_quantity(p, &q, from, end) && (q.unit == UNIT_TIME || q.unit == UNIT_PERCENT))
    return 0;
  size_t n = qualifier_words(p, from, end);
  if (!n)
    return 0;
  bool is_for = prose_is(p, i, end, "for"), is_per = prose_is(p, i, end, "per");
  size_t topic = from; /* "uses Linear for issue tracking"; "for session caching" is for sessions */
  while (topic < from + n && prose_family_topic(p, topic, from + n) != np->family)
    topic++;
  if (topic < from + n && prose_is(p, topic, end, "unit")) /* of one kind of tests */
    topic++;
  size_t own = is_for && np->family >= 0 ? topic : from + n;
  prose_name *to = &np->qualifier;
  if (is_for && article && !np->subject.n && np->attribute.n == 1)
    to = &np->subject;
  if (is_per)
    prose_add_words(to, "per");
  for (size_t w = from; w < own; w++) {
    if (prose_is(p, w, end, "environment") && n > 1)
      continue;
    if (!(p->t[w].cls & C_ARTICLE))
      add_environment_word(to, w + 1 == own ? prose_singular(p, &p->t[w]) : p->t[w].low);
  }
  return from + n;
}

/* Adverbs and other words that change nothing: the word behind them, or i. */
static size_t skip_harmless(const prose *p, prose_np *np, size_t i, size_t end) {
  if (prose_is(p, i, end, "from") && i + 1 < end && p->t[i + 1].digit && p->t[i + 1].s.n == 4 &&
      !prose_is(p, i + 2, end, "to"))
    return i + 2;
  static const char phrases[] =
      "as well|so far|for now|at the moment|for good|at present|these days|right now|as of now|"
      "as of today|at all times|for everyone|for everybody|for all users|of inactivity";
  if (prose_are(p, i, end, "by default"))
    return np->limit = LIMIT_DEFAULT, i + 2;
  if (prose_are(p, i, end, "in total"))
    return prose_add_words(&np->qualifier, "total"), i + 2;
  if (prose_is(p, i, end, "each") && i + 1 == end)
    return prose_add_words(&np->qualifier, "each"), i + 1;
  size_t n = prose_one_of(p, i, end, phrases);
  if (n)
    return i + n;
  if (prose_is(p, i, end, "every")) { /* "every day", "every weekday morning" */
    size_t at = i + 1;
    if (prose_is(p, at, end, "day"))
      return at + 1;
    while (at < i + 3 && prose_one_of(p, at, end, "evening|morning|night|weekday|workday"))
      prose_add_word(&np->qualifier, p->t[at++].low);
    if (at > i + 1)
      return at;
  }
  return prose_has(p, i, end, C_LATELY) ? i + 1 : i;
}

/* Behind a comma only what ends a statement may follow, or another one. */
static bool is_new_clause(const prose *p, size_t i) {
  return i && p->t[i - 1].stop && p->t[i - 1].stop != '.';
}

void prose_add_environment(const prose *p, prose_np *np, size_t i) {
  if (prose_one_of(p, i, i + 1, "prod|production|staging|dev|development"))
    add_environment_word(&np->qualifier, p->t[i].low);
}

/* Does nothing follow but words, with no condition among them? */
static bool names_no_more(const prose *p, size_t i, size_t end) {
  for (; i < end; i++)
    if ((p->t[i].cls & (C_COND | C_AND | C_BE | C_WAS | C_UNSURE)) || p->t[i].digit)
      return false;
  return true;
}

/* "2 TB NVMe", "12 mm \xc2\xb1 0.1" at i, behind a quantity with a unit. */
static bool is_kind_or_tolerance(const prose *p, prose_np *np, const prose_value *v, size_t i,
                                 size_t end) {
  const prose_word *t = &p->t[i];
  bool unit = false;
  for (size_t k = 0; k < v->reading.n; k++)
    unit = unit || (v->reading.p[k] >= 'A' && v->reading.p[k] <= 'z');
  if (unit && i + 1 == end && t->first == 'p' && t->low.n == 3 &&
      hm_is_digit(t->low.p[1])) /* "200 ms p95" */
    return prose_add_word(&np->qualifier, t->low), true;
  if (unit && i + 1 == end && !p->t[i - 1].stop && !t->capital && hm_str_ends(t->low, "ed") &&
      !(t->cls & ~(uint64_t)C_STATE)) /* "412 kB gzipped" */
    return prose_add_word(&np->qualifier, t->low), true;
  if (hm_str_starts(t->s, "\xc2\xb1") || hm_str_starts(t->s, "+/-"))
    return i + 3 >= end;
  return unit && i + 1 == end && t->capital && (t->upper || t->s.n <= 3) && !t->cls && !t->digit &&
      !p->t[i - 1].stop;
}

/* "before merging", "before merge"; "went from 410 kB to 288 kB after tree shaking" */
static bool ends_with_occasion(const prose *p, const prose_value *v, size_t i, size_t end) {
  if (v->left.n && v->shape == HM_SHAPE_QUANTITY && prose_is(p, i, end, "after"))
    return true;
  return prose_is(p, i, end, "before") && i + 2 == end && !p->t[i + 1].digit &&
      !(p->t[i + 1].cls & (C_DAY | C_PRONOUN));
}

/* "every 12 hours", "nightly", to the end: how often a thing goes where it goes. */
static bool is_how_often(prose *p, size_t i, size_t end) {
  prose_quantity q;
  if (i + 1 == end)
    return prose_one_of(p, i, end, "nightly|daily|hourly|weekly");
  return prose_is(p, i, end, "every") &&
      (i + 2 == end || (prose_read_quantity(p, &q, i + 1, end) && q.to == end));
}

/* The value at i that was left: the word behind it. */
static size_t read_left(prose *p, prose_value *v, size_t i, size_t end) {
  prose_quantity q;
  bool amount = prose_read_quantity(p, &q, i, end);
  v->to = amount ? q.to : prose_tail_start(p, i, end);
  v->left = amount ? q.value : prose_span(p, i, v->to);
  return v->to;
}

bool prose_is_restriction(const prose *p, size_t i, size_t end) {
  static const char openings[] =
      "only|except|excluding|apart from|other than|at least in|at least on|at least for";
  static const char general[] =
      "in general|in practice|in total|in fact|in the end|on average|for now|for good|for sure|"
      "for example|for instance|in production|in prod|on production|for everyone|for everybody|"
      "for all";
  size_t to = i;
  while (to < end && !p->t[to].stop)
    to++;
  to += to < end;
  size_t n = to - i;
  if (prose_one_of(p, i, to, "but|and"))
    i++, n--;
  if (!n || i >= to)
    return false;
  if (prose_one_of(p, i, to, openings))
    return true;
  if (n <= 3 && prose_is(p, to - 1, to, "only"))
    return true;
  if (n == 1 &&
      (prose_one_of(p, i, to, "proposed|proposal|draft|tentative|suggested") ||
       (p->t[i].first == 'v' && p->t[i].s.n > 1 && hm_is_digit(p->t[i].s.p[1]))))
    return true;
  if (prose_one_of(p, i, to, general))
    return false;
  bool place = prose_one_of(p, i, to, "in|on|for");
  for (size_t k = i + 1; place && k < to; k++)
    place = !p->t[k].digit && !(p->t[k].cls & (C_PRONOUN | C_BE | C_HAVE | C_DAY | C_PREP));
  return place && n > 1 && n <= 4;
}

bool prose_read_tail(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  while (i < end) {
    size_t to;
    if (p->t[i].aside && !(i && p->t[i - 1].aside)) {
      size_t from = i;
      while (i < end && p->t[i].aside)
        i++;
      if (prose_is_restriction(p, from, i))
        return false;
      if (!np->qualifier.n && i == from + 1)
        prose_add_environment(p, np, from);
      continue;
    }
    if ((to = opens_left(p, i, end)) != 0) {
      if (prose_has(p, to, end, C_ARTICLE))
        to++;
      i = read_left(p, v, to, end);
      if (i < end && v->shape != HM_SHAPE_QUANTITY && p->t[to - 1].cls & C_NOT &&
          !prose_one_of(p, i, end, "as of|since|from") && names_no_more(p, i, end))
        return v->left = HM_EMPTY, true; /* "in tests/, not next to the sources" */
      continue;
    }
    if ((p->t[i].cls & C_COND) || (v->shape == HM_SHAPE_SWITCH && prose_is(p, i, end, "today")))
      return false;
    to = skip_harmless(p, np, i, end);
    if (ends_with_occasion(p, v, i, end))
      to = end;
    if (to > i) {
      i = to;
      continue;
    }
    if (v->shape == HM_SHAPE_SWITCH && prose_is(p, i, end, "that"))
      return false;
    if ((is_new_clause(p, i) || prose_is(p, i, end, "but")) && prose_is_restriction(p, i, end))
      return false;
    if (v->shape == HM_SHAPE_QUANTITY && is_kind_or_tolerance(p, np, v, i, end))
      return true;
    if (prose_is(p, i, end, "locally") && i + 1 == end)
      return prose_add_words(&np->qualifier, "local"), true;
    if ((p->t[i].cls & C_TAIL) || is_new_clause(p, i) ||
        (v->shape == HM_SHAPE_CHOICE && is_how_often(p, i, end)))
      return true;
    bool by = prose_one_of(p, i, end, "by|during");
    to = by && v->shape != HM_SHAPE_QUANTITY
        ? 0
        : read_place(p, np, i, end, v->shape == HM_SHAPE_ATTRIBUTE && p->t[i - 1].digit);
    if (to) {
      v->to = to;
      i = to;
      continue;
    }
    if (v->shape == HM_SHAPE_QUANTITY && prose_is(p, i, end, "with")) {
      size_t words = qualifier_words(p, i + 1, end); /* "3 halls with statues" */
      for (size_t k = i + 1; k < i + 1 + words && i + 1 + words == end; k++)
        prose_add_word(&np->qualifier, prose_singular(p, &p->t[k]));
      return true;
    }
    if (prose_one_of(p, i, end, "with|via|as"))
      return true;
    if (v->shape == HM_SHAPE_QUANTITY && !np->limit && /* "has two cats named Miso and Tofu" */
        prose_one_of(p, i, end, "named|called"))
      return true;
    uint64_t next = C_BE | C_WAS | C_HAVE | C_VERB | C_EVENT;
    if (v->shape == HM_SHAPE_QUANTITY)
      next |= C_ARTICLE; /* "has 12 plants and a cat" */
    return prose_is(p, i, end, "and") && prose_has(p, i + 1, end, next);
  }
  return true;
}

bool prose_claim_with_tail(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  if (!prose_read_tail(p, np, v, i, end))
    return false;
  prose_claim(p, np, v);
  return true;
}

bool prose_read_first(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const prose_reader *readers, size_t n) {
  prose_np saved = *np;
  prose_value clean = *v;
  for (size_t k = 0; k < n; k++) {
    if (readers[k](p, np, v, i, end))
      return true;
    *np = saved;
    *v = clean;
  }
  return false;
}

bool prose_claim_span(prose *p, prose_np *np, prose_value *v, size_t from, size_t to, size_t end) {
  v->shape = HM_SHAPE_ATTRIBUTE;
  v->value = prose_span(p, from, to);
  v->to = to;
  return prose_claim_with_tail(p, np, v, to, end);
}

bool prose_claim_attribute(prose *p, prose_np *np, prose_value *v, const char *attribute,
                           size_t from, size_t to, size_t end) {
  prose_set_attribute(np, attribute);
  return prose_claim_span(p, np, v, from, to, end);
}
