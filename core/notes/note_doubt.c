/* What a text says of another time, or of other files: of what is planned, gone, made, or
 * somebody's example. It points to nothing that must be there. */
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

bool note_is_doubtful(hm_str text, hm_arena *a) {
  static const char doubts[] = "coming|deleted|forthcoming|future|generated|planned|removed|soon|"
                               "tbd|todo|upcoming";
  note_words w = note_split(text, a);
  return hm_str_find(text, "{{") >= 0 || (w.n && hm_str_is(w.w[0].low, "example")) ||
      note_any_word_in(&w, doubts);
}

bool note_is_no_pointer(hm_str text, hm_str headings, hm_arena *a) {
  static const char doubts[] =
      "add|added|adding|adds|append|become|becomes|build|builds|convention|copied|copies|copy|"
      "create|created|creates|creating|delete|deletes|deprecated|e.g|eg|example|examples|"
      "extract|extracted|former|formerly|generate|generates|generating|go|goes|implement|"
      "changed|modified|implemented|init|initialize|introduce|introduced|later|legacy|like|"
      "make|makes|merged|migrate|migrated|missing|move|moved|moves|name|named|naming|never|new|"
      "no|not|old|optional|optionally|output|outputs|pattern|phase|placeholder|plan|plans|"
      "previous|previously|produce|produces|propose|proposed|refactor|remove|removes|rename|"
      "renamed|renames|replace|replaced|replaces|repo|repo's|repository|sample|save|saved|"
      "saves|should|split|store|stored|such|suggested|template|templates|was|were|will|would|"
      "write|writes|written|your|ikke|inte|nicht|niet|n\u00E3o|pas|\u043D\u0435|proposta|"
      "propuesta|propuesto|propos\u00E9e|vorgeschlagen|vorschlag|anlegen|beispiel|erstellen|"
      "erstellt|fr\u00FCher|geplant|neu|neue|ancien|cr\u00E9er|exemple|nouveau|optionnel|antes|"
      "crear|ejemplo|nuevo|opcional|antigo|criar|exemplo|novo|creare|esempio|nuovo|nieuw|"
      "voorbeeld";
  static const char orders[] = "capture|document|log|place|put|record|track";
  /* arrows, a cross; "formerly" in Japanese and Chinese, "write it" in Korean, "deleted",
   * "abolished" */
  static const char *const marks[] = { "\u2192",       "->",
                                       "\u274C",       "\u3082\u3068\u306F",
                                       "\u4EE5\u524D", "\uC791\uC131",
                                       "\u524A\u9664", "\u5EC3\u6B62" };
  note_words w = note_split(text, a), above = note_split(headings, a);
  for (size_t i = 0; i < HM_COUNT(marks); i++)
    if (hm_str_find(text, marks[i]) >= 0)
      return true;
  return (w.n && note_word_in(w.w[0].low, orders)) || note_any_word_in(&w, doubts) ||
      note_any_word_in(&above, doubts) || note_is_doubtful(headings, a);
}

bool note_is_of_other_time(const hm_document *doc, const hm_doc_part *p, hm_arena *a) {
  return note_is_doubtful(p->text, a) ||
      note_is_no_pointer(p->text, hm_doc_heading_path(doc, p->heading, a), a);
}
