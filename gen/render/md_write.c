#include <string.h>

#include "core/base/text.h"
#include "gen/render/escape_impl.h"
#include "gen/render/md_impl.h"

typedef struct {
  hm_arena *a;
  hm_buf *out;
  size_t start;           /* of this page in out */
  hm_md_ids ids;
  hm_buf heading;         /* text of the last one */
  size_t heading_at;      /* where its id goes, while it is open */
  bool in_heading, in_html;
  hm_buf html;            /* the block of raw HTML that is open */
  hm_str held;            /* the tag of what may become an anchor */
  hm_buf spans;           /* those that are open, innermost last */
  bool in_link;           /* an <a> is one of them */
  size_t class_at, marked;/* of that; how many bytes of the marker it has said */
} writer;

static const hm_str MARKER = { "\u26A0 disputed", sizeof "\u26A0 disputed" - 1 };
enum { NO_MARKER = 1000 };

static void put(writer *w, hm_str s) { hm_buf_str(w->out, s); }

/* Ends the line, unless it is ended. */
static void line(writer *w) {
  if (w->out->n > w->start && w->out->p[w->out->n - 1] != '\n') hm_buf_ch(w->out, '\n');
}

static void insert(writer *w, size_t at, hm_str s) {
  if (!hm_buf_room(w->out, s.n)) return;
  memmove(w->out->p + at + s.n, w->out->p + at, w->out->n - at);
  memcpy(w->out->p + at, s.p, s.n);
  w->out->n += s.n;
}

/* Nothing closed it: it is no anchor. */
static void let_go(writer *w) {
  if (w->held.n) hm_html_put(w->out, w->held);
  w->held = HM_EMPTY;
}

/* --- spans that are open ------------------------------------------------ */

/* NO_LINK: of a link or an image that became no <a>. */
enum { EM = 'e', STRONG = 's', CODE = 'c', LINK = 'a', NO_LINK = 'n' };

/* The escaper writes the '@' of an e-mail address as code, for readers who make addresses links. */
static void code_end(writer *w) {
  static const char at[] = "<code>@";
  size_t n = sizeof at - 1;
  if (!hm_str_ends(hm_buf_view(w->out), at)) {
    put(w, HM_STR("</code>"));
    return;
  }
  w->out->n -= n;
  put(w, HM_STR("@"));
}

static void span_end(writer *w) {
  char kind = w->spans.p[--w->spans.n];
  if (kind == EM) put(w, HM_STR("</em>"));
  if (kind == STRONG) put(w, HM_STR("</strong>"));
  if (kind == CODE) code_end(w);
  if (kind != LINK) return;
  put(w, HM_STR("</a>"));
  if (w->marked == MARKER.n) insert(w, w->class_at, HM_STR(" class=\"disputed\""));
  w->in_link = false;
}

/* The library may end a span that it did not begin, and the other way round: version 0.4.8 takes the "**" of "[a](b**)" for one that ends
 * what began before the link, and then does not come to it. Tags are in pairs all the same. */
static void span_end_to(writer *w, char kind) {
  size_t n = w->spans.n;
  while (n && w->spans.p[n - 1] != kind && !(kind == LINK && w->spans.p[n - 1] == NO_LINK)) n--;
  while (n && w->spans.n >= n) span_end(w);
}

/* Before a block begins or ends: nothing of a line goes on. */
static void end_spans(writer *w) {
  let_go(w);
  while (w->spans.n) span_end(w);
}

/* --- blocks ------------------------------------------------------------ */

static void heading_open(writer *w, unsigned level) {
  put(w, HM_STR("<h"));
  hm_buf_ch(w->out, (char)('0' + level));
  put(w, HM_STR(">"));
  w->heading_at = w->out->n - 1;
  w->in_heading = true;
  hm_buf_clear(&w->heading);
}

static void heading_close(writer *w, unsigned level) {
  hm_str id = hm_md_ids_heading(&w->ids, hm_buf_view(&w->heading));
  const hm_str parts[] = { HM_STR(" id=\""), id, HM_STR("\"") };
  if (id.n) insert(w, w->heading_at, hm_str_join(w->a, parts, 3));
  put(w, HM_STR("</h"));
  hm_buf_ch(w->out, (char)('0' + level));
  put(w, HM_STR(">\n"));
  w->in_heading = false;
}

static void ordered_open(writer *w, unsigned first) {
  if (first == 1) put(w, HM_STR("<ol>\n"));
  else hm_buf_fmt(w->out, "<ol start=\"%u\">\n", first);
}

static void item_open(writer *w, const MD_BLOCK_LI_DETAIL *item) {
  put(w, HM_STR("<li>"));
  if (!item->is_task) return;
  if (item->task_mark == ' ') put(w, HM_STR("<input type=\"checkbox\" disabled=\"\" aria-label=\"to do\" /> "));
  else put(w, HM_STR("<input type=\"checkbox\" checked=\"\" disabled=\"\" aria-label=\"done\" /> "));
}

static void code_open(writer *w, const MD_BLOCK_CODE_DETAIL *code) {
  hm_str lang;
  put(w, HM_STR("<pre><code"));
  if (hm_md_attribute(&code->lang, w->a, &lang) && lang.n) {
    put(w, HM_STR(" class=\"language-"));
    hm_html_put(w->out, lang);
    put(w, HM_STR("\""));
  }
  put(w, HM_STR(">"));
}

static void html_close(writer *w) {
  put(w, HM_STR("<p>"));
  hm_html_put(w->out, hm_str_trim(hm_buf_view(&w->html)));
  put(w, HM_STR("</p>\n"));
  hm_buf_clear(&w->html);
}

static void table_open(writer *w) {
  put(w, HM_STR("<div class=\"table\" tabindex=\"0\""));
  if (w->heading.n) {   /* a region without a name says nothing */
    put(w, HM_STR(" role=\"region\" aria-label=\""));
    hm_html_put(w->out, hm_buf_view(&w->heading));
    put(w, HM_STR("\""));
  }
  put(w, HM_STR(">\n<table>\n"));
}

/* Numbers stand at the right; a class, since `align` is obsolete and a style is not allowed. */
static void cell_open(writer *w, hm_str tag, const MD_BLOCK_TD_DETAIL *cell) {
  put(w, tag);
  if (cell->align == MD_ALIGN_RIGHT) put(w, HM_STR(" class=\"num\">"));
  else hm_buf_ch(w->out, '>');
}

static int block_open(MD_BLOCKTYPE type, void *detail, void *ctx) {
  writer *w = ctx;
  if (type == MD_BLOCK_TD) { cell_open(w, HM_STR("<td"), detail); return 0; }
  end_spans(w);
  line(w);
  switch (type) {
    case MD_BLOCK_QUOTE: put(w, HM_STR("<blockquote>\n")); break;
    case MD_BLOCK_UL: put(w, HM_STR("<ul>\n")); break;
    case MD_BLOCK_OL: ordered_open(w, ((MD_BLOCK_OL_DETAIL *)detail)->start); break;
    case MD_BLOCK_LI: item_open(w, detail); break;
    case MD_BLOCK_HR: put(w, HM_STR("<hr />\n")); break;
    case MD_BLOCK_H: heading_open(w, ((MD_BLOCK_H_DETAIL *)detail)->level); break;
    case MD_BLOCK_CODE: code_open(w, detail); break;
    case MD_BLOCK_HTML: w->in_html = true; break;
    case MD_BLOCK_P: put(w, HM_STR("<p>")); break;
    case MD_BLOCK_TABLE: table_open(w); break;
    case MD_BLOCK_THEAD: put(w, HM_STR("<thead>\n")); break;
    case MD_BLOCK_TBODY: put(w, HM_STR("<tbody>\n")); break;
    case MD_BLOCK_TR: put(w, HM_STR("<tr>\n")); break;
    case MD_BLOCK_TH: cell_open(w, HM_STR("<th scope=\"col\""), detail); break;
    default: break;
  }
  return 0;
}

static int block_close(MD_BLOCKTYPE type, void *detail, void *ctx) {
  writer *w = ctx;
  end_spans(w);
  switch (type) {
    case MD_BLOCK_QUOTE: put(w, HM_STR("</blockquote>\n")); break;
    case MD_BLOCK_UL: put(w, HM_STR("</ul>\n")); break;
    case MD_BLOCK_OL: put(w, HM_STR("</ol>\n")); break;
    case MD_BLOCK_LI: put(w, HM_STR("</li>\n")); break;
    case MD_BLOCK_H: heading_close(w, ((MD_BLOCK_H_DETAIL *)detail)->level); break;
    case MD_BLOCK_CODE: put(w, HM_STR("</code></pre>\n")); break;
    case MD_BLOCK_HTML: html_close(w); w->in_html = false; break;
    case MD_BLOCK_P: put(w, HM_STR("</p>\n")); break;
    case MD_BLOCK_TABLE: put(w, HM_STR("</table>\n</div>\n")); break;
    case MD_BLOCK_THEAD: put(w, HM_STR("</thead>\n")); break;
    case MD_BLOCK_TBODY: put(w, HM_STR("</tbody>\n")); break;
    case MD_BLOCK_TR: put(w, HM_STR("</tr>\n")); break;
    case MD_BLOCK_TH: put(w, HM_STR("</th>\n")); break;
    case MD_BLOCK_TD: put(w, HM_STR("</td>\n")); break;
    default: break;
  }
  return 0;
}

/* --- inlines ----------------------------------------------------------- */

/* Links and images. HTML has no link in a link: an image in one is its text. */
static void link_open(writer *w, const MD_ATTRIBUTE *target) {
  hm_str url;
  w->in_link = hm_md_attribute(target, w->a, &url) && hm_md_link_open(w->out, url, &w->class_at);
  w->marked = 0;
}

static int span_open(MD_SPANTYPE type, void *detail, void *ctx) {
  writer *w = ctx;
  bool was = w->in_link;
  char kind = NO_LINK;
  let_go(w);
  switch (type) {
    case MD_SPAN_EM: put(w, HM_STR("<em>")); kind = EM; break;
    case MD_SPAN_STRONG: put(w, HM_STR("<strong>")); kind = STRONG; break;
    case MD_SPAN_CODE: put(w, HM_STR("<code>")); kind = CODE; break;
    case MD_SPAN_A: if (!was) link_open(w, &((MD_SPAN_A_DETAIL *)detail)->href); break;
    case MD_SPAN_IMG: if (!was) link_open(w, &((MD_SPAN_IMG_DETAIL *)detail)->src); break;
    default: break;
  }
  hm_buf_ch(&w->spans, w->in_link && !was ? LINK : kind);
  return 0;
}

static int span_close(MD_SPANTYPE type, void *detail, void *ctx) {
  writer *w = ctx;
  (void)detail;
  let_go(w);
  switch (type) {
    case MD_SPAN_EM: span_end_to(w, EM); break;
    case MD_SPAN_STRONG: span_end_to(w, STRONG); break;
    case MD_SPAN_CODE: span_end_to(w, CODE); break;
    case MD_SPAN_A:
    case MD_SPAN_IMG: span_end_to(w, LINK); break;
    default: break;
  }
  return 0;
}

/* What a reader sees of it, for what is told by its text. */
static void note(writer *w, hm_str s) {
  if (w->in_heading) hm_buf_str(&w->heading, s);
  if (!w->in_link) return;
  bool goes_on = w->marked + s.n <= MARKER.n && memcmp(MARKER.p + w->marked, s.p, s.n) == 0;
  w->marked = goes_on ? w->marked + s.n : NO_MARKER;
}

static void text(writer *w, hm_str s) {
  note(w, s);
  hm_html_put(w->out, s);
}

static void line_break(writer *w, hm_str html) {
  note(w, HM_STR(" "));
  put(w, html);
}

/* A name that is not known here is one to the browser. */
static void entity(writer *w, hm_str s) {
  uint32_t cp = hm_md_entity(s);
  hm_buf b = { 0 };
  if (cp) hm_text_put(&b, cp);
  if (cp) text(w, hm_buf_view(&b));
  else put(w, s);
  hm_buf_free(&b);
}

static void raw(writer *w, hm_str s) {
  if (w->in_html) {
    hm_buf_str(&w->html, s);
    return;
  }
  if (w->held.n && hm_str_is(s, "</a>")) {
    put(w, w->held);
    put(w, s);
    w->held = HM_EMPTY;
    return;
  }
  let_go(w);
  if (hm_md_anchor_id(s).n) w->held = s;
  else hm_html_put(w->out, s);
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *p, MD_SIZE n, void *ctx) {
  writer *w = ctx;
  hm_str s = { p, n };
  if (type != MD_TEXT_HTML) let_go(w);
  switch (type) {
    case MD_TEXT_BR: line_break(w, HM_STR("<br />\n")); break;
    case MD_TEXT_SOFTBR: line_break(w, HM_STR("\n")); break;
    case MD_TEXT_ENTITY: entity(w, s); break;
    case MD_TEXT_HTML: raw(w, s); break;
    default: text(w, s); break;
  }
  return 0;
}

int hm_markdown_html(hm_str md, hm_arena *a, hm_buf *out, hm_err *err) {
  static const MD_PARSER calls = { .enter_block = block_open, .leave_block = block_close, .enter_span = span_open,
                                   .leave_span = span_close, .text = on_text };
  if (hm_md_ready(&md, a, err) != 0) return -1;
  writer w = { .a = a, .out = out, .start = out->n, .ids = { .a = a, .md = md } };
  int rc = hm_md_parse(md, &calls, &w, err);
  hm_buf_free(&w.heading);
  hm_buf_free(&w.html);
  hm_buf_free(&w.spans);
  return rc;
}
