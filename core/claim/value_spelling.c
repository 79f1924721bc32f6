/* British and American spellings of one word: grey = gray, fibre = fiber. All are brought to one of
 * them, the one that the families of values have (aluminium).
 *
 * A value of one word, or of up to four words in small letters ("dark grey", "glass fibre"): names
 * are written otherwise, and Jane Grey is not Jane Gray. Only words that materials, colours and
 * finishes are described by; verbs in -ise, which are many, are left out but for these.
 * Cost: a search of the table for each word of a short text. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/value_impl.h"

enum { LONGEST = 48, WORDS_MAX = 4 };

typedef struct {
  const char *other, *one;
} spelling;

/* Sorted. */
static const spelling WORDS[] = {
  { "aluminum", "aluminium" },     { "anodised", "anodized" },     { "armour", "armor" },
  { "armoured", "armored" },       { "centre", "center" },         { "chequered", "checkered" },
  { "colour", "color" },           { "coloured", "colored" },      { "enamelled", "enameled" },
  { "fibre", "fiber" },            { "fibreglass", "fiberglass" }, { "galvanised", "galvanized" },
  { "grey", "gray" },              { "greyish", "grayish" },
  { "harbour", "harbor" },         { "jewelled", "jeweled" },      { "mould", "mold" },
  { "moulded", "molded" },         { "multicoloured", "multicolored" }, { "oxidised", "oxidized" },
  { "panelled", "paneled" },       { "plough", "plow" },           { "polarised", "polarized" },
  { "sulphur", "sulfur" },         { "theatre", "theater" },       { "vulcanised", "vulcanized" },
};

static int by_other(const void *key, const void *row) {
  return strcmp(key, ((const spelling *)row)->other);
}

/* word: in small letters. */
static hm_str one_spelling(hm_str word) {
  char text[LONGEST + 1];
  memcpy(text, word.p, word.n);
  text[word.n] = 0;
  const spelling *s = bsearch(text, WORDS, HM_COUNT(WORDS), sizeof *WORDS, by_other);
  return s ? hm_str_c(s->one) : word;
}

hm_str hm_value_one_spelling(hm_str s, hm_arena *a) {
  char low[LONGEST];
  size_t n = 1;
  bool lowered = false, changed = false;
  if (!s.n || s.n > LONGEST) return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++) {
    bool upper = s.p[i] >= 'A' && s.p[i] <= 'Z';
    if ((s.p[i] < 'a' || s.p[i] > 'z') && !upper && s.p[i] != ' ' && s.p[i] != '-') return HM_EMPTY;
    low[i] = upper ? (char)(s.p[i] | 32) : s.p[i];
    n += s.p[i] == ' ' || s.p[i] == '-';
    lowered = lowered || upper;
  }
  if (n > WORDS_MAX || (n > 1 && lowered)) return HM_EMPTY;
  hm_str out = HM_EMPTY;
  for (size_t from = 0, i = 0; i <= s.n; i++) {
    if (i < s.n && low[i] != ' ' && low[i] != '-') continue;
    hm_str word = { low + from, i - from }, one = one_spelling(word);
    changed = changed || one.p != word.p;
    out = HM_CAT(a, out, one, (hm_str){ low + i, i < s.n });
    from = i + 1;
  }
  return changed ? out : HM_EMPTY;
}
