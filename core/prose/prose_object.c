/* Reads the object of a verb, by the kind of its row (prose_verbs.c): a quantity and what it
 * counts, a value of a family, a name, a time, a place, "from A to B".
 *
 * Each function gets np, what the statement is about, and claims or returns false. */
#include <string.h>

#include "core/prose/prose_grammar.h"

bool prose_has_day(const prose *p, size_t i, size_t end) {
  for (; i < end; i++)
    if (prose_one_of(p, i, end, "today|tonight|yesterday|this|last|next|ago|tomorrow|left"))
      return true;
  return false;
}

bool prose_read_possession(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  if (prose_is(p, i, end, "got"))
    i++;
  while (prose_has(p, i, end, C_ADVERB))
    i++;
  size_t since = i;
  while (since < end && !prose_are(p, since, end, "since the last"))
    since++;
  if (prose_has_day(p, i, since))
    return false;
  if (prose_read_called(p, np, v, i, end, true))
    return true;
  /* "has a timeout of 30 s", "has a rate limit of 100 req/s" */
  prose_quantity bound;
  bool bounded = prose_read_quantity(p, &bound, i, end);
  if (prose_has(p, i, end, C_ARTICLE) && !bounded) {
    size_t of = i + 1;
    while (of < end && of < i + 6 && !prose_is(p, of, end, "of"))
      of++;
    uint64_t cls;
    prose_quantity q;
    if (prose_is(p, of - 1, end, "collection")) /* "has a collection of 25 rare coins" */
      return prose_read_count(p, np, v, of + 1, end, K_HAS);
    size_t n = prose_attribute_words(p, i + 1, of, &cls);
    for (size_t k = i + 1; n && k + n < of; k++) /* "a prefetch count", not "a high count" */
      if ((p->t[k].cls & ~(C_MEASURE | C_NAMED | C_KIND)) || p->t[k].stop ||
          prose_ends_in(p->t[k].low, "er|ed|ing|able"))
        n = 0;
    if (n)
      n = of - i - 1;
    if (of >= end || !n)
      return false;
    size_t second = of + 1; /* "a radius of curvature of 2400 mm" */
    while (second < end && second < of + 3 && !prose_is(p, second, end, "of"))
      second++;
    if (prose_is(p, second, end, "of"))
      n = second - i - 1, of = second;
    if (!prose_read_quantity(p, &q, of + 1, end))
      return false;
    prose_set_attribute_noun(p, np, i + 1, n);
    np->known_measure = true; /* "a capacity of 1,000 entries" */
    return prose_claim_quantity(p, np, v, &q, end, NULL);
  }
  size_t join = bounded && bound.to > i ? bound.to - 1 : i;
  while (join < end && !prose_is(p, join, end, "and") && !(join > i && p->t[join - 1].stop))
    join++;
  prose_quantity q;
  size_t next = prose_is(p, join, end, "and") ? join + 1 : join;
  bool named = next > join && prose_has(p, next, end, C_ARTICLE); /* "and an open rate of 41%" */
  if (!named && !prose_read_quantity(p, &q, next, end))
    return prose_read_count(p, np, v, i, end, K_HAS);
  prose_np other = *np;
  prose_value w = { .from = v->from, .to = end };
  if (prose_read_count(p, np, v, i, join, K_HAS))
    prose_read_possession(p, &other, &w, next, end);
  return true;
}

/* "uses Svelte", "runs Kubernetes 1.29", "targets Python 3.11", "uses X for Y". */
static bool claim_use(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  prose_np saved = *np;
  prose_value clean = *v;
  size_t version;
  hm_str product;
  if (prose_is(p, i, end, "version"))
    return prose_read_version(p, np, v, i, end);
  if (prose_read_called(p, np, v, i, end, false))
    return true;
  if (prose_product_at(p, i, end, &product, &version))
    return prose_read_version(p, np, v, i, end);
  /* "runs firmware 2.3" */
  if (i + 1 < end && prose_is(p, i, end, "firmware") && prose_is_version(p->t[i + 1].s) &&
      !np->person) {
    prose_make_all_subject(np);
    prose_add_words(&np->attribute, "firmware");
    np->known_name = true;
    return prose_read_version(p, np, v, i + 1, end);
  }
  if (prose_has(p, i, end, C_ARTICLE) && !np->person && prose_read_possession(p, np, v, i, end))
    return true; /* "uses a batch size of 64" */
  *np = saved;
  *v = clean;
  prose_match m;
  prose_quantity q; /* "runs 8 workers" */
  if (prose_read_quantity(p, &q, i, end))
    return q.plain && prose_has(p, q.to, end, C_MEASURE) &&
        prose_read_count(p, np, v, i, end, K_HAS);
  bool user = np->person && np->subject.n == 1 && hm_str_is(np->subject.w[0], "user");
  for (size_t k = i + 1; user && k < i + 4; k++)
    if (prose_is(p, k, end, "for"))
      return prose_read_use(p, v->from, i, end);
  bool known = prose_value_at(p, i, end, &m);
  /* "runs on Mailjet, not Brevo": of two that exclude each other one is the tool */
  size_t not = prose_tail_start(p, i, end);
  if (!known && prose_is(p, not, end, "not") && not +1 < end) {
    v->only = true;
    bool one = prose_value_at(p, not +1, end, &m) && m.n == 1;
    return prose_read_store(p, np, v, i, end, one ? prose_family_name(p, m.family[0]) : "tool");
  }
  if (!known || np->person)
    return false;
  int topic = prose_family_topic_of(p, np->last, np->last + 1, &m);
  if (topic >= 0 && prose_match_has(&m, topic) && np->subject.n + np->attribute.n == 1)
    return prose_read_store(p, np, v, i, end, "tool");
  const char *family = NULL;
  /* a value of several families needs a noun, or a purpose, that says which */
  if (m.n > 1 && np->family < 0) {
    int noun = -1;
    bool said =
        m.to < end && prose_family_noun(p, m.to, m.to + 1, &noun) && prose_match_has(&m, noun);
    for (size_t k = m.to + 1; !said && prose_is(p, m.to, end, "for") && k < end; k++) {
      noun = prose_family_topic_of(p, k, end, &m); /* "Redis for session caching" */
      said = noun >= 0 && prose_match_has(&m, noun);
    }
    if (!said)
      return false;
    family = prose_family_name(p, noun);
  }
  if (prose_read_choice(p, np, v, i, end, family))
    return true;
  *np = saved;
  *v = clean;
  return false;
}

static bool claim_time(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                       const char *attribute) {
  prose_quantity q;
  if (strcmp(attribute, "retention") == 0 && !prose_read_quantity(p, &q, i, end)) {
    /* "retains messages for 14 days" */
    size_t at = i;
    while (at < end && at < i + 4 && !prose_is(p, at, end, "for"))
      at++;
    if (at >= end || at == i)
      return false;
    /* "we keep logs for 30 days" is about the logs */
    if (!np->subject.n && !np->attribute.n) {
      if (!prose_read_np(p, np, i, at) || np->indefinite || np->person)
        return false;
    }
    i = at + 1;
  }
  if (!prose_read_quantity(p, &q, i, end))
    return false;
  bool money = q.unit == UNIT_MONEY && strcmp(attribute, "duration") == 0;
  if (q.unit != UNIT_TIME || money || np->person)
    return false;
  return prose_claim_quantity(p, np, v, &q, end, attribute);
}

static bool claim_clock(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                        const char *attribute) {
  size_t to;
  while (prose_has(p, i, end, C_APPROX))
    i++;
  if (!prose_is_clock(p, i, end, &to) && !prose_is_date(p, i, end, &to))
    return false;
  /* "my flight leaves at 6 am": one of several */
  bool one = np->user || (np->subject.n && hm_str_is(np->subject.w[0], "user"));
  if (one && (strcmp(attribute, "departure_time") == 0 || strcmp(attribute, "arrival_time") == 0))
    return false;
  prose_set_attribute(np, attribute);
  v->shape = HM_SHAPE_ATTRIBUTE;
  v->value = prose_span(p, i, to);
  v->to = to;
  if (prose_are(p, to, end, "every day"))
    to += 2;
  return prose_claim_with_tail(p, np, v, to, end);
}

/* "log shipping moved from Fluentd to Vector": B at `at` is of the family of A at i. */
static bool moved_from(prose *p, prose_np *np, prose_value *v, size_t i, size_t at, size_t end) {
  prose_match m;
  size_t stop = prose_tail_start(p, at, end);
  prose_np bound;
  if (!prose_value_at(p, i, at, &m) || !prose_is(p, m.to, end, "to") || stop == at ||
      stop - at > 2 || np->known_measure)
    return false;
  for (size_t k = at; k < stop; k++)
    if (!prose_looks_named(&p->t[k]) || p->t[k].digit || (p->t[k].cls & (C_PRONOUN | C_DAY)))
      return false;
  if (np->words && !prose_read_family_np(p, &bound, np->last + 1 - np->words, np->last + 1, &m))
    return false;
  if (!np->words) {
    bound = (prose_np){ .family = -1 };
    prose_add_words(&bound.attribute, prose_family_name(p, m.family[0]));
  }
  *np = bound;
  v->shape = HM_SHAPE_CHOICE;
  v->value = prose_span(p, at, stop);
  v->to = stop;
  v->family = true;
  prose_claim_with_tail(p, np, v, stop, end);
  return true;
}

bool prose_read_moved(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  size_t to = i;
  while (to < end && !prose_is(p, to, end, "to"))
    to++;
  if (to + 1 >= end)
    return false;
  if (to > i) {
    if (!prose_is(p, i, end, "from"))
      return false;
    v->left = prose_span(p, i + 1, to);
  }
  prose_match m;
  size_t at = prose_has(p, to + 1, end, C_ARTICLE) ? to + 2 : to + 1;
  bool person = prose_is_person(p, np);
  hm_str product;
  size_t version;
  if (np->value) { /* "Postgres was upgraded to 16" */
    if (!prose_is_version(p->t[at].s) || !prose_value_at(p, np->last, np->last + 1, &m))
      return false;
    np->subject = np->attribute = (prose_name){ 0 };
    prose_add_word(&np->subject, m.name);
    prose_add_words(&np->attribute, "version");
    np->value = false;
    return prose_read_version(p, np, v, at, end);
  }
  if (prose_value_at(p, at, end, &m) && !prose_product_at(p, at, end, &product, &version)) {
    if (np->family >= 0 && prose_match_has(&m, np->family))
      return prose_read_choice(p, np, v, at, end, NULL);
    if (prose_match_is_store(p, &m))
      return prose_read_store(p, np, v, at, end, "store");
    return prose_read_choice(p, np, v, at, end, NULL);
  }
  size_t stop = prose_tail_start(p, at, end);
  bool place = stop > at && stop - at <= 2;
  for (size_t k = at; k < stop; k++)
    place = place && p->t[k].capital && !(p->t[k].cls & C_DAY) && !p->t[k].digit && !p->t[k].code;
  if (person && place)
    return prose_read_place(p, np, v, at, end, "residence", false);
  if (person)
    return false;
  if (v->left.n && moved_from(p, np, v, i + 1, at, end))
    return true;
  if (to == i && prose_read_schedule(p, np, v->from, to, end))
    return true;
  prose_np saved = *np;
  prose_value clean = *v;
  if (prose_read_value(p, np, v, at, end, 't'))
    return true;
  *np = saved;
  *v = clean;
  /* "the freezer is set to -80 C" */
  return !np->known_measure && prose_read_at_value(p, np, v, at, end, NULL);
}

/* "needs 300 stars", "requires Python 3.10 or later". */
static bool claim_need(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  hm_str product;
  size_t version, to = prose_product_at(p, i, end, &product, &version);
  if (np->person)
    return false;
  if (!to)
    return prose_read_count(p, np, v, i, end, K_NEED);
  if (prose_is(p, to, end, "or") && to + 2 == end) {
    np->limit = LIMIT_MIN;
    return prose_read_version(p, np, v, i, to);
  }
  return prose_read_version(p, np, v, i, end);
}

/* A value of the family; what is deployed to no region is hosted there. */
static bool claim_family(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                         const char *family) {
  prose_np saved = *np;
  prose_value clean = *v;
  prose_match m;
  if (prose_read_choice(p, np, v, i, end, family))
    return true;
  *np = saved;
  *v = clean;
  if (strcmp(family, "language") == 0 && /* "written in Markdown" */
      prose_read_choice(p, np, v, i, end, "data_format"))
    return true;
  *np = saved;
  *v = clean;
  if (strcmp(family, "language") == 0 && prose_value_at(p, i, end, &m) && /* "written in Vitest" */
      prose_match_has(&m, prose_family_topic_of(p, np->last, np->last + 1, &m)))
    return prose_read_store(p, np, v, i, end, "tool");
  if (strcmp(family, "material") == 0 && i + 1 == end && !p->t[i].cls && !p->t[i].capital &&
      !p->t[i].digit && !np->person && !np->indefinite && !prose_ends_in(p->t[i].low, "ing|ed|s"))
    return prose_claim_attribute(p, np, v, "material", i, end, end); /* "made of birch" */
  return strcmp(family, "region") == 0 && np->subject.n + np->attribute.n > 0 &&
      prose_value_at(p, i, end, &m) && prose_read_store(p, np, v, i, end, "hosting");
}

/* "supports JSON and XML", "supports up to 20 seats". */
static bool claim_supported(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                            const char *verb) {
  prose_np saved = *np;
  prose_value clean = *v;
  hm_str product;
  size_t version;
  if (prose_read_set(p, np, v, i, end, verb))
    return true;
  *np = saved;
  *v = clean;
  if (prose_product_at(p, i, end, &product, &version))
    return false;
  return !np->person && prose_read_count(p, np, v, i, end, K_ALLOW);
}

/* "went up to 5%", "dropped to 0.4%", "went from 10 s to 5 s"; not on a certain day. */
static bool claim_shift(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  bool way = prose_one_of(p, i, end, "up|down");
  if (way)
    i++;
  bool to = prose_is(p, i, end, "to") && (way || !prose_has_day(p, i, end));
  if (np->person || !(to || prose_is(p, i, end, "from")))
    return false;
  return prose_read_moved(p, np, v, i, end);
}

/* "listens on port 8080", "costs $9", "weighs 5 kg"; not "the bike cost $900", which was paid once.
 */
static bool claim_measure(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                          const char *attribute, bool paid) {
  prose_quantity q;
  bool port = strcmp(attribute, "port") == 0, cost = strcmp(attribute, "cost") == 0;
  if (port && prose_is(p, i, end, "port"))
    i++;
  return prose_read_quantity(p, &q, i, end) && (!q.plain || port) &&
      !(cost && (np->person || paid)) && prose_claim_quantity(p, np, v, &q, end, attribute);
}

bool prose_read_object(prose *p, const prose_row *r, prose_np *np, prose_value *v, size_t i,
                       size_t end, bool is) {
  prose_quantity q;
  size_t verb = i - 1; /* its last word */
  if (!is || r->k != K_NAME)
    while (prose_has(p, i, end, C_ADVERB) && !prose_is(p, i, end, "only")) {
      if (prose_is(p, i, end, "also"))
        v->also = true;
      i++;
    }
  switch (r->k) {
    case K_QUANTITY:
      return claim_measure(p, np, v, i, end, r->attribute,
                           prose_is(p, verb, verb + 1, "cost") &&
                               !hm_str_ends(p->t[np->last].low, "s"));
    case K_TIME: /* "expires in 15 minutes", "expires in August 2029" */
      return claim_time(p, np, v, i, end, r->attribute) ||
          (prose_is(p, verb, verb + 1, "in") && strcmp(r->attribute, "expiry") == 0 &&
           claim_clock(p, np, v, i, end, "expiry_date"));
    case K_LIMIT:
      if (prose_is(p, i, end, "to"))
        i++;
      return prose_read_count(p, np, v, i, end, K_LIMIT);
    case K_ALLOW:
    case K_CAP: {
      prose_match m;
      if (r->words[0] == 'r' && prose_value_at(p, i, end, &m))
        return prose_read_choice(p, np, v, i, end, "data_format");
      /* "free tier users get 3 projects": each of them, and no person */
      bool all = np->words > 1 && !np->fresh && prose_last_word_in(p, np, "users|customers");
      return (!np->person || all) && prose_read_count(p, np, v, i, end, r->k);
    }
    case K_HAS:
      return prose_read_possession(p, np, v, i, end);
    case K_NEED:
      return claim_need(p, np, v, i, end);
    case K_EVERY:
      return prose_read_quantity(p, &q, i, end) && q.unit == UNIT_TIME &&
          prose_claim_quantity(p, np, v, &q, end, r->attribute);
    case K_CLOCK:
      return claim_clock(p, np, v, i, end, r->attribute) ||
          (prose_is(p, verb, verb + 1, "at") && prose_read_at_value(p, np, v, i, end, NULL));
    case K_AT: /* "stand-ups are held at 9:30" */
      return prose_read_at_value(p, np, v, i, end, r->attribute) ||
          (strcmp(r->words, "held at") == 0 && claim_clock(p, np, v, i, end, "time"));
    case K_FAMILY:
      return claim_family(p, np, v, i, end, r->attribute);
    case K_STORE:
      return prose_read_store(p, np, v, i, end, r->attribute);
    case K_USE:
      return claim_use(p, np, v, i, end);
    case K_NAME:
      return prose_read_named(p, np, v, i, end, r->attribute);
    case K_PLACE:
      return prose_read_place(p, np, v, i, end, r->attribute, is && strcmp(r->words, "in") == 0);
    case K_ORIGIN:
      return prose_read_origin(p, np, v, i, end, r->words[0] == 'c');
    case K_SET:
      return claim_supported(p, np, v, i, end, r->attribute);
    case K_MOVE:
      return prose_read_moved(p, np, v, i, end);
    case K_SHIFT:
      return claim_shift(p, np, v, i, end);
    case K_VERSION:
      return prose_read_version(p, np, v, i, end);
    case K_SAME:
      if (r->attribute)
        np->limit = LIMIT_DEFAULT;
      return prose_read_value(p, np, v, i, end, 't');
    case K_AS:
      return false;
  }
  return false;
}
