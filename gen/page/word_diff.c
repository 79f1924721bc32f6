/* Values side by side, with the words in bold that differ.
 *
 * The diff is by word: the longest common subsequence of two lists of words, each against the
 * first. The lists are cut to a maximum length, so its cost is bounded. */
#include "core/base/text.h"
#include "gen/render/escape.h"
#include "model.h"

/* Of values of two or three words the cards say enough. */
enum { WORDS_FEWEST = 4, WORDS_MAX = 400, WORDS_BYTES = HM_PART_BYTES * 5 / 8 };

typedef struct {
  hm_str word[WORDS_MAX], key[WORDS_MAX];
  bool differs[WORDS_MAX];
  size_t n;
  bool more;
} word_list;

static void split_words(hm_arena *a, hm_str value, word_list *w) {
  hm_str s = hm_clean(a, hm_text_cut(value, WORDS_MAX * 24));
  w->more = value.n > WORDS_MAX * 24;
  for (size_t i = 0; i < s.n;) {
    size_t from = i;
    while (i < s.n && s.p[i] != ' ') i++;
    if (w->n == WORDS_MAX) {
      w->more = true;
      return;
    }
    if (i > from) {
      w->word[w->n] = hm_str_sub(s, from, i);
      w->key[w->n] = hm_text_value(a, w->word[w->n]);
      w->n++;
    }
    i++;
  }
}

/* Marks in both what the longest common subsequence leaves out. */
static void mark_differences(hm_arena *a, word_list *x, word_list *y) {
  size_t w = y->n + 1;
  uint16_t *len = hm_alloc_array(a, (x->n + 1) * w, sizeof *len);
  for (size_t i = x->n; i-- > 0;)
    for (size_t j = y->n; j-- > 0;) {
      uint16_t down = len[(i + 1) * w + j], right = len[i * w + j + 1];
      len[i * w + j] = hm_str_eq(x->key[i], y->key[j]) ? len[(i + 1) * w + j + 1] + 1
          : down > right                               ? down
                                                       : right;
    }
  size_t i = 0, j = 0;
  while (i < x->n && j < y->n) {
    if (hm_str_eq(x->key[i], y->key[j])) i++, j++;
    else if (len[(i + 1) * w + j] >= len[i * w + j + 1]) x->differs[i++] = true;
    else y->differs[j++] = true;
  }
  while (i < x->n) x->differs[i++] = true;
  while (j < y->n) y->differs[j++] = true;
}

/* Runs of like words, so that bold begins and ends once a run. */
static void put_runs(hm_pm *m, hm_tv *item, const word_list *w) {
  hm_tv *runs = hm_pm_list(m, item, "runs");
  for (size_t i = 0, j; i < w->n; i = j) {
    hm_buf b = { 0 };
    for (j = i; j < w->n && w->differs[j] == w->differs[i]; j++) {
      if (j > i) hm_buf_ch(&b, ' ');
      hm_buf_str(&b, w->word[j]);
    }
    hm_tv *run = hm_pm_item(m, runs);
    hm_pm_text(m, run, "words", hm_buf_copy(&b, m->a));
    hm_pm_bool(m, run, "differs", w->differs[i]);
    hm_pm_raw(m, run, "sep", i ? HM_STR(" ") : HM_EMPTY);
    hm_buf_free(&b);
  }
  hm_pm_bool(m, item, "more", w->more);
}

bool hm_words_are_shared(const hm_str *values, size_t n) {
  hm_arena *tmp = hm_arena_new();
  word_list *x = hm_alloc(tmp, sizeof *x), *y = hm_alloc(tmp, sizeof *y);
  bool shared = false;
  size_t most;
  *x = (word_list){ 0 };
  if (n) split_words(tmp, values[0], x);
  most = x->n;
  for (size_t i = 1; i < n && !(shared && most >= WORDS_FEWEST); i++) {
    *y = (word_list){ 0 };
    split_words(tmp, values[i], y);
    if (y->n > most) most = y->n;
    for (size_t k = 0; k < x->n * y->n && !shared; k++)
      shared = hm_str_eq(x->key[k / y->n], y->key[k % y->n]);
  }
  hm_arena_free(tmp);
  return shared && most >= WORDS_FEWEST;
}

void hm_pm_words(hm_pm *m, hm_tv *list, const hm_str *values, size_t n) {
  if (n < 2) return;
  if (n > HM_WORDS_VALUES) n = HM_WORDS_VALUES;
  hm_arena *tmp = hm_arena_new();
  word_list *w = hm_alloc_array(tmp, n, sizeof *w);
  for (size_t i = 0; i < n; i++) split_words(tmp, values[i], &w[i]);
  for (size_t i = 1; i < n; i++) mark_differences(tmp, &w[0], &w[i]);
  for (size_t i = 0; i < n && (i < 2 || !hm_pm_is_full(m, WORDS_BYTES)); i++)
    put_runs(m, hm_pm_item(m, list), &w[i]);
  hm_arena_free(tmp);
}
