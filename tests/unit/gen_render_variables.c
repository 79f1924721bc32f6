/* The variables of templates as the manual lists them, and unknown names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "gen/render/builtin.h"
#include "gen/render/template.h"

static int setup(void **state) { *state = hm_arena_new(); return 0; }
static int teardown(void **state) { hm_arena_free(*state); return 0; }

static hm_template_file file_of(const char *name, const char *text) {
  return (hm_template_file){ hm_str_c(name), hm_str_c(text), hm_str_c("dir/x.mustache") };
}

static const hm_variable *find(const hm_variable *v, size_t n, const char *part, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(v[i].part, part) && hm_str_is(v[i].name, name)) return &v[i];
  return NULL;
}

static void own_ones_come_first_then_those_of_shapes(void **state) {
  hm_arena *a = *state;
  hm_variable *v;
  size_t n;
  hm_err err = { 0 };
  hm_template_file f = file_of("entity.md", "");
  assert_int_equal(hm_list_variables(&f, a, &v, &n, &err), 0);
  assert_true(n > 30);
  assert_true(hm_str_is(v[0].name, "type") && v[0].part.n == 0);
  const hm_variable *heading = find(v, n, "every page", "heading"),
                    *mark = find(v, n, "value", "mark");
  assert_non_null(heading);
  assert_true(hm_str_is(heading->meaning, "The heading of the page."));
  assert_non_null(mark);   /* a shape of a shape: lines have values */
  assert_true(hm_str_is(mark->meaning, "If it is disputed: a list, with url of each conflict; "
                                       "a text can be in several."));
  assert_null(find(v, n, "", "tiles"));          /* of the first page */
  assert_null(find(v, n, "drawn", "drawing"));   /* a shape that it does not have */
  for (size_t i = 0; i < n; i++)
    assert_true(v[i].meaning.n && !memchr(v[i].meaning.p, '\n', v[i].meaning.n));
}

static void macros_become_plain_words(void **state) {
  hm_arena *a = *state;
  hm_variable *v;
  size_t n;
  hm_err err = { 0 };
  hm_template_file f = file_of("conflict.md", "");
  assert_int_equal(hm_list_variables(&f, a, &v, &n, &err), 0);
  assert_true(hm_str_is(find(v, n, "", "withheld")->meaning, "\"1 claim withheld\", or empty."));
  assert_true(hm_str_is(find(v, n, "", "corroborated")->meaning,
                        "True if several rows say the same; each value with said_by, who says it "
                        "(\"5 memories\")."));
}

static void a_partial_has_those_that_it_uses(void **state) {
  hm_arena *a = *state;
  hm_variable *v;
  size_t n;
  hm_err err = { 0 };
  hm_template_file f = file_of("partials/mine.md", "{{#candidates}}{{words}}{{/candidates}}");
  assert_int_equal(hm_list_variables(&f, a, &v, &n, &err), 0);
  assert_non_null(find(v, n, "", "candidates"));
  assert_non_null(find(v, n, "date", "words"));
  assert_null(find(v, n, "every page", "heading"));
  hm_template_file broken = file_of("partials/mine.md", "\n{{#x}}");
  assert_int_equal(hm_list_variables(&broken, a, &v, &n, &err), -1);
  assert_string_equal(err.what, "dir/x.mustache:2");
}

static void unknown_names_are_refused_with_the_nearest(void **state) {
  hm_arena *a = *state;
  static const char *const cases[][4] = {
    { "overview.md", "{{heading}}\n{{#lists}}{{label}}{{/lists}} {{.}}", NULL, NULL },
    { "overview.md", "a\n{{headding}}", "there is no variable headding here",
      "did you mean {{heading}}?" },
    { "overview.md", "a\n{{#tree}}{{indnt}}{{/tree}}", "there is no variable indnt here",
      "did you mean {{indent}}?" },
    { "overview.md", "\n{{^tiles}}{{/tiles}}", "there is no variable tiles here",
      "did you mean {{lines}}?" },
    { "overview.md", "\n{{{changed.zzzzz}}}", "there is no variable zzzzz here",
      "see 'hmirror theme variables overview'" },
    { "partials/mine.md", "{{tiles}}{{in_doubt}}", NULL, NULL },
    { "partials/mine.html", "\n{{mirror_titel}}", "there is no variable mirror_titel here",
      "did you mean {{mirror_title}}?" },
    { "shell.html", "{{#styles}}{{url}}{{/styles}}{{>head}}{{! nothing }}", NULL, NULL },
    { "404.html", "{{<shell}}{{$main}}{{root}}\n{{gone}}{{/main}}{{/shell}}",
      "there is no variable gone here", "see 'hmirror theme variables 404'" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_err err = { 0 };
    hm_template_file f = file_of(cases[i][0], cases[i][1]);
    int rc = hm_variables_check(&f, a, &err);
    if (!cases[i][2]) {
      if (rc) fail_msg("%s: %s", cases[i][1], err.why);
      continue;
    }
    assert_int_equal(rc, -1);
    assert_int_equal(err.code, HM_E_INPUT);
    assert_string_equal(err.what, "dir/x.mustache:2");
    assert_string_equal(err.why, cases[i][2]);
    assert_string_equal(err.fix, cases[i][3]);
  }
}

static void the_built_in_ones_are_fine(void **state) {
  size_t seen = 0;
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path);
    if (!hm_str_starts(path, "templates/")) continue;
    hm_template_file f = { hm_str_sub(path, 10, path.n - 9),
                           { hm_builtins[i].bytes, hm_builtins[i].n }, path };
    hm_err err = { 0 };
    if (hm_variables_check(&f, *state, &err)) fail_msg("%s: %s", err.what, err.why);
    seen++;
  }
  assert_true(seen > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(own_ones_come_first_then_those_of_shapes, setup, teardown),
    cmocka_unit_test_setup_teardown(macros_become_plain_words, setup, teardown),
    cmocka_unit_test_setup_teardown(a_partial_has_those_that_it_uses, setup, teardown),
    cmocka_unit_test_setup_teardown(unknown_names_are_refused_with_the_nearest, setup, teardown),
    cmocka_unit_test_setup_teardown(the_built_in_ones_are_fine, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
