/* The claims of one slot, and who contradicts whom among them. For this folder's rules by slot.
 *
 * Two claims contradict each other when they can be compared (hm_claim_comparable), their certain
 * windows overlap and their values are incompatible; with one exception, which needs the whole
 * slot: an entity or a memory that agrees with a state that overlaps it contradicts no state
 * ("spared"). Strings stand as small numbers here, so that a search over thousands of claims
 * compares numbers: slot_claims.c makes them, clash_search.c, slot_components.c and
 * agreement_search.c search. */
#ifndef HM_SLOT_CLAIMS_H
#define HM_SLOT_CLAIMS_H
#include "core/claim/claim.h"
#include "core/claim/story.h"
#include "core/detect/arc.h"

/* --- claims by slot (slot_claims.c) ---------------------------------------------- */

typedef struct { uint64_t hash; uint32_t claim; } hm_slot_ref;

/* A slot in which at least two claims have different value keys, or two relations other bounds. */
typedef struct { const hm_slot_ref *refs; size_t n; } hm_slot_group;

typedef struct {
  hm_slot_group *groups; size_t n;   /* in no particular order */
  size_t slots;                      /* distinct slots, also those of one claim */
  hm_slot_ref *refs;                 /* what the groups borrow from */
} hm_slot_groups;

/* One pass by hash, verified by (project, space, name): claims with equal hashes and
 * different slots go to different groups. A group's refs are in the order of the claims. Behind the
 * n claims lie n_context more (claim.h): they count in the groups, but no slot is of them alone.
 * Free with hm_slot_groups_free. */
void hm_slot_groups_build(const hm_claim *claims, size_t n, size_t n_context, int threads,
                          hm_slot_groups *out);
void hm_slot_groups_free(hm_slot_groups *g);

/* --- the claims of one slot (slot_claims.c) ----------------------------------------------- */

/* Small numbers for strings, in the order in which they first come. Most slots have a handful of
 * claims, for which a table is not worth its making. */
enum { HM_NUMBERING_FEW = 12 };
typedef struct {
  hm_str few[HM_NUMBERING_FEW];
  uint32_t n;          /* numbers given: 0 to n - 1 */
  hm_map map;          /* in use once n has passed HM_NUMBERING_FEW */
  hm_arena *a;
} hm_numbering;
/* Keys are borrowed. */
void hm_numbering_init(hm_numbering *g, hm_arena *a);
uint32_t hm_numbering_add(hm_numbering *g, hm_str key);

typedef struct {
  const hm_claim *claim;
  uint32_t norm;    /* its normal form: claims of one number are compatible with the same others */
  uint32_t value;   /* claims of one number are compatible with each other; others perhaps */
  uint32_t type;    /* entity: its type, state: the type that its category names; or UNTYPED */
  uint32_t peers;   /* claims of one layer are compared when these are equal */
  bool spared;      /* no state: agrees with one that overlaps it (hm_slot_mark_spared) */
  uint32_t said;    /* hm_value_undenied_key; 0 where nobody in the slot denies anything */
} hm_slot_item;

#define HM_SLOT_UNTYPED UINT32_MAX

typedef struct {
  hm_slot_item *items; size_t n;   /* in member order */
  uint32_t n_types, n_peers;
  uint32_t n_said;                 /* 0 where nobody denies anything */
  const hm_tolerance *tol;         /* of this slot, or NULL */
  uint32_t *fits; /* by norm: 1 + the norm that it was last found to be compatible with */
} hm_slot_claims;

/* Member order: trust descending, id, field; total. */
int hm_claim_member_order(const hm_snapshot *snap, const hm_claim *a, const hm_claim *b);
/* The slot of these claims, which are put in member order. Nobody is spared yet. Lives in a. */
void hm_slot_claims_build(hm_slot_claims *out, const hm_snapshot *snap, const hm_claim **claims,
                          size_t n, const hm_rules *rules, hm_arena *a);
/* May they be compared at all? Symmetric. */
bool hm_claims_may_be_compared(const hm_slot_item *a, const hm_slot_item *b);
/* Both windows share an instant and the values are incompatible; for claims that are comparable. */
bool hm_claims_clash(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b);
/* Comparable and clashing. */
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
 * That is among those who deny nothing. Who denies something stands in lists of its own, by what it
 * denies: it is compared with those who say just that (in its own space also with those who deny
 * it), and they with it. This is hm_claims_may_be_compared for sets; tests hold the two together.
 */
enum { HM_LIST_FAMILIES = 13, HM_LISTS_OF_ONE = 5 };

/* A partition of some of the claims into lists. */
typedef struct {
  size_t n_lists;
  size_t *first;       /* list l: places[first[l]] up to first[l + 1] */
  uint32_t *places;    /* ascending within a list */
  uint32_t *items;     /* the same as indices of slot->items */
} hm_list_family;

typedef struct { int family; size_t list; } hm_list_ref;

typedef struct {
  const hm_slot_claims *slot;
  hm_list_family families[HM_LIST_FAMILIES];
} hm_claim_lists;

/* order[i] of slot->items is at place i. Lives in a. */
void hm_claim_lists_build(hm_claim_lists *out, const hm_slot_claims *slot, const uint32_t *order,
                          size_t n, hm_arena *a);
/* The lists of claims that x is compared with; returns how many, each claim in one of them. */
int hm_claim_lists_find_compared(const hm_claim_lists *l, const hm_slot_item *x,
                                 hm_list_ref out[HM_LISTS_OF_ONE]);
/* The list of that family that holds x, or SIZE_MAX. */
size_t hm_claim_list_find(const hm_slot_claims *s, int family, const hm_slot_item *x);

/* --- whom does a claim contradict first? (clash_search.c) --------------------------- */

typedef struct hm_clash_search hm_clash_search;
#define HM_CLASH_NONE SIZE_MAX

/* order[i] of slot->items is at place i. Borrows both; lives in a, which it may use until the last
 * question. */
hm_clash_search *hm_clash_search_new(const hm_slot_claims *slot, const uint32_t *order, size_t n,
                                     hm_arena *a);
/* The least place below limit whose claim contradicts x, or HM_CLASH_NONE. x is an item of the
 * slot, in the search or not. */
size_t hm_clash_first(const hm_clash_search *f, const hm_slot_item *x, size_t limit);

/* --- who contradicts each other, directly or through others? (slot_components.c) ------ */

typedef struct {
  uint32_t *items;      /* indices of slot->items: component by component, each in member order */
  size_t *first; /* component c: items[first[c]] up to items[first[c + 1]]; by first member */
  size_t n;             /* components of two claims or more; the others contradict nobody */
} hm_slot_components;

/* Lives in a. Work: O(n log n) but for values that are compatible though they differ. */
void hm_slot_components_build(hm_slot_components *out, const hm_slot_claims *s, hm_arena *a);

/* --- does a claim agree with any of a list? (agreement_search.c) ------------------------ */

typedef struct hm_agreement hm_agreement;

/* items: indices of slot->items, borrowed. Lives in a, which it may use until the last question. */
hm_agreement *hm_agreement_new(const hm_slot_claims *slot, const uint32_t *items, size_t n,
                               hm_arena *a);
/* Does one overlap with x and say what is compatible? Who is comparable is the caller's business.
 */
bool hm_agreement_any(hm_agreement *g, const hm_slot_item *x);
/* Fills `spared` of all items. */
void hm_slot_mark_spared(hm_slot_claims *s, hm_arena *scratch);

/* --- the texts of a slot as a story ---------------------------------------------------- */

typedef struct hm_slot_story {
  const hm_claim **claims; size_t n;            /* of texts, in member order; also of superseded
                                                   rows. arc speaks of them by index */
  const hm_claim **mentions; size_t n_mentions; /* in member order */
  hm_arc arc;
} hm_slot_story;

/* The story of the claims of one slot; NULL: no text claims in it. Lives in a, borrows the claims.
 * Work: O(claims log claims). */
hm_slot_story *hm_slot_story_build(const hm_snapshot *snap, const hm_claim *const *claims, size_t n,
                                   const hm_rules *rules, hm_arena *a);
/* How a claim of the slot ended; NULL: it is no text, or the story does not know it. */
const hm_arc_end *hm_slot_story_end(const hm_slot_story *s, const hm_snapshot *snap,
                                    const hm_claim *c);

/* An active claim that others overtook. by: NULL where nobody of the slot did. */
typedef struct hm_overtaken { const hm_claim *claim, *by; hm_arc_state state; } hm_overtaken;
#endif
