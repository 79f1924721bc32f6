/* What a change needs before it is merged: coverage, approvals. A document that gives several
 * values shows alternatives (NOTE_SETTING). */
#include <string.h>

#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

/* "85" of "85%", "85 %", "85%+"; empty: none, or several. */
static hm_str only_percent(hm_str text) {
  hm_str found = HM_EMPTY;
  for (size_t i = 0; i < text.n; i++) {
    size_t end =
        hm_is_digit(text.p[i]) && (!i || !hm_is_digit(text.p[i - 1])) ? hm_skip_digits(text, i) : 0;
    if (!end || !hm_char_at(text, hm_skip_spaces(text, end), '%'))
      continue;
    if (found.n || (i && strchr(".-", text.p[i - 1])))
      return HM_EMPTY;
    found = hm_str_sub(text, i, end);
  }
  return found;
}

/* "Coverage must not fall below 85 %": the least that is allowed, not what there is. */
static void read_coverage(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char least[] =
      "below|enforce|enforced|enforces|fail|fails|least|maintain|min|minimal|"
      "minimum|must|required|requires|threshold|under|\u2265";
  static const char others[] =
      "actual|achieved|aim|and|but|currently|from|goal|if|increase|increased|"
      "now|or|reached|target|was|were|will";
  static const char plain[] = "code|have|keep|least|maintain|min|minimal|minimum|of|our|overall|"
                              "project|require|requires|test|tests|the|threshold|total|when|with";
  hm_str text = p->text,
         percent = hm_str_find(text, "overage") >= 0 ? only_percent(text) : HM_EMPTY;
  note_words w = note_split(percent.n ? text : HM_EMPTY, out->a);
  if (!note_any_word_in(&w, least) || note_any_word_in(&w, others))
    return;
  for (size_t i = 0; i < w.n; i++) {
    if (!hm_str_is(w.w[i].low, "coverage"))
      continue;
    bool named = i && w.w[i].joined && !note_word_in(w.w[i - 1].low, plain) &&
        hm_letter_at(w.w[i - 1].low, 0);
    hm_str kind = named ? w.w[i - 1].low : HM_EMPTY;
    hm_str slot = HM_CAT(out->a, c->scope, c->file->component, HM_STR(" "), kind);
    note_claims_add(out, HM_CAT(out->a, slot, HM_STR(" coverage at least")),
                    HM_CAT(out->a, percent, HM_STR("%")), NOTE_SETTING);
    return;
  }
}

static const char approvals[] = "approval|approvals|approver|approvers|freigabe|freigaben|"
                                "approbation|approbations|aprobaci\u00F3n|aprobaciones";
static const char of_changes[] = "change|changes|commit|merge|merged|merging|mr|mrs|pr|prs|pull|"
                                 "\u00E4nderung|\u00E4nderungen|gemischt|fusion|cambio";

/* "2" of "two"; NULL: it is none that is asked for. */
static const char *approvals_of(hm_str word) {
  static const struct {
    const char *words, *value;
  } numbers[] = { { "1|one|eine|une|una", "1" },
                  { "2|two|zwei|deux|dos", "2" },
                  { "3|three|drei|trois|tres", "3" } };
  for (size_t k = 0; k < HM_COUNT(numbers); k++)
    if (note_word_in(word, numbers[k].words))
      return numbers[k].value;
  return NULL;
}

/* "| Approvals required for merge | 1 |"; NULL: it is no such row. */
static const char *approvals_of_row(const hm_doc_part *p, hm_arena *a) {
  note_words key = note_split(p->n_cells > 1 ? p->cells[0].text : HM_EMPTY, a);
  bool asked = note_any_word_in(&key, approvals) && note_any_word_in(&key, of_changes);
  return asked ? approvals_of(note_lower(hm_str_trim(p->cells[1].text), a)) : NULL;
}

/* "One approval is enough to merge a pull request". */
static const char *approvals_of_sentence(hm_str text, hm_arena *a) {
  static const char doubts[] =
      "additional|another|but|except|for|hotfix|if|more|no|not|or|unless|was";
  note_words w = note_split(text, a);
  const char *value = NULL;
  for (size_t i = 1; i < w.n; i++) {
    const char *number = note_word_in(w.w[i].low, approvals) ? approvals_of(w.w[i - 1].low) : NULL;
    if (number && value)
      return NULL;
    value = number ? number : value;
  }
  bool asked = note_any_word_in(&w, of_changes) && !note_any_word_in(&w, doubts);
  return asked ? value : NULL;
}

static void read_approvals(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (!note_has_any(p->text, "pprov|reigabe|pprobation|probaci"))
    return;
  const char *value = approvals_of_sentence(p->text, out->a);
  if (!value && p->kind == HM_DOC_ROW)
    value = approvals_of_row(p, out->a);
  if (value)
    note_claims_add(out,
                    HM_CAT(out->a, c->scope, c->file->component, HM_STR(" approvals to merge")),
                    hm_str_c(value), NOTE_SETTING);
}

void note_lines_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (p->kind == HM_DOC_ROW || p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE) {
    read_coverage(out, c, p);
    read_approvals(out, c, p);
  }
}
