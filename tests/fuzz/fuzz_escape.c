/* A fact among Markdown: read back it has exactly the text of hm_clean_text, but for the sign of the
 * marker, in a paragraph, between the template's own marks, in a cell, a link and a heading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/markdown/escape.h"
#include "core/markdown/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* X is the fact. A heading's id is its own (hm_heading_id): I. No link of a fact has the marker's
 * class. */
static const struct { const char *name, *md, *html;
} places[] = {
  { "paragraph", "X\n", "<p>X</p>\n" },
  { "between", "**a:** X (b)\n", "<p><strong>a:</strong> X (b)</p>\n" },
  { "item", "- X\n  - X\n", "<ul>\n<li>X\n<ul>\n<li>X</li>\n</ul>\n</li>\n</ul>\n" },
  { "link", "[X](a.md)\n", "<p><a href=\"a.html\">X</a></p>\n" },
  { "heading", "## X\n", "<h2I>X</h2>\n" },
  { "cell", "| a | b |\n| - | - |\n| X | X |\n",
    "<div class=\"table\" tabindex=\"0\">\n<table>\n<thead>\n<tr>\n<th scope=\"col\">a</th>\n"
    "<th scope=\"col\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>X</td>\n<td>X</td>\n</tr>\n</tbody>\n</table>\n</div>\n" },
};

static void put_text(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == '&') hm_buf_c(b, "&amp;");
    else if (s.p[i] == '<') hm_buf_c(b, "&lt;");
    else if (s.p[i] == '>') hm_buf_c(b, "&gt;");
    else if (s.p[i] == '"') hm_buf_c(b, "&quot;");
    else hm_buf_ch(b, s.p[i]);
  }
}

/* The fact with "⟦!⟧" in place of the sign of the marker. */
static hm_str without_sign(hm_str fact, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < fact.n; i++) {
    hm_str rest = hm_str_sub(fact, i, fact.n);
    if (!hm_str_starts(rest, "\u26A0")) {
      hm_buf_ch(&b, fact.p[i]);
      continue;
    }
    hm_buf_c(&b, "\u27E6!\u27E7");
    rest = hm_str_sub(rest, 3, rest.n);
    i += hm_str_starts(rest, "\uFE0F") || hm_str_starts(rest, "\uFE0E") ? 5 : 2;
  }
  return hm_buf_take(&b, a);
}

static void put_place(hm_buf *b, const char *form, hm_str fact, hm_arena *a, int markdown) {
  hm_str shown = without_sign(fact, a);
  hm_str id = hm_heading_id(a, shown), clean = hm_clean_text(a, shown);
  for (; *form; form++) {
    if (*form == 'X' && markdown) hm_md_escape(b, fact);
    else if (*form == 'X') put_text(b, clean);
    else if (*form == 'I') { if (id.n) hm_buf_fmt(b, " id=\"%.*s\"", HM_FMT(id)); }
    else hm_buf_ch(b, *form);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_str fact = { (const char *)data, size };
  size_t n = hm_clean_text(a, fact).n ? sizeof places / sizeof *places : 0;
  for (size_t i = 0; i < n; i++) {
    hm_buf md = { 0 }, got = { 0 }, want = { 0 };
    hm_err err = { 0 };
    put_place(&md, places[i].md, fact, a, 1);
    put_place(&want, places[i].html, fact, a, 0);
    if (hm_markdown_html(hm_buf_view(&md), a, &got, &err)) abort();
    if (!hm_str_eq(hm_buf_view(&got), hm_buf_view(&want))) {
      fprintf(stderr, "%s:\n got %.*s\nwant %.*s\n", places[i].name, (int)got.n, got.p,
              (int)want.n, want.p);
      abort();
    }
    hm_buf_free(&md), hm_buf_free(&got), hm_buf_free(&want);
  }
  hm_arena_free(a);
  return 0;
}
