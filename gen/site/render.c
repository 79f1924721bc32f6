/* Renders all pages on all cores: model, Markdown, HTML. The workers take them one by one, so that
 * no core has more than one page left when the others are done. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "gen/render/markdown.h"
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

int hm_render_page(const hm_build *b, const hm_page *p, hm_render_worker *h, hm_file *md,
                   hm_file *html, hm_err *err) {
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->md);
  hm_str name = HM_CAT(h->scratch, hm_str_c(p->tmpl), HM_STR(".md"));
  hm_node *model = hm_page_model(b->v, p, h->scratch);
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

/* Finishes a raw file, whose bytes are in h->md. Splits a list that is too long into an index and
 * parts. */
static int finish_raw(hm_work *w, size_t i, hm_render_worker *h, hm_err *err) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_raw_work *x = &w->raws[i];
  hm_file *out = &w->rendered[w->b.pages->n * w->forms + i];
  size_t max = w->b.opt->file_max ? w->b.opt->file_max : HM_FILE_MAX;
  if (check_size(&h->md, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(r->path));
  hm_file_part whole = { .path = r->path, .bytes = hm_buf_view(&h->md) }, *parts = &whole;
  hm_arena_reset(h->scratch);
  size_t n = r->is_list ? hm_parts_split(r->path, whole.bytes, max, h->scratch, &parts) : 0;
  x->n_parts = 0;
  if (n)
    x->parts = hm_alloc_array(h->keep, n, sizeof *x->parts);
  for (size_t k = 1; k < n; k++)
    if (hm_finish_file(&w->b, h, parts[k].path, parts[k].bytes, NULL, &x->parts[x->n_parts++],
                       err) != 0)
      return -1;
  return hm_finish_file(&w->b, h, parts[0].path, parts[0].bytes, r->source ? x->source : NULL, out,
                        err);
}

/* True for a file whose source is as in the last site. Overwrites h->md. */
static bool reuse_raw(hm_work *w, size_t i, hm_render_worker *h) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_sha256 of;
  hm_buf_clear(&h->md);
  r->source(w->b.v, r, h->scratch, &h->md);
  hm_sha256_init(&of);
  hm_sha256_add(&of, hm_buf_view(&h->md));
  end_source(&of, w->raws[i].source);
  return !h->md.failed &&
      hm_reuse_file(&w->b, r->path, w->raws[i].source, h->keep,
                    &w->rendered[w->b.pages->n * w->forms + i]);
}

/* Renders one piece. The worker that renders the last piece of a file joins them all. */
static int render_piece(hm_work *w, size_t i, uint32_t piece, hm_render_worker *h, hm_err *err) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_raw_work *x = &w->raws[i];
  hm_buf *out = &x->of[piece];
  hm_arena_reset(h->scratch);
  hm_buf_clear(out);
  if (r->source && reuse_raw(w, i, h))
    return 0;
  if (r->bytes(w->b.v, r, piece, h->scratch, out, err) != 0 || check_size(out, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(r->path));
  if (atomic_fetch_sub(&x->missing, 1) != 1)
    return 0;
  hm_buf_clear(&h->md);
  for (uint32_t k = 0; k < r->pieces; k++) {
    hm_buf_str(&h->md, hm_buf_view(&x->of[k]));
    hm_buf_free(&x->of[k]);
  }
  return finish_raw(w, i, h, err);
}

/* --- all of them -------------------------------------------------------------------- */

/* The slots for the files of a page; NULL for a form that the site does not have. */
static void slots_of(const hm_work *w, size_t page, hm_file **md, hm_file **html) {
  hm_file *first = &w->rendered[page * w->forms];
  *md = w->b.opt->markdown ? first + w->b.opt->html : NULL;
  *html = w->b.opt->html ? first : NULL;
}

static int render(hm_work *w, const hm_todo *t, hm_render_worker *h, hm_err *err) {
  hm_file *md, *html;
  if (t->at >= w->b.pages->n)
    return render_piece(w, t->at - w->b.pages->n, t->piece, h, err);
  slots_of(w, t->at, &md, &html);
  return hm_render_page(&w->b, &w->b.pages->pages[t->at], h, md, html, err);
}

static void note_done(hm_work *w) {
  size_t done = atomic_fetch_add_explicit(&w->done, 1, memory_order_relaxed) + 1;
  if (w->b.opt->progress)
    w->b.opt->progress(w->b.opt->ctx, done, w->b.pages->n + w->b.pages->n_raws);
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
  hm_render_worker *h = &w->workers[worker];
  hm_err err = { 0 };
  if (w->b.opt->proceed && !w->b.opt->proceed(w->b.opt->proceed_ctx))
    return -1;
  if (hm_render_note_failure(h, i, render(w, &w->todo[i], h, &err), &err) != 0)
    return -1;
  if (w->todo[i].piece == 0)
    note_done(w);
  return 0;
}

/* Raw files come first, since one of them takes longest. */
static void list_todo(hm_work *w) {
  const hm_pages *p = w->b.pages;
  size_t n = p->n;
  for (size_t i = 0; i < p->n_raws; i++)
    n += p->raws[i].pieces;
  w->todo = hm_alloc_array(w->a, n, sizeof *w->todo);
  for (size_t i = 0; i < p->n_raws; i++) {
    uint32_t pieces = p->raws[i].pieces;
    w->raws[i].of = hm_alloc_array(w->a, pieces, sizeof(hm_buf));
    atomic_init(&w->raws[i].missing, pieces);
    for (uint32_t k = 0; k < pieces; k++)
      w->todo[w->n_todo++] = (hm_todo){ (uint32_t)(p->n + i), k };
  }
  for (size_t i = 0; i < p->n; i++)
    w->todo[w->n_todo++] = (hm_todo){ (uint32_t)i, 0 };
}

/* The first page that fails is the same on every run. */
int hm_render_all(hm_work *w, hm_err *err) {
  size_t bad = 0;
  list_todo(w);
  int rc = hm_par_for(w->n_todo, w->n_workers, render_one, w, &bad);
  for (size_t i = 0; i < w->b.pages->n_raws; i++)
    for (uint32_t k = 0; k < w->b.pages->raws[i].pieces; k++)
      hm_buf_free(&w->raws[i].of[k]);
  return rc == 0 ? 0 : hm_render_failure(w, bad, err);
}
