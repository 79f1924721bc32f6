/* Forms of words: word_forms.h. */
#include "core/base/word_forms.h"

#include <string.h>

#include "core/base/sort.h"

enum { SHORTEST = 5, ENDING_MOST = 4 }; /* bytes */

void hm_word_forms_init(hm_word_forms *f, hm_arena *a) { hm_map_init(&f->numbers, a, 1024); }

void hm_word_forms_add(hm_word_forms *f, hm_str word) { hm_map_add(&f->numbers, word, 0); }

void hm_word_forms_find(hm_word_forms *f, hm_arena *a) {
  size_t n = 0;
  f->words = hm_alloc_array(a, f->numbers.n, sizeof *f->words);
  for (size_t i = 0; i < f->numbers.cap; i++)
    if (f->numbers.keys[i].p)
      f->words[n++] = f->numbers.keys[i];
  hm_strs_sort(f->words, n);
  for (size_t i = 0, first = 0; i < n; i++) {
    hm_str of = f->words[first], word = f->words[i];
    bool form = of.n >= SHORTEST && word.n >= of.n && word.n <= of.n + ENDING_MOST &&
        !memcmp(of.p, word.p, of.n);
    first = form ? first : i;
    hm_map_set(&f->numbers, word, (uint32_t)first);
  }
}

uint64_t hm_word_forms_hash(const hm_word_forms *f, hm_str word) {
  uint32_t number = hm_map_get(&f->numbers, word);
  return hm_str_hash(number == HM_MAP_NONE ? word : f->words[number]);
}
