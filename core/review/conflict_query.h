/* Queries of recorded conflicts. The cost depends on their slots, not on the store.
 *
 * A query sweeps these slots, and the slots with changes that no sweep has recorded yet. The index
 * of the claims names the rows with claims there; in all other slots a sweep would change nothing.
 * So the answer equals that of a sweep of the whole store. If the index cannot tell
 * (hm_index_collect_pending) there is no answer. */
#ifndef HM_CONFLICT_QUERY_H
#define HM_CONFLICT_QUERY_H
#include "core/detect/sweep.h"

/* All calls use the open transaction, else their own, and write nothing. */

typedef struct {
  bool known;     /* false: only a sweep can tell; nothing else is set */
  hm_sweep sweep; /* with details; free with hm_sweep_free. snap->conflicts are those of the plan,
                   * as after hm_sweep_run_all: all requested ones, and others. plan->opened: of the
                   * whole store. Rows that were not needed are missing or have HM_STATUS_OTHER */
} hm_conflict_answer;

/* The conflicts whose id begins with id. Lives in a. If there are none: an answer without
 * conflicts, or not known. */
int hm_query_conflict(hm_store *s, const hm_rules *rules, hm_str id, hm_arena *a,
                      hm_conflict_answer *out, hm_err *err);

/* Which conflicts to list; NULL: any. */
typedef struct {
  const hm_verdict *status;
  const hm_str *project; /* an id, alias or name */
} hm_conflict_query;

typedef struct {
  bool known;                 /* false: only a sweep can tell; visit was not called */
  size_t n;                   /* conflicts passed to visit */
  size_t unrecorded;          /* disputes of the whole store that a sweep would open */
  size_t rows, claims, slots; /* cost: rows read, claims made, slots compared */
} hm_conflict_list;

/* Called for each conflict of the list. w: a sweep with its slot and details, as
 * hm_conflict_answer.sweep; w and a are valid during the call. */
typedef int (*hm_conflict_visit)(void *ctx, const hm_sweep *w, const hm_conflict_rec *c,
                                 hm_arena *a, hm_err *err);

/* Calls visit for the recorded conflicts, sorted by slot key and id; visit may stop with -1. Reads
 * a page at a time: memory is that of a page and of the changes since the last sweep. If there is
 * no such project, *out is not known. */
int hm_query_conflicts(hm_store *s, const hm_rules *rules, const hm_conflict_query *q,
                       hm_conflict_visit visit, void *ctx, hm_conflict_list *out, hm_err *err);

/* Sweeps the slots with these keys, for display: with details and the rows of recorded members.
 * out->plan has what is not recorded yet. Cost: the claims of those slots and the rows changed
 * since the last write; if the index cannot tell, that of a full sweep. Free out with
 * hm_sweep_free; lives in a. */
int hm_query_slots(hm_store *s, const hm_rules *rules, const hm_str *slot_keys, size_t n,
                   hm_arena *a, hm_sweep *out, hm_err *err);
/* Counts the recorded open conflicts on these slots that are disputed, and lists those that a later
 * statement settles (ids by slot key, in a). Costs less than hm_query_slots. */
typedef struct {
  size_t disputed;
  hm_str *settled;
  size_t n_settled;
} hm_open_conflicts;
int hm_query_open_conflict_counts(hm_store *s, const hm_rules *rules, const hm_str *slot_keys,
                                  size_t n, hm_arena *a, hm_open_conflicts *out, hm_err *err);
#endif
