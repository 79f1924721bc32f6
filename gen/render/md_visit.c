#include "core/base/text.h"
#include "gen/render/md_impl.h"

/* A link that is open and whose line its text will tell. */
typedef struct waiting { struct waiting *next; hm_str url; const char *target; } waiting;

typedef struct {
  const hm_markdown_visitor *v;
  void *ctx;
  hm_arena *a;
  hm_str md;
  uint32_t *ends;         /* offsets of the line ends in md, once one was asked for */
  size_t n_ends;
  const char *at;         /* the last that was met of md */
  waiting *links, **last;
  hm_md_ids ids;
  hm_buf heading;         /* text of the one that is open */
  size_t heading_line;    /* 0: none is open */
  hm_buf html;            /* raw HTML that may go on */
  size_t html_line;
} visit;

static void read_lines(visit *x) {
  x->ends = hm_alloc_array(x->a, x->md.n + 1, sizeof *x->ends);
  for (size_t i = 0; i < x->md.n; i++) {
    bool crlf = x->md.p[i] == '\r' && i + 1 < x->md.n && x->md.p[i + 1] == '\n';
    if ((x->md.p[i] == '\n' || x->md.p[i] == '\r') && !crlf) x->ends[x->n_ends++] = (uint32_t)i;
  }
}

static bool in_page(const visit *x, const char *p) { return p >= x->md.p && p < x->md.p + x->md.n; }

/* From 1. What is not of the page stands where the last was that is. */
static size_t line_of(visit *x, const char *p) {
  if (in_page(x, p)) x->at = p;
  if (!x->ends) read_lines(x);
  size_t offset = (size_t)(x->at - x->md.p), low = 0, high = x->n_ends;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (x->ends[mid] < offset) low = mid + 1;
    else high = mid;
  }
  return low + 1;
}

static void tell_html(visit *x) {
  if (x->html.n) x->v->html(x->ctx, hm_buf_keep(&x->html, x->a), x->html_line);
  hm_buf_clear(&x->html);
}

static int block_open(MD_BLOCKTYPE type, void *detail, void *ctx) {
  visit *x = ctx;
  (void)detail;
  tell_html(x);
  if (type != MD_BLOCK_H) return 0;
  hm_buf_clear(&x->heading);
  x->heading_line = SIZE_MAX;
  return 0;
}

static int block_close(MD_BLOCKTYPE type, void *detail, void *ctx) {
  visit *x = ctx;
  (void)detail;
  tell_html(x);
  if (type != MD_BLOCK_H) return 0;
  hm_str id = hm_md_ids_heading(&x->ids, hm_buf_view(&x->heading));
  if (id.n) x->v->id(x->ctx, id, x->heading_line);
  x->heading_line = 0;
  return 0;
}

/* text: the first in the last of them, or NULL when there is none. */
static void tell_links(visit *x, const char *text) {
  for (waiting *l = x->links; l; l = l->next) x->v->link(x->ctx, l->url, line_of(x, text ? text : l->target));
  x->links = NULL;
}

static void link(visit *x, const MD_ATTRIBUTE *target) {
  waiting *l = hm_alloc(x->a, sizeof *l);
  if (!hm_md_attribute(target, x->a, &l->url)) return;
  l->url = hm_str_dup(x->a, l->url);
  l->target = target->text;
  *(x->links ? x->last : &x->links) = l;
  x->last = &l->next;
}

static int span_open(MD_SPANTYPE type, void *detail, void *ctx) {
  visit *x = ctx;
  tell_html(x);
  if (type == MD_SPAN_A) link(x, &((MD_SPAN_A_DETAIL *)detail)->href);
  if (type == MD_SPAN_IMG) link(x, &((MD_SPAN_IMG_DETAIL *)detail)->src);
  return 0;
}

static int span_close(MD_SPANTYPE type, void *detail, void *ctx) {
  (void)type, (void)detail;
  tell_html(ctx);
  tell_links(ctx, NULL);
  return 0;
}

static void heading_text(visit *x, MD_TEXTTYPE type, hm_str s) {
  uint32_t cp = type == MD_TEXT_ENTITY ? hm_md_entity(s) : 0;
  if (x->heading_line == SIZE_MAX) x->heading_line = line_of(x, s.p);
  if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) hm_buf_ch(&x->heading, ' ');
  else if (cp) hm_text_put(&x->heading, cp);
  else if (type != MD_TEXT_ENTITY && type != MD_TEXT_HTML) hm_buf_str(&x->heading, s);
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *p, MD_SIZE n, void *ctx) {
  visit *x = ctx;
  if (in_page(x, p)) {
    x->at = p;
    tell_links(x, p);
  }
  if (x->heading_line) heading_text(x, type, (hm_str){ p, n });
  if (type != MD_TEXT_HTML) {
    tell_html(x);
  } else {
    if (!x->html.n) x->html_line = line_of(x, p);
    hm_buf_add(&x->html, p, n);
  }
  return 0;
}

int hm_markdown_visit(hm_str md, hm_arena *a, const hm_markdown_visitor *v, void *ctx, hm_err *err) {
  static const MD_PARSER calls = { .enter_block = block_open, .leave_block = block_close, .enter_span = span_open,
                                   .leave_span = span_close, .text = on_text };
  if (hm_md_ready(&md, a, err) != 0) return -1;
  visit x = { .v = v, .ctx = ctx, .a = a, .md = md, .at = md.p, .ids = { .a = a, .md = md } };
  int rc = hm_md_parse(md, &calls, &x, err);
  hm_buf_free(&x.heading);
  hm_buf_free(&x.html);
  return rc;
}
