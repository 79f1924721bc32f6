/* Which sentences of one slot contradict each other, and which values settle others:
 * sentence_values.h.
 *
 * A sentence is a text of four words or more. Of the two, in lower case, words of grammar are left
 * out, and negators and numbers are kept apart. They contradict each other if nine tenths of the
 * other words are the same (stems are not needed: who copies a sentence keeps its forms) and their
 * numbers differ, or one has a negator more. Cost: the product of their words, at most 64 each.
 *
 * A value that tells a change is cut at its marks: "formerly SKF, now Schaeffler". Cost: linear in
 * its bytes. */
#include "core/claim/sentence_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* --- words of change -------------------------------------------------------------------------- */

/* What a part of a value tells: what holds, what held, when. */
typedef enum { NOW, WAS, WHEN, N_TOLD } told;

/* The first part of each; empty: none. */
typedef struct {
  hm_str parts[N_TOLD];
} change;

static bool starts(hm_str s, const char *words) {
  size_t n = strlen(words);
  return s.n > n && s.p[n] == ' ' && !strncasecmp(s.p, words, n);
}

/* The bytes of the mark at i, behind which stands what *tells says; 0: there is none. Most stand at
 * the beginning, or behind a comma or a bracket. Sources: Merriam-Webster; Oxford. */
static size_t mark_at(hm_str s, size_t i, told *tells) {
  static const struct {
    const char *words;
    told tells;
    bool inside; /* also behind a word */
  } marks[] = {
    { "as of", WHEN, true },         { "before that", WAS, false },
    { "changed from", WAS, false },  { "currently", NOW, false },
    { "formerly", WAS, false },      { "migrated from", WAS, false },
    { "moved from", WAS, false },    { "no longer", WAS, false },
    { "now", NOW, false },           { "previously", WAS, false },
    { "renamed from", WAS, false },  { "since", WHEN, true },
    { "switched from", WAS, false }, { "used to be", WAS, false },
    { "was", WAS, false },
  };
  size_t before = i;
  while (before && s.p[before - 1] == ' ')
    before--;
  bool alone = !before || strchr(",;(", s.p[before - 1]);
  for (size_t k = 0; k < HM_COUNT(marks); k++)
    if ((alone || (marks[k].inside && before < i)) &&
        starts(hm_str_sub(s, i, s.n), marks[k].words)) {
      *tells = marks[k].tells;
      return strlen(marks[k].words);
    }
  return 0;
}

/* Without the signs around it. */
static hm_str bare(hm_str s) {
  static const char signs[] = " ,;.:()";
  while (s.n && strchr(signs, s.p[0]))
    s = hm_str_sub(s, 1, s.n);
  while (s.n && strchr(signs, s.p[s.n - 1]))
    s = hm_str_sub(s, 0, s.n - 1);
  return s;
}

static void end_part(change *c, told tells, hm_str part) {
  if (!c->parts[tells].n)
    c->parts[tells] = bare(part);
}

/* Of "moved from A to B in 2025", A is the part so far. */
static void cut_move(change *c) {
  hm_str all = c->parts[WAS];
  ptrdiff_t to = hm_str_find(all, " to ");
  if (to < 0)
    return;
  hm_str now = hm_str_sub(all, (size_t)to + sizeof " to " - 1, all.n);
  ptrdiff_t in = hm_str_find(now, " in ");
  c->parts[WAS] = hm_str_sub(all, 0, (size_t)to);
  c->parts[NOW] = in < 0 ? now : hm_str_sub(now, 0, (size_t)in);
}

/* Does the value tell what holds now by such words? Else all of it holds. */
static bool read_change(change *c, hm_str s) {
  told in = NOW, next = NOW;
  size_t from = 0, marks = 0, n;
  *c = (change){ { HM_EMPTY, HM_EMPTY, HM_EMPTY } };
  for (size_t i = 0; i < s.n; i++) {
    if (!(n = mark_at(s, i, &next)))
      continue;
    end_part(c, in, hm_str_sub(s, from, i));
    in = next;
    from = i + n;
    marks++;
  }
  end_part(c, in, hm_str_sub(s, from, s.n));
  if (!c->parts[NOW].n)
    cut_move(c);
  return marks && c->parts[NOW].n;
}

static bool same(hm_str x, hm_str y) { return x.n && x.n == y.n && !strncasecmp(x.p, y.p, x.n); }

bool hm_value_change_settles(const hm_claim *a, const hm_claim *b) {
  const hm_value *v = &a->value, *w = &b->value;
  change x, y;
  if (a->said || b->said || v->denied || w->denied || hm_value_has_parts(v) ||
      hm_value_has_parts(w))
    return false;
  bool any = read_change(&x, v->raw);
  if (!(read_change(&y, w->raw) || any))
    return false;
  bool left = same(x.parts[WAS], y.parts[NOW]), other = same(y.parts[WAS], x.parts[NOW]);
  return same(x.parts[NOW], y.parts[NOW]) || left != other;
}
