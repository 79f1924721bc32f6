/* Renders all pages on all cores: model, Markdown, HTML. The workers take them one by one, so that
 * no core has more than one page left when the others are done. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "core/markdown/markdown.h"
#include "gen/render/template.h"
#include "gen/site/site_impl.h"

/* --- files ----------------------------------------------------------------------- */

int hm_finish_file(const hm_build *b, hm_render_worker *h, hm_str path, hm_str bytes,
                   const unsigned char *source, hm_file *out, hm_err *err) {
  const hm_site_options *o = b->opt;
  *out = hm_wrap_site_file(h->keep, path, bytes);
  if (source)
    memcpy(out->source, source, sizeof out->source);
  if (hm_reuse_bytes(b, out, h->keep))
    return 0;
  if (!o->take) {
    out->bytes = hm_str_dup(h->keep, bytes);
    return 0;
  }
  int rc = o->take(o->take_ctx, out, err);
  out->bytes.p = NULL;
  return rc;
}

/* The digest of two things, cut to the length of hm_file.source. */
static void end_source(hm_sha256 *h, unsigned char source[16]) {
  unsigned char whole[32];
  hm_sha256_end(h, whole);
  memcpy(source, whole, 16);
}

/* --- one page ---------------------------------------------------------------------- */

static int check_size(const hm_buf *b, hm_err *err) {
  return b->failed ? hm_fail(err, HM_E_INTERNAL, NULL, "too long", NULL) : 0;
}

/* Renders the shell around h->md, unless both are as in the last site. */
static int render_html(const hm_build *b, const hm_page *p, const hm_node *model,
                       hm_render_worker *h, hm_file *out, hm_err *err) {
  hm_str md = hm_buf_view(&h->md), path = hm_html_path(p->path, h->keep);
  hm_node *shell = hm_build_shell_model(b, p, model, h->scratch);
  unsigned char source[16];
  hm_sha256 of;
  hm_sha256_init(&of);
  hm_sha256_field(&of, md);
  hm_node_digest(shell, &of);
  end_source(&of, source);
  if (hm_reuse_file(b, path, source, h->keep, out))
    return 0;
  hm_buf_clear(&h->body);
  hm_buf_clear(&h->html);
  int rc = hm_markdown_html(md, h->scratch, &h->body, err) || check_size(&h->body, err);
  if (!rc) {
    hm_shell_set_body(shell, p, hm_buf_view(&h->body), h->scratch);
    rc = hm_template_render(b->t, HM_STR("shell.html"), shell, h->scratch, &h->html, err) ||
        check_size(&h->html, err);
  }
  if (rc)
    return hm_err_within(err, "%.*s", HM_FMT(p->path));
  return hm_finish_file(b, h, path, hm_buf_view(&h->html), source, out, err);
}

/* Notes the page's digest; true if the site before has the same page. */
static bool is_same(const hm_build *b, const hm_page *p, const hm_node *model) {
  hm_page_sum *s = &b->sums[p - b->pages->pages];
  hm_sha256 of;
  hm_sha256_init(&of);
  hm_sha256_field(&of, hm_str_c(p->tmpl));
  hm_node_digest(model, &of);
  s->path = p->path;
  end_source(&of, s->model);
  uint32_t at = b->before ? hm_map_get(&b->before_at, p->path) : HM_MAP_NONE;
  s->same = at != HM_MAP_NONE && memcmp(b->before->pages[at].model, s->model, sizeof s->model) == 0;
  return s->same;
}

int hm_render_page(const hm_build *b, const hm_page *p, hm_render_worker *h, hm_file *md,
                   hm_file *html, hm_err *err) {
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->md);
  hm_str name = HM_CAT(h->scratch, hm_str_c(p->tmpl), HM_STR(".md"));
  hm_node *model = hm_page_model(b->v, p, h->scratch);
  if (b->sums && is_same(b, p, model))
    return 0;
  if (hm_template_render(b->t, name, model, h->scratch, &h->md, err) != 0 ||
      check_size(&h->md, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(p->path));
  if (hm_check_markers(b, p, hm_buf_view(&h->md), h, err) != 0)
    return -1;
  if (md && hm_finish_file(b, h, p->path, hm_buf_view(&h->md), NULL, md, err) != 0)
    return -1;
  if (html && render_html(b, p, model, h, html, err) != 0)
    return -1;
  h->rendered += (md && !md->held) || (html && !html->held);
  return 0;
}

int hm_render_404(const hm_build *b, hm_render_worker *h, hm_file *out, hm_err *err) {
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->html);
  const hm_node *model = hm_build_shell_model_404(b, h->scratch);
  if (hm_template_render(b->t, HM_STR("404.html"), model, h->scratch, &h->html, err) != 0)
    return hm_err_within(err, "404.html");
  *out = hm_make_site_file(h->keep, HM_STR("404.html"), hm_buf_view(&h->html));
  return 0;
}

/* --- one raw file ------------------------------------------------------------------ */

/* Splits a list that is too long into an index and parts. */
static int render_raw(hm_work *w, size_t i, hm_render_worker *h, hm_err *err) {
  const hm_build *b = &w->b;
  const hm_raw_file *r = &b->pages->raws[i];
  hm_raw_work *x = &w->raws[i];
  hm_file *out = &w->rendered[b->pages->n * w->forms + i];
  size_t max = b->opt->file_max ? b->opt->file_max : HM_FILE_MAX;
  unsigned char source[16] = { 0 };
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->md);
  if (r->source) {
    hm_sha256 of;
    hm_sha256_init(&of);
    r->source(b->v, r, h->scratch, &h->md);
    hm_sha256_add(&of, hm_buf_view(&h->md));
    end_source(&of, source);
    if (hm_reuse_file(b, r->path, source, h->keep, out))
      return 0;
    hm_buf_clear(&h->md);
  }
  r->bytes(b->v, r, h->scratch, &h->md);
  if (check_size(&h->md, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(r->path));
  hm_arena_reset(h->scratch);
  hm_file_part whole = { .path = r->path, .bytes = hm_buf_view(&h->md) }, *parts = &whole;
  size_t n = r->is_list ? hm_parts_split(r->path, whole.bytes, max, h->scratch, &parts) : 0;
  if (n)
    x->parts = hm_alloc_array(h->keep, n, sizeof *x->parts);
  for (size_t k = 1; k < n; k++)
    if (hm_finish_file(b, h, parts[k].path, parts[k].bytes, NULL, &x->parts[x->n_parts++], err))
      return -1;
  return hm_finish_file(b, h, parts[0].path, parts[0].bytes, source, out, err);
}

/* --- all of them -------------------------------------------------------------------- */

/* Raw files come first, since one of them takes longest. */
static int render(hm_work *w, size_t i, hm_render_worker *h, hm_err *err) {
  const hm_pages *p = w->b.pages;
  const hm_site_options *o = w->b.opt;
  if (i < p->n_raws)
    return render_raw(w, i, h, err);
  i -= p->n_raws;
  hm_file *first = &w->rendered[i * w->forms];
  return hm_render_page(&w->b, &p->pages[i], h, o->markdown ? first + o->html : NULL,
                        o->html ? first : NULL, err);
}

/* A worker goes on with items before the first that failed, so its last failure is its first. */
int hm_render_note_failure(hm_render_worker *h, size_t i, int rc, const hm_err *why) {
  if (rc != 0)
    h->failure = *why, h->failed_at = i;
  return rc;
}

int hm_render_failure(const hm_work *w, size_t failed, hm_err *err) {
  hm_fail(err, HM_E_INTERNAL, "page", "it was not made", NULL);
  for (int i = 0; i < w->n_workers; i++)
    if (err && w->workers[i].failure.code && w->workers[i].failed_at == failed)
      *err = w->workers[i].failure;
  return -1;
}

static int render_one(void *ctx, size_t i, int worker) {
  hm_work *w = ctx;
  const hm_site_options *o = w->b.opt;
  hm_render_worker *h = &w->workers[worker];
  hm_err err = { 0 };
  if (o->proceed && !o->proceed(o->proceed_ctx))
    return -1;
  if (hm_render_note_failure(h, i, render(w, i, h, &err), &err) != 0)
    return -1;
  size_t done = atomic_fetch_add_explicit(&w->done, 1, memory_order_relaxed) + 1;
  if (o->progress)
    o->progress(o->ctx, done, w->b.pages->n + w->b.pages->n_raws);
  return 0;
}

/* The first page that fails is the same on every run. */
int hm_render_all(hm_work *w, hm_err *err) {
  const hm_pages *p = w->b.pages;
  size_t bad = 0;
  int rc = hm_par_for(p->n_raws + p->n, w->n_workers, render_one, w, &bad);
  return rc == 0 ? 0 : hm_render_failure(w, bad, err);
}
