/* What people like, and when they want to be asked: "Kim prefers tabs", "the user dislikes olives",
 * "contact Kim by email", "ask before deleting files", "delete files without asking".
 *
 * Only a short whole statement claims: with another clause it is an opinion on one occasion. What
 * is liked is a switch; of two things that exclude each other (PAIRS) one is also a choice. */
#include "core/prose/prose_grammar.h"

enum { OBJECT_WORDS = 3, LIKED_WORDS = 5, ACT_WORDS = 6 };

/* Words that exclude each other, and the attribute of a noun alone. NULL: of the noun behind it.
 * one: what all words of the row mean; NULL: each another thing. */
static const struct {
  const char *words, *attribute, *one;
} pairs[] = {
  { "tabs|spaces", "indentation", NULL },
  { "email|e-mail|phone|text|sms|slack|chat|letter|mail", "contact", NULL },
  { "mornings|afternoons|evenings", "time_of_day", NULL },
  { "dark|light|formal|single|double|metric|imperial|window|aisle", NULL, NULL },
  { "short|brief|concise|terse", NULL, "short" },
  { "long|detailed|verbose", NULL, "long" },
  { "informal|casual", NULL, "informal" },
};

/* Plain words of one thing, to `end`; where: perhaps with when or where, "meetings before noon". */
static bool is_thing(const prose *p, size_t i, size_t end, bool where) {
  static const char places[] = "after|at|before|during|in|on|with|without";
  const uint64_t refused = C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_AND | C_COND | C_UNSURE |
      C_SEVERAL | C_PREP | C_TAIL | C_MOVED;
  if (i >= end || end - i > (where ? LIKED_WORDS : OBJECT_WORDS) || (p->t[end - 1].cls & C_LATELY))
    return false;
  for (size_t k = i; k < end; k++)
    if (((p->t[k].cls & refused) &&
         !(where && k > i && k + 1 < end && prose_one_of(p, k, k + 1, places))) ||
        p->t[k].aside || p->t[k].digit || (p->t[k].stop && k + 1 < end) ||
        (k == i && prose_ends_in(p->t[k].low, "ing")))
      return false;
  return true;
}

static bool is_object(const prose *p, size_t i, size_t end) { return is_thing(p, i, end, false); }

/* "by text message": how somebody is reached excludes all other ways. */
static void claim_way(prose *p, const prose_np *who, size_t from, size_t i, size_t end) {
  prose_np np = *who;
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = from, .to = end };
  np.attribute.n = 0;
  prose_add_words(&np.attribute, "preferred");
  prose_add_words(&np.attribute, "contact");
  v.value = prose_span(p, i, end);
  prose_claim(p, &np, &v);
}

static void claim_switch(prose *p, prose_np *np, size_t from, size_t end, bool on) {
  prose_value v = { .shape = HM_SHAPE_SWITCH, .from = from, .to = end };
  v.value = prose_span(p, from, end);
  v.reading = on ? HM_STR("on") : HM_STR("off");
  prose_claim(p, np, &v);
}

/* "tabs", "dark mode", "email": which of two things that exclude each other. */
static void claim_pair(prose *p, const prose_np *who, size_t from, size_t i, size_t end) {
  for (size_t k = 0; k < HM_COUNT(pairs); k++) {
    prose_np np = *who;
    prose_value v = { .shape = HM_SHAPE_CHOICE, .from = from, .to = end };
    bool alone = pairs[k].attribute && i + 1 == end;
    if (!prose_one_of(p, i, end, pairs[k].words) ||
        (!alone && (pairs[k].attribute || i + 1 == end)))
      continue;
    np.attribute.n = 0;
    prose_add_words(&np.attribute, "preferred");
    if (alone)
      prose_add_words(&np.attribute, pairs[k].attribute);
    else
      prose_add_stems(p, &np.attribute, i + 1, end);
    v.value = prose_span(p, i, i + 1);
    v.reading = pairs[k].one ? hm_str_c(pairs[k].one) : v.value;
    prose_claim(p, &np, &v);
  }
}

/* "to be contacted by email": where the way begins, else 0. */
static size_t way_at(const prose *p, size_t i, size_t end) {
  static const char deeds[] = "called|contacted|informed|notified|reached|reminded|told";
  bool way = prose_are(p, i, end, "to be") && prose_one_of(p, i + 2, end, deeds) &&
      prose_one_of(p, i + 3, end, "by|via");
  return way ? i + 4 : 0;
}

/* Who likes something, and how. */
typedef struct {
  size_t verb;
  bool nobody, denied; /* nobody: no subject is named, or "I", so it is the user */
} liking;

static bool find_liking(const prose *p, liking *l, size_t i, size_t end) {
  static const char verbs[] = "like|likes|dislike|dislikes|hate|hates|prefer|prefers|want|wants";
  size_t verb = i;
  while (verb < end && verb < i + 5 && !prose_one_of(p, verb, end, verbs))
    verb++;
  if (verb + 1 >= end || !prose_one_of(p, verb, end, verbs) || p->t[verb].stop)
    return false;
  *l = (liking){ .verb = verb };
  size_t from = verb;
  if (verb > i && prose_one_of(p, verb - 1, end, "doesn't|don't"))
    from = verb - 1;
  else if (verb > i + 1 && prose_one_of(p, verb - 2, end, "does not|do not"))
    from = verb - 2;
  l->denied = from < verb;
  l->nobody = from == i + prose_is(p, i, end, "i");
  /* "acts like an operator"; "like the others" */
  if (prose_is(p, verb, end, "like") && verb == i + 1 && (p->t[verb + 1].cls & C_ARTICLE))
    return false;
  return from > i || prose_one_of(p, i, end, "likes|dislikes|hates|prefers|wants|does|doesn't");
}

/* "tabs for indentation": what is preferred for one purpose excludes all else for it. */
static bool claim_purpose(prose *p, const prose_np *who, size_t from, size_t i, size_t end) {
  size_t stop = i;
  while (stop < end && !prose_is(p, stop, end, "for"))
    stop++;
  if (!is_object(p, i, stop) || !is_object(p, stop + 1, end))
    return false;
  prose_np np = *who;
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = from, .to = end };
  prose_add_words(&np.attribute, "preferred");
  prose_add_stems(p, &np.attribute, stop + 1, end);
  v.value = prose_span(p, i, stop);
  prose_claim(p, &np, &v);
  return true;
}

/* "[SUBJECT] likes|dislikes|prefers|does not like THING", "prefers THING for PURPOSE", "wants to be
 * contacted by email". */
static bool read_liking(prose *p, size_t i, size_t end) {
  liking l;
  prose_np np = { .family = -1 };
  if (!find_liking(p, &l, i, end))
    return false;
  size_t subject = l.verb - (l.denied ? (prose_is(p, l.verb - 1, end, "not") ? 2 : 1) : 0);
  bool prefers = prose_one_of(p, l.verb, end, "prefer|prefers");
  size_t thing = l.verb + 1, way = way_at(p, thing, end);
  if (prose_one_of(p, l.verb, end, "want|wants")) {
    if (!way || l.denied)
      return false;
    prefers = true;
  }
  if (l.nobody && !p->about.n)
    prose_add_words(&np.attribute, "user");
  if (!l.nobody && (!prose_read_np(p, &np, i, subject) || np.fresh || np.indefinite))
    return false;
  if (prefers && way)
    thing = way;
  else if (thing < end && (p->t[thing].cls & C_ARTICLE))
    thing++;
  prose_attribute_from_subject(&np);
  np.subject = np.attribute;
  np.attribute.n = 0;
  if (prefers && !l.denied && !way && claim_purpose(p, &np, i, thing, end))
    return true;
  if (!is_thing(p, thing, end, true))
    return false;
  size_t before = p->out->n;
  bool likes = prefers || prose_one_of(p, l.verb, end, "like|likes");
  prose_add_words(&np.attribute, prefers ? "preference" : "liking");
  prose_add_stems(p, &np.attribute, thing, end);
  if (!prose_is(p, i, end, "i")) /* "I prefer tea" is an opinion, "I prefer tabs" a choice */
    claim_switch(p, &np, i, end, likes != l.denied);
  if (prefers && way && !l.denied)
    claim_way(p, &np, i, way, end);
  else if (prefers && !l.denied && is_object(p, thing, end))
    claim_pair(p, &np, i, thing, end);
  return p->out->n > before;
}

/* "contact Kim by email". */
static bool read_contact(prose *p, size_t i, size_t end) {
  prose_np np;
  size_t by = i + 1;
  if (!prose_one_of(p, i, end, "contact|reach|notify"))
    return false;
  while (by < end && by < i + 4 && !prose_one_of(p, by, end, "by|via"))
    by++;
  if (by == i + 1 || !is_object(p, by + 1, end) || !prose_read_np(p, &np, i + 1, by))
    return false;
  prose_attribute_from_subject(&np);
  np.subject = np.attribute;
  claim_way(p, &np, i, by + 1, end);
  return true;
}

/* "[always] ask [me] before DOING", "DO without asking": one rule, on or off. */
static bool read_ask(prose *p, size_t i, size_t end) {
  const uint64_t refused = C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_AND | C_COND | C_TAIL;
  size_t ask = i + prose_one_of(p, i, end, "always|please|please always");
  size_t from = i, to = end, without = i;
  prose_np np = { .family = -1 };
  while (without < end && !prose_is(p, without, end, "without"))
    without++;
  bool asked = prose_is(p, ask, end, "ask");
  if (asked) {
    from = ask + 1;
    while (from < end && from < ask + 4 && !prose_is(p, from, end, "before"))
      from++;
    if (!prose_is(p, from, end, "before"))
      return false;
    from += prose_is(p, from + 1, end, "you") ? 2 : 1; /* "before you order parts" */
  } else {
    to = without;
    static const char words[] =
        "asking me|asking us|asking first|asking|confirmation|permission|approval";
    size_t n = prose_one_of(p, without + 1, end, words);
    bool alone = n && without + 1 + n == end;
    if (!alone || (p->t[i].cls & (C_STATE | C_ARTICLE | C_PREP | C_ADVERB)))
      return false;
  }
  if (from >= to || to - from > ACT_WORDS)
    return false;
  for (size_t k = from; k < to; k++)
    if ((p->t[k].cls & refused) || (p->t[k].stop && k + 1 < to))
      return false;
  prose_add_words(&np.attribute, "ask");
  prose_add_words(&np.attribute, "before");
  prose_add_stems(p, &np.attribute, from, to);
  claim_switch(p, &np, i, end, asked);
  return true;
}

bool prose_read_preference(prose *p, size_t i, size_t end) {
  return read_ask(p, i, end) || read_contact(p, i, end) || read_liking(p, i, end);
}
