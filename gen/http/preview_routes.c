/* The preview's routes: files of the site, missing files, events, the preview's own style. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include "core/base/par.h"
#include "gen/http/preview_http.h"
#include "gen/http/review.h"

/* --- the feed of events ----------------------------------------------------------------------- */

/* Each listener gets a stream of server-sent events, one event for each publication. A listener
 * sleeps on the feed's condition, half a second at most, so that the server can end it. */

enum { TOKEN_BYTES = 16, WAIT_MS = 500, LISTENERS = 64 };

struct hm_event_feed {
  pthread_mutex_t lock;
  pthread_cond_t news;
  uint64_t published;
  int listeners;
};

typedef struct {
  hm_event_feed *feed;
  uint64_t heard;
} listener;

/* Never NULL. Free it after the server, when nobody listens any more. */
static hm_event_feed *new_feed(void) {
  hm_event_feed *f = hm_xmalloc(sizeof *f);
  *f = (hm_event_feed){ .published = 1 };
  pthread_mutex_init(&f->lock, NULL);
  hm_cond_init(&f->news);
  return f;
}

static void free_feed(hm_event_feed *f) {
  if (!f)
    return;
  pthread_cond_destroy(&f->news);
  pthread_mutex_destroy(&f->lock);
  free(f);
}

/* Every listener gets an event; from any thread. */
static void publish_event(void *feed) {
  hm_event_feed *f = feed;
  pthread_mutex_lock(&f->lock);
  f->published++;
  pthread_cond_broadcast(&f->news);
  pthread_mutex_unlock(&f->lock);
}

/* Somebody listens. */
static bool has_listeners(void *feed) {
  hm_event_feed *f = feed;
  pthread_mutex_lock(&f->lock);
  bool any = f->listeners > 0;
  pthread_mutex_unlock(&f->lock);
  return any;
}

static ptrdiff_t next_event(void *ctx, char *out, size_t max) {
  listener *l = ctx;
  pthread_mutex_lock(&l->feed->lock);
  /* The lock is held. */
  const struct timespec until = hm_cond_deadline(WAIT_MS);
  while (l->feed->published == l->heard &&
         pthread_cond_timedwait(&l->feed->news, &l->feed->lock, &until) == 0)
    continue;
  uint64_t now = l->feed->published;
  pthread_mutex_unlock(&l->feed->lock);
  if (now == l->heard)
    return 0;
  int n = snprintf(out, max, "data: %llu\n\n", (unsigned long long)now);
  if (n < 0 || (size_t)n >= max)
    return 0;
  l->heard = now;
  return n;
}

static void end_listener(void *ctx) {
  listener *l = ctx;
  pthread_mutex_lock(&l->feed->lock);
  l->feed->listeners--;
  pthread_mutex_unlock(&l->feed->lock);
  free(l);
}

/* Makes a listener's stream, which the server ends by its `done`. The first event comes at once, so
 * that a browser that was away learns what it missed. An event is "data: N", where N counts events.
 * Returns false when there are LISTENERS already. */
static bool listen_to_feed(hm_event_feed *f, hm_event_stream *out) {
  pthread_mutex_lock(&f->lock);
  bool room = f->listeners < LISTENERS;
  f->listeners += room;
  pthread_mutex_unlock(&f->lock);
  if (!room)
    return false;
  listener *l = hm_xmalloc(sizeof *l);
  *l = (listener){ .feed = f };
  *out = (hm_event_stream){ .next = next_event, .done = end_listener, .ctx = l };
  return true;
}

/* --- files --------------------------------------------------------------------------- */

/* Markdown is shown, not downloaded. Other extensions have the type of plain bytes. */
static const struct {
  const char *end, *type;
} TYPES[] = {
  { ".avif", "image/avif" },
  { ".md", "text/plain; charset=utf-8" },
  { ".css", "text/css; charset=utf-8" },
  { ".mjs", "text/javascript; charset=utf-8" },
  { ".csv", "text/csv; charset=utf-8" },
  { ".mp4", "video/mp4" },
  { ".gif", "image/gif" },
  { ".pdf", "application/pdf" },
  { ".htm", "text/html; charset=utf-8" },
  { ".png", "image/png" },
  { ".html", "text/html; charset=utf-8" },
  { ".svg", "image/svg+xml" },
  { ".ico", "image/x-icon" },
  { ".txt", "text/plain; charset=utf-8" },
  { ".jpeg", "image/jpeg" },
  { ".webmanifest", "application/manifest+json" },
  { ".jpg", "image/jpeg" },
  { ".webp", "image/webp" },
  { ".js", "text/javascript; charset=utf-8" },
  { ".woff", "font/woff" },
  { ".json", "application/json" },
  { ".woff2", "font/woff2" },
  { ".jsonl", "text/plain; charset=utf-8" },
  { ".xml", "application/xml" },
};

static const char *type_of(hm_str path) {
  for (size_t i = 0; i < HM_COUNT(TYPES); i++)
    if (hm_str_ends(path, TYPES[i].end))
      return TYPES[i].type;
  return "application/octet-stream";
}

/* The file at this path of a request ("conflicts/c1.html", a folder's is its index.html); as
 * hm_preview_file. */
static int find_file(const hm_preview_http *f, hm_preview_ref *at, hm_str path, hm_arena *a,
                     hm_file *out, hm_err *err) {
  bool folder = !path.n || hm_str_ends(path, "/");
  if (folder)
    path = hm_str_fmt(a, "%.*sindex.html", HM_FMT(path));
  return hm_preview_file(f->preview, at, path, a, out, err);
}

/* A reference that is given back when the answer has been sent. */
typedef struct {
  hm_preview *preview;
  hm_preview_ref at;
} loan;

static void release_reply(void *owner) {
  loan *l = owner;
  hm_preview_release(l->preview, &l->at);
}

/* The bytes stay where they are until they have been sent. */
static void put_file(const hm_request *q, const hm_file *file, loan *l, hm_reply *r) {
  hm_buf b = { 0 };
  hm_buf_ch(&b, '"');
  for (size_t i = 0; i < sizeof file->sha256; i++)
    hm_buf_fmt(&b, "%02x", file->sha256[i]);
  hm_buf_ch(&b, '"');
  hm_str etag = hm_buf_take(&b, q->a);
  r->type = type_of(file->path);
  r->cache = "no-cache";
  hm_reply_header(r, q->a, "ETag", etag);
  if (hm_str_eq(hm_request_header(q, "If-None-Match", NULL), etag))
    r->status = 304;
  else
    r->body = file->bytes;
  r->release = release_reply;
  r->owner = l;
}

/* HM_PASS when there is no such file. */
static int show_file(hm_preview_http *f, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_str path = q->params[0];
  hm_file file;
  loan *l = hm_alloc(q->a, sizeof *l);
  *l = (loan){ f->preview, hm_preview_acquire(f->preview) };
  int rc = find_file(f, &l->at, path, q->a, &file, err);
  if (rc == HM_FILE_READY && !hm_str_starts(hm_str_c(type_of(file.path)), "text/html")) {
    put_file(q, &file, l, r);
    return HM_ANSWERED;
  }
  if (rc == HM_FILE_READY) {
    hm_preview_page page = { .path = path, .html = file.bytes, .status = 200 };
    page.form = hm_review_form(f, q, &l->at, file.path, &page.jump);
    hm_preview_reply_page(f, q, &l->at, &page, r);
  }
  release_reply(l);
  return rc < 0 ? -1 : rc == HM_FILE_READY ? HM_ANSWERED : HM_PASS;
}

/* Paths of the API have no dot in their last part, and pass. */
static int get_file(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_str name = hm_str_behind_last(q->params[0], '/');
  return name.n && !memchr(name.p, '.', name.n) ? HM_PASS : show_file(ctx, q, r, err);
}

/* --- what is not there ------------------------------------------------------------------ */

/* Removes base_url, for which the 404 page is made: the preview has another address. */
static hm_str remove_base(const hm_preview_ref *at, hm_str html, hm_arena *a) {
  hm_str base = hm_view_get_options(at->build->view)->base_url;
  if (!base.n)
    return html;
  const char *needle =
      hm_str_fmt(a, "=\"%.*s%s", HM_FMT(base), hm_str_ends(base, "/") ? "" : "/").p;
  hm_buf b = { 0 };
  for (ptrdiff_t i; (i = hm_str_find(html, needle)) >= 0;
       html = hm_str_sub(html, (size_t)i + strlen(needle), html.n)) {
    hm_buf_str(&b, hm_str_sub(html, 0, (size_t)i));
    hm_buf_c(&b, "=\"./");
  }
  hm_buf_str(&b, html);
  return hm_buf_take(&b, a);
}

/* Passes for programs, so that they get the API's answer. */
static int get_missing(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_preview_http *f = ctx;
  hm_arena *a = q->a;
  hm_str path = q->params[0];
  hm_file file;
  int rc = show_file(f, q, r, err);
  if (rc != HM_PASS)
    return rc;
  hm_preview_ref at = hm_preview_acquire(f->preview);
  if (path.n && !hm_str_ends(path, "/") &&
      find_file(f, &at, hm_str_fmt(a, "%.*s/", HM_FMT(path)), a, &file, err) == HM_FILE_READY) {
    r->status = 302;
    r->type = "text/plain; charset=utf-8";
    hm_reply_header(r, a, "Location",
                    hm_str_fmt(a, "%.*s/", HM_FMT(hm_str_behind_last(path, '/'))));
    rc = HM_ANSWERED;
  } else if (hm_str_find(hm_request_header(q, "Accept", NULL), "text/html") >= 0) {
    bool own = find_file(f, &at, HM_STR("404.html"), a, &file, err) == HM_FILE_READY;
    hm_preview_page p = { .path = path,
                          .html = own ? remove_base(&at, file.bytes, a)
                                      : hm_preview_theme_render(&f->theme, "bare.html",
                                                                hm_node_new_obj(a), a),
                          .missing = own,
                          .status = at.build ? 404 : 503 };
    hm_preview_reply_page(f, q, &at, &p, r);
    rc = HM_ANSWERED;
  }
  hm_preview_release(f->preview, &at);
  return rc;
}

/* --- the preview's own -------------------------------------------------------------------- */

static int get_css(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_preview_http *f = ctx;
  (void)q, (void)err;
  r->type = "text/css; charset=utf-8";
  r->body = f->theme.css;
  return HM_ANSWERED;
}

static int get_events(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_preview_http *f = ctx;
  hm_event_stream *events = hm_alloc(q->a, sizeof *events);
  if (!listen_to_feed(f->feed, events))
    return hm_failf(err, HM_E_BUSY, "/_events", "close a few", "%d pages are listening already",
                    LISTENERS);
  r->events = events;
  return HM_ANSWERED;
}

static const hm_route FIRST[] = {
  { "/_events", HM_GET, HM_TAKES_NOTHING, get_events, NULL },
  { "/_serve.css", HM_GET, HM_TAKES_NOTHING, get_css, NULL },
  { "/conflicts/{page}", HM_POST, HM_TAKES_FORM, hm_review_post, NULL },
  { "/{path...}", HM_GET, HM_TAKES_NOTHING, get_file, NULL },
};
static const hm_route LAST[] = { { "/{path...}", HM_GET, HM_TAKES_NOTHING, get_missing, NULL } };

hm_route_table hm_preview_routes(hm_preview_http *f) {
  return (hm_route_table){ .v = FIRST, .n = HM_COUNT(FIRST), .ctx = f };
}

hm_route_table hm_preview_fallback_routes(hm_preview_http *f) {
  return (hm_route_table){ .v = LAST, .n = 1, .ctx = f };
}

/* --- beginning and end ----------------------------------------------------------------------- */

int hm_preview_http_open(hm_preview_http *f, const hm_preview_builder *builder,
                         const hm_store_source *store, hm_api *api, hm_str by, hm_arena *a,
                         hm_err *err) {
  unsigned char random[TOKEN_BYTES];
  char token[2 * TOKEN_BYTES + 1];
  *f = (hm_preview_http){ .api = api, .by = by };
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
    return hm_fail(err, HM_E_INTERNAL, "serve", "the system gives no random bytes", NULL);
  for (size_t i = 0; i < sizeof random; i++)
    snprintf(token + 2 * i, 3, "%02x", random[i]);
  f->token = hm_str_dup(a, hm_str_c(token));
  if (hm_preview_theme_load(a, &f->theme, err))
    return -1;
  f->feed = new_feed();
  const hm_preview_listener who = { .ctx = f->feed,
                                    .changed = publish_event,
                                    .looks = has_listeners };
  if (hm_preview_start(builder, store, &who, &f->preview, err) == 0)
    return 0;
  hm_preview_http_close(f);
  return -1;
}

int hm_preview_http_try_verdict(void *ctx, hm_store *s, hm_dry_run_verdict *give, void *give_ctx,
                                hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_preview_http *f = ctx;
  hm_preview_ref at = hm_preview_acquire(f->preview);
  int rc = at.build
      ? hm_preview_try_verdict(&at, s, give, give_ctx, a, out, err)
      : hm_fail(err, HM_E_STATE, "the pages", "there are none yet", "see what is wrong at /");
  hm_preview_release(f->preview, &at);
  return rc;
}

void hm_preview_http_close(hm_preview_http *f) {
  hm_preview_stop(f->preview);
  free_feed(f->feed);
  hm_preview_theme_free(&f->theme);
}
