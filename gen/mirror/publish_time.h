/* The time of a publication: a function of the facts that it shows, so the same store gives the
 * same commit. */
#ifndef HM_PUBLISH_TIME_H
#define HM_PUBLISH_TIME_H
#include "gen/mirror/mirror.h"

/* Without SOURCE_DATE_EPOCH: seconds since 1970 of now or the newest verdict, whichever is later,
 * else 0. Of rows and verdicts that are published only. */
int64_t hm_publish_time(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view);
/* Now as the trailer Mirror-Now has it; empty when there is none, or when only rows that are left
 * out have that time. */
hm_str hm_publish_now(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view);
#endif
