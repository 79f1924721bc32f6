/* What the files of md_*.c share. Not for others.
 *
 * cmark-gfm makes a tree of a page (md_parse.c). A writer of ours makes the HTML of it (md_html.c):
 * text only through the escaper, and nothing for a node that it does not know. The library's own
 * writer would leave out our anchors, and has neither heading ids nor labels. */
#ifndef HM_MD_IMPL_H
#define HM_MD_IMPL_H
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "gen/render/markdown.h"

/* The tree of a page: CommonMark, GitHub's tables and task lists; no autolinks, no strikethrough.
 * It lives in a and is never freed by itself; until hm_md_done, the library takes all of its memory
 * from a, so call that in any case. Errors as hm_markdown_html. */
int hm_md_parse(hm_str md, hm_arena *a, cmark_node **root, hm_err *err);
void hm_md_done(void);

/* --- md_marks.c --- */
/* The class of a link with this text: of a marker, of a badge that counts them, or NULL. */
const char *hm_md_mark_class(hm_str text);
/* Writes the HTML block when it begins or ends what folds; *open counts those that are open. False:
 * it is something else. */
bool hm_md_write_details(hm_str html, unsigned *open, hm_buf *out);
#endif
