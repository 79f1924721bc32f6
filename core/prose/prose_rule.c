/* Rules: "commits must be signed", "never deploy on Fridays", "only Dana may approve releases".
 *
 * A rule is a switch: always and must are on, never and must not are off, need not is optional.
 * "Never commit without tests" is "always test before commit". Words of a rule are stemmed, so that
 * "deploying on Fridays" and "deploy on Fridays" are equal. */
#include <string.h>

#include "core/prose/prose_grammar.h"

enum { RULE_WORDS = 8 };

static void claim_rule(prose *p, prose_np *np, prose_value *v, const char *reading) {
  v->shape = HM_SHAPE_SWITCH;
  v->reading = hm_str_c(reading);
  if (np->attribute.n >= 2)
    prose_claim(p, np, v);
}

/* "always DO", "never DO", "do not DO", "never DO without DOING": from the word behind the adverb.
 */
static bool read_habit(prose *p, size_t from, size_t i, size_t end, bool on) {
  prose_np np = { .family = -1 };
  prose_value v = { .from = from, .value = prose_span(p, i - 1, i) };
  size_t stop = i, without = end;
  while (stop < end && !(stop > i && (p->t[stop - 1].stop || (p->t[stop].cls & (C_TAIL | C_COND)))))
    stop++;
  for (size_t k = i; k < stop; k++) {
    if (prose_is(p, k, stop, "without"))
      without = k;
    else if (p->t[k].cls & (C_PRONOUN | C_NOT | C_AND | C_BE | C_WAS | C_HAVE))
      return true;
  }
  /* "never uses": what something does, and no rule */
  if (hm_str_ends(p->t[i].low, "s") && !hm_str_ends(p->t[i].low, "ss"))
    return true;
  /* "do not use for onboarding" says not of what */
  if (!p->about.n && prose_one_of(p, i, stop, "use for|use to"))
    return true;
  /* "never combine with **" says not with what */
  if (prose_one_of(p, stop - 1, stop, "at|for|from|into|of|than|to|with"))
    return true;
  if (stop - i < 2 || stop - i > RULE_WORDS || (p->t[i].cls & (C_STATE | C_ARTICLE | C_PREP)) ||
      prose_is(p, i, end, "ever"))
    return true;
  v.to = stop;
  if (prose_is(p, i, end, "let") && !on) {
    prose_add_stems(p, &np.attribute, i + 1, stop);
  } else if (without < stop) {
    if (on || without + 1 >= stop)
      return true;
    prose_add_stems(p, &np.attribute, without + 1, stop);
    prose_add_words(&np.attribute, "before");
    prose_add_stems(p, &np.attribute, i, without);
    on = true;
  } else {
    prose_add_stems(p, &np.attribute, i, stop);
  }
  claim_rule(p, &np, &v, on ? "on" : "off");
  return true;
}

/* What a must or a may says: subject at [i, must), the verb behind it at verb. */
typedef struct {
  size_t i, must, verb, end;
  bool on, optional, may;
} duty;

static const char *duty_reading(const duty *d) {
  return d->optional ? "optional" : d->on ? "on" : "off";
}

/* "must not exceed 25 MB", "must be at least 12 characters long". */
static bool read_must_measure(prose *p, const duty *d, prose_np *np, size_t at) {
  prose_quantity q;
  prose_value v = { .from = d->i, .to = d->end };
  if (prose_is(p, d->verb, d->end, "exceed") && !d->on) {
    np->limit = LIMIT_MAX;
    if (!prose_read_quantity(p, &q, d->verb + 1, d->end))
      return true;
    if (!np->known_measure && !np->known_name && q.unit == UNIT_BYTES)
      prose_claim_quantity(p, np, &v, &q, d->end, "size");
    else if (!np->known_measure && q.plain)
      prose_read_count(p, np, &v, d->verb + 1, d->end, K_LIMIT);
    else if (np->attribute.n)
      prose_claim_quantity(p, np, &v, &q, d->end, NULL);
    return true;
  }
  if (prose_one_of(p, d->verb, d->end, "fit in|fit into")) {
    np->limit = LIMIT_MAX; /* "must fit in 512 kB" */
    if (d->on && !d->may && prose_read_quantity(p, &q, d->verb + 2, d->end) && q.unit == UNIT_BYTES)
      prose_claim_quantity(p, np, &v, &q, prose_is(p, q.to, d->end, "of") ? q.to : d->end, "size");
    return true;
  }
  /* "must stay above 80 %" */
  bool stays = prose_one_of(p, d->verb, d->end, "stay|remain");
  size_t bound = stays ? d->verb + 1 : at;
  bool above = prose_one_of(p, bound, d->end, "above|over");
  if (d->on && !d->may && bound > d->verb &&
      (above || (stays && prose_one_of(p, bound, d->end, "below|under"))) &&
      prose_read_quantity(p, &q, bound + 1, d->end)) {
    bool bytes = q.unit == UNIT_BYTES && !np->known_measure;
    if (!np->known_measure && q.plain)
      return true;
    if (!bytes)
      prose_attribute_from_subject(np);
    q.limit = above ? LIMIT_MIN : LIMIT_MAX;
    prose_claim_quantity(p, np, &v, &q, d->end, bytes ? "size" : NULL);
    return true;
  }
  if (stays && prose_has(p, bound, d->end, C_STATE))
    return true;                                       /* "must remain available" */
  size_t what = d->may && at == d->verb ? at + 1 : at; /* "can create up to 10 projects" */
  if (prose_one_of(p, at, d->end, "under|below"))
    what = at = at + 1;
  if (what == d->verb || !prose_read_quantity(p, &q, what, d->end))
    return false;
  if (q.limit && q.plain && what > d->verb && !prose_is(p, q.to, d->end, "characters") &&
      !prose_is(p, d->verb, d->end, "be") && d->on)
    return prose_read_count(p, np, &v, what, d->end, K_CAP), true;
  if (what != at)
    return true;
  const char *attribute = np->attribute.n ? NULL : q.unit == UNIT_BYTES ? "size" : NULL;
  if (q.plain && prose_is(p, q.to, d->end, "characters") && !np->attribute.n) {
    attribute = "length";
    q.to += prose_is(p, q.to + 1, d->end, "long") ? 2 : 1;
  }
  bool be = prose_is(p, d->verb, d->end, "be");
  if (be && d->on && !d->may && prose_one_of(p, what - 1, d->end, "under|below"))
    q.limit = LIMIT_MAX;
  if (be && d->on && !d->may && !np->attribute.n && !attribute && !q.plain && !np->person)
    prose_attribute_from_subject(np);
  if (q.limit || !d->may)
    prose_claim_quantity(p, np, &v, &q, d->end, attribute);
  return true;
}

/* "must be signed", "must be off", "must be JSON": the word after "be" is at `at` and ends before
 * stop. */
static void read_must_be(prose *p, const duty *d, prose_np *np, size_t at, size_t stop) {
  prose_value v = { .from = d->i, .value = prose_span(p, d->must, d->verb), .denied = !d->on };
  prose_match m;
  if (d->may)
    return;
  if (!d->optional && prose_is_state(p, at, d->end)) {
    prose_read_switch(p, np, &v, at, d->end);
    return;
  }
  if (!d->optional && prose_value_at(p, at, d->end, &m)) {
    prose_read_choice(p, np, &v, at, d->end, NULL);
    return;
  }
  if (p->t[at].cls & (C_MOVED | C_STATE))
    return; /* "must be raised": a task */
  if (stop != at + 1 || !prose_ends_in(p->t[at].low, "ed|en")) {
    if (!d->optional)
      prose_read_value(p, np, &v, at, d->end, 'i'); /* "must be IP67", as "is" */
    return;
  }
  v.denied = false;
  prose_attribute_from_subject(np);
  if (!prose_is(p, at, d->end, "used"))
    prose_add_word(&np->attribute, p->t[at].low);
  v.to = stop;
  v.shape = HM_SHAPE_SWITCH;
  v.reading = hm_str_c(duty_reading(d));
  prose_claim_with_tail(p, np, &v, stop, d->end);
}

/* What is granted by "may". */
static const char granted[] =
    "use|touch|access|approve|book|bring|call|change|commit|connect|create|delete|deploy|download|"
    "edit|enter|export|import|invite|join|leave|merge|open|park|post|publish|push|read|share|smoke|"
    "upload|write";

static bool names_amount(prose *p, size_t i, size_t end) {
  prose_quantity q;
  size_t to;
  for (; i < end; i++)
    if ((prose_read_quantity(p, &q, i, end) && !q.plain) || prose_is_clock(p, i, end, &to))
      return true;
  return false;
}

static bool read_must(prose *p, duty d) {
  size_t end = d.end, verb = d.verb;
  prose_np np;
  if (verb >= end || !prose_read_np(p, &np, d.i, d.must) || np.fresh)
    return true;
  size_t thing = d.i; /* "all four must pass", "the two must not meet": of nothing that is named */
  while (thing < d.must && (p->t[thing].cls & (C_ARTICLE | C_SEVERAL | C_NUMBER)))
    thing++;
  if (thing == d.must)
    return true;
  bool be = prose_is(p, verb, end, "be");
  bool holds = prose_one_of(p, verb, end, "have|contain|include");
  size_t at = be || holds ? verb + 1 : verb, stop = at;
  if (read_must_measure(p, &d, &np, at))
    return true;
  if (d.on && !d.may && !d.optional && names_amount(p, verb, end))
    return true; /* "must dry for 4 hours": no rule, but an amount */
  if (holds && !prose_is(p, verb, end, "have"))
    at = stop = verb;
  while (stop < end &&
         !(stop > at && (p->t[stop - 1].stop || (p->t[stop].cls & (C_TAIL | C_COND | C_PREP)))))
    stop++;
  for (size_t k = at; k < stop; k++)
    if (p->t[k].cls & (C_PRONOUN | C_NOT | C_AND) || prose_is(p, k, end, "only"))
      return true;
  if (at > verb && !be)
    return true; /* "must have finished" */
  if (be) {
    if (at < end)
      read_must_be(p, &d, &np, at, stop);
    return true;
  }
  bool grants = prose_one_of(p, verb, end, granted);
  bool many = hm_str_ends(p->t[d.must - 1].low, "s"); /* "tests may", not "the parser may" */
  if ((d.may && (!grants || !many || prose_is(p, d.must, end, "can"))) || np.person)
    return true;
  while (stop < end && !(p->t[stop - 1].stop || (p->t[stop].cls & (C_TAIL | C_COND))))
    stop++;
  if (verb + 1 == stop && prose_one_of(p, verb, end, "fail|finish|succeed|work|wait|happen"))
    return true;
  if (stop - verb > RULE_WORDS)
    return true;
  np = (prose_np){ .family = -1 };
  prose_value v = { .from = d.i, .to = stop, .value = prose_span(p, d.must, verb) };
  for (size_t k = d.i; k < d.must; k++)
    if (!(p->t[k].cls & (C_ARTICLE | C_OWNER | C_SEVERAL)))
      prose_add_word(&np.attribute, prose_singular(p, &p->t[k]));
  prose_add_stems(p, &np.attribute, verb, stop);
  claim_rule(p, &np, &v, duty_reading(&d));
  return true;
}

/* "only PNG and JPEG uploads are allowed", "deploys are allowed on Tuesdays [only]". */
static bool read_allowed(prose *p, size_t i, size_t end) {
  size_t be = i, from = prose_is(p, i, end, "only") ? i + 1 : i, k = from, to = from;
  while (be < end && !prose_has(p, be, end, C_BE))
    be++;
  bool allowed = prose_one_of(p, be + 1, end, "allowed|accepted|supported|permitted");
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_SET, .from = i, .only = from > i };
  prose_items items = { 0 };
  if (be >= end || !allowed)
    return false;
  if (be + 2 == end) {
    prose_match m;
    for (; k < be && prose_value_at(p, k, be, &m); k = to) {
      if (items.n && !prose_match_has(&m, np.family))
        return false;
      if (!items.n)
        np.family = m.family[0];
      prose_items_add(p, &items, m.name);
      v.value = prose_span(p, from, m.to);
      to = m.to;
      if (prose_has(p, to, be, C_AND))
        to++;
    }
    if (!items.n || be - k > 2 || (k == be && !v.only) || (p->t[k].cls & (C_PREP | C_PRONOUN)))
      return false;
    for (; k < be; k++)
      prose_add_word(&np.subject, prose_singular(p, &p->t[k]));
    prose_add_words(&np.attribute, "supported");
    prose_add_words(&np.attribute, prose_family_name(p, np.family));
    v.to = end;
  } else {
    if (!prose_is(p, be + 2, end, "on") || !prose_has(p, be + 3, end, C_DAY))
      return false;
    for (k = be + 3; k < end && (p->t[k].cls & (C_DAY | C_AND)); k++) {
      if (p->t[k].cls & C_AND)
        continue;
      prose_items_add(p, &items, prose_singular(p, &p->t[k]));
      v.to = k + 1;
    }
    v.value = prose_span(p, be + 3, v.to);
    if (prose_is(p, k, end, "only"))
      v.only = true, v.to = ++k;
    if (k < end || be - from > 4)
      return false;
    prose_add_stems(p, &np.attribute, from, be);
    prose_add_words(&np.attribute, "allowed_day");
  }
  v.also = !v.only;
  v.reading = prose_items_reading(p, &items);
  prose_claim(p, &np, &v);
  return true;
}

bool prose_read_rule(prose *p, size_t i, size_t end) {
  if (read_allowed(p, i, end))
    return true;
  size_t at = prose_one_of(p, i, end, "we|please") ? i + 1 : i, n;
  if (i && prose_is(p, i - 1, i, "so"))
    return false; /* what follows from it */
  if (prose_is(p, at, end, "always") && !prose_has(p, at + 1, end, C_BE))
    return at + 1 < end && read_habit(p, i, at + 1, end, true);
  if (prose_is(p, at, end, "never"))
    return at + 1 < end && read_habit(p, i, at + 1, end, false);
  n = prose_is(p, at, end, "don't") ? 1 : prose_are(p, at, end, "do not");
  if (n && at == i) { /* "don't crash" is what a change does, "don't push to main" a rule */
    static const char acts[] =
        "add|amend|change|commit|create|delete|deploy|edit|force-push|hardcode|install|merge|"
        "modify|push|rebase|release|remove|rename|run|share|squash|store|touch|use";
    if (prose_one_of(p, at + n, end, acts))
      return read_habit(p, i, at + n, end, false);
    return false;
  }
  for (size_t k = i + 1; k < end && k < i + 9; k++) {
    if (p->t[k].capital)
      continue; /* the month */
    bool must = prose_one_of(p, k, end, "must|shall"), can = prose_is(p, k, end, "can");
    bool may = prose_is(p, k, end, "may") || can;
    if ((may || must) && prose_is(p, i, end, "only"))
      return true;
    if (prose_are(p, k, end, "need not"))
      return read_must(p, (duty){ i, k, k + 2, end, true, true, false });
    if (!must && !may)
      continue;
    bool off = prose_one_of(p, k + 1, end, "not|never");
    bool always = prose_is(p, k + 1, end, "always");
    return read_must(p, (duty){ i, k, k + 1 + (off || always), end, !off, false, may });
  }
  return false;
}
