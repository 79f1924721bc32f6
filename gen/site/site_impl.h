/* Shared by the files of gen/site; each file uses those before it. Not for other folders. */
#ifndef HM_SITE_IMPL_H
#define HM_SITE_IMPL_H
#include <stdatomic.h>
#include "core/base/str.h"
#include "gen/page/view.h"
#include "gen/site/manifest.h"
#include "gen/site/site.h"

/* Shared by all pages of one build; immutable while pages are rendered. */
typedef struct {
  const hm_view *v;
  const hm_templates *t;
  const hm_site_options *opt;
  hm_str title, base_url, tool; /* base_url ends in '/' or is empty */
  bool search;                  /* the site has search.html */
  const hm_pages *pages;
  const hm_conflict_rec **conflicts;
  size_t n_conflicts;
  hm_map conflict_at; /* path of a conflict's page -> index into conflicts */
  hm_page_sum *sums;  /* parallel to pages, filled as they are made; NULL: not asked for */
  const hm_site_marks *before;
  hm_map before_at; /* path -> index into before->pages */
} hm_build;

/* A marker: a page, and the conflict that it leads to, by their indices. */
typedef struct {
  uint32_t page, conflict;
} hm_mark_link;

/* The working memory of one thread. */
typedef struct {
  hm_arena *keep;    /* for what becomes part of the site */
  hm_arena *scratch; /* for one page; reset after it */
  hm_buf md, body, html;
  hm_mark_link *marks; /* of the pages that this thread made */
  size_t n_marks, cap_marks;
  size_t rendered; /* pages of which it made a file */
  hm_err failure;
  size_t failed_at; /* the last item of a loop that failed, and why */
} hm_render_worker;

enum { HM_RENDER_WORKERS_MAX = 64 };

/* The parts of a raw file that is a long list. */
typedef struct {
  hm_file *parts;
  size_t n_parts;
} hm_raw_work;

/* One site in the making. */
typedef struct {
  hm_build b;
  hm_arena *a; /* of the whole site */
  hm_render_worker workers[HM_RENDER_WORKERS_MAX];
  int n_workers;
  hm_file *rendered; /* a slot for each page and form, HTML first, then the raw files */
  size_t forms;      /* files a page becomes */
  hm_raw_work *raws; /* parallel to raw files */
  atomic_size_t done;
  hm_site *site;
} hm_work;

/* files.c: makes a file of the site, with its digest. hm_make_site_file copies bytes into a,
 * hm_wrap_site_file borrows them. */
hm_file hm_make_site_file(hm_arena *a, hm_str path, hm_str bytes);
hm_file hm_wrap_site_file(hm_arena *a, hm_str path, hm_str bytes);
/* For qsort and bsearch: compares two hm_file by path. */
int hm_site_file_compare(const void *x, const void *y);
/* The address of an HTML page, without "index.html", as servers show it. */
hm_str hm_page_address(hm_str base, hm_str html, hm_arena *a);

/* sitemap_robots.c: files for search engines, for a site with an address. */
/* Makes sitemap.xml and robots.txt. sitemap.xml lists the address of each HTML page, sorted by path
 * and without dates: it changes only when a page comes or goes. When it would be longer than max
 * bytes or 50,000 addresses, it is an index of sitemap-1.xml and so on, each within both limits.
 * robots.txt allows everything and names sitemap.xml. base ends in '/'. Returns the number of files
 * in *out; all in a. */
size_t hm_sitemap_files(const hm_pages *pages, hm_str base, size_t max, hm_arena *a,
                        hm_file_part **out);

/* check_dispute_markers.c */
/* Checks that every marker in the page leads to the page of a conflict; adds them to h->marks.
 * Fails with HM_E_INTERNAL naming the page. */
int hm_check_markers(const hm_build *b, const hm_page *p, hm_str md, hm_render_worker *h,
                     hm_err *err);
/* Checks that a marker leads to every open, disputed conflict. Fails with HM_E_INTERNAL naming the
 * conflict. */
int hm_check_conflicts_marked(const hm_work *w, hm_err *err);
/* The markers of the pages that were made, and of those that are the same as before. */
void hm_collect_markers(const hm_work *w, hm_arena *a, hm_site_marks *out);
/* Checks that paths are valid and unique, and that none is the folder of another. Does not check
 * files that the sink has: the build that made them did. */
int hm_check_paths(const hm_build *b, const hm_site *s, hm_err *err);

/* shell.c: the model of the shell of an HTML page, without its body; the body, with the table of
 * contents, which is made from it. */
hm_node *hm_build_shell_model(const hm_build *b, const hm_page *p, const hm_node *page,
                              hm_arena *a);
void hm_shell_set_body(hm_node *shell, const hm_page *p, hm_str body, hm_arena *a);
hm_node *hm_build_shell_model_404(const hm_build *b, hm_arena *a);

/* reuse.c: what is the same as in the last site. */
/* Fills *out when the last site's file at this path is made from this source and the sink still has
 * it. path must live as long as the site; copies of bytes are in keep. */
bool hm_reuse_file(const hm_build *b, hm_str path, const unsigned char source[16], hm_arena *keep,
                   hm_file *out);
/* The same by the digest of the bytes, for a file that is made. */
bool hm_reuse_bytes(const hm_build *b, hm_file *f, hm_arena *keep);
/* Fills s->gone, s->n_made and s->changed_pages from s->files, which must be complete and sorted.
 */
void hm_reuse_find_changes(const hm_build *b, hm_site *s, hm_arena *a);

/* render.c: fills w->rendered, w->raws and the workers' marks. */
int hm_render_all(hm_work *w, hm_err *err);
/* What is to come of the i-th call of a loop of workers: rc, and of one that failed why. */
int hm_render_note_failure(hm_render_worker *h, size_t i, int rc, const hm_err *why);
/* Why such a loop failed at this item. To call it again would not tell, since what it has handed on
 * by then is there. Returns -1. */
int hm_render_failure(const hm_work *w, size_t failed, hm_err *err);
/* Model, Markdown, HTML, each held where it is the same as in the last site. Either out may be
 * NULL.
 */
int hm_render_page(const hm_build *b, const hm_page *p, hm_render_worker *h, hm_file *md,
                   hm_file *html, hm_err *err);
/* Finishes a file: held when it is the same as in the last site, else given to opt->take, or with
 * its bytes in h->keep. source: of hm_file; NULL: none. */
int hm_finish_file(const hm_build *b, hm_render_worker *h, hm_str path, hm_str bytes,
                   const unsigned char *source, hm_file *out, hm_err *err);
int hm_render_404(const hm_build *b, hm_render_worker *h, hm_file *out, hm_err *err);

/* site.c: what a build needs before its pages are listed, and after. */
void hm_build_begin(hm_build *b, const hm_view *v, const hm_templates *t,
                    const hm_site_options *opt, hm_arena *a);
void hm_build_index_conflicts(hm_build *b, hm_arena *a);
/* The page whose Markdown is at path, or NULL. */
const hm_page *hm_build_page_at(const hm_build *b, hm_str path);
/* Frees everything except `keep`. */
void hm_render_worker_free(hm_render_worker *h);
#endif
