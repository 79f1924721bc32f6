/* What lies in what, and when: Paris in Île-de-France, and that in France. Relations of kinds that
 * say so (hm_relation_kind.nests) are its steps; two values of which one contains the other agree.
 */
#ifndef HM_CONTAINMENT_H
#define HM_CONTAINMENT_H
#include "core/base/str.h"
#include "core/claim/window.h"

/* "inner lies in outer while this window may hold." Ids as hm_relation_claim has them. */
typedef struct { hm_str inner, outer; const hm_window *when; } hm_inclusion;

/* A list that grows. Begin with { 0 }. */
typedef struct { hm_inclusion *v; size_t n, cap; } hm_inclusions;
void hm_inclusions_add(hm_inclusions *l, hm_inclusion in);

typedef struct hm_containment hm_containment;

/* Nothing lies in anything yet. In a. */
hm_containment *hm_containment_new(hm_arena *a);
/* Takes in the steps of all lists, in their order, once; frees the lists. Linear. In a. */
void hm_containment_fill(hm_containment *c, hm_inclusions *const *lists, size_t n_lists,
                         hm_arena *a);
/* Does inner lie in outer, by one step or more, at every instant at which two windows both hold
 * (where they do not for certain: both may hold)? A step counts while it may hold. Takes its work
 * off *work; where that is used up, and after STATES_MAX places, the answer is true: a false alarm
 * is worse. */
bool hm_containment_holds_throughout(const hm_containment *c, hm_str inner, hm_str outer,
                               const hm_window *a, const hm_window *b, size_t *work);
/* For one question where n values are compared with each other: all of them together take work in
 * proportion to n, up to hundreds of values. */
size_t hm_containment_work_limit(size_t n);

/* --- as far as everybody knows ---------------------------------------------------------------- */

/* Which place lies in which: continents, countries, some of their parts and their large cities. It
 * keeps texts about one home from contradicting each other: "lives in Munich" and "lives in
 * Germany". Names are folded (hm_text_fold_name). */

/* May one lie in the other? So it is where the table says so ("munich", "germany"; "uk",
 * "united_kingdom"), and where one of them contains others and the table does not know the other
 * ("germany", "potsdam"). Two places that it does not know may not, nor may such a place and a
 * city. A leading "the_" is ignored. Symmetric. Cost: some searches in a sorted table. */
bool hm_places_may_nest(hm_str x, hm_str y);
/* Name of the i-th place, sorted, and what stands beside it in the table; NULL after the last. */
const char *hm_place_name(size_t i, const char **in);
#endif
