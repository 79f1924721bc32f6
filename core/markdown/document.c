/* A document of other people as plain data: document.h.
 *
 * A scan of its lines blanks those that the parser cannot bear and cuts off the front matter
 * (document_lines.c). The tree is walked once. The text of a paragraph is put together from its
 * inline nodes, with the bytes where each line of the source begins, so that a sentence knows its
 * line: the library gives inline nodes a line, but counts no line break in a code span. Cost:
 * linear. */
#include "core/markdown/document.h"

#include <string.h>

#include "core/base/ascii.h"
#include "core/base/credential.h"
#include "core/base/text.h"
#include "core/markdown/document_impl.h"
#include "core/markdown/md_impl.h"

enum {
  MAX_TEXT = 1 << 20,
  MAX_SPANS = 1000 /* of one paragraph; each sentence looks at all */
};

/* --- text of a paragraph ------------------------------------------------------------------ */

typedef struct {
  hm_buf text;
  hm_doc_span *spans;
  size_t n_spans, cap_spans;
  struct {
    uint32_t at, line;
  } * lines; /* where lines of the source begin */
  size_t n_lines, cap_lines;
  struct {
    hm_str text;
    uint32_t line;
  } * comments;
  size_t n_comments, cap_comments;
  uint32_t line;
  bool struck; /* a tag strikes the text from struck_from on */
  size_t struck_from;
  bool in_tag; /* of HTML, which goes on in the next line */
} inline_text;

static void begin_source_line(hm_doc_reader *r, inline_text *t, uint32_t line) {
  t->line = line;
  t->lines = hm_array_grow_in(r->work, t->lines, t->n_lines, &t->cap_lines, sizeof *t->lines);
  t->lines[t->n_lines].at = (uint32_t)t->text.n;
  t->lines[t->n_lines++].line = line;
}

static void add_span(hm_doc_reader *r, inline_text *t, hm_doc_mark mark, size_t from, hm_str url) {
  if (t->n_spans == MAX_SPANS)
    return;
  t->spans = hm_array_grow_in(r->a, t->spans, t->n_spans, &t->cap_spans, sizeof *t->spans);
  t->spans[t->n_spans++] =
      (hm_doc_span){ mark, (uint32_t)from, (uint32_t)t->text.n, hm_str_dup(r->a, url) };
}

static void add_comment(hm_doc_reader *r, inline_text *t, hm_str html) {
  if (!hm_str_starts(html, "<!--") || !hm_str_ends(html, "-->") || html.n < 7)
    return;
  t->comments =
      hm_array_grow_in(r->work, t->comments, t->n_comments, &t->cap_comments, sizeof *t->comments);
  t->comments[t->n_comments].text = hm_str_trim(hm_str_sub(html, 4, html.n - 3));
  t->comments[t->n_comments++].line = t->line;
}

/* "td" of "<td>", "</td>", "<TD id=x>". In work. */
static hm_str name_of_tag(hm_doc_reader *r, hm_str tag) {
  size_t from = 1 + hm_char_at(tag, 1, '/'), to = from;
  while (to < tag.n && hm_is_alnum(tag.p[to]))
    to++;
  return hm_str_lower(r->work, hm_str_sub(tag, from, to));
}

/* "<del>" and "</del>" strike what stands between them, as "~~" does. */
static void read_struck_tag(hm_doc_reader *r, inline_text *t, hm_str name, bool ends) {
  if (!hm_str_is(name, "del") && !hm_str_is(name, "s") && !hm_str_is(name, "strike"))
    return;
  if (ends && t->struck)
    add_span(r, t, HM_DOC_STRUCK, t->struck_from, HM_EMPTY);
  else if (!ends && !t->struck)
    t->struck_from = t->text.n;
  t->struck = !ends;
}

/* "<your-port>" is none of HTML, though it is read as one. */
static void add_tag(hm_doc_reader *r, inline_text *t, hm_str tag) {
  bool bare = hm_letter_at(tag, 1) && !memchr(tag.p, ' ', tag.n);
  if (bare && hm_has_placeholder(tag, HM_OF_TEXT))
    hm_buf_str(&t->text, tag);
  else
    read_struck_tag(r, t, name_of_tag(r, tag), hm_char_at(tag, 1, '/'));
}

static hm_str literal_of(cmark_node *node) { return hm_str_c(cmark_node_get_literal(node)); }

static void add_inlines(hm_doc_reader *r, inline_text *t, cmark_node *parent);

static void add_inline(hm_doc_reader *r, inline_text *t, cmark_node *node) {
  size_t from = t->text.n;
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
      hm_buf_str(&t->text, literal_of(node));
      break;
    case CMARK_NODE_CODE:
      hm_buf_str(&t->text, literal_of(node));
      add_span(r, t, HM_DOC_SPAN_CODE, from, HM_EMPTY);
      break;
    case CMARK_NODE_SOFTBREAK:
    case CMARK_NODE_LINEBREAK:
      hm_buf_ch(&t->text, ' ');
      begin_source_line(r, t, t->line + 1);
      break;
    case CMARK_NODE_HTML_INLINE:
      add_comment(r, t, literal_of(node));
      add_tag(r, t, literal_of(node));
      break;
    case CMARK_NODE_STRONG:
      add_inlines(r, t, node);
      add_span(r, t, HM_DOC_STRONG, from, HM_EMPTY);
      break;
    case CMARK_NODE_LINK:
      add_inlines(r, t, node);
      add_span(r, t, HM_DOC_LINK, from, hm_str_c(cmark_node_get_url(node)));
      break;
    case CMARK_NODE_IMAGE:
      add_inlines(r, t, node);
      add_span(r, t, HM_DOC_LINK, from, hm_str_c(cmark_node_get_url(node)));
      add_span(r, t, HM_DOC_PICTURE, from, HM_EMPTY);
      break;
    default:
      add_inlines(r, t, node);
      if (strcmp(cmark_node_get_type_string(node), "strikethrough") == 0)
        add_span(r, t, HM_DOC_STRUCK, from, HM_EMPTY);
  }
}

/* The library's inline nodes nest as deep as its input has marks; deeper ones are left out. */
static void add_inlines(hm_doc_reader *r, inline_text *t, cmark_node *parent) {
  if (r->level >= 2 * HM_DOC_MAX_NESTING)
    return;
  r->level++;
  for (cmark_node *n = cmark_node_first_child(parent); n; n = cmark_node_next(n))
    add_inline(r, t, n);
  r->level--;
}

static void read_inlines(hm_doc_reader *r, inline_text *t, cmark_node *parent, uint32_t line) {
  uint8_t level = r->level;
  *t = (inline_text){ 0 };
  begin_source_line(r, t, line);
  r->level = 0;
  add_inlines(r, t, parent);
  r->level = level;
}

static uint32_t line_at(const inline_text *t, size_t at) {
  size_t low = 0, high = t->n_lines;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (t->lines[middle].at > at)
      high = middle;
    else
      low = middle;
  }
  return t->lines[low].line;
}

/* --- parts ---------------------------------------------------------------------------------- */

static hm_doc_part *add_part(hm_doc_reader *r, hm_doc_kind kind, uint32_t line) {
  hm_document *d = r->doc;
  d->parts = hm_array_grow_in(r->a, d->parts, d->n, &r->cap_parts, sizeof *d->parts);
  d->parts[d->n] = (hm_doc_part){ .kind = kind,
                                  .level = r->level,
                                  .quoted = r->quoted || r->sample,
                                  .line = line,
                                  .block = r->block,
                                  .heading = r->heading,
                                  .item = r->item };
  return &d->parts[d->n++];
}

static void add_comments(hm_doc_reader *r, const inline_text *t) {
  for (size_t i = 0; i < t->n_comments; i++)
    add_part(r, HM_DOC_COMMENT, t->comments[i].line)->text = hm_str_dup(r->a, t->comments[i].text);
}

/* "**Key:** value" and "**Key**: value". */
static void read_label(hm_doc_part *p) {
  if (!p->n_spans || p->spans[0].from || p->spans[0].mark != HM_DOC_STRONG)
    return;
  hm_str bold = hm_str_trim(hm_str_sub(p->text, 0, p->spans[0].to));
  size_t end = p->spans[0].to;
  if (hm_str_ends(bold, ":"))
    bold = hm_str_trim(hm_str_sub(bold, 0, bold.n - 1));
  else if (hm_char_at(p->text, end, ':'))
    end++;
  else
    return;
  p->label = bold;
  p->value = (uint32_t)hm_skip_spaces(p->text, end);
}

/* Sets text and spans of the part to [from, to) of t, trimmed. */
static void cut_text(hm_doc_reader *r, const inline_text *t, hm_doc_part *p, size_t from,
                     size_t to) {
  hm_str all = hm_buf_view(&t->text);
  while (from < to && hm_is_space(all.p[from]))
    from++;
  while (to > from && hm_is_space(all.p[to - 1]))
    to--;
  p->text = hm_str_dup(r->a, hm_str_sub(all, from, to));
  size_t n = 0;
  for (size_t i = 0; i < t->n_spans; i++)
    n += t->spans[i].from < to && t->spans[i].to > from;
  hm_doc_span *spans = hm_alloc_array(r->a, n, sizeof *spans);
  for (size_t i = 0; i < t->n_spans; i++) {
    hm_doc_span s = t->spans[i];
    if (s.from >= to || s.to <= from)
      continue;
    s.from = s.from > from ? s.from - (uint32_t)from : 0;
    s.to = (uint32_t)((s.to < to ? s.to : to) - from);
    size_t k = p->n_spans++;
    for (; k && spans[k - 1].from > s.from; k--)
      spans[k] = spans[k - 1];
    spans[k] = s;
  }
  p->spans = spans;
}

static hm_doc_part *add_text(hm_doc_reader *r, const inline_text *t, hm_doc_kind kind, size_t from,
                             size_t to) {
  hm_str all = hm_buf_view(&t->text);
  while (from < to && hm_is_space(all.p[from]))
    from++;
  hm_doc_part *p = add_part(r, kind, line_at(t, from));
  cut_text(r, t, p, from, to);
  read_label(p);
  return p;
}

/* Does a sentence end behind the sign at i? */
static bool ends_sentence(const inline_text *t, hm_str s, size_t i) {
  static const char *const shortened[] = { "e.g", "i.e", "etc", "vs", "cf", "approx", "incl",
                                           "no",  "fig", "Dr",  "Mr", "St", "eg",     "ie" };
  if (!memchr(".!?", s.p[i], 3) || !hm_char_at(s, i + 1, ' '))
    return false;
  size_t next = hm_skip_spaces(s, i + 1), from = i;
  if (next >= s.n || (s.p[next] >= 'a' && s.p[next] <= 'z'))
    return false;
  for (size_t k = 0; k < t->n_spans; k++)
    if (t->spans[k].mark == HM_DOC_SPAN_CODE && t->spans[k].from <= i && i < t->spans[k].to)
      return false;
  while (from && (hm_is_alnum(s.p[from - 1]) || s.p[from - 1] == '.'))
    from--;
  hm_str word = hm_str_sub(s, from, i);
  for (size_t k = 0; k < HM_COUNT(shortened); k++)
    if (hm_str_is(word, shortened[k]))
      return false;
  bool initial = word.n == 1 && word.p[0] >= 'A' && word.p[0] <= 'Z';
  return s.p[i] != '.' || !initial;
}

/* Does a line of the source begin at byte i? */
static bool begins_line(const inline_text *t, size_t i) {
  size_t low = 0, high = t->n_lines;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (t->lines[middle].at < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low < t->n_lines && t->lines[low].at == i;
}

/* Does a line of the source begin at byte i, with a label in bold? Such lines are read one by one.
 */
static bool begins_label(const inline_text *t, hm_str s, size_t i) {
  if (!begins_line(t, i))
    return false;
  for (size_t k = 0; k < t->n_spans; k++) {
    const hm_doc_span *b = &t->spans[k];
    if (b->mark == HM_DOC_STRONG && b->from == i)
      return hm_char_at(s, b->to, ':') || hm_char_at(s, b->to - 1, ':');
  }
  return false;
}

/* Does a key begin at byte i, "Cache: Redis"? */
static bool begins_key(hm_str s, size_t i) {
  enum { LONGEST = 30, WORDS = 4 };
  size_t words = 1, from = i;
  for (; i < s.n && s.p[i] != ':'; i++) {
    words += s.p[i] == ' ';
    if (i - from == LONGEST || !(hm_is_alnum(s.p[i]) || strchr(" -/_", s.p[i])))
      return false;
  }
  return i > from && words <= WORDS && hm_char_at(s, i + 1, ' ') && hm_is_letter(s.p[from]);
}

/* Is each of the lines, of which there are several, a key with its value? They are read one by
 * one, too. */
static bool are_keys(const inline_text *t, hm_str s) {
  for (size_t i = 0; i < t->n_lines; i++)
    if (!begins_key(s, t->lines[i].at))
      return false;
  return t->n_lines > 1;
}

static void add_sentences(hm_doc_reader *r, const inline_text *t) {
  hm_str s = hm_buf_view(&t->text);
  size_t from = 0;
  bool keys = are_keys(t, s);
  for (size_t i = 0; i < s.n; i++) {
    bool line = keys ? begins_line(t, i + 1) : begins_label(t, s, i + 1);
    if (i + 1 < s.n && !line && !ends_sentence(t, s, i))
      continue;
    if (hm_str_trim(hm_str_sub(s, from, i + 1)).n)
      add_text(r, t, HM_DOC_SENTENCE, from, i + 1);
    from = i + 1;
  }
}

/* cmark-gfm gives some nodes no line: then that of what contains them. */
static uint32_t line_of(const hm_doc_reader *r, cmark_node *node) {
  int line = 0;
  for (cmark_node *n = node; n && line < 1; n = cmark_node_parent(n))
    line = cmark_node_get_start_line(n);
  return r->first_line + (line > 0 ? (uint32_t)line : 1);
}

/* A heading in a quotation is none of the document's. */
static void read_heading(hm_doc_reader *r, cmark_node *node) {
  inline_text t;
  uint8_t level = (uint8_t)cmark_node_get_heading_level(node);
  uint32_t outer = r->heading;
  read_inlines(r, &t, node, line_of(r, node));
  while (r->heading != HM_DOC_NONE && r->doc->parts[r->heading].level >= level)
    r->heading = r->doc->parts[r->heading].heading;
  hm_doc_part *p = add_text(r, &t, HM_DOC_HEADING, 0, t.text.n);
  p->level = level;
  r->heading = p->quoted ? outer : (uint32_t)(r->doc->n - 1);
  add_comments(r, &t);
  hm_buf_free(&t.text);
}

static void read_paragraph(hm_doc_reader *r, cmark_node *node, bool begins_item) {
  inline_text t;
  read_inlines(r, &t, node, line_of(r, node));
  if (begins_item)
    add_text(r, &t, HM_DOC_ITEM, 0, t.text.n);
  else
    add_sentences(r, &t);
  add_comments(r, &t);
  hm_buf_free(&t.text);
}

static bool is_markdown(hm_str language) {
  return hm_str_is(language, "markdown") || hm_str_is(language, "md");
}

/* The language of the block that a line of code begins, with a fence that is as long as its own;
 * empty: it begins none. */
static hm_str opened_by(hm_str line, char sign, int length) {
  enum { INDENTED = 4 }; /* a fence behind so many spaces is none */
  size_t n = 0, indent = hm_skip_spaces(line, 0);
  line = hm_str_trim(hm_str_sub(line, indent < INDENTED ? indent : line.n, line.n));
  while (hm_char_at(line, n, sign))
    n++;
  bool opens = n == (size_t)length && hm_letter_at(line, n);
  return hm_str_sub(line, opens ? n : line.n, line.n);
}

/* A block of Markdown in which another block begins ends where that one was to end. What follows
 * is still of the sample, up to the fence that was to end it: that begins a block without a
 * language, which the next end of a block ends. */
static void read_code(hm_doc_reader *r, cmark_node *node) {
  hm_str rest = literal_of(node), line, language = HM_EMPTY;
  int length, offset;
  char sign;
  bool fenced = cmark_node_get_fenced(node, &length, &offset, &sign) != 0;
  uint32_t number = line_of(r, node) + fenced;
  if (fenced)
    language = hm_str_dup(r->a, hm_str_trim(hm_str_c(cmark_node_get_fence_info(node))));
  for (size_t i = 0; i < language.n; i++)
    if (hm_is_space(language.p[i]) || language.p[i] == '{')
      language.n = i;
  bool markdown = is_markdown(language), ends = fenced && r->sample && !language.n, begins = false;
  for (; rest.n; number++) {
    line = hm_doc_take_line(&rest);
    if (!hm_str_trim(line).n)
      continue;
    hm_doc_part *p = add_part(r, HM_DOC_CODE, number);
    p->text = hm_str_dup(r->a, line);
    p->language = language;
    p->fenced = fenced;
    hm_str opened = fenced ? opened_by(line, sign, length) : HM_EMPTY;
    begins |= markdown && opened.n;
    markdown |= ends && is_markdown(opened);
  }
  r->sample = begins || (r->sample && !ends);
}

/* Does the tag part what stands before it from what stands behind: a cell, a line? */
static bool parts_text(hm_str name) {
  static const char *const names[] = { "br", "dd", "div", "dt", "h1", "h2", "h3", "h4",
                                       "h5", "h6", "li",  "p",  "td", "th", "tr" };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(name, names[i]))
      return true;
  return false;
}

/* Adds the text of a line of HTML: without tags. */
static void add_html_line(hm_doc_reader *r, inline_text *t, hm_str line) {
  for (size_t i = 0; i < line.n; i++) {
    if (!t->in_tag && line.p[i] != '<') {
      hm_buf_ch(&t->text, line.p[i]);
      continue;
    }
    const char *end = memchr(line.p + i, '>', line.n - i);
    hm_str tag = hm_str_sub(line, i, end ? (size_t)(end - line.p) + 1 : line.n);
    hm_str name = t->in_tag ? HM_EMPTY : name_of_tag(r, tag);
    read_struck_tag(r, t, name, hm_char_at(tag, 1, '/'));
    t->in_tag = !end && (t->in_tag || name.n);
    i += tag.n - 1;
    bool between = t->text.n && !hm_is_space(t->text.p[t->text.n - 1]) && i + 1 < line.n;
    if (parts_text(name) && between && !hm_is_space(line.p[i + 1]))
      hm_buf_ch(&t->text, ' ');
  }
}

static void read_html(hm_doc_reader *r, cmark_node *node) {
  hm_str all = literal_of(node), rest = all;
  uint32_t number = line_of(r, node);
  if (hm_str_starts(all, "<!--")) {
    ptrdiff_t end = hm_str_find(all, "-->");
    hm_str inner = hm_str_sub(all, 4, end < 0 ? all.n : (size_t)end);
    hm_doc_part *p = add_part(r, HM_DOC_COMMENT, number);
    p->text = hm_str_dup(r->a, hm_str_trim(inner));
    p->alone = !hm_str_trim(hm_doc_line(r, number - 1)).n;
    return;
  }
  bool struck = false, in_tag = false;
  for (; rest.n; number++) {
    inline_text t = { .struck = struck, .in_tag = in_tag };
    add_html_line(r, &t, hm_doc_take_line(&rest));
    if (t.struck)
      add_span(r, &t, HM_DOC_STRUCK, t.struck_from, HM_EMPTY);
    struck = t.struck;
    in_tag = t.in_tag;
    if (hm_str_trim(hm_buf_view(&t.text)).n)
      cut_text(r, &t, add_part(r, HM_DOC_HTML, number), 0, t.text.n);
    hm_buf_free(&t.text);
  }
}

/* --- tables ----------------------------------------------------------------------------------- */

static uint32_t read_cells(hm_doc_reader *r, cmark_node *row, const hm_doc_cell **out,
                           hm_str *text) {
  uint32_t all = 0, n = 0;
  inline_text t;
  *text = HM_EMPTY;
  for (cmark_node *c = cmark_node_first_child(row); c; c = cmark_node_next(c))
    all++;
  hm_doc_cell *cells = hm_alloc_array(r->a, all, sizeof *cells);
  for (cmark_node *c = cmark_node_first_child(row); c; c = cmark_node_next(c)) {
    hm_doc_part cell = { 0 };
    read_inlines(r, &t, c, line_of(r, row));
    cut_text(r, &t, &cell, 0, t.text.n);
    cells[n++] = (hm_doc_cell){ cell.text, cell.spans, cell.n_spans };
    add_comments(r, &t);
    hm_buf_free(&t.text);
    *text = n > 1 ? HM_CAT(r->a, *text, HM_STR(" | "), cell.text) : cell.text;
  }
  *out = cells;
  return n;
}

/* A comment behind the last cell of a row, which the parser leaves out as a cell too many. */
static void read_row_end(hm_doc_reader *r, uint32_t number) {
  hm_str line = hm_str_trim(hm_doc_line(r, number));
  size_t from = line.n;
  while (from && !hm_str_starts(hm_str_sub(line, from, line.n), "<!--"))
    from--;
  hm_str comment = hm_str_sub(line, from, line.n);
  if (comment.n >= 7 && hm_str_starts(comment, "<!--") && hm_str_ends(comment, "-->"))
    add_part(r, HM_DOC_COMMENT, number)->text =
        hm_str_dup(r->a, hm_str_trim(hm_str_sub(comment, 4, comment.n - 3)));
}

static void read_table(hm_doc_reader *r, cmark_node *table) {
  const hm_doc_cell *head = NULL, *cells;
  hm_str text;
  uint32_t n_head = 0, n;
  for (cmark_node *row = cmark_node_first_child(table); row; row = cmark_node_next(row)) {
    if (!head) {
      n_head = read_cells(r, row, &head, &text);
      continue;
    }
    size_t before = r->doc->n;
    n = read_cells(r, row, &cells, &text);
    if (r->doc->n == before)
      read_row_end(r, line_of(r, row));
    hm_doc_part *p = add_part(r, HM_DOC_ROW, line_of(r, row));
    p->text = text;
    p->cells = cells;
    p->n_cells = n;
    p->head = head;
    p->n_head = n_head;
  }
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void read_blocks(hm_doc_reader *r, cmark_node *parent);

static void read_item(hm_doc_reader *r, cmark_node *node) {
  uint32_t outer = r->item;
  cmark_node *first = cmark_node_first_child(node);
  bool task = strcmp(cmark_node_get_type_string(node), "tasklist") == 0;
  if (first && cmark_node_get_type(first) == CMARK_NODE_PARAGRAPH) {
    uint32_t at = (uint32_t)r->doc->n;
    r->block++;
    read_paragraph(r, first, true);
    r->doc->parts[at].task = task;
    r->doc->parts[at].checked = task && cmark_gfm_extensions_get_tasklist_item_checked(node);
    r->item = at;
    cmark_node_unlink(first);
  }
  read_blocks(r, node);
  r->item = outer;
}

static void read_block(hm_doc_reader *r, cmark_node *node) {
  bool quoted = r->quoted;
  r->block++;
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_HEADING:
      read_heading(r, node);
      break;
    case CMARK_NODE_PARAGRAPH:
      read_paragraph(r, node, false);
      break;
    case CMARK_NODE_CODE_BLOCK:
      read_code(r, node);
      break;
    case CMARK_NODE_HTML_BLOCK:
      read_html(r, node);
      break;
    case CMARK_NODE_LIST:
      r->level++;
      for (cmark_node *i = cmark_node_first_child(node); i; i = cmark_node_next(i))
        read_item(r, i);
      r->level--;
      break;
    case CMARK_NODE_BLOCK_QUOTE:
      r->quoted = true;
      read_blocks(r, node);
      r->quoted = quoted;
      break;
    default:
      if (strcmp(cmark_node_get_type_string(node), "table") == 0)
        read_table(r, node);
  }
}

static void read_blocks(hm_doc_reader *r, cmark_node *parent) {
  for (cmark_node *n = cmark_node_first_child(parent); n; n = cmark_node_next(n))
    read_block(r, n);
}

void hm_doc_read(hm_document *doc, hm_str text, hm_arena *a, hm_arena *work) {
  *doc = (hm_document){ 0 };
  hm_doc_reader r = {
    .doc = doc, .a = a, .work = work, .heading = HM_DOC_NONE, .item = HM_DOC_NONE
  };
  if (text.n > MAX_TEXT) {
    hm_doc_tell_unread(&r, 0, "over 1 MiB");
    return;
  }
  if (hm_str_starts(text, "\xEF\xBB\xBF"))
    text = hm_str_sub(text, 3, text.n);
  hm_doc_read_front_matter(&r, &text);
  hm_doc_clean_lines(&r, text);
  read_blocks(&r, hm_md_tree(r.text, work, true));
  hm_md_release();
}

hm_str hm_doc_heading_path(const hm_document *doc, uint32_t heading, hm_arena *a) {
  hm_str path = HM_EMPTY;
  for (; heading != HM_DOC_NONE; heading = doc->parts[heading].heading) {
    hm_str own = hm_text_cut(doc->parts[heading].text, HM_DOC_HEADING_SHOWN);
    path = path.n ? HM_CAT(a, own, HM_STR(" > "), path) : own;
  }
  return path;
}
