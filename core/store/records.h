/* Records of any kind, from and to their tables. Not for other folders. */
#ifndef HM_RECORDS_H
#define HM_RECORDS_H
#include "core/store/side.h"

/* Statements, made when first needed. Begin with { .s = store }. */
typedef struct {
  hm_store *s;
  hm_stmt *select[HM_N_KINDS], *insert[HM_N_KINDS], *update[HM_N_KINDS];
} hm_records;

void hm_records_free(hm_records *r);
/* Fills the cells of the record whose keys stand in them. The texts live in a. */
int hm_records_load(hm_records *r, hm_kind_index k, hm_cell *cells, bool *found, hm_arena *a,
                    hm_err *err);
/* Inserts the record, or writes all its cells over the one that has its keys. */
int hm_records_save(hm_records *r, hm_kind_index k, const hm_cell *cells, bool is_new, hm_arena *a,
                    hm_err *err);
/* A statement that gives all records of a kind as hm_records_row reads them,
 * sorted by key. */
int hm_records_all(hm_store *s, hm_kind_index k, hm_stmt **out, hm_err *err);
/* The columns of the statement's row; what is kept elsewhere is loaded too. */
int hm_records_row(hm_store *s, hm_kind_index k, hm_stmt *st, hm_cell *cells, hm_arena *a,
                   hm_err *err);
#endif
