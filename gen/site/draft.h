/* A site whose files are made one at a time, when they are asked for: for a preview, which shows
 * one page of thousands. The bytes are those of hm_site_build. */
#ifndef HM_SITE_DRAFT_H
#define HM_SITE_DRAFT_H
#include "gen/site/site.h"

typedef struct hm_site_draft hm_site_draft;

/* Of a file of a draft. */
typedef enum { HM_FILE_READY, HM_FILE_ABSENT, HM_FILE_LATER } hm_file_state;

/* Lists the pages and renders none. Of opt: markdown, html, assets, statics. v, t and what opt
 * points to must outlive the draft. Errors: those of hm_pages_of. */
int hm_site_draft_new(const hm_view *v, const hm_templates *t, const hm_site_options *opt,
                      hm_site_draft **out, hm_err *err);
void hm_site_draft_free(hm_site_draft *d);
size_t hm_site_draft_pages(const hm_site_draft *d);
/* Digest of the files that are neither pages nor data: with them a browser shows the pages. */
hm_str hm_site_draft_assets(const hm_site_draft *d);
/* The file at path, which is rendered now where it is a page, a file of the user's or of the theme:
 * HM_FILE_READY; HM_FILE_LATER: a data file or manifest, which only hm_site_build makes; -1: the
 * page cannot be rendered. Its path and bytes live in a or with the draft. From any thread. */
int hm_site_draft_file(hm_site_draft *d, hm_str path, hm_arena *a, hm_file *out, hm_err *err);
/* How many pages were rendered so. */
size_t hm_site_draft_rendered(const hm_site_draft *d);
#endif
