/* Which lines of code are rows, beside those that claim something: what a reader would quote. An
 * entry of a drawing of folders with its comment, a command with the comment behind it or above it,
 * and a command of which the sentence or the heading before the block says what it is for. They
 * claim nothing, and are found by their words. */
#include <string.h>

#include "core/base/credential.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

enum { LINES = 12 /* of a block that one lead is about */ };

bool note_leads_in(const hm_document *doc, const hm_doc_part *p) {
  const hm_doc_part *next = p + 1;
  bool prose = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  if (!prose || next == doc->parts + doc->n)
    return false;
  bool runs = next->kind == HM_DOC_CODE &&
      (hm_str_ends(p->text, " run") || hm_str_ends(p->text, " use") ||
       hm_str_ends(p->text, " with"));
  if (!runs && !hm_str_ends(p->text, ":"))
    return false;
  bool deeper = p->kind == HM_DOC_SENTENCE || next->level > p->level;
  return next->kind == HM_DOC_ROW || next->kind == HM_DOC_CODE ||
      (next->kind == HM_DOC_ITEM && deeper);
}

/* "# the entry", "// the entry", "\u2190 the entry". */
static bool is_comment(hm_str s) {
  static const char *const signs[] = { "# ", "// ", "-- ", "\u2190", "\u2014" };
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_starts(s, signs[i]))
      return true;
  return false;
}

/* The part before the block in which p lies; NULL: it begins the document, or is far. */
static const hm_doc_part *before_block(const hm_document *doc, const hm_doc_part *p) {
  for (size_t n = 0; n < LINES && p > doc->parts; n++)
    if ((--p)->kind != HM_DOC_CODE || p->block != p[1].block)
      return p;
  return NULL;
}

/* What a sentence or a heading before the block says of its commands; empty: nothing. */
static hm_str lead_of(const hm_document *doc, const hm_doc_part *p, hm_arena *a) {
  enum { WORDS = 2 };
  const hm_doc_part *lead = before_block(doc, p);
  if (!lead)
    return HM_EMPTY;
  if (lead->kind == HM_DOC_HEADING)
    return lead->level < 2 || note_heading_is_generic(lead->text, a)
        ? HM_EMPTY
        : HM_CAT(a, lead->text, HM_STR(":"));
  note_words w = note_split(lead->text, a);
  size_t words = 0;
  for (size_t i = 0; i < w.n; i++)
    words += !note_is_grammar(w.w[i].low);
  return words >= WORDS && note_leads_in(doc, lead) ? lead->text : HM_EMPTY;
}

static hm_str command_row(const hm_document *doc, const hm_doc_part *p, hm_arena *a) {
  hm_str line = hm_str_trim(p->text);
  const hm_doc_part *next = p + 1 < doc->parts + doc->n && p[1].block == p->block ? p + 1 : NULL;
  const hm_doc_part *last = p > doc->parts && p[-1].block == p->block ? p - 1 : NULL;
  if (hm_str_starts(line, "#")) { /* above its command */
    hm_str command = next && next->kind == HM_DOC_CODE ? hm_str_trim(next->text) : HM_EMPTY;
    while (hm_char_at(line, 0, '#'))
      line = hm_str_trim(hm_str_sub(line, 1, line.n));
    bool both = line.n && command.n && !hm_str_starts(command, "#");
    return both ? HM_CAT(a, line, HM_STR(": "), command) : HM_EMPTY;
  }
  if (hm_str_find(line, " # ") > 0)
    return note_squeeze(line, a);
  if (last && hm_str_starts(hm_str_trim(last->text), "#")) /* it stands in that row */
    return HM_EMPTY;
  hm_str lead = line.n ? lead_of(doc, p, a) : HM_EMPTY;
  return lead.n ? HM_CAT(a, lead, HM_STR(" "), line) : HM_EMPTY;
}

/* "KEY=value", "- KEY=value", and "key = value" in the language of a file of settings; no line of a
 * program. */
static bool is_setting(const hm_doc_part *p, hm_arena *a) {
  static const char languages[] = "cfg|conf|dotenv|env|ini|properties|toml";
  hm_str line = hm_str_trim(p->text);
  line = hm_str_sub(line, hm_str_starts(line, "- ") ? 2 : 0, line.n);
  const char *equals = line.n ? memchr(line.p, '=', line.n) : NULL;
  hm_str key = hm_str_trim(hm_str_sub(line, 0, equals ? (size_t)(equals - line.p) : 0));
  if (!key.n || equals + 1 == line.p + line.n || !note_holds_settings(p->language, a))
    return false;
  return note_is_variable(key) ||
      (note_is_key(key) && note_word_in(note_lower(p->language, a), languages));
}

hm_str note_code_row(const hm_document *doc, const hm_doc_part *p, hm_arena *a) {
  static const char shells[] = "bash|console|sh|shell|shell-session|terminal|zsh";
  hm_str name, comment;
  if (p == doc->parts || p->kind != HM_DOC_CODE || p->quoted ||
      hm_has_placeholder(p->text, HM_OF_TEXT))
    return HM_EMPTY;
  if (note_drawing_entry(p->text, &name, &comment))
    return is_comment(hm_str_trim(comment)) ? note_squeeze(HM_CAT(a, name, HM_STR(" "), comment), a)
                                            : HM_EMPTY;
  if (is_setting(p, a))
    return note_squeeze(p->text, a);
  return note_word_in(note_lower(p->language, a), shells) ? command_row(doc, p, a) : HM_EMPTY;
}
