/* A clause: one statement.
 *
 * The forms are tried in this order; the first that fits is used:
 *
 *   status     [DATE:] SUBJECT status|state|priority|phase|severity is|: V
 *   key        KEY=V, KEY is V, set KEY to V
 *   label      WORDS: V, WORDS = V
 *   instruction DO THINGS with TOOL, at most N THINGS; before all others: prefer A over B, SUBJECT
 *              likes|prefers THING, ask before DOING, DO without asking
 *   rule       always DO, never DO [without DOING], SUBJECT must [not] DO, only X may DO
 *   decision   we use X [for Y|as Y], use X, not Y, chose X over Y, switched [S] to X, replaced X
 *              with Y
 *   predicate  [SUBJECT] VERB V, by tables of verbs: is, takes, costs, deploys to, is stored in */
#include "core/prose/prose_grammar.h"

/* A word of doubt or will, or one that makes the clause depend on something. */
static bool is_unsure(const prose *p, size_t i, size_t end) {
  for (size_t k = i; k < end; k++) {
    const prose_word *t = &p->t[k];
    bool often = prose_one_of(p, k, end, "once a|once an|once per|once every|once daily");
    if ((t->cls & C_COND) && !often && !t->aside && !prose_is_until_date(p, k, end))
      return true;
    if (t->cls & C_UNSURE) {
      if (t->aside || (t->capital && k > i && !t->line))
        continue; /* a name */
      if (prose_one_of(p, k, end, "may|can") && k > i)
        continue; /* permission: rules read it */
      return true;
    }
    if (prose_are(p, k, end, "used to") && !(k > i && (p->t[k - 1].cls & (C_BE | C_WAS))))
      return true;
    if (prose_one_of(
            p, k, end,
            "need to|needs to|have to|about to|in progress|plan to|plans to|plan on|able to"))
      return true;
  }
  return false;
}

/* What follows a relative word says no more about whether the statement holds. */
static size_t sure_part(const prose *p, size_t i, size_t end) {
  for (size_t k = i + 4; k < end; k++)
    if (!(p->t[k - 1].cls & C_PREP) && prose_one_of(p, k, end, "that|which|who|because|so"))
      return k;
  return end;
}

/* Reads [i, end) by the forms, the first that fits. */
void prose_read_clause(prose *p, size_t i, size_t end) {
  static bool (*const forms[])(prose *, size_t, size_t) = {
    prose_read_key,         prose_read_label,    prose_read_rule,
    prose_read_instruction, prose_read_decision, prose_read_predicate,
  };
  if (prose_read_status(p, i, end) || prose_read_preferred(p, i, end) ||
      prose_read_preference(p, i, end))
    return;
  if (is_unsure(p, i, sure_part(p, i, end))) {
    p->unsure = true;
    return;
  }
  size_t f = 0;
  while (f < HM_COUNT(forms) && !forms[f](p, i, end))
    f++;
}
