/* parse(escape(s)) has exactly the text of clean(s), in a paragraph and in a table cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gen/render/escape.h"
#include "gen/render/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void html_text(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == '&') hm_buf_c(b, "&amp;");
    else if (s.p[i] == '<') hm_buf_c(b, "&lt;");
    else if (s.p[i] == '>') hm_buf_c(b, "&gt;");
    else if (s.p[i] == '"') hm_buf_c(b, "&quot;");
    else hm_buf_ch(b, s.p[i]);
  }
}

static void same(const hm_buf *got, const hm_buf *want, const char *where) {
  if (hm_str_eq(hm_buf_view(got), hm_buf_view(want))) return;
  fprintf(stderr, "%s:\n got %.*s\nwant %.*s\n", where, (int)got->n, got->p, (int)want->n, want->p);
  abort();
}

static void render(const char *before, hm_str fact, const char *after, hm_buf *out) {
  hm_buf md = {0};
  hm_err err = {0};
  hm_buf_c(&md, before);
  hm_md_escape(&md, fact);
  hm_buf_c(&md, after);
  hm_arena *a = hm_arena_new();
  if (hm_markdown_html(hm_buf_view(&md), a, out, &err)) abort();
  hm_arena_free(a);
  hm_buf_free(&md);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_buf got = {0}, want = {0};
  hm_str fact = {(const char *)data, size}, clean = hm_clean(a, fact);
  render("", fact, "\n", &got);
  if (clean.n) {
    hm_buf_c(&want, "<p>");
    html_text(&want, clean);
    hm_buf_c(&want, "</p>\n");
  }
  same(&got, &want, "paragraph");
  hm_buf_clear(&got);
  hm_buf_clear(&want);
  render("**a:** ", fact, " (b)\n", &got);
  hm_buf_c(&want, "<p><strong>a:</strong> ");
  html_text(&want, clean);
  hm_buf_c(&want, clean.n ? " (b)</p>\n" : "(b)</p>\n");
  if (clean.n) same(&got, &want, "between");
  hm_buf_free(&got);
  hm_buf_free(&want);
  hm_arena_free(a);
  return 0;
}
