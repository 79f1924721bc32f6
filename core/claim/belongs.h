/* What a row belongs to, one step up: what it says something of, and what it is a part of. Pure.
 * Whoever asks which conflicts concern a thing goes by it. */
#ifndef HM_BELONGS_H
#define HM_BELONGS_H
#include "core/record/row.h"

typedef enum {
  HM_IS_ABOUT, /* the row says something of it: an end of a relation, what it AFFECTS, an element of
                * its slot (decision_target, component, ...), what it graduated to */
  HM_IS_WITHIN, /* the row is a part of it: PART_OF, a property or an element that says so
                 * (subsystem, parent, ...); of a part that was superseded, what took its place */
  HM_HAS_ID_OF  /* any other property of the row is the id of this entity of its project */
} hm_belonging;

/* What a walk may go by; all zero: everything. */
typedef struct {
  bool active;        /* only active rows; a superseded part counts as what took its place */
  const bool *hidden; /* by row: those that count as absent; NULL: none */
  bool (*prop_hidden)(const void *ctx, hm_str name, hm_arena *a); /* likewise of a property; NULL */
  const void *ctx;
} hm_belongs_filter;

typedef struct hm_belongs hm_belongs;
/* Reads the names of subsystems and components: those that names lead to. Lives in a; borrows snap
 * and what the filter has. Cost: linear in entities. */
hm_belongs *hm_belongs_new(const hm_snapshot *snap, const hm_belongs_filter *f, hm_arena *a);

/* The rows that it walks. */
const hm_snapshot *hm_belongs_rows(const hm_belongs *b);

/* One thing: a row, and the folded name by which it was found (empty: by its id). Row HM_MAP_NONE:
 * no subsystem or component has the name. True: that is enough. */
typedef bool hm_belongs_fn(void *ctx, uint32_t row, hm_str name, hm_belonging how);
/* Calls fn for each thing that the row belongs to, until it returns true; returns that. */
bool hm_belongs_visit(const hm_belongs *b, uint32_t row, hm_belongs_fn *fn, void *ctx,
                      hm_arena *tmp);
/* Calls fn for each name with which a slot's begins, also behind a bound ("max pump pressure") and
 * a side environment ("load test frame leg mass"), and each subsystem or component that is called
 * so: the longest that is one is what the slot is about, shorter ones are what that is within. */
bool hm_belongs_visit_slot(const hm_belongs *b, hm_str slot_key, hm_belongs_fn *fn, void *ctx,
                           hm_arena *tmp);
/* Is the row a subsystem or a component that is no candidate? */
bool hm_row_is_part(const hm_row *r, hm_arena *a);
#endif
