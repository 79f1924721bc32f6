/* Names of slots of topics for people: topic_name.h. */
#include "core/detect/topic_name.h"

#include <stdlib.h>

#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/words/words.h"

typedef struct {
  uint32_t at; /* its place in the name: of the stems that no text has, then of the texts' words */
  hm_str word, stem, written; /* word: mostly a stem itself */
} name_word;

static size_t split_name(hm_arena *a, hm_str name, hm_str **out) {
  size_t n = 0;
  *out = hm_alloc_array(a, name.n / 2 + 1, sizeof **out);
  for (size_t from = 0, i = 0; i <= name.n; i++) {
    if (i < name.n && name.p[i] != '_')
      continue;
    if (i > from)
      (*out)[n++] = hm_str_sub(name, from, i);
    from = i + 1;
  }
  return n;
}

hm_str hm_topic_name(hm_arena *a, hm_str name, const hm_topic_text *texts, size_t n) {
  hm_str *words, out = HM_EMPTY;
  size_t n_words = split_name(a, name, &words), kept = 0;
  name_word *v = hm_alloc_array(a, n_words + 1, sizeof *v);
  for (size_t i = 0; i < n_words; i++) {
    hm_str stem = hm_text_stem(a, words[i]);
    size_t k = 0;
    while (k < kept && !hm_str_eq(v[k].stem, stem))
      k++;
    v[k] = (name_word){ i + 1 < n_words ? (uint32_t)k : UINT32_MAX, words[i], stem,
                        note_topic_word(a, words[i]) };
    kept += k == kept;
  }
  uint32_t at = (uint32_t)n_words;
  for (size_t t = 0; t < 2 * n; t++) {
    hm_str text = t < n ? texts[t].text : texts[t - n].path;
    for (size_t k = 0, m = split_name(a, hm_text_fold_name(a, text), &words); k < m; k++) {
      hm_str stem = hm_text_stem(a, words[k]);
      at++;
      for (size_t i = 0; i < kept; i++)
        if ((v[i].at < n_words || v[i].at == UINT32_MAX) &&
            (hm_str_eq(v[i].word, stem) || hm_str_eq(v[i].stem, stem))) {
          v[i].at = t < n ? at : v[i].at;
          v[i].written = words[k];
        }
    }
  }
  if (kept)
    qsort(v, kept, sizeof *v, hm_order_u32);
  for (size_t i = 0; i < kept; i++)
    out = i ? HM_CAT(a, out, HM_STR("_"), v[i].written) : v[i].written;
  return out;
}
