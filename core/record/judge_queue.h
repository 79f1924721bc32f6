/* Rows that wait for a judge, in the order in which they were written. All calls need an open
 * transaction; calls that add or remove need a write transaction. */
#ifndef HM_JUDGE_QUEUE_H
#define HM_JUDGE_QUEUE_H
#include "core/record/row.h"
#include "core/sqlite/file.h"

enum { HM_JUDGE_TRIES = 3 }; /* unreadable answers to a row before it leaves the queue */

typedef struct {
  int64_t seq;
  hm_str ref;
} hm_queued;
/* Appends the row "kind:id" if the store is judged (hm_store_source); else does nothing. Call
 * inside a write transaction. */
int hm_judge_queue_add(hm_store *s, hm_str ref, hm_err *err);
/* The number of rows that wait; 0 in a store before HM_STORE_JUDGE_VERSION. */
int hm_judge_queue_count(hm_store *s, int64_t *n, hm_err *err);
/* The first rows that wait, at most `max`, in a. */
int hm_judge_queue_read(hm_store *s, size_t max, hm_arena *a, hm_queued **out, size_t *n,
                        hm_err *err);
/* Removes a row from the queue, unless it was written again since. With failed, removes it only
 * after HM_JUDGE_TRIES tries. *left: it was removed. */
int hm_judge_queue_done(hm_store *s, const hm_queued *q, bool failed, bool *left, hm_err *err);
#endif
