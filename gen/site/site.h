/* Everything that is published, as a sorted set of (path, bytes). The way of a
 * fact reads here: view -> pages -> model -> Markdown -> HTML -> site. */
#ifndef HM_SITE_H
#define HM_SITE_H
#include "gen/site/known.h"
#include "gen/site/manifest.h"

typedef struct {
  hm_str path;  /* relative, '/' between, [A-Za-z0-9._-/] made by us or by the user's static/ */
  hm_str bytes; /* p is NULL when they were handed on (hm_site_options.take) or are held */
  bool held;                 /* not made: the sink has them (hm_site_options.holds) */
  uint32_t names; /* of a folder's manifest (manifest.h): how many files it names; else 0 */
  unsigned char sha256[32];
} hm_file;

typedef struct hm_site {
  hm_file *files; size_t n;  /* by path, bytewise */
  uint32_t *made; size_t n_made;   /* indices of those that are not held */
  hm_arena **arenas; int n_arenas;
  hm_str digest; /* hex SHA-256 over (path, sha256) of what the root's manifest.json names
                    (manifest.h), which settles all but that */
  size_t pages;
  size_t modelled;           /* pages whose model was made; the others were known */
  hm_known known;            /* for the next build; marks are the site's */
  hm_str *gone;
  size_t n_gone;         /* paths of hm_site_options.known that are in the site no more, sorted */
  int64_t changed_pages; /* how many Markdown files are new, changed or gone since the site that was
                            known; -1: none was */
} hm_site;

typedef struct {
  int threads;
  bool markdown, html;       /* which of the two; both by default */
  const hm_template_file *assets;
  size_t n_assets; /* name: path below assets/; left out without html */
  const hm_template_file *statics; size_t n_statics;    /* name: path at the root of the site */
  /* Takes each page and raw file as soon as it is rendered, from any thread: the bytes are good
   * until it returns, and the site does not keep them. -1 with err ends the build. NULL: the site
   * keeps all. */
  int (*take)(void *ctx, const hm_file *f, hm_err *err); void *take_ctx;
  /* What the last site that went to this sink left, made with the same look (known.h); NULL:
   * nothing is known. A page that it knows is not made when the sink has its files: holds says so
   * of a path and digest without bytes, from any thread, and then takes them over. holds NULL: all
   * are made. */
  const hm_known *known;
  bool (*holds)(void *ctx, const hm_file *f); void *holds_ctx;
  const unsigned char *inputs; /* with known, or for the next build: SHA-256 of all that a site is
                                * made with but the store. NULL: a model is made of every page */
  /* Asked before each page or raw file that is rendered, from any thread; it may wait. False ends
   * the build with -1. NULL: it goes on. */
  bool (*proceed)(void *ctx); void *proceed_ctx;
  void (*progress)(void *ctx, size_t done, size_t all);
  void *ctx; /* may be called from any thread; NULL */
} hm_site_options;

/* Renders all pages on all cores, wraps HTML in template "shell.html" (keys: title, root, css, body
 * (raw), breadcrumbs, description, canonical, kind, banner, nav), adds raw files, assets, statics,
 * .nojekyll, 404.html and manifest.json (of a large site one more for each folder), checks that
 * paths are unique and that every internal marker is a live link and every open, disputed,
 * published conflict has at least one marker (HM_E_INTERNAL naming it otherwise). Same result for
 * any number of threads. Paths of pages may be the view's, which has to outlive the site. */
int hm_site_build(const hm_view *v, const hm_templates *t, const hm_site_options *opt,
                  hm_site **out, hm_err *err);
void hm_site_free(hm_site *s);
/* A path that every sink can write: [A-Za-z0-9._-] between single '/', no component "", ".", ".."
 * or ".git" (in any case), at most 255 bytes a component, 1024 bytes and 32 components in all. */
bool hm_site_path_ok(hm_str path);
/* Path of the HTML page: "a/README.md" -> "a/index.html", "a/b.md" -> "a/b.html", also before a
 * '#'; others as they are. */
hm_str hm_html_path(hm_str md, hm_arena *a);
/* The file at path, or NULL. */
const hm_file *hm_site_file(const hm_site *s, hm_str path);
#endif
