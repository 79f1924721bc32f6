/* Text to words: runs of letters, numbers and marks, folded; of scripts without spaces pairs.
 *
 * SQLite's tokenizer unicode61 splits at the same places except apostrophes, so that words of a
 * query match those in FTS5. ASCII, nearly all text, needs no library call. Lists of words are
 * sorted data. */
#include "core/recall/terms.h"

#include <stdlib.h>

#include "core/base/ascii.h"
#include "core/base/text.h"

/* By strcmp. */
static const char *const FUNCTION_WORDS[] = {
  "a",       "about",    "above",    "after",   "again",     "against", "all",      "also",
  "am",      "an",       "and",      "any",     "anybody",   "anyone",  "anything", "are",
  "as",      "at",       "be",       "because", "been",      "before",  "being",    "below",
  "between", "both",     "but",      "by",      "can",       "could",   "did",      "do",
  "does",    "doing",    "done",     "during",  "each",      "either",  "ever",     "few",
  "for",     "from",     "further",  "get",     "gets",      "give",    "given",    "gives",
  "got",     "had",      "has",      "have",    "having",    "he",      "her",      "here",
  "hers",    "him",      "his",      "how",     "i",         "if",      "in",       "into",
  "is",      "it",       "its",      "just",    "least",     "let",     "lets",     "like",
  "made",    "make",     "makes",    "many",    "may",       "me",      "might",    "mine",
  "more",    "most",     "much",     "must",    "my",        "of",      "off",      "on",
  "once",    "one",      "only",     "or",      "other",     "our",     "ours",     "out",
  "over",    "own",      "per",      "please",  "same",      "shall",   "she",      "should",
  "so",      "some",     "somebody", "someone", "something", "such",    "tell",     "than",
  "that",    "the",      "their",    "theirs",  "them",      "then",    "there",    "these",
  "they",    "thing",    "things",   "this",    "those",     "through", "to",       "too",
  "under",   "until",    "up",       "us",      "very",      "was",     "we",       "were",
  "what",    "whatever", "when",     "where",   "which",     "while",   "who",      "whom",
  "whose",   "why",      "will",     "with",    "would",     "you",     "your",     "yours",
};

/* Sorted by strcmp. */
static const char *const LIGHT_WORDS[] = {
  "actually", "already",   "around",   "bad",    "best",   "better",  "big",     "call",
  "called",   "come",      "comes",    "coming", "day",    "days",    "far",     "find",
  "first",    "gave",      "give",     "go",     "goes",   "going",   "good",    "great",
  "happen",   "happened",  "help",     "keep",   "kind",   "know",    "last",    "lately",
  "left",     "long",      "look",     "lot",    "main",   "mean",    "means",   "need",
  "needs",    "new",       "next",     "nice",   "now",    "old",     "open",    "people",
  "place",    "put",       "question", "really", "reason", "reasons", "right",   "said",
  "say",      "says",      "see",      "show",   "soon",   "start",   "still",   "stuff",
  "supposed", "take",      "takes",    "talk",   "think",  "time",    "times",   "today",
  "tomorrow", "try",       "use",      "used",   "uses",   "using",   "usually", "want",
  "wants",    "way",       "week",     "weeks",  "well",   "work",    "works",   "year",
  "years",    "yesterday",
};

/* What asks, and what begins a question without it. Sorted by strcmp. */
static const char *const ASKING[] = { "how", "what", "when",  "where", "which",
                                      "who", "whom", "whose", "why" };
static const char *const FIRST_OF_QUESTION[] = {
  "am",   "are", "can", "could", "did",    "do",  "does", "had",  "has",
  "have", "is",  "may", "must",  "should", "was", "were", "will", "would"
};

/* Sorted by strcmp; apostrophes are ASCII; also has the words without apostrophe. */
static const char *const NEGATORS[] = {
  "ain't", "aint",     "aren't",  "arent",   "avoid",   "avoids",    "can't",    "cannot",
  "cant",  "couldn't", "couldnt", "didn't",  "didnt",   "doesn't",   "doesnt",   "don't",
  "dont",  "hadn't",   "hadnt",   "hasn't",  "hasnt",   "haven't",   "havent",   "isn't",
  "isnt",  "mustn't",  "mustnt",  "needn't", "neither", "never",     "no",       "nobody",
  "none",  "nor",      "not",     "nothing", "nowhere", "shouldn't", "shouldnt", "wasn't",
  "wasnt", "weren't",  "werent",  "without", "won't",   "wouldn't",  "wouldnt",
};

/* Numbers in words. Sorted. */
static const struct {
  const char *word, *number;
} NUMBERS[] = {
  { "dozen", "12" },    { "eight", "8" },     { "eighteen", "18" }, { "eighty", "80" },
  { "eleven", "11" },   { "fifteen", "15" },  { "fifty", "50" },    { "five", "5" },
  { "forty", "40" },    { "four", "4" },      { "fourteen", "14" }, { "half", "0.5" },
  { "hundred", "100" }, { "nine", "9" },      { "nineteen", "19" }, { "ninety", "90" },
  { "once", "1" },      { "one", "1" },       { "seven", "7" },     { "seventeen", "17" },
  { "seventy", "70" },  { "six", "6" },       { "sixteen", "16" },  { "sixty", "60" },
  { "ten", "10" },      { "thirteen", "13" }, { "thirty", "30" },   { "thousand", "1000" },
  { "three", "3" },     { "thrice", "3" },    { "twelve", "12" },   { "twenty", "20" },
  { "twice", "2" },     { "two", "2" },
};

static int order(const void *key, const void *item) {
  return hm_str_cmp_c(*(const hm_str *)key, *(const char *const *)item);
}

bool hm_term_is_negator(hm_str word) {
  return bsearch(&word, NEGATORS, HM_COUNT(NEGATORS), sizeof *NEGATORS, order);
}

hm_str hm_term_number(hm_str word) {
  const char *const *at = bsearch(&word, NUMBERS, HM_COUNT(NUMBERS), sizeof *NUMBERS, order);
  return at ? hm_str_c(at[1]) : HM_EMPTY;
}

bool hm_term_is_light(hm_str word) {
  return bsearch(&word, LIGHT_WORDS, HM_COUNT(LIGHT_WORDS), sizeof *LIGHT_WORDS, order) != NULL;
}

bool hm_term_asks(hm_str word, bool first) {
  return bsearch(&word, ASKING, HM_COUNT(ASKING), sizeof *ASKING, order) ||
      (first &&
       bsearch(&word, FIRST_OF_QUESTION, HM_COUNT(FIRST_OF_QUESTION), sizeof *FIRST_OF_QUESTION,
               order));
}

bool hm_term_is_be(hm_str word) {
  return hm_str_is(word, "is") || hm_str_is(word, "are") || hm_str_is(word, "was") ||
      hm_str_is(word, "were");
}

bool hm_term_is_function(hm_str word) {
  return bsearch(&word, FUNCTION_WORDS, HM_COUNT(FUNCTION_WORDS), sizeof *FUNCTION_WORDS, order) ||
      hm_term_is_negator(word);
}

/* Forms of verbs that no ending tells, and that are no other word. Sorted. */
static const struct {
  const char *form, *verb;
} VERBS[] = {
  { "ate", "eat" },       { "became", "become" },    { "began", "begin" },
  { "begun", "begin" },   { "bought", "buy" },       { "broke", "break" },
  { "broken", "break" },  { "brought", "bring" },    { "built", "build" },
  { "came", "come" },     { "caught", "catch" },     { "chose", "choose" },
  { "chosen", "choose" }, { "dealt", "deal" },       { "drank", "drink" },
  { "drawn", "draw" },    { "drew", "draw" },        { "driven", "drive" },
  { "drove", "drive" },   { "drunk", "drink" },      { "eaten", "eat" },
  { "fed", "feed" },      { "flew", "fly" },         { "flown", "fly" },
  { "forgot", "forget" }, { "forgotten", "forget" }, { "fought", "fight" },
  { "froze", "freeze" },  { "frozen", "freeze" },    { "gave", "give" },
  { "given", "give" },    { "grew", "grow" },        { "grown", "grow" },
  { "held", "hold" },     { "hidden", "hide" },      { "hung", "hang" },
  { "kept", "keep" },     { "knew", "know" },        { "known", "know" },
  { "laid", "lay" },      { "led", "lead" },         { "lent", "lend" },
  { "lost", "lose" },     { "made", "make" },        { "meant", "mean" },
  { "met", "meet" },      { "paid", "pay" },         { "ran", "run" },
  { "rang", "ring" },     { "sang", "sing" },        { "sat", "sit" },
  { "sent", "send" },     { "shook", "shake" },      { "shown", "show" },
  { "slept", "sleep" },   { "sold", "sell" },        { "sought", "seek" },
  { "spent", "spend" },   { "spoken", "speak" },     { "stole", "steal" },
  { "stolen", "steal" },  { "stood", "stand" },      { "stuck", "stick" },
  { "sung", "sing" },     { "swam", "swim" },        { "swore", "swear" },
  { "sworn", "swear" },   { "taken", "take" },       { "taught", "teach" },
  { "thought", "think" }, { "threw", "throw" },      { "thrown", "throw" },
  { "told", "tell" },     { "took", "take" },        { "understood", "understand" },
  { "won", "win" },       { "wore", "wear" },        { "worn", "wear" },
  { "written", "write" }, { "wrote", "write" },
};

hm_str hm_term_stem(hm_stemmer *s, hm_arena *a, hm_str word) {
  for (size_t i = 0; i < word.n; i++)
    if ((unsigned char)word.p[i] >= 0x80 || hm_is_digit(word.p[i]))
      return word;
  const char *const *form = bsearch(&word, VERBS, HM_COUNT(VERBS), sizeof *VERBS, order);
  if (form)
    word = hm_str_c(form[1]);
  return s ? hm_stemmer_stem(s, a, word) : hm_text_stem(a, word);
}

hm_terms hm_terms_begin(hm_str text, hm_arena *a) { return (hm_terms){ .text = text, .a = a }; }

/* The bytes of the part of a word at i, or 0. */
static size_t word_part(hm_str s, size_t i) {
  uint32_t cp;
  if ((unsigned char)s.p[i] < 0x80)
    return hm_is_alnum(s.p[i]);
  size_t n = hm_utf8_step(s, i, &cp);
  if (cp == HM_BAD_BYTES)
    return 0;
  hm_cp_class kind = hm_cp_classify((int32_t)cp);
  return kind == HM_CP_WORD || kind == HM_CP_MARK ? n : 0;
}

/* Bytes of an apostrophe at i, also U+2019. */
static size_t apostrophe(hm_str s, size_t i) {
  if (s.p[i] == '\'')
    return 1;
  return i + 3 <= s.n && !memcmp(s.p + i, "\xe2\x80\x99", 3) ? 3 : 0;
}

/* Lower case in w->room; the library folds non-ASCII words, in w->a. */
static hm_str fold(hm_terms *w, size_t n, bool ascii) {
  hm_str word = { w->room, n };
  for (size_t i = 0; i < n; i++)
    w->room[i] = hm_ascii_lower(w->room[i]);
  if (!ascii)
    word = hm_text_fold_value(w->a, word);
  if (word.n > 2 && word.p[word.n - 1] == 's' && word.p[word.n - 2] == '\'')
    word.n -= 2;
  return word;
}

/* The letter at i with the next one, also behind marks; alone only where it is a run of its own.
 * Returns where the text goes on: at the second letter, if another follows. */
static size_t take_pair(hm_terms *w, size_t i, size_t *n, size_t *end) {
  size_t at = i, starts[3] = { 0 }, letters = 0;
  uint32_t cp;
  while (at < w->text.n) {
    size_t step = word_part(w->text, at);
    hm_utf8_step(w->text, at, &cp);
    bool is_letter = step && hm_cp_is_unspaced(cp),
         is_mark = step && hm_cp_classify((int32_t)cp) == HM_CP_MARK;
    if (!is_letter && !is_mark)
      break;
    if (is_letter && letters < 3)
      starts[letters++] = at;
    if (letters == 3)
      break;
    at += step;
  }
  *end = letters == 3 ? starts[2] : at;
  *n = hm_text_cut(hm_str_sub(w->text, i, *end), HM_TERM_MAX).n;
  memcpy(w->room, w->text.p + i, *n);
  return letters == 3 ? starts[1] : *end;
}

static bool is_unspaced(hm_str s, size_t i) {
  uint32_t cp = 0;
  if ((unsigned char)s.p[i] < 0x80)
    return false;
  hm_utf8_step(s, i, &cp);
  return cp != HM_BAD_BYTES && hm_cp_is_unspaced(cp);
}

bool hm_terms_next(hm_terms *w, hm_str *word, size_t *from, size_t *to) {
  size_t i = w->at, n = 0, step;
  bool ascii = true;
  uint32_t cp;
  while (i < w->text.n && !word_part(w->text, i))
    i += hm_utf8_step(w->text, i, &cp);
  if (from)
    *from = i;
  if (i < w->text.n && is_unspaced(w->text, i)) {
    size_t end;
    w->at = take_pair(w, i, &n, &end);
    if (to)
      *to = end;
    *word = fold(w, n, false);
    return true;
  }
  while (i < w->text.n && !(n && is_unspaced(w->text, i))) {
    step = word_part(w->text, i);
    size_t skip = step || !n ? 0 : apostrophe(w->text, i);
    if (skip && i + skip < w->text.n && n < HM_TERM_MAX && word_part(w->text, i + skip)) {
      w->room[n++] = '\'';
      i += skip;
      continue;
    }
    if (!step || n + step > HM_TERM_MAX)
      break;
    memcpy(w->room + n, w->text.p + i, step);
    ascii = ascii && step == 1;
    n += step;
    i += step;
  }
  w->at = i;
  if (to)
    *to = i;
  if (!n)
    return false;
  *word = fold(w, n, ascii);
  return true;
}

bool hm_term_is_participle(hm_str word, hm_arena *scratch) {
  return word.n > 2 && !hm_term_is_function(word) && word.p[word.n - 1] != 's' &&
      word.p[word.n - 1] != 'g' && !hm_str_eq(hm_term_stem(NULL, scratch, word), word);
}
