/* Templates beyond the specification's suites: escaping by file name and
 * place, errors that say where, lookup, bounds, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/base/par.h"
#include "core/markdown/markdown.h"
#include "gen/render/template.h"

#define FILE_OF(name, text)                                                                        \
  {                                                                                                \
    { name, sizeof(name) - 1 }, { text, sizeof(text) - 1 }, { "dir/" name, sizeof(name) + 3 }      \
  }
#define COUNT(list) (sizeof(list) / sizeof *(list))

static hm_templates *compile(const hm_template_file *files, size_t n) {
  hm_templates *t = NULL;
  hm_err err = { 0 };
  if (hm_templates_compile(files, n, &t, &err)) fail_msg("%s: %s", err.what, err.why);
  return t;
}

static void check(const hm_template_file *files, size_t n, hm_arena *a, const hm_node *model,
                  const char *want) {
  hm_templates *t = compile(files, n);
  hm_buf b = { 0 };
  hm_err err = { 0 };
  if (hm_template_render(t, files[0].name, model, a, &b, &err))
    fail_msg("%s: %s", err.what, err.why);
  hm_buf_ch(&b, 0);
  assert_string_equal(b.p, want);
  hm_buf_free(&b);
  hm_templates_free(t);
}

static hm_node *facts(hm_arena *a) {
  hm_node *m = hm_node_new_obj(a);
  hm_node_set_text(m, "text", HM_STR("a\n<b> *c* 'd'"));
  hm_node_set(m, "cell", hm_node_new_text(a, HM_STR("x | y"), HM_IN_CELL));
  hm_node_set_url(m, "url", HM_STR("https://x.y/(z)?a&b"));
  hm_node_set_url(m, "bad", HM_STR("javascript:alert(1)"));
  hm_node_set(m, "raw", hm_node_new_raw(a, HM_STR("<p>*</p>")));
  hm_node_set_int(m, "n", -12);
  hm_node_set_int(m, "zero", 0);
  hm_node_set_bool(m, "yes", true);
  return m;
}

static void test_escaped_by_name(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_template_file md[] = { FILE_OF(
      "a.md",
      "{{text}}|{{cell}}|{{url}}|{{bad}}|{{raw}}|{{{raw}}}|{{n}}|{{{n}}}|{{yes}}|{{absent}}") };
  check(
      md, 1, a, facts(a),
      "a &lt;b&gt; \\*c\\* 'd'|x \\| y|https://x.y/%28z%29?a&amp;b|#|&lt;p&gt;\\*&lt;/p&gt;|<p>*</p>|-12|-12||");
  hm_template_file html[] = { FILE_OF(
      "a.html", "{{text}}|{{cell}}|{{url}}|{{bad}}|{{raw}}|{{{raw}}}|{{n}}|{{&n}}") };
  check(
      html, 1, a, facts(a),
      "a &lt;b&gt; *c* &#39;d&#39;|x | y|https://x.y/%28z%29?a&amp;b|#|&lt;p&gt;*&lt;/p&gt;|<p>*</p>|-12|-12");
  hm_arena_free(a);
}

static void test_truth(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_node *m = facts(a);
  hm_node_set_text(m, "empty", HM_EMPTY);
  hm_node_set(m, "none", hm_node_new_list(a));
  hm_node_set(m, "obj", hm_node_new_obj(a));
  hm_template_file f[] = { FILE_OF(
      "a.md",
      "{{#n}}1{{/n}}{{#zero}}2{{/zero}}{{#yes}}3{{/yes}}{{#empty}}4{{/empty}}{{#none}}5{{/none}}{{#obj}}6{{/obj}}"
      "{{#raw}}7{{/raw}}{{^zero}}8{{/zero}}{{^absent}}9{{/absent}}{{#n}}[{{.}}]{{/n}}") };
  check(f, 1, a, m, "136789[-12]");
  hm_arena_free(a);
}

static void test_set_replaces(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_node *m = hm_node_new_obj(a);
  hm_node_set_int(m, "same_start_a", 1);
  hm_node_set_int(m, "same_start_b", 2);
  hm_node_set_int(m, "same_start_a", 3);
  for (int i = 0; i < 40; i++) hm_node_set_int(m, hm_str_fmt(a, "k%d", i).p, i);
  hm_template_file f[] = { FILE_OF(
      "a.md", "{{same_start_a}} {{same_start_b}} {{k0}} {{k39}} {{same_start}}") };
  check(f, 1, a, m, "3 2 0 39 ");
  hm_arena_free(a);
}

static void test_partials_by_suffix(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_node *m = facts(a);
  hm_node_set_text(m, "which", HM_STR("one"));
  hm_template_file f[] = { FILE_OF("a.md",
                                   "{{>one}} {{>partials/one}} {{>two}} {{>*which}} {{>*absent}}"),
                           FILE_OF("partials/one.md", "md {{cell}}"),
                           FILE_OF("partials/one.html", "html"), FILE_OF("two.md", "two") };
  check(f, COUNT(f), a, m, "md x \\| y md x \\| y two md x \\| y ");
  hm_arena_free(a);
}

static void test_later_file_replaces(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_template_file f[] = { FILE_OF("a.md", "old {{#x}}"), FILE_OF("b.md", ""),
                           FILE_OF("a.md", "new") };
  check(f, COUNT(f), a, hm_node_new_obj(a), "new");
  hm_arena_free(a);
}

static void test_layout(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_template_file f[] = {
    FILE_OF(
        "a.md",
        "{{<layout}}\n{{$title}}T{{/title}}\n{{! note }}\n{{$body}}\n{{#yes}}\n- {{cell}}\n{{/yes}}\n{{/body}}\n{{$end}}no line end{{/end}}\n{{/layout}}\n"),
    FILE_OF(
        "partials/layout.md",
        "# {{$title}}?{{/title}}\n\n{{$body}}\n{{/body}}\n{{$end}}\n{{/end}}\n{{$other}}\nother\n{{/other}}\n"),
  };
  check(f, COUNT(f), a, facts(a), "# T\n\n- x \\| y\nno line end\nother\n");
  hm_arena_free(a);
}

static void test_indentation(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_template_file f[] = {
    FILE_OF("a.md", "- a\n  {{>p}}\n- b\n    {{>p}}\n{{>p}}"),
    FILE_OF("p.md", "{{#yes}}\n- x {{n}}\n\n  {{>q}}\n{{/yes}}\n{{zero}}{{absent}}y {{>q}}\n"),
    FILE_OF("q.md", "1\r\n\r\n2")
  };
  check(
      f, COUNT(f), a, facts(a),
      "- a\n  - x -12\n\n    1\r\n\r\n    2  0y 1\r\n\r\n2\n- b\n    - x -12\n\n      1\r\n\r\n      2    0y 1\r\n\r\n2\n"
      "- x -12\n\n  1\r\n\r\n  20y 1\r\n\r\n2\n");
  hm_arena_free(a);
}

/* --- errors ------------------------------------------------------------ */

static void refuse(const char *text, const char *what, const char *why) {
  hm_template_file f[] = { { HM_STR("a.md"), hm_str_c(text), HM_STR("dir/a.md.mustache") } };
  hm_templates *t = NULL;
  hm_err err = { 0 };
  assert_int_equal(hm_templates_compile(f, 1, &t, &err), -1);
  assert_null(t);
  assert_int_equal(err.code, HM_E_INPUT);
  assert_string_equal(err.what, what);
  if (!strstr(err.why, why)) fail_msg("\"%s\" does not say \"%s\"", err.why, why);
}

static void test_compile_errors(void **state) {
  (void)state;
  refuse("a\n{{#x}}\nb", "dir/a.md.mustache:2", "{{/x}} is missing");
  refuse("a\n\n{{x", "dir/a.md.mustache:3", "not closed by \"}}\"");
  refuse("{{{x}}", "dir/a.md.mustache:1", "not closed by \"}}}\"");
  refuse("{{=<% %>=}}\n<% x", "dir/a.md.mustache:2", "not closed by \"%>\"");
  refuse("{{#x}}\n{{/y}}", "dir/a.md.mustache:2", "{{/y}} where {{/x}} is due, opened on line 1");
  refuse("\n{{/x}}", "dir/a.md.mustache:2", "closes nothing");
  refuse("{{=<%=}}", "dir/a.md.mustache:1", "two words");
  refuse("{{=a b c=}}", "dir/a.md.mustache:1", "two words");
  refuse("{{}}", "dir/a.md.mustache:1", "no name");
  refuse("{{x y}}", "dir/a.md.mustache:1", "white space");
  refuse("\n{{>nowhere}}", "dir/a.md.mustache:2", "no template nowhere.md");
  refuse("{{<nowhere}}{{/nowhere}}", "dir/a.md.mustache:1", "no template nowhere.md");
  refuse("{{<a}}\n{{x}}{{/a}}", "dir/a.md.mustache:2", "only blocks");
  refuse("{{$x}}", "dir/a.md.mustache:1", "{{/x}} is missing");
}

static void test_too_deep_in_one_file(void **state) {
  (void)state;
  hm_buf b = { 0 };
  for (int i = 0; i < 64; i++) hm_buf_c(&b, "{{#x}}");
  for (int i = 0; i < 64; i++) hm_buf_c(&b, "{{/x}}");
  hm_template_file f = { HM_STR("a.md"), hm_buf_view(&b), HM_STR("a") };
  hm_templates_free(compile(&f, 1));
  hm_buf more = { 0 };
  hm_buf_c(&more, "{{#x}}");
  hm_buf_str(&more, hm_buf_view(&b));
  hm_buf_ch(&more, 0);
  refuse(more.p, "dir/a.md.mustache:1", "more than 64");
  hm_buf_free(&b);
  hm_buf_free(&more);
}

static void refuse_render(const hm_template_file *files, size_t n, hm_arena *a,
                          const hm_node *model, const char *what, const char *why) {
  hm_templates *t = compile(files, n);
  hm_buf b = { 0 };
  hm_err err = { 0 };
  assert_int_equal(hm_template_render(t, files[0].name, model, a, &b, &err), -1);
  assert_string_equal(err.what, what);
  if (!strstr(err.why, why)) fail_msg("\"%s\" does not say \"%s\"", err.why, why);
  hm_buf_free(&b);
  hm_templates_free(t);
}

static void test_raw_fact_is_refused(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_node *m = hm_node_new_obj(a), *rows = hm_node_new_list(a), *row = facts(a);
  hm_node_set_row(row, HM_STR("memory:m1"));
  hm_node_push(rows, row);
  hm_node_set(m, "rows", rows);
  hm_template_file f[] = { FILE_OF("a.md", "x\n{{#rows}}\n{{#yes}}\n{{>p}}\n{{/yes}}\n{{/rows}}\n"),
                           FILE_OF("p.md", "\n{{{text}}}") };
  refuse_render(f, 2, a, m, "dir/p.md:2 (memory:m1)", "{{{text}}} is a fact");
  f[1].bytes = HM_STR("{{&url}}");
  refuse_render(f, 2, a, m, "dir/p.md:1 (memory:m1)", "{{{url}}} is a fact");
  hm_arena_free(a);
}

static void test_endless_recursion_is_refused(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_template_file self[] = { FILE_OF("a.md", "x\n {{>a}}") };
  refuse_render(self, 1, a, hm_node_new_obj(a), "dir/a.md:2", "more than 64");
  hm_template_file block[] = { FILE_OF("a.md", "{{<b}}{{$x}}{{$x}}{{/x}}{{/x}}{{/b}}"),
                               FILE_OF("b.md", "{{$x}}{{/x}}") };
  refuse_render(block, 2, a, hm_node_new_obj(a), "dir/a.md:1", "more than 64");
  hm_arena_free(a);
}

/* 63 templates that each call the next twice would never end. */
static void test_doubling_is_refused(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_template_file f[50];
  for (int i = 0; i < 50; i++) {
    hm_str next = hm_str_fmt(a, i < 49 ? "{{>t%d}}{{>t%d}}" : "", i + 1, i + 1);
    f[i] = (hm_template_file){ hm_str_fmt(a, "t%d.md", i), next, hm_str_fmt(a, "t%d", i) };
  }
  refuse_render(f, 50, a, hm_node_new_obj(a), "t48:1", "more than 20 million");
  hm_arena_free(a);
}

static void test_output_is_bounded(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_node *m = hm_node_new_obj(a), *ten = hm_node_new_list(a);
  for (int i = 0; i < 1000; i++) hm_node_push(ten, hm_node_new_obj(a));
  hm_node_set(m, "l", ten);
  hm_template_file f[] = { FILE_OF("a.md", "{{#l}}{{#l}}{{#l}}0123456789{{/l}}{{/l}}{{/l}}") };
  refuse_render(f, 1, a, m, "dir/a.md:1", "over 256 MiB");
  hm_arena_free(a);
}

static void test_unknown_template(void **state) {
  (void)state;
  hm_templates *t = compile(NULL, 0);
  hm_buf b = { 0 };
  hm_err err = { 0 };
  assert_int_equal(hm_template_render(t, HM_STR("x.md"), NULL, NULL, &b, &err), -1);
  assert_string_equal(err.what, "template x.md");
  hm_templates_free(t);
  hm_templates_free(NULL);
}

static void test_digest(void **state) {
  (void)state;
  hm_template_file f[] = { FILE_OF("a.md", "x"), FILE_OF("b.md", "y") }, swapped[] = { f[1], f[0] };
  hm_template_file moved[] = { FILE_OF("a.md", "xy"), FILE_OF("b.md", "") };
  hm_templates *one = compile(f, 2), *same = compile(swapped, 2), *other = compile(moved, 2);
  assert_int_equal(hm_templates_digest(one).n, 64);
  assert_true(hm_str_eq(hm_templates_digest(one), hm_templates_digest(same)));
  assert_false(hm_str_eq(hm_templates_digest(one), hm_templates_digest(other)));
  assert_true(hm_templates_has(one, HM_STR("a.md")));
  assert_false(hm_templates_has(one, HM_STR("a")));
  hm_templates_free(one);
  hm_templates_free(same);
  hm_templates_free(other);
}

/* --- threads ----------------------------------------------------------- */

typedef struct { const hm_templates *t; const hm_node *model; hm_str want; int bad; } shared;

static int page(const hm_templates *t, const hm_node *model, hm_buf *html) {
  hm_arena *a = hm_arena_new();
  hm_buf md = { 0 };
  hm_err err;
  int rc = hm_template_render(t, HM_STR("a.md"), model, a, &md, &err);
  if (!rc) rc = hm_markdown_html(hm_buf_view(&md), a, html, &err);
  hm_buf_free(&md);
  hm_arena_free(a);
  return rc;
}

static int compare(void *ctx, size_t i, int worker) {
  (void)i, (void)worker;
  shared *s = ctx;
  hm_buf html = { 0 };
  int rc = page(s->t, s->model, &html);
  if (rc || !hm_str_eq(hm_buf_view(&html), s->want))
    __atomic_add_fetch(&s->bad, 1, __ATOMIC_RELAXED);
  hm_buf_free(&html);
  return 0;
}

static void test_threads_agree(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_node *m = facts(a), *rows = hm_node_new_list(a);
  for (int i = 0; i < 30; i++) hm_node_push(rows, facts(a));
  hm_node_set(m, "rows", rows);
  hm_template_file f[] = {
    FILE_OF(
        "a.md",
        "## {{text}}\n\n| a | b |\n|---|---|\n{{#rows}}\n| {{cell}} | [{{cell}}]({{url}}) ~~x~~ www.x.org |\n{{/rows}}\n\n"
        "{{#rows}}\n- [ ] <a id=\"m1\"></a>{{>p}}\n{{/rows}}\n"),
    FILE_OF("p.md", "{{text}} *{{n}}*")
  };
  shared s = { .t = compile(f, 2), .model = m };
  hm_buf want = { 0 };
  assert_int_equal(page(s.t, m, &want), 0);
  s.want = hm_buf_view(&want);
  size_t failed;
  assert_int_equal(hm_par_for(4000, 8, compare, &s, &failed), 0);
  assert_int_equal(s.bad, 0);
  hm_buf_free(&want);
  hm_templates_free((hm_templates *)s.t);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_escaped_by_name),
    cmocka_unit_test(test_truth),
    cmocka_unit_test(test_set_replaces),
    cmocka_unit_test(test_partials_by_suffix),
    cmocka_unit_test(test_later_file_replaces),
    cmocka_unit_test(test_layout),
    cmocka_unit_test(test_indentation),
    cmocka_unit_test(test_compile_errors),
    cmocka_unit_test(test_too_deep_in_one_file),
    cmocka_unit_test(test_raw_fact_is_refused),
    cmocka_unit_test(test_endless_recursion_is_refused),
    cmocka_unit_test(test_doubling_is_refused),
    cmocka_unit_test(test_output_is_bounded),
    cmocka_unit_test(test_unknown_template),
    cmocka_unit_test(test_digest),
    cmocka_unit_test(test_threads_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
