/* The license that a document says the project has: "licensed under the MIT License", "**License:**
 * Apache-2.0", a line of a section that is called so. Two licenses in one text are choices, or of
 * several things, and say nothing here. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/passage/passage_impl.h"

enum { LONGEST = 300 };

/* Then it is about another thing, another time, or several. */
static const char others[] =
    "additionally|alternatively|asset|assets|based|both|bundled|compatible|content|"
    "contribution|contributions|contributors|creative|data|dataset|datasets|default|dependencies|"
    "dependency|"
    "documentation|dual|dual-licensed|either|except|exception|font|fonts|fork|formerly|"
    "demo|demos|from|icons|if|images|includes|librari|libraries|library|model|models|nor|not|"
    "notice|notices|or|original|originally|other|package|packages|plugin|previously|relicensed|"
    "sample|samples|some|than|"
    "third-party|third_party_notices.md|tools|unless|upstream|vendored|was|weights|were|"
    "which";

/* The one license that the text names; NULL: none, or several. "Mit" is a word of German. */
static const char *one_license(hm_str text, hm_str low) {
  const char *found = NULL;
  for (size_t i = 0; i < low.n;) {
    size_t bytes = 0;
    const char *name = hm_license_at(low, i, &bytes);
    bool small = name && bytes == 3 && hm_is_lower(text.p[i + 1]);
    if (small && hm_letter_at(text, hm_skip_spaces(text, i + bytes)))
      name = NULL;
    if (name && found && strcmp(found, name))
      return NULL;
    if (name)
      found = name;
    i += name ? bytes : 1;
  }
  return found;
}

static bool says_license(hm_str low) {
  return hm_str_find(low, "license") >= 0 || hm_str_find(low, "licence") >= 0 ||
      hm_str_find(low, "lizenz") >= 0 || hm_str_find(low, "licencia") >= 0 ||
      hm_str_is(low, "legal");
}

/* Does the text say that it speaks of the project? */
static bool names_project(hm_str low) {
  static const char *const own[] = { "this project", "this repo", "this software", "the project" };
  for (size_t i = 0; i < HM_COUNT(own); i++)
    if (hm_str_find(low, own[i]) >= 0)
      return true;
  return (hm_str_starts(low, "our ") && hm_str_find(low, " under ") > 0) ||
      hm_str_starts(low, "open source \u2014 ") || hm_str_starts(low, "open source: ");
}

/* Files that speak of the project as a whole; what stands in others may be about a thing that they
 * describe. */
static bool is_about_project(hm_str path, hm_str low, hm_arena *a) {
  static const char names[] = "readme.md|contributing.md|agents.md|claude.md|gemini.md|index.md|"
                              "about.md|copilot-instructions.md|notice.md|faq.md|overview.md|"
                              "licensing.md";
  hm_str name = hm_str_behind_last(path, '/');
  return names_project(low) || note_word_in(note_lower(name, a), names);
}

/* "Nest is MIT licensed" in a document of another title: what the project is built with. */
static bool is_of_another(const note_words *w, hm_str title, hm_arena *a) {
  static const char own[] = "all|code|everything|it|our|project|repo|repository|software|source|"
                            "the|this";
  bool is = w->n > 1 && hm_str_is(w->w[1].low, "is") && w->w[1].joined;
  return is && hm_is_upper(w->w[0].s.p[0]) && !note_word_in(w->w[0].low, own) &&
      hm_str_find(note_lower(title, a), hm_str_z(a, w->w[0].low)) < 0;
}

/* "[Signature Pad](url) - MIT License", "**Icons** (MIT)": an item that begins with the name of
 * another thing, behind which its license stands; not so "**Open source** - MIT". */
static bool is_of_listed(const hm_doc_part *p, hm_str title, hm_arena *a) {
  if (p->kind != HM_DOC_ITEM || !p->n_spans || p->spans[0].from)
    return false;
  hm_str first = note_lower(hm_str_sub(p->text, 0, p->spans[0].to), a);
  bool named = p->spans[0].mark == HM_DOC_LINK || p->spans[0].mark == HM_DOC_STRONG;
  const char *license = NULL;
  for (size_t i = 0; i < first.n && !license; i++)
    license = hm_license_at(first, i, &(size_t){ 0 });
  note_words w = note_split(first, a);
  bool own = note_any_word_in(&w, "code|foss|free|open|oss|project|source") ||
      hm_str_find(note_lower(title, a), hm_str_z(a, first)) >= 0;
  return named && !license && !says_license(first) && !own;
}

/* "Code in the `acme-samples` repository": of a repository that has another name than the title. */
static bool names_repository(const hm_doc_part *p, hm_str title, hm_arena *a) {
  title = note_lower(title, a);
  for (uint32_t i = 0; i < p->n_spans; i++) {
    const hm_doc_span *s = &p->spans[i];
    hm_str name = note_lower(hm_str_sub(p->text, s->from, s->to), a);
    bool named = s->mark == HM_DOC_SPAN_CODE || s->mark == HM_DOC_LINK;
    if (named && hm_str_starts(hm_str_sub(p->text, s->to, p->text.n), " repo") &&
        hm_str_find(title, hm_str_z(a, name)) < 0)
      return true;
  }
  return false;
}

void note_license_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  hm_arena *a = out->a;
  bool prose = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM || p->kind == HM_DOC_ROW;
  if (!prose || p->text.n > LONGEST)
    return;
  /* A row that is not called so lists things with their licenses */
  if (p->kind == HM_DOC_ROW && !(p->n_cells && says_license(note_lower(p->cells[0].text, a))))
    return;
  hm_str low = note_lower(p->text, a);
  ptrdiff_t so = hm_str_find(low, ", and so ");                  /* "and so is your contribution" */
  ptrdiff_t later = so > 0 ? so : hm_str_find(low, " or later"); /* of the one license */
  later = later > 0 ? later : hm_str_find(low, " or any later");
  hm_str text = hm_str_sub(p->text, 0, later > 0 ? (size_t)later : p->text.n);
  bool listed = is_of_listed(p, c->title, a), section = says_license(note_lower(c->headings, a));
  /* but in a section on licenses a bold name is a label */
  if ((listed && !(section && p->spans[0].mark == HM_DOC_STRONG)) ||
      !(section || says_license(low)))
    return;
  const char *name = is_about_project(c->file->path, low, a) ? one_license(p->text, low) : NULL;
  if (!name)
    return;
  /* Below the name of another thing it is the license of that */
  bool whole = hm_str_find(low, "this project") >= 0 || hm_str_find(low, "the project") >= 0;
  if (c->part.n && !says_license(note_lower(c->subject, a)) && !whole)
    return;
  note_words w = note_split(text, a);
  if (!note_any_word_in(&w, others) && !is_of_another(&w, c->title, a) &&
      !names_repository(p, c->title, a))
    note_claims_add(out, HM_CAT(a, c->file->component, HM_STR(" license")), hm_str_c(name),
                    NOTE_SETTING);
}
