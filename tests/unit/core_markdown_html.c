/* Markdown of ours to HTML: what is added to CommonMark, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/markdown/markdown.h"
#include "tests/unit/core_base_thorough.h"

static void check(const char *md, const char *html) {
  hm_buf b = { 0 };
  hm_err err;
  hm_arena *a = hm_arena_new();
  assert_int_equal(hm_markdown_html(hm_str_c(md), a, &b, &err), 0);
  hm_arena_free(a);
  hm_buf_ch(&b, 0);
  assert_string_equal(b.p, html);
  hm_buf_free(&b);
}

static void test_blocks(void **state) {
  (void)state;
  check("", "");
  check("a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n");
  check("- a\n- b\n", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
  check("- a\n\n- b\n", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>\n");
  check("- a\n  - b\n- c\n", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>\n");
  check("1. a\n", "<ol>\n<li>a</li>\n</ol>\n");
  check("3. a\n", "<ol start=\"3\">\n<li>a</li>\n</ol>\n");
  check("> a\n", "<blockquote>\n<p>a</p>\n</blockquote>\n");
  check("a\n\n---\n", "<p>a</p>\n<hr />\n");
  check("```sh x\na <b>\n```\n", "<pre><code class=\"language-sh\">a &lt;b&gt;\n</code></pre>\n");
  check("    a\n", "<pre><code>a\n</code></pre>\n");
  check("*a* **b** `c<` d  \ne",
        "<p><em>a</em> <strong>b</strong> <code>c&lt;</code> d<br />\ne</p>\n");
  check("~~a~~ www.x.org http://x.org \"q\" -- x",
        "<p>~~a~~ www.x.org http://x.org &quot;q&quot; -- x</p>\n");
}

/* A fold that is not closed ends with the page; one that stands inside something else, or says more
 * than words, is text. */
static void test_what_folds(void **state) {
  (void)state;
  check("<details>\n<summary>2 sources, all</summary>\n\n- a\n\n</details>\n\nb",
        "<details>\n<summary>2 sources, all</summary>\n<ul>\n<li>a</li>\n</ul>\n</details>\n<p>b</p>\n");
  check("<details>\n<summary>x</summary>\n\na",
        "<details>\n<summary>x</summary>\n<p>a</p>\n</details>\n");
  check("</details>", "<p>&lt;/details&gt;</p>\n");
  check("<details open>\n<summary>x</summary>",
        "<p>&lt;details open&gt;\n&lt;summary&gt;x&lt;/summary&gt;</p>\n");
  check("<details>\n<summary><b>x</b></summary>",
        "<p>&lt;details&gt;\n&lt;summary&gt;&lt;b&gt;x&lt;/b&gt;&lt;/summary&gt;</p>\n");
  check("<details>\n<summary></summary>",
        "<p>&lt;details&gt;\n&lt;summary&gt;&lt;/summary&gt;</p>\n");
  check("> <details>\n> <summary>x</summary>",
        "<blockquote>\n<p>&lt;details&gt;\n&lt;summary&gt;x&lt;/summary&gt;</p>\n</blockquote>\n");
}

static void test_badges(void **state) {
  (void)state;
  check("[\u26A0 3](a.md) [\u26A0 1,234](a.md)",
        "<p><a href=\"a.html\" class=\"badge\">\u26A0 3</a> "
        "<a href=\"a.html\" class=\"badge\">\u26A0 1,234</a></p>\n");
  check("[\u26A0](a.md) [\u26A0 ](a.md) [\u26A0 3 kg](a.md) [3](a.md)",
        "<p><a href=\"a.html\">\u26A0</a> <a href=\"a.html\">\u26A0 </a> "
        "<a href=\"a.html\">\u26A0 3 kg</a> <a href=\"a.html\">3</a></p>\n");
}

/* From four columns on a cell says what it is; a zero is known as one. */
static void test_wide_tables(void **state) {
  (void)state;
  check("| A | B | C \"<\" | N |\n| --- | --- | --- | ---: |\n| 1 | [2](x.md) |  | 0 |\n",
        "<div class=\"table wide\" tabindex=\"0\">\n<table>\n<thead>\n<tr>\n"
        "<th scope=\"col\">A</th>\n<th scope=\"col\">B</th>\n<th scope=\"col\">C &quot;&lt;&quot;</th>\n"
        "<th scope=\"col\" class=\"num\">N</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n"
        "<td data-label=\"B\"><a href=\"x.html\">2</a></td>\n"
        "<td data-label=\"C &quot;&lt;&quot;\"></td>\n"
        "<td class=\"num zero\" data-label=\"N\">0</td>\n</tr>\n</tbody>\n</table>\n</div>\n");
}

static void test_links_are_rewritten(void **state) {
  (void)state;
  check("[a](b.md)", "<p><a href=\"b.html\">a</a></p>\n");
  check("[a](../x/README.md#y.md)", "<p><a href=\"../x/index.html#y.md\">a</a></p>\n");
  check("[a](README.md)", "<p><a href=\"index.html\">a</a></p>\n");
  check("[a](b.md#c)", "<p><a href=\"b.html#c\">a</a></p>\n");
  check("[a](NOREADME.md)", "<p><a href=\"NOREADME.html\">a</a></p>\n");
  check("[a](data/b.txt) [b](#c)", "<p><a href=\"data/b.txt\">a</a> <a href=\"#c\">b</a></p>\n");
  check("[a](b.mdx)", "<p><a href=\"b.mdx\">a</a></p>\n");
}

static void test_links_out(void **state) {
  (void)state;
  check("[a](https://x.org/b.md?c=d&amp;e#f)",
        "<p><a href=\"https://x.org/b.md?c=d&amp;e#f\" rel=\"nofollow noopener\">a</a></p>\n");
  check("<http://x.org/>",
        "<p><a href=\"http://x.org/\" rel=\"nofollow noopener\">http://x.org/</a></p>\n");
  check("[a](javascript:alert(1)) [*b*](mailto:x@y) [c](//x.org/) [d](data:text/html,x) [e]()",
        "<p>a <em>b</em> c d e</p>\n");
  check("[a](JaVaScRiPt:x) [b](<java\tscript:x>) [c](&#106;avascript:x) [d](x\\:y)",
        "<p>a b c d</p>\n");
  check("[a](<x\"y'z>)", "<p><a href=\"x%22y'z\">a</a></p>\n");
}

static void test_images_become_links(void **state) {
  (void)state;
  /* but for drawings of ours */
  check("![a *b* \"<c>`d`](../x.svg) e",
        "<p><img class=\"drawing\" src=\"../x.svg\" alt=\"a b &quot;d\" /> e</p>\n");
  check("![a](x.svg \"It <scrolls>\")",
        "<p><span class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"It &lt;scrolls&gt;\">"
        "<img class=\"drawing\" src=\"x.svg\" alt=\"a\" /></span></p>\n");
  /* whose room is kept free */
  check("![a](x.svg \"152 pixels high\")",
        "<p><img class=\"drawing\" height=\"152\" src=\"x.svg\" alt=\"a\" /></p>\n");
  check("![a](x.svg \"L; M; 596 by 130 pixels\")",
        "<p><span class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"L; M\">"
        "<img class=\"drawing\" width=\"596\" height=\"130\" src=\"x.svg\" alt=\"a\" /></span></p>\n");
  check("![a](x.svg \"L; about 500 pixels high\")",
        "<p><span class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"L\">"
        "<svg class=\"room\" width=\"1\" height=\"500\" aria-hidden=\"true\"></svg>"
        "<img class=\"drawing\" src=\"x.svg\" alt=\"a\" /></span></p>\n");
  static const char *const no_sizes[] = { "0 pixels high", "-5 pixels high", " 5 pixels high",
                                          "5 pixels high.", "5 by pixels", "123456 pixels high",
                                          "about 5 by 6 pixels", "5 by 0 pixels" };
  for (size_t i = 0; i < HM_COUNT(no_sizes); i++) {
    char md[128], html[256];
    snprintf(md, sizeof md, "![a](x.svg \"%s\")", no_sizes[i]);
    snprintf(html, sizeof html,
             "<p><span class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">"
             "<img class=\"drawing\" src=\"x.svg\" alt=\"a\" /></span></p>\n", no_sizes[i]);
    check(md, html);
  }
  check("![a](http://x.org/y.svg)",
        "<p><a href=\"http://x.org/y.svg\" rel=\"nofollow noopener\">a</a></p>\n");
  check("[![a](b.svg) c](d.md)", "<p><a href=\"d.html\">a c</a></p>\n");
  check("![a *b*](c.png)", "<p><a href=\"c.png\">a <em>b</em></a></p>\n");
  check("![a](javascript:x)", "<p>a</p>\n");
  check("[![a](b.png) c](d.md)", "<p><a href=\"d.html\">a c</a></p>\n");
  check("![[a](b)](c)", "<p><a href=\"c\">a</a></p>\n");
}

static void test_marker(void **state) {
  (void)state;
  check("x [\u26A0 disputed](c/c1.md) y",
        "<p>x <a href=\"c/c1.html\" class=\"disputed\">\u26A0 disputed</a> y</p>\n");
  check("[\u26A0 disputed!](a.md)", "<p><a href=\"a.html\">\u26A0 disputed!</a></p>\n");
}

/* What stands in a target ends no emphasis. */
static void test_tags_are_in_pairs(void **state) {
  (void)state;
  check("__[a](b__)", "<p>__<a href=\"b__\">a</a></p>\n");
  check("- **[a](b**)\n  - c\n",
        "<ul>\n<li>**<a href=\"b**\">a</a>\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n");
  check("[a](**b) c**", "<p><a href=\"**b\">a</a> c**</p>\n");
  check("**a [b](http://x.y/\\*\\*) c**",
        "<p><strong>a <a href=\"http://x.y/**\" rel=\"nofollow noopener\">b</a> c</strong></p>\n");
  check("[a *b](c) d*", "<p><a href=\"c\">a *b</a> d*</p>\n");
}

/* An escape splits a text into nodes; references are characters. */
static void test_text_in_many_nodes(void **state) {
  (void)state;
  check("[&#9888; disputed](c.md)",
        "<p><a href=\"c.html\" class=\"disputed\">\u26A0 disputed</a></p>\n");
  check("[\u26A0\ndisputed](c.md)",
        "<p><a href=\"c.html\" class=\"disputed\">\u26A0\ndisputed</a></p>\n");
  check("[*\u26A0* disputed](c.md)",
        "<p><a href=\"c.html\" class=\"disputed\"><em>\u26A0</em> disputed</a></p>\n");
  check("[\u26A0 disputed\\!](c.md)", "<p><a href=\"c.html\">\u26A0 disputed!</a></p>\n");
  check(
      "# a\\_b &copy; `c`\\.\n\n| x |\n|---|\n",
      "<h1 id=\"a_b--c\">a_b \u00A9 <code>c</code>.</h1>\n<div class=\"table\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"a_b \u00A9 c.\">\n<table>\n<thead>\n<tr>\n<th scope=\"col\">x</th>\n</tr>\n</thead>\n</table>\n</div>\n");
  check("kim`@`x\\.org `a@`", "<p>kim@x.org <code>a@</code></p>\n");
}

static void test_raw_html_is_text(void **state) {
  (void)state;
  check("a <b>c</b> <!-- d -->", "<p>a &lt;b&gt;c&lt;/b&gt; &lt;!-- d --&gt;</p>\n");
  check("<script>alert(1)</script>\n", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
  check("<div onclick=\"x\">\n\na\n", "<p>&lt;div onclick=&quot;x&quot;&gt;</p>\n<p>a</p>\n");
  check("<a href=\"x\">y</a>", "<p>&lt;a href=&quot;x&quot;&gt;y&lt;/a&gt;</p>\n");
}

static void test_anchors(void **state) {
  (void)state;
  check("- <a id=\"m-1\"></a>x", "<ul>\n<li><a id=\"m-1\"></a>x</li>\n</ul>\n");
  check("x <a id=\"m1\"></a><a id=\"m2\"></a></a>",
        "<p>x <a id=\"m1\"></a><a id=\"m2\"></a>&lt;/a&gt;</p>\n");
  check("x <a id=\"m1\">y</a>", "<p>x &lt;a id=&quot;m1&quot;&gt;y&lt;/a&gt;</p>\n");
  check("x <a id=\"M_1\"></a>", "<p>x &lt;a id=&quot;M_1&quot;&gt;&lt;/a&gt;</p>\n");
  check("x <a id=\"\"></a>", "<p>x &lt;a id=&quot;&quot;&gt;&lt;/a&gt;</p>\n");
}

static void test_tables(void **state) {
  (void)state;
  check(
      "## A \"b\" <c\n\n| x | y |\n|---|:-:|\n| 1 | [\u26A0 disputed](c.md) |\n| 2\n\nz\n",
      "<h2 id=\"a-b-c\">A &quot;b&quot; &lt;c</h2>\n"
      "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"A &quot;b&quot; &lt;c\">\n<table>\n<thead>\n<tr>\n"
      "<th scope=\"col\">x</th>\n<th scope=\"col\">y</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n"
      "<td><a href=\"c.html\" class=\"disputed\">\u26A0 disputed</a></td>\n</tr>\n<tr>\n<td>2</td>\n<td></td>\n</tr>\n"
      "</tbody>\n</table>\n</div>\n<p>z</p>\n");
  check(
      "| x |\n|---|\n",
      "<div class=\"table\" tabindex=\"0\">\n<table>\n<thead>\n<tr>\n<th scope=\"col\">x</th>\n</tr>\n</thead>\n</table>\n</div>\n");
}

/* As on GitHub: one dash a column will do. */
static void test_tables_of_few_dashes(void **state) {
  (void)state;
#define HEAD                                                                                       \
  "<div class=\"table\" tabindex=\"0\">\n<table>\n<thead>\n<tr>\n<th scope=\"col\">x</th>\n"
#define BODY "</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n"
#define END "</tr>\n</tbody>\n</table>\n</div>\n"
  check("| x | y |\n|-|-|\n| 1 | 2 |\n", HEAD "<th scope=\"col\">y</th>\n" BODY "<td>2</td>\n" END);
  check("x | y\r\n:- | -:\r\n1 | 2",
        HEAD "<th scope=\"col\" class=\"num\">y</th>\n" BODY "<td class=\"num\">2</td>\n" END);
  check("> | x |\n> |:--:|\n> | 1 |\n", "<blockquote>\n" HEAD BODY END "</blockquote>\n");
  check("| x | y |\n|----|-|\n| 1 | 2 |\n\na\n\n| x |\n|-|\n| 1 |\n",
        HEAD "<th scope=\"col\">y</th>\n" BODY "<td>2</td>\n" END "<p>a</p>\n" HEAD BODY END);
  check("```\n| x |\n|-|\n```\n", "<pre><code>| x |\n|-|\n</code></pre>\n");
  check("a\n\n|-|\n", "<p>a</p>\n<p>|-|</p>\n");
  check("a | b\n- | -\n", "<p>a | b</p>\n<ul>\n<li>| -</li>\n</ul>\n");
}

static void test_tasks(void **state) {
  (void)state;
  check(
      "- [ ] a\n- [x] b\n",
      "<ul>\n<li><input type=\"checkbox\" disabled=\"\" aria-label=\"to do\" /> a</li>\n"
      "<li><input type=\"checkbox\" checked=\"\" disabled=\"\" aria-label=\"done\" /> b</li>\n</ul>\n");
}

static void test_heading_ids(void **state) {
  (void)state;
  check(
      "# A b\n## A b\n## A b\n## A b-1\n",
      "<h1 id=\"a-b\">A b</h1>\n<h2 id=\"a-b-1\">A b</h2>\n<h2 id=\"a-b-2\">A b</h2>\n<h2 id=\"a-b-1-1\">A b-1</h2>\n");
  check("# C# &amp; *x_y* `z`: 4.8 kg\n",
        "<h1 id=\"c--x_y-z-48-kg\">C# &amp; <em>x_y</em> <code>z</code>: 4.8 kg</h1>\n");
  check("# \u26A0 \u00C4 \u00DF \u2014\n",
        "<h1 id=\"-\u00E4-\u00DF-\">\u26A0 \u00C4 \u00DF \u2014</h1>\n");
  check("# \\!\n", "<h1>!</h1>\n");
}

/* A heading from a fact cannot take the id of a row that comes after it. */
static void test_anchors_come_first(void **state) {
  (void)state;
  check("# m1\n\n<a id=\"m1\"></a>x\n", "<h1 id=\"m1-1\">m1</h1>\n<p><a id=\"m1\"></a>x</p>\n");
  check("# a\n# a\n<a id=\"a-1\"></a>x\n",
        "<h1 id=\"a\">a</h1>\n<h1 id=\"a-2\">a</h1>\n<p><a id=\"a-1\"></a>x</p>\n");
  /* what only looks like an anchor has no id */
  check("# m1\n\n`<a id=\"m1\"></a>`\n",
        "<h1 id=\"m1\">m1</h1>\n<p><code>&lt;a id=&quot;m1&quot;&gt;&lt;/a&gt;</code></p>\n");
  check("# m1\n\n<a id=\"m1\">x\n", "<h1 id=\"m1\">m1</h1>\n<p>&lt;a id=&quot;m1&quot;&gt;x</p>\n");
  check("# m1\n\n<a id=\"m1", "<h1 id=\"m1\">m1</h1>\n<p>&lt;a id=&quot;m1</p>\n");
}

static void test_heading_id_of_text(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  assert_true(hm_str_is(hm_heading_id(a, HM_STR("  Frame  leg, mass ")), "frame-leg-mass"));
  assert_true(hm_str_is(hm_heading_id(a, HM_STR("")), ""));
  hm_arena_free(a);
}

static void test_appends(void **state) {
  (void)state;
  hm_buf b = { 0 };
  hm_err err;
  hm_buf_c(&b, "before");
  hm_arena *a = hm_arena_new();
  assert_int_equal(hm_markdown_html(HM_STR("x"), a, &b, &err), 0);
  hm_arena_free(a);
  assert_true(hm_str_is(hm_buf_view(&b), "before<p>x</p>\n"));
  hm_buf_free(&b);
}

static void test_too_large(void **state) {
  (void)state;
  hm_buf b = { 0 };
  hm_err err;
  hm_arena *a = hm_arena_new();
  assert_int_equal(hm_markdown_html((hm_str){ "", ((size_t)16 << 20) + 1 }, a, &b, &err), -1);
  hm_arena_free(a);
  assert_int_equal(err.code, HM_E_INTERNAL);
}

static hm_buf repeated(const char *before, const char *piece, size_t n, const char *after) {
  hm_buf b = { 0 };
  hm_buf_c(&b, before);
  for (size_t i = 0; i < n; i++) hm_buf_c(&b, piece);
  hm_buf_c(&b, after);
  return b;
}

/* why: part of the error, or NULL: it is read. In any case soon. */
static void bounded(hm_buf md, const char *why) {
  hm_buf out = { 0 };
  hm_err err = { 0 };
  hm_arena *a = hm_arena_new();
  double begun = computed();
  int rc = hm_markdown_html(hm_buf_view(&md), a, &out, &err);
  expect_within(5, begun, hm_str_z(a, hm_buf_view(&md)));
  assert_int_equal(rc, why ? -1 : 0);
  if (why && !strstr(err.why, why)) fail_msg("%s: not %s", err.why, why);
  hm_arena_free(a);
  hm_buf_free(&out);
  hm_buf_free(&md);
}

static void test_structure_is_bounded(void **state) {
  (void)state;
  bounded(repeated("", ">", 100, " a\n"), NULL);
  bounded(repeated("", ">", 101, " a\n"), "nested too deeply");
  bounded(repeated("", "> ", 30000, "a\n"), "nested too deeply");
  bounded(repeated("", "- ", 30000, "a\n"), "nested too deeply");
  bounded(repeated("", "1. ", 30000, "a\n"), "nested too deeply");
  bounded(repeated("", "a|", 20000, "\n|-|\n"), "too many columns");
  bounded(repeated("| a |\n", "|-", 4000, "|\n"), "too many columns");
  hm_buf wide = repeated("", "|a", 200, "|\n");
  for (int i = 0; i < 200; i++) hm_buf_c(&wide, "|-");
  for (int i = 0; i < 8000; i++) hm_buf_c(&wide, "|\n|");
  hm_buf_c(&wide, "\n");
  bounded(wide, "too many rows");
  bounded(repeated("| a | b |\n|---|---|\n", "| \\| | 1 |\n", 100000, ""), NULL);
  bounded(repeated("a | b\n", "|-|\n", 60000, ""), "too many rows");
  bounded(repeated("", "\n|-|\n", 60000, ""), NULL);
  bounded(repeated("", "***\n---\n", 100000, ""), NULL);
  bounded(repeated("", "- a\n", 200000, ""), NULL);
}

static void keep_id(void *ctx, hm_str id, size_t line) { if (line) *(hm_str *)ctx = id; }
static void keep_html(void *ctx, hm_str html, size_t line) { if (line) ((hm_str *)ctx)[1] = html; }
static void keep_link(void *ctx, hm_str url, size_t line) { if (line) ((hm_str *)ctx)[2] = url; }

/* Nobody's page has one, but a template may; whoever looks at the page sees what the HTML has. */
static void test_nuls(void **state) {
  (void)state;
  static const char page[] = "# a\0b\n<div>\nx\0y\n</div>\n\n[l](a\0b)";
  const hm_markdown_visitor v = { .link = keep_link, .id = keep_id, .html = keep_html };
  hm_str md = { page, sizeof page - 1 }, met[3] = { HM_EMPTY, HM_EMPTY, HM_EMPTY };
  hm_arena *a = hm_arena_new();
  hm_buf b = { 0 };
  hm_err err;
  assert_int_equal(hm_markdown_html(md, a, &b, &err), 0);
  assert_int_equal(hm_markdown_visit(md, a, &v, met, &err), 0);
  hm_buf_ch(&b, 0);
  assert_string_equal(
      b.p,
      "<h1 id=\"ab\">a\uFFFDb</h1>\n<p>&lt;div&gt;\nx\uFFFDy\n&lt;/div&gt;</p>\n<p><a href=\"a%EF%BF%BDb\">l</a></p>\n");
  assert_true(hm_str_is(met[0], "ab"));
  assert_true(hm_str_is(met[1], "<div>\nx\uFFFDy\n</div>\n"));
  hm_buf_free(&b);
  hm_arena_free(a);
}

/* Pages that end where the library looks one byte on; valgrind tells. */
static void test_ends_in_the_middle(void **state) {
  (void)state;
  static const char *const pages[] = { "\xA9##r[](r[](",
                                       "a [b](",
                                       "\xB5*\n<>\n|[*_*]()\n-|",
                                       "x ``",
                                       "&",
                                       "a&#x1",
                                       "- [",
                                       "[a]: ",
                                       "|",
                                       "\\" };
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    hm_buf b = { 0 };
    hm_err err;
    hm_arena *a = hm_arena_new();
    size_t n = strlen(pages[i]);
    char *p = malloc(n);
    memcpy(p, pages[i], n);
    assert_int_equal(hm_markdown_html((hm_str){ p, n }, a, &b, &err), 0);
    free(p);
    hm_arena_free(a);
    hm_buf_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_blocks),
    cmocka_unit_test(test_links_are_rewritten),
                                      cmocka_unit_test(test_what_folds),
                                      cmocka_unit_test(test_badges),
                                      cmocka_unit_test(test_wide_tables),
    cmocka_unit_test(test_links_out),
    cmocka_unit_test(test_images_become_links),
    cmocka_unit_test(test_marker),
    cmocka_unit_test(test_tags_are_in_pairs),
    cmocka_unit_test(test_text_in_many_nodes),
    cmocka_unit_test(test_structure_is_bounded),
    cmocka_unit_test(test_raw_html_is_text),
    cmocka_unit_test(test_anchors),
    cmocka_unit_test(test_tables),
    cmocka_unit_test(test_tables_of_few_dashes),
    cmocka_unit_test(test_tasks),
    cmocka_unit_test(test_heading_ids),
    cmocka_unit_test(test_anchors_come_first),
    cmocka_unit_test(test_heading_id_of_text),
    cmocka_unit_test(test_appends),
    cmocka_unit_test(test_too_large),
    cmocka_unit_test(test_ends_in_the_middle),
    cmocka_unit_test(test_nuls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
