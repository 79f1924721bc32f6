/* Which sentences of one slot contradict each other: sentence_values.h.
 *
 * A sentence is a text of four words or more. Of the two, in lower case, words of grammar are left
 * out, and negators and numbers are kept apart. They contradict each other if nine tenths of the
 * other words are the same (stems are not needed: who copies a sentence keeps its forms) and their
 * numbers differ, or one has a negator more. Cost: the product of their words, at most 64 each. */
#include "core/claim/sentence_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/claim/memory_forms.h"
#include "core/base/sort.h"

/* Last words of names of such slots, by bytes. */
static const char *const names[] = {
  "abstract",    "acceptance",  "answer",     "argument",       "assessment",   "assumption",
  "background",  "bio",         "biography",  "body",           "caption",      "caveat",
  "cause",       "comment",     "comments",   "conclusion",     "consequence",  "consequences",
  "constraint",  "content",     "context",    "criteria",       "definition",   "description",
  "details",     "evidence",    "example",    "explanation",    "finding",      "findings",
  "fix",         "goal",        "guidance",   "guideline",      "history",      "hypothesis",
  "impact",      "implication", "insight",    "instruction",    "instructions", "justification",
  "learning",    "lesson",      "limitation", "meaning",        "message",      "mitigation",
  "motivation",  "note",        "notes",      "objective",      "observation",  "outcome",
  "overview",    "principle",   "problem",    "purpose",        "question",     "quote",
  "rationale",   "reason",      "reasoning",  "recommendation", "remark",       "remarks",
  "requirement", "resolution",  "risk",       "scope",          "solution",     "statement",
  "story",       "summary",     "symptom",    "symptoms",       "text",         "usage",
  "warning",     "workaround",
};

bool hm_slot_has_sentences(hm_str slot_name) {
  hm_str word = hm_str_behind_last(slot_name, '_');
  return bsearch(&word, names, HM_COUNT(names), sizeof *names, hm_order_word) != NULL;
}

enum { WORDS = 64, LEAST = 4, LETTERS = 32 };

typedef struct {
  char v[WORDS][LETTERS]; /* in lower case, cut */
  size_t n;
} word_list;

typedef struct {
  word_list words, numbers;
  size_t negators, all;
} sentence;

static void add(word_list *l, const char *word) {
  if (l->n < WORDS)
    memcpy(l->v[l->n++], word, LETTERS);
}

static bool is_inside(char c) { return hm_is_alnum(c) || (c & 0x80) || c == '\''; }

static void read_sentence(sentence *s, hm_str text) {
  static const char grammar[] =
      " a an and are as at be been by for from has have in into is it its of on or "
      "that the their then this to was were which will with would ";
  static const char negators[] = " aren't can't cannot couldn't didn't doesn't "
                                 "don't hasn't isn't mustn't neither never no nor not "
                                 "nothing shouldn't wasn't without won't ";
  *s = (sentence){ 0 };
  for (size_t i = 0, to; i < text.n; i = to) {
    for (; i < text.n && !is_inside(text.p[i]);)
      i++;
    for (to = i; to < text.n &&
         (is_inside(text.p[to]) ||
          (text.p[to] == '.' && to + 1 < text.n && hm_is_digit(text.p[to + 1])));)
      to++;
    if (to == i)
      break;
    char word[LETTERS] = { 0 }, framed[LETTERS + 3];
    for (size_t k = 0; k < to - i && k + 1 < LETTERS; k++)
      word[k] = hm_ascii_lower(text.p[i + k]);
    s->all++;
    snprintf(framed, sizeof framed, " %s ", word);
    if (hm_is_digit(word[0]))
      add(&s->numbers, word);
    else if (strstr(negators, framed))
      s->negators++;
    else if (!strstr(grammar, framed))
      add(&s->words, word);
  }
}

/* How many of x's words y has, too. */
static size_t count_shared(const word_list *x, const word_list *y) {
  size_t n = 0;
  for (size_t i = 0; i < x->n; i++)
    for (size_t k = 0; k < y->n; k++)
      if (memcmp(x->v[i], y->v[k], LETTERS) == 0) {
        n++;
        break;
      }
  return n;
}

bool hm_sentence_values_agree(const hm_claim *a, const hm_claim *b) {
  if (!a->sentence || !b->sentence || a->value.denied || b->value.denied)
    return false;
  sentence x, y;
  read_sentence(&x, a->value.raw);
  read_sentence(&y, b->value.raw);
  if (x.all < LEAST || y.all < LEAST)
    return false;
  size_t shared = count_shared(&x.words, &y.words), back = count_shared(&y.words, &x.words);
  bool alike = shared * 10 >= x.words.n * 9 && back * 10 >= y.words.n * 9;
  bool numbers = x.numbers.n == y.numbers.n &&
      count_shared(&x.numbers, &y.numbers) == x.numbers.n &&
      count_shared(&y.numbers, &x.numbers) == y.numbers.n;
  return !alike || (numbers && x.negators % 2 == y.negators % 2);
}
