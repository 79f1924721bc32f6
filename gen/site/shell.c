/* The shell around a page's body in HTML: the user's additions, breadcrumbs, the style sheets and
 * scripts of the page's kind, and its table of contents. */
#include <string.h>

#include "gen/page/changes_file.h"
#include "gen/site/site_impl.h"

enum { PATH_DEPTH = 32 }; /* as hm_is_site_path has it */

/* The values that the shell takes from a page's model. */
static const char *const shell_keys[] = { "title",   "description", "kind",
                                          "is_root", "generated",   "breadcrumbs" };

static hm_str root_of(hm_str path, hm_arena *a) {
  hm_str up[PATH_DEPTH];
  size_t n = 0;
  for (size_t i = 0; i < path.n && n < PATH_DEPTH; i++)
    if (path.p[i] == '/')
      up[n++] = HM_STR("../");
  return hm_str_join(a, up, n);
}

static void add_crumb(hm_node *list, const hm_node *name, hm_str url, hm_arena *a) {
  hm_node *crumb = hm_node_new_obj(a);
  if (name)
    hm_node_set(crumb, "name", (hm_node *)(uintptr_t)name);
  if (url.n)
    hm_node_set_url(crumb, "url", url);
  hm_node_set_bool(crumb, "last", url.n == 0);
  hm_node_push(list, crumb);
}

/* The page itself comes last, without a link; it is added when the model's list ends above it. */
static void put_breadcrumbs(hm_node *shell, const hm_page *p, const hm_node *page, hm_arena *a) {
  const hm_node *from = hm_node_at(page, "breadcrumbs");
  hm_node *list = hm_node_new_list(a);
  bool ended = false;
  size_t n = hm_node_count(from);
  for (size_t i = 0; i < n; i++) {
    hm_str url = hm_node_str(hm_node_at(hm_node_item(from, i), "url"));
    hm_str to = url.n ? hm_html_path(url, a) : HM_EMPTY;
    bool self = to.n == 0 ||
        (i + 1 == n &&
         hm_str_eq(to, hm_html_path(hm_path_as_url(a, hm_str_behind_last(p->path, '/')), a)));
    ended = i + 1 == n && self;
    add_crumb(list, hm_node_at(hm_node_item(from, i), "name"), self ? HM_EMPTY : to, a);
  }
  const hm_node *heading = hm_node_at(page, "heading");
  if (!hm_node_str(heading).n)
    heading = hm_node_at(page, "title");
  if (n && !ended)
    add_crumb(list, heading, HM_EMPTY, a);
  hm_node_set(shell, "breadcrumbs", list);
  hm_node_set_bool(shell, "has_breadcrumbs", n > 0);
}

static hm_str asset_url(hm_str root, hm_str name, hm_arena *a) {
  return HM_CAT(a, root, HM_STR("assets/"), name);
}

static void put_house(const hm_build *b, hm_node *shell, hm_str root, hm_arena *a) {
  const hm_site_house *h = &b->opt->house;
  hm_node *styles = hm_node_new_list(a);
  for (size_t i = 0; i < h->n_styles; i++) {
    hm_node *style = hm_node_new_obj(a);
    hm_node_set_url(style, "url", asset_url(root, h->styles[i], a));
    hm_node_push(styles, style);
  }
  hm_node_set(shell, "styles", styles);
  hm_node_set_url(shell, "logo", h->logo.n ? asset_url(root, h->logo, a) : HM_EMPTY);
  hm_node_set_bool(shell, "has_scripts", h->scripts);
}

static void put_place(const hm_build *b, hm_node *shell, hm_str root, hm_arena *a) {
  hm_node_set(shell, "root", hm_node_new_raw(a, root));
  hm_node_set_url(shell, "css", asset_url(root, HM_STR("style.css"), a));
  put_house(b, shell, root, a);
  hm_node_set_url(shell, "search", b->search ? HM_CAT(a, root, HM_STR("search.html")) : HM_EMPTY);
  hm_node_set_text(shell, "mirror_title", b->title);
  hm_node_set_bool(shell, "has_changes", hm_view_has_changes(b->v));
}

/* True for lists of rows, which a script lets a reader filter and sort. */
static bool is_list(const char *kind) {
  static const char *const lists[] = {
    "archive",        "conflicts", "conflicts_by_date", "conflicts_by_layer",
    "conflicts_part", "decisions", "entities",          "findings",
    "findings_part",  "memories",  "projects_part",     "relations",
    "sources",        "state"
  };
  for (size_t i = 0; i < HM_COUNT(lists); i++)
    if (strcmp(kind, lists[i]) == 0)
      return true;
  return false;
}

/* The theme's extra style sheet for this kind of page: conflict.css, list.css; else empty. */
static hm_str sheet_of(const hm_build *b, const char *kind, hm_str root, hm_arena *a) {
  hm_str name = hm_str_fmt(a, "%s.css", kind);
  for (size_t i = 0; i < b->opt->n_assets; i++)
    if (hm_str_eq(b->opt->assets[i].name, name))
      return asset_url(root, name, a);
  return HM_EMPTY;
}

/* --- table of contents ----------------------------------------------------------------------- */

/* Makes a page's table of contents from the headings of its HTML.
 *
 * The writer gives each heading a unique id, and its text is escaped: tags in it are links and
 * anchors, which are removed; the rest is copied. Lists only sections (h2), and only when there are
 * at least three. Cost: one search of the page. */

enum { FEWEST = 3, MOST = 40 };

/* The text without its tags, entities unchanged. */
static hm_str without_tags(hm_arena *a, hm_str html) {
  char *out = hm_alloc(a, html.n + 1);
  size_t n = 0;
  bool in_tag = false;
  for (size_t i = 0; i < html.n; i++) {
    if (html.p[i] == '<')
      in_tag = true;
    else if (html.p[i] == '>')
      in_tag = false;
    else if (!in_tag)
      out[n++] = html.p[i];
  }
  return (hm_str){ out, n };
}

static void put_contents(hm_node *shell, hm_str body, hm_arena *a) {
  static const char begin[] = "<h2 id=\"";
  hm_node *list = hm_node_new_list(a);
  size_t n = 0;
  for (ptrdiff_t at; n < MOST && (at = hm_str_find(body, begin)) >= 0;) {
    body = hm_str_sub(body, (size_t)at + sizeof begin - 1, body.n);
    const char *quote = memchr(body.p, '"', body.n);
    ptrdiff_t end = hm_str_find(body, "</h2>");
    if (!quote || end < 0)
      break;
    hm_str id = hm_str_sub(body, 0, (size_t)(quote - body.p)),
           text = hm_str_sub(body, id.n + 2, (size_t)end);
    hm_node *item = hm_node_new_obj(a);
    hm_node_set(item, "label", hm_node_new_raw(a, without_tags(a, text)));
    hm_node_set(item, "url", hm_node_new_raw(a, HM_CAT(a, HM_STR("#"), id)));
    hm_node_push(list, item);
    n++;
  }
  bool enough = n >= FEWEST;
  hm_node_set(shell, "contents", enough ? list : hm_node_new_list(a));
  hm_node_set_bool(shell, "has_contents", enough);
}

/* --- all of it ------------------------------------------------------------------------------- */

hm_node *hm_build_shell_model(const hm_build *b, const hm_page *p, const hm_node *page,
                              hm_arena *a) {
  hm_node *shell = hm_node_new_obj(a);
  for (size_t i = 0; i < HM_COUNT(shell_keys); i++) {
    /* Puts the same value under the same key. Models share values, so nobody may change it. */
    const hm_node *v = hm_node_at(page, shell_keys[i]);
    if (v)
      hm_node_set(shell, shell_keys[i], (hm_node *)(uintptr_t)v);
  }
  hm_str root = root_of(p->path, a);
  put_place(b, shell, root, a);
  hm_node_set_url(shell, "kind_css", sheet_of(b, p->tmpl, root, a));
  hm_str script = HM_EMPTY;
  if (strcmp(p->tmpl, "search") == 0)
    script = HM_STR("assets/search.js");
  else if (is_list(p->tmpl))
    script = HM_STR("assets/list.js");
  hm_node_set_url(shell, "list_css", script.n ? sheet_of(b, "list", root, a) : HM_EMPTY);
  hm_node_set_url(shell, "script", script.n ? HM_CAT(a, root, script) : HM_EMPTY);
  if (script.n)
    hm_node_set_bool(shell, "has_scripts", true);
  put_breadcrumbs(shell, p, page, a);
  if (b->base_url.n)
    hm_node_set_url(shell, "canonical", hm_page_address(b->base_url, hm_html_path(p->path, a), a));
  if (b->opt->markdown)
    hm_node_set_url(shell, "md_url", hm_path_as_url(a, hm_str_behind_last(p->path, '/')));
  return shell;
}

void hm_shell_set_body(hm_node *shell, const hm_page *p, hm_str body, hm_arena *a) {
  hm_node_set(shell, "body", hm_node_new_raw(a, body));
  /* A conflict's page has no contents: it begins with what to do. */
  put_contents(shell, strcmp(p->tmpl, "conflict") == 0 ? HM_EMPTY : body, a);
}

hm_node *hm_build_shell_model_404(const hm_build *b, hm_arena *a) {
  hm_node *shell = hm_node_new_obj(a);
  hm_node_set_text(shell, "title", HM_STR("Page not found"));
  hm_node_set(shell, "kind", hm_node_new_raw(a, HM_STR("404")));
  put_place(b, shell, b->base_url, a); /* served for any address, so relative links would break */
  return shell;
}
