/* Unified diffs of two texts. Pure. */
#ifndef HM_UNIFIED_DIFF_H
#define HM_UNIFIED_DIFF_H
#include "core/base/str.h"

/* Appends the unified diff (three lines of context) from a to b, with "--- from" and "+++ to", to
 * out; nothing when they are equal. The diff is the shortest when the differing middles have up to
 * 2,000 lines each; else the whole middle is shown as replaced. Returns true when they differ.
 * arena: working memory. */
bool hm_unified_diff(hm_arena *arena, hm_str a, hm_str b, const char *from, const char *to,
                     hm_buf *out);
#endif
