/* What the files of md_*.c share. Not for others.
 *
 * cmark-gfm makes a tree of a page (md_parse.c). A writer of ours makes the HTML of it (md_html.c):
 * text only through the escaper, and nothing for a node that it does not know. The library's own
 * writer would leave out our anchors, and has neither heading ids nor labels. The same tree tells
 * where a page leads (md_visit.c). */
#ifndef HM_MD_IMPL_H
#define HM_MD_IMPL_H
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "core/base/map.h"
#include "gen/render/markdown.h"

/* The tree of a page: CommonMark, GitHub's tables and task lists; no autolinks, no strikethrough.
 * It lives in a and is never freed by itself; until hm_md_done, the library takes all of its memory
 * from a, so call that in any case. Errors as hm_markdown_html. */
int hm_md_parse(hm_str md, hm_arena *a, cmark_node **root, hm_err *err);
void hm_md_done(void);

/* The node's own text, for text, code and raw HTML; empty for others. In the page's arena. */
hm_str hm_md_literal(cmark_node *node);
/* The node below root that follows in the order of the text, or NULL. */
cmark_node *hm_md_next(cmark_node *node, const cmark_node *root);
/* What a reader sees of the node, a line break as a space; raw HTML is nothing. In a. */
hm_str hm_md_text(cmark_node *node, hm_arena *a);
/* What the text of one node adds to that; false: nothing. */
bool hm_md_text_of(cmark_node *node, hm_str *out);

/* The id of an anchor of ours, when the node is its tag, <a id="[a-z0-9-]+">, and </a> comes right
 * after; else empty. */
hm_str hm_md_anchor(cmark_node *node);

/* Ids given out on the page below root; {.a, .root} is the beginning. */
typedef struct {
  hm_arena *a;
  cmark_node *root;
  hm_map counts;          /* id -> how often its text was met */
  bool started;
} hm_md_ids;

/* The id for the next heading: empty when its text has no letter. None is that of an anchor. */
hm_str hm_md_ids_heading(hm_md_ids *ids, hm_str text);
#endif
