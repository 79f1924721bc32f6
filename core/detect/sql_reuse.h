/* Reuse of what rules in SQL found in an earlier sweep. */
#ifndef HM_SQL_REUSE_H
#define HM_SQL_REUSE_H
#include "core/detect/sql_rule.h"

/* A digest for each table. */
typedef struct {
  unsigned char of[HM_SQL_TABLES][32], frame[32];
} hm_sql_sums;
/* seed: a secret. false: the snapshot was read without details. */
bool hm_sql_sums_of(const hm_sql_facts *facts, uint64_t seed, int threads, hm_arena *a,
                    hm_sql_sums *out);
/* Of all that the rule's answer depends on. checked: it was compiled. In a. */
hm_str hm_sql_digest(const hm_sql_rule *r, const hm_sandbox_result *checked,
                     const hm_sql_facts *facts, const hm_sql_sums *sums, hm_arena *a);
hm_str hm_sql_findings_text(const hm_finding *f, size_t n, hm_arena *a);
/* The other way. false: it is no such text. */
bool hm_sql_findings_read(const hm_sql_rule *r, hm_str text, hm_finding_list *out);
#endif
