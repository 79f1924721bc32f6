/* When a relation holds whose row leaves a bound open: it ends when what it ties does. */
#ifndef HM_RELATION_WINDOW_H
#define HM_RELATION_WINDOW_H
#include "core/claim/existence.h"
#include "core/claim/relation.h"

/* Does its row leave a bound open? An end `current` is given. */
bool hm_relation_is_open(const hm_row *relation);

/* Sets the window of what a relation of this kind claims of a subject, whose other end is `other`
 * (rows of the snapshot, or HM_MAP_NONE), from the window that its row states. Nothing changes
 * where both bounds are given, or the kind does not ask for lives. */
void hm_relation_window_of_claim(const hm_existences *lives, const hm_relation_kind *k,
                                 const hm_row *relation, uint32_t subject, uint32_t other,
                                 hm_window *w);

/* The same of the row as a whole: what its kind claims, of both ends where it speaks of both. Of a
 * kind that is not in the table nobody knows whether it outlives its ends: where its begin is
 * given, it certainly holds only as long as both exist, and possibly as its row says. */
void hm_relation_window_of_row(const hm_existences *lives, const hm_relation_kinds *kinds,
                               uint32_t row, hm_window *w);
#endif
