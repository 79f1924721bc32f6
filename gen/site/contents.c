/* The contents of a page, from the headings of its HTML: what the shell shows beside it.
 *
 * The writer gives each heading an id of its own, and its text is escaped: tags in it are links and
 * anchors, which go, and the rest stays as it is. Only sections (h2) are listed: three or more, or
 * there is nothing to choose from. Cost: one search of the page. */
#include <string.h>

#include "core/base/text.h"
#include "gen/site/site_impl.h"

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

void hm_put_contents(hm_tv *shell, hm_str body, hm_arena *a) {
  static const char begin[] = "<h2 id=\"";
  hm_tv *list = hm_tv_list(a);
  size_t n = 0;
  for (ptrdiff_t at; n < MOST && (at = hm_str_find(body, begin)) >= 0;) {
    body = hm_str_sub(body, (size_t)at + sizeof begin - 1, body.n);
    const char *quote = memchr(body.p, '"', body.n);
    ptrdiff_t end = hm_str_find(body, "</h2>");
    if (!quote || end < 0) break;
    hm_str id = hm_str_sub(body, 0, (size_t)(quote - body.p)),
           text = hm_str_sub(body, id.n + 2, (size_t)end);
    hm_tv *item = hm_tv_obj(a);
    hm_tv_set(item, "label", hm_tv_raw(a, without_tags(a, text)));
    hm_tv_set(item, "url", hm_tv_raw(a, HM_CAT(a, HM_STR("#"), id)));
    hm_tv_push(list, item);
    n++;
  }
  bool enough = n >= FEWEST;
  hm_tv_set(shell, "contents", enough ? list : hm_tv_list(a));
  hm_tv_set_bool(shell, "has_contents", enough);
}
