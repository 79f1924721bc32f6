/* What an HTML page has around its Markdown: title, way back, addresses. */
#include <string.h>

#include "gen/render/template.h"
#include "gen/site/site_impl.h"

enum { PATH_DEPTH = 32 };   /* as hm_site_path_ok has it */

const char *const hm_shell_keys[HM_SHELL_KEYS] = { "title",      "description", "kind",
                                                   "is_root",    "generated",   "inputs_digest",
                                                   "breadcrumbs" };

/* The same value under the same key. It is not changed: values are shared between models. */
static void copy(hm_tv *to, const hm_tv *from, const char *key) {
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
  hm_tv *crumb = hm_tv_obj(a);
  if (name) hm_tv_set(crumb, "name", (hm_tv *)(uintptr_t)name);
  if (url.n) hm_tv_set_url(crumb, "url", url);
  hm_tv_set_bool(crumb, "last", url.n == 0);
  hm_tv_push(list, crumb);
}

/* The page itself stands last and has no link; when the model's list ends above it, it is added. */
static void put_breadcrumbs(hm_tv *shell, const hm_page *p, const hm_tv *page, hm_arena *a) {
  const hm_tv *from = hm_tv_at(page, "breadcrumbs");
  hm_tv *list = hm_tv_list(a);
  bool ended = false;
  size_t n = hm_tv_count(from);
  for (size_t i = 0; i < n; i++) {
    hm_str url = hm_tv_str(hm_tv_at(hm_tv_item(from, i), "url"));
    hm_str to = url.n ? hm_html_path(url, a) : HM_EMPTY;
    bool self = to.n == 0 || (i + 1 == n && hm_str_eq(to, hm_html_path(base_name(p->path), a)));
    ended = i + 1 == n && self;
    add_crumb(list, hm_tv_at(hm_tv_item(from, i), "name"), self ? HM_EMPTY : to, a);
  }
  if (n && !ended) add_crumb(list, hm_tv_at(page, "title"), HM_EMPTY, a);
  hm_tv_set(shell, "breadcrumbs", list);
  hm_tv_set_bool(shell, "has_breadcrumbs", n > 0);
}

static void put_place(const hm_build *b, hm_tv *shell, hm_str root, hm_arena *a) {
  hm_tv_set(shell, "root", hm_tv_raw(a, root));
  hm_tv_set_url(shell, "css", hm_str_join(a, (hm_str[]){ root, HM_STR("assets/style.css") }, 2));
  hm_tv_set_text(shell, "mirror_title", b->title);
}

/* A folder's address is without "index.html", as web servers show it. */
static void put_canonical(const hm_build *b, hm_tv *shell, hm_str html, hm_arena *a) {
  if (!b->base_url.n) return;
  if (hm_str_is(html, "index.html") || hm_str_ends(html, "/index.html"))
    html.n -= sizeof "index.html" - 1;
  hm_tv_set_url(shell, "canonical", hm_str_fmt(a, "%.*s%.*s", HM_FMT(b->base_url), HM_FMT(html)));
}

hm_tv *hm_shell_model(const hm_build *b, const hm_page *p, const hm_tv *page, hm_str body,
                      hm_arena *a) {
  hm_tv *shell = hm_tv_obj(a);
  for (size_t i = 0; i < HM_SHELL_KEYS; i++) copy(shell, page, hm_shell_keys[i]);
  hm_tv_set(shell, "body", hm_tv_raw(a, body));
  put_place(b, shell, root_of(p->path, a), a);
  put_breadcrumbs(shell, p, page, a);
  put_canonical(b, shell, hm_html_path(p->path, a), a);
  if (b->opt->markdown) hm_tv_set_url(shell, "md_url", base_name(p->path));
  return shell;
}

hm_tv *hm_shell_model_404(const hm_build *b, hm_arena *a) {
  hm_tv *shell = hm_tv_obj(a);
  hm_tv_set_text(shell, "title", HM_STR("Page not found"));
  hm_tv_set(shell, "kind", hm_tv_raw(a, HM_STR("404")));
  put_place(b, shell, b->base_url, a);   /* served for any address, so nothing relative is right */
  return shell;
}
