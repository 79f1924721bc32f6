/* Unified diffs of two texts. Pure. */
#ifndef HM_UNIFIED_DIFF_H
#define HM_UNIFIED_DIFF_H
#include "core/base/str.h"

/* Appends the unified diff (three lines of context) from a to b, with "--- from" and "+++ to", to
 * out; nothing when they are equal. Shortest for texts whose differing middles have up to 2,000
 * lines each; beyond that the middle is shown as replaced. Returns whether they differ. arena holds
 * what is needed meanwhile. */
bool hm_unified_diff(hm_arena *arena, hm_str a, hm_str b, const char *from, const char *to,
                     hm_buf *out);
#endif
