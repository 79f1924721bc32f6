/* Links between rows: by either end, added, removed.
 *
 * An end is a text, as a rule "kind:id"; a bare one is the id of a memory. Another program's links
 * are only read; ours of its rows stand in the review file, and a link that both have is one. */
#ifndef HM_STORE_LINKS_H
#define HM_STORE_LINKS_H
#include "core/store/store.h"

/* --- words ----------------------------------------------------------------------------- */

enum { HM_REL_MAX = 100 };   /* bytes */

/* How a link with this rel reads from its dst: "refined_by" of "refines"; empty of one that has no
 * such word. */
hm_str hm_rel_inverse(hm_str rel);
/* Of an inverse word its rel, "refines" of "refined_by"; empty of any other. */
hm_str hm_rel_of_inverse(hm_str word);
/* A rel and its inverse, which is empty of one that reads alike from both ends. */
typedef struct { const char *rel, *inverse; } hm_rel_word;
/* Those that hmirror knows, by rel. */
const hm_rel_word *hm_rel_words(size_t *n);
/* Is it a rel that hmirror knows? Inverse words are none. */
bool hm_rel_is_known(hm_str rel);

/* --- ends and links -------------------------------------------------------------------- */

/* The texts that mean this row ("kind:id") as the end of a link; how many. */
size_t hm_link_ends(hm_str ref, hm_str ends[2]);
bool hm_link_end_is(hm_str end, hm_str ref);
/* Links that have this text as their src (out) or their dst, by (rel, other end), in a. Cost: one
 * search in an index; in a foreign store that of their table. */
int hm_store_links_at(hm_store *s, hm_str end, bool out, hm_arena *a, hm_link **links, size_t *n,
                      hm_err *err);
/* Makes the indexes by dst and by superseded_by, where a file of an older program lacks them. In a
 * write transaction; may change the schema of the file. */
int hm_links_index(hm_store *s, hm_err *err);
/* References of the rows whose superseded_by is this text, in a; of one layer, or of all (0). */
int hm_store_superseded_by(hm_store *s, hm_layer layer, hm_str text, hm_arena *a, hm_str **refs,
                           size_t *n, hm_err *err);

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
/* Did this actor draw it last, as the journal has it? */
int hm_link_was_drawn_by(hm_store *s, const hm_link *link, hm_str by, bool *was, hm_arena *a,
                         hm_err *err);
#endif
