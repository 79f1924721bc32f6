/* Which recorded conflict does each dispute go on as?
 *
 * A record that is open, or was merged, belongs to the dispute of its slot key that holds one of
 * its members (layer, id, field). Of several it is the one with its anchor, else the one with most
 * of its members, else the first. A record from before anchors were kept counts as anchored at its
 * earliest member that is left. Of several open records in one dispute the one with the older
 * anchor goes on and the others merge into it.
 *
 * A dispute that no record on its key has may take one of another key: slot keys change when names
 * are folded otherwise or a project is renamed, and a conflict keeps its id all the same. It must
 * share two members, and nobody may claim by its key any more: one row that is edited takes no
 * conflict along, and what becomes of a slot depends on no other slot. A verdict on another key
 * counts, too, where it shares two members: it judged these two rows; of a row that was edited to
 * speak of something else it says nothing. */
#ifndef HM_MATCH_H
#define HM_MATCH_H
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
/* layer, id and field as one key. */
hm_str hm_member_key(hm_arena *a, hm_layer layer, hm_str id, hm_str field);
#endif
