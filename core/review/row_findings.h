/* What the rules that yield findings, and the rules in SQL that take :row, say of one row, at the
 * cost of what it is tied to. */
#ifndef HM_ROW_FINDINGS_H
#define HM_ROW_FINDINGS_H
#include "core/detect/conflict.h"
#include "core/detect/sql_rule.h"
#include "core/store/store.h"

/* The findings of a sweep that have to do with a row: those that name it; and about the ends of a
 * relation, the relations of an entity, and the relations of what the row dates. */
typedef struct {
  const hm_finding **own;
  size_t n_own; /* name the row, in the order of a sweep */
  const hm_finding **others;
  size_t n_others;
  hm_str *seen;
  size_t n_seen; /* "kind:id" of the rows that were read */
} hm_row_findings;

typedef struct {
  hm_layer layer;
  hm_str id;
  bool without;                /* as if the row were not there, to tell what it changes */
  const hm_row_findings *also; /* reads the rows that this read, too; NULL: none */
  hm_str becomes[2]; /* reads these ends, too, which the relation is about to get; or empty */
} hm_row_findings_query;

/* Inside a transaction. Own are all that name the row, also those that name it only because it
 * says when something existed; but not findings of rules by slot, nor of rules that read all rows
 * of a type or all, except those on similar texts (similar_rows.h). Of a row, or of what it dates,
 * with more than a thousand ties, and where more than some thousand rows are tied in all, some may
 * be missing: a sweep finds them. In a. */
int hm_row_findings_collect(hm_store *s, const hm_rules *rules, const hm_row_findings_query *q,
                            hm_arena *a, hm_row_findings *out, hm_err *err);
/* Adds those of these that x has and y has not, of rows that y read, too; room for all of x.
 */
size_t hm_row_findings_add_new(const hm_row_findings *x, const hm_row_findings *y, bool others,
                               const hm_finding **to);

/* --- rules in SQL that take :row, run for one row that is written: row_findings_sql.c ----- */

typedef struct {
  const hm_finding **findings;
  size_t n; /* by rule, then in the order of a sweep */
  hm_str *notes;
  const char **not_run;
  size_t n_notes; /* of each rule that did not run to its end, a sentence that says why; its id */
} hm_sql_row_findings;

/* Inside a transaction, after the row was written. What a rule gives is what its SELECT gives over
 * the whole store with this row as :row; but a rule that is wrong, or needs too many rows or steps
 * for a write, gives a note and stops no other. Rules that are off, do not take :row, or read what
 * only a sweep finds are left out; so are all in a foreign store. In a. -1: the store fails. */
int hm_sql_row_findings_collect(hm_store *s, const hm_rules *rules, hm_layer layer, hm_str id,
                                hm_arena *a, hm_sql_row_findings *out, hm_err *err);
/* Adds those of before that now has no more, of rules that ran now; room for all of before. Returns
 * how many. */
size_t hm_sql_row_findings_add_gone(const hm_sql_row_findings *before,
                                    const hm_sql_row_findings *now, const hm_finding **to);
#endif
