/* Shared by the files of writes only: one write in progress. */
#ifndef HM_WRITE_IMPL_H
#define HM_WRITE_IMPL_H
#include "core/review/write.h"
#include "core/review/write_check.h"
#include "core/record/record_edit.h"

typedef struct {
  hm_store *s;
  const hm_review *r;
  hm_write_check *check;
  hm_arena *a;
  hm_layer layer; /* of the row of the result */
  hm_row_edited row;
  hm_str made;      /* a relation that this write also made */
  hm_policy policy; /* for an added row */
  bool adds;        /* the row is added by a policy: the answer says what it met by its text */
  hm_met *met;
  size_t n_met, cap_met;
  hm_map met_refs; /* their references */
  hm_str *secrets;
  size_t n_secrets; /* warnings of live secrets that it wrote */
  bool alone;       /* no other row changed */
  bool superseded;  /* it, or a row that it met, was superseded */
  hm_written *out;
  hm_err *err;
} hm_writing;

/* Does the write, between hm_write_check_begin and hm_write_check_end. Sets layer and row. */
typedef int hm_write_step(hm_writing *w, const void *in);
/* Runs the transaction of one write and fills the result about its row. */
int hm_write_run(hm_store *s, const hm_review *r, hm_write_step *what, const void *in, hm_arena *a,
                 hm_written *out, hm_err *err);
/* Adds a row that the new row met, unless added before. */
void hm_write_meet(hm_writing *w, hm_met m);
/* Adds a row as hm_review_add does, journaled as `verb`: write_rows.c. */
int hm_write_add_row(hm_writing *w, hm_layer layer, const hm_json *record, const char *verb);
#endif
