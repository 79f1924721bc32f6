/* For which files a rule for agents holds, as its front matter says: globs of types of files, or of
 * all that is in the folder of a part. */

#include "core/base/ascii.h"
#include "core/passage/passage_impl.h"

static const char WHERE[] = "applyto|globs|paths"; /* keys that say for which files a rule is */

bool note_is_switch_of_rule(hm_str key, hm_arena *a) {
  hm_str low = note_lower(key, a);
  return note_word_in(low, WHERE) || note_word_in(low, "alwaysapply|always_apply|always-apply");
}

/* "src-ts" of "src/" and all files of TypeScript: no folder that has a stack of its own. */
static bool is_of_type(hm_str word, hm_arena *a) {
  static const char whole[] =
      "cs|go|java|js|jsx|kt|mjs|php|py|rb|rs|source|spec|src|test|tests|ts|tsx";
  note_words w = note_split_name(word, a);
  for (size_t i = 0; i < w.n; i++)
    if (!note_word_in(w.w[i].low, whole))
      return false;
  return w.n > 0;
}

/* "apps/web/" of a glob for all that is in the folder of a part; empty: others. */
static hm_str part_of_glob(hm_str glob, hm_arena *a) {
  static const char *const all[] = { "/**/*", "/**", "/*", "/" };
  hm_str folder, own = HM_EMPTY;
  for (size_t i = 0; i < HM_COUNT(all) && !own.n; i++)
    if (hm_str_ends(glob, all[i]))
      own = hm_str_sub(glob, 0, glob.n - strlen(all[i]));
  own = hm_str_sub(own, hm_str_starts(own, "./") ? 2 : 0, own.n);
  for (size_t i = 0; i < own.n; i++)
    if (!hm_is_alnum(own.p[i]) && !strchr("/-_.", own.p[i]))
      return HM_EMPTY;
  own = HM_CAT(a, own, HM_STR("/"));
  bool part = note_component_of(HM_CAT(a, own, HM_STR("file")), true, a, &folder).n > 0;
  return part && folder.n + 1 == own.n ? own : HM_EMPTY;
}

/* The globs as one word of a scope, which is the folder where they are those of one part; what fits
 * all files is none. */
void note_globs_read(note_file *f, const hm_document *doc, hm_arena *a) {
  for (size_t i = 0; i < doc->n_fields && f->instructions; i++) {
    hm_str key = note_lower(doc->fields[i].key, a), value = note_lower(doc->fields[i].value, a);
    bool all =
        !value.n || hm_str_is(value, "*") || hm_str_is(value, "**") || hm_str_is(value, "**/*");
    if (!note_word_in(key, WHERE) || all)
      continue;
    hm_buf word = { 0 };
    for (size_t k = 0; k < value.n; k++)
      if (hm_is_alnum(value.p[k]))
        hm_buf_ch(&word, value.p[k]);
      else if (word.n && word.p[word.n - 1] != '-')
        hm_buf_ch(&word, '-');
    hm_str text = hm_buf_take(&word, a), part = part_of_glob(value, a);
    if (text.n)
      f->scope = HM_CAT(a, f->scope, part.n ? part : text, HM_STR(" "));
    if (is_of_type(text, a))
      f->of_type = HM_CAT(a, f->of_type, text, HM_STR(" "));
  }
}
