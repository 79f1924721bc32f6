/* All pages on all cores: model, Markdown, HTML.
 *
 * First what need not be made is looked for, then the rest is made one by one, so that no core is
 * left with more than one page when the others have ended. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "gen/page/changes.h"
#include "gen/render/markdown.h"
#include "gen/render/template.h"
#include "gen/site/site_impl.h"

/* --- files ----------------------------------------------------------------------- */

/* The file with the bytes as they are. */
static hm_file file_of_bytes(hm_arena *a, hm_str path, hm_str bytes) {
  hm_file f = { .path = hm_str_dup(a, path), .bytes = bytes };
  hm_sha256_digest(bytes, f.sha256);
  return f;
}

hm_file hm_make_site_file(hm_arena *a, hm_str path, hm_str bytes) {
  return file_of_bytes(a, path, hm_str_dup(a, bytes));
}

/* A file that was rendered: kept in h->keep, or handed on. */
static int finish_file(const hm_build *b, hm_render_worker *h, hm_str path, hm_str bytes,
                       hm_file *out, hm_err *err) {
  const hm_site_options *o = b->opt;
  *out = o->take ? file_of_bytes(h->keep, path, bytes) : hm_make_site_file(h->keep, path, bytes);
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
  return HM_CAT(a, stem, folder ? HM_STR("index") : HM_EMPTY, HM_STR(".html"), rest);
}

/* --- what stands around the Markdown in HTML ---------------------------------------- */

enum { PATH_DEPTH = 32 };   /* as hm_is_site_path has it */

const char *const hm_shell_keys[HM_SHELL_KEYS] = { "title",      "description", "kind",
                                                   "is_root",    "generated",
                                                   "breadcrumbs" };

/* The same value under the same key. It is not changed: values are shared between models. */
static void copy_value(hm_tv *to, const hm_tv *from, const char *key) {
  const hm_tv *v = hm_tv_at(from, key);
  if (v) hm_tv_set(to, key, (hm_tv *)(uintptr_t)v);
}

static hm_str root_of(hm_str path, hm_arena *a) {
  hm_str up[PATH_DEPTH];
  size_t n = 0;
  for (size_t i = 0; i < path.n && n < PATH_DEPTH; i++)
    if (path.p[i] == '/') up[n++] = HM_STR("../");
  return hm_str_join(a, up, n);
}

static hm_str base_name(hm_str path) {
  const char *slash = memrchr(path.p, '/', path.n);
  return slash ? hm_str_sub(path, (size_t)(slash - path.p) + 1, path.n) : path;
}

static void add_crumb(hm_tv *list, const hm_tv *name, hm_str url, hm_arena *a) {
  hm_tv *crumb = hm_tv_new_obj(a);
  if (name) hm_tv_set(crumb, "name", (hm_tv *)(uintptr_t)name);
  if (url.n) hm_tv_set_url(crumb, "url", url);
  hm_tv_set_bool(crumb, "last", url.n == 0);
  hm_tv_push(list, crumb);
}

/* The page itself stands last and has no link; when the model's list ends above it, it is added. */
static void put_breadcrumbs(hm_tv *shell, const hm_page *p, const hm_tv *page, hm_arena *a) {
  const hm_tv *from = hm_tv_at(page, "breadcrumbs");
  hm_tv *list = hm_tv_new_list(a);
  bool ended = false;
  size_t n = hm_tv_count(from);
  for (size_t i = 0; i < n; i++) {
    hm_str url = hm_tv_str(hm_tv_at(hm_tv_item(from, i), "url"));
    hm_str to = url.n ? hm_html_path(url, a) : HM_EMPTY;
    bool self = to.n == 0 || (i + 1 == n && hm_str_eq(to, hm_html_path(base_name(p->path), a)));
    ended = i + 1 == n && self;
    add_crumb(list, hm_tv_at(hm_tv_item(from, i), "name"), self ? HM_EMPTY : to, a);
  }
  const hm_tv *heading = hm_tv_at(page, "heading");
  if (!hm_tv_str(heading).n) heading = hm_tv_at(page, "title");
  if (n && !ended) add_crumb(list, heading, HM_EMPTY, a);
  hm_tv_set(shell, "breadcrumbs", list);
  hm_tv_set_bool(shell, "has_breadcrumbs", n > 0);
}

static hm_str asset_url(hm_str root, hm_str name, hm_arena *a) {
  return HM_CAT(a, root, HM_STR("assets/"), name);
}

static void put_house(const hm_build *b, hm_tv *shell, hm_str root, hm_arena *a) {
  const hm_site_house *h = &b->opt->house;
  hm_tv *styles = hm_tv_new_list(a);
  for (size_t i = 0; i < h->n_styles; i++) {
    hm_tv *style = hm_tv_new_obj(a);
    hm_tv_set_url(style, "url", asset_url(root, h->styles[i], a));
    hm_tv_push(styles, style);
  }
  hm_tv_set(shell, "styles", styles);
  hm_tv_set_url(shell, "logo", h->logo.n ? asset_url(root, h->logo, a) : HM_EMPTY);
  hm_tv_set_bool(shell, "has_scripts", h->scripts);
}

static void put_place(const hm_build *b, hm_tv *shell, hm_str root, hm_arena *a) {
  hm_tv_set(shell, "root", hm_tv_new_raw(a, root));
  hm_tv_set_url(shell, "css", asset_url(root, HM_STR("style.css"), a));
  put_house(b, shell, root, a);
  hm_tv_set_url(shell, "search", b->search ? HM_CAT(a, root, HM_STR("search.html")) : HM_EMPTY);
  hm_tv_set_text(shell, "mirror_title", b->title);
  hm_tv_set_bool(shell, "has_changes", hm_view_has_changes(b->v));
}

/* Lists of rows, which a script lets a reader filter and sort. */
static bool is_list(const char *kind) {
  static const char *const lists[] = {
    "archive",       "conflicts",  "conflicts_by_date", "conflicts_by_layer", "conflicts_part",
    "decisions",     "entities",   "findings",          "findings_part",      "memories",
    "projects_part", "relations",  "sources",           "state" };
  for (size_t i = 0; i < HM_COUNT(lists); i++)
    if (strcmp(kind, lists[i]) == 0) return true;
  return false;
}

static hm_str script_of(const char *kind) {
  if (strcmp(kind, "search") == 0) return HM_STR("assets/search.js");
  return is_list(kind) ? HM_STR("assets/list.js") : HM_EMPTY;
}

/* A sheet that the theme has for pages like this one alone: conflict.css, list.css; else empty. */
static hm_str sheet_of(const hm_build *b, const char *kind, hm_str root, hm_arena *a) {
  hm_str name = hm_str_fmt(a, "%s.css", kind);
  for (size_t i = 0; i < b->opt->n_assets; i++)
    if (hm_str_eq(b->opt->assets[i].name, name)) return asset_url(root, name, a);
  return HM_EMPTY;
}

/* The contents of a page, from the headings of its HTML: what the shell shows beside it.
 *
 * The writer gives each heading an id of its own, and its text is escaped: tags in it are links and
 * anchors, which go, and the rest stays as it is. Only sections (h2) are listed: three or more, or
 * there is nothing to choose from. Cost: one search of the page. */

enum { FEWEST = 3, MOST = 40 };

/* The text without its tags, entities as they are. */
static hm_str without_tags(hm_arena *a, hm_str html) {
  char *out = hm_alloc(a, html.n + 1);
  size_t n = 0;
  bool in_tag = false;
  for (size_t i = 0; i < html.n; i++) {
    if (html.p[i] == '<') in_tag = true;
    else if (html.p[i] == '>') in_tag = false;
    else if (!in_tag) out[n++] = html.p[i];
  }
  return (hm_str){ out, n };
}

static void put_contents(hm_tv *shell, hm_str body, hm_arena *a) {
  static const char begin[] = "<h2 id=\"";
  hm_tv *list = hm_tv_new_list(a);
  size_t n = 0;
  for (ptrdiff_t at; n < MOST && (at = hm_str_find(body, begin)) >= 0;) {
    body = hm_str_sub(body, (size_t)at + sizeof begin - 1, body.n);
    const char *quote = memchr(body.p, '"', body.n);
    ptrdiff_t end = hm_str_find(body, "</h2>");
    if (!quote || end < 0) break;
    hm_str id = hm_str_sub(body, 0, (size_t)(quote - body.p)),
           text = hm_str_sub(body, id.n + 2, (size_t)end);
    hm_tv *item = hm_tv_new_obj(a);
    hm_tv_set(item, "label", hm_tv_new_raw(a, without_tags(a, text)));
    hm_tv_set(item, "url", hm_tv_new_raw(a, HM_CAT(a, HM_STR("#"), id)));
    hm_tv_push(list, item);
    n++;
  }
  bool enough = n >= FEWEST;
  hm_tv_set(shell, "contents", enough ? list : hm_tv_new_list(a));
  hm_tv_set_bool(shell, "has_contents", enough);
}

hm_tv *hm_build_shell_model(const hm_build *b, const hm_page *p, const hm_tv *page, hm_str body,
                            hm_arena *a) {
  hm_tv *shell = hm_tv_new_obj(a);
  for (size_t i = 0; i < HM_SHELL_KEYS; i++) copy_value(shell, page, hm_shell_keys[i]);
  hm_tv_set(shell, "body", hm_tv_new_raw(a, body));
  hm_str root = root_of(p->path, a);
  put_place(b, shell, root, a);
  hm_tv_set_url(shell, "kind_css", sheet_of(b, p->tmpl, root, a));
  hm_str script = script_of(p->tmpl);
  hm_tv_set_url(shell, "list_css", script.n ? sheet_of(b, "list", root, a) : HM_EMPTY);
  hm_tv_set_url(shell, "script",
                script.n ? HM_CAT(a, root, script) : HM_EMPTY);
  if (script.n) hm_tv_set_bool(shell, "has_scripts", true);
  /* A conflict has its order of its own: what to do stands first. */
  put_contents(shell, strcmp(p->tmpl, "conflict") == 0 ? HM_EMPTY : body, a);
  put_breadcrumbs(shell, p, page, a);
  if (b->base_url.n)
    hm_tv_set_url(shell, "canonical",
                  hm_page_address(b->base_url, hm_html_path(p->path, a), a));
  if (b->opt->markdown) hm_tv_set_url(shell, "md_url", base_name(p->path));
  return shell;
}

hm_tv *hm_build_shell_model_404(const hm_build *b, hm_arena *a) {
  hm_tv *shell = hm_tv_new_obj(a);
  hm_tv_set_text(shell, "title", HM_STR("Page not found"));
  hm_tv_set(shell, "kind", hm_tv_new_raw(a, HM_STR("404")));
  put_place(b, shell, b->base_url, a);   /* served for any address, so nothing relative is right */
  return shell;
}

/* --- one page ---------------------------------------------------------------------- */

static int check_size(const hm_buf *b, hm_err *err) {
  return b->failed ? hm_fail(err, HM_E_INTERNAL, NULL, "too long", NULL) : 0;
}

/* The shell around h->md. */
static int render_html(const hm_build *b, const hm_page *p, const hm_tv *model, hm_render_worker *h,
                       hm_err *err) {
  hm_buf_clear(&h->body);
  hm_buf_clear(&h->html);
  if (hm_markdown_html(hm_buf_view(&h->md), h->scratch, &h->body, err) != 0 ||
      check_size(&h->body, err) != 0)
    return -1;
  const hm_tv *shell = hm_build_shell_model(b, p, model, hm_buf_view(&h->body), h->scratch);
  if (hm_template_render(b->t, HM_STR("shell.html"), shell, h->scratch, &h->html, err) != 0)
    return -1;
  return check_size(&h->html, err);
}

int hm_render_page(const hm_build *b, const hm_page *p, hm_render_worker *h, hm_file *md,
                   hm_file *html, hm_err *err) {
  hm_hash128 key;
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->marks);
  hm_buf_clear(&h->md);
  hm_str name = HM_CAT(h->scratch, hm_str_c(p->tmpl), HM_STR(".md"));
  hm_tv *model = hm_page_model(b->v, p, h->scratch);
  if (hm_template_render(b->t, name, model, h->scratch, &h->md, err) != 0 ||
      check_size(&h->md, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(p->path));
  if (hm_check_markers(b, p->path, hm_buf_view(&h->md), h, err) != 0) return -1;
  if (!hm_reuse_same_markdown(b, p, model, h, md, html, &key)) {
    if (md && finish_file(b, h, p->path, hm_buf_view(&h->md), md, err) != 0) return -1;
    if (html && render_html(b, p, model, h, err) != 0)
      return hm_err_within(err, "%.*s", HM_FMT(p->path));
    hm_str path = html ? hm_html_path(p->path, h->scratch) : HM_EMPTY;
    if (html && finish_file(b, h, path, hm_buf_view(&h->html), html, err) != 0) return -1;
  }
  hm_reuse_note_page(b, p, key, h, md, html);
  return 0;
}

int hm_render_404(const hm_build *b, hm_render_worker *h, hm_file *out, hm_err *err) {
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->html);
  const hm_tv *model = hm_build_shell_model_404(b, h->scratch);
  if (hm_template_render(b->t, HM_STR("404.html"), model, h->scratch, &h->html, err) != 0)
    return hm_err_within(err, "404.html");
  *out = hm_make_site_file(h->keep, HM_STR("404.html"), hm_buf_view(&h->html));
  return 0;
}

/* --- one raw file ------------------------------------------------------------------ */

/* The whole of it is in h->md. A list that is too long goes on as an index and its parts. */
static int finish_raw(hm_work *w, size_t i, hm_render_worker *h, hm_err *err) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_raw_work *x = &w->raws[i];
  hm_file *out = &w->rendered[w->b.pages->n * w->forms + i];
  size_t max = w->b.opt->file_max ? w->b.opt->file_max : HM_FILE_MAX;
  if (check_size(&h->md, err) != 0) return hm_err_within(err, "%.*s", HM_FMT(r->path));
  hm_file_part whole = { .path = r->path, .bytes = hm_buf_view(&h->md) }, *parts = &whole;
  hm_arena_reset(h->scratch);
  size_t n = r->is_list ? hm_parts_split(r->path, whole.bytes, max, h->scratch, &parts) : 0;
  x->n_parts = 0;
  if (n) x->parts = hm_alloc_array(h->keep, n, sizeof *x->parts);
  for (size_t k = 1; k < n; k++)
    if (finish_file(&w->b, h, parts[k].path, parts[k].bytes, &x->parts[x->n_parts++], err) != 0)
      return -1;
  return finish_file(&w->b, h, parts[0].path, parts[0].bytes, out, err);
}

/* Who made the last of its pieces puts them together. */
static int render_piece(hm_work *w, size_t i, uint32_t piece, hm_render_worker *h, hm_err *err) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_raw_work *x = &w->raws[i];
  hm_buf *out = &x->of[piece];
  hm_arena_reset(h->scratch);
  hm_buf_clear(out);
  if (r->bytes(w->b.v, r, piece, h->scratch, out, err) != 0 || check_size(out, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(r->path));
  if (atomic_fetch_sub(&x->missing, 1) != 1) return 0;
  hm_buf_clear(&h->md);
  for (uint32_t k = 0; k < r->pieces; k++) {
    hm_buf_str(&h->md, hm_buf_view(&x->of[k]));
    hm_buf_free(&x->of[k]);
  }
  return finish_raw(w, i, h, err);
}

/* --- all of them -------------------------------------------------------------------- */

/* Where the files of a page go; NULL: it has none in this form. */
static void slots_of(const hm_work *w, size_t page, hm_file **md, hm_file **html) {
  hm_file *first = &w->rendered[page * w->forms];
  *md = w->b.opt->markdown ? first + w->b.opt->html : NULL;
  *html = w->b.opt->html ? first : NULL;
}

static int render(hm_work *w, const hm_todo *t, hm_render_worker *h, hm_err *err) {
  hm_file *md, *html;
  if (t->at >= w->b.pages->n) return render_piece(w, t->at - w->b.pages->n, t->piece, h, err);
  slots_of(w, t->at, &md, &html);
  return hm_render_page(&w->b, &w->b.pages->pages[t->at], h, md, html, err);
}

static void note_done(hm_work *w) {
  size_t done = atomic_fetch_add_explicit(&w->done, 1, memory_order_relaxed) + 1;
  if (w->b.opt->progress)
    w->b.opt->progress(w->b.opt->ctx, done, w->b.pages->n + w->b.pages->n_raws);
}

static int render_one(void *ctx, size_t i, int worker) {
  hm_work *w = ctx;
  hm_render_worker *h = &w->workers[worker];
  if (w->b.opt->proceed && !w->b.opt->proceed(w->b.opt->proceed_ctx)) return -1;
  if (render(w, &w->todo[i], h, &h->ignored) != 0) return -1;
  if (w->todo[i].piece == 0) note_done(w);
  return 0;
}

static int reuse_one(void *ctx, size_t i, int worker) {
  hm_work *w = ctx;
  hm_file *md, *html;
  slots_of(w, i, &md, &html);
  hm_arena_reset(w->workers[worker].scratch);
  if (hm_reuse_page(&w->b, &w->b.pages->pages[i], &w->workers[worker], md, html)) note_done(w);
  return 0;
}

static int reuse_one_raw(void *ctx, size_t i, int worker) {
  hm_work *w = ctx;
  hm_render_worker *h = &w->workers[worker];
  hm_file *out = &w->rendered[w->b.pages->n * w->forms + i];
  if (hm_reuse_raw(&w->b, &w->b.pages->raws[i], h, &w->b.raw_inputs[i], out)) note_done(w);
  return 0;
}

/* Raw files stand first, since one of them takes longest. */
static void find_todo(hm_work *w) {
  const hm_pages *p = w->b.pages;
  bool known = w->b.known && w->b.inputs;
  size_t failed, n = p->n;
  if (known) hm_par_for(p->n, w->n_workers, reuse_one, w, &failed);
  if (w->b.inputs) hm_par_for(p->n_raws, w->n_workers, reuse_one_raw, w, &failed);
  for (size_t i = 0; i < p->n_raws; i++) n += p->raws[i].pieces;
  w->todo = hm_alloc_array(w->a, n, sizeof *w->todo);
  for (size_t i = 0; i < p->n_raws; i++) {
    uint32_t pieces = w->rendered[p->n * w->forms + i].held ? 0 : p->raws[i].pieces;
    if (pieces) w->raws[i].of = hm_alloc_array(w->a, pieces, sizeof(hm_buf));
    atomic_init(&w->raws[i].missing, pieces);
    for (uint32_t k = 0; k < pieces; k++)
      w->todo[w->n_todo++] = (hm_todo){ (uint32_t)(p->n + i), k };
  }
  for (size_t i = 0; i < p->n; i++)
    if (!known || w->b.now[i].path.n == 0) {
      w->todo[w->n_todo++] = (hm_todo){ (uint32_t)i, 0 };
      w->site->modelled++;
    }
}

/* The first one that fails is the same on every run; it is rendered once more to hear why. */
int hm_render_all(hm_work *w, hm_err *err) {
  size_t bad = 0;
  find_todo(w);
  int rc = hm_par_for(w->n_todo, w->n_workers, render_one, w, &bad);
  if (rc != 0 && w->todo[bad].at >= w->b.pages->n)
    atomic_store(&w->raws[w->todo[bad].at - w->b.pages->n].missing, 1);
  if (rc != 0 && render(w, &w->todo[bad], &w->workers[0], err) == 0)
    hm_fail(err, HM_E_INTERNAL, "page", "it failed once and then did not", NULL);
  for (size_t i = 0; i < w->b.pages->n_raws; i++)
    for (uint32_t k = 0; w->raws[i].of && k < w->b.pages->raws[i].pieces; k++)
      hm_buf_free(&w->raws[i].of[k]);
  return rc == 0 ? 0 : -1;
}
