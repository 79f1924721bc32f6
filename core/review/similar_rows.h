/* The memories that may be similar to some rows, for one write: finds them in the index of claims
 * by the keys of their texts (core/detect/similar_groups.h) and reads only these.
 *
 * It reads all rows of a key, so a write reports the same findings about them as a sweep. Keys with
 * more than HM_SIMILAR_ROWS_MAX rows are left to the sweep. */
#ifndef HM_SIMILAR_ROWS_H
#define HM_SIMILAR_ROWS_H
#include "core/detect/conflict.h"
#include "core/store/store.h"

enum { HM_SIMILAR_ROWS_MAX = 1000 };

/* Call inside a transaction with an up-to-date index. A snapshot of the memories among these rows
 * ("kind:id") and of all that share a key with one of them, with their links; without: a reference
 * to leave out. *out is NULL if none of the rows is a memory that is compared. In a. */
int hm_similar_rows_read(hm_store *s, const hm_str *refs, size_t n, hm_str without, hm_arena *a,
                         hm_snapshot **out, hm_err *err);

typedef struct {
  const hm_finding *findings;
  size_t n;
  const hm_snapshot *rows; /* the rows compared; NULL if none of them is a memory, or the rule is
                              not in the table */
} hm_similar_found;
/* The findings of the rule on similar texts among those rows. In a. */
int hm_similar_rows_findings(hm_store *s, const hm_rules *rules, const hm_str *refs, size_t n,
                             hm_str without, hm_arena *a, hm_similar_found *out, hm_err *err);
#endif
