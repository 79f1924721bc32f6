/* One slot: its claims, with small numbers in the place of strings, and who contradicts whom.
 *
 * Two claims contradict each other when they can be compared (hm_claim_comparable), their certain
 * windows overlap and their values are incompatible; with one exception, which needs the whole
 * slot: an entity or a memory that agrees with a state that overlaps it contradicts no state
 * ("spared"). */
#ifndef HM_DETECT_SLOT_H
#define HM_DETECT_SLOT_H
#include "core/claim/claim.h"

typedef struct {
  const hm_claim *claim;
  uint32_t norm;  /* its normal form: claims of one number are compatible with the same others */
  uint32_t value; /* claims of one number are compatible with each other; of different numbers,
                     perhaps */
  uint32_t
      type; /* entity: its type, state: the type that its category names; HM_SLOT_UNTYPED: none */
  uint32_t peers;     /* claims of one layer are compared when these are equal */
  bool spared;        /* no state: agrees with one that overlaps it, see hm_slot_spare */
  uint32_t said;      /* hm_value_said; 0 where nobody in the slot denies anything */
} hm_slot_item;

#define HM_SLOT_UNTYPED UINT32_MAX

typedef struct {
  hm_slot_item *items; size_t n;   /* in member order */
  uint32_t n_types, n_peers;
  uint32_t n_said;                 /* 0 where nobody denies anything */
  const hm_tolerance *tol;         /* of this slot, or NULL */
  uint32_t *fits; /* by norm: 1 + the norm that it was last found to be compatible with */
} hm_slot;

/* The slot of these claims, which are put in member order: trust descending, id, field. Nobody is
 * spared yet. Lives in a. */
void hm_slot_of(hm_slot *out, const hm_snapshot *snap, const hm_claim **claims, size_t n,
                const hm_rules *rules, hm_arena *a);
/* Numbers the values of s->items. */
void hm_slot_number_values(hm_slot *s, hm_arena *a);
/* Fills `spared` of all items; agreement.c. */
void hm_slot_spare(hm_slot *s, hm_arena *scratch);
/* May they be compared at all? Symmetric. */
bool hm_slot_comparable(const hm_slot_item *a, const hm_slot_item *b);
/* Both windows share an instant and the values are incompatible; for claims that are comparable. */
bool hm_slot_clash(const hm_slot *s, const hm_slot_item *a, const hm_slot_item *b);
/* Comparable and clashing. */
bool hm_slot_contradict(const hm_slot *s, const hm_slot_item *a, const hm_slot_item *b);
#endif
