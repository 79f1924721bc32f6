/* What the files of the import share: the run, and how a record compares with what is known.
 *
 * Floors, lowest first: import_compare.c, import_record.c, import_graph.c, import_heirs.c,
 * import.c. */
#ifndef HM_IMPORT_IMPL_H
#define HM_IMPORT_IMPL_H
#include "core/foreign/readers.h"
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

/* --- rows of documents: import_heirs.c -------------------------------------------------------- */

typedef struct {
  hm_map rows;        /* reference of a row that is gone -> index into refs */
  const hm_str *refs; /* of rows that took a place */
} hm_import_heirs;
/* Which rows of the document, or of opt->moved_to, took the place of those that it had and that
 * are not named now. All in a. */
int hm_import_find_heirs(hm_import_run *im, const hm_map *named, const hm_str *had, size_t n_had,
                         hm_arena *a, hm_import_heirs *out);

/* --- the types of a graph's entities: import_graph.c ------------------------------------------ */

/* One entity may stand in a graph with several types. Each is what a part of the file says: the
 * first, in the order of the folded types, the file itself, the second FILE#2. */
enum { HM_GRAPH_PARTS_MAX = 16 };
typedef struct {
  hm_str name, type, folded;
  int64_t number; /* of the line */
  size_t order;   /* in which its name came first */
  size_t part;    /* from 0 */
} hm_graph_type;
typedef struct {
  hm_arena *a; /* made when the first is added */
  hm_graph_type *v;
  size_t n, cap;
} hm_graph_types;

/* Copies the texts. */
void hm_graph_types_add(hm_graph_types *t, hm_str name, hm_str type, int64_t number);
/* Each name with each type once, in the order in which the names came, with their parts. */
void hm_graph_types_sort(hm_graph_types *t);
void hm_graph_types_free(hm_graph_types *t);
/* The record of the entity with this type. */
const hm_json *hm_graph_entity(const hm_graph_type *t, hm_arena *a);
/* "FILE#2" of part 1; of part 0 the source itself. */
hm_str hm_graph_part_name(hm_str source, size_t part, hm_arena *a);
/* Parts of the source after the first: ends what they said of entities that have no such type any
 * more. Types are sorted. */
int hm_graph_end_parts(hm_import_run *im, const hm_graph_types *t);
#endif
