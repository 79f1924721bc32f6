/* The instant at which what has no end still holds: hm_snapshot.now. Design, "Time".
 *
 * It is SOURCE_DATE_EPOCH (hm_store_source.epoch), else the newest readable created_at, updated_at
 * or superseded_at of a row of any status, else HM_TIME_MAX. A time more than a day after the run's
 * clock is a mistake of its writer and does not count. The run's clock is SOURCE_DATE_EPOCH, else
 * the system's when the transaction began, so that a transaction has one now. Not for other
 * folders. */
#ifndef HM_NOW_H
#define HM_NOW_H
#include "core/base/time.h"
#include "core/store/store.h"

/* The newest of many times that are not after a limit: the instant, and its text where that is of
 * the form "2026-04-02T09:00:00Z", in which most times need no reading. */
typedef struct {
  hm_time t;                   /* HM_TIME_MIN: none */
  hm_time limit;
  hm_time ahead;               /* the earliest after the limit; HM_TIME_MAX: none */
  char plain[20]; bool is_plain;
} hm_newest;

hm_newest hm_newest_before(hm_time limit);
/* Takes note of a time, when it can be read. */
void hm_newest_add(hm_newest *n, hm_str time);
void hm_newest_merge(hm_newest *to, const hm_newest *from);

/* Times of rows after this do not count. In a transaction. */
hm_time hm_clock_limit(const hm_store *s);
/* Now, where this is the newest time of rows, or HM_TIME_MIN. */
hm_time hm_now_of(const hm_store *s, hm_time newest);
#endif
