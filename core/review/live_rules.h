/* Rules in SQL that take :row, run for one row that is written. */
#ifndef HM_LIVE_RULES_H
#define HM_LIVE_RULES_H
#include "core/detect/sql_rule.h"
#include "core/store/store.h"

typedef struct {
  const hm_finding **findings;
  size_t n; /* by rule, then in the order of a sweep */
  hm_str *notes;
  const char **not_run;
  size_t n_notes; /* of each rule that did not run to its end, a sentence that says why; its id */
} hm_live_findings;

/* Inside a transaction, after the row was written. What a rule gives is what its SELECT gives over
 * the whole store with this row as :row; but a rule that is wrong, or needs too many rows or steps
 * for a write, gives a note and stops no other. Rules that are off, do not take :row, or read what
 * only a sweep finds are left out; so are all in a foreign store. In a. -1: the store fails. */
int hm_live_findings_of(hm_store *s, const hm_rules *rules, hm_layer layer, hm_str id, hm_arena *a,
                        hm_live_findings *out, hm_err *err);
/* Adds those of before that now has no more, of rules that ran now; room for all of before. Returns
 * how many. */
size_t hm_live_findings_gone(const hm_live_findings *before, const hm_live_findings *now,
                             const hm_finding **to);
#endif
