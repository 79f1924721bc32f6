/* What the files of md_*.c share. Not for others.
 *
 * md4c calls us with what it meets, in the order of the text, and no tree is
 * made. The HTML is written by a writer of ours, not by the library's: links,
 * tables, headings and raw HTML are decided in the one pass that writes them,
 * so no string of a fact is ever searched or patched afterwards. */
#ifndef HM_MD_IMPL_H
#define HM_MD_IMPL_H
#include <md4c.h>

#include "core/base/map.h"
#include "gen/render/markdown.h"

/* A copy of md, with U+FFFD for each NUL and as hm_md_tables has it, that may be read a little beyond its ends: version 0.4.8 of the
 * library does that, by a byte or two, where the page ends in the middle of a link or an emphasis. Error: HM_E_INTERNAL: over 64 MiB. */
int hm_md_ready(hm_str *md, hm_arena *a, hm_err *err);
/* Calls p's functions, with ctx, for what hm_md_ready made: slices of it, and some of the library's own. No autolink, no strikethrough.
 * Error: HM_E_INTERNAL: there is no memory. */
int hm_md_parse(hm_str md, const MD_PARSER *p, void *ctx, hm_err *err);

/* --- md_table.c ----------------------------------------------------------- */

/* md, with the row of dashes below the head of each table wide enough for the library; lines stay where they are. In a; md itself where
 * there is nothing to do. */
hm_str hm_md_tables(hm_str md, hm_arena *a);

/* --- md_ids.c ------------------------------------------------------------- */

/* Ids given out on the page that is written from md; {.a, .md} is the beginning. */
typedef struct {
  hm_arena *a;
  hm_str md;
  hm_map counts;          /* id -> how often its text was met */
  bool started;           /* when the first one was asked for */
  hm_map maybe;           /* what looks like the id of an anchor in the Markdown, while `waiting` */
  bool waiting;           /* anchors have not taken their ids yet */
} hm_md_ids;

/* The id for the next heading, which has this text: empty when it has no letter. None is that of an anchor on the page. */
hm_str hm_md_ids_heading(hm_md_ids *ids, hm_str text);

/* The id in the tag of an anchor of ours, <a id="[a-z0-9-]+">, else empty. It is one when the next that is met is its </a>. */
hm_str hm_md_anchor_id(hm_str tag);

/* --- md_entity.c ---------------------------------------------------------- */

/* The character of "&#1234;", "&#x12AB;", "&amp;", "&lt;", "&gt;", "&quot;", "&apos;" or "&nbsp;"; 0 for another name. What is no character
 * is U+FFFD. */
uint32_t hm_md_entity(hm_str entity);
/* A link's target with its entities undone. False: one has a name that is not known here, so where it leads cannot be told. */
bool hm_md_attribute(const MD_ATTRIBUTE *x, hm_arena *a, hm_str *out);

/* --- md_links.c ----------------------------------------------------------- */

/* <a> with its attributes, and true; nothing, when the target is not one that a page may link to. *class_at: the offset in b at which a
 * class may be put in. */
bool hm_md_link_open(hm_buf *b, hm_str url, size_t *class_at);
#endif
