/* That rows were used: what recall found and somebody worked with. */
#ifndef HM_TOUCH_H
#define HM_TOUCH_H
#include "core/store/store.h"

/* Sets last_accessed_at of the memories among refs ("kind:id") to who->at, and a line "touch" in
 * the journal for each; other layers have no such column. One transaction. Nothing else of the rows
 * changes, so no page and no conflict does. HM_E_STATE: a foreign store. */
int hm_review_touch(hm_store *s, const hm_actor *who, const hm_str *refs, size_t n, hm_arena *a,
                    hm_err *err);
#endif
