#include "gen/http/inject.h"
#include <string.h>

typedef struct { hm_str html; size_t at; hm_buf *out; } reader;

static ptrdiff_t find(const reader *r, const char *tag) {
  ptrdiff_t i = hm_str_find(hm_str_sub(r->html, r->at, r->html.n), tag);
  return i < 0 ? -1 : (ptrdiff_t)r->at + i;
}

static ptrdiff_t find_last(const reader *r, const char *tag) {
  ptrdiff_t last = -1;
  size_t n = strlen(tag);
  for (hm_str rest = hm_str_sub(r->html, r->at, r->html.n);;) {
    ptrdiff_t i = hm_str_find(rest, tag);
    if (i < 0) return last;
    rest = hm_str_sub(rest, (size_t)i + n, rest.n);
    last = (ptrdiff_t)(r->html.n - rest.n - n);
  }
}

static void copy_to(reader *r, size_t to) {
  hm_buf_str(r->out, hm_str_sub(r->html, r->at, to));
  r->at = to;
}

/* --- the policy ----------------------------------------------------------------- */

typedef struct { const char *name; hm_str source; bool seen; } directive;

static hm_str name_of(hm_str d) {
  const char *space = d.n ? memchr(d.p, ' ', d.n) : NULL;
  return hm_str_sub(d, 0, space ? (size_t)(space - d.p) : d.n);
}

static void put_directive(hm_buf *out, hm_str d, directive *want, size_t n) {
  hm_str name = name_of(d), sources = hm_str_trim(hm_str_sub(d, name.n, d.n));
  hm_buf_str(out, name);
  directive *w = NULL;
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(name, want[i].name)) w = &want[i];
  if (w) w->seen = true;
  bool wide = w && w->source.n;
  if (sources.n && !(wide && hm_str_is(sources, "'none'")))
    hm_buf_fmt(out, " %.*s", HM_FMT(sources));
  if (wide && hm_str_find(sources, w->source.p) < 0) hm_buf_fmt(out, " %.*s", HM_FMT(w->source));
}

void hm_inject_policy(hm_str policy, const hm_inject *in, hm_buf *out) {
  hm_str self = HM_STR("'self'");
  directive want[] = { { "script-src", in->script_source, false },
                       { "connect-src", self, false },
                       { "style-src", self, false },
                       { "form-action", in->form.n ? self : HM_EMPTY, false },
                       { "base-uri", in->base.n ? self : HM_EMPTY, false } };
  enum { N = sizeof want / sizeof *want, FETCHES = 3 };
  bool first = true;
  while (policy.n) {
    const char *end = memchr(policy.p, ';', policy.n);
    hm_str d = hm_str_trim(hm_str_sub(policy, 0, end ? (size_t)(end - policy.p) : policy.n));
    policy = hm_str_sub(policy, end ? (size_t)(end - policy.p) + 1 : policy.n, policy.n);
    if (!d.n) continue;
    if (!first) hm_buf_c(out, "; ");
    first = false;
    put_directive(out, d, want, N);
  }
  /* These fall back on default-src when they are not named. */
  for (size_t i = 0; i < FETCHES; i++)
    if (!want[i].seen && !first) hm_buf_fmt(out, "; %s %.*s", want[i].name, HM_FMT(want[i].source));
}

/* The value of the attribute content of the meta element of this name, if it stands before `end`.
 */
static bool find_content(const reader *r, const char *meta, ptrdiff_t end, size_t *from,
                         size_t *to) {
  static const char content[] = "content=\"";
  ptrdiff_t at = find(r, meta);
  if (at < 0 || at > end) return false;
  hm_str rest = hm_str_sub(r->html, (size_t)at, (size_t)end);
  ptrdiff_t tag_end = hm_str_find(rest, ">"), value = hm_str_find(rest, content);
  if (value < 0 || value > tag_end) return false;
  *from = (size_t)(at + value) + sizeof content - 1;
  const char *quote = memchr(r->html.p + *from, '"', (size_t)end - *from);
  if (!quote) return false;
  *to = (size_t)(quote - r->html.p);
  return true;
}

/* --- the page ------------------------------------------------------------------------ */

typedef struct { size_t from, to; bool policy; } edit;

static size_t find_edits(const reader *r, const hm_inject *in, ptrdiff_t end, edit v[2]) {
  size_t n = 0;
  if (find_content(r, "http-equiv=\"Content-Security-Policy\"", end, &v[n].from, &v[n].to))
    v[n++].policy = true;
  if (in->form.n && find_content(r, "name=\"referrer\"", end, &v[n].from, &v[n].to))
    v[n++].policy = false;
  if (n < 2 || v[0].from < v[1].from) return n;
  edit first = v[1];
  v[1] = v[0];
  v[0] = first;
  return n;
}

static void do_head(reader *r, const hm_inject *in) {
  edit edits[2];
  ptrdiff_t head = find(r, "<head>"), end = find(r, "</head>");
  if (end < 0) return;
  if (head >= 0 && head < end) {
    copy_to(r, (size_t)head + strlen("<head>"));
    hm_buf_str(r->out, in->base);
  }
  size_t n = find_edits(r, in, end, edits);
  for (size_t i = 0; i < n; i++) {
    copy_to(r, edits[i].from);
    if (edits[i].policy)
      hm_inject_policy(hm_str_sub(r->html, edits[i].from, edits[i].to), in, r->out);
    else hm_buf_c(r->out, "same-origin");
    r->at = edits[i].to;
  }
  copy_to(r, (size_t)end);
  hm_buf_str(r->out, in->head);
}

static void do_top(reader *r, const hm_inject *in) {
  ptrdiff_t body = find(r, "<body");
  const char *end = body < 0 ? NULL : memchr(r->html.p + body, '>', r->html.n - (size_t)body);
  if (end) copy_to(r, (size_t)(end - r->html.p) + 1);
  hm_buf_str(r->out, in->top);
}

static void do_jump(reader *r, const hm_inject *in) {
  ptrdiff_t h1 = find(r, "</h1>");
  if (h1 < 0) return;
  copy_to(r, (size_t)h1 + strlen("</h1>"));
  hm_buf_str(r->out, in->jump);
}

/* Before the commands that do the same, which an open conflict's page ends with; else before its
 * foot. */
static void do_form(reader *r, const hm_inject *in) {
  ptrdiff_t at = find(r, "<h2 id=\"how-to-settle-it\">");
  if (at < 0) at = find_last(r, "<hr");
  if (at < 0) at = find_last(r, "</main>");
  if (at >= 0) copy_to(r, (size_t)at);
  hm_buf_str(r->out, in->form);
}

void hm_inject_page(hm_str html, const hm_inject *in, hm_buf *out) {
  reader r = { .html = html, .out = out };
  do_head(&r, in);
  do_top(&r, in);
  do_jump(&r, in);
  do_form(&r, in);
  ptrdiff_t end = find_last(&r, "</body>");
  if (end >= 0) copy_to(&r, (size_t)end);
  hm_buf_str(out, in->end);
  copy_to(&r, html.n);
}
