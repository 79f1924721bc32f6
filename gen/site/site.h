/* Everything that is published, as a sorted set of (path, bytes). The steps from fact to site:
 * view -> pages -> model -> Markdown -> HTML -> site.
 *
 * Of every page the model and the Markdown are made; HTML, which costs more, and what follows it
 * are left out where a page is the same as in the last site. When a sink opens, it lists once which
 * files of the last site it still has (hm_sink_files); the list of that site's files
 * (hm_last_site) has their digests. An HTML page is the same when its source is: the digest of the
 * page's Markdown and of the model of its shell. That holds between two sites made with the same
 * inputs besides the store (program, templates, assets, config: the caller compares them). */
#ifndef HM_SITE_H
#define HM_SITE_H
#include "gen/page/view.h"
#include "gen/site/manifest.h"

/* --- what a sink has ------------------------------------------------------------- */

typedef struct {
  hm_str path;
  uint64_t size;
} hm_sink_file;

/* Files of the last site that a sink still has unchanged. */
typedef struct {
  bool all; /* all of them; then files may be empty */
  hm_sink_file *files;
  size_t n; /* by path */
} hm_sink_files;

/* --- files (files.c), and those of the last site (reuse.c) ------------------------ */

typedef struct {
  hm_str path;  /* relative, [A-Za-z0-9._-/], made by the program or from the user's static/ */
  hm_str bytes; /* p is NULL when hm_site_options.take got them, or when held */
  bool held;    /* not made: the sink has the bytes (hm_site_options.present) */
  unsigned char sha256[32];
  unsigned char source[16]; /* of an HTML page, or of a file with hm_raw_file.source: digest of what
                               it is made from; else zeros */
} hm_file;

/* The files of a site, by path. bytes.p is NULL, but in a site that is in memory. */
typedef struct {
  const hm_file *files;
  size_t n;
} hm_last_site;

/* Appends the list as bytes in this machine's byte order, for hm_last_site_read. */
void hm_last_site_write(const hm_last_site *k, hm_buf *out);
/* Returns false when bytes hold no list. Paths are borrowed from bytes, the array lives in a. */
bool hm_last_site_read(hm_str bytes, hm_arena *a, hm_last_site *out);

/* --- a site (site.c) -------------------------------------------------------------- */

typedef struct hm_site {
  hm_file *files;
  size_t n;      /* by path, bytewise */
  size_t n_made; /* those that are not held */
  hm_arena **arenas;
  int n_arenas;
  hm_str digest; /* hex SHA-256 over (path, sha256) of all files but the manifest's */
  size_t pages;
  size_t rendered; /* pages of which a file was made; the others are held */
  hm_str *gone;
  size_t n_gone;         /* paths of options.known that left the site, sorted */
  int64_t changed_pages; /* Markdown files that are new, changed or gone since
                            options.known; -1 when that was NULL */
} hm_site;

/* The user's additions to the theme in every HTML page. Names are those of assets. */
typedef struct {
  hm_str *styles;
  size_t n_styles; /* linked after style.css, in this order */
  hm_str logo;     /* beside the title; empty: none */
  bool scripts;    /* its <head> loads scripts of the site */
} hm_site_house;

typedef struct {
  int threads;
  bool markdown, html; /* which of the two; both by default */
  hm_site_house house;
  const hm_template_file *assets;
  size_t n_assets; /* name: path below assets/; not without html */
  const hm_template_file *statics;
  size_t n_statics; /* name: path at the root of the site */
  /* Takes each page and raw file as soon as it is rendered, from any thread: the bytes are good
   * until it returns, and the site does not keep them. -1 with err ends the build. NULL: the site
   * keeps all. */
  int (*take)(void *ctx, const hm_file *f, hm_err *err);
  void *take_ctx;
  /* The files of the last site in this sink that was made with the same inputs besides the store,
   * and which of them the sink still has; NULL: none. What is in both and the same is held; when
   * known has bytes, a held file gets a copy of them. */
  const hm_last_site *known;
  const hm_sink_files *present;
  size_t file_max; /* a longer list is an index of parts (manifest.h); 0: HM_FILE_MAX */
  /* Called before each page or raw file is rendered, from any thread; it may wait. False ends the
   * build with -1. May be NULL. */
  bool (*proceed)(void *ctx);
  void *proceed_ctx;
  void (*progress)(void *ctx, size_t done, size_t all);
  void *ctx; /* of progress, which any thread may call; progress may be NULL */
} hm_site_options;

/* Renders all pages on all cores, wraps HTML in template "shell.html" (its keys: hmirror-
 * templates(5)), adds raw files, assets, statics, .nojekyll, .gitattributes, 404.html, with an
 * address sitemap.xml and robots.txt, and manifest.json. Checks that paths are unique, that each
 * internal marker is a live link, and that every open, disputed, published conflict has at least
 * one marker (HM_E_INTERNAL naming the offender). Same result for any number of threads. Paths may
 * be borrowed from the view, which must outlive the site. */
int hm_site_build(const hm_view *v, const hm_templates *t, const hm_site_options *opt,
                  hm_site **out, hm_err *err);
void hm_site_free(hm_site *s);
/* Path of the HTML page: "a/README.md" -> "a/index.html", "a/b.md" -> "a/b.html", also before a
 * '#'; other paths unchanged. */
hm_str hm_html_path(hm_str md, hm_arena *a);
/* The file at path, or NULL. */
const hm_file *hm_site_file(const hm_site *s, hm_str path);
/* hm_part_read (manifest.h) of a site that kept its bytes; ctx: the hm_site. */
int hm_site_read_file(void *site, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err);

/* --- a site's markers (site.c, check_dispute_markers.c) --------------------------- */

typedef struct {
  hm_str page, conflict;
} hm_marker; /* path of the page's Markdown; id */

/* Of a page its path and the digest of its model: equal models make equal Markdown. */
typedef struct {
  hm_str path;
  unsigned char model[16];
  bool same; /* as in the site before: its Markdown was not made */
} hm_page_sum;
typedef struct {
  hm_marker *v;
  size_t n; /* each (page, conflict) once, sorted */
  hm_page_sum *pages;
  size_t n_pages;
} hm_site_marks;

/* Lists the markers of a site of v, of which only the Markdown is made; in a. before: the markers
 * of another site by the same templates; pages that are the same in both are not made; NULL: none.
 * Errors: those of hm_site_build. */
int hm_site_markers(const hm_view *v, const hm_templates *t, int threads,
                    const hm_site_marks *before, hm_arena *a, hm_site_marks *out, hm_err *err);
/* Finds the next marker in the Markdown of the page at path and moves *md past its link. *link: the
 * link as written, a slice of *md; *to: the path it leads to, in a, empty when outside the site.
 * Returns false when there is no more. */
bool hm_next_marker(hm_str path, hm_str *md, hm_arena *a, hm_str *link, hm_str *to);

/* --- a draft (draft.c) -------------------------------------------------------------- */
/* A site whose files are rendered one at a time, on request: for a preview, which shows
 * one page of thousands. The bytes are those of hm_site_build. */

typedef struct hm_site_draft hm_site_draft;

/* Whether a draft can give a file. */
typedef enum { HM_FILE_READY, HM_FILE_ABSENT, HM_FILE_LATER } hm_file_state;

/* Lists the pages and renders none. Uses only markdown, html, assets and statics of opt. v, t and
 * what opt points to must outlive the draft. Errors: those of hm_list_pages. */
int hm_site_draft_new(const hm_view *v, const hm_templates *t, const hm_site_options *opt,
                      hm_site_draft **out, hm_err *err);
void hm_site_draft_free(hm_site_draft *d);
size_t hm_site_draft_pages(const hm_site_draft *d);
/* Digest of the files that are neither pages nor data, with which a browser shows the pages. */
hm_str hm_site_draft_assets_digest(const hm_site_draft *d);
/* Returns HM_FILE_READY with the file at path in *out: a page, rendered now, or a file of the user
 * or the theme; HM_FILE_LATER for a data file or manifest, which only hm_site_build makes;
 * HM_FILE_ABSENT for no file; -1 when the page cannot be rendered. Path and bytes live in a or with
 * the draft. Callable from any thread. */
int hm_site_draft_render_file(hm_site_draft *d, hm_str path, hm_arena *a, hm_file *out,
                              hm_err *err);
/* How many pages hm_site_draft_render_file has rendered. */
size_t hm_site_draft_count_rendered(const hm_site_draft *d);

/* --- a site's data files before it is made (draft.c) ---------------------------------- */
/* A publication compares them with the tip. */

/* Receives a data file of rows, of a project's head, or conflicts.json; bytes are valid until the
 * call returns. */
typedef int hm_site_data_fn(void *ctx, hm_str path, hm_str bytes, hm_err *err);

/* Calls each for every such file, in no order; without `rows`, for conflicts.json only. Returns -1
 * with each's err. */
int hm_site_make_data_files(const hm_view *v, bool rows, hm_site_data_fn *each, void *ctx,
                            hm_err *err);
#endif
