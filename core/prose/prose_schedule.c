/* Recurring times of a thing: "open from 8:00 to 20:00", "on Tuesdays at 10:00", "Sundays
 * 02:00-04:00 UTC"; and with any verb "the exporter scrapes every 15 s", "invoices go out on
 * Mondays at 9:00", "drops idle connections after 60 seconds".
 *
 * The day is part of the attribute's name: a time on Fridays does not contradict one on other days.
 * With a verb that is in no table, the thing must be definite and not a person. */
#include <string.h>

#include "core/prose/prose_grammar.h"

/* --- hours and days --------------------------------------------------------------------------- */

/* "9am-5pm" in one word */
static bool is_joined_hours(const prose *p, size_t i) {
  hm_str s = p->t[i].low;
  const char *dash = s.n > 4 ? memchr(s.p + 1, '-', s.n - 2) : NULL;
  if (!dash)
    return false;
  prose_word halves[2] = { p->t[i], p->t[i] };
  halves[0].low = halves[0].s = hm_str_sub(s, 0, (size_t)(dash - s.p));
  halves[1].low = halves[1].s = hm_str_sub(s, (size_t)(dash - s.p) + 1, s.n);
  prose half = *p;
  half.t = halves;
  half.n = 2;
  size_t to;
  return prose_is_clock(&half, 0, 1, &to) && prose_is_clock(&half, 1, 2, &to);
}

/* "from 9 am to 5 pm", "9am-5pm" at i; *to: behind it. */
static bool is_hours(const prose *p, size_t i, size_t end, size_t *to) {
  bool from = prose_is(p, i, end, "from") || prose_is(p, i, end, "between");
  if (from)
    i++;
  if (i >= end)
    return false;
  if (is_joined_hours(p, i))
    return *to = i + 1, true;
  if (!from || !prose_is_clock(p, i, end, to))
    return false;
  return (prose_is(p, *to, end, "to") || prose_is(p, *to, end, "and") ||
          prose_is(p, *to, end, "until")) &&
      prose_is_clock(p, *to + 1, end, to);
}

bool prose_read_hours(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  bool open = prose_is(p, i, end, "open"), free = prose_is(p, i, end, "available");
  size_t at = i + 1, to;
  if (!open && !free)
    return false;
  if (prose_are(p, at, end, "to work") || prose_are(p, at, end, "for work"))
    at += 2;
  if (!is_hours(p, at, end, &to) || v->denied)
    return false;
  if (prose_is(p, at, end, "from") || prose_is(p, at, end, "between"))
    at++;
  return prose_claim_attribute(p, np, v, open ? "opening_hours" : "available_hours", at, to, end);
}

/* "Wednesday mornings" */
static bool is_part_of_day(const prose *p, size_t i, size_t end) {
  return prose_is(p, i, end, "mornings") || prose_is(p, i, end, "evenings") ||
      prose_is(p, i, end, "afternoons") || prose_is(p, i, end, "nights");
}

/* What comes back each week, so that one day is a rule and no event. */
static bool is_weekly(const prose *p, const prose_np *np) {
  static const char *const words[] = { "pickup",    "collection", "standup", "stand-up", "practice",
                                       "rehearsal", "lesson",     "class",   "off-day" };
  return prose_last_word_in(p, np, words, HM_COUNT(words));
}

/* Days from k on; bare: no "on" stands before them, and each ends in s: "Mondays 10:00". */
static bool read_days_at(prose *p, const prose_np *of, size_t from, size_t k, size_t end, bool on,
                         bool bare) {
  prose_np days = *of, time = *of;
  prose_name name = { .n = 0 };
  prose_items items = { 0 };
  size_t first = k, to = k, hour, clock_at;
  if (of->indefinite || !(of->subject.n + of->attribute.n))
    return false;
  for (; k < end && ((p->t[k].cls & C_AND) || prose_is_weekday(p, p->t[k].low)); k++) {
    if (p->t[k].cls & C_AND)
      continue;
    bool part = is_part_of_day(p, k + 1, end), many = hm_str_ends(p->t[k].low, "s");
    if (on && !many && !part && !is_weekly(p, of))
      return false; /* one of them: an event */
    hm_str day = prose_singular(p, &p->t[k]);
    prose_add_word(&name, day);
    prose_items_add(p, &items, day);
    k += part;
    to = k + 1;
  }
  if (!items.n || items.n > 4)
    return false;
  bool at = prose_is(p, to, end, "at") && prose_is_clock(p, to + 1, end, &hour);
  if (!at && prose_is(p, to, end, "at") && to + 2 == end && p->t[to + 1].digit &&
      p->t[to + 1].s.n <= 2)
    at = true, hour = to + 2; /* "on Thursdays at 11" */
  clock_at = to + 1;
  if (!at && bare && (prose_is_clock(p, to, end, &hour) || is_hours(p, to, end, &hour))) {
    at = true, clock_at = to; /* "Mondays 10:00", "Sundays 02:00-04:00 UTC" */
    if (hour + 1 == end && p->t[hour].upper)
      hour++;
  }
  bool only = !bare && first > 1 && prose_is(p, first - 2, first, "only");
  if (!at && !only && prose_is(p, to, end, "only"))
    only = true, to++; /* "on Mondays only" */
  if (!at && to < end)
    return false;
  prose_value v = { .shape = HM_SHAPE_SET, .from = from, .to = to, .also = !only, .only = only };
  v.value = prose_span(p, first, to);
  v.reading = prose_items_reading(p, &items);
  prose_set_attribute(&days, "days");
  prose_claim(p, &days, &v);
  if (!at)
    return true;
  v = (prose_value){ .from = from };
  prose_add_name(&time.qualifier, &name);
  prose_claim_attribute(p, &time, &v, "time", clock_at, hour, end);
  return true;
}

bool prose_read_days(prose *p, const prose_np *of, size_t from, size_t i, size_t end) {
  return prose_is_weekday(p, p->t[i].low) && hm_str_ends(p->t[i].low, "s") &&
      read_days_at(p, of, from, i, end, true, true);
}

bool prose_read_schedule(prose *p, const prose_np *of, size_t from, size_t i, size_t end) {
  bool every = prose_is(p, i, end, "every"),
       on = prose_is(p, i, end, "on") || prose_is(p, i, end, "to"); /* "moved to Thursdays" */
  return (every || on) && read_days_at(p, of, from, i + 1, end, on, false);
}

/* --- a verb and when -------------------------------------------------------------------------- */

bool prose_is_verb_of(const prose *p, size_t i, size_t k) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_NOT | C_PREP | C_ARTICLE | C_OWNER |
      C_PRONOUN | C_MUST | C_EVENT | C_AND | C_COND | C_TAIL | C_UNSURE | C_SEVERAL | C_PERSON |
      C_ADVERB | C_NUMBER | C_DAY | C_STATE;
  const prose_word *t = &p->t[k], *noun = &p->t[k - 1];
  if (prose_is(p, k, k + 1, "happen") || prose_is(p, k, k + 1, "happens"))
    return false;
  if (k == i || (t->cls & refused) || t->digit || t->capital || t->stop || t->aside || t->owns ||
      t->low.n < 3 || hm_str_ends(t->low, "ed") || hm_str_ends(t->low, "ing") ||
      hm_str_ends(t->low, "ly") || noun->stop)
    return false;
  bool ends = hm_str_ends(t->low, "s") && !hm_str_ends(t->low, "ss");
  return prose_is_plural(noun) != ends;
}

/* The words behind the verb that say how often: "nightly", "every day". */
static size_t often_words(const prose *p, size_t i, size_t end) {
  static const char *const often[] = { "daily",         "every day",     "every night", "nightly",
                                       "every morning", "every evening", "each day" };
  return prose_one_of(p, i, end, often, HM_COUNT(often));
}

/* Adds the attribute for the verb at k: "start_time" for verbs of running or starting, else the
 * verb and `of`. */
static void add_deed(prose *p, prose_np *np, size_t k, const char *of) {
  static const char *const starts[] = { "run",    "runs",    "start",    "starts", "begin",
                                        "begins", "execute", "executes", "launch", "launches" };
  prose_make_all_subject(np);
  for (size_t s = 0; s < HM_COUNT(starts); s++)
    if (prose_is(p, k, k + 1, starts[s])) {
      prose_add_words(&np->attribute, strcmp(of, "time") == 0 ? "start_time" : of);
      return;
    }
  prose_add_word(&np->attribute, prose_singular(p, &p->t[k]));
  prose_add_words(&np->attribute, of);
}

/* "drops idle connections after 60 seconds", "checks the queue every 30 s": what a thing does to
 * another, and when. */
static bool read_done_after(prose *p, size_t i, size_t end) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_MUST | C_NOT | C_COND | C_AND | C_PREP |
      C_TAIL | C_UNSURE | C_PRONOUN | C_EVENT | C_NUMBER | C_SEVERAL | C_DAY;
  size_t when = i + 2, verb = i + 1;
  prose_quantity q;
  prose_np np, object;
  for (; when + 1 < end && when < i + 9; when++) {
    if (prose_is(p, when, end, "after") || prose_is(p, when, end, "every"))
      break;
    if (p->t[when - 1].stop || p->t[when - 1].aside || (p->t[when].cls & refused))
      return false;
  }
  if (when + 1 >= end || when >= i + 9 || p->t[when - 1].stop ||
      !prose_read_quantity(p, &q, when + 1, end) || q.unit != UNIT_TIME)
    return false;
  while (verb + 1 < when && !prose_is_verb_of(p, i, verb))
    verb++;
  if (verb + 1 >= when || when - verb > 4)
    return false;
  for (size_t k = i + 1; k < when; k++) /* the tables know it: "tokens expire after" */
    if (prose_verb_row(p, k, end, &(size_t){ 0 }))
      return false;
  if (!prose_has(p, verb + 1, when, C_ARTICLE | C_OWNER) && !hm_str_ends(p->t[when - 1].low, "s"))
    return false; /* "API calls timeout after" */
  if (!prose_read_np(p, &np, i, verb) || np.person || np.indefinite || np.fresh || np.user ||
      np.qualifier.n || !prose_read_np(p, &object, verb + 1, when) || object.person ||
      object.qualifier.n || object.indefinite)
    return false;
  prose_make_all_subject(&np);
  prose_make_all_subject(&object);
  prose_add_word(&np.attribute, prose_singular(p, &p->t[verb]));
  prose_add_name(&np.attribute, &object.subject);
  prose_add_words(&np.attribute, prose_is(p, when, end, "after") ? "after" : "interval");
  prose_value v = { .from = i, .to = end };
  return prose_claim_quantity(p, &np, &v, &q, end, NULL);
}

bool prose_read_recurring(prose *p, size_t i, size_t end) {
  if (read_done_after(p, i, end))
    return true;
  prose_np np;
  prose_quantity q;
  prose_value v = { .from = i, .to = end };
  size_t verb = i + 1, to, n;
  for (; verb + 1 < end && verb < i + 6; verb++) {
    if (p->t[verb - 1].stop || (p->t[verb - 1].cls & (C_BE | C_WAS | C_HAVE | C_MUST | C_PREP)))
      return false;
    bool marker = prose_is(p, verb + 1, end, "every") || prose_is(p, verb + 1, end, "on") ||
        prose_is(p, verb + 1, end, "at") || often_words(p, verb + 1, end);
    if (marker && prose_is_verb_of(p, i, verb))
      break;
  }
  if (verb + 2 >= end || verb >= i + 6)
    return false;
  const prose_row *r = prose_verb_row(p, verb, end, &n);
  if (r && (r->k == K_EVERY || r->k == K_CLOCK || r->k == K_AT || n > 1))
    return false;
  if (!prose_read_np(p, &np, i, verb) || np.person || np.indefinite || np.fresh || np.user ||
      np.qualifier.n)
    return false;
  if (prose_is(p, verb + 1, end, "every") && prose_read_quantity(p, &q, verb + 2, end) &&
      q.unit == UNIT_TIME) {
    add_deed(p, &np, verb, "interval");
    return prose_claim_quantity(p, &np, &v, &q, end, NULL);
  }
  size_t at = verb + 1 + often_words(p, verb + 1, end);
  if (prose_is(p, at, end, "at") && prose_is_clock(p, at + 1, end, &to)) {
    add_deed(p, &np, verb, "time");
    v.shape = HM_SHAPE_ATTRIBUTE;
    v.value = prose_span(p, at + 1, to);
    v.to = to;
    return prose_claim_with_tail(p, &np, &v, to, end);
  }
  prose_make_all_subject(&np);
  prose_add_word(&np.subject, prose_singular(p, &p->t[verb]));
  return prose_is(p, at, end, "on") && prose_read_schedule(p, &np, i, at, end);
}
