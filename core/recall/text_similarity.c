/* Two texts compared by their words: text_similarity.h.
 *
 * A text becomes tokens: stems of content words, function words, negators. A negator does not count
 * inside a name ("No Fear"), a compound ("do-not-delete.txt", "--no-cache"), a number ("No. 7") or
 * "not only". Lists are sorted data. */
#include "core/recall/text_similarity.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/base/sort.h"

enum { TOKENS_MAX = 2000 };

/* --- function words that change the meaning ------------------------------------------- */

typedef struct {
  const char *word;
  uint32_t mark;
} marked;

/* Sorted by strcmp. Words with the same mark mean the same. */
static const marked MARKS[] = {
  { "above", 1u << 0 },   { "after", 1u << 1 },    { "against", 1u << 2 }, { "all", 1u << 3 },
  { "because", 1u << 4 }, { "before", 1u << 5 },   { "below", 1u << 6 },   { "between", 1u << 7 },
  { "both", 1u << 8 },    { "by", 1u << 9 },       { "during", 1u << 10 }, { "each", 1u << 11 },
  { "either", 1u << 11 }, { "few", 1u << 12 },     { "from", 1u << 13 },   { "he", 1u << 14 },
  { "her", 1u << 15 },    { "hers", 1u << 15 },    { "him", 1u << 14 },    { "his", 1u << 14 },
  { "how", 1u << 16 },    { "i", 1u << 17 },       { "if", 1u << 18 },     { "many", 1u << 19 },
  { "me", 1u << 17 },     { "mine", 1u << 17 },    { "more", 1u << 20 },   { "most", 1u << 21 },
  { "much", 1u << 19 },   { "my", 1u << 17 },      { "off", 1u << 22 },    { "once", 1u << 23 },
  { "only", 1u << 24 },   { "other", 1u << 25 },   { "out", 1u << 26 },    { "over", 1u << 0 },
  { "same", 1u << 27 },   { "she", 1u << 15 },     { "some", 1u << 12 },   { "than", 1u << 20 },
  { "under", 1u << 6 },   { "until", 1u << 28 },   { "was", 1u << 29 },    { "wasn't", 1u << 29 },
  { "were", 1u << 29 },   { "weren't", 1u << 29 }, { "when", 1u << 30 },   { "where", 1u << 31 },
  { "while", 1u << 30 },  { "who", 1u << 16 },     { "why", 1u << 16 },
};

/* By strcmp. What a text demands or allows; a denial may come with one of its own. */
static const marked MODALS[] = {
  { "can", 1 },      { "can't", 1 },  { "cannot", 1 }, { "could", 1 },
  { "couldn't", 1 }, { "may", 2 },    { "might", 2 },  { "must", 4 },
  { "mustn't", 4 },  { "shall", 8 },  { "should", 8 }, { "shouldn't", 8 },
  { "will", 16 },    { "won't", 16 }, { "would", 16 }, { "wouldn't", 16 },
};

/* By strcmp: content words without weight of their own beside a denial. */
static const char *const LIGHT[] = { "always", "even", "fine", "need", "needed",
                                     "needs",  "ok",   "okay", "use" };

/* Sorted by strcmp: after one of these "own" is not a verb. */
static const char *const POSSESSIVES[] = { "her", "his", "its", "my", "our", "their", "your" };

/* By strcmp: a sentence that begins so has not said yet what it is about. */
static const char *const OPENERS[] = { "after", "as",   "at",    "because", "before", "during",
                                       "for",   "from", "if",    "in",      "inside", "instead",
                                       "on",    "once", "since", "to",      "under",  "unless",
                                       "until", "when", "where", "while",   "with" };
/* Sorted by strcmp: negators that reject the words after them, after a comma or "and". */
static const char *const REJECTS[] = { "avoid", "don't", "dont", "never", "no", "not" };

static bool is_in(hm_str word, const char *const *list, size_t n) {
  return bsearch(&word, list, n, sizeof *list, hm_order_word);
}
#define IS_IN(word, list) is_in(word, list, HM_COUNT(list))

static uint32_t mark_of(hm_str word, const marked *list, size_t n) {
  const marked *m = bsearch(&word, list, n, sizeof *list, hm_order_word);
  return m ? m->mark : 0;
}

/* --- tokens ------------------------------------------------------------------------------ */

typedef enum { GRAMMAR, CONTENT, NEGATOR } token_class;
typedef struct {
  hm_str word;
  uint64_t stem;   /* of a content word, hashed */
  size_t from, to; /* in the text */
  token_class cls;
  bool begins; /* a sentence */
  bool paused; /* a comma, semicolon, dash or bracket before it */
  bool cut;
} token;

static bool is_word_byte(char c) { return hm_is_alnum(c) || (unsigned char)c > 127; }
static char byte_at(hm_str s, size_t i) { return i < s.n ? s.p[i] : ' '; }

/* Reads the text between two tokens. */
static void read_gap(hm_str text, size_t from, token *t, bool first) {
  t->begins = first;
  for (size_t i = from; i < t->from; i++) {
    char c = text.p[i], next = byte_at(text, i + 1);
    bool apart = next == ' ' || next == '\t' || next == '\n' || next == '\r';
    if (c == '\n' || (memchr(".!?:", c, 4) && apart))
      t->begins = true;
    if (memchr(",;()", c, 4) || (unsigned char)c == 0xe2 || (c == '-' && apart))
      t->paused = true;
  }
}

/* Part of a longer word: "do-not-delete", "--no-cache", "x.no". */
static bool is_compound(hm_str s, const token *t) {
  char before = t->from ? s.p[t->from - 1] : ' ', after = byte_at(s, t->to);
  if (memchr("-_/\\@#", before, 6) || memchr("_/\\", after, 3))
    return true;
  if (before == '.' && t->from > 1 && is_word_byte(s.p[t->from - 2]))
    return true;
  return (after == '-' || after == '.') && is_word_byte(byte_at(s, t->to + 1));
}

/* A capital where no sentence begins, or before another one: "No Fear". */
static bool is_name(hm_str s, const token *t, const token *next) {
  if (!hm_is_upper(s.p[t->from]) || t->to - t->from < 2 || hm_is_upper(s.p[t->from + 1]))
    return false;
  if (!t->begins)
    return true;
  return next && !next->begins && hm_is_upper(s.p[next->from]) && next->to - next->from > 1 &&
      !hm_is_upper(s.p[next->from + 1]);
}

static token_class class_of(hm_str s, const token *t, const token *next) {
  if (!hm_term_is_function(t->word))
    return CONTENT;
  if (!hm_term_is_negator(t->word))
    return GRAMMAR;
  bool both = hm_str_is(t->word, "not") && next && hm_str_is(next->word, "only");
  if (both)
    return GRAMMAR;
  return is_compound(s, t) || is_name(s, t, next) ||
          (hm_str_is(t->word, "no") && byte_at(s, t->to) == '.' && next &&
           hm_is_digit(s.p[next->from]))
      ? CONTENT
      : NEGATOR;
}

/* Words of grammar that are verbs, too: "likes" is one, so "like" must be one. */
static bool is_verb(const token *v, size_t i) {
  if (hm_str_is(v[i].word, "like") || hm_str_is(v[i].word, "tell"))
    return true;
  return hm_str_is(v[i].word, "own") && i && !IS_IN(v[i - 1].word, POSSESSIVES);
}

static size_t read_tokens(hm_str text, hm_arena *a, token **out) {
  hm_terms w = hm_terms_begin(text, a);
  token *v = NULL, t;
  size_t n = 0, cap = 0, end = 0;
  while (n < TOKENS_MAX && (t = (token){ 0 }, hm_terms_next(&w, &t.word, &t.from, &t.to))) {
    t.word = hm_str_dup(a, t.word);
    read_gap(text, end, &t, !n);
    end = t.to;
    v = hm_array_grow_in(a, v, n, &cap, sizeof *v);
    v[n++] = t;
  }
  hm_stemmer *s = hm_stemmer_new();
  for (size_t i = 0; i < n; i++) {
    v[i].cls = class_of(text, &v[i], i + 1 < n ? &v[i + 1] : NULL);
    if (is_verb(v, i))
      v[i].cls = CONTENT;
    if (v[i].cls == CONTENT)
      v[i].stem = hm_str_hash(hm_term_stem(s, a, v[i].word));
  }
  hm_stemmer_free(s);
  *out = v;
  return n;
}

/* --- rejected alternatives --------------------------------------------------------------- */

static bool is_word(const token *v, size_t n, size_t i, const char *word) {
  return i < n && hm_str_is(v[i].word, word);
}

/* Does a clause begin here that rejects what the sentence could have said instead? */
static bool rejects(const token *v, size_t n, size_t i, size_t sentence, bool said) {
  if (is_word(v, n, i, "instead") && is_word(v, n, i + 1, "of"))
    return true;
  if (is_word(v, n, i, "rather") && is_word(v, n, i + 1, "than"))
    return true;
  if (!said || v[i].cls != NEGATOR || !IS_IN(v[i].word, REJECTS))
    return false;
  if (is_word(v, n, i - 1, "and") || is_word(v, n, i - 1, "but"))
    return true;
  return v[i].paused && !IS_IN(v[sentence].word, OPENERS);
}

static void cut_rejected(token *v, size_t n) {
  size_t sentence = 0, kept = 0;
  bool said = false;
  for (size_t i = 0; i < n; i++) {
    if (v[i].begins)
      sentence = i, said = false;
    if (rejects(v, n, i, sentence, said)) {
      do
        v[i++].cut = true;
      while (i < n && !v[i].begins && !v[i].paused);
      i--;
      continue;
    }
    said = said || v[i].cls == CONTENT;
    kept += v[i].cls == CONTENT;
  }
  for (size_t i = 0; i < n && !kept; i++)
    v[i].cut = false;
}

/* --- a text ------------------------------------------------------------------------------ */

static int by_number(const void *x, const void *y) {
  const uint64_t *a = x, *b = y;
  return (*a > *b) - (*a < *b);
}

/* A hash of the distinct words, in any order. */
static uint64_t set_hash(const uint64_t *words, size_t n, hm_arena *a) {
  uint64_t *v = hm_alloc_array(a, n + 1, sizeof *v), h = 1;
  if (!n)
    return 0;
  memcpy(v, words, n * sizeof *v);
  qsort(v, n, sizeof *v, by_number);
  for (size_t i = 0; i < n; i++)
    if (!i || v[i] != v[i - 1])
      h = hm_hash_mix(h, v[i]);
  return h ? h : 1;
}

static bool asks(hm_str text) {
  size_t n = text.n;
  while (n && (text.p[n - 1] == ' ' || memchr("\"')\r\n\t", text.p[n - 1], 6)))
    n--;
  return n && text.p[n - 1] == '?';
}

/* Words that "and" or "or" joins, in the order of their hashes: either may come first. */
static void order_joined(uint64_t *v, const bool *joined, size_t n) {
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k && joined[k] && v[k] < v[k - 1]; k--) {
      uint64_t other = v[k];
      v[k] = v[k - 1];
      v[k - 1] = other;
    }
}

/* The stem of the next content word, or 0. */
static uint64_t next_stem(const token *v, size_t n, size_t i) {
  while (i < n && v[i].cls != CONTENT)
    i++;
  return i < n ? v[i].stem : 0;
}

static void read_grammar(const token *v, size_t n, hm_similar_text *out) {
  for (size_t i = 0; i < n; i++) {
    if (v[i].cls == NEGATOR) {
      out->denied += hm_hash_mix(next_stem(v, n, i), 1);
      out->odd ^= !v[i].cut;
    }
    if (v[i].cls == CONTENT || v[i].cut)
      continue;
    bool more = is_word(v, n, i, "any") && is_word(v, n, i + 1, "more");
    out->changes = out->changes || more || hm_str_is(v[i].word, "again");
    out->marks |= mark_of(v[i].word, MARKS, HM_COUNT(MARKS));
    out->modals |= mark_of(v[i].word, MODALS, HM_COUNT(MODALS));
    if (hm_str_is(v[i].word, "from"))
      out->from += hm_hash_mix(next_stem(v, n, i), 2);
  }
}

/* Vectors take "like", "own" and "tell" for grammar, and "likes" for a word. */
static hm_str said_of(hm_str text, const token *v, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  size_t from = 0;
  for (size_t i = 0; i < n; i++) {
    if (!is_verb(v, i))
      continue;
    hm_buf_str(&b, hm_str_sub(text, from, v[i].to));
    hm_buf_ch(&b, 's');
    from = v[i].to;
  }
  if (!from)
    return text;
  hm_buf_str(&b, hm_str_sub(text, from, text.n));
  return hm_buf_take(&b, a);
}

void hm_similar_text_parse(hm_str text, hm_arena *a, hm_similar_text *out) {
  token *v;
  size_t n = read_tokens(text, a, &v), n_all = 0, n_light = 0;
  uint64_t *words = hm_alloc_array(a, n + 1, sizeof *words);
  uint64_t *all = hm_alloc_array(a, n + 1, sizeof *all);
  bool *joined = hm_alloc_array(a, n + 1, sizeof *joined);
  *out = (hm_similar_text){ .said = said_of(text, v, n, a), .words = words, .asks = asks(text) };
  cut_rejected(v, n);
  for (size_t i = 0; i < n; i++)
    n_light += v[i].cls == CONTENT && !v[i].cut && !IS_IN(v[i].word, LIGHT);
  for (size_t i = 0; i < n; i++) {
    if (v[i].cls != CONTENT)
      continue;
    all[n_all++] = v[i].stem;
    if (v[i].cut || (n_light && IS_IN(v[i].word, LIGHT)))
      continue;
    bool and = i > 1 && v[i - 2].cls == CONTENT && out->n &&
        (hm_str_is(v[i - 1].word, "and") || hm_str_is(v[i - 1].word, "or"));
    joined[out->n] = and;
    words[out->n++] = v[i].stem;
  }
  out->key = set_hash(words, out->n, a);
  out->whole = n_all == out->n ? out->key : set_hash(all, n_all, a);
  order_joined(words, joined, out->n);
  read_grammar(v, n, out);
}

/* --- two texts --------------------------------------------------------------------------- */

/* The same words in a circle: "before lunch, deploy" and "deploy before lunch". y is looked for in
 * x said twice; back[i]: how much of y's beginning ends at y[i] (Knuth, Morris and Pratt), so that
 * texts which repeat themselves take no longer. */
static bool is_rotation(const hm_similar_text *x, const hm_similar_text *y) {
  uint16_t back[TOKENS_MAX];
  size_t n = x->n, k = 0;
  if (!n || n != y->n || n > TOKENS_MAX)
    return false;
  back[0] = 0;
  for (size_t i = 1; i < n; i++) {
    while (k && y->words[i] != y->words[k])
      k = back[k - 1];
    k += y->words[i] == y->words[k];
    back[i] = (uint16_t)k;
  }
  k = 0;
  for (size_t i = 0; i < 2 * n - 1 && k < n; i++) {
    uint64_t word = x->words[i < n ? i : i - n];
    while (k && word != y->words[k])
      k = back[k - 1];
    k += word == y->words[k];
  }
  return k == n;
}

hm_similarity hm_similar_compare_words(const hm_similar_text *x, int px, const hm_similar_text *y,
                                       int py) {
  hm_similarity none = { HM_UNLIKE, NULL, 0 };
  if (!x->key || x->key != y->key || x->marks != y->marks || x->from != y->from || x->asks ||
      y->asks || x->changes != y->changes || !is_rotation(x, y))
    return none;
  if (px * py == -1)
    return (hm_similarity){ HM_ALIKE_CONTRADICTION, "polarity", 0 };
  if (x->odd != y->odd)
    return x->changes ? none : (hm_similarity){ HM_ALIKE_CONTRADICTION, "negation_diff", 0 };
  if (px != py || x->whole != y->whole || x->denied != y->denied || x->modals != y->modals)
    return none;
  return (hm_similarity){ HM_ALIKE_DUPLICATE, NULL, 0 };
}

hm_similarity hm_similar_compare(const hm_similar_text *x, int px, const hm_vector *vx,
                                 const hm_similar_text *y, int py, const hm_vector *vy) {
  hm_similarity s = hm_similar_compare_words(x, px, y, py);
  if (!s.kind)
    return s;
  s.cosine = hm_vector_cosine(vx, vy);
  if (s.cosine < (s.kind == HM_ALIKE_DUPLICATE ? HM_SIMILAR_SAME : HM_SIMILAR_LEAST))
    s.kind = HM_UNLIKE, s.reason = NULL;
  return s;
}

struct hm_similar_vectors {
  hm_corpus *corpus;
};

hm_similar_vectors *hm_similar_vectors_new(hm_arena *a) {
  hm_similar_vectors *v = hm_alloc(a, sizeof *v);
  v->corpus = hm_corpus_new(NULL, 0, 1, a, NULL);
  return v;
}

void hm_similar_make_vector(const hm_similar_vectors *v, hm_str text, hm_arena *scratch,
                            hm_vector *out) {
  hm_vector_from_text(v->corpus, text, HM_VECTOR_SIMILARITY, scratch, out);
}
