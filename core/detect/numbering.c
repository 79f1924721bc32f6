#include "core/detect/numbering.h"

void hm_numbering_init(hm_numbering *g, hm_arena *a) {
  g->n = 0;
  g->a = a;
}

static void move_to_map(hm_numbering *g) {
  hm_map_init(&g->map, g->a, 2 * HM_NUMBERING_FEW);
  for (uint32_t i = 0; i < g->n; i++) hm_map_add(&g->map, g->few[i], i);
}

uint32_t hm_numbering_of(hm_numbering *g, hm_str key) {
  if (g->n <= HM_NUMBERING_FEW) {
    for (uint32_t i = 0; i < g->n; i++)
      if (hm_str_eq(g->few[i], key)) return i;
    if (g->n < HM_NUMBERING_FEW) {
      g->few[g->n] = key;
      return g->n++;
    }
    move_to_map(g);
  }
  uint32_t got = hm_map_add(&g->map, key, g->n);
  if (got == g->n) g->n++;
  return got;
}
