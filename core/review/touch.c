/* That rows were used: touch.h. */
#include "core/review/touch.h"

#include "core/store/record_edit.h"

int hm_review_touch(hm_store *s, const hm_actor *who, const hm_str *refs, size_t n, hm_arena *a,
                    hm_err *err) {
  if (hm_store_may_change(s, err) || hm_store_begin(s, true, err)) return -1;
  hm_column used = { "last_accessed_at", hm_time_to_second(a, who->at) };
  for (size_t i = 0; i < n; i++) {
    if (!hm_str_starts(refs[i], "memory:")) continue;
    if (hm_store_set_columns(s, refs[i], &used, 1, "touch", who, a, err)) {
      hm_store_rollback(s);
      return -1;
    }
  }
  return hm_store_commit(s, err);
}
