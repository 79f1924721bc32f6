/* Which foreign store a review file is of. Not for other folders.
 *
 * The review file notes the path of the store, as the config has it, and its shape: a digest of the
 * names of its tables and their columns. Rows come and go and do not matter. */
#ifndef HM_REVIEW_OF_H
#define HM_REVIEW_OF_H
#include "core/store/sql.h"

/* After the foreign store is attached. Another store: s->review_of says of which one the file is,
 * and nothing is noted. It is the same one when the noted path is this one or leads to the same
 * file; also when nothing is there any more, and this store has the noted shape: it was moved. A
 * store open for writing then gets a note, or a new one; so does any with `take`. */
int hm_review_of_check(hm_store *s, const hm_store_source *src, hm_err *err);
#endif
