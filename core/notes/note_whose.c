/* Whose project a command is for: that of the document, that of whoever reads it, or another one
 * that it clones. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* "the `web-tests` repository", where it is not this one; "the main repository". */
bool note_names_repository(const hm_scripts *scripts, hm_str text, hm_arena *a) {
  note_words w = note_split(text, a);
  for (size_t i = 1; i < w.n; i++) {
    hm_str name = w.w[i - 1].s;
    bool repository = note_word_in(w.w[i].low, "repo|repository");
    bool elsewhere = i > 2 && note_word_in(w.w[i - 1].low, "main|parent|separate") &&
        note_word_in(w.w[i - 3].low, "from|in");
    if (repository && elsewhere)
      return true;
    bool own = !repository || !memchr(name.p, '-', name.n);
    for (size_t k = 0; k < scripts->n && !own; k++)
      own = hm_str_eq(scripts->v[k].name, name) ||
          hm_str_eq(hm_str_behind_last(scripts->v[k].folder, '/'), name);
    if (!own)
      return true;
  }
  return false;
}

/* "Inside a mobile app repo:", "App repos can use the generated scripts". */
static bool tells_of_reader(hm_str text, hm_arena *a) {
  static const char made[] = "generated|generates|inside|scaffolded|separate|your";
  static const char places[] = "app|apps|application|checkout|package.json|project|projects|repo|"
                               "repos|repository|workspace";
  note_words w = note_split(text, a);
  return note_any_word_in(&w, made) && note_any_word_in(&w, places);
}

bool note_is_for_reader(const hm_document *doc, uint32_t first, hm_arena *a) {
  const hm_doc_part *p = &doc->parts[first], *lead = first ? p - 1 : NULL;
  hm_str heading = p->heading == HM_DOC_NONE ? HM_EMPTY : note_heading_text(doc, p->heading);
  bool file = heading.n && !memchr(heading.p, ' ', heading.n) &&
      (heading.p[0] == '.' || memchr(heading.p, '/', heading.n)); /* what it has to hold */
  bool leads = lead && lead->heading == p->heading && lead->kind != HM_DOC_CODE &&
      lead->kind != HM_DOC_HEADING && hm_str_ends(lead->text, ":");
  return file || (leads && tells_of_reader(lead->text, a));
}

bool note_installs_own(const hm_scripts *scripts, hm_str line, hm_arena *a) {
  note_words w = note_split(line, a);
  size_t at = w.n && hm_str_is(w.w[0].s, "$");
  if (w.n < at + 3 || !note_word_in(w.w[at].low, "bun|npm|pnpm|yarn") ||
      !note_word_in(w.w[at + 1].low, "add|i|install"))
    return false;
  for (size_t i = 0; i < scripts->n; i++)
    for (size_t k = at + 2; k < w.n; k++)
      if (scripts->v[i].name.n && hm_str_eq(scripts->v[i].name, w.w[k].s))
        return true;
  return false;
}

bool note_is_where(hm_str text, const hm_doc_span *span) {
  hm_str before = hm_str_trim(hm_str_sub(text, 0, span->from));
  hm_str path = hm_str_sub(text, span->from, span->to);
  return span->mark == HM_DOC_SPAN_CODE && memchr(path.p, '/', path.n) &&
      !memchr(path.p, ' ', path.n) &&
      (hm_str_ends(before, " in") || hm_str_ends(before, " inside") ||
       hm_str_ends(before, " from"));
}

/* Have they a word in common? Signs separate words. */
static bool share_word(hm_str name, hm_str title, hm_arena *a) {
  hm_str fold = hm_text_fold_name(a, name);
  hm_str of = HM_CAT(a, HM_STR("_"), hm_text_fold_name(a, title), HM_STR("_"));
  for (size_t from = 0, i = 0; i <= fold.n; i++) {
    if (i < fold.n && fold.p[i] != '_')
      continue;
    hm_str word = HM_CAT(a, HM_STR("_"), hm_str_sub(fold, from, i), HM_STR("_"));
    if (hm_str_find(of, hm_str_z(a, word)) >= 0)
      return true;
    from = i + 1;
  }
  return false;
}

bool note_is_of_clone(const note_context *c, const hm_doc_part *p, hm_arena *a) {
  enum { NEAR = 20 };
  const hm_doc_part *at = p;
  for (size_t i = 0; i < NEAR && at > c->doc->parts && at[-1].block == p->block; i++) {
    note_words w = note_split((--at)->text, a);
    if (w.n < 3 || !hm_str_is(w.w[0].low, "git") || !hm_str_is(w.w[1].low, "clone"))
      continue;
    hm_str name = hm_str_behind_last(w.w[2].s, '/');
    name.n -= hm_str_ends(name, ".git") ? 4 : 0;
    return c->title.n && name.n && !share_word(name, c->title, a);
  }
  return false;
}
