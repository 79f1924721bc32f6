/* Rules that say always or never: "A bad change is never reverted", "A bad change is always
 * reverted first". Two rules are of one thing where all other words of their clauses are the
 * same. */

#include "core/base/text.h"
#include "core/passage/passage_impl.h"

typedef enum { UNSAID, ALWAYS, NEVER } rule;

/* What word i says; *next: behind it. */
static rule rule_at(const note_words *w, size_t i, size_t *next) {
  hm_str low = w->w[i].low, behind = i + 1 < w->n ? w->w[i + 1].low : HM_EMPTY;
  bool must = note_word_in(low, "must|shall");
  *next = i + 1 + (must && note_word_in(behind, "always|never|not"));
  if (must)
    return note_word_in(behind, "never|not") ? NEVER : ALWAYS;
  return hm_str_is(low, "always") ? ALWAYS : note_word_in(low, "mustn't|never") ? NEVER : UNSAID;
}

static void read_clause(note_claims *out, const note_context *c, const note_words *w, size_t from,
                        size_t to) {
  enum { LEAST = 3, MOST = 8 };
  static const char doubts[] =
      "after|almost|although|and|before|but|during|either|even|example|except|for|if|instead|may|"
      "might|nearly|nor|not|only|or|outside|should|so|than|though|unless|until|when|where|while|"
      "without";
  static const char plain[] = "again|ever|first|immediately|just|please|simply";
  note_topic t = { .a = out->a };
  rule said = UNSAID;
  for (size_t i = from, next; i < to; i = next) {
    rule r = rule_at(w, i, &next);
    if (note_word_in(w->w[i].low, doubts) || (r != UNSAID && said != UNSAID))
      return;
    said = r != UNSAID ? r : said;
    if (r != UNSAID && i > from &&
        note_word_in(w->w[i - 1].low, "he|it|she|that|they|this|we|which|who|you"))
      return;
    if (r == UNSAID && !note_word_in(w->w[i].low, plain))
      note_topic_add_word(&t, w, i);
  }
  if (said == UNSAID || t.n < LEAST || t.n > MOST)
    return;
  hm_str slot = HM_CAT(t.a, c->scope, c->file->component, HM_STR(" "), note_topic_slot(&t, "rule"));
  note_claims_add(out, slot, said == ALWAYS ? HM_STR("always") : HM_STR("never"), NOTE_MEASURED);
}

void note_rules_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                     const note_text *t) {
  if ((p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE) ||
      !note_has_any(t->text, "lways|ever|ust|hall") || note_is_no_statement(t->text) ||
      hm_str_ends(t->text, ":")) /* what it must comes below */
    return;
  const note_words *w = &t->words;
  for (size_t from = 0, i = 1; w->n < NOTE_WORDS_MAX && i <= w->n; i++) {
    if (i < w->n && (w->w[i].joined || w->w[i].before == '\''))
      continue;
    read_clause(out, c, w, from, i);
    from = i;
  }
}
