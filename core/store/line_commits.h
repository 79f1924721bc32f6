/* Which commit last changed the line of a document that a row stands on, as git said when an import
 * read the document. It is shown beside the row, and says nothing of it: no claim, no time and no
 * id depends on it. Only rows in conflicts and findings have one. The table is local: an import
 * makes it anew, and an export has none of it. */
#ifndef HM_LINE_COMMITS_H
#define HM_LINE_COMMITS_H
#include "core/store/store.h"

/* All, by reference, in a. None in a store before HM_STORE_COMMITS_VERSION, or a foreign one. */
int hm_line_commits_read(hm_store *s, hm_arena *a, hm_line_commit **out, size_t *n, hm_err *err);
/* Replaces them all, each row once; writes nothing where they are the same. In the caller's
 * transaction, or one of its own. */
int hm_line_commits_put(hm_store *s, const hm_line_commit *v, size_t n, hm_err *err);
#endif
