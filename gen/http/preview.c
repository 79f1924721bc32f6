/* The preview's two threads. One watches, and begins builds one by one. The other renders the
 * remaining pages of the shown build; it is stopped before the next build begins, so that a change
 * never waits for pages that nobody requested. One lock guards everything that both and the readers
 * share. */
#include "core/base/par.h"
#include "gen/http/preview.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  POLL_MS = 100,     /* between two looks at what is watched */
  SETTLE_MS = 30,    /* between two looks while something changes */
  PATIENCE_MS = 500, /* inputs that never stop changing are built this often */
  LINGER_MS = 30000, /* a reader counts as present for this long after it took a reference */
  STALE_MS = 10000,  /* how long a reader waits when there is only an old build */
  WHOLE_MS = 60000,  /* how long a reader waits for the whole site */
  QUIET_MS = 200,    /* pause after a change and after a page: readers may request others */
  YIELD_MS = 3000    /* longest time for which the rest of a build waits for requests */
};

typedef enum { RENDERING, WHOLE, GIVEN_UP } version_state;

/* A build, or the failure of one. */
struct hm_preview_version {
  unsigned readers;       /* the preview itself is one */
  hm_preview_version *of; /* whose build this shows: itself; of a failure, the one before */
  hm_preview_build build;
  version_state state;
  const hm_site *site; /* once it is WHOLE */
  hm_err problem;      /* of a failure */
};

struct hm_preview {
  hm_preview_builder builder;
  hm_preview_listener who;
  hm_watcher *watcher;
  pthread_t thread, renderer;
  pthread_mutex_t lock;
  pthread_cond_t wake, built, gate;
  hm_preview_version *shown, *whole; /* the newest; the last one that was rendered as a whole */
  hm_preview_version *before; /* shown before the newest, if that had not failed nor was whole */
  uint64_t asked, served;     /* renewals */
  int64_t looked;             /* when the last reference was taken */
  bool stale;                 /* something changed, and nobody looked */
  bool stop;
  bool renders, cancel, urgent; /* the renderer runs, has to end, has to wait for nobody */
  int asking;                   /* readers whose page is being rendered */
  int64_t quiet, yields;        /* until when the renderer waits: since nobody asked; at all */
};

/* The lock is held. */
static void wait_ms(hm_preview *p, pthread_cond_t *what, int64_t ms) {
  const struct timespec t = hm_cond_deadline(ms);
  pthread_cond_timedwait(what, &p->lock, &t);
}

/* --- builds and their readers -------------------------------------------------------- */

/* The lock is held. */
static hm_preview_version *acquire_version(hm_preview_version *v) {
  if (v)
    v->readers++;
  return v;
}

static void release_version(hm_preview *p, hm_preview_version *v) {
  while (v) {
    pthread_mutex_lock(&p->lock);
    bool last = --v->readers == 0;
    pthread_mutex_unlock(&p->lock);
    if (!last)
      return;
    hm_preview_version *of = v->of;
    if (of == v)
      p->builder.free(p->builder.ctx, &v->build);
    free(v);
    v = of == v ? NULL : of;
  }
}

static hm_preview_ref newest_version(hm_preview *p) {
  pthread_mutex_lock(&p->lock);
  hm_preview_version *v = acquire_version(p->shown);
  pthread_mutex_unlock(&p->lock);
  return (hm_preview_ref){ .build = v->of ? &v->of->build : NULL,
                           .problem = v->of == v ? NULL : &v->problem,
                           .version = v };
}

hm_preview_ref hm_preview_acquire(hm_preview *p) {
  pthread_mutex_lock(&p->lock);
  p->looked = hm_clock_ms();
  bool stale = p->stale;
  pthread_mutex_unlock(&p->lock);
  if (stale)
    hm_preview_rebuild(p, STALE_MS);
  return newest_version(p);
}

void hm_preview_release(hm_preview *p, hm_preview_ref *r) {
  release_version(p, r->version);
  *r = (hm_preview_ref){ 0 };
}

static void show_version(hm_preview *p, hm_preview_version *v) {
  pthread_mutex_lock(&p->lock);
  hm_preview_version *old = p->shown;
  p->shown = v;
  p->quiet = hm_clock_ms() + QUIET_MS;
  p->yields = hm_clock_ms() + YIELD_MS;
  pthread_mutex_unlock(&p->lock);
  release_version(p, old);
}

/* Keeps the build that `of` shows (NULL: none), and shows the problem with it. */
static void show_problem(hm_preview *p, hm_preview_version *of, const hm_err *problem) {
  hm_preview_version *v = memset(hm_xmalloc(sizeof *v), 0, sizeof *v);
  pthread_mutex_lock(&p->lock);
  *v = (hm_preview_version){ .readers = 1,
                             .of = acquire_version(of ? of->of : NULL),
                             .problem = *problem };
  pthread_mutex_unlock(&p->lock);
  show_version(p, v);
}

/* --- the rest of a build -------------------------------------------------------------- */

/* Called before each page. */
static bool may_proceed(void *ctx) {
  hm_preview *p = ctx;
  pthread_mutex_lock(&p->lock);
  for (int64_t left; !p->cancel && !p->urgent && hm_clock_ms() < p->yields;) {
    left = p->asking ? POLL_MS : p->quiet - hm_clock_ms();
    if (left <= 0)
      break;
    wait_ms(p, &p->gate, left);
  }
  bool go = !p->cancel;
  pthread_mutex_unlock(&p->lock);
  return go;
}

/* The newest build is whole, or has failed. */
static void end_version(hm_preview *p, hm_preview_version *v, const hm_site *site) {
  hm_preview_version *whole = NULL, *before = NULL;
  pthread_mutex_lock(&p->lock);
  if (site) {
    whole = p->whole;
    before = p->before;
    p->whole = acquire_version(v);
    p->before = NULL;
  }
  v->site = site;
  v->state = site ? WHOLE : GIVEN_UP;
  pthread_mutex_unlock(&p->lock);
  release_version(p, whole);
  release_version(p, before);
}

/* Renders the shown build. *back: it failed, and the one before it, which is shown now, is not
 * whole either. */
static void render_whole_site(hm_preview *p, bool *back) {
  hm_err err = { 0 };
  hm_preview_ref r = newest_version(p);
  hm_preview_version *v = r.version->of;
  const hm_site *site = NULL;
  int rc = -1;
  *back = false;
  if (may_proceed(p))
    rc = p->builder.finish(p->builder.ctx, &v->build, p->whole ? &p->whole->build : NULL,
                           may_proceed, p, &site, &err);
  pthread_mutex_lock(&p->lock);
  bool failed = rc && !p->cancel;
  pthread_mutex_unlock(&p->lock);
  if (!rc || failed)
    end_version(p, v, site);
  if (failed) {
    p->builder.report(p->builder.ctx, NULL, &err, 0);
    show_problem(p, p->before ? p->before : p->whole, &err);
    *back = p->before != NULL && p->before != v;
    p->who.changed(p->who.ctx);
  }
  pthread_mutex_lock(&p->lock);
  pthread_cond_broadcast(&p->built);
  pthread_mutex_unlock(&p->lock);
  hm_preview_release(p, &r);
}

static void *render(void *arg) {
  for (bool more = true; more;)
    render_whole_site(arg, &more);
  return NULL;
}

/* Only the watching thread starts and ends the renderer. */
static void start_renderer(hm_preview *p) {
  hm_preview_version *v = p->shown->of;
  if (!v || v->state != RENDERING)
    return;
  p->renders = pthread_create(&p->renderer, NULL, render, p) == 0;
  if (!p->renders)
    render(p);
}

static void end_renderer(hm_preview *p) {
  if (!p->renders)
    return;
  pthread_mutex_lock(&p->lock);
  p->cancel = !p->urgent || p->stop;
  pthread_cond_broadcast(&p->gate);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->renderer, NULL);
  pthread_mutex_lock(&p->lock);
  p->renders = p->cancel = p->urgent = false;
  pthread_mutex_unlock(&p->lock);
}

/* Waits until the version is no longer rendering, or no longer the newest. False: ms have passed.
 */
static bool wait_for_whole(hm_preview *p, const hm_preview_version *v, int64_t ms) {
  int64_t until = hm_clock_ms() + ms;
  pthread_mutex_lock(&p->lock);
  for (int64_t left; p->shown == v && v->of->state == RENDERING && !p->stop;) {
    if ((left = until - hm_clock_ms()) <= 0)
      break;
    p->urgent = true;
    pthread_cond_broadcast(&p->gate);
    wait_ms(p, &p->built, left);
  }
  bool done = p->shown != v || v->of->state != RENDERING;
  pthread_mutex_unlock(&p->lock);
  return done;
}

int hm_preview_file(hm_preview *p, hm_preview_ref *r, hm_str path, hm_arena *a, hm_file *out,
                    hm_err *err) {
  int64_t until = hm_clock_ms() + WHOLE_MS;
  while (r->build) {
    pthread_mutex_lock(&p->lock);
    const hm_site *site = r->version->of->site;
    p->asking += !site;
    pthread_mutex_unlock(&p->lock);
    if (site) {
      const hm_file *f = hm_site_file(site, path);
      if (f)
        *out = *f;
      return f ? HM_FILE_READY : HM_FILE_ABSENT;
    }
    int rc = p->builder.file(p->builder.ctx, r->build, path, a, out, err);
    pthread_mutex_lock(&p->lock);
    p->asking--;
    p->quiet = hm_clock_ms() + QUIET_MS;
    pthread_cond_broadcast(&p->gate);
    bool given_up = r->version->of->state == GIVEN_UP;
    pthread_mutex_unlock(&p->lock);
    if (rc == HM_FILE_READY || rc == HM_FILE_ABSENT || (rc < 0 && given_up))
      return rc;
    if (!wait_for_whole(p, r->version, until - hm_clock_ms()))
      return hm_fail(err, HM_E_BUSY, "the mirror", "it is not rendered as a whole yet",
                     "ask again in a moment");
    hm_preview_release(p, r);
    *r = newest_version(p);
  }
  return HM_FILE_ABSENT;
}

/* --- the watching thread --------------------------------------------------------------- */

/* The shown build may be needed again while the next one is not whole. */
static void keep_shown(hm_preview *p) {
  pthread_mutex_lock(&p->lock);
  hm_preview_version *old = p->before, *of = p->shown ? p->shown->of : NULL;
  bool is_next = of && of->state != GIVEN_UP;
  if (is_next)
    p->before = of->state == RENDERING ? acquire_version(of) : NULL;
  pthread_mutex_unlock(&p->lock);
  if (is_next)
    release_version(p, old);
}

static void build(hm_preview *p) {
  int64_t began = hm_clock_ms();
  hm_err err = { 0 };
  hm_preview_version *v = memset(hm_xmalloc(sizeof *v), 0, sizeof *v);
  v->readers = 1;
  v->of = v;
  end_renderer(p);
  int rc = p->builder.begin(p->builder.ctx, p->watcher, &v->build, &err);
  double took = (double)(hm_clock_ms() - began) / 1000;
  p->builder.report(p->builder.ctx, rc ? NULL : &v->build, rc ? &err : NULL, took);
  if (!rc) {
    keep_shown(p);
    show_version(p, v);
  } else {
    free(v);
    show_problem(p, p->shown, &err);
  }
  start_renderer(p);
}

/* Notes changes while there are no readers, and builds for the next reader. After a build the
 * thread pauses: a reader of the store delays writers, so a store that is written all the time must
 * not be read all the time. */
static void *watch_and_build(void *arg) {
  hm_preview *p = arg;
  int64_t moving_since = -1, pause = POLL_MS;
  for (;;) {
    pthread_mutex_lock(&p->lock);
    if (!p->stop && p->asked == p->served)
      wait_ms(p, &p->wake, pause);
    bool stop = p->stop;
    uint64_t asked = p->asked; /* renewals that the next build serves */
    pthread_mutex_unlock(&p->lock);
    if (stop)
      return NULL;
    hm_watch_state is = hm_watcher_poll(p->watcher);
    int64_t now = hm_clock_ms();
    if (is == HM_WATCH_STILL)
      moving_since = -1;
    else if (moving_since < 0)
      moving_since = now;
    pause = is == HM_WATCH_MOVING ? SETTLE_MS : POLL_MS;
    bool due =
        is == HM_WATCH_CHANGED || (is == HM_WATCH_MOVING && now - moving_since >= PATIENCE_MS);
    if (due) {
      bool waits = p->who.looks(p->who.ctx);
      pthread_mutex_lock(&p->lock);
      p->stale = !waits && now - p->looked >= LINGER_MS;
      due = !p->stale;
      pthread_mutex_unlock(&p->lock);
    }
    if (!due && asked == p->served)
      continue;
    hm_watcher_accept(p->watcher);
    build(p);
    p->who.changed(p->who.ctx);
    pthread_mutex_lock(&p->lock);
    p->served = asked;
    p->stale = false;
    pthread_cond_broadcast(&p->built);
    pthread_mutex_unlock(&p->lock);
    moving_since = -1;
    pause = POLL_MS + (hm_clock_ms() - now) / 2;
  }
}

bool hm_preview_rebuild(hm_preview *p, int ms) {
  int64_t until = hm_clock_ms() + ms;
  pthread_mutex_lock(&p->lock);
  uint64_t mine = ++p->asked;
  pthread_cond_signal(&p->wake);
  for (int64_t left; p->served < mine && !p->stop && (left = until - hm_clock_ms()) > 0;)
    wait_ms(p, &p->built, left);
  bool done = p->served >= mine;
  pthread_mutex_unlock(&p->lock);
  return done;
}

/* --- beginning and end ------------------------------------------------------------------ */

static void free_preview(hm_preview *p) {
  end_renderer(p);
  release_version(p, p->shown);
  release_version(p, p->whole);
  release_version(p, p->before);
  hm_watcher_free(p->watcher);
  pthread_cond_destroy(&p->wake);
  pthread_cond_destroy(&p->built);
  pthread_cond_destroy(&p->gate);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

int hm_preview_start(const hm_preview_builder *builder, const hm_store_source *store,
                     const hm_preview_listener *who, hm_preview **out, hm_err *err) {
  hm_preview *p = hm_xmalloc(sizeof *p);
  *p = (hm_preview){ .builder = *builder,
                     .who = *who,
                     .watcher = hm_watcher_new(),
                     .looked = hm_clock_ms() - LINGER_MS };
  pthread_mutex_init(&p->lock, NULL);
  hm_cond_init(&p->wake);
  hm_cond_init(&p->built);
  hm_cond_init(&p->gate);
  hm_watcher_add_store(p->watcher, store);
  build(p);
  int rc = pthread_create(&p->thread, NULL, watch_and_build, p);
  if (rc) {
    free_preview(p);
    return hm_fail(err, HM_E_INTERNAL, "preview", strerror(rc), NULL);
  }
  *out = p;
  return 0;
}

void hm_preview_stop(hm_preview *p) {
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  pthread_cond_broadcast(&p->wake);
  pthread_cond_broadcast(&p->built);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  free_preview(p);
}

int hm_preview_try_verdict(const hm_preview_ref *r, hm_store *s, hm_dry_run_verdict *give,
                           void *ctx, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  const hm_preview_build *b = r->build;
  const hm_dry_run_options trial = { .templates = b->templates,
                                     .view = hm_view_get_options(b->view),
                                     .rules = b->rules,
                                     .threads = b->threads };
  return hm_try_verdict(s, &trial, give, ctx, a, out, err);
}
