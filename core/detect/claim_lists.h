/* Claims of a slot in lists, so that a search asks only those that can be compared:
 *
 *   x is                      is compared with
 *   memory of its own space   memories of equal `peers`
 *   memory                    all states, unless spared; all entities
 *   entity                    entities of equal `peers`; all memories; unless spared, states of its
 * type and untyped states state of a type           states of equal `peers`; memories that are not
 * spared; entities of that type that are not spared untyped state             states of equal
 * `peers`; memories and entities that are not spared
 *
 * That is among those who deny nothing. Who denies something stands in lists of its own, by what it
 * denies: it is compared with those who say just that (in its own space also with those who deny
 * it), and they with it.
 *
 * This is hm_slot_comparable for sets; tests hold the two together. */
#ifndef HM_CLAIM_LISTS_H
#define HM_CLAIM_LISTS_H
#include "core/detect/slot.h"

enum { HM_LIST_FAMILIES = 12, HM_LISTS_OF_ONE = 5 };

/* A partition of some of the claims into lists. */
typedef struct {
  size_t n_lists;
  size_t *first;       /* list l: places[first[l]] up to first[l + 1] */
  uint32_t *places;    /* ascending within a list */
  uint32_t *items;     /* the same as indices of slot->items */
} hm_list_family;

typedef struct { int family; size_t list; } hm_list_ref;

typedef struct {
  const hm_slot *slot;
  hm_list_family families[HM_LIST_FAMILIES];
} hm_claim_lists;

/* order[i] of slot->items is at place i. Lives in a. */
void hm_claim_lists_of(hm_claim_lists *out, const hm_slot *slot, const uint32_t *order, size_t n,
                       hm_arena *a);
/* The lists of claims that x is compared with; returns how many, each claim in one of them. */
int hm_lists_compared(const hm_claim_lists *l, const hm_slot_item *x,
                      hm_list_ref out[HM_LISTS_OF_ONE]);
/* The list of that family that holds x, or SIZE_MAX. */
size_t hm_list_holding(const hm_slot *s, int family, const hm_slot_item *x);
#endif
