/* The memories of a store that may be alike to some, for one write: found in the index of claims by
 * the keys of their texts (core/detect/similar_groups.h), and read alone.
 *
 * All rows of a key are read, so a write tells the same findings of them as a sweep does; but not
 * where more than HM_SIMILAR_ROWS_MAX share one, which are left to the sweep. */
#ifndef HM_SIMILAR_ROWS_H
#define HM_SIMILAR_ROWS_H
#include "core/detect/conflict.h"
#include "core/store/store.h"

enum { HM_SIMILAR_ROWS_MAX = 1000 };

/* Inside a transaction, with an index that is up to date. A snapshot of the memories among these
 * rows ("kind:id") and all that share a key with one of them, with their links; without: this
 * reference is left out. NULL: there is no memory among them that is compared with any. In a. */
int hm_similar_rows_read(hm_store *s, const hm_str *refs, size_t n, hm_str without, hm_arena *a,
                         hm_snapshot **out, hm_err *err);

typedef struct {
  const hm_finding *findings; size_t n;
  const hm_snapshot *rows;   /* among which they were found; NULL: there is no memory among them, or
                                the rule is off the table */
} hm_similar_found;
/* What the rule on similar texts finds among those rows. In a. */
int hm_similar_rows_findings(hm_store *s, const hm_rules *rules, const hm_str *refs, size_t n,
                             hm_str without, hm_arena *a, hm_similar_found *out, hm_err *err);
#endif
