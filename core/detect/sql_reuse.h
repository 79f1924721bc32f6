/* Reuse of what rules in SQL found in an earlier sweep. */
#ifndef HM_SQL_REUSE_H
#define HM_SQL_REUSE_H
#include "core/detect/sql_rule.h"

/* A digest for each column of each table; of one that was not asked for, that of nothing. */
typedef struct {
  const hm_sandbox_world *world;
  hm_hash128 *columns[HM_SQL_TABLES];
} hm_sql_sums;
/* Of the tables of hm_sql_world_new, these columns of each, as bits. seed: a secret. In a. */
void hm_sql_sums_of(const hm_sandbox_world *w, const uint64_t columns[HM_SQL_TABLES],
                    uint64_t seed, int threads, hm_arena *a, hm_sql_sums *out);
/* Of all that the rule's answer depends on. checked: it was compiled; its columns are in sums.
 * In a. */
hm_str hm_sql_digest(const hm_sql_rule *r, const hm_sandbox_result *checked,
                     const hm_sql_facts *facts, const hm_sql_sums *sums, hm_arena *a);
hm_str hm_sql_findings_text(const hm_finding *f, size_t n, hm_arena *a);
/* The other way. false: it is no such text. */
bool hm_sql_findings_read(const hm_sql_rule *r, hm_str text, hm_finding_list *out);
#endif
