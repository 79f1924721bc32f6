/* The markup that templates write into Markdown: boxes, folded text, times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/markdown/markdown.h"

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

#define BEGIN(name) "<!-- begin " name " -->\n\n"
#define END(name) "<!-- end " name " -->\n\n"

static void boxes_nest(void **state) {
  (void)state;
  check(BEGIN("case") BEGIN("cards") "- a\n\n" END("cards") END("case"),
        "<div class=\"case\">\n<div class=\"cards\">\n<ul>\n<li>a</li>\n</ul>\n</div>\n</div>\n");
  check("<details>\n<summary>Why, and how?</summary>\n\na\n\n</details>\n",
        "<details>\n<summary>Why, and how?</summary>\n<p>a</p>\n</details>\n");
}

static void what_is_for_markdown_is_in_no_html(void **state) {
  (void)state;
  check("a\n\n" BEGIN("markdown") "---\n\n> b\n\n" END("markdown") "c\n", "<p>a</p>\n<p>c</p>\n");
  check("a\n\n" BEGIN("case") BEGIN("markdown") "b\n\n", "<p>a</p>\n<div class=\"case\">\n</div>\n");
}

static void what_is_open_is_closed_with_the_page(void **state) {
  (void)state;
  check(BEGIN("case") BEGIN("do") "a", "<div class=\"case\">\n<div class=\"do\">\n<p>a</p>\n</div>\n</div>\n");
}

static void what_closes_nothing_is_text(void **state) {
  (void)state;
  check(END("case"), "<p>&lt;!-- end case --&gt;</p>\n");
  check("</details>\n", "<p>&lt;/details&gt;</p>\n");
  check(BEGIN("case") END("do") "a",
        "<div class=\"case\">\n<p>&lt;!-- end do --&gt;</p>\n<p>a</p>\n</div>\n");
}

static void anything_else_is_text(void **state) {
  (void)state;
  check("<!-- begin nav -->\n", "<p>&lt;!-- begin nav --&gt;</p>\n");
  check("<!-- begin case onclick=x -->\n", "<p>&lt;!-- begin case onclick=x --&gt;</p>\n");
  check("<details open>\n<summary>x</summary>\n",
        "<p>&lt;details open&gt;\n&lt;summary&gt;x&lt;/summary&gt;</p>\n");
  check("<details>\n<summary><b>x</b></summary>\n",
        "<p>&lt;details&gt;\n&lt;summary&gt;&lt;b&gt;x&lt;/b&gt;&lt;/summary&gt;</p>\n");
  /* Not inside of other blocks, where a box could end what it is not in. */
  check("- a\n\n  <!-- begin case -->\n",
        "<ul>\n<li>\n<p>a</p>\n<p>&lt;!-- begin case --&gt;</p>\n</li>\n</ul>\n");
}

static void too_many_boxes_are_text(void **state) {
  (void)state;
  check(BEGIN("do") BEGIN("do") BEGIN("do") BEGIN("do") BEGIN("do") BEGIN("do") BEGIN("do")
            BEGIN("do") BEGIN("do"),
        "<div class=\"do\">\n<div class=\"do\">\n<div class=\"do\">\n<div class=\"do\">\n"
        "<div class=\"do\">\n<div class=\"do\">\n<div class=\"do\">\n<div class=\"do\">\n"
        "<p>&lt;!-- begin do --&gt;</p>\n"
        "</div>\n</div>\n</div>\n</div>\n</div>\n</div>\n</div>\n</div>\n");
}

static void times_are_shown_with_the_exact_one(void **state) {
  (void)state;
  check("on <time datetime=\"2026-04-02T09:00:00Z\">2 Apr 2026</time>.",
        "<p>on <time datetime=\"2026-04-02T09:00:00Z\" title=\"2026-04-02T09:00:00Z\">2 Apr "
        "2026</time>.</p>\n");
  check("**<time datetime=\"2026-04\">Apr 2026</time>** [<time datetime=\"2026-04\">x</time>](a.md)",
        "<p><strong><time datetime=\"2026-04\" title=\"2026-04\">Apr 2026</time></strong> <a "
        "href=\"a.html\"><time datetime=\"2026-04\" title=\"2026-04\">x</time></a></p>\n");
  check("<time datetime=\"2026\" onclick=\"x\">a</time>",
        "<p>&lt;time datetime=&quot;2026&quot; onclick=&quot;x&quot;&gt;a&lt;/time&gt;</p>\n");
  check("<time datetime=\"2026-04\">a", "<p>&lt;time datetime=&quot;2026-04&quot;&gt;a</p>\n");
  check("<time datetime=\"2026-04\">*a*</time>",
        "<p>&lt;time datetime=&quot;2026-04&quot;&gt;<em>a</em>&lt;/time&gt;</p>\n");
  check("a</time>", "<p>a&lt;/time&gt;</p>\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_nest),
    cmocka_unit_test(what_is_for_markdown_is_in_no_html),
    cmocka_unit_test(what_is_open_is_closed_with_the_page),
    cmocka_unit_test(what_closes_nothing_is_text),
    cmocka_unit_test(anything_else_is_text),
    cmocka_unit_test(too_many_boxes_are_text),
    cmocka_unit_test(times_are_shown_with_the_exact_one)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
