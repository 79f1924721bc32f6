#include <string.h>

#include "core/claim/memory_impl.h"
#include "core/claim/value.h"

const char *const hm_articles[] = { "a", "an", "the", NULL };
static const char *const negations[] = {
  "cannot", "hardly", "neither", "never", "no", "none", "nor", "not", "nothing", "without",
};
const hm_word_list hm_negations = { negations, sizeof negations / sizeof *negations };

static const char *const subjects[] = { "i", "we", "he", "she", "they", "user", "team", NULL };
static const char *const nouns[] = { "user", "team", NULL };
static const char *const owners[] = { "my", "our", "his", "her", "their", NULL };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void hm_words_split(hm_words *out, hm_str text) {
  *out = (hm_words){ .text = text };
  for (size_t i = 0; i < text.n;) {
    if (is_space(text.p[i])) {
      i++;
      continue;
    }
    if (out->n == HM_WORDS_MAX) {
      out->more = true;
      return;
    }
    size_t from = i;
    while (i < text.n && !is_space(text.p[i])) i++;
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
  while (i < word.n && z[i] && lower(word.p[i]) == z[i]) i++;
  return i == word.n && !z[i];
}

bool hm_word_in(hm_str word, const char *const *list) {
  if (!word.n) return false;
  char first = lower(word.p[0]);
  while (*list && !(**list == first && hm_word_is(word, *list))) list++;
  return *list != NULL;
}

/* <0, 0, >0: in lower case the word stands before z, is it, stands after it. */
static int compare(hm_str word, const char *z) {
  for (size_t i = 0; i < word.n; i++) {
    int d = (unsigned char)lower(word.p[i]) - (unsigned char)z[i];
    if (d || !z[i]) return d ? d : 1;   /* a NUL in the word is none of z's */
  }
  return z[word.n] ? -1 : 0;
}

bool hm_word_listed(hm_str word, const hm_word_list *l) {
  for (size_t lo = 0, hi = l->n; lo < hi;) {
    size_t mid = lo + (hi - lo) / 2;
    int d = compare(word, l->words[mid]);
    if (!d) return true;
    if (d < 0) hi = mid;
    else lo = mid + 1;
  }
  return false;
}

bool hm_words_is(const hm_words *w, size_t i, const char *z) {
  return i < w->n && hm_word_is(w->w[i], z);
}
bool hm_words_in(const hm_words *w, size_t i, const char *const *list) {
  return i < w->n && hm_word_in(w->w[i], list);
}

size_t hm_words_article(const hm_words *w, size_t i) {
  return hm_words_in(w, i, hm_articles) ? i + 1 : i;
}

/* "user's", "user’s" without its ending; the word itself when it has none. */
static hm_str owner_of(hm_str word) {
  if (hm_str_ends(word, "'s")) return hm_str_sub(word, 0, word.n - 2);
  if (hm_str_ends(word, "\u2019s")) return hm_str_sub(word, 0, word.n - 4);
  return word;
}

size_t hm_words_subject(const hm_words *w, bool *possessive) {
  *possessive = hm_words_in(w, 0, owners);
  if (*possessive || hm_words_in(w, 0, subjects)) return 1;
  size_t i = hm_words_is(w, 0, "the") ? 1 : 0;
  if (i >= w->n) return 0;
  hm_str owner = owner_of(w->w[i]);
  if (!hm_word_in(owner, nouns)) return 0;
  *possessive = owner.n != w->w[i].n;
  return i + 1;
}

/* A line end, or a stop and white space after it. */
static bool has_second_clause(hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c == '\n' || c == '\r') return true;
    if (i + 1 < s.n && is_space(s.p[i + 1]) && (c == '.' || c == '!' || c == '?' || c == ';'))
      return true;
  }
  return false;
}

static bool is_negated(hm_str s) {
  size_t n = 0;
  while (n < s.n && !is_space(s.p[n])) n++;
  return hm_word_listed(hm_str_sub(s, 0, n), &hm_negations);
}

bool hm_memory_statement(hm_str value, hm_arena *a) {
  if (hm_value_is_silence(value, NULL, a)) return true;
  return value.n && value.p[value.n - 1] != '?' && !is_negated(value) && !has_second_clause(value);
}
