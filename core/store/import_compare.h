/* Which fields of a record an import may change. Not for other folders. */
#ifndef HM_IMPORT_COMPARE_H
#define HM_IMPORT_COMPARE_H
#include "core/store/import_sources.h"

/* How one record compares with what its source said last. */
typedef struct {
  hm_said now;                            /* what the source says from now on */
  bool remember;                          /* that differs from what was remembered */
  bool keeps_status;                      /* it says another status than a verdict gave */
  hm_import_told *told; size_t n_told;    /* in the arena of the call */
} hm_import_comparison;

/* Compares r, which opt->source says of the record ref, with what that source, other sources and
 * verdicts said. before: the cells of its row, where *known; else the keys alone, and the journal's
 * last line fills them, and sets *known, where a row that was imported is gone. Cells of r that
 * must stay as they are become absent; an object becomes what the row will hold. */
int hm_import_compare(hm_store *s, const hm_import_options *opt, hm_str ref, hm_import_record *r,
                      hm_cell *before, bool *known, hm_arena *a, hm_import_comparison *out,
                      hm_err *err);
#endif
