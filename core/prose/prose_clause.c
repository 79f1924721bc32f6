/* A clause: one statement, or predicates that share a subject: "the service listens on port 8080,
 * uses Postgres 15 and is deployed to eu-west-1", "is written in Go and owned by Dana".
 *
 * The forms are tried in this order; the first that fits is used:
 *
 *   status     [DATE:] SUBJECT status|state|priority|phase|severity is|: V
 *   key        KEY=V, KEY is V, set KEY to V
 *   label      WORDS: V, WORDS = V
 *   fragment   VERB AMOUNT NOUN, of what the text is about
 *   instruction DO THINGS with TOOL, at most N THINGS; before all others: prefer A over B, SUBJECT
 *              likes|prefers THING, ask before DOING, DO without asking
 *   rule       always DO, never DO [without DOING], SUBJECT must [not] DO, only X may DO
 *   decision   we use X [for Y|as Y], use X, not Y, chose X over Y, switched [S] to X, replaced X
 *              with Y
 *   predicate  [SUBJECT] VERB V, by tables of verbs: is, takes, costs, deploys to, is stored in
 *
 * Each predicate of a shared subject is read as a statement of its own, after a copy of the words
 * of the subject. A verb continues a statement if it has the form of the first one and begins a row
 * of the tables; words after "who", "because" or "if" have another subject. Cost: a clause of n
 * words and k predicates is read as n + 12 k words. */
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
static void read_statement(prose *p, size_t i, size_t end) {
  static bool (*const forms[])(prose *, size_t, size_t) = {
    prose_read_key,         prose_read_label,    prose_read_rule,      prose_read_fragment,
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
  prose_read_parentheses(p, i, end);
}

/* --- predicates that share a subject ---------------------------------------------------------- */

enum { SUBJECT_WORDS = 12 };

/* Has the verb the form of one thing: "is", "has", "uses"? */
static bool is_of_one(const prose_word *t) {
  return hm_str_ends(t->low, "s") && !hm_str_ends(t->low, "ss") && !hm_str_is(t->low, "was");
}

/* The first verb of [i, end), where the subject ends; end if none is certain. */
static size_t first_verb(const prose *p, size_t i, size_t end) {
  for (size_t k = i; k < end && k < i + SUBJECT_WORDS; k++) {
    const prose_word *t = &p->t[k];
    if (t->aside)
      continue;
    if (k > i && p->t[k - 1].stop && p->t[k - 1].stop != '.')
      return end;
    if (t->cls & (C_TAIL | C_COND | C_UNSURE | C_MUST | C_AND))
      return end;
    if (t->cls & (C_BE | C_HAVE | C_WAS))
      return k;
    if (k > i && p->t[k - 1].digit)
      return end; /* "drop Python 2 support" */
    if (k == i && p->about.n && (t->cls & C_PART) && !(t->cls & C_PREP))
      return k;
    bool noun = prose_is_noun_here(p, k, i, end) || /* "nightly builds run at" */
        (k > i && !t->stop && prose_has(p, k + 1, end, C_VERB));
    if ((t->cls & (C_VERB | C_EVENT | C_MOVED)) && !noun)
      return k;
  }
  return end;
}

/* Does a predicate begin at w that continues the one whose verb is `first`? */
static bool continues(const prose *p, size_t first, size_t w, size_t end) {
  const prose_word *verb = &p->t[first];
  size_t n = 0;
  if (w + 1 >= end || p->t[w].stop)
    return false;
  if ((verb->cls & C_BE) && p->t[w].digit) /* "0.7 mm thick" to the end */
    return prose_is_dimension(p, w + 1, end) || prose_is_dimension(p, w + 2, end);
  if (p->t[w].cls & (C_BE | C_HAVE))
    return !(verb->cls & (C_BE | C_HAVE | C_VERB)) || is_of_one(&p->t[w]) == is_of_one(verb);
  if ((verb->cls & (C_BE | C_PART)) && (p->t[w].cls & C_PART))
    return prose_part_row(p, w, end, &n) && n > 1 && w + n < end;
  if (!(p->t[w].cls & C_VERB) || !prose_verb_row(p, w, end, &n) || w + n >= end)
    return false;
  if (p->t[w + n].cls & (C_BE | C_WAS | C_HAVE | C_AND | C_VERB))
    return false; /* a noun */
  if (verb->cls & (C_WAS | C_PART | C_EVENT | C_MOVED))
    return is_of_one(&p->t[w]);
  return is_of_one(&p->t[w]) == is_of_one(verb);
}

/* The verb of the next predicate after i; *stop: where the previous one ends. */
static size_t next_verb(const prose *p, size_t first, size_t i, size_t end, size_t *stop) {
  for (size_t k = i; k + 1 < end; k++) {
    const prose_word *t = &p->t[k];
    if (t->aside)
      continue;
    if (t->cls & (C_TAIL | C_COND) && !prose_is(p, k, end, "since"))
      return end;
    bool comma = p->t[k - 1].stop == ',', and = prose_is(p, k, end, "and");
    if (!comma && !and)
      continue;
    size_t w = and? k + 1 : k;
    while (prose_one_of(p, w, end, "also|now"))
      w++;
    if (!continues(p, first, w, end))
      continue;
    *stop = k;
    return w;
  }
  return end;
}

/* Reads [verb, end) as what the subject [i, first) is or does, too. */
static void read_shared(prose *p, size_t i, size_t first, size_t verb, size_t end) {
  prose whole = *p;
  bool part = (p->t[first].cls & C_BE) && !(p->t[verb].cls & (C_BE | C_HAVE)) &&
      (p->t[verb].digit || ((p->t[verb].cls & C_PART) && !is_of_one(&p->t[verb])));
  size_t subject = first - i + (part ? 1 : 0), n = 1 + subject + (end - verb);
  prose_word *t = hm_alloc_array(p->a, n, sizeof *t);
  t[0] = p->t[i];
  t[0].stop = 0; /* a statement never begins at the first word of a text */
  for (size_t k = 0; k < subject; k++)
    t[1 + k] = p->t[i + k];
  for (size_t k = verb; k < end; k++)
    t[1 + subject + k - verb] = p->t[k];
  p->t = t;
  p->n = n;
  p->before = p->before_end = 0;
  read_statement(p, 1, n);
  p->t = whole.t;
  p->n = whole.n;
  p->before = whole.before;
  p->before_end = whole.before_end;
}

void prose_read_clause(prose *p, size_t i, size_t end) {
  size_t stop = end, first = end;
  for (size_t k = i + 1; k + 1 < end && first == end; k++) /* most texts have one predicate */
    if ((p->t[k].cls & C_AND) || p->t[k - 1].stop == ',') {
      first = first_verb(p, i, end);
      break;
    }
  size_t verb = first < end ? next_verb(p, first, first + 1, end, &stop) : end;
  read_statement(p, i, stop);
  while (verb < end && !p->unsure) {
    size_t next_stop = end, next = next_verb(p, first, verb + 1, end, &next_stop);
    read_shared(p, i, first, verb, next_stop);
    verb = next;
  }
}
