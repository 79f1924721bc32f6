/* Statements in words of no table: "the roof yields 9.8 kWp", "the ferry leaves from pier 7". Their
 * slot is the words around one value, so two such texts meet only if they say the same of it.
 *
 * The value is the last group of words with a number, a path or a code. A person, an event, a
 * listing and what only some things do claim nothing: two texts of that kind may both be true.
 * Cost: one pass over the clause. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_grammar.h"

enum { WORDS_LEAST = 4, WORDS_MAX = 16, OTHERS_LEAST = 2 };

/* Verbs of which a thing has several objects, and what happens again and again. */
static const char several[] =
    "accepts|added|adds|affects|asks|attended|bought|calls|changed|changes|closes|contains|"
    "covers|creates|describes|exposes|fixed|fixes|got|handles|implements|includes|lists|"
    "mentions|opened|provides|published|reads|receives|references|released|requests|returned|"
    "sent|shows|"
    "sold|sends|spent|supports|tests|took|tracks|tried|visited|won|works|writes|wrote|went|found|"
    "saw|need|needs|see|use|uses";

/* --- the value -------------------------------------------------------------------------------- */

/* "/healthz", "s3://backup", "bills@example.org" */
static bool is_address(const prose_word *t) {
  return t->s.n > 2 &&
      (t->s.p[0] == '/' || hm_str_find(t->s, "://") > 0 || memchr(t->s.p + 1, '@', t->s.n - 1));
}

static bool has_digit(const prose_word *t) {
  for (size_t i = 0; i < t->s.n; i++)
    if (hm_is_digit(t->s.p[i]))
      return true;
  return false;
}

/* A unit that no table has: "kWp", "kr", "\u20ac" behind a number. */
static bool is_short_sign(const prose_word *t) {
  return !t->cls && !has_digit(t) && (t->s.n <= 3 || (t->s.p[0] & 0x80)) && !t->aside;
}

static bool ends_with_name(const prose *p, size_t i, size_t end) {
  enum { NAME = 3 };
  size_t k = i;
  while (k < end && p->t[k].capital && !p->t[k - 1].stop && !has_digit(&p->t[k]))
    k++;
  return k == end && k > i && k - i <= NAME;
}

/* "a fortnight", "half an hour": a time in words. */
static bool find_words(prose *p, size_t i, size_t end, size_t *from, size_t *to) {
  prose_quantity q;
  for (size_t k = i; k < end; k++)
    if (prose_read_quantity(p, &q, k, end) && q.unit == UNIT_TIME)
      return *from = k, *to = q.to, true;
  return false;
}

/* The group [*from, *to) of words with the last number or "noon" of [i, end); false: none. */
static bool find_value(prose *p, size_t i, size_t end, size_t *from, size_t *to) {
  prose_quantity q;
  size_t k = end;
  while (k > i && !has_digit(&p->t[k - 1]) && !is_address(&p->t[k - 1]) &&
         !(p->t[k - 1].cls & C_NUMBER) && !prose_one_of(p, k - 1, k, "noon|midnight"))
    k--;
  if (k == i)
    return find_words(p, i + OTHERS_LEAST, end, from, to);
  *to = k--;
  while (k > i && (has_digit(&p->t[k - 1]) || (p->t[k - 1].cls & C_DAY)) && p->t[k].digit &&
         !p->t[k - 1].stop)
    k--; /* "1 250,00", "14 May 2024" */
  *from = k;
  size_t date;
  if (prose_one_of(p, k - 1, k, "chapter|issue|phase|pr|release|sprint|step|ticket|version"))
    return false; /* it only names which */
  hm_str product;
  size_t version;
  if (prose_product_at(p, k - 1, end, &product, &version) == *to && *to < end &&
      !prose_is(p, *to, end, "only"))
    return false;                                    /* "the Kubernetes 1.29 upgrade" */
  for (size_t d = k > i + 3 ? k - 3 : i; d < k; d++) /* "Tuesday, 14 May 2024" */
    if (prose_is_date(p, d, end, &date) && date >= *to)
      return *from = d, *to = date, true;
  if (prose_is_date(p, k, end, &date) || prose_is_clock(p, k, end, &date))
    return *to = date > *to ? date : *to, true;
  if (prose_read_quantity(p, &q, k, end) && !q.plain)
    *to = q.to > *to ? q.to : *to;
  else if (p->t[*to - 1].digit && *to < end && !p->t[*to - 1].stop && is_short_sign(&p->t[*to]))
    ++*to;
  else if (k + 1 == *to && ends_with_name(p, *to, end))
    *to = end; /* "14 Mill Lane", "8001 Z\u00fcrich" */
  return true;
}

/* --- what it is about ------------------------------------------------------------------------- */

/* Words that say nothing of which slot it is. */
static bool is_empty_word(const prose *p, size_t i) {
  return (p->t[i].cls & (C_ARTICLE | C_BE | C_MUST | C_ADVERB)) ||
      prose_one_of(p, i, i + 1, "our|only|exactly|also");
}

/* Is it about one certain thing, or all of a kind, and no person? */
static bool begins_thing(const prose *p, size_t i, size_t end) {
  const uint64_t refused = C_PRONOUN | C_OWNER | C_PERSON | C_SEVERAL | C_PREP | C_NOT | C_HEADING |
      C_EVENT | C_MOVED | C_CHOSE | C_LEAD | C_DAY | C_VERB | C_BE | C_WAS | C_HAVE | C_NUMBER;
  const prose_word *t = &p->t[i];
  if (t->capital && !(t->cls & (refused | C_ARTICLE)) && i + 1 < end && p->t[i + 1].digit &&
      !t->stop && !p->t[i + 1].stop)
    return true; /* "Room 12 seats 40" */
  if (prose_one_of(p, i, end, "the|our|a|an"))
    return i + 1 < end && !(p->t[i + 1].cls & (C_PERSON | C_SEVERAL)) && !p->t[i + 1].digit;
  if ((t->cls & refused) || t->digit || t->stop)
    return false;
  bool two = prose_is(p, i + 1, end, "and") && i + 2 < end && !p->t[i + 2].capital;
  bool stuff = i + 2 < end && !p->t[i + 1].capital && !p->t[i + 1].cls && !t->cls &&
      (p->t[i + 2].cls & C_BE); /* "Bread flour is" */
  return prose_is_plural(t) || t->upper || two || stuff || !t->capital;
}

/* "Reply to customers within 24 hours": what is to be done, with an amount. */
static bool is_order(prose *p, size_t i, size_t end, size_t from) {
  static const char deeds[] =
      "bake|boil|cook|keep|pay|renew|reply|respond|restart|retry|rinse|rotate|"
      "soak|stir|wait|wrap";
  prose_quantity q;
  return prose_one_of(p, i, end, deeds) && prose_read_quantity(p, &q, from, end) &&
      (!q.plain || prose_one_of(p, from - 1, from, "above|below|over|under"));
}

/* Where the predicate begins; 0: nowhere that is certain, or with what only happened. */
static size_t find_verb(const prose *p, size_t i, size_t from) {
  for (size_t k = i + 1; k < from; k++)
    if (p->t[k].cls & (C_BE | C_MUST | C_HAVE | C_WAS))
      return k;
  for (size_t k = i + 1; k < from; k++) {
    if (p->t[k].cls & C_VERB)
      return k;
    if (prose_ends_in(p->t[k].low, "ed"))
      return 0;
  }
  if (p->t[i].capital && p->t[i + 1].digit && i + 2 < from)
    return p->t[i + 2].cls & C_PREP ? 0 : i + 2;
  bool one = (p->t[i].cls & (C_ARTICLE | C_OWNER)) || p->t[i].upper;
  for (size_t k = i + 1; k < from; k++)
    if (one && prose_is_plural(&p->t[k]))
      return k;
  return prose_is_plural(&p->t[i]) && !(p->t[i + 1].cls & C_PREP) ? i + 1 : 0;
}

/* "has client_max_body_size 25m": one attribute and its value, and no number of things. */
static bool has_attribute(const prose *p, size_t verb, size_t from, size_t to, size_t end) {
  uint64_t cls;
  size_t words = prose_attribute_words(p, verb + 1, from, &cls);
  return words && verb + 1 + words >= from - (from > verb + 2) && to == end && (cls & C_MEASURE);
}

/* "was opened in 1932", "was a SEV1": of what happens only once, unlike a repair, and not on some
 * day. */
static bool happened_once(const prose *p, size_t verb, size_t from, size_t to, size_t end) {
  static const char once[] =
      "abolished|acquired|bought|built|carved|cast|chartered|commissioned|completed|composed|"
      "constructed|created|decommissioned|demolished|designed|destroyed|disbanded|discontinued|"
      "discovered|dissolved|dug|erected|established|felled|finished|formed|founded|inaugurated|"
      "incorporated|installed|invented|launched|made|opened|purchased|registered|sunk|woven|"
      "written";
  const prose_word *t = &p->t[to - 1];
  size_t date;
  if (verb + 2 == from && prose_one_of(p, verb + 1, from, "a|an"))
    return to == end && to == from + 1 && t->capital && !t->digit;
  return prose_is(p, from - 1, from, "in") && t->digit && t->s.n == 4 &&
      (to == from + 1 || prose_is_date(p, from, to, &date)) &&
      (verb + 2 == from || prose_one_of(p, verb + 1, from, once));
}

/* Behind "is": what other forms know best, what changes as time goes by, or a plain count. */
static bool moves(prose *p, size_t verb, size_t from, size_t to, size_t end) {
  enum { DIGITS = 4 };
  prose_quantity q;
  size_t clock;
  bool is = p->t[verb].cls & C_BE, at = prose_one_of(p, from - 1, from, "at|in");
  bool time = prose_is_clock(p, from, end, &clock);
  bool amount = prose_read_quantity(p, &q, from, end) && !q.plain;
  if (is && (prose_is(p, verb + 1, from, "to") || prose_is(p, from - 1, from, "half")))
    return true;
  if (amount && q.unit == UNIT_TIME && prose_is(p, from - 1, from, "in"))
    return true; /* "ends in 3 days" */
  if (prose_is(p, from - 1, from, "over"))
    return true;
  for (size_t k = verb + 1; k < from; k++)
    if (prose_is_clock(p, k, from, &clock))
      return true; /* "is at 7:30 on 3 March" */
  if (is && verb + 2 == from && at)
    return amount || time;
  return is && verb + 1 == from &&
      (time || (!amount && from + 1 == to && p->t[from].s.n < DIGITS)) && to == end;
}

/* Words that leave open whether it holds, of what, or that something only happened. */
static bool is_open(const prose *p, size_t i, size_t end, bool last) {
  static const char open[] =
      "answer|but|common|complete|completed|difference|done|either|except|faster|finished|first|"
      "half|issue|larger|less|longer|looks|more|normal|or|plan|problem|rare|say|says|second|"
      "shorter|slower|smaller|sum|than|third|typical|usual";
  const uint64_t refused = C_PRONOUN | C_UNSURE | C_SEVERAL | C_COND | C_EVENT | C_MOVED | C_CHOSE |
      C_APPROX | C_CHANGE | C_PERSON | C_LATELY;
  for (size_t k = i; k < end; k++) {
    const prose_word *t = &p->t[k];
    if (last && (t->cls & (C_BE | C_WAS | C_MUST)))
      return true; /* "sales below zero are ..." */
    if (t->aside || (t->stop && t->stop != '.' && (k + 1 < end || !last)) || prose_is_rule_line(t))
      return true;
    bool passive = k > i && (p->t[k - 1].cls & (C_BE | C_WAS)) && !(t->cls & C_PRONOUN);
    uint64_t person = last ? C_PERSON : 0; /* "seats 60 people" */
    if ((!passive && ((t->cls & refused & ~person) || prose_one_of(p, k, end, several))) ||
        prose_one_of(p, k, k + 1, open))
      return true;
  }
  return false;
}

static bool read_around_value(prose *p, size_t i, size_t end) {
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_ATTRIBUTE, .from = i, .to = end };
  size_t from = i, to = i;
  if (end - i < WORDS_LEAST || end - i > WORDS_MAX || !find_value(p, i, end, &from, &to) ||
      from == i || p->t[from].aside || /* "algorithms (ADR-014)" */
      memchr(p->t[from].s.p, '[', p->t[from].s.n))
    return false;
  bool order = is_order(p, i, end, from);
  if (!order && from < i + OTHERS_LEAST)
    return false;
  if ((!order && !begins_thing(p, i, end)) || is_open(p, i, from, false) ||
      is_open(p, to, end, true) || (to < end && p->t[to - 1].stop) ||
      prose_one_of(p, from - 2, from - 1, "value|values"))
    return false;
  size_t verb = order ? i : find_verb(p, i, from);
  if ((!order && (!verb || moves(p, verb, from, to, end))) ||
      ((p->t[verb].cls & C_HAVE) && !has_attribute(p, verb, from, to, end)) ||
      ((p->t[verb].cls & C_WAS) && !happened_once(p, verb, from, to, end)))
    return false;
  bool whole = (p->t[verb].cls & C_BE) && verb + 1 == from && to == end &&
      prose_read_np(p, &np, i, verb) && !np.indefinite; /* "the ISBN of the book is ..." */
  if (!whole)
    np = (prose_np){ .family = -1 };
  for (size_t k = i; k < end && !whole; k++)
    if ((k < from || k >= to) && !is_empty_word(p, k) && !(p->t[k].cls & C_HAVE))
      prose_add_word(k < verb ? &np.subject : &np.attribute, prose_singular(p, &p->t[k]));
  if ((!whole && np.subject.n + np.attribute.n < OTHERS_LEAST) || np.attribute.n == NAME_WORDS)
    return false;
  prose_attribute_from_subject(&np);
  v.value = prose_span(p, from, to);
  prose_claim(p, &np, &v);
  return true;
}

/* --- without a number ------------------------------------------------------------------------- */

/* "is closed on Mondays" at `be`. */
static bool read_open_days(prose *p, size_t i, size_t be, size_t end) {
  prose_np np;
  prose_value v = { .shape = HM_SHAPE_SWITCH, .from = i, .to = end };
  if (!prose_read_np(p, &np, i, be) || np.person || np.indefinite || np.qualifier.n)
    return false;
  prose_make_all_subject(&np);
  prose_add_words(&np.attribute, "open_on");
  for (size_t k = be + 3; k < end; k++) {
    if (!(p->t[k].cls & (C_DAY | C_AND)) || p->t[k].digit)
      return false;
    if (p->t[k].cls & C_DAY)
      prose_add_word(&np.attribute, prose_singular(p, &p->t[k]));
  }
  v.value = prose_span(p, be + 1, be + 2);
  v.reading = prose_is(p, be + 1, end, "open") ? HM_STR("on") : HM_STR("off");
  prose_claim(p, &np, &v);
  return true;
}

/* "is [not] idempotent" at `be`: what a thing is or is not, to the end. */
static bool read_trait(prose *p, size_t i, size_t be, size_t end) {
  static const char traits[] =
      "asynchronous|atomic|backward-compatible|backwards-compatible|confidential|deterministic|"
      "experimental|idempotent|mandatory|private|proprietary|public|stateful|stateless|"
      "synchronous|thread-safe|waterproof";
  static const char opinions[] =
      "able|acceptable|adorable|affordable|available|capable|comfortable|desirable|enjoyable|"
      "incredible|manageable|memorable|possible|impossible|probable|reasonable|reliable|remarkable|"
      "responsible|suitable|terrible|unable|unbelievable|valuable|stable|unstable|horrible";
  prose_np np;
  size_t must = be - (prose_is(p, be - 1, be, "must") > 0);
  prose_value v = { .shape = HM_SHAPE_SWITCH, .from = i, .to = end };
  bool denied = prose_is(p, be + 1, end, "not");
  size_t at = be + 1 + denied;
  hm_str low = at + 1 == end ? p->t[at].low : HM_EMPTY;
  bool person = prose_one_of(p, at, end, "left-handed|vegan|vegetarian") > 0;
  if (prose_one_of(p, be + 1, end, "open|closed") && prose_is(p, be + 2, end, "on"))
    return read_open_days(p, i, be, end);
  if (!low.n || p->t[at].capital || prose_word_in(low, opinions) ||
      !(person || prose_word_in(low, traits) || prose_ends_in(low, "able|ible")) ||
      !prose_read_np(p, &np, i, must) || (np.person && !person) || np.indefinite ||
      (np.words < 2 && !person))
    return false;
  prose_make_all_subject(&np);
  prose_attribute_from_subject(&np);
  prose_add_word(&np.attribute, low);
  v.value = prose_span(p, be + 1, end);
  v.reading = denied ? HM_STR("off") : HM_STR("on");
  prose_claim(p, &np, &v);
  return true;
}

/* "Proposal 12 was approved by the board": how one certain thing ended. */
static bool read_outcome(prose *p, size_t i, size_t be, size_t end) {
  static const char *const outcomes[] = { "approved|accepted|passed|adopted",
                                          "rejected|declined|denied|turned down|voted down" };
  static const char things[] = "amendment|application|bid|budget|change|claim|grant|motion|offer|"
                               "paper|patch|petition|plan|proposal|request|rfc|tender";
  size_t at = be + 1 + (prose_is(p, be + 1, end, "been") > 0), n = 0, k = 0;
  for (k = 0; k < HM_COUNT(outcomes) && !(n = prose_one_of(p, at, end, outcomes[k])); k++)
    ;
  size_t from = i + (prose_has(p, i, be, C_ARTICLE | C_OWNER) > 0);
  if (!n || be < from + 2 || be > from + 4 ||
      !(prose_one_of(p, be - 1, be, things) || prose_one_of(p, be - 2, be - 1, things)) ||
      (at + n < end && !prose_is(p, at + n, end, "by")))
    return false;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_STATUS, .from = i, .to = end };
  for (size_t w = from; w < be; w++) {
    if (p->t[w].cls & (C_PRONOUN | C_SEVERAL | C_AND | C_NOT) || p->t[w].aside)
      return false;
    prose_add_word(&np.subject, prose_singular(p, &p->t[w]));
  }
  prose_add_words(&np.attribute, "outcome");
  v.value = prose_span(p, at, at + n);
  v.reading = hm_str_sub(hm_str_c(outcomes[k]), 0, strcspn(outcomes[k], "|"));
  prose_claim(p, &np, &v);
  return true;
}

/* "The only sign-in methods are A and B", "the on-call order is A, B, C": a list that is whole. */
static bool read_whole_list(prose *p, size_t i, size_t be, size_t end) {
  enum { ITEM = 3, ITEMS = 8 };
  prose_np np;
  prose_items items = { 0 };
  bool only = prose_are(p, i, end, "the only") > 0,
       ordered = prose_one_of(p, be - 1, be, "order|sequence") > 0;
  prose_value v = { .shape = only ? HM_SHAPE_SET : HM_SHAPE_ATTRIBUTE, .from = i, .to = end };
  if (only == ordered || !prose_read_np(p, &np, i + (only ? 2 : 0), be) || np.indefinite ||
      np.person)
    return false;
  for (size_t k = be + 1, from = k; k < end; k++) {
    const prose_word *t = &p->t[k];
    bool joins = (t->cls & C_AND) || prose_is(p, k, end, "then");
    if (joins && k == from) {
      from++;
      continue;
    }
    bool last = k + 1 == end || t->stop == ',' || prose_one_of(p, k + 1, end, "and|then");
    if (joins || (t->cls & (C_PRONOUN | C_NOT | C_BE | C_COND | C_UNSURE | C_SEVERAL)) ||
        t->aside || (t->stop && t->stop != ',' && k + 1 < end) || k - from >= ITEM)
      return false;
    if (!last)
      continue;
    prose_items_add(p, &items, prose_span(p, from, k + 1));
    from = k + 1;
  }
  if (items.n < 2 || items.n > ITEMS)
    return false;
  prose_attribute_from_subject(&np);
  v.value = prose_span(p, be + 1, end);
  v.reading = prose_items_array(p, &items);
  v.only = only;
  prose_claim(p, &np, &v);
  return true;
}

bool prose_read_frame(prose *p, size_t i, size_t end) {
  static bool (*const forms[])(prose *, size_t, size_t, size_t) = { read_trait, read_outcome,
                                                                    read_whole_list };
  size_t be = i + 1;
  while (be < end && !(p->t[be].cls & (C_BE | C_WAS | C_HAVE)))
    be++;
  for (size_t k = 0; k < HM_COUNT(forms) && be + 1 < end; k++)
    if (forms[k](p, i, be, end))
      return true;
  return read_around_value(p, i, end);
}
