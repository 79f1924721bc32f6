/* What the files of md_*.c share. Not for others.
 *
 * The HTML is written from cmark's tree by a writer of ours, not by cmark's:
 * links, tables, headings and raw HTML are decided in the one pass that writes
 * them, so no string of a fact is ever searched or patched afterwards. */
#ifndef HM_MD_IMPL_H
#define HM_MD_IMPL_H
#include <cmark-gfm.h>

#include "core/base/map.h"
#include "gen/render/markdown.h"

/* Ids given out on this page; counts start when the first one is asked for. */
typedef struct {
  hm_arena *a;
  hm_map counts;          /* id -> how often its text was met */
  bool started;
  cmark_node *root;       /* where anchors have ids of their own, until these are taken; or NULL */
  hm_map maybe;           /* what looks like such an id in the Markdown */
} hm_md_ids;

typedef struct {
  hm_arena *a;
  hm_buf *out;
  size_t start;           /* of this page in out */
  hm_md_ids ids;
  hm_str heading;         /* text of the last one */
  cmark_node *link;       /* the <a> that is open, or NULL */
  bool in_head, in_body;  /* of the table that is being written */
  const uint8_t *aligns;  /* its columns: 'l', 'c', 'r' or 0 */
  int column, columns;
} hm_md_writer;

/* The tree as HTML. */
void hm_md_write(hm_md_writer *w, cmark_node *root);
/* Its links, ids and raw HTML; ids has its anchors. */
void hm_md_visit(cmark_node *root, hm_md_ids *ids, const hm_markdown_visitor *v, void *ctx);
/* The node after n in the order of the text, within root, and NULL after the last. leave(ctx, n) is called for each that
 * is left on the way. */
cmark_node *hm_md_next(cmark_node *n, cmark_node *root, void (*leave)(void *ctx, cmark_node *n), void *ctx);
/* The id when node opens an anchor of ours that the next node closes, else empty. */
hm_str hm_md_anchor(cmark_node *n);
/* The text of a node's subtree, without marks. */
hm_str hm_md_text(hm_arena *a, cmark_node *node);

/* The attributes of a link, with its text at hand, or nothing and false when
 * the target is not one that a page may link to. */
bool hm_md_link_open(hm_buf *b, hm_str url, hm_str text);

/* No heading gets the id of an anchor in the tree, which was parsed from md. */
void hm_md_ids_anchors(hm_md_ids *ids, cmark_node *root, hm_str md);
/* The id for a heading of this text: empty when the text has no letter. */
hm_str hm_md_ids_heading(hm_md_ids *ids, hm_str text);
#endif
