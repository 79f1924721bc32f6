/* How many there are of what a repository has one number of: "all 16 crates", records of decisions;
 * and of what the first cell of a row names: "(10 modules)". */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* Things of which a repository has one number: "43 ADRs in docs/adr", "all 16 crates". */
static void read_count(note_claims *out, const note_context *c, hm_str text) {
  static const char doubts[] =
      "about|added|between|each|first|from|last|least|more|most|nearly|new|next|of|other|"
      "over|per|remaining|than|these|those|top|was|were";
  static const char words[] = "all|comprises|contains|has|have|includes|of|the|with";
  note_words w = note_split(text, out->a);
  for (size_t i = 0; i + 1 < w.n; i++) {
    hm_str number = w.w[i].low;
    if (hm_skip_digits(number, 0) != number.n || number.n > 4 ||
        (i && note_word_in(w.w[i - 1].low, doubts) && !note_word_in(w.w[i - 1].low, words)))
      continue;
    hm_str before = i ? w.w[i - 1].low : HM_EMPTY;
    if (before.n && hm_skip_digits(before, 0) == before.n)
      continue; /* "9,999" */
    bool long_name = i + 3 < w.n && hm_str_is(w.w[i + 1].low, "architecture") &&
        hm_str_is(w.w[i + 2].low, "decision") && hm_str_is(w.w[i + 3].low, "records");
    bool records = long_name || hm_str_is(w.w[i + 1].low, "adrs");
    bool whole = i && note_word_in(w.w[i - 1].low, words);
    hm_str owner = HM_CAT(out->a, c->file->component, HM_STR(" "));
    if (records && w.w[i + 1].joined)
      note_claims_add(out, HM_CAT(out->a, owner, HM_STR("decision records")), number, NOTE_SAID);
    else if (whole && w.w[i + 1].joined &&
             (note_word_in(w.w[i + 1].low, "crates|microservices") ||
              (hm_str_is(before, "all") && hm_str_is(w.w[i + 1].low, "packages"))))
      note_claims_add(out, HM_CAT(out->a, owner, w.w[i + 1].low), number, NOTE_SAID);
  }
}

/* "| `signal` | `fusion/` (10 modules) |": the things of the first cell. */
static void read_row_count(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char things[] =
      "agents|commands|components|crates|endpoints|files|hooks|modules|packages|rules|"
      "services|skills|tables|tests|tools|workflows";
  if (p->n_cells < 2 || !p->cells[0].n_spans || p->cells[0].spans[0].mark != HM_DOC_SPAN_CODE)
    return;
  hm_str number = HM_EMPTY, thing = HM_EMPTY;
  note_words w = note_split(p->text, out->a);
  for (size_t i = 0; i + 1 < w.n; i++) {
    if (w.w[i].before != '(' || hm_skip_digits(w.w[i].low, 0) != w.w[i].low.n ||
        !note_word_in(w.w[i + 1].low, things))
      continue;
    if (number.n)
      return;
    number = w.w[i].low;
    thing = w.w[i + 1].low;
  }
  if (number.n)
    note_claims_add(out, HM_CAT(out->a, c->scope, p->cells[0].text, HM_STR(" "), thing), number,
                    NOTE_SAID);
}

void note_counts_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  if (p->kind == HM_DOC_CODE) {
    ptrdiff_t comment = hm_str_find(text, "# ");
    read_count(out, c, hm_str_sub(text, comment < 0 ? text.n : (size_t)comment + 2, text.n));
    return;
  }
  read_count(out, c, text);
  if (p->kind == HM_DOC_ROW)
    read_row_count(out, c, p);
}
