/* Hash table from a byte string to an index. Open addressing over XXH3; the
 * keys are borrowed and must outlive the map. Each map has a random seed, since
 * keys that collide under a known one are easy to write; so the order of the
 * slots differs from run to run, and nothing may be read off it. */
#ifndef HM_MAP_H
#define HM_MAP_H
#include "str.h"

#define HM_MAP_NONE UINT32_MAX
typedef struct {
  hm_str *keys;
  uint32_t *values;
  uint64_t *hashes;
  size_t cap, n;
  uint64_t seed;
  hm_arena *a;
} hm_map;

/* expect: how many keys will come; the map grows beyond it. */
void hm_map_init(hm_map *m, hm_arena *a, size_t expect);
/* Sets key to value unless it is there. Returns what it has now. */
uint32_t hm_map_add(hm_map *m, hm_str key, uint32_t value);
/* Sets key to value, there or not. */
void hm_map_set(hm_map *m, hm_str key, uint32_t value);
/* HM_MAP_NONE when absent. Safe from many threads while nobody adds. */
uint32_t hm_map_get(const hm_map *m, hm_str key);
#endif
