/* Markdown of ours to HTML of ours (library: cmark-gfm, with GitHub's tables and task lists; no
 * autolink, no strikethrough). Thread-safe. Pure. */
#ifndef HM_MARKDOWN_H
#define HM_MARKDOWN_H
#include "core/base/err.h"
#include "core/base/str.h"

/* md: Markdown made by our templates from escaped facts. out: HTML fragment, appended. What it adds
 * to CommonMark:
 *  - relative link targets X.md -> X.html and README.md -> index.html (also before '#');
 *  - <a id="[a-z0-9-]+"></a> in the Markdown becomes a node; any other raw HTML becomes escaped
 *    text;
 *  - a link with the exact text "⚠ disputed" gets class="disputed" (the marker), one with "⚠ 3"
 *    class="badge";
 *  - "<details>", "<summary>WORDS</summary>" on the next line, a blank line, and later "</details>"
 *    by itself fold what is between them; WORDS are letters, digits, spaces and ",.:-";
 *  - links to http(s) get rel="nofollow noopener"; other schemes lose their link;
 *  - an image whose target is a relative path that ends in .svg is shown, <img class="drawing">;
 *    other images become links;
 *  - the code span "`@`" is the text "@" (hm_md_escape writes it so);
 *  - a table is wrapped in <div class="table" role="region" tabindex="0" aria-label="TEXT OF THE
 *    HEADING ABOVE">, no align attribute, and <th scope="col">; one of 4 columns or more has
 *    class="table wide", and each cell of it but the first data-label="TEXT OF ITS HEAD"; a "0" in
 *    a column of numbers has class="zero";
 *  - task boxes get an aria-label;
 *  - headings get id = GitHub's rule (lower case, punctuation dropped, spaces '-', -1, -2 on
 *    repeats).
 * a: memory for the while, to be reset by the caller: a new arena a page costs more than it sounds.
 * Time is linear in md for everything that hm_md_escape can produce. Error: HM_E_INTERNAL for
 * Markdown over 16 MiB, of more than 100 quotations and lists in one line, or with a table of over
 * 256 columns or 2^20 cells; nothing is appended then. */
int hm_markdown_html(hm_str md, hm_arena *a, hm_buf *out, hm_err *err);
/* What a page holds that leads somewhere or can be led to. line: of the Markdown, from 1; of what
 * spans several, one of them. The texts live in the arena of the call. */
typedef struct {
  void (*link)(void *ctx, hm_str url, size_t line);    /* of a link or image, escapes undone */
  void (*id)(void *ctx, hm_str id, size_t line);       /* of a heading, as in the HTML */
  void (*html)(void *ctx, hm_str html, size_t line);   /* raw HTML: one tag, or a block of lines */
} hm_markdown_visitor;

/* Calls the visitor for all of them, in the order of the page. The Markdown may be anybody's.
 * a: as for hm_markdown_html. Error: as above. */
int hm_markdown_visit(hm_str md, hm_arena *a, const hm_markdown_visitor *v, void *ctx, hm_err *err);
/* The GitHub heading id of a plain text, without the repeat counter; for links to "#id". */
hm_str hm_heading_id(hm_arena *a, hm_str text);
/* Distinguishes versions of the library that makes the HTML: its version, and since
 * Debian mends it without a new one, the name, size and time of its file. In a. */
hm_str hm_markdown_library_version(hm_arena *a);
#endif
