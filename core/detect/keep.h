/* The parts of a sweep that hm_sweep_keep knows something of. Not for other folders. */
#ifndef HM_SWEEP_KEEP_H
#define HM_SWEEP_KEEP_H
#include "core/detect/sweep.h"

/* As hm_store_snapshot with details; the snapshot itself in a, what it leads to with k, until the next call. */
int hm_sweep_keep_read(hm_sweep_keep *k, hm_store *s, hm_arena *a, hm_snapshot **out, hm_err *err);
/* See hm_sweep: of the snapshot that was read last. */
uint64_t hm_sweep_keep_round(const hm_sweep_keep *k, const hm_follow_news **news);
/* As hm_claims_contested, of the snapshot that was read last. */
int hm_sweep_keep_claims(hm_sweep_keep *k, const hm_sweep_options *opt, const hm_snapshot *snap, hm_claims **out, hm_err *err);
/* After the sweep was committed, which found what the store had recorded already. */
void hm_sweep_keep_settle(hm_sweep_keep *k, hm_store *s);
#endif
