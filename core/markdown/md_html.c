/* Writes the tree of a page as HTML, and visits its links and ids.
 *
 * enter_node handles each type of node; other types write nothing. Text goes through the escaper;
 * raw HTML becomes text, except the anchors of rows. Links lead to the HTML of the mirror's own
 * pages or to http(s); any other link keeps only its text. Images become links, except our own
 * drawings. HTML has no link in a link: the inner one keeps only its text. Ids of headings follow
 * GitHub's rule. Cost: linear in the tree. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/markdown/escape.h"
#include "core/markdown/md_impl.h"

/* --- the tree --------------------------------------------------------------- */

/* The node's own text, for text, code and raw HTML; empty for others. In the page's arena. */
static hm_str literal_of(cmark_node *node) { return hm_str_c(cmark_node_get_literal(node)); }

/* The next node below root in text order, or NULL. */
static cmark_node *next_node(cmark_node *node, const cmark_node *root) {
  cmark_node *child = cmark_node_first_child(node);
  if (child)
    return child;
  while (node != root && !cmark_node_next(node))
    node = cmark_node_parent(node);
  return node == root ? NULL : cmark_node_next(node);
}

/* Sets *out to the text that this node itself adds to the page, a space for a line break. Returns
 * false when it adds none, as raw HTML does. */
static bool own_text(cmark_node *node, hm_str *out) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
    case CMARK_NODE_CODE:
      *out = literal_of(node);
      return true;
    case CMARK_NODE_SOFTBREAK:
    case CMARK_NODE_LINEBREAK:
      *out = HM_STR(" ");
      return true;
    default:
      return false;
  }
}

/* The text of the node and all below it, as a reader sees it. In a. */
static hm_str text_below(cmark_node *node, hm_arena *a) {
  hm_buf b = { 0 };
  hm_str s;
  for (cmark_node *n = node; n; n = next_node(n, node))
    if (own_text(n, &s))
      hm_buf_str(&b, s);
  return hm_buf_take(&b, a);
}

/* --- ids of headings ----------------------------------------------------------------- */

/* Ids already used on the page below root; start with {.a, .root}. */
typedef struct {
  hm_arena *a;
  cmark_node *root;
  hm_map counts; /* id -> number of headings so far with its text */
  bool started;
} page_ids;

/* Keeps letters, marks and numbers, in lower case; a character that folds to more than one ("ß")
 * stays as it is. */
static void append_wide(hm_buf *b, hm_arena *a, hm_str one) {
  hm_str folded = hm_text_fold_name(a, one);
  size_t i = 0;
  if (folded.n)
    hm_text_next(folded, &i);
  if (folded.n)
    hm_buf_str(b, i == folded.n ? folded : one);
}

hm_str hm_heading_id(hm_arena *a, hm_str text) {
  text = hm_clean_text(a, text);
  hm_buf b = { 0 };
  for (size_t i = 0, from = 0; i < text.n; from = i) {
    uint32_t cp = hm_text_next(text, &i);
    bool word = (cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9') || cp == '-' || cp == '_';
    if (cp >= 0x80)
      append_wide(&b, a, hm_str_sub(text, from, i));
    else if (cp >= 'A' && cp <= 'Z')
      hm_buf_ch(&b, (char)(cp - 'A' + 'a'));
    else if (cp == ' ')
      hm_buf_ch(&b, '-');
    else if (word)
      hm_buf_ch(&b, (char)cp);
  }
  return hm_buf_take(&b, a);
}

/* --- anchors -------------------------------------------------------------- */

static hm_str anchor_id(hm_str tag) {
  static const char begin[] = "<a id=\"";
  if (!hm_str_starts(tag, begin) || !hm_str_ends(tag, "\">"))
    return HM_EMPTY;
  hm_str id = hm_str_sub(tag, sizeof begin - 1, tag.n - 2);
  for (const char *c = id.p; c < id.p + id.n; c++)
    if (!hm_is_lower(*c) && !hm_is_digit(*c) && *c != '-')
      return HM_EMPTY;
  return id;
}

/* The id when the node is an anchor's tag, <a id="[a-z0-9-]+">, directly followed by </a>; else
 * empty. */
static hm_str anchor_of(cmark_node *node) {
  if (cmark_node_get_type(node) != CMARK_NODE_HTML_INLINE)
    return HM_EMPTY;
  cmark_node *next = cmark_node_next(node);
  if (!next || cmark_node_get_type(next) != CMARK_NODE_HTML_INLINE)
    return HM_EMPTY;
  return hm_str_is(literal_of(next), "</a>") ? anchor_id(literal_of(node)) : HM_EMPTY;
}

/* Reserves the ids of all anchors first, so that a heading from a fact cannot take a row's id. */
static void take_anchors(page_ids *ids) {
  ids->started = true;
  hm_map_init(&ids->counts, ids->a, 16);
  for (cmark_node *n = ids->root; n; n = next_node(n, ids->root)) {
    hm_str id = anchor_of(n);
    if (id.n)
      hm_map_add(&ids->counts, id, 0);
  }
}

/* --- headings -------------------------------------------------------------- */

/* The id for the next heading, never that of an anchor. Empty when its text has no letter, or when
 * it is a small heading that begins with an anchor, whose id no other heading can change. Counting
 * goes on from the last repeat of the same text, so a page of equal headings costs linear time. */
static hm_str next_heading_id(page_ids *ids, cmark_node *node, hm_str text) {
  hm_str base = hm_heading_id(ids->a, text);
  bool small = cmark_node_get_heading_level(node) > 2;
  if (!base.n || (small && anchor_of(cmark_node_first_child(node)).n))
    return HM_EMPTY;
  if (!ids->started)
    take_anchors(ids);
  uint32_t n = hm_map_get(&ids->counts, base);
  if (n == HM_MAP_NONE) {
    hm_map_add(&ids->counts, base, 0);
    return base;
  }
  hm_str id;
  do
    id = hm_str_fmt(ids->a, "%.*s-%u", HM_FMT(base), (unsigned)++n);
  while (hm_map_get(&ids->counts, id) != HM_MAP_NONE);
  hm_map_set(&ids->counts, base, n);
  hm_map_add(&ids->counts, id, 0);
  return id;
}

/* --- HTML ---------------------------------------------------------------------------- */

typedef struct {
  hm_arena *a;
  hm_buf *out;
  size_t start; /* of this page in out */
  page_ids ids;
  hm_str heading;         /* text of the last one */
  cmark_node *link;       /* the open <a>'s node */
  cmark_node *image;      /* the <img>'s node, whose text is being written */
  cmark_node *anchor_end; /* the </a> already written with its anchor */
  cmark_node *time_end;   /* the </time> of the open <time> */
  hm_md_boxes boxes;      /* the open ones */
  const uint8_t *aligns;  /* of the open table, a letter a column */
  hm_str *heads;          /* of its columns */
  size_t columns, column;
  bool in_head, in_body; /* of the table */
  bool is_wide;          /* its cells name their columns */
} writer;

static void write_markup(writer *w, const char *markup) { hm_buf_c(w->out, markup); }

/* --- links ------------------------------------------------------------------ */

/* Writes the path of a Markdown page as that of its HTML. */
static void write_path(hm_buf *b, hm_str path) {
  if (!hm_str_ends(path, ".md")) {
    hm_url_escape_safe(b, path);
    return;
  }
  hm_str stem = hm_str_sub(path, 0, path.n - 3);
  bool index = hm_str_is(stem, "README") || hm_str_ends(stem, "/README");
  hm_url_escape_safe(b, index ? hm_str_sub(stem, 0, stem.n - 6) : stem);
  hm_buf_c(b, index ? "index.html" : ".html");
}

static void open_link(writer *w, cmark_node *node) {
  hm_str url = hm_str_c(cmark_node_get_url(node));
  bool web = hm_url_is_web(url);
  if (w->link || (!web && !hm_md_is_relative(url)))
    return;
  size_t end = 0; /* of the path, when it is a page of the mirror */
  while (!web && end < url.n && url.p[end] != '#' && url.p[end] != '?')
    end++;
  w->link = node;
  write_markup(w, "<a href=\"");
  write_path(w->out, hm_str_sub(url, 0, end));
  hm_url_escape_safe(w->out, hm_str_sub(url, end, url.n));
  write_markup(w, "\"");
  const char *mark = hm_md_mark_class(text_below(node, w->a));
  if (mark)
    hm_buf_fmt(w->out, " class=\"%s\"", mark);
  if (web)
    write_markup(w, " rel=\"nofollow noopener\"");
  write_markup(w, ">");
}

/* Shows the mirror's own drawings (SVG files); any other image becomes a link. A drawing with a
 * label in its title keeps its size in a scrolling box. The room of a drawing is kept free until it
 * is loaded: by its own attributes, or by an empty drawing beside it where its size is a guess. */
static void open_image(writer *w, cmark_node *node) {
  hm_str url = hm_str_c(cmark_node_get_url(node));
  if (w->link || !hm_md_is_relative(url) || !hm_str_ends(url, ".svg")) {
    open_link(w, node);
    return;
  }
  w->image = node;
  hm_str title = hm_str_c(cmark_node_get_title(node));
  hm_md_drawing_size size = hm_md_cut_drawing_size(&title);
  if (title.n) {
    write_markup(w, "<span class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"");
    hm_html_escape_clean(w->out, title);
    write_markup(w, "\">");
  }
  if (size.guessed)
    hm_buf_fmt(w->out, "<svg class=\"room\" width=\"1\" height=\"%d\" aria-hidden=\"true\"></svg>",
               size.h);
  write_markup(w, "<img class=\"drawing\"");
  if (size.w)
    hm_buf_fmt(w->out, " width=\"%d\"", size.w);
  if (size.h && !size.guessed)
    hm_buf_fmt(w->out, " height=\"%d\"", size.h);
  write_markup(w, " src=\"");
  hm_url_escape_safe(w->out, url);
  write_markup(w, "\" alt=\"");
  hm_html_escape_clean(w->out, text_below(node, w->a));
  write_markup(w, title.n ? "\" /></span>" : "\" />");
}

/* --- leaves ----------------------------------------------------------------- */

/* Undoes "`@`": the escaper writes the '@' of an e-mail address as code (hm_md_escape). */
static void write_code(writer *w, hm_str s) {
  bool at = hm_str_is(s, "@");
  if (!at)
    write_markup(w, "<code>");
  hm_html_escape_clean(w->out, s);
  if (!at)
    write_markup(w, "</code>");
}

static void write_code_block(writer *w, cmark_node *node) {
  hm_str info = hm_str_c(cmark_node_get_fence_info(node));
  size_t n = 0;
  while (n < info.n && !memchr(" \t\r\n\v\f", info.p[n], 6))
    n++;
  write_markup(w, "<pre><code");
  if (n) {
    write_markup(w, " class=\"language-");
    hm_html_escape_clean(w->out, hm_str_sub(info, 0, n));
    write_markup(w, "\"");
  }
  write_markup(w, ">");
  hm_html_escape_clean(w->out, literal_of(node));
  write_markup(w, "</code></pre>\n");
}

/* The time of a <time datetime="..."> that holds only text and its end tag, else empty. */
static hm_str time_of(cmark_node *node) {
  cmark_node *text = cmark_node_next(node), *end = text ? cmark_node_next(text) : NULL;
  if (!end || cmark_node_get_type(text) != CMARK_NODE_TEXT ||
      cmark_node_get_type(end) != CMARK_NODE_HTML_INLINE || !hm_str_is(literal_of(end), "</time>"))
    return HM_EMPTY;
  return hm_md_parse_datetime(literal_of(node));
}

static void write_html(writer *w, cmark_node *node) {
  hm_str id = anchor_of(node), at = time_of(node);
  if (node == w->time_end) {
    write_markup(w, "</time>");
    return;
  }
  if (at.n) {
    hm_buf_fmt(w->out, "<time datetime=\"%.*s\" title=\"%.*s\">", HM_FMT(at), HM_FMT(at));
    w->time_end = cmark_node_next(cmark_node_next(node));
    return;
  }
  if (node == w->anchor_end)
    return;
  if (id.n) {
    hm_buf_fmt(w->out, "<a id=\"%.*s\"></a>", HM_FMT(id));
    w->anchor_end = cmark_node_next(node);
  } else {
    hm_html_escape_clean(w->out, literal_of(node));
  }
}

/* Boxes may stand only between the page's top-level blocks, so that each closes where it opened. */
static void write_html_block(writer *w, cmark_node *node) {
  hm_str html = hm_str_trim(literal_of(node));
  bool top = cmark_node_parent(node) == w->ids.root;
  if (top && hm_md_write_box(&w->boxes, html, w->out))
    return;
  write_markup(w, "<p>");
  hm_html_escape_clean(w->out, html);
  write_markup(w, "</p>\n");
}

/* --- headings, lists --------------------------------------------------------- */

static void open_heading(writer *w, cmark_node *node) {
  w->heading = text_below(node, w->a);
  hm_str id = next_heading_id(&w->ids, node, w->heading);
  hm_buf_fmt(w->out, "<h%d", cmark_node_get_heading_level(node));
  if (id.n)
    hm_buf_fmt(w->out, " id=\"%.*s\"", HM_FMT(id));
  write_markup(w, ">");
}

/* True in a list without blank lines between its items; those items have no <p>. */
static bool is_tight(cmark_node *paragraph) {
  cmark_node *item = cmark_node_parent(paragraph), *list = item ? cmark_node_parent(item) : NULL;
  return list && cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list);
}

static bool is_ordered(cmark_node *list) {
  return cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
}

static void open_list(writer *w, cmark_node *node) {
  int first = cmark_node_get_list_start(node);
  if (!is_ordered(node))
    write_markup(w, "<ul>\n");
  else if (first == 1)
    write_markup(w, "<ol>\n");
  else
    hm_buf_fmt(w->out, "<ol start=\"%d\">\n", first);
}

static void open_item(writer *w, cmark_node *node) {
  write_markup(w, "<li>");
  if (strcmp(cmark_node_get_type_string(node), "tasklist") != 0)
    return;
  if (cmark_gfm_extensions_get_tasklist_item_checked(node))
    write_markup(w, "<input type=\"checkbox\" checked=\"\" disabled=\"\" aria-label=\"done\" /> ");
  else
    write_markup(w, "<input type=\"checkbox\" disabled=\"\" aria-label=\"to do\" /> ");
}

/* --- tables ------------------------------------------------------------------ */

enum { COLUMNS = 3, NAME_BYTES = 16 };
/* A wide table does not fit a phone: it has more than COLUMNS columns, or COLUMNS with short heads
 * and no numbers. Each cell of it names its column. */
static bool is_wide(const writer *w, cmark_node *node) {
  if (w->columns != COLUMNS)
    return w->columns > COLUMNS;
  cmark_node *cell = cmark_node_first_child(cmark_node_first_child(node));
  for (int i = 0; cell; cell = cmark_node_next(cell), i++)
    if (w->aligns[i] == 'r' || text_below(cell, w->a).n > NAME_BYTES)
      return false;
  return true;
}

static void open_table(writer *w, cmark_node *node) {
  w->aligns = cmark_gfm_extensions_get_table_alignments(node);
  w->columns = cmark_gfm_extensions_get_table_columns(node);
  w->heads = hm_alloc_array(w->a, w->columns + 1, sizeof *w->heads);
  w->in_body = false;
  w->is_wide = is_wide(w, node);
  hm_buf_fmt(w->out, "<div class=\"table%s\" tabindex=\"0\"", w->is_wide ? " wide" : "");
  if (w->heading.n) { /* a region needs a name */
    write_markup(w, " role=\"region\" aria-label=\"");
    hm_html_escape_clean(w->out, w->heading);
    write_markup(w, "\"");
  }
  write_markup(w, ">\n<table>\n");
}

static void open_row(writer *w, cmark_node *node) {
  w->column = 0;
  w->in_head = cmark_gfm_extensions_get_table_row_is_header(node);
  if (w->in_head)
    write_markup(w, "<thead>\n");
  else if (!w->in_body)
    write_markup(w, "<tbody>\n");
  w->in_body |= !w->in_head;
  write_markup(w, "<tr>\n");
}

/* Numbers are aligned right by a class: `align` is obsolete, and styles are not allowed. In a wide
 * table each cell except the first names its column. */
static void open_cell(writer *w, cmark_node *node) {
  bool right = w->column < w->columns && w->aligns && w->aligns[w->column] == 'r',
       known = w->column < w->columns && w->is_wide;
  if (w->in_head && known)
    w->heads[w->column] = text_below(node, w->a);
  write_markup(w, w->in_head ? "<th scope=\"col\"" : "<td");
  if (right && !w->in_head && hm_str_is(text_below(node, w->a), "0"))
    write_markup(w, " class=\"num zero\"");
  else if (right)
    write_markup(w, " class=\"num\"");
  if (!w->in_head && known && w->column && w->heads[w->column].n) {
    write_markup(w, " data-label=\"");
    hm_html_escape_clean(w->out, w->heads[w->column]);
    write_markup(w, "\"");
  }
  write_markup(w, ">");
  w->column++;
}

/* --- the walk ----------------------------------------------------------------- */

/* cmark assigns the extension's node types at run time, so we identify them by name. */
typedef enum { NO_PART, TABLE, TABLE_ROW, TABLE_CELL } table_part;

static table_part part_of(cmark_node *node, cmark_node_type type) {
  if (type <= CMARK_NODE_FOOTNOTE_DEFINITION)
    return NO_PART;
  const char *name = cmark_node_get_type_string(node);
  if (strcmp(name, "table_cell") == 0)
    return TABLE_CELL;
  if (strcmp(name, "table_row") == 0 || strcmp(name, "table_header") == 0)
    return TABLE_ROW;
  return strcmp(name, "table") == 0 ? TABLE : NO_PART;
}

static void enter_node(writer *w, cmark_node *node, bool is_block) {
  cmark_node_type type = cmark_node_get_type(node);
  if (w->image || (type == CMARK_NODE_PARAGRAPH && is_tight(node)))
    return;
  if (is_block) {
    if (w->out->n > w->start && w->out->p[w->out->n - 1] != '\n')
      hm_buf_ch(w->out, '\n');
  }
  table_part part = part_of(node, type);
  if (part == TABLE)
    open_table(w, node);
  if (part == TABLE_ROW)
    open_row(w, node);
  if (part == TABLE_CELL)
    open_cell(w, node);
  switch (type) {
    case CMARK_NODE_BLOCK_QUOTE:
      write_markup(w, "<blockquote>\n");
      break;
    case CMARK_NODE_LIST:
      open_list(w, node);
      break;
    case CMARK_NODE_ITEM:
      open_item(w, node);
      break;
    case CMARK_NODE_CODE_BLOCK:
      write_code_block(w, node);
      break;
    case CMARK_NODE_HTML_BLOCK:
      write_html_block(w, node);
      break;
    case CMARK_NODE_PARAGRAPH:
      write_markup(w, "<p>");
      break;
    case CMARK_NODE_HEADING:
      open_heading(w, node);
      break;
    case CMARK_NODE_THEMATIC_BREAK:
      write_markup(w, "<hr />\n");
      break;
    case CMARK_NODE_TEXT:
      hm_html_escape_clean(w->out, literal_of(node));
      break;
    case CMARK_NODE_SOFTBREAK:
      write_markup(w, "\n");
      break;
    case CMARK_NODE_LINEBREAK:
      write_markup(w, "<br />\n");
      break;
    case CMARK_NODE_CODE:
      write_code(w, literal_of(node));
      break;
    case CMARK_NODE_HTML_INLINE:
      write_html(w, node);
      break;
    case CMARK_NODE_EMPH:
      write_markup(w, "<em>");
      break;
    case CMARK_NODE_STRONG:
      write_markup(w, "<strong>");
      break;
    case CMARK_NODE_IMAGE:
      open_image(w, node);
      break;
    case CMARK_NODE_LINK:
      open_link(w, node);
      break;
    default:
      break;
  }
}

static void leave_node(writer *w, cmark_node *node) {
  cmark_node_type type = cmark_node_get_type(node);
  table_part part = part_of(node, type);
  if (w->image) {
    if (w->image == node)
      w->image = NULL;
    return;
  }
  if (part == TABLE) {
    if (w->in_body)
      write_markup(w, "</tbody>\n");
    write_markup(w, "</table>\n</div>\n");
  }
  if (part == TABLE_ROW) {
    write_markup(w, "</tr>\n");
    if (w->in_head)
      write_markup(w, "</thead>\n");
  }
  if (part == TABLE_CELL)
    write_markup(w, w->in_head ? "</th>\n" : "</td>\n");
  switch (type) {
    case CMARK_NODE_BLOCK_QUOTE:
      write_markup(w, "</blockquote>\n");
      break;
    case CMARK_NODE_LIST:
      write_markup(w, is_ordered(node) ? "</ol>\n" : "</ul>\n");
      break;
    case CMARK_NODE_ITEM:
      write_markup(w, "</li>\n");
      break;
    case CMARK_NODE_PARAGRAPH:
      if (!is_tight(node))
        write_markup(w, "</p>\n");
      break;
    case CMARK_NODE_HEADING:
      hm_buf_fmt(w->out, "</h%d>\n", cmark_node_get_heading_level(node));
      break;
    case CMARK_NODE_EMPH:
      write_markup(w, "</em>");
      break;
    case CMARK_NODE_STRONG:
      write_markup(w, "</strong>");
      break;
    case CMARK_NODE_LINK:
    case CMARK_NODE_IMAGE:
      if (w->link != node)
        break;
      write_markup(w, "</a>");
      w->link = NULL;
      break;
    default:
      break;
  }
}

int hm_markdown_html(hm_str md, hm_arena *a, hm_buf *out, hm_err *err) {
  writer w = { .a = a, .out = out, .start = out->n, .ids = { .a = a } };
  if (hm_md_parse(md, a, &w.ids.root, err) != 0)
    return -1;
  cmark_iter *walk = cmark_iter_new(w.ids.root);
  for (cmark_event_type event; (event = cmark_iter_next(walk)) != CMARK_EVENT_DONE;) {
    cmark_node *node = cmark_iter_get_node(walk);
    bool is_block = (cmark_node_get_type(node) & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK;
    if (event == CMARK_EVENT_ENTER)
      enter_node(&w, node, is_block);
    else
      leave_node(&w, node);
  }
  while (w.boxes.n)
    hm_md_close_box(&w.boxes, out);
  hm_md_release();
  return 0;
}

/* --- links and ids ------------------------------------------------------------------- */

int hm_markdown_visit(hm_str md, hm_arena *a, const hm_markdown_visitor *v, void *ctx,
                      hm_err *err) {
  page_ids ids = { .a = a };
  hm_str id;
  if (hm_md_parse(md, a, &ids.root, err) != 0)
    return -1;
  for (cmark_node *n = ids.root; n; n = next_node(n, ids.root)) {
    size_t line = (size_t)(cmark_node_get_start_line(n) > 0 ? cmark_node_get_start_line(n) : 1);
    switch (cmark_node_get_type(n)) {
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE:
        v->link(ctx, hm_str_c(cmark_node_get_url(n)), line);
        break;
      case CMARK_NODE_HTML_BLOCK:
      case CMARK_NODE_HTML_INLINE:
        v->html(ctx, literal_of(n), line);
        break;
      case CMARK_NODE_HEADING:
        id = next_heading_id(&ids, n, text_below(n, a));
        if (id.n)
          v->id(ctx, id, line);
        break;
      default:
        break;
    }
  }
  hm_md_release();
  return 0;
}
