/* Which relations tie a row to others, and what else stands in a project: by SQL indexes that are
 * made with the index of the claims (hm_tied_rows_index). For one write; a sweep reads all rows. */
#ifndef HM_TIED_ROWS_H
#define HM_TIED_ROWS_H
#include "core/store/claim_index.h"

/* Makes the indexes. In a write transaction; changes the schema of the file. */
int hm_tied_rows_index(hm_store *s, hm_err *err);

/* Adds the relations that come from, or lead to, the row that is written as ref there; those of
 * types that `wants` says yes to, and of each type at most max. Ids in a. */
typedef bool hm_wants_type(void *ctx, hm_str type);
int hm_tied_rows_of(hm_store *s, hm_str ref, bool to, hm_wants_type *wants, void *ctx, size_t max,
                    hm_arena *a, hm_row_keys *out, hm_err *err);
/* Adds up to max rows of a layer that have this text: the id or alias of their project, or, a
 * relation, one of its ends as written; ALL: any text. Ids in a. */
typedef enum { HM_ROWS_OF_PROJECT, HM_ROWS_FROM, HM_ROWS_TO, HM_ROWS_ALL } hm_rows_key;
int hm_rows_by(hm_store *s, hm_layer layer, hm_rows_key by, hm_str text, size_t max, hm_arena *a,
               hm_row_keys *out, hm_err *err);
/* Adds for each type of entities and relations in this project (its id) up to max active rows of
 * it, and as many memories and states: also of rows that name the project by an alias. */
int hm_project_witnesses(hm_store *s, hm_str project, size_t max, hm_arena *a, hm_row_keys *out,
                         hm_err *err);
#endif
