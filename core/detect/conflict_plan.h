/* Matching new disputes with recorded conflicts: which record continues as each dispute
 * (conflict_match.c), and whether verdicts cover it (verdict_cover.c). For conflict_plan.c; the
 * same for every rule that yields conflicts. */
#ifndef HM_CONFLICT_PLAN_H
#define HM_CONFLICT_PLAN_H
#include "core/detect/conflict.h"

#define HM_MATCH_NONE UINT32_MAX

/* How a record can continue as a dispute: open or merged, and with the same slot key or another
 * (MOVED). */
typedef enum {
  HM_MATCH_OPEN,
  HM_MATCH_OPEN_MOVED,
  HM_MATCH_MERGED,
  HM_MATCH_MERGED_MOVED,
  HM_MATCH_WAYS
} hm_match_way;

/* For a dispute, by way: the index of a record or HM_MATCH_NONE; is its anchor a party? */
typedef struct {
  uint32_t rec[HM_MATCH_WAYS];
  bool anchored[HM_MATCH_WAYS];
} hm_match;

typedef struct {
  hm_match *of;   /* by dispute */
  uint32_t *into; /* by record: the open record of its key that it merges into, or NONE */
  uint32_t
      *moved_to; /* by open record: the dispute of another key as which it may continue, or NONE */
  uint32_t *settled;
  size_t *first; /* dispute d: settled[first[d]] up to settled[first[d + 1]] are the verdicts on its
                  * slot key, and those on other keys that share two members with it; ascending */
} hm_matches;

/* recs: sorted by (slot_key, id). Cost: O(n log n) in parties and recorded members. Lives in a. */
void hm_match_conflicts(const hm_snapshot *snap, const hm_disputes *d, const hm_conflict_rec *recs,
                        size_t n, hm_arena *a, hm_matches *out);

/* The name in a slot key, without project and space; empty if it is not a key. In a. */
hm_str hm_slot_key_name(hm_str slot_key, hm_arena *a);

/* --- silence ------------------------------------------------------------------------- */

/* What quiet conflicts cover: those dismissed, or resolved with no_action. world: of their slot;
 * of: a claim of the slot. Borrows quiet. Lives in a and uses it until the last query. */
typedef struct hm_verdict_cover hm_verdict_cover;
hm_verdict_cover *hm_verdict_cover_new(const hm_conflict_rec *const *quiet, size_t n_quiet,
                                       const hm_world *world, const hm_rules *rules,
                                       const hm_claim *of, hm_arena *a);
/* True if each pair of parties that contradict each other is covered: one quiet conflict knew both
 * values, and its contested time overlaps the pair's. It knew a value if one of its members, of any
 * row, has the same raw text or the same normal form, as recorded or as the raw text is read today.
 * So a new row with a known value stays quiet, and a new value does not. */
bool hm_verdict_covers(hm_verdict_cover *c, const hm_snapshot *snap, const hm_dispute *d,
                       const hm_rules *rules, hm_arena *scratch);
#endif
