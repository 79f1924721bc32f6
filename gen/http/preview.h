/* A preview of the mirror, kept up to date while somebody reads it.
 *
 * A thread polls store, config, templates, theme and static files a few times a second, and builds
 * the site again when they changed. A build is shown as soon as the store is read and the pages are
 * listed: a requested page is rendered at once, the others by a background thread, which waits
 * during requests. A change ends a running background rendering. Readers keep the build that they
 * have; it is freed when the last one releases it. A build that fails, at once or in the
 * background, keeps the build before it and reports the error.
 *
 * Without readers nothing is built, so that not every write of a program causes a build. The next
 * reader gets a new build.
 *
 * A preview writes nothing: its disputes are those that a sweep would record, with the ids that it
 * would give them. A sweep, a write, or a button of the review form records them. */
#ifndef HM_PREVIEW_H
#define HM_PREVIEW_H
#include "gen/mirror/watch.h"
#include "gen/site/site.h"
#include "gen/site/verdict_dry_run.h"

/* One build. The memory that the view's sweep borrows lives as long as the build. */
typedef struct {
  const hm_view *view;
  const hm_rules *rules; /* the rules of the sweep */
  const hm_templates *templates;
  int threads;
  hm_str assets; /* hm_site_draft_assets_digest */
  void *own;     /* the builder's */
} hm_preview_build;

/* Builds the site from its current inputs. gen/verbs provides it. */
typedef struct {
  void *ctx;
  /* Reads the store and lists the pages. Adds to `w` the paths that it is about to read, also when
   * it then fails. Called by one thread at a time. */
  int (*begin)(void *ctx, hm_watcher *w, hm_preview_build *out, hm_err *err);
  /* Gives the file at path, a page rendered now. Returns a hm_file_state, LATER for files that only
   * the whole site has; -1 with err. Its bytes live in a or as long as the build. Called from any
   * thread. */
  int (*file)(void *ctx, const hm_preview_build *b, hm_str path, hm_arena *a, hm_file *out,
              hm_err *err);
  /* Renders the whole site, which lives as long as the build; copies unchanged files from `before`,
   * the last build with a whole site (NULL: none). Calls proceed before each page, from any thread;
   * it may wait; when it returns false, this soon returns -1. */
  int (*finish)(void *ctx, const hm_preview_build *b, const hm_preview_build *before,
                bool (*proceed)(void *), void *proceed_ctx, const hm_site **out, hm_err *err);
  /* Frees a build; called from any thread, while another build may begin. */
  void (*free)(void *ctx, hm_preview_build *b);
  /* For messages: a build began, or failed (b NULL) with problem. */
  void (*report)(void *ctx, const hm_preview_build *b, const hm_err *problem, double seconds);
} hm_preview_builder;

typedef struct hm_preview hm_preview;

/* Receives news of builds. */
typedef struct {
  void *ctx;
  void (*changed)(void *ctx); /* the shown build or problem changed; from a preview's thread */
  bool (*looks)(void *ctx);   /* true when a browser waits for events */
} hm_preview_listener;

/* Begins the first build, then starts the thread. A failed first build is no error here:
 * hm_preview_acquire returns it as the problem. Error: HM_E_INTERNAL when no thread can be
 * started. */
int hm_preview_start(const hm_preview_builder *builder, const hm_store_source *store,
                     const hm_preview_listener *who, hm_preview **out, hm_err *err);
/* Ends the threads, after waiting for a running `begin`, and frees everything. Every reference must
 * have been released. */
void hm_preview_stop(hm_preview *p);

/* A reader's reference to a build. */
typedef struct hm_preview_version hm_preview_version;
typedef struct {
  const hm_preview_build *build; /* NULL: none has succeeded yet */
  const hm_err *problem;         /* NULL: `build` is the newest build */
  hm_preview_version *version;
} hm_preview_ref;

/* Returns the newest build. Waits for a new one, ten seconds at most, only when something changed
 * while nobody read (no reference was taken for half a minute, and `looks` was false). Release
 * every reference. Callable from any thread. */
hm_preview_ref hm_preview_acquire(hm_preview *p);
void hm_preview_release(hm_preview *p, hm_preview_ref *r);
/* Gives the file at path: returns HM_FILE_READY with *out, whose bytes live in a or as long as the
 * reference; HM_FILE_ABSENT; -1 with err. For a file that only the whole site has, or that cannot
 * be rendered, waits for the site, a minute at most (HM_E_BUSY); *r is the newest build then. */
int hm_preview_file(hm_preview *p, hm_preview_ref *r, hm_str path, hm_arena *a, hm_file *out,
                    hm_err *err);
/* Begins a build now, and waits until one that began after the call is shown. Returns false after
 * ms. Not to be called from the builder or the listener. */
bool hm_preview_rebuild(hm_preview *p, int ms);
/* hm_try_verdict on the pages of r->build, which must not be NULL. */
int hm_preview_try_verdict(const hm_preview_ref *r, hm_store *s, hm_dry_run_verdict *give,
                           void *ctx, hm_arena *a, hm_verdict_report *out, hm_err *err);
#endif
