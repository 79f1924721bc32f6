#include <libstemmer.h>

#include "core/base/text.h"

/* Longer than any word that has an ending to lose. */
enum { WORD_MAX = 128 };

hm_str hm_text_stem(hm_arena *a, hm_str word) {
  word = hm_text_repair(a, word);
  if (word.n > WORD_MAX) return hm_str_dup(a, word);
  /* One for each call: it costs 0.2 microseconds and keeps the function pure. */
  struct sb_stemmer *st = sb_stemmer_new("english", "UTF_8");
  hm_str out = word;
  if (st) {
    const sb_symbol *p = sb_stemmer_stem(st, (const sb_symbol *)word.p, (int)word.n);
    if (p) out = (hm_str){ (const char *)p, (size_t)sb_stemmer_length(st) };
  }
  out = hm_str_dup(a, out);
  sb_stemmer_delete(st);
  return out;
}
