/* Forms after "is" that are in no table: "is open from 8:00 to 20:00", "is on Tuesdays at 10:00",
 * "is a 32-year-old", "is using X for Y", "was raised to 60 s".
 * How often and after what time something is done is read in any words
 * (core/words/sentence.c). */
#include "core/prose/prose_grammar.h"

/* "is [a] 32-year-old engineer" */
static bool read_age(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  size_t age = prose_has(p, at, end, C_ARTICLE) ? at + 1 : at;
  if (!np->person || age >= end || !p->t[age].digit || !hm_str_ends(p->t[age].low, "-year-old"))
    return false;
  v->shape = HM_SHAPE_QUANTITY;
  v->value = hm_str_sub(p->t[age].s, 0, p->t[age].s.n - 9);
  v->to = age + 1;
  prose_set_attribute(np, "age");
  prose_claim(p, np, v);
  return true;
}

bool prose_read_special(prose *p, prose_np *np, prose_value *v, size_t at, size_t end, bool past) {
  static const prose_reader present[] = { prose_read_hours, read_age, prose_read_allergies };
  /* A number is no word of them, and most values are one */
  if (p->t[at].digit && !prose_ends_in(p->t[at].low, "ed|-year-old"))
    return false;
  if (past && prose_read_birth(p, np, v, at, end))
    return true;
  if (!past && !v->denied && prose_read_first(p, np, v, at, end, present, HM_COUNT(present)))
    return true;
  if (!past && v->denied && prose_read_allergies(p, np, v, at, end))
    return true;
  size_t days = prose_is(p, at, end, "only") ? at + 1 : at;
  if (!past && !v->denied && !np->person && prose_read_schedule(p, np, v->from, days, end))
    return true;
  bool user =
      np->user || np->subject.n == 0 || (np->subject.n == 1 && hm_str_is(np->subject.w[0], "user"));
  if (prose_is(p, at, end, "using") && !v->denied && user) {
    prose_read_use(p, v->from, at + 1, end);
    return true;
  }
  bool to = prose_one_of(p, at + 1, end, "to|from");
  if (!(p->t[at].cls & C_MOVED) || !to || v->denied)
    return false;
  prose_read_moved(p, np, v, at + 1, end);
  return true;
}
