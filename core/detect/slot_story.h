/* The texts of one slot as a story (arc.h). */
#ifndef HM_SLOT_STORY_H
#define HM_SLOT_STORY_H
#include "core/claim/claim.h"
#include "core/claim/story.h"
#include "core/detect/arc.h"

typedef struct hm_slot_story {
  const hm_claim **claims; size_t n;            /* of texts, in member order; also of superseded
                                                   rows. arc speaks of them by index */
  const hm_claim **mentions; size_t n_mentions; /* in member order */
  hm_arc arc;
} hm_slot_story;

/* The story of the claims of one slot; NULL: no text claims in it. Lives in a, borrows the claims.
 * Work: O(claims log claims). */
hm_slot_story *hm_slot_story_of(const hm_snapshot *snap, const hm_claim *const *claims, size_t n,
                                const hm_rules *rules, hm_arena *a);
/* How a claim of the slot ended; NULL: it is no text, or the story does not know it. */
const hm_arc_end *hm_slot_story_end(const hm_slot_story *s, const hm_snapshot *snap,
                                    const hm_claim *c);

/* An active claim that others overtook. by: NULL where nobody of the slot did. */
typedef struct hm_overtaken { const hm_claim *claim, *by; hm_arc_state state; } hm_overtaken;
#endif
