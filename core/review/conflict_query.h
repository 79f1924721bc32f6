/* A question about some recorded conflicts, at the cost of their slots.
 *
 * The answer is a sweep of these slots, and of those in which something was changed that no sweep
 * has recorded yet: the index of the claims says which rows speak there, and everywhere else a
 * sweep would change nothing. So what is asked for reads as in a sweep of the whole store, whatever
 * its size. Where the index cannot tell (catch_up.h, hm_pending_of) there is no answer. */
#ifndef HM_CONFLICT_QUERY_H
#define HM_CONFLICT_QUERY_H
#include "core/detect/sweep.h"

typedef struct {
  hm_str id;                  /* conflicts whose id begins so; empty: those of status and project */
  const hm_verdict *status;   /* NULL: any */
  const hm_str *project;      /* an id, alias or name; NULL: any */
} hm_conflict_query;

typedef struct {
  bool known;                 /* false: only a sweep can tell, and nothing else of this is there */
  hm_sweep
      sweep; /* with details; free with hm_sweep_free. snap->conflicts are those of the plan, as
                after hm_sweep_run_all: all that were asked for, and others. plan->opened: of the
                whole store. Rows that were not needed are missing, or of HM_STATUS_OTHER */
  hm_str project;             /* id of the project asked for */
} hm_conflict_answer;

/* Inside a transaction or one of its own; nothing is written. Lives in a. No conflict like that, or
 * no such project: an answer without, or not known. */
int hm_query_conflicts(hm_store *s, const hm_rules *rules, const hm_conflict_query *q, hm_arena *a,
                       hm_conflict_answer *out, hm_err *err);
#endif
