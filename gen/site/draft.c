/* Makes files of a site without the site: one page at a time, and the data files that changed.
 *
 * Each call has its own hm_render_worker and its own list of one page, so calls share only what
 * they do not write, and record nothing for the next build. */
#include <stdlib.h>
#include <string.h>
#include "core/base/digest.h"
#include "core/base/sort.h"
#include "gen/page/view.h"
#include "gen/site/site_impl.h"

struct hm_site_draft {
  hm_arena *a;
  hm_site_options opt;
  hm_build b;
  hm_str assets;
  atomic_size_t rendered;
};

static hm_str digest_assets(const hm_site_options *o, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < o->n_assets + o->n_statics; i++) {
    const hm_template_file *f = i < o->n_assets ? &o->assets[i] : &o->statics[i - o->n_assets];
    hm_sha256_field(&h, f->name);
    hm_sha256_field(&h, f->bytes);
  }
  return hm_sha256_hex(&h, a, 64);
}

int hm_site_draft_new(const hm_view *v, const hm_templates *t, const hm_site_options *opt,
                      hm_site_draft **out, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_site_draft *d = hm_alloc(a, sizeof *d);
  hm_pages *pages;
  *d = (hm_site_draft){ .a = a, .opt = *opt, .assets = digest_assets(opt, a) };
  d->opt.known = NULL;
  d->opt.take = NULL;
  hm_build_begin(&d->b, v, t, &d->opt, a);
  if (hm_list_pages(v, a, &pages, err)) {
    hm_arena_free(a);
    return -1;
  }
  d->b.pages = pages;
  hm_build_index_conflicts(&d->b, a);
  *out = d;
  return 0;
}

void hm_site_draft_free(hm_site_draft *d) {
  if (d)
    hm_arena_free(d->a);
}

size_t hm_site_draft_pages(const hm_site_draft *d) { return d->b.pages->n; }
hm_str hm_site_draft_assets_digest(const hm_site_draft *d) { return d->assets; }
size_t hm_site_draft_count_rendered(const hm_site_draft *d) { return atomic_load(&d->rendered); }

/* The page whose Markdown or HTML is at path. */
static const hm_page *page_at(const hm_site_draft *d, hm_str path, bool *html, hm_arena *a) {
  static const char end[] = ".html", index[] = "index.html";
  *html = d->opt.html && hm_str_ends(path, end);
  if (!*html)
    return d->opt.markdown ? hm_build_page_at(&d->b, path) : NULL;
  hm_str stem = hm_str_sub(path, 0, path.n - strlen(end));
  bool folder = hm_str_is(path, index) || hm_str_ends(path, "/index.html");
  if (folder)
    stem.n = path.n - strlen(index);
  hm_str md = HM_CAT(a, stem, folder ? HM_STR("README.md") : HM_STR(".md"));
  return hm_build_page_at(&d->b, md);
}

static int render_page(hm_site_draft *d, const hm_page *p, bool html, hm_arena *a, hm_file *out,
                       hm_err *err) {
  hm_page copy = *p;
  hm_pages one = { .pages = &copy, .n = 1 };
  hm_build b = d->b;
  b.pages = &one;
  hm_render_worker h = { .keep = a, .scratch = hm_arena_new() };
  atomic_fetch_add(&d->rendered, 1);
  int rc = hm_render_page(&b, &copy, &h, html ? NULL : out, html ? out : NULL, err);
  hm_render_worker_free(&h);
  return rc ? -1 : HM_FILE_READY;
}

/* The raw file at path when pages load it (a drawing or a part of the search), else NULL. */
static const hm_raw_file *part_of_page(const hm_build *b, hm_str path) {
  const hm_pages *p = b->pages;
  if (!p->n_raws || (!hm_str_ends(path, ".svg") && !hm_str_ends(path, ".js")))
    return NULL;
  return bsearch(&path, p->raws, p->n_raws, sizeof *p->raws, hm_order_str);
}

static int make_raw(const hm_site_draft *d, const hm_raw_file *r, hm_arena *a, hm_file *out) {
  hm_buf bytes = { 0 };
  r->bytes(d->b.v, r, a, &bytes);
  *out = hm_make_site_file(a, r->path, bytes.n ? hm_buf_view(&bytes) : HM_EMPTY);
  hm_buf_free(&bytes);
  return HM_FILE_READY;
}

int hm_site_draft_render_file(hm_site_draft *d, hm_str path, hm_arena *a, hm_file *out,
                              hm_err *err) {
  static const char assets[] = "assets/";
  const hm_site_options *o = &d->opt;
  bool html;
  for (size_t i = 0; i < o->n_statics; i++)
    if (hm_str_eq(o->statics[i].name, path)) {
      *out = hm_make_site_file(a, path, o->statics[i].bytes);
      return HM_FILE_READY;
    }
  for (size_t i = 0; o->html && hm_str_starts(path, assets) && i < o->n_assets; i++)
    if (hm_str_eq(o->assets[i].name, hm_str_sub(path, strlen(assets), path.n))) {
      *out = hm_make_site_file(a, path, o->assets[i].bytes);
      return HM_FILE_READY;
    }
  const hm_page *p = page_at(d, path, &html, a);
  if (p)
    return render_page(d, p, html, a, out, err);
  const hm_raw_file *raw = o->html ? part_of_page(&d->b, path) : NULL;
  if (raw)
    return make_raw(d, raw, a, out);
  if (hm_str_is(path, "404.html") && o->html && hm_templates_has(d->b.t, path)) {
    hm_render_worker h = { .keep = a, .scratch = hm_arena_new() };
    int rc = hm_render_404(&d->b, &h, out, err);
    hm_render_worker_free(&h);
    return rc ? -1 : HM_FILE_READY;
  }
  if (hm_str_is(path, ".nojekyll")) {
    *out = hm_make_site_file(a, path, HM_EMPTY);
    return HM_FILE_READY;
  }
  if (hm_str_is(path, ".gitattributes")) {
    *out = hm_make_site_file(a, path, hm_gitattributes_text());
    return HM_FILE_READY;
  }
  bool made_last = hm_str_ends(path, ".json") || hm_str_ends(path, ".jsonl") ||
      (hm_str_starts(path, "sitemap") && hm_str_ends(path, ".xml")) ||
      hm_str_is(path, "robots.txt");
  return made_last ? HM_FILE_LATER : HM_FILE_ABSENT;
}

/* --- data files before the site is made ----------------------------------------------- */

int hm_site_make_data_files(const hm_view *v, bool rows, hm_site_data_fn *each, void *ctx,
                            hm_err *err) {
  hm_arena *a = hm_arena_new(), *tmp = hm_arena_new();
  hm_buf bytes = { 0 };
  hm_pages pages;
  int rc = 0;
  hm_list_conflict_and_row_files(v, a, &pages);
  for (size_t i = 0; rc == 0 && i < pages.n_raws; i++) {
    const hm_raw_file *r = &pages.raws[i];
    if (!(hm_str_is(r->path, "conflicts.json") || (rows && hm_str_ends(r->path, ".jsonl"))))
      continue;
    hm_buf_clear(&bytes);
    r->bytes(v, r, tmp, &bytes);
    rc = bytes.failed ? hm_fail(err, HM_E_INTERNAL, NULL, "too long", NULL)
                      : each(ctx, r->path, bytes.n ? hm_buf_view(&bytes) : HM_EMPTY, err);
    hm_arena_reset(tmp);
  }
  hm_buf_free(&bytes);
  hm_arena_free(tmp);
  hm_arena_free(a);
  return rc;
}
