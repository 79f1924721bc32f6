/* The new objects of one publication. */
#include "gen/sink/git_impl.h"

void hm_git_objects_init(hm_git_objects *l, hm_arena *a) {
  *l = (hm_git_objects){ 0 };
  hm_map_init(&l->seen, a, 64);
}

void hm_git_objects_free(hm_git_objects *l) {
  for (size_t i = 0; i < l->n_longs; i++) hm_git_long_free(l->longs[i]);
}

hm_git_long *hm_git_objects_long(hm_git_objects *l, hm_arena *a, hm_str key, git_object_t type, hm_str bytes) {
  if (l->n_longs == l->cap_longs) {
    size_t cap = l->cap_longs ? 2 * l->cap_longs : 16;
    hm_git_long **longs = hm_alloc_array(a, cap, sizeof *longs);
    if (l->n_longs) memcpy(longs, l->longs, l->n_longs * sizeof *longs);
    l->longs = longs;
    l->cap_longs = cap;
  }
  hm_git_long *new = l->longs[l->n_longs++] = hm_git_long_new(bytes, a);
  new->key = key;
  new->type = type;
  return new;
}

static hm_git_long *long_of(const hm_git_objects *l, hm_str bytes) {
  for (size_t i = 0; i < l->n_longs; i++)
    if (l->longs[i]->bytes.p == bytes.p) return l->longs[i];
  return NULL;
}

void hm_git_objects_add(hm_git_objects *l, hm_arena *a, const git_oid *id, git_object_t type, hm_str bytes) {
  if (l->n == l->cap) {
    size_t cap = l->cap ? l->cap * 2 : 128;
    hm_git_object *o = hm_alloc_array(a, cap, sizeof *o);
    if (l->n) memcpy(o, l->o, l->n * sizeof *o);
    l->o = o;
    l->cap = cap;
  }
  hm_str key = hm_str_dup(a, (hm_str){ (const char *)id->id, GIT_OID_RAWSZ });
  if (hm_map_add(&l->seen, key, (uint32_t)l->n) != l->n) return;
  l->o[l->n++] = (hm_git_object){ *id, type, bytes, bytes.n > HM_PIECE_MAX ? long_of(l, bytes) : NULL };
}
