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
/* As hm_disputes_of, of the claims that were given last. */
int hm_sweep_keep_disputes(hm_sweep_keep *k, const hm_sweep_options *opt, const hm_snapshot *snap, const hm_claims *claims, hm_arena *a, hm_disputes **out,
                           hm_err *err);
/* What the detectors found in an earlier sweep, if they would find the same now: findings and how many, one of each a detector. They are k's. */
bool hm_sweep_keep_found(const hm_sweep_keep *k, hm_finding **found, size_t *n);
/* What they found now, and the arenas that it is in, which are k's from now on. */
void hm_sweep_keep_find(hm_sweep_keep *k, hm_arena **told, hm_finding *const *found, const size_t *n);
/* Would the detectors find the same as before what is new? orphans: what hm_detect_orphans found then. True when nothing but rows changed; the rows that were
 * updated refer to what they referred to, with the status that they had where they refer to anything (a row that nobody superseded can be in no
 * circle, and refers to nobody who could be missing); and each row that was inserted is superseded by none (so no circle goes
 * through it), refers to rows that are there, is none that an orphan misses, and none that takes the place of another in what a row refers to, as
 * the row "memory:x" would before a row of the id "memory:x" that is in another layer. */
bool hm_findings_stand(const hm_snapshot *now, const hm_follow_news *news, const hm_finding *orphans, size_t n);
/* After the sweep was committed, which found what the store had recorded already. */
void hm_sweep_keep_settle(hm_sweep_keep *k, hm_store *s);
#endif
