/* What kind of answer a question wants, by its first words: answer_kind.h. */
#include <stdlib.h>

#include "core/base/sort.h"
#include "core/recall/answer_kind.h"

/* Who is asked for by these behind "which", and what by these behind "how". */
static const char *const ASK_AGENT[] = {
  "brand", "company", "firm", "make", "manufacturer", "person",
};
static const struct {
  const char *word;
  hm_answer_kind kind;
} ASK_MEASURE[] = {
  { "big", HM_ANSWER_AMOUNT },     { "cold", HM_ANSWER_AMOUNT },  { "deep", HM_ANSWER_LENGTH },
  { "expensive", HM_ANSWER_COST }, { "far", HM_ANSWER_LONG },     { "fast", HM_ANSWER_SPEED },
  { "few", HM_ANSWER_AMOUNT },     { "hard", HM_ANSWER_AMOUNT },  { "heavy", HM_ANSWER_MASS },
  { "high", HM_ANSWER_AMOUNT },    { "hot", HM_ANSWER_AMOUNT },   { "large", HM_ANSWER_AMOUNT },
  { "long", HM_ANSWER_LONG },      { "loud", HM_ANSWER_AMOUNT },  { "many", HM_ANSWER_AMOUNT },
  { "much", HM_ANSWER_AMOUNT },    { "often", HM_ANSWER_OFTEN },  { "old", HM_ANSWER_AGE },
  { "small", HM_ANSWER_AMOUNT },   { "steep", HM_ANSWER_AMOUNT }, { "strong", HM_ANSWER_AMOUNT },
  { "tall", HM_ANSWER_LENGTH },    { "thick", HM_ANSWER_LENGTH }, { "warm", HM_ANSWER_AMOUNT },
  { "wide", HM_ANSWER_LENGTH },
};
static const char *const ASK_COST[] = { "cost", "costs", "fee", "price" };
static const char *const ASK_TIME[] = {
  "date",   "dates",   "day",  "days",  "hour",    "hours",    "month", "months",
  "season", "seasons", "time", "times", "weekday", "weekdays", "year",  "years",
};
/* Stems of verbs that an answer may leave out, or say by others: where something lies it is kept.
 * Sorted. */
static const char *const SAID_BY_OTHERS[] = {
  "allow",  "arriv", "begin", "close", "due",   "end",   "expect", "expir", "finish", "hang",
  "happen", "hold",  "last",  "leav",  "lie",   "locat", "occur",  "open",  "park",   "permit",
  "requir", "run",   "send",  "shut",  "stand", "start", "stay",   "stop",  "store",
};

static bool is_in(hm_str word, const char *const *list, size_t n) {
  return bsearch(&word, list, n, sizeof *list, hm_order_word) != NULL;
}

enum { QUESTION_WORDS = 64 };

/* The first words of a question: folded, and as they stand. */
typedef struct {
  hm_str word[QUESTION_WORDS], raw[QUESTION_WORDS];
  size_t n;
} asked;

static bool is_helper(hm_str word) {
  return hm_term_asks(word, true) && !hm_term_asks(word, false);
}

/* The words of a noun phrase at i end before the result. */
static size_t phrase_end(const asked *q, size_t i) {
  while (i < q->n && !hm_term_is_function(q->word[i]))
    i++;
  return i;
}

/* The noun of a phrase behind "which": of "which time zone do we use" the last word, of "which firm
 * services the lift" the first. QUESTION_WORDS: there is none. */
static size_t noun_of(const asked *q, size_t i) {
  size_t end = phrase_end(q, i);
  if (end == i)
    return QUESTION_WORDS;
  return end < q->n && is_helper(q->word[end]) ? end - 1 : i;
}

/* What is wanted by this noun behind "which" (any) or "what is the". */
static hm_answer_kind kind_of_noun(hm_str word, bool any) {
  if (is_in(word, ASK_COST, HM_COUNT(ASK_COST)))
    return HM_ANSWER_COST;
  if (is_in(word, ASK_TIME, HM_COUNT(ASK_TIME)))
    return HM_ANSWER_TIME;
  if (hm_str_is(word, "colour") || hm_str_is(word, "color"))
    return HM_ANSWER_COLOUR;
  if (any && (hm_str_is(word, "amount") || hm_str_is(word, "number")))
    return HM_ANSWER_AMOUNT;
  if (hm_str_is(word, "name"))
    return HM_ANSWER_NAME;
  return any && is_in(word, ASK_AGENT, HM_COUNT(ASK_AGENT)) ? HM_ANSWER_AGENT : HM_ANSWER_ANY;
}

/* "is the next holiday of": its noun */
static void read_noun_of(const asked *q, size_t i, hm_answer_wanted *out) {
  while (i < q->n && hm_term_is_function(q->word[i]))
    i++;
  size_t end = phrase_end(q, i);
  if (end > i && end < q->n && hm_str_is(q->word[end], "of"))
    out->key = q->raw[end - 1];
}

/* "What does it cost", "how is it called" */
static void read_end(const asked *q, size_t i, hm_answer_wanted *out) {
  for (; i < q->n && out->kind != HM_ANSWER_COST; i++) {
    bool cost = is_in(q->word[i], ASK_COST, HM_COUNT(ASK_COST)) || hm_str_is(q->word[i], "worth");
    if (cost && (out->kind == HM_ANSWER_ANY || out->kind == HM_ANSWER_AMOUNT))
      *out = (hm_answer_wanted){ .kind = HM_ANSWER_COST, .word = q->raw[i] };
    else if (out->kind == HM_ANSWER_ANY &&
             (hm_str_is(q->word[i], "called") || hm_str_is(q->word[i], "named")))
      out->kind = HM_ANSWER_NAME;
  }
}

/* What is said of what is counted, "are women", "were lost"; or of what it is, "days of holiday".
 */
static void read_counted(const asked *q, size_t i, hm_answer_wanted *out) {
  size_t end = phrase_end(q, i), be = end, must = QUESTION_WORDS;
  while (be + 1 < q->n && !hm_term_is_be(q->word[be]))
    be++;
  if (be + 1 < q->n && !hm_term_is_function(q->word[be + 1]))
    must = be + 1;
  else if (end + 1 < q->n && hm_str_is(q->word[end], "of"))
    must = noun_of(q, end + 1);
  if (must < q->n && !hm_term_is_light(q->word[must]))
    out->must = q->raw[must];
}

static void read_how(const asked *q, size_t i, hm_answer_wanted *out) {
  for (size_t k = 0; k < HM_COUNT(ASK_MEASURE) && i < q->n; k++)
    if (hm_str_is(q->word[i], ASK_MEASURE[k].word))
      *out = (hm_answer_wanted){ .kind = ASK_MEASURE[k].kind, .word = q->raw[i] };
  if (out->kind != HM_ANSWER_ANY)
    read_noun_of(q, i + 1, out);
  size_t noun = i < q->n && hm_str_is(q->word[i], "many") ? noun_of(q, i + 1) : QUESTION_WORDS;
  if (noun < q->n) {
    out->key = q->raw[noun];
    read_counted(q, noun + 1, out);
  }
  for (size_t k = i; out->kind == HM_ANSWER_AMOUNT && k < q->n; k++)
    if (hm_str_is(q->word[k], "weigh"))
      *out = (hm_answer_wanted){ .kind = HM_ANSWER_MASS, .word = q->raw[k] };
  read_end(q, i, out);
}

static void read_what(const asked *q, size_t i, hm_answer_wanted *out) {
  size_t noun = noun_of(q, i);
  bool is = noun == QUESTION_WORDS;
  if (is) { /* "what is the" */
    while (i < q->n && hm_term_is_function(q->word[i]))
      i++;
    noun = phrase_end(q, i) - 1;
  }
  if (noun < q->n)
    out->kind = kind_of_noun(q->word[noun], !is);
  if (noun < q->n && out->kind != HM_ANSWER_ANY) {
    out->word = q->raw[noun];
    if (!is) /* "what colour is the lid of" */
      read_noun_of(q, noun + 1, out);
  } else if (is)
    read_noun_of(q, i, out);
  else if (i == 1 && noun + 2 < q->n && hm_term_is_be(q->word[noun + 1]) &&
           hm_term_is_function(q->word[noun + 2]))
    out->key = q->raw[noun]; /* "which breed is the dog", not "in which box is it kept" */
  else if (noun < q->n)
    out->noun = q->raw[noun];
  if (out->kind == HM_ANSWER_AGENT && noun + 1 < phrase_end(q, noun))
    out->key = q->raw[noun + 1]; /* "which firm services the lift" */
  read_end(q, i, out);
}

static void read_who(const asked *q, size_t i, hm_answer_wanted *out) {
  out->kind = HM_ANSWER_AGENT;
  read_noun_of(q, i, out);
  bool be = false; /* "who takes the photographs", not "who is new" */
  while (i < q->n && (hm_term_is_function(q->word[i]) || (!be && hm_term_is_light(q->word[i]))))
    be = hm_term_is_be(q->word[i++]);
  if (!out->key.n && i < q->n && !be)
    out->key = q->raw[i];
}

/* Is it a verb that an answer says again? Where somebody buys it, it is from. */
static bool says_again(hm_str word, bool where, hm_arena *scratch) {
  hm_str stem = hm_term_stem(NULL, scratch, word);
  return !(where && hm_str_is(stem, "buy")) && !hm_term_is_light(word) && !hm_term_is_light(stem) &&
      !is_in(stem, SAID_BY_OTHERS, HM_COUNT(SAID_BY_OTHERS));
}

/* The verb of "when was the pump track built", "when does the inspector of the rope test it". */
static void read_verb(const asked *q, size_t i, hm_answer_wanted *out, hm_arena *scratch) {
  static const char *const behind_verb[] = { "a",   "an",  "her",   "his", "my",
                                             "our", "the", "their", "your" };
  static const char *const pronouns[] = { "he", "i", "it", "she", "they", "we", "you" };
  size_t verb = QUESTION_WORDS, first = i + 1;
  if (first >= q->n || !is_helper(q->word[i]))
    return;
  if (hm_term_is_be(q->word[i])) {
    for (size_t k = first; k < q->n; k++)
      if (hm_term_is_participle(q->word[k], scratch))
        verb = k;
  } else if (is_in(q->word[first], pronouns, HM_COUNT(pronouns))) {
    verb = first + 1;
  } else {
    size_t end = first;
    do {
      i = end;
      while (i < q->n && hm_term_is_function(q->word[i]))
        i++;
      end = phrase_end(q, i);
    } while (end < q->n && !is_in(q->word[end], behind_verb, HM_COUNT(behind_verb)) && i < end);
    verb = end > i ? end - 1 : QUESTION_WORDS;
  }
  if (verb < q->n && !hm_term_is_function(q->word[verb]) &&
      says_again(q->word[verb], out->kind == HM_ANSWER_PLACE, scratch))
    out->must = q->raw[verb];
}

hm_answer_wanted hm_answer_wanted_by(hm_str question, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(question, scratch);
  hm_str word, trimmed = hm_str_trim(question);
  asked *q = hm_alloc(scratch, sizeof *q);
  hm_answer_wanted out = { .kind = HM_ANSWER_ANY };
  size_t from, to, at = 0;
  while (q->n < QUESTION_WORDS && hm_terms_next(&w, &word, &from, &to)) {
    q->word[q->n] = hm_str_dup(scratch, word);
    q->raw[q->n++] = hm_str_sub(question, from, to);
  }
  if (q->n > 2 && hm_term_is_be(q->word[0]) && hm_str_is(q->word[1], "there")) {
    for (at = 2; at < q->n && hm_term_is_function(q->word[at]);)
      at++;
    at = phrase_end(q, at) - 1;
    out.key = at < q->n ? q->raw[at] : HM_EMPTY;
    return out;
  }
  while (at < q->n && !hm_term_asks(q->word[at], false))
    at++;
  /* "those who come in", "is it known who": it does not ask. */
  bool marked = trimmed.n && trimmed.p[trimmed.n - 1] == '?';
  if (at == q->n || (at && (!marked || is_helper(q->word[0]))))
    return out;
  if (hm_str_is(q->word[at], "why"))
    out.kind = HM_ANSWER_REASON;
  else if (hm_str_is(q->word[at], "how")) {
    read_how(q, at + 1, &out);
    if (out.must.n && !says_again(out.must, false, scratch))
      out.must = HM_EMPTY;
  } else if (hm_str_is(q->word[at], "what") || hm_str_is(q->word[at], "which"))
    read_what(q, at + 1, &out);
  else if (hm_str_is(q->word[at], "who") || hm_str_is(q->word[at], "whom"))
    read_who(q, at + 1, &out);
  else if (hm_str_is(q->word[at], "when") || hm_str_is(q->word[at], "where")) {
    out.kind = hm_str_is(q->word[at], "when") ? HM_ANSWER_TIME : HM_ANSWER_PLACE;
    read_noun_of(q, at + 1, &out);
    read_verb(q, at + 1, &out, scratch);
  }
  return out;
}
