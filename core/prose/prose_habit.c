/* Habits of people: "does yoga twice a week", "spends an hour on the commute", "pays $15 a month
 * for Netflix", "practices guitar for 30 minutes daily", "attends classes on Tuesdays at 6:30 pm",
 * "takes the 7:45 am bus", "needs 120 stars to reach the gold level". Counts that grow are in
 * prose_so_far.c. */
#include "core/prose/prose_grammar.h"

/* Has the verb the form of "the user walks", "user walks", and not of "I walk"? */
static bool is_third(const prose *p, size_t from, size_t verb) {
  return verb > from + 1 || verb == from || prose_is(p, from, verb, "user");
}

/* "... yoga twice a week": the thing at i. */
static bool read_frequency(prose *p, size_t from, size_t i, size_t end) {
  for (size_t k = i + 1; k < end && k < i + 6; k++) {
    prose_quantity q;
    if (p->t[k - 1].stop || !prose_read_quantity(p, &q, k, end) || !q.times || q.per.n < 2)
      continue;
    prose_np np;
    bool one = prose_is(p, i, end, "a") || prose_is(p, i, end, "an"); /* "takes a spin class" */
    if (!prose_read_thing(p, &np, one ? i + 1 : i, k))
      return false;
    hm_str value = prose_span(p, k, q.to);
    hm_str reading = hm_str_fmt(p->a, "%.*s times a %.*s", HM_FMT(q.reading), HM_FMT(q.per.w[1]));
    return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "frequency", value, reading, from, q.to,
                             end);
  }
  return false;
}

/* "spends about an hour on the commute", "dedicates two hours each day to coding", "spends $50 a
 * month on kibble". */
static bool read_spends(prose *p, size_t from, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_read_quantity(p, &q, i, end))
    return false;
  bool money = q.unit == UNIT_MONEY && q.per.n;
  if (q.unit != UNIT_TIME && !money)
    return false;
  if (prose_is(p, q.to, end, "daily"))
    prose_add_words(&q.per, "per_day"), q.to++;
  bool to = prose_is(p, q.to, end, "to");
  if (!to && !prose_is(p, q.to, end, "on"))
    return false;
  size_t stop = prose_tail_start(p, q.to + 1, end);
  prose_np np;
  if (!prose_read_thing(p, &np, q.to + 1, stop))
    return false;
  np.qualifier = q.per;
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, money ? "spending" : "time", q.value,
                           q.reading, from, stop, end);
}

/* "$15 a month": money for a while. */
static bool read_fee(prose *p, prose_quantity *q, size_t i, size_t end) {
  static const char *const whiles[] = { "hour", "day", "week", "month", "year", "session" };
  if (!prose_read_quantity(p, q, i, end) || q->unit != UNIT_MONEY || q->limit)
    return false;
  return q->per.n == 2 && prose_word_in(q->per.w[1], whiles, HM_COUNT(whiles));
}

/* "pays $15 a month for Netflix" */
static bool read_pays(prose *p, size_t from, size_t i, size_t end) {
  prose_quantity q;
  prose_np np;
  if (!read_fee(p, &q, i, end) || !(prose_is(p, q.to, end, "for") || prose_is(p, q.to, end, "in")))
    return false;
  size_t stop = prose_tail_start(p, q.to + 1, end);
  if (!prose_read_thing(p, &np, q.to + 1, stop))
    return false;
  np.qualifier = q.per;
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "cost", q.value, q.reading, from, stop, end);
}

/* "earns $80,000 a year" */
static bool read_earns(prose *p, size_t from, size_t i, size_t end) {
  prose_quantity q;
  prose_np np = { .family = -1 };
  if (!read_fee(p, &q, i, end))
    return false;
  if (prose_is(p, from, end, "i") || prose_are(p, from, end, "the user"))
    prose_add_words(&np.subject, "user");
  np.qualifier = q.per;
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "income", q.value, q.reading, from, q.to,
                           end);
}

/* "sells the eggs to a neighbor for $3 a dozen" */
static bool read_sells(prose *p, size_t from, size_t i, size_t end) {
  prose_quantity q;
  prose_np np;
  size_t at = i, stop;
  while (at < end && at < i + 8 && !prose_is(p, at, end, "for"))
    at++;
  if (at >= end || at >= i + 8 || at == i || p->t[at - 1].stop)
    return false;
  for (stop = i; stop < at && !(p->t[stop].cls & C_PREP); stop++)
    continue;
  if (!prose_read_quantity(p, &q, at + 1, end) || q.unit != UNIT_MONEY || !q.per.n ||
      !prose_read_thing(p, &np, i, stop))
    return false;
  np.qualifier = q.per;
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "price", q.value, q.reading, from, q.to, end);
}

/* "turned 32", of the user: their age. */
static bool read_turned(prose *p, size_t from, size_t i, size_t end) {
  prose_np np = { .family = -1 };
  if (i >= end || !p->t[i].digit || p->t[i].s.n != 2 || p->t[i].s.p[0] == '0')
    return false;
  if (!prose_is(p, from, end, "i") && !prose_are(p, from, end, "the user"))
    return false;
  if (i + 1 < end && !p->t[i].stop && !(p->t[i + 1].cls & (C_PREP | C_LATELY | C_AND | C_SEVERAL)))
    return false;
  prose_add_words(&np.subject, "user");
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "age", p->t[i].s, HM_EMPTY, from, i + 1,
                           i + 1);
}

/* "takes the 7:45 am bus to work" */
static bool read_ride(prose *p, size_t from, size_t i, size_t end) {
  static const char *const rides[] = { "bus", "train", "ferry", "tram", "shuttle", "subway" };
  size_t at = prose_has(p, i, end, C_ARTICLE | C_OWNER) ? i + 1 : i, to;
  if (at == i || !prose_is_clock(p, at, end, &to))
    return false;
  size_t k = prose_which_of(p, to, end, rides, HM_COUNT(rides));
  if (k == HM_COUNT(rides))
    return false;
  prose_np np = { .family = -1 };
  prose_add_words(&np.subject, rides[k]);
  size_t stop = to + 1;
  if (prose_is(p, stop, end, "to") && stop + 1 < end) { /* "to work", "to the office" */
    if (prose_has(p, ++stop, end, C_ARTICLE | C_OWNER))
      stop++;
    if (stop < end)
      prose_add_word(&np.subject, p->t[stop++].low);
  }
  return prose_claim_thing(p, &np, HM_SHAPE_ATTRIBUTE, "departure_time", prose_span(p, at, to),
                           HM_EMPTY, from, stop, end);
}

/* "..., my gym routine - four times a week": how often, and nothing else, behind a thing that is
 * the user's or that they attend. */
bool prose_read_apposition(prose *p, size_t i, size_t end) {
  static const char *const verbs[] = { "attend", "attends", "do", "does", "practice", "practices" };
  prose_quantity q;
  size_t at = prose_are(p, i, end, "which is") ? i + 2 : i, from = i;
  if (!i || !(p->t[i - 1].stop == '-' || p->t[i - 1].stop == ',') ||
      !prose_read_quantity(p, &q, at, end) || !q.times || q.per.n != 2)
    return false;
  for (bool opened = false; !opened; from--) {
    if (!from || from + 5 < i || (from < i && p->t[from - 1].stop))
      return false;
    opened =
        prose_has(p, from - 1, i, C_OWNER) || prose_one_of(p, from - 1, i, verbs, HM_COUNT(verbs));
    if (opened)
      break;
  }
  prose_np np;
  hm_str reading = hm_str_fmt(p->a, "%.*s times a %.*s", HM_FMT(q.reading), HM_FMT(q.per.w[1]));
  size_t stop = prose_has(p, q.to, end, C_ADVERB) ? q.to + 1 : q.to;
  return prose_read_thing(p, &np, from, i) &&
      prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "frequency", prose_span(p, at, q.to), reading,
                        from - 1, stop, end);
}

/* "attends Zumba classes on Tuesdays and Thursdays at 6:30 pm": the thing at i. */
static bool read_days(prose *p, size_t from, size_t i, size_t end) {
  size_t at = i;
  while (at < end && at < i + 5 && !prose_is(p, at, end, "on") && !prose_is(p, at, end, "at"))
    at++;
  prose_np np;
  if (at + 1 >= end || at >= i + 5 || !prose_read_thing(p, &np, i, at))
    return false;
  prose_np other = np;
  prose_items items = { 0 };
  size_t days = at + 1, k = days, to;
  if (prose_is(p, at, end, "on")) {
    for (; k < end && (p->t[k].cls & (C_DAY | C_AND)); k++) {
      if (p->t[k].cls & C_AND)
        continue;
      if (p->t[k].low.p[p->t[k].low.n - 1] != 's')
        return false; /* one of them: an event */
      prose_items_add(p, &items, prose_singular(p, &p->t[k]));
      to = k + 1;
    }
    if (!items.n)
      return false;
    size_t clock;
    bool more = prose_is(p, k, end, "at") && prose_is_clock(p, k + 1, end, &clock);
    if (!more && k < end && !p->t[k - 1].stop && !(p->t[k].cls & (C_AND | C_TAIL)))
      return false;
    bool only = false;
    for (size_t w = from; w < i; w++)
      only = only || prose_is(p, w, end, "only");
    prose_value v = { .shape = HM_SHAPE_SET, .from = from, .to = to, .also = !only, .only = only };
    v.value = prose_span(p, days, to);
    v.reading = prose_items_reading(p, &items);
    np.attribute = (prose_name){ 0 };
    prose_add_words(&np.attribute, "days");
    prose_claim(p, &np, &v);
    if (!more)
      return true;
    at = k;
  }
  if (!prose_is_clock(p, at + 1, end, &to))
    return items.n > 0;
  bool two = prose_is(p, to, end, "and");
  prose_claim_thing(p, &other, HM_SHAPE_ATTRIBUTE, "time", prose_span(p, at + 1, to), HM_EMPTY,
                    from, to, two ? to : end);
  if (two)
    read_days(p, from, prose_has(p, to + 1, end, C_ARTICLE) ? to + 2 : to + 1, end);
  return true;
}

/* "needs 120 stars to reach the gold level, not 300" behind the verb. */
static bool read_needs(prose *p, size_t from, size_t i, size_t end) {
  static const char *const aims[] = { "reach", "get", "earn", "unlock", "redeem" };
  prose_quantity q;
  if (!prose_read_quantity(p, &q, i, end) || !q.plain || q.to + 3 >= end)
    return false;
  size_t noun = q.to, to = q.to + 1;
  if (!prose_is(p, to, end, "to"))
    return false;
  if (!prose_one_of(p, to + 1, end, aims, HM_COUNT(aims)))
    return false;
  size_t at = to + 2, stop;
  if (prose_has(p, at, end, C_ARTICLE))
    at++;
  stop = prose_tail_start(p, at, end);
  prose_np np;
  if (!prose_read_thing(p, &np, at, stop))
    return false;
  prose_add_word(&np.subject, p->t[noun].low);
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "needed", q.value, q.reading, from, stop,
                           end);
}

/* "sleeps 7 hours a night", "runs 20 miles a week": the verb at `verb`. */
static bool read_amount(prose *p, size_t from, size_t verb, size_t end) {
  prose_quantity q;
  prose_np deed = { .family = -1 };
  if (!prose_read_quantity(p, &q, verb + 1, end) || q.per.n != 2)
    return false;
  if (q.unit != UNIT_TIME && q.unit != UNIT_OTHER)
    return false;
  prose_add_word(&deed.subject,
                 is_third(p, from, verb) ? prose_singular(p, &p->t[verb]) : p->t[verb].low);
  deed.qualifier = q.per;
  return prose_claim_thing(p, &deed, HM_SHAPE_QUANTITY, q.unit == UNIT_TIME ? "time" : "amount",
                           q.value, q.reading, from, q.to, end);
}

/* Any verb with how often or how long: "walks the dog three times a day", "swims twice a week",
 * "meditates for 15 minutes every day", "rides a bike for 30 minutes, three times a week". */
static bool read_deed(prose *p, size_t from, size_t verb, size_t end) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_NOT | C_PRONOUN | C_ARTICLE | C_OWNER |
      C_PREP | C_EVENT | C_MUST | C_COND | C_TAIL | C_UNSURE | C_NUMBER | C_AND;
  hm_str w = p->t[verb].low;
  bool one = is_third(p, from, verb); /* "the user walks", not "I walk" */
  if ((p->t[verb].cls & refused) || p->t[verb].digit || p->t[verb].stop || w.n < 3 ||
      (one && (!hm_str_ends(w, "s") || hm_str_ends(w, "ss"))) || hm_str_ends(w, "ed"))
    return false;
  prose_quantity q = { 0 }, often;
  size_t k = verb + 1, stop = 0;
  if (read_amount(p, from, verb, end))
    return true;
  for (; k < end && k < verb + 6 && !stop; k++) {
    if (k > verb + 1 && p->t[k - 1].stop)
      return false;
    bool lasts = prose_is(p, k, end, "for");
    if (!prose_read_quantity(p, &q, lasts ? k + 1 : k, end))
      continue;
    if (lasts ? q.unit != UNIT_TIME : !(q.times && q.per.n > 1))
      return false;
    stop = k;
  }
  if (!stop)
    return false;
  prose_np np = { .family = -1 }, thing;
  if (stop > verb + 1) {
    size_t at = prose_has(p, verb + 1, end, C_PREP) ? verb + 2 : verb + 1;
    if (prose_is(p, at, end, "their") || prose_is(p, at, end, "his") || prose_is(p, at, end, "her"))
      at++;
    if (at >= stop || !prose_read_np(p, &thing, at, stop) || thing.indefinite || thing.qualifier.n)
      return false;
    prose_make_all_subject(&thing);
    np.subject.w[np.subject.n++] = verb > from ? prose_singular(p, &p->t[verb]) : w;
    prose_add_name(&np.subject, &thing.subject);
  } else {
    np.subject.w[np.subject.n++] = prose_singular(p, &p->t[verb]);
  }
  prose_np same = np;
  if (!q.times) {
    bool daily = prose_is(p, q.to, end, "daily");
    if (daily || prose_are(p, q.to, end, "every day") || q.per.n > 1)
      return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "time_per_day", q.value, q.reading, from,
                               q.to +
                                   (daily         ? 1
                                        : q.per.n ? 0
                                                  : 2),
                               end);
    if (!prose_read_quantity(p, &often, q.to, end) || !often.times || often.per.n < 2)
      return false;
    prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, "session_length", q.value, q.reading, from, q.to,
                      q.to);
    q = often;
    stop = often.from;
  }
  hm_str reading = hm_str_fmt(p->a, "%.*s times a %.*s", HM_FMT(q.reading), HM_FMT(q.per.w[1]));
  return prose_claim_thing(p, &same, HM_SHAPE_QUANTITY, "frequency", prose_span(p, stop, q.to),
                           reading, from, q.to, end);
}

/* Verbs of habits, and how to read their objects. Sorted. */
static const struct {
  const char *words;
  enum { H_SPEND, H_PAY, H_EARN, H_NEED, H_DAYS, H_RIDE, H_SELL, H_TURN, H_DO } how;
} verbs[] = {
  { "attend", H_DO },       { "attending", H_DO },     { "attends", H_DO },
  { "catch", H_RIDE },      { "catches", H_RIDE },     { "dedicate", H_SPEND },
  { "dedicates", H_SPEND }, { "dedicating", H_SPEND }, { "do", H_DO },
  { "does", H_DO },         { "doing", H_DO },         { "earn", H_EARN },
  { "earns", H_EARN },      { "go to", H_DAYS },       { "goes to", H_DAYS },
  { "make", H_EARN },       { "makes", H_EARN },       { "need", H_NEED },
  { "needs", H_NEED },      { "pay", H_PAY },          { "paying", H_PAY },
  { "pays", H_PAY },        { "play", H_DO },          { "playing", H_DO },
  { "plays", H_DO },        { "practice", H_DO },      { "practices", H_DO },
  { "practicing", H_DO },   { "sell", H_SELL },        { "selling", H_SELL },
  { "sells", H_SELL },      { "spend", H_SPEND },      { "spending", H_SPEND },
  { "spends", H_SPEND },    { "take", H_RIDE },        { "takes", H_RIDE },
  { "taking", H_DO },       { "testing", H_DO },       { "turned", H_TURN },
  { "use", H_DO },          { "uses", H_DO },          { "using", H_DO },
};

static bool read_verb(prose *p, size_t from, size_t at, size_t end, bool been) {
  size_t k = 0, n = 0;
  for (; k < HM_COUNT(verbs); k++)
    if ((n = prose_are(p, at, end, verbs[k].words)) != 0)
      break;
  if (!n)
    return false;
  size_t object = at + n;
  switch (verbs[k].how) {
    case H_SPEND:
      return read_spends(p, from, object, end);
    case H_PAY:
      return read_pays(p, from, object, end);
    case H_EARN:
      return read_earns(p, from, object, end);
    case H_NEED:
      return read_needs(p, from, object, end);
    case H_DAYS:
      return read_days(p, from, object, end);
    case H_RIDE:
      return read_ride(p, from, object, end);
    case H_SELL:
      return read_sells(p, from, object, end);
    case H_TURN:
      return read_turned(p, from, object, end);
    case H_DO:
      break;
  }
  return prose_read_use_time(p, from, object, end, been) || read_frequency(p, from, object, end) ||
      (verbs[k].words[0] == 'a' && !been && read_days(p, from, object, end));
}

/* "has sculpting classes on Tuesdays": what one attends, after "has". */
static bool read_has_days(prose *p, size_t from, size_t i, size_t end) {
  static const char *const held[] = { "class",    "classes",   "lesson",    "lessons",
                                      "practice", "practices", "rehearsal", "rehearsals",
                                      "training", "therapy" };
  size_t at = prose_has(p, i, end, C_ARTICLE) ? i + 1 : i, on = at;
  while (on < end && on < at + 5 && !prose_is(p, on, end, "on"))
    on++;
  if (on == at || on >= end || on >= at + 5)
    return false;
  if (prose_one_of(p, on - 1, end, held, HM_COUNT(held)))
    return read_days(p, from, at, end);
  return false;
}

/* "usually leaves for work at 7:45 am": a word says that it is a habit. The verb at `verb`. */
static bool read_clock(prose *p, size_t from, size_t verb, size_t end) {
  static const char *const signs[] = { "always", "generally", "normally", "typically", "usually" };
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_NOT | C_PRONOUN | C_OWNER | C_UNSURE |
      C_SEVERAL | C_EVENT | C_COND | C_AND | C_MUST | C_NUMBER;
  bool usual = false;
  size_t k, at = verb + 1, to, n;
  for (k = from; k < verb; k++)
    usual = usual || prose_one_of(p, k, verb, signs, HM_COUNT(signs));
  if (!usual)
    return false;
  while (at < end && at < verb + 6 && !prose_is(p, at, end, "at") &&
         !prose_is(p, at, end, "around"))
    at++;
  if (prose_is(p, at, end, "at") && prose_is(p, at + 1, end, "around"))
    at++;
  const prose_row *r = prose_verb_row(p, verb, end, &n);
  if ((r && r->k == K_CLOCK) || at >= end || !prose_is_clock(p, at + 1, end, &to))
    return false;
  prose_np np = { .family = -1 };
  for (k = verb; k < at; k++) {
    if ((p->t[k].cls & refused) || p->t[k].digit || p->t[k].stop || p->t[k].capital)
      return false;
    if (!(p->t[k].cls & C_ARTICLE) && !(k + 1 == at && (p->t[k].cls & C_PREP)))
      prose_add_word(&np.subject,
                     k == verb && is_third(p, from, verb) ? prose_singular(p, &p->t[k])
                                                          : p->t[k].low);
  }
  return prose_claim_thing(p, &np, HM_SHAPE_ATTRIBUTE, "time", prose_span(p, at + 1, to), HM_EMPTY,
                           from, to, end);
}

/* "swims every Tuesday and Friday", "walks the dog on Mondays at 7:00": the verb at `verb`. */
static bool read_on_days(prose *p, size_t from, size_t verb, size_t end) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_NOT | C_PRONOUN | C_ARTICLE | C_PREP |
      C_EVENT | C_MUST | C_COND | C_UNSURE | C_NUMBER | C_AND | C_MOVED;
  bool one = is_third(p, from, verb);
  hm_str w = p->t[verb].low;
  size_t on = verb + 1;
  if (!prose_is(p, from, end, "i") && !prose_is(p, from, end, "user") &&
      !prose_are(p, from, end, "the user"))
    return false; /* "the team meets on Tuesdays" */
  if ((p->t[verb].cls & refused) || p->t[verb].stop || w.n < 3 || hm_str_ends(w, "ed") ||
      (one && !hm_str_ends(w, "s")))
    return false;
  while (on < end && on < verb + 4 && !prose_is(p, on, end, "on") && !prose_is(p, on, end, "every"))
    on++;
  if (on + 1 >= end || on >= verb + 4 || !prose_is_weekday(p, p->t[on + 1].low))
    return false;
  prose_np np = { .family = -1, .words = 1, .last = verb }, thing;
  prose_add_word(&np.subject, one ? prose_singular(p, &p->t[verb]) : w);
  if (on > verb + 1) {
    if (!prose_read_thing(p, &thing, verb + 1, on))
      return false;
    prose_add_name(&np.subject, &thing.subject);
  }
  return prose_read_schedule(p, &np, from, on, end);
}

bool prose_read_habit(prose *p, size_t i, size_t end) {
  prose_person who;
  if (!prose_read_person(p, &who, i, end))
    return prose_read_apposition(p, i, end);
  if (who.have && !who.been && read_has_days(p, i, who.at, end))
    return true;
  if (read_verb(p, i, who.at, end, who.been) || prose_read_apposition(p, i, end))
    return true;
  return !who.been && !who.be && !who.have &&
      (read_deed(p, i, who.at, end) || read_clock(p, i, who.at, end) ||
       read_on_days(p, i, who.at, end));
}
