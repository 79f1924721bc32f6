/* Names that package.json, makefiles and justfiles can be asked to run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "core/tree/scripts.h"

static void names_of_files(void **state) {
  (void)state;
  static const struct {
    const char *path, *text, *names;
  } cases[] = {
    { "package.json",
      "{\n \"name\": \"@x/web\",\n \"scripts\": { \"test\": \"x\", \"build:all\": \"y\" },\n"
      " \"dependencies\": { \"vite\": \"1\" }, \"devDependencies\": { \"eslint\": \"2\" }\n}",
      "3: build:all test needs eslint vite" },
    { "a/package.json", "{}", "1:" },
    { "package.json", "{ \"scripts\": [1] }", "not whole 1:" },
    { "package.json", "{", "not whole 1:" },
    { "Makefile",
      "# all: none\nCC := cc\nX ?= a:b\n.PHONY: lint all\nall lib/x.a: deps\n\ttouch: all\n"
      "test:: all\n  indented: x\nlist: \\\n  more: x\n",
      "4: all all indented lib/x.a lint list test" },
    { "Makefile", "all:\nifdef X\n  include more.mk\nendif\n", "not whole 1: all" },
    { "Makefile", "all:\na b \\\nbuild: x\n", "not whole 1: all" },
    { "justfile", "all:\n\nimport? 'x.just'\n", "not whole 1: all" },
    { "Makefile", "all:\ninclude more.mk\n", "not whole 1: all" },
    { "Makefile", "all:\nincluded:\n", "1: all included" },
    { "Makefile", "all:\n%.o: %.c\n", "not whole 1: all" },
    { "Makefile", "all:\n$(NAMES):\n", "not whole 1: all" },
    { "Makefile", "all:\n$(eval $(call f))\n", "not whole 1: all" },
    { "Makefile", "all:\n.DEFAULT:\n", "not whole 1: .DEFAULT all" },
    { "Makefile", "", "1:" },
    { "justfile",
      "set shell := ['sh']\nx := 'a:b'\n@build target='all': lint\n  echo a: b\nalias b := build\n"
      "lint:\n",
      "3: b build lint" },
    { "Justfile", "import 'more.just'\nlint:\n", "not whole 2: lint" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_script_file f;
    hm_buf b = { 0 };
    hm_script_kind kind = hm_scripts_kind_of(hm_str_c(cases[i].path));
    bool whole = hm_scripts_read(kind, hm_str_c(cases[i].text), a, &f);
    assert_int_equal(whole, f.whole);
    hm_buf_fmt(&b, "%s%zu:", whole ? "" : "not whole ", f.line);
    for (size_t k = 0; k < f.n; k++) hm_buf_fmt(&b, " %.*s", HM_FMT(f.names[k]));
    for (size_t k = 0; k < f.n_needs; k++)
      hm_buf_fmt(&b, "%s %.*s", k ? "" : " needs", HM_FMT(f.needs[k]));
    hm_str got = hm_buf_take(&b, a);
    if (!hm_str_is(got, cases[i].names)) fail_msg("%zu: %.*s", i, HM_FMT(got));
  }
  hm_arena_free(a);
}

static void files_by_name(void **state) {
  (void)state;
  assert_int_equal(hm_scripts_kind_of(HM_STR("a/GNUmakefile")), HM_SCRIPT_MAKE);
  assert_int_equal(hm_scripts_kind_of(HM_STR(".justfile")), HM_SCRIPT_JUST);
  assert_int_equal(hm_scripts_kind_of(HM_STR("Makefile.am")), HM_SCRIPT_NONE);
  assert_int_equal(hm_scripts_kind_of(HM_STR("a/package.json/x")), HM_SCRIPT_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_of_files),
    cmocka_unit_test(files_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
