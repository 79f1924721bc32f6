/* Rows put into a snapshot between those that it has. Not for other folders. */
#ifndef HM_SPLICE_H
#define HM_SPLICE_H
#include "core/store/row.h"

typedef struct {
  uint32_t *at;            /* the row before which each goes, as numbered before; ascending */
  const hm_row **rows; const hm_row_detail **details;
  size_t n;
} hm_splice;

/* For at most max rows; memory from a. */
void hm_splice_begin(hm_splice *x, size_t max, hm_arena *a);
/* A row that s does not have, with its details; they are copied by hm_splice_end. In the order of a snapshot: by layer and id. */
void hm_splice_add(hm_splice *x, const hm_snapshot *s, const hm_row *row, const hm_row_detail *detail);
/* The number that a row has after all are put in. */
uint32_t hm_splice_moved(const hm_splice *x, uint32_t row);
/* Puts them in; s->rows, s->details and s->sums have room for `room` rows. False, and s is as it was, when there is no room, nor in an index. */
bool hm_splice_end(const hm_splice *x, hm_snapshot *s, size_t room);
#endif
