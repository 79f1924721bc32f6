/* Which new document of an import has the place of one that is gone. */
#ifndef HM_IMPORT_RENAMES_H
#define HM_IMPORT_RENAMES_H
#include "gen/verbs/import_report.h"

typedef struct hm_import_renames hm_import_renames;
/* Notes which documents of the run are new; call before they are imported. All in the command's
 * arena. Errors: HM_E_STORE. */
int hm_import_renames_begin(hm_import_report *r, hm_store *store, hm_import_renames **out);
/* The rows and the source of the new document that has the place of the one with this source; NULL:
 * none has. It has the place of no other one then. Errors: HM_E_STORE; HM_E_INPUT: a file cannot be
 * read. */
int hm_import_find_renamed(hm_import_renames *x, hm_store *store, hm_str gone,
                           const hm_notes_told **out, hm_str *source);
/* The rows of the document of which the one with the source `copy` is a copy now; NULL: that one
 * has no rows to hand on. Errors as above. */
int hm_import_read_copied(hm_import_renames *x, hm_store *store, hm_str copy, hm_str of,
                          const hm_notes_told **out);
#endif
