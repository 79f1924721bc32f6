/* What stands in the place of a value that was removed on purpose. It claims
 * nothing: no value is known, and so none can disagree. */
#ifndef HM_REDACTED_H
#define HM_REDACTED_H
#include "core/base/str.h"

/* "[redacted 2026-11-21: reason]"; at: a time, of which the day is taken. */
hm_str hm_redacted_mark(hm_arena *a, hm_str at, hm_str reason);
/* s, without the white space around it, is such a mark. */
bool hm_is_redacted(hm_str s);
/* Such a mark stands anywhere in s, which may be JSON. */
bool hm_redacted_in(hm_str s);
#endif
