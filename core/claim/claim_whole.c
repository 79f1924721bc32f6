/* The claims that were read whole, kept for the next look. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/claim_impl.h"

void hm_keep_moved(hm_claims_moves *m, uint64_t slot) {
  if (m->told) m->n = 0;
  m->told = false;
  if (m->n == m->cap) m->v = hm_xrealloc(m->v, (m->cap = 2 * m->cap + 64) * sizeof *m->v);
  m->v[m->n++] = slot;
}

static void all_moved(hm_claims_moves *m, const hm_claim *c, size_t n) {
  for (size_t i = 0; i < n; i++) hm_keep_moved(m, c[i].hash);
}

void hm_keep_whole_forget(hm_claims_keep *k) {
  k->moves.all = true;
  for (int i = 0; i < k->n_texts; i++) hm_arena_free(k->texts[i]);
  free(k->texts);
  free(k->whole);
  k->texts = NULL;
  k->whole = NULL;
  k->n_texts = 0;
  k->n_whole = 0;
}

size_t hm_keep_whole_held(const hm_claims_keep *k) {
  size_t n = 0;
  for (int i = 0; i < k->n_texts; i++) n += hm_arena_held(k->texts[i]);
  return n;
}

void hm_keep_whole_begin(hm_claims_keep *k, int n_workers) {
  if (hm_keep_is_full(hm_keep_whole_held(k), k->texts_held)) hm_keep_whole_forget(k);
  if (n_workers <= k->n_texts) return;
  k->texts = hm_xrealloc(k->texts, (size_t)n_workers * sizeof *k->texts);
  while (k->n_texts < n_workers) k->texts[k->n_texts++] = hm_arena_new();
}

void hm_keep_whole_choose(hm_claims_keep *k, unsigned char *wanted) {
  size_t n = 0;
  for (size_t i = 0, end; i < k->n_whole; i = end) {
    uint32_t row = k->whole[i].row;
    for (end = i + 1; end < k->n_whole && k->whole[end].row == row;) end++;
    if (!wanted[row]) {
      all_moved(&k->moves, k->whole + i, end - i);
      continue;
    }
    if (n < i) memmove(k->whole + n, k->whole + i, (end - i) * sizeof *k->whole);
    n += end - i;
    wanted[row] = 0;
  }
  k->n_whole = n;
}

/* From the end, so that each claim moves once. */
void hm_keep_whole_add(hm_claims_keep *k, const hm_claim *c, size_t n) {
  size_t from = k->n_whole, to = from + n;
  bool all = !from;
  all_moved(&k->moves, c, n);
  k->whole = hm_xrealloc(k->whole, (to + 1) * sizeof *k->whole);
  k->n_whole = to;
  while (n) {
    size_t run = 0;
    while (run < from && k->whole[from - 1 - run].row > c[n - 1].row) run++;
    from -= run;
    to -= run;
    if (run) memmove(k->whole + to, k->whole + from, run * sizeof *k->whole);
    k->whole[--to] = c[--n];
  }
  if (all) k->texts_held = hm_keep_whole_held(k);
}

void hm_keep_whole_follow(hm_claims_keep *k, const hm_follow_news *news) {
  size_t n = 0;
  for (size_t i = 0; i < k->n_whole; i++) {
    uint32_t row = hm_row_moved(k->whole[i].row, news->inserted, news->n_inserted);
    if (k->stale[row]) {
      hm_keep_moved(&k->moves, k->whole[i].hash);
      continue;
    }
    if (n < i) k->whole[n] = k->whole[i];
    k->whole[n++].row = row;
  }
  k->n_whole = n;
}
