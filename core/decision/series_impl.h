/* Shared by files on records of a series. Not for others. Floors, lowest first: series_entries.c
 * (how one is found), series_documents.c (what other documents say of them), series.c (records
 * beside each other). */
#ifndef HM_DECISION_SERIES_IMPL_H
#define HM_DECISION_SERIES_IMPL_H
#include "core/base/str.h"
#include "core/decision/decision_impl.h"
#include "core/decision/series.h"

enum { TITLE_SHOWN = 80 };

typedef struct {
  hm_decision_record record;
  hm_decision d;
  hm_str folder, file; /* of the source */
  bool translation;    /* of a record beside it */
  hm_str *named;       /* numbers behind "ADR" and files of Markdown anywhere in its text */
  size_t n_named, cap_named;
  hm_str *indexed_by; /* sources of records that supersede it, by what an index says of it */
  size_t n_indexed_by, cap_indexed_by;
} entry;

struct hm_decisions {
  hm_arena *a;
  entry *v; /* by source */
  size_t n, cap;
  const entry **by_file, **by_number; /* by name of the file; by series and number, without
                                       * translations */
  size_t n_numbered;                  /* of by_number */
  hm_map files;                       /* names of all documents that were seen, records or not, and
                                       * "FOLDER/#7" of "FOLDER/0007-x.md" */
  hm_decision_folder *folders;
  size_t n_folders;
  hm_decision_index index;
  hm_decision_references references;
  hm_decision_fault *faults;
  size_t n_faults, cap_faults;
};

/* Adds a fault with room for so many places, and a place of one; line 0: the first. */
hm_decision_fault *hm_series_add_fault(hm_decisions *s, hm_decision_fault_kind kind, size_t places,
                                       hm_str message);
void hm_series_add_place(hm_decision_fault *f, hm_str source, uint32_t line, hm_str says);
/* Orders entries. */
int hm_series_by_source(const void *x, const void *y);
/* The record of a source; NULL: none. */
entry *hm_series_entry_of(const hm_decisions *s, hm_str source);
/* The only one of v, n sorted records, that the key fits; NULL: none, or *several. */
const entry *hm_series_find_only(const entry *const *v, size_t n, const void *key,
                                 int (*order)(const void *, const void *), bool *several);
/* For hm_series_find_only: key: series, and number without zeros; name of the file. */
int hm_series_is_number_of(const void *item, const void *key);
int hm_series_is_file(const void *item, const void *key);
bool hm_series_same_number(hm_str a, hm_str b);
/* "record 7", else its file; the line of its title; what it says of its status. */
hm_str hm_series_name_of(hm_decisions *s, const entry *e);
uint32_t hm_series_title_line(const entry *e);
void hm_series_add_status(hm_decisions *s, hm_decision_fault *f, const entry *e);
/* The record that a row of an index lists; NULL: none. */
entry *hm_series_indexed(const hm_decisions *s, const hm_decision_index_row *r);
/* What indexes and other documents say of records that is not so: series_documents.c. */
void hm_series_find_documents(hm_decisions *s);
#endif
