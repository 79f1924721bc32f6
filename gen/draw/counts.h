/* Counts over time as an SVG file: a column each. Pure: equal models give equal bytes.
 *
 * As timelines (timeline.h): no script, no style sheet of a page, any width, colours of the
 * reader's scheme. The largest count is written at the top. A column keeps its place as long
 * as there is room for one more. */
#ifndef HM_DRAW_COUNTS_H
#define HM_DRAW_COUNTS_H
#include "core/base/str.h"

typedef struct {
  hm_str title, desc;        /* for who does not see it; escaped when drawn */
  const int64_t *counts;     /* from left to right; one below 0 is drawn as 0 */
  size_t n, places;          /* how many columns there is room for; at least n, and not 0 */
  hm_str below;              /* what stands below them; escaped */
} hm_draw_counts;

/* Appends the file. Work: linear in n. */
void hm_draw_counts_svg(const hm_draw_counts *c, hm_buf *out);
#endif
