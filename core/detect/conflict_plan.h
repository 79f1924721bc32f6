/* What the recorded conflicts become after a look at what the rules find now: which one each dispute
 * goes on as (conflict_match.c), and whether verdicts cover it (verdict_cover.c). For
 * conflict_plan.c; the same for every rule that yields conflicts. */
#ifndef HM_CONFLICT_PLAN_H
#define HM_CONFLICT_PLAN_H
#include "core/detect/conflict.h"

#define HM_MATCH_NONE UINT32_MAX

/* Of a dispute; records as numbers, HM_MATCH_NONE where there is none. */
typedef struct {
  uint32_t open, open_moved;       /* that goes on: of its slot key, and of another */
  uint32_t merged, merged_moved;   /* that was merged and may be open again, likewise */
  bool anchored[4];                /* of these in turn: its anchor is one of the parties */
} hm_match;

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
/* layer, id and field as one key, among members that share the last part. */
hm_str hm_member_key(hm_arena *a, hm_layer layer, hm_str id, hm_str field, hm_str within);

/* --- silence ------------------------------------------------------------------------- */

/* What quiet conflicts knew: those that were dismissed, or resolved with no_action. quiet is
 * borrowed; lives in a, which it may use until the last question. */
typedef struct hm_verdict_cover hm_verdict_cover;
hm_verdict_cover *hm_verdict_cover_new(const hm_conflict_rec *const *quiet, size_t n_quiet,
                                       hm_arena *a);
/* True when every two parties that contradict each other are covered: some one of the quiet
 * conflicts knew both values (one of its members, of whatever row, has the same normal form or the
 * same raw text), and its contested time overlaps the pair's. So a new row with a known value stays
 * quiet, and a new value does not. */
bool hm_verdict_covers(hm_verdict_cover *c, const hm_snapshot *snap, const hm_dispute *d,
                       const hm_rules *rules, hm_arena *scratch);
#endif
