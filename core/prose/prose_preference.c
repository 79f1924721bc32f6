/* What people like, and when they want to be asked: "Kim prefers tabs", "the user dislikes olives",
 * "contact Kim by email", "ask before deleting files", "delete files without asking".
 *
 * Only a short whole statement claims: with another clause it is an opinion on one occasion. What
 * is liked is a switch; of two things that exclude each other (PAIRS) one is also a choice. */
#include "core/prose/prose_grammar.h"

enum { OBJECT_WORDS = 3, ACT_WORDS = 6 };

/* Words that exclude each other, and the attribute of a noun alone. NULL: of the noun behind it. */
static const struct {
  const char *words, *attribute;
} pairs[] = {
  { "tabs|spaces", "indentation" },
  { "email|e-mail|phone|text|sms|slack|chat|letter|mail", "contact" },
  { "mornings|afternoons|evenings", "time_of_day" },
  { "dark|light", NULL },
  { "short|long|brief|detailed|concise|verbose|terse", NULL },
  { "formal|informal|casual", NULL },
  { "single|double", NULL },
  { "metric|imperial", NULL },
  { "window|aisle", NULL },
};

/* Plain words of one thing, to the end of the statement. */
static bool is_object(const prose *p, size_t i, size_t end) {
  const uint64_t refused = C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_AND | C_COND | C_UNSURE |
      C_SEVERAL | C_PREP | C_TAIL | C_MOVED;
  if (i >= end || end - i > OBJECT_WORDS || (p->t[end - 1].cls & C_LATELY))
    return false;
  for (size_t k = i; k < end; k++)
    if ((p->t[k].cls & refused) || p->t[k].aside || p->t[k].digit ||
        (p->t[k].stop && k + 1 < end) || (k == i && prose_ends_in(p->t[k].low, "ing")))
      return false;
  return true;
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
    prose_claim(p, &np, &v);
  }
}

/* "[SUBJECT] likes|dislikes|prefers|does not like THING", "prefers to be contacted by email". */
static bool read_liking(prose *p, size_t i, size_t end) {
  static const char verbs[] = "like|likes|dislike|dislikes|hate|hates|prefer|prefers";
  size_t verb = i, subject;
  while (verb < end && verb < i + 5 && !prose_one_of(p, verb, end, verbs))
    verb++;
  bool nobody = verb == i && prose_are(p, verb, end, "prefers to be");
  if ((verb == i && !nobody) || verb + 1 >= end || !prose_one_of(p, verb, end, verbs) ||
      p->t[verb].stop)
    return false;
  subject = verb;
  /* "acts like an operator" */
  if (prose_is(p, verb, end, "like") && verb == i + 1 && (p->t[verb + 1].cls & C_ARTICLE))
    return false;
  bool denied = !nobody && prose_one_of(p, verb - 1, end, "doesn't|don't") > 0;
  if (denied)
    subject = verb - 1;
  else if (verb > i + 2 && prose_one_of(p, verb - 2, end, "does not|do not"))
    subject = verb - 2, denied = true;
  bool prefers = prose_one_of(p, verb, end, "prefer|prefers");
  bool on = denied != (prose_one_of(p, verb, end, "like|likes|prefer|prefers") > 0);
  size_t thing = verb + 1, by = thing + 3;
  prose_np np = { .family = -1 };
  if (nobody && !p->about.n) /* "Prefers to be contacted by email" */
    prose_add_words(&np.attribute, "user");
  if (!nobody && (subject == i || !prose_read_np(p, &np, i, subject) || np.fresh || np.indefinite))
    return false;
  if (prefers && by + 1 < end && prose_one_of(p, thing, end, "to be contacted by|to be reached by"))
    thing = by + 1;
  else if (thing < end && (p->t[thing].cls & C_ARTICLE))
    thing++;
  if (!is_object(p, thing, end))
    return false;
  prose_attribute_from_subject(&np);
  np.subject = np.attribute;
  np.attribute.n = 0;
  prose_add_words(&np.attribute, prefers ? "preference" : "liking");
  prose_add_stems(p, &np.attribute, thing, end);
  claim_switch(p, &np, i, end, on);
  if (prefers && !denied)
    claim_pair(p, &np, i, thing, end);
  return true;
}

/* "contact Kim by email". */
static bool read_contact(prose *p, size_t i, size_t end) {
  prose_np np;
  size_t by = i + 1;
  if (!prose_one_of(p, i, end, "contact|reach|notify"))
    return false;
  while (by < end && by < i + 4 && !prose_one_of(p, by, end, "by|via"))
    by++;
  if (by + 2 != end || by == i + 1 || !prose_read_np(p, &np, i + 1, by))
    return false;
  prose_attribute_from_subject(&np);
  np.subject = np.attribute;
  claim_pair(p, &np, i, by + 1, end);
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
    from++;
  } else {
    to = without;
    bool alone = without + 2 == end &&
        prose_one_of(p, without + 1, end, "asking|confirmation|permission|approval");
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
