/* The checks of hm_check_run, and where on the pages things are. Not for others. */
#ifndef HM_CHECK_IMPL_H
#define HM_CHECK_IMPL_H
#include "gen/check/check.h"

/* --- locations: where on the Markdown pages a conflict or a row is to be seen --------- */

typedef struct hm_locations hm_locations;
/* line from 1; 0 in a site without Markdown, whose HTML page it is. */
typedef struct { hm_str path; size_t line; } hm_location;

/* Finds every marker of the site, on all cores. Lives in a; borrows s and v. */
hm_locations *hm_find_locations(const hm_site *s, const hm_view *v, int threads, hm_arena *a);
/* The line of a row's permalink on its list page; line 1 when the template makes none. Path empty:
 * no page lists the row. */
hm_location hm_locate_row(hm_locations *p, uint32_t row);
/* Line 1 of a page, named by its Markdown. */
hm_location hm_locate_page(hm_locations *p, hm_str md);
/* Line 1 of the overview of the project with this id, or of the front page. */
hm_location hm_locate_project(hm_locations *p, hm_str project);
/* The line of a conflict's marker; conflict: index into hm_view_conflicts. rows: its members' rows,
 * the one to be shown first. Best is the marker in such a row on its list page, then one on a
 * project's overview, on any page of a project, anywhere; without a marker (it is no longer
 * disputed) the first row; else line 1 of the conflict's page. */
hm_location hm_locate_conflict(hm_locations *p, uint32_t conflict, const uint32_t *rows, size_t n);

/* --- links: links.c --------------------------------------------------------------------- */

/* Places listed for one address; in all, for each rule. */
enum { HM_LINKS_ALIKE = 10, HM_LINKS_LISTED = 1000 };

/* Reads every .html, .htm and .md file: each link inside the site must lead to a file of it (or a
 * folder with an index.html; in Markdown, any folder), and its fragment to an id of that page: of
 * an element, in Markdown of a heading (as git hosts make them) or of raw HTML. "#top" is always
 * there; fragments of files that are no pages are not checked. Adds an item for each link that
 * leads nowhere, at its line: of equal addresses HM_LINKS_ALIKE; one that the Markdown of an HTML
 * page has as well is listed once. Sets r->pages, links, found. Linear; on all cores; the same for
 * any number of threads. Error: a page over the size that hm_markdown_visit takes. */
int hm_check_links(const hm_check_input *in, hm_report *r, hm_report_list *l, hm_err *err);

/* --- leaks: leaks.c --------------------------------------------------------------------- */

/* Files listed for one text; in all. */
enum { HM_LEAKS_ALIKE = 10, HM_LEAKS_LISTED = 1000 };

/* Searches every byte of every file, and the paths, for the texts that are left out: ids, names,
 * contents, values, sources, tags, scopes and agents of hidden rows, values of hidden properties,
 * hidden projects, and what conflicts recorded of these. See secrets.h for how a text is
 * recognized: in any escaping, case and punctuation.
 *
 * Evidence is a text that nothing published has. Not searched for are: texts of fewer than
 * HM_SECRET_LEAST letters and digits (r->unsearchable); texts that stand as words in a published
 * row, project, conflict or finding (or begin a published name, key, id or time, of which pages
 * show parts), in a built-in template or in check.public (r->published). So an item can be wrong
 * only where a page of the user's own happens to say the same words, and a leak can be missed when
 * it is shorter, rewritten, or in a file that is compressed. r->withheld counts all texts that are
 * left out.
 *
 * Adds an item for each file and text at the first place, which names the row and never the text.
 * Nothing is done, and nothing counted, when nothing is left out. Linear; on all cores; the same
 * for any number of threads. */
void hm_check_leaks(const hm_check_input *in, hm_report *r, hm_report_list *l);

/* --- what commits say: drift.c ------------------------------------------------------------ */

/* The text behind name ("Mirror-Tool: ") on the last line of the message that begins so; borrowed.
 */
hm_str hm_check_trailer(hm_str message, const char *name);
#endif
