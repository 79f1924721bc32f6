/* The claims of one slot, and which of them contradict each other. For rules by slot.
 *
 * Two claims contradict each other if they are comparable (hm_claim_comparable), their certain
 * windows overlap and their values are incompatible. One exception needs the whole slot: an entity
 * or a memory that agrees with an overlapping state contradicts no state ("spared"). And where a
 * name is that of several things (core/claim/things.h), who agrees with one of them is about that
 * one. */
#ifndef HM_SLOT_CLAIMS_H
#define HM_SLOT_CLAIMS_H
#include "core/claim/claim.h"
#include "core/claim/story.h"
#include "core/slot/arc.h"

/* --- claims by slot (slot_claims.c) ---------------------------------------------- */

typedef struct {
  uint64_t hash;
  uint32_t claim;
} hm_slot_ref;

/* A slot in which at least two claims have different value keys, or two relations different
 * bounds. */
typedef struct {
  const hm_slot_ref *refs;
  size_t n;
} hm_slot_group;

typedef struct {
  hm_slot_group *groups;
  size_t n;          /* in no particular order */
  size_t slots;      /* number of distinct slots, also those with one claim */
  hm_slot_ref *refs; /* memory of the groups */
} hm_slot_groups;

/* One pass by hash, verified by (project, space, name): claims with equal hashes and
 * different slots go to different groups. A group's refs are in the order of the claims. n_context
 * more claims follow the n (claim.h): they are in the groups, but a slot of only these is no group.
 * Free with hm_slot_groups_free. */
void hm_slot_groups_build(const hm_claim *claims, size_t n, size_t n_context, int threads,
                          hm_slot_groups *out);
void hm_slot_groups_free(hm_slot_groups *g);

/* The most claims of a slot that are compared. */
enum { HM_SLOT_COMPARED = 20000 };
/* Returns how many of the n claims of a slot are compared, of more than HM_SLOT_COMPARED the first
 * in member order, and sorts these to the front. Those from `context` on (claim.h) come last. */
size_t hm_slot_claims_cut(const hm_snapshot *snap, const hm_claim **claims, size_t n,
                          const hm_claim *context);

/* --- the claims of one slot (slot_claims.c) ----------------------------------------------- */

/* Small numbers for strings, in the order of first use. Most slots have a few claims, for which a
 * table costs more than it saves. */
enum { HM_NUMBERING_FEW = 12 };
typedef struct {
  hm_str few[HM_NUMBERING_FEW];
  uint32_t n; /* numbers used: 0 to n - 1 */
  hm_map map; /* used when n exceeds HM_NUMBERING_FEW */
  hm_arena *a;
} hm_numbering;
/* Borrows the keys. */
void hm_numbering_init(hm_numbering *g, hm_arena *a);
uint32_t hm_numbering_add(hm_numbering *g, hm_str key);

/* Pairs of n claims whose values differ and can both hold: 30 s and 30000 ms, a year and a day in
 * it. Copies of a pair are not compared again. */
typedef struct {
  const hm_claim *const *claims;
  size_t n;
  const hm_tolerance *tol; /* of the slot, or NULL */
  uint32_t *wording; /* by claim: equal numbers agree with the same others; NULL: few claims */
  uint64_t *pairs;   /* 2^bits pairs of wordings that agree; a later one takes the place */
  int bits;
  double near; /* numbers of one base that differ by less agree; 0: unknown */
  double *num; /* by claim: its number, NAN: none of that base; NULL: near is unknown */
} hm_agreed;
/* Borrows the claims. Lives in a. */
void hm_agreed_init(hm_agreed *g, const hm_claim *const *claims, size_t n, const hm_tolerance *tol,
                    hm_arena *a);
/* Do the values of claims x and y agree, or does one refine the other? Windows are not compared. */
bool hm_agreed_ask(const hm_agreed *g, size_t x, size_t y);

typedef struct {
  const hm_claim *claim;
  hm_time from, until; /* of its window */
  hm_layer layer;
  bool denied;
  bool spared;    /* not a state, and agrees with an overlapping state (hm_slot_mark_spared) */
  uint32_t thing; /* hm_claim.thing; of another layer that of the first entity that it agrees with,
                   * likewise; 0: none. Of two only equal numbers are compared */
  uint32_t norm;  /* its normal form: equal numbers agree */
  uint32_t peers; /* of one layer only equal numbers are compared, if neither is a denial */
  uint32_t said;  /* what it says or denies: a denial is compared only with equal numbers */
} hm_slot_item;

typedef struct {
  hm_slot_item *items;
  size_t n; /* in member order */
  hm_agreed agreed;
} hm_slot_claims;

/* Member order: trust descending, id, field; total. */
int hm_claim_member_order(const hm_snapshot *snap, const hm_claim *a, const hm_claim *b);
/* Sorts these claims in member order and builds their slot, which borrows them. None is spared yet.
 * Lives in a. */
void hm_slot_claims_build(hm_slot_claims *out, const hm_snapshot *snap, const hm_claim **claims,
                          size_t n, const hm_rules *rules, hm_arena *a);
/* Fills `spared` and `thing` of all items. */
void hm_slot_mark_spared(hm_slot_claims *s);
/* May they be compared at all? Symmetric. */
bool hm_claims_may_be_compared(const hm_slot_item *a, const hm_slot_item *b);
/* May two items of s be compared, do they overlap, and can their values not both hold? */
bool hm_claims_contradict(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b);

/* Claims that contradict each other, directly or through others. */
typedef struct {
  uint32_t *items; /* indices of slot->items, by component, each in member order */
  size_t *first;   /* component c: items[first[c]] up to items[first[c + 1]]; by first member */
  size_t n;        /* components of two or more claims; other claims contradict none */
} hm_slot_components;
/* Lives in a. Cost: O(n^2). */
void hm_slot_components_build(hm_slot_components *out, const hm_slot_claims *s, hm_arena *a);

/* --- the texts of a slot as a story ---------------------------------------------------- */

typedef struct hm_slot_story {
  const hm_claim **claims;
  size_t n; /* of texts, in member order, also of superseded
             * rows; indices in arc are into these */
  const hm_claim **mentions;
  size_t n_mentions; /* in member order */
  hm_arc arc;
} hm_slot_story;

/* The story of the claims of one slot; NULL if none is of a text. Lives in a, borrows the claims.
 * Cost: pairs of claims (arc.h). */
hm_slot_story *hm_slot_story_build(const hm_snapshot *snap, const hm_claim *const *claims, size_t n,
                                   const hm_rules *rules, hm_arena *a);
/* How a claim of the slot ended; NULL if it is not of a text or not in the story. */
const hm_arc_end *hm_slot_story_end(const hm_slot_story *s, const hm_snapshot *snap,
                                    const hm_claim *c);

/* --- states and entities: how far a thing is -------------------------------------------------- */

/* Of claims of one author (hm_claim.author) the later overtakes one that it contradicts, an hour or
 * more before it: by claim the first that does, or NULL. In a. Cost: n log n, where most differ. */
const hm_claim **hm_slot_find_progress(const hm_snapshot *snap, const hm_claim *const *claims,
                                       size_t n, const hm_rules *rules, hm_arena *a);

/* An active claim that was overtaken. by: NULL if not by a claim of the slot. */
typedef struct hm_overtaken {
  const hm_claim *claim, *by;
  hm_arc_state state;
} hm_overtaken;
#endif
