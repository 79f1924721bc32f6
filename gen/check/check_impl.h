/* The checks of hm_check_run, and the places of conflicts and rows on pages. Not for others. */
#ifndef HM_CHECK_IMPL_H
#define HM_CHECK_IMPL_H
#include "core/base/str.h"
#include "gen/check/check.h"

/* --- locations of conflicts and rows on the Markdown pages ---------------------------- */

typedef struct hm_locations hm_locations;
/* line: from 1; 0 in a site without Markdown, where path is that of the HTML page. */
typedef struct {
  hm_str path;
  size_t line;
} hm_location;

/* Finds every marker of the site, on all cores. Lives in a; borrows s and v. */
hm_locations *hm_find_locations(const hm_site *s, const hm_view *v, int threads, hm_arena *a);
/* The line of a row's permalink on its list page; line 1 when the template makes none. path is
 * empty when no page lists the row. */
hm_location hm_locate_row(hm_locations *p, uint32_t row);
/* Line 1 of a page, named by its Markdown. */
hm_location hm_locate_page(hm_locations *p, hm_str md);
/* Line 1 of the overview of the project with this id, or of the front page. */
hm_location hm_locate_project(hm_locations *p, hm_str project);
/* The line of a conflict's marker; conflict: index into hm_view_conflicts. rows: its members' rows,
 * the preferred one first. Prefers a marker in such a row on its list page, then one on a project's
 * overview, on any page of a project, anywhere; without a marker (no longer disputed) takes the
 * first row; else line 1 of the conflict's page. */
hm_location hm_locate_conflict(hm_locations *p, uint32_t conflict, const uint32_t *rows, size_t n);

/* --- links: check_links.c --------------------------------------------------------------------- */

/* Most items for one address; for each rule in all. */
enum { HM_LINKS_ALIKE = 10, HM_LINKS_LISTED = 1000 };

/* Reads every .html, .htm and .md file: each link inside the site must lead to a file of it (or a
 * folder with an index.html; in Markdown, any folder), and its fragment to an id of that page: of
 * an element, in Markdown of a heading (as git hosts make them) or of raw HTML. "#top" is always
 * valid; fragments of files that are no pages are not checked. Adds an item for each link that
 * leads nowhere, at its line: of equal addresses HM_LINKS_ALIKE; one that the Markdown of an HTML
 * page has as well is listed once. Sets r->pages, links, found. Linear; on all cores; the same for
 * any number of threads. Error: a page over the size that hm_markdown_visit takes. */
int hm_check_links(const hm_check_input *in, hm_report *r, hm_report_list *l, hm_err *err);

/* --- leaks: check_leaks.c --------------------------------------------------------------------- */

/* Most files listed for one text; in all. */
enum { HM_LEAKS_ALIKE = 10, HM_LEAKS_LISTED = 1000 };

/* Searches every byte of every file, and the paths, for the withheld texts: ids, names, contents,
 * values, sources, tags, scopes and agents of hidden rows, values of hidden properties, hidden
 * projects, and the records of these in conflicts. withheld.h tells how a text is recognized: in
 * any escaping, case and punctuation.
 *
 * Does not search for texts of fewer than HM_WITHHELD_LEAST letters and digits (r->unsearchable),
 * nor for texts that are also published (r->published): those that stand as words in a published
 * row, project, conflict, flag or finding of the program, in a title or a line that pages compose
 * of these (or begin a published name, key, id or time, of which pages show parts), in a built-in
 * template or in check.public. So a false alarm needs a page of the user's own with the same words,
 * or a sentence of the program's own, and a leak can be missed when it is shorter, rewritten, or in
 * a compressed file. r->withheld counts all withheld texts.
 *
 * Adds an item for each file and text, at the first place; it names the row and never the text.
 * Does nothing when nothing is withheld. Linear; on all cores; the same for any number of
 * threads. */
void hm_check_leaks(const hm_check_input *in, hm_report *r, hm_report_list *l);

/* --- links of HTML (html_link_scan.c) --------------------------------------------------------- */

/* Resolves links, and finds the links of HTML. Pure. */

typedef enum {
  HM_LINK_ELSEWHERE, /* another site, mailto:, data: and the like */
  HM_LINK_INSIDE,    /* path and fragment are set */
  HM_LINK_OUTSIDE    /* a relative link that leaves the site */
} hm_link_kind;

typedef struct {
  hm_str path;     /* of the site, "" its root; a folder's ends in '/' when the link's did */
  hm_str fragment; /* without '#'; empty when there is none */
  bool here;       /* the page itself: the link is only a fragment or a query */
} hm_link_target;

/* Resolves url on the page `from` ("projects/p05/README.md"): RFC 3986 section 5, percent-encoding
 * undone. base_url: the site's address, ending in '/', or empty; a URL that begins with it is
 * inside. A path from the root of the host ("/x") is inside when it is below base_url's; without
 * base_url the site is assumed to be at the root. */
hm_link_kind hm_link_resolve(hm_str from, hm_str url, hm_str base_url, hm_arena *a,
                             hm_link_target *out);

/* Decodes a character reference at s.p[i] == '&'. Returns its length in bytes (0: unknown) and its
 * code point. Knows numeric ones, and amp, lt, gt, quot, apos, nbsp. */
size_t hm_decode_char_reference(hm_str s, size_t i, uint32_t *cp);

typedef struct {
  /* href, src, srcset, poster, action, data: character references undone. */
  void (*link)(void *ctx, hm_str url, size_t line);
  void (*id)(void *ctx, hm_str id, size_t line); /* id of an element, name of an <a> */
  void (*base)(void *ctx, hm_str url);           /* <base href> */
} hm_html_visitor;

/* Calls the visitor for the links and ids in the tags of html, which may be hostile or broken.
 * Skips comments, script, style and other raw text, and an unterminated tag. line: the number of
 * the first line. Linear. */
void hm_html_visit(hm_str html, size_t line, hm_arena *a, const hm_html_visitor *v, void *ctx);
#endif
