/* From when until when a relation says that it holds. */
#ifndef HM_RELATION_BOUNDS_H
#define HM_RELATION_BOUNDS_H
#include "core/claim/world.h"

/* The bounds of its row; where it has neither, those that its properties give by one of the words
 * (true), which are times in this world. *from and *until are empty where nobody says; those of
 * properties live in a. */
bool hm_relation_bounds(const hm_world *world, const hm_row *relation, hm_arena *a,
                        hm_arena *scratch, hm_str *from, hm_str *until);
/* May they depend on its world? */
bool hm_relation_has_bounds(const hm_row *relation);
/* Name of the i-th word, without '_', sorted; NULL after the last. */
const char *hm_relation_bound_word(size_t i);
#endif
