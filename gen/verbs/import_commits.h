/* Which commits last changed the lines of imported documents that take part in a conflict or a
 * finding, for pages (core/store/line_commits.h). */
#ifndef HM_IMPORT_COMMITS_H
#define HM_IMPORT_COMMITS_H
#include "gen/verbs/import_report.h"

/* After all files are imported: asks git about them, and forgets what it said of them before. The
 * import sees the work tree as it was read, which a publication does not; so the store keeps the
 * answer, and one store has the same pages everywhere. --no-git: only forgets. Needs a sweep where
 * a document lies in a work tree. */
int hm_import_note_commits(hm_import_report *r, hm_store *store);
#endif
