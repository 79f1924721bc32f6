/* What the files of the import share: the run, what a source said of a record, how a record
 * compares with that.
 *
 * Floors, lowest first: import_compare.c, import_record.c, import.c. */
#ifndef HM_IMPORT_IMPL_H
#define HM_IMPORT_IMPL_H
#include "core/store/import.h"
#include "core/store/records_impl.h"

/* One stream that is imported. */
typedef struct {
  hm_store *s;
  const hm_import_options *opt;
  hm_import_counts *counts;
  hm_arena *arena; /* of one line */
  bool is_late;    /* importing the lines that were put off to the end */
  hm_record_place place;
} hm_import_run;

/* Stores the record. *outcome: the count that it adds to. *put_off: it must wait for a later line;
 * nothing was stored. import_record.c */
int hm_import_record(hm_import_run *im, hm_record *r, bool *put_off, int64_t **outcome);
/* The same for a verdict. */
int hm_import_verdict(hm_import_run *im, const hm_json *json, int64_t **outcome);
/* The same for a world.yml. */
int hm_import_world_file(hm_import_run *im, const hm_json *json, int64_t **outcome);

/* --- what sources said ------------------------------------------- */

typedef struct {
  uint32_t name;
  uint64_t digest;
} hm_said_field;

/* One source's statement; fields sorted by name. The source "" is the journal's last import before
 * the store recorded sources; it stands for every source without a statement since. */
typedef struct {
  hm_str source;
  hm_said_field *fields;
  size_t n;
} hm_source_said;

/* The name of field i, and of a member of its object. Members have the top bit, fields do not. */
uint32_t hm_said_name(const hm_kind *k, int i);
uint32_t hm_said_member_name(hm_str key);
bool hm_said_is_member(uint32_t name);
/* Replaces the statement of its source. */
int hm_said_save(hm_store *s, hm_str ref, const hm_source_said *said, hm_arena *a, hm_err *err);

/* --- how a record compares: import_compare.c -------------------------------------- */

typedef struct {
  hm_source_said now; /* what the source says from now on */
  bool remember;      /* that differs from what was remembered */
  bool keeps_status;  /* its status differs from a verdict's */
  hm_import_kept_field *kept;
  size_t n_kept; /* in the arena of the call */
} hm_import_comparison;

/* Compares r, what opt->source says of the record ref, with earlier statements of that source, of
 * other sources and verdicts. before: the cells of its row if *known. Else before has the keys
 * only; if an imported row is gone, the journal's last line fills them and sets *known. Makes cells
 * of r that must not change absent, and an object what the row will hold. */
int hm_import_compare(hm_store *s, const hm_import_options *opt, hm_str ref, hm_record *r,
                      hm_cell *before, bool *known, hm_arena *a, hm_import_comparison *out,
                      hm_err *err);
#endif
