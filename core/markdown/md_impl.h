/* Shared by the files md_*.c. Not for others.
 *
 * cmark-gfm parses a page to a tree (md_parse.c). A document of other people becomes plain data
 * (document.c). Our own writer makes the HTML of our pages (md_html.c): it
 * escapes all text and writes nothing for a node that it does not know. The library's own writer
 * drops our anchors and writes neither heading ids nor labels. */
#ifndef HM_MD_IMPL_H
#define HM_MD_IMPL_H
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "core/markdown/markdown.h"

/* Parses a page to a tree: CommonMark, GitHub's tables and task lists; no autolinks, no
 * strikethrough. The tree lives in a. Call hm_md_release also after an error: until then, the
 * library takes all of its memory from a. Errors as hm_markdown_html. */
int hm_md_parse(hm_str md, hm_arena *a, cmark_node **root, hm_err *err);
void hm_md_release(void);
/* The same for a text whose lines were checked by the caller. struck: ~~text~~ is a node. */
cmark_node *hm_md_tree(hm_str md, hm_arena *a, bool struck);

/* --- limits: md_bounds.c --- */
/* How far a scan of the lines of one text is; start with the two limits and zeros. */
typedef struct {
  size_t markers;      /* most quotations and lists that one line may begin or continue */
  size_t columns;      /* most of a table */
  size_t bytes, lines; /* of the block that no blank line and no new list item has ended yet */
  size_t widest;       /* columns of the widest head of a table that may have begun in it */
  size_t reread;       /* bytes above lines of dashes, of the whole text */
  size_t items[32]; /* where the texts of list items begin that are surely open, outermost first */
  size_t n_items;
  bool tags; /* one stands between the last blank line and here */
} hm_md_bounds;
/* Why the text is refused at this line, or NULL. Call it for each line in order. */
const char *hm_md_check_line(hm_md_bounds *b, hm_str line);

/* --- markup of our templates: md_parse.c --- */
/* The open boxes, by number, and the offset in the HTML where each began; start a page with {0}. */
typedef struct {
  unsigned char open[8];
  size_t at[8];
  unsigned n;
} hm_md_boxes;
/* Writes the HTML that opens or closes a box. Returns false when html does neither. */
bool hm_md_write_box(hm_md_boxes *b, hm_str html, hm_buf *out);
/* Closes the innermost open box; at least one must be open. */
void hm_md_close_box(hm_md_boxes *b, hm_buf *out);
/* The time in <time datetime="...">, or empty. */
hm_str hm_md_parse_datetime(hm_str tag);
/* True for a path relative to the page: no scheme, no host. */
bool hm_md_is_relative(hm_str url);
/* How large a drawing is. w: 0 for one as wide as its page; h: 0 if nobody says. */
typedef struct {
  int w, h;
  bool guessed;
} hm_md_drawing_size;
/* Cuts the size that ends the title of a drawing, and the "; " before it, off the title. A NUL must
 * follow the title. */
hm_md_drawing_size hm_md_cut_drawing_size(hm_str *title);
/* The class of a link with this text: a marker, a badge (a count of markers), or NULL. */
const char *hm_md_mark_class(hm_str text);
#endif
