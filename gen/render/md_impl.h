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
 * It lives in a and is never freed by itself; until hm_md_release, the library takes all of its
 * memory from a, so call that in any case. Errors as hm_markdown_html. */
int hm_md_parse(hm_str md, hm_arena *a, cmark_node **root, hm_err *err);
void hm_md_release(void);

/* --- markup of our templates: md_parse.c --- */
/* The boxes that are open, by number, and where in the HTML each began; {0} at the beginning of a
 * page. */
typedef struct { unsigned char open[8]; size_t at[8]; unsigned n; } hm_md_boxes;
/* Writes what opens or closes a box; false: the raw HTML does neither. */
bool hm_md_write_box(hm_md_boxes *b, hm_str html, hm_buf *out);
/* Closes the one that was opened last; there is one. */
void hm_md_close_box(hm_md_boxes *b, hm_buf *out);
/* The time of <time datetime="...">, or empty. */
hm_str hm_md_parse_datetime(hm_str tag);
/* The class of a link with this text: of a marker, of a badge that counts them, or NULL. */
const char *hm_md_mark_class(hm_str text);
#endif
