/* Options of the command line, and near misses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/base/err.h"
#include "core/base/near_names.h"
#include "gen/cli/cli.h"
#include "tests/unit/core_base_prng.h"

static const hm_option globals[] = {
  { "quiet", 'q', NULL, "" }, { "verbose", 'v', NULL, "" }, { "threads", 'j', "N", "" },
  { "directory", 'C', "DIR", "" }, { 0 }
};
static const hm_option build[] = { { "output", 'd', "DIR", "" }, { "full", 0, NULL, "" }, { 0 } };

static const hm_option *of_verb(const char *verb) {
  return strcmp(verb, "build") == 0 ? build : NULL;
}

typedef struct { hm_arena *a; hm_args args; const char *verb; hm_err err; int rc; } parsed;

/* Parses a NULL-terminated list of arguments. */
static parsed parse(const char *const *words) {
  parsed p = { .a = hm_arena_new() };
  static char name[] = "hmirror";
  char *argv[64] = { name };
  int argc = 1;
  while (words[argc - 1]) { argv[argc] = (char *)words[argc - 1]; argc++; }
  p.rc = hm_args_parse(p.a, argc, argv, globals, of_verb, &p.verb, &p.args, &p.err);
  return p;
}
#define PARSE(...) parse((const char *const[]){ __VA_ARGS__, NULL })

static void expect(parsed p, const char *name, const char *value) {
  assert_int_equal(p.rc, 0);
  const char *got = hm_args_get_option(&p.args, name);
  if (!value) assert_null(got);
  else { assert_non_null(got); assert_string_equal(got, value); }
  hm_arena_free(p.a);
}

static void forms(void **state) {
  (void)state;
  expect(PARSE("build", "--output=x"), "output", "x");
  expect(PARSE("build", "--output", "x"), "output", "x");
  expect(PARSE("build", "--output="), "output", "");
  expect(PARSE("build", "--output=a=b"), "output", "a=b");
  expect(PARSE("build", "-dx"), "output", "x");
  expect(PARSE("build", "-d", "x"), "output", "x");
  expect(PARSE("build", "-d", "-x"), "output", "-x");
  expect(PARSE("build", "-qvdx"), "output", "x");
  expect(PARSE("build", "-qvdx"), "verbose", "");
  expect(PARSE("build", "-d", "x", "-d", "y"), "output", "y");
  expect(PARSE("-j", "4", "build"), "threads", "4");
  expect(PARSE("build", "-j4"), "threads", "4");
  expect(PARSE("build", "--", "--full"), "full", NULL);
}

static void words_and_verb(void **state) {
  (void)state;
  parsed p = PARSE("-q", "build", "-", "a", "--full", "--", "-d", "--");
  assert_int_equal(p.rc, 0);
  assert_string_equal(p.verb, "build");
  assert_int_equal(p.args.n_words, 4);
  assert_string_equal(p.args.words[0], "-");
  assert_string_equal(p.args.words[2], "-d");
  assert_string_equal(p.args.words[3], "--");
  assert_int_equal(p.args.n_given, 2);
  hm_arena_free(p.a);
  p = PARSE("-q");
  assert_int_equal(p.rc, 0);
  assert_null(p.verb);
  hm_arena_free(p.a);
}

static void refuse(parsed p, const char *line) {
  char got[2048];
  assert_int_equal(p.rc, -1);
  assert_int_equal(p.err.code, HM_E_USAGE);
  hm_err_format_line(&p.err, got, sizeof got);
  assert_string_equal(got, line);
  hm_arena_free(p.a);
}

static void errors(void **state) {
  (void)state;
  refuse(PARSE("build", "--foo"), "--foo: unknown option of 'build': see 'hmirror build --help'");
  refuse(PARSE("build", "--ful"),
         "--ful: unknown option of 'build': did you mean '--full'? see 'hmirror build --help'");
  refuse(PARSE("build", "--quite=1"),
         "--quite: unknown option of 'build': did you mean '--quiet'? see 'hmirror build --help'");
  refuse(PARSE("--full", "build"), "--full: unknown option: see 'hmirror --help'");
  refuse(PARSE("build", "-x"), "-x: unknown option of 'build': see 'hmirror build --help'");
  refuse(PARSE("build", "-o"),
         "-o: unknown option of 'build': did you mean '--output'? see 'hmirror build --help'");
  refuse(PARSE("build", "-p"), "-p: unknown option of 'build': see 'hmirror build --help'");
  refuse(PARSE("build", "--full=yes"), "--full: takes no value");
  refuse(PARSE("build", "--output"), "--output: needs a value: --output DIR");
  refuse(PARSE("build", "-qd"), "-d: needs a value: -d DIR");
}

static void hostile_arguments(void **state) {
  (void)state;
  char *big = malloc(1 << 20);
  memset(big, 'x', 1 << 20);
  big[0] = big[1] = '-';
  big[(1 << 20) - 1] = 0;
  parsed p = PARSE("build", big);
  assert_int_equal(p.rc, -1);
  hm_arena_free(p.a);
  memset(big, 'q', (1 << 20) - 1);   /* a million times -q */
  big[0] = '-';
  p = PARSE("build", big);
  assert_int_equal(p.rc, 0);
  assert_int_equal(p.args.n_given, (1 << 20) - 2);
  hm_arena_free(p.a);
  free(big);
}

/* --- distance -------------------------------------------------------------- */

static void distances(void **state) {
  (void)state;
  assert_int_equal(hm_edit_distance("", ""), 0);
  assert_int_equal(hm_edit_distance("build", "build"), 0);
  assert_int_equal(hm_edit_distance("biuld", "build"), 1);
  assert_int_equal(hm_edit_distance("buil", "build"), 1);
  assert_int_equal(hm_edit_distance("bulid!", "build"), 2);
  assert_int_equal(hm_edit_distance("", "abc"), 3);
  assert_int_equal(hm_edit_distance("kitten", "sitting"), 3);
}

static void random_word(uint64_t *r, char out[12]) {
  size_t n = prng(r) % 11;
  for (size_t i = 0; i < n; i++) out[i] = (char)('a' + prng(r) % 3);
  out[n] = 0;
}

/* Symmetric; zero for equals only; one edit changes it by one at most. */
static void distance_is_one(void **state) {
  (void)state;
  uint64_t r = 5;
  for (int i = 0; i < 20000; i++) {
    char a[12], b[12], c[13];
    random_word(&r, a);
    random_word(&r, b);
    int d = hm_edit_distance(a, b);
    assert_int_equal(d, hm_edit_distance(b, a));
    assert_int_equal(d == 0, strcmp(a, b) == 0);
    snprintf(c, sizeof c, "%sx", b);
    assert_in_range(hm_edit_distance(a, c), d > 0 ? d - 1 : 0, d + 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(forms),     cmocka_unit_test(words_and_verb),
    cmocka_unit_test(errors),    cmocka_unit_test(hostile_arguments),
    cmocka_unit_test(distances), cmocka_unit_test(distance_is_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
