/* Links between rows: by either end, added, removed.
 *
 * An end is a text, as a rule "kind:id"; a bare one is the id of a memory. Another program's links
 * are only read; ours of its rows stand in the review file, and a link that both have is one. */
#ifndef HM_STORE_LINKS_H
#define HM_STORE_LINKS_H
#include "core/store/store.h"

/* The texts that mean this row ("kind:id") as the end of a link; how many. */
size_t hm_link_ends(hm_str ref, hm_str ends[2]);
bool hm_link_end_is(hm_str end, hm_str ref);
/* Links that have this text as their src (out) or their dst, by (rel, other end), in a. Cost: one
 * search in an index; in a foreign store that of their table. */
int hm_store_links_at(hm_store *s, hm_str end, bool out, hm_arena *a, hm_link **links, size_t *n,
                      hm_err *err);
/* Makes the index by dst, where a file of an older program lacks it. In a write transaction; may
 * change the schema of the file. */
int hm_links_index(hm_store *s, hm_err *err);

/* Both in a write transaction, with a line "link" or "unlink" of "link:SRC DST REL". */

/* *added false: it was there (or, where either will do, its reverse was), and nothing is written.
 */
int hm_store_add_link(hm_store *s, const hm_link *link, bool either, const hm_actor *who,
                      bool *added, hm_arena *a, hm_err *err);
/* *removed false: there was none. HM_E_STATE: another program has it. */
int hm_store_remove_link(hm_store *s, const hm_link *link, const hm_actor *who, bool *removed,
                         hm_arena *a, hm_err *err);
/* Was it there, and removed by hm_store_remove_link since, as the journal has it? */
int hm_link_was_removed(hm_store *s, const hm_link *link, bool *was, hm_arena *a, hm_err *err);
#endif
