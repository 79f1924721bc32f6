/* Names of projects and types that no row had before: perhaps mistyped. A write takes them all the
 * same. */
#ifndef HM_NEW_NAMES_H
#define HM_NEW_NAMES_H
#include "core/store/lookup.h"

typedef struct {
  hm_name_kind kind;
  hm_str name, nearest;   /* nearest: the known name that may be meant; empty: none is near */
  int64_t rows;           /* that have it */
  hm_str fits[2];         /* two projects that it means, so it means neither; else empty */
} hm_new_name;
/* "project 'p06' is new; nearest known: 'p05'"; adds ", on 3 rows" for more than one row. In a. */
hm_str hm_new_name_words(const hm_new_name *n, hm_arena *a);



/* --- one row ---------------------------------------------------------------- */

/* Has the index (claim_index.h) know the names that the rows of the snapshot have. Inside a write
 * transaction. */
int hm_new_names_learn(hm_store *s, const hm_snapshot *snap, hm_err *err);
/* The new names of a row that is being written, as export writes it, in words: a project that is
 * neither declared, nor an alias, nor of any row; a type only where a known one is near. Before the
 * index takes the row in; cost: that of the names there are where one is new. */
int hm_new_names_find_in_row(hm_store *s, hm_layer layer, hm_str record, hm_arena *a, hm_str **out,
                             size_t *n, hm_err *err);

/* --- an import ---------------------------------------------------------------- */

typedef struct hm_import_names hm_import_names;
hm_import_names *hm_import_names_new(void);
void hm_import_names_free(hm_import_names *c);
/* hm_import_options.named, for any number of imports into one store; ctx: a hm_import_names. The
 * rows of the store are read once, when the first name comes that is neither declared nor
 * specified. */
int hm_import_names_see(void *ctx, hm_store *s, hm_name_kind kind, hm_str name, hm_err *err);
/* After them: those worth a word, by kind and name, in a. A name that is near to another, in the
 * store or on more rows of the import; and where the store had projects before, every project that
 * is new and not declared. */
int hm_import_names_report(hm_import_names *c, hm_store *s, hm_arena *a, hm_new_name **out,
                           size_t *n, hm_err *err);
#endif
