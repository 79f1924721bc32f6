/* "role: optical engineer", "works as an optical engineer", "has a PhD in optics". */
#include <string.h>

#include "core/claim/memory_impl.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const works[] = { "works", "work", "working", NULL };
static const char *const be[] = { "is",    "am",   "are",   "i'm",     "i\u2019m",
                                  "we're", "he's", "she's", "they're", NULL };
static const char *const have[] = { "has", "have", "holds", "hold", NULL };
static const char *const indefinite[] = { "a", "an", NULL };
static const char *const as[] = { "as", NULL };
static const char *const in[] = { "in", NULL };
static const char *const field[] = { "in", "as", "for", NULL };
static const char *const background[] = { "background", NULL };
static const char *const certified[] = { "certified", NULL };
static const char *const degrees[] = {
  "phd", "ph.d", "ph.d.", "doctorate", "msc", "m.sc", "m.sc.", "bsc", "b.sc", "b.sc.", "mba",
  "meng", "beng", "md", "llm",
  "master's", "masters", "bachelor's", "bachelors", "degree", "diploma", "certificate",
  "certification", "license", "licence", NULL,
};
/* After "role" without a separator these go on with a sentence about it. */
static const char *const no_value[] = {
  "of", "in", "for", "as", "at", "on", "to", "with", "from", "and", "or", "but", "was", "were",
  "has", "had", "have",
  "will", "would", "should", "may", "might", "can", "could", "must", "changed", "changes", "does",
  "did", NULL,
};
static const char *const separators[] = { "is", "are", "=", ":", NULL };

static const struct { const char *head, *slot; } heads[] = {
  { "role", "role" }, { "background", "background" }, { "credentials", "credentials" },
  { "credential", "credentials" },
};

/* Words that must follow each other; `optional` says which may be missing. */
typedef struct {
  const char *const *words[4];
  unsigned optional;
  const char *slot;
  bool degree;
} pattern;
static const pattern patterns[] = {
  { { background, in }, 0, "background", false },
  { { background, be, in }, 0, "background", false },
  { { have, indefinite, background, in }, 2, "background", false },
  { { works, as, hm_articles }, 4, "role", false },
  { { be, certified, field }, 4, "credentials", false },
  { { certified, field }, 0, "credentials", false },
  { { be, indefinite }, 0, "role", false },
  { { have, indefinite }, 2, "credentials", true },
};

/* Words taken from i on, or 0. */
static size_t match(const pattern *p, const hm_words *w, size_t i) {
  size_t from = i;
  for (size_t k = 0; k < COUNT(p->words) && p->words[k]; k++) {
    if (hm_words_in(w, i, p->words[k])) i++;
    else if (!(p->optional >> k & 1)) return 0;
  }
  return i - from;
}

/* "PhD in optics", "physics degree": a degree before the first preposition. */
static bool names_degree(const hm_words *w, size_t i) {
  for (; i < w->n && !hm_words_in(w, i, no_value); i++)
    if (hm_words_in(w, i, degrees)) return true;
  return false;
}

static bool found(hm_memory_parts *out, const char *slot, hm_str value, hm_arena *a) {
  if (!hm_memory_statement(value, a)) return false;
  *out = (hm_memory_parts){ hm_str_c(slot), value, value };
  return true;
}

/* word is "role", "role:", "role=engineer": bytes after the head, or -1. */
static ptrdiff_t after_head(hm_str word, const char *head) {
  size_t n = strlen(head);
  if (word.n < n || !hm_word_is(hm_str_sub(word, 0, n), head)) return -1;
  if (word.n > n && word.p[n] != ':' && word.p[n] != '=') return -1;
  return (ptrdiff_t)(word.n - n);
}

static bool read_head(hm_memory_parts *out, const hm_words *w, size_t i, hm_arena *a) {
  for (size_t h = 0; i < w->n && h < COUNT(heads); h++) {
    ptrdiff_t left = after_head(w->w[i], heads[h].head);
    if (left < 0) continue;
    if (left > 0) {
      hm_str rest = hm_words_rest(w, i);
      return found(out, heads[h].slot,
                   hm_str_trim(hm_str_sub(rest, strlen(heads[h].head) + 1, rest.n)), a);
    }
    if (hm_words_in(w, i + 1, no_value)) return false;
    return found(out, heads[h].slot,
                 hm_words_rest(w, hm_words_in(w, i + 1, separators) ? i + 2 : i + 1), a);
  }
  return false;
}

void hm_memory_identity(hm_memory_parts *out, hm_str content, hm_arena *a) {
  hm_words w;
  hm_words_split(&w, content);
  bool possessive;
  size_t i = hm_words_subject(&w, &possessive);
  if (!i && hm_words_is(&w, 0, "the")) i = 1;
  for (size_t p = 0; p < COUNT(patterns); p++) {
    size_t n = match(&patterns[p], &w, i);
    if (!n || (patterns[p].degree && !names_degree(&w, i + n))) continue;
    found(out, patterns[p].slot, hm_words_rest(&w, i + n), a);
    return;
  }
  read_head(out, &w, i, a);
}
