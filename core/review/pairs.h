/* Pairs of rows about the same thing that nobody has judged yet, most likely to contradict each
 * other first: what a person, a script or an agent looks through. Pure. */
#ifndef HM_PAIRS_H
#define HM_PAIRS_H
#include "core/recall/alike.h"
#include "core/sweep/sweep.h"

/* Who said that a pair does not contradict each other. */
typedef struct {
  hm_str by, why;
} hm_pair_denial;

typedef struct {
  uint32_t x, y; /* rows of the sweep, x < y */
  double likely; /* their likeness, more where something differs */
  hm_alike_difference differs;
  hm_pair_denial denied; /* by an agent; by empty: nobody */
} hm_pair_to_judge;

typedef struct {
  uint32_t project; /* of the snapshot; HM_MAP_NONE: all */
  hm_str source;    /* only with a row of this agent or source, exactly; empty: any */
  hm_str asker;     /* an agent, whose own denials are left out, too; empty: a person */
  size_t limit;     /* pairs */
  size_t rows;      /* it is enough to look at so many rows, if they have that many pairs; 0: all */
} hm_pair_query;

/* Some pairs. */
typedef struct {
  hm_pair_to_judge *v;
  size_t n;
  size_t more;      /* how many the limit left out */
  size_t rows_left; /* rows that were not looked at */
} hm_pairs;

/* The pairs, in a. HM_E_UNKNOWN with field "source": no row has it. Left out are pairs that rules
 * compared (core/recall/alike.h), that a finding or a report names, and that a person called no
 * contradiction, or dismissed a report of, while both texts are as they were. What an agent said so
 * comes last. Cost: of each row its nearest, by an index made once; no pair twice. Rows are looked
 * at in the order in which they are likely to have an alike one (hm_alike_shared). */
int hm_pairs_to_judge(const hm_sweep *w, const hm_pair_query *q, int threads, hm_arena *a,
                      hm_pairs *out, hm_err *err);
/* Appends "pairs": [{"rows", "texts", "sources", "dates", "differs", "denied_by",
 * "denied_because"}], "more", "rows_left". */
void hm_pairs_json(hm_jw *j, const hm_snapshot *snap, const hm_pairs *p, hm_arena *a);
#endif
