/* A rule that a person wrote in SQL: its file, read and checked, and runs of many over one sweep.
 *
 * A file opens with lines "-- key: value"; a line "--   more" goes on with the value before it.
 * Then comes one SELECT. hmirror-config(5) says what the keys mean. */
#ifndef HM_SQL_RULE_H
#define HM_SQL_RULE_H
#include "core/detect/rule.h"
#include "core/detect/sql_tables.h"
#include "core/store/store.h"

enum { HM_SQL_RULE_MAX = 1 << 16, HM_SQL_RULES_MAX = 1000, HM_SQL_ID_MAX = 64 };

typedef struct {
  const char *file;       /* for messages and for people */
  hm_str text;            /* all of it */
  hm_str id, description; /* id ends with a NUL */
  hm_severity severity;
  const char *kind;        /* of its findings */
  hm_str reason, expected; /* or empty */
  hm_str section;          /* title of its section on the overview, or empty */
  uint32_t reads;          /* bits of tables */
  bool shipped;            /* it came with the program */
  bool off;                /* the mirror switched it off */
} hm_sql_rule;

/* By id. */
typedef struct hm_sql_rules {
  hm_sql_rule *rules;
  size_t n;
} hm_sql_rules;

/* Reads the header of a file. Borrows from text. -1: err says file and line, why, what to do. */
int hm_sql_rule_parse(hm_arena *a, hm_str text, const char *file, hm_sql_rule *out, hm_err *err);
/* Name of the i-th key of a header; NULL after the last. */
const char *hm_sql_rule_key(size_t i);
const hm_sql_rule *hm_sql_rule_named(const hm_sql_rules *rules, hm_str id);
/* Is any of them not off? rules may be NULL. */
bool hm_sql_any_rule_on(const hm_sql_rules *rules);
/* A finding of this rule that names no row yet. */
hm_finding hm_sql_finding(const hm_sql_rule *r);
/* Compiles its SELECT: only what it may do, and the columns that a finding needs. *takes_row (NULL
 * allowed): it has a parameter :row. */
int hm_sql_rule_check(const hm_sql_rule *r, bool *takes_row, hm_err *err);

/* May it run for one row that is written, if it takes :row? Not where it reads what only a sweep
 * finds: conflicts and findings. */
bool hm_sql_rule_may_be_live(const hm_sql_rule *r);

/* The tables that its SELECT names, of those that it declares. */
int hm_sql_rule_find_tables(const hm_sql_rule *r, uint32_t *reads, hm_err *err);

/* Does it read when entities existed, or the bounds of relations, which depend on that? */
bool hm_sql_rule_asks_lives(const hm_sql_rule *r);

/* --- runs --------------------------------------------------------------------------------- */

/* What a rule was found to be; of one that ran, how. */
typedef struct {
  const hm_sql_rule *rule;
  bool failed, reused, takes_row;
  char why[1200]; /* failed: one line with file, line and reason */
  size_t found;
  int64_t steps;
} hm_sql_rule_run;

typedef struct {
  hm_finding *findings;
  size_t n; /* of all rules, each once; not sorted */
  hm_sql_rule_run *runs;
  size_t n_runs;
  hm_rule_record *records; /* of the rules that ran, for the next sweep; none where row is given */
  size_t n_records;
} hm_sql_result;

/* About one row ("kind:id"): each rule may take so many steps; 0: as many as in a sweep. */
typedef struct {
  hm_str row;
  int64_t steps;
} hm_sql_live;

/* Runs every rule that is not off over these facts, on so many threads; where one of `known`
 * says what it found before, and all that it depends on is the same, that is taken. record: out has
 * the records for the next time, which wants a snapshot with details; digesting what the rules read
 * costs a look at each cell, so it is left out where nothing is known of them either. live: only
 * those that take :row, with this one; NULL: all, with :row NULL. A rule that fails has a
 * line in runs and a finding of severity info; it stops no other. Same result for any number of
 * threads. In a; borrows from the rules. */
void hm_sql_rules_run(const hm_sql_rules *rules, const hm_sql_facts *facts,
                      const hm_rule_record *known, size_t n_known, bool record,
                      const hm_sql_live *live, int threads, hm_arena *a, hm_sql_result *out);

/* --- reuse ----------------------------------------------------------------------------- */

/* A digest for each column of each table; of one that was not asked for, that of nothing. */
typedef struct {
  const hm_sandbox_world *world;
  hm_hash128 *columns[HM_SQL_TABLES];
} hm_sql_digests;
/* Of the tables of hm_sql_world_new, these columns of each, as bits. seed: a secret. In a. */
void hm_sql_column_digests(const hm_sandbox_world *w, const uint64_t columns[HM_SQL_TABLES],
                           uint64_t seed, int threads, hm_arena *a, hm_sql_digests *out);
/* Of all that the rule's answer depends on. checked: it was compiled; its columns are in sums.
 * In a. */
hm_str hm_sql_input_digest(const hm_sql_rule *r, const hm_sandbox_result *checked,
                           const hm_sql_facts *facts, const hm_sql_digests *sums, hm_arena *a);
hm_str hm_sql_findings_text(const hm_finding *f, size_t n, hm_arena *a);
/* The other way. false: it is no such text. */
bool hm_sql_findings_parse(const hm_sql_rule *r, hm_str text, hm_finding_list *out);
#endif
