/* What differs, word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gen/page/model.h"

/* Each value on a line, words that differ in brackets. */
static hm_str shown(hm_arena *a, const char *const *z, size_t n) {
  static const hm_template_file t = {
    HM_STR("t.md"),
    HM_STR(
        "{{#d}}{{#runs}}{{{sep}}}{{#differs}}({{words}}){{/differs}}{{^differs}}{{words}}{{/differs}}{{/runs}}{{#more}}...{{/more}};{{/d}}"),
    HM_STR("t")
  };
  hm_model m = { .a = a };
  hm_node *model = hm_node_new_obj(a);
  hm_str *values = hm_alloc_array(a, n + 1, sizeof *values);
  for (size_t i = 0; i < n; i++) values[i] = hm_str_c(z[i]);
  hm_model_add_word_differences(&m, hm_node_set_list(model, "d"), values, n);
  hm_templates *c;
  hm_err err;
  hm_buf b = { 0 };
  assert_int_equal(hm_templates_compile(&t, 1, &c, &err), 0);
  assert_int_equal(hm_template_render(c, HM_STR("t.md"), model, a, &b, &err), 0);
  hm_str out = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  hm_templates_free(c);
  return out;
}

static void is(const char *x, const char *y, const char *z, const char *want) {
  hm_arena *a = hm_arena_new();
  const char *const v[] = { x, y, z };
  hm_str got = shown(a, v, z ? 3 : 2);
  if (!hm_str_is(got, want)) fail_msg("%.*s", HM_FMT(got));
  hm_arena_free(a);
}

static void test_words(void **state) {
  (void)state;
  is("4.8 kg", "4.82 kg", NULL, "(4.8) kg;(4.82) kg;");
  is("a b c", "a c", NULL, "a (b) c;a c;");
  is("a c", "a b c", NULL, "a c;a (b) c;");
  is("x", "y", NULL, "(x);(y);");
  is("the red leg", "the blue leg", "the red arm", "the (red leg);the (blue) leg;the red (arm);");
  is("Same Words", "same words", NULL, "Same Words;same words;");
  is("", "a", NULL, ";(a);");
}

static void test_one_value_shows_nothing(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  const char *const v[] = { "a" };
  assert_true(hm_str_is(shown(a, v, 1), ""));
  hm_arena_free(a);
}

static void test_megabytes_are_cut(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  char *x = malloc((1 << 20) + 1), *y = malloc((1 << 20) + 1);
  for (size_t i = 0; i < 1 << 20; i++) x[i] = i % 2 ? ' ' : 'a', y[i] = i % 2 ? ' ' : 'b';
  x[1 << 20] = y[1 << 20] = 0;
  const char *const v[] = { x, y, "c" };
  hm_str got = shown(a, v, 3);
  assert_true(got.n < 4000);
  assert_true(hm_str_find(got, "...;") > 0);
  free(x);
  free(y);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_words),
                                      cmocka_unit_test(test_one_value_shows_nothing),
                                      cmocka_unit_test(test_megabytes_are_cut) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
