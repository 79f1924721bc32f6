/* Where on the Markdown pages a conflict or a row is to be seen. */
#ifndef HM_CHECK_SPOT_H
#define HM_CHECK_SPOT_H
#include "gen/site/site.h"

typedef struct hm_spots hm_spots;
typedef struct {
  hm_str path;
  size_t line;
} hm_spot; /* line from 1; 0 in a site without Markdown, whose HTML page it is */

/* Finds every marker of the site, on all cores. Lives in a; borrows s and v. */
hm_spots *hm_spots_new(const hm_site *s, const hm_view *v, int threads, hm_arena *a);
/* The line of a row's permalink on its list page; line 1 when the template makes none. Path empty:
 * no page lists the row. */
hm_spot hm_spot_row(hm_spots *p, uint32_t row);
/* Line 1 of a page, named by its Markdown. */
hm_spot hm_spot_page(hm_spots *p, hm_str md);
/* Line 1 of the overview of the project with this id, or of the front page. */
hm_spot hm_spot_project(hm_spots *p, hm_str project);
/* The line of a conflict's marker; conflict: index into hm_view_conflicts. rows: its members' rows,
 * the one to be shown first. Best is the marker in such a row on its list page, then one on a
 * project's overview, on any page of a project, anywhere; without a marker (it is no longer
 * disputed) the first row; else line 1 of the conflict's page. */
hm_spot hm_spot_conflict(hm_spots *p, uint32_t conflict, const uint32_t *rows, size_t n);
#endif
