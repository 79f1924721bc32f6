/* Names that labels and cells give: "| Cache | Redis |", "Hosting: Railway". A name is a value of a
 * family (core/prose/prose_families.h). It is about the words of its label or of the first cell of
 * its row. Sentences are read as prose by whoever reads the row. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"
#include "core/prose/prose_families.h"

/* Values of families that are also everyday words: names only where they are capitalized. */
static const char everyday[] =
    "ava|backticks|bamboo|bash|black|buck|bun|c|caddy|chef|composer|concourse|crystal|dart|"
    "diesel|doctrine|drone|echo|ecto|elm|node|ember|envoy|express|flow|flux|gin|go|hatch|helix|"
    "html|json|julia|just|karma|linear|make|markdown|meson|mocha|nano|ninja|pants|pdf|perl|"
    "phoenix|prefect|puma|puppet|r|remix|render|resend|rest|ruby|rust|scala|shortcut|solid|spaces|"
    "split|spring|square|swift|tabs|temporal|vault|zap";

enum { NAME_WORDS = 3, FAMILIES_MAX = 4 };

typedef struct {
  size_t from, to; /* words */
  hm_str value;
  const char *families[FAMILIES_MAX];
  size_t n_families;
} stated_name;

typedef struct {
  note_claims *out;
  const note_context *c;
  const hm_families *families;
  hm_str text; /* of the words */
  note_words w;
} reader;

static bool has_capital(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] >= 'A' && s.p[i] <= 'Z')
      return true;
  return false;
}

static hm_str text_of(const reader *r, size_t from, size_t to) {
  const note_word *last = &r->w.w[to - 1];
  return hm_str_sub(r->text, r->w.w[from].at, last->at + last->s.n);
}

/* The words from i on that are joined, at most NAME_WORDS. */
static size_t joined_words(const reader *r, size_t i, size_t to) {
  size_t n = 1;
  while (n < NAME_WORDS && i + n < to && r->w.w[i + n].joined)
    n++;
  return n;
}

/* The longest value of a family that begins at word i. */
static bool read_family(const reader *r, size_t i, size_t to, stated_name *out) {
  for (size_t n = joined_words(r, i, to); n; n--) {
    hm_str text = text_of(r, i, i + n);
    if (!has_capital(text) && note_word_in(text, everyday))
      continue;
    out->n_families = hm_families_of(r->families, text, out->families, FAMILIES_MAX, &out->value);
    if (!out->n_families)
      continue;
    out->from = i;
    out->to = i + n;
    return true;
  }
  return false;
}

bool note_tool_at(const note_context *c, const note_words *w, hm_str text, size_t i, hm_str *usual,
                  size_t *end, const char **family) {
  static const char no_tools[] =
      "api_style|auth_method|branching_model|compression|data_format|file_format|hash_algorithm|"
      "indentation|license|material|merge_strategy|operating_system|quote_style|region|time_zone|"
      "versioning";
  reader r = { .c = c, .families = c->file->families, .text = text, .w = *w };
  stated_name s;
  if (i >= w->n || !read_family(&r, i, w->n, &s) || note_word_in(hm_str_c(s.families[0]), no_tools))
    return false;
  *usual = s.value;
  *end = s.to;
  *family = s.families[0];
  return true;
}

/* Is the document, or the part below these headings, about the name: "github.md"? It is one of
 * several there. */
static bool is_of_document(const reader *r, const stated_name *s) {
  hm_arena *a = r->out->a;
  hm_str about = note_lower(HM_CAT(a, r->c->file->path, HM_STR(" "), r->c->headings), a);
  return hm_str_find(about, hm_str_z(a, s->value)) >= 0;
}

/* Does the topic say no more than of which kind the name is? Such labels are of a stack. */
static bool says_only_kind(const note_topic *t, const stated_name *s) {
  note_words kind = { 0 };
  char *words = hm_str_z(t->a, hm_str_c(s->families[0]));
  for (char *c = words; *c; c++)
    *c = *c == '_' ? ' ' : *c;
  kind = note_split(hm_str_c(words), t->a);
  if (t->n < kind.n)
    return false;
  for (size_t i = 0; i < t->n; i++) {
    size_t k = 0;
    while (k < kind.n && !hm_str_eq(hm_text_stem(t->a, kind.w[k].low), t->v[i]))
      k++;
    if (k == kind.n)
      return false;
  }
  return true;
}

static void claim(const reader *r, note_topic *t, const stated_name *s) {
  const char *dimension = s->families[0];
  size_t n = note_topic_finish(t, r->c, "name", 0);
  if (!n || n > NOTE_TOPIC_MAX || !strcmp(dimension, "license") || is_of_document(r, s) ||
      says_only_kind(t, s))
    return;
  note_claims_add_words(r->out, note_topic_slot(t, dimension), s->value, NOTE_MEASURED);
}

/* --- labels and cells ------------------------------------------------------------------------- */

/* The value of a cell or label without what stands behind it: "Redis" of "Redis 7 (cache only)". */
static hm_str first_thing(hm_str s) {
  static const char *const ends[] = { " (", " \xE2\x80\x93 ", " \xE2\x80\x94 ", " - ", "; " };
  for (size_t i = 0; i < HM_COUNT(ends); i++) {
    ptrdiff_t at = hm_str_find(s, ends[i]);
    s = at > 0 ? hm_str_sub(s, 0, (size_t)at) : s;
  }
  s = hm_str_trim(s);
  if (hm_str_ends(s, "."))
    s.n--;
  const char *space = s.n ? memrchr(s.p, ' ', s.n) : NULL;
  size_t last = space ? (size_t)(space + 1 - s.p) : s.n;
  bool version = last < s.n && hm_digit_at(s, last + (s.p[last] == 'v'));
  return version ? hm_str_trim(hm_str_sub(s, 0, last)) : s;
}

/* The name that the text is. */
static bool read_whole(const reader *r, hm_str value, stated_name *s) {
  reader whole = *r;
  whole.text = first_thing(value);
  whole.w = note_split(whole.text, r->out->a);
  return whole.w.n && whole.w.n <= NAME_WORDS && read_family(&whole, 0, whole.w.n, s) &&
      s->to == whole.w.n;
}

/* Is it a setting, or a label of a stack (note_stack.c)? */
static bool is_known(const note_claims *c) {
  for (size_t i = 0; i < c->n; i++)
    if (c->v[i].family == NOTE_SETTING)
      return true;
  return false;
}

static void read_row(const reader *r, const hm_doc_part *p) {
  enum { LONGEST = 60 };
  hm_str key = p->cells[0].text;
  if (!key.n || key.n > LONGEST || !hm_letter_at(key, 0) || is_known(r->out))
    return;
  for (size_t i = 1; i < p->n_cells; i++) {
    note_topic t = { .a = r->out->a };
    stated_name s;
    if (!read_whole(r, p->cells[i].text, &s) ||
        (hm_text_has_digit(p->cells[i].text) && !hm_text_has_digit(s.value)))
      continue; /* a version, of what runs there */
    note_topic_add_text(&t, key);
    t.row = true;
    claim(r, &t, &s);
  }
}

static void read_label(const reader *r, const hm_doc_part *p) {
  enum { WORDS = 4 };
  note_topic t = { .a = r->out->a };
  stated_name s;
  hm_str value, key = note_label_of(p, &value, t.a);
  if (!hm_letter_at(key, 0) || note_split(key, t.a).n > WORDS || is_known(r->out) ||
      !read_whole(r, hm_str_trim(value), &s))
    return;
  note_topic_add_text(&t, key);
  t.row = true;
  claim(r, &t, &s);
}

void note_names_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  reader r = { .out = out, .c = c, .families = c->file->families, .text = text };
  if (p->kind == HM_DOC_ROW && p->n_cells > 1)
    read_row(&r, p);
  bool line = p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE;
  if (line && !note_is_no_statement(text) && !note_is_link_title(p))
    read_label(&r, p);
}
