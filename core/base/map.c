#include "core/base/map.h"

/* Never 0, which marks a free slot. */
static uint64_t hash_key(const hm_map *m, hm_str key) {
  uint64_t h = hm_str_hash_seeded(key, m->seed);
  return h ? h : 1;
}

static void set_cap(hm_map *m, size_t cap) {
  m->cap = cap;
  m->keys = hm_alloc_array(m->a, cap, sizeof *m->keys);
  m->values = hm_alloc_array(m->a, cap, sizeof *m->values);
  m->hashes = hm_alloc_array(m->a, cap, sizeof *m->hashes);
}

void hm_map_init(hm_map *m, hm_arena *a, size_t expect) {
  size_t cap = 8;
  while (cap / 2 < expect && cap < SIZE_MAX / 64) cap *= 2;
  *m = (hm_map){ .a = a, .seed = hm_arena_random(a) };
  set_cap(m, cap);
}

/* The slot of key, or the free one where it would go. */
static size_t slot_of(const hm_map *m, hm_str key, uint64_t h) {
  size_t mask = m->cap - 1, i = h & mask;
  while (m->hashes[i] && !(m->hashes[i] == h && hm_str_eq(m->keys[i], key))) i = (i + 1) & mask;
  return i;
}

static void grow(hm_map *m) {
  hm_map old = *m;
  set_cap(m, old.cap * 2);
  for (size_t k = 0; k < old.cap; k++) {
    if (!old.hashes[k]) continue;
    size_t mask = m->cap - 1, i = old.hashes[k] & mask;
    while (m->hashes[i]) i = (i + 1) & mask;
    m->hashes[i] = old.hashes[k];
    m->keys[i] = old.keys[k];
    m->values[i] = old.values[k];
  }
}

/* The slot of key, made with value when it is new. */
static size_t claim_slot(hm_map *m, hm_str key, uint32_t value) {
  uint64_t h = hash_key(m, key);
  size_t i = slot_of(m, key, h);
  if (m->hashes[i]) return i;
  if (m->n + 1 > m->cap / 8 * 5) {
    grow(m);
    i = slot_of(m, key, h);
  }
  m->n++;
  m->hashes[i] = h;
  m->keys[i] = key;
  m->values[i] = value;
  return i;
}

/* The slot is found first: finding it can move the arrays. */
uint32_t hm_map_add(hm_map *m, hm_str key, uint32_t value) {
  size_t i = claim_slot(m, key, value);
  return m->values[i];
}

void hm_map_set(hm_map *m, hm_str key, uint32_t value) {
  size_t i = claim_slot(m, key, value);
  m->values[i] = value;
}

uint32_t hm_map_get(const hm_map *m, hm_str key) {
  if (!m->cap) return HM_MAP_NONE;
  size_t i = slot_of(m, key, hash_key(m, key));
  return m->hashes[i] ? m->values[i] : HM_MAP_NONE;
}
