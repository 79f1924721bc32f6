/* A claim: the slot that what it is about gives, and its value.
 *
 * What holds on Fridays or in staging is no value of the rest: the day is a part of the attribute,
 * the environment is a qualifier. */
#include "core/claim/prose_impl.h"

hm_str hm_shape_name(hm_prose_shape s) {
  static const hm_str names[HM_N_SHAPES] = { { "quantity", 8 }, { "switch", 6 }, { "version", 7 },
                                             { "choice", 6 },   { "key", 3 },    { "set", 3 },
                                             { "count", 5 }, { "attribute", 9 }, { "status", 6 } };
  return (unsigned)s < HM_N_SHAPES ? names[s] : HM_EMPTY;
}

/* subject and attribute, which may begin with the subject's last word: "api" and "api_style". */
static hm_str slot_of(prose *p, const prose_np *np, hm_str subject) {
  static const char *const limits[] = { "", "max", "min", "default" };
  prose_name name = { .n = 0 };
  prose_add_words(&name, limits[np->limit]);
  hm_str attribute = prose_fold_name(p, &np->attribute);
  bool said = hm_str_eq(attribute, subject) ||
      (attribute.n > subject.n && attribute.p[subject.n] == '_' &&
       memcmp(attribute.p, subject.p, subject.n) == 0);
  if (!said && np->subject.n > 1 && np->attribute.n > 1 &&
      hm_str_eq(np->subject.w[np->subject.n - 1], np->attribute.w[0])) {
    for (size_t i = 0; i + 1 < np->subject.n; i++) prose_add_word(&name, np->subject.w[i]);
  } else if (!said) {
    prose_add_word(&name, subject);
  }
  prose_add_word(&name, attribute);
  return prose_fold_name(p, &name);
}

/* "The staging API timeout" is that of the API in staging. */
static void move_environment(prose_np *np, bool version) {
  static const char *const words[] = { "production", "prod", "staging" };
  size_t k = 0;
  if (!np->subject.n || (np->subject.n < 2 && !version) || np->qualifier.n) return;
  while (k < HM_COUNT(words) && !hm_str_is(np->subject.w[0], words[k])) k++;
  if (k == HM_COUNT(words)) return;
  prose_add_words(&np->qualifier, k == 1 ? "production" : words[k]);
  np->subject.n--;
  for (k = 0; k < np->subject.n; k++) np->subject.w[k] = np->subject.w[k + 1];
}

/* What holds on Fridays is no value of the other days: the day is a part of the attribute. */
static void move_days(const prose *p, prose_np *np) {
  size_t kept = 0, n = np->qualifier.n;
  bool any = false;
  for (size_t k = 0; k < n; k++) {
    hm_str w = np->qualifier.w[k];
    if (!prose_is_weekday(p, w)) {
      np->qualifier.w[kept++] = w;
      continue;
    }
    if (!any) prose_add_words(&np->attribute, "on");
    prose_add_word(&np->attribute, w);
    any = true;
  }
  np->qualifier.n = kept;
}

/* "The user's cousin's name": there may be another cousin. */
static bool is_one_of_several(const prose_np *np) {
  static const char *const words[] = { "aunt",   "brother",  "cat",       "child", "colleague",
                                       "cousin", "coworker", "daughter",  "dog",   "friend",
                                       "kid",    "neighbor", "neighbour", "pet",   "roommate",
                                       "sister", "son",      "uncle" };
  if (np->attribute.n != 1 || !hm_str_is(np->attribute.w[0], "name") || !np->subject.n)
    return false;
  hm_str last = np->subject.w[np->subject.n - 1];
  return prose_word_in(last, words, HM_COUNT(words));
}

void prose_claim(prose *p, const prose_np *of, const prose_value *v) {
  prose_np whole = *of;
  move_environment(&whole, v->shape == HM_SHAPE_VERSION);
  const prose_np *np = &whole;
  if (p->lead && p->lead->limit && !whole.limit) whole.limit = p->lead->limit;
  for (size_t i = 0; p->lead && i < p->lead->qualifier.n; i++)
    prose_add_word(&whole.qualifier, p->lead->qualifier.w[i]);
  move_days(p, &whole);
  hm_str subject = prose_fold_name(p, &np->subject);
  hm_str bare = slot_of(p, np, subject), slot = bare;
  if (!subject.n && p->about.n) {
    prose_word last = { .low = p->about };
    subject = prose_singular(p, &last);
    slot = slot_of(p, np, subject);
  }
  hm_str attribute = prose_fold_name(p, &np->attribute);
  if (!attribute.n || !slot.n || !bare.n || !v->value.n) return;
  if (hm_str_find(v->value, "](") >= 0 || hm_str_find(v->value, "][") >= 0) return; /* a link */
  if (!p->cap) p->out->claims = hm_alloc_array(p->a, p->cap = 2, sizeof(hm_prose_claim));
  p->out->claims =
      hm_array_grow_in(p->a, p->out->claims, p->out->n, &p->cap, sizeof(hm_prose_claim));
  p->out->claims[p->out->n++] = (hm_prose_claim){
    .shape = v->shape,
    .slot = slot,
    .bare = bare,
    .subject = subject,
    .attribute = attribute,
    .qualifier = prose_fold_name(p, &np->qualifier),
    .value = v->value,
    .reading = v->reading.n ? v->reading : v->value,
    .left = v->left,
    .words = prose_span(p, v->from, v->to),
    .denied = v->denied,
    .only = v->only,
    .also = v->also || is_one_of_several(np),
    .family = v->family,
  };
}
