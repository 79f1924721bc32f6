/* The findings about one row, by the rules that yield findings and the rules in SQL that take :row.
 * The cost depends on the rows tied to it. */
#ifndef HM_ROW_FINDINGS_H
#define HM_ROW_FINDINGS_H
#include "core/detect/conflict.h"
#include "core/detect/sql_rule.h"
#include "core/store/store.h"

/* The findings of a sweep related to a row: those that name it; and those about the ends of a
 * relation, the relations of an entity, and the relations of what the row dates. */
typedef struct {
  const hm_finding **own;
  size_t n_own; /* those that name the row, in the order of a sweep */
  const hm_finding **others;
  size_t n_others;
  hm_str *seen;
  size_t n_seen; /* "kind:id" of the rows read */
} hm_row_findings;

typedef struct {
  hm_layer layer;
  hm_str id;
  bool without;                /* as if the row did not exist, to tell what it changes */
  const hm_row_findings *also; /* also read the rows that this one read; or NULL */
  hm_str becomes[2]; /* also read these new ends of a relation that is about to change; or empty */
} hm_row_findings_query;

/* Call inside a transaction. Own findings are all that name the row, also only as the source of a
 * time, except findings of rules by slot and of rules that read all rows (of a type); findings on
 * similar texts are included (similar_rows.h). If the row, or what it dates, has over a thousand
 * ties, or some thousand rows are tied in all, some may be missing; a sweep finds them. In a. */
int hm_row_findings_collect(hm_store *s, const hm_rules *rules, const hm_row_findings_query *q,
                            hm_arena *a, hm_row_findings *out, hm_err *err);
/* Adds to `to` the own (or other) findings that x has and y has not, of rows that y read, too. `to`
 * has room for all of x. Returns their number. */
size_t hm_row_findings_add_new(const hm_row_findings *x, const hm_row_findings *y, bool others,
                               const hm_finding **to);

/* --- rules in SQL that take :row, for one written row: row_findings_sql.c ----- */

typedef struct {
  const hm_finding **findings;
  size_t n; /* by rule, then in the order of a sweep */
  hm_str *notes;
  const char **not_run;
  size_t n_notes; /* for each rule that did not finish: a sentence that says why; its id */
} hm_sql_row_findings;

/* Call inside a transaction, after the row was written. A rule gives what its SELECT gives over the
 * whole store with this row as :row. A rule that is wrong, or needs too many rows or steps for a
 * write, gives a note and does not stop others. Skips rules that are off, do not take :row, or read
 * what only a sweep finds, and all rules in a foreign store. In a. -1: the store failed. */
int hm_sql_row_findings_collect(hm_store *s, const hm_rules *rules, hm_layer layer, hm_str id,
                                hm_arena *a, hm_sql_row_findings *out, hm_err *err);
/* Adds to `to` the findings of `before` that `now` lacks, of rules that ran now. `to` has room for
 * all of before. Returns their number. */
size_t hm_sql_row_findings_add_gone(const hm_sql_row_findings *before,
                                    const hm_sql_row_findings *now, const hm_finding **to);
#endif
