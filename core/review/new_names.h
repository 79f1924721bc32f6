/* New names of projects and types, which may be mistyped. They do not stop a write. */
#ifndef HM_NEW_NAMES_H
#define HM_NEW_NAMES_H
#include "core/store/lookup.h"

typedef struct {
  hm_name_kind kind;
  hm_str name, nearest; /* nearest: the similar known name, or empty */
  int64_t rows;         /* number of rows with it */
  hm_str fits[2];       /* two projects that fit, so it means neither; else empty */
} hm_new_name;
/* "project 'p06' is new; nearest known: 'p05'"; adds ", on 3 rows" for more than one row. In a. */
hm_str hm_new_name_words(const hm_new_name *n, hm_arena *a);

/* --- one row ---------------------------------------------------------------- */

/* The new names of a row of the snapshot, in words, in a: a project that is neither declared, nor
 * an alias, nor of another row; a type that no other row has, only if a known one is near. And what
 * is in the wrong place: a memory with a type of entities, an end of a relation that is a name.
 * Pure. Cost: one look at the rows. */
void hm_new_names_of_row(const hm_snapshot *snap, uint32_t row, hm_arena *a, hm_str **out,
                         size_t *n);

/* --- an import ---------------------------------------------------------------- */

typedef struct hm_import_names hm_import_names;
hm_import_names *hm_import_names_new(void);
void hm_import_names_free(hm_import_names *c);
/* For hm_import_options.named, for any number of imports into one store; ctx: an hm_import_names.
 * Reads the rows of the store once, at the first name that is neither declared nor specified. */
int hm_import_names_see(void *ctx, hm_store *s, hm_name_kind kind, hm_str name, hm_err *err);
/* Call after the imports. The new names to report, by kind and name, in a: names near to another in
 * the store or on more rows of the import; and, if the store had projects before, every new project
 * that is not declared. */
int hm_import_names_report(hm_import_names *c, hm_store *s, hm_arena *a, hm_new_name **out,
                           size_t *n, hm_err *err);
#endif
