/* For the driver of rules: which relations tie a row to others, for rules by ties. */
#ifndef HM_RULE_TIES_H
#define HM_RULE_TIES_H
#include "core/detect/rule.h"

/* At most so many rules of a table read by ties. */
enum { HM_TIES_RULES_MAX = 32 };

/* The ties of all rows, for the rules of a table that read by them; NULL: there are none. without:
 * rows that are taken as not there; NULL: none. Lives in a. Work: linear in rows. */
hm_ties *hm_ties_of(const hm_snapshot *snap, const hm_rule_table *table, const bool *without,
                    int threads, hm_arena *a);
/* hm_rule_keys.gaps_assumed. */
void hm_ties_assume(hm_ties *t);
/* Calls each rule that is about this row; ends with what is not 0. */
int hm_ties_each_rule(const hm_ties *t, uint32_t row, int (*each)(void *ctx, const hm_rule *r),
                      void *ctx);
/* As hm_rule_affected, for a rule by ties. */
void hm_ties_affected(const hm_rule *r, const hm_snapshot *snap, bool *rows);
#endif
