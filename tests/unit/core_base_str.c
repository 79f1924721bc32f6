#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/str.h"
#include "tests/unit/core_base_prng.h"

static const hm_str null_slice = { NULL, 0 };

static void the_empty_slice_may_be_null(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  hm_buf b = { 0 };
  assert_true(hm_str_eq(null_slice, HM_EMPTY));
  assert_int_equal(hm_str_cmp(null_slice, HM_EMPTY), 0);
  assert_int_equal(hm_str_hash(null_slice), hm_str_hash(HM_EMPTY));
  assert_int_equal(hm_str_dup(a, null_slice).p[0], 0);
  assert_string_equal(hm_str_z(a, null_slice), "");
  assert_true(hm_str_starts(null_slice, ""));
  assert_true(hm_str_ends(null_slice, ""));
  assert_int_equal(hm_str_find(null_slice, "x"), -1);
  assert_int_equal(hm_str_trim(null_slice).n, 0);
  assert_int_equal(hm_str_sub(null_slice, 1, 2).n, 0);
  hm_buf_str(&b, null_slice);
  assert_int_equal(hm_buf_view(&b).n, 0);
  assert_non_null(hm_buf_view(&b).p);
  assert_int_equal(hm_str_c(NULL).n, 0);
  hm_arena_free(a);
}

static void copies(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  hm_str s = HM_STR("a\0b");
  hm_str d = hm_str_dup(a, s);
  assert_true(hm_str_eq(s, d));
  assert_ptr_not_equal(s.p, d.p);
  assert_int_equal(d.p[3], 0);
  assert_string_equal(hm_str_z(a, s), "a");
  hm_arena_free(a);
}

static void order_is_by_unsigned_bytes(void **unused) {
  (void)unused;
  const hm_str sorted[] = { HM_STR(""),   HM_STR("\0"), HM_STR("a"),   HM_STR("a\0"),
                            HM_STR("ab"), HM_STR("b"),  HM_STR("\xff") };
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 7; k++) {
      int d = hm_str_cmp(sorted[i], sorted[k]);
      assert_int_equal((d > 0) - (d < 0), (i > k) - (i < k));
      assert_int_equal(hm_str_eq(sorted[i], sorted[k]), i == k);
      if (strlen(sorted[k].p) == sorted[k].n)
        assert_int_equal(hm_str_cmp_c(sorted[i], sorted[k].p), (i > k) - (i < k));
    }
}

static int sign(int d) { return (d > 0) - (d < 0); }

static void natural_order_is_by_numbers(void **unused) {
  (void)unused;
  const hm_str sorted[] = { HM_STR(""),
                            HM_STR("\0"),
                            HM_STR("/1"),
                            HM_STR("0"),
                            HM_STR("00"),
                            HM_STR("1"),
                            HM_STR("01"),
                            HM_STR("01.2"),
                            HM_STR("2"),
                            HM_STR("9223372036854775808"),
                            HM_STR("18446744073709551616"),
                            HM_STR(":"),
                            HM_STR("PEP"),
                            HM_STR("PEP 1"),
                            HM_STR("PEP 1\0z"),
                            HM_STR("PEP 1: a"),
                            HM_STR("PEP 2"),
                            HM_STR("PEP 10"),
                            HM_STR("PEP 10.2"),
                            HM_STR("PEP 10.10"),
                            HM_STR("PEP 010"),
                            HM_STR("PEP x"),
                            HM_STR("\xff") };
  const int n = sizeof sorted / sizeof *sorted;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      assert_int_equal(sign(hm_str_natural_cmp(sorted[i], sorted[k])), (i > k) - (i < k));
}

/* Strings of few letters, so that most begin alike and runs of digits meet. */
static void natural_order_is_total(void **unused) {
  (void)unused;
  static const char letters[] = "0001129a \xff";
  enum { N = 120 };
  char text[N][6];
  hm_str s[N];
  uint64_t seed = 11;
  for (int i = 0; i < N; i++) {
    s[i] = (hm_str){ text[i], prng(&seed) % 7 };
    for (size_t k = 0; k < s[i].n; k++) text[i][k] = letters[prng(&seed) % (sizeof letters - 1)];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int ij = sign(hm_str_natural_cmp(s[i], s[j]));
      assert_int_equal(ij, -sign(hm_str_natural_cmp(s[j], s[i])));
      assert_int_equal(ij == 0, hm_str_eq(s[i], s[j]));
      for (int k = 0; ij < 0 && k < N; k++)
        if (hm_str_natural_cmp(s[j], s[k]) < 0)
          assert_int_equal(sign(hm_str_natural_cmp(s[i], s[k])), -1);
    }
}

static void numbers_are_whole_texts(void **state) {
  (void)state;
  double d = 7;
  assert_true(hm_str_read_double(HM_STR("0.25"), &d) && d == 0.25);
  assert_true(hm_str_read_double(HM_STR("-1e3"), &d) && d == -1000);
  static const hm_str none[] = { { NULL, 0 }, { "high", 4 }, { "0.5 ", 4 }, { "0.5\0", 4 } };
  for (size_t i = 0; i < HM_COUNT(none); i++) assert_false(hm_str_read_double(none[i], &d));
  char longest[64];
  memset(longest, '1', sizeof longest);
  assert_true(hm_str_read_double((hm_str){ longest, 63 }, &d) && d > 1e62);
  assert_false(hm_str_read_double((hm_str){ longest, 64 }, &d));
  assert_true(d > 1e62);
}

static void searching(void **unused) {
  (void)unused;
  hm_str s = HM_STR("one\0two");
  assert_true(hm_str_starts(s, "one"));
  assert_false(hm_str_starts(s, "onex"));
  assert_false(hm_str_starts(HM_STR("on"), "one"));
  assert_true(hm_str_ends(s, "two"));
  assert_false(hm_str_ends(HM_STR("wo"), "two"));
  assert_int_equal(hm_str_find(s, "two"), 4);
  assert_int_equal(hm_str_find(s, "three"), -1);
  assert_int_equal(hm_str_find(s, ""), 0);
  assert_true(hm_str_is(HM_STR("x"), "x"));
  assert_false(hm_str_is(HM_STR("x\0"), "x"));
}

static void cutting(void **unused) {
  (void)unused;
  hm_str s = HM_STR("abc");
  assert_true(hm_str_is(hm_str_sub(s, 1, 2), "b"));
  assert_true(hm_str_is(hm_str_sub(s, 1, 99), "bc"));
  assert_true(hm_str_is(hm_str_sub(s, 2, 1), ""));
  assert_true(hm_str_is(hm_str_sub(s, 99, 100), ""));
  assert_true(hm_str_is(hm_str_trim(HM_STR(" \t\r\n\v\fa b\n ")), "a b"));
  assert_true(hm_str_is(hm_str_trim(HM_STR("  ")), ""));
  assert_true(hm_str_is(hm_str_trim(HM_STR("\xC2\xA0")), "\xC2\xA0"));
  assert_true(hm_str_is(hm_str_behind_last(HM_STR("a/b/c.md"), '/'), "c.md"));
  assert_true(hm_str_is(hm_str_behind_last(HM_STR("a/"), '/'), ""));
  assert_true(hm_str_is(hm_str_behind_last(HM_STR("a"), '/'), "a"));
  assert_true(hm_str_is(hm_str_behind_last(HM_EMPTY, '/'), ""));
}

static void quotes_are_doubled_between_quotes(void **unused) {
  (void)unused;
  hm_buf b = { 0 };
  hm_buf_quoted(&b, HM_STR("it's \"x\""), '\'');
  hm_buf_quoted(&b, HM_STR("it's \"x\""), '"');
  hm_buf_quoted(&b, HM_EMPTY, '"');
  assert_true(hm_str_is(hm_buf_view(&b), "'it''s \"x\"'\"it's \"\"x\"\"\"\"\""));
  hm_buf_free(&b);
}

static void formats_of_any_length(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  char z[600];
  for (size_t n = 0; n < sizeof z; n++) {
    memset(z, 'x', n);
    z[n] = 0;
    hm_str s = hm_str_fmt(a, "%s", z);
    assert_true(hm_str_is(s, z));
    assert_int_equal(s.p[n], 0);
  }
  assert_true(hm_str_is(hm_str_fmt(a, "%.*s|%d", HM_FMT(HM_STR("ab")), 7), "ab|7"));
  hm_arena_free(a);
}

static void parts_are_joined(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  hm_str s = hm_str_join(
      a, (hm_str[]){ HM_STR("a"), { NULL, 0 }, HM_STR("\0b"), HM_EMPTY, HM_STR("c") }, 5);
  assert_true(hm_str_eq(s, HM_STR("a\0bc")));
  assert_int_equal(s.p[s.n], 0);
  assert_string_equal(hm_str_join(a, NULL, 0).p, "");
  hm_arena_free(a);
}

static void hashes_are_the_same_everywhere(void **unused) {
  (void)unused;
  assert_int_equal(hm_str_hash(HM_EMPTY), 0x2d06800538d394c2u);
  assert_int_not_equal(hm_hash_mix(1, 2), hm_hash_mix(2, 1));
  assert_int_not_equal(hm_hash_mix(0, 0), hm_hash_mix(0, 1));
  assert_int_equal(hm_hash_mix(1, 2), hm_hash_mix(1, 2));
}

static void buffers_grow_by_every_means(void **unused) {
  (void)unused;
  hm_buf b = { 0 };
  char *expect = calloc(1, 3000000);
  size_t n = 0;
  uint64_t seed = 3;
  for (int i = 0; i < 20000; i++) {
    char piece[200];
    size_t len = prng(&seed) % sizeof piece;
    memset(piece, 'a' + i % 26, len);
    if (i % 3 == 0) hm_buf_add(&b, piece, len);
    else if (i % 3 == 1) hm_buf_fmt(&b, "%.*s", (int)len, piece);
    else for (size_t k = 0; k < len; k++) hm_buf_ch(&b, piece[k]);
    memcpy(expect + n, piece, len);
    n += len;
  }
  assert_true(hm_str_eq(hm_buf_view(&b), (hm_str){ expect, n }));
  hm_arena *a = hm_arena_new();
  hm_str kept = hm_buf_copy(&b, a);
  size_t cap = b.cap;
  hm_buf_clear(&b);
  assert_int_equal(b.n, 0);
  assert_int_equal(b.cap, cap);
  hm_buf_c(&b, "again");
  assert_true(hm_str_is(hm_buf_view(&b), "again"));
  hm_buf_free(&b);
  assert_null(b.p);
  assert_true(hm_str_eq(kept, (hm_str){ expect, n }));
  hm_arena_free(a);
  free(expect);
}

static void a_failed_buffer_stays_as_it_is(void **unused) {
  (void)unused;
  hm_buf b = { 0 };
  hm_buf_c(&b, "ok");
  volatile size_t huge = HM_BUF_MAX - 1;
  hm_buf_add(&b, "x", huge);   /* refused before anything is read */
  assert_true(b.failed);
  hm_buf_c(&b, "more");
  hm_buf_ch(&b, 'c');
  hm_buf_fmt(&b, "%d", 1);
  assert_true(hm_str_is(hm_buf_view(&b), "ok"));
  hm_buf_clear(&b);
  assert_false(b.failed);
  hm_buf_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_empty_slice_may_be_null),
    cmocka_unit_test(copies),
    cmocka_unit_test(order_is_by_unsigned_bytes),
    cmocka_unit_test(natural_order_is_by_numbers),
    cmocka_unit_test(natural_order_is_total),
    cmocka_unit_test(numbers_are_whole_texts),
    cmocka_unit_test(searching),
    cmocka_unit_test(cutting),
    cmocka_unit_test(quotes_are_doubled_between_quotes),
    cmocka_unit_test(formats_of_any_length),
    cmocka_unit_test(parts_are_joined),
    cmocka_unit_test(hashes_are_the_same_everywhere),
    cmocka_unit_test(buffers_grow_by_every_means),
    cmocka_unit_test(a_failed_buffer_stays_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
