/* Converts the mirror's Markdown to HTML (library: cmark-gfm, with GitHub's tables and task lists;
 * no autolinks, no strikethrough). Thread-safe. Pure. */
#ifndef HM_MARKDOWN_H
#define HM_MARKDOWN_H
#include "core/base/err.h"
#include "core/base/str.h"

/* Appends md, Markdown that templates made from escaped facts, to out as an HTML fragment. Differs
 * from CommonMark:
 *  - relative link targets X.md -> X.html and README.md -> index.html (also before '#');
 *  - <a id="[a-z0-9-]+"></a> in the Markdown becomes a node; any other raw HTML becomes escaped
 *    text;
 *  - a link with the exact text "⚠ disputed" gets class="disputed" (the marker), one with "⚠ 3"
 *    class="badge";
 *  - "<details>", "<summary>WORDS</summary>" on the next line, a blank line, and later "</details>"
 *    on its own line fold the text between them; WORDS are letters, digits, spaces and ",.:-";
 *  - links to http(s) get rel="nofollow noopener"; other schemes lose their link;
 *  - an image whose target is a relative path that ends in .svg is shown, <img class="drawing">;
 *    other images become links. A title "LABEL; SIZE", either part alone too, puts it into a box
 *    that scrolls, labelled LABEL, and keeps its room free. SIZE: "596 by 130 pixels", "152 pixels
 *    high" or "about 500 pixels high";
 *  - the code span "`@`" is the text "@" (hm_md_escape writes it so);
 *  - a table is wrapped in <div class="table" role="region" tabindex="0" aria-label="TEXT OF THE
 *    HEADING ABOVE">, has no align attribute, and <th scope="col">; a table of 4 columns or more
 *    has class="table wide", and its cells except the first data-label="TEXT OF ITS HEAD"; a "0" in
 *    a column of numbers has class="zero";
 *  - task boxes get an aria-label;
 *  - headings get id = GitHub's rule (lower case, punctuation dropped, spaces '-', -1, -2 on
 *    repeats).
 * a: working memory; the caller resets it (a new arena for each page is slow).
 * Time is linear in md for everything that hm_md_escape can produce. Error: HM_E_INTERNAL for
 * Markdown over 16 MiB, of more than 100 quotations and lists in one line, or with a table of over
 * 256 columns or 2^20 cells; nothing is appended then. */
int hm_markdown_html(hm_str md, hm_arena *a, hm_buf *out, hm_err *err);
/* Receives a page's links, ids and raw HTML. line: of the Markdown, from 1; for what spans several
 * lines, one of them. The texts live in the arena of the call. */
typedef struct {
  void (*link)(void *ctx, hm_str url, size_t line);  /* of a link or image, escapes undone */
  void (*id)(void *ctx, hm_str id, size_t line);     /* of a heading, as in the HTML */
  void (*html)(void *ctx, hm_str html, size_t line); /* raw HTML: one tag, or a block of lines */
} hm_markdown_visitor;

/* Calls the visitor for each of them, in page order. md may come from anybody.
 * a and errors: as for hm_markdown_html. */
int hm_markdown_visit(hm_str md, hm_arena *a, const hm_markdown_visitor *v, void *ctx, hm_err *err);
/* The GitHub heading id of a plain text, without the repeat counter; for links to "#id". */
hm_str hm_heading_id(hm_arena *a, hm_str text);
/* Identifies the build of cmark-gfm: its version, and the name, size and time of its file, since
 * Debian patches the library without a new version. In a. */
hm_str hm_markdown_library_version(hm_arena *a);
#endif
