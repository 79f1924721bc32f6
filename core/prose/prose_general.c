/* Statements that are in no table, tried last and only if nothing was claimed: "the pump moves 34
 * kg per hour", "the build score is 1420", "the balance is down to $8,200", "keeps the thermostat
 * at 68 F", "drinks two cups of coffee a day", "the report is 12 pages long", "has 12 days left".
 *
 * Every form has a number in it, a definite subject or a person of the text, and a verb in the
 * present that agrees with its noun. Cost: a clause without a number is left at once. */
#include <string.h>

#include "core/prose/prose_grammar.h"

static bool has_number(const prose *p, size_t i, size_t end) {
  for (; i < end; i++)
    if (p->t[i].digit || (p->t[i].cls & C_NUMBER))
      return true;
  return false;
}

/* A certain thing at [i, j): "my chess rating", "the student loan balance". */
static bool read_thing(prose *p, prose_np *np, size_t i, size_t j) {
  return j > i && prose_read_np(p, np, i, j) && !np->indefinite && !np->fresh && !np->value &&
      !np->person && (np->known_measure || prose_is_definite(p, np, i)) &&
      !prose_is_notion(p, np->last);
}

/* --- is ----------------------------------------------------------------------------------- */

/* "is down to $8,200", "is kept at 45%": skips the words of change before a quantity. */
static size_t skip_way(const prose *p, size_t i, size_t end) {
  static const char *const ways[] = { "back down to",  "back to", "back up to",    "capped at",
                                      "configured to", "down to", "equal to",      "fixed at",
                                      "held at",       "kept at", "maintained at", "set at",
                                      "set to" };
  size_t n = 0;
  for (size_t k = 0; k < HM_COUNT(ways); k++) {
    size_t words = prose_are(p, i, end, ways[k]);
    n = words > n ? words : n;
  }
  return i + n;
}

/* "the report is 12 pages long" behind the number. */
static bool read_size(prose *p, prose_np *np, prose_value *v, prose_quantity *q, size_t end) {
  size_t noun = q->to;
  if (!q->plain || q->range || noun + 1 >= end || p->t[noun].stop || p->t[noun].cls & C_DAY ||
      !hm_str_ends(p->t[noun].low, "s"))
    return false;
  if (!prose_is_dimension(p, noun + 1, end))
    return false;
  prose_set_attribute_noun(p, np, noun, 1);
  q->to = noun + 2;
  return prose_claim_quantity(p, np, v, q, end, NULL);
}

/* "my chess rating is 1420", "the debt is down to $8,200" */
static bool read_is(prose *p, size_t i, size_t end) {
  prose_np np;
  prose_quantity q;
  size_t be = i + 1;
  while (be < end && be < i + 8 && !(p->t[be].cls & (C_BE | C_WAS | C_HAVE | C_MUST)))
    be++;
  if (be + 1 >= end || be >= i + 8 || !prose_is(p, be, end, "is") || p->t[be].stop)
    return false;
  size_t at = be + 1;
  while (prose_has(p, at, end, C_ADVERB))
    at++;
  size_t from = skip_way(p, at, end);
  if (!prose_read_quantity(p, &q, from, end) || q.times || q.unlimited || q.range ||
      !read_thing(p, &np, i, be))
    return false;
  prose_value v = { .from = i, .to = end };
  if (prose_is(p, q.to, end, "from") && q.unit == UNIT_OTHER && q.to + 1 < end) {
    size_t to = prose_tail_start(p, q.to + 1, end); /* "is 300 m from the station" */
    prose_make_all_subject(&np);
    prose_add_words(&np.attribute, "distance_from");
    for (size_t k = q.to + 1; k < to && np.attribute.n < 6; k++)
      if (!(p->t[k].cls & C_ARTICLE))
        prose_add_word(&np.attribute, p->t[k].low);
    q.to = to;
    return prose_claim_quantity(p, &np, &v, &q, end, NULL);
  }
  if (np.subject.n + np.attribute.n + np.qualifier.n < 2 && !(p->about.n && !q.plain))
    return false;
  if (read_size(p, &np, &v, &q, end))
    return true;
  static const char *const fields[] = { "attribute", "bit",      "column",   "field",   "flag",
                                        "header",    "property", "register", "variable" };
  if (from > at && prose_last_word_in(p, &np, fields, HM_COUNT(fields)))
    return false;                                                /* in a case */
  const char *dot = memchr(p->t[from].s.p, '.', p->t[from].s.n); /* a version: "15.0.0" */
  if (q.plain && dot && memchr(dot + 1, '.', (size_t)(p->t[from].s.p + p->t[from].s.n - dot - 1)))
    return false;
  static const char *const passing[] = { "answer", "code", "day",  "guess", "line", "number",
                                         "page",   "step", "week", "diff",  "id",   "result" };
  if (from == at && q.plain && prose_last_word_in(p, &np, passing, HM_COUNT(passing)))
    return false;
  if (from == at &&
      (!q.plain || q.limit || q.to != end || !p->t[from].digit ||
       hm_str_ends(p->t[np.last].low, "s")))
    return false;
  prose_attribute_from_subject(&np);
  return prose_claim_quantity(p, &np, &v, &q, end, NULL);
}

/* --- verbs and measures ------------------------------------------------------------------------
 */

/* "3,000 documents per minute" of a number: the words that are counted, from q->from on; 0: none.
 */
static size_t read_rate(prose *p, prose_quantity *q, size_t end) {
  size_t n = prose_counted_noun(p, q->to, end), per = q->to + n;
  if (!n || per + 1 >= end || !prose_is_unit_word(&p->t[per + 1]) ||
      !(prose_is(p, per, end, "per") || prose_is(p, per, end, "a") ||
        prose_is(p, per, end, "each") || prose_is(p, per, end, "every")))
    return 0;
  prose_add_words(&q->per, "per");
  prose_add_word(&q->per, p->t[per + 1].low);
  q->from = q->to;
  q->to = per + 2;
  return n;
}

/* "the warehouse stores 1,200 pallets", "the table seats 8 people" */
static bool read_holds(prose *p, prose_np *np, prose_quantity *q, size_t i, size_t verb,
                       size_t end) {
  static const char *const verbs[] = { "carries", "carry",  "comprises", "employs",
                                       "fits",    "houses", "seat",      "seats",
                                       "sleeps",  "spans",  "stores" };
  size_t noun = prose_counted_noun(p, q->to, end);
  if (!prose_one_of(p, verb, end, verbs, HM_COUNT(verbs)) || !noun || q->limit)
    return false;
  prose_value v = { .from = i, .to = end };
  prose_set_attribute_noun(p, np, q->to, noun);
  q->to += noun;
  return prose_claim_quantity(p, np, &v, q, end, NULL);
}

/* "the pump moves 34 kg per hour", "the account earns 4.5% interest": of a verb, or of what it
 * has so much of. */
static bool read_does(prose *p, size_t i, size_t end) {
  prose_quantity q;
  prose_np np;
  size_t verb = i + 1, at = 0, n;
  for (; verb + 1 < end && verb < i + 6; verb++) {
    if (p->t[verb - 1].stop || (p->t[verb - 1].cls & (C_BE | C_WAS | C_HAVE | C_MUST | C_PREP)))
      return false;
    at = prose_is(p, verb + 1, end, "at") ? verb + 2 : verb + 1;
    while (prose_has(p, at, end, C_ADVERB))
      at++;
    if (prose_read_quantity(p, &q, at, end) && prose_is_verb_of(p, i, verb))
      break;
  }
  if (verb + 1 >= end || verb >= i + 6 || q.times || q.range || q.unlimited ||
      q.unit == UNIT_TIME || (q.unit == UNIT_MONEY && !q.per.n) || !read_thing(p, &np, i, verb))
    return false;
  const prose_row *r = prose_verb_row(p, verb, end, &n);
  size_t counted = q.plain ? read_rate(p, &q, end) : 0;
  if (q.plain && !counted)
    return read_holds(p, &np, &q, i, verb, end);
  if ((r && (r->k == K_CAP || r->k == K_ALLOW)))
    return false;
  bool way = prose_is(p, verb + 1, end, "at"); /* "rotates at 3 degrees per second" */
  static const char *const says[] = { "advertises", "claims", "guarantees", "promises" };
  if (prose_one_of(p, verb, end, says, HM_COUNT(says)))
    return false; /* hearsay */
  if (way && q.unit == UNIT_RATE)
    return false; /* "throttles at": nobody knows whether it may */
  if (!counted && prose_is(p, q.to, end, "of") && q.to + 2 == end)
    q.to++; /* "of force" */
  size_t noun = counted || q.per.n || q.to >= end || p->t[q.to - 1].stop
      ? 0
      : prose_counted_noun(p, q.to, end);
  if (counted) {
    prose_set_attribute_noun(p, &np, q.from, counted);
  } else if (noun == 1 && !way) {
    prose_set_attribute_noun(p, &np, q.to++, 1);
  } else {
    bool more = q.to < end && !p->t[q.to - 1].stop &&
        !(p->t[q.to].cls & (C_PREP | C_AND | C_TAIL | C_LATELY)); /* "250m CPU" */
    if (noun || more || q.unit == UNIT_PERCENT)
      return false;
    prose_make_all_subject(&np);
    prose_add_word(&np.attribute, prose_singular(p, &p->t[verb]));
    if (way)
      prose_add_words(&np.attribute, "at");
  }
  prose_value v = { .from = i, .to = end };
  return prose_claim_quantity(p, &np, &v, &q, end, NULL);
}

/* "keeps the thermostat at 68 F", "we run the laser at 5 mW" */
static bool read_keeps_at(prose *p, size_t i, size_t end) {
  static const char *const verbs[] = { "hold",      "holds", "keep", "keeps", "maintain",
                                       "maintains", "run",   "runs", "set",   "sets" };
  size_t verb = i, k = HM_COUNT(verbs), at;
  prose_np np;
  for (; verb < end && verb < i + 5 && k == HM_COUNT(verbs); verb++)
    for (k = 0; k < HM_COUNT(verbs) && !prose_is(p, verb, end, verbs[k]);)
      k++;
  if (k == HM_COUNT(verbs) || !prose_has(p, verb, end, C_ARTICLE | C_OWNER))
    return false;
  at = verb;
  while (at < end && at < verb + 6 && !prose_is(p, at, end, "at") && !prose_is(p, at, end, "to"))
    at++;
  prose_value v = { .from = i, .to = end };
  return at < end && at < verb + 6 && prose_read_np(p, &np, verb, at) && !np.indefinite &&
      (np.subject.n + np.attribute.n) && prose_read_at_value(p, &np, &v, at + 1, end, NULL);
}

/* --- people -------------------------------------------------------------------------------- */

/* Finds "a day", "every morning", "daily" after i; end if there is none. */
static size_t find_period(const prose *p, size_t i, size_t end, const char **per, size_t *to) {
  static const char *const periods[] = { "day", "evening", "month", "morning", "night", "week" };
  for (size_t k = i; k < end && k < i + 6; k++) {
    if (k > i && p->t[k - 1].stop)
      return end;
    if (prose_is(p, k, end, "daily"))
      return *per = "day", *to = k + 1, k;
    bool opens = prose_is(p, k, end, "a") || prose_is(p, k, end, "per") ||
        prose_is(p, k, end, "each") || prose_is(p, k, end, "every");
    for (size_t w = 0; opens && w < HM_COUNT(periods); w++)
      if (prose_is(p, k + 1, end, periods[w]))
        return *per = periods[w], *to = k + 2, k;
  }
  return end;
}

/* "drinks two cups of coffee a day", "takes 20 mg of lisinopril every morning", "has 12 vacation
 * days left" */
static bool read_person(prose *p, size_t i, size_t end) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_NOT | C_PRONOUN | C_ARTICLE | C_OWNER |
      C_PREP | C_EVENT | C_MUST | C_COND | C_TAIL | C_UNSURE | C_NUMBER | C_AND;
  prose_person who;
  prose_quantity q;
  const char *per = NULL;
  size_t to;
  if (!prose_read_person(p, &who, i, end) || who.been || who.be)
    return false;
  size_t verb = who.at, at = who.have ? verb : verb + 1;
  if (!prose_read_quantity(p, &q, at, end) || q.per.n || q.times || q.range)
    return false;
  prose_np np = { .family = -1 };
  if (who.have) { /* what is left gets less */
    size_t left = q.to;
    while (left < end && left < q.to + 4 && !prose_is(p, left, end, "left") &&
           !prose_is(p, left, end, "remaining")) {
      if ((p->t[left].cls & refused) || p->t[left].stop || p->t[left].digit)
        return false;
      prose_add_word(&np.subject, p->t[left++].low);
    }
    return q.plain && left > q.to && left < end && left < q.to + 4 &&
        prose_claim_thing(p, &np, HM_SHAPE_COUNT, "left", q.value, q.reading, i, left + 1, end);
  }
  if ((p->t[verb].cls & refused) || p->t[verb].digit || hm_str_ends(p->t[verb].low, "ed"))
    return false;
  size_t stop = find_period(p, q.to, end, &per, &to);
  if (stop == end || stop == q.to || stop > q.to + 4)
    return false;
  bool third = hm_str_ends(p->t[verb].low, "s") && !prose_is(p, i, end, "i");
  prose_add_word(&np.subject, third ? prose_singular(p, &p->t[verb]) : p->t[verb].low);
  for (size_t k = q.to; k < stop; k++) {
    if (prose_is(p, k, end, "of"))
      continue;
    if ((p->t[k].cls & refused) || p->t[k].digit)
      return false;
    prose_add_word(&np.subject, p->t[k].low);
  }
  prose_add_words(&np.qualifier, "per");
  prose_add_words(&np.qualifier, per);
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "amount", q.value, q.reading, i, to, end);
}

/* "the lawn gets mowed every two weeks" */
static bool read_every(prose *p, size_t i, size_t end) {
  size_t every = i + 2, verb;
  prose_quantity q;
  prose_np np;
  while (every < end && every < i + 10 && !prose_is(p, every, end, "every"))
    every++;
  if (every + 1 >= end || every >= i + 10 || !hm_str_ends(p->t[every - 1].low, "ed") ||
      !prose_read_quantity(p, &q, every + 1, end) || q.unit != UNIT_TIME)
    return false;
  verb = every - 2;
  if (!prose_is(p, verb, end, "gets") && !prose_is(p, verb, end, "get"))
    return false;
  prose_value v = { .from = i, .to = end };
  hm_str attribute = HM_CAT(p->a, p->t[every - 1].low, HM_STR("_interval"));
  return read_thing(p, &np, i, verb) &&
      prose_claim_quantity(p, &np, &v, &q, end, hm_str_z(p->a, attribute));
}

bool prose_read_general(prose *p, size_t i, size_t end) {
  if (!has_number(p, i, end))
    return false;
  return read_every(p, i, end) || read_person(p, i, end) || read_is(p, i, end) ||
      read_does(p, i, end) || read_keeps_at(p, i, end);
}
