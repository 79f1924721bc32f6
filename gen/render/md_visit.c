#include "gen/render/md_impl.h"

/* cmark gives line breaks no line. */
static size_t line_of(cmark_node *n) {
  int line = cmark_node_get_start_line(n);
  return line > 0 ? (size_t)line : 1;
}

static void visit_heading(cmark_node *n, hm_md_ids *ids, const hm_markdown_visitor *v, void *ctx) {
  hm_str id = hm_md_ids_heading(ids, hm_md_text(ids->a, n));
  if (id.n) v->id(ctx, id, line_of(n));
}

static void visit_node(cmark_node *n, hm_md_ids *ids, const hm_markdown_visitor *v, void *ctx) {
  cmark_node_type type = cmark_node_get_type(n);
  if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE) v->link(ctx, hm_str_c(cmark_node_get_url(n)), line_of(n));
  else if (type == CMARK_NODE_HEADING) visit_heading(n, ids, v, ctx);
  else if (type == CMARK_NODE_HTML_INLINE || type == CMARK_NODE_HTML_BLOCK)
    v->html(ctx, hm_str_c(cmark_node_get_literal(n)), line_of(n));
}

void hm_md_visit(cmark_node *root, hm_md_ids *ids, const hm_markdown_visitor *v, void *ctx) {
  for (cmark_node *n = root; n; n = hm_md_next(n, root, NULL, NULL)) visit_node(n, ids, v, ctx);
}
