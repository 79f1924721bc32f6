/* Unified diffs: known ones, and that applying one gives the other text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "gen/verbs/unified_diff.h"
#include "tests/unit/core_base_prng.h"

static void check(const char *a, const char *b, const char *want) {
  hm_arena *arena = hm_arena_new();
  hm_buf out = { 0 };
  bool differ = hm_unified_diff(arena, hm_str_c(a), hm_str_c(b), "a", "b", &out);
  assert_int_equal(differ, strcmp(a, b) != 0);
  hm_buf_ch(&out, 0);
  assert_string_equal(out.p, want);
  hm_buf_free(&out);
  hm_arena_free(arena);
}

static void known(void **state) {
  (void)state;
  check("a\n", "a\n", "");
  check("a\nb\nc\n", "a\nB\nc\n", "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  check("", "x\n", "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n");
  check("x\n", "", "--- a\n+++ b\n@@ -1,1 +0,0 @@\n-x\n");
  check("x", "x\n", "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n");
  check("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nX\n",
        "--- a\n+++ b\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+X\n");
}

/* Hunks that are far apart stand apart. */
static void two_hunks(void **state) {
  (void)state;
  check("A\n1\n2\n3\n4\n5\n6\n7\nB\n", "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
        "--- a\n+++ b\n@@ -1,4 +1,4 @@\n-A\n+a\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-B\n+b\n");
  check("A\n1\n2\n3\n4\n5\n6\nB\n", "a\n1\n2\n3\n4\n5\n6\nb\n",
        "--- a\n+++ b\n@@ -1,8 +1,8 @@\n-A\n+a\n 1\n 2\n 3\n 4\n 5\n 6\n-B\n+b\n");
}

static void random_text(uint64_t *r, hm_buf *b) {
  hm_buf_clear(b);
  for (size_t n = prng(r) % 40; n > 0; n--) hm_buf_fmt(b, "%c\n", (int)('a' + prng(r) % 4));
  if (prng(r) % 4 == 0) hm_buf_c(b, "end");
}

/* Old and new text of all hunks, with the lines of a between them, from the diff alone. */
static void apply(hm_str a, hm_str diff, hm_buf *out) {
  size_t line = 0;
  for (int skip = 2; diff.n; ) {
    const char *nl = memchr(diff.p, '\n', diff.n);
    size_t n = (size_t)(nl - diff.p) + 1;
    hm_str l = { diff.p, n };
    diff = hm_str_sub(diff, n, diff.n);
    if (skip) { skip--; continue; }
    if (l.p[0] == '@') {
      size_t from = strtoul(l.p + 4, NULL, 10), count = strtoul(strchr(l.p + 4, ',') + 1, NULL, 10);
      for (size_t to = count ? from - 1 : from; line < to; line++) {
        nl = memchr(a.p, '\n', a.n);
        hm_buf_add(out, a.p, (size_t)(nl - a.p) + 1);
        a = hm_str_sub(a, (size_t)(nl - a.p) + 1, a.n);
      }
      continue;
    }
    bool no_newline = hm_str_starts(diff, "\\");
    hm_str body = hm_str_sub(l, 1, l.n - no_newline);
    if (no_newline)
      diff = hm_str_sub(diff, (size_t)((const char *)memchr(diff.p, '\n', diff.n) - diff.p) + 1,
                        diff.n);
    if (l.p[0] != '+') {
      assert_true(a.n >= body.n && memcmp(a.p, body.p, body.n) == 0);
      a = hm_str_sub(a, body.n, a.n);
      line++;
    }
    if (l.p[0] != '-') hm_buf_str(out, body);
  }
  hm_buf_str(out, a);
}

static void applied_gives_the_other(void **state) {
  (void)state;
  uint64_t r = 11;
  hm_buf a = { 0 }, b = { 0 }, diff = { 0 }, got = { 0 };
  for (int i = 0; i < 20000; i++) {
    hm_arena *arena = hm_arena_new();
    random_text(&r, &a);
    random_text(&r, &b);
    hm_buf_clear(&diff);
    hm_buf_clear(&got);
    hm_unified_diff(arena, hm_buf_view(&a), hm_buf_view(&b), "a", "b", &diff);
    apply(hm_buf_view(&a), hm_buf_view(&diff), &got);
    assert_true(hm_str_eq(hm_buf_view(&got), hm_buf_view(&b)));
    hm_arena_free(arena);
  }
  hm_buf_free(&a);
  hm_buf_free(&b);
  hm_buf_free(&diff);
  hm_buf_free(&got);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(known), cmocka_unit_test(two_hunks), cmocka_unit_test(applied_gives_the_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
