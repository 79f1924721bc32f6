/* What a page's digest is made from, while it is collected. For gen/page only. */
#ifndef HM_PAGE_INPUTS_H
#define HM_PAGE_INPUTS_H
#include "page.h"
#include "view_private.h"

/* Appends what a link to the row shows: label, place, whether it is left out. HM_NONE: nothing. */
void hm_inputs_add_link_to_row(const hm_page_inputs *x, uint32_t row, hm_buf *b);
/* Appends what the derivation of a conflict reads besides the conflict itself. */
void hm_inputs_add_derivation(const hm_page_inputs *x, const hm_vconflict *c, hm_buf *b);
/* All that pages, and data files, show of the row. */
hm_hash128 hm_inputs_row_hash(const hm_page_inputs *x, uint32_t row);
hm_hash128 hm_inputs_conflict_hash(const hm_page_inputs *x, uint32_t conflict);
const hm_view *hm_inputs_view(const hm_page_inputs *x);
/* hm_raw_file.inputs of what is quickly made: appends the file's own bytes, so that the digest can
 * lack nothing. Where they cannot be made, out fails and the digest is zero. */
void hm_inputs_add_file_bytes(const hm_page_inputs *x, const hm_raw_file *f, hm_buf *out);
hm_hash128 hm_inputs_digest(const hm_page_inputs *x, const hm_buf *b);
#endif
