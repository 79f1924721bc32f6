/* Pieces of a raw file that are made from what they were made from say what they said. */
#include <stdlib.h>
#include <string.h>

#include "gen/site/keep_impl.h"

/* Zero: not known. */
static hm_hash128 key_of(const hm_build *b, const hm_raw_file *r, uint32_t piece) {
  hm_hash128 key = { 0 };
  hm_buf all = { 0 };
  hm_buf_add(&all, b->opt->inputs, 32);
  if (r->inputs(b->v, r, piece, b->inputs, &all) && !all.failed) key = hm_str_hash128(hm_buf_view(&all), b->seed);
  hm_buf_free(&all);
  return key;
}

static void resize(hm_kept_pieces *k, size_t n) {
  for (size_t i = n; i < k->n; i++) hm_buf_free(&k->v[i].bytes);
  k->v = hm_xrealloc(k->v, (n + 1) * sizeof *k->v);
  for (size_t i = k->n; i < n; i++) k->v[i] = (hm_kept_piece){ .is = { 0 } };
  k->n = n;
}

void hm_kept_pieces_free(hm_kept_pieces *k) {
  resize(k, 0);
  free(k->v);
}

hm_kept_pieces *hm_kept_pieces_begin(hm_work *w, const hm_raw_file *r) {
  if (!w->keep || !w->b.inputs || !w->b.opt->inputs || !r->inputs || r->pieces < 2) return NULL;
  hm_kept_pieces *k = &w->keep->pieces;
  resize(k, r->pieces);
  for (uint32_t i = 0; i < r->pieces; i++) {
    hm_hash128 now = key_of(&w->b, r, i);
    k->v[i].same = (now.hi | now.lo) && now.hi == k->v[i].is.hi && now.lo == k->v[i].is.lo;
    k->v[i].is = k->v[i].same ? now : (hm_hash128){ 0 };
    k->v[i].to_be = now;
  }
  return k;
}

void hm_kept_pieces_end(hm_kept_pieces *k, hm_buf *made) {
  for (size_t i = 0; i < k->n; i++) {
    if (k->v[i].same) continue;
    hm_buf_free(&k->v[i].bytes);
    k->v[i].bytes = made[i];
    k->v[i].is = k->v[i].to_be;
    made[i] = (hm_buf){ 0 };
  }
}
