/* What is pasted into a shell must come out of it as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/base/shell.h"
#include "tests/unit/core_base_prng.h"

static void looks_like(void **state) {
  static const struct { const char *in, *out;
  } cases[] = {
    { "memory:m-1", "memory:m-1" },
    { "", "''" },
    { "a b", "'a b'" },
    { "it's", "'it'\\''s'" },
    { "$(rm)", "'$(rm)'" },
    { "~x", "'~x'" },
    { "*", "'*'" },
    { "!x", "'!x'" },
    { "grün", "'grün'" },
    { "a\nb", "\"$(printf %b 'a\\0012b')\"" },
    { "\xff'", "\"$(printf %b '\\0377\\0047')\"" },
    { "a\u202Eb", "\"$(printf %b 'a\\0342\\0200\\0256b')\"" },
    { "\\ %\t", "\"$(printf %b '\\0134 %\\0011')\"" },
    { "a\n", "" },
  };
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(hm_str_z(a, hm_shell_quote_word(a, hm_str_c(cases[i].in), false)),
                        cases[i].out);
  assert_string_equal(hm_str_z(a, hm_shell_quote_word(a, HM_STR("é <x"), true)),
                      "\"$(printf %b '\\0303\\0251 \\0074x')\"");
  assert_string_equal(hm_str_z(a, hm_shell_quote_word(a, HM_STR("m:1"), true)), "m:1");
  assert_int_equal(hm_shell_quote_word(a, HM_STR("a\0b"), false).n, 0);
  hm_arena_free(a);
}

/* By the real shells that are there. */
static void comes_back(const char *shell, hm_str s, hm_arena *a) {
  hm_str word = hm_shell_quote_word(a, s, false);
  char script[] = "/tmp/hm-shell-XXXXXX";
  int fd = mkstemp(script);
  FILE *f = fdopen(fd, "w");
  fprintf(f, "printf '<%%s>' %.*s\n", HM_FMT(word));
  fclose(f);
  FILE *p = popen(hm_str_fmt(a, "%s %s", shell, script).p, "r");
  char out[256];
  size_t n = fread(out, 1, sizeof out, p);
  assert_int_equal(pclose(p), 0);
  remove(script);
  assert_int_equal(n, s.n + 2);
  assert_memory_equal(out + 1, s.p, s.n);
}

static void round_trip(void **state) {
  static const char *const shells[] = { "/bin/sh", "/bin/bash", "/usr/bin/zsh" };
  (void)state;
  hm_arena *a = hm_arena_new();
  uint64_t seed = 7;
  for (size_t k = 0; k < sizeof shells / sizeof *shells; k++) {
    FILE *there = fopen(shells[k], "r");
    if (!there) continue;
    fclose(there);
    for (int i = 0; i < 60; i++) {
      char bytes[24];
      size_t n = 1 + prng(&seed) % sizeof bytes;
      for (size_t b = 0; b < n; b++)
        bytes[b] = (char)(i % 2 ? 1 + prng(&seed) % 127 : 1 + prng(&seed) % 255);
      if (bytes[n - 1] == '\n') continue;
      comes_back(shells[k], (hm_str){ bytes, n }, a);
    }
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(looks_like), cmocka_unit_test(round_trip) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
