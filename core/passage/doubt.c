/* What a text says of another time, or of other files: of what is planned, gone, made, or
 * somebody's example. It points to nothing that must be there. */
#include "core/base/text.h"
#include "core/passage/passage_impl.h"

bool note_is_doubtful(hm_str text, hm_arena *a) {
  static const char doubts[] = "coming|deleted|forthcoming|future|generated|planned|removed|soon|"
                               "tbd|todo|upcoming";
  static const char to_come[] =
      "(\u4E88\u5B9A|(\u5C06\u6765|(\u5C07\u4F86|(\u672A\u6765|(\u672A\u4F86";
  note_words w = note_split(text, a);
  for (size_t i = 2; i < w.n; i++) /* "(to be written)" */
    if (hm_str_is(w.w[i - 2].low, "to") && hm_str_is(w.w[i - 1].low, "be") &&
        (hm_str_ends(w.w[i].low, "ed") || note_word_in(w.w[i].low, "built|done|made|written")))
      return true;
  for (size_t i = 1; i < w.n; i++) /* "(Phase 6)": when it comes */
    if (hm_str_is(w.w[i - 1].low, "phase") && w.w[i - 1].before == '(' && hm_digit_at(w.w[i].s, 0))
      return true;
  return hm_str_find(text, "{{") >= 0 || note_has_any(text, to_come) ||
      (w.n && hm_str_is(w.w[0].low, "example")) || note_any_word_in(&w, doubts);
}

bool note_says_any(hm_str text, hm_str headings, const char *words, hm_arena *a) {
  note_words w = note_split(text, a), above = note_split(headings, a);
  return note_is_doubtful(text, a) || note_is_doubtful(headings, a) ||
      note_any_word_in(&w, words) || note_any_word_in(&above, words);
}

bool note_is_of_other_time(hm_str text, hm_str headings, hm_arena *a) {
  static const char times[] =
      "add|added|adding|after|append|become|becomes|before|build|change|changed|changes|copy|"
      "chapter|could|create|created|creating|deprecated|e.g|example|examples|extend|former|"
      "formerly|generate|if|implement|init|legacy|like|make|might|migrate|minimal|modified|"
      "new|no|not|old|once|optional|output|pattern|phase|plan|plans|previous|previously|"
      "proposed|recommended|refactor|rename|renamed|replace|replaced|sample|should|similar|"
      "such|suggested|suggestion|template|typical|update|was|were|will|would|write|your|"
      "antes|beispiel|ejemplo|exemple|exemplo|erstellen|neu|nouveau|novo|nuevo|proposta|"
      "propuesta|propos\u00E9e|vorschlag|voorbeeld|projection|proyecci\u00F3n|target";
  return note_says_any(text, headings, times, a);
}

/* Of what a program wrote from the description of an interface these are the README.md and its
 * docs; others in there may be written by hand. */
bool note_is_of_others(const hm_scripts *scripts, hm_str path, hm_arena *a) {
  static const char *const signs[] = { ".openapi-generator-ignore", ".swagger-codegen-ignore" };
  hm_str folder = scripts && scripts->tree ? hm_scripts_folder(scripts, path, a) : HM_EMPTY;
  const hm_tree_files *in = folder.n ? hm_tree_files_around(scripts->tree, folder) : NULL;
  size_t n;
  bool readme = hm_str_is(hm_str_behind_last(path, '/'), "README.md");
  if (!in)
    return false;
  if (hm_tree_files_copied(in, folder))
    return true;
  folder = hm_tree_files_below(in, folder);
  if (!readme && !hm_str_is(hm_str_behind_last(folder, '/'), "docs"))
    return false;
  folder = readme ? folder : hm_tree_folder(folder);
  for (size_t k = 0; k < HM_COUNT(signs); k++) {
    const hm_str *v = hm_tree_files_named(in, hm_str_c(signs[k]), &n);
    for (size_t i = 0; i < n; i++)
      if (hm_str_eq(hm_tree_folder(v[i]), folder))
        return true;
  }
  return false;
}
