/* What people say of themselves and of what is theirs, beside habits: "has a cat named Luna", "uses
 * a system called Tacos for kudos", "is allergic to nuts", "was born in 1987".
 *
 * What one may have several of (a cat, an allergy) adds to others. Cost: one pass over the words
 * behind the verb. */
#include <string.h>

#include "core/claim/prose_impl.h"

/* Is [i, stop) a name: words that look like one, or in quotes? */
static bool is_name(const prose *p, size_t i, size_t stop) {
  if (stop <= i || stop - i > 4) return false;
  bool quoted = p->t[i].aside && p->t[i].s.p > p->text.p &&
      (p->t[i].s.p[-1] == '\'' || p->t[i].s.p[-1] == '"' || (unsigned char)p->t[i].s.p[-1] >= 0x80);
  for (size_t k = i; k < stop; k++)
    if ((!quoted && !prose_looks_named(&p->t[k])) || p->t[k].owns ||
        p->t[k].s.n < (k + 1 == p->n ? 3 : 2) || /* the text may be cut off */
        (p->t[k].cls & (C_PRONOUN | C_DAY | C_SEVERAL)))
      return false;
  return true;
}

bool prose_object_called(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, bool has) {
  size_t by = i + 2;
  if (!prose_is(p, i, end, "a") && !prose_is(p, i, end, "an")) return false;
  while (by < end && by < i + 6 && !prose_is(p, by, end, "named") &&
         !prose_is(p, by, end, "called"))
    by++;
  if (by + 1 >= end || by >= i + 6) return false;
  size_t stop = by + 1;
  while (stop < end && p->t[stop].aside && !p->t[stop].stop) stop++;
  if (stop < end && p->t[stop].aside) stop++;
  if (stop == by + 1) stop = prose_tail_start(p, by + 1, end);
  prose_np kind;
  if (!is_name(p, by + 1, stop) || !prose_np_read(p, &kind, i + 1, by) || kind.qualifier.n)
    return false;
  prose_all_subject(&kind);
  prose_all_subject(np);
  size_t to = stop;
  bool purpose = !has && prose_is(p, stop, end, "for");
  if (purpose) { /* what it is for names the choice */
    prose_np aim;
    to = prose_tail_start(p, stop + 1, end);
    if (!prose_np_read(p, &aim, stop + 1, to) || aim.indefinite || aim.qualifier.n) return false;
    prose_all_subject(&aim);
    for (size_t k = 0; k < aim.subject.n; k++) prose_add(&np->subject, aim.subject.w[k]);
  }
  for (size_t k = 0; k < kind.subject.n; k++) prose_add(&np->attribute, kind.subject.w[k]);
  if (has) prose_add_z(&np->attribute, "name");
  v->shape = purpose ? HM_SHAPE_CHOICE : HM_SHAPE_ATTRIBUTE;
  v->value = prose_span(p, by + 1, stop);
  v->also = !purpose;
  v->to = to;
  if (prose_tail(p, np, v, to, end)) prose_claim(p, np, v);
  return true;
}

/* "allergic to peanuts and shellfish" at i. */
bool prose_allergies(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  const uint64_t refused = C_PRONOUN | C_ARTICLE | C_OWNER | C_SEVERAL | C_NUMBER | C_STATE | C_BE |
      C_WAS | C_HAVE | C_NOT | C_VERB | C_UNSURE;
  bool named = np->words == 1 && p->t[np->last].capital && !p->t[np->last].upper &&
      !p->t[np->last].cls && !hm_str_ends(p->t[np->last].low, "s");
  if (!prose_are(p, i, end, "allergic to") || (!np->person && !named) || i + 2 >= end) return false;
  hm_str reading = HM_STR("[");
  size_t n = 0, k = i + 2, from = k;
  for (; k < end; k++) {
    const prose_tok *t = &p->t[k];
    bool last = k + 1 == end || t->stop || prose_is(p, k + 1, end, "and");
    if (prose_is(p, k, end, "and")) {
      from = k + 1;
      continue;
    }
    if ((t->cls & refused) || t->digit || t->aside || k > from + 1) return false;
    if (!last) continue;
    reading = HM_CAT(p->a, reading, n++ ? HM_STR(",\"") : HM_STR("\""), prose_span(p, from, k + 1),
                     HM_STR("\""));
    from = k + 1;
    if (t->stop && t->stop != ',') break;
  }
  v->shape = HM_SHAPE_SET;
  v->also = true;
  v->value = prose_span(p, i + 2, k < end ? k + 1 : k);
  v->reading = n > 1 ? HM_CAT(p->a, reading, HM_STR("]")) : hm_str_sub(reading, 2, reading.n - 1);
  v->to = k < end ? k + 1 : k;
  prose_set_attribute(np, "allergies");
  if (n) prose_claim(p, np, v);
  return true;
}

/* "born in 1987", "born on May 5, 1990", "born in Porto" at i. */
bool prose_born(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  size_t from = i + 2, to;
  bool in = prose_is(p, i + 1, end, "in"), on = prose_is(p, i + 1, end, "on");
  bool about = !np->words && p->about.n;
  bool person = np->person || about ||
      (np->words == 1 && p->t[np->last].capital && !p->t[np->last].upper && !p->t[np->last].cls);
  if (!prose_is(p, i, end, "born") || (!in && !on) || !person || np->indefinite || from >= end ||
      (!about && hm_str_ends(p->t[np->last].low, "s")))
    return false;
  const char *attribute = "birthday";
  if (on && prose_is_date(p, from, end, &to)) {
    if (p->t[to - 1].s.n == 4 || (p->t[from].s.n > 8)) attribute = "birth_date";
  } else if (in && p->t[from].digit && p->t[from].s.n == 4) {
    to = from + 1;
    attribute = "birth_year";
  } else if (in && is_name(p, from, to = prose_tail_start(p, from, end)) && !p->t[from].digit) {
    attribute = "birthplace";
  } else {
    return false;
  }
  prose_set_attribute(np, attribute);
  v->shape = HM_SHAPE_ATTRIBUTE;
  v->value = prose_span(p, from, to);
  v->to = to;
  if (prose_tail(p, np, v, to, end)) prose_claim(p, np, v);
  return true;
}
