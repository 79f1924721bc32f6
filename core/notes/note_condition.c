/* Conditions under which alone a sentence holds: "In production the API ...", "Locally, ...",
 * "**Staging**: ...", "... in CI", and places that no list knows, "On `beet` runs PostgreSQL 17".
 */
#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

/* One word for each environment. */
static hm_str name_of(hm_str word) {
  static const char *const names[][2] = { { "dev", "development" },
                                          { "prod", "production" },
                                          { "test", "testing" },
                                          { "tests", "testing" } };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(word, names[i][0]))
      return hm_str_c(names[i][1]);
  return word;
}

/* "beet" of "On `beet` runs PostgreSQL 17", "testserver" of "Auf dem Testserver"; empty: the text
 * begins with no place. */
static hm_str place_of(const note_words *w) {
  size_t i = 1;
  if (!note_word_in(w->w[0].low, "on|auf|in|at|sur|en") || hm_str_is(w->w[1].low, "order"))
    return HM_EMPTY;
  while (i + 1 < w->n && note_is_grammar(w->w[i].low))
    i++;
  const char *program;
  bool dotted;
  return note_program_at(w, i, &program, &dotted) ? HM_EMPTY : w->w[i].low;
}

hm_str note_condition_of(const hm_doc_part *p, hm_str text, bool anywhere, hm_arena *a) {
  static const char leads[] = "during|for|in|on|under", articles[] = "a|all|it|our|the|this|use|we";
  static const char stages[] = "ci|dev|development|prod|production|staging";
  static const char environments[] = "ci|dev|development|prod|production|staging|testing|tests";
  hm_str value, label = note_lower(note_label_of(p, &value, a), a);
  if (note_word_in(label, "dev|development|prod|production|staging")) /* "Tests: Jest" is a role */
    return name_of(label);
  note_words v = note_split(text, a), *w = &v;
  if (w->n < 3)
    return HM_EMPTY;
  bool local = hm_str_is(w->w[0].low, "locally"), lead = note_word_in(w->w[0].low, leads);
  hm_str word = w->w[lead ? 1 : 0].low;
  const note_word *next = &w->w[lead ? 2 : 1], *last = &w->w[w->n - 1];
  bool begins = (local || (lead && (note_word_in(word, environments) || note_keeps_apart(word)))) &&
      (next->before == ',' || note_word_in(next->low, articles));
  bool ends = note_word_in(last[-1].low, leads) && note_word_in(last->low, stages) && last->joined;
  return begins ? name_of(word)
      : ends    ? name_of(last->low)
                : name_of(anywhere ? place_of(w) : HM_EMPTY);
}
