/* A page of the site with the preview's additions, and the theme that they are made with. Copies
 * the page piece by piece, with the additions in between. Cost: a few searches of the page. */
#include <string.h>
#include "core/base/digest.h"
#include "gen/http/preview_http.h"
#include "gen/render/builtin.h"

/* --- copying ---------------------------------------------------------------------------------- */

typedef struct {
  hm_str html;
  size_t at;
  hm_buf *out;
} page_copy;

static ptrdiff_t find(const page_copy *c, const char *tag) {
  ptrdiff_t i = hm_str_find(hm_str_sub(c->html, c->at, c->html.n), tag);
  return i < 0 ? -1 : (ptrdiff_t)c->at + i;
}

static ptrdiff_t find_last(const page_copy *c, const char *tag) {
  ptrdiff_t last = -1;
  size_t n = strlen(tag);
  for (hm_str rest = hm_str_sub(c->html, c->at, c->html.n);;) {
    ptrdiff_t i = hm_str_find(rest, tag);
    if (i < 0)
      return last;
    rest = hm_str_sub(rest, (size_t)i + n, rest.n);
    last = (ptrdiff_t)(c->html.n - rest.n - n);
  }
}

static void copy_to(page_copy *c, size_t to) {
  hm_buf_str(c->out, hm_str_sub(c->html, c->at, to));
  c->at = to;
}

/* --- the policy ------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  hm_str source;
  bool seen;
} directive;

void hm_inject_policy(hm_str policy, const hm_inject *in, hm_buf *out) {
  hm_str self = HM_STR("'self'");
  directive want[] = { { "script-src", in->script_source, false },
                       { "connect-src", self, false },
                       { "style-src", self, false },
                       { "form-action", in->form.n ? self : HM_EMPTY, false },
                       { "base-uri", in->base.n ? self : HM_EMPTY, false } };
  enum { N = HM_COUNT(want), FETCHES = 3 };
  const char *sep = "";
  while (policy.n) {
    const char *end = memchr(policy.p, ';', policy.n);
    hm_str d = hm_str_trim(hm_str_sub(policy, 0, end ? (size_t)(end - policy.p) : policy.n));
    policy = hm_str_sub(policy, end ? (size_t)(end - policy.p) + 1 : policy.n, policy.n);
    if (!d.n)
      continue;
    const char *space = memchr(d.p, ' ', d.n);
    hm_str name = hm_str_sub(d, 0, space ? (size_t)(space - d.p) : d.n),
           sources = hm_str_trim(hm_str_sub(d, name.n, d.n)), source = HM_EMPTY;
    for (size_t i = 0; i < N; i++) {
      if (!hm_str_is(name, want[i].name))
        continue;
      want[i].seen = true;
      source = want[i].source;
    }
    hm_buf_fmt(out, "%s%.*s", sep, HM_FMT(name));
    if (sources.n && !(source.n && hm_str_is(sources, "'none'")))
      hm_buf_fmt(out, " %.*s", HM_FMT(sources));
    if (source.n && hm_str_find(sources, source.p) < 0)
      hm_buf_fmt(out, " %.*s", HM_FMT(source));
    sep = "; ";
  }
  /* These fall back on default-src when they are not named. */
  for (size_t i = 0; i < FETCHES; i++)
    if (!want[i].seen && *sep)
      hm_buf_fmt(out, "; %s %.*s", want[i].name, HM_FMT(want[i].source));
}

/* The value of the attribute content of the meta element of this name, if it stands before `end`.
 */
static bool find_content(const page_copy *c, const char *meta, ptrdiff_t end, size_t *from,
                         size_t *to) {
  static const char content[] = "content=\"";
  ptrdiff_t at = find(c, meta);
  if (at < 0 || at > end)
    return false;
  hm_str rest = hm_str_sub(c->html, (size_t)at, (size_t)end);
  ptrdiff_t tag_end = hm_str_find(rest, ">"), value = hm_str_find(rest, content);
  if (value < 0 || value > tag_end)
    return false;
  *from = (size_t)(at + value) + sizeof content - 1;
  const char *quote = memchr(c->html.p + *from, '"', (size_t)end - *from);
  if (!quote)
    return false;
  *to = (size_t)(quote - c->html.p);
  return true;
}

/* --- what is put in --------------------------------------------------------------------------- */

/* Copies the page up to the end of its head, with the policy and the referrer policy replaced, in
 * either order. */
static void copy_head(page_copy *c, const hm_inject *in) {
  ptrdiff_t head = find(c, "<head>"), end = find(c, "</head>");
  if (end < 0)
    return;
  if (head >= 0 && head < end) {
    copy_to(c, (size_t)head + strlen("<head>"));
    hm_buf_str(c->out, in->base);
  }
  for (;;) {
    size_t policy = 0, policy_end = 0, referrer = 0, referrer_end = 0;
    bool has_policy =
             find_content(c, "http-equiv=\"Content-Security-Policy\"", end, &policy, &policy_end),
         has_referrer =
             in->form.n && find_content(c, "name=\"referrer\"", end, &referrer, &referrer_end);
    if (has_policy && (!has_referrer || policy < referrer)) {
      copy_to(c, policy);
      hm_inject_policy(hm_str_sub(c->html, policy, policy_end), in, c->out);
      c->at = policy_end;
    } else if (has_referrer) {
      copy_to(c, referrer);
      hm_buf_c(c->out, "same-origin");
      c->at = referrer_end;
    } else {
      break;
    }
  }
  copy_to(c, (size_t)end);
  hm_buf_str(c->out, in->head);
}

void hm_inject_page(hm_str html, const hm_inject *in, hm_buf *out) {
  page_copy c = { .html = html, .out = out };
  copy_head(&c, in);
  ptrdiff_t body = find(&c, "<body");
  const char *end = body < 0 ? NULL : memchr(html.p + body, '>', html.n - (size_t)body);
  if (end)
    copy_to(&c, (size_t)(end - html.p) + 1);
  hm_buf_str(out, in->top);
  ptrdiff_t at = find(&c, "</h1>");
  if (at >= 0) {
    copy_to(&c, (size_t)at + strlen("</h1>"));
    hm_buf_str(out, in->jump);
  }
  /* Before the commands that do the same, which an open conflict's page has; else before its
   * foot. */
  at = find(&c, "<h2 id=\"what-to-do\">");
  if (at < 0)
    at = find_last(&c, "<hr");
  if (at < 0)
    at = find_last(&c, "</main>");
  if (at >= 0)
    copy_to(&c, (size_t)at);
  hm_buf_str(out, in->form);
  at = find_last(&c, "</body>");
  if (at >= 0)
    copy_to(&c, (size_t)at);
  hm_buf_str(out, in->end);
  copy_to(&c, html.n);
}

#define FOLDER "themes/serve/"

/* --- the theme -------------------------------------------------------------------------------- */

int hm_preview_theme_load(hm_arena *a, hm_preview_theme *out, hm_err *err) {
  static const char css[] = FOLDER "serve.css", script[] = FOLDER "live.js", end[] = ".mustache";
  hm_template_file *files = hm_alloc_array(a, hm_n_builtins, sizeof *files);
  size_t n = 0;
  *out = (hm_preview_theme){ 0 };
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path), bytes = { hm_builtins[i].bytes, hm_builtins[i].n };
    if (hm_str_is(path, css))
      out->css = bytes;
    if (hm_str_is(path, script))
      out->script = bytes;
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

hm_str hm_preview_theme_render(const hm_preview_theme *t, const char *name, const hm_node *model,
                               hm_arena *a) {
  hm_buf b = { 0 };
  hm_err err;
  int rc = hm_template_render(t->templates, hm_str_c(name), model, a, &b, &err);
  hm_str out = rc ? HM_EMPTY : hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return out;
}

/* --- the page --------------------------------------------------------------------------------- */

void hm_preview_reply_page(const hm_preview_http *f, const hm_request *q, const hm_preview_ref *at,
                           const hm_preview_page *p, hm_reply *r) {
  hm_arena *a = q->a;
  const hm_preview_theme *t = &f->theme;
  hm_str problem = HM_EMPTY, root = HM_EMPTY;
  /* The path from the page to the root, so that the preview also works below a path. */
  for (size_t i = 0; i < p->path.n; i++)
    if (p->path.p[i] == '/')
      root = hm_str_fmt(a, "../%.*s", HM_FMT(root));
  if (at->problem) {
    hm_node *model = hm_node_new_obj(a);
    hm_node_set_text(model, "what", hm_str_c(at->problem->what));
    hm_node_set_text(model, "why", hm_str_c(at->problem->why));
    hm_node_set_text(model, "fix", hm_str_c(at->problem->fix));
    hm_node_set_bool(model, "stale", at->build != NULL);
    problem = hm_preview_theme_render(t, "problem.html", model, a);
  }
  /* The version: all that a later GET of the page would be made from. */
  const hm_str parts[] = {
    p->html, p->form, p->jump, problem, at->build ? at->build->assets : HM_EMPTY, t->css, t->script
  };
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(parts); i++)
    hm_sha256_field(&h, parts[i]);
  hm_str version = hm_sha256_hex(&h, a, 64), etag = hm_str_fmt(a, "\"%.*s\"", HM_FMT(version));

  hm_inject in = { .script_source = t->script_source,
                   .top = problem,
                   .form = p->answer.n ? p->answer : p->form };
  if (p->missing)
    in.base = hm_str_fmt(a, "<base href=\"%s\">", root.n ? root.p : "./");
  in.head = hm_str_fmt(a, "<link rel=\"stylesheet\" href=\"%s_serve.css\">\n", root.p);
  if (in.form.n)
    in.jump = p->jump;
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
  if (!p->answer.n)
    hm_reply_header(r, a, "ETag", etag);
  if (p->status == 200 && q->method == HM_GET &&
      hm_str_eq(hm_request_header(q, "If-None-Match", NULL), etag)) {
    r->status = 304;
    r->body = HM_EMPTY;
  }
}
