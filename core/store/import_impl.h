/* What the files of the import share. Not for other folders. */
#ifndef HM_IMPORT_IMPL_H
#define HM_IMPORT_IMPL_H
#include "core/store/import.h"
#include "core/store/records.h"

/* Where a message points: FILE:LINE, or what the record is called when number is 0. */
typedef struct { const char *name; int64_t number; hm_err *err; } hm_import_place;

/* One line, as far as it has been understood. */
typedef struct {
  hm_kind_index index;
  const hm_kind *kind;
  const hm_json *verdict; /* the line is one of `export --verdicts`, and nothing else is filled */
  hm_str sorted;                          /* as JSON, keys sorted, without nulls at its top */
  hm_cell cells[HM_MAX_FIELDS + 1];       /* absent where the line has no such key */
} hm_import_record;

/* Puts FILE:LINE, and the field when there is one (a fact is allowed), before
 * what is known of the error. Returns -1. */
int hm_import_at(const hm_import_place *p, hm_str field);
/* An error of this line. */
int hm_import_bad_field(const hm_import_place *p, const char *field, const char *why,
                        const char *fix);
/* The line as UTF-8 without a byte order mark of the stream, in b where it must be rewritten. An
 * error names the first byte that is none of the encoding. */
int hm_import_decode(const hm_import_place *p, hm_encoding encoding, hm_str *line, hm_buf *b);
/* Understands one line; key cells are complete, also those that it lacks. */
int hm_import_read(const hm_import_place *p, hm_str line, hm_import_record *r, hm_arena *a);
/* Understands an object as a record of this kind: its cells, and nothing else of r. */
int hm_import_read_tree(const hm_import_place *p, hm_kind_index kind, const hm_json *json,
                        hm_import_record *r, hm_arena *a);
/* One value as compact JSON, the members of objects sorted. */
hm_str hm_import_sorted_value(const hm_json *v, hm_arena *a);
/* Fills r->sorted. */
int hm_import_sorted(const hm_import_place *p, const hm_json *json, hm_import_record *r,
                     hm_arena *a);
/* What the store will hold: the cells of the line over those of before (NULL:
 * a new record). Errors: a required field is missing. */
int hm_import_merge(const hm_import_place *p, const hm_import_record *r, const hm_cell *before,
                    hm_cell *after);
/* Refuses a window that ends before it begins, for who is there to mend it; a file is not refused
 * for one, a sweep tells it. A bound that the record does not touch is not its fault. after: as
 * hm_import_merge gave it. */
int hm_import_check_window(const hm_import_place *p, const hm_import_record *r,
                           const hm_cell *after);
#endif
