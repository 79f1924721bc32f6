/* The words of a sentence, and which of them stand for something: memory_words.h. Cost: linear in
 * the first HM_WORDS_MAX words of a text; a binary search in a list of many. */
#include "core/claim/memory_words.h"

#include <stdlib.h>

#include "core/base/ascii.h"

const char *const hm_articles[] = { "a", "an", "the", NULL };
static const char *const negations[] = {
  "cannot", "hardly", "neither", "never", "no", "none", "nor", "not", "nothing", "without",
};
const hm_word_list hm_negations = { negations, HM_COUNT(negations) };

static const char *const subjects[] = { "i", "we", "he", "she", "they", "user", "team", NULL };
static const char *const nouns[] = { "user", "team", NULL };
static const char *const owners[] = { "my", "our", "his", "her", "their", NULL };

void hm_words_split(hm_words *out, hm_str text) {
  *out = (hm_words){ .text = text };
  for (size_t i = 0; i < text.n;) {
    if (hm_is_space(text.p[i])) {
      i++;
      continue;
    }
    if (out->n == HM_WORDS_MAX) {
      out->more = true;
      return;
    }
    size_t from = i;
    while (i < text.n && !hm_is_space(text.p[i])) i++;
    out->w[out->n++] = hm_str_sub(text, from, i);
  }
}

hm_str hm_words_rest(const hm_words *w, size_t i) {
  if (i >= w->n) return HM_EMPTY;
  return hm_str_trim(hm_str_sub(w->text, (size_t)(w->w[i].p - w->text.p), w->text.n));
}

hm_str hm_words_span(const hm_words *w, size_t i, size_t j) {
  if (i >= j || j > w->n) return HM_EMPTY;
  const char *from = w->w[i].p, *to = w->w[j - 1].p + w->w[j - 1].n;
  return (hm_str){ from, (size_t)(to - from) };
}

bool hm_word_is(hm_str word, const char *z) {
  size_t i = 0;
  while (i < word.n && z[i] && hm_ascii_lower(word.p[i]) == z[i]) i++;
  return i == word.n && !z[i];
}

bool hm_word_in(hm_str word, const char *const *list) {
  if (!word.n) return false;
  char first = hm_ascii_lower(word.p[0]);
  while (*list && !(**list == first && hm_word_is(word, *list))) list++;
  return *list != NULL;
}

/* For bsearch: a word, in lower case, against an entry of a list. */
static int cmp_lower(const void *key, const void *entry) {
  hm_str word = *(const hm_str *)key;
  const char *z = *(const char *const *)entry;
  for (size_t i = 0; i < word.n; i++) {
    int d = (unsigned char)hm_ascii_lower(word.p[i]) - (unsigned char)z[i];
    if (d || !z[i]) return d ? d : 1;   /* a NUL in the word is none of z's */
  }
  return z[word.n] ? -1 : 0;
}

bool hm_word_listed(hm_str word, const hm_word_list *l) {
  return bsearch(&word, l->words, l->n, sizeof *l->words, cmp_lower) != NULL;
}

bool hm_words_is(const hm_words *w, size_t i, const char *z) {
  return i < w->n && hm_word_is(w->w[i], z);
}
bool hm_words_in(const hm_words *w, size_t i, const char *const *list) {
  return i < w->n && hm_word_in(w->w[i], list);
}

size_t hm_words_skip_article(const hm_words *w, size_t i) {
  return hm_words_in(w, i, hm_articles) ? i + 1 : i;
}

size_t hm_words_in_subject(const hm_words *w, bool *possessive) {
  *possessive = hm_words_in(w, 0, owners);
  if (*possessive || hm_words_in(w, 0, subjects)) return 1;
  size_t i = hm_words_is(w, 0, "the") ? 1 : 0;
  if (i >= w->n) return 0;
  hm_str word = w->w[i];
  size_t ending = hm_str_ends(word, "'s") ? 2 : hm_str_ends(word, "\u2019s") ? 4 : 0;
  if (!hm_word_in(hm_str_sub(word, 0, word.n - ending), nouns)) return 0;
  *possessive = ending > 0;
  return i + 1;
}
