/* What the files of the import share: the run, and how a record compares with what is known.
 *
 * Floors, lowest first: import_compare.c, import_record.c, import.c. */
#ifndef HM_IMPORT_IMPL_H
#define HM_IMPORT_IMPL_H
#include "core/record/evidence.h"
#include "core/store/import.h"
#include "core/record/records.h"

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

/* --- how a record compares: import_compare.c -------------------------------------- */

typedef struct {
  hm_said_set said;  /* of the record, with what the source says from now on */
  bool keeps_status; /* its status differs from the one that a verdict gave */
  hm_import_kept_field *kept;
  size_t n_kept; /* in the arena of the call */
} hm_import_comparison;

/* Puts r, what opt->source says of the record ref, in place of what it said, and finds the row that
 * follows. before: the cells of its row if *known. Else before has the keys only; if an imported
 * row is gone, the journal's last line fills them and sets *known. Errors: a required field that
 * neither has. */
int hm_import_compare(hm_import_run *im, hm_str ref, const hm_record *r, hm_cell *before,
                      bool *known, hm_cell *after, hm_import_comparison *out);
/* The row, or conflict, as the journal's last line about it has it; *known: there is one. */
int hm_import_revive(hm_import_run *im, hm_str ref, const hm_record *r, hm_cell *before,
                     bool *known);
#endif
