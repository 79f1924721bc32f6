/* A sorted list in which a few elements are other than they were. */
#include <stdlib.h>

#include "gen/site/keep_impl.h"

static hm_str path_of(const void *v, size_t i, size_t size) { return *(const hm_str *)((const char *)v + i * size); }

/* Those that may have to go. The one pass over all. */
static uint32_t *find_dropped(const hm_kept_list *l, const bool *drop, size_t *n, hm_arena *a) {
  *n = 0;
  for (size_t i = 0; i < l->n; i++) *n += drop[l->owner[i]];
  uint32_t *out = hm_alloc_array(a, *n, sizeof *out);
  *n = 0;
  for (size_t i = 0; i < l->n; i++)
    if (drop[l->owner[i]]) out[(*n)++] = (uint32_t)i;
  return out;
}

typedef struct { uint32_t *at; size_t n; } places;

/* Both are sorted: what has no partner comes or goes. */
static bool match(const hm_kept_list *l, const places *dropped, hm_kept_change *c, places *gone) {
  size_t o = 0;
  for (size_t k = 0; k < c->n; k++) {
    hm_str path = path_of(c->v, k, l->size);
    int order = -1;
    while (o < dropped->n && (order = hm_str_cmp(path_of(l->v, dropped->at[o], l->size), path)) < 0) gone->at[gone->n++] = dropped->at[o++];
    c->inserted[k] = o == dropped->n || order != 0;
    c->at[k] = c->inserted[k] ? (uint32_t)hm_lower(l->v, l->n, l->size, path) : dropped->at[o++];
    if (c->inserted[k] && c->at[k] < l->n && hm_str_eq(path_of(l->v, c->at[k], l->size), path)) return false;
    if (k && hm_str_cmp(path_of(c->v, k - 1, l->size), path) >= 0) return false;
  }
  while (o < dropped->n) gone->at[gone->n++] = dropped->at[o++];
  return true;
}

typedef struct { const hm_kept_list *old; hm_kept_list new; size_t from; } copying;

/* What stood before `to`, and was not copied or left out yet. */
static void copy_up_to(copying *x, size_t to) {
  size_t n = to - x->from, size = x->old->size;
  if (!n) return;
  memcpy(x->new.v + x->new.n * size, x->old->v + x->from * size, n * size);
  memcpy(x->new.owner + x->new.n, x->old->owner + x->from, n * sizeof *x->new.owner);
  x->new.n += n;
  x->from = to;
}

static void copy_new(copying *x, const hm_kept_change *c, size_t k) {
  size_t size = x->old->size;
  copy_up_to(x, c->at[k] + !c->inserted[k]);
  if (!c->inserted[k]) {
    c->at[k] = (uint32_t)x->new.n - 1;
    return;
  }
  memcpy(x->new.v + x->new.n * size, c->v + k * size, size);
  x->new.owner[x->new.n] = c->owner[k];
  c->at[k] = (uint32_t)x->new.n++;
}

/* Where something came or went all move, once. */
static void rebuild(hm_kept_list *l, hm_kept_change *c, const places *gone) {
  size_t n = l->n + c->n, g = 0;
  copying x = { .old = l, .new = { hm_xmalloc(n * l->size + 1), hm_xmalloc((n + 1) * sizeof *l->owner), 0, l->size } };
  for (size_t k = 0; k < c->n; k++) {
    for (; g < gone->n && gone->at[g] < c->at[k]; x.from++) copy_up_to(&x, gone->at[g++]);
    copy_new(&x, c, k);
  }
  for (; g < gone->n; x.from++) copy_up_to(&x, gone->at[g++]);
  copy_up_to(&x, l->n);
  free(l->v);
  free(l->owner);
  *l = x.new;
}

bool hm_kept_patch(hm_kept_list *l, const bool *drop, hm_kept_change *c, void (*put)(void *old, const void *element), hm_arena *a) {
  places dropped, gone = { 0 };
  bool came = false;
  dropped.at = find_dropped(l, drop, &dropped.n, a);
  gone.at = hm_alloc_array(a, dropped.n, sizeof *gone.at);
  c->at = hm_alloc_array(a, c->n, sizeof *c->at);
  c->inserted = hm_alloc_array(a, c->n, sizeof *c->inserted);
  if (!match(l, &dropped, c, &gone)) return false;
  c->gone = hm_alloc_array(a, gone.n, sizeof *c->gone);
  for (size_t i = 0; i < gone.n; i++) c->gone[c->n_gone++] = path_of(l->v, gone.at[i], l->size);
  for (size_t k = 0; k < c->n; k++) came = came || c->inserted[k];
  if (came || gone.n) rebuild(l, c, &gone);
  for (size_t k = 0; k < c->n; k++) {
    if (c->inserted[k]) continue;
    put(l->v + c->at[k] * l->size, c->v + k * l->size);
    l->owner[c->at[k]] = c->owner[k];
  }
  return true;
}
