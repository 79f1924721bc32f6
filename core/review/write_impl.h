/* What the files of write.h share. Not for other folders. */
#ifndef HM_WRITE_IMPL_H
#define HM_WRITE_IMPL_H
#include "core/review/touch.h"
#include "core/review/write.h"

/* Fills in what the row is told: its conflicts, what was opened and quieted, the warning. */
void hm_written_tell(hm_written *out, const hm_touched *t, hm_layer layer, hm_str id, hm_arena *a);
#endif
