/* One write in the making. Not for others. */
#ifndef HM_WRITE_IMPL_H
#define HM_WRITE_IMPL_H
#include "core/review/row_findings.h"
#include "core/review/write.h"
#include "core/review/write_check.h"
#include "core/store/record_edit.h"

typedef struct {
  hm_store *s;
  const hm_review *r;
  hm_write_check *check;
  hm_arena *a;
  hm_layer layer;          /* of the row that the answer is about */
  hm_row_edited row;
  hm_row_findings before;  /* of the row, where it was there */
  hm_sql_row_findings live_before;   /* likewise, by the rules that take :row */
  bool was_there;
  hm_str made; /* a relation that this write made, too */
  hm_policy policy;        /* of a row that is added */
  hm_met *met; size_t n_met, cap_met;
  bool superseded;         /* it, or what it met, gave way */
  hm_err *err;
} hm_writing;

/* What is written, between the two halves of the write check. Fills layer and row. */
typedef int hm_write_step(hm_writing *w, const void *in);
/* The transaction of one write, and the answer about its row. */
int hm_write_run(hm_store *s, const hm_review *r, hm_write_step *what, const void *in, hm_arena *a,
                 hm_written *out, hm_err *err);
/* Adds to what the row met, each row once. */
void hm_write_meet(hm_writing *w, hm_met m);
/* Adds a row as hm_review_add says, journaled as `verb`: write_rows.c. */
int hm_write_add_row(hm_writing *w, hm_layer layer, const hm_json *record, const char *verb);
#endif
