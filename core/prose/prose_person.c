/* Reads a person whose habits count, and the things that they do or have.
 *
 * The subject of the claim is the thing, not the person. So only the habits of the user, the team
 * or the person whom the text is about are read: other people have habits of their own. */
#include "core/prose/prose_grammar.h"

/* The user, the team, or no words if the text is about a person. Returns the word after, or end. */
static size_t read_who(const prose *p, prose_person *who, size_t i, size_t end) {
  *who = (prose_person){ 0 };
  who->be = prose_is(p, i, end, "i'm") || prose_is(p, i, end, "we're");
  who->have = prose_is(p, i, end, "i've") || prose_is(p, i, end, "we've");
  if (who->be || who->have || prose_is(p, i, end, "i") || prose_is(p, i, end, "we"))
    return i + 1;
  if (prose_are(p, i, end, "the user") || prose_are(p, i, end, "the team"))
    return i + 2;
  if (prose_is(p, i, end, "user") && !p->t[i].owns)
    return i + 1; /* "user takes ..." */
  return p->about.n ? i : end;
}

bool prose_read_person(const prose *p, prose_person *who, size_t i, size_t end) {
  size_t at = read_who(p, who, i, end);
  while ((prose_has(p, at, end, C_ADVERB | C_HAVE | C_BE) && !prose_is(p, at, end, "had")) ||
         prose_is(p, at, end, "been")) {
    who->been = who->been || prose_is(p, at, end, "been");
    who->be = who->be || prose_has(p, at, end, C_BE);
    who->have = who->have || prose_has(p, at, end, C_HAVE);
    at++;
  }
  who->at = at;
  return at + 1 < end;
}

bool prose_read_thing(prose *p, prose_np *np, size_t i, size_t j) {
  if (prose_is(p, i, j, "their") || prose_is(p, i, j, "his") || prose_is(p, i, j, "her") ||
      prose_is(p, i, j, "my"))
    i++;
  if (i >= j || j - i > 4 || !prose_read_np(p, np, i, j))
    return false;
  if (np->indefinite || np->person || np->qualifier.n)
    return false;
  prose_make_all_subject(np);
  np->family = -1;
  return np->subject.n > 0;
}

bool prose_claim_thing(prose *p, prose_np *np, hm_prose_shape shape, const char *attribute,
                       hm_str value, hm_str reading, size_t from, size_t to, size_t end) {
  prose_value v = { .shape = shape, .from = from, .to = to, .value = value, .reading = reading };
  np->attribute = (prose_name){ 0 };
  prose_add_words(&np->attribute, attribute);
  prose_claim_with_tail(p, np, &v, to, end);
  return true;
}
