/* The tree of a page to HTML.
 *
 * Each node has its lines here; what is not named makes nothing. Text goes through the escaper, raw
 * HTML becomes text, but for the anchors of rows. Links lead to the HTML of the mirror's own pages
 * or to http(s); any other keeps its text only. HTML knows no link in a link: the inner one is its
 * text. */
#include <string.h>

#include "gen/render/escape_impl.h"
#include "gen/render/md_impl.h"

typedef struct {
  hm_arena *a;
  hm_buf *out;
  size_t start;              /* of this page in out */
  hm_md_ids ids;
  hm_str heading;            /* text of the last one */
  cmark_node *link;          /* the one that became an <a> and is open */
  cmark_node *anchor_end;    /* the </a> that was written with its anchor */
  const uint8_t *aligns;     /* of the table that is open, a letter a column */
  size_t columns, column;
  bool in_head, in_body;     /* of the table */
} writer;

static void put(writer *w, hm_str s) { hm_buf_str(w->out, s); }

/* Ends the line, unless it is ended. */
static void end_line(writer *w) {
  if (w->out->n > w->start && w->out->p[w->out->n - 1] != '\n') hm_buf_ch(w->out, '\n');
}

/* --- links ------------------------------------------------------------------ */

/* A path of our own, relative to the page: no scheme, no host. */
static bool is_relative(hm_str url) {
  if (!url.n || hm_str_starts(url, "//")) return false;
  for (size_t i = 0; i < url.n && !memchr("/?#", url.p[i], 3); i++)
    if (url.p[i] == ':') return false;
  return true;
}

static size_t path_end(hm_str url) {
  size_t i = 0;
  while (i < url.n && url.p[i] != '#' && url.p[i] != '?') i++;
  return i;
}

/* The Markdown page's path as that of its HTML. */
static void put_path(hm_buf *b, hm_str path) {
  if (!hm_str_ends(path, ".md")) {
    hm_url_put(b, path);
    return;
  }
  hm_str stem = hm_str_sub(path, 0, path.n - 3);
  bool index = hm_str_is(stem, "README") || hm_str_ends(stem, "/README");
  hm_url_put(b, index ? hm_str_sub(stem, 0, stem.n - 6) : stem);
  hm_buf_c(b, index ? "index.html" : ".html");
}

/* Its text is exactly that of the marker. */
static bool is_marker(cmark_node *link) {
  hm_str rest = HM_STR("\u26A0 disputed"), s;
  for (cmark_node *n = link; n; n = hm_md_next(n, link)) {
    if (!hm_md_text_of(n, &s)) continue;
    if (s.n > rest.n || memcmp(rest.p, s.p, s.n) != 0) return false;
    rest = hm_str_sub(rest, s.n, rest.n);
  }
  return !rest.n;
}

static void open_link(writer *w, cmark_node *node) {
  const char *z = cmark_node_get_url(node);
  hm_str url = hm_str_c(z ? z : "");
  bool web = hm_url_web(url);
  if (w->link || (!web && !is_relative(url))) return;
  size_t end = web ? 0 : path_end(url);
  w->link = node;
  put(w, HM_STR("<a href=\""));
  put_path(w->out, hm_str_sub(url, 0, end));
  hm_url_put(w->out, hm_str_sub(url, end, url.n));
  put(w, HM_STR("\""));
  if (is_marker(node)) put(w, HM_STR(" class=\"disputed\""));
  if (web) put(w, HM_STR(" rel=\"nofollow noopener\""));
  put(w, HM_STR(">"));
}

static void close_link(writer *w, cmark_node *node) {
  if (w->link != node) return;
  put(w, HM_STR("</a>"));
  w->link = NULL;
}

/* --- leaves ----------------------------------------------------------------- */

/* The escaper writes the '@' of an e-mail address as code, for readers who make addresses links. */
static void put_code(writer *w, hm_str s) {
  bool at = hm_str_is(s, "@");
  if (!at) put(w, HM_STR("<code>"));
  hm_html_put(w->out, s);
  if (!at) put(w, HM_STR("</code>"));
}

static void put_code_block(writer *w, cmark_node *node) {
  hm_str info = hm_str_c(cmark_node_get_fence_info(node));
  size_t n = 0;
  while (n < info.n && !memchr(" \t\r\n\v\f", info.p[n], 6)) n++;
  put(w, HM_STR("<pre><code"));
  if (n) {
    put(w, HM_STR(" class=\"language-"));
    hm_html_put(w->out, hm_str_sub(info, 0, n));
    put(w, HM_STR("\""));
  }
  put(w, HM_STR(">"));
  hm_html_put(w->out, hm_md_literal(node));
  put(w, HM_STR("</code></pre>\n"));
}

static void put_html_block(writer *w, hm_str html) {
  put(w, HM_STR("<p>"));
  hm_html_put(w->out, hm_str_trim(html));
  put(w, HM_STR("</p>\n"));
}

static void put_html(writer *w, cmark_node *node) {
  hm_str id = hm_md_anchor(node);
  if (node == w->anchor_end) return;
  if (id.n) {
    hm_buf_fmt(w->out, "<a id=\"%.*s\"></a>", HM_FMT(id));
    w->anchor_end = cmark_node_next(node);
  } else {
    hm_html_put(w->out, hm_md_literal(node));
  }
}

/* --- headings, lists --------------------------------------------------------- */

static void open_heading(writer *w, cmark_node *node) {
  w->heading = hm_md_text(node, w->a);
  hm_str id = hm_md_ids_heading(&w->ids, w->heading);
  hm_buf_fmt(w->out, "<h%d", cmark_node_get_heading_level(node));
  if (id.n) hm_buf_fmt(w->out, " id=\"%.*s\"", HM_FMT(id));
  put(w, HM_STR(">"));
}

/* Of a list without blank lines between its items, which has no <p> in them. */
static bool is_tight(cmark_node *paragraph) {
  cmark_node *item = cmark_node_parent(paragraph), *list = item ? cmark_node_parent(item) : NULL;
  return list && cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list);
}

static bool is_ordered(cmark_node *list) {
  return cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
}

static void open_list(writer *w, cmark_node *node) {
  int first = cmark_node_get_list_start(node);
  if (!is_ordered(node)) put(w, HM_STR("<ul>\n"));
  else if (first == 1) put(w, HM_STR("<ol>\n"));
  else hm_buf_fmt(w->out, "<ol start=\"%d\">\n", first);
}

static void open_item(writer *w, cmark_node *node) {
  put(w, HM_STR("<li>"));
  if (strcmp(cmark_node_get_type_string(node), "tasklist") != 0) return;
  if (cmark_gfm_extensions_get_tasklist_item_checked(node))
    put(w, HM_STR("<input type=\"checkbox\" checked=\"\" disabled=\"\" aria-label=\"done\" /> "));
  else put(w, HM_STR("<input type=\"checkbox\" disabled=\"\" aria-label=\"to do\" /> "));
}

/* --- tables ------------------------------------------------------------------ */

static void open_table(writer *w, cmark_node *node) {
  w->aligns = cmark_gfm_extensions_get_table_alignments(node);
  w->columns = cmark_gfm_extensions_get_table_columns(node);
  w->in_body = false;
  put(w, HM_STR("<div class=\"table\" tabindex=\"0\""));
  if (w->heading.n) {   /* a region without a name says nothing */
    put(w, HM_STR(" role=\"region\" aria-label=\""));
    hm_html_put(w->out, w->heading);
    put(w, HM_STR("\""));
  }
  put(w, HM_STR(">\n<table>\n"));
}

static void close_table(writer *w) {
  if (w->in_body) put(w, HM_STR("</tbody>\n"));
  put(w, HM_STR("</table>\n</div>\n"));
}

static void open_row(writer *w, cmark_node *node) {
  w->column = 0;
  w->in_head = cmark_gfm_extensions_get_table_row_is_header(node);
  if (w->in_head) put(w, HM_STR("<thead>\n"));
  else if (!w->in_body) put(w, HM_STR("<tbody>\n"));
  w->in_body |= !w->in_head;
  put(w, HM_STR("<tr>\n"));
}

static void close_row(writer *w) {
  put(w, HM_STR("</tr>\n"));
  if (w->in_head) put(w, HM_STR("</thead>\n"));
}

/* Numbers stand at the right; a class, since `align` is obsolete and a style is not allowed. */
static void open_cell(writer *w) {
  put(w, w->in_head ? HM_STR("<th scope=\"col\"") : HM_STR("<td"));
  bool right = w->column < w->columns && w->aligns && w->aligns[w->column] == 'r';
  if (right) put(w, HM_STR(" class=\"num\""));
  put(w, HM_STR(">"));
  w->column++;
}

/* --- the walk ----------------------------------------------------------------- */

/* The extension's nodes have types whose numbers are given out at run time; only their names are
 * told. */
typedef enum { NO_PART, TABLE, TABLE_ROW, TABLE_CELL } table_part;

static table_part part_of(cmark_node *node, cmark_node_type type) {
  if (type <= CMARK_NODE_FOOTNOTE_DEFINITION) return NO_PART;
  const char *name = cmark_node_get_type_string(node);
  if (strcmp(name, "table_cell") == 0) return TABLE_CELL;
  if (strcmp(name, "table_row") == 0 || strcmp(name, "table_header") == 0) return TABLE_ROW;
  return strcmp(name, "table") == 0 ? TABLE : NO_PART;
}

static void enter_block(writer *w, cmark_node *node) {
  cmark_node_type type = cmark_node_get_type(node);
  if (type == CMARK_NODE_PARAGRAPH && is_tight(node)) return;
  end_line(w);
  table_part part = part_of(node, type);
  if (part == TABLE) open_table(w, node);
  if (part == TABLE_ROW) open_row(w, node);
  if (part == TABLE_CELL) open_cell(w);
  switch (type) {
    case CMARK_NODE_BLOCK_QUOTE: put(w, HM_STR("<blockquote>\n")); break;
    case CMARK_NODE_LIST: open_list(w, node); break;
    case CMARK_NODE_ITEM: open_item(w, node); break;
    case CMARK_NODE_CODE_BLOCK: put_code_block(w, node); break;
    case CMARK_NODE_HTML_BLOCK: put_html_block(w, hm_md_literal(node)); break;
    case CMARK_NODE_PARAGRAPH: put(w, HM_STR("<p>")); break;
    case CMARK_NODE_HEADING: open_heading(w, node); break;
    case CMARK_NODE_THEMATIC_BREAK: put(w, HM_STR("<hr />\n")); break;
    default: break;
  }
}

static void leave_block(writer *w, cmark_node *node) {
  cmark_node_type type = cmark_node_get_type(node);
  table_part part = part_of(node, type);
  if (part == TABLE) close_table(w);
  if (part == TABLE_ROW) close_row(w);
  if (part == TABLE_CELL) put(w, w->in_head ? HM_STR("</th>\n") : HM_STR("</td>\n"));
  switch (type) {
    case CMARK_NODE_BLOCK_QUOTE: put(w, HM_STR("</blockquote>\n")); break;
    case CMARK_NODE_LIST: put(w, is_ordered(node) ? HM_STR("</ol>\n") : HM_STR("</ul>\n")); break;
    case CMARK_NODE_ITEM: put(w, HM_STR("</li>\n")); break;
    case CMARK_NODE_PARAGRAPH: if (!is_tight(node)) put(w, HM_STR("</p>\n")); break;
    case CMARK_NODE_HEADING:
      hm_buf_fmt(w->out, "</h%d>\n", cmark_node_get_heading_level(node));
      break;
    default: break;
  }
}

static void enter_inline(writer *w, cmark_node *node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT: hm_html_put(w->out, hm_md_literal(node)); break;
    case CMARK_NODE_SOFTBREAK: put(w, HM_STR("\n")); break;
    case CMARK_NODE_LINEBREAK: put(w, HM_STR("<br />\n")); break;
    case CMARK_NODE_CODE: put_code(w, hm_md_literal(node)); break;
    case CMARK_NODE_HTML_INLINE: put_html(w, node); break;
    case CMARK_NODE_EMPH: put(w, HM_STR("<em>")); break;
    case CMARK_NODE_STRONG: put(w, HM_STR("<strong>")); break;
    case CMARK_NODE_LINK:
    case CMARK_NODE_IMAGE: open_link(w, node); break;
    default: break;
  }
}

static void leave_inline(writer *w, cmark_node *node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_EMPH: put(w, HM_STR("</em>")); break;
    case CMARK_NODE_STRONG: put(w, HM_STR("</strong>")); break;
    case CMARK_NODE_LINK:
    case CMARK_NODE_IMAGE: close_link(w, node); break;
    default: break;
  }
}

int hm_markdown_html(hm_str md, hm_arena *a, hm_buf *out, hm_err *err) {
  writer w = { .a = a, .out = out, .start = out->n, .ids = { .a = a } };
  if (hm_md_parse(md, a, &w.ids.root, err) != 0) return -1;
  cmark_iter *walk = cmark_iter_new(w.ids.root);
  for (cmark_event_type event; (event = cmark_iter_next(walk)) != CMARK_EVENT_DONE;) {
    cmark_node *node = cmark_iter_get_node(walk);
    bool is_block = (cmark_node_get_type(node) & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK;
    if (event == CMARK_EVENT_ENTER) (is_block ? enter_block : enter_inline)(&w, node);
    else (is_block ? leave_block : leave_inline)(&w, node);
  }
  hm_md_done();
  return 0;
}
