/* Which pages carry a marker, and for which conflict. */
#ifndef HM_MARKERS_H
#define HM_MARKERS_H
#include "gen/site/site.h"

typedef struct { hm_str page, conflict; } hm_marker;   /* path of the page's Markdown; id */

/* Of the site that k tells of, which was made from v. By (page, conflict), each pair once; in a. */
void hm_markers_of(const hm_known *k, const hm_view *v, hm_arena *a, hm_marker **out, size_t *n);
/* The next marker in the Markdown of the page at path, which is stepped past up to its link: the
 * link as written, a slice of *md, and the path that it leads to, empty when that is none of the
 * site's; in a. False: there is no more. */
bool hm_next_marker(hm_str path, hm_str *md, hm_arena *a, hm_str *link, hm_str *to);
#endif
