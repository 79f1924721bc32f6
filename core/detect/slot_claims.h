/* The claims of one slot, and which of them contradict each other. For this folder's rules by slot.
 *
 * Two claims contradict each other if they are comparable (hm_claim_comparable), their certain
 * windows overlap and their values are incompatible. One exception needs the whole slot: an entity
 * or a memory that agrees with an overlapping state contradicts no state ("spared"). Strings are
 * replaced by small numbers, so that a search over thousands of claims compares numbers:
 * slot_claims.c makes them; clash_search.c, slot_components.c and agreement_search.c search. */
#ifndef HM_SLOT_CLAIMS_H
#define HM_SLOT_CLAIMS_H
#include "core/claim/claim.h"
#include "core/claim/story.h"
#include "core/detect/arc.h"

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

typedef struct {
  const hm_claim *claim;
  uint32_t norm;  /* its normal form: equal numbers are compatible with the same others */
  uint32_t value; /* equal numbers are compatible; different ones perhaps */
  uint32_t type;  /* entity: its type; state: the type that its category names; or UNTYPED */
  uint32_t peers; /* claims of one layer are compared if these are equal */
  bool spared;    /* not a state, and agrees with an overlapping state (hm_slot_mark_spared) */
  uint32_t said;  /* hm_value_undenied_key; 0 if no claim of the slot is denied */
} hm_slot_item;

#define HM_SLOT_UNTYPED UINT32_MAX

typedef struct {
  hm_slot_item *items;
  size_t n; /* in member order */
  uint32_t n_types, n_peers;
  uint32_t n_said;         /* 0 if no claim is denied */
  const hm_tolerance *tol; /* of this slot, or NULL */
  uint32_t *fits;          /* cache by norm: 1 + the norm last found compatible with it */
} hm_slot_claims;

/* Member order: trust descending, id, field; total. */
int hm_claim_member_order(const hm_snapshot *snap, const hm_claim *a, const hm_claim *b);
/* Builds the slot of these claims and sorts them in member order. None is spared yet. Lives in
 * a. */
void hm_slot_claims_build(hm_slot_claims *out, const hm_snapshot *snap, const hm_claim **claims,
                          size_t n, const hm_rules *rules, hm_arena *a);
/* May they be compared at all? Symmetric. */
bool hm_claims_may_be_compared(const hm_slot_item *a, const hm_slot_item *b);
/* Do their windows overlap, and are their values incompatible? For comparable claims. */
bool hm_claims_clash(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b);
/* Are they comparable, and do they clash? */
bool hm_claims_contradict(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b);

/* --- claims in lists, so that a search compares only comparable claims --------- */

/*   x is                      is compared with
 *   any in a space of its own all others
 *   memory                    all states, unless spared; all entities; if its slot has one value,
 *                             memories of equal `peers`
 *   entity                    entities of equal `peers`; all memories; unless spared, states of
 *                             its type and untyped states
 *   state of a type           states of equal `peers`; memories and entities of that type that
 *                             are not spared
 *   untyped state             states of equal `peers`; memories and entities that are not spared
 *
 * This holds for claims that deny nothing. Denials are in lists of their own, by what they deny:
 * they are compared with the claims that say just that (in a space also with those that deny it),
 * and these with them. This is hm_claims_may_be_compared for sets; tests compare both. */
enum { HM_LIST_FAMILIES = 13, HM_LISTS_OF_ONE = 5 };

/* A partition of some of the claims into lists. */
typedef struct {
  size_t n_lists;
  size_t *first;    /* list l: places[first[l]] up to first[l + 1] */
  uint32_t *places; /* ascending within a list */
  uint32_t *items;  /* the same as indices of slot->items */
} hm_list_family;

typedef struct {
  int family;
  size_t list;
} hm_list_ref;

typedef struct {
  const hm_slot_claims *slot;
  hm_list_family families[HM_LIST_FAMILIES];
} hm_claim_lists;

/* order[i] of slot->items is at place i. Lives in a. */
void hm_claim_lists_build(hm_claim_lists *out, const hm_slot_claims *slot, const uint32_t *order,
                          size_t n, hm_arena *a);
/* The disjoint lists of all claims that x is compared with; returns their number. */
int hm_claim_lists_find_compared(const hm_claim_lists *l, const hm_slot_item *x,
                                 hm_list_ref out[HM_LISTS_OF_ONE]);
/* The list of that family that holds x, or SIZE_MAX. */
size_t hm_claim_list_find(const hm_slot_claims *s, int family, const hm_slot_item *x);

/* --- the first claim that contradicts another (clash_search.c) --------------------------- */

typedef struct hm_clash_search hm_clash_search;
#define HM_CLASH_NONE SIZE_MAX

/* order[i] of slot->items is at place i. Borrows both; lives in a and uses it until the last
 * query. */
hm_clash_search *hm_clash_search_new(const hm_slot_claims *slot, const uint32_t *order, size_t n,
                                     hm_arena *a);
/* The least place below limit whose claim contradicts x, or HM_CLASH_NONE. x is an item of the
 * slot, in the search or not. */
size_t hm_clash_first(const hm_clash_search *f, const hm_slot_item *x, size_t limit);

/* --- claims that contradict each other, directly or through others (slot_components.c) ------ */

typedef struct {
  uint32_t *items; /* indices of slot->items, by component, each in member order */
  size_t *first;   /* component c: items[first[c]] up to items[first[c + 1]]; by first member */
  size_t n;        /* components of two or more claims; other claims contradict none */
} hm_slot_components;

/* Lives in a. Cost: O(n log n), more with values that differ but are compatible. */
void hm_slot_components_build(hm_slot_components *out, const hm_slot_claims *s, hm_arena *a);

/* --- claims of a list that agree with another (agreement_search.c) ------------------------ */

typedef struct hm_agreement hm_agreement;

/* items: indices of slot->items, borrowed. Lives in a and uses it until the last query. */
hm_agreement *hm_agreement_new(const hm_slot_claims *slot, const uint32_t *items, size_t n,
                               hm_arena *a);
/* Does one of them overlap x with a compatible value? Does not check that they are comparable. */
bool hm_agreement_any(hm_agreement *g, const hm_slot_item *x);
/* Fills `spared` of all items. */
void hm_slot_mark_spared(hm_slot_claims *s, hm_arena *scratch);

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
 * Cost: O(claims log claims). */
hm_slot_story *hm_slot_story_build(const hm_snapshot *snap, const hm_claim *const *claims, size_t n,
                                   const hm_rules *rules, hm_arena *a);
/* How a claim of the slot ended; NULL if it is not of a text or not in the story. */
const hm_arc_end *hm_slot_story_end(const hm_slot_story *s, const hm_snapshot *snap,
                                    const hm_claim *c);

/* An active claim that was overtaken. by: NULL if not by a claim of the slot. */
typedef struct hm_overtaken {
  const hm_claim *claim, *by;
  hm_arc_state state;
} hm_overtaken;
#endif
