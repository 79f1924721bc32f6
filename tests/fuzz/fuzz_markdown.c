/* Anybody's Markdown to HTML: tags of the list only, with attributes of the list only, in pairs;
 * ids once; every '<' of it is a tag's. Soon (libFuzzer's -timeout holds it to that), or a clear
 * error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/markdown/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const tags[] = { "a", "blockquote", "br", "code", "details", "div", "em", "h1",
  "h2", "h3", "h4", "h5", "h6", "hr", "img", "input", "li", "ol", "p", "pre", "strong", "summary",
  "table", "tbody", "td", "th", "thead", "time", "tr", "ul" };
static const char *const attributes[] = { "alt",   "aria-label", "checked",  "class", "data-label",
                                          "datetime", "disabled", "href",    "id",    "rel",
                                          "role",  "scope",      "src",      "start", "tabindex",
                                          "title", "type" };
#define N(a) (sizeof(a) / sizeof *(a))

static void must(int ok, const char *what, const char *at, const char *end) {
  if (ok) return;
  fprintf(stderr, "%s: %.*s\n", what, (int)(end - at < 200 ? end - at : 200), at);
  abort();
}

static size_t find(const char *const *list, size_t n, const char *p, size_t len) {
  for (size_t i = 0; i < n; i++)
    if (strlen(list[i]) == len && memcmp(list[i], p, len) == 0) return i;
  return n;
}

static size_t name_at(const char *p) {
  return strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789-");   /* the text ends with a NUL */
}

/* From behind the tag's name; returns where its '>' is. */
static const char *check_attributes(const char *p, const char *end) {
  while (p < end && *p == ' ' && p[1] != '/') {
    const char *at = p + 1;
    size_t n = name_at(at);
    must(find(attributes, N(attributes), at, n) < N(attributes), "an attribute", at, end);
    if (at[n] != '=') { p = at + n; continue; }
    must(at[n + 1] == '"', "no quotes", at, end);
    const char *value = at + n + 2, *close = memchr(value, '"', (size_t)(end - value));
    must(close != NULL && !memchr(value, '<', (size_t)(close - value)), "a value", at, end);
    if (n == 3 && memcmp(at, "src", 3) == 0)
      must(!memchr(value, ':', (size_t)(close - value)), "an image from elsewhere", at, end);
    int web = strncmp(value, "http:", 5) == 0 || strncmp(value, "https:", 6) == 0;
    if (n == 4 && memcmp(at, "href", 4) == 0 && !web)
      must(strcspn(value, ":") >= strcspn(value, "/?#\""), "a scheme", at, end);
    p = close + 1;
  }
  if (end - p > 1 && p[0] == ' ' && p[1] == '/') p += 2;
  must(p < end && *p == '>', "a tag without an end", p, end);
  return p;
}

static void check_html(const char *p, const char *end, size_t *open) {
  size_t depth = 0;
  for (; p < end; p++) {
    must(*p != '>', "a bare >", p, end);
    if (*p != '<') continue;
    int closes = p[1] == '/';
    const char *at = p + 1 + closes;
    size_t n = name_at(at), tag = find(tags, N(tags), at, n);
    must(tag < N(tags), "a tag", p, end);
    p = check_attributes(at + n, end);
    if (strcmp(tags[tag], "br") == 0 || strcmp(tags[tag], "hr") == 0) continue;
    if (strcmp(tags[tag], "input") == 0 || strcmp(tags[tag], "img") == 0) continue;
    if (!closes) open[depth++] = tag;
    else must(depth > 0 && open[--depth] == tag, "not in pairs", at, end);
  }
  must(depth == 0, "a tag that is never closed", p, p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_buf out = { 0 };
  hm_err err = { 0 };
  if (hm_markdown_html((hm_str){ (const char *)data, size }, a, &out, &err) != 0) {
    must(err.code == HM_E_INTERNAL && *err.why && *err.fix, "an error that says nothing", "", "");
    must(!out.n, "an error, and HTML", "", "");
  } else {
    size_t *open = hm_alloc_array(a, out.n + 1, sizeof *open);
    hm_buf_ch(&out, 0);
    check_html(out.p, out.p + out.n - 1, open);
  }
  hm_buf_free(&out);
  hm_arena_free(a);
  return 0;
}
