#include "gen/serve/front.h"
#include <string.h>
#include "gen/serve/review.h"

/* --- files ------------------------------------------------------------------------- */

typedef struct { const char *end, *type; } type_of_end;

/* Markdown is shown, not downloaded. What is not here is bytes. */
static const type_of_end types[] = {
  { ".avif", "image/avif" }, { ".css", "text/css; charset=utf-8" },
  { ".csv", "text/csv; charset=utf-8" },
  { ".gif", "image/gif" }, { ".htm", "text/html; charset=utf-8" },
  { ".html", "text/html; charset=utf-8" },
  { ".ico", "image/x-icon" }, { ".jpeg", "image/jpeg" }, { ".jpg", "image/jpeg" },
  { ".js", "text/javascript; charset=utf-8" }, { ".json", "application/json" },
  { ".jsonl", "text/plain; charset=utf-8" }, { ".md", "text/plain; charset=utf-8" },
  { ".mjs", "text/javascript; charset=utf-8" }, { ".mp4", "video/mp4" },
  { ".pdf", "application/pdf" },
  { ".png", "image/png" }, { ".svg", "image/svg+xml" }, { ".txt", "text/plain; charset=utf-8" },
  { ".webmanifest", "application/manifest+json" }, { ".webp", "image/webp" },
  { ".woff", "font/woff" },
  { ".woff2", "font/woff2" }, { ".xml", "application/xml" },
};

static const char *type_of(hm_str path) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (hm_str_ends(path, types[i].end)) return types[i].type;
  return "application/octet-stream";
}

const hm_file *hm_front_file(const hm_reading *at, hm_str path, hm_arena *a) {
  if (!at->edition) return NULL;
  bool folder = !path.n || hm_str_ends(path, "/");
  return hm_site_file(at->edition->site,
                      folder ? hm_str_fmt(a, "%.*sindex.html", HM_FMT(path)) : path);
}

/* A reading that is given back when the answer has been sent. */
typedef struct { hm_preview *preview; hm_reading at; } loan;

static void give_back(void *owner) {
  loan *l = owner;
  hm_preview_give(l->preview, &l->at);
}

static hm_str etag_of(const hm_file *f, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_ch(&b, '"');
  for (size_t i = 0; i < sizeof f->sha256; i++) hm_buf_fmt(&b, "%02x", f->sha256[i]);
  hm_buf_ch(&b, '"');
  hm_str etag = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return etag;
}

/* The bytes stay where they are until they have been sent. */
static void put_file(const hm_request *q, const hm_file *file, loan *l, hm_reply *r) {
  hm_str etag = etag_of(file, q->a);
  r->type = type_of(file->path);
  r->cache = "no-cache";
  hm_reply_header(r, q->a, "ETag", etag);
  if (hm_str_eq(hm_request_header(q, "If-None-Match", NULL), etag)) r->status = 304;
  else r->body = file->bytes;
  r->release = give_back;
  r->owner = l;
}

/* HM_PASS when there is no such file. */
static int show_file(hm_front *f, const hm_request *q, hm_reply *r) {
  hm_str path = q->params[0];
  loan *l = hm_alloc(q->a, sizeof *l);
  *l = (loan){ f->preview, hm_preview_take(f->preview) };
  const hm_file *file = hm_front_file(&l->at, path, q->a);
  if (file && !hm_str_starts(hm_str_c(type_of(file->path)), "text/html")) {
    put_file(q, file, l, r);
    return HM_ANSWERED;
  }
  if (file) {
    hm_front_page page = { .path = path, .html = file->bytes, .status = 200 };
    page.form = hm_review_form(f, q, &l->at, file->path, &page.jump);
    hm_front_put_page(f, q, &l->at, &page, r);
  }
  give_back(l);
  return file ? HM_ANSWERED : HM_PASS;
}

static hm_str last_segment(hm_str path) {
  const char *slash = memrchr(path.p, '/', path.n);
  return slash ? hm_str_sub(path, (size_t)(slash - path.p) + 1, path.n) : path;
}

/* What the API is asked has no dot in its name, and need not concern the preview. */
static int get_file(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_str name = last_segment(q->params[0]);
  (void)err;
  return name.n && !memchr(name.p, '.', name.n) ? HM_PASS : show_file(ctx, q, r);
}

/* --- what is not there ---------------------------------------------------------------- */

static hm_str bare(const hm_front *f, hm_arena *a) {
  return hm_chrome_render(&f->chrome, "bare.html", hm_tv_obj(a), a);
}

/* The page is made for base_url; here the mirror stands elsewhere. */
static hm_str at_home(const hm_reading *at, hm_str html, hm_arena *a) {
  hm_str base = hm_view_options_of(at->edition->view)->base_url;
  if (!base.n) return html;
  const char *needle =
      hm_str_fmt(a, "=\"%.*s%s", HM_FMT(base), hm_str_ends(base, "/") ? "" : "/").p;
  hm_buf b = { 0 };
  for (ptrdiff_t i; (i = hm_str_find(html, needle)) >= 0;
       html = hm_str_sub(html, (size_t)i + strlen(needle), html.n)) {
    hm_buf_str(&b, hm_str_sub(html, 0, (size_t)i));
    hm_buf_c(&b, "=\"./");
  }
  hm_buf_str(&b, html);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static bool is_folder(const hm_reading *at, hm_str path, hm_arena *a) {
  return path.n && !hm_str_ends(path, "/") &&
      hm_front_file(at, hm_str_fmt(a, "%.*s/", HM_FMT(path)), a);
}

/* Programs are answered as the API answers. */
static bool wants_page(const hm_request *q) {
  return hm_str_find(hm_request_header(q, "Accept", NULL), "text/html") >= 0;
}

static int not_there(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_front *f = ctx;
  hm_str path = q->params[0];
  if (show_file(f, q, r) == HM_ANSWERED) return HM_ANSWERED;
  hm_reading at = hm_preview_take(f->preview);
  const hm_file *page = hm_front_file(&at, HM_STR("404.html"), q->a);
  int rc = HM_ANSWERED;
  (void)err;
  if (is_folder(&at, path, q->a)) {
    r->status = 302;
    r->type = "text/plain; charset=utf-8";
    hm_reply_header(r, q->a, "Location", hm_str_fmt(q->a, "%.*s/", HM_FMT(last_segment(path))));
  } else if (!wants_page(q)) {
    rc = HM_PASS;
  } else {
    hm_front_page p = { .path = path,
                        .html = page ? at_home(&at, page->bytes, q->a) : bare(f, q->a),
                        .missing = page != NULL,
                        .status = at.edition ? 404 : 503 };
    hm_front_put_page(f, q, &at, &p, r);
  }
  hm_preview_give(f->preview, &at);
  return rc;
}

/* --- the preview's own ------------------------------------------------------------------- */

static int get_css(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_front *f = ctx;
  (void)q, (void)err;
  r->type = "text/css; charset=utf-8";
  r->body = f->chrome.css;
  return HM_ANSWERED;
}

static int get_events(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_front *f = ctx;
  hm_events *events = hm_alloc(q->a, sizeof *events);
  if (!hm_bell_listen(f->bell, events))
    return hm_failf(err, HM_E_BUSY, "/_events", "close a few", "%d pages are listening already",
                    HM_BELL_LISTENERS);
  r->events = events;
  return HM_ANSWERED;
}

static const hm_route front[] = {
  { "/_events", HM_GET, HM_TAKES_NOTHING, get_events, NULL },
  { "/_serve.css", HM_GET, HM_TAKES_NOTHING, get_css, NULL },
  { "/conflicts/{page}", HM_POST, HM_TAKES_FORM, hm_review_post, NULL },
  { "/{path...}", HM_GET, HM_TAKES_NOTHING, get_file, NULL },
};
static const hm_route fallback[] = { { "/{path...}", HM_GET, HM_TAKES_NOTHING, not_there, NULL } };

hm_route_table hm_front_routes(hm_front *f) {
  return (hm_route_table){ .v = front, .n = sizeof front / sizeof *front, .ctx = f };
}

hm_route_table hm_front_fallback(hm_front *f) {
  return (hm_route_table){ .v = fallback, .n = 1, .ctx = f };
}

/* --- beginning and end --------------------------------------------------------------------- */

enum { TOKEN_BYTES = 16 };

static void ring(void *ctx) { hm_bell_ring(ctx); }
static bool listens(void *ctx) { return hm_bell_has_listeners(ctx); }

int hm_front_open(hm_front *f, const hm_press *press, const hm_store_source *store, hm_str by,
                  hm_arena *a, hm_err *err) {
  *f = (hm_front){ .store = store, .by = by, .token = hm_random_hex(a, TOKEN_BYTES) };
  if (!f->token.n)
    return hm_fail(err, HM_E_INTERNAL, "serve", "the system gives no random bytes", NULL);
  if (hm_chrome_load(a, &f->chrome, err)) return -1;
  f->bell = hm_bell_new();
  const hm_onlooker who = { .ctx = f->bell, .changed = ring, .looks = listens };
  if (hm_preview_start(press, store, &who, &f->preview, err) == 0) return 0;
  hm_front_close(f);
  return -1;
}

int hm_front_try(void *ctx, hm_store *s, hm_trial_verdict *give, void *give_ctx, hm_arena *a,
                 hm_verdict_report *out, hm_err *err) {
  hm_front *f = ctx;
  hm_reading at = hm_preview_take(f->preview);
  const hm_edition *e = at.edition;
  int rc = e
      ? hm_edition_try(e, s, give, give_ctx, a, out, err)
      : hm_fail(err, HM_E_STATE, "the pages", "there are none yet", "see what is wrong at /");
  hm_preview_give(f->preview, &at);
  return rc;
}

void hm_front_close(hm_front *f) {
  hm_preview_stop(f->preview);
  hm_bell_free(f->bell);
  hm_chrome_free(&f->chrome);
}
