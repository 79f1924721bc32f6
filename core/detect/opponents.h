/* Between two parties of a dispute: do they contradict each other? */
#ifndef HM_OPPONENTS_H
#define HM_OPPONENTS_H
#include "core/detect/conflict.h"

/* A dispute prepared for such questions. Lives in a; borrows d and rules. */
typedef struct hm_opponents hm_opponents;
hm_opponents *hm_opponents_new(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                               hm_arena *a);
/* Of d->parties[x] and d->parties[y]. */
bool hm_opponents_are(const hm_opponents *o, size_t x, size_t y);
/* out[i]: d->parties[i] contradicts a claim of this row in the dispute. Room for d->n. Work:
 * parties times claims of the row. */
void hm_opponents_of_row(const hm_opponents *o, uint32_t row, bool *out);
#endif
