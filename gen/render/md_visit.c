/* Where a page leads and what can be led to, from the same tree as its HTML. */
#include "gen/render/md_impl.h"

static hm_str url_of(cmark_node *link) {
  const char *z = cmark_node_get_url(link);
  return hm_str_c(z ? z : "");
}

int hm_markdown_visit(hm_str md, hm_arena *a, const hm_markdown_visitor *v, void *ctx,
                      hm_err *err) {
  hm_md_ids ids = { .a = a };
  hm_str id;
  if (hm_md_parse(md, a, &ids.root, err) != 0) return -1;
  for (cmark_node *n = ids.root; n; n = hm_md_next(n, ids.root)) {
    int at = cmark_node_get_start_line(n);
    size_t line = at > 0 ? (size_t)at : 1;
    switch (cmark_node_get_type(n)) {
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE: v->link(ctx, url_of(n), line); break;
      case CMARK_NODE_HTML_BLOCK:
      case CMARK_NODE_HTML_INLINE: v->html(ctx, hm_md_literal(n), line); break;
      case CMARK_NODE_HEADING:
        id = hm_md_ids_heading(&ids, hm_md_text(n, a));
        if (id.n) v->id(ctx, id, line);
        break;
      default: break;
    }
  }
  hm_md_done();
  return 0;
}
