/* Counts and durations that grow: "has been using a Fitbit for 9 months now", "has worked at
 * Northwind for five years", "is on episode 10 of the series", "has spent 6 hours on it so far",
 * "bringing my total to 200 points".
 *
 * The later of two is an update, not a contradiction. So the count and what is counted must be
 * certain, but not that it still holds. The thing is the subject; a person other than the user is
 * part of its name. Cost: a fixed number of passes over a clause, and one search back over the
 * sentence for what "it" and a page belong to. */
#include "core/prose/prose_grammar.h"

/* --- for how long ---------------------------------------------------------------------------- */

/* "for 9 months", "for the past six months" at i. */
static bool read_for(prose *p, prose_quantity *q, size_t i, size_t end) {
  if (!prose_is(p, i, end, "for"))
    return false;
  size_t at = i + 1;
  if (prose_are(p, at, end, "the past") || prose_are(p, at, end, "the last"))
    at += 2;
  return prose_read_quantity(p, q, at, end) && q->unit == UNIT_TIME;
}

bool prose_read_use_time(prose *p, size_t from, size_t i, size_t end, bool been) {
  for (size_t k = i + 1; k + 1 < end && k < i + 6; k++) {
    prose_quantity q;
    prose_np np;
    if (!read_for(p, &q, k, end))
      continue;
    bool daily = prose_is(p, q.to, end, "daily") || prose_are(p, q.to, end, "every day") ||
        prose_are(p, q.to, end, "a day") || q.per.n;
    if (!prose_read_thing(p, &np, i, k))
      return false;
    if (prose_is(p, q.to, end, "daily"))
      q.to++;
    else if (prose_are(p, q.to, end, "every day"))
      q.to += 2;
    else if (!daily && !been)
      return false;
    return prose_claim_thing(p, &np, daily ? HM_SHAPE_QUANTITY : HM_SHAPE_COUNT,
                             daily ? "time_per_day" : "use_duration_so_far", q.value, q.reading,
                             from, q.to, end);
  }
  return false;
}

/* What a verb says of a while: "been living", "has lived". Empty: nothing. */
static hm_str read_verb(prose *p, size_t verb, bool been) {
  static const struct {
    const char *done, *doing;
  } perfect[] = { { "collected", "collecting" }, { "known", "knowing" },
                  { "lived", "living" },         { "owned", "owning" },
                  { "played", "playing" },       { "practiced", "practicing" },
                  { "stayed", "staying" },       { "studied", "studying" },
                  { "taught", "teaching" },      { "used", "using" },
                  { "worked", "working" } };
  static const char *const uses[] = { "attending", "doing",   "playing", "practicing",
                                      "taking",    "testing", "using" }; /* prose_habit.c */
  const uint64_t refused = C_BE | C_HAVE | C_PRONOUN | C_UNSURE | C_SEVERAL | C_NOT;
  const prose_word *t = &p->t[verb];
  if (prose_word_in(t->low, uses, HM_COUNT(uses)))
    return HM_EMPTY;
  if ((t->cls & refused) || t->capital || t->digit || t->stop)
    return HM_EMPTY;
  if (been)
    return t->low.n > 4 && hm_str_ends(t->low, "ing") ? t->low : HM_EMPTY;
  for (size_t k = 0; k < HM_COUNT(perfect); k++)
    if (hm_str_is(t->low, perfect[k].done))
      return hm_str_c(perfect[k].doing);
  return HM_EMPTY;
}

/* "living in Harajuku for three months", "writing regularly for three months": the verb at `verb`,
 * of who is in np already. */
static bool read_while(prose *p, prose_np *np, size_t from, size_t verb, size_t end, bool been) {
  static const char *const with[] = { "with me", "with us", "at home", "full time" };
  hm_str doing = read_verb(p, verb, been);
  prose_quantity q;
  prose_np thing;
  size_t at = verb + 1, k = at;
  while (k < end && k < verb + 7 && !p->t[k - 1].stop && !read_for(p, &q, k, end))
    k++;
  if (!doing.n || k >= end || k >= verb + 7 || p->t[k - 1].stop || !read_for(p, &q, k, end) ||
      q.per.n || prose_is(p, q.to, end, "daily") || prose_is(p, q.to, end, "every") ||
      prose_is(p, q.to, end, "each"))
    return false;
  while (k > at && hm_str_ends(p->t[k - 1].low, "ly"))
    k--;
  for (size_t w = 0; w < HM_COUNT(with); w++)
    if (k >= at + 2 && prose_are(p, k - 2, k, with[w]))
      k -= 2;
  if (prose_has(p, at, k, C_PREP) && at + 1 < k)
    at++;
  prose_add_word(&np->subject, doing);
  if (at < k) {
    if (!prose_read_thing(p, &thing, at, k))
      return false;
    prose_add_name(&np->subject, &thing.subject);
  }
  return prose_claim_thing(p, np, HM_SHAPE_COUNT, "duration_so_far", q.value, q.reading, from, q.to,
                           end);
}

/* "My parents have been staying with us for nine months". */
static bool read_while_of(prose *p, size_t i, size_t end) {
  size_t have = i + 1;
  while (have < end && have < i + 8 && !prose_is(p, have, end, "has") &&
         !prose_is(p, have, end, "have")) {
    if (p->t[have - 1].stop)
      return false;
    have++;
  }
  prose_np np;
  bool been = prose_is(p, have + 1, end, "been");
  size_t verb = been ? have + 2 : have + 1;
  if (have >= end || have >= i + 8 || verb + 2 >= end || p->t[have - 1].stop)
    return false;
  if (!read_verb(p, verb, been).n || !prose_read_np(p, &np, i, have) || np.indefinite ||
      np.qualifier.n)
    return false;
  prose_make_all_subject(&np);
  np.family = -1;
  return read_while(p, &np, i, verb, end, been);
}

/* --- how far --------------------------------------------------------------------------------- */

/* "page", "episode": the word at i, or NULL. */
static const char *part_at(const prose *p, size_t i, size_t end) {
  static const char *const parts[] = { "page", "episode", "chapter", "season", "level", "lesson" };
  size_t k = prose_which_of(p, i, end, parts, HM_COUNT(parts));
  return k < HM_COUNT(parts) ? parts[k] : NULL;
}

/* Does word i end a sentence: a full stop that is not in the middle of a quote? */
static bool ends_sentence(const prose *p, size_t i) {
  char c = p->t[i].stop;
  if (p->t[i].aside && i + 1 < p->n && p->t[i + 1].aside)
    return false;
  return c == '.' || c == '!' || c == '?' || c == '\n';
}

/* The only title in double quotes in front of word i, in its sentence: [*from, *to). */
static bool title_before(const prose *p, size_t i, size_t *from, size_t *to) {
  size_t found = 0;
  for (size_t k = i; k > 0 && i - k < 40; k--) {
    const prose_word *t = &p->t[k - 1];
    if (ends_sentence(p, k - 1))
      break;
    bool opens =
        t->aside && t->s.p > p->text.p && (t->s.p[-1] == '"' || (unsigned char)t->s.p[-1] == 0x9c);
    if (!opens)
      continue;
    if (found++)
      return false;
    *from = k - 1;
  }
  if (!found || !p->t[*from].capital)
    return false;
  *to = *from + 1;
  while (*to < i && p->t[*to].aside)
    ++*to;
  return *to - *from <= 8;
}

/* "on episode 10 of the Science series" at i; "on page 200" behind "..., "TITLE"" */
static bool read_progress(prose *p, size_t from, size_t i, size_t end) {
  const char *part = part_at(p, i + 1, end);
  if (!prose_is(p, i, end, "on") || !part || i + 2 >= end || !p->t[i + 2].digit)
    return false;
  prose_np np = { .family = -1 };
  size_t stop = i + 3, title, to;
  if (prose_is(p, i + 3, end, "of")) {
    if (i + 4 >= end)
      return false;
    stop = prose_tail_start(p, i + 4, end);
    if (prose_has(p, i + 4, end, C_ARTICLE))
      stop = prose_tail_start(p, i + 5, end);
    if (!prose_read_thing(p, &np, i + 4, stop))
      return false;
  } else {
    if (!title_before(p, from, &title, &to))
      return false;
    for (size_t k = title; k < to; k++)
      prose_add_word(&np.subject, p->t[k].low);
  }
  hm_str attribute = HM_CAT(p->a, HM_STR("current_"), hm_str_c(part));
  return prose_claim_thing(p, &np, HM_SHAPE_COUNT, hm_str_z(p->a, attribute), p->t[i + 2].s,
                           HM_EMPTY, from, stop, end);
}

/* What "it" is in "working on a sculpture ..., and I've spent 6 hours on it": the last thing in
 * front of word i that someone works on or spends time on. */
static bool read_work(prose *p, prose_np *np, size_t i) {
  static const char *const work[] = { "working on", "work on", "time on", "building", "writing" };
  for (size_t k = i; k > 0 && i - k < 30; k--) {
    if (ends_sentence(p, k - 1))
      return false;
    size_t n = prose_one_of(p, k - 1, i, work, HM_COUNT(work));
    if (!n)
      continue;
    size_t from = k - 1 + n, stop;
    if (prose_has(p, from, i, C_ARTICLE | C_OWNER))
      from++;
    stop = prose_tail_start(p, from, i);
    while (stop > from + 1 && hm_str_ends(p->t[stop - 1].low, "ly"))
      stop--;
    return from < stop && prose_read_thing(p, np, from, stop);
  }
  return false;
}

/* "spent around 5-6 hours on it so far", "put in 10 hours" at i; "it" is what they work on. */
static bool read_spent(prose *p, size_t from, size_t i, size_t end, bool already) {
  prose_quantity q;
  prose_np np;
  bool put = prose_are(p, i, end, "put in");
  if (!put && !prose_is(p, i, end, "spent") && !prose_is(p, i, end, "invested"))
    return false;
  if (!prose_read_quantity(p, &q, put ? i + 2 : i + 1, end) || q.unit != UNIT_TIME || q.per.n)
    return false;
  size_t to = q.to, stop = to;
  bool on = prose_is(p, to, end, "on") || prose_is(p, to, end, "into");
  bool it = on && prose_is(p, to + 1, end, "it");
  if (it || !on) {
    if (!read_work(p, &np, from))
      return false;
    stop = it ? to + 2 : to;
  } else {
    stop = prose_tail_start(p, to + 1, end);
    if (!prose_read_thing(p, &np, to + 1, stop))
      return false;
  }
  if (!already && !prose_are(p, stop, end, "so far"))
    return false;
  return prose_claim_thing(p, &np, HM_SHAPE_COUNT, "time_spent_so_far", q.value, q.reading, from,
                           stop, end);
}

/* "bringing my total to 200 points" in [i, end): of whose total it is. */
static bool read_total(prose *p, size_t i, size_t end) {
  for (size_t k = i; k + 4 < end; k++) {
    bool brings = prose_is(p, k, end, "bringing") || prose_is(p, k, end, "brings") ||
        prose_is(p, k, end, "brought");
    if (!brings || !prose_is(p, k + 2, end, "total") || !prose_is(p, k + 3, end, "to"))
      continue;
    prose_quantity q;
    prose_np np = { .family = -1 };
    bool user = prose_is(p, k + 1, end, "my") ||
        (prose_is(p, k + 1, end, "their") && prose_are(p, i, end, "the user"));
    if (!user || !prose_read_quantity(p, &q, k + 4, end) || !q.plain || q.range || q.to >= end)
      return false;
    const prose_word *noun = &p->t[q.to];
    if (noun->cls || noun->digit || !hm_str_ends(noun->low, "s"))
      return false;
    prose_add_words(&np.subject, "user_total");
    return prose_claim_thing(p, &np, HM_SHAPE_COUNT, hm_str_z(p->a, noun->low), q.value, q.reading,
                             k, q.to + 1, end);
  }
  return false;
}

/* "my talk has been doing well, with 542 views": of those who look at it. */
static bool read_audience(prose *p, size_t i, size_t end) {
  static const char *const who[] = { "comments",    "downloads", "followers", "likes",
                                     "plays",       "reads",     "shares",    "stars",
                                     "subscribers", "upvotes",   "views",     "votes" };
  prose_quantity q;
  prose_np np;
  size_t with = i + 2, verb = i;
  if (!prose_has(p, i, end, C_OWNER | C_ARTICLE))
    return false;
  while (with < end && !(prose_is(p, with, end, "with") && p->t[with - 1].stop == ','))
    with++;
  if (with + 2 >= end || !prose_read_quantity(p, &q, with + 1, end) || !q.plain || q.range ||
      q.to >= end)
    return false;
  while (verb < with && !(p->t[verb].cls & (C_BE | C_HAVE)))
    verb++;
  size_t k = prose_which_of(p, q.to, end, who, HM_COUNT(who));
  if (k == HM_COUNT(who) || verb == with)
    return false;
  size_t stop = verb, on = i;
  while (on < verb && !prose_is(p, on, verb, "on"))
    on++;
  if (!prose_read_np(p, &np, i, stop)) /* "my talk on films on YouTube" */
    while (stop > on + 1 && !prose_is(p, --stop, verb, "on"))
      continue;
  if (!prose_read_np(p, &np, i, stop) || np.indefinite || np.person)
    return false;
  prose_make_all_subject(&np);
  return prose_claim_thing(p, &np, HM_SHAPE_QUANTITY, who[k], q.value, q.reading, i, q.to + 1, end);
}

/* "that's 15 signed balls since I started collecting" */
static bool read_since(prose *p, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_is(p, i, end, "that's") || !prose_read_quantity(p, &q, i + 1, end) || !q.plain)
    return false;
  size_t noun = prose_counted_noun(p, q.to, end), to = q.to + noun;
  bool so_far = prose_are(p, to, end, "since i started") || prose_are(p, to, end, "so far") ||
      prose_are(p, to, end, "since we started");
  if (!noun || !so_far)
    return false;
  prose_np np = { .family = -1 };
  prose_add_words(&np.subject, "user");
  for (size_t k = q.to; k + 1 < to; k++)
    prose_add_word(&np.subject, p->t[k].low);
  return prose_claim_thing(p, &np, HM_SHAPE_COUNT, hm_str_z(p->a, p->t[to - 1].low), q.value,
                           q.reading, i, to, to);
}

bool prose_read_so_far(prose *p, size_t i, size_t end) {
  prose_person who;
  if (read_total(p, i, end) || read_since(p, i, end) || read_audience(p, i, end))
    return true;
  if (!prose_read_person(p, &who, i, end))
    return read_while_of(p, i, end);
  if (who.be && read_progress(p, i, who.at, end))
    return true;
  if (!who.have)
    return read_while_of(p, i, end);
  bool already = prose_is(p, who.at - 1, end, "already");
  if (!who.been && read_spent(p, i, who.at, end, already))
    return true;
  prose_np np = { .family = -1 };
  return read_while(p, &np, i, who.at, end, who.been);
}
