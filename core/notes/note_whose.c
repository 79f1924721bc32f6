/* Whose project a command is for: that of the document, or that of whoever reads it; and where in
 * it. */
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

/* "Inside a mobile app repo:", "App repos can use the generated scripts", "in your project". */
static bool tells_of_reader(hm_str text, hm_arena *a) {
  enum { NEAR = 3 };
  static const char whose[] = "generated|scaffolded|separate|your";
  static const char places[] = "app|apps|application|package.json|project|projects|repo|repos|"
                               "repository|scripts|workspace";
  note_words w = note_split(text, a);
  for (size_t i = 0; i < w.n; i++) {
    bool inside = i && note_word_in(w.w[i].low, "a|an") && hm_str_is(w.w[i - 1].low, "inside");
    for (size_t k = i + 1; k <= i + NEAR && k < w.n && w.w[k].joined; k++) {
      if (note_is_grammar(w.w[k].low))
        break;
      if ((inside || note_word_in(w.w[i].low, whose)) && note_word_in(w.w[k].low, places))
        return true;
    }
  }
  return false;
}

/* ".husky/pre-commit", "src/main.ts": what stands below it is what the file has to hold. */
static bool is_file(hm_str heading) {
  hm_str name = hm_str_behind_last(heading, '/');
  const char *dot = name.n > 1 ? memrchr(name.p + 1, '.', name.n - 1) : NULL;
  bool suffix = dot && hm_letter_at(name, (size_t)(dot + 1 - name.p));
  return name.n < heading.n && !memchr(heading.p, ' ', heading.n) && name.n &&
      (heading.p[0] == '.' || suffix) && heading.p[0] != '@';
}

bool note_is_for_reader(const hm_document *doc, uint32_t first, hm_arena *a) {
  const hm_doc_part *p = &doc->parts[first], *lead = first ? p - 1 : NULL;
  bool below = p->heading != HM_DOC_NONE && doc->parts[p->heading].level > 1;
  bool leads = lead && lead->heading == p->heading && lead->kind != HM_DOC_CODE &&
      lead->kind != HM_DOC_HEADING && hm_str_ends(lead->text, ":");
  return (below && is_file(note_heading_text(doc, p->heading))) ||
      (leads && tells_of_reader(lead->text, a));
}

bool note_installs_own(const hm_scripts *scripts, hm_str line, hm_arena *a) {
  static const char *const managers[] = { "bun ", "npm ", "pnpm ", "yarn " };
  bool begins = false;
  if (hm_str_starts(line, "$ "))
    line = hm_str_sub(line, 2, line.n);
  for (size_t i = 0; i < HM_COUNT(managers); i++)
    begins |= hm_str_starts(line, managers[i]);
  note_words w = note_split(begins ? line : HM_EMPTY, a);
  bool elsewhere = false; /* of a workspace, or of the whole machine */
  for (size_t k = 2; k < w.n; k++)
    elsewhere |= note_word_in(w.w[k].s, "-g|--global|-w|--workspace|--filter");
  if (w.n < 3 || elsewhere || !note_word_in(w.w[1].low, "add|i|install"))
    return false;
  for (size_t i = 0; i < scripts->n; i++)
    for (size_t k = 2; k < w.n && scripts->v[i].name.n; k++) {
      hm_str name = w.w[k].s; /* "sieve@latest" */
      const char *at = name.n > 1 ? memchr(name.p + 1, '@', name.n - 1) : NULL;
      if (hm_str_eq(scripts->v[i].name, hm_str_sub(name, 0, at ? (size_t)(at - name.p) : name.n)))
        return true;
    }
  return false;
}

bool note_is_where(hm_str text, const hm_doc_span *command, const hm_doc_span *span) {
  hm_str path = hm_str_sub(text, span->from, span->to);
  hm_str between =
      hm_str_sub(text, command->to, span->from > command->to ? span->from : command->to);
  bool place =
      span->mark == HM_DOC_SPAN_CODE && memchr(path.p, '/', path.n) && !memchr(path.p, ' ', path.n);
  return place &&
      (hm_str_is(between, " in ") || hm_str_is(between, " inside ") ||
       hm_str_is(between, " from ") || hm_str_is(between, " command in "));
}
