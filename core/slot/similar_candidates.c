/* Candidates for similar texts: similar_groups.h. */
#include "core/slot/similar_groups.h"

#include <stdlib.h>

#include "core/recall/terms.h"

/* A word of a text. texts: how many have it. */
typedef struct {
  uint64_t stem;
  uint32_t text, texts;
} said;

struct hm_similar_candidates {
  said *by_text;
  size_t n;             /* the rarer words of each text's words, rarest first */
  said *by_stem;        /* the same, by stem and text */
  size_t *first;        /* of by_text, by text */
  uint32_t *met, round; /* by text: the round in which it was met last */
};

static int by_stem(const void *x, const void *y) {
  const said *a = x, *b = y;
  if (a->stem != b->stem)
    return a->stem < b->stem ? -1 : 1;
  return (a->text > b->text) - (a->text < b->text);
}

static int by_text(const void *x, const void *y) {
  const said *a = x, *b = y;
  if (a->text != b->text)
    return a->text < b->text ? -1 : 1;
  if (a->texts != b->texts)
    return a->texts < b->texts ? -1 : 1;
  return (a->stem > b->stem) - (a->stem < b->stem);
}

typedef struct {
  said *v;
  size_t n, cap;
} list;

/* Adds the content words of a text, or its words of grammar; some twice. */
static void add_words(list *l, hm_str text, uint32_t number, bool grammar, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(text, scratch);
  hm_str word;
  while (hm_terms_next(&w, &word, NULL, NULL)) {
    if (hm_term_is_function(word) != grammar)
      continue;
    l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
    l->v[l->n++] = (said){ hm_str_hash(hm_term_stem(NULL, scratch, word)), number, 0 };
  }
}

static list read_words(const hm_str *texts, size_t n) {
  hm_arena *scratch = hm_arena_new();
  list all = { 0 };
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    size_t had = all.n;
    hm_arena_reset(scratch);
    add_words(&all, texts[i], (uint32_t)i, false, scratch);
    if (all.n == had)
      add_words(&all, texts[i], (uint32_t)i, true, scratch);
  }
  hm_arena_free(scratch);
  if (all.n)
    qsort(all.v, all.n, sizeof *all.v, by_stem);
  for (size_t i = 0; i < all.n; i++)
    if (!i || by_stem(&all.v[i], &all.v[kept - 1]))
      all.v[kept++] = all.v[i];
  all.n = kept;
  return all;
}

hm_similar_candidates *hm_similar_candidates_new(const hm_str *texts, size_t n, hm_arena *a) {
  hm_similar_candidates *x = hm_alloc(a, sizeof *x);
  list all = read_words(texts, n);
  for (size_t i = 0, end; i < all.n; i = end) {
    for (end = i; end < all.n && all.v[end].stem == all.v[i].stem; end++)
      continue;
    for (size_t k = i; k < end; k++)
      all.v[k].texts = (uint32_t)(end - i);
  }
  if (all.n)
    qsort(all.v, all.n, sizeof *all.v, by_text);
  x->by_text = hm_alloc_array(a, all.n + 1, sizeof *x->by_text);
  x->by_stem = hm_alloc_array(a, all.n + 1, sizeof *x->by_stem);
  x->first = hm_alloc_array(a, n + 1, sizeof *x->first);
  x->met = hm_alloc_array(a, n + 1, sizeof *x->met);
  for (size_t text = 0, i = 0, end; text < n; text++, i = end) {
    x->first[text] = x->n;
    for (end = i; end < all.n && all.v[end].text == text; end++)
      continue;
    size_t shared = ((end - i) * 3 + 4) / 5;
    for (size_t k = i; k + shared <= end && k < end; k++)
      x->by_text[x->n++] = all.v[k];
  }
  x->first[n] = x->n;
  free(all.v);
  memcpy(x->by_stem, x->by_text, x->n * sizeof *x->by_stem);
  if (x->n)
    qsort(x->by_stem, x->n, sizeof *x->by_stem, by_stem);
  return x;
}

static size_t take(hm_similar_candidates *x, uint32_t text, uint32_t *out, size_t n) {
  if (x->met[text] == x->round)
    return n;
  x->met[text] = x->round;
  out[n] = text;
  return n + 1;
}

size_t hm_similar_candidates_find(hm_similar_candidates *x, uint32_t i,
                                  uint32_t out[HM_SIMILAR_COMPARED]) {
  size_t n = 0;
  x->met[i] = ++x->round;
  for (size_t k = x->first[i]; k < x->first[i + 1]; k++) {
    const said *own = bsearch(&x->by_text[k], x->by_stem, x->n, sizeof *own, by_stem);
    const said *first = x->by_stem, *last = first + x->n, *down = own, *up = own + 1;
    bool more = true;
    while (more && n < HM_SIMILAR_COMPARED) {
      more = false;
      if (down > first && down[-1].stem == own->stem) {
        n = take(x, (--down)->text, out, n);
        more = true;
      }
      if (n < HM_SIMILAR_COMPARED && up < last && up->stem == own->stem) {
        n = take(x, (up++)->text, out, n);
        more = true;
      }
    }
  }
  return n;
}
