/* Rows that wait for a judge, in the order in which they were written. */
#ifndef HM_JUDGE_QUEUE_H
#define HM_JUDGE_QUEUE_H
#include "core/store/store.h"

enum { HM_JUDGE_TRIES = 3 };   /* answers to a row that cannot be read, until it leaves the queue */

typedef struct { int64_t seq; hm_str ref; } hm_queued;
/* Puts the row "kind:id" at the end, where the store is judged (hm_store_source); else
 * nothing. Inside a write transaction. */
int hm_judge_queue_add(hm_store *s, hm_str ref, hm_err *err);
/* How many rows wait. None in a store before HM_STORE_JUDGE_VERSION. */
int hm_judge_queue_count(hm_store *s, int64_t *n, hm_err *err);
/* The first rows that wait, at most `max`, in a. */
int hm_judge_queue_read(hm_store *s, size_t max, hm_arena *a, hm_queued **out, size_t *n,
                        hm_err *err);
/* Takes a row out, unless it was written again since; failed: not yet, but once it was tried
 * HM_JUDGE_TRIES times. *left: it did leave. */
int hm_judge_queue_done(hm_store *s, const hm_queued *q, bool failed, bool *left, hm_err *err);
#endif
