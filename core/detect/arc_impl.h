/* Between arc.c, arc_due.c and arc_reversals.c. */
#ifndef HM_ARC_IMPL_H
#define HM_ARC_IMPL_H
#include "core/detect/arc.h"

/* x is overtaken when y comes, if nobody overtook it before. */
typedef struct { uint32_t y, x; hm_arc_state why; } arc_due;
typedef struct { uint32_t row, claim; } arc_row;
struct arc_pools;

/* Claims that have a time and take part, by place: in order. */
typedef struct {
  hm_arc *arc;
  const hm_arc_rules *rules;
  hm_arena *a;
  uint32_t *order; size_t n;   /* by place: the claim */
  const arc_row *rows;         /* of all claims */
  struct arc_pools *pools;
  uint32_t *left;              /* by place: who overtook it first; NONE */
  bool *gone;                  /* by place: its value was left */
  hm_arc_state *why;           /* and how */
  uint32_t *session;           /* who overtook it first in its session; NONE */
  uint32_t *returns;           /* where it is a return, the first place that was left; NONE */
} arc_work;

/* Claims by row; the first of a row, or NULL. */
const arc_row *arc_rows_of(const hm_arc *arc, hm_arena *a);
const arc_row *arc_rows_find(const arc_row *rows, size_t n, uint32_t row);
/* What explicit supersession and versions overtake, by y. */
void arc_due_of(const arc_work *w, const arc_due **out, size_t *n);
/* Fills reversals and reversal_of. */
void arc_find_reversals(arc_work *w);
#endif
