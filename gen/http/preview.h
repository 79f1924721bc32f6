/* The mirror as it would be published, kept up to date while it is looked at.
 *
 * A thread asks a few times a second whether store, config, templates, theme or static files have
 * changed, and builds the site again when they have. A build is shown as soon as the store is read
 * and the pages are laid out: the page that somebody asks for is rendered at once, the rest by a
 * thread in the background, which waits while anybody asks. A change ends what is still rendering.
 * Readers keep the build that they have; it is freed when the last one gives it back. A build that
 * fails, at once or in the background, leaves the one before it and says why.
 *
 * Without readers nothing is built: a store that only programs write is not read again for each
 * write. The next reader gets a new build.
 *
 * Looking writes nothing: the disputes of a build are those that a sweep would record, with the ids
 * that it would give them, and they are recorded when somebody asks for it (a sweep, a write, a
 * button of the review form). */
#ifndef HM_PREVIEW_H
#define HM_PREVIEW_H
#include "gen/mirror/watch.h"
#include "gen/site/site.h"
#include "gen/site/verdict_dry_run.h"

/* One build. What the sweep behind the view borrows from lives as long. */
typedef struct {
  const hm_view *view;
  const hm_rules *rules;     /* by which the sweep compared */
  const hm_templates *templates;
  const unsigned char *inputs;   /* with which the site is made; hm_site_options */
  int threads;
  hm_str assets;             /* digest of the files with which pages are looked at */
  void *own;                 /* the builder's */
} hm_preview_build;

/* Who builds, from everything as it is now. Given by gen/cli. */
typedef struct {
  void *ctx;
  /* Reads the store and lays out the pages. Adds to `w` what it is about to read, also when it then
   * fails. Called by one thread at a time. */
  int (*begin)(void *ctx, hm_watcher *w, hm_preview_build *out, hm_err *err);
  /* The file at path, rendered now where it is a page: a hm_file_state, LATER for what only the
   * whole site has; -1 with err. Its bytes live in a or as long as the build. From any thread. */
  int (*file)(void *ctx, const hm_preview_build *b, hm_str path, hm_arena *a, hm_file *out,
              hm_err *err);
  /* Renders the whole site, which lives as long as the build; `before` is the last one that was
   * (NULL: none), for what is unchanged. proceed is asked before each page, from any thread, and
   * may wait; when it says false, this ends soon, with -1. */
  int (*finish)(void *ctx, const hm_preview_build *b, const hm_preview_build *before,
                bool (*proceed)(void *), void *proceed_ctx, const hm_site **out, hm_err *err);
  /* Frees a build; from any thread, while another one may begin. */
  void (*free)(void *ctx, hm_preview_build *b);
  /* A build was begun, or failed (b NULL) for the reason in problem. For messages. */
  void (*report)(void *ctx, const hm_preview_build *b, const hm_err *problem, double seconds);
} hm_preview_builder;

typedef struct hm_preview hm_preview;

/* Whom the preview tells about new builds. */
typedef struct {
  void *ctx;
  void (*changed)(void *ctx);      /* something else is shown; by one of the preview's threads */
  bool (*looks)(void *ctx);        /* a browser waits for events */
} hm_preview_listener;

/* Begins the first build at once, then starts the thread. A first build that fails is no error
 * here: hm_preview_acquire returns it as the problem. Error: HM_E_INTERNAL when there can be no
 * thread. */
int hm_preview_start(const hm_preview_builder *builder, const hm_store_source *store,
                     const hm_preview_listener *who, hm_preview **out, hm_err *err);
/* Ends the threads (a build that begins is waited for) and frees all. Every reference must have
 * been given back. */
void hm_preview_stop(hm_preview *p);

/* What a reader has in hand. */
typedef struct hm_preview_version hm_preview_version;
typedef struct {
  const hm_preview_build *build; /* NULL: none has succeeded yet */
  const hm_err *problem;         /* NULL: the newest build succeeded, and is the build */
  hm_preview_version *version;
} hm_preview_ref;

/* The newest build there is. Waits for one, ten seconds at most, only when something had changed
 * while nobody looked (no reference was taken for half a minute, nor did `looks` say so). Give
 * every reference back. From any thread. */
hm_preview_ref hm_preview_acquire(hm_preview *p);
void hm_preview_release(hm_preview *p, hm_preview_ref *r);
/* The file at path: HM_FILE_READY with *out, whose bytes live in a or as long as the reference;
 * HM_FILE_ABSENT; -1 with err. What only the whole site has, and what cannot be rendered, is waited
 * for, a minute at most (HM_E_BUSY); *r is the newest build then. */
int hm_preview_file(hm_preview *p, hm_preview_ref *r, hm_str path, hm_arena *a, hm_file *out,
                    hm_err *err);
/* Begins a build now, and waits until one that began after the call is shown, or ms have passed
 * (false). Not from the builder or the listener. */
bool hm_preview_rebuild(hm_preview *p, int ms);
/* hm_try_verdict on the pages of the build, of which there must be one. */
int hm_preview_try_verdict(hm_preview *p, const hm_preview_ref *r, hm_store *s,
                           hm_dry_run_verdict *give, void *ctx, hm_arena *a, hm_verdict_report *out,
                           hm_err *err);
#endif
