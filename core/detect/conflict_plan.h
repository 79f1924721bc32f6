/* What the recorded conflicts become, given what the rules find now: which one each dispute goes on
 * as (conflict_match.c), and whether verdicts cover it (verdict_cover.c). For conflict_plan.c; the
 * same for every rule that yields conflicts. */
#ifndef HM_CONFLICT_PLAN_H
#define HM_CONFLICT_PLAN_H
#include "core/detect/conflict.h"

#define HM_MATCH_NONE UINT32_MAX

/* How a record may go on in a dispute: open, of its slot key or of another; or merged, likewise. */
typedef enum {
  HM_MATCH_OPEN, HM_MATCH_OPEN_MOVED, HM_MATCH_MERGED, HM_MATCH_MERGED_MOVED, HM_MATCH_WAYS
} hm_match_way;

/* Of a dispute, in each way: a record as a number, or HM_MATCH_NONE; its anchor is a party. */
typedef struct { uint32_t rec[HM_MATCH_WAYS]; bool anchored[HM_MATCH_WAYS]; } hm_match;

typedef struct {
  hm_match *of;        /* of each dispute */
  uint32_t *into;      /* of each record: the open record of its key that it merges into, or NONE */
  uint32_t
      *moved_to; /* of each open record: the dispute of another key that it may go on in, or NONE */
  uint32_t *settled;
  size_t *first; /* dispute d: settled[first[d]] up to settled[first[d + 1]], the
                    verdicts on its slot key, or on another that share two members
                    with it; ascending */
} hm_matches;

/* recs: by (slot_key, id). Work: as many steps as there are parties and recorded members, times a
 * logarithm. Lives in a. */
void hm_match_conflicts(const hm_snapshot *snap, const hm_disputes *d, const hm_conflict_rec *recs,
                        size_t n, hm_arena *a, hm_matches *out);

/* The name in a slot key, without its project and space; empty when it is no key. In a. */
hm_str hm_slot_key_name(hm_str slot_key, hm_arena *a);

/* --- silence ------------------------------------------------------------------------- */

/* What quiet conflicts cover: dismissed ones, and those resolved with no_action. world: of their
 * slot; of: a claim of it. Borrows quiet. Lives in a, which it uses until the last query. */
typedef struct hm_verdict_cover hm_verdict_cover;
hm_verdict_cover *hm_verdict_cover_new(const hm_conflict_rec *const *quiet, size_t n_quiet,
                                       const hm_world *world, const hm_rules *rules,
                                       const hm_claim *of, hm_arena *a);
/* True when every two parties that contradict each other are covered: some one of the quiet
 * conflicts knew both values, and its contested time overlaps the pair's. It knew a value if one of
 * its members, of whatever row, has the same raw text or the same normal form, as recorded or as
 * the raw text is read today. So a new row with a known value stays quiet, and a new value does
 * not. */
bool hm_verdict_covers(hm_verdict_cover *c, const hm_snapshot *snap, const hm_dispute *d,
                       const hm_rules *rules, hm_arena *scratch);
#endif
