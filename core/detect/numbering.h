/* Small numbers for strings, in the order in which they first come. */
#ifndef HM_NUMBERING_H
#define HM_NUMBERING_H
#include "core/base/map.h"

enum { HM_NUMBERING_FEW = 12 };

/* Most slots have a handful of claims, for which a table is not worth its making. */
typedef struct {
  hm_str few[HM_NUMBERING_FEW];
  uint32_t n;          /* numbers given: 0 to n - 1 */
  hm_map map;          /* in use once n has passed HM_NUMBERING_FEW */
  hm_arena *a;
} hm_numbering;

/* Keys are borrowed. */
void hm_numbering_init(hm_numbering *g, hm_arena *a);
uint32_t hm_numbering_of(hm_numbering *g, hm_str key);
#endif
