/* Which claims of a slot contradict each other, directly or through others? */
#ifndef HM_COMPONENTS_H
#define HM_COMPONENTS_H
#include "core/detect/slot.h"

typedef struct {
  uint32_t *items;      /* indices of slot->items: component by component, each in member order */
  size_t *first; /* component c: items[first[c]] up to items[first[c + 1]]; by first member */
  size_t n;             /* components of two claims or more; the others contradict nobody */
} hm_components;

/* Lives in a. Work: O(n log n) but for values that are compatible though they differ. */
void hm_components_of(hm_components *out, const hm_slot *s, hm_arena *a);
#endif
