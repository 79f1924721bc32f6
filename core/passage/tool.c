/* Names of tools in a text: the values of families (core/prose/prose_families.h) of which a project
 * has one. */
#include "core/passage/passage_impl.h"

/* Values of families that are also everyday words: names only where they are capitalized. */
static const char everyday[] =
    "ava|backticks|bamboo|bash|black|buck|c|caddy|chef|composer|concourse|crystal|dart|"
    "diesel|doctrine|drone|echo|ecto|elm|node|ember|envoy|express|flow|flux|gin|go|hatch|helix|"
    "html|json|julia|just|karma|linear|make|markdown|meson|mocha|nano|ninja|pants|pdf|perl|"
    "phoenix|prefect|puma|puppet|r|remix|render|resend|rest|ruby|rust|scala|shortcut|solid|spaces|"
    "split|spring|square|swift|tabs|temporal|vault|zap";

static bool has_capital(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] >= 'A' && s.p[i] <= 'Z')
      return true;
  return false;
}

/* How many words from i on are joined, at most `most`. */
static size_t joined_words(const note_words *w, size_t i, size_t most) {
  size_t n = 1;
  while (n < most && i + n < w->n && w->w[i + n].joined)
    n++;
  return n;
}

bool note_tool_at(const note_context *c, const note_words *w, hm_str text, size_t i, hm_str *usual,
                  size_t *end, const char **family) {
  static const char no_tools[] =
      "api_style|auth_method|branching_model|compression|data_format|file_format|hash_algorithm|"
      "indentation|license|material|merge_strategy|operating_system|quote_style|region|time_zone|"
      "versioning";
  enum { WORDS = 3 };
  for (size_t n = i < w->n ? joined_words(w, i, WORDS) : 0; n; n--) {
    const note_word *last = &w->w[i + n - 1];
    hm_str name = hm_str_sub(text, w->w[i].at, last->at + last->s.n);
    if (!hm_families_of(c->file->families, name, family, 1, usual) ||
        (!has_capital(name) && note_word_in(name, everyday)))
      continue;
    *end = i + n;
    return !note_word_in(hm_str_c(*family), no_tools);
  }
  return false;
}

bool note_names_tool(const note_context *c, const note_text *t) {
  hm_str tool;
  size_t end;
  const char *family;
  for (size_t i = 0; i < t->words.n; i++)
    if (note_tool_at(c, &t->words, t->text, i, &tool, &end, &family))
      return true;
  return false;
}
