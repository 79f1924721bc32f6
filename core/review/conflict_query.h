/* Questions about recorded conflicts, at the cost of their slots.
 *
 * The answer is a sweep of these slots, and of those in which something changed that no sweep has
 * recorded yet: the index of the claims says which rows claim there, and everywhere else a sweep
 * would change nothing. So what is asked for reads as in a sweep of the whole store, whatever its
 * size. Where the index cannot tell (hm_index_collect_pending) there is no answer. */
#ifndef HM_CONFLICT_QUERY_H
#define HM_CONFLICT_QUERY_H
#include "core/detect/sweep.h"

/* All calls: inside a transaction or one of their own; nothing is written. */

typedef struct {
  bool known;                 /* false: only a sweep can tell, and nothing else of this is there */
  hm_sweep
      sweep; /* with details; free with hm_sweep_free. snap->conflicts are those of the plan, as
                after hm_sweep_run_all: all that were asked for, and others. plan->opened: of the
                whole store. Rows that were not needed are missing, or of HM_STATUS_OTHER */
} hm_conflict_answer;

/* The conflicts whose id begins so. Lives in a. None: an answer without, or not known. */
int hm_query_conflict(hm_store *s, const hm_rules *rules, hm_str id, hm_arena *a,
                      hm_conflict_answer *out, hm_err *err);

/* Which conflicts are listed; what is NULL does not matter. */
typedef struct {
  const hm_verdict *status;
  const hm_str *project;      /* an id, alias or name */
} hm_conflict_query;

typedef struct {
  bool known;           /* false: only a sweep can tell, and no conflict was given */
  size_t n;             /* conflicts given */
  size_t unrecorded;    /* disputes of the whole store that a sweep would open */
  size_t rows, claims, slots;   /* the work: read, claimed, compared */
} hm_conflict_list;

/* One conflict of the list. w: a sweep that has its slot, with details, as
 * hm_conflict_answer.sweep; it and a live until the call returns. */
typedef int (*hm_conflict_visit)(void *ctx, const hm_sweep *w, const hm_conflict_rec *c,
                                 hm_arena *a, hm_err *err);

/* Gives the recorded conflicts, sorted by slot key and id, to visit, which may stop with -1. They
 * are read a page at a time: memory is that of a page and of what changed since the last sweep,
 * whatever the length of the list. No such project: not known. */
int hm_query_conflicts(hm_store *s, const hm_rules *rules, const hm_conflict_query *q,
                       hm_conflict_visit visit, void *ctx, hm_conflict_list *out, hm_err *err);

/* A sweep of the slots with these keys, for showing: with details, and the rows of recorded
 * members. What is not recorded yet is in out->plan. Cost: the claims of those slots, and the rows
 * changed since the last write; where the index cannot tell, that of a sweep. Free out with
 * hm_sweep_free; lives in a. */
int hm_query_slots(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n,
                   hm_arena *a, hm_sweep *out, hm_err *err);
/* Of the recorded open conflicts on these slots how many are disputed, and which a later statement
 * settles (ids by slot key, in a): the same at a part of the cost. */
typedef struct {
  size_t disputed;
  hm_str *settled;
  size_t n_settled;
} hm_open_conflicts;
int hm_query_open_conflict_counts(hm_store *s, const hm_rules *rules, const hm_str *slot_keys,
                                  size_t n, hm_arena *a, hm_open_conflicts *out, hm_err *err);
#endif
