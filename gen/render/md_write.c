#include <cmark-gfm-core-extensions.h>
#include <string.h>

#include "gen/render/escape_impl.h"
#include "gen/render/md_impl.h"

/* Exported by the library, declared in none of its installed headers. */
extern cmark_node_type CMARK_NODE_TABLE, CMARK_NODE_TABLE_ROW, CMARK_NODE_TABLE_CELL;

static hm_str literal(cmark_node *n) { return hm_str_c(cmark_node_get_literal(n)); }

static void put(hm_md_writer *w, const char *z) { hm_buf_c(w->out, z); }

/* Ends the line, unless it is ended. */
static void line(hm_md_writer *w) {
  if (w->out->n > w->start && w->out->p[w->out->n - 1] != '\n') hm_buf_ch(w->out, '\n');
}

static void put_line(hm_md_writer *w, const char *z) {
  line(w);
  put(w, z);
}

hm_str hm_md_text(hm_arena *a, cmark_node *node) {
  cmark_node *only = cmark_node_first_child(node);
  if (only && !cmark_node_next(only) && cmark_node_get_type(only) == CMARK_NODE_TEXT) return literal(only);
  hm_buf b = { 0 };
  for (cmark_node *n = node; n; n = hm_md_next(n, node, NULL, NULL)) {
    cmark_node_type type = cmark_node_get_type(n);
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) hm_buf_str(&b, literal(n));
    else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) hm_buf_ch(&b, ' ');
  }
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s;
}

/* --- anchors and other raw HTML ---------------------------------------- */

/* The id in <a id="[a-z0-9-]+">, else empty. */
static hm_str anchor_id(hm_str html) {
  if (!hm_str_starts(html, "<a id=\"") || !hm_str_ends(html, "\">")) return HM_EMPTY;
  hm_str id = hm_str_sub(html, 7, html.n - 2);
  for (size_t i = 0; i < id.n; i++)
    if (!(id.p[i] >= 'a' && id.p[i] <= 'z') && !(id.p[i] >= '0' && id.p[i] <= '9') && id.p[i] != '-') return HM_EMPTY;
  return id;
}

static bool is_raw(cmark_node *n) { return n && cmark_node_get_type(n) == CMARK_NODE_HTML_INLINE; }

hm_str hm_md_anchor(cmark_node *n) {
  cmark_node *next = is_raw(n) ? cmark_node_next(n) : NULL;
  return is_raw(next) && hm_str_is(literal(next), "</a>") ? anchor_id(literal(n)) : HM_EMPTY;
}

static void on_raw(hm_md_writer *w, cmark_node *n) {
  hm_str id = hm_md_anchor(n);
  if (id.n) {
    put(w, "<a id=\"");
    hm_buf_str(w->out, id);
    put(w, "\"></a>");
  } else if (!hm_str_is(literal(n), "</a>") || !hm_md_anchor(cmark_node_previous(n)).n) {
    hm_html_put(w->out, literal(n));
  }
}

static void on_raw_block(hm_md_writer *w, cmark_node *n) {
  put_line(w, "<p>");
  hm_html_put(w->out, hm_str_trim(literal(n)));
  put(w, "</p>\n");
}

/* --- blocks ------------------------------------------------------------ */

static bool in_tight_list(cmark_node *paragraph) {
  cmark_node *item = cmark_node_parent(paragraph), *list = item ? cmark_node_parent(item) : NULL;
  return list && cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list);
}

static void on_paragraph(hm_md_writer *w, cmark_node *n, bool enter) {
  if (in_tight_list(n)) return;
  if (enter) put_line(w, "<p>");
  else put(w, "</p>\n");
}

static void on_heading(hm_md_writer *w, cmark_node *n, bool enter) {
  int level = cmark_node_get_heading_level(n);
  if (!enter) {
    hm_buf_fmt(w->out, "</h%d>\n", level);
    return;
  }
  w->heading = hm_md_text(w->a, n);
  hm_str id = hm_md_ids_heading(&w->ids, w->heading);
  line(w);
  hm_buf_fmt(w->out, "<h%d", level);
  if (id.n) {
    put(w, " id=\"");
    hm_html_put(w->out, id);
    put(w, "\"");
  }
  put(w, ">");
}

static void on_list(hm_md_writer *w, cmark_node *n, bool enter) {
  bool ordered = cmark_node_get_list_type(n) == CMARK_ORDERED_LIST;
  int first = cmark_node_get_list_start(n);
  if (!enter) {
    put(w, ordered ? "</ol>\n" : "</ul>\n");
    return;
  }
  line(w);
  if (ordered && first != 1) hm_buf_fmt(w->out, "<ol start=\"%d\">\n", first);
  else put(w, ordered ? "<ol>\n" : "<ul>\n");
}

static void on_item(hm_md_writer *w, cmark_node *n, bool enter) {
  if (!enter) {
    put(w, "</li>\n");
    return;
  }
  put_line(w, "<li>");
  if (!cmark_node_get_syntax_extension(n)) return;   /* only task lists mark an item */
  bool done = cmark_gfm_extensions_get_tasklist_item_checked(n);
  put(w, done ? "<input type=\"checkbox\" checked=\"\" disabled=\"\" aria-label=\"done\" /> "
              : "<input type=\"checkbox\" disabled=\"\" aria-label=\"to do\" /> ");
}

static void on_code_block(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)enter;
  hm_str info = hm_str_c(cmark_node_get_fence_info(n));
  size_t word = 0;
  while (word < info.n && info.p[word] != ' ' && info.p[word] != '\t') word++;
  put_line(w, "<pre><code");
  if (word) {
    put(w, " class=\"language-");
    hm_html_put(w->out, hm_str_sub(info, 0, word));
    put(w, "\"");
  }
  put(w, ">");
  hm_html_put(w->out, literal(n));
  put(w, "</code></pre>\n");
}

static void on_quote(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)n;
  put_line(w, enter ? "<blockquote>\n" : "</blockquote>\n");
}

static void on_rule(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)n, (void)enter;
  put_line(w, "<hr />\n");
}

static void on_html_block(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)enter;
  on_raw_block(w, n);
}

/* --- tables ------------------------------------------------------------ */

static void on_table(hm_md_writer *w, bool enter) {
  if (!enter) {
    put(w, w->in_body ? "</tbody>\n</table>\n</div>\n" : "</table>\n</div>\n");
    return;
  }
  put_line(w, "<div class=\"table\" tabindex=\"0\"");
  if (w->heading.n) {   /* a region without a name says nothing */
    put(w, " role=\"region\" aria-label=\"");
    hm_html_put(w->out, w->heading);
    put(w, "\"");
  }
  put(w, ">\n<table>\n");
  w->in_body = false;
}

static void on_row(hm_md_writer *w, cmark_node *n, bool enter) {
  bool head = cmark_gfm_extensions_get_table_row_is_header(n);
  if (!enter) {
    put(w, head ? "</tr>\n</thead>\n" : "</tr>\n");
    return;
  }
  cmark_node *table = cmark_node_parent(n);
  w->aligns = cmark_gfm_extensions_get_table_alignments(table);
  w->columns = cmark_gfm_extensions_get_table_columns(table);
  w->column = 0;
  if (head) put(w, "<thead>\n");
  else if (!w->in_body) put(w, "<tbody>\n");
  w->in_head = head;
  w->in_body = !head;
  put(w, "<tr>\n");
}

/* Numbers stand at the right; a class, since `align` is obsolete and a style is not allowed. */
static void on_cell(hm_md_writer *w, bool enter) {
  if (!enter) {
    put(w, w->in_head ? "</th>\n" : "</td>\n");
    return;
  }
  bool right = w->aligns && w->column < w->columns && w->aligns[w->column] == 'r';
  w->column++;
  put(w, w->in_head ? "<th scope=\"col\"" : "<td");
  put(w, right ? " class=\"num\">" : ">");
}

/* --- inlines ----------------------------------------------------------- */

static void on_text(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)enter;
  hm_html_put(w->out, literal(n));
}

static void on_soft(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)n, (void)enter;
  put(w, "\n");
}

static void on_break(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)n, (void)enter;
  put(w, "<br />\n");
}

static void on_code(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)enter;
  put(w, "<code>");
  hm_html_put(w->out, literal(n));
  put(w, "</code>");
}

static void on_html(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)enter;
  on_raw(w, n);
}

static void on_emph(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)n;
  put(w, enter ? "<em>" : "</em>");
}

static void on_strong(hm_md_writer *w, cmark_node *n, bool enter) {
  (void)n;
  put(w, enter ? "<strong>" : "</strong>");
}

/* Links and images. HTML has no link in a link: an image in one is its text. */
static void on_link(hm_md_writer *w, cmark_node *n, bool enter) {
  if (!enter) {
    if (w->link == n) put(w, "</a>");
    if (w->link == n) w->link = NULL;
  } else if (!w->link && hm_md_link_open(w->out, hm_str_c(cmark_node_get_url(n)), hm_md_text(w->a, n))) {
    w->link = n;
  }
}

/* --- the walk ---------------------------------------------------------- */

typedef void node_fn(hm_md_writer *, cmark_node *, bool enter);
/* A leaf is entered and never left. */
typedef struct { node_fn *fn; bool leaf; } node_kind;
static const node_kind blocks[] = {
  [CMARK_NODE_BLOCK_QUOTE & CMARK_NODE_VALUE_MASK] = { on_quote, false },
  [CMARK_NODE_LIST & CMARK_NODE_VALUE_MASK] = { on_list, false },
  [CMARK_NODE_ITEM & CMARK_NODE_VALUE_MASK] = { on_item, false },
  [CMARK_NODE_CODE_BLOCK & CMARK_NODE_VALUE_MASK] = { on_code_block, true },
  [CMARK_NODE_HTML_BLOCK & CMARK_NODE_VALUE_MASK] = { on_html_block, true },
  [CMARK_NODE_PARAGRAPH & CMARK_NODE_VALUE_MASK] = { on_paragraph, false },
  [CMARK_NODE_HEADING & CMARK_NODE_VALUE_MASK] = { on_heading, false },
  [CMARK_NODE_THEMATIC_BREAK & CMARK_NODE_VALUE_MASK] = { on_rule, true },
};
static const node_kind inlines[] = {
  [CMARK_NODE_TEXT & CMARK_NODE_VALUE_MASK] = { on_text, true },
  [CMARK_NODE_SOFTBREAK & CMARK_NODE_VALUE_MASK] = { on_soft, true },
  [CMARK_NODE_LINEBREAK & CMARK_NODE_VALUE_MASK] = { on_break, true },
  [CMARK_NODE_CODE & CMARK_NODE_VALUE_MASK] = { on_code, true },
  [CMARK_NODE_HTML_INLINE & CMARK_NODE_VALUE_MASK] = { on_html, true },
  [CMARK_NODE_EMPH & CMARK_NODE_VALUE_MASK] = { on_emph, false },
  [CMARK_NODE_STRONG & CMARK_NODE_VALUE_MASK] = { on_strong, false },
  [CMARK_NODE_LINK & CMARK_NODE_VALUE_MASK] = { on_link, false },
  [CMARK_NODE_IMAGE & CMARK_NODE_VALUE_MASK] = { on_link, false },
};

static node_kind kind_of(cmark_node_type type) {
  size_t i = (size_t)type & CMARK_NODE_VALUE_MASK;
  bool block = ((int)type & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK;
  if (block && i < sizeof blocks / sizeof *blocks) return blocks[i];
  if (!block && i < sizeof inlines / sizeof *inlines) return inlines[i];
  return (node_kind){ NULL, false };
}

static void on_node(hm_md_writer *w, cmark_node *n, bool enter) {
  cmark_node_type type = cmark_node_get_type(n);
  node_kind kind = kind_of(type);
  if (kind.fn && (enter || !kind.leaf)) kind.fn(w, n, enter);
  else if (type == CMARK_NODE_TABLE) on_table(w, enter);
  else if (type == CMARK_NODE_TABLE_ROW) on_row(w, n, enter);
  else if (type == CMARK_NODE_TABLE_CELL) on_cell(w, enter);
}

static void leave(void *writer, cmark_node *n) { on_node(writer, n, false); }

cmark_node *hm_md_next(cmark_node *n, cmark_node *root, void (*left)(void *ctx, cmark_node *n), void *ctx) {
  cmark_node *next = cmark_node_first_child(n);
  while (!next) {
    if (left) left(ctx, n);
    if (n == root) return NULL;
    next = cmark_node_next(n);
    if (!next) n = cmark_node_parent(n);
  }
  return next;
}

void hm_md_write(hm_md_writer *w, cmark_node *root) {
  for (cmark_node *n = root; n; n = hm_md_next(n, root, leave, w)) on_node(w, n, true);
}
