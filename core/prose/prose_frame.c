/* Statements in words of no table about a whole thing: "the handler is idempotent", "proposal 12
 * was approved", "the only sign-in methods are A and B". What a sentence says of an amount is read
 * in any words elsewhere (core/notes/note_sentence.c). */
#include <string.h>

#include "core/prose/prose_grammar.h"

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
  return false;
}
