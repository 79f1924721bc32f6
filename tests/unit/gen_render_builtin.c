/* The program carries its templates and theme, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "gen/render/builtin.h"
#include "gen/render/template.h"

static void test_sorted_and_found(void **state) {
  (void)state;
  assert_true(hm_n_builtins >= 2);
  for (size_t i = 0; i < hm_n_builtins; i++) {
    if (i) assert_true(strcmp(hm_builtins[i - 1].path, hm_builtins[i].path) < 0);
    assert_ptr_equal(hm_builtin_find(hm_builtins[i].path), &hm_builtins[i]);
  }
  static const char *const absent[] = { "", "templates", "templates/", "themes/zzz", "~" };
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
    assert_null(hm_builtin_find(absent[i]));
}

static void test_same_bytes_as_the_files(void **state) {
  (void)state;
  size_t read = 0;
  for (size_t i = 0; i < hm_n_builtins; i++) {
    FILE *f = fopen(hm_builtins[i].path, "rb");
    if (!f) continue;   /* run from elsewhere */
    hm_buf b = { 0 };
    for (int c; (c = getc(f)) != EOF;) hm_buf_ch(&b, (char)c);
    fclose(f);
    assert_int_equal(b.n, hm_builtins[i].n);
    assert_memory_equal(b.p, hm_builtins[i].bytes, b.n);
    hm_buf_free(&b);
    read++;
  }
  if (!read) skip();
}

/* All built-in templates compile together. */
static void test_templates_compile(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_template_file *files = hm_alloc_array(a, hm_n_builtins, sizeof *files);
  size_t n = 0;
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path);
    if (!hm_str_starts(path, "templates/") || !hm_str_ends(path, ".mustache")) continue;
    files[n++] = (hm_template_file){ hm_str_sub(path, 10, path.n - 9),
                                     { hm_builtins[i].bytes, hm_builtins[i].n },
                                     path };
  }
  hm_templates *t = NULL;
  hm_err err = { 0 };
  if (hm_templates_compile(files, n, &t, &err)) fail_msg("%s: %s", err.what, err.why);
  hm_templates_free(t);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sorted_and_found),
    cmocka_unit_test(test_same_bytes_as_the_files),
    cmocka_unit_test(test_templates_compile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
