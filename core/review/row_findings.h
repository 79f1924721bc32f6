/* What the rules that yield findings say of one row, at the cost of what it is tied to. */
#ifndef HM_ROW_FINDINGS_H
#define HM_ROW_FINDINGS_H
#include "core/detect/conflict.h"
#include "core/store/store.h"

/* The findings of a sweep that have to do with a row: those about it; and about the ends of a
 * relation, and the relations of an entity. */
typedef struct {
  const hm_finding **own;
  size_t n_own; /* name the row, in the order of a sweep */
  const hm_finding **others;
  size_t n_others;
  hm_str *seen;
  size_t n_seen; /* "kind:id" of the rows that were looked at */
} hm_row_findings;

/* Inside a transaction. without: as if the row were not there, to tell what it changes. also: looks
 * at the rows that this looked at, too; NULL: none. Findings of
 * rules by slot are not among them, nor those of rules that read all rows of a type or all. Of a
 * row that says when something existed, those about others that follow from it may be missing; of a
 * row with more than a thousand ties, or a way up of more than some thousand rows, some may be
 * missing: a sweep finds them. In a. */
int hm_row_findings_of(hm_store *s, const hm_rules *rules, hm_layer layer, hm_str id, bool without,
                       const hm_row_findings *also, hm_arena *a, hm_row_findings *out, hm_err *err);
/* Adds what y found of rows that x did not look at, for what vanishes: where they were before is
 * not known. */
void hm_row_findings_add(hm_row_findings *x, const hm_row_findings *y, hm_arena *a);
/* Adds those of these that x has and y has not, of rows that y looked at, too; room for all of x.
 */
size_t hm_row_findings_new(const hm_row_findings *x, const hm_row_findings *y, bool others,
                           const hm_finding **to);
#endif
