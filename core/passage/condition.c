/* Conditions under which alone a sentence holds: "In production the API ...", "Locally, ...",
 * "**Staging**: ...", "... in CI", and places that no list knows, "On `beet` runs PostgreSQL 17".
 */
#include "core/passage/passage_impl.h"

/* Where "On `beet` runs PostgreSQL 17", "Auf dem Testserver" name a place; 0: the text begins with
 * none. */
static size_t find_place(const note_words *w) {
  size_t i = 1;
  if (!note_word_in(w->w[0].low, "on|auf|in|at|sur|en") || hm_str_is(w->w[1].low, "order"))
    return 0;
  while (i + 1 < w->n && note_is_grammar(w->w[i].low))
    i++;
  const char *program;
  bool dotted;
  return note_program_at(w, i, &program, &dotted) ? 0 : i;
}

hm_str note_condition_of(const hm_doc_part *p, const note_text *t, bool anywhere, hm_arena *a) {
  static const char leads[] = "during|for|in|on|under", articles[] = "a|all|it|our|the|this|use|we";
  static const char environments[] = "ci|development|production|staging";
  hm_str value;
  note_words label = note_split(note_label_of(p, &value, a), a);
  const note_words *w = &t->words;
  if (label.n == 1 && note_word_in(label.w[0].low, "dev|development|prod|production|staging"))
    return note_environment(&label, 0); /* "Tests: Jest" is a role */
  if (w->n < 3)
    return HM_EMPTY;
  bool local = hm_str_is(w->w[0].low, "locally"), lead = note_word_in(w->w[0].low, leads);
  hm_str word = note_environment(w, lead ? 1 : 0), last = note_environment(w, w->n - 1);
  const note_word *next = &w->w[lead ? 2 : 1];
  bool known =
      note_word_in(word, environments) || hm_str_is(word, "testing") || note_keeps_apart(word);
  if ((local || (lead && known)) && (next->before == ',' || note_word_in(next->low, articles)))
    return word;
  if (note_word_in(w->w[w->n - 2].low, leads) && note_word_in(last, environments) &&
      w->w[w->n - 1].joined)
    return last;
  size_t place = anywhere ? find_place(w) : 0;
  return place ? note_environment(w, place) : HM_EMPTY;
}
