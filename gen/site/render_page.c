#include <string.h>

#include "core/base/digest.h"
#include "gen/render/markdown.h"
#include "gen/site/site_impl.h"

void hm_file_seal(hm_file *f) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, f->bytes);
  hm_sha256_end(&h, f->sha256);
}

/* The file with the bytes as they are. */
static hm_file seal(hm_arena *a, hm_str path, hm_str bytes) {
  hm_file f = { .path = hm_str_dup(a, path), .bytes = bytes };
  hm_file_seal(&f);
  return f;
}

hm_file hm_file_of(hm_arena *a, hm_str path, hm_str bytes) {
  return seal(a, path, hm_str_dup(a, bytes));
}

int hm_hand_on(const hm_build *b, hm_hand *h, hm_str path, hm_str bytes, hm_file *out,
               hm_err *err) {
  const hm_site_options *o = b->opt;
  *out = o->take ? seal(h->keep, path, bytes) : hm_file_of(h->keep, path, bytes);
  if (!o->take) return 0;
  int rc = o->take(o->take_ctx, out, err);
  out->bytes.p = NULL;
  return rc;
}

hm_str hm_html_path(hm_str md, hm_arena *a) {
  static const char readme[] = "README";
  const char *hash = md.n ? memchr(md.p, '#', md.n) : NULL;
  hm_str path = hm_str_sub(md, 0, hash ? (size_t)(hash - md.p) : md.n),
         rest = hm_str_sub(md, path.n, md.n);
  if (!hm_str_ends(path, ".md")) return md;
  hm_str stem = hm_str_sub(path, 0, path.n - 3);
  bool folder = hm_str_is(stem, readme) || hm_str_ends(stem, "/README");
  if (folder) stem.n -= sizeof readme - 1;
  return hm_str_join(
      a, (hm_str[]){ stem, folder ? HM_STR("index") : HM_EMPTY, HM_STR(".html"), rest }, 4);
}

static int check_size(const hm_buf *b, hm_err *err) {
  return b->failed ? hm_fail(err, HM_E_INTERNAL, NULL, "too long", NULL) : 0;
}

static int to_markdown(const hm_build *b, const hm_page *p, const hm_tv *model, hm_hand *h,
                       hm_err *err) {
  hm_str name = hm_str_join(h->scratch, (hm_str[]){ hm_str_c(p->tmpl), HM_STR(".md") }, 2);
  hm_buf_clear(&h->md);
  if (hm_template_render(b->t, name, model, h->scratch, &h->md, err) != 0 ||
      check_size(&h->md, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(p->path));
  return hm_check_markers(b, p->path, hm_buf_view(&h->md), h, err);
}

static int to_html(const hm_build *b, const hm_page *p, const hm_tv *model, hm_hand *h,
                   hm_err *err) {
  hm_buf_clear(&h->body);
  hm_buf_clear(&h->html);
  if (hm_markdown_html(hm_buf_view(&h->md), h->scratch, &h->body, err) != 0 ||
      check_size(&h->body, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(p->path));
  const hm_tv *shell = hm_shell_model(b, p, model, hm_buf_view(&h->body), h->scratch);
  if (hm_template_render(b->t, HM_STR("shell.html"), shell, h->scratch, &h->html, err) != 0 ||
      check_size(&h->html, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(p->path));
  return 0;
}

static int finish_page(const hm_build *b, const hm_page *p, const hm_tv *model, hm_hand *h,
                       hm_file *md, hm_file *html, hm_err *err) {
  if (md && hm_hand_on(b, h, p->path, hm_buf_view(&h->md), md, err) != 0) return -1;
  if (!html) return 0;
  if (to_html(b, p, model, h, err) != 0) return -1;
  return hm_hand_on(b, h, hm_html_path(p->path, h->scratch), hm_buf_view(&h->html), html, err);
}

int hm_render_page(const hm_build *b, const hm_page *p, hm_hand *h, hm_file *md, hm_file *html,
                   hm_err *err) {
  hm_tv *model;
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->marks);
  if (hm_page_model(b->v, p, h->scratch, &model, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(p->path));
  if (to_markdown(b, p, model, h, err) != 0) return -1;
  hm_hash128 key = hm_reuse_key(b, model, h);
  if (!hm_reuse_page(b, p, hm_reuse_was(b, p, h), key, h, md, html) &&
      finish_page(b, p, model, h, md, html, err) != 0)
    return -1;
  hm_reuse_note(b, p, hm_reuse_inputs(b, p, h), key, h, md, html);
  return 0;
}

int hm_render_404(const hm_build *b, hm_hand *h, hm_file *out, hm_err *err) {
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->html);
  const hm_tv *model = hm_shell_model_404(b, h->scratch);
  if (hm_template_render(b->t, HM_STR("404.html"), model, h->scratch, &h->html, err) != 0)
    return hm_err_within(err, "404.html");
  *out = hm_file_of(h->keep, HM_STR("404.html"), hm_buf_view(&h->html));
  return 0;
}
