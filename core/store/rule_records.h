/* What rules in SQL found in the last sweep, and a digest of all that it depends on: while that is
 * the same, so is the answer, and the rule does not run again. Safe to lose: a record that is
 * missing, stale or damaged is made anew. */
#ifndef HM_RULE_RECORDS_H
#define HM_RULE_RECORDS_H
#include "core/store/store.h"

typedef struct {
  hm_str rule, digest, findings;
} hm_rule_record;

/* Those whose own check holds, by rule, in a; none in a store that has no such table. */
int hm_store_rule_records(hm_store *s, hm_arena *a, hm_rule_record **out, size_t *n, hm_err *err);
/* Replaces all by these, sorted by rule; unchanged: not written. */
int hm_store_put_rule_records(hm_store *s, const hm_rule_record *v, size_t n, hm_err *err);
#endif
