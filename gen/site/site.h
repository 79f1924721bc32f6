/* Everything that is published, as a sorted set of (path, bytes). The steps from fact to site:
 * view -> pages -> model -> Markdown -> HTML -> site.
 *
 * Unchanged pages are skipped. When a sink opens, it lists once which files of the last site it
 * still has (hm_sink_files); the record of that site (hm_last_site) shows which pages the next site
 * can skip. If two sites are made with the same inputs besides the store (program, templates,
 * assets, config: the caller compares them), a page with the same path and digest of inputs has
 * the same bytes, from any store. */
#ifndef HM_SITE_H
#define HM_SITE_H
#include "gen/page/page.h"
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

/* --- the record of the last site (reuse.c) --------------------------------------- */

typedef struct {
  uint64_t size;
  unsigned char sha256[32];
} hm_last_bytes;

enum { HM_FORM_MD, HM_FORM_HTML, HM_FORMS };

typedef struct {
  hm_str path;  /* of its Markdown */
  hm_str marks; /* paths of the conflicts' pages that its markers lead to, each with a line end */
  hm_hash128 inputs; /* digest of what its model is made from; zero: unknown */
  hm_last_bytes form[HM_FORMS];
} hm_last_page;

/* inputs: digest of what a data file is made from; zero: unknown. */
typedef struct {
  hm_str path;
  hm_last_bytes is;
  hm_hash128 inputs;
} hm_last_file;

typedef struct {
  uint64_t seed; /* of the digests of inputs; secret, so that nobody can craft facts whose digests
                    collide */
  hm_last_page *pages;
  size_t n_pages; /* by path */
  hm_last_file *others;
  size_t n_others; /* all other files but manifest.json, by path */
} hm_last_site;

/* Appends the record as bytes in this machine's byte order, for hm_last_site_read. */
void hm_last_site_write(const hm_last_site *k, hm_buf *out);
/* Returns false when bytes hold no record. Strings are borrowed from bytes, arrays live in a. */
bool hm_last_site_read(hm_str bytes, hm_arena *a, hm_last_site *out);
/* The page at path, or the other file, or NULL. */
const hm_last_page *hm_last_site_find_page(const hm_last_site *k, hm_str path);
const hm_last_file *hm_last_site_find_file(const hm_last_site *k, hm_str path);

/* --- a site (site.c, files.c) ---------------------------------------------------- */

typedef struct {
  hm_str path;  /* relative, [A-Za-z0-9._-/], made by the program or from the user's static/ */
  hm_str bytes; /* p is NULL when hm_site_options.take got them, or when held */
  bool held;    /* not made: the sink has the bytes (hm_site_options.present) */
  unsigned char sha256[32];
} hm_file;

typedef struct hm_site {
  hm_file *files;
  size_t n; /* by path, bytewise */
  uint32_t *made;
  size_t n_made; /* indices of the files that are not held */
  hm_arena **arenas;
  int n_arenas;
  hm_str digest; /* hex SHA-256 over (path, sha256) of all files but the manifest's */
  size_t pages;
  size_t modelled;    /* pages whose model was made; the others were skipped */
  hm_last_site known; /* for the next build; the site owns its marks */
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
  /* The record of the last site in this sink that was made with the same inputs besides the store,
   * and which of its files the sink still has; NULL: none. An unchanged page in both is skipped. */
  const hm_last_site *known;
  const hm_sink_files *present;
  bool digest_inputs; /* with known, or for the next build: digests what each page is made from */
  /* Digests of the view's rows, with the seed of known: a caller that also calls
   * hm_site_make_data_files sets them, so that rows are digested once. NULL: made when needed. */
  const hm_page_inputs *rows;
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

/* --- a site's markers (check_dispute_markers.c) ----------------------------------- */

typedef struct {
  hm_str page, conflict;
} hm_marker; /* path of the page's Markdown; id */

/* Lists the markers of the site recorded in k, built from v: each (page, conflict) once, sorted; in
 * a. */
void hm_collect_markers(const hm_last_site *k, const hm_view *v, hm_arena *a, hm_marker **out,
                        size_t *n);
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

/* Receives a data file of rows, of a project's head, or conflicts.json. bytes: NULL when it is
 * unchanged since the last site; valid until the call returns. */
typedef int hm_site_data_fn(void *ctx, hm_str path, hm_str bytes, hm_err *err);

/* Calls each for every such file, in no order; without `rows`, for conflicts.json only. Uses known,
 * present and inputs of opt to skip making unchanged files. Returns -1 with each's err. */
int hm_site_make_data_files(const hm_view *v, const hm_site_options *opt, bool rows,
                            hm_site_data_fn *each, void *ctx, hm_err *err);
#endif
