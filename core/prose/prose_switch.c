/* Switches: "debug mode is off", "signups are closed", "encryption is optional". */
#include "core/prose/prose_grammar.h"

/* What is said of a thing: on, off; suffix: it is another slot than the thing's own state. */
static const struct {
  const char *words, *reading;
  bool suffix, permission;
} states[] = {
  { "activated|active|enabled|on|open|turned on|switched on", "on", false, false },
  { "allowed|fine|ok|permitted", "on", false, true },
  { "banned|disallowed|forbidden|prohibited", "off", false, true },
  { "cached|compressed|encrypted|enforced|mandatory|paginated|replicated|required|signed", "on",
    true, false },
  { "closed|deactivated|disabled|inactive|off|turned off|switched off", "off", false, false },
  { "optional", "optional", true, false },
};

static size_t state_at(const prose *p, size_t i, size_t end, size_t *which) {
  for (size_t k = 0; k < HM_COUNT(states); k++) {
    size_t n = prose_one_of(p, i, end, states[k].words);
    if (n)
      return *which = k, n;
  }
  return 0;
}

bool prose_is_state(const prose *p, size_t i, size_t end) {
  size_t which;
  return state_at(p, i, end, &which) > 0;
}

void prose_add_stems(prose *p, prose_name *to, size_t i, size_t j) {
  for (size_t k = i; k < j; k++) {
    if (p->t[k].cls & (C_ARTICLE | C_OWNER))
      continue;
    bool use = prose_one_of(p, k, j, "touch|use|access|reach|call|using|touching");
    prose_add_word(to, use ? HM_STR("use") : prose_stem(p, &p->t[k]));
  }
}

static bool negate_switch(prose_value *v, bool denied) {
  if (!denied)
    return true;
  if (hm_str_is(v->reading, "on"))
    return v->reading = HM_STR("off"), true;
  if (hm_str_is(v->reading, "off"))
    return v->reading = HM_STR("on"), true;
  return false;
}

bool prose_read_switch(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  size_t which, n = state_at(p, i, end, &which);
  if (!n || np->person || np->indefinite)
    return false;
  if (np->fresh && hm_str_ends(p->t[np->last].low, "s"))
    return false; /* "new features" */
  if (p->t[np->last].digit)
    return false; /* "step 3 is optional" */
  bool fine = prose_one_of(p, i, end, "fine|ok");
  const prose_word *first = &p->t[v->from];
  bool gerund =
      first->low.n > 5 && hm_str_ends(first->low, "ing") && !(first->cls & (C_MEASURE | C_NAMED));
  if (fine && !gerund)
    return false;
  bool opening = prose_word_in(p->t[i].low, "open|closed");
  static const char opened[] =
      "sign-up|signup|sign-ups|signups|registration|registrations|enrollment|enrolment|beta";
  if (opening && !prose_last_word_in(p, np, opened))
    return false;
  if (prose_is(p, i, end, "on") && i + 1 < end && !p->t[i].stop &&
      !prose_are(p, i + 1, end, "by default") && !(p->t[i + 1].cls & (C_LATELY | C_PREP | C_TAIL)))
    return false; /* "is on page 5" */
  v->shape = HM_SHAPE_SWITCH;
  v->value = prose_span(p, i, i + n);
  v->reading = hm_str_c(states[which].reading);
  v->to = i + n;
  if (!negate_switch(v, v->denied))
    return false;
  v->denied = false;
  size_t from = v->from;
  prose_make_all_subject(np);
  prose_attribute_from_subject(np);
  static const char vague[] =
      "default|support|feature|option|setting|value|flag|mode|handling|check|behavior|behaviour";
  if (!np->subject.n && np->attribute.n == 1 && prose_word_in(np->attribute.w[0], vague))
    return false;
  if (states[which].suffix) /* one slot for "required", "mandatory" and "optional" */
    prose_add_word(&np->attribute,
                   prose_one_of(p, i, i + n, "mandatory|optional") ? HM_STR("required")
                                                                   : p->t[i + n - 1].low);
  if (states[which].permission && np->words > 1) {
    np->attribute = np->subject = np->qualifier = (prose_name){ 0 };
    prose_add_stems(p, &np->attribute, from, from + np->words);
  }
  return prose_claim_with_tail(p, np, v, i + n, end);
}
