/* A page of the site with what the preview puts into it, and the theme that this is made with. */
#include <string.h>
#include "core/base/digest.h"
#include "gen/http/inject.h"
#include "gen/http/preview_http.h"
#include "gen/render/builtin.h"

#define FOLDER "themes/serve/"

/* --- the theme ------------------------------------------------------------------------ */

int hm_preview_theme_load(hm_arena *a, hm_preview_theme *out, hm_err *err) {
  static const char css[] = FOLDER "serve.css", script[] = FOLDER "live.js", end[] = ".mustache";
  hm_template_file *files = hm_alloc_array(a, hm_n_builtins, sizeof *files);
  size_t n = 0;
  *out = (hm_preview_theme){ 0 };
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path), bytes = { hm_builtins[i].bytes, hm_builtins[i].n };
    if (hm_str_is(path, css)) out->css = bytes;
    if (hm_str_is(path, script)) out->script = bytes;
    if (hm_str_starts(path, FOLDER) && hm_str_ends(path, end))
      files[n++] =
          (hm_template_file){ .name = hm_str_sub(path, strlen(FOLDER), path.n - strlen(end)),
                              .origin = path,
                              .bytes = bytes };
  }
  if (!out->css.n || !out->script.n)
    return hm_fail(err, HM_E_INTERNAL, out->css.n ? script : css, "it is not in the program", NULL);
  out->script_source = hm_str_fmt(a, "'sha256-%s'", hm_digest_base64(a, out->script).p);
  return hm_templates_compile(files, n, &out->templates, err);
}

void hm_preview_theme_free(hm_preview_theme *t) {
  hm_templates_free(t->templates);
  *t = (hm_preview_theme){ 0 };
}

hm_str hm_preview_theme_render(const hm_preview_theme *t, const char *name, const hm_tv *model,
                               hm_arena *a) {
  hm_buf b = { 0 };
  hm_err err;
  int rc = hm_template_render(t->templates, hm_str_c(name), model, a, &b, &err);
  hm_str out = rc ? HM_EMPTY : hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return out;
}

/* --- the page ------------------------------------------------------------------------- */

void hm_preview_put_page(const hm_preview_http *f, const hm_request *q, const hm_preview_ref *at,
                         const hm_preview_page *p, hm_reply *r) {
  hm_arena *a = q->a;
  const hm_preview_theme *t = &f->theme;
  hm_str problem = HM_EMPTY, root = HM_EMPTY;
  /* From the page back to the root, so that the preview works below a path too. */
  for (size_t i = 0; i < p->path.n; i++)
    if (p->path.p[i] == '/') root = hm_str_fmt(a, "../%.*s", HM_FMT(root));
  if (at->problem) {
    hm_tv *model = hm_tv_obj(a);
    hm_tv_set_text(model, "what", hm_str_c(at->problem->what));
    hm_tv_set_text(model, "why", hm_str_c(at->problem->why));
    hm_tv_set_text(model, "fix", hm_str_c(at->problem->fix));
    hm_tv_set_bool(model, "stale", at->build != NULL);
    problem = hm_preview_theme_render(t, "problem.html", model, a);
  }
  /* The version: all that a later GET of the page would be made from. */
  const hm_str parts[] = { p->html, p->form, p->jump, problem,
                           at->build ? at->build->assets : HM_EMPTY, t->css, t->script };
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(parts); i++) hm_sha256_field(&h, parts[i]);
  hm_str version = hm_sha256_hex(&h, a, 64), etag = hm_str_fmt(a, "\"%.*s\"", HM_FMT(version));

  hm_inject in = { .script_source = t->script_source,
                   .top = problem,
                   .form = p->answer.n ? p->answer : p->form };
  if (p->missing) in.base = hm_str_fmt(a, "<base href=\"%s\">", root.n ? root.p : "./");
  in.head = hm_str_fmt(a, "<link rel=\"stylesheet\" href=\"%s_serve.css\">\n", root.p);
  if (in.form.n) in.jump = p->jump;
  in.end = hm_str_fmt(a,
                      "<div class=\"serve-note\" id=\"serve-note\" role=\"status\"></div>\n"
                      "<script data-version=\"%.*s\" data-root=\"%.*s\"%s>%.*s</script>\n",
                      HM_FMT(version), HM_FMT(root), p->answer.n ? " data-answer" : "",
                      HM_FMT(t->script));
  hm_buf b = { 0 };
  hm_inject_page(p->html, &in, &b);
  r->status = p->status;
  r->type = "text/html; charset=utf-8";
  r->cache = "no-cache";
  r->csp = "frame-ancestors 'none'";
  r->body = hm_buf_take(&b, a);
  if (!p->answer.n) hm_reply_header(r, a, "ETag", etag);
  if (p->status == 200 && q->method == HM_GET &&
      hm_str_eq(hm_request_header(q, "If-None-Match", NULL), etag)) {
    r->status = 304;
    r->body = HM_EMPTY;
  }
}
