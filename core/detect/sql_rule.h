/* Rules in SQL: reading and checking a file, and running many of them in a sweep.
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
  uint32_t reads;          /* bit set of tables */
  bool shipped;            /* part of hmirror */
  bool off;                /* disabled by the mirror */
} hm_sql_rule;

/* Sorted by id. */
typedef struct hm_sql_rules {
  hm_sql_rule *rules;
  size_t n;
} hm_sql_rules;

/* Reads the header of a file. Borrows from text. -1: err has file and line, why, what to do. */
int hm_sql_rule_parse(hm_arena *a, hm_str text, const char *file, hm_sql_rule *out, hm_err *err);
/* Name of the i-th key of a header; NULL after the last. */
const char *hm_sql_rule_key(size_t i);
const hm_sql_rule *hm_sql_rule_named(const hm_sql_rules *rules, hm_str id);
/* Is any of them enabled? rules may be NULL. */
bool hm_sql_any_rule_on(const hm_sql_rules *rules);
/* A finding of this rule that names no row yet. */
hm_finding hm_sql_finding(const hm_sql_rule *r);
/* Compiles its SELECT; fails if it does anything not allowed or lacks columns of a finding. */
int hm_sql_rule_check(const hm_sql_rule *r, hm_err *err);

/* The declared tables that its SELECT names. */
int hm_sql_rule_find_tables(const hm_sql_rule *r, uint32_t *reads, hm_err *err);

/* --- runs --------------------------------------------------------------------------------- */

/* The result of one rule. */
typedef struct {
  const hm_sql_rule *rule;
  bool failed;
  char why[1200]; /* failed: one line with file, line and reason */
  int64_t steps;
} hm_sql_rule_run;

typedef struct {
  hm_finding *findings;
  size_t n; /* of all rules, distinct, not sorted */
  hm_sql_rule_run *runs;
  size_t n_runs;
} hm_sql_result;

/* Runs every enabled rule over these facts, one after the other, and touches no store: it may be
 * called anywhere. A rule that fails has a line in runs and a finding of severity info; it does not
 * stop others. facts has a snapshot with details. In a; borrows from the rules. */
void hm_sql_rules_run(const hm_sql_rules *rules, const hm_sql_facts *facts, int threads,
                      hm_arena *a, hm_sql_result *out);
#endif
