/* Which entities of one name are one thing.
 *
 * The types of the specification name a slot by which two rows speak of one thing. Other types,
 * people, meetings, tickets, have a name, and a name is no identity where rows have ids: two ids of
 * one source are two things. Ids of two sources, and an id that an import made of the record, as it
 * had none, are one thing with another of the name, unless something is known that tells them
 * apart: both have a birth, more than twelve years from the other's; one life ended years before
 * the other is heard of; both have parents, and none in common; one is a parent of the other. Two
 * births nearer than that are of one, in dispute: that they are two beings would be silence about
 * it. A row that could be one with two that are apart is one with neither: nobody knows which.
 * Types that the config gives a slot (hm_rules.slots) are compared by that alone. */
#ifndef HM_THINGS_H
#define HM_THINGS_H
#include "core/claim/existence.h"
#include "core/value/rules.h"

typedef struct hm_things hm_things;
/* Reads the namesakes of the snapshot; NULL: it has none. Lives in a, borrows from the others.
 * lives may be NULL only then. Cost: the pairs of rows of one name, of at most NAMESAKES_MAX. */
const hm_things *hm_things_build(const hm_snapshot *snap, const hm_existences *lives, hm_arena *a);
/* A number for the thing that this entity of such a type is: equal for rows that are one. 0: one
 * with all of its name that have 0. things may be NULL. */
uint32_t hm_thing_of_row(const hm_things *things, const hm_snapshot *snap, uint32_t row);
#endif
