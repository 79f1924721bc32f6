/* A page is copied from place to place, and what the preview has is put in between. Cost: a few
 * searches of the page. */
#include "gen/http/inject.h"
#include <string.h>

typedef struct { hm_str html; size_t at; hm_buf *out; } page_copy;

static ptrdiff_t find(const page_copy *c, const char *tag) {
  ptrdiff_t i = hm_str_find(hm_str_sub(c->html, c->at, c->html.n), tag);
  return i < 0 ? -1 : (ptrdiff_t)c->at + i;
}

static ptrdiff_t find_last(const page_copy *c, const char *tag) {
  ptrdiff_t last = -1;
  size_t n = strlen(tag);
  for (hm_str rest = hm_str_sub(c->html, c->at, c->html.n);;) {
    ptrdiff_t i = hm_str_find(rest, tag);
    if (i < 0) return last;
    rest = hm_str_sub(rest, (size_t)i + n, rest.n);
    last = (ptrdiff_t)(c->html.n - rest.n - n);
  }
}

static void copy_to(page_copy *c, size_t to) {
  hm_buf_str(c->out, hm_str_sub(c->html, c->at, to));
  c->at = to;
}

/* --- the policy ----------------------------------------------------------------- */

typedef struct { const char *name; hm_str source; bool seen; } directive;

void hm_inject_policy(hm_str policy, const hm_inject *in, hm_buf *out) {
  hm_str self = HM_STR("'self'");
  directive want[] = { { "script-src", in->script_source, false },
                       { "connect-src", self, false },
                       { "style-src", self, false },
                       { "form-action", in->form.n ? self : HM_EMPTY, false },
                       { "base-uri", in->base.n ? self : HM_EMPTY, false } };
  enum { N = HM_COUNT(want), FETCHES = 3 };
  const char *sep = "";
  while (policy.n) {
    const char *end = memchr(policy.p, ';', policy.n);
    hm_str d = hm_str_trim(hm_str_sub(policy, 0, end ? (size_t)(end - policy.p) : policy.n));
    policy = hm_str_sub(policy, end ? (size_t)(end - policy.p) + 1 : policy.n, policy.n);
    if (!d.n) continue;
    const char *space = memchr(d.p, ' ', d.n);
    hm_str name = hm_str_sub(d, 0, space ? (size_t)(space - d.p) : d.n),
           sources = hm_str_trim(hm_str_sub(d, name.n, d.n)), source = HM_EMPTY;
    for (size_t i = 0; i < N; i++) {
      if (!hm_str_is(name, want[i].name)) continue;
      want[i].seen = true;
      source = want[i].source;
    }
    hm_buf_fmt(out, "%s%.*s", sep, HM_FMT(name));
    if (sources.n && !(source.n && hm_str_is(sources, "'none'")))
      hm_buf_fmt(out, " %.*s", HM_FMT(sources));
    if (source.n && hm_str_find(sources, source.p) < 0) hm_buf_fmt(out, " %.*s", HM_FMT(source));
    sep = "; ";
  }
  /* These fall back on default-src when they are not named. */
  for (size_t i = 0; i < FETCHES; i++)
    if (!want[i].seen && *sep) hm_buf_fmt(out, "; %s %.*s", want[i].name, HM_FMT(want[i].source));
}

/* The value of the attribute content of the meta element of this name, if it stands before `end`.
 */
static bool find_content(const page_copy *c, const char *meta, ptrdiff_t end, size_t *from,
                         size_t *to) {
  static const char content[] = "content=\"";
  ptrdiff_t at = find(c, meta);
  if (at < 0 || at > end) return false;
  hm_str rest = hm_str_sub(c->html, (size_t)at, (size_t)end);
  ptrdiff_t tag_end = hm_str_find(rest, ">"), value = hm_str_find(rest, content);
  if (value < 0 || value > tag_end) return false;
  *from = (size_t)(at + value) + sizeof content - 1;
  const char *quote = memchr(c->html.p + *from, '"', (size_t)end - *from);
  if (!quote) return false;
  *to = (size_t)(quote - c->html.p);
  return true;
}

/* --- the page ------------------------------------------------------------------------ */

/* Up to the end of the head, with the policy and the referrer policy replaced, whichever stands
 * first. */
static void copy_head(page_copy *c, const hm_inject *in) {
  ptrdiff_t head = find(c, "<head>"), end = find(c, "</head>");
  if (end < 0) return;
  if (head >= 0 && head < end) {
    copy_to(c, (size_t)head + strlen("<head>"));
    hm_buf_str(c->out, in->base);
  }
  for (;;) {
    size_t policy = 0, policy_end = 0, referrer = 0, referrer_end = 0;
    bool has_policy = find_content(c, "http-equiv=\"Content-Security-Policy\"", end, &policy,
                                   &policy_end),
         has_referrer = in->form.n &&
             find_content(c, "name=\"referrer\"", end, &referrer, &referrer_end);
    if (has_policy && (!has_referrer || policy < referrer)) {
      copy_to(c, policy);
      hm_inject_policy(hm_str_sub(c->html, policy, policy_end), in, c->out);
      c->at = policy_end;
    } else if (has_referrer) {
      copy_to(c, referrer);
      hm_buf_c(c->out, "same-origin");
      c->at = referrer_end;
    } else {
      break;
    }
  }
  copy_to(c, (size_t)end);
  hm_buf_str(c->out, in->head);
}

void hm_inject_page(hm_str html, const hm_inject *in, hm_buf *out) {
  page_copy c = { .html = html, .out = out };
  copy_head(&c, in);
  ptrdiff_t body = find(&c, "<body");
  const char *end = body < 0 ? NULL : memchr(html.p + body, '>', html.n - (size_t)body);
  if (end) copy_to(&c, (size_t)(end - html.p) + 1);
  hm_buf_str(out, in->top);
  ptrdiff_t at = find(&c, "</h1>");
  if (at >= 0) {
    copy_to(&c, (size_t)at + strlen("</h1>"));
    hm_buf_str(out, in->jump);
  }
  /* Before the commands that do the same, which an open conflict's page has; else before its
   * foot. */
  at = find(&c, "<h2 id=\"what-to-do\">");
  if (at < 0) at = find_last(&c, "<hr");
  if (at < 0) at = find_last(&c, "</main>");
  if (at >= 0) copy_to(&c, (size_t)at);
  hm_buf_str(out, in->form);
  at = find_last(&c, "</body>");
  if (at >= 0) copy_to(&c, (size_t)at);
  hm_buf_str(out, in->end);
  copy_to(&c, html.n);
}
