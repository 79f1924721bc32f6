/* What lies in what, and when: Paris in Île-de-France, and that in France. Each relation of a kind
 * that nests (hm_relation_kind.nests) is a step. Two values agree if one contains the other. */
#ifndef HM_CONTAINMENT_H
#define HM_CONTAINMENT_H
#include "core/base/str.h"
#include "core/value/window.h"

/* inner lies in outer while the window may hold. Ids as in hm_relation_claim. */
typedef struct {
  hm_str inner, outer;
  const hm_window *when;
} hm_inclusion;

/* A growing list. Initialize with { 0 }. */
typedef struct {
  hm_inclusion *v;
  size_t n, cap;
} hm_inclusions;
void hm_inclusions_add(hm_inclusions *l, hm_inclusion in);

typedef struct hm_containment hm_containment;

/* An empty containment, in a. */
hm_containment *hm_containment_new(hm_arena *a);
/* Adds the steps of all lists, in order, and frees the lists. Call it once. Linear. In a. */
void hm_containment_fill(hm_containment *c, hm_inclusions *const *lists, size_t n_lists,
                         hm_arena *a);
/* Does inner lie in outer, by one or more steps, at every instant at which both windows hold (or,
 * if they certainly share none, may hold)? A step counts while it may hold. Subtracts its work from
 * *work. Returns true when that is used up or after STATES_MAX places, since a false alarm is
 * worse. */
bool hm_containment_holds_throughout(const hm_containment *c, hm_str inner, hm_str outer,
                                     const hm_window *a, const hm_window *b, size_t *work);
/* The *work for one question when n values are compared with each other. Keeps the total work
 * proportional to n, up to hundreds of values. */
size_t hm_containment_work_limit(size_t n);

/* --- common geography ---------------------------------------------------------------- */

/* A table of places: continents, countries, some of their parts and large cities. Because of it
 * "lives in Munich" and "lives in Germany" do not contradict each other. Names are folded
 * (hm_text_fold_name). */

/* May one lie in the other? True if the table says so ("munich", "germany"; "uk",
 * "united_kingdom"), or if one contains places and the table lacks the other ("germany",
 * "potsdam"). False for two unknown places, and for an unknown one and a city. Ignores a leading
 * "the_". Symmetric. Cost: some searches in a sorted table. */
bool hm_places_may_nest(hm_str x, hm_str y);
/* Are these two names of one place of the table: "usa", "united_states"? */
bool hm_places_are_one(hm_str x, hm_str y);
/* Name of the i-th place, sorted; *in is its entry in the table. NULL after the last. */
const char *hm_place_name(size_t i, const char **in);
#endif
