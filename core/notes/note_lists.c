/* A number of things, and the list of them that follows: "The plan has six steps:" above seven.
 * Only a lead that says one number, and a list of one form or a table right below it. Of two things
 * there are often three items, of which one says more of another; lists that are further from the
 * number are of other things, unless their rows are numbered. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

enum { MOST = 30, LEAD_SHOWN = 48 /* bytes */ };

static unsigned number_of(hm_str low) {
  static const char *const names[] = { "two",   "three", "four", "five",   "six",   "seven",
                                       "eight", "nine",  "ten",  "eleven", "twelve" };
  unsigned n = 0;
  for (unsigned i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(low, names[i]))
      return i + 2;
  for (size_t i = 0; i < low.n; i++)
    n = hm_is_digit(low.p[i]) && n <= MOST ? n * 10 + (unsigned)(low.p[i] - '0') : MOST + 1;
  return n > 1 && n <= MOST ? n : 0;
}

/* Says the word before that the number is not that of the list? */
static bool is_of_others(hm_str low) {
  static const char others[] =
      "a|about|after|all|another|any|both|at|before|chapter|day|each|every|first|in|last|"
      "least|level|most|next|of|only|option|or|other|over|part|per|phase|section|sprint|"
      "stage|step|than|tier|to|top|that|these|those|version|week|within";
  return note_word_in(low, others);
}

/* The number of things that the lead says, and what they are; 0: none, or it is not sure. */
static unsigned said_by(hm_str text, hm_str *things, hm_arena *a) {
  static const char doubts[] = "additional|also|both|but|e.g|example|examples|except|if|including|"
                               "more|not|optional|other|some|such|was|were|"
                               "between|calls|does|each|fails|failed|follow|following|how|issues|"
                               "met|must|needs|prerequisites|require|required|requires|rules|share|"
                               "should|so|verified|verify|when|whether|why";
  note_words w = note_split(text, a);
  unsigned n = 0;
  if (note_any_word_in(&w, doubts))
    return 0;
  for (size_t i = 0; i < w.n; i++) {
    unsigned number = number_of(w.w[i].low);
    if (!number) {
      if (hm_text_has_digit(w.w[i].s))
        return 0;
      continue;
    }
    size_t last = i + 1;
    while (last < w.n && last < i + 4 && w.w[last].joined && !hm_str_ends(w.w[last].low, "s"))
      last++;
    bool noun = last < w.n && last < i + 4 && w.w[last].joined && w.w[last].low.n > 3 &&
        !note_is_grammar(w.w[last].low);
    const char *unit = noun ? NULL : "";
    for (size_t k = i + 1; noun && k <= last && !unit; k++) /* "The 5 V output feeds" */
      note_unit_of_word(w.w[k].low, &unit);
    bool named = i > 1 && hm_is_upper(w.w[i - 1].s.p[0]); /* "Release 7 rules" */
    if (n || unit || named || (i && is_of_others(w.w[i - 1].low)))
      return 0;
    n = number;
    *things = w.w[last].low;
  }
  return n;
}

/* "9" of "9", "1–5" counts to 5; 0: the cell is no number. */
static unsigned last_number(hm_str cell) {
  unsigned n = 0;
  for (size_t i = 0; i < cell.n; i++) {
    if (hm_letter_at(cell, i) || cell.p[i] == '.')
      return 0;
    bool begins = hm_is_digit(cell.p[i]) && (!i || !hm_is_digit(cell.p[i - 1]));
    if (hm_is_digit(cell.p[i]) && n <= MOST)
      n = (begins ? 0 : n * 10) + (unsigned)(cell.p[i] - '0');
  }
  return n;
}

/* How an item begins: by which mark, or as words. */
static int form_of(const hm_doc_part *p) {
  return p->label.n ? HM_DOC_STRONG : p->n_spans && !p->spans[0].from ? (int)p->spans[0].mark : -1;
}

/* The number of items or rows from part i on, *last: the last of them; 0: not sure. *numbered: rows
 * have numbers, of which it is the last. */
static unsigned count_from(const hm_document *doc, size_t i, uint32_t *last, bool *numbered) {
  const hm_doc_part *first = &doc->parts[i];
  unsigned n = 0, number = 0, begin = 1; /* "8-21", "22": from 8 on */
  bool row = first->kind == HM_DOC_ROW;
  *numbered = row;
  if (!row && first->kind != HM_DOC_ITEM)
    return 0;
  for (; i < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (row ? p->kind != HM_DOC_ROW || p->block != first->block
            : p->kind == HM_DOC_HEADING || p->level < first->level)
      break;
    if (!row && (p->kind != HM_DOC_ITEM || p->level > first->level))
      continue;
    if (!row && form_of(p) != form_of(first))
      return 0;
    unsigned own = row && p->n_cells ? last_number(p->cells[0].text) : 0;
    if (own && !n)
      begin = last_number(hm_str_sub(p->cells[0].text, 0, hm_skip_digits(p->cells[0].text, 0)));
    *numbered &= own > number && begin;
    number = own;
    n++;
    *last = (uint32_t)i;
  }
  return *numbered ? number + 1 - begin : n;
}

void note_lists_read(note_lists *out, const hm_document *doc, hm_arena *a) {
  enum { LEAST = 3 };
  *out = (note_lists){ .n = 0 };
  for (uint32_t i = 0; i + 1 < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    hm_str things = HM_EMPTY;
    uint32_t last = 0;
    bool numbered = false;
    if (p->kind != HM_DOC_SENTENCE || p->quoted || !hm_str_ends(p->text, ":"))
      continue;
    unsigned said = said_by(p->text, &things, a);
    unsigned n = said >= LEAST ? count_from(doc, i + 1, &last, &numbered) : 0;
    bool near = n + 1 == said || n == said + 1 || (numbered && n > said && n <= 2 * said);
    if (n < 2 || !near)
      continue;
    out->v = hm_array_grow_in(a, out->v, out->n, &out->cap, sizeof *out->v);
    out->v[out->n++] = (note_list){ i, last, said, n, things };
  }
}

void note_lists_claim(note_claims *out, const note_context *c, const note_lists *lists,
                      uint32_t part) {
  for (size_t i = 0; i < lists->n && !c->file->past; i++) {
    const note_list *v = &lists->v[i];
    /* by its words, and not by its line, which moves */
    hm_str lead = hm_text_cut(hm_text_fold_name(out->a, c->doc->parts[v->lead].text), LEAD_SHOWN);
    hm_str slot = hm_str_fmt(out->a, "%.*s %.*s of %.*s", HM_FMT(c->file->path), HM_FMT(v->things),
                             HM_FMT(lead));
    unsigned n = v->lead == part ? v->said : v->last == part ? v->listed : 0;
    if (n)
      note_claims_add(out, slot, hm_str_fmt(out->a, "%u", n), NOTE_SAID);
  }
}
