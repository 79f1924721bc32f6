/* Rows alike to one of a sweep (core/recall/alike.h), without those that findings name beside it.
 */
#ifndef HM_NEAREST_H
#define HM_NEAREST_H
#include "core/recall/alike.h"
#include "core/sweep/sweep.h"

/* The nearest to row `row` of the sweep `of`, among the rows of the sweep `in`, with details: the
 * same one, or of a write that was found beside a held sweep, that one. In a. */
size_t hm_nearest_to_row(const hm_sweep *of, uint32_t row, const hm_sweep *in, int threads,
                         hm_arena *a, hm_alike_row **out);
/* The nearest to a text that is not stored. project: its id; NULL: any. */
size_t hm_nearest_to_text(hm_str text, const hm_str *project, const hm_sweep *in, int threads,
                          hm_arena *a, hm_alike_row **out);
#endif
