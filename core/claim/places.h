/* Which place lies in which, as far as everybody knows: continents, countries, some of their parts
 * and their large cities. It keeps texts about one home from contradicting each other: "lives in
 * Munich" and "lives in Germany". Names are folded (hm_text_name). */
#ifndef HM_PLACES_H
#define HM_PLACES_H
#include <stdbool.h>

#include "core/base/str.h"

/* May one lie in the other? So it is where the table says so ("munich", "germany"; "uk",
 * "united_kingdom"), and where one of them contains others and the table does not know the other
 * ("germany", "potsdam"). Two places that it does not know may not, nor may such a place and a
 * city. A leading "the_" is ignored. Symmetric. Cost: some searches in a sorted table. */
bool hm_places_may_nest(hm_str x, hm_str y);
/* Name of the i-th place, sorted, and what stands beside it in the table; NULL after the last. */
const char *hm_place_name(size_t i, const char **in);
#endif
