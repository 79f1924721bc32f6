/* Do the links of a finished site lead somewhere? */
#ifndef HM_CHECK_LINKS_H
#define HM_CHECK_LINKS_H
#include "core/base/err.h"
#include "gen/check/report.h"
#include "gen/site/site.h"

typedef struct {
  const hm_site *site;
  hm_str base_url;              /* ending in '/', or empty */
  const char *const *keep;
  size_t n_keep; /* publish.keep: paths that a branch has besides; links to them are not followed */
  int threads;
} hm_links_input;

enum {
  HM_LINKS_ALIKE = 10,
  HM_LINKS_LISTED = 1000
}; /* places listed for one address; in all, for each rule */

/* Reads every .html, .htm and .md file: each link inside the site must lead to a file of it (or a
 * folder with an index.html; in Markdown, any folder), and its fragment to an id of that page: of
 * an element, in Markdown of a heading (as git hosts make them) or of raw HTML. "#top" is always
 * there; fragments of files that are no pages are not looked at. Adds an item for each that does
 * not, at its line: of equal addresses HM_LINKS_ALIKE; an HTML page's that its Markdown has as well
 * is not told twice. Sets r->pages, links, found. Linear; on all cores; the same for any number of
 * threads. Error: a page over the size that hm_markdown_visit takes. */
int hm_check_links(const hm_links_input *in, hm_report *r, hm_report_list *l, hm_err *err);
#endif
