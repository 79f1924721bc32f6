/* An HTML page with what the preview puts into it. */
#include "core/base/digest.h"
#include "gen/serve/front.h"

/* From a page back to the root, so that the preview works below a path too. */
static hm_str root_of(hm_str path, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < path.n; i++)
    if (path.p[i] == '/') hm_buf_c(&b, "../");
  hm_str root = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return root;
}

static hm_str problem_of(const hm_front *f, const hm_reading *at, hm_arena *a) {
  if (!at->problem) return HM_EMPTY;
  hm_tv *model = hm_tv_obj(a);
  hm_tv_set_text(model, "what", hm_str_c(at->problem->what));
  hm_tv_set_text(model, "why", hm_str_c(at->problem->why));
  hm_tv_set_text(model, "fix", hm_str_c(at->problem->fix));
  hm_tv_set_bool(model, "stale", at->edition != NULL);
  return hm_chrome_render(&f->chrome, "problem.html", model, a);
}

/* All that a later GET of the page would be made from. */
static hm_str version_of(const hm_front *f, const hm_reading *at, const hm_front_page *p,
                         hm_str problem, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  const hm_str parts[] = { p->html,
                           p->form,
                           p->jump,
                           problem,
                           at->edition ? hm_str_c(at->edition->look) : HM_EMPTY,
                           f->chrome.css,
                           f->chrome.script };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hm_sha256_field(&h, parts[i]);
  return hm_sha256_hex(&h, a, 64);
}

static hm_str end_of(const hm_front *f, const hm_front_page *p, hm_str root, hm_str version,
                     hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_fmt(
      &b,
      "<div class=\"serve-note\" id=\"serve-note\" role=\"status\"></div>\n<script data-version=\"%.*s\" data-root=\"%.*s\"%s>",
      HM_FMT(version), HM_FMT(root), p->answer.n ? " data-answer" : "");
  hm_buf_str(&b, f->chrome.script);
  hm_buf_c(&b, "</script>\n");
  hm_str end = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return end;
}

void hm_front_put_page(const hm_front *f, const hm_request *q, const hm_reading *at,
                       const hm_front_page *p, hm_reply *r) {
  hm_arena *a = q->a;
  hm_str root = root_of(p->path, a), problem = problem_of(f, at, a),
         version = version_of(f, at, p, problem, a);
  hm_inject in = { .script_source = f->chrome.script_source,
                   .top = problem,
                   .form = p->answer.n ? p->answer : p->form };
  if (p->missing) in.base = hm_str_fmt(a, "<base href=\"%s\">", root.n ? root.p : "./");
  in.head = hm_str_fmt(a, "<link rel=\"stylesheet\" href=\"%s_serve.css\">\n", root.p);
  if (in.form.n) in.jump = p->jump;
  in.end = end_of(f, p, root, version, a);
  hm_buf b = { 0 };
  hm_inject_page(p->html, &in, &b);
  r->status = p->status;
  r->type = "text/html; charset=utf-8";
  r->cache = "no-cache";
  r->csp = "frame-ancestors 'none'";
  r->body = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  hm_str etag = hm_str_fmt(a, "\"%.*s\"", HM_FMT(version));
  if (!p->answer.n) hm_reply_header(r, a, "ETag", etag);
  if (p->status == 200 && q->method == HM_GET &&
      hm_str_eq(hm_request_header(q, "If-None-Match", NULL), etag)) {
    r->status = 304;
    r->body = HM_EMPTY;
  }
}
