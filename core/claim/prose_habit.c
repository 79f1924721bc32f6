/* Habits and counts of people: "does yoga twice a week", "spends an hour on the commute", "has been
 * using a Fitbit for 9 months now", "attends classes on Tuesdays at 6:30 pm", "is on episode 10 of
 * the series", "needs 120 stars to reach the gold level".
 *
 * The thing that is done is the subject, not who does it; so only what the user, the team or the
 * one that the text is about does is read: of two people each has habits of their own. */
#include <string.h>

#include "core/claim/prose_impl.h"

/* The thing at [i, j): "yoga", "my Fitbit Charge 3", "their daily commute". */
static bool read_thing(prose *p, prose_np *np, size_t i, size_t j) {
  if (prose_is(p, i, j, "their") || prose_is(p, i, j, "his") || prose_is(p, i, j, "her") ||
      prose_is(p, i, j, "my"))
    i++;
  if (i >= j || j - i > 4 || !prose_np_read(p, np, i, j)) return false;
  if (np->indefinite || np->person || np->qualifier.n) return false;
  prose_all_subject(np);
  np->family = -1;
  return np->subject.n > 0;
}

static bool claim(prose *p, prose_np *np, hm_prose_shape shape, const char *attribute, hm_str value,
                  hm_str reading, size_t from, size_t to, size_t end) {
  prose_value v = { .shape = shape, .from = from, .to = to, .value = value, .reading = reading };
  np->attribute = (prose_name){ 0 };
  prose_add_z(&np->attribute, attribute);
  if (!prose_tail(p, np, &v, to, end)) return true;
  prose_claim(p, np, &v);
  return true;
}

/* "... yoga twice a week": the thing at i. */
static bool read_frequency(prose *p, size_t from, size_t i, size_t end) {
  for (size_t k = i + 1; k < end && k < i + 6; k++) {
    prose_quantity q;
    if (p->t[k - 1].stop || !prose_quantity_read(p, &q, k, end) || !q.times || q.per.n < 2)
      continue;
    prose_np np;
    if (!read_thing(p, &np, i, k)) return false;
    hm_str value = prose_span(p, k, q.to);
    hm_str reading = hm_str_fmt(p->a, "%.*s times a %.*s", HM_FMT(q.reading), HM_FMT(q.per.w[1]));
    return claim(p, &np, HM_SHAPE_QUANTITY, "frequency", value, reading, from, q.to, end);
  }
  return false;
}

/* "... my Fitbit for 9 months now": the thing at i, behind the verb at i - 1. */
static bool read_so_long(prose *p, size_t from, size_t i, size_t end, bool been) {
  for (size_t k = i + 1; k + 1 < end && k < i + 6; k++) {
    prose_quantity q;
    if (!prose_is(p, k, end, "for") || !prose_quantity_read(p, &q, k + 1, end)) continue;
    prose_np np;
    bool daily = prose_is(p, q.to, end, "daily") || prose_are(p, q.to, end, "every day") ||
        prose_are(p, q.to, end, "a day") || q.per.n;
    if (q.unit != UNIT_TIME || !read_thing(p, &np, i, k)) return false;
    if (prose_is(p, q.to, end, "daily")) q.to++;
    else if (prose_are(p, q.to, end, "every day")) q.to += 2;
    else if (!daily && !(been && prose_is(p, q.to, end, "now"))) return false;
    return claim(p, &np, daily ? HM_SHAPE_QUANTITY : HM_SHAPE_COUNT,
                 daily ? "time_per_day" : "use_duration_so_far", q.value, q.reading, from, q.to,
                 end);
  }
  return false;
}

/* "spends about an hour on the commute", "dedicates two hours each day to coding". */
static bool read_spends(prose *p, size_t from, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_quantity_read(p, &q, i, end) || q.unit != UNIT_TIME) return false;
  if (prose_is(p, q.to, end, "daily")) prose_add_z(&q.per, "per_day"), q.to++;
  bool to = prose_is(p, q.to, end, "to");
  if (!to && !prose_is(p, q.to, end, "on")) return false;
  size_t stop = prose_tail_start(p, q.to + 1, end);
  prose_np np;
  if (!read_thing(p, &np, q.to + 1, stop)) return false;
  np.qualifier = q.per;
  return claim(p, &np, HM_SHAPE_QUANTITY, "time", q.value, q.reading, from, stop, end);
}

/* "attends Zumba classes on Tuesdays and Thursdays at 6:30 pm": the thing at i. */
static bool read_days(prose *p, size_t from, size_t i, size_t end) {
  size_t at = i;
  while (at < end && at < i + 5 && !prose_is(p, at, end, "on") && !prose_is(p, at, end, "at")) at++;
  prose_np np;
  if (at + 1 >= end || at >= i + 5 || !read_thing(p, &np, i, at)) return false;
  prose_np other = np;
  hm_str reading = HM_STR("[");
  size_t n = 0, days = at + 1, k = days, to;
  if (prose_is(p, at, end, "on")) {
    for (; k < end && (p->t[k].cls & (C_DAY | C_AND)); k++) {
      if (p->t[k].cls & C_AND) continue;
      if (p->t[k].low.p[p->t[k].low.n - 1] != 's') return false; /* one of them: an event */
      reading = HM_CAT(p->a, reading, n++ ? HM_STR(",\"") : HM_STR("\""),
                       prose_singular(p, &p->t[k]), HM_STR("\""));
      to = k + 1;
    }
    if (!n) return false;
    size_t clock;
    bool more = prose_is(p, k, end, "at") && prose_is_clock(p, k + 1, end, &clock);
    if (!more && k < end && !p->t[k - 1].stop && !(p->t[k].cls & (C_AND | C_TAIL))) return false;
    bool only = false;
    for (size_t w = from; w < i; w++) only = only || prose_is(p, w, end, "only");
    prose_value v = { .shape = HM_SHAPE_SET, .from = from, .to = to, .also = !only, .only = only };
    v.value = prose_span(p, days, to);
    v.reading = n > 1 ? HM_CAT(p->a, reading, HM_STR("]")) : hm_str_sub(reading, 2, reading.n - 1);
    np.attribute = (prose_name){ 0 };
    prose_add_z(&np.attribute, "days");
    prose_claim(p, &np, &v);
    if (!more) return true;
    at = k;
  }
  if (!prose_is_clock(p, at + 1, end, &to)) return n > 0;
  bool two = prose_is(p, to, end, "and");
  claim(p, &other, HM_SHAPE_ATTRIBUTE, "time", prose_span(p, at + 1, to), HM_EMPTY, from, to,
        two ? to : end);
  if (two) read_days(p, from, prose_has(p, to + 1, end, C_ARTICLE) ? to + 2 : to + 1, end);
  return true;
}

/* "on episode 10 of the Science series" at i. */
static bool read_progress(prose *p, size_t from, size_t i, size_t end) {
  static const char *const parts[] = { "page", "episode", "chapter", "season", "level", "lesson" };
  size_t k = 0;
  if (!prose_is(p, i, end, "on") || i + 4 >= end || !p->t[i + 2].digit) return false;
  while (k < HM_COUNT(parts) && !prose_is(p, i + 1, end, parts[k])) k++;
  if (k == HM_COUNT(parts) || !prose_is(p, i + 3, end, "of")) return false;
  size_t stop = prose_tail_start(p, i + 4, end);
  prose_np np;
  if (prose_has(p, i + 4, end, C_ARTICLE)) stop = prose_tail_start(p, i + 5, end);
  if (!read_thing(p, &np, i + 4, stop)) return false;
  hm_str attribute = HM_CAT(p->a, HM_STR("current_"), hm_str_c(parts[k]));
  return claim(p, &np, HM_SHAPE_COUNT, hm_str_z(p->a, attribute), p->t[i + 2].s, HM_EMPTY, from,
               stop, end);
}

/* "needs 120 stars to reach the gold level, not 300" behind the verb. */
static bool read_needs(prose *p, size_t from, size_t i, size_t end) {
  static const char *const aims[] = { "reach", "get", "earn", "unlock", "redeem" };
  prose_quantity q;
  size_t k = 0;
  if (!prose_quantity_read(p, &q, i, end) || !q.plain || q.to + 3 >= end) return false;
  size_t noun = q.to, to = q.to + 1;
  if (!prose_is(p, to, end, "to")) return false;
  while (k < HM_COUNT(aims) && !prose_is(p, to + 1, end, aims[k])) k++;
  if (k == HM_COUNT(aims)) return false;
  size_t at = to + 2, stop;
  if (prose_has(p, at, end, C_ARTICLE)) at++;
  stop = prose_tail_start(p, at, end);
  prose_np np;
  if (!read_thing(p, &np, at, stop)) return false;
  prose_add(&np.subject, p->t[noun].low);
  return claim(p, &np, HM_SHAPE_QUANTITY, "needed", q.value, q.reading, from, stop, end);
}

/* A person whose habits are read: "I", "we", "the user"; or none, and the text is about one. */
static size_t read_person(const prose *p, size_t i, size_t end, bool *be, bool *have) {
  static const char *const alone[] = { "i", "we" };
  *be = prose_is(p, i, end, "i'm") || prose_is(p, i, end, "we're");
  *have = prose_is(p, i, end, "i've") || prose_is(p, i, end, "we've");
  if (*be || *have) return i + 1;
  for (size_t k = 0; k < HM_COUNT(alone); k++)
    if (prose_is(p, i, end, alone[k])) return i + 1;
  if (prose_are(p, i, end, "the user") || prose_are(p, i, end, "the team")) return i + 2;
  return p->about.n ? i : end;
}

/* Any verb with how often or how long: "walks the dog three times a day", "swims twice a week",
 * "meditates for 15 minutes every day", "rides a bike for 30 minutes, three times a week". */
static bool read_deed(prose *p, size_t from, size_t verb, size_t end) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_NOT | C_PRONOUN | C_ARTICLE | C_OWNER |
      C_PREP | C_EVENT | C_MUST | C_COND | C_TAIL | C_UNSURE | C_NUMBER | C_AND;
  hm_str w = p->t[verb].low;
  bool one = verb > from + 1 || verb == from; /* "the user walks", not "I walk" */
  if ((p->t[verb].cls & refused) || p->t[verb].digit || p->t[verb].stop || w.n < 3 ||
      (one && (!hm_str_ends(w, "s") || hm_str_ends(w, "ss"))) || hm_str_ends(w, "ed"))
    return false;
  prose_quantity q = { 0 }, often;
  size_t k = verb + 1, stop = 0;
  for (; k < end && k < verb + 6 && !stop; k++) {
    if (k > verb + 1 && p->t[k - 1].stop) return false;
    bool lasts = prose_is(p, k, end, "for");
    if (!prose_quantity_read(p, &q, lasts ? k + 1 : k, end)) continue;
    if (lasts ? q.unit != UNIT_TIME : !(q.times && q.per.n > 1)) return false;
    stop = k;
  }
  if (!stop) return false;
  prose_np np = { .family = -1 }, thing;
  if (stop > verb + 1) {
    size_t at = prose_has(p, verb + 1, end, C_PREP) ? verb + 2 : verb + 1;
    if (prose_is(p, at, end, "their") || prose_is(p, at, end, "his") || prose_is(p, at, end, "her"))
      at++;
    if (at >= stop || !prose_np_read(p, &thing, at, stop) || thing.indefinite || thing.qualifier.n)
      return false;
    prose_all_subject(&thing);
    np.subject.w[np.subject.n++] = verb > from ? prose_singular(p, &p->t[verb]) : w;
    for (size_t t = 0; t < thing.subject.n; t++) prose_add(&np.subject, thing.subject.w[t]);
  } else {
    np.subject.w[np.subject.n++] = prose_singular(p, &p->t[verb]);
  }
  prose_np same = np;
  if (!q.times) {
    bool daily = prose_is(p, q.to, end, "daily");
    if (daily || prose_are(p, q.to, end, "every day") || q.per.n > 1)
      return claim(p, &np, HM_SHAPE_QUANTITY, "time_per_day", q.value, q.reading, from,
                   q.to +
                       (daily         ? 1
                            : q.per.n ? 0
                                      : 2),
                   end);
    if (!prose_quantity_read(p, &often, q.to, end) || !often.times || often.per.n < 2) return false;
    claim(p, &np, HM_SHAPE_QUANTITY, "session_length", q.value, q.reading, from, q.to, q.to);
    q = often;
    stop = often.from;
  }
  hm_str reading = hm_str_fmt(p->a, "%.*s times a %.*s", HM_FMT(q.reading), HM_FMT(q.per.w[1]));
  return claim(p, &same, HM_SHAPE_QUANTITY, "frequency", prose_span(p, stop, q.to), reading, from,
               q.to, end);
}

bool prose_habit(prose *p, size_t i, size_t end) {
  static const char *const doing[] = { "do",         "does",      "attend", "attends",
                                       "practice",   "practices", "doing",  "attending",
                                       "practicing", "play",      "plays",  "playing",
                                       "using",      "use",       "uses",   "testing",
                                       "taking" };
  bool be, have, been = false;
  size_t at = read_person(p, i, end, &be, &have);
  while (prose_has(p, at, end, C_ADVERB | C_HAVE | C_BE) || prose_is(p, at, end, "been")) {
    been = been || prose_is(p, at, end, "been");
    be = be || prose_has(p, at, end, C_BE);
    at++;
  }
  if (at + 1 >= end) return false;
  if (be && read_progress(p, i, at, end)) return true;
  if (prose_is(p, at, end, "spend") || prose_is(p, at, end, "spends") ||
      prose_is(p, at, end, "dedicate") || prose_is(p, at, end, "dedicates") ||
      (been && (prose_is(p, at, end, "spending") || prose_is(p, at, end, "dedicating"))))
    return read_spends(p, i, at + 1, end);
  if (prose_is(p, at, end, "need") || prose_is(p, at, end, "needs"))
    return read_needs(p, i, at + 1, end);
  if (prose_are(p, at, end, "go to") || prose_are(p, at, end, "goes to"))
    return read_days(p, i, at + 2, end);
  for (size_t k = 0; k < HM_COUNT(doing); k++) {
    if (!prose_is(p, at, end, doing[k])) continue;
    if (read_so_long(p, i, at + 1, end, been)) return true;
    if (read_frequency(p, i, at + 1, end)) return true;
    return (prose_is(p, at, end, "attend") || prose_is(p, at, end, "attends")) &&
        read_days(p, i, at + 1, end);
  }
  return !been && !be && !have && read_deed(p, i, at, end);
}
